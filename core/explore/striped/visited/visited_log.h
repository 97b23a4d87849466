/* SPDX-License-Identifier: MIT */
/*
 * The states of one partition as they were found: level after level, and in each level in the order of their
 * keys. They lie in chunks of entries without gaps, so that a state takes no more than its entry. Marks show
 * where levels begin.
 *
 * Nothing here locks. Complete levels never change, but levels at the log's beginning may be dropped.
 */
#ifndef STRIPED_VISITED_LOG_H
#define STRIPED_VISITED_LOG_H

#include "base/budget.h"
#include "explore/key/chunk.h"
#include "explore/key/entry.h"

/* A level begins at that position. Levels without a state have no mark. */
struct mark {
    uint32_t level;
    uint32_t position;
};

struct log {
    struct chunk **chunks; /* position p lies in chunks[p / capacity] */
    struct mark *marks;    /* in ascending order */
    uint32_t chunk_count, chunk_room;
    uint32_t mark_count, mark_room;
    uint32_t begin, end; /* positions in use */
};

/* Common to all logs of a search. */
struct log_shape {
    struct budget *budget;
    unsigned words;
    unsigned capacity; /* entries of a chunk */
};

/* Positions of one level. */
struct range {
    uint32_t begin, end;
};

void log_clear(const struct log_shape *shape, struct log *log);
/* Begins a level, which must be above all that the log has. Returns false if memory is spent. */
bool log_begin(const struct log_shape *shape, struct log *log, uint32_t level);
/* Returns how many entries fit without another chunk. */
uint32_t log_room(const struct log_shape *shape, const struct log *log);
/* Adds an empty chunk at the end, when log_room is 0. Returns false if memory is spent. */
bool log_add_chunk(const struct log_shape *shape, struct log *log, struct chunk *chunk);
/* Copies entries behind the last one. There must be room. */
void log_add(const struct log_shape *shape, struct log *log, const uint64_t *entries, uint32_t count);
/* Drops the levels below the given one. Returns the chunks that held nothing else, as a list. */
struct chunk *log_drop(const struct log_shape *shape, struct log *log, uint32_t level);
/* Returns the positions of a level; an empty range if the log has none of it. */
struct range log_level(const struct log *log, uint32_t level);
/* Returns the level of the entry's key, or -1. */
int64_t log_find(const struct log_shape *shape, const struct log *log, const uint64_t *entry);
/* Returns true if the key is in that range. */
bool log_has(const struct log_shape *shape, const struct log *log, struct range range, const uint64_t *entry);

static inline uint64_t *log_entry(const struct log_shape *shape, const struct log *log, uint32_t position)
{
    return log->chunks[position / shape->capacity]->keys +
           (size_t)(position % shape->capacity) * shape->words;
}

/* Returns how many entries from a position on lie in one piece; none from end on is counted. */
static inline uint32_t log_piece(const struct log_shape *shape, uint32_t position, uint32_t end)
{
    uint32_t rest = shape->capacity - position % shape->capacity;
    return end - position < rest ? end - position : rest;
}

#endif
