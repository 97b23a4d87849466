/* SPDX-License-Identifier: MIT */
/* The verbs about states that worker threads answer from the store: DISTANCE PATH SAMPLE DEEPEST PARTS
 * LEVELS. */
#include "answer/verify/contents.h"
#include "daemon/jobs/task.h"
#include "daemon/lookup/lookup_worker.h"
#include "daemon/net/pending_reply.h"
#include "daemon/verbs/verb_commands.h"
#include "protocol/text/quantity.h"
#include "space/reason.h"
#include "space/registry.h"

#include <inttypes.h>
#include <stdlib.h>

static enum answer_from asked_from(const struct request *request)
{
    return (enum answer_from)request_number(request, KEY_FROM, ANSWER_FROM_EITHER);
}

static const char *unit_of(const struct pz_space *space)
{
    return (space->flags & PZ_COSTS) != 0 ? "cost" : "moves";
}

/* Says what a list's distances count, unless they are moves. */
static void reply_unit(struct text *out, const struct pz_space *space)
{
    if ((space->flags & PZ_COSTS) != 0)
        text_key(out, "unit", unit_of(space));
}

/* Writes a path as a SOLVE has it. */
static void write_path(const struct pz_space *space, const char *board, const char *path, struct text *out)
{
    char written[SPACE_WRITTEN_MAX];
    task_write_path(space, board, path, out);
    space_written(space, board, written);
    text_add(out, written);
}

enum pz_status command_distance(struct lookup_worker *worker, const struct request *request, struct text *out,
                                struct pz_error *error)
{
    const bool with_path = request->verb == VERB_PATH;
    const struct pz_space *space = NULL;
    uint64_t state[PZ_STATE_MAX / 8];
    struct answer answer = {0};
    char start[PZ_TEXT_MAX];
    enum pz_status status = lookup_worker_open(worker, request, &space, state, error);
    if (status == PZ_OK)
        status = answer_distance(lookup_worker_answers(worker), space, asked_from(request), state, with_path,
                                 &answer, error);
    if (status != PZ_OK)
        return status;
    reply_ok(out, request->tag);
    if (answer.solvable == PZ_YES)
        text_format(out, " %s=%" PRId64 " solvable=yes", unit_of(space), answer.moves);
    else if (answer.solvable == PZ_NO)
        text_add(out, " solvable=no moves=-1");
    else
        text_format(out, " solvable=unknown beyond=%" PRIu32, answer.beyond);
    if (answer.job != 0)
        text_format(out, " job=%" PRIu64, answer.job);
    reply_from(out, answer.to_goal);
    if (with_path) {
        (void)space->puzzle->print(space, state, start);
        text_key(out, "start", start);
    }
    if (with_path && answer.solvable == PZ_YES)
        write_path(space, request->argument[1], answer.path != NULL ? answer.path : "", out);
    reply_line_end(out);
    free(answer.path);
    return PZ_OK;
}

/* ---- boards ---- */

/* Ends the head of a reply and writes its boards; frees them. */
static void write_boards(const struct pz_space *space, const struct answer_states *boards, struct text *out)
{
    char line[PZ_TEXT_MAX];
    text_key(out, "complete", boards->complete ? "yes" : "no");
    reply_from(out, boards->to_goal);
    reply_unit(out, space);
    reply_line_end(out);
    for (unsigned i = 0; i < boards->count; i++) {
        const char *state = (const char *)boards->states + (size_t)i * space->state_bytes;
        (void)space->puzzle->print(space, state, line);
        text_add(out, "board=");
        text_add(out, line);
        reply_line_end(out);
    }
    reply_list_end(out);
    free(boards->states);
}

enum pz_status command_sample(struct lookup_worker *worker, const struct request *request, struct text *out,
                              struct pz_error *error)
{
    const struct pz_space *space = NULL;
    const struct answer_wanted wanted = {.depth = (uint32_t)request_number(request, KEY_DEPTH, 0),
                                         .count = (unsigned)request_number(request, KEY_COUNT, 1),
                                         .seed = (uint64_t)request_number(request, KEY_SEED, 0),
                                         .from = asked_from(request)};
    struct answer_states boards;
    enum pz_status status = lookup_worker_open(worker, request, &space, NULL, error);
    if (status == PZ_OK)
        status = answer_sample(lookup_worker_answers(worker), space, &wanted, &boards, error);
    if (status != PZ_OK)
        return status;
    reply_list(out, request->tag, boards.count);
    text_format(out, " depth=%" PRIu32, wanted.depth);
    text_key(out, "uniform", boards.uniform ? "yes" : "no");
    write_boards(space, &boards, out);
    return PZ_OK;
}

enum pz_status command_deepest(struct lookup_worker *worker, const struct request *request, struct text *out,
                               struct pz_error *error)
{
    const struct pz_space *space = NULL;
    const unsigned dead = (unsigned)request_number(request, KEY_DEAD, 0);
    struct answer_states boards;
    enum pz_status status = lookup_worker_open(worker, request, &space, NULL, error);
    if (status == PZ_OK)
        status =
            answer_deepest(lookup_worker_answers(worker), space, asked_from(request), dead, &boards, error);
    if (status != PZ_OK)
        return status;
    reply_list(out, request->tag, boards.count);
    text_format(out, " depth=%" PRIu32 " total=%" PRIu64, boards.depth, boards.total);
    write_boards(space, &boards, out);
    return PZ_OK;
}

