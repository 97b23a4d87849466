/* SPDX-License-Identifier: MIT */
#include "explore/table/runs_reader.h"

#include "base/random.h"
#include "explore/key/mix.h"
#include "explore/table/expansion.h"
#include "space/registry.h"

#include <inttypes.h>
#include <string.h>

struct runs_reader {
    struct table_reader base;
    struct expansion expansion;
    uint64_t at[PZ_STATE_MAX / 8];
    uint32_t distance; /* of that state */
};

static struct runs_reader *runs_of(struct table_reader *reader)
{
    return (struct runs_reader *)reader;
}

/* ---- life ---- */

static enum pz_status runs_check(const struct table_about *about, struct pz_error *error)
{
    if (about->depth > EXPLORE_LEVEL_MAX)
        return pz_fail(error, PZ_STORAGE, "the table %.300s has depth %" PRIu32 ", more than %d", about->name,
                       about->depth, EXPLORE_LEVEL_MAX);
    return PZ_OK;
}

static void runs_close(struct table_reader *reader)
{
    expansion_clear(&runs_of(reader)->expansion);
    free(reader);
}

static enum pz_status runs_open(const struct table_about *about, struct table_reader **out,
                                struct pz_error *error)
{
    struct runs_reader *runs = calloc(1, sizeof *runs);
    if (runs == NULL || !expansion_init(&runs->expansion, about->space)) {
        free(runs);
        return pz_fail(error, PZ_MEMORY, "no memory for a table's reader");
    }
    *out = &runs->base;
    return PZ_OK;
}

/* ---- the walk ---- */

static enum pz_status runs_look_up(const struct runs_reader *runs, const void *state, uint32_t *distance,
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
    struct runs_reader *runs = runs_of(reader);
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
    struct runs_reader *runs = runs_of(reader);
    const struct pz_space *space = reader->about.space;
    const unsigned count = expansion_of(&runs->expansion, space, runs->at);
    for (unsigned i = 0; i < count; i++) {
        const uint8_t *successor = expansion_at(&runs->expansion, space, i);
        uint32_t there = 0;
        enum pz_status status = runs_look_up(runs, successor, &there, error);
        if (status == PZ_OK && there + 1 == runs->distance) {
            memcpy(runs->at, successor, space->state_bytes);
            runs->distance = there;
            reader->is_home = there == 0;
            return PZ_OK;
        }
        /* The table lacks some neighbours of its last level. */
        if (status != PZ_OK && status != PZ_NO_TABLE)
            return status;
    }
    return pz_fail(error, PZ_STORAGE,
                   "the table %.300s contradicts itself: no neighbour of a state at %" PRIu32 " is nearer",
                   reader->about.name, runs->distance);
}

static enum pz_status runs_step(void *walk, bool *is_home, struct pz_error *error)
{
    struct table_reader *reader = walk;
    enum pz_status status = runs_nearer(reader, error);
    *is_home = reader->is_home;
    return status;
}

static enum pz_status runs_home(struct table_reader *reader, uint32_t *moves, struct pz_error *error)
{
    return table_walk_home(reader, reader, runs_step, moves, error);
}

static void runs_current(const struct table_reader *reader, void *state)
{
    memcpy(state, ((const struct runs_reader *)reader)->at, reader->about.space->state_bytes);
}

/* ---- samples: one pass, reservoir sampling (Vitter 1985, algorithm R) ---- */

struct reservoir {
    struct table_sample *sample;
    uint32_t state_bytes;
    struct random random;
    uint64_t seen; /* states of the level so far */
};

static void runs_offer(struct reservoir *reservoir, const uint64_t *key)
{
    struct table_sample *sample = reservoir->sample;
    uint64_t place = reservoir->seen++;
    if (place >= sample->count)
        place = random_below(&reservoir->random, reservoir->seen);
    else
        sample->found++;
    if (place < sample->count)
        unmix_bytes(key, reservoir->state_bytes, sample->states + place * reservoir->state_bytes);
}

static bool runs_offer_all(void *context, const struct explore_run *run)
{
    struct reservoir *reservoir = context;
    const struct table_sample *sample = reservoir->sample;
    for (size_t i = 0; i < run->count; i++)
        runs_offer(reservoir, run->keys + i * run->key_words);
    return sample->level_states == 0 || reservoir->seen < sample->level_states;
}

static enum pz_status runs_sample(struct table_reader *reader, struct table_sample *sample,
                                  struct pz_error *error)
{
    const struct pz_space *space = reader->about.space;
    struct reservoir reservoir = {
        .sample = sample, .state_bytes = space->state_bytes, .random = {.state = sample->seed}};
    enum pz_status status =
        reader->source.level(reader->source.context, sample->depth, runs_offer_all, &reservoir, error);
    sample->total = reservoir.seen;
    for (unsigned i = 0; i < sample->found && status == PZ_OK; i++)
        if (!space_state_valid(space, sample->states + (size_t)i * space->state_bytes))
            status = pz_fail(error, PZ_STORAGE, "the table %.300s holds what is no state of %s",
                             reader->about.name, space->puzzle->name);
    return status;
}

const struct table_format runs_format = {.check = runs_check,
                                         .open = runs_open,
                                         .close = runs_close,
                                         .start = runs_start,
                                         .nearer = runs_nearer,
                                         .home = runs_home,
                                         .here = runs_current,
                                         .sample = runs_sample};
