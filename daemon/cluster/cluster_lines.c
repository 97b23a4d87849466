/* SPDX-License-Identifier: MIT */
#include "daemon/cluster/cluster_lines.h"

#include "base/log.h"
#include "base/status_word.h"
#include "base/team.h"
#include "protocol/result.h"
#include "protocol/text/utf8.h"
#include "space/registry.h"
#include "space/slide/slide.h"
#include "version.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS_MOST = 1 << 20, QUOTE_BYTES = 120 };

static enum pz_status unexpected(const char *line, size_t length, struct pz_error *error)
{
    char quote[QUOTE_BYTES];
    const size_t shown = length < sizeof quote ? length : sizeof quote;
    memcpy(quote, line, shown);
    utf8_scrub(quote, shown);
    return pz_fail(error, PZ_UNSUPPORTED, "[cluster] launch: unexpected output: \"%.*s\"", (int)shown, quote);
}

/* ---- values ---- */

static bool read_level(const struct reply *reply, uint32_t *out)
{
    uint64_t number = 0;
    bool read = result_optional(reply, "level", EXPLORE_NO_LIMIT - 1, &number);
    *out = (uint32_t)number;
    return read;
}

/* ---- the beginning and the end ---- */

static bool read_greeting(const struct reply *reply, struct explore_result *result)
{
    uint64_t ranks = 0;
    uint64_t threads = 0;
    bool read = result_number(reply, "ranks", 1, RANKS_MOST, &ranks) &&
                result_number(reply, "threads", 1, TEAM_MAX, &threads) &&
                result_number(reply, "memory", 1, INT64_MAX, &result->rank_memory);
    result->ranks = (unsigned)ranks;
    result->threads = (unsigned)threads;
    return read;
}

static enum pz_status check_version(const struct reply *reply, struct pz_error *error)
{
    const char *version = reply_text(reply, "version");
    if (strcmp(version, PUZZLED_VERSION) == 0)
        return PZ_OK;
    enum pz_status status = pz_fail(error, PZ_UNSUPPORTED, "the ranks run version %.40s, the daemon %s",
                                    version, PUZZLED_VERSION);
    utf8_scrub(error->text, strlen(error->text));
    return status;
}

static enum pz_status take_greeting(struct cluster_lines *lines, const struct reply *reply, const char *line,
                                    size_t length, struct pz_error *error)
{
    const struct explore_plan plan = {
        .table = TABLE_NONE, .engine = "", .state_bytes = lines->space->state_bytes};
    if (lines->greeted)
        return pz_fail(error, PZ_UNSUPPORTED, "[cluster] launch starts more than one job");
    enum pz_status status = check_version(reply, error);
    if (status != PZ_OK)
        return status;
    if (!read_greeting(reply, lines->result))
        return unexpected(line, length, error);
    lines->greeted = true;
    lines->progress.ranks = lines->result->ranks;
    return lines->sink->begin != NULL ? lines->sink->begin(lines->sink->context, &plan, error) : PZ_OK;
}

/* Returns true if the last line agrees with the levels' lines, and names the depth as reason only if that
 * depth was asked for. */
static bool has_totals(const struct cluster_lines *lines, const struct reply *reply)
{
    const struct explore_result *result = lines->result;
    uint64_t states = 0;
    uint64_t depth = 0;
    return lines->levels > 0 && result_number(reply, "states", result->states, result->states, &states) &&
           result_number(reply, "depth", result->depth, result->depth, &depth) &&
           (result->reason != STOP_DEPTH || result->depth == lines->depth);
}

static enum pz_status take_end(struct cluster_lines *lines, const struct reply *reply, const char *line,
                               size_t length, struct pz_error *error)
{
    struct explore_result *result = lines->result;
    const uint64_t all = slide_states(lines->space);
    const bool read = result_read(reply, result);
    utf8_scrub(result->disk_text, strlen(result->disk_text)); /* of a line that is refused, too */
    if (!read || !has_totals(lines, reply))
        return unexpected(line, length, error);
    if (result->complete && all > 0 && result->states != all)
        return pz_fail(error, PZ_INTERNAL,
                       "the ranks say that %" PRIu64 " states are all, and there are %" PRIu64,
                       result->states, all);
    lines->ended = true;
    return PZ_OK;
}

/* ---- progress ---- */

static bool read_progress(const struct reply *reply, struct progress *progress)
{
    static const char *const phases[] = {"search", "examples", "edges", "load", "save", "wait"};
    unsigned phase = 0;
    uint64_t slowest = 0;
    bool read = result_word(reply, "phase", phases, sizeof phases / sizeof *phases, &phase) &&
                read_level(reply, &progress->level) &&
                result_optional(reply, "frontier", INT64_MAX, &progress->frontier) &&
                result_optional(reply, "states", INT64_MAX, &progress->states) &&
                result_optional(reply, "bytes", INT64_MAX, &progress->bytes) &&
                result_real(reply, "rate", &progress->rate) && result_real(reply, "done", &progress->done) &&
                result_real(reply, "seconds", &progress->seconds) &&
                result_optional(reply, "slowest", progress->ranks - 1, &slowest);
    progress->slowest = (unsigned)slowest;
    if (read)
        progress->phase = phases[phase];
    return read;
}

static void log_waiting(const struct cluster_lines *lines, const char *reason)
{
    char text[250];
    (void)snprintf(text, sizeof text, "%s", reason);
    utf8_scrub(text, strlen(text));
    log_event_text(LOG_LEVEL_INFO, lines->job, "event=ranks-wait reason", text);
}

