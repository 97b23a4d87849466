/* SPDX-License-Identifier: MIT */
#include "answer/verify/contents.h"

#include "answer/answer_table.h"
#include "base/random.h"
#include "base/status_word.h"
#include "space/registry.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    WALKS = 16,
    WALK_STEPS = 500,
    FAR = -1 /* stands for the distance of a state that the table does not hold */
};

struct verify {
    struct store *store;
    const struct table_record *table;
    struct table_question question;
    struct table_match match;
    uint8_t *successors;
    uint8_t *tokens;
    uint32_t *costs;
    struct pz_error *error;
};

static enum pz_status contradiction(const struct verify *verify, const char *what)
{
    return pz_fail(verify->error, PZ_STORAGE, "the table %.300s contradicts its puzzle: %s",
                   verify->table->name, what);
}

/* ---- the question that the table answers, from its name ---- */

static enum pz_status verify_open_question(struct verify *verify)
{
    struct table_question *question = &verify->question;
    enum pz_status status = table_question_open(verify->table->name, question, verify->error);
    if (status == PZ_OK)
        status = table_match_init(&verify->match, question->space, &question->roots, question->from,
                                  verify->error);
    if (status == PZ_OK && strcmp(verify->match.name, verify->table->name) != 0)
        status = contradiction(verify, "its name is not that of its question");
    if (status == PZ_OK)
        status = table_match_open(&verify->match, verify->question.space, verify->store, verify->error);
    const struct pz_space *space = verify->question.space;
    if (status != PZ_OK || space == NULL) /* never NULL with PZ_OK */
        return status;
    verify->successors = calloc(space->max_successors + 1, space->state_bytes);
    verify->tokens = calloc(space->max_successors + 1, 1);
    verify->costs = calloc(space->max_successors + 1, sizeof *verify->costs);
    if (verify->successors == NULL || verify->tokens == NULL || verify->costs == NULL)
        return pz_fail(verify->error, PZ_MEMORY, "no memory to check a table");
    return PZ_OK;
}

/* ---- positions ---- */

/* Finds the distance of a state of the question; FAR if the table does not hold it. */
static enum pz_status measure_state(struct verify *verify, const void *state, int64_t *distance)
{
    uint64_t canonical[MATCH_WORDS] = {0};
    uint32_t found = 0;
    table_match_to_table(&verify->match, verify->question.space, state, canonical);
    enum pz_status status = table_reader_distance(verify->match.reader, canonical, &found, verify->error);
    *distance = status == PZ_NO_TABLE ? FAR : (int64_t)found;
    if (status == PZ_NO_TABLE && verify->table->complete)
        return contradiction(verify, "it is complete, and lacks a position");
    return status == PZ_NO_TABLE ? PZ_OK : status;
}

/* Returns true if a state's distance allows that of a successor, which a move of that cost leads to. */
static bool distance_fits(const struct verify *verify, int64_t distance, int64_t next, int64_t cost)
{
    const int64_t depth = (int64_t)verify->table->depth;
    const bool reversible = (verify->question.space->flags & PZ_REVERSIBLE) != 0;
    const bool near = verify->question.from == FROM_ROOT || reversible; /* at most by the move farther */
    if (next == FAR) /* beyond what a bounded exploration reached */
        return !near || distance > depth - cost;
    if (near && next > distance + cost && distance < depth)
        return false;
    return (verify->question.from == FROM_ROOT && !reversible) || next >= distance - cost || distance > depth;
}

