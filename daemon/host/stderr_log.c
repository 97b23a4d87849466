/* SPDX-License-Identifier: MIT */
#include "daemon/host/stderr_log.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool with_priorities = true; /* set before other threads start */

/* Writes a line with one call, so that lines of several threads never mix. */
static void write_line(enum log_level level, unsigned long job, const char *line)
{
    char whole[1280];
    int length = 0;
    size_t room = sizeof whole - 1;
    if (with_priorities)
        length = snprintf(whole, room, "<%d>", (int)level);
    length += snprintf(whole + length, room - (size_t)length, "%.1200s", line);
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
    log_set_writer(write_line);
}
