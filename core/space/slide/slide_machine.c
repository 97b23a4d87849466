/* SPDX-License-Identifier: MIT */
#include "space/slide/slide_machine.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- making one ---- */

static void fill_exits(struct slide *slide)
{
    for (unsigned cell = 0; cell < slide->grid.cells; cell++) {
        for (unsigned back = 0; back < SLIDE_WAYS; back++) {
            uint8_t count = 0;
            for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
                uint8_t to = slide->grid.neighbour[cell][d];
                const unsigned inverse = 1u << direction_inverse((enum direction)d);
                const uint8_t token = (uint8_t)(slide->multi ? inverse | 1u << d : inverse);
                if ((back >> d & 1u) == 0 && to != GRID_NO_CELL)
                    slide->exits[cell][back][count++] = (struct slide_exit){to, token, (uint8_t)d};
            }
            slide->exit_count[cell][back] = count;
        }
    }
}

void slide_finish(struct slide *slide)
{
    pack_plan_init(&slide->plan, slide->grid.cells);
    pack_board(&slide->plan, &slide->goal, slide->goal_state);
    fill_exits(slide);
    slide_bound_init(&slide->bound, &slide->grid, &slide->goal);
    slide->base.state_bytes = slide->plan.words * 8u;
    slide->base.max_successors =
        slide->multi ? slide->grid.rows + slide->grid.columns - 2u : (unsigned)DIRECTION_COUNT;
    slide->base.flags = PZ_REVERSIBLE | PZ_UNIQUE_GOAL | (slide->multi ? PZ_WEAK_BOUND : PZ_JOINED_TOKENS);
    if (!slide->multi && !grid_is_odd_torus(&slide->grid))
        slide->base.flags |= PZ_BIPARTITE;
}

void slide_close(struct pz_space *space)
{
    free(space);
}

/* ---- the search's view ---- */

size_t slide_describe(const struct pz_space *space, const void *from, const void *to, char out[PZ_TEXT_MAX])
{
    struct board before;
    struct board after;
    slide_unpack(space, from, &before);
    slide_unpack(space, to, &after);
    const struct slide *slide = slide_of(space);
    const unsigned target = board_blank(&after);
    out[0] = '\0';
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        unsigned cells = 1;
        unsigned cell = slide->grid.neighbour[board_blank(&before)][d];
        for (; slide->multi && cell != target && cell != GRID_NO_CELL; cells++)
            cell = slide->grid.neighbour[cell][d];
        if (cell == target)
            return (size_t)snprintf(out, PZ_TEXT_MAX, cells > 1 ? "%c%u" : "%c",
                                    direction_letter((enum direction)d), cells);
    }
    return 0;
}

enum pz_status slide_root(const struct pz_space *space, void *state, struct pz_error *error)
{
    (void)error;
    memcpy(state, slide_of(space)->goal_state, space->state_bytes);
    return PZ_OK;
}

void slide_goal(const struct pz_space *space, void *state)
{
    memcpy(state, slide_of(space)->goal_state, space->state_bytes);
}

bool slide_is_goal(const struct pz_space *space, const void *state)
{
    return memcmp(state, slide_of(space)->goal_state, space->state_bytes) == 0;
}

/* Returns the index of the lowest zero nibble of a word that has one. Borrows only run upwards, so the lowest
 * is exact. */
static unsigned lowest_zero_nibble(uint64_t word)
{
    uint64_t zeros = (word - 0x1111111111111111u) & ~word & 0x8888888888888888u;
    return (unsigned)__builtin_ctzll(zeros) / 4;
}

/* Expands a state of one word. With fewer than 16 cells the unused nibbles are zero, too, but the blank's is
 * below them. */
static unsigned expand_word(const struct slide *slide, uint64_t state, unsigned back, uint64_t *out,
                            uint8_t *tokens)
{
    unsigned blank = lowest_zero_nibble(state);
    unsigned count = slide->exit_count[blank][back];
    const struct slide_exit *exit = slide->exits[blank][back];
    for (unsigned i = 0; i < count; i++) {
        unsigned from = exit[i].cell * 4u;
        uint64_t tile = state >> from & 15u;
        out[i] = state ^ tile << from ^ tile << (blank * 4u);
        tokens[i] = exit[i].token;
    }
    return count;
}

