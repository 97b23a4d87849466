/* SPDX-License-Identifier: MIT */
#include "daemon/cluster/cluster.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/status.h"
#include "daemon/cluster/child.h"
#include "daemon/cluster/cluster_command.h"
#include "protocol/reply.h"
#include "version.h"

#include <stdlib.h>
#include <string.h>

enum { LOOK_MILLISECONDS = 50 };
static const double patience = 5; /* seconds for the command to end when the ranks have told all */

/* ---- what the ranks tell ---- */

struct cluster {
    const struct runner_options *options;
    struct control *control;
    const struct explore_sink *sink;
    struct explore_result *result;
    struct pz_error *error;
    struct progress progress;
    bool greeted, ended;
    double told; /* clock_seconds() of the end */
    uint32_t levels;
};

static enum pz_status garbage(const struct cluster *cluster, const char *line, size_t length)
{
    return pz_fail(cluster->error, PZ_UNSUPPORTED, "[cluster] launch: unexpected output: \"%.*s\"",
                   (int)(length < 120 ? length : 120), line);
}

static uint64_t number_of(const struct reply *reply, const char *key)
{
    int64_t number = 0;
    return reply_integer(reply, key, &number) && number >= 0 ? (uint64_t)number : 0;
}

static double real_of(const struct reply *reply, const char *key)
{
    double number = 0;
    return reply_real(reply, key, &number) ? number : 0;
}

/* Returns the place of a key's value among words; otherwise if it is none of them. */
static unsigned word_of(const struct reply *reply, const char *key, const char *const *words, unsigned count,
                        unsigned otherwise)
{
    for (unsigned i = 0; i < count; i++)
        if (reply_is(reply, key, words[i]))
            return i;
    return otherwise;
}

#define WORD_OF(reply, key, words, otherwise)                                                                \
    word_of(reply, key, words, sizeof(words) / sizeof *(words), otherwise)

static enum pz_status take_greeting(struct cluster *cluster, const struct reply *reply)
{
    const struct explore_plan plan = {
        .table = TABLE_NONE, .engine = "", .state_bytes = task_space(cluster->options->task)->state_bytes};
    const char *version = reply_text(reply, "version");
    if (cluster->greeted)
        return pz_fail(cluster->error, PZ_UNSUPPORTED, "[cluster] launch starts more than one job");
    if (strcmp(version, PUZZLED_VERSION) != 0)
        return pz_fail(cluster->error, PZ_UNSUPPORTED, "the ranks run version %.40s, the daemon %s", version,
                       PUZZLED_VERSION);
    cluster->greeted = true;
    cluster->result->ranks = cluster->progress.ranks = (unsigned)number_of(reply, "ranks");
    cluster->result->threads = (unsigned)number_of(reply, "threads");
    cluster->result->rank_memory = number_of(reply, "memory");
    return cluster->sink->begin(cluster->sink->context, &plan, cluster->error);
}

static void take_end(struct cluster *cluster, const struct reply *reply)
{
    static const char *const reasons[] = {STOP_WORDS};
    static const char *const engines[] = {ENGINE_WORDS};
    static const char *const planes[] = {PLANES_WORDS};
    struct explore_result *result = cluster->result;
    cluster->ended = true;
    cluster->told = clock_seconds();
    result->complete = reply_is(reply, "complete", "yes");
    result->reason = (enum stop_reason)WORD_OF(reply, "reason", reasons, STOP_NONE);
    result->outcome = result->reason == STOP_NONE ? OUTCOME_DONE : OUTCOME_STOPPED;
    result->engine = engines[WORD_OF(reply, "engine", engines, ENGINE_AUTO)];
    result->planes = (enum explore_planes)WORD_OF(reply, "planes", planes, PLANES_AUTO);
    result->search_seconds = real_of(reply, "seconds");
    result->generated = number_of(reply, "generated");
    result->peak_bytes = number_of(reply, "peak_bytes");
    result->disk_bytes = number_of(reply, "disk_bytes");
    result->disk_written_bytes = number_of(reply, "disk_written_bytes");
    result->disk_read_bytes = number_of(reply, "disk_read_bytes");
    if (result->reason == STOP_DISK)
        (void)snprintf(result->disk_text, sizeof result->disk_text, "%.190s", reply_text(reply, "text"));
}

