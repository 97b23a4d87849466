/* SPDX-License-Identifier: MIT */
#include "solve/bounds/named_bound.h"

#include "base/table/state_table.h"
#include "solve/solver.h"

#include <assert.h>
#include <stdlib.h>
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
    .goal = goal_space_goal,
    .is_goal = goal_space_is_goal,
    .heuristic = walking_bound,
};

static unsigned walking_line_of(const struct walking *walking, unsigned cell)
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
        unsigned line = walking_line_of(walking, cell);
        if (board->tile[cell] == BOARD_BLANK)
            change(counts, lines * lines, line);
        else
            change(counts, line * lines + walking->home[board->tile[cell]], 1);
    }
    memcpy(state, counts, walking->ends.base.state_bytes);
}

bool walking_init(struct walking *walking, const struct grid *grid, const struct board *goal,
                  enum walking_axis axis)
{
    assert(goal->cells == grid->cells);
    unsigned lines = axis == WALKING_ROWS ? grid->rows : grid->columns;
    if (lines > LINES_MAX || grid->cells / lines > LINE_CELLS_MAX)
        return false;
    *walking = (struct walking){.grid = grid, .axis = axis, .lines = lines};
    unsigned counts = lines * lines + 1;
    walking->ends.base.puzzle = &walking_puzzle;
    walking->ends.base.state_bytes = counts <= COUNTS ? 8 : counts <= 2 * COUNTS ? 16 : 32;
    walking->ends.base.max_successors = 2 * lines;
    walking->ends.base.flags = PZ_REVERSIBLE | PZ_UNIQUE_GOAL | PZ_BIPARTITE;
    for (unsigned cell = 0; cell < grid->cells; cell++)
        walking->home[goal->tile[cell]] = (uint8_t)walking_line_of(walking, cell);
    walking_state(walking, goal, walking->ends.goal);
    return true;
}

/* ---- distances ---- */

static enum pz_status axis_distance(const struct walking *walking, const struct board *board,
                                    struct budget *budget, unsigned *distance, struct pz_error *error)
{
    uint64_t start[PZ_STATE_MAX / 8];
    struct control control = {0};
    struct solve_result result = {0};
    walking_state(walking, board, start);
    const struct solve_request request = {
        .space = &walking->ends.base, .start = start, .method = METHOD_ASTAR, .threads = 1, .budget = budget};
    enum pz_status status = astar_run(&request, &control, &result, error);
    if (status != PZ_OK)
        return status;
    bool solved = result.solvable == PZ_YES;
    *distance += solved ? (unsigned)result.moves : 0;
    free(result.path);
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

/* ---- all distances ---- */

struct walking_table {
    struct walking axis[2];
    struct state_table states[2]; /* of own: the distances, 16 bits each */
};

static uint16_t *walked_distances(const struct state_table *states)
{
    return (uint16_t *)(void *)states->own;
}

/* Adds the successors of a state that are new. */
static enum pz_status add_walked(const struct pz_space *space, struct state_table *states, uint32_t number,
                                 struct pz_error *error)
{
    uint64_t successors[2 * LINES_MAX * PZ_STATE_MAX / 8];
    uint8_t tokens[2 * LINES_MAX];
    const unsigned found =
        walking_expand(space, state_table_at(states, number), PZ_NO_TOKEN, successors, tokens);
    for (unsigned i = 0; i < found; i++) {
        const uint32_t count = states->count;
        const uint32_t next =
            state_table_add(states, (const uint8_t *)successors + i * (size_t)space->state_bytes);
        if (next == STATE_TABLE_NONE)
            return pz_fail(error, PZ_MEMORY, "no memory for the walking distances");
        if (next == count)
            walked_distances(states)[next] = (uint16_t)(walked_distances(states)[number] + 1);
    }
    return PZ_OK;
}

/* Numbers the states in the order of their distances. */
static enum pz_status walk_axis(const struct walking *walking, struct state_table *states,
                                const struct control *control, struct pz_error *error)
{
    enum { POLL_STATES = 4096 };
    enum pz_status status = PZ_OK;
    if (state_table_add(states, walking->ends.goal) == STATE_TABLE_NONE)
        return pz_fail(error, PZ_MEMORY, "no memory for the walking distances");
    for (uint32_t number = 0; number < states->count && status == PZ_OK; number++) {
        if (states->count > WALKING_STATES_MAX)
            return pz_fail(error, PZ_UNSUPPORTED,
                           "the walking distance of %ux%u has more than %d states: too many for a search",
                           walking->grid->rows, walking->grid->columns, WALKING_STATES_MAX);
        status = add_walked(&walking->ends.base, states, number, error);
        if (status == PZ_OK && number % POLL_STATES == 0)
            status = control_poll(control);
    }
    return status;
}

enum pz_status walking_table_new(const struct grid *grid, const struct board *goal, struct budget *budget,
                                 const struct control *control, struct walking_table **out,
                                 struct pz_error *error)
{
    struct walking_table *table = calloc(1, sizeof *table);
    if (table == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for the walking distances");
    enum pz_status status = PZ_OK;
    for (unsigned i = 0; i < 2 && status == PZ_OK; i++) {
        if (!walking_init(&table->axis[i], grid, goal, i == 0 ? WALKING_ROWS : WALKING_COLUMNS))
            status = pz_fail(error, PZ_UNSUPPORTED, "no walking distance for boards so long");
        else if (!state_table_init(&table->states[i], budget, table->axis[i].ends.base.state_bytes,
                                   sizeof(uint16_t)))
            status = pz_fail(error, PZ_MEMORY, "no memory for the walking distances");
        else
            status = walk_axis(&table->axis[i], &table->states[i], control, error);
    }
    if (status != PZ_OK) {
        walking_table_free(table);
        return status;
    }
    *out = table;
    return PZ_OK;
}

void walking_table_free(struct walking_table *table)
{
    if (table == NULL)
        return;
    for (unsigned i = 0; i < 2; i++)
        state_table_clear(&table->states[i]);
    free(table);
}

unsigned walking_table_value(const struct walking_table *table, const struct board *board)
{
    assert(board->cells == table->axis[0].grid->cells);
    unsigned sum = 0;
    for (unsigned i = 0; i < 2; i++) {
        uint64_t state[PZ_STATE_MAX / 8];
        walking_state(&table->axis[i], board, state);
        sum += walked_distances(&table->states[i])[state_table_find(&table->states[i], state)];
    }
    return sum;
}
