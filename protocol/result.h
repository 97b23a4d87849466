/* SPDX-License-Identifier: MIT */
/* Results of jobs as fields of RESULT: the facts, which the daemon reads itself, and what only clients read
 * of an exploration. Written by the daemon and by ranks, and read by the daemon from ranks. */
#ifndef PROTOCOL_RESULT_H
#define PROTOCOL_RESULT_H

#include "explore/explore.h"
#include "protocol/reply.h"
#include "protocol/text/text.h"
#include "store/job_facts.h"

/* " solvable=… moves=…" of a search for a solution, " complete=… … states=… depth=…" of an exploration. */
void result_write_end(enum job_kind kind, enum job_state state, const struct job_facts *facts,
                      struct text *out);
/* " method=… seconds=…" */
void result_write_effort(enum job_state state, const struct job_facts *facts, struct text *out);
/* " planes=… ranks=… memory_limit=… time_limit=… table=evicted", where there is such a thing. */
void result_write_limits(const struct job_facts *facts, struct text *out);
/* " text=… engine=… threads=… disk_bytes=…" and more: what the facts do not have. */
void result_write_work(const struct explore_result *result, unsigned threads, struct text *out);

/* Reads an exploration's result from other processes, but for states, depth, threads and ranks. Returns false
 * if a word is none of those that may stand there, a number is out of its bounds, or they contradict each
 * other. disk_text is as it came.
 */
bool result_read(const struct reply *reply, struct explore_result *result);

/* Reads a number that must be there. */
bool result_number(const struct reply *reply, const char *key, uint64_t least, uint64_t most, uint64_t *out);
/* Reads a number that may be left out: it is 0 then. */
bool result_optional(const struct reply *reply, const char *key, uint64_t most, uint64_t *out);
/* Reads seconds, a rate or a share. It is 0 where it is left out. */
bool result_real(const struct reply *reply, const char *key, double *out);
/* Finds the place of a key's value among words. */
bool result_word(const struct reply *reply, const char *key, const char *const *words, unsigned count,
                 unsigned *out);

#endif
