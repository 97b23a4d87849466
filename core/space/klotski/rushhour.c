/* SPDX-License-Identifier: MIT */
/*
 * Rush Hour (Nob Yoshigahara): cars and trucks that move along their own axis only, and car A, which is to
 * reach its exit. It is Klotski with lanes: blocks keep to the row or the column that they stand in.
 *
 * A square board is written in one line, a letter a cell, as in M. Fogleman's database of 6x6 boards
 * (https://www.michaelfogleman.com/rush/): o or . is empty, x a wall, A the car that leaves, other letters
 * are cars. Other boards have their rows parted by '/'. Where cars have small letters, two or more x, or o
 * beside another sign for empty cells, in a line are a car. Without goal=, the car that leaves goes to the
 * right end of its row or, if it stands upright, to the lower end of its column; it is printed as A.
 */
#include "space/klotski/klotski.h"

#include "space/making.h"
#include "space/options.h"
#include "space/rows.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE_MAX = 8, BOARD_MAX = KLOTSKI_CELLS_MAX + SIDE_MAX /* with slashes and the NUL */ };

static const char *const rushhour_keys[] = {"metric", NULL};

/* ---- texts ---- */

/* A board as it is written, and what its letters mean. */
struct lot {
    struct rows rows;
    bool small;     /* cars have small letters, so that o and x may be cars, too */
    bool has_empty; /* other signs than o are empty */
    char leaver;    /* the letter of the car that leaves */
};

/* Reads rows, or a square board in one line. */
static enum pz_status read_lot(struct lot *lot, const char *text, struct pz_error *error)
{
    lot->rows.rows = lot->rows.columns = 0;
    char rows[KLOTSKI_CELLS_MAX + SIDE_MAX];
    const size_t cells = strlen(text);
    size_t side = 1;
    if (strchr(text, '/') != NULL)
        return rows_read(&lot->rows, text, ROWS_CELLS_MAX, ".@_", error);
    while (side * side < cells)
        side++;
    if (side * side != cells)
        return pz_fail(error, PZ_BAD_BOARD,
                       "%zu cells make no square: 36 letters are a board of 6x6, rows of others end with /",
                       cells);
    if (side > SIDE_MAX)
        return pz_fail(error, PZ_TOO_LARGE, "a board has at most %dx%d cells", SIDE_MAX, SIDE_MAX);
    (void)rows_write(text, (unsigned)side, (unsigned)side, rows);
    return rows_read(&lot->rows, rows, KLOTSKI_CELLS_MAX, ".@_", error);
}

/* Returns true if the cells of a letter are two or more in a line. */
static bool is_car(const struct rows *rows, char letter)
{
    const unsigned cells = rows->rows * rows->columns;
    unsigned count = 0, first = 0, last = 0;
    for (unsigned i = 0; i < cells; i++) {
        if (rows->cell[i] != letter)
            continue;
        first = count++ == 0 ? i : first;
        last = i;
    }
    if (count < 2)
        return false;
    const bool lies = first / rows->columns == last / rows->columns;
    return last - first == (count - 1) * (lies ? 1 : rows->columns) &&
           rows->cell[first + (lies ? 1 : rows->columns)] == letter;
}

/* Finds what the letters mean. X leaves, as on the cards of the game, or else A, or else R. A printed board
 * has A, and an X only behind all letters before it. */
static void understand_lot(struct lot *lot)
{
    bool there[256] = {false};
    unsigned capitals = 0, others = 0;
    for (unsigned i = 0; i < lot->rows.rows * lot->rows.columns; i++)
        there[(unsigned char)lot->rows.cell[i]] = true;
    for (int c = 'A'; c <= 'Z'; c++) {
        capitals += there[c];
        others += c != 'O' && c != 'X' && there[tolower(c)];
    }
    lot->small = capitals == 0 || (others > 0 && capitals < 24);
    lot->has_empty = lot->rows.other != 0 || there['.'] || there['@'] || there['_'];
    lot->leaver = 'A';
    for (const char *c = capitals < 24 ? "XxAaRr" : "A"; *c != '\0'; c++) {
        if (!there[(unsigned char)*c] || (*c >= 'a' && !lot->small) || (*c != 'A' && !is_car(&lot->rows, *c)))
            continue;
        lot->leaver = *c;
        break;
    }
}

/* Gives the car that leaves the letter A, and car A its letter. */
static char by_leaver(const struct lot *lot, char c)
{
    return (char)(c == lot->leaver ? 'A' : c == 'A' ? lot->leaver : c);
}

/* Returns a cell as Klotski has it: @ is empty, # a wall. */
static char cell_for_klotski(const struct lot *lot, char c)
{
    const bool car = lot->small && (c == 'x' || (c == 'o' && lot->has_empty)) && is_car(&lot->rows, c);
    if (rows_is_empty(&lot->rows, c) || (c == 'o' && !car))
        return '@';
    return (char)(c == 'x' && !car ? '#' : by_leaver(lot, c));
}

