/* SPDX-License-Identifier: MIT */
/* Reads Klotski's boards and goals, and builds the space's kinds and states. */
#include "space/klotski/klotski.h"

#include "space/options.h"
#include "space/rows.h"

#include <stdlib.h>
#include <string.h>

/* ---- a board's text ---- */

struct read_block {
    char letter;
    uint8_t height, width;
    uint8_t cell;   /* the first one */
    uint64_t shape; /* its cells, if the corner of its bounding box is cell 0 */
    uint64_t cells;
};

struct picture {
    uint8_t rows, columns, cells;
    unsigned count;
    uint64_t walls;
    struct read_block block[KLOTSKI_BLOCKS_MAX]; /* in the order of their first cells */
};

/* '[' follows Z: published layouts give it to the fourteenth small square. */
static bool is_block(char c)
{
    return rows_is_name(c) || c == '[';
}

static const struct read_block *find_piece(const struct picture *picture, char letter)
{
    for (unsigned i = 0; i < picture->count; i++)
        if (picture->block[i].letter == letter)
            return &picture->block[i];
    return NULL;
}

/* Returns NULL for one block too many. */
static struct read_block *block_of_letter(struct picture *picture, char letter)
{
    const struct read_block *known = find_piece(picture, letter);
    if (known != NULL)
        return &picture->block[known - picture->block];
    if (picture->count == KLOTSKI_BLOCKS_MAX)
        return NULL;
    struct read_block *block = &picture->block[picture->count++];
    *block = (struct read_block){.letter = letter};
    return block;
}

/* Returns a set of cells together with all cells that touch it. */
static uint64_t grown(const struct picture *picture, uint64_t cells)
{
    uint64_t first_column = 0;
    for (unsigned row = 0; row < picture->rows; row++)
        first_column |= UINT64_C(1) << row * picture->columns;
    uint64_t last_column = first_column << (picture->columns - 1);
    uint64_t vertical = picture->rows > 1 ? cells << picture->columns | cells >> picture->columns : 0;
    return cells | vertical | (cells & ~last_column) << 1 | (cells & ~first_column) >> 1;
}

/* Measures a block. Fails if its cells are not connected. */
static enum pz_status finish_block(const struct picture *picture, struct read_block *block,
                                   struct pz_error *error)
{
    unsigned top = picture->rows;
    unsigned bottom = 0;
    unsigned left = picture->columns;
    unsigned right = 0;
    for (uint64_t rest = block->cells; rest != 0; rest &= rest - 1) {
        unsigned cell = (unsigned)__builtin_ctzll(rest);
        unsigned row = cell / picture->columns;
        unsigned column = cell % picture->columns;
        top = row < top ? row : top;
        bottom = row > bottom ? row : bottom;
        left = column < left ? column : left;
        right = column > right ? column : right;
    }
    block->cell = (uint8_t)__builtin_ctzll(block->cells);
    block->height = (uint8_t)(bottom - top + 1);
    block->width = (uint8_t)(right - left + 1);
    block->shape = block->cells >> (top * picture->columns + left);
    uint64_t part = UINT64_C(1) << block->cell;
    for (uint64_t before = 0; part != before;) {
        before = part;
        part = grown(picture, part) & block->cells;
    }
    if (part == block->cells)
        return PZ_OK;
    return pz_fail(error, PZ_BAD_BOARD, "the cells of block %c do not hang together", block->letter);
}

static enum pz_status read_picture(struct picture *picture, const char *text, struct pz_error *error)
{
    struct rows rows;
    memset(picture, 0, sizeof *picture);
    enum pz_status status = rows_read(&rows, text, KLOTSKI_CELLS_MAX, "@._", error);
    if (status != PZ_OK)
        return status;
    picture->rows = (uint8_t)rows.rows;
    picture->columns = (uint8_t)rows.columns;
    picture->cells = (uint8_t)(rows.rows * rows.columns);
    for (unsigned cell = 0; cell < picture->cells; cell++) {
        const char c = rows.cell[cell];
        if (rows_is_empty(&rows, c))
            continue;
        struct read_block *block = is_block(c) ? block_of_letter(picture, c) : NULL;
        if (block != NULL)
            block->cells |= UINT64_C(1) << cell;
        else if (is_block(c))
            return pz_fail(error, PZ_TOO_LARGE, "the board has more than %d blocks", KLOTSKI_BLOCKS_MAX);
        else if (c == '#')
            picture->walls |= UINT64_C(1) << cell;
        else
            return rows_no_cell(&rows, cell, "blocks are letters, digits or [, walls #", error);
    }
    for (unsigned i = 0; i < picture->count && status == PZ_OK; i++)
        status = finish_block(picture, &picture->block[i], error);
    if (status == PZ_OK && picture->count == 0)
        status = pz_fail(error, PZ_BAD_BOARD, "the board has no block");
    return status;
}

