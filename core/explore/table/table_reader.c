/* SPDX-License-Identifier: MIT */
#include "explore/table/table_reader.h"

#include "base/random.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_STATES = 64 };

/* ---- life ---- */

enum pz_status table_reader_open(const struct table_format *format, const struct table_about *about,
                                 const struct table_source *source, struct table_reader **out,
                                 struct pz_error *error)
{
    assert(about->space != NULL && about->name != NULL);
    *out = NULL;
    enum pz_status status = format->check(about, error);
    if (status == PZ_OK)
        status = format->open(about, out, error);
    if (status != PZ_OK)
        return status;
    (*out)->format = format;
    (*out)->about = *about;
    (*out)->source = *source;
    return PZ_OK;
}

enum pz_status table_reader_renew(struct table_reader *reader, const struct table_about *about,
                                  const struct table_source *source, struct pz_error *error)
{
    enum pz_status status = reader->format->check(about, error);
    if (status != PZ_OK)
        return status;
    reader->about = *about;
    reader->source = *source;
    if (reader->format->renew != NULL)
        reader->format->renew(reader);
    return PZ_OK;
}

void table_reader_close(struct table_reader *reader)
{
    if (reader != NULL)
        reader->format->close(reader);
}

/* ---- the walk ---- */

enum pz_status table_reader_too_long(const struct table_reader *reader, struct pz_error *error)
{
    return pz_fail(error, PZ_STORAGE, "the table contradicts itself: a way is longer than its depth %" PRIu32,
                   reader->about.depth);
}

enum pz_status table_reader_home(struct table_reader *reader, uint32_t *moves, struct pz_error *error)
{
    enum pz_status status = PZ_OK;
    for (*moves = 0; status == PZ_OK && !reader->is_home; ++*moves)
        status = *moves < reader->about.depth ? reader->format->nearer(reader, error)
                                              : table_reader_too_long(reader, error);
    return status;
}

enum pz_status table_reader_distance(struct table_reader *reader, const void *state, uint32_t *distance,
                                     struct pz_error *error)
{
    enum pz_status status = reader->format->start(reader, state, distance, error);
    return status == PZ_OK && *distance == TABLE_WALK ? reader->format->home(reader, distance, error)
                                                      : status;
}

/* Adds the reader's current state to the path; *room states fit. */
static bool add_here(const struct table_reader *reader, struct table_path *path, size_t *room)
{
    const size_t bytes = reader->about.space->state_bytes;
    if (path->moves == *room) {
        *room = *room > 0 ? 2 * *room : FIRST_STATES;
        uint8_t *wider = realloc(path->states, *room * bytes);
        if (wider == NULL)
            return false;
        path->states = wider;
    }
    reader->format->here(reader, path->states + path->moves * bytes);
    return true;
}

static enum pz_status walk_path(struct table_reader *reader, struct table_path *path, struct pz_error *error)
{
    size_t room = 0;
    for (;; path->moves++) {
        if (!add_here(reader, path, &room))
            return pz_fail(error, PZ_MEMORY, "no memory for a path of %" PRIu32 " moves", path->moves);
        if (reader->is_home)
            return PZ_OK;
        if (path->moves == reader->about.depth)
            return table_reader_too_long(reader, error);
        enum pz_status status = reader->format->nearer(reader, error);
        if (status != PZ_OK)
            return status;
    }
}

enum pz_status table_reader_path(struct table_reader *reader, const void *state, struct table_path *path,
                                 struct pz_error *error)
{
    assert(reader->format != NULL);
    uint32_t distance = 0;
    *path = (struct table_path){0};
    enum pz_status status = reader->format->start(reader, state, &distance, error);
    if (status == PZ_OK && distance != TABLE_WALK && distance > reader->about.depth)
        return pz_fail(error, PZ_NO_TABLE, "no goal can be reached from this state");
    if (status == PZ_OK)
        status = walk_path(reader, path, error);
    if (status == PZ_OK)
        return PZ_OK;
    free(path->states);
    path->states = NULL;
    return status;
}

/* ---- samples ---- */

enum pz_status table_reader_sample(struct table_reader *reader, struct table_sample *sample,
                                   struct pz_error *error)
{
    assert(sample->count > 0);
    sample->states = malloc((size_t)sample->count * reader->about.space->state_bytes);
    sample->found = 0;
    sample->total = 0;
    sample->skewed = false;
    if (sample->states == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for %u states", sample->count);
    enum pz_status status = reader->format->sample(reader, sample, error);
    if (status == PZ_OK)
        return PZ_OK;
    free(sample->states);
    sample->states = NULL;
    sample->found = 0;
    return status;
}

uint8_t *table_sample_slot(struct table_sample *sample, uint32_t state_bytes, struct random *random,
                           uint64_t *seen)
{
    assert(sample->found <= sample->count);
    const uint64_t slot = ++*seen <= sample->count ? sample->found++ : random_below(random, *seen);
    return slot < sample->count ? sample->states + slot * state_bytes : NULL;
}

/* ---- readers that walk ---- */

enum pz_status table_walker_open(const struct table_about *about, struct table_reader **out,
                                 struct pz_error *error)
{
    const size_t successors = (size_t)about->space->max_successors * about->space->state_bytes;
    struct table_walker *walker = calloc(1, sizeof *walker);
    if (walker != NULL)
        walker->successors = malloc(successors + about->space->max_successors);
    if (walker == NULL || walker->successors == NULL) {
        free(walker);
        return pz_fail(error, PZ_MEMORY, "no memory for a table's reader");
    }
    walker->tokens = walker->successors + successors;
    *out = &walker->base;
    return PZ_OK;
}

void table_walker_close(struct table_reader *reader)
{
    free(table_walker_of(reader)->successors);
    free(reader);
}

void table_walker_here(const struct table_reader *reader, void *state)
{
    memcpy(state, ((const struct table_walker *)reader)->at, reader->about.space->state_bytes);
}
