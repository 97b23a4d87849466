/* SPDX-License-Identifier: MIT */
/*
 * A queue in which owners take turns: an owner with one entry waits for at most one entry of each other
 * owner, however many those have. Among the entries of one owner the higher priority goes first, then the
 * older one. An entry is part of its owner's own struct. The caller locks.
 */
#ifndef DAEMON_FAIR_QUEUE_H
#define DAEMON_FAIR_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

struct fair_entry {
    struct fair_entry *next;
    const void *owner; /* only compared; NULL is an owner, too */
    int priority;
    uint64_t turn; /* the queue's */
};

/* Zeroed memory is an empty one. */
struct fair_queue {
    struct fair_entry *first; /* by turn, then by arrival */
    uint64_t turn;            /* the turn of the entry that was popped last */
    const void *latest;       /* the owner of that entry: its next turn comes after all who wait then */
};

/* Adds an entry, whose owner and priority must be set. Takes time in proportion to the length. */
void fair_queue_push(struct fair_queue *queue, struct fair_entry *entry);
/* Removes and returns the entry whose turn it is; NULL if the queue is empty. */
struct fair_entry *fair_queue_pop(struct fair_queue *queue);
/* Removes an entry, without counting a turn. Returns false if it was not in the queue. */
bool fair_queue_remove(struct fair_queue *queue, struct fair_entry *entry);

#endif