bool klotski_is_board(const char *text)
{
    struct picture picture;
    return read_picture(&picture, text, NULL) == PZ_OK;
}

/* ---- the goal ---- */

struct target {
    char letter;
    unsigned row, column;
};

static bool is_on_board(const struct picture *picture, const struct read_block *block, unsigned row,
                        unsigned column)
{
    return row + block->height <= picture->rows && column + block->width <= picture->columns;
}

/* Returns the cells of a block whose bounding box has its corner there; 0 if it is not on the board, or on a
 * wall. */
static uint64_t placed(const struct picture *picture, const struct read_block *block, unsigned row,
                       unsigned column)
{
    if (!is_on_board(picture, block, row, column))
        return 0;
    uint64_t cells = block->shape << (row * picture->columns + column);
    return (cells & picture->walls) == 0 ? cells : 0;
}

/* Finds the default goal: the only 2×2 block, at the middle of the bottom edge. Returns 0 without one. */
static unsigned default_target(const struct picture *picture, struct target *target)
{
    unsigned squares = 0;
    if (picture->rows < 2 || picture->columns < 2 || picture->columns % 2 != 0)
        return 0;
    uint64_t square = UINT64_C(3) << picture->columns | 3;
    for (unsigned i = 0; i < picture->count; i++) {
        const struct read_block *block = &picture->block[i];
        if (block->height != 2 || block->width != 2 || block->shape != square)
            continue;
        squares++;
        *target = (struct target){block->letter, picture->rows - 2u, (picture->columns - 2u) / 2u};
        if (placed(picture, block, target->row, target->column) == 0)
            return 0;
    }
    return squares == 1;
}

/* Reads one target, "A:3,1", of length bytes. */
static enum pz_status read_target(const struct picture *picture, const char *text, size_t length,
                                  struct target *target, struct pz_error *error)
{
    char cell[24];
    bool sound = length >= 5 && length < sizeof cell && text[1] == ':';
    (void)snprintf(cell, sizeof cell, "%.*s", sound ? (int)length - 2 : 0, sound ? text + 2 : "");
    *target = (struct target){.letter = text[0]};
    if (!sound || !space_read_cell(cell, &target->row, &target->column))
        return pz_fail(error, PZ_BAD_REQUEST,
                       "goal '%.*s': it is BLOCK:ROW,COLUMN, counted from 0, and more of them after a +",
                       length < 60 ? (int)length : 60, text);
    const struct read_block *block = find_piece(picture, target->letter);
    if (block == NULL)
        return pz_fail(error, PZ_BAD_REQUEST, "goal: the board has no block %c", target->letter);
    if (!is_on_board(picture, block, target->row, target->column))
        return pz_fail(error, PZ_BAD_REQUEST, "goal: block %c, %ux%u, at %u,%u is not on the board of %ux%u",
                       target->letter, block->height, block->width, target->row, target->column,
                       picture->rows, picture->columns);
    if (placed(picture, block, target->row, target->column) == 0)
        return pz_fail(error, PZ_BAD_REQUEST, "goal: block %c, %ux%u, at %u,%u would stand on a wall",
                       target->letter, block->height, block->width, target->row, target->column);
    return PZ_OK;
}

static enum pz_status read_targets(const struct picture *picture, const char *text,
                                   struct target targets[KLOTSKI_GOALS_MAX], unsigned *count,
                                   struct pz_error *error)
{
    uint64_t taken = 0;
    *count = text == NULL ? default_target(picture, targets) : 0;
    while (text != NULL) {
        size_t length = strcspn(text, "+;");
        struct target *target = &targets[*count];
        if (*count == KLOTSKI_GOALS_MAX)
            return pz_fail(error, PZ_BAD_REQUEST, "goal: more than %d blocks", KLOTSKI_GOALS_MAX);
        enum pz_status status = read_target(picture, text, length, target, error);
        if (status != PZ_OK)
            return status;
        for (unsigned i = 0; i < *count; i++)
            if (targets[i].letter == target->letter)
                return pz_fail(error, PZ_BAD_REQUEST, "goal: block %c is named twice", target->letter);
        uint64_t cells = placed(picture, find_piece(picture, target->letter), target->row, target->column);
        if ((cells & taken) != 0)
            return pz_fail(error, PZ_BAD_REQUEST, "goal: block %c overlaps another", target->letter);
        taken |= cells;
        ++*count;
        text = text[length] != '\0' ? text + length + 1 : NULL;
    }
    return PZ_OK;
}

