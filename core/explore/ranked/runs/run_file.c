/* SPDX-License-Identifier: MIT */
#include "explore/ranked/runs/run_file.h"

#include "explore/disk/scratch_store.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The state of a run's places. The level that wrote the current place is above these bits. */
enum place {
    PLACE_SECOND = 1,  /* the second place is current, else the first */
    PLACE_CURRENT = 2, /* there is a current one */
    PLACE_CHANGED = 4, /* the level being made has written the other place */
    PLACE_USED = 8,    /* << place: it was written once */
    PLACE_LEVEL_BITS = 8
};

struct run_file {
    struct scratch_store store;
    int descriptor;
    uint64_t runs;
    size_t words;            /* of a run */
    uint64_t bytes;          /* of a place */
    _Atomic uint32_t *place; /* by run; its maker writes in put, and else the owner */
};

/* ---- life ---- */

/* Large places begin at a page boundary, so that writing them reads nothing. */
static uint64_t place_bytes(size_t words)
{
    const uint64_t bytes = (words + 1) * sizeof(uint64_t);
    return bytes < 4 * DISK_ALIGN ? (bytes + 63) / 64 * 64 : disk_aligned(bytes);
}

uint64_t run_file_memory(uint64_t runs)
{
    return sizeof(struct run_file) + runs * sizeof(uint32_t);
}

uint64_t run_file_disk(uint64_t runs, size_t words)
{
    return 2 * runs * place_bytes(words);
}

