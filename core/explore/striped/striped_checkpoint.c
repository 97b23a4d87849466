/* SPDX-License-Identifier: MIT */
#include "explore/striped/search/search.h"

#include "explore/striped/disk/disk_search.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH_KEYS = 4096 };

/* A batch of states: their number as 64 bits, then all keys, then all distances. An empty one is the end. */
struct key_batch {
    uint64_t count;
    unsigned words;
    uint64_t *keys;
    uint16_t distances[BATCH_KEYS];
};

static struct key_batch *key_batch_new(unsigned words)
{
    struct key_batch *batch = malloc(sizeof *batch);
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

static void key_batch_free(struct key_batch *batch)
{
    if (batch != NULL)
        free(batch->keys);
    free(batch);
}

static bool key_batch_put(struct key_batch *batch, struct checkpointer *checkpointer)
{
    assert(batch->count <= BATCH_KEYS);
    bool put =
        checkpointer_put(checkpointer, &batch->count, sizeof batch->count) &&
        checkpointer_put(checkpointer, batch->keys, batch->count * batch->words * sizeof *batch->keys) &&
        checkpointer_put(checkpointer, batch->distances, batch->count * sizeof *batch->distances);
    batch->count = 0;
    return put;
}

static bool key_batch_get(struct key_batch *batch, struct checkpointer *checkpointer)
{
    return checkpointer_get(checkpointer, &batch->count, sizeof batch->count) && batch->count <= BATCH_KEYS &&
           checkpointer_get(checkpointer, batch->keys, batch->count * batch->words * sizeof *batch->keys) &&
           checkpointer_get(checkpointer, batch->distances, batch->count * sizeof *batch->distances);
}

uint64_t striped_resume_bytes(const struct search *search)
{
    uint64_t count = search_held(search);
    uint64_t state = search_words(search) * sizeof(uint64_t) + sizeof(uint16_t);
    return sizeof(struct search_place) + count * state + (count / BATCH_KEYS + 2) * sizeof(uint64_t);
}

static void save_states(const struct search *search, struct key_batch *batch,
                        struct checkpointer *checkpointer)
{
    struct search_cursor cursor;
    uint32_t level;
    bool put = true;
    cursor_begin(&cursor, search, search_lowest(search), search_level(search));
    while (put && cursor_next(&cursor, batch->keys + batch->count * batch->words, &level)) {
        batch->distances[batch->count] = (uint16_t)level;
        if (++batch->count == BATCH_KEYS)
            put = key_batch_put(batch, checkpointer);
    }
    if (cursor.failed)
        checkpointer_fail(checkpointer, "no memory for a checkpoint");
    if (batch->count > 0)
        (void)key_batch_put(batch, checkpointer);
    (void)key_batch_put(batch, checkpointer);
    cursor_end(&cursor);
}

void striped_save(const struct search *search, struct checkpointer *checkpointer)
{
    assert(search_is_whole(search));
    const struct search_place place = search_place(search);
    struct key_batch *batch = key_batch_new(search_words(search));
    if (batch == NULL)
        checkpointer_fail(checkpointer, "no memory for a checkpoint");
    else if (checkpointer_put(checkpointer, &place, sizeof place))
        save_states(search, batch, checkpointer);
    key_batch_free(batch);
}

static bool load_states(struct search *search, struct key_batch *batch, struct checkpointer *checkpointer)
{
    do {
        if (!key_batch_get(batch, checkpointer))
            return false;
        for (uint64_t i = 0; i < batch->count; i++)
            if (!search_put_back(search, batch->keys + i * batch->words, batch->distances[i]))
                return false;
    } while (batch->count > 0);
    return search_reopen(search);
}

static bool get_search_place(struct checkpointer *checkpointer, struct search_place *place, bool *kept_disk)
{
    uint64_t first;
    if (!checkpointer_get(checkpointer, place, sizeof *place))
        return false;
    memcpy(&first, place, sizeof first);
    *kept_disk = first == DISK_CHECKPOINT_MAGIC;
    return place->level == checkpointer_levels(checkpointer);
}

void striped_load(struct searchers *searchers, const struct search_options *options,
                  struct checkpointer *checkpointer, struct search **out, bool *kept_disk)
{
    struct search_place place;
    struct search_options at_place = *options;
    struct search *search = NULL;
    struct key_batch *batch = key_batch_new(searchers->words);
    at_place.place = &place;
    *out = NULL;
    if (batch != NULL && get_search_place(checkpointer, &place, kept_disk) &&
        search_new(searchers, &at_place, &search, NULL) == PZ_OK && load_states(search, batch, checkpointer))
        *out = search;
    else
        search_free(search);
    key_batch_free(batch);
}
