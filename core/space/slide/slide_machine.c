/* SPDX-License-Identifier: MIT */
#include "space/slide/slide_machine.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- the lower bound ---- */

enum { TILES = 64 };

static bool is_tile(unsigned value)
{
    return value != BOARD_BLANK && value < TILES;
}

/* Returns how far two places of a line are apart, of a closed one the shorter way. */
static unsigned cells_apart(int from, int to, int length, bool closed)
{
    const int way = abs(from - to);
    return (unsigned)(closed && length - way < way ? length - way : way);
}

/* The goal may have walls and equal tiles. A tile counts the way to the nearest of its goal cells; with equal
 * tiles no conflicts are counted. */
static void slide_bound_init(struct slide_bound *bound, const struct grid *grid, const struct board *goal)
{
    memset(bound, 0, sizeof *bound);
    memset(bound->distance, UINT8_MAX, sizeof bound->distance);
    bound->rows = grid->rows;
    bound->columns = grid->columns;
    bound->conflicts = !grid->wraps; /* tiles of a closed line pass each other the other way round */
    uint64_t seen = 0;
    for (unsigned home = 0; home < grid->cells; home++) {
        unsigned tile = goal->tile[home];
        if (!is_tile(tile))
            continue;
        bound->conflicts = bound->conflicts && tile <= GRID_CELLS_MAX && (seen >> tile & 1) == 0;
        seen |= (uint64_t)1 << tile;
        if (tile <= GRID_CELLS_MAX) {
            bound->home_row[tile] = (uint8_t)(home / grid->columns);
            bound->home_column[tile] = (uint8_t)(home % grid->columns);
        }
        for (unsigned cell = 0; cell < grid->cells; cell++) {
            const unsigned distance = cells_apart((int)(cell / grid->columns), (int)(home / grid->columns),
                                                  grid->rows, grid->wraps) +
                                      cells_apart((int)(cell % grid->columns), (int)(home % grid->columns),
                                                  grid->columns, grid->wraps);
            if (distance < bound->distance[tile][cell])
                bound->distance[tile][cell] = (uint8_t)distance;
        }
    }
}

/* Returns how many numbers must go so that the others ascend: all but a longest ascending subsequence. */
static unsigned out_of_order(const uint8_t *number, unsigned count)
{
    uint8_t longest[GRID_CELLS_MAX];
    unsigned best = 0;
    for (unsigned i = 0; i < count; i++) {
        longest[i] = 1;
        for (unsigned j = 0; j < i; j++)
            if (number[j] < number[i] && longest[j] >= longest[i])
                longest[i] = (uint8_t)(longest[j] + 1);
        if (longest[i] > best)
            best = longest[i];
    }
    return count - best;
}

/* Counts those of a line, whose cells begin at the first one and are a step apart. across: which line each
 * tile has its home in; along: and where in it. */
static inline unsigned line_conflicts(const struct board *board, unsigned line, unsigned first, unsigned step,
                                      unsigned cells, const uint8_t *across, const uint8_t *along)
{
    uint8_t home[GRID_CELLS_MAX];
    unsigned count = 0;
    for (unsigned i = 0; i < cells; i++) {
        const unsigned tile = board->tile[first + i * step];
        if (is_tile(tile) && across[tile] == line)
            home[count++] = along[tile];
    }
    return count < 2 ? 0 : out_of_order(home, count);
}

static unsigned slide_bound_value(const struct slide_bound *bound, const struct board *board)
{
    unsigned sum = 0;
    for (unsigned cell = 0; cell < board->cells; cell++)
        if (is_tile(board->tile[cell]))
            sum += bound->distance[board->tile[cell]][cell];
    if (!bound->conflicts)
        return sum;
    for (unsigned row = 0; row < bound->rows; row++)
        sum += 2 * line_conflicts(board, row, row * bound->columns, 1, bound->columns, bound->home_row,
                                  bound->home_column);
    for (unsigned column = 0; column < bound->columns; column++)
        sum += 2 * line_conflicts(board, column, column, bound->columns, bound->rows, bound->home_column,
                                  bound->home_row);
    return sum;
}

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
    pack_board(&slide->plan, &slide->goal, slide->ends.goal);
    fill_exits(slide);
    slide_bound_init(&slide->bound, &slide->grid, &slide->goal);
    slide->ends.base.state_bytes = slide->plan.words * 8u;
    slide->ends.base.max_successors =
        slide->multi ? slide->grid.rows + slide->grid.columns - 2u : (unsigned)DIRECTION_COUNT;
    slide->ends.base.flags = PZ_REVERSIBLE | PZ_UNIQUE_GOAL | (slide->multi ? PZ_WEAK_BOUND : 0);
    /* On a closed line of odd length equal tiles can be neighbours within a level, which no token tells. */
    if (!slide->multi && !grid_is_odd_torus(&slide->grid))
        slide->ends.base.flags |= PZ_BIPARTITE | PZ_JOINED_TOKENS;
}

enum pz_answer slide_solvable(const struct pz_space *space, const void *start)
{
    const struct slide *slide = slide_of(space);
    struct board board;
    slide_unpack(space, start, &board);
    return board_reach(&slide->grid, &board, &slide->goal) == BOARD_REACHED ? PZ_YES : PZ_NO;
}

/* ---- texts ---- */

static void slide_shown(const struct pz_space *space, const void *state, struct board *board)
{
    const uint8_t *value = slide_of(space)->value;
    slide_unpack(space, state, board);
    for (unsigned cell = 0; value != NULL && cell < board->cells; cell++)
        board->tile[cell] = value[board->tile[cell]];
}

size_t slide_print(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX])
{
    struct board board;
    slide_shown(space, state, &board);
    return board_format(&slide_of(space)->grid, &board, out);
}

size_t slide_draw(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX])
{
    struct board board;
    slide_shown(space, state, &board);
    return board_draw(&slide_of(space)->grid, &board, out, PZ_TEXT_MAX);
}

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

/* ---- the search's view ---- */

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
    assert(count <= slide->ends.base.max_successors);
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

struct pz_size slide_pieces(const struct pz_space *space, const void *state, const char *path,
                            pz_put_piece *put, void *taker)
{
    struct board board;
    const unsigned columns = slide_of(space)->grid.columns;
    (void)path;
    slide_shown(space, state, &board);
    for (unsigned cell = 0; cell < board.cells; cell++) {
        const unsigned tile = board.tile[cell];
        const unsigned row = cell / columns;
        const bool wall = tile == BOARD_WALL;
        char text[16] = "#";
        char id[32];
        if (!wall)
            (void)snprintf(text, sizeof text, "%u", tile);
        (void)snprintf(id, sizeof id, "%s-%u", text, count_equal(&board, cell));
        if (tile != BOARD_BLANK)
            put(taker, &(struct pz_piece){wall ? "wall" : "tile", id, wall ? NULL : text, cell % columns, row,
                                          1, 1});
    }
    return (struct pz_size){columns, slide_of(space)->grid.rows};
}