enum pz_status run_file_new(const char *directory, uint64_t disk, uint64_t runs, size_t words,
                            struct run_file **out, struct pz_error *error)
{
    struct run_file *file = calloc(1, sizeof *file);
    if (file == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for runs on disk");
    *file = (struct run_file){.store = scratch_closed,
                              .descriptor = -1,
                              .runs = runs,
                              .words = words,
                              .bytes = place_bytes(words),
                              .place = calloc(runs, sizeof *file->place)};
    enum pz_status status = file->place != NULL ? scratch_store_open(&file->store, directory, disk, 0, error)
                                                : pz_fail(error, PZ_MEMORY, "no memory for runs on disk");
    if (status == PZ_OK && (file->descriptor = scratch_file(&file->store, "runs", O_CREAT, false)) < 0)
        status = scratch_failed(&file->store, errno, "create a file", error);
    if (status != PZ_OK) {
        run_file_free(file);
        return status;
    }
    *out = file;
    return PZ_OK;
}

void run_file_free(struct run_file *file)
{
    if (file == NULL)
        return;
    if (file->descriptor >= 0)
        (void)close(file->descriptor);
    scratch_store_close(&file->store);
    free((void *)file->place);
    free(file);
}

/* ---- one run ---- */

enum pz_status run_file_failed(const struct run_file *file, struct pz_error *error)
{
    const int failure = scratch_noted(&file->store);
    if (failure == EBADMSG)
        return pz_fail(error, PZ_STORAGE, "scratch space: a run of states is damaged");
    return failure == 0 ? PZ_OK
                        : scratch_failed(&file->store, failure, "read or write a run of states", error);
}

static uint32_t place_of(const struct run_file *file, uint64_t run)
{
    assert(run < file->runs);
    return atomic_load_explicit(&file->place[run], memory_order_relaxed);
}

/* Returns the seal of a run's words. It includes the run and the level: so a place that holds another run,
 * or that a later level has overwritten since a checkpoint, does not match. */
static uint64_t seal_of(const struct run_file *file, uint64_t run, uint32_t level, const uint64_t *words)
{
    return disk_hash(words, file->words * sizeof *words) + (run << 20) + level;
}

static uint64_t offset_of(const struct run_file *file, uint64_t run, unsigned second)
{
    return (2 * run + second) * file->bytes;
}

/* Reads a place that was written by that level. */
static bool get_place(struct run_file *file, uint64_t run, unsigned second, uint32_t level, uint64_t *words)
{
    const size_t length = (file->words + 1) * sizeof *words;
    const int failure = disk_transfer(false, file->descriptor, words, length, offset_of(file, run, second));
    scratch_count(&file->store.read, length);
    if (failure == 0 && words[file->words] == seal_of(file, run, level, words))
        return true;
    (void)scratch_note(&file->store, failure != 0 && failure != ENODATA ? failure : EBADMSG);
    return false;
}

/* Fills in a run without reached states. */
static void make_empty(const struct run_file *file, uint64_t *words, size_t levels)
{
    assert(levels < file->words);
    memset(words, 0xFF, levels * sizeof *words);
    memset(words + levels, 0, (file->words - levels) * sizeof *words);
}

void run_file_get(struct run_file *file, uint64_t run, uint64_t *words, size_t levels)
{
    const uint32_t place = place_of(file, run);
    if ((place & PLACE_CURRENT) == 0 ||
        !get_place(file, run, place & PLACE_SECOND, place >> PLACE_LEVEL_BITS, words))
        make_empty(file, words, levels);
}

/* Returns the place that is not current. */
static unsigned other_place(uint32_t place)
{
    return (place & PLACE_CURRENT) != 0 && (place & PLACE_SECOND) == 0;
}

void run_file_get_made(struct run_file *file, uint64_t run, uint32_t level, uint64_t *words, size_t levels)
{
    const uint32_t place = place_of(file, run);
    if ((place & PLACE_CHANGED) == 0 || !get_place(file, run, other_place(place), level, words))
        make_empty(file, words, levels); /* writing it has failed, or this read */
}

void run_file_put(struct run_file *file, uint64_t run, uint32_t level, uint64_t *words)
{
    const size_t length = (file->words + 1) * sizeof *words;
    const uint32_t place = place_of(file, run);
    const unsigned second = other_place(place);
    const uint32_t used = (uint32_t)PLACE_USED << second;
    int failure = (place & used) == 0 ? scratch_take(&file->store, file->bytes) : 0;
    words[file->words] = seal_of(file, run, level, words);
    if (failure == 0)
        failure = disk_transfer(true, file->descriptor, words, length, offset_of(file, run, second));
    scratch_count(&file->store.written, length);
    if (scratch_note(&file->store, failure) != EDQUOT)
        atomic_store_explicit(&file->place[run], place | PLACE_CHANGED | used, memory_order_relaxed);
}

void run_file_ahead(struct run_file *file, uint64_t run)
{
    const uint32_t place = place_of(file, run);
    if ((place & PLACE_CURRENT) != 0)
        (void)posix_fadvise(file->descriptor, (off_t)offset_of(file, run, place & PLACE_SECOND),
                            (off_t)file->bytes, POSIX_FADV_WILLNEED);
}

/* ---- all runs ---- */

void run_file_end_level(struct run_file *file, uint32_t level)
{
    for (uint64_t run = 0; run < file->runs; run++) {
        const uint32_t place = place_of(file, run);
        if ((place & PLACE_CHANGED) == 0)
            continue;
        const uint32_t second = (place & PLACE_CURRENT) != 0 ? ~place & PLACE_SECOND : 0;
        const uint32_t used = place & (PLACE_USED | PLACE_USED << 1);
        atomic_store_explicit(&file->place[run], level << PLACE_LEVEL_BITS | used | PLACE_CURRENT | second,
                              memory_order_relaxed);
    }
}

bool run_file_sync(struct run_file *file)
{
    return fdatasync(file->descriptor) == 0;
}

void *run_file_places(struct run_file *file)
{
    return (void *)file->place;
}

uint64_t run_file_places_bytes(uint64_t runs)
{
    return runs * sizeof(uint32_t);
}

void run_file_take_places(struct run_file *file)
{
    uint64_t used = 0;
    for (uint64_t run = 0; run < file->runs; run++)
        used += (uint64_t)__builtin_popcount(place_of(file, run) & (PLACE_USED | PLACE_USED << 1));
    scratch_give(&file->store, scratch_live(&file->store));
    (void)scratch_take(&file->store, used * file->bytes);
}

const struct scratch_store *run_file_store(const struct run_file *file)
{
    return &file->store;
}
