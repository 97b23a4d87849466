/* SPDX-License-Identifier: MIT */
#include "answer/answer.h"

#include "answer/answer_table.h"
#include "answer/verify/contents.h"
#include "base/random.h"
#include "solve/solutions.h"
#include "space/registry.h"
#include "space/slide/slide.h"
#include "space/text/tws/tws.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { SOLUTIONS_BYTES = 64 << 20 }; /* for counting solutions; a search has its job's memory */

enum pz_status answer_table_name(const struct pz_space *space, const void *roots, unsigned count,
                                 enum explore_from from, char out[STORE_NAME_MAX], struct pz_error *error)
{
    struct pz_canon canon;
    struct pz_space *canonical;
    enum pz_status status = table_match_name(space, roots, count, from, &canon, &canonical, out, error);
    if (status == PZ_OK)
        space_close(canonical);
    return status;
}

/* ---- distances and paths ---- */

/* Answers for a state that the table does not hold: it cannot be reached, or lies beyond the explored levels.
 * A table of the goals says nothing of states that its root does not reach, but the rules may: it leaves out
 * those that are seen to be lost. */
static enum pz_status not_in_table(const struct table_match *match, const struct pz_space *space,
                                   const void *start, struct answer *out, struct pz_error *error)
{
    const bool lost = space->puzzle->solvable != NULL && space->puzzle->solvable(space, start) == PZ_NO;
    const struct table_record *table = table_view_record(match->view);
    out->moves = -1;
    out->solvable = table->complete ? PZ_NO : PZ_UNKNOWN;
    out->beyond = table->complete ? 0 : table->depth;
    if (match->from != FROM_GOALS || !table->complete || lost)
        return PZ_OK;
    return pz_fail(
        error, PZ_NO_TABLE,
        "the root of %.380s does not reach this position: explore from it, and give root=", match->name);
}

/* Returns true for a dead state, whose distance in a table of the goals is beyond the last level. */
static bool is_dead(const struct table_match *match, uint32_t distance)
{
    return match->from == FROM_GOALS && distance > table_view_record(match->view)->depth;
}

/* Returns a path's moves as malloc'd text, in the question's own orientation; NULL without memory. */
static char *path_text(const struct table_match *match, const struct pz_space *space,
                       const struct table_path *path)
{
    const size_t bytes = space->state_bytes;
    assert(path->states != NULL && bytes == match->state_bytes);
    uint8_t *turned = malloc(((size_t)path->moves + 1) * bytes);
    if (turned == NULL)
        return NULL;
    for (uint32_t i = 0; i <= path->moves; i++)
        table_match_from_table(match, space, path->states + i * bytes, turned + i * bytes);
    char *text = solve_path_text(space, turned, (int64_t)path->moves);
    free(turned);
    return text;
}

static enum pz_status answer_from_match(const struct table_match *match, const struct pz_space *space,
                                        const void *start, bool with_path, struct answer *out,
                                        struct pz_error *error)
{
    uint64_t state[MATCH_WORDS];
    uint32_t distance = 0;
    assert(match->view != NULL && match->reader != NULL); /* answers_choose has opened them */
    table_match_to_table(match, space, start, state);
    enum pz_status status = with_path && match->from == FROM_ROOT
                                ? PZ_OK
                                : table_reader_distance(match->reader, state, &distance, error);
    out->solvable = PZ_YES;
    out->moves = status == PZ_OK ? (int64_t)distance : -1;
    if (status != PZ_OK || !with_path)
        return status;
    if (is_dead(match, distance))
        return PZ_OK;
    struct table_path path;
    status = table_reader_path(match->reader, state, &path, error);
    if (status != PZ_OK)
        return status;
    out->moves = (int64_t)path.moves;
    out->path = path_text(match, space, &path);
    free(path.states);
    return out->path != NULL ? PZ_OK : pz_fail(error, PZ_MEMORY, "no memory for a path");
}

/* Returns PZ_UNSUPPORTED for a space whose tables have no paths, whatever was explored. */
static enum pz_status check_paths(const struct pz_space *space, struct pz_error *error)
{
    if ((space->flags & PZ_COSTS) != 0)
        return pz_fail(error, PZ_UNSUPPORTED, "moves of %s have costs: SOLVE finds a path, no table does",
                       space->puzzle->name);
    if (tws_has_classes(space))
        return pz_fail(error, PZ_UNSUPPORTED, "symmetry=yes: classes of states have distances, no paths");
    return PZ_OK;
}

