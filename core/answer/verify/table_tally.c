/* SPDX-License-Identifier: MIT */
#include "answer/verify/contents.h"

#include "explore/dense/table/dense_table.h"
#include "explore/key/mix.h"
#include "explore/ranked/ranked_table.h"
#include "space/registry.h"
#include "space/slide/slide.h"
#include "store/store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Cuts a last word off the name. Returns its text behind a key, "root="; NULL if the last word has another
 * key. */
static char *cut_word(char *name, const char *key)
{
    char *word = strrchr(name, ' ');
    if (word == NULL || strncmp(word + 1, key, strlen(key)) != 0)
        return NULL;
    *word = '\0';
    return word + 1 + strlen(key);
}

/* Cuts the name into the puzzle's text and the root's, which is returned; NULL if there is none. */
static char *cut_name(char *name, enum explore_from *from)
{
    *from = cut_word(name, "from=") != NULL ? FROM_GOALS : FROM_ROOT;
    return cut_word(name, "root=");
}

enum pz_status table_question_open(const char *name, struct table_question *question, struct pz_error *error)
{
    char text[STORE_NAME_MAX];
    const struct pz_setup setup = {0};
    *question = (struct table_question){0};
    (void)snprintf(text, sizeof text, "%s", name);
    const char *root = cut_name(text, &question->from);
    if (root == NULL)
        return pz_fail(error, PZ_STORAGE, "the name of the table %.300s has no root", name);
    enum pz_status status = space_open(text, &setup, &question->space, error);
    if (status == PZ_OK)
        status = root_set_read(question->space, root, &question->roots, error);
    if (status != PZ_OK)
        table_question_clear(question);
    return status;
}

void table_question_clear(struct table_question *question)
{
    space_close(question->space);
    question->space = NULL;
}

enum { RESIDUES = 4 };

struct level_tally {
    const struct table_record *table;
    const struct table_question *question;
    struct job_levels levels;
    uint64_t *counts; /* runs: of each level, of dead states, of any other distance; else by residue */
    bool invalid;     /* a key is no state */
    struct pz_error *error;
};

static enum pz_status differs(const struct level_tally *tally, const char *what, uint64_t expected,
                              uint64_t found)
{
    return pz_fail(tally->error, PZ_STORAGE,
                   "the table %.300s: %s %" PRIu64 " are reported, %" PRIu64 " are there", tally->table->name,
                   what, expected, found);
}

/* ---- runs ---- */

/* Returns the place of a distance in the counts. */
static uint32_t count_of(const struct level_tally *tally, uint32_t distance)
{
    const struct store_level *levels = tally->levels.levels;
    uint32_t low = 0, high = tally->levels.count;
    if (distance == tally->table->depth + 1)
        return high;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (levels[middle].level < distance)
            low = middle + 1;
        else
            high = middle;
    }
    return low < tally->levels.count && levels[low].level == distance ? low : tally->levels.count + 1;
}

static bool tally_run(void *context, const struct explore_run *run)
{
    struct level_tally *tally = context;
    const struct pz_space *space = tally->question->space;
    uint64_t state[PZ_STATE_MAX / 8];
    for (size_t i = 0; i < run->count && !tally->invalid; i++) {
        unmix_bytes(run->keys + i * run->key_words, space->state_bytes, state);
        tally->invalid = !space_state_valid(space, state);
        tally->counts[count_of(tally, run->distances[i])]++;
    }
    return !tally->invalid;
}

/* Dead states have the distance after the last level. */
static enum pz_status compare_runs(const struct level_tally *tally)
{
    const bool has_dead = tally->question->from == FROM_GOALS && tally->table->complete;
    for (uint32_t i = 0; i < tally->levels.count + 2; i++) {
        const uint64_t expected = i < tally->levels.count ? tally->levels.levels[i].states : 0;
        if (tally->counts[i] != expected && !(has_dead && i == tally->levels.count))
            return differs(tally, "states of a level,", expected, tally->counts[i]);
    }
    return PZ_OK;
}

static enum pz_status tally_runs(struct level_tally *tally, struct table_view *view)
{
    enum pz_status status = table_view_runs(view, tally_run, tally, tally->error);
    if (tally->invalid)
        return pz_fail(tally->error, PZ_STORAGE, "the table %.300s holds what is no state of %s",
                       tally->table->name, tally->question->space->puzzle->name);
    return status == PZ_OK ? compare_runs(tally) : status;
}

/* ---- chunks ---- */

static enum pz_status compare_residues(const struct level_tally *tally, unsigned residues)
{
    uint64_t expected[RESIDUES] = {0};
    for (uint32_t i = 0; i < tally->levels.count; i++)
        expected[tally->levels.levels[i].level % residues] += tally->levels.levels[i].states;
    for (unsigned i = 0; i < residues; i++)
        if (tally->counts[i] != expected[i])
            return differs(tally, "states of every third or fourth level,", expected[i], tally->counts[i]);
    return PZ_OK;
}

static enum pz_status count_numbered(void *context, const struct table_chunk *chunk, struct pz_error *error)
{
    const struct level_tally *tally = context;
    const uint64_t states = space_count(tally->question->space);
    (void)error;
    for (size_t i = 0; i < chunk->length; i++)
        for (unsigned k = 0; k < 4; k++)
            tally->counts[chunk->bytes[i] >> 2 * k & 3] += (chunk->at + i) * 4 + k < states;
    return PZ_OK;
}

