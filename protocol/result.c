/* SPDX-License-Identifier: MIT */
#include "protocol/result.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

static const char *const answers[] = {"no", "yes", "unknown"}; /* enum pz_answer, too */
static const char *const reasons[] = {STOP_WORDS};
static const char *const engines[] = {ENGINE_WORDS};
static const char *const kinds[] = {PLANES_WORDS};
static const char *const methods[] = {METHOD_WORDS};

/* ---- writing ---- */

void result_write_end(enum job_kind kind, enum job_state state, const struct job_facts *facts,
                      struct text *out)
{
    const bool whole = state == JOB_DONE || state == JOB_STOPPED;
    const bool solved = facts->method != METHOD_AUTO;
    assert((size_t)facts->reason < sizeof reasons / sizeof *reasons);
    if (solved)
        text_key(out, "solvable", answers[facts->solvable]);
    if (solved && facts->solvable != PZ_UNKNOWN)
        text_format(out, " moves=%" PRId64, facts->moves);
    if (kind != JOB_SOLVE && whole)
        text_key(out, "complete", answers[facts->reason == STOP_NONE]);
    if ((solved || whole) && facts->reason != STOP_NONE)
        text_key(out, "reason", reasons[facts->reason]);
    if (kind == JOB_EXPLORE && (whole || facts->levels > 0))
        text_format(out, " states=%" PRIu64 " depth=%" PRIu32, facts->states,
                    facts->levels > 0 ? facts->levels - 1 : 0);
}

void result_write_effort(enum job_state state, const struct job_facts *facts, struct text *out)
{
    const bool solved = facts->method != METHOD_AUTO;
    assert((unsigned)facts->method < METHOD_COUNT);
    if (solved)
        text_key(out, "method", methods[facts->method]);
    if (solved || state == JOB_DONE || state == JOB_STOPPED)
        text_format(out, " seconds=%.6f", facts->seconds);
}

void result_write_limits(const struct job_facts *facts, struct text *out)
{
    assert((unsigned)facts->planes < PLANES_COUNT);
    if (facts->planes != PLANES_AUTO)
        text_key(out, "planes", kinds[facts->planes]);
    if (facts->ranks > 0)
        text_format(out, " ranks=%u", facts->ranks);
    if (facts->memory_limit > 0)
        text_format(out, " memory_limit=%" PRIu64, facts->memory_limit);
    if (facts->time_limit > 0)
        text_format(out, " time_limit=%g", facts->time_limit);
    if (facts->evicted)
        text_key(out, "table", "evicted");
}

void result_write_work(const struct explore_result *result, unsigned threads, struct text *out)
{
    if (*result->disk_text != '\0')
        text_key(out, "text", result->disk_text);
    text_key(out, "engine", result->engine);
    text_format(out, " threads=%u store_seconds=%.6f generated=%" PRIu64 " peak_bytes=%" PRIu64, threads,
                result->store_seconds, result->generated, result->peak_bytes);
    if (result->planes == PLANES_DISK)
        text_format(out, " disk_bytes=%" PRIu64 " disk_written_bytes=%" PRIu64 " disk_read_bytes=%" PRIu64,
                    result->disk_bytes, result->disk_written_bytes, result->disk_read_bytes);
}

/* ---- reading ---- */

bool result_number(const struct reply *reply, const char *key, uint64_t least, uint64_t most, uint64_t *out)
{
    assert(least <= INT64_MAX); /* as no reply has a larger number */
    int64_t number = 0;
    if (!reply_integer(reply, key, &number) || number < 0)
        return false;
    *out = (uint64_t)number;
    return *out >= least && *out <= most;
}

bool result_optional(const struct reply *reply, const char *key, uint64_t most, uint64_t *out)
{
    *out = 0;
    return reply_get(reply, key) == NULL || result_number(reply, key, 0, most, out);
}

bool result_real(const struct reply *reply, const char *key, double *out)
{
    *out = 0;
    return reply_get(reply, key) == NULL || (reply_real(reply, key, out) && *out >= 0);
}

bool result_word(const struct reply *reply, const char *key, const char *const *words, unsigned count,
                 unsigned *out)
{
    for (*out = 0; *out < count; (*out)++)
        if (reply_is(reply, key, words[*out]))
            return true;
    return false;
}

/* A word that may be left out: it is the first then. */
static bool optional_word(const struct reply *reply, const char *key, const char *const *words,
                          unsigned count, unsigned *out)
{
    *out = 0;
    return reply_get(reply, key) == NULL || result_word(reply, key, words, count, out);
}

static bool read_explored_words(const struct reply *reply, struct explore_result *result)
{
    unsigned complete = 0;
    unsigned reason = 0;
    unsigned engine = 0;
    unsigned planes = 0;
    if (!result_word(reply, "complete", answers, 2, &complete) ||
        !optional_word(reply, "reason", reasons, sizeof reasons / sizeof *reasons, &reason) ||
        !result_word(reply, "engine", engines, ENGINE_COUNT, &engine) ||
        !optional_word(reply, "planes", kinds, PLANES_COUNT, &planes))
        return false;
    result->complete = complete != 0;
    result->reason = (enum stop_reason)reason;
    result->outcome = result->reason == STOP_NONE ? OUTCOME_DONE : OUTCOME_STOPPED;
    result->engine = engines[engine];
    result->planes = (enum explore_planes)planes;
    return result->complete == (result->reason == STOP_NONE) && engine != ENGINE_AUTO;
}

bool result_read(const struct reply *reply, struct explore_result *result)
{
    if (reply_is(reply, "reason", reasons[STOP_DISK]))
        (void)snprintf(result->disk_text, sizeof result->disk_text, "%.190s", reply_text(reply, "text"));
    return read_explored_words(reply, result) && result_real(reply, "seconds", &result->search_seconds) &&
           result_optional(reply, "generated", INT64_MAX, &result->generated) &&
           result_optional(reply, "peak_bytes", INT64_MAX, &result->peak_bytes) &&
           result_optional(reply, "disk_bytes", INT64_MAX, &result->disk_bytes) &&
           result_optional(reply, "disk_written_bytes", INT64_MAX, &result->disk_written_bytes) &&
           result_optional(reply, "disk_read_bytes", INT64_MAX, &result->disk_read_bytes);
}
