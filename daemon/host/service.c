/* SPDX-License-Identifier: MIT */
#include "daemon/host/service.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stdint.h>
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

#include <systemd/sd-daemon.h>

#else

enum { SD_LISTEN_FDS_START = 3 };

/* Without a service manager nothing is told. */
static int sd_notifyf(int unset, const char *format, ...)
{
    (void)format;
    return unset;
}

static int sd_watchdog_enabled(int unset, uint64_t *microseconds)
{
    (void)microseconds;
    return unset;
}

static int sd_listen_fds(int unset)
{
    return unset;
}

#endif

void service_ready(const char *status)
{
    (void)sd_notifyf(0, "READY=1\nSTATUS=%s", status);
}

void service_stopping(void)
{
    (void)sd_notifyf(0, "STOPPING=1\nSTATUS=stopping");
}

void service_reloading(void)
{
    (void)sd_notifyf(0, "RELOADING=1\nMONOTONIC_USEC=%" PRIu64, (uint64_t)(clock_seconds() * 1e6));
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
    (void)sd_notifyf(0, "WATCHDOG=1");
}

int service_sockets(int *first)
{
    int count = sd_listen_fds(0);
    *first = SD_LISTEN_FDS_START;
    return count > 0 ? count : 0;
}
