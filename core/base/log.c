/* SPDX-License-Identifier: MIT */
#include "base/log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

static log_writer *installed_writer;
/* Written by whoever changes the level, read by every thread that logs. */
static _Atomic int current_level = LOG_LEVEL_INFO;

void log_set_writer(log_writer *writer)
{
    installed_writer = writer;
}

void log_set_level(enum log_level level)
{
    atomic_store_explicit(&current_level, (int)level, memory_order_relaxed);
}

enum log_level log_level_now(void)
{
    return (enum log_level)atomic_load_explicit(&current_level, memory_order_relaxed);
}

void log_event(enum log_level level, unsigned long job, const char *format, ...)
{
    if (installed_writer == NULL || level > log_level_now())
        return;
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    /* The analyzer loses sight of va_start when it checks several files in one run. */
    (void)vsnprintf(line, sizeof line, format, arguments); /* NOLINT(clang-analyzer-valist.Uninitialized) */
    va_end(arguments);
    installed_writer(level, job, line);
}

void log_event_text(enum log_level level, unsigned long job, const char *head, const char *text)
{
    char escaped[512];
    size_t length = 0;
    for (; *text != '\0' && length + 2 < sizeof escaped; text++) {
        if (*text == '"' || *text == '\\')
            escaped[length++] = '\\';
        escaped[length++] = *text;
    }
    escaped[length] = '\0';
    log_event(level, job, "%s=\"%s\"", head, escaped);
}
