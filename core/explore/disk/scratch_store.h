/* SPDX-License-Identifier: MIT */
/*
 * The scratch space of a search: one directory, the files in it, how much they may hold, what was read and
 * written, and the first call that failed. Each engine lays out its files by itself; their seals are all
 * disk_hash.
 *
 * Any thread may call what is below "any thread". All else is called by the owner while no one else works.
 */
#ifndef EXPLORE_SCRATCH_STORE_H
#define EXPLORE_SCRATCH_STORE_H

#include "puzzled/status.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- the queue: disk_queue.c ---- */

/*
 * A few threads that read and write files while others compute. They begin requests in the order in which
 * these were submitted, several at a time. Any thread may submit, and awaits what it submitted.
 */

/* Reads or writes all the bytes at an offset, on this thread. Returns an errno: ENODATA where the file is too
 * short. */
int disk_transfer(bool writes, int file, void *bytes, size_t length, uint64_t offset);

struct disk_queue;

enum disk_kind { DISK_READ, DISK_WRITE, DISK_CALL };

/* Must not move until it is done. */
struct disk_request {
    enum disk_kind kind;
    int file;
    void *bytes;
    size_t length;
    uint64_t offset;
    /* DISK_CALL: run when all requests submitted before it are done; returns an errno. Once a write has
     * failed, no call is run, and each ends with the error of that write. */
    int (*call)(void *context);
    void *context;
    /* set by the queue */
    int error; /* an errno; ENODATA where the file is too short */
    bool pending;
    uint64_t number;
    struct disk_request *next;
};

enum pz_status disk_queue_new(unsigned threads, struct disk_queue **out, struct pz_error *error);
/* Waits for what was submitted. NULL is fine. */
void disk_queue_free(struct disk_queue *queue);
void disk_queue_submit(struct disk_queue *queue, struct disk_request *request);
/* Waits until the request is done, if it was ever submitted; returns its error. Adds the seconds to *waited,
 * if it is not NULL. */
int disk_queue_await(struct disk_queue *queue, struct disk_request *request, double *waited);

/* ---- the store ---- */

enum { DISK_ALIGN = 4096 /* of offsets, lengths and addresses past the page cache */ };

struct scratch_store {
    int directory;
    struct disk_queue *queue; /* NULL where every user reads and writes by itself */
    uint64_t limit;           /* bytes of all files */
    _Atomic uint64_t
        live; /* bytes in files; all threads add to it and to those below, and subtract from it */
    _Atomic uint64_t peak;    /* of live, within the limit */
    _Atomic uint64_t written; /* bytes in all */
    _Atomic uint64_t read;
    _Atomic int failure; /* the first errno that was noted; 0 for none */
};

static const struct scratch_store scratch_closed = {.directory = -1};

/* Opens a directory that exists and is this search's alone (base/own_files.h). Its files stay. disk: bytes
 * that it may hold; 0 for no limit. threads: of the queue; 0 for none. After a failure it is closed, too. */
enum pz_status scratch_store_open(struct scratch_store *store, const char *directory, uint64_t disk,
                                  unsigned threads, struct pz_error *error);
/* Waits for what was submitted and ends the queue's threads: before memory that they use is freed. */
void scratch_store_stop(struct scratch_store *store);
void scratch_store_close(struct scratch_store *store); /* one that is closed is fine */
/* Calls visit for each file with one of the two endings until a call returns an errno. Returns that as a
 * status. */
enum pz_status scratch_store_each(struct scratch_store *store, const char endings[2][8],
                                  int (*visit)(struct scratch_store *, const char *name, void *context),
                                  void *context, struct pz_error *error);
/* A visit that removes the file. */
int scratch_remove(struct scratch_store *store, const char *name, void *context);

/* ---- any thread ---- */

/* Opens a file for reading and writing; past: past the page cache where the file system can do that. Returns
 * -1 with errno. */
int scratch_file(const struct scratch_store *store, const char *name, int flags, bool past);
/* Takes so many more bytes of the disk. Returns EDQUOT beyond the limit; they are taken all the same. */
int scratch_take(struct scratch_store *store, uint64_t bytes);
void scratch_give(struct scratch_store *store, uint64_t bytes);
/* Counts bytes of `read` or `written`. */
static inline void scratch_count(_Atomic uint64_t *bytes, uint64_t more)
{
    atomic_fetch_add_explicit(bytes, more, memory_order_relaxed);
}
/* Notes a failed call for others to see; the first one stays. Returns it. */
int scratch_note(struct scratch_store *store, int failure);
static inline int scratch_noted(const struct scratch_store *store)
{
    return atomic_load_explicit(&store->failure, memory_order_relaxed);
}
static inline uint64_t scratch_live(const struct scratch_store *store)
{
    return atomic_load_explicit(&store->live, memory_order_relaxed);
}
/* Translates the errno of a failed call into a status. what: what was tried ("write a piece"). */
enum pz_status scratch_failed(const struct scratch_store *store, int failure, const char *what,
                              struct pz_error *error);

/* Returns the XXH3-64 of the bytes. */
uint64_t disk_hash(const void *bytes, size_t length);

static inline size_t disk_aligned(size_t bytes)
{
    return (bytes + DISK_ALIGN - 1) / DISK_ALIGN * DISK_ALIGN;
}

#endif
