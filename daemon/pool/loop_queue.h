/* SPDX-License-Identifier: MIT */
/*
 * The queue by which other threads reach the loop thread. They post messages, one eventfd wakes the loop, and
 * the loop calls each message's deliver() in the order of posting. A message is part of the sender's own
 * struct, so posting never fails and never allocates.
 */
#ifndef DAEMON_LOOP_QUEUE_H
#define DAEMON_LOOP_QUEUE_H

#include "puzzled/status.h"

struct event_base;
struct loop_queue;

struct loop_message {
    struct loop_message *next; /* the loop queue's, while posted */
    void (*deliver)(struct loop_message *message);
};

/* Loop thread. */
enum pz_status loop_queue_new(struct event_base *base, struct loop_queue **out, struct pz_error *error);
/* Loop thread, after the last post. Messages still inside are delivered first. NULL is fine. */
void loop_queue_free(struct loop_queue *loop_queue);
/* Delivers the messages that are inside now. Loop thread. */
void loop_queue_deliver(struct loop_queue *loop_queue);
/* Posts a message. The queue owns the message until delivery; it must not already be queued. Any thread. */
void loop_queue_post(struct loop_queue *loop_queue, struct loop_message *message);

#endif
