/* SPDX-License-Identifier: MIT */
/* The clocks, the waiting for descriptors and who a client is, as the daemon and its libraries ask the C
 * library. */
#include "machine.h"

#include "base/priority.h"
#include "threads.h"
#include "world.h"

#include <sched.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_NS = 100, DESCRIPTORS_MAX = 1024, CONNECTING_MAX = 256 };

/* Each look at a clock takes a moment, so that a loop that waits for a time ends. */
static uint64_t now(clockid_t clock)
{
    world->now_ns += LOOK_NS;
    const bool wall = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
    return wall ? (uint64_t)((int64_t)world->now_ns + world->wall_ns) : world->now_ns;
}

/* ---- who connects ---- */

static uid_t connecting[CONNECTING_MAX]; /* in their order; accepted in the same */
static unsigned connecting_first, connecting_end;
static uid_t users[DESCRIPTORS_MAX];

void system_will_connect(unsigned user)
{
    connecting[connecting_end++ % CONNECTING_MAX] = user;
}

/* The C library's reserved names for parameters cannot be taken over. */
/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */

int accept4(int listener, __SOCKADDR_ARG address, socklen_t *restrict length, int flags)
{
    const int file = (int)syscall(SYS_accept4, listener, address.__sockaddr__, length, flags);
    if (file >= 0 && file < DESCRIPTORS_MAX && connecting_first != connecting_end)
        users[file] = connecting[connecting_first++ % CONNECTING_MAX];
    return file;
}

int getsockopt(int file, int level, int name, void *restrict value, socklen_t *restrict length)
{
    const int code = (int)syscall(SYS_getsockopt, file, level, name, value, length);
    if (level == SOL_SOCKET && name == SO_PEERCRED && code == 0 && file < DESCRIPTORS_MAX)
        ((struct ucred *)value)->uid = users[file];
    return code;
}

uid_t geteuid(void)
{
    return SIM_ROOT;
}

/* ---- clocks ---- */

int clock_gettime(clockid_t clock, struct timespec *out)
{
    const uint64_t ns = now(clock);
    *out = (struct timespec){.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};
    return 0;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone)
{
    const uint64_t ns = now(CLOCK_REALTIME);
    (void)zone;
    *out = (struct timeval){.tv_sec = (time_t)(ns / 1000000000),
                            .tv_usec = (suseconds_t)(ns % 1000000000 / 1000)};
    return 0;
}

time_t time(time_t *out)
{
    const time_t seconds = (time_t)(now(CLOCK_REALTIME) / 1000000000);
    if (out != NULL)
        *out = seconds;
    return seconds;
}

int nanosleep(const struct timespec *length, struct timespec *rest)
{
    (void)rest;
    const uint64_t ns = (uint64_t)length->tv_sec * 1000000000 + (uint64_t)length->tv_nsec;
    (void)threads_wait(NULL, world->now_ns + ns);
    return 0;
}

int epoll_wait(int epoll, struct epoll_event *events, int most, int timeout_ms)
{
    if (threads_self() == 0)
        return (int)syscall(SYS_epoll_wait, epoll, events, most, timeout_ms);
    const uint64_t deadline = timeout_ms < 0 ? NEVER : world->now_ns + (uint64_t)timeout_ms * 1000000;
    return threads_poll(epoll, events, most, deadline);
}

/* ---- the machine ---- */

/* Two processors, whatever this machine has. */
int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set)
{
    (void)process;
    memset(set, 0, size);
    CPU_SET_S(0, size, set);
    CPU_SET_S(1, size, set);
    return 0;
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

/* All threads are one here. */
void priority_lower(void)
{
}

void priority_prompt(void)
{
}
