/* SPDX-License-Identifier: MIT */
/*
 * Klotski's rules. There are two metrics: a *step* moves one block by one cell, a *move* takes one block
 * along any path. Moves are found by a search over the places of that block. To the engines a move is a
 * successor like any other, and levels count moves.
 *
 * Tokens. Of a step: the first cell of the block that moved and the way back, cell × 4 + direction; that one
 * successor is left out. Of a move: the first cell of the block that moved; no successor moves that block
 * again, because it could have got there in one move.
 */
#include "space/klotski/klotski.h"

#include "space/options.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- the search's view ---- */

struct block {
    uint8_t cell;
    uint8_t kind;
};

/* Lists the blocks of a state in the order of their first cells. *occupied: the cells of blocks and walls. */
static unsigned list_blocks(const struct klotski *klotski, const uint64_t *state,
                            struct block blocks[KLOTSKI_BLOCKS_MAX], uint64_t *occupied)
{
    uint64_t mask = (UINT64_C(1) << klotski->bits) - 1;
    unsigned count = 0;
    *occupied = klotski->walls;
    for (unsigned word = 0; word < klotski->base.state_bytes / 8; word++) {
        for (uint64_t rest = state[word]; rest != 0;) {
            unsigned field = klotski->field_of_bit[__builtin_ctzll(rest)];
            unsigned shift = field * klotski->bits;
            unsigned kind = (unsigned)(rest >> shift & mask) - 1;
            unsigned cell = word * klotski->per_word + field;
            assert(kind < klotski->kinds && cell < klotski->cells && count < KLOTSKI_BLOCKS_MAX);
            rest &= ~(mask << shift);
            blocks[count++] = (struct block){(uint8_t)cell, (uint8_t)kind};
            *occupied |= klotski->kind[kind].at[cell];
        }
    }
    return count;
}

/* Writes one more successor: the block goes from its cell to another. */
static uint64_t *emit(const struct klotski *klotski, const uint64_t *state, struct block block, unsigned to,
                      uint64_t *out)
{
    memcpy(out, state, klotski->base.state_bytes);
    klotski_toggle(klotski, out, block.cell, block.kind + 1u);
    klotski_toggle(klotski, out, to, block.kind + 1u);
    return out + klotski->base.state_bytes / 8;
}

static unsigned expand_steps(const struct klotski *klotski, const uint64_t *state, uint8_t came_by,
                             uint64_t *out, uint8_t *tokens)
{
    struct block blocks[KLOTSKI_BLOCKS_MAX];
    uint64_t occupied;
    unsigned count = list_blocks(klotski, state, blocks, &occupied);
    unsigned found = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct klotski_kind *kind = &klotski->kind[blocks[i].kind];
        const uint8_t *step = kind->step[blocks[i].cell];
        uint64_t others = occupied & ~kind->at[blocks[i].cell];
        for (unsigned d = 0; d < 4; d++) {
            if (step[d] == KLOTSKI_NO_CELL || (kind->at[step[d]] & others) != 0 ||
                blocks[i].cell * 4u + d == came_by)
                continue;
            out = emit(klotski, state, blocks[i], step[d], out);
            tokens[found++] = (uint8_t)(step[d] * 4u + (d ^ 1u));
        }
    }
    assert(found <= klotski->base.max_successors);
    return found;
}

/* Returns the first cells that one block can reach by itself from a cell, that cell included. occupied: by
 * walls and the other blocks. */
static uint64_t klotski_reach(const struct klotski_kind *kind, unsigned cell, uint64_t occupied)
{
    uint64_t fits = kind->places;
    for (uint64_t rest = kind->shape >> __builtin_ctzll(kind->shape); rest != 0; rest &= rest - 1)
        fits &= ~(occupied >> __builtin_ctzll(rest));
    uint64_t reached = UINT64_C(1) << cell;
    for (uint64_t before = 0; before != reached;) {
        before = reached;
        reached |= fits & ((before & kind->to_left) >> 1 | (before & kind->to_right) << 1 |
                           before << kind->row_shift | before >> kind->row_shift);
    }
    return reached;
}

static unsigned expand_moves(const struct klotski *klotski, const uint64_t *state, uint8_t came_by,
                             uint64_t *out, uint8_t *tokens)
{
    struct block blocks[KLOTSKI_BLOCKS_MAX];
    uint64_t occupied;
    unsigned count = list_blocks(klotski, state, blocks, &occupied);
    unsigned found = 0;
    for (unsigned i = 0; i < count; i++) {
        if (blocks[i].cell == came_by)
            continue;
        const struct klotski_kind *kind = &klotski->kind[blocks[i].kind];
        uint64_t others = occupied & ~kind->at[blocks[i].cell];
        uint64_t places = klotski_reach(kind, blocks[i].cell, others) & ~(UINT64_C(1) << blocks[i].cell);
        for (; places != 0; places &= places - 1) {
            unsigned to = (unsigned)__builtin_ctzll(places);
            out = emit(klotski, state, blocks[i], to, out);
            tokens[found++] = (uint8_t)to;
        }
    }
    assert(found <= klotski->base.max_successors);
    return found;
}

