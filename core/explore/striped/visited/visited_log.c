/* SPDX-License-Identifier: MIT */
#include "explore/striped/visited/visited_log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Doubles an array; the first time it gets room for 4. */
static bool log_enlarge(const struct log_shape *shape, void **array, uint32_t *room, size_t size)
{
    const uint32_t wanted = *room == 0 ? 4 : *room * 2;
    void *larger = budget_realloc(shape->budget, *array, *room * size, wanted * size);
    if (larger == NULL)
        return false;
    *array = larger;
    *room = wanted;
    return true;
}

/* Returns true if the log's positions lie in its chunks, and the last level in it. */
__attribute__((unused)) static bool log_is_sound(const struct log_shape *shape, const struct log *log)
{
    const struct mark *last = log->mark_count > 0 ? &log->marks[log->mark_count - 1] : NULL;
    return log->begin <= log->end && log->end <= (uint64_t)log->chunk_count * shape->capacity &&
           log->chunk_count <= log->chunk_room && log->mark_count <= log->mark_room &&
           (last == NULL || (log->begin <= last->position && last->position <= log->end));
}

void log_clear(const struct log_shape *shape, struct log *log)
{
    budget_give(shape->budget,
                log->chunk_room * sizeof(struct chunk *) + log->mark_room * sizeof(struct mark));
    free((void *)log->chunks);
    free(log->marks);
    memset(log, 0, sizeof *log);
}

bool log_begin(const struct log_shape *shape, struct log *log, uint32_t level)
{
    assert(log_is_sound(shape, log));
    assert(log->mark_count == 0 || log->marks[log->mark_count - 1].level < level);
    if (log->mark_count == log->mark_room) {
        void *marks = log->marks;
        if (!log_enlarge(shape, &marks, &log->mark_room, sizeof(struct mark)))
            return false;
        log->marks = marks;
    }
    log->marks[log->mark_count++] = (struct mark){.level = level, .position = log->end};
    return true;
}

uint32_t log_room(const struct log_shape *shape, const struct log *log)
{
    return log->chunk_count * shape->capacity - log->end;
}

bool log_add_chunk(const struct log_shape *shape, struct log *log, struct chunk *chunk)
{
    if (log->end > UINT32_MAX - 2 * shape->capacity)
        return false;
    if (log->chunk_count == log->chunk_room) {
        void *chunks = (void *)log->chunks;
        if (!log_enlarge(shape, &chunks, &log->chunk_room, sizeof(struct chunk *)))
            return false;
        log->chunks = chunks;
    }
    log->chunks[log->chunk_count++] = chunk;
    return true;
}

void log_add(const struct log_shape *shape, struct log *log, const uint64_t *entries, uint32_t count)
{
    assert(count <= log_room(shape, log) && log->mark_count > 0);
    memcpy(log_entry(shape, log, log->end), entries, (size_t)count * shape->words * sizeof *entries);
    log->end += count;
}

static struct chunk *list_of_chunks(struct chunk **chunks, uint32_t count)
{
    struct chunk *list = NULL;
    while (count-- > 0) {
        chunks[count]->next = list;
        list = chunks[count];
    }
    return list;
}

/* Returns the number of marks below the level. */
static uint32_t marks_below(const struct log *log, uint32_t level)
{
    uint32_t count = log->mark_count;
    if (count > 1 && log->marks[count - 2].level < level) /* nearly always one of the last levels */
        return log->marks[count - 1].level < level ? count : count - 1;
    uint32_t low = 0;
    while (low < count) {
        uint32_t middle = low + (count - low) / 2;
        if (log->marks[middle].level < level)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

/* Removes and returns the chunks before `begin`. The others move down, so that positions stay small. */
static struct chunk *leave_front(const struct log_shape *shape, struct log *log)
{
    uint32_t leaving = log->begin / shape->capacity;
    uint32_t shift = leaving * shape->capacity;
    assert(leaving <= log->chunk_count && log->begin <= log->end);
    if (leaving == 0)
        return NULL;
    struct chunk *list = list_of_chunks(log->chunks, leaving);
    log->chunk_count -= leaving;
    memmove((void *)log->chunks, (void *)(log->chunks + leaving), log->chunk_count * sizeof(struct chunk *));
    for (uint32_t i = 0; i < log->mark_count; i++)
        log->marks[i].position -= shift;
    log->begin -= shift;
    log->end -= shift;
    return list;
}

struct chunk *log_drop(const struct log_shape *shape, struct log *log, uint32_t level)
{
    uint32_t below = marks_below(log, level);
    if (below == 0)
        return NULL;
    log->mark_count -= below;
    memmove(log->marks, log->marks + below, log->mark_count * sizeof(struct mark));
    log->begin = log->mark_count > 0 ? log->marks[0].position : log->end;
    assert(log_is_sound(shape, log));
    return leave_front(shape, log);
}

static struct range range_of_mark(const struct log *log, uint32_t mark)
{
    assert(mark < log->mark_count);
    return (struct range){.begin = log->marks[mark].position,
                          .end = mark + 1 < log->mark_count ? log->marks[mark + 1].position : log->end};
}

struct range log_level(const struct log *log, uint32_t level)
{
    uint32_t mark = marks_below(log, level);
    if (mark < log->mark_count && log->marks[mark].level == level)
        return range_of_mark(log, mark);
    return (struct range){0};
}

bool log_has(const struct log_shape *shape, const struct log *log, struct range range, const uint64_t *entry)
{
    uint32_t end = range.end;
    assert(range.begin <= end && end <= log->end);
    while (range.begin < range.end) {
        uint32_t middle = range.begin + (range.end - range.begin) / 2;
        if (entry_less(log_entry(shape, log, middle), entry, shape->words))
            range.begin = middle + 1;
        else
            range.end = middle;
    }
    return range.begin < end && entry_same_key(log_entry(shape, log, range.begin), entry, shape->words);
}

int64_t log_find(const struct log_shape *shape, const struct log *log, const uint64_t *entry)
{
    for (uint32_t mark = log->mark_count; mark-- > 0;)
        if (log_has(shape, log, range_of_mark(log, mark), entry))
            return log->marks[mark].level;
    return -1;
}
