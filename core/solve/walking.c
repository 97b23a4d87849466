/* SPDX-License-Identifier: MIT */
#include "solve/walking.h"

#include "solve/solve.h"

#include <assert.h>
#include <string.h>

enum {
    LINES_MAX = 7,
    LINE_CELLS_MAX = 15,
    COUNT_BITS = 4, /* of each count in a state; the blank's line stands behind the counts */
    COUNTS = 64 / COUNT_BITS
};

static unsigned count_at(const uint64_t *state, unsigned at)
{
    return (unsigned)(state[at / COUNTS] >> at % COUNTS * COUNT_BITS) & LINE_CELLS_MAX;
}

static void change(uint64_t *state, unsigned at, unsigned by)
{
    assert(count_at(state, at) + by <= LINE_CELLS_MAX);
    state[at / COUNTS] += (uint64_t)by << at % COUNTS * COUNT_BITS;
}

static void unchange(uint64_t *state, unsigned at, unsigned by)
{
    assert(count_at(state, at) >= by);
    state[at / COUNTS] -= (uint64_t)by << at % COUNTS * COUNT_BITS;
}

/* ---- the space ---- */

static const struct walking *walking_of(const struct pz_space *space)
{
    return (const struct walking *)space;
}

static unsigned walking_expand(const struct pz_space *space, const void *state, uint8_t came_by,
                               void *successors, uint8_t *tokens)
{
    const struct walking *walking = walking_of(space);
    uint64_t from[PZ_STATE_MAX / 8];
    unsigned count = 0;
    (void)came_by;
    memcpy(from, state, space->state_bytes);
    unsigned lines = walking->lines;
    unsigned blank = count_at(from, lines * lines);
    for (unsigned line = blank > 0 ? blank - 1 : 1; line <= blank + 1 && line < lines; line += 2) {
        for (unsigned home = 0; home < lines; home++) {
            uint64_t to[PZ_STATE_MAX / 8];
            if (count_at(from, line * lines + home) == 0)
                continue;
            memcpy(to, from, sizeof to);
            unchange(to, line * lines + home, 1);
            change(to, blank * lines + home, 1);
            unchange(to, lines * lines, blank);
            change(to, lines * lines, line);
            memcpy((uint8_t *)successors + count * (size_t)space->state_bytes, to, space->state_bytes);
            tokens[count++] = PZ_NO_TOKEN;
        }
    }
    return count;
}

static void walking_goal(const struct pz_space *space, void *state)
{
    memcpy(state, walking_of(space)->goal, space->state_bytes);
}

static bool walking_is_goal(const struct pz_space *space, const void *state)
{
    return memcmp(state, walking_of(space)->goal, space->state_bytes) == 0;
}

/* Returns Manhattan distance along the axis. */
static unsigned walking_bound(const struct pz_space *space, const void *state)
{
    const struct walking *walking = walking_of(space);
    uint64_t from[PZ_STATE_MAX / 8];
    unsigned bound = 0;
    memcpy(from, state, space->state_bytes);
    for (unsigned line = 0; line < walking->lines; line++)
        for (unsigned home = 0; home < walking->lines; home++)
            bound += count_at(from, line * walking->lines + home) * (line > home ? line - home : home - line);
    return bound;
}

static const struct pz_puzzle walking_puzzle = {
    .abi = PZ_SPACE_ABI,
    .name = "walking",
    .expand = walking_expand,
    .goal = walking_goal,
    .is_goal = walking_is_goal,
    .heuristic = walking_bound,
};

static unsigned line_of(const struct walking *walking, unsigned cell)
{
    unsigned columns = walking->grid->columns;
    return walking->axis == WALKING_ROWS ? cell / columns : cell % columns;
}

/* Writes the state of a board. */
static void walking_state(const struct walking *walking, const struct board *board, void *state)
{
    uint64_t counts[PZ_STATE_MAX / 8] = {0};
    unsigned lines = walking->lines;
    for (unsigned cell = 0; cell < board->cells; cell++) {
        unsigned line = line_of(walking, cell);
        if (board->tile[cell] == BOARD_BLANK)
            change(counts, lines * lines, line);
        else
            change(counts, line * lines + walking->home[board->tile[cell]], 1);
    }
    memcpy(state, counts, walking->base.state_bytes);
}

bool walking_init(struct walking *walking, const struct grid *grid, const struct board *goal,
                  enum walking_axis axis)
{
    unsigned lines = axis == WALKING_ROWS ? grid->rows : grid->columns;
    if (lines > LINES_MAX || grid->cells / lines > LINE_CELLS_MAX)
        return false;
    *walking = (struct walking){.grid = grid, .axis = axis, .lines = lines};
    unsigned counts = lines * lines + 1;
    walking->base.puzzle = &walking_puzzle;
    walking->base.state_bytes = counts <= COUNTS ? 8 : counts <= 2 * COUNTS ? 16 : 32;
    walking->base.max_successors = 2 * lines;
    walking->base.flags = PZ_REVERSIBLE | PZ_UNIQUE_GOAL | PZ_BIPARTITE;
    for (unsigned cell = 0; cell < grid->cells; cell++)
        walking->home[goal->tile[cell]] = (uint8_t)line_of(walking, cell);
    walking_state(walking, goal, walking->goal);
    return true;
}

/* ---- distances ---- */

static enum pz_status axis_distance(const struct walking *walking, const struct board *board,
                                    struct budget *budget, unsigned *distance, struct pz_error *error)
{
    uint64_t start[PZ_STATE_MAX / 8];
    struct control control = {0};
    struct solve_result result;
    walking_state(walking, board, start);
    const struct solve_request request = {
        .space = &walking->base, .start = start, .method = METHOD_ASTAR, .threads = 1, .budget = budget};
    enum pz_status status = solve_run(&request, &control, &result, error);
    if (status != PZ_OK)
        return status;
    bool solved = result.solvable == PZ_YES;
    *distance += solved ? (unsigned)result.moves : 0;
    solve_result_free(&result);
    return solved ? PZ_OK : pz_fail(error, PZ_MEMORY, "no memory for a walking distance");
}

enum pz_status walking_distance(const struct grid *grid, const struct board *goal, const struct board *board,
                                struct budget *budget, unsigned *distance, struct pz_error *error)
{
    struct walking rows;
    struct walking columns;
    *distance = 0;
    if (!walking_init(&rows, grid, goal, WALKING_ROWS) ||
        !walking_init(&columns, grid, goal, WALKING_COLUMNS))
        return pz_fail(error, PZ_UNSUPPORTED, "no walking distance for boards so long");
    enum pz_status status = axis_distance(&rows, board, budget, distance, error);
    return status == PZ_OK ? axis_distance(&columns, board, budget, distance, error) : status;
}
