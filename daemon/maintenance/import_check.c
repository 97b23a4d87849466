/* SPDX-License-Identifier: MIT */
#include "daemon/maintenance/import_check.h"

#include "answer/verify/contents.h"
#include "base/clock.h"
#include "daemon/jobs/task.h"
#include "protocol/reply.h"
#include "protocol/text/utf8.h"
#include "space/path_words.h"
#include "space/slide/slide.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static enum pz_status says(uint64_t job, const char *what, struct pz_error *error)
{
    return pz_fail(error, PZ_STORAGE, "job %" PRIu64 " of the dump contradicts itself: %s", job, what);
}

/* ---- texts ---- */

/* Replaces NULL by "", so that every text can be read. */
static bool has_texts(struct job_record *job)
{
    char **const texts[] = {&job->puzzle, &job->request, &job->question,
                            &job->table,  &job->result,  &job->failure};
    bool all = true;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (*texts[i] == NULL)
            *texts[i] = strdup("");
        all &= *texts[i] != NULL;
    }
    return all;
}

static enum pz_status check_texts(const struct job_record *job, struct pz_error *error)
{
    const char *const texts[] = {job->puzzle, job->request, job->question, job->result, job->failure};
    static const char *const names[] = {"puzzle", "request", "question", "result", "failure"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        size_t at = 0;
        if (!utf8_is_clean(texts[i], strlen(texts[i]), &at))
            return pz_fail(error, PZ_STORAGE,
                           "job %" PRIu64 " of the dump: byte %zu of its %s is no text (0x%02X)", job->id, at,
                           names[i], (unsigned)(unsigned char)texts[i][at]);
    }
    return PZ_OK;
}

/* Makes the task of the job's request. */
static enum pz_status task_of(const char *line, struct task **out, struct pz_error *error)
{
    struct request *request = malloc(sizeof *request);
    if (request == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a request");
    enum pz_status status = request_parse(request, line, strlen(line), error);
    if (status == PZ_OK)
        status = request_understand(request, error);
    if (status == PZ_OK && request->verb != VERB_EXPLORE && request->verb != VERB_SOLVE &&
        request->verb != VERB_GRADE && request->verb != VERB_PDB)
        status = pz_fail(error, PZ_STORAGE, "a job of the dump is no EXPLORE, SOLVE, GRADE or PDB");
    if (status == PZ_OK)
        status = task_new(request, &plan_offer_any, NULL, out, error);
    free(request);
    return status;
}

static enum pz_status check_request(struct job_record *job, const struct task *task, struct pz_error *error)
{
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): it was made, or this is not asked */
    if (task->kind != job->kind)
        return says(job->id, "its request is of another kind", error);
    if (strcmp(task->puzzle, job->puzzle) != 0)
        return says(job->id, "its request has another puzzle", error);
    if (*job->question != '\0' && strcmp(task->question, job->question) != 0)
        return says(job->id,
                    "its request asks another question, or its grade has the figures of another version",
                    error);
    free(job->question);
    free(job->table);
    job->question = strdup(task->question);
    job->table = strdup(task->table);
    job->from = task->plan.request.from;
    job->cluster = task->plan.request.cluster;
    job->rank_memory = job->cluster ? task->memory : 0;
    return job->question != NULL && job->table != NULL
               ? PZ_OK
               : pz_fail(error, PZ_MEMORY, "no memory for a question");
}

/* ---- the solution of a board, played move by move ---- */

static enum pz_status contradicts_puzzle(uint64_t job, const char *what, struct pz_error *error)
{
    return pz_fail(error, PZ_STORAGE, "job %" PRIu64 " of the dump contradicts its puzzle: %s", job, what);
}

/* Makes the moves of a path, and adds up what they cost. Returns how many there are; -1 if one of them cannot
 * be made. */
static int64_t play_words(const struct pz_space *space, const char *path, void *room, void *at,
                          struct path_walked *walked)
{
    int64_t moves = 0;
    for (; *path != '\0'; moves++) {
        const char *word = path;
        const size_t length = path_words_next(space, &path);
        if (!path_words_move(space, word, length, room, at, walked))
            return -1;
    }
    return moves;
}