enum pz_status answer_distance(struct answers *answers, const struct pz_space *space, enum answer_from from,
                               const void *start, bool with_path, struct answer *out, struct pz_error *error)
{
    struct table_match *match;
    *out = (struct answer){.moves = -1, .solvable = PZ_NO, .to_goal = true};
    if (answers_begin_at_goal(answers, space, from) && space->puzzle->solvable != NULL &&
        space->puzzle->solvable(space, start) == PZ_NO)
        return PZ_OK;
    if (from == ANSWER_FROM_EITHER && (space->flags & PZ_NO_GOAL) == 0 &&
        (answers_begin_at_goal(answers, space, from) || !space_has_one_end(space)))
        from = ANSWER_FROM_GOALS;
    enum pz_status status = with_path ? check_paths(space, error) : PZ_OK;
    if (status == PZ_OK)
        status = answers_choose(answers, space, from, &match, error);
    if (status != PZ_OK)
        return answers_ended(answers, status);
    out->job = table_view_record(match->view)->job;
    out->table = table_view_record(match->view)->id;
    out->to_goal = answers_to_goal(match, space);
    if (with_path && match->from == FROM_ROOT && (space->flags & PZ_REVERSIBLE) == 0)
        status = pz_fail(error, PZ_UNSUPPORTED, "moves of %s cannot be undone: no path leads to the root",
                         space->puzzle->name);
    else
        status = answer_from_match(match, space, start, with_path, out, error);
    if (status == PZ_NO_TABLE)
        status = not_in_table(match, space, start, out, error);
    else if (status == PZ_OK && is_dead(match, (uint32_t)out->moves))
        *out = (struct answer){.moves = -1, .solvable = PZ_NO, .to_goal = true, .job = out->job};
    return answers_ended(answers, status);
}

/* ---- many boards ---- */

static enum pz_status answer_each_board(struct answers *answers, const struct pz_space *space,
                                        struct ranking_cursor *cursor, size_t count, uint8_t *distances,
                                        struct pz_error *error)
{
    enum pz_status status = PZ_OK;
    for (size_t i = 0; i < count && status == PZ_OK; i++) {
        uint64_t state[MATCH_WORDS] = {0};
        struct answer answer;
        slide_state(space, &cursor->board, state);
        ranking_next(cursor);
        status = answer_distance(answers, space, ANSWER_FROM_EITHER, state, false, &answer, error);
        bool known = answer.solvable == PZ_YES && answer.moves < ANSWER_FAR;
        distances[i] = known ? (uint8_t)answer.moves : ANSWER_FAR;
    }
    return status;
}

enum pz_status answer_boards(struct answers *answers, const struct pz_space *space,
                             struct ranking_cursor *cursor, uint8_t *memo, size_t count, uint8_t *distances,
                             struct pz_error *error)
{
    assert(memo == NULL || ranking_row(slide_permutation(space)) > 0);
    struct table_match *match;
    enum pz_status status = answers_choose(answers, space, ANSWER_FROM_GOALS, &match, error);
    if (status == PZ_OK && (memo == NULL || match->reader->format->boards == NULL))
        return answer_each_board(answers, space, cursor, count, distances, error);
    if (status == PZ_OK)
        status = match->reader->format->boards(match->reader, cursor, memo, count, distances, error);
    return answers_ended(answers, status);
}

/* ---- all solutions ---- */

struct distance_bound {
    const struct table_match *match;
    const struct pz_space *space;
    enum pz_status *status; /* of the lookups */
    struct pz_error *error;
};

/* Returns the exact distance of a state; UINT_MAX if the table does not hold it. */
static unsigned exact_bound(const void *context, const struct solutions_step *step)
{
    const struct distance_bound *bound = context;
    uint64_t canonical[MATCH_WORDS];
    uint32_t distance;
    table_match_to_table(bound->match, bound->space, step->state, canonical);
    enum pz_status status = table_reader_distance(bound->match->reader, canonical, &distance, bound->error);
    if (status != PZ_OK && status != PZ_NO_TABLE)
        *bound->status = status;
    return status == PZ_OK ? distance : UINT_MAX;
}

