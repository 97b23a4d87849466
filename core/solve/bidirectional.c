/* SPDX-License-Identifier: MIT */
/*
 * Why the first meeting gives a shortest path. Let a and b be the complete levels of the two sides. No
 * meeting so far means that every solution is longer than a + b: a solution of length l <= a + b would pass a
 * state at distance min(a, l) from the start, which both sides have, and whichever side came second would
 * have met it there. A meeting while level a + 1 is made joins a state of that level to one of the other
 * side's level b (a nearer one would make a solution of a + b or fewer): a + 1 + b moves, as few as can be.
 * The classic mistake, to stop at the first meeting in the middle of levels of *both* sides, cannot happen,
 * since only one side is ever between levels.
 */
#include "solve/bidirectional.h"

#include "explore/striped/search/search.h"
#include "solve/ending.h"
#include "solve/path.h"

#include <stdlib.h>
#include <string.h>

enum { FORWARD, BACKWARD };

struct sides {
    const struct solve_request *request;
    struct monitor monitor;
    struct searchers searchers;
    struct search *search[2];
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
                                   .control = sides->monitor.control};
    enum pz_status status = path_trace(&request, second, error);
    if (status != PZ_OK)
        return status;
    reverse(second, levels[BACKWARD] + 1, size);
    request.search = sides->search[FORWARD];
    request.level = levels[FORWARD];
    return path_trace(&request, path, error);
}

static enum pz_status take_path(struct sides *sides, const uint64_t *meeting, unsigned advancing,
                                struct solve_result *result, struct pz_error *error)
{
    uint32_t levels[2] = {search_level(sides->search[FORWARD]), search_level(sides->search[BACKWARD])};
    levels[advancing]++;
    uint32_t moves = levels[FORWARD] + levels[BACKWARD];
    uint8_t *path = malloc((moves + 1) * (size_t)sides->request->space->state_bytes);
    if (path == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a path of %u moves", moves);
    enum pz_status status = join_paths(sides, meeting, levels, path, error);
    if (status != PZ_OK) {
        free(path);
        return status == PZ_LIMIT ? ending_stopped(result, STOP_TIME, moves) : status;
    }
    ending_solved(result, moves, path);
    return PZ_OK;
}

static enum pz_status bidirectional_levels(struct sides *sides, struct solve_result *result,
                                           struct pz_error *error)
{
    struct search **search = sides->search;
    uint64_t meeting[KEY_WORDS_MAX];
    enum halt halt = HALT_NONE;
    unsigned side = FORWARD;
    /* A side without a frontier has visited all it can reach, and has not met the other. */
    while (halt == HALT_NONE && search_frontier(search[FORWARD]) > 0 &&
           search_frontier(search[BACKWARD]) > 0) {
        side = search_frontier(search[FORWARD]) <= search_frontier(search[BACKWARD]) ? FORWARD : BACKWARD;
        struct search_step step = {.other = search[!side], .states_before = search_states(search[!side])};
        halt = search_advance(search[side], &sides->monitor, &step, meeting);
    }
    result->expanded = search_expanded(search[FORWARD]) + search_expanded(search[BACKWARD]);
    result->generated = search_generated(search[FORWARD]) + search_generated(search[BACKWARD]);
    if (halt == HALT_FOUND)
        return take_path(sides, meeting, side, result, error);
    int64_t finished = (int64_t)search_level(search[FORWARD]) + search_level(search[BACKWARD]);
    return ending_without(halt, finished + 1, result, error);
}

static enum pz_status start_sides(struct sides *sides, struct pz_error *error)
{
    const struct pz_space *space = sides->request->space;
    uint64_t goal[PZ_STATE_MAX / 8];
    space->puzzle->goal(space, goal);
    struct search_options forward = {.root = sides->request->start, .keep_all = true};
    struct search_options backward = {.root = goal, .keep_all = true};
    enum pz_status status = search_new(&sides->searchers, &forward, &sides->search[FORWARD], error);
    if (status == PZ_OK)
        status = search_new(&sides->searchers, &backward, &sides->search[BACKWARD], error);
    return status;
}

enum pz_status bidirectional_run(const struct solve_request *request, struct control *control,
                                 struct solve_result *result, struct pz_error *error)
{
    struct sides sides = {.request = request};
    monitor_init(&sides.monitor, control, request->budget, "search");
    enum pz_status status = searchers_init(&sides.searchers, request->space, request->threads,
                                           request->budget, search_chunk_bytes(request->space), error);
    if (status != PZ_OK)
        return status;
    status = start_sides(&sides, error);
    if (status == PZ_OK)
        status = bidirectional_levels(&sides, result, error);
    search_free(sides.search[FORWARD]);
    search_free(sides.search[BACKWARD]);
    searchers_clear(&sides.searchers);
    return status;
}