/* Checks a state of the table against its successors; *count is their number. */
static enum pz_status verify_state(struct verify *verify, const void *state, int64_t distance,
                                   unsigned *count)
{
    const struct pz_space *space = verify->question.space;
    const bool leads_home = verify->question.from == FROM_GOALS || (space->flags & PZ_REVERSIBLE) != 0;
    const bool is_home = verify->question.from == FROM_GOALS
                             ? space->puzzle->is_goal(space, state)
                             : root_set_has(verify->question.roots.states, verify->question.roots.count,
                                            space->state_bytes, state);
    bool nearer = false;
    const bool free_moves = (space->flags & PZ_COSTS) != 0; /* may cost nothing */
    if (is_home != (distance == 0) && !(free_moves && distance == 0))
        return contradiction(verify, "a wrong position has distance 0");
    *count = space_expand_costs(space, state, PZ_NO_TOKEN, verify->successors, verify->tokens, verify->costs);
    for (unsigned i = 0; i < *count; i++) {
        int64_t next;
        enum pz_status status =
            measure_state(verify, verify->successors + (size_t)i * space->state_bytes, &next);
        if (status != PZ_OK)
            return status;
        if (!distance_fits(verify, distance, next, verify->costs[i]))
            return contradiction(verify, "two neighbours are too far apart");
        nearer = nearer || next == distance - verify->costs[i];
    }
    const bool dead = distance > (int64_t)verify->table->depth;
    return nearer || is_home || dead || distance == 0 || !leads_home
               ? PZ_OK
               : contradiction(verify, "from a position no move leads nearer");
}

/* ---- which positions ---- */

static enum pz_status check_example(struct verify *verify, const uint8_t *canonical, uint32_t level)
{
    uint64_t state[MATCH_WORDS] = {0};
    int64_t distance;
    unsigned count;
    memcpy(state, canonical, verify->question.space->state_bytes);
    enum pz_status status = measure_state(verify, state, &distance);
    if (status == PZ_OK && distance != (int64_t)level)
        return contradiction(verify, "an example of a level is at another distance");
    return status == PZ_OK ? verify_state(verify, state, distance, &count) : status;
}

static enum pz_status check_examples(struct verify *verify)
{
    const uint32_t bytes = verify->question.space->state_bytes;
    struct store_level *levels = NULL;
    uint32_t count = 0;
    enum pz_status status = store_levels(verify->store, verify->table->job, &levels, &count, verify->error);
    if (status == PZ_OK && (count == 0 || levels[count - 1].level != verify->table->depth))
        status = contradiction(verify, "its job has another number of levels");
    for (uint32_t k = 0; k < count && status == PZ_OK; k++) {
        const uint32_t level = levels[k].level;
        struct store_examples examples;
        status = level_examples(verify->store, verify->question.space, verify->table->job, level, &examples,
                                verify->error);
        for (unsigned i = 0; i < examples.count && i < EXPLORE_EXAMPLES && status == PZ_OK; i++)
            status = check_example(verify, (const uint8_t *)examples.states + (size_t)i * bytes, level);
        free(examples.states);
    }
    free(levels);
    return status;
}

static enum pz_status walk_to_root(struct verify *verify, uint64_t seed)
{
    struct random random = {.state = seed};
    uint64_t state[MATCH_WORDS] = {0};
    enum pz_status status = PZ_OK;
    memcpy(state,
           root_set_at(verify->question.roots.states, verify->question.space->state_bytes,
                       (unsigned)(seed % verify->question.roots.count)),
           verify->question.space->state_bytes);
    for (unsigned step = 0; step < WALK_STEPS && status == PZ_OK; step++) {
        int64_t distance;
        unsigned count = 0;
        status = measure_state(verify, state, &distance);
        if (status != PZ_OK || distance == FAR)
            break;
        status = verify_state(verify, state, distance, &count);
        if (status != PZ_OK || count == 0)
            break;
        memcpy(state, verify->successors + random_below(&random, count) * verify->question.space->state_bytes,
               verify->question.space->state_bytes);
    }
    return status;
}

