/* SPDX-License-Identifier: MIT */
#include "daemon/pool/loop_queue.h"

#include "base/status_word.h"

#include <assert.h>
#include <errno.h>
#include <event2/event.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct loop_queue {
    pthread_mutex_t lock; /* guards the two below */
    struct loop_message *first;
    struct loop_message *last;
    int wakeup; /* eventfd */
    struct event *event;
};

static struct loop_message *loop_queue_take_all(struct loop_queue *loop_queue)
{
    (void)pthread_mutex_lock(&loop_queue->lock);
    struct loop_message *first = loop_queue->first;
    loop_queue->first = NULL;
    loop_queue->last = NULL;
    (void)pthread_mutex_unlock(&loop_queue->lock);
    return first;
}

void loop_queue_deliver(struct loop_queue *loop_queue)
{
    struct loop_message *message = loop_queue_take_all(loop_queue);
    while (message != NULL) {
        struct loop_message *next = message->next;
        message->next = NULL;
        assert(message->deliver != NULL);
        message->deliver(message); /* may free it or post it again */
        message = next;
    }
}

static void loop_queue_woken(evutil_socket_t wakeup, short what, void *context)
{
    uint64_t count = 0;
    (void)what;
    (void)!read(wakeup, &count, sizeof count);
    loop_queue_deliver(context);
}

enum pz_status loop_queue_new(struct event_base *base, struct loop_queue **out, struct pz_error *error)
{
    struct loop_queue *loop_queue = calloc(1, sizeof *loop_queue);
    if (loop_queue == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for the loop_queue");
    (void)pthread_mutex_init(&loop_queue->lock, NULL);
    loop_queue->wakeup = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (loop_queue->wakeup < 0) {
        enum pz_status status = status_from_errno(error, errno, "eventfd");
        loop_queue_free(loop_queue);
        return status;
    }
    loop_queue->event =
        event_new(base, loop_queue->wakeup, EV_READ | EV_PERSIST, loop_queue_woken, loop_queue);
    if (loop_queue->event == NULL || event_add(loop_queue->event, NULL) != 0) {
        loop_queue_free(loop_queue);
        return pz_fail(error, PZ_MEMORY, "no memory for the loop_queue's event");
    }
    *out = loop_queue;
    return PZ_OK;
}

void loop_queue_free(struct loop_queue *loop_queue)
{
    if (loop_queue == NULL)
        return;
    while (loop_queue->first != NULL)
        loop_queue_deliver(loop_queue);
    if (loop_queue->event != NULL)
        event_free(loop_queue->event);
    if (loop_queue->wakeup >= 0)
        (void)close(loop_queue->wakeup);
    (void)pthread_mutex_destroy(&loop_queue->lock);
    free(loop_queue);
}

void loop_queue_post(struct loop_queue *loop_queue, struct loop_message *message)
{
    message->next = NULL;
    (void)pthread_mutex_lock(&loop_queue->lock);
    bool was_empty = loop_queue->first == NULL;
    if (was_empty)
        loop_queue->first = message;
    else
        loop_queue->last->next = message;
    loop_queue->last = message;
    (void)pthread_mutex_unlock(&loop_queue->lock);
    uint64_t one = 1;
    if (was_empty)
        (void)!write(loop_queue->wakeup, &one, sizeof one);
}
