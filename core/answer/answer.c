/* SPDX-License-Identifier: MIT */
#include "answer/answer.h"

#include "answer/covering.h"
#include "answer/sample.h"
#include "answer/walk.h"
#include "space/registry.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COVERINGS = 8 };

struct answers {
    struct store *store;
    bool in_batch;
    uint64_t lookups; /* the clock of covering->used */
    struct covering coverings[COVERINGS];
};

enum pz_status answers_new(struct store *store, struct answers **out, struct pz_error *error)
{
    *out = calloc(1, sizeof **out);
    if (*out == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory to answer from tables");
    (*out)->store = store;
    return PZ_OK;
}

void answers_free(struct answers *answers)
{
    if (answers == NULL)
        return;
    for (unsigned i = 0; i < COVERINGS; i++)
        covering_clear(&answers->coverings[i]);
    free(answers);
}

void answers_begin(struct answers *answers)
{
    answers->in_batch = true;
}

static void release_all(struct answers *answers)
{
    for (unsigned i = 0; i < COVERINGS; i++)
        covering_release(&answers->coverings[i]);
}

void answers_end(struct answers *answers)
{
    answers->in_batch = false;
    release_all(answers);
}

/* After every answer: outside a batch nothing is held. */
static enum pz_status answered(struct answers *answers, enum pz_status status)
{
    if (!answers->in_batch)
        release_all(answers);
    return status;
}

enum pz_status answer_table_name(const struct pz_space *space, const void *root, char out[STORE_NAME_MAX],
                                 struct pz_error *error)
{
    struct pz_canon canon;
    struct pz_space *canonical;
    enum pz_status status = covering_name(space, root, &canon, &canonical, out, error);
    if (status == PZ_OK)
        space_close(canonical);
    return status;
}

/* ---- which table ---- */

/* The covering of this question, or the one that was not used for longest. */
static struct covering *place_for(struct answers *answers, const struct pz_space *space, const void *root)
{
    struct covering *place = &answers->coverings[0];
    for (unsigned i = 0; i < COVERINGS; i++) {
        struct covering *covering = &answers->coverings[i];
        if (covering_is_for(covering, space, root))
            return covering;
        if (covering->used < place->used)
            place = covering;
    }
    return place;
}

/* Names the exploration that would make the table, and what that takes where it is known. */
static enum pz_status name_missing(const struct covering *covering, const struct pz_space *space,
                                   struct pz_error *error)
{
    char cost[128] = "";
    struct explore_estimate estimate = {0};
    const struct explore_request request = {.space = covering_space(covering, space),
                                            .root = covering->canon.root,
                                            .depth = EXPLORE_NO_LIMIT,
                                            .threads = 1,
                                            .keep = KEEP_TABLE};
    if (explore_plan_ahead(&request, &estimate, NULL) == PZ_OK && estimate.states > 0)
        (void)snprintf(cost, sizeof cost, ": %" PRIu64 " states, %.1f MB of memory, %.1f MB in the database",
                       estimate.states, (double)estimate.bytes / 1e6, (double)estimate.table_bytes / 1e6);
    return pz_fail(error, PZ_NO_TABLE, "no table covers this: it takes EXPLORE %.280s%s", covering->name,
                   cost);
}

/* Finds and opens the table of the distances from root. */
static enum pz_status cover(struct answers *answers, const struct pz_space *space, const void *root,
                            struct covering **out, struct pz_error *error)
{
    struct covering *covering = place_for(answers, space, root);
    if (!covering_is_for(covering, space, root)) {
        covering_clear(covering);
        enum pz_status status = covering_init(covering, space, root, error);
        if (status != PZ_OK)
            return status;
    }
    covering->used = ++answers->lookups;
    *out = covering;
    enum pz_status status = covering_open(covering, answers->store, error);
    return status == PZ_NO_TABLE ? name_missing(covering, space, error) : status;
}

static bool one_goal(const struct pz_space *space)
{
    return (space->flags & PZ_UNIQUE_GOAL) != 0 && (space->flags & PZ_REVERSIBLE) != 0;
}

/* The root that explorations of this space begin with. */
static enum pz_status root_of(const struct pz_space *space, void *root, struct pz_error *error)
{
    if (!one_goal(space))
        return space->puzzle->root(space, root, error);
    space->puzzle->goal(space, root);
    return PZ_OK;
}

/* A table holds distances *from* its root. They are distances to the goal where the goal is the root and
 * every move can be undone; where a puzzle has no goal at all, the way to the root is what can be asked. */
static enum pz_status has_distances(const struct pz_space *space, struct pz_error *error)
{
    if ((space->flags & PZ_REVERSIBLE) == 0)
        return pz_fail(error, PZ_UNSUPPORTED,
                       "moves of %s cannot be undone: its tables tell how far a state is from the root, not "
                       "from the goal; SOLVE finds the way to the goal",
                       space->puzzle->name);
    if ((space->flags & (PZ_UNIQUE_GOAL | PZ_NO_GOAL)) == 0)
        return pz_fail(
            error, PZ_UNSUPPORTED,
            "many positions are a goal of %s: its tables tell how far a state is from the root, not "
            "from the nearest goal; SOLVE finds the way there",
            space->puzzle->name);
    return PZ_OK;
}

/* ---- how far, which way ---- */

/* The table does not hold the state: then it cannot be reached, or lies beyond what was explored. */
static void not_in_table(const struct table_record *table, struct answer *out)
{
    out->solvable = table->complete ? PZ_NO : PZ_UNKNOWN;
    out->beyond = table->complete ? 0 : table->depth;
}

static enum pz_status measure(const struct covering *covering, const struct pz_space *space,
                              const void *start, bool with_path, struct answer *out, struct pz_error *error)
{
    uint64_t state[COVERING_WORDS];
    uint32_t distance;
    covering_in(covering, space, start, state);
    if (!with_path) {
        enum pz_status status = walk_distance(covering, space, state, &distance, error);
        out->moves = status == PZ_OK ? (int64_t)distance : -1;
        return status;
    }
    struct way way;
    enum pz_status status = walk_way(covering, space, state, &way, error);
    if (status != PZ_OK)
        return status;
    out->moves = (int64_t)way.moves;
    out->path = walk_words(covering, space, &way);
    free(way.states);
    return out->path != NULL ? PZ_OK : pz_fail(error, PZ_MEMORY, "no memory for a path");
}

enum pz_status answer_distance(struct answers *answers, const struct pz_space *space, const void *start,
                               bool with_path, struct answer *out, struct pz_error *error)
{
    uint64_t root[COVERING_WORDS] = {0};
    struct covering *covering;
    *out = (struct answer){.moves = -1, .solvable = PZ_NO};
    if (one_goal(space) && space->puzzle->solvable != NULL && space->puzzle->solvable(space, start) == PZ_NO)
        return PZ_OK;
    enum pz_status status = has_distances(space, error);
    if (status == PZ_OK)
        status = root_of(space, root, error);
    if (status == PZ_OK)
        status = cover(answers, space, root, &covering, error);
    if (status != PZ_OK)
        return answered(answers, status);
    const struct table_record *table = table_view_record(covering->view);
    out->job = table->job;
    status = measure(covering, space, start, with_path, out, error);
    if (status == PZ_OK)
        out->solvable = PZ_YES;
    if (status == PZ_NO_TABLE) {
        not_in_table(table, out);
        status = PZ_OK;
    }
    return answered(answers, status);
}

/* ---- examples ---- */

/* Turns states of the table into states of the question, in place. */
static void turn_out(const struct covering *covering, const struct pz_space *space, void *states,
                     unsigned count)
{
    uint8_t *at = states;
    for (unsigned i = 0; i < count; i++, at += space->state_bytes) {
        uint64_t canonical[COVERING_WORDS];
        memcpy(canonical, at, space->state_bytes);
        covering_out(covering, space, canonical, at);
    }
}

/* 0 for a level that there is not. */
static enum pz_status level_states(struct store *store, uint64_t job, uint32_t level, uint64_t *states,
                                   struct pz_error *error)
{
    uint64_t *levels = NULL;
    uint32_t count = 0;
    *states = 0;
    enum pz_status status = store_levels(store, job, &levels, &count, error);
    if (status == PZ_OK && level < count)
        *states = levels[level];
    free(levels);
    return status;
}

enum pz_status answer_sample(struct answers *answers, const struct pz_space *space, uint32_t depth,
                             unsigned count, uint64_t seed, struct answer_states *out, struct pz_error *error)
{
    uint64_t root[COVERING_WORDS] = {0};
    struct covering *covering;
    *out = (struct answer_states){.depth = depth, .uniform = true};
    enum pz_status status = root_of(space, root, error);
    if (status == PZ_OK)
        status = cover(answers, space, root, &covering, error);
    if (status != PZ_OK)
        return answered(answers, status);
    const struct table_record *table = table_view_record(covering->view);
    struct sample sample = {.depth = depth, .count = count, .seed = seed, .state_bytes = space->state_bytes};
    const bool any = depth <= table->depth && count > 0;
    out->complete = table->complete;
    if (depth > table->depth && !table->complete)
        status = pz_fail(error, PZ_NO_TABLE, "explored to depth %u only", table->depth);
    else if (any)
        status = level_states(answers->store, table->job, depth, &out->total, error);
    if (status == PZ_STORAGE) /* a damaged record of a level: the number only helps */
        status = PZ_OK;
    if (status == PZ_OK && any)
        status = sample_take(covering, out->total, &sample, error);
    if (status == PZ_OK) {
        turn_out(covering, space, sample.states, sample.found);
        out->states = sample.states;
        out->count = sample.found;
        out->uniform = !sample.skewed;
    }
    return answered(answers, status);
}

/* The examples of a job's level, turned into the question's own orientation. */
static enum pz_status examples_of(struct answers *answers, const struct covering *covering,
                                  const struct pz_space *space, uint64_t job, uint32_t level, void **states,
                                  unsigned *found, struct pz_error *error)
{
    unsigned state_bytes;
    enum pz_status status = store_examples(answers->store, job, level, states, found, &state_bytes, error);
    if (status == PZ_OK && *found > 0 && state_bytes != space->state_bytes) {
        free(*states);
        *states = NULL;
        *found = 0;
        return pz_fail(error, PZ_STORAGE, "the examples have %u bytes a state, the puzzle %u", state_bytes,
                       space->state_bytes);
    }
    if (status == PZ_OK)
        turn_out(covering, space, *states, *found);
    return status;
}

enum pz_status answer_deepest(struct answers *answers, const struct pz_space *space,
                              struct answer_states *out, struct pz_error *error)
{
    uint64_t root[COVERING_WORDS] = {0};
    struct covering *covering;
    *out = (struct answer_states){.uniform = true};
    enum pz_status status = root_of(space, root, error);
    if (status == PZ_OK)
        status = cover(answers, space, root, &covering, error);
    if (status != PZ_OK)
        return answered(answers, status);
    const struct table_record *table = table_view_record(covering->view);
    out->depth = table->depth;
    out->complete = table->complete;
    status = level_states(answers->store, table->job, table->depth, &out->total, error);
    if (status == PZ_OK)
        status =
            examples_of(answers, covering, space, table->job, table->depth, &out->states, &out->count, error);
    return answered(answers, status);
}

enum pz_status answer_examples(struct answers *answers, const struct pz_space *space, const void *root,
                               uint64_t job, uint32_t level, void **states, unsigned *found,
                               struct pz_error *error)
{
    struct covering covering;
    *states = NULL;
    *found = 0;
    enum pz_status status = covering_init(&covering, space, root, error);
    if (status != PZ_OK)
        return status;
    status = examples_of(answers, &covering, space, job, level, states, found, error);
    covering_clear(&covering);
    return status;
}
