/* SPDX-License-Identifier: MIT */
#include "daemon/pool/thread_pool.h"

#include "base/priority.h"

#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct thread_pool_thread {
    struct thread_pool *pool;
    void *worker; /* what worker_new made */
    pthread_t thread;
};

struct thread_pool {
    struct thread_pool_options options;
    pthread_mutex_t lock; /* guards the fields up to ending */
    pthread_cond_t work;
    struct fair_queue queue;
    size_t backlog;
    unsigned busy; /* threads at work */
    bool ending;
    unsigned started;
    struct thread_pool_thread threads[];
};

static struct work_item *item_of_entry(struct fair_entry *entry)
{
    return (struct work_item *)(void *)((char *)entry - offsetof(struct work_item, entry));
}

/* Returns the next item; NULL if the pool ends and none is left. */
static struct work_item *thread_pool_take(struct thread_pool *pool)
{
    (void)pthread_mutex_lock(&pool->lock);
    while (pool->backlog == 0 && !pool->ending)
        (void)pthread_cond_wait(&pool->work, &pool->lock);
    struct fair_entry *entry = fair_queue_pop(&pool->queue);
    assert((entry == NULL) == (pool->backlog == 0));
    if (entry != NULL) {
        pool->backlog--;
        pool->busy++;
    }
    (void)pthread_mutex_unlock(&pool->lock);
    return entry != NULL ? item_of_entry(entry) : NULL;
}

/* Call it with the lock held. */
static void append_work(struct thread_pool *pool, struct work_item *item)
{
    fair_queue_push(&pool->queue, &item->entry);
    pool->backlog++;
    (void)pthread_cond_signal(&pool->work);
}

/* Queues the item again after a turn of work, or delivers it to the loop. */
static void thread_pool_put(struct thread_pool *pool, struct work_item *item)
{
    bool again = item->again;
    (void)pthread_mutex_lock(&pool->lock);
    assert(pool->busy > 0);
    pool->busy--;
    if (again)
        append_work(pool, item);
    (void)pthread_mutex_unlock(&pool->lock);
    if (!again)
        loop_queue_post(pool->options.loop_queue, &item->message);
}

static void *thread_pool_main(void *argument)
{
    struct thread_pool_thread *self = argument;
    if (self->pool->options.background)
        priority_lower();
    else
        priority_prompt();
    for (struct work_item *item; (item = thread_pool_take(self->pool)) != NULL;) {
        item->again = false;
        item->work(item, self->worker);
        thread_pool_put(self->pool, item);
    }
    return NULL;
}

static enum pz_status thread_pool_start(struct thread_pool *pool, struct thread_pool_thread *thread,
                                        struct pz_error *error)
{
    thread->pool = pool;
    if (pool->options.worker_new != NULL) {
        thread->worker = pool->options.worker_new(pool->options.context, error);
        if (thread->worker == NULL)
            return error->code;
    }
    int failure = pthread_create(&thread->thread, NULL, thread_pool_main, thread);
    if (failure != 0) {
        if (pool->options.worker_free != NULL)
            pool->options.worker_free(thread->worker);
        return pz_fail(error, PZ_MEMORY, "cannot start a thread: %s", strerrordesc_np(failure));
    }
    (void)pthread_setname_np(thread->thread, pool->options.name);
    pool->started++;
    return PZ_OK;
}

enum pz_status thread_pool_new(const struct thread_pool_options *options, struct thread_pool **out,
                               struct pz_error *error)
{
    struct thread_pool *pool = calloc(1, sizeof *pool + options->size * sizeof pool->threads[0]);
    if (pool == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for the %s threads", options->name);
    pool->options = *options;
    (void)pthread_mutex_init(&pool->lock, NULL);
    (void)pthread_cond_init(&pool->work, NULL);
    for (unsigned i = 0; i < options->size; i++) {
        enum pz_status status = thread_pool_start(pool, &pool->threads[i], error);
        if (status != PZ_OK) {
            thread_pool_free(pool);
            return status;
        }
    }
    *out = pool;
    return PZ_OK;
}

void thread_pool_free(struct thread_pool *pool)
{
    if (pool == NULL)
        return;
    (void)pthread_mutex_lock(&pool->lock);
    pool->ending = true;
    (void)pthread_cond_broadcast(&pool->work);
    (void)pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->started; i++) {
        (void)pthread_join(pool->threads[i].thread, NULL);
        if (pool->options.worker_free != NULL)
            pool->options.worker_free(pool->threads[i].worker);
    }
    assert(pool->backlog == 0 && pool->busy == 0);
    (void)pthread_cond_destroy(&pool->work);
    (void)pthread_mutex_destroy(&pool->lock);
    free(pool);
}

void thread_pool_submit(struct thread_pool *pool, struct work_item *item, const void *owner)
{
    assert(item->work != NULL && item->message.deliver != NULL);
    item->entry.owner = owner;
    (void)pthread_mutex_lock(&pool->lock);
    append_work(pool, item);
    (void)pthread_mutex_unlock(&pool->lock);
}

bool thread_pool_is_idle(struct thread_pool *pool)
{
    (void)pthread_mutex_lock(&pool->lock);
    bool idle = pool->backlog == 0 && pool->busy == 0;
    (void)pthread_mutex_unlock(&pool->lock);
    return idle;
}

size_t thread_pool_backlog(struct thread_pool *pool)
{
    (void)pthread_mutex_lock(&pool->lock);
    size_t backlog = pool->backlog;
    (void)pthread_mutex_unlock(&pool->lock);
    return backlog;
}

bool thread_pool_others_wait(struct thread_pool *pool, const void *owner)
{
    (void)pthread_mutex_lock(&pool->lock);
    const struct fair_entry *entry = pool->queue.first;
    while (entry != NULL && entry->owner == owner)
        entry = entry->next;
    (void)pthread_mutex_unlock(&pool->lock);
    return entry != NULL;
}
