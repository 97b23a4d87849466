/* SPDX-License-Identifier: MIT */
#include "daemon/host/log_writers.h"

#include "base/log.h"
#include "daemon/host/service.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool with_priorities = true; /* set before other threads start */

/* Writes a line with one call, so that lines of several threads never mix. */
static void log_write_line(enum log_level level, unsigned long job, const char *line)
{
    char whole[2304];
    int length = 0;
    size_t room = sizeof whole - 1;
    if (with_priorities)
        length = snprintf(whole, room, "<%d>", (int)level);
    length += snprintf(whole + length, room - (size_t)length, "%.2200s", line);
    if (job != 0)
        length += snprintf(whole + length, room - (size_t)length, " job=%lu", job);
    for (int i = 0; i < length; i++)
        if ((unsigned char)whole[i] < 0x20)
            whole[i] = ' ';
    whole[length++] = '\n';
    (void)!write(STDERR_FILENO, whole, (size_t)length);
}

void stderr_log_install(void)
{
    with_priorities = isatty(STDERR_FILENO) == 0;
    log_set_writer(log_write_line);
}

#ifdef HAVE_SYSTEMD

/* An administrator has no use for the source line that logged a message. */
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <systemd/sd-journal.h>

static void write_entry(enum log_level level, unsigned long job, const char *line)
{
    if (job == 0)
        (void)sd_journal_send("MESSAGE=%s", line, "PRIORITY=%d", (int)level, NULL);
    else
        (void)sd_journal_send("MESSAGE=%s job=%lu", line, job, "PRIORITY=%d", (int)level, "PUZZLED_JOB=%lu",
                              job, NULL);
}

bool journal_log_install(void)
{
    if (!service_reads_stderr())
        return false;
    log_set_writer(write_entry);
    return true;
}

#else

bool journal_log_install(void)
{
    return false;
}

#endif
