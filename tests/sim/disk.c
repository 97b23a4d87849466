/* SPDX-License-Identifier: MIT */
#include "machine.h"

#include "threads.h"
#include "world.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { SECTOR = 512, JOURNAL_BYTES = 64 << 20 };

/* A write that was not synced; the bytes before it and its own follow. */
struct unsynced {
    uint64_t offset;
    uint32_t length, previous; /* bytes of its own; the place of the one before it */
};

static struct journal {
    uint32_t used, last; /* bytes; the place of the last one */
    uint8_t bytes[JOURNAL_BYTES];
} * journal;

void disk_begin(void)
{
    journal = mmap(NULL, sizeof *journal, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    assert(journal != MAP_FAILED);
    disk_clear();
}

void disk_clear(void)
{
    journal->used = 0;
    journal->last = UINT32_MAX;
}

static void database_path(char path[SOCKET_PATH_MAX + 16])
{
    (void)snprintf(path, SOCKET_PATH_MAX + 16, "%s/data.mdb", world->state);
}

static bool is_database(int file)
{
    char path[SOCKET_PATH_MAX + 16];
    struct stat there, here;
    database_path(path);
    return fstat(file, &here) == 0 && S_ISREG(here.st_mode) && stat(path, &there) == 0 &&
           here.st_ino == there.st_ino && here.st_dev == there.st_dev;
}

static void note_write(int file, const void *bytes, size_t length, off_t offset)
{
    const size_t room = sizeof(struct unsynced) + 2 * length;
    if (journal->used + room > JOURNAL_BYTES)
        disk_clear();
    if (room > JOURNAL_BYTES)
        return;
    uint8_t *at = journal->bytes + journal->used;
    const struct unsynced head = {
        .offset = (uint64_t)offset, .length = (uint32_t)length, .previous = journal->last};
    memcpy(at, &head, sizeof head);
    at += sizeof head;
    memset(at, 0, length); /* what lies beyond the file's end */
    (void)syscall(SYS_pread64, file, at, length, offset);
    memcpy(at + length, bytes, length);
    journal->last = journal->used;
    journal->used += (uint32_t)room;
}

/* Returns how many bytes of a write the disk takes now, and -1 with errno for a failure. */
static ssize_t let_write(int file, const void *bytes, size_t length, off_t offset)
{
    threads_pause();
    const bool is_meta = (fcntl(file, F_GETFL) & O_DSYNC) != 0;
    const bool failing = (world->failing & (is_meta ? DISK_FAILS_META : DISK_FAILS_WRITES)) != 0;
    if (failing && world_once_in(8)) {
        world_trace("disk: a write fails");
        errno = world_once_in(2) ? ENOSPC : EIO;
        return -1;
    }
    if (failing && world_once_in(8))
        length /= 2;
    if (!is_meta)
        note_write(file, bytes, length, offset);
    return (ssize_t)length;
}

static void take_time(void)
{
    static const uint64_t most_ms[] = {1, 1, 10, 10, 10, 10, 10, 100};
    const uint64_t most = !world->quiet && world_once_in(200) ? 3000 : most_ms[world_below(8)];
    const uint64_t taken = world_below(most * 1000000);
    world->disk_ns += taken;
    world->disk_until = world->now_ns + taken;
    (void)threads_wait(NULL, world->disk_until);
}

/* ---- what LMDB calls ---- */

/* The C library's reserved names for parameters cannot be taken over. */
/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */

ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset)
{
    if (!is_database(file) || threads_self() == 0)
        return syscall(SYS_pwrite64, file, bytes, length, offset);
    const ssize_t taken = let_write(file, bytes, length, offset);
    if (taken < 0)
        return taken;
    const ssize_t written = syscall(SYS_pwrite64, file, bytes, (size_t)taken, offset);
    if ((fcntl(file, F_GETFL) & O_DSYNC) != 0)
        take_time();
    return written;
}

ssize_t writev(int file, const struct iovec *parts, int count)
{
    ssize_t all = 0;
    if (!is_database(file) || threads_self() == 0)
        return syscall(SYS_writev, file, parts, count);
    for (int i = 0; i < count; i++) {
        const off_t offset = lseek(file, 0, SEEK_CUR);
        const ssize_t taken = let_write(file, parts[i].iov_base, parts[i].iov_len, offset);
        if (taken < 0)
            return all > 0 ? all : taken;
        all += syscall(SYS_write, file, parts[i].iov_base, (size_t)taken);
        if ((size_t)taken < parts[i].iov_len)
            break;
    }
    return all;
}

int fdatasync(int file)
{
    if (!is_database(file) || threads_self() == 0)
        return 0;
    take_time();
    if ((world->failing & DISK_FAILS_SYNCS) != 0 && world_once_in(4)) {
        world_trace("disk: a sync fails");
        errno = EIO;
        return -1;
    }
    disk_clear();
    return 0;
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

/* ---- power loss ---- */

static void put(int file, const struct unsynced *head, const uint8_t *bytes, size_t from, size_t to)
{
    (void)syscall(SYS_pwrite64, file, bytes + from, to - from, head->offset + from);
}

static void take_back(int file)
{
    struct unsynced head;
    for (uint32_t at = journal->last; at != UINT32_MAX; at = head.previous) {
        memcpy(&head, journal->bytes + at, sizeof head);
        put(file, &head, journal->bytes + at + sizeof head, 0, head.length);
    }
}

void disk_lose_power(void)
{
    char path[SOCKET_PATH_MAX + 16];
    database_path(path);
    const int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return;
    take_back(file);
    struct unsynced head;
    for (uint32_t at = 0; at < journal->used; at += (uint32_t)sizeof head + 2 * head.length) {
        memcpy(&head, journal->bytes + at, sizeof head);
        const uint8_t *bytes = journal->bytes + at + sizeof head + head.length;
        const uint64_t fate = world_below(3);
        if (fate == 0)
            put(file, &head, bytes, 0, head.length);
        for (size_t sector = 0; fate == 1 && sector < head.length; sector += SECTOR)
            if (world_once_in(2))
                put(file, &head, bytes, sector,
                    sector + SECTOR < head.length ? sector + SECTOR : head.length);
    }
    (void)close(file);
    disk_clear();
}
