/* SPDX-License-Identifier: MIT */
/*
 * A few threads that read and write files while others compute. They begin requests in the order in which
 * these were submitted, several at a time. Any thread may submit, and awaits what it submitted.
 */
#ifndef EXPLORE_DISK_QUEUE_H
#define EXPLORE_DISK_QUEUE_H

#include "puzzled/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
/* Waits until the request is done, if it was ever submitted; returns its error. Adds the seconds to *waited.
 */
int disk_queue_await(struct disk_queue *queue, struct disk_request *request, double *waited);

#endif