/* ---- kinds ---- */

static int compare_kinds(const void *a, const void *b)
{
    const struct klotski_kind *x = a;
    const struct klotski_kind *y = b;
    int by_size = __builtin_popcountll(y->shape) - __builtin_popcountll(x->shape);
    if (by_size != 0)
        return by_size;
    if (x->shape != y->shape)
        return x->shape < y->shape ? -1 : 1;
    return x->own - y->own;
}

static unsigned count_shape(const struct picture *picture, uint64_t shape)
{
    unsigned count = 0;
    for (unsigned i = 0; i < picture->count; i++)
        count += picture->block[i].shape == shape;
    return count;
}

/* Returns the kind of a block; NULL if there is none. */
static struct klotski_kind *kind_of(struct klotski *klotski, uint64_t shape, char own)
{
    for (unsigned i = 0; i < klotski->kinds; i++)
        if (klotski->kind[i].shape == shape && klotski->kind[i].own == own)
            return &klotski->kind[i];
    return NULL;
}

static enum pz_status make_kinds(struct klotski *klotski, const struct picture *picture,
                                 const struct target *targets, unsigned target_count, struct pz_error *error)
{
    for (unsigned i = 0; i < picture->count; i++) {
        const struct read_block *block = &picture->block[i];
        char own = 0;
        for (unsigned j = 0; j < target_count; j++)
            if (targets[j].letter == block->letter && count_shape(picture, block->shape) > 1)
                own = block->letter;
        struct klotski_kind *kind = kind_of(klotski, block->shape, own);
        if (kind == NULL && klotski->kinds == KLOTSKI_KINDS_MAX)
            return pz_fail(error, PZ_TOO_LARGE, "blocks of more than %d shapes", KLOTSKI_KINDS_MAX);
        if (kind == NULL)
            kind = &klotski->kind[klotski->kinds++];
        kind->shape = block->shape;
        kind->height = block->height;
        kind->width = block->width;
        kind->own = own;
        kind->count++;
        kind->least = kind->count;
    }
    qsort(klotski->kind, klotski->kinds, sizeof klotski->kind[0], compare_kinds);
    return PZ_OK;
}

/* Finds the letters that collections use: A for the square, B–G lying, H–M standing, N–Z single cells. */
static void usual_letters(const struct klotski_kind *kind, char *first, char *last)
{
    unsigned area = (unsigned)__builtin_popcountll(kind->shape);
    bool solid = area == (unsigned)kind->height * kind->width;
    *first = 'A';
    *last = 'Z';
    if (solid && kind->height == 2 && kind->width == 2)
        *last = 'A';
    else if (solid && kind->height == 1 && kind->width == 2)
        *first = 'B', *last = 'G';
    else if (solid && kind->height == 2 && kind->width == 1)
        *first = 'H', *last = 'M';
    else if (area == 1)
        *first = 'N';
}

static void take_letters(struct klotski_kind *kind, char first, char last, bool taken[128])
{
    size_t have = strlen(kind->letters);
    for (char c = first; c <= last && have < kind->count; c++) {
        if (taken[(unsigned char)c])
            continue;
        taken[(unsigned char)c] = true;
        kind->letters[have++] = c;
    }
}

static void give_letters(struct klotski *klotski)
{
    bool taken[128] = {false};
    for (unsigned i = 0; i < klotski->kinds; i++)
        if (klotski->kind[i].own != 0)
            take_letters(&klotski->kind[i], klotski->kind[i].own, klotski->kind[i].own, taken);
    for (unsigned i = 0; i < klotski->kinds; i++) {
        char first;
        char last;
        usual_letters(&klotski->kind[i], &first, &last);
        take_letters(&klotski->kind[i], first, last, taken);
    }
    for (unsigned i = 0; i < klotski->kinds; i++) {
        take_letters(&klotski->kind[i], 'A', 'Z', taken);
        take_letters(&klotski->kind[i], 'a', 'z', taken);
        take_letters(&klotski->kind[i], '1', '9', taken);
        take_letters(&klotski->kind[i], '[', '[', taken);
        take_letters(&klotski->kind[i], '0', '0', taken); /* the last: it may be read as an empty cell */
    }
}

/* Returns the number of a block's kind in a finished space; KLOTSKI_KINDS_MAX if it has none. */
static unsigned kind_number(const struct klotski *klotski, const struct read_block *block)
{
    unsigned shared = KLOTSKI_KINDS_MAX;
    for (unsigned i = 0; i < klotski->kinds; i++) {
        if (klotski->kind[i].shape != block->shape)
            continue;
        if (klotski->kind[i].own == block->letter)
            return i;
        if (klotski->kind[i].own == 0)
            shared = i;
    }
    return shared;
}

