/* SPDX-License-Identifier: MIT */

#include "base/random.h"
#include "explore/key/mix.h"
#include "explore/table/table_reader.h"
#include "space/registry.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

static enum pz_status runs_check(const struct table_about *about, struct pz_error *error)
{
    if (about->depth > EXPLORE_COST_MAX)
        return pz_fail(error, PZ_STORAGE, "the table %.300s has depth %" PRIu32 ", more than %u", about->name,
                       about->depth, EXPLORE_COST_MAX);
    return PZ_OK;
}

/* ---- the walk ---- */

static enum pz_status runs_look_up(const struct table_walker *runs, const void *state, uint32_t *distance,
                                   struct pz_error *error)
{
    const uint32_t bytes = runs->base.about.space->state_bytes;
    uint64_t key[KEY_WORDS_MAX];
    mix_bytes(state, bytes, key);
    return runs->base.source.key(runs->base.source.context, key, bytes / 8, distance, error);
}

static enum pz_status runs_start(struct table_reader *reader, const void *state, uint32_t *distance,
                                 struct pz_error *error)
{
    struct table_walker *runs = table_walker_of(reader);
    enum pz_status status = runs_look_up(runs, state, distance, error);
    if (status != PZ_OK)
        return status;
    memcpy(runs->at, state, reader->about.space->state_bytes);
    runs->distance = *distance;
    reader->is_home = *distance == 0;
    return PZ_OK;
}

/* One neighbour is nearer, since moves can be undone or the distances are to the goals. */
static enum pz_status runs_nearer(struct table_reader *reader, struct pz_error *error)
{
    assert(!reader->is_home && table_walker_of(reader)->distance > 0);
    struct table_walker *runs = table_walker_of(reader);
    const struct pz_space *space = reader->about.space;
    const unsigned count = table_walker_expand(runs, runs->at);
    for (unsigned i = 0; i < count; i++) {
        const uint8_t *successor = table_walker_successor(runs, i);
        uint32_t there = 0;
        enum pz_status status = runs_look_up(runs, successor, &there, error);
        if (status == PZ_OK && there + 1 == runs->distance) {
            memcpy(runs->at, successor, space->state_bytes);
            runs->distance = there;
            reader->is_home = there == 0;
            return PZ_OK;
        }
        /* The table may not hold all neighbours of its last level. */
        if (status != PZ_OK && status != PZ_NO_TABLE)
            return status;
    }
    return pz_fail(error, PZ_STORAGE,
                   "the table %.300s contradicts itself: no neighbour of a state at %" PRIu32 " is nearer",
                   reader->about.name, runs->distance);
}

/* ---- samples of a narrow level: one pass ---- */

struct reservoir {
    struct table_sample *sample;
    uint32_t state_bytes;
    struct random random;
    uint64_t seen; /* states of the level so far */
};

static bool runs_offer_all(void *context, const struct explore_run *run)
{
    struct reservoir *reservoir = context;
    struct table_sample *sample = reservoir->sample;
    for (size_t i = 0; i < run->count; i++) {
        uint8_t *slot =
            table_sample_slot(sample, reservoir->state_bytes, &reservoir->random, &reservoir->seen);
        if (slot != NULL)
            unmix_bytes(run->keys + i * run->key_words, reservoir->state_bytes, slot);
    }
    return sample->level_states == 0 || reservoir->seen < sample->level_states;
}

static enum pz_status runs_pass(struct table_reader *reader, struct table_sample *sample,
                                struct pz_error *error)
{
    assert(sample->found == 0);
    static const uint64_t first[KEY_WORDS_MAX];
    struct reservoir reservoir = {
        .sample = sample, .state_bytes = reader->about.space->state_bytes, .random = {.state = sample->seed}};
    enum pz_status status =
        reader->source.level(reader->source.context, first, sample->depth, runs_offer_all, &reservoir, error);
    sample->total = reservoir.seen;
    return status;
}

/* ---- samples of a wide level: random windows ---- */

