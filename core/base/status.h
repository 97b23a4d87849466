/* SPDX-License-Identifier: MIT */
/* The words of the status codes, as the protocol and the logs print them. */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

#include "puzzled/status.h"

/* "ok", "bad-request", "no-such-job", …; stable, listed in docs/protocol.md. */
const char *status_word(enum pz_status status);

/* Whether the same request may succeed later without being changed. */
bool status_is_retryable(enum pz_status status);

/* The one translation of errno values; what names the thing that failed ("mmap of 3.0G"). */
enum pz_status status_from_errno(struct pz_error *error, int number, const char *what);

#endif