enum pz_status command_parts(struct lookup_worker *worker, const struct request *request, struct text *out,
                             struct pz_error *error)
{
    const struct pz_space *space = NULL;
    const uint64_t after = (uint64_t)request_number(request, KEY_AFTER, 0);
    const unsigned limit = (unsigned)request_number(request, KEY_LIMIT, PROTOCOL_JOBS_MAX);
    struct answer_parts parts = {0};
    char line[PZ_TEXT_MAX];
    enum pz_status status = lookup_worker_open(worker, request, &space, NULL, error);
    if (status == PZ_OK)
        status = answer_parts(lookup_worker_answers(worker), space, asked_from(request), after, limit, &parts,
                              error);
    if (status != PZ_OK)
        return status;
    reply_list(out, request->tag, parts.count);
    text_format(out, " total=%" PRIu64, parts.total);
    reply_from(out, parts.to_goal);
    reply_line_end(out);
    for (unsigned i = 0; i < parts.count; i++) {
        const struct table_part *part = &parts.parts[i];
        text_format(out, "part=%" PRIu64 " states=%" PRIu64, after + i + 1, part->states);
        if (!part->dead)
            text_format(out, " depth=%" PRIu32, part->depth);
        (void)space->puzzle->print(space, part->state, line);
        text_key(out, "board", line);
        reply_line_end(out);
    }
    reply_list_end(out);
    free(parts.parts);
    return PZ_OK;
}

/* ---- levels ---- */

/* Writes some boards of one level: " example=…". */
static enum pz_status write_examples(struct lookup_worker *worker, const struct pz_space *space, uint64_t job,
                                     uint32_t level, unsigned most, struct text *out, struct pz_error *error)
{
    struct store_examples examples;
    const size_t bytes = space->state_bytes;
    char line[PZ_TEXT_MAX];
    struct text boards = {0};
    if (most == 0)
        return PZ_OK;
    enum pz_status status = level_examples(lookup_worker_store(worker), space, job, level, &examples, error);
    if (status != PZ_OK)
        return status;
    for (unsigned i = 0; i < examples.count && i < most; i++) {
        (void)space->puzzle->print(space, (const char *)examples.states + i * bytes, line);
        text_format(&boards, "%s%s", i > 0 ? " " : "", line);
    }
    text_key(out, "example", boards.data);
    out->failed |= boards.failed;
    text_free(&boards);
    free(examples.states);
    return PZ_OK;
}

/* A reply that is written in pieces. */
struct levels_listing {
    struct pz_space *space; /* of the job */
    struct store_level *levels;
    uint64_t job;
    uint32_t next, count;
    unsigned examples;
    bool to_goal;
};

static void levels_free(void *context)
{
    struct levels_listing *levels = context;
    if (levels == NULL)
        return;
    space_close(levels->space);
    free(levels->levels);
    free(levels);
}

/* Reads what the reply needs before its first piece. */
static enum pz_status levels_open(struct lookup_worker *worker, struct levels_listing *levels,
                                  struct pz_error *error)
{
    const struct pz_setup setup = {0};
    struct job_record job = {0};
    enum pz_status status = store_job_get(lookup_worker_store(worker), levels->job, &job, error);
    if (status == PZ_OK && job.kind != JOB_EXPLORE)
        status = pz_fail(error, PZ_UNSUPPORTED, "job %" PRIu64 " is no exploration and has no levels",
                         levels->job);
    if (status == PZ_OK)
        status = space_open(job.puzzle, &setup, &levels->space, error);
    if (status == PZ_OK)
        status =
            store_levels(lookup_worker_store(worker), levels->job, &levels->levels, &levels->count, error);
    levels->to_goal = job.from == FROM_GOALS;
    job_record_clear(&job);
    return status;
}

static enum pz_status levels_new(struct lookup_worker *worker, const struct request *request,
                                 struct levels_listing **out, struct pz_error *error)
{
    uint64_t job = 0;
    enum pz_status status = quantity_count(request->argument[0], 1, UINT64_MAX, &job, error);
    if (status != PZ_OK)
        return status;
    struct levels_listing *levels = calloc(1, sizeof *levels);
    if (levels == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a lookup");
    *levels =
        (struct levels_listing){.job = job, .examples = (unsigned)request_number(request, KEY_EXAMPLES, 0)};
    status = levels_open(worker, levels, error);
    if (status == PZ_OK)
        *out = levels;
    else
        levels_free(levels);
    return status;
}

/* Writes levels until the piece is full. */
static enum pz_status levels_write(struct lookup_worker *worker, struct levels_listing *levels,
                                   struct text *out, struct pz_error *error)
{
    enum pz_status status = PZ_OK;
    for (; levels->next < levels->count && out->length < REPLY_PIECE && status == PZ_OK; levels->next++) {
        const struct store_level *level = &levels->levels[levels->next];
        text_format(out, "level=%" PRIu32 " states=%" PRIu64, level->level, level->states);
        status =
            write_examples(worker, levels->space, levels->job, level->level, levels->examples, out, error);
        reply_line_end(out);
    }
    return status;
}

enum pz_status command_levels(struct lookup_worker *worker, const struct request *request, struct text *out,
                              struct pz_error *error)
{
    struct reply_rest *rest = lookup_worker_rest(worker);
    if (rest->state == NULL) {
        struct levels_listing *levels = NULL;
        enum pz_status status = levels_new(worker, request, &levels, error);
        if (status != PZ_OK || levels == NULL)
            return status;
        *rest = (struct reply_rest){levels, levels_free};
        reply_list(out, request->tag, levels->count);
        reply_from(out, levels->to_goal);
        reply_unit(out, levels->space);
        reply_line_end(out);
    }
    struct levels_listing *levels = rest->state;
    enum pz_status status = levels_write(worker, levels, out, error);
    if (status == PZ_OK && levels->next == levels->count) {
        reply_list_end(out);
        reply_rest_free(rest);
    }
    return status;
}