/* Writes a board's text as Klotski has it, and what its letters mean. */
static enum pz_status to_klotski(struct lot *lot, const char *text, char out[BOARD_MAX],
                                 struct pz_error *error)
{
    enum pz_status status = read_lot(lot, text, error);
    if (status == PZ_OK && (lot->rows.rows > SIDE_MAX || lot->rows.columns > SIDE_MAX))
        status = pz_fail(error, PZ_TOO_LARGE, "%ux%u cells: a board has at most %dx%d", lot->rows.rows,
                         lot->rows.columns, SIDE_MAX, SIDE_MAX);
    if (status != PZ_OK)
        return status;
    understand_lot(lot);
    char cells[KLOTSKI_CELLS_MAX];
    for (unsigned i = 0; i < lot->rows.rows * lot->rows.columns; i++)
        cells[i] = cell_for_klotski(lot, lot->rows.cell[i]);
    (void)rows_write(cells, lot->rows.rows, lot->rows.columns, out);
    return PZ_OK;
}

static char cell_for_people(char c)
{
    return (char)(c == '@' ? 'o' : c == '#' ? 'x' : c);
}

static enum pz_status rushhour_parse(const struct pz_space *space, const char *text, void *state,
                                     struct pz_error *error)
{
    char board[BOARD_MAX];
    struct lot lot;
    enum pz_status status = to_klotski(&lot, text, board, error);
    return status == PZ_OK ? klotski_parse(space, board, state, error) : status;
}

static size_t rushhour_print(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX])
{
    const struct klotski *klotski = klotski_of(space);
    size_t length = klotski_print(space, state, out);
    size_t kept = 0;
    for (size_t i = 0; i < length; i++)
        if (out[i] != '/' || klotski->rows != klotski->columns)
            out[kept++] = cell_for_people(out[i]);
    out[kept] = '\0';
    return kept;
}

/* ---- making one ---- */

/* Writes the goal of the rule: car A at the end of its lane. Returns false if the board has no car A. */
static bool exit_by_rule(const char *board, char goal[32])
{
    const char *first = strchr(board, 'A');
    if (first == NULL)
        return false;
    size_t columns = strcspn(board, "/");
    size_t rows = (strlen(board) + 1) / (columns + 1);
    size_t at = (size_t)(first - board);
    size_t row = at / (columns + 1);
    size_t column = at % (columns + 1);
    size_t length = 0;
    for (const char *c = board; *c != '\0'; c++)
        length += *c == 'A';
    const bool upright = first[1] != 'A';
    if ((upright ? rows : columns) < length)
        return false;
    (void)snprintf(goal, 32, "A:%zu:%zu", upright ? rows - length : row, upright ? column : columns - length);
    return true;
}

/* Fails if a block is no car: one cell wide, and two long at the least. */
static enum pz_status check_cars(const struct klotski *klotski, struct pz_error *error)
{
    for (unsigned i = 0; i < klotski->kinds; i++) {
        const struct klotski_kind *kind = &klotski->kind[i];
        unsigned shorter = kind->height < kind->width ? kind->height : kind->width;
        if (shorter != 1 || kind->height + kind->width < 3)
            return pz_fail(error, PZ_BAD_BOARD,
                           "a piece of %ux%u cells is no car: cars are one cell wide and two or more long",
                           kind->height, kind->width);
    }
    return PZ_OK;
}

/* Writes the size: "IBBxoo…,metric:move". The goal stands in it only where it is not that of the rule. */
static void rushhour_name_size(struct klotski *klotski, const char *rule)
{
    char text[PZ_TEXT_MAX];
    (void)rushhour_print(&klotski->base, klotski->start, text);
    (void)snprintf(klotski->base.size, PZ_SIZE_MAX, "%.*s", PZ_SIZE_MAX - 1, text);
    (void)space_size_add(klotski->base.size, "metric", klotski->steps ? "step" : "move", NULL);
    (void)klotski_print_goal(klotski, 0, text);
    if (rule == NULL || strcmp(text, rule) != 0)
        (void)space_size_add(klotski->base.size, "goal", text, NULL);
}

static enum pz_status rushhour_make(struct pz_space *space, const struct pz_setup *setup,
                                    struct pz_error *error)
{
    struct klotski *klotski = (struct klotski *)space;
    struct space_options options;
    struct lot lot;
    char board[BOARD_MAX] = "", wanted[64];
    char rule[32];
    klotski->lanes = true;
    enum pz_status status = space_options_read(&options, setup, rushhour_keys, error);
    if (status == PZ_OK)
        status = space_option_either(&options, "metric", "move", "step", &klotski->steps, error);
    if (status != PZ_OK)
        return status;
    const char *text = *options.head != '\0' ? options.head : setup->start;
    if (text == NULL)
        return pz_fail(error, PZ_BAD_REQUEST, "rushhour needs a board: rushhour:BOARD, of 36 letters");
    status = to_klotski(&lot, text, board, error);
    if (status != PZ_OK)
        return status;
    klotski->leaver = lot.leaver;
    const bool has_rule = exit_by_rule(board, rule);
    const char *goal = space_option(&options, "goal");
    if (goal == NULL && !has_rule)
        return pz_fail(error, PZ_BAD_BOARD, "no car A on the board: it is the one that leaves");
    (void)snprintf(wanted, sizeof wanted, "%s", goal == NULL ? rule : goal);
    if (goal != NULL)
        wanted[0] = by_leaver(&lot, wanted[0]);
    status = klotski_set_up(klotski, board, wanted, false, error);
    if (status == PZ_BAD_REQUEST && goal == NULL)
        return pz_fail(error, PZ_BAD_BOARD, "a wall stands at the exit: the car that leaves never gets out");
    if (status == PZ_OK && klotski->goals != 1)
        status = pz_fail(error, PZ_BAD_REQUEST, "goal=: one car leaves, and no more");
    if (status == PZ_OK)
        status = check_cars(klotski, error);
    if (status == PZ_OK) {
        klotski_bound(klotski);
        rushhour_name_size(klotski, has_rule ? rule : NULL);
    }
    return status;
}

