/* SPDX-License-Identifier: MIT */
#include "solve/pdb/build_turn.h"

#include "explore/run/monitor.h"

#include <pthread.h>
#include <time.h>

static struct {
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool taken;
} build_turn = {.lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};

enum pz_status build_turn_take(struct control *control, struct pz_error *error)
{
    enum { WAIT_NS = 20000000 };
    struct monitor monitor;
    enum pz_status status = PZ_OK;
    monitor_init(&monitor, control, NULL, "wait");
    (void)pthread_mutex_lock(&build_turn.lock);
    while (build_turn.taken && status == PZ_OK) {
        struct timespec until;
        (void)clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += WAIT_NS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        (void)pthread_cond_clockwait(&build_turn.ended, &build_turn.lock, CLOCK_MONOTONIC, &until);
        (void)pthread_mutex_unlock(&build_turn.lock);
        status = monitor_poll(&monitor);
        (void)pthread_mutex_lock(&build_turn.lock);
    }
    if (status == PZ_OK)
        build_turn.taken = true;
    (void)pthread_mutex_unlock(&build_turn.lock);
    return status == PZ_OK ? PZ_OK : pz_fail(error, status, "waiting for another build was stopped");
}

void build_turn_give(void)
{
    (void)pthread_mutex_lock(&build_turn.lock);
    build_turn.taken = false;
    (void)pthread_cond_broadcast(&build_turn.ended);
    (void)pthread_mutex_unlock(&build_turn.lock);
}
