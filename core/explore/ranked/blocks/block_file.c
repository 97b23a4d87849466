/* SPDX-License-Identifier: MIT */
#include "explore/ranked/blocks/block_file.h"

#include "explore/disk/scratch_store.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The state of a block's places. The level that wrote the current place is above these bits. */
enum place {
    PLACE_SECOND = 1,  /* the second place is current, else the first */
    PLACE_CURRENT = 2, /* there is a current one */
    PLACE_CHANGED = 4, /* the level being made has written the other place */
    PLACE_USED = 8,    /* << place: it was written once */
    PLACE_LEVEL_BITS = 8
};

struct block_file {
    struct scratch_store store;
    int descriptor;
    uint64_t blocks;
    size_t words;            /* of a block */
    uint64_t bytes;          /* of a place */
    _Atomic uint32_t *place; /* by block; its maker writes in put, and else the owner */
};

/* ---- life ---- */

/* Large places begin at a page boundary, so that writing them reads nothing. */
static uint64_t place_bytes(size_t words)
{
    const uint64_t bytes = (words + 1) * sizeof(uint64_t);
    return bytes < 4 * DISK_ALIGN ? (bytes + 63) / 64 * 64 : disk_aligned(bytes);
}

uint64_t block_file_memory(uint64_t blocks)
{
    return sizeof(struct block_file) + blocks * sizeof(uint32_t);
}

uint64_t block_file_disk(uint64_t blocks, size_t words)
{
    return 2 * blocks * place_bytes(words);
}

