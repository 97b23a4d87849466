/* SPDX-License-Identifier: MIT */
#include "store/engine/operation_queue.h"

#include <assert.h>

__attribute__((unused)) static bool queue_is_sound(const struct operation_queue *queue)
{
    if (queue->first == NULL)
        return queue->bytes == 0 && queue->urgent == 0;
    return queue->last != NULL && queue->last->next == NULL && queue->bytes >= queue->first->bytes &&
           (!queue->first->urgent || queue->urgent > 0);
}

void operation_queue_append(struct operation_queue *queue, struct operation *operation)
{
    assert(operation->next == NULL && queue_is_sound(queue));
    if (queue->first == NULL)
        queue->first = operation;
    else
        queue->last->next = operation;
    queue->last = operation;
    queue->bytes += operation->bytes;
    queue->urgent += operation->urgent ? 1 : 0;
}

struct operation *operation_queue_take(struct operation_queue *queue, size_t most)
{
    assert(queue->first != NULL && queue_is_sound(queue));
    struct operation *group = queue->first;
    struct operation *end = group;
    size_t bytes = group->bytes;
    unsigned urgent = group->urgent ? 1 : 0;
    while (end->next != NULL && bytes + end->next->bytes <= most) {
        end = end->next;
        bytes += end->bytes;
        urgent += end->urgent ? 1 : 0;
    }
    assert(bytes <= queue->bytes && urgent <= queue->urgent);
    queue->first = end->next;
    queue->bytes -= bytes;
    queue->urgent -= urgent;
    end->next = NULL;
    assert(queue_is_sound(queue));
    return group;
}

void operation_queue_put_back(struct operation_queue *queue, struct operation *front)
{
    struct operation *end = front;
    for (;; end = end->next) {
        end->urgent = false;
        queue->bytes += end->bytes;
        if (end->next == NULL)
            break;
    }
    end->next = queue->first;
    if (queue->first == NULL)
        queue->last = end;
    queue->first = front;
    assert(queue_is_sound(queue));
}