static void take_progress(struct cluster *cluster, const struct reply *reply)
{
    static const char *const phases[] = {"search", "examples", "edges", "load", "save", "wait"};
    struct progress *progress = &cluster->progress;
    progress->phase = phases[WORD_OF(reply, "phase", phases, 0)];
    progress->level = (uint32_t)number_of(reply, "level");
    progress->frontier = number_of(reply, "frontier");
    progress->states = number_of(reply, "states");
    progress->rate = real_of(reply, "rate");
    progress->bytes = number_of(reply, "bytes");
    progress->done = real_of(reply, "done");
    progress->seconds = real_of(reply, "seconds");
    progress->slowest = (unsigned)number_of(reply, "slowest");
    if (reply_is(reply, "phase", "wait"))
        log_event(LOG_LEVEL_INFO, cluster->options->job, "event=ranks-wait reason=\"%.250s\"",
                  reply_text(reply, "text"));
    if (cluster->control->report != NULL)
        cluster->control->report(cluster->control->context, progress);
}

/* Reads states of so many words in hexadecimal, with commas between. Returns how many; 0 for bad ones. */
static unsigned read_states(const char *text, unsigned words, uint64_t *out)
{
    size_t read = 0;
    for (; *text != '\0' && read < (size_t)EXPLORE_DEEPEST_MAX * words; read++) {
        char digits[17];
        char *end = NULL;
        (void)snprintf(digits, sizeof digits, "%.16s", text);
        out[read] = strtoull(digits, &end, 16);
        if (end != digits + 16)
            return 0;
        text += 16;
        if ((read + 1) % words == 0 && *text == ',')
            text++;
    }
    return *text == '\0' && read % words == 0 ? (unsigned)(read / words) : 0;
}

static enum pz_status take_examples(const struct cluster *cluster, uint32_t level, const char *example,
                                    const char *line, size_t length)
{
    unsigned words = task_space(cluster->options->task)->state_bytes / 8;
    uint64_t *states = malloc((size_t)EXPLORE_DEEPEST_MAX * words * sizeof *states);
    if (states == NULL)
        return pz_fail(cluster->error, PZ_MEMORY, "no memory for examples");
    unsigned count = read_states(example, words, states);
    enum pz_status status =
        count > 0 && level + 1 == cluster->levels
            ? cluster->sink->examples(cluster->sink->context, level, states, count, cluster->error)
            : garbage(cluster, line, length);
    free(states);
    return status;
}

static enum pz_status take_record(struct cluster *cluster, const struct reply *reply, const char *line,
                                  size_t length)
{
    const char *example = reply_get(reply, "example");
    uint32_t level = (uint32_t)number_of(reply, "level");
    uint64_t states = number_of(reply, "states");
    if (example != NULL)
        return take_examples(cluster, level, example, line, length);
    if (states == 0 || level != cluster->levels)
        return garbage(cluster, line, length);
    cluster->levels++;
    cluster->result->depth = level;
    cluster->result->states += states;
    return cluster->sink->level(cluster->sink->context, level, states, cluster->error);
}

static enum pz_status refusal(const struct cluster *cluster, const struct reply *reply)
{
    for (enum pz_status status = PZ_BAD_REQUEST; status < PZ_STATUS_COUNT; status++)
        if (strcmp(status_word(status), reply->code) == 0)
            return pz_fail(cluster->error, status, "%s", reply->text);
    return pz_fail(cluster->error, PZ_INTERNAL, "%s", reply->text);
}

static enum pz_status take_reply(struct cluster *cluster, const struct reply *reply, const char *line,
                                 size_t length)
{
    if (reply->kind == REPLY_ERR)
        return refusal(cluster, reply);
    if (reply->kind == REPLY_OK && reply_get(reply, "version") != NULL)
        return take_greeting(cluster, reply);
    if (!cluster->greeted || cluster->ended)
        return garbage(cluster, line, length);
    if (reply->kind == REPLY_RECORD)
        return take_record(cluster, reply, line, length);
    if (reply->kind == REPLY_EVENT)
        take_progress(cluster, reply);
    else if (reply->kind == REPLY_OK && number_of(reply, "states") == cluster->result->states)
        take_end(cluster, reply);
    else
        return garbage(cluster, line, length);
    return PZ_OK;
}

