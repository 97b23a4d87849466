/* SPDX-License-Identifier: MIT */
#include "daemon/verbs/submission.h"

#include "base/clock.h"
#include "base/status_word.h"
#include "daemon/jobs/task.h"
#include "daemon/lookup/lookup_worker.h"
#include "daemon/net/pending_reply.h"
#include "daemon/pool/thread_pool.h"
#include "daemon/schedule/scheduler.h"
#include "daemon/server_state.h"
#include "daemon/verbs/verb_commands.h"
#include "space/registry.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Of one client at a time, also of connections that have gone: each takes 8 KB. */
enum { UNDERSTANDING_MOST = 1024 };

struct submission {
    struct work_item item;
    struct server *server;
    struct pending_reply *pending; /* NULL for a stored job */
    uint64_t job;                  /* of a stored job */
    struct request *request;
    struct task *task;       /* NULL after a failure */
    bool is_known;           /* no search is needed */
    struct job_answer known; /* then */
    struct plan_offer offer; /* of the moment when it came */
    const char *scratch;
    struct pz_error error;
};

/* Notes an answer that needed no search. method is METHOD_PARITY, or METHOD_TABLE where a stored table gives
 * it; moves are -1 without a solution, or 0. */
static void note_known(const struct task *task, int64_t moves, enum method method, struct job_answer *out)
{
    out->facts = (struct job_facts){.method = method, .solvable = moves < 0 ? PZ_NO : PZ_YES, .moves = moves};
    if (moves == 0)
        task_write_path(task->space, task->start, "", &out->rest);
    if (moves == 0 && (task->space->flags & PZ_COSTS) != 0)
        text_add(&out->rest, " cost=0");
    if (moves == 0 && task->solve.weight > 1)
        text_add(&out->rest, " optimal=yes");
    if (task->solve.all)
        text_format(&out->rest, " solutions=%u", moves < 0 ? 0u : 1u);
    if (moves == 0 && task->solve.list > 0)
        text_key(&out->rest, "paths", "");
}

/* Adds what each answer without a search has. */
static void write_no_effort(const struct task *task, struct text *out)
{
    text_add(out, " threads=1 expanded=0 generated=0 peak_bytes=0");
    task_write_ends(task, out);
}

/* Looks a SOLVE up in the stored tables. It is a failure to find none only if the request demands a
 * table. */
static enum pz_status look_up_table(struct lookup_worker *worker, struct task *task, struct job_answer *out,
                                    struct pz_error *error)
{
    struct answer answer = {0};
    struct solutions solutions = {0};
    struct answers *answers = lookup_worker_answers(worker);
    double began = clock_seconds();
    answers_ask_roots(answers, NULL); /* those of this thread's last lookup are another puzzle's */
    answers_begin(answers);
    enum pz_status status =
        answer_distance(answers, task->space, ANSWER_FROM_GOALS, task->state, true, &answer, error);
    if (status == PZ_NO_TABLE && (task->space->flags & PZ_REVERSIBLE) == 0) {
        struct root_set own = {.count = 1}; /* the puzzle's own root may not lead to this board */
        memcpy(own.states, task->state, task->space->state_bytes);
        answers_ask_roots(answers, &own);
        status = answer_distance(answers, task->space, ANSWER_FROM_GOALS, task->state, true, &answer, error);
    }
    if (status == PZ_OK && answer.solvable == PZ_YES && task->solve.all)
        status = answer_solutions(answers, task->space, task->state, answer.moves, task->solve.list,
                                  &solutions, error);
    answers_end(answers);
    if (status == PZ_OK && answer.solvable == PZ_YES) {
        out->facts = (struct job_facts){.method = METHOD_TABLE,
                                        .solvable = PZ_YES,
                                        .moves = answer.moves,
                                        .seconds = clock_seconds() - began};
        task_write_path(task->space, task->start, answer.path != NULL ? answer.path : "", &out->rest);
        task_write_solutions(task, &solutions, answer.moves, &out->rest);
    } else if (status == PZ_OK && answer.solvable == PZ_NO) {
        note_known(task, -1, METHOD_TABLE, out);
        task_write_rule(task, &out->rest);
    } else if (task->solve.method == METHOD_TABLE && status == PZ_OK) {
        status = pz_fail(error, PZ_NO_TABLE,
                         "table_from=%s the stored exploration ends at depth %" PRIu32 ", before this board",
                         space_has_one_end(task->space) ? "root" : "goals", answer.beyond);
    }
    free(solutions.paths);
    free(answer.path);
    return task->solve.method == METHOD_TABLE ? status : PZ_OK;
}