static enum pz_status take_progress(struct cluster_lines *lines, const struct reply *reply, const char *line,
                                    size_t length, struct pz_error *error)
{
    if (!read_progress(reply, &lines->progress))
        return unexpected(line, length, error);
    if (reply_is(reply, "phase", "wait"))
        log_waiting(lines, reply_text(reply, "text"));
    if (lines->control->report != NULL)
        lines->control->report(lines->control->context, &lines->progress);
    return PZ_OK;
}

/* ---- levels ---- */

/* Reads states of so many words in hexadecimal, with commas between. Returns how many; 0 for bad ones. */
static unsigned read_states(const char *text, unsigned words, uint64_t *out)
{
    size_t read = 0;
    for (; *text != '\0' && read < (size_t)EXPLORE_DEEPEST_MAX * words; read++) {
        char digits[17];
        (void)snprintf(digits, sizeof digits, "%.16s", text);
        if (strspn(digits, "0123456789abcdef") != 16)
            return 0;
        out[read] = strtoull(digits, NULL, 16);
        text += 16;
        if ((read + 1) % words == 0 && *text == ',' && text[1] != '\0')
            text++;
    }
    return *text == '\0' && read % words == 0 ? (unsigned)(read / words) : 0;
}

static bool all_valid(const struct pz_space *space, const uint64_t *states, unsigned count)
{
    unsigned i = 0;
    while (i < count && space_state_valid(space, states + (size_t)i * (space->state_bytes / 8)))
        i++;
    return i == count;
}

/* Examples come once, after their level, and are at most as many as it has states. */
static enum pz_status cluster_take_examples(struct cluster_lines *lines, const struct reply *reply,
                                            const char *line, size_t length, struct pz_error *error)
{
    unsigned words = lines->space->state_bytes / 8;
    assert(words > 0 && words * 8 <= PZ_STATE_MAX);
    uint64_t level = 0;
    if (lines->levels == 0 || lines->has_examples ||
        !result_number(reply, "level", lines->levels - 1, lines->levels - 1, &level))
        return unexpected(line, length, error);
    uint64_t *states = malloc((size_t)EXPLORE_DEEPEST_MAX * words * sizeof *states);
    if (states == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for examples");
    unsigned count = read_states(reply_text(reply, "example"), words, states);
    enum pz_status status = PZ_OK;
    lines->has_examples = true;
    if (count == 0 || count > lines->level_states || !all_valid(lines->space, states, count))
        status = unexpected(line, length, error);
    else if (lines->sink->examples != NULL)
        status = lines->sink->examples(lines->sink->context, (uint32_t)level, states, count, error);
    free(states);
    return status;
}

static enum pz_status take_level_line(struct cluster_lines *lines, const struct reply *reply,
                                      const char *line, size_t length, struct pz_error *error)
{
    struct explore_result *result = lines->result;
    const uint64_t all = slide_states(lines->space);
    assert(result->states <= (all > 0 ? all : INT64_MAX)); /* as each level was checked */
    const uint64_t most = (all > 0 ? all : INT64_MAX) - result->states;
    const uint64_t last = lines->depth < EXPLORE_NO_LIMIT ? lines->depth : EXPLORE_NO_LIMIT - 1;
    uint64_t level = 0;
    uint64_t states = 0;
    if (lines->levels > last || !result_number(reply, "level", lines->levels, lines->levels, &level) ||
        !result_number(reply, "states", 1, lines->levels == 0 ? 1 : most, &states))
        return unexpected(line, length, error);
    lines->levels++;
    lines->level_states = states;
    lines->has_examples = false;
    result->depth = (uint32_t)level;
    result->states += states;
    if (lines->sink->level == NULL)
        return PZ_OK;
    return lines->sink->level(lines->sink->context, result->depth, states, error);
}

/* ---- lines ---- */

static enum pz_status status_of(const char *code)
{
    for (enum pz_status status = PZ_BAD_REQUEST; status < PZ_STATUS_COUNT; status++)
        if (strcmp(status_word(status), code) == 0)
            return status;
    return PZ_INTERNAL;
}

/* Takes a refusal. A rank may say that the job was cancelled only if somebody has cancelled it. */
static enum pz_status take_error_line(const struct cluster_lines *lines, const struct reply *reply,
                                      struct pz_error *error)
{
    enum pz_status status = status_of(reply->code);
    if (status == PZ_CANCELLED && !control_stopped(lines->control))
        status = PZ_INTERNAL;
    (void)pz_fail(error, status, "%s",
                  *reply->text != '\0' ? reply->text : "the ranks failed without a word");
    utf8_scrub(error->text, strlen(error->text));
    return status;
}

static enum pz_status take_reply(struct cluster_lines *lines, const struct reply *reply, const char *line,
                                 size_t length, struct pz_error *error)
{
    if (reply->kind == REPLY_ERR)
        return take_error_line(lines, reply, error);
    if (reply->kind == REPLY_OK && reply_get(reply, "version") != NULL)
        return take_greeting(lines, reply, line, length, error);
    if (!lines->greeted || lines->ended)
        return unexpected(line, length, error);
    if (reply->kind == REPLY_RECORD && reply_get(reply, "example") != NULL)
        return cluster_take_examples(lines, reply, line, length, error);
    if (reply->kind == REPLY_RECORD)
        return take_level_line(lines, reply, line, length, error);
    if (reply->kind == REPLY_EVENT)
        return take_progress(lines, reply, line, length, error);
    if (reply->kind == REPLY_OK)
        return take_end(lines, reply, line, length, error);
    return unexpected(line, length, error);
}

enum pz_status cluster_lines_take(struct cluster_lines *lines, const char *line, size_t length,
                                  struct pz_error *error)
{
    struct reply reply;
    if (!reply_parse(&reply, line, length, NULL))
        return unexpected(line, length, error);
    enum pz_status status = take_reply(lines, &reply, line, length, error);
    reply_clear(&reply);
    return status;
}