static enum pz_status play_path(uint64_t job, const struct task *task, const struct reply *fields,
                                const char *path, int64_t moves, struct pz_error *error)
{
    const struct pz_space *space = task->space;
    uint64_t at[PZ_STATE_MAX / 8];
    void *room = malloc(path_words_room(space));
    if (room == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory to play a path");
    memcpy(at, task->state, sizeof at);
    struct path_walked walked = {0};
    int64_t told = 0;
    const int64_t made = play_words(space, path, room, at, &walked);
    const bool home = made >= 0 && space->puzzle->is_goal(space, at);
    free(room);
    if (made < 0)
        return contradicts_puzzle(job, "a move of its path cannot be made", error);
    if (made != moves)
        return contradicts_puzzle(job, "its path has another number of moves", error);
    if ((space->flags & PZ_COSTS) != 0 &&
        (!reply_integer(fields, "cost", &told) || (uint64_t)told != walked.cost))
        return contradicts_puzzle(job, "its path has another cost", error);
    return home ? PZ_OK : contradicts_puzzle(job, "its path leads to no goal", error);
}

/* Checks the fields of a solved board: the path must lead from the start to a goal in the given number of
 * moves, and nothing may contradict what is known without a search. Does not check if there is a shorter
 * path. */
static enum pz_status import_path_check(const struct job_record *record, const struct task *task,
                                        const struct reply *fields, struct pz_error *error)
{
    const struct pz_puzzle *puzzle = task->space->puzzle;
    const enum pz_answer known =
        puzzle->solvable != NULL ? puzzle->solvable(task->space, task->state) : PZ_UNKNOWN;
    const struct job_facts *facts = &record->facts;
    const uint64_t job = record->id;
    const bool solved = facts->solvable == PZ_YES;
    if (facts->method == METHOD_AUTO || facts->solvable == PZ_UNKNOWN)
        return contradicts_puzzle(job, "it is done without an answer", error);
    if (known == (solved ? PZ_NO : PZ_YES))
        return contradicts_puzzle(job, "its answer is the other one", error);
    if ((facts->moves >= 0) != solved)
        return contradicts_puzzle(job, "its answer lacks the moves", error);
    if (!solved || puzzle->expand == NULL)
        return PZ_OK;
    const char *path = reply_get(fields, "path");
    return path != NULL ? play_path(job, task, fields, path, facts->moves, error)
                        : contradicts_puzzle(job, "it has no path", error);
}

/* ---- results ---- */

/* Reads the fields as a client reads them in RESULT. The caller clears the reply. */
static enum pz_status read_result(const struct job_record *job, struct reply *fields, struct pz_error *error)
{
    struct text line = {0};
    *fields = (struct reply){0};
    text_add(&line, "OK");
    text_add(&line, job->result);
    if (line.failed)
        return pz_fail(error, PZ_MEMORY, "no memory for a result");
    const bool starts = *job->result == '\0' || *job->result == ' ';
    const bool read = starts && reply_parse(fields, line.data, line.length, error);
    text_free(&line);
    return read ? PZ_OK : says(job->id, "its result is no list of fields", error);
}

/* Returns true if no field comes twice, and none is one that the daemon itself writes before them. A puzzle
 * that solves itself may say a reason of its own: the last of the names. */
static bool fields_are_own(const struct reply *fields, const struct job_facts *facts)
{
    static const char *const others[] = {"job",    "kind",     "puzzle",  "layout", "state",
                                         "tag",    "cached",   "moves",   "states", "depth",
                                         "method", "solvable", "seconds", "reason"};
    const bool own_reason = facts->method == METHOD_DIRECT && facts->reason == STOP_NONE;
    for (size_t i = 0; i < fields->count; i++) {
        for (size_t k = 0; k < sizeof others / sizeof *others - own_reason; k++)
            if (strcmp(fields->fields[i].key, others[k]) == 0)
                return false;
        for (size_t k = 0; k < i; k++)
            if (strcmp(fields->fields[i].key, fields->fields[k].key) == 0)
                return false;
    }
    return true;
}

static enum pz_status check_result(const struct job_record *job, const struct task *task,
                                   struct pz_error *error)
{
    const struct job_facts *facts = &job->facts;
    struct reply fields;
    enum pz_status status = read_result(job, &fields, error);
    if (status == PZ_OK && !fields_are_own(&fields, facts))
        status = says(job->id, "its result has a field twice, or one that is no result's", error);
    if (status == PZ_OK && facts->table_levels > 0 &&
        (job->kind != JOB_EXPLORE || facts->table_levels != (facts->states > 0 ? facts->levels : 1)))
        status = says(job->id, "its table has another depth than its result", error);
    if (status == PZ_OK && (job->state == JOB_FAILED) != (facts->failure != PZ_OK))
        status = says(job->id, "a job has a failure if it failed", error);
    if (status == PZ_OK && job->kind != JOB_SOLVE && facts->method != METHOD_AUTO)
        status = says(job->id, "it solved a board, and was not asked to", error);
    if (status == PZ_OK && job->kind == JOB_SOLVE && job->state == JOB_DONE)
        status = import_path_check(job, task, &fields, error);
    reply_clear(&fields);
    return status;
}

/* Bounds the times, which come from another machine's clock, by the present time here. */
static void bound_times(struct job_record *job)
{
    uint64_t *const times[] = {&job->submitted_ms, &job->started_ms, &job->finished_ms};
    const uint64_t now = clock_wall_ms();
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (*times[i] > now)
            *times[i] = now;
}

enum pz_status import_check_job(void *context, struct job_record *job, struct pz_error *error)
{
    struct task *task = NULL;
    (void)context;
    if (!has_texts(job))
        return pz_fail(error, PZ_MEMORY, "no memory for a job");
    bound_times(job);
    /* What a search took there says nothing of this machine, and what it left on the disk is not here. */
    job->facts.elsewhere = true;
    enum pz_status status = check_texts(job, error);
    if (status == PZ_OK)
        status = task_of(job->request, &task, error);
    if (status == PZ_OK)
        status = check_request(job, task, error);
    if (status == PZ_OK)
        status = check_result(job, task, error);
    task_free(task);
    return status;
}

/* ---- what came with it ---- */

struct import_found {
    struct store *store;
    uint64_t tables; /* that belong to a job of their question */
    enum pz_status status;
    struct pz_error *error;
};

/* Returns true if a result agrees with the stored levels. A search from goals may stop before the first
 * level, which is empty if no goal is reached. */
static bool reports_levels(const struct job_record *job, const struct job_levels *levels)
{
    return (levels->count > 0 || job->state == JOB_STOPPED) && job->facts.states == levels->sum &&
           job->facts.levels == (levels->sum > 0 ? job_levels_last(levels) + 1 : 0);
}

/* Compares a result with the levels; complete: as the table says, or as follows from the number of
 * states. */
static enum pz_status compare_levels(const struct job_record *job, const struct task *task,
                                     const struct job_levels *levels, const struct table_record *table,
                                     struct pz_error *error)
{
    const bool whole = job->state == JOB_DONE || job->state == JOB_STOPPED;
    const bool complete = whole && job->facts.reason == STOP_NONE;
    const uint64_t part = levels->all / explore_roots(&task->plan.request); /* what one root reaches */
    if ((whole || job->facts.levels > 0) && !reports_levels(job, levels))
        return says(job->id, "its result and its levels have different states or depths", error);
    if (table != NULL && table->complete != complete)
        return says(job->id, "its result and its table disagree on being complete", error);
    if (complete && slide_permutation(task->space) != NULL && part > 0 && levels->sum % part != 0)
        return says(job->id, "it is complete without all states", error);
    return PZ_OK;
}

static enum pz_status check_exploration(struct import_found *found, const struct job_record *job,
                                        const struct task *task)
{
    struct job_levels levels = {0};
    struct table_record *table = malloc(sizeof *table);
    if (table == NULL)
        return pz_fail(found->error, PZ_MEMORY, "no memory for a table");
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): it was made, or this is not asked */
    enum pz_status status = store_table_find(found->store, task->table, table, found->error);
    const bool is_own = status == PZ_OK && table->job == job->id;
    found->tables += is_own;
    if (status == PZ_NO_TABLE)
        status = PZ_OK;
    if (status == PZ_OK)
        status = job_levels_read(found->store, task_space(task), task->plan.request.from,
                                 explore_roots(&task->plan.request), job->id, &levels, found->error);
    if (status == PZ_OK)
        status = compare_levels(job, task, &levels, is_own ? table : NULL, found->error);
    job_levels_clear(&levels);
    free(table);
    return status;
}

static bool check_one(void *context, const struct job_record *job)
{
    struct import_found *found = context;
    struct task *task = NULL;
    if (job->kind != JOB_EXPLORE)
        return true;
    found->status = task_of(job->request, &task, found->error);
    if (found->status == PZ_OK)
        found->status = check_exploration(found, job, task);
    task_free(task);
    return found->status == PZ_OK;
}

enum pz_status import_check_found(struct store *store, struct pz_error *error)
{
    struct import_found found = {.store = store, .status = PZ_OK, .error = error};
    struct store_stats stats = {0};
    enum pz_status status = store_jobs(store, 0, check_one, &found, error);
    if (found.status != PZ_OK)
        return found.status;
    if (status == PZ_OK)
        status = store_stats(store, &stats, error);
    if (status == PZ_OK && stats.tables != found.tables)
        status = pz_fail(error, PZ_STORAGE, "a table of the dump belongs to no job that asks for it");
    return status;
}
