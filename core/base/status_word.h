/* SPDX-License-Identifier: MIT */
/* Status codes as words, as the protocol and the logs print them. */
#ifndef BASE_STATUS_WORD_H
#define BASE_STATUS_WORD_H

#include "puzzled/status.h"

/* Returns "ok", "bad-request", "no-such-job", …; the words are stable and listed in docs/protocol.md. */
const char *status_word(enum pz_status status);

/* Returns true if the same request may succeed later without being changed. */
bool status_is_retryable(enum pz_status status);

/* Translates an errno value; the only place that does. what: the thing that failed ("mmap of 3.0G"). */
enum pz_status status_from_errno(struct pz_error *error, int number, const char *what);

#endif
