/* SPDX-License-Identifier: MIT */
/* A disk in memory that keeps one checkpoint, and fails as a test asks for. */
#ifndef CHECKPOINT_DISK_H
#define CHECKPOINT_DISK_H

#include "explore/checkpoint/checkpoint.h"
#include "explore/control.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DISK_PARTS_MAX = 256 };

/* The parts of one checkpoint, whole or being written. */
struct disk_parts {
    uint8_t *part[DISK_PARTS_MAX];
    size_t length[DISK_PARTS_MAX];
    uint64_t count;
};

struct disk {
    struct explore_checkpoint calls;
    struct disk_parts kept, fresh;
    /* what happens */
    unsigned nap;                           /* microseconds a part */
    enum pz_status fail_expect, fail_begin; /* where there is no room; PZ_OK */
    uint64_t fail_at;                       /* part that finds the disk full; UINT64_MAX for none */
    uint64_t damaged;                       /* part that cannot be read; UINT64_MAX for none */
    unsigned kill_after;                    /* commits, after which *control says stop; 0 for never */
    bool stop_in_begin, stop_in_open;       /* *control then says stop and keep */
    struct control *control;
    /* what happened */
    unsigned saved, resumed, refused, failed, warned;
    uint32_t level; /* of the last news */
};

static inline void disk_clear_parts(struct disk_parts *parts)
{
    for (uint64_t i = 0; i < parts->count; i++)
        free(parts->part[i]);
    parts->count = 0;
}

static inline void disk_stop(const struct disk *disk)
{
    atomic_store(&disk->control->keep, true);
    atomic_store(&disk->control->stop, true);
}

static inline enum pz_status disk_expect(void *context, uint64_t bytes, struct pz_error *error)
{
    const struct disk *disk = context;
    (void)bytes;
    return disk->fail_expect == PZ_OK ? PZ_OK : pz_fail(error, disk->fail_expect, "no room");
}

static inline enum pz_status disk_begin(void *context, uint64_t bytes, struct pz_error *error)
{
    struct disk *disk = context;
    (void)bytes;
    disk_clear_parts(&disk->fresh);
    if (disk->fail_begin != PZ_OK)
        return pz_fail(error, disk->fail_begin, "no room");
    if (disk->stop_in_begin)
        disk_stop(disk);
    return PZ_OK;
}

static inline enum pz_status disk_part(void *context, const void *bytes, size_t length,
                                       struct pz_error *error)
{
    struct disk *disk = context;
    struct disk_parts *parts = &disk->fresh;
    (void)usleep(disk->nap);
    if (parts->count == disk->fail_at || parts->count == DISK_PARTS_MAX)
        return pz_fail(error, PZ_STORAGE_FULL, "the disk is full");
    if (length == 0 || length > EXPLORE_PART_MAX)
        return pz_fail(error, PZ_INTERNAL, "a part of %zu bytes", length);
    parts->part[parts->count] = malloc(length);
    memcpy(parts->part[parts->count], bytes, length);
    parts->length[parts->count++] = length;
    return PZ_OK;
}

static inline enum pz_status disk_commit(void *context, struct pz_error *error)
{
    struct disk *disk = context;
    (void)error;
    disk_clear_parts(&disk->kept);
    disk->kept = disk->fresh;
    disk->fresh.count = 0;
    if (disk->kill_after > 0 && --disk->kill_after == 0)
        atomic_store(&disk->control->stop, true);
    return PZ_OK;
}

static inline void disk_abort(void *context)
{
    struct disk *disk = context;
    disk_clear_parts(&disk->fresh);
}

static inline enum pz_status disk_open(void *context, uint64_t *parts, struct pz_error *error)
{
    const struct disk *disk = context;
    *parts = disk->kept.count;
    if (disk->stop_in_open)
        disk_stop(disk);
    return *parts > 0 ? PZ_OK : pz_fail(error, PZ_NO_TABLE, "there is none");
}

static inline enum pz_status disk_read(void *context, uint64_t number, const void **bytes, size_t *length,
                                       struct pz_error *error)
{
    const struct disk *disk = context;
    if (number >= disk->kept.count || number == disk->damaged)
        return pz_fail(error, PZ_STORAGE, "part %llu is damaged", (unsigned long long)number);
    *bytes = disk->kept.part[number];
    *length = disk->kept.length[number];
    return PZ_OK;
}

static inline void disk_close(void *context)
{
    (void)context;
}

static inline void disk_note(void *context, const struct explore_checkpoint_news *news)
{
    struct disk *disk = context;
    disk->saved += news->event == CHECKPOINT_SAVED;
    disk->resumed += news->event == CHECKPOINT_RESUMED;
    disk->refused += news->event == CHECKPOINT_REFUSED;
    disk->failed += news->event == CHECKPOINT_FAILED;
    disk->warned += news->event == CHECKPOINT_SHORT;
    disk->level = news->level;
}

static inline void disk_init(struct disk *disk)
{
    *disk = (struct disk){.fail_at = UINT64_MAX, .damaged = UINT64_MAX};
    disk->calls = (struct explore_checkpoint){.context = disk,
                                              .grace = 1000,
                                              .expect = disk_expect,
                                              .begin = disk_begin,
                                              .part = disk_part,
                                              .commit = disk_commit,
                                              .abort = disk_abort,
                                              .open = disk_open,
                                              .read = disk_read,
                                              .close = disk_close,
                                              .note = disk_note};
}

static inline void disk_clear(struct disk *disk)
{
    disk_clear_parts(&disk->kept);
    disk_clear_parts(&disk->fresh);
}

#endif