/* Chunks have whole classes. A class's bytes by the colour of the places: bit 1 of the distances, then of
 * metric:multi bit 0; else that is the colour's. */
static enum pz_status count_sliding(void *context, const struct table_chunk *chunk, struct pz_error *error)
{
    const struct level_tally *tally = context;
    const uint8_t *bytes = chunk->bytes;
    const struct grid *grid = slide_permutation(tally->question->space);
    const bool multi = slide_is_multi(tally->question->space);
    struct board root;
    struct dense_geometry geometry;
    (void)error;
    slide_board(tally->question->space, tally->question->roots.states, &root);
    dense_geometry_init(&geometry, grid, board_blank(&root));
    for (size_t i = 0; i + 2u + 2u * multi <= chunk->length; i += 2u + 2u * multi)
        for (unsigned colour = 0; colour < 2; colour++) {
            const uint8_t valid = (uint8_t)((1u << ((geometry.places + 1u - colour) / 2)) - 1);
            const uint8_t odd = ((colour ^ geometry.root_place) & 1) != 0 ? 0xFF : 0;
            const uint8_t bit[2] = {multi ? bytes[i + 2 + colour] : odd, bytes[i + colour]};
            for (unsigned k = 0; k < 4; k++) {
                const unsigned same = ((k & 1) != 0 ? bit[0] : ~bit[0]) & ((k & 2) != 0 ? bit[1] : ~bit[1]);
                tally->counts[k] += (unsigned)__builtin_popcount(same & valid);
            }
        }
    return PZ_OK;
}

static enum pz_status tally_chunks(struct level_tally *tally, struct table_view *view)
{
    const struct pz_space *space = tally->question->space;
    const bool ranked = tally->table->kind == TABLE_RANKED;
    const uint64_t numbers = ranked ? space_count(space) : 0;
    const struct grid *grid = slide_permutation(space);
    if (ranked && numbers == 0)
        return ranked_unnumbered(space, tally->table->name, tally->error);
    if (!ranked && (grid == NULL || !dense_grid_fits(grid) || grid->rows > grid->columns))
        return pz_fail(tally->error, PZ_STORAGE, "the table %.300s is dense, its puzzle is not",
                       tally->table->name);
    uint64_t bytes = ranked_table_bytes(numbers);
    uint32_t chunk = RANKED_CHUNK_BYTES;
    if (!ranked) {
        struct dense_geometry geometry;
        dense_geometry_init(&geometry, grid, 0);
        geometry.multi = slide_is_multi(space);
        bytes = dense_table_layout(&geometry).bytes;
        chunk = DENSE_CHUNK_BYTES;
    }
    const bool exact = !ranked || tally->table->table_bytes < ranked_table_parts_at(numbers);
    if (exact ? tally->table->table_bytes != bytes : tally->table->table_bytes < bytes)
        return differs(tally, "bytes in all:", tally->table->table_bytes, bytes);
    if (tally->table->chunk_bytes != chunk)
        return differs(tally, "bytes a chunk:", tally->table->chunk_bytes, chunk);
    enum pz_status status =
        table_view_chunks(view, bytes, ranked ? count_numbered : count_sliding, tally, tally->error);
    return status == PZ_OK ? compare_residues(tally, ranked ? 3 : 4) : status;
}

/* ---- the whole ---- */

/* Holds the record against the levels. */
static enum pz_status compare_record(const struct level_tally *tally)
{
    const struct table_record *table = tally->table;
    if (table->state_bytes != tally->question->space->state_bytes)
        return differs(tally, "bytes a state:", table->state_bytes, tally->question->space->state_bytes);
    if (tally->levels.count == 0 || job_levels_last(&tally->levels) != table->depth)
        return differs(tally, "levels:", (uint64_t)table->depth + 1, tally->levels.count);
    if (tally->levels.sum != table->states)
        return differs(tally, "states in all,", table->states, tally->levels.sum);
    if (table->kind == TABLE_RUNS && table->depth > EXPLORE_COST_MAX)
        return differs(tally, "levels at most:", table->depth, EXPLORE_COST_MAX);
    return PZ_OK;
}

enum pz_status table_tally(struct store *store, const struct table_record *table,
                           const struct table_question *question, struct pz_error *error)
{
    struct table_view *view = NULL;
    struct level_tally tally = {.table = table, .question = question, .error = error};
    enum pz_status status = job_levels_read(store, question->space, question->from, question->roots.count,
                                            table->job, &tally.levels, error);
    if (status == PZ_OK)
        status = compare_record(&tally);
    if (status == PZ_OK)
        status = table_view_peek(store, table->name, &view, error);
    if (status == PZ_OK && table_view_record(view)->id != table->id)
        status = pz_fail(error, PZ_NO_TABLE, "%.300s was replaced while it was checked", table->name);
    if (status == PZ_OK &&
        (tally.counts = calloc(tally.levels.count + RESIDUES, sizeof *tally.counts)) == NULL)
        status = pz_fail(error, PZ_MEMORY, "no memory to count a table's states");
    if (status == PZ_OK)
        status = table->kind == TABLE_RUNS ? tally_runs(&tally, view) : tally_chunks(&tally, view);
    table_view_close(view);
    free(tally.counts);
    job_levels_clear(&tally.levels);
    return status;
}
