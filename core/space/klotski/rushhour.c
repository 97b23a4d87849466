/* SPDX-License-Identifier: MIT */
/*
 * Rush Hour (Nob Yoshigahara): cars and trucks that move along their own axis only, and car A, which is to
 * reach its exit. It is Klotski with lanes: blocks keep to the row or the column that they stand in.
 *
 * A square board is written in one line, a letter a cell, as in M. Fogleman's database of 6x6 boards
 * (https://www.michaelfogleman.com/rush/): o or . is empty, x a wall, A the car that leaves, other letters
 * are cars. Other boards have their rows parted by '/'. Without goal=, car A goes to the right end of its row
 * or, if it stands upright, to the lower end of its column.
 */
#include "space/klotski/klotski.h"

#include "space/options.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE_MAX = 8, BOARD_MAX = KLOTSKI_CELLS_MAX + SIDE_MAX /* with slashes and the NUL */ };

static const char *const rushhour_keys[] = {"metric", NULL};

/* ---- texts ---- */

/* Returns the side of a square board that is written in one line; 0 if the text is none. */
static size_t side_of_line(const char *text)
{
    size_t length = strlen(text);
    size_t side = 1;
    while (side * side < length && side <= SIDE_MAX)
        side++;
    return side * side == length && strchr(text, '/') == NULL ? side : 0;
}

static char cell_for_klotski(char c)
{
    if (c == 'o' || c == '.')
        return '@';
    if (c == 'x')
        return '#';
    return c;
}

static char cell_for_people(char c)
{
    if (c == '@')
        return 'o';
    if (c == '#')
        return 'x';
    return c;
}

/* Writes a board's text as Klotski has it: rows parted by slashes, @ for empty cells, # for walls. */
static enum pz_status to_klotski(const char *text, char out[BOARD_MAX], struct pz_error *error)
{
    size_t side = side_of_line(text);
    size_t length = 0;
    if (side == 0 && strchr(text, '/') == NULL)
        return pz_fail(error, PZ_BAD_BOARD,
                       "%zu cells make no square: 36 letters are a board of 6x6, rows of others end with /",
                       strlen(text));
    for (size_t i = 0; text[i] != '\0'; i++) {
        const bool begins_row = side != 0 && i > 0 && i % side == 0;
        if (length + begins_row + 2 > BOARD_MAX) /* with the NUL */
            return pz_fail(error, PZ_TOO_LARGE, "a board has at most %dx%d cells", SIDE_MAX, SIDE_MAX);
        if (begins_row)
            out[length++] = '/';
        out[length++] = cell_for_klotski(text[i]);
    }
    out[length] = '\0';
    return PZ_OK;
}

static enum pz_status rushhour_parse(const struct pz_space *space, const char *text, void *state,
                                     struct pz_error *error)
{
    char board[BOARD_MAX];
    enum pz_status status = to_klotski(text, board, error);
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
static enum pz_status rushhour_name_size(struct klotski *klotski, const char *rule, struct pz_error *error)
{
    char text[PZ_TEXT_MAX];
    (void)rushhour_print(&klotski->base, klotski->start, text);
    bool fits = snprintf(klotski->base.size, PZ_SIZE_MAX, "%.*s", PZ_SIZE_MAX - 1, text) < PZ_SIZE_MAX &&
                space_size_add(klotski->base.size, "metric", klotski->steps ? "step" : "move");
    (void)klotski_print_goal(klotski, 0, text);
    if (rule == NULL || strcmp(text, rule) != 0)
        fits = fits && space_size_add(klotski->base.size, "goal", text);
    return fits ? PZ_OK
                : pz_fail(error, PZ_TOO_LARGE, "the puzzle's text has more than %d bytes", PZ_SIZE_MAX);
}

static enum pz_status rushhour_make(struct klotski *klotski, const struct pz_setup *setup,
                                    struct pz_error *error)
{
    struct space_options options;
    char board[BOARD_MAX] = "";
    char rule[32];
    klotski->lanes = true;
    enum pz_status status = space_options_read(&options, setup, rushhour_keys, error);
    if (status == PZ_OK)
        status = space_option_either(&options, "metric", "move", "step", &klotski->steps, error);
    if (status != PZ_OK)
        return status;
    const char *text = *options.head != '\0' ? options.head : setup->start;
    if (text == NULL)
        return pz_fail(error, PZ_BAD_REQUEST, "rushhour needs a board: rushhour:36 letters, or start=BOARD");
    status = to_klotski(text, board, error);
    if (status != PZ_OK)
        return status;
    const bool has_rule = exit_by_rule(board, rule);
    const char *goal = space_option(&options, "goal");
    if (goal == NULL && !has_rule)
        return pz_fail(error, PZ_BAD_BOARD, "no car A on the board: it is the one that leaves");
    status = klotski_set_up(klotski, board, goal == NULL ? rule : goal, false, error);
    if (status == PZ_OK && (klotski->rows > SIDE_MAX || klotski->columns > SIDE_MAX))
        status = pz_fail(error, PZ_TOO_LARGE, "%ux%u cells: a board has at most %dx%d", klotski->rows,
                         klotski->columns, SIDE_MAX, SIDE_MAX);
    if (status == PZ_OK && klotski->goals != 1)
        status = pz_fail(error, PZ_BAD_REQUEST, "goal=: one car leaves, and no more");
    if (status == PZ_OK)
        status = check_cars(klotski, error);
    if (status != PZ_OK)
        return status;
    klotski_bound(klotski);
    return rushhour_name_size(klotski, has_rule ? rule : NULL, error);
}

static enum pz_status rushhour_open(const struct pz_setup *setup, struct pz_space **out,
                                    struct pz_error *error)
{
    return klotski_open_as(&rushhour_puzzle, rushhour_make, setup, out, error);
}

const struct pz_puzzle rushhour_puzzle = {
    .abi = PZ_SPACE_ABI,
    .name = "rushhour",
    .summary = "Rush Hour: cars that keep to their lanes, up to 8x8 cells",
    .example = "rushhour:IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM",
    .keys = rushhour_keys,
    .open = rushhour_open,
    .close = klotski_close,
    .parse = rushhour_parse,
    .print = rushhour_print,
    .draw = klotski_draw,
    .describe = klotski_describe,
    .separator = ",",
    .root = klotski_root,
    .is_goal = klotski_is_goal,
    .expand = klotski_expand,
    .valid = klotski_valid,
    .pieces = klotski_pieces,
};
