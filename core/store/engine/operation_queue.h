/* SPDX-License-Identifier: MIT */
/* Operations that wait for the writer thread, in order. Guarded by the writer's lock. */
#ifndef STORE_OPERATION_QUEUE_H
#define STORE_OPERATION_QUEUE_H

#include "store/engine/operation.h"

struct operation_queue {
    struct operation *first, *last;
    size_t bytes;
    unsigned urgent; /* of them */
};

void operation_queue_append(struct operation_queue *queue, struct operation *operation);
/* Takes the first operations, as many as fit in `most` bytes, at least one. The queue is not empty. */
struct operation *operation_queue_take(struct operation_queue *queue, size_t most);
/* Puts a list of operations, not empty, back to the front. They are not urgent any more: they wait until
 * they are due.
 */
void operation_queue_put_back(struct operation_queue *queue, struct operation *front);

#endif
