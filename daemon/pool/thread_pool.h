/* SPDX-License-Identifier: MIT */
/*
 * A few threads for work that may block or take long, which the loop thread must not do. A thread works on
 * an item, then the item comes back as a message. Owners take turns; a pool of one thread keeps the order of
 * one owner's items.
 */
#ifndef DAEMON_THREAD_POOL_H
#define DAEMON_THREAD_POOL_H

#include "daemon/pool/fair_queue.h"
#include "daemon/pool/loop_queue.h"

#include <stdbool.h>
#include <stddef.h>

struct thread_pool;

struct work_item {
    struct loop_message message; /* first; its deliver() runs on the loop thread when the work is done */
    struct fair_entry entry;     /* the pool's, while queued */
    void (*work)(struct work_item *item, void *worker);
    bool again; /* set by work that is not done: it goes on when its owner has the next turn */
};

struct thread_pool_options {
    const char *name; /* of the threads, at most 15 bytes */
    unsigned size;
    bool background; /* of lower priority than the loop and the other pools */
    struct loop_queue *loop_queue;
    /* Make and free what each thread owns, on the thread that calls thread_pool_new and thread_pool_free. May
     * be NULL. worker_new returns NULL and the reason if it fails. */
    void *(*worker_new)(void *context, struct pz_error *error);
    void (*worker_free)(void *worker);
    void *context;
};

enum pz_status thread_pool_new(const struct thread_pool_options *options, struct thread_pool **out,
                               struct pz_error *error);
/* Returns true if nothing is queued or being worked on. Any thread. */
bool thread_pool_is_idle(struct thread_pool *pool);
/* Lets the threads finish what is queued, and joins them. NULL is fine. */
void thread_pool_free(struct thread_pool *pool);
/* Queues an item, which is the pool's until it is delivered. owner takes turns with others. Any thread. */
void thread_pool_submit(struct thread_pool *pool, struct work_item *item, const void *owner);
/* Returns how many items are queued and not begun. Any thread. */
size_t thread_pool_backlog(struct thread_pool *pool);
/* Returns true if an item of another owner is queued. Any thread. */
bool thread_pool_others_wait(struct thread_pool *pool, const void *owner);

#endif
