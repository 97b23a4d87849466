/* SPDX-License-Identifier: MIT */
#include "explore/dense/group/coded.h"

#include "base/budget.h"
#include "explore/dense/group/coded_cost.h"
#include "explore/dense/group/grouped.h"
#include "explore/dense/table/dense_table.h"

#include <assert.h>
#include <stdlib.h>

enum { CODED_DISK_THREADS = 6, NARROW_SHARE = 512, NARROW_MOST = 1 << 20 };

struct coded {
    struct dense_levels base;
    struct grouping grouping;
    struct arena *arena;
    struct scratch_store scratch; /* of planes on disk, else closed */
    struct spill *spill;          /* in it, or NULL */
    struct pieces *pieces;
    struct grouped *grouped;
    /* While the table is handed over: bit 1 of the distances of one group, by the colour of the places. */
    uint8_t *marks[2];
    uint64_t marked; /* that group; UINT64_MAX for none */
};

static struct coded *coded_of(struct explorer *explorer)
{
    return (struct coded *)explorer;
}

/* ---- levels ---- */

static enum pz_status coded_begin(struct explorer *explorer, struct pz_error *error)
{
    explorer->width = 1;
    return grouped_begin(coded_of(explorer)->grouped, error);
}

static enum pz_status coded_next(struct explorer *explorer, level_tick *tick, void *context,
                                 struct pz_error *error)
{
    struct coded *coded = coded_of(explorer);
    uint64_t states = 0;
    enum pz_status status = grouped_level(coded->grouped, tick, context, &states, error);
    if (status == PZ_OK)
        levels_take(&coded->base, states);
    return status;
}

static enum pz_status choose_places(struct dense_levels *levels, uint32_t level, struct examples *examples,
                                    struct pz_error *error)
{
    return grouped_examples(coded_of(&levels->base)->grouped, level, examples, error);
}

/* ---- the table ---- */

static bool is_marked(uint32_t level)
{
    return level % 4 >= 2;
}

