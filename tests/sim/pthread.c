/* SPDX-License-Identifier: MIT */
/*
 * The C library's threads, locks and conditions, as the daemon, LMDB and libevent call them, over threads.h.
 * A lock or a condition keeps what it needs in its own bytes, which are zero where it was initialised by a
 * macro.
 */
#include "threads.h"
#include "world.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>

/* The C library's reserved names for parameters cannot be taken over. */
/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */

struct lock {
    unsigned held; /* by the thread of this number and one; 0 by nobody */
    unsigned readers;
};

struct condition {
    clockid_t clock;
};

_Static_assert(sizeof(struct lock) <= sizeof(pthread_mutex_t), "a lock fits");
_Static_assert(sizeof(struct lock) <= sizeof(pthread_rwlock_t), "a lock fits");
_Static_assert(sizeof(struct condition) <= sizeof(pthread_cond_t), "a condition fits");

static uint64_t deadline_of(clockid_t clock, const struct timespec *until)
{
    const int64_t ns = (int64_t)until->tv_sec * 1000000000 + until->tv_nsec;
    const int64_t at = clock == CLOCK_REALTIME ? ns - world->wall_ns : ns;
    return at < 0 ? 0 : (uint64_t)at;
}

/* ---- threads ---- */

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *),
                   void *argument)
{
    (void)attributes;
    const unsigned number = threads_start(function, argument);
    *thread = number;
    threads_pause();
    return number != 0 ? 0 : EAGAIN;
}

int pthread_join(pthread_t thread, void **result)
{
    void *end = threads_join((unsigned)thread);
    if (result != NULL)
        *result = end;
    return 0;
}

int pthread_detach(pthread_t thread)
{
    (void)thread;
    return 0;
}

int pthread_setname_np(pthread_t thread, const char *name)
{
    (void)thread;
    (void)name;
    return 0;
}

int sched_yield(void)
{
    threads_pause();
    return 0;
}

/* ---- locks ---- */

static int take(struct lock *lock)
{
    threads_pause();
    while (lock->held != 0 || lock->readers > 0)
        (void)threads_wait(lock, NEVER);
    lock->held = threads_self() + 1;
    return 0;
}

static int give_back(struct lock *lock)
{
    if (lock->readers > 0) {
        lock->readers--;
    } else {
        if (lock->held != threads_self() + 1)
            world_violate("thread %u gives back a lock of thread %u", threads_self(), lock->held - 1);
        lock->held = 0;
    }
    threads_wake(lock, true);
    threads_pause();
    return 0;
}

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
    (void)attributes;
    *(struct lock *)mutex = (struct lock){0};
    return 0;
}

static int end_lock(const struct lock *lock)
{
    if (lock->held != 0 || lock->readers != 0)
        world_violate("a lock is destroyed while thread %u has it", lock->held - 1);
    return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    return end_lock((const struct lock *)mutex);
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    return take((struct lock *)mutex);
}

int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    return ((struct lock *)mutex)->held != 0 ? EBUSY : take((struct lock *)mutex);
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    return give_back((struct lock *)mutex);
}

int pthread_rwlock_init(pthread_rwlock_t *restrict lock, const pthread_rwlockattr_t *restrict attributes)
{
    (void)attributes;
    *(struct lock *)lock = (struct lock){0};
    return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *lock)
{
    return end_lock((const struct lock *)lock);
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    struct lock *own = (struct lock *)lock;
    threads_pause();
    while (own->held != 0)
        (void)threads_wait(own, NEVER);
    own->readers++;
    return 0;
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    return take((struct lock *)lock);
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
    return give_back((struct lock *)lock);
}

/* ---- conditions ---- */

int pthread_cond_init(pthread_cond_t *restrict condition, const pthread_condattr_t *restrict attributes)
{
    struct condition *own = (struct condition *)condition;
    *own = (struct condition){0};
    if (attributes != NULL)
        (void)pthread_condattr_getclock(attributes, &own->clock);
    return 0;
}

int pthread_cond_destroy(pthread_cond_t *condition)
{
    (void)condition;
    return 0;
}

static int await(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t deadline)
{
    struct lock *lock = (struct lock *)mutex;
    lock->held = 0; /* no pause between this and the waiting */
    threads_wake(lock, true);
    const bool woken = world_once_in(100) || threads_wait(condition, deadline); /* some wake for nothing */
    (void)take(lock);
    return woken ? 0 : ETIMEDOUT;
}

int pthread_cond_wait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex)
{
    return await(condition, mutex, NEVER);
}

int pthread_cond_clockwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           clockid_t clock, const struct timespec *restrict until)
{
    return await(condition, mutex, deadline_of(clock, until));
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict until)
{
    return await(condition, mutex, deadline_of(((const struct condition *)condition)->clock, until));
}

int pthread_cond_signal(pthread_cond_t *condition)
{
    threads_wake(condition, false);
    threads_pause();
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition)
{
    threads_wake(condition, true);
    threads_pause();
    return 0;
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
