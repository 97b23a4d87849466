/* SPDX-License-Identifier: MIT */
#include "base/priority.h"

#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* struct sched_attr of sched_setattr(2) in its first version; the C library of Debian 12 has neither. */
struct attributes {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline,
        period; /* ns; runtime: of a turn, for ordinary threads too since Linux 6.12 */
};

void priority_lower(void)
{
    enum { LOW = 10 };
    id_t self = (id_t)gettid();
    if (getpriority(PRIO_PROCESS, self) < LOW)
        (void)setpriority(PRIO_PROCESS, self, LOW);
    struct sched_param parameter = {.sched_priority = 0};
    (void)pthread_setschedparam(pthread_self(), SCHED_BATCH, &parameter); /* also resets the turn's length */
}

void priority_prompt(void)
{
    enum { SHORTEST_TURN = 100000 };
    struct attributes attributes = {0};
    if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0)
        return;
    attributes.runtime = SHORTEST_TURN;
    (void)syscall(SYS_sched_setattr, 0, &attributes, 0);
}