/*
 * Keys are mixed, so a window of the key space holds about WINDOW_STATES states wherever it is: their number
 * is Poisson distributed. A window is accepted with a probability of its states by WINDOW_MOST, and one of
 * its states is drawn; then each state of the table is equally likely. Those of other levels are thrown away.
 * A window of more than WINDOW_MOST, eight standard deviations off, is as likely as one of WINDOW_MOST.
 */
enum { WINDOW_STATES = 256, WINDOW_MOST = 384, WIDE_LEVEL = 4096, TRIES_A_STATE = 16 };

struct window {
    struct random random;
    uint64_t first, last; /* words of keys, the most significant ones */
    uint64_t states;      /* seen in it */
    uint32_t distance;    /* of the one that is drawn */
    uint64_t key[KEY_WORDS_MAX];
};

static bool window_visit(void *context, const struct explore_run *run)
{
    struct window *window = context;
    for (size_t i = 0; i < run->count; i++) {
        const uint64_t *key = run->keys + i * run->key_words;
        if (*key > window->last)
            return false;
        assert(i == 0 || *key >= *(key - run->key_words)); /* ascending */
        if (*key < window->first || random_below(&window->random, ++window->states) != 0)
            continue;
        memcpy(window->key, key, run->key_words * sizeof *key);
        window->distance = run->distances[i];
    }
    return true;
}

static enum pz_status window_draw(const struct table_reader *reader, struct window *window,
                                  struct pz_error *error)
{
    const uint64_t windows = reader->about.states / WINDOW_STATES;
    assert(windows > 0); /* of a wide level */
    const uint64_t width = UINT64_MAX / windows;
    const uint64_t number = random_below(&window->random, windows);
    window->first = number * width;
    window->last = number + 1 < windows ? window->first + (width - 1) : UINT64_MAX;
    window->states = 0;
    const uint64_t from[KEY_WORDS_MAX] = {window->first};
    return reader->source.level(reader->source.context, from, EXPLORE_ANY_DISTANCE, window_visit, window,
                                error);
}

static enum pz_status runs_draw(const struct table_reader *reader, struct table_sample *sample,
                                struct pz_error *error)
{
    const uint32_t bytes = reader->about.space->state_bytes;
    struct window window = {.random = {.state = sample->seed}};
    assert(sample->level_states > 0 && sample->found == 0);
    uint64_t tries = reader->about.states / sample->level_states * sample->count * TRIES_A_STATE;
    enum pz_status status = PZ_OK;
    for (; tries > 0 && status == PZ_OK && sample->found < sample->count; tries--) {
        uint64_t state[PZ_STATE_MAX / 8];
        status = window_draw(reader, &window, error);
        if (status != PZ_OK || random_below(&window.random, WINDOW_MOST) >= window.states ||
            window.distance != sample->depth)
            continue;
        unmix_bytes(window.key, bytes, state);
        if (!table_sample_has(sample, state, bytes))
            memcpy(sample->states + (size_t)sample->found++ * bytes, state, bytes);
    }
    return status;
}

/* A pass costs a look at every state; a draw, one at a few windows for each state that is wanted. */
static bool is_wide_level(const struct table_reader *reader, const struct table_sample *sample)
{
    return sample->level_states / WIDE_LEVEL >= sample->count && sample->level_states <= reader->about.states;
}

static enum pz_status runs_sample(struct table_reader *reader, struct table_sample *sample,
                                  struct pz_error *error)
{
    const struct pz_space *space = reader->about.space;
    enum pz_status status = PZ_OK;
    if (is_wide_level(reader, sample))
        status = runs_draw(reader, sample, error);
    if (status == PZ_OK && sample->found < sample->count) {
        sample->found = 0;
        status = runs_pass(reader, sample, error);
    }
    for (unsigned i = 0; i < sample->found && status == PZ_OK; i++)
        if (!space_state_valid(space, sample->states + (size_t)i * space->state_bytes))
            status = pz_fail(error, PZ_STORAGE, "the table %.300s holds what is no state of %s",
                             reader->about.name, space->puzzle->name);
    return status;
}

const struct table_format runs_format = {.check = runs_check,
                                         .open = table_walker_open,
                                         .close = table_walker_close,
                                         .start = runs_start,
                                         .nearer = runs_nearer,
                                         .here = table_walker_here,
                                         .sample = runs_sample};
