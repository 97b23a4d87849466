/* SPDX-License-Identifier: MIT */
#include "protocol/explored.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

static const char *const answers[] = {"no", "yes"};
static const char *const reasons[] = {STOP_WORDS};
static const char *const engines[] = {ENGINE_WORDS};
static const char *const kinds[] = {PLANES_WORDS};

/* ---- writing ---- */

void explored_write_end(const struct explore_result *result, struct text *out)
{
    assert((size_t)result->reason < sizeof reasons / sizeof *reasons);
    assert(result->complete || result->reason != STOP_NONE); /* what ended early has its reason */
    text_key(out, "complete", answers[result->complete]);
    if (!result->complete)
        text_key(out, "reason", reasons[result->reason]);
    if (*result->disk_text != '\0')
        text_key(out, "text", result->disk_text);
    text_format(out, " states=%" PRIu64 " depth=%" PRIu32, result->states, result->depth);
}

void explored_write_work(const struct explore_result *result, unsigned threads, struct text *out)
{
    text_key(out, "engine", result->engine);
    text_format(out, " threads=%u seconds=%.6f store_seconds=%.6f generated=%" PRIu64 " peak_bytes=%" PRIu64,
                threads, result->search_seconds, result->store_seconds, result->generated,
                result->peak_bytes);
    if (result->ranks > 0)
        text_format(out, " ranks=%u", result->ranks);
}

void explored_write_planes(const struct explore_result *result, struct text *out)
{
    if (result->planes == PLANES_AUTO)
        return;
    assert((unsigned)result->planes < PLANES_COUNT);
    text_key(out, "planes", kinds[result->planes]);
    if (result->planes == PLANES_DISK)
        text_format(out, " disk_bytes=%" PRIu64 " disk_written_bytes=%" PRIu64 " disk_read_bytes=%" PRIu64,
                    result->disk_bytes, result->disk_written_bytes, result->disk_read_bytes);
}

/* ---- reading ---- */

bool explored_number(const struct reply *reply, const char *key, uint64_t least, uint64_t most, uint64_t *out)
{
    assert(least <= INT64_MAX); /* as no reply has a larger number */
    int64_t number = 0;
    if (!reply_integer(reply, key, &number) || number < 0)
        return false;
    *out = (uint64_t)number;
    return *out >= least && *out <= most;
}

bool explored_optional(const struct reply *reply, const char *key, uint64_t most, uint64_t *out)
{
    *out = 0;
    return reply_get(reply, key) == NULL || explored_number(reply, key, 0, most, out);
}

bool explored_real(const struct reply *reply, const char *key, double *out)
{
    *out = 0;
    return reply_get(reply, key) == NULL || (reply_real(reply, key, out) && *out >= 0);
}

bool explored_word(const struct reply *reply, const char *key, const char *const *words, unsigned count,
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
    return reply_get(reply, key) == NULL || explored_word(reply, key, words, count, out);
}

static bool read_explored_words(const struct reply *reply, struct explore_result *result)
{
    unsigned complete = 0;
    unsigned reason = 0;
    unsigned engine = 0;
    unsigned planes = 0;
    if (!explored_word(reply, "complete", answers, 2, &complete) ||
        !optional_word(reply, "reason", reasons, sizeof reasons / sizeof *reasons, &reason) ||
        !explored_word(reply, "engine", engines, ENGINE_COUNT, &engine) ||
        !optional_word(reply, "planes", kinds, PLANES_COUNT, &planes))
        return false;
    result->complete = complete != 0;
    result->reason = (enum stop_reason)reason;
    result->outcome = result->reason == STOP_NONE ? OUTCOME_DONE : OUTCOME_STOPPED;
    result->engine = engines[engine];
    result->planes = (enum explore_planes)planes;
    return result->complete == (result->reason == STOP_NONE) && engine != ENGINE_AUTO;
}

bool explored_read(const struct reply *reply, struct explore_result *result)
{
    if (reply_is(reply, "reason", reasons[STOP_DISK]))
        (void)snprintf(result->disk_text, sizeof result->disk_text, "%.190s", reply_text(reply, "text"));
    return read_explored_words(reply, result) && explored_real(reply, "seconds", &result->search_seconds) &&
           explored_optional(reply, "generated", INT64_MAX, &result->generated) &&
           explored_optional(reply, "peak_bytes", INT64_MAX, &result->peak_bytes) &&
           explored_optional(reply, "disk_bytes", INT64_MAX, &result->disk_bytes) &&
           explored_optional(reply, "disk_written_bytes", INT64_MAX, &result->disk_written_bytes) &&
           explored_optional(reply, "disk_read_bytes", INT64_MAX, &result->disk_read_bytes);
}