enum pz_status block_file_new(const char *directory, uint64_t disk, uint64_t blocks, size_t words,
                              struct block_file **out, struct pz_error *error)
{
    assert(blocks > 0 && words > 0);
    struct block_file *file = calloc(1, sizeof *file);
    if (file == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for blocks on disk");
    *file = (struct block_file){.store = scratch_closed,
                                .descriptor = -1,
                                .blocks = blocks,
                                .words = words,
                                .bytes = place_bytes(words),
                                .place = calloc(blocks, sizeof *file->place)};
    enum pz_status status = file->place != NULL ? scratch_store_open(&file->store, directory, disk, 0, error)
                                                : pz_fail(error, PZ_MEMORY, "no memory for blocks on disk");
    if (status == PZ_OK && (file->descriptor = scratch_file(&file->store, "runs", O_CREAT, false)) < 0)
        status = scratch_failed(&file->store, errno, "create a file", error);
    if (status != PZ_OK) {
        block_file_free(file);
        return status;
    }
    *out = file;
    return PZ_OK;
}

void block_file_free(struct block_file *file)
{
    if (file == NULL)
        return;
    if (file->descriptor >= 0)
        (void)close(file->descriptor);
    scratch_store_close(&file->store);
    free((void *)file->place);
    free(file);
}

/* ---- one block ---- */

enum pz_status block_file_failed(const struct block_file *file, struct pz_error *error)
{
    const int failure = scratch_noted(&file->store);
    if (failure == EBADMSG)
        return pz_fail(error, PZ_STORAGE, "scratch space: a block of states is damaged");
    return failure == 0 ? PZ_OK
                        : scratch_failed(&file->store, failure, "read or write a block of states", error);
}

static uint32_t place_in_file(const struct block_file *file, uint64_t block)
{
    assert(block < file->blocks);
    return atomic_load_explicit(&file->place[block], memory_order_relaxed);
}

/* Returns the seal of a block's words. It includes the block and the level: so a place that holds another
 * block, or that a later level has overwritten since a checkpoint, does not match. */
static uint64_t seal_of(const struct block_file *file, uint64_t block, uint32_t level, const uint64_t *words)
{
    return disk_hash(words, file->words * sizeof *words) + (block << 20) + level;
}

static uint64_t offset_of(const struct block_file *file, uint64_t block, unsigned second)
{
    return (2 * block + second) * file->bytes;
}

/* Reads a place that was written by that level. */
static bool get_file_place(struct block_file *file, uint64_t block, unsigned second, uint32_t level,
                           uint64_t *words)
{
    const size_t length = (file->words + 1) * sizeof *words;
    const int failure = disk_transfer(false, file->descriptor, words, length, offset_of(file, block, second));
    scratch_count(&file->store.read, length);
    if (failure == 0 && words[file->words] == seal_of(file, block, level, words))
        return true;
    (void)scratch_note(&file->store, failure != 0 && failure != ENODATA ? failure : EBADMSG);
    return false;
}

/* Fills in a block without reached states. */
static void make_empty(const struct block_file *file, uint64_t *words, size_t levels)
{
    assert(levels < file->words);
    memset(words, 0xFF, levels * sizeof *words);
    memset(words + levels, 0, (file->words - levels) * sizeof *words);
}

void block_file_get(struct block_file *file, uint64_t block, uint64_t *words, size_t levels)
{
    const uint32_t place = place_in_file(file, block);
    if ((place & PLACE_CURRENT) == 0 ||
        !get_file_place(file, block, place & PLACE_SECOND, place >> PLACE_LEVEL_BITS, words))
        make_empty(file, words, levels);
}

/* Returns the place that is not current. */
static unsigned other_place(uint32_t place)
{
    return (place & PLACE_CURRENT) != 0 && (place & PLACE_SECOND) == 0;
}

void block_file_get_made(struct block_file *file, uint64_t block, uint32_t level, uint64_t *words,
                         size_t levels)
{
    const uint32_t place = place_in_file(file, block);
    if ((place & PLACE_CHANGED) == 0 || !get_file_place(file, block, other_place(place), level, words))
        make_empty(file, words, levels); /* writing it has failed, or this read */
}

void block_file_put(struct block_file *file, uint64_t block, uint32_t level, uint64_t *words)
{
    assert(level <= UINT32_MAX >> PLACE_LEVEL_BITS);
    const size_t length = (file->words + 1) * sizeof *words;
    const uint32_t place = place_in_file(file, block);
    const unsigned second = other_place(place);
    const uint32_t used = (uint32_t)PLACE_USED << second;
    int failure = (place & used) == 0 ? scratch_take(&file->store, file->bytes) : 0;
    words[file->words] = seal_of(file, block, level, words);
    if (failure == 0)
        failure = disk_transfer(true, file->descriptor, words, length, offset_of(file, block, second));
    scratch_count(&file->store.written, length);
    if (scratch_note(&file->store, failure) != EDQUOT)
        atomic_store_explicit(&file->place[block], place | PLACE_CHANGED | used, memory_order_relaxed);
}

void block_file_ahead(struct block_file *file, uint64_t block)
{
    const uint32_t place = place_in_file(file, block);
    if ((place & PLACE_CURRENT) != 0)
        (void)posix_fadvise(file->descriptor, (off_t)offset_of(file, block, place & PLACE_SECOND),
                            (off_t)file->bytes, POSIX_FADV_WILLNEED);
}

/* ---- all blocks ---- */

void block_file_end_level(struct block_file *file, uint32_t level)
{
    for (uint64_t block = 0; block < file->blocks; block++) {
        const uint32_t place = place_in_file(file, block);
        if ((place & PLACE_CHANGED) == 0)
            continue;
        const uint32_t second = (place & PLACE_CURRENT) != 0 ? ~place & PLACE_SECOND : 0;
        const uint32_t used = place & (PLACE_USED | PLACE_USED << 1);
        atomic_store_explicit(&file->place[block], level << PLACE_LEVEL_BITS | used | PLACE_CURRENT | second,
                              memory_order_relaxed);
    }
}

bool block_file_sync(struct block_file *file)
{
    return fdatasync(file->descriptor) == 0;
}

void *block_file_places(struct block_file *file)
{
    return (void *)file->place;
}

uint64_t block_file_places_bytes(uint64_t blocks)
{
    return blocks * sizeof(uint32_t);
}

void block_file_take_places(struct block_file *file)
{
    uint64_t used = 0;
    for (uint64_t block = 0; block < file->blocks; block++)
        used += (uint64_t)__builtin_popcount(place_in_file(file, block) & (PLACE_USED | PLACE_USED << 1));
    scratch_give(&file->store, scratch_live(&file->store));
    (void)scratch_take(&file->store, used * file->bytes);
}

const struct scratch_store *block_file_store(const struct block_file *file)
{
    return &file->store;
}
