/* SPDX-License-Identifier: MIT */
#include "explore/dense/pieces/disk/spill.h"

#include "explore/disk/scratch_store.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

enum { SETS = 2 };

struct spill_set {
    int file;
    _Atomic uint64_t units; /* in use; every thread that puts takes some */
    _Atomic uint64_t freed; /* bytes given back already; every thread that gets adds some */
};

struct spill {
    struct scratch_store *store;
    struct spill_set set[SETS];
};

/* Makes a file and removes its name. Returns -1 with errno. */
static int open_unnamed(struct scratch_store *store)
{
    static const char name[] = "packets.part";
    const int file = scratch_file(store, name, O_CREAT | O_TRUNC, false);
    if (file >= 0)
        (void)scratch_remove(store, name, NULL);
    return file;
}

enum pz_status spill_new(struct scratch_store *store, struct spill **out, struct pz_error *error)
{
    struct spill *spill = calloc(1, sizeof *spill);
    if (spill == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for packets on disk");
    spill->store = store;
    spill->set[0].file = open_unnamed(store);
    spill->set[1].file = spill->set[0].file < 0 ? -1 : open_unnamed(store);
    if (spill->set[1].file >= 0) {
        *out = spill;
        return PZ_OK;
    }
    const enum pz_status status = scratch_failed(store, errno, "create a file", error);
    spill_free(spill);
    return status;
}

void spill_free(struct spill *spill)
{
    for (unsigned i = 0; spill != NULL && i < SETS; i++)
        if (spill->set[i].file >= 0)
            (void)close(spill->set[i].file);
    free(spill);
}

/* Reads or writes a seal, the XXH3 of a string, and after it the string, whole. Returns an errno. */
static int transfer(bool writes, int file, uint64_t *seal, void *bytes, uint32_t length, uint32_t unit)
{
    const size_t all = sizeof *seal + length;
    for (size_t done = 0; done < all;) {
        size_t sealed = done < sizeof *seal ? done : sizeof *seal;
        size_t rest = done - sealed;
        struct iovec parts[] = {{(uint8_t *)seal + sealed, sizeof *seal - sealed},
                                {(uint8_t *)bytes + rest, length - rest}};
        off_t at = (off_t)unit * SPILL_UNIT + (off_t)done;
        ssize_t moved = writes ? pwritev(file, parts, 2, at) : preadv(file, parts, 2, at);
        if (moved == 0)
            return writes ? ENOSPC : EBADMSG;
        if (moved < 0 && errno != EINTR)
            return errno;
        done += moved > 0 ? (size_t)moved : 0;
    }
    return 0;
}

int spill_put(struct spill *spill, unsigned set, const void *bytes, uint32_t length, uint32_t *unit)
{
    uint64_t units = (sizeof(uint64_t) + length + SPILL_UNIT - 1) / SPILL_UNIT;
    uint64_t first = atomic_fetch_add_explicit(&spill->set[set].units, units, memory_order_relaxed);
    uint64_t seal = disk_hash(bytes, length);
    (void)scratch_take(spill->store, units * SPILL_UNIT); /* the next piece finds that the limit is met */
    scratch_count(&spill->store->written, units * SPILL_UNIT);
    if (first + units > UINT32_MAX)
        return ENOSPC;
    *unit = (uint32_t)first;
    return transfer(true, spill->set[set].file, &seal, (void *)bytes, length, *unit);
}

/* Gives back the whole pages of a string, where the file system can. */
static void free_pages(struct spill *spill, unsigned set, uint32_t unit, uint32_t length)
{
    const size_t first = disk_aligned((size_t)unit * SPILL_UNIT);
    const size_t end = ((size_t)unit * SPILL_UNIT + sizeof(uint64_t) + length) / DISK_ALIGN * DISK_ALIGN;
    if (end <= first || fallocate(spill->set[set].file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                  (off_t)first, (off_t)(end - first)) != 0)
        return;
    assert(set < SETS && end <= spill->set[set].units * SPILL_UNIT);
    scratch_count(&spill->set[set].freed, end - first);
    scratch_give(spill->store, end - first);
}

int spill_get(struct spill *spill, unsigned set, uint32_t unit, uint32_t length, void *bytes)
{
    uint64_t seal;
    int failure = transfer(false, spill->set[set].file, &seal, bytes, length, unit);
    scratch_count(&spill->store->read, sizeof seal + length);
    free_pages(spill, set, unit, length);
    return failure == 0 && disk_hash(bytes, length) != seal ? EBADMSG : failure;
}

void spill_ahead(struct spill *spill, unsigned set, uint32_t unit, uint32_t length)
{
    (void)posix_fadvise(spill->set[set].file, (off_t)unit * SPILL_UNIT, (off_t)(sizeof(uint64_t) + length),
                        POSIX_FADV_WILLNEED);
}

void spill_clear(struct spill *spill, unsigned set)
{
    const uint64_t units = atomic_exchange_explicit(&spill->set[set].units, 0, memory_order_relaxed);
    if (units > 0)
        (void)!ftruncate(spill->set[set].file, 0); /* if it fails, the bytes are written over */
    const uint64_t freed = atomic_exchange_explicit(&spill->set[set].freed, 0, memory_order_relaxed);
    scratch_give(spill->store, units * SPILL_UNIT - freed);
}
