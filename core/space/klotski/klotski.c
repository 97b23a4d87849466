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

#include "space/making.h"
#include "space/options.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- the tables of a board: where each kind of block can lie, and how a state is packed ---- */

/* Fills in the places of a kind's blocks, and the steps between them. */
void klotski_fill_kind(const struct klotski *klotski, struct klotski_kind *kind)
{
    unsigned columns = klotski->columns;
    unsigned indent = (unsigned)__builtin_ctzll(kind->shape);
    memset(kind->at, 0, sizeof kind->at);
    memset(kind->step, KLOTSKI_NO_CELL, sizeof kind->step);
    kind->places = kind->to_left = kind->to_right = 0;
    const bool keeps_row = klotski->lanes && kind->width > 1;
    const bool keeps_column = klotski->lanes && kind->height > 1;
    kind->row_shift = keeps_row ? 0 : columns % 64; /* with one row nothing steps up or down */
    for (unsigned row = 0; row + kind->height <= klotski->rows; row++) {
        for (unsigned column = 0; column + kind->width <= columns; column++) {
            unsigned corner = row * columns + column;
            unsigned cell = corner + indent;
            if ((kind->shape << corner & klotski->walls) != 0)
                continue;
            kind->at[cell] = kind->shape << corner;
            kind->places |= UINT64_C(1) << cell;
            if (!keeps_row && row > 0 && kind->at[cell - columns] != 0) {
                kind->step[cell][0] = (uint8_t)(cell - columns);
                kind->step[cell - columns][1] = (uint8_t)cell;
            }
            if (!keeps_column && column > 0 && kind->at[cell - 1] != 0) {
                kind->step[cell][2] = (uint8_t)(cell - 1);
                kind->step[cell - 1][3] = (uint8_t)cell;
                kind->to_left |= UINT64_C(1) << cell;
                kind->to_right |= UINT64_C(1) << (cell - 1);
            }
        }
    }
}

bool klotski_plan(struct klotski *klotski)
{
    unsigned bits = 1;
    while (klotski->kinds >> bits != 0)
        bits++;
    unsigned per_word = 64 / bits;
    unsigned words = (klotski->cells + per_word - 1) / per_word;
    if (words > 4)
        return false;
    klotski->bits = (uint8_t)bits;
    klotski->per_word = (uint8_t)per_word;
    for (unsigned cell = 0; cell < klotski->cells; cell++) {
        klotski->word_of[cell] = (uint8_t)(cell / per_word);
        klotski->shift_of[cell] = (uint8_t)(cell % per_word * bits);
    }
    for (unsigned bit = 0; bit < 64; bit++)
        klotski->field_of_bit[bit] = (uint8_t)(bit / bits);
    klotski->base.state_bytes = words <= 1 ? 8 : words == 2 ? 16 : 32;
    return true;
}

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

/* Returns the first cells where a block lies on none of the occupied cells. */
static uint64_t klotski_places(const struct klotski_kind *kind, uint64_t occupied)
{
    uint64_t fits = kind->places;
    for (uint64_t rest = kind->shape >> __builtin_ctzll(kind->shape); rest != 0; rest &= rest - 1)
        fits &= ~(occupied >> __builtin_ctzll(rest));
    return fits;
}

/* Returns the first cells that one block can reach by itself from some, those included. occupied: by walls
 * and the other blocks. */
static uint64_t klotski_reach(const struct klotski_kind *kind, uint64_t from, uint64_t occupied)
{
    const uint64_t fits = klotski_places(kind, occupied);
    uint64_t reached = from;
    for (uint64_t before = 0; before != reached;) {
        before = reached;
        reached |= fits & ((before & kind->to_left) >> 1 | (before & kind->to_right) << 1 |
                           before << kind->row_shift | before >> kind->row_shift);
    }
    return reached;
}