enum pz_status answer_solutions(struct answers *answers, const struct pz_space *space, const void *start,
                                int64_t moves, unsigned list, struct solutions *out, struct pz_error *error)
{
    assert(answers->in_batch && moves >= 0);
    struct table_match *match;
    struct budget budget;
    budget_init(&budget, NULL, SOLUTIONS_BYTES);
    *out = (struct solutions){0};
    enum pz_status status = answers_choose(answers, space, ANSWER_FROM_GOALS, &match, error);
    if (status != PZ_OK)
        return status;
    enum pz_status looked_up = PZ_OK;
    struct pz_error why;
    const struct distance_bound bound = {match, space, &looked_up, &why};
    const struct solutions_request request = {.space = space,
                                              .start = start,
                                              .moves = moves,
                                              .list = list,
                                              .budget = &budget,
                                              .bound = exact_bound,
                                              .context = &bound};
    status = solutions_find(&request, NULL, out, error);
    if (looked_up == PZ_OK)
        return status;
    *error = why;
    return looked_up;
}

/* ---- examples ---- */

/* Converts states of the table to states of the question, in place. */
static void turn_out(const struct table_match *match, const struct pz_space *space, void *states,
                     unsigned count)
{
    uint8_t *at = states;
    for (unsigned i = 0; i < count; i++, at += space->state_bytes) {
        uint64_t canonical[MATCH_WORDS];
        memcpy(canonical, at, space->state_bytes);
        table_match_from_table(match, space, canonical, at);
    }
}

/* Finds the number of states of a level; 0 if there is no such level. */
static enum pz_status answer_level_states(struct store *store, uint64_t job, uint32_t level, uint64_t *states,
                                          struct pz_error *error)
{
    struct store_level *levels = NULL;
    uint32_t count = 0;
    *states = 0;
    enum pz_status status = store_levels(store, job, &levels, &count, error);
    for (uint32_t i = 0; i < count && status == PZ_OK; i++)
        if (levels[i].level == level)
            *states = levels[i].states;
    free(levels);
    return status;
}

/* Reads the examples of the level out->depth, in the question's own orientation. */
static enum pz_status turned_examples(struct answers *answers, const struct table_match *match,
                                      const struct pz_space *space, struct answer_states *out,
                                      struct pz_error *error)
{
    struct store_examples examples;
    const struct table_record *table = table_view_record(match->view);
    enum pz_status status = level_examples(answers->store, table_match_space(match, space), table->job,
                                           out->depth, &examples, error);
    if (status != PZ_OK)
        return status;
    out->states = examples.states;
    out->count = examples.count;
    turn_out(match, space, out->states, out->count);
    return PZ_OK;
}

/* For a level too narrow to be hit by chance: chooses by the seed among its examples, if these are more than
 * what was found. */
static enum pz_status choose_examples(struct answers *answers, const struct table_match *match,
                                      const struct pz_space *space, const struct answer_wanted *wanted,
                                      struct answer_states *out, struct pz_error *error)
{
    struct random random = {.state = wanted->seed};
    struct answer_states examples = {.depth = out->depth};
    const size_t bytes = space->state_bytes;
    enum pz_status status = turned_examples(answers, match, space, &examples, error);
    if (status == PZ_OK && examples.count <= out->count) {
        free(examples.states);
        return PZ_OK;
    }
    free(out->states);
    out->states = NULL;
    if (status != PZ_OK)
        return status;
    uint8_t *states = examples.states;
    const unsigned count = examples.count < wanted->count ? examples.count : wanted->count;
    for (unsigned i = 0; i < count; i++) {
        uint64_t other[MATCH_WORDS];
        uint8_t *chosen = states + (i + random_below(&random, examples.count - i)) * bytes;
        memcpy(other, chosen, bytes);
        memcpy(chosen, states + i * bytes, bytes);
        memcpy(states + i * bytes, other, bytes);
    }
    out->states = states;
    out->count = count;
    out->uniform = examples.count == out->total; /* they are the level */
    return PZ_OK;
}