unsigned klotski_expand(const struct pz_space *space, const void *state, uint8_t came_by, void *successors,
                        uint8_t *tokens)
{
    const struct klotski *klotski = klotski_of(space);
    return klotski->steps ? expand_steps(klotski, state, came_by, successors, tokens)
                          : expand_moves(klotski, state, came_by, successors, tokens);
}

bool klotski_is_goal(const struct pz_space *space, const void *state)
{
    const struct klotski *klotski = klotski_of(space);
    for (unsigned i = 0; i < klotski->goals; i++)
        if (klotski_get(klotski, state, klotski->goal[i].cell) != klotski->goal[i].kind + 1u)
            return false;
    return klotski->goals > 0;
}

enum pz_status klotski_root(const struct pz_space *space, void *state, struct pz_error *error)
{
    (void)error;
    memcpy(state, klotski_of(space)->start, space->state_bytes);
    return PZ_OK;
}

/* Returns true if no block leaves the board or lies on another one, and there are as many of each kind as the
 * puzzle has. */
bool klotski_valid(const struct pz_space *space, const void *state)
{
    const struct klotski *klotski = klotski_of(space);
    unsigned counts[KLOTSKI_KINDS_MAX] = {0};
    uint64_t again[PZ_STATE_MAX / 8] = {0};
    uint64_t occupied = klotski->walls;
    for (unsigned cell = 0; cell < klotski->cells; cell++) {
        const unsigned code = klotski_get(klotski, state, cell);
        const uint64_t cells = code == 0 || code > klotski->kinds ? 0 : klotski->kind[code - 1].at[cell];
        if (code == 0)
            continue;
        if (cells == 0 || (cells & occupied) != 0)
            return false;
        occupied |= cells;
        counts[code - 1]++;
        klotski_toggle(klotski, again, cell, code);
    }
    for (unsigned i = 0; i < klotski->kinds; i++)
        if (counts[i] < klotski->kind[i].least || counts[i] > klotski->kind[i].count)
            return false;
    const unsigned empty = klotski->cells - (unsigned)__builtin_popcountll(occupied);
    return memcmp(again, state, space->state_bytes) == 0 && (klotski->numbers == NULL || empty >= 2);
}

/* ---- making one ---- */

static const char *const klotski_keys[] = {"metric", "rows", NULL};

/* Returns true for a row of small letters alone, which is a layout's name with a slip in it: a board of one
 * row has an empty cell, or its name is written in capital letters. */
static bool is_klotski_word(const char *head)
{
    return head[strspn(head, "abcdefghijklmnopqrstuvwxyz")] == '\0';
}

static enum pz_status no_layout(const char *name, struct pz_error *error)
{
    const char *near = klotski_layout_near(name);
    return pz_fail(error, PZ_BAD_PUZZLE, "no layout is named '%.60s'%s%s%s", name,
                   near != NULL ? "; did you mean "
                                : "; docs/puzzles.md lists them (横刀立马 …), or give start=",
                   near != NULL ? near : "", near != NULL ? "?" : "");
}

/* Finds the first board: the layout, by name or as text, or else the start. A word that names no layout may
 * be a board of one row. */
static enum pz_status find_board(const struct space_options *options, const struct pz_setup *setup,
                                 const char **board, struct pz_error *error)
{
    if (strcmp(options->head, KLOTSKI_FAMILY) == 0) {
        *board = klotski_family_board(space_option(options, "rows"));
        return *board != NULL ? PZ_OK : pz_fail(error, PZ_BAD_PUZZLE, "rows= is out of range (3 to 5)");
    }
    if (space_option(options, "rows") != NULL)
        return pz_fail(error, PZ_BAD_REQUEST, "rows=: only klotski:" KLOTSKI_FAMILY " has it");
    *board = *options->head != '\0' ? klotski_layout(options->head) : setup->start;
    if (*board == NULL && (strchr(options->head, '/') != NULL ||
                           (!is_klotski_word(options->head) && klotski_is_board(options->head))))
        *board = options->head;
    if (*board != NULL)
        return PZ_OK;
    if (*options->head != '\0')
        return no_layout(options->head, error);
    return pz_fail(error, PZ_BAD_REQUEST, "klotski needs a layout: klotski:横刀立马, or start=BOARD");
}

/* Writes the size: "HAAI/HAAI/JBBK/JNOK/P@@Q,metric:move,goal:A:3:1". It has the whole layout, because the
 * goal may name single letters. */