static enum pz_status find_known(struct lookup_worker *worker, struct task *task, struct job_answer *out,
                                 struct pz_error *error)
{
    enum pz_answer known = solve_known(task->space, task->state);
    if (known == PZ_NO) {
        note_known(task, -1, METHOD_PARITY, out);
        task_write_rule(task, &out->rest);
        return PZ_OK;
    }
    if (task->grade || (task->solve.weight > 1 && known != PZ_YES)) /* tables know shortest ways alone */
        return PZ_OK;
    if (known == PZ_YES) {
        note_known(task, 0, METHOD_PARITY, out);
        return PZ_OK;
    }
    bool may_look = task->solve.method == METHOD_AUTO || task->solve.method == METHOD_TABLE;
    return may_look ? look_up_table(worker, task, out, error) : PZ_OK;
}

#define STATES_LEAST 100000000u /* of a search by which others are measured */

/* Finds the seconds that a state took in the largest complete search here with each kind of planes; 0: none.
 */
static void find_measured(const struct jobs *jobs, double seconds[PLANES_COUNT])
{
    uint64_t largest[PLANES_COUNT] = {0};
    for (const struct job *job = jobs_next(jobs, 0); job != NULL; job = jobs_next(jobs, job->record.id)) {
        const struct job_facts *facts = &job->record.facts;
        if (job->record.kind != JOB_EXPLORE || job->record.state != JOB_DONE || facts->reason != STOP_NONE ||
            facts->elsewhere || facts->planes == PLANES_AUTO || facts->states < STATES_LEAST ||
            facts->states < largest[facts->planes])
            continue;
        largest[facts->planes] = facts->states;
        seconds[facts->planes] = facts->seconds / (double)facts->states;
    }
}

/* Writes how long the whole search would take at the rates of earlier ones. */
static void write_times(const struct submission *submission, struct text *out)
{
    static const char *const keys[] = {
        [PLANES_MEMORY] = "memory_seconds", [PLANES_CODED] = "coded_seconds", [PLANES_DISK] = "disk_seconds"};
    const struct explore_estimate *estimate = &submission->task->plan.estimate;
    double seconds[PLANES_COUNT] = {0};
    if (submission->task->plan.request.depth != EXPLORE_NO_LIMIT)
        return;
    find_measured(scheduler_jobs(submission->server->scheduler), seconds);
    for (enum explore_planes planes = PLANES_MEMORY; planes < PLANES_COUNT; planes++)
        if (estimate->cost[planes].memory > 0 && seconds[planes] > 0)
            text_format(out, " %s=%.1f", keys[planes], seconds[planes] * (double)estimate->states);
}

/* Writes what an exploration would take with each kind of planes, and which kind planes=auto takes. */
static void write_costs(const struct submission *submission, struct text *out)
{
    static const char *const words[] = {PLANES_WORDS};
    const struct explore_estimate *estimate = &submission->task->plan.estimate;
    const struct explore_cost *coded = &estimate->cost[PLANES_CODED];
    const struct explore_cost *disk = &estimate->cost[PLANES_DISK];
    const struct question_plan *plan = &submission->task->plan;
    if (coded->memory > 0)
        text_format(out, " coded_bytes=%" PRIu64, coded->memory);
    if (disk->memory > 0)
        text_format(out,
                    " disk_memory_bytes=%" PRIu64 " disk_bytes=%" PRIu64 " disk_least_memory_bytes=%" PRIu64
                    " disk_most_bytes=%" PRIu64,
                    disk->memory, disk->disk, disk->memory - disk->movable,
                    explore_disk_within(disk, disk->memory - disk->movable));
    if (disk->written > 0)
        text_format(out, " disk_written_bytes=%" PRIu64 " disk_read_bytes=%" PRIu64, disk->written,
                    disk->read);
    if (estimate->engine == ENGINE_DENSE)
        write_times(submission, out);
    enum explore_planes planes = explore_planes_within(estimate, plan->memory, plan->room);
    text_key(out, "planes", planes != PLANES_AUTO ? words[planes] : "none");
}

/* Runs on the loop thread, which owns the configuration. */
static void write_estimate(const struct submission *submission, struct text *out)
{
    static const char *const engines[] = {ENGINE_WORDS};
    const struct question_plan *plan = &submission->task->plan;
    const struct explore_estimate *estimate = &plan->estimate;
    text_key(out, "engine", engines[estimate->engine]);
    if (estimate->states > 0)
        text_format(out, " states=%" PRIu64, estimate->states);
    else
        text_add(out, " states=unknown");
    if (estimate->bytes > 0)
        text_format(out, " bytes=%" PRIu64 " levels_only_bytes=%" PRIu64 " table_bytes=%" PRIu64,
                    estimate->bytes, estimate->bytes_levels_only, estimate->table_bytes);
    if (estimate->passes > 0)
        text_format(out, " passes=%u bytes_moved=%.0f", estimate->passes, estimate->bytes_moved);
    const bool known = estimate->states > 0 && estimate->cost[PLANES_DISK].memory > 0;
    if ((estimate->engine == ENGINE_DENSE || known) && !plan->request.cluster)
        write_costs(submission, out);
    else if (explore_moves_to_disk(estimate, plan->memory))
        text_add(out, " planes=memory,disk"); /* it begins in memory and may move to disk */
}