static int compare_goals(const void *a, const void *b)
{
    return ((const struct klotski_goal *)a)->kind - ((const struct klotski_goal *)b)->kind;
}

static void make_goals(struct klotski *klotski, const struct picture *picture, const struct target *targets,
                       unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const struct read_block *block = find_piece(picture, targets[i].letter);
        uint64_t cells = placed(picture, block, targets[i].row, targets[i].column);
        klotski->goal[i] =
            (struct klotski_goal){(uint8_t)kind_number(klotski, block), (uint8_t)__builtin_ctzll(cells),
                                  (uint8_t)targets[i].row, (uint8_t)targets[i].column};
    }
    klotski->goals = (uint8_t)count;
    qsort(klotski->goal, count, sizeof klotski->goal[0], compare_goals);
}

/* ---- states ---- */

static enum pz_status pack_picture(const struct klotski *klotski, const struct picture *picture, void *state,
                                   struct pz_error *error)
{
    unsigned counts[KLOTSKI_KINDS_MAX] = {0};
    memset(state, 0, klotski->base.state_bytes);
    for (unsigned i = 0; i < picture->count; i++) {
        const struct read_block *block = &picture->block[i];
        unsigned kind = kind_number(klotski, block);
        if (kind == KLOTSKI_KINDS_MAX || counts[kind] == klotski->kind[kind].count)
            return pz_fail(
                error, PZ_BAD_BOARD,
                "block %c, %ux%u in row %u, column %u, is one more of its kind than the puzzle has",
                block->letter, block->height, block->width, block->cell / picture->columns,
                block->cell % picture->columns);
        counts[kind]++;
        klotski_toggle(klotski, state, block->cell, kind + 1);
    }
    for (unsigned i = 0; i < klotski->kinds; i++)
        if (counts[i] < klotski->kind[i].least)
            return pz_fail(error, PZ_BAD_BOARD, "%u blocks like %c (%ux%u) are there, the puzzle has %u",
                           counts[i], klotski->kind[i].letters[0], klotski->kind[i].height,
                           klotski->kind[i].width, klotski->kind[i].least);
    unsigned empty = picture->cells;
    for (unsigned i = 0; i < picture->count; i++)
        empty -= (unsigned)__builtin_popcountll(picture->block[i].cells);
    if (klotski->numbers != NULL && empty < 2)
        return pz_fail(error, PZ_BAD_BOARD, "%u cells are empty; boards of the family have two at least",
                       empty);
    return PZ_OK;
}

enum pz_status klotski_parse(const struct pz_space *space, const char *text, void *state,
                             struct pz_error *error)
{
    const struct klotski *klotski = klotski_of(space);
    struct picture picture;
    enum pz_status status = read_picture(&picture, text, error);
    if (status != PZ_OK)
        return status;
    if (picture.rows != klotski->rows || picture.columns != klotski->columns)
        return pz_fail(error, PZ_BAD_BOARD, "the board is %ux%u, the puzzle's is %ux%u", picture.rows,
                       picture.columns, klotski->rows, klotski->columns);
    if (picture.walls != klotski->walls)
        return pz_fail(error, PZ_BAD_BOARD, "the walls are not those of the puzzle");
    return pack_picture(klotski, &picture, state, error);
}

enum pz_status klotski_set_up(struct klotski *klotski, const char *board, const char *goal, bool family,
                              struct pz_error *error)
{
    struct picture picture;
    struct target targets[KLOTSKI_GOALS_MAX];
    unsigned target_count = 0;
    enum pz_status status = read_picture(&picture, board, error);
    if (status == PZ_OK)
        status = read_targets(&picture, goal, targets, &target_count, error);
    if (status == PZ_OK)
        status = make_kinds(klotski, &picture, targets, target_count, error);
    if (status != PZ_OK)
        return status;
    klotski->rows = picture.rows;
    klotski->columns = picture.columns;
    klotski->cells = picture.cells;
    klotski->walls = picture.walls;
    if (family)
        klotski_widen(klotski);
    give_letters(klotski);
    if (!klotski_plan(klotski))
        return pz_fail(error, PZ_TOO_LARGE, "%u cells with %u kinds of blocks do not fit 32 bytes",
                       klotski->cells, klotski->kinds);
    for (unsigned i = 0; i < klotski->kinds; i++)
        klotski_fill_kind(klotski, &klotski->kind[i]);
    make_goals(klotski, &picture, targets, target_count);
    return pack_picture(klotski, &picture, klotski->start, error);
}
