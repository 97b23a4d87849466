/* SPDX-License-Identifier: MIT */
#include "daemon/host/service.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
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
static int sd_notify(int unset, const char *message)
{
    (void)message;
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

/* sd_notify opens a socket for each message. When descriptors have run out it has that of a spare one: the
 * watchdog would end a healthy daemon. */
__attribute__((format(printf, 1, 2))) static void service_notify(const char *format, ...)
{
    static int spare = -1;
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (sd_notify(0, message) == -EMFILE && spare >= 0) {
        (void)close(spare);
        spare = -1;
        (void)sd_notify(0, message);
    }
    if (spare < 0)
        spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

void service_ready(const char *status)
{
    service_notify("READY=1\nSTATUS=%s", status);
}

void service_stopping(void)
{
    service_notify("STOPPING=1\nSTATUS=stopping");
}

void service_reloading(void)
{
    service_notify("RELOADING=1\nMONOTONIC_USEC=%" PRIu64, (uint64_t)(clock_seconds() * 1e6));
}

void service_status(const char *status)
{
    service_notify("STATUS=%s", status);
}

void service_extend_timeout(double seconds)
{
    service_notify("EXTEND_TIMEOUT_USEC=%" PRIu64, (uint64_t)(seconds * 1e6));
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
    service_notify("WATCHDOG=1");
}

int service_sockets(int *first)
{
    int count = sd_listen_fds(0);
    *first = SD_LISTEN_FDS_START;
    return count > 0 ? count : 0;
}