static enum pz_status take_line(struct cluster *cluster, const char *line, size_t length)
{
    struct reply reply;
    if (!reply_parse(&reply, line, length, NULL))
        return garbage(cluster, line, length);
    enum pz_status status = take_reply(cluster, &reply, line, length);
    reply_clear(&reply);
    return status;
}

/* ---- the exploration ---- */

/* The command says no more. */
static enum pz_status finish(const struct cluster *cluster, struct child *child)
{
    char words[CHILD_WORDS_MAX];
    (void)child_end(child, words);
    if (cluster->ended)
        return PZ_OK;
    return pz_fail(cluster->error, PZ_INTERNAL, "[cluster] launch: the command %s", words);
}

/* Returns true at the end of the job's time; when the ranks have told all, at that of the command's. */
static bool is_late(const struct cluster *cluster)
{
    const double deadline = cluster->ended ? cluster->told + patience : cluster->control->deadline;
    return deadline > 0 && clock_seconds() >= deadline;
}

/* The levels that are known are the result. */
static enum pz_status end_at_deadline(struct cluster *cluster)
{
    if (cluster->levels == 0)
        return pz_fail(cluster->error, PZ_LIMIT, "[cluster] launch: time= was over before the ranks began");
    cluster->result->outcome = OUTCOME_STOPPED;
    cluster->result->reason = STOP_TIME;
    cluster->result->search_seconds = cluster->progress.seconds;
    cluster->ended = true;
    return PZ_OK;
}

/* Listens until the ranks have told all, or until the job must end. */
static enum pz_status listen_to(struct cluster *cluster, struct child *child)
{
    enum pz_status status = PZ_OK;
    while (status == PZ_OK) {
        const char *line = NULL;
        size_t length = 0;
        enum child_event event = child_read(child, LOOK_MILLISECONDS, &line, &length);
        if (event == CHILD_LINE)
            status = take_line(cluster, line, length);
        else if (event == CHILD_TOO_LONG)
            status = garbage(cluster, "", 0);
        else if (event == CHILD_END)
            return finish(cluster, child);
        if (status == PZ_OK && control_stopped(cluster->control))
            status = pz_fail(cluster->error, PZ_CANCELLED, "cancelled");
        if (status == PZ_OK && is_late(cluster))
            return cluster->ended ? PZ_OK : end_at_deadline(cluster);
    }
    return status;
}

/* Returns PZ_INTERNAL, with nothing told to the sink, if the command ends before the ranks run. */
static enum pz_status run_command(struct cluster *cluster, const struct cluster_command *line)
{
    struct child *child = NULL;
    enum pz_status status = child_start(line->words, &child, cluster->error);
    if (status == PZ_OK)
        status = listen_to(cluster, child);
    child_free(child);
    return status;
}

enum pz_status cluster_explore(const struct runner_options *options, struct control *control,
                               const struct explore_sink *sink, struct explore_result *result,
                               struct pz_error *error)
{
    struct cluster cluster = {
        .options = options, .control = control, .sink = sink, .result = result, .error = error};
    const struct task *task = options->task;
    struct cluster_command *line = calloc(1, sizeof *line);
    *result = (struct explore_result){.engine = "", .planes = PLANES_AUTO};
    if (line == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a command");
    enum pz_status status = cluster_command_check(options->launch, error);
    if (status == PZ_OK)
        status = cluster_command_make(options->launch, task, cluster_number(task->question), line, error);
    if (status == PZ_OK)
        status = run_command(&cluster, line);
    /* Launchers fail now and then, for example while another one of Open MPI's removes their common folder.
     */
    if (status == PZ_INTERNAL && !cluster.greeted) {
        log_event(LOG_LEVEL_WARNING, options->job, "event=ranks-again reason=\"%.250s\"", error->text);
        status = run_command(&cluster, line);
    }
    cluster_command_clear(line);
    free(line);
    return status;
}
