/* SPDX-License-Identifier: MIT */
#include "daemon/cluster/cluster.h"

#include "base/clock.h"
#include "base/log.h"
#include "daemon/cluster/child.h"
#include "daemon/cluster/cluster_command.h"
#include "daemon/cluster/cluster_lines.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { LOOK_MILLISECONDS = 50 };
/* seconds for the command to end after the ranks have reported everything */
static const double patience = 5;

struct cluster {
    struct cluster_lines lines;
    double ended_at; /* clock_seconds() of the end; 0 before */
    struct pz_error *error;
};

/* Handles the end of the command's output. */
static enum pz_status finish_cluster(const struct cluster *cluster, struct child *child)
{
    char words[CHILD_WORDS_MAX];
    (void)child_end(child, words);
    if (cluster->lines.ended)
        return PZ_OK;
    return pz_fail(cluster->error, PZ_INTERNAL, "[cluster] launch: the command %s", words);
}

/* Returns true when the job's time is over; after the ranks have reported everything, when the command's
 * time to end is over. */
static bool is_late(const struct cluster *cluster)
{
    const bool ended = cluster->lines.ended;
    const double deadline = ended ? cluster->ended_at + patience : cluster->lines.control->deadline;
    return deadline > 0 && clock_seconds() >= deadline;
}

/* Ends the job at its deadline: the known levels are the result. */
static enum pz_status end_at_deadline(struct cluster *cluster)
{
    struct explore_result *result = cluster->lines.result;
    assert(!cluster->lines.ended);
    if (cluster->lines.levels == 0)
        return pz_fail(cluster->error, PZ_LIMIT, "[cluster] launch: time= was over before the ranks began");
    result->outcome = OUTCOME_STOPPED;
    result->reason = STOP_TIME;
    result->search_seconds = cluster->lines.progress.seconds;
    return PZ_OK;
}

static enum pz_status cluster_take_line(struct cluster *cluster, const char *line, size_t length)
{
    enum pz_status status = cluster_lines_take(&cluster->lines, line, length, cluster->error);
    if (cluster->lines.ended && cluster->ended_at == 0)
        cluster->ended_at = clock_seconds();
    return status;
}

/* Listens until the ranks have reported everything, or until the job must end. */
static enum pz_status listen_to_ranks(struct cluster *cluster, struct child *child)
{
    enum pz_status status = PZ_OK;
    while (status == PZ_OK) {
        const char *line = NULL;
        size_t length = 0;
        enum child_event event = child_read(child, LOOK_MILLISECONDS, &line, &length);
        if (event == CHILD_LINE)
            status = cluster_take_line(cluster, line, length);
        else if (event == CHILD_TOO_LONG)
            status = pz_fail(cluster->error, PZ_UNSUPPORTED,
                             "[cluster] launch: a line is longer than %d bytes", CHILD_LINE_MAX);
        else if (event == CHILD_END)
            return finish_cluster(cluster, child);
        if (status == PZ_OK && control_stopped(cluster->lines.control))
            status = pz_fail(cluster->error, PZ_CANCELLED, "cancelled");
        if (status == PZ_OK && is_late(cluster))
            return cluster->lines.ended ? PZ_OK : end_at_deadline(cluster);
    }
    return status;
}

/* Returns PZ_INTERNAL, with nothing reported to the sink, if the command ends before the ranks run. */
static enum pz_status run_ranks(struct cluster *cluster, const struct cluster_command *line)
{
    struct child *child = NULL;
    enum pz_status status = child_start(line->words, line->definition != NULL ? line->definition->text : NULL,
                                        &child, cluster->error);
    if (status == PZ_OK)
        status = listen_to_ranks(cluster, child);
    child_free(child);
    return status;
}

enum pz_status cluster_explore(const struct runner_options *options, struct control *control,
                               const struct explore_sink *sink, struct explore_result *result,
                               struct pz_error *error)
{
    const struct task *task = options->task;
    assert(task->plan.request.cluster && options->launch != NULL);
    struct cluster cluster = {.lines = {.space = task_space(task),
                                        .depth = task->plan.request.depth,
                                        .job = options->job,
                                        .control = control,
                                        .sink = sink,
                                        .result = result},
                              .error = error};
    struct cluster_command *line = calloc(1, sizeof *line);
    *result = (struct explore_result){.engine = "", .planes = PLANES_AUTO};
    if (line == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a command");
    enum pz_status status = cluster_command_check(options->launch, error);
    if (status == PZ_OK)
        status = cluster_command_make(options->launch, task, cluster_number(task->question), line, error);
    if (status == PZ_OK)
        status = run_ranks(&cluster, line);
    /* Launchers fail now and then, for example while another one of Open MPI's removes their common folder.
     */
    if (status == PZ_INTERNAL && !cluster.lines.greeted) {
        log_event_text(LOG_LEVEL_WARNING, options->job, "event=ranks-again reason", error->text);
        status = run_ranks(&cluster, line);
    }
    cluster_command_clear(line);
    free(line);
    return status;
}