static enum pz_status mark_group(struct coded *coded, uint64_t group, struct pz_error *error)
{
    assert(group < coded->grouping.groups);
    for (unsigned colour = 0; colour < 2 && coded->marks[colour] == NULL; colour++)
        coded->marks[colour] = memory_map(coded->grouping.classes, MEMORY_HUGE_PAGES);
    if (coded->marks[0] == NULL || coded->marks[1] == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for the table of a group");
    coded->marked = group;
    return grouped_marks(coded->grouped, (uint32_t)group, coded->marks, error);
}

/* A chunk may lie in two groups, or more. */
static enum pz_status chunk(struct explorer *explorer, uint64_t number, uint8_t *bytes, size_t *length,
                            struct pz_error *error)
{
    struct coded *coded = coded_of(explorer);
    uint64_t first = number * (DENSE_CHUNK_BYTES / 2);
    uint64_t end = first + DENSE_CHUNK_BYTES / 2;
    if (end > coded->base.geometry.classes)
        end = coded->base.geometry.classes;
    enum pz_status status = PZ_OK;
    *length = 2 * (size_t)(end - first);
    while (first < end) {
        uint64_t group = first / coded->grouping.classes;
        uint64_t at = first % coded->grouping.classes;
        uint64_t left = coded->grouping.classes - at;
        uint64_t here = left < end - first ? left : end - first;
        assert(here > 0 && group < coded->grouping.groups);
        if (coded->marked != group)
            status = mark_group(coded, group, error);
        if (status != PZ_OK)
            return status;
        dense_table_join(coded->marks[0] + at, coded->marks[1] + at, (size_t)here, bytes);
        bytes += 2 * here;
        first += here;
    }
    return PZ_OK;
}

/* ---- checkpoints: the place; the pieces are on the disk already ---- */

/* No checkpoint is made while the levels are narrow and not yet safe on the disk. */
static uint64_t coded_save_bytes(const struct explorer *explorer, uint64_t states)
{
    const struct coded *coded = (const struct coded *)explorer;
    struct pieces_figures found;
    coded->pieces->ops->figures(coded->pieces, &found);
    const uint64_t bytes = sizeof(struct levels_place) + (coded->base.geometry.orbits ? ORBIT_SAVED_MOST : 0);
    return found.lasting || states == UINT64_MAX ? bytes : 0;
}

static void coded_save(struct explorer *explorer, struct checkpointer *checkpointer)
{
    const struct levels_place place = {.level = explorer->level,
                                       .colour = levels_colour(&coded_of(explorer)->base, explorer->level),
                                       .width = explorer->width};
    const struct orbit_examples *examples = grouped_orbit_examples(coded_of(explorer)->grouped);
    if (checkpointer_put(checkpointer, &place, sizeof place) && examples != NULL)
        orbit_examples_save(examples, place.level, checkpointer);
}

static bool coded_load(struct explorer *explorer, struct checkpointer *checkpointer)
{
    struct coded *coded = coded_of(explorer);
    struct levels_place place;
    struct pz_error error = {0};
    struct orbit_examples *examples = grouped_orbit_examples(coded->grouped);
    if (!checkpointer_get(checkpointer, &place, sizeof place) ||
        place.level != checkpointer_levels(checkpointer) ||
        (examples != NULL && !orbit_examples_load(examples, place.level, checkpointer)))
        return false;
    if (grouped_go_on(coded->grouped, place.level, &error) != PZ_OK) {
        checkpointer_fail(checkpointer, error.text);
        return false;
    }
    uint64_t states = 0;
    for (uint32_t group = 0; group < coded->grouping.groups; group++)
        states += coded->pieces->states[PIECE_NOW][group];
    explorer->level = place.level;
    explorer->width = place.width;
    return examples != NULL ? coded->pieces->tally[PIECE_NOW].fresh <= place.width : states == place.width;
}

static void coded_figures(const struct explorer *explorer, struct explorer_figures *out)
{
    const struct coded *coded = (const struct coded *)explorer;
    struct pieces_figures found;
    coded->pieces->ops->figures(coded->pieces, &found);
    out->planes = coded->base.options.planes;
    explorer_scratch(&coded->scratch, out);
    out->waited = found.waited;
    out->group = grouped_group(coded->grouped);
    out->groups = coded->grouping.groups;
}

/* ---- life ---- */

static void coded_free(struct explorer *explorer)
{
    struct coded *coded = coded_of(explorer);
    grouped_free(coded->grouped);
    memory_unmap(coded->marks[0], coded->grouping.classes);
    memory_unmap(coded->marks[1], coded->grouping.classes);
    if (coded->pieces != NULL)
        coded->pieces->ops->free(coded->pieces);
    spill_free(coded->spill);
    scratch_store_close(&coded->scratch);
    arena_free(coded->arena);
    grouping_clear(&coded->grouping);
    levels_clear(&coded->base);
    free(coded);
}

static const struct explorer_ops memory_ops = {.begin = coded_begin,
                                               .next = coded_next,
                                               .choose = levels_choose,
                                               .figures = coded_figures,
                                               .free = coded_free};
static const struct explorer_ops disk_ops = {.begin = coded_begin,
                                             .next = coded_next,
                                             .choose = levels_choose,
                                             .chunk = chunk,
                                             .every_level = true,
                                             .save_bytes = coded_save_bytes,
                                             .save = coded_save,
                                             .load = coded_load,
                                             .figures = coded_figures,
                                             .free = coded_free};

/* Returns the largest level that is faster to make again than to make safe on a busy disk. 0 on ranks: they
 * must agree, so they make all levels safe. */
static uint64_t narrow_level(const struct coded *coded)
{
    const uint64_t some = coded->base.geometry.classes / NARROW_SHARE;
    return coded->base.options.request->exchange != NULL ? 0 : some < NARROW_MOST ? some : NARROW_MOST;
}

static enum pz_status make_pieces(struct coded *coded, struct pz_error *error)
{
    const struct levels_options *options = &coded->base.options;
    const struct explore_request *request = options->request;
    struct pieces_size size = coded_pieces_size(&coded->grouping);
    uint64_t most = coded_arena_most(&coded->grouping, options->planes, request->depth);
    const struct spare spare = {.budget = request->budget,
                                .fill = request->dense.fill,
                                .reserve = CODED_ARENA_STEP + most / CODED_GROWTH};
    if (options->planes == PLANES_CODED)
        return pieces_memory_new(&size, coded->arena, &spare, &coded->pieces, error);
    enum pz_status status =
        scratch_store_open(&coded->scratch, request->scratch, request->disk, CODED_DISK_THREADS, error);
    if (status == PZ_OK)
        status = spill_new(&coded->scratch, &coded->spill, error);
    if (status != PZ_OK)
        return status;
    const struct pieces_disk disk = {.store = &coded->scratch,
                                     .ahead = CODED_PIECES_AHEAD,
                                     .behind = CODED_PIECES_BEHIND,
                                     .spare = spare,
                                     .file_bytes = options->file_bytes,
                                     .narrow = narrow_level(coded),
                                     .keeps = request->keep == KEEP_TABLE ? is_marked : NULL};
    return pieces_disk_new(&size, &disk, &coded->pieces, error);
}

static enum pz_status coded_make(struct coded *coded, struct pz_error *error)
{
    struct dense_levels *base = &coded->base;
    const struct levels_options *options = &base->options;
    const struct explore_request *request = options->request;
    const unsigned digits = options->digits > 0 ? options->digits : group_digits(&base->geometry);
    coded->marked = UINT64_MAX;
    coded->scratch = scratch_closed;
    enum pz_status status = grouping_init(&base->geometry, digits, &coded->grouping, error);
    if (status == PZ_OK)
        status = levels_init(base, coded_own_bytes(&coded->grouping, options->planes, request), error);
    if (status == PZ_OK)
        status = arena_new(request->budget, budget_free(request->budget),
                           options->planes == PLANES_CODED ? CODED_CHUNK_BLOCK : CODED_PACKET_BLOCK,
                           &coded->arena, error);
    if (status == PZ_OK)
        status = make_pieces(coded, error);
    const struct grouped_setup setup = {.plan = base->plan,
                                        .grouping = &coded->grouping,
                                        .kernel = base->kernel,
                                        .team = base->team,
                                        .control = options->control,
                                        .packets = {coded->arena, coded->spill},
                                        .pieces = coded->pieces,
                                        .depth = request->depth,
                                        .seed = request->seed,
                                        .exchange = request->exchange};
    return status == PZ_OK ? grouped_new(&setup, &coded->grouped, error) : status;
}

static enum pz_status coded_open(const struct levels_options *options, struct explorer **out,
                                 struct pz_error *error)
{
    struct coded *coded = calloc(1, sizeof *coded);
    if (coded == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for planes in groups");
    levels_describe(&coded->base, options);
    coded->base.geometry.orbits = coded->base.geometry.multi;
    coded->base.base.ops = options->planes == PLANES_DISK ? &disk_ops : &memory_ops;
    coded->base.choose_places = choose_places;
    enum pz_status status = coded_make(coded, error);
    if (status != PZ_OK) {
        coded_free(&coded->base.base);
        return status;
    }
    *out = &coded->base.base;
    return PZ_OK;
}

const struct levels_kind coded_kind = {
    .has_groups = true, .fits = coded_fits, .bytes = coded_memory_bytes, .open = coded_open};
const struct levels_kind coded_disk_kind = {.has_groups = true,
                                            .keeps_tables = true,
                                            .needs_scratch = true,
                                            .fits = coded_fits,
                                            .bytes = coded_disk_bytes,
                                            .packets = coded_disk_packets,
                                            .scratch = coded_disk_scratch,
                                            .open = coded_open};
