/* SPDX-License-Identifier: MIT */
#include "explore/disk/scratch_store.h"

#include "base/clock.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { THREADS_MAX = 16 };

struct disk_queue {
    pthread_mutex_t lock; /* guards all that follows, and the requests' pending */
    pthread_cond_t work;
    pthread_cond_t done;
    struct disk_request *first, *last; /* not yet taken up */
    uint64_t submitted;
    uint64_t running[THREADS_MAX]; /* by thread: the number at work, or UINT64_MAX */
    int failure;                   /* of a write; 0 for none */
    bool ending;
    unsigned threads;
    pthread_t thread[THREADS_MAX];
    unsigned started;
};

int disk_transfer(bool writes, int file, void *bytes, size_t length, uint64_t offset)
{
    for (size_t done = 0; done < length;) {
        uint8_t *rest = (uint8_t *)bytes + done;
        const off_t at = (off_t)(offset + done);
        const ssize_t moved =
            writes ? pwrite(file, rest, length - done, at) : pread(file, rest, length - done, at);
        if (moved == 0)
            return writes ? ENOSPC : ENODATA;
        if (moved < 0 && errno != EINTR)
            return errno;
        done += moved > 0 ? (size_t)moved : 0;
    }
    return 0;
}

/* Returns true if no earlier request is at work. Those in the queue are later. */
static bool is_oldest(const struct disk_queue *queue, uint64_t number)
{
    for (unsigned i = 0; i < queue->threads; i++)
        if (queue->running[i] < number)
            return false;
    return true;
}

/* Carries out a request. Under the lock, which is released meanwhile. */
static void serve(struct disk_queue *queue, unsigned self, struct disk_request *request)
{
    queue->running[self] = request->number;
    while (request->kind == DISK_CALL && !is_oldest(queue, request->number))
        (void)pthread_cond_wait(&queue->done, &queue->lock);
    int error = request->kind == DISK_CALL ? queue->failure : 0;
    (void)pthread_mutex_unlock(&queue->lock);
    if (error == 0)
        error = request->kind == DISK_CALL ? request->call(request->context)
                                           : disk_transfer(request->kind == DISK_WRITE, request->file,
                                                           request->bytes, request->length, request->offset);
    (void)pthread_mutex_lock(&queue->lock);
    assert(request->pending && queue->running[self] == request->number);
    if (error != 0 && request->kind == DISK_WRITE)
        queue->failure = error;
    queue->running[self] = UINT64_MAX;
    request->error = error;
    request->pending = false;
    (void)pthread_cond_broadcast(&queue->done);
}

static void *disk_main(void *context)
{
    struct disk_queue *queue = context;
    (void)pthread_setname_np(pthread_self(), "disk");
    (void)pthread_mutex_lock(&queue->lock);
    unsigned self = queue->started++;
    for (;;) {
        struct disk_request *request = queue->first;
        if (request == NULL && queue->ending)
            break;
        if (request == NULL) {
            (void)pthread_cond_wait(&queue->work, &queue->lock);
            continue;
        }
        queue->first = request->next;
        serve(queue, self, request);
    }
    (void)pthread_mutex_unlock(&queue->lock);
    return NULL;
}

enum pz_status disk_queue_new(unsigned threads, struct disk_queue **out, struct pz_error *error)
{
    struct disk_queue *queue = calloc(1, sizeof *queue);
    if (queue == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a disk queue");
    (void)pthread_mutex_init(&queue->lock, NULL);
    (void)pthread_cond_init(&queue->work, NULL);
    (void)pthread_cond_init(&queue->done, NULL);
    for (unsigned i = 0; i < THREADS_MAX; i++)
        queue->running[i] = UINT64_MAX;
    for (; queue->threads < threads && queue->threads < THREADS_MAX; queue->threads++) {
        if (pthread_create(&queue->thread[queue->threads], NULL, disk_main, queue) != 0) {
            disk_queue_free(queue);
            return pz_fail(error, PZ_MEMORY, "cannot start threads for the disk");
        }
    }
    *out = queue;
    return PZ_OK;
}

void disk_queue_free(struct disk_queue *queue)
{
    if (queue == NULL)
        return;
    (void)pthread_mutex_lock(&queue->lock);
    queue->ending = true;
    (void)pthread_cond_broadcast(&queue->work);
    (void)pthread_mutex_unlock(&queue->lock);
    for (unsigned i = 0; i < queue->threads; i++)
        (void)pthread_join(queue->thread[i], NULL);
    assert(queue->first == NULL);
    (void)pthread_cond_destroy(&queue->done);
    (void)pthread_cond_destroy(&queue->work);
    (void)pthread_mutex_destroy(&queue->lock);
    free(queue);
}

void disk_queue_submit(struct disk_queue *queue, struct disk_request *request)
{
    assert(!request->pending && (request->kind == DISK_CALL ? request->call != NULL : request->length > 0));
    (void)pthread_mutex_lock(&queue->lock);
    request->next = NULL;
    request->error = 0;
    request->pending = true;
    request->number = queue->submitted++;
    if (queue->first == NULL)
        queue->first = request;
    else
        queue->last->next = request;
    queue->last = request;
    (void)pthread_cond_signal(&queue->work);
    (void)pthread_mutex_unlock(&queue->lock);
}

int disk_queue_await(struct disk_queue *queue, struct disk_request *request, double *waited)
{
    (void)pthread_mutex_lock(&queue->lock);
    if (request->pending) {
        double began = clock_seconds();
        while (request->pending)
            (void)pthread_cond_wait(&queue->done, &queue->lock);
        if (waited != NULL)
            *waited += clock_seconds() - began;
    }
    int error = request->error;
    (void)pthread_mutex_unlock(&queue->lock);
    return error;
}
