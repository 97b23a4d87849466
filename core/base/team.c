/* SPDX-License-Identifier: MIT */
#include "base/team.h"

#include "base/clock.h"
#include "base/priority.h"
#include "base/status_word.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PATIENCE_SECONDS 50e-6

enum { LOOKS_PER_CLOCK = 8 };

/*
 * An event count (Reed and Kanodia 1979): one thread reads the count, another advances it, and the first
 * waits until the count has moved on. A patient thread polls for about 50 µs before it sleeps: that is what
 * it costs to be put to sleep and woken.
 */
struct event_count {
    _Alignas(64) _Atomic uint32_t count; /* wraps; raised by the advancing thread, read by those that wait */
    _Atomic uint32_t sleepers;           /* raised and lowered by a sleeper, read by the advancing thread */
    pthread_mutex_t lock;                /* of changed; held from raising sleepers until asleep */
    pthread_cond_t changed;              /* count was raised */
};

static void event_count_init(struct event_count *event)
{
    atomic_init(&event->count, 0);
    atomic_init(&event->sleepers, 0);
    (void)pthread_mutex_init(&event->lock, NULL);
    (void)pthread_cond_init(&event->changed, NULL);
}

/* Call it when no thread waits or advances any more. */
static void event_count_end(struct event_count *event)
{
    assert(atomic_load_explicit(&event->sleepers, memory_order_relaxed) == 0);
    (void)pthread_cond_destroy(&event->changed);
    (void)pthread_mutex_destroy(&event->lock);
}

/* Returns the count to wait from. Read it before you do what makes another thread advance it. */
static uint32_t event_count_read(struct event_count *event)
{
    return atomic_load_explicit(&event->count, memory_order_acquire);
}

/* Wakes every thread that waits from an earlier count. They see all that was written before. Sequential
 * consistency: a thread about to sleep sees the new count, or this one sees the sleeper. */
static void event_count_advance(struct event_count *event)
{
    atomic_fetch_add_explicit(&event->count, 1, memory_order_seq_cst);
    if (atomic_load_explicit(&event->sleepers, memory_order_seq_cst) == 0)
        return;
    (void)pthread_mutex_lock(&event->lock);
    (void)pthread_cond_broadcast(&event->changed);
    (void)pthread_mutex_unlock(&event->lock);
}

/* Tells the processor that this is a spinning loop. */
static inline void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static bool moves_soon(struct event_count *event, uint32_t seen)
{
    double end = clock_seconds() + PATIENCE_SECONDS;
    do {
        for (unsigned i = 0; i < LOOKS_PER_CLOCK; i++) {
            if (event_count_read(event) != seen)
                return true;
            relax();
        }
    } while (clock_seconds() < end);
    return false;
}

/* Returns as soon as the count is not `seen` any more. patient: poll before sleeping; set it only where every
 * thread has a processor of its own. */
static void event_count_await(struct event_count *event, uint32_t seen, bool patient)
{
    if (patient && moves_soon(event, seen))
        return;
    (void)pthread_mutex_lock(&event->lock);
    atomic_fetch_add_explicit(&event->sleepers, 1, memory_order_seq_cst);
    while (atomic_load_explicit(&event->count, memory_order_seq_cst) == seen)
        (void)pthread_cond_wait(&event->changed, &event->lock);
    atomic_fetch_sub_explicit(&event->sleepers, 1, memory_order_relaxed);
    (void)pthread_mutex_unlock(&event->lock);
}

struct team_worker {
    struct team *team;
    unsigned number;
    pthread_t thread;
};

struct team {
    struct event_count work;  /* a round begins, or the team ends; the owner advances it */
    struct event_count idle;  /* the round has ended; its last worker (not the owner) advances it */
    struct event_count met;   /* all have come to the barrier; the last of them advances it */
    _Atomic unsigned busy;    /* workers still at work, without the owner; set by it, lowered by them */
    _Atomic unsigned arrived; /* workers at the barrier; raised by each, reset by the last */
    unsigned size;
    bool patient; /* every worker has a processor of its own */
    /* Written by the owner before it advances work. */
    bool ending;
    team_function *function;
    void *context;
    struct team_worker workers[TEAM_MAX];
};

static void *worker_main(void *argument)
{
    struct team_worker *worker = argument;
    struct team *team = worker->team;
    priority_lower();
    for (uint32_t seen = 0;; seen++) {
        event_count_await(&team->work, seen, team->patient);
        if (team->ending)
            return NULL;
        team->function(team->context, worker->number);
        if (atomic_fetch_sub_explicit(&team->busy, 1, memory_order_acq_rel) == 1)
            event_count_advance(&team->idle);
    }
}

static void team_end(struct team *team, unsigned started)
{
    assert(atomic_load_explicit(&team->busy, memory_order_relaxed) == 0);
    team->ending = true;
    event_count_advance(&team->work);
    for (unsigned i = 1; i < started; i++)
        (void)pthread_join(team->workers[i].thread, NULL);
    event_count_end(&team->met);
    event_count_end(&team->idle);
    event_count_end(&team->work);
    free(team);
}

static bool enough_processors(unsigned size)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 && (unsigned)CPU_COUNT(&set) >= size;
}

enum pz_status team_new(unsigned size, struct team **out, struct pz_error *error)
{
    assert(size >= 1 && size <= TEAM_MAX);
    struct team *team = aligned_alloc(64, sizeof *team);
    if (team == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a team of %u threads", size);
    memset(team, 0, sizeof *team);
    team->size = size;
    team->patient = enough_processors(size);
    event_count_init(&team->work);
    event_count_init(&team->idle);
    event_count_init(&team->met);
    for (unsigned i = 1; i < size; i++) {
        team->workers[i] = (struct team_worker){.team = team, .number = i};
        int failure = pthread_create(&team->workers[i].thread, NULL, worker_main, &team->workers[i]);
        if (failure != 0) {
            team_end(team, i);
            return pz_fail(error, PZ_MEMORY, "cannot start thread %u of %u: %s", i + 1, size,
                           strerrordesc_np(failure));
        }
    }
    *out = team;
    return PZ_OK;
}

void team_free(struct team *team)
{
    if (team != NULL)
        team_end(team, team->size);
}

unsigned team_size(const struct team *team)
{
    return team->size;
}

void team_run(struct team *team, team_function *function, void *context)
{
    uint32_t seen = event_count_read(&team->idle);
    assert(atomic_load_explicit(&team->busy, memory_order_relaxed) == 0); /* rounds do not nest */
    team->function = function;
    team->context = context;
    atomic_store_explicit(&team->busy, team->size - 1, memory_order_relaxed);
    if (team->size > 1)
        event_count_advance(&team->work);
    function(context, 0);
    if (team->size > 1)
        event_count_await(&team->idle, seen, team->patient);
    assert(atomic_load_explicit(&team->arrived, memory_order_relaxed) == 0); /* all or none met */
}

bool team_barrier(struct team *team)
{
    uint32_t seen = event_count_read(&team->met);
    if (atomic_fetch_add_explicit(&team->arrived, 1, memory_order_acq_rel) + 1 < team->size) {
        event_count_await(&team->met, seen, team->patient);
        return false;
    }
    atomic_store_explicit(&team->arrived, 0, memory_order_relaxed);
    event_count_advance(&team->met);
    return true;
}
