/* SPDX-License-Identifier: MIT */
#include "base/log.h"

#include <assert.h>
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

void log_event(enum log_level level, unsigned long job, const char *format, ...)
{
    if (installed_writer == NULL || (int)level > atomic_load_explicit(&current_level, memory_order_relaxed))
        return;
    char line[2048]; /* of two quotes, and more */
    va_list arguments;
    va_start(arguments, format);
    /* The analyzer loses sight of va_start when it checks several files in one run. */
    (void)vsnprintf(line, sizeof line, format, arguments); /* NOLINT(clang-analyzer-valist.Uninitialized) */
    va_end(arguments);
    installed_writer(level, job, line);
}

/* Returns the bytes of the control character that begins here, 0 for another one: U+0000 … U+001F, U+007F …
 * U+009F. */
static size_t control_bytes(const unsigned char *at)
{
    if (*at < 0x20 || *at == 0x7F)
        return 1;
    return *at == 0xC2 && at[1] >= 0x80 && at[1] < 0xA0 ? 2 : 0;
}

const char *log_quote(struct log_quote *quote, const char *text)
{
    const size_t room = sizeof quote->text - sizeof "\\x00\\x00";
    size_t length = 0;
    size_t controls = 0; /* bytes of a control character that are left */
    for (const char *at = text != NULL ? text : ""; *at != '\0' && length < room; at++) {
        if (controls == 0)
            controls = control_bytes((const unsigned char *)at);
        if (controls > 0) {
            controls--;
            length += (size_t)snprintf(quote->text + length, sizeof "\\x00", "\\x%02x",
                                       (unsigned)(unsigned char)*at);
            continue;
        }
        if (*at == '"' || *at == '\\')
            quote->text[length++] = '\\';
        quote->text[length++] = *at;
    }
    assert(length < sizeof quote->text);
    quote->text[length] = '\0';
    return quote->text;
}

void log_event_text(enum log_level level, unsigned long job, const char *head, const char *text)
{
    struct log_quote quote;
    log_event(level, job, "%s=\"%s\"", head, log_quote(&quote, text));
}
