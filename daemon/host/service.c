/* SPDX-License-Identifier: MIT */
#include "daemon/host/service.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* systemd.exec(5): JOURNAL_STREAM names the device and inode of the pipe that it made. */
bool service_reads_stderr(void)
{
    const char *stream = getenv("JOURNAL_STREAM");
    struct stat about;
    char own[64];
    if (stream == NULL || fstat(STDERR_FILENO, &about) != 0)
        return false;
    (void)snprintf(own, sizeof own, "%lu:%lu", (unsigned long)about.st_dev, (unsigned long)about.st_ino);
    return strcmp(stream, own) == 0;
}

#ifdef HAVE_SYSTEMD

#include <inttypes.h>
#include <stdint.h>
#include <systemd/sd-daemon.h>
#include <time.h>

void service_ready(const char *status)
{
    (void)sd_notifyf(0, "READY=1\nSTATUS=%s", status);
}

void service_stopping(void)
{
    (void)sd_notify(0, "STOPPING=1\nSTATUS=stopping");
}

void service_reloading(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    (void)sd_notifyf(0, "RELOADING=1\nMONOTONIC_USEC=%" PRIu64,
                     (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u);
}

void service_status(const char *status)
{
    (void)sd_notifyf(0, "STATUS=%s", status);
}

void service_extend_timeout(double seconds)
{
    (void)sd_notifyf(0, "EXTEND_TIMEOUT_USEC=%" PRIu64, (uint64_t)(seconds * 1e6));
}

double service_watchdog_interval(void)
{
    uint64_t microseconds = 0;
    if (sd_watchdog_enabled(0, &microseconds) <= 0)
        return 0;
    return (double)microseconds / 1e6 / 3;
}

void service_watchdog(void)
{
    (void)sd_notify(0, "WATCHDOG=1");
}

int service_sockets(int *first)
{
    int count = sd_listen_fds(0);
    *first = SD_LISTEN_FDS_START;
    return count > 0 ? count : 0;
}

#else

void service_ready(const char *status)
{
    (void)status;
}

void service_stopping(void)
{
}

void service_reloading(void)
{
}

void service_status(const char *status)
{
    (void)status;
}

void service_extend_timeout(double seconds)
{
    (void)seconds;
}

double service_watchdog_interval(void)
{
    return 0;
}

void service_watchdog(void)
{
}

int service_sockets(int *first)
{
    *first = -1;
    return 0;
}

#endif
