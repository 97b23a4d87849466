/* SPDX-License-Identifier: MIT */
/* An exploration's result as fields of RESULT, written by the daemon and by ranks, and read by the daemon
 * from ranks. What a job adds to it (from=, root=, keep=, …) stands between these three parts. */
#ifndef PROTOCOL_EXPLORED_H
#define PROTOCOL_EXPLORED_H

#include "explore/explore.h"
#include "protocol/reply.h"
#include "protocol/text/text.h"

/* " complete=… reason=… text=… states=… depth=…" */
void explored_write_end(const struct explore_result *result, struct text *out);
/* " engine=… threads=… seconds=… … ranks=…" */
void explored_write_work(const struct explore_result *result, unsigned threads, struct text *out);
/* " planes=… disk_bytes=…", where the dense engine has made it */
void explored_write_planes(const struct explore_result *result, struct text *out);

/* Reads all three from other processes, but for states, depth, threads and ranks. Returns false if a word is
 * none of those that may stand there, a number is out of its bounds, or they contradict each other. disk_text
 * is as it came.
 */
bool explored_read(const struct reply *reply, struct explore_result *result);

/* Reads a number that must be there. */
bool explored_number(const struct reply *reply, const char *key, uint64_t least, uint64_t most,
                     uint64_t *out);
/* Reads a number that may be left out: it is 0 then. */
bool explored_optional(const struct reply *reply, const char *key, uint64_t most, uint64_t *out);
/* Reads seconds, a rate or a share. It is 0 where it is left out. */
bool explored_real(const struct reply *reply, const char *key, double *out);
/* Finds the place of a key's value among words. */
bool explored_word(const struct reply *reply, const char *key, const char *const *words, unsigned count,
                   unsigned *out);

#endif
