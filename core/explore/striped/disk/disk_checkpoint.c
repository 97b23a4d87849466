/* SPDX-License-Identifier: MIT */
#include "explore/striped/disk/disk_search.h"

#include <assert.h>
#include <stdlib.h>

enum { PLACES_MOST = 1 << 28, PIECE_ENTRIES_MOST = PIECE_MOST / 8 };

struct disk_head {
    uint64_t magic;
    uint32_t version; /* PIECE_VERSION */
    uint32_t words, files;
    uint32_t level;
    uint64_t mark;
    uint64_t frontier_states, states, generated;
};

struct file_head {
    uint32_t level, places;
    uint64_t bytes;
};

/* Followed by the entries, if these are kept in memory. */
struct saved_place {
    uint64_t offset;
    uint32_t count;
    uint16_t partition, kept;
};

static size_t entry_bytes(const struct disk_search *search, uint32_t count)
{
    return (size_t)count * search->words * sizeof(uint64_t);
}

/* Returns the file of a level if it is needed to go on; else NULL. */
static const struct partition_file *file_at(const struct disk_search *search, uint32_t level)
{
    const bool there = level < search->level_room && level <= search->level;
    return there && disk_search_needs(search, level) ? search->levels[level] : NULL;
}

uint64_t disk_search_save_bytes(const struct disk_search *search)
{
    uint64_t bytes =
        sizeof(struct disk_head) + atomic_load_explicit(&search->store.kept, memory_order_relaxed);
    for (uint32_t level = 0; level <= search->level; level++) {
        const struct partition_file *file = file_at(search, level);
        bytes += file != NULL ? sizeof(struct file_head) + file->count * sizeof(struct saved_place) : 0;
    }
    return bytes;
}

/* ---- saving ---- */

static void save_level_file(const struct disk_search *search, const struct partition_file *file,
                            struct checkpointer *checkpointer)
{
    const struct file_head head = {.level = file->level, .places = file->count, .bytes = file->bytes};
    bool put = checkpointer_put(checkpointer, &head, sizeof head);
    for (uint32_t i = 0; put && i < file->count; i++) {
        const struct partition_place *place = &file->places[i];
        const struct saved_place saved = {.offset = place->offset,
                                          .count = place->count,
                                          .partition = (uint16_t)place->partition,
                                          .kept = place->kept != NULL};
        put = checkpointer_put(checkpointer, &saved, sizeof saved);
        if (put && place->kept != NULL)
            put = checkpointer_put(checkpointer, place->kept, entry_bytes(search, place->count));
    }
}

bool disk_search_outdates(const struct disk_search *search)
{
    if (search->keep_all)
        return search->frontier_states > DISK_NARROW_LEVEL;
    for (uint32_t level = search->level > 0 ? search->level - 1 : 0; level <= search->level; level++) {
        const struct partition_file *file = file_at(search, level);
        if (file != NULL && file->descriptor >= 0)
            return true;
    }
    return search->saved_files;
}

void disk_search_save(struct disk_search *search, struct checkpointer *checkpointer)
{
    assert(file_at(search, search->level) != NULL);
    search->saved_files = false;
    struct disk_head head = {.magic = DISK_CHECKPOINT_MAGIC,
                             .version = PIECE_VERSION,
                             .words = search->words,
                             .level = search->level,
                             .mark = search->store.mark,
                             .frontier_states = search->frontier_states,
                             .states = search->states,
                             .generated = search->generated};
    for (uint32_t level = 0; level <= search->level; level++)
        head.files += file_at(search, level) != NULL;
    (void)checkpointer_put(checkpointer, &head, sizeof head);
    for (uint32_t level = 0; level <= search->level; level++) {
        const struct partition_file *file = file_at(search, level);
        if (file == NULL)
            continue;
        save_level_file(search, file, checkpointer);
        search->saved_files |= file->descriptor >= 0;
    }
}

/* ---- loading ---- */

/* Loads the entries that follow into memory. */
static bool load_kept(struct partition_file *file, struct partition_place *place,
                      struct checkpointer *checkpointer)
{
    const size_t bytes = (size_t)place->count * file->store->words * sizeof(uint64_t);
    if (!budget_take(file->store->budget, bytes))
        return false;
    place->kept = malloc(bytes);
    if (place->kept != NULL && checkpointer_get(checkpointer, place->kept, bytes) &&
        partition_file_add(file, place)) {
        atomic_fetch_add_explicit(&file->store->kept, bytes, memory_order_relaxed);
        return true;
    }
    free(place->kept);
    budget_give(file->store->budget, bytes);
    return false;
}

static bool load_place(struct partition_file *file, struct checkpointer *checkpointer)
{
    struct saved_place saved;
    if (!checkpointer_get(checkpointer, &saved, sizeof saved) || saved.partition >= DISK_PARTITIONS ||
        saved.count == 0 || saved.count > PIECE_ENTRIES_MOST)
        return false;
    struct partition_place place = {
        .offset = saved.offset, .count = saved.count, .partition = saved.partition};
    if (saved.kept != 0)
        return load_kept(file, &place, checkpointer);
    return partition_piece_bytes(file->store, place.count) <= file->store->piece_bytes &&
           place.offset % DISK_ALIGN == 0 && place.offset < file->bytes && partition_file_add(file, &place);
}

static bool load_level_file(struct disk_search *search, struct checkpointer *checkpointer)
{
    struct file_head head;
    if (!checkpointer_get(checkpointer, &head, sizeof head) || head.level > search->level ||
        head.places > PLACES_MOST)
        return false;
    struct partition_file *file = partition_file_new(&search->store, head.level, true);
    if (file == NULL)
        return false;
    file->bytes = head.bytes;
    search->saved_files |= head.bytes > 0;
    bool whole = partition_file_reopen(file) == 0;
    for (uint32_t i = 0; whole && i < head.places; i++)
        whole = load_place(file, checkpointer);
    whole = whole && partition_file_order(file) &&
            (head.level >= search->level_room || search->levels[head.level] == NULL) &&
            disk_search_put_level(search, file);
    if (!whole)
        partition_file_free(file, false);
    return whole;
}

bool disk_search_load(struct disk_search *search, struct checkpointer *checkpointer)
{
    assert(search->states == 0);
    struct disk_head head;
    if (!checkpointer_get(checkpointer, &head, sizeof head) || head.magic != DISK_CHECKPOINT_MAGIC ||
        head.version != PIECE_VERSION || head.words != search->words ||
        head.level != checkpointer_levels(checkpointer))
        return false;
    search->store.mark = head.mark;
    search->level = head.level;
    search->frontier_states = head.frontier_states;
    search->states = head.states;
    search->generated = head.generated;
    for (uint32_t i = 0; i < head.files; i++)
        if (!load_level_file(search, checkpointer))
            return false;
    const struct partition_file *frontier = file_at(search, search->level);
    return frontier != NULL && frontier->entries == search->frontier_states;
}
