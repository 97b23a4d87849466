/* SPDX-License-Identifier: MIT */
/*
 * Status codes and error texts, shared by every part of puzzled and by plugins.
 *
 * A function that can fail returns an enum pz_status and, where there is something to say, fills a
 * struct pz_error with one line for a person: what was wrong, where, and what would be right.
 * Everything here is header-only, so that a plugin links against nothing.
 */
#ifndef PUZZLED_STATUS_H
#define PUZZLED_STATUS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

/* The words for these, as the protocol prints them, come from status_word() in base/status_word.h. */
enum pz_status {
    PZ_OK = 0,
    PZ_BAD_REQUEST, /* the request line itself: verb, key, value */
    PZ_BAD_PUZZLE,  /* no such puzzle, or a malformed size */
    PZ_BAD_BOARD,   /* a state that cannot be */
    PZ_TOO_LARGE,   /* more than the packing or the budget can hold, known before the start */
    PZ_UNSUPPORTED, /* sound, but this puzzle or build does not offer it */
    PZ_NO_SUCH_JOB,
    PZ_NO_TABLE,     /* nothing stored covers the question */
    PZ_NOT_FINISHED, /* the job still runs */
    PZ_BUSY,         /* come again: queue full, or the thing is in use */
    PZ_LIMIT,        /* a configured limit of the daemon */
    PZ_MEMORY,       /* the system refused memory, or the budget is spent */
    PZ_STORAGE,      /* the database: damaged, unreadable, refused by the system */
    PZ_STORAGE_FULL, /* the database or its disk has no room */
    PZ_CANCELLED,
    PZ_SHUTTING_DOWN,
    PZ_INTERNAL, /* a fault of puzzled's own */
    PZ_DENIED,   /* another user's job */
    PZ_STATUS_COUNT
};

struct pz_error {
    enum pz_status code;
    char text[480];
};

/* Fills *error (NULL is fine) and returns code, so that `return pz_fail(error, …)` reads well. */
__attribute__((format(printf, 3, 4))) static inline enum pz_status
pz_fail(struct pz_error *error, enum pz_status code, const char *format, ...)
{
    if (error != NULL) {
        va_list arguments;
        va_start(arguments, format);
        error->code = code;
        (void)vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return code;
}

#endif
