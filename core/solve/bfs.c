/* SPDX-License-Identifier: MIT */
#include "solve/solver.h"

#include <stdlib.h>
#include <string.h>

enum { FORWARD, BACKWARD };

struct sides {
    const struct solve_request *request;
    struct monitor monitor;
    struct searchers searchers;
    struct search *search[2];     /* BACKWARD: NULL for a search from the start alone … */
    uint64_t goal[KEY_WORDS_MAX]; /* … and then the key of the only goal, where there is one */
};

/* Reverses the order of states in place. */
static void reverse(uint8_t *states, uint32_t count, size_t size)
{
    uint8_t kept[PZ_STATE_MAX];
    for (uint32_t i = 0, j = count - 1; i < j; i++, j--) {
        memcpy(kept, states + i * size, size);
        memcpy(states + i * size, states + j * size, size);
        memcpy(states + j * size, kept, size);
    }
}

/* Writes start … meeting from the forward set, then meeting … goal from the backward one. */
static enum pz_status join_paths(struct sides *sides, const uint64_t *meeting, const uint32_t levels[2],
                                 uint8_t *path, struct pz_error *error)
{
    const struct pz_space *space = sides->request->space;
    size_t size = space->state_bytes;
    uint8_t *second = path + levels[FORWARD] * size;
    struct path_request request = {.search = sides->search[BACKWARD],
                                   .space = space,
                                   .key = meeting,
                                   .level = levels[BACKWARD],
                                   .control = sides->monitor.control,
                                   .budget = sides->request->budget};
    enum pz_status status = levels[BACKWARD] > 0 ? path_trace(&request, second, error) : PZ_OK;
    if (status != PZ_OK)
        return status;
    if (levels[BACKWARD] > 0)
        reverse(second, levels[BACKWARD] + 1, size);
    request.search = sides->search[FORWARD];
    request.level = levels[FORWARD];
    return path_trace(&request, path, error);
}

static enum pz_status take_path(struct sides *sides, const uint64_t *meeting, const uint32_t levels[2],
                                struct solve_result *result, struct pz_error *error)
{
    uint32_t moves = levels[FORWARD] + levels[BACKWARD];
    uint8_t *path = malloc((moves + 1) * (size_t)sides->request->space->state_bytes);
    if (path == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a path of %u moves", moves);
    enum pz_status status = join_paths(sides, meeting, levels, path, error);
    if (status != PZ_OK) {
        free(path);
        result->at_least = moves;
        return status == PZ_LIMIT ? ending_stopped(result, STOP_TIME, moves) : status;
    }
    ending_solved(result, moves, path);
    return PZ_OK;
}

/* Makes one more level: from the start until it has a goal, or of the side whose frontier is smaller. */
static enum halt advance_side(struct sides *sides, unsigned *side, uint64_t *meeting)
{
    struct search **search = sides->search;
    const bool any_goal = (sides->request->space->flags & PZ_UNIQUE_GOAL) == 0;
    struct search_step step = {.any_goal = any_goal, .goal = any_goal ? NULL : sides->goal};
    *side = FORWARD;
    if (search[BACKWARD] != NULL) {
        *side = search_frontier(search[FORWARD]) <= search_frontier(search[BACKWARD]) ? FORWARD : BACKWARD;
        step = (struct search_step){.other = search[!*side], .states_before = search_states(search[!*side])};
    }
    return search_advance(search[*side], &sides->monitor, &step, meeting);
}

/*
 * Why the first meeting gives a shortest path. Let a and b be the complete levels of the two sides. No
 * meeting so far means that every solution is longer than a + b: a solution of length l <= a + b would pass a
 * state at distance min(a, l) from the start, which both sides have, and whichever side came second would
 * have met it there. A meeting while level a + 1 is made joins a state of that level to one of the other
 * side's level b (a nearer one would make a solution of a + b or fewer): a + 1 + b moves, as few as can be.
 * The classic mistake, to stop at the first meeting in the middle of levels of *both* sides, cannot happen,
 * since only one side is ever between levels.
 */

static enum pz_status search_sides(struct sides *sides, struct solve_result *result, struct pz_error *error)
{
    uint64_t meeting[KEY_WORDS_MAX];
    uint32_t levels[2] = {0};
    enum halt halt = HALT_NONE;
    unsigned side = FORWARD;
    bool more = true;
    while (halt == HALT_NONE && more) {
        halt = advance_side(sides, &side, meeting);
        /* A side without a frontier has visited all it can reach, and has not met the other. */
        for (unsigned i = FORWARD; i <= BACKWARD; i++)
            more &= sides->search[i] == NULL || search_frontier(sides->search[i]) > 0;
    }
    result->expanded = result->generated = 0;
    for (unsigned i = FORWARD; i <= BACKWARD && sides->search[i] != NULL; i++) {
        levels[i] = search_level(sides->search[i]);
        result->expanded += search_expanded(sides->search[i]);
        result->generated += search_generated(sides->search[i]);
    }
    levels[side] += halt == HALT_FOUND;
    if (halt == HALT_FOUND)
        return take_path(sides, meeting, levels, result, error);
    return ending_without(halt, (int64_t)levels[FORWARD] + levels[BACKWARD] + 1, result, error);
}

static enum pz_status run_sides(const struct solve_request *request, bool both, struct control *control,
                                struct solve_result *result, struct pz_error *error)
{
    const struct pz_space *space = request->space;
    struct sides sides = {.request = request};
    uint64_t goal[KEY_WORDS_MAX];
    const struct search_options options[2] = {{.root = request->start, .keep_all = true},
                                              {.root = goal, .keep_all = true}};
    monitor_init(&sides.monitor, control, request->budget, "search");
    enum pz_status status = searchers_init(&sides.searchers, space, request->threads, request->budget,
                                           search_chunk_bytes(space), error);
    if (status != PZ_OK)
        return status;
    if ((space->flags & PZ_UNIQUE_GOAL) != 0) {
        space->puzzle->goal(space, goal);
        mix_bytes(goal, space->state_bytes, sides.goal);
    }
    for (unsigned i = FORWARD; i <= (both ? BACKWARD : FORWARD) && status == PZ_OK; i++)
        status = search_new(&sides.searchers, &options[i], &sides.search[i], error);
    if (status == PZ_OK)
        status = search_sides(&sides, result, error);
    search_free(sides.search[FORWARD]);
    search_free(sides.search[BACKWARD]);
    searchers_clear(&sides.searchers);
    return status;
}

enum pz_status bfs_run(const struct solve_request *request, struct control *control,
                       struct solve_result *result, struct pz_error *error)
{
    return run_sides(request, false, control, result, error);
}

enum pz_status bidirectional_run(const struct solve_request *request, struct control *control,
                                 struct solve_result *result, struct pz_error *error)
{
    return run_sides(request, true, control, result, error);
}