char rushhour_leaver(const struct pz_space *space, const char *text)
{
    struct lot lot;
    char board[BOARD_MAX];
    struct pz_error error;
    if (text == NULL)
        return klotski_of(space)->leaver;
    return (char)(to_klotski(&lot, text, board, &error) == PZ_OK ? lot.leaver : '\0');
}

/* ---- cars that can never pass ---- */

/* Returns true if a wall, or cars of the same lane, which keep their order, leave the car that leaves no way
 * to its exit; *car is the letter of the first of these, 0 for a wall. */
static bool lane_is_closed(const struct klotski *klotski, const void *state, char *car)
{
    char text[PZ_TEXT_MAX];
    const struct klotski_goal *goal = &klotski->goal[0];
    const struct klotski_kind *kind = &klotski->kind[goal->kind];
    const bool lies = kind->width > 1;
    const unsigned step = lies ? 1 : klotski->columns, length = kind->width * kind->height;
    (void)klotski_print(&klotski->base, state, text);
    const char leaver = klotski_goal_letter(klotski, 0);
    unsigned first = klotski->cells, room = 0;
    for (unsigned cell = klotski->cells; cell-- > 0;)
        first = text[cell + cell / klotski->columns] == leaver ? cell : first;
    const unsigned lane = lies ? first / klotski->columns : first % klotski->columns;
    const unsigned at = lies ? first % klotski->columns : first / klotski->columns;
    const unsigned to = lies ? goal->column : goal->row, size = lies ? klotski->columns : klotski->rows;
    if (lane != (lies ? goal->row : goal->column))
        return false; /* an exit beside the lane: the search tells */
    const bool forward = to > at;
    const unsigned least = forward ? at + length : 0, most = forward ? size : at;
    *car = 0;
    for (unsigned i = least; i < most; i++) {
        const unsigned cell = lies ? lane * klotski->columns + i : i * klotski->columns + lane;
        const char c = text[cell + cell / klotski->columns];
        const bool crossed = i >= (forward ? at : to) && i < (forward ? to + length : at);
        if (c == '#' && crossed)
            return true;
        const bool along = (i > 0 && text[cell - step + (cell - step) / klotski->columns] == c) ||
                           (i + 1 < size && text[cell + step + (cell + step) / klotski->columns] == c);
        if (c == '@' || c == '#' || !along)
            continue;
        if (*car == 0)
            *car = c;
        room++;
    }
    return room > (forward ? size - to - length : to);
}

static enum pz_answer rushhour_solvable(const struct pz_space *space, const void *start)
{
    char car = 0;
    return lane_is_closed(klotski_of(space), start, &car) ? PZ_NO : PZ_UNKNOWN;
}

void rushhour_reason(const struct pz_space *space, const void *start, char out[PZ_TEXT_MAX])
{
    char car = 0;
    (void)lane_is_closed(klotski_of(space), start, &car);
    if (car == 0)
        (void)snprintf(out, PZ_TEXT_MAX, "a wall is in the lane of the car that leaves");
    else
        (void)snprintf(out, PZ_TEXT_MAX,
                       "car %c keeps to the lane of the car that leaves, and the two can never pass", car);
}

static enum pz_status rushhour_open(const struct pz_setup *setup, struct pz_space **out,
                                    struct pz_error *error)
{
    return space_make(&rushhour_puzzle, sizeof(struct klotski), rushhour_make, setup, out, error);
}

const struct pz_puzzle rushhour_puzzle = {
    .abi = PZ_SPACE_ABI,
    .name = "rushhour",
    .summary = "Rush Hour: cars that keep to their lanes, up to 8x8 cells",
    .example = "rushhour:IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM",
    .keys = rushhour_keys,
    .open = rushhour_open,
    .close = space_free,
    .parse = rushhour_parse,
    .print = rushhour_print,
    .draw = klotski_draw,
    .describe = klotski_describe,
    .separator = ",",
    .solvable = rushhour_solvable,
    .root = klotski_root,
    .is_goal = klotski_is_goal,
    .expand = klotski_expand,
    .valid = klotski_valid,
    .pieces = klotski_pieces,
};