enum pz_status table_verify(struct store *store, const struct table_record *table, struct pz_error *error)
{
    struct verify verify = {.store = store, .table = table, .error = error};
    enum pz_status status = verify_open_question(&verify);
    const bool open = status == PZ_OK && verify.question.space != NULL;
    if (open)
        status = check_examples(&verify);
    for (uint64_t i = 0; open && i < WALKS && status == PZ_OK; i++)
        status = walk_to_root(&verify, i + 1);
    table_match_clear(&verify.match);
    table_question_clear(&verify.question);
    free(verify.successors);
    free(verify.tokens);
    free(verify.costs);
    return status;
}

struct contents {
    struct store *store;
    void (*report)(void *context, const char *fault);
    void *context;
    uint64_t *faults;
    /* Why the check could not go on: no fault of what is stored. */
    enum pz_status status;
    struct pz_error *error;
};

/* Returns true if the job is still there and ended: what it has is then not being written or removed. */
static bool has_ended(struct store *store, uint64_t id)
{
    struct job_record job;
    struct pz_error error;
    if (store_job_get(store, id, &job, &error) != PZ_OK)
        return false;
    const bool ended = job_state_ended(job.state);
    job_record_clear(&job);
    return ended;
}

/* Judges a check of what a job has. Returns true if the checks may go on. */
static bool contents_go_on(struct contents *contents, uint64_t job, enum pz_status status,
                           const struct pz_error *error)
{
    if (status_is_retryable(status)) {
        contents->status = status;
        *contents->error = *error;
        return false;
    }
    if (status == PZ_STORAGE && has_ended(contents->store, job)) {
        ++*contents->faults;
        contents->report(contents->context, error->text);
    }
    return true;
}

/* Returns how many boards a job began from, as the name of its table has them. */
static unsigned verify_roots(const struct job_record *job)
{
    struct table_question question;
    unsigned roots = 1;
    if (job->table == NULL || strchr(job->table, '+') == NULL)
        return 1;
    if (table_question_open(job->table, &question, NULL) == PZ_OK)
        roots = question.roots.count;
    table_question_clear(&question);
    return roots;
}

static bool verify_job(void *context, const struct job_record *job)
{
    struct contents *contents = context;
    const struct pz_setup setup = {0};
    struct pz_space *space = NULL;
    struct pz_error error;
    struct job_levels levels = {0};
    if (job->kind != JOB_EXPLORE || !job_state_ended(job->state) ||
        space_open(job->puzzle, &setup, &space, &error) != PZ_OK)
        return true;
    enum pz_status status =
        job_levels_read(contents->store, space, job->from, verify_roots(job), job->id, &levels, &error);
    if (status == PZ_OK)
        status = job_levels_check_examples(contents->store, space, job->id, &levels, &error);
    job_levels_clear(&levels);
    space_close(space);
    return contents_go_on(contents, job->id, status, &error);
}

static bool verify_stored_table(void *context, const struct table_record *table)
{
    struct contents *contents = context;
    struct table_question question;
    struct pz_error error;
    if (table->kind == TABLE_PATTERN || !has_ended(contents->store, table->job)) /* or a pattern database */
        return true;
    enum pz_status status = table_question_open(table->name, &question, &error);
    if (status == PZ_OK)
        status = table_tally(contents->store, table, &question, &error);
    table_question_clear(&question);
    return contents_go_on(contents, table->job, status, &error);
}

enum pz_status
contents_check(struct store *store, void (*report)(void *context, const char *fault), void *context,
               uint64_t *faults, // NOLINT(readability-non-const-parameter): contents_go_on counts in it
               struct pz_error *error)
{
    struct contents contents = {
        .store = store, .report = report, .context = context, .faults = faults, .error = error};
    struct pz_error damaged; /* store_fsck names it */
    enum pz_status status = store_jobs(store, 0, verify_job, &contents, &damaged);
    if (!status_is_retryable(status) && contents.status == PZ_OK)
        status = store_tables(store, verify_stored_table, &contents, NULL, &damaged);
    if (contents.status == PZ_OK && status_is_retryable(status)) {
        contents.status = status;
        *error = damaged;
    }
    return contents.status;
}