/* Records how deep the stored table of the same name is. A table that is damaged or lacks the requested
 * parts counts as missing and is made again. */
static enum pz_status find_covered(struct lookup_worker *worker, struct task *task, struct pz_error *error)
{
    struct table_record *table = malloc(sizeof *table);
    if (table == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a job");
    enum pz_status status = store_table_find(lookup_worker_store(worker), task->table, table, error);
    if (status == PZ_OK &&
        !(task->plan.request.ranked.parts && table->table_bytes <= task->plan.estimate.table_bytes))
        task->covered = table->complete ? INT64_MAX : (int64_t)table->depth;
    free(table);
    return status_is_retryable(status) ? status : PZ_OK;
}

static void submission_work(struct work_item *item, void *worker)
{
    struct submission *submission = (struct submission *)item;
    struct pending_reply *pending = submission->pending;
    if (pending != NULL && pending_reply_is_abandoned(pending) &&
        request_number(submission->request, KEY_ESTIMATE, 0) != 0) { /* nobody would hear it */
        (void)pz_fail(&submission->error, PZ_CANCELLED, "the client has gone");
        return;
    }
    enum pz_status status = task_new(submission->request, &submission->offer, submission->scratch,
                                     &submission->task, &submission->error);
    bool is_new = submission->pending != NULL && status == PZ_OK && !submission->task->estimate;
    if (is_new && submission->task->kind == JOB_EXPLORE)
        status = find_covered(worker, submission->task, &submission->error);
    if (is_new && status == PZ_OK && submission->task->kind == JOB_SOLVE)
        status = find_known(worker, submission->task, &submission->known, &submission->error);
    submission->is_known = submission->known.facts.method != METHOD_AUTO;
    if (status == PZ_OK && submission->is_known)
        write_no_effort(submission->task, &submission->known.rest);
    if (status == PZ_OK && submission->known.rest.failed)
        status = pz_fail(&submission->error, PZ_MEMORY, "no memory for the answer");
    if (status != PZ_OK) {
        submission->error.code = status;
        task_free(submission->task);
        submission->task = NULL;
    }
}

static void answer_estimate(struct submission *submission)
{
    struct text out = {0};
    reply_ok(&out, pending_reply_tag(submission->pending));
    write_estimate(submission, &out);
    reply_line_end(&out);
    pending_reply_finish(submission->pending, &out, PZ_OK);
    task_free(submission->task);
}

static void submission_deliver(struct loop_message *message)
{
    struct submission *submission = (struct submission *)message;
    struct scheduler *scheduler = submission->server->scheduler;
    if (submission->pending != NULL)
        submission->pending->client->understanding--;
    if (submission->pending == NULL)
        scheduler_resume(scheduler, submission->job, submission->task, &submission->error);
    else if (submission->task == NULL)
        pending_reply_fail(submission->pending, &submission->error);
    else if (submission->task->estimate)
        answer_estimate(submission);
    else
        scheduler_submit(scheduler, submission->task, submission->is_known ? &submission->known : NULL,
                         submission->pending);
    text_free(&submission->known.rest);
    free(submission->request);
    free(submission);
}

/* Takes the request over and begins its work. Returns false without memory. */
static bool begin_submission(struct server *server, struct request *request, struct pending_reply *pending,
                             uint64_t job)
{
    struct submission *submission = calloc(1, sizeof *submission);
    if (submission == NULL) {
        free(request);
        return false;
    }
    *submission = (struct submission){
        .item = {.message.deliver = submission_deliver, .work = submission_work},
        .server = server,
        .pending = pending,
        .job = job,
        .request = request,
        .scratch = server->scratch,
    };
    scheduler_offer(server->scheduler, task_kind(request->verb), &submission->offer);
    thread_pool_submit(server->lookups, &submission->item, pending != NULL ? pending->client : NULL);
    return true;
}

void submission_begin(struct server *server, struct pending_reply *pending, struct request *request)
{
    struct pz_error error = {.code = PZ_MEMORY, .text = "no memory for a job"};
    if (pending->client->understanding >= UNDERSTANDING_MOST) {
        free(request);
        (void)pz_fail(&error, PZ_LIMIT, "%d submissions of yours are being read: ask again",
                      UNDERSTANDING_MOST);
        pending_reply_fail(pending, &error);
        return;
    }
    pending->client->understanding++;
    if (!begin_submission(server, request, pending, 0)) {
        pending->client->understanding--;
        pending_reply_fail(pending, &error);
    }
}

bool submission_resume(void *context, uint64_t job, const char *line)
{
    struct server *server = context;
    struct request *request = malloc(sizeof *request);
    struct pz_error error;
    if (request == NULL)
        return false;
    if (request_parse(request, line, strlen(line), &error) == PZ_OK &&
        request_understand(request, &error) == PZ_OK)
        return begin_submission(server, request, NULL, job);
    scheduler_resume(server->scheduler, job, NULL, &error);
    free(request);
    return true;
}