enum pz_status answer_sample(struct answers *answers, const struct pz_space *space,
                             const struct answer_wanted *wanted, struct answer_states *out,
                             struct pz_error *error)
{
    const uint32_t depth = wanted->depth;
    struct table_match *match;
    *out = (struct answer_states){.depth = depth, .uniform = true};
    enum pz_status status = answers_choose(answers, space, wanted->from, &match, error);
    if (status != PZ_OK)
        return answers_ended(answers, status);
    const struct table_record *table = table_view_record(match->view);
    struct table_sample sample = {.depth = depth, .count = wanted->count, .seed = wanted->seed};
    const bool any = depth <= table->depth && wanted->count > 0;
    out->complete = table->complete;
    out->to_goal = answers_to_goal(match, space);
    if (depth > table->depth && !table->complete)
        status = pz_fail(error, PZ_NO_TABLE, "table_from=%s explored to depth %u only",
                         match->from == FROM_GOALS ? "goals" : "root", table->depth);
    else if (any)
        status = answer_level_states(answers->store, table->job, depth, &out->total, error);
    if (status == PZ_STORAGE) /* a damaged record of a level: sampling goes on without the number */
        status = PZ_OK;
    sample.level_states = out->total;
    if (status == PZ_OK && any)
        status = table_reader_sample(match->reader, &sample, error);
    if (status == PZ_OK) {
        assert(sample.found <= wanted->count && (sample.states != NULL || sample.found == 0));
        turn_out(match, space, sample.states, sample.found);
        out->states = sample.states;
        out->count = sample.found;
        out->uniform = !sample.skewed;
    }
    const unsigned most = out->total < wanted->count ? (unsigned)out->total : wanted->count;
    if (status == PZ_OK && any && out->count < most) {
        out->uniform = false;
        status = choose_examples(answers, match, space, wanted, out, error);
    }
    return answers_ended(answers, status);
}

/* Finds states that cannot reach a goal. Only a complete table of the goals holds them, beyond its last
 * level.
 */
static enum pz_status dead_states(const struct table_match *match, const struct pz_space *space,
                                  unsigned count, struct answer_states *out, struct pz_error *error)
{
    struct table_sample sample = {.depth = out->depth + 1, .count = count};
    if (space_has_one_end(space))
        return pz_fail(error, PZ_UNSUPPORTED, "dead=: moves of %s can be undone, so that no board is dead",
                       space->puzzle->name);
    if (match->from != FROM_GOALS || !out->complete)
        return pz_fail(error, PZ_NO_TABLE,
                       "table_from=goals dead=: only a complete table from=goals knows dead states");
    enum pz_status status = table_reader_sample(match->reader, &sample, error);
    if (status != PZ_OK)
        return status;
    turn_out(match, space, sample.states, sample.found);
    out->states = sample.states;
    out->count = sample.found;
    out->total = sample.total;
    return PZ_OK;
}

enum pz_status answer_deepest(struct answers *answers, const struct pz_space *space, enum answer_from from,
                              unsigned dead, struct answer_states *out, struct pz_error *error)
{
    struct table_match *match;
    *out = (struct answer_states){.uniform = true};
    enum pz_status status = answers_choose(answers, space, from, &match, error);
    if (status != PZ_OK)
        return answers_ended(answers, status);
    const struct table_record *table = table_view_record(match->view);
    out->depth = table->depth;
    out->complete = table->complete;
    out->to_goal = answers_to_goal(match, space);
    if (dead > 0)
        return answers_ended(answers, dead_states(match, space, dead, out, error));
    status = answer_level_states(answers->store, table->job, table->depth, &out->total, error);
    if (status == PZ_OK)
        status = turned_examples(answers, match, space, out, error);
    return answers_ended(answers, status);
}

/* The connected components of a space, from a table whose format has them. */

static enum pz_status read_parts(struct table_reader *reader, uint64_t after, struct answer_parts *out,
                                 struct pz_error *error)
{
    enum pz_status status = PZ_OK;
    for (unsigned i = 0; i < out->count && status == PZ_OK; i++)
        status = reader->format->part(reader, after + i, &out->parts[i], error);
    return status;
}

enum pz_status answer_parts(struct answers *answers, const struct pz_space *space, enum answer_from from,
                            uint64_t after, unsigned count, struct answer_parts *out, struct pz_error *error)
{
    struct table_match *match;
    *out = (struct answer_parts){0};
    enum pz_status status = answers_choose(answers, space, from, &match, error);
    struct table_reader *reader = match->reader;
    if (status == PZ_OK && reader->format->part_count != NULL)
        out->total = reader->format->part_count(reader);
    if (status == PZ_NO_TABLE || (status == PZ_OK && out->total == 0))
        status = table_match_missing(match, space, true, error);
    if (status != PZ_OK)
        return answers_ended(answers, status);
    out->to_goal = answers_to_goal(match, space);
    const uint64_t left = after < out->total ? out->total - after : 0;
    out->count = left < count ? (unsigned)left : count;
    assert(reader->format->part != NULL);
    out->parts = calloc(out->count + 1, sizeof *out->parts);
    status = out->parts != NULL ? read_parts(reader, after, out, error)
                                : pz_fail(error, PZ_MEMORY, "no memory for the parts");
    if (status != PZ_OK) {
        free(out->parts);
        out->parts = NULL;
    }
    return answers_ended(answers, status);
}