static unsigned find_blank(const struct pack_plan *plan, const uint64_t *state)
{
    unsigned cell = 0;
    while (pack_get(plan, state, cell) != BOARD_BLANK)
        cell++;
    return cell;
}

static unsigned expand_words(const struct slide *slide, const uint64_t *state, unsigned back, uint64_t *out,
                             uint8_t *tokens)
{
    const struct pack_plan *plan = &slide->plan;
    unsigned blank = find_blank(plan, state);
    unsigned count = slide->exit_count[blank][back];
    const struct slide_exit *exit = slide->exits[blank][back];
    for (unsigned i = 0; i < count; i++, out += plan->words) {
        memcpy(out, state, plan->words * sizeof *out);
        unsigned tile = pack_get(plan, state, exit[i].cell);
        pack_toggle(plan, out, exit[i].cell, tile);
        pack_toggle(plan, out, blank, tile);
        tokens[i] = exit[i].token;
    }
    return count;
}

/* Expands a state by moves of several tiles: in each direction, from successor to successor. */
static unsigned expand_lines(const struct slide *slide, const uint64_t *state, unsigned back, uint64_t *out,
                             uint8_t *tokens)
{
    const struct pack_plan *plan = &slide->plan;
    const unsigned home = plan->words == 1 ? lowest_zero_nibble(*state) : find_blank(plan, state);
    unsigned count = 0;
    for (unsigned i = 0; i < slide->exit_count[home][back]; i++) {
        const struct slide_exit *exit = &slide->exits[home][back][i];
        const uint64_t *from = state;
        unsigned blank = home;
        for (unsigned cell = exit->cell; cell != GRID_NO_CELL;
             cell = slide->grid.neighbour[cell][exit->way]) {
            const unsigned tile = pack_get(plan, from, cell);
            memcpy(out, from, plan->words * sizeof *out);
            pack_toggle(plan, out, cell, tile);
            pack_toggle(plan, out, blank, tile);
            tokens[count++] = exit->token;
            from = out;
            out += plan->words;
            blank = cell;
        }
    }
    assert(count <= slide->base.max_successors);
    return count;
}

unsigned slide_expand(const struct pz_space *space, const void *state, uint8_t came_by, void *successors,
                      uint8_t *tokens)
{
    const struct slide *slide = slide_of(space);
    const uint64_t *words = state;
    unsigned back = came_by == PZ_NO_TOKEN ? 0 : came_by & (SLIDE_WAYS - 1u);
    if (slide->multi)
        return expand_lines(slide, words, back, successors, tokens);
    if (slide->plan.words == 1)
        return expand_word(slide, words[0], back, successors, tokens);
    return expand_words(slide, words, back, successors, tokens);
}

unsigned slide_heuristic(const struct pz_space *space, const void *state)
{
    struct board board;
    const struct slide *slide = slide_of(space);
    slide_unpack(space, state, &board);
    const unsigned steps = slide_bound_value(&slide->bound, &board);
    if (!slide->multi)
        return steps;
    const unsigned side = slide->grid.rows > slide->grid.columns ? slide->grid.rows : slide->grid.columns;
    return (steps + side - 2u) / (side - 1u); /* a move takes side - 1 steps at most */
}

/* ---- pieces ---- */

/* Returns how many cells up to this one hold the same tile. */
static unsigned count_equal(const struct board *board, unsigned cell)
{
    unsigned equal = 0;
    for (unsigned i = 0; i <= cell; i++)
        equal += board->tile[i] == board->tile[cell];
    return equal;
}

struct pz_size slide_put_board(const struct grid *grid, const struct board *board, pz_put_piece *put,
                               void *taker)
{
    for (unsigned cell = 0; cell < board->cells; cell++) {
        const unsigned tile = board->tile[cell];
        const unsigned row = cell / grid->columns;
        const bool wall = tile == BOARD_WALL;
        char text[16] = "#";
        char id[32];
        if (!wall)
            (void)snprintf(text, sizeof text, "%u", tile);
        (void)snprintf(id, sizeof id, "%s-%u", text, count_equal(board, cell));
        if (tile != BOARD_BLANK)
            put(taker, &(struct pz_piece){wall ? "wall" : "tile", id, wall ? NULL : text,
                                          cell % grid->columns, row, 1, 1});
    }
    return (struct pz_size){grid->columns, grid->rows};
}
