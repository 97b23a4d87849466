/* SPDX-License-Identifier: MIT */
#include "base/team.h"

#include "base/status.h"

#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

struct member {
    struct team *team;
    unsigned number;
    pthread_t thread;
};

struct team {
    unsigned size;
    pthread_barrier_t barrier; /* between members, inside team_run */
    pthread_mutex_t lock;      /* guards the fields below */
    pthread_cond_t work;       /* round was raised, or ending was set */
    pthread_cond_t idle;       /* busy fell to 0 */
    uint64_t round;            /* number of team_run calls so far */
    unsigned busy;             /* members, without the owner, still in this round */
    bool ending;
    team_function *function;
    void *context;
    struct member members[TEAM_MAX];
};

void team_lower_priority(void)
{
    /* On Linux a thread has a nice value of its own; gettid() names it. Failing does no harm. */
    (void)setpriority(PRIO_PROCESS, (id_t)gettid(), 10);
    struct sched_param parameter = {.sched_priority = 0};
    (void)pthread_setschedparam(pthread_self(), SCHED_BATCH, &parameter);
}

static void *member_main(void *argument)
{
    struct member *member = argument;
    struct team *team = member->team;
    uint64_t seen = 0;
    team_lower_priority();
    for (;;) {
        (void)pthread_mutex_lock(&team->lock);
        while (team->round == seen && !team->ending)
            (void)pthread_cond_wait(&team->work, &team->lock);
        bool ending = team->ending;
        seen = team->round;
        (void)pthread_mutex_unlock(&team->lock);
        if (ending)
            return NULL;
        team->function(team->context, member->number);
        (void)pthread_mutex_lock(&team->lock);
        if (--team->busy == 0)
            (void)pthread_cond_signal(&team->idle);
        (void)pthread_mutex_unlock(&team->lock);
    }
}

static void team_end(struct team *team, unsigned started)
{
    (void)pthread_mutex_lock(&team->lock);
    team->ending = true;
    (void)pthread_cond_broadcast(&team->work);
    (void)pthread_mutex_unlock(&team->lock);
    for (unsigned i = 1; i < started; i++)
        (void)pthread_join(team->members[i].thread, NULL);
    (void)pthread_cond_destroy(&team->idle);
    (void)pthread_cond_destroy(&team->work);
    (void)pthread_mutex_destroy(&team->lock);
    (void)pthread_barrier_destroy(&team->barrier);
    free(team);
}

enum pz_status team_new(unsigned size, struct team **out, struct pz_error *error)
{
    struct team *team = calloc(1, sizeof *team);
    if (team == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a team of %u threads", size);
    team->size = size;
    (void)pthread_barrier_init(&team->barrier, NULL, size);
    (void)pthread_mutex_init(&team->lock, NULL);
    (void)pthread_cond_init(&team->work, NULL);
    (void)pthread_cond_init(&team->idle, NULL);
    for (unsigned i = 1; i < size; i++) {
        team->members[i] = (struct member){.team = team, .number = i};
        int failure = pthread_create(&team->members[i].thread, NULL, member_main, &team->members[i]);
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
    (void)pthread_mutex_lock(&team->lock);
    team->function = function;
    team->context = context;
    team->busy = team->size - 1;
    team->round++;
    (void)pthread_cond_broadcast(&team->work);
    (void)pthread_mutex_unlock(&team->lock);
    function(context, 0);
    (void)pthread_mutex_lock(&team->lock);
    while (team->busy > 0)
        (void)pthread_cond_wait(&team->idle, &team->lock);
    (void)pthread_mutex_unlock(&team->lock);
}

bool team_barrier(struct team *team)
{
    /* The constant is negative on Linux, and exactly one member gets it. */
    int place = pthread_barrier_wait(&team->barrier);
    return place == PTHREAD_BARRIER_SERIAL_THREAD; /* NOLINT(bugprone-posix-return) */
}