static enum pz_status klotski_name_size(struct klotski *klotski, struct pz_error *error)
{
    char text[PZ_TEXT_MAX];
    if (klotski->numbers != NULL)
        (void)snprintf(text, sizeof text, KLOTSKI_FAMILY);
    else
        (void)klotski_print(&klotski->base, klotski->start, text);
    bool fits = snprintf(klotski->base.size, PZ_SIZE_MAX, "%.*s", PZ_SIZE_MAX - 1, text) < PZ_SIZE_MAX;
    if (klotski->numbers != NULL && klotski->rows < 5)
        fits = fits && space_size_add(klotski->base.size, "rows", klotski->rows == 3 ? "3" : "4");
    fits = fits && space_size_add(klotski->base.size, "metric", klotski->steps ? "step" : "move");
    if (klotski_print_goal(klotski, 0, text) > 0)
        fits = fits && space_size_add(klotski->base.size, "goal", text);
    return fits ? PZ_OK
                : pz_fail(error, PZ_TOO_LARGE, "the puzzle's text has more than %d bytes", PZ_SIZE_MAX);
}

static enum pz_status set_up(struct klotski *klotski, const char *board, const char *goal, bool family,
                             struct pz_error *error)
{
    enum pz_status status = klotski_set_up(klotski, board, goal, family, error);
    if (status != PZ_OK || !family)
        return status;
    for (unsigned i = 0; i < klotski->goals; i++)
        if (klotski->kind[klotski->goal[i].kind].least == 0)
            return pz_fail(error, PZ_BAD_REQUEST, "goal=: a family's goal is a place of the 2x2 block");
    klotski->numbers = klotski_number(klotski);
    return klotski->numbers != NULL ? PZ_OK : pz_fail(error, PZ_MEMORY, "no memory for a family");
}

void klotski_bound(struct klotski *klotski)
{
    unsigned blocks = 0;
    for (unsigned i = 0; i < klotski->kinds; i++)
        blocks += klotski->kind[i].count;
    if (klotski->numbers != NULL)
        blocks = klotski->cells - 5u; /* the square and single cells, with two empty cells */
    /* Places that one block may go to: every cell but those of the other blocks, of which a family's boards
     * may have fewer. */
    const unsigned places = klotski->cells - (klotski->numbers != NULL ? 1 : blocks) + 1;
    klotski->base.max_successors = blocks * (klotski->steps ? 4u : places);
    klotski->base.flags = PZ_REVERSIBLE | PZ_OWN_START | (klotski->steps ? PZ_BIPARTITE : 0u) |
                          (klotski->goals == 0 ? PZ_NO_GOAL : 0u);
}

static enum pz_status klotski_make(struct klotski *klotski, const struct pz_setup *setup,
                                   struct pz_error *error)
{
    struct space_options options;
    const char *board = NULL;
    enum pz_status status = space_options_read(&options, setup, klotski_keys, error);
    if (status == PZ_OK)
        status = space_option_either(&options, "metric", "move", "step", &klotski->steps, error);
    if (status == PZ_OK)
        status = find_board(&options, setup, &board, error);
    if (status == PZ_OK)
        status = set_up(klotski, board, space_option(&options, "goal"),
                        strcmp(options.head, KLOTSKI_FAMILY) == 0, error);
    if (status != PZ_OK)
        return status;
    klotski_bound(klotski);
    return klotski_name_size(klotski, error);
}

static enum pz_status klotski_open(const struct pz_setup *setup, struct pz_space **out,
                                   struct pz_error *error)
{
    return klotski_open_as(&klotski_puzzle, klotski_make, setup, out, error);
}

enum pz_status klotski_open_as(const struct pz_puzzle *puzzle, klotski_maker *make,
                               const struct pz_setup *setup, struct pz_space **out, struct pz_error *error)
{
    struct klotski *klotski = calloc(1, sizeof *klotski);
    if (klotski == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a board");
    klotski->base.puzzle = puzzle;
    enum pz_status status = make(klotski, setup, error);
    if (status != PZ_OK)
        free(klotski);
    else
        *out = &klotski->base;
    return status;
}

void klotski_close(struct pz_space *space)
{
    free(space);
}

const struct pz_puzzle klotski_puzzle = {
    .abi = PZ_SPACE_ABI,
    .name = "klotski",
    .summary = "sliding blocks (Klotski, Huarong Dao), up to 64 cells",
    .example = "klotski:横刀立马",
    .keys = klotski_keys,
    .open = klotski_open,
    .close = klotski_close,
    .parse = klotski_parse,
    .print = klotski_print,
    .draw = klotski_draw,
    .describe = klotski_describe,
    .separator = ",",
    .root = klotski_root,
    .is_goal = klotski_is_goal,
    .expand = klotski_expand,
    .count = klotski_count,
    .rank = klotski_rank,
    .unrank = klotski_unrank,
    .valid = klotski_valid,
    .pieces = klotski_pieces,
};
