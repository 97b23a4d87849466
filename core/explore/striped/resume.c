/* SPDX-License-Identifier: MIT */
#include "explore/striped/resume.h"

#include "explore/striped/search_cursor.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH_KEYS = 4096 };

/* A batch of states: their number as 64 bits, then all keys, then all distances. One of none is the end. */
struct batch {
    uint64_t count;
    unsigned words;
    uint64_t *keys;
    uint16_t distances[BATCH_KEYS];
};

static struct batch *batch_new(unsigned words)
{
    struct batch *batch = malloc(sizeof *batch);
    uint64_t *keys = malloc((size_t)BATCH_KEYS * words * sizeof *keys);
    if (batch == NULL || keys == NULL) {
        free(batch);
        free(keys);
        return NULL;
    }
    batch->count = 0;
    batch->words = words;
    batch->keys = keys;
    return batch;
}

static void batch_free(struct batch *batch)
{
    if (batch != NULL)
        free(batch->keys);
    free(batch);
}

static void batch_put(struct batch *batch, struct checkpointer *checkpointer)
{
    checkpointer_put(checkpointer, &batch->count, sizeof batch->count);
    checkpointer_put(checkpointer, batch->keys, batch->count * batch->words * sizeof *batch->keys);
    checkpointer_put(checkpointer, batch->distances, batch->count * sizeof *batch->distances);
    batch->count = 0;
}

static bool batch_get(struct batch *batch, struct checkpointer *checkpointer)
{
    return checkpointer_get(checkpointer, &batch->count, sizeof batch->count) && batch->count <= BATCH_KEYS &&
           checkpointer_get(checkpointer, batch->keys, batch->count * batch->words * sizeof *batch->keys) &&
           checkpointer_get(checkpointer, batch->distances, batch->count * sizeof *batch->distances);
}

void striped_moment(struct striped_moment *moment, struct search *search, unsigned words)
{
    *moment = (struct striped_moment){.search = search, .place = search_place(search), .words = words};
}

uint64_t striped_resume_bytes(const struct striped_moment *moment)
{
    uint64_t count = search_held(moment->search);
    uint64_t state = moment->words * sizeof(uint64_t) + sizeof(uint16_t);
    return sizeof(struct search_place) + count * state + (count / BATCH_KEYS + 2) * sizeof(uint64_t);
}

void striped_save(void *context, struct checkpointer *checkpointer)
{
    const struct striped_moment *moment = context;
    struct batch *batch = batch_new(moment->words);
    struct search_cursor cursor;
    uint32_t level;
    if (batch == NULL) {
        checkpointer_fail(checkpointer, "no memory for a checkpoint");
        search_saved(moment->search, UINT_MAX);
        return;
    }
    checkpointer_put(checkpointer, &moment->place, sizeof moment->place);
    cursor_begin_beside(&cursor, moment->search, moment->place.level);
    while (cursor_next(&cursor, batch->keys + batch->count * moment->words, &level)) {
        batch->distances[batch->count] = (uint16_t)level;
        if (++batch->count < BATCH_KEYS)
            continue;
        search_saved(moment->search, cursor.stripe);
        batch_put(batch, checkpointer);
        if (!checkpointer_sound(checkpointer))
            break;
    }
    search_saved(moment->search, UINT_MAX);
    if (cursor.failed)
        checkpointer_fail(checkpointer, "no memory for a checkpoint");
    if (batch->count > 0)
        batch_put(batch, checkpointer);
    batch_put(batch, checkpointer);
    cursor_end(&cursor);
    batch_free(batch);
}

static bool load_states(struct search *search, struct batch *batch, struct checkpointer *checkpointer)
{
    do {
        if (!batch_get(batch, checkpointer))
            return false;
        for (uint64_t i = 0; i < batch->count; i++)
            if (!search_put_back(search, batch->keys + i * batch->words, batch->distances[i]))
                return false;
    } while (batch->count > 0);
    return search_reopen(search);
}

void striped_load(struct crew *crew, const struct search_options *options, struct checkpointer *checkpointer,
                  struct search **out)
{
    struct search_place place;
    struct search_options at_place = *options;
    struct search *search = NULL;
    struct batch *batch = batch_new(crew->words);
    at_place.place = &place;
    *out = NULL;
    if (batch != NULL && checkpointer_get(checkpointer, &place, sizeof place) &&
        place.level == checkpointer_levels(checkpointer) &&
        search_new(crew, &at_place, &search, NULL) == PZ_OK && load_states(search, batch, checkpointer))
        *out = search;
    else
        search_free(search);
    batch_free(batch);
}
