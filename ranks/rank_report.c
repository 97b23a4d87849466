/* SPDX-License-Identifier: MIT */
#include "rank_report.h"

#include "base/clock.h"
#include "base/status_word.h"
#include "protocol/result.h"
#include "protocol/text/text.h"
#include "space/registry.h"
#include "store/maintenance/dump_record.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum pz_status report_open(struct report *report, const struct pz_space *space, const char *path,
                           struct pz_error *error)
{
    char name[PZ_SIZE_MAX + 64];
    *report = (struct report){.space = space, .out = stdout, .path = path, .began_ms = clock_wall_ms()};
    (void)space_name(space, name);
    (void)fprintf(report->out, "# %s\ndepth,count\n", name);
    if (path == NULL)
        return PZ_OK;
    report->file = fopen(path, "we");
    return report->file != NULL ? PZ_OK : status_from_errno(error, errno, path);
}

enum pz_status report_close(struct report *report, struct pz_error *error)
{
    FILE *file = report->file;
    report->file = NULL;
    for (uint32_t i = 0; i < report->levels; i++)
        free(report->examples[i].states);
    free(report->examples);
    free(report->counts);
    report->levels = 0;
    return file != NULL && fclose(file) != 0 ? status_from_errno(error, errno, report->path) : PZ_OK;
}

/* ---- what is found ---- */

static enum pz_status report_level(void *context, uint32_t level, uint64_t states, struct pz_error *error)
{
    struct report *report = context;
    if (report->out == NULL)
        return PZ_OK;
    if (fprintf(report->out, "%" PRIu32 ",%" PRIu64 "\n", level, states) < 0 || fflush(report->out) != 0)
        return status_from_errno(error, errno, "standard output");
    assert(level == report->levels); /* no level is left out or reported twice */
    struct store_level *counts = reallocarray(report->counts, level + (size_t)1, sizeof *counts);
    if (counts != NULL)
        report->counts = counts;
    struct report_level *examples = reallocarray(report->examples, level + (size_t)1, sizeof *examples);
    if (examples != NULL)
        report->examples = examples;
    if (counts == NULL || examples == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for the report");
    counts[level] = (struct store_level){level, states};
    examples[level] = (struct report_level){0};
    report->levels = level + 1;
    return PZ_OK;
}

static enum pz_status keep_examples(void *context, uint32_t level, const void *states, unsigned count,
                                    struct pz_error *error)
{
    const struct report *report = context;
    size_t bytes = (size_t)count * (report->space != NULL ? report->space->state_bytes : 0);
    if (report->file == NULL || bytes == 0)
        return PZ_OK;
    assert(level < report->levels && report->examples[level].states == NULL);
    struct report_level *found = &report->examples[level];
    found->states = malloc(bytes);
    if (found->states == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for the report");
    memcpy(found->states, states, bytes);
    found->count = count;
    return PZ_OK;
}

struct explore_sink report_sink(struct report *report)
{
    return (struct explore_sink){.context = report, .level = report_level, .examples = keep_examples};
}

/* ---- the end ---- */

static const char *ending(const struct explore_result *result)
{
    switch (result->reason) {
    case STOP_DEPTH:
        return "stopped at the depth that was asked for";
    case STOP_MEMORY:
        return "stopped: memory is spent";
    case STOP_DISK:
        return "stopped: the scratch space is full";
    case STOP_NONE:
        return "complete";
    default:
        return "stopped at the deepest level that is kept";
    }
}

/* The fields of RESULT that only clients read, as the daemon writes them. */
static void write_result(const struct report *report, const struct report_about *about, struct text *text)
{
    const struct explore_result *result = about->result;
    char root[PZ_TEXT_MAX];
    text_add(text, " from=root");
    result_write_work(result, about->request->threads, text);
    (void)report->space->puzzle->print(report->space, about->request->root, root);
    text_key(text, "root", root);
    text_add(text, " keep=levels");
}

static enum pz_status put_all(const struct report *report, const struct job_record *job,
                              struct pz_error *error)
{
    struct dump_file dump;
    enum pz_status status = dump_begin(&dump, report->file, error);
    if (status == PZ_OK)
        status = dump_put_job(&dump, job, error);
    if (status == PZ_OK && report->levels > 0)
        status = dump_put_levels(&dump, report->counts, report->levels, error);
    for (uint32_t level = 0; level < report->levels && status == PZ_OK; level++)
        if (report->examples[level].count > 0)
            status = dump_put_examples(&dump, level, report->examples[level].states,
                                       report->examples[level].count, report->space->state_bytes, error);
    return status == PZ_OK ? dump_end(&dump, 1, error) : status;
}

/* Writes the file. The job has no question: the daemon that imports it makes the question from the
 * request. */
static enum pz_status report_write_file(const struct report *report, const struct report_about *about,
                                        struct pz_error *error)
{
    const struct explore_result *result = about->result;
    char name[PZ_SIZE_MAX + 64];
    struct text request = {0};
    struct text found = {0};
    const bool reached = result->complete || result->reason == STOP_DEPTH || result->reason == STOP_LEVELS;
    (void)space_name(report->space, name);
    text_format(&request, "%s keep=levels", about->options->request);
    write_result(report, about, &found);
    struct job_record job = {.id = 1,
                             .kind = JOB_EXPLORE,
                             .state = reached ? JOB_DONE : JOB_STOPPED,
                             .submitted_ms = report->began_ms,
                             .started_ms = report->began_ms,
                             .finished_ms = clock_wall_ms(),
                             .puzzle = name,
                             .request = request.data,
                             .result = found.data};
    job_facts_note(&job.facts, result);
    if (result->reason == STOP_MEMORY)
        job.facts.memory_limit = atomic_load_explicit(&about->request->budget->limit, memory_order_relaxed);
    struct pz_error own = {.text = "no memory for the report"};
    enum pz_status status = request.failed || found.failed ? PZ_MEMORY : put_all(report, &job, &own);
    if (status != PZ_OK)
        (void)pz_fail(error, status, "%.200s: %.200s", report->path, own.text);
    text_free(&request);
    text_free(&found);
    return status;
}

enum pz_status report_end(struct report *report, const struct report_about *about, struct pz_error *error)
{
    const struct explore_result *result = about->result;
    if (report->out != NULL)
        (void)fprintf(report->out, "# %" PRIu64 " states in levels 0 to %" PRIu32 ", %s%s%s\n",
                      result->states, result->depth, ending(result), *result->disk_text != '\0' ? ": " : "",
                      result->disk_text);
    return report->file != NULL ? report_write_file(report, about, error) : PZ_OK;
}
