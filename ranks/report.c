/* SPDX-License-Identifier: MIT */
#include "report.h"

#include "space/registry.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static enum pz_status refuse(const struct report *report, struct pz_error *error)
{
    const char *path = report->path != NULL ? report->path : "standard output";
    return pz_fail(error, PZ_STORAGE, "%s: %s", path, strerror(errno));
}

enum pz_status report_open(struct report *report, const struct pz_space *space, const char *path,
                           struct pz_error *error)
{
    char name[PZ_SIZE_MAX + 64];
    *report = (struct report){.space = space, .out = stdout, .path = path};
    (void)space_name(space, name);
    (void)fprintf(report->out, "# %s\ndepth,count\n", name);
    if (path == NULL)
        return PZ_OK;
    report->file = fopen(path, "w");
    if (report->file == NULL || fprintf(report->file, "# %s\ndepth,count\n", name) < 0)
        return refuse(report, error);
    return PZ_OK;
}

enum pz_status report_close(struct report *report, struct pz_error *error)
{
    FILE *file = report->file;
    report->file = NULL;
    return file != NULL && fclose(file) != 0 ? refuse(report, error) : PZ_OK;
}

static enum pz_status take_level(void *context, uint32_t level, uint64_t states, struct pz_error *error)
{
    struct report *report = context;
    FILE *const files[] = {report->out, report->file};
    for (unsigned i = 0; i < 2 && files[i] != NULL; i++)
        if (fprintf(files[i], "%" PRIu32 ",%" PRIu64 "\n", level, states) < 0 || fflush(files[i]) != 0)
            return refuse(report, error);
    return PZ_OK;
}

static enum pz_status take_examples(void *context, uint32_t level, const void *states, unsigned count,
                                    struct pz_error *error)
{
    const struct report *report = context;
    const struct pz_space *space = report->space;
    char text[PZ_TEXT_MAX];
    for (unsigned i = 0; report->file != NULL && i < count; i++) {
        (void)space->puzzle->print(space, (const unsigned char *)states + (size_t)i * space->state_bytes,
                                   text);
        if (fprintf(report->file, "# %" PRIu32 " %s\n", level, text) < 0)
            return refuse(report, error);
    }
    return PZ_OK;
}

struct explore_sink report_sink(struct report *report)
{
    return (struct explore_sink){.context = report, .level = take_level, .examples = take_examples};
}

static const char *ending(const struct explore_result *result)
{
    switch (result->reason) {
    case STOP_DEPTH:
        return "stopped at the depth that was asked for";
    case STOP_MEMORY:
        return "stopped: memory is spent";
    case STOP_NONE:
        return "complete";
    default:
        return "stopped at the deepest level that is kept";
    }
}

void report_end(struct report *report, const struct explore_result *result)
{
    FILE *const files[] = {report->out, report->file};
    for (unsigned i = 0; i < 2 && files[i] != NULL; i++)
        (void)fprintf(files[i], "# %" PRIu64 " states in levels 0 to %" PRIu32 ", %s\n", result->states,
                      result->depth, ending(result));
}