static unsigned klotski_expand_moves(const struct klotski *klotski, const uint64_t *state, uint8_t came_by,
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
        const uint64_t here = UINT64_C(1) << blocks[i].cell;
        uint64_t places = klotski_reach(kind, here, others) & ~here;
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
                          : klotski_expand_moves(klotski, state, came_by, successors, tokens);
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

/* ---- blocks that can never pass ---- */

/* Returns the first cell that a goal wants the block to have, if it is the only one of its kind. */
static uint8_t wanted_cell(const struct klotski *klotski, struct block block)
{
    for (unsigned i = 0; i < klotski->goals; i++)
        if (klotski->goal[i].kind == block.kind && klotski->kind[block.kind].count == 1)
            return klotski->goal[i].cell;
    return KLOTSKI_NO_CELL;
}

/* Returns true if two blocks, alone on the board, can get to where goals want them: the first one, and the
 * other if it is wanted anywhere. */
static bool can_pass(const struct klotski *klotski, struct block block, struct block other)
{
    const struct klotski_kind *kind = &klotski->kind[block.kind], *others = &klotski->kind[other.kind];
    const uint8_t goal = wanted_cell(klotski, block), other_goal = wanted_cell(klotski, other);
    uint64_t found[KLOTSKI_CELLS_MAX] = {0}; /* places of the other one, for each of the first */
    found[block.cell] = UINT64_C(1) << other.cell;
    for (bool more = true; more;) {
        more = false;
        for (uint64_t rest = kind->places; rest != 0; rest &= rest - 1) {
            const unsigned cell = (unsigned)__builtin_ctzll(rest);
            if (found[cell] == 0)
                continue;
            found[cell] = klotski_reach(others, found[cell], kind->at[cell]);
            for (unsigned d = 0; d < 4; d++) {
                const uint8_t to = kind->step[cell][d];
                if (to == KLOTSKI_NO_CELL)
                    continue;
                const uint64_t known = found[to];
                found[to] |= found[cell] & klotski_places(others, kind->at[to]);
                more |= found[to] != known;
            }
        }
    }
    return other_goal == KLOTSKI_NO_CELL ? found[goal] != 0 : (found[goal] >> other_goal & 1) != 0;
}

/* Returns "block A at row 0, column 1": letters may be other ones than in the text that was read. */
static const char *name_block(const struct klotski *klotski, const void *state, struct block block,
                              char out[48])
{
    char text[PZ_TEXT_MAX];
    const unsigned row = block.cell / klotski->columns, column = block.cell % klotski->columns;
    (void)klotski_print(&klotski->base, state, text);
    (void)snprintf(out, 48, "%s %c at row %u, column %u", klotski->lanes ? "car" : "block",
                   text[block.cell + row], row, column);
    return out;
}

bool klotski_reason(const struct pz_space *space, const void *start, char out[PZ_TEXT_MAX])
{
    const struct klotski *klotski = klotski_of(space);
    struct block blocks[KLOTSKI_BLOCKS_MAX];
    uint64_t occupied;
    char name[48], other_name[48];
    const unsigned count = list_blocks(klotski, start, blocks, &occupied);
    for (unsigned i = 0; i < count * count; i++) {
        const struct block block = blocks[i / count], other = blocks[i % count];
        const uint8_t goal = wanted_cell(klotski, block);
        const uint64_t alone = klotski_reach(&klotski->kind[block.kind], UINT64_C(1) << block.cell, 0);
        if (goal == KLOTSKI_NO_CELL)
            continue;
        if ((alone >> goal & 1) == 0)
            return snprintf(out, PZ_TEXT_MAX, "%s cannot reach its goal, even if no other were there",
                            name_block(klotski, start, block, name)) > 0;
        if (i / count != i % count && !can_pass(klotski, block, other))
            return snprintf(out, PZ_TEXT_MAX, "%s can never pass %s, even if no other were there",
                            name_block(klotski, start, block, name),
                            name_block(klotski, start, other, other_name)) > 0;
    }
    return false;
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
                   near != NULL
                       ? "; did you mean "
                       : "; PUZZLES klotski lists them (横刀立马 …); a board is written klotski:BOARD",
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
    return pz_fail(error, PZ_BAD_REQUEST,
                   "klotski needs a layout or a board: klotski:横刀立马, klotski:BOARD");
}

/* Writes the size: "HAAI/HAAI/JBBK/JNOK/P@@Q,metric:move,goal:A:3:1". It has the whole layout, because the
 * goal may name single letters. At most 64 cells and eight goals: 250 bytes. */
static void klotski_name_size(struct klotski *klotski)
{
    char text[PZ_TEXT_MAX];
    if (klotski->numbers != NULL)
        (void)snprintf(text, sizeof text, KLOTSKI_FAMILY);
    else
        (void)klotski_print(&klotski->base, klotski->start, text);
    (void)snprintf(klotski->base.size, PZ_SIZE_MAX, "%.*s", PZ_SIZE_MAX - 1, text);
    if (klotski->numbers != NULL && klotski->rows < 5)
        (void)space_size_add(klotski->base.size, "rows", klotski->rows == 3 ? "3" : "4", NULL);
    (void)space_size_add(klotski->base.size, "metric", klotski->steps ? "step" : "move", NULL);
    if (klotski_print_goal(klotski, 0, text) > 0)
        (void)space_size_add(klotski->base.size, "goal", text, NULL);
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

static enum pz_status klotski_make(struct pz_space *space, const struct pz_setup *setup,
                                   struct pz_error *error)
{
    struct klotski *klotski = (struct klotski *)space;
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
    if (status == PZ_OK) {
        klotski_bound(klotski);
        klotski_name_size(klotski);
    }
    return status;
}

static enum pz_status klotski_open(const struct pz_setup *setup, struct pz_space **out,
                                   struct pz_error *error)
{
    return space_make(&klotski_puzzle, sizeof(struct klotski), klotski_make, setup, out, error);
}

const struct pz_puzzle klotski_puzzle = {
    .abi = PZ_SPACE_ABI,
    .name = "klotski",
    .summary = "sliding blocks (Klotski, Huarong Dao), up to 64 cells",
    .example = "klotski:横刀立马",
    .keys = klotski_keys,
    .open = klotski_open,
    .close = space_free,
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
