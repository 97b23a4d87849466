/* SPDX-License-Identifier: MIT */
/*
 * Link-up is a search with two criteria: fewest turns, then fewest cells. It is breadth first by turns. From
 * every cell of a layer rays go out in the four directions until something stands in the way. The cells that
 * they are first to reach are the next layer.
 *
 * A ray must go on *across* cells that are queued already: the cells behind them may be new. Rays that
 * stopped there would find paths with too many turns, or none.
 *
 * One label for each cell is enough, though a path also has a direction. If the best path came to a cell
 * along the axis of the next ray, that ray only goes on or back, to cells that need no corner here.
 */
#include "space/linkup/linkup.h"

#include "space/making.h"
#include "space/options.h"
#include "space/rows.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* The value of a label whose cell was not reached. */
#define UNSEEN UINT32_MAX

enum {
    LINKUP_TURNS_MAX = 10000,
    LINKUP_TURNS_USUAL = 2,
    RING_CELLS_MAX = 3 * (LINKUP_CELLS_MAX + 2) /* with the ring: of one row it is the largest */
};

/* ---- reading ---- */

static enum pz_status read_board(struct linkup *linkup, const char *text, struct pz_error *error)
{
    struct rows rows;
    const enum pz_status status = rows_read(&rows, text, LINKUP_CELLS_MAX, "._-@", error);
    if (status != PZ_OK)
        return status;
    linkup->rows = rows.rows;
    linkup->columns = rows.columns;
    for (unsigned cell = 0; cell < rows.rows * rows.columns; cell++) {
        const bool is_empty = rows_is_empty(&rows, rows.cell[cell]);
        if (!is_empty && !rows_is_name(rows.cell[cell]))
            return rows_no_cell(&rows, cell, "tiles are letters or digits", error);
        linkup->tile[cell] = (char)(is_empty ? '.' : rows.cell[cell]);
    }
    return PZ_OK;
}

static enum pz_status read_end(const struct linkup *linkup, const struct space_options *options,
                               const char *key, unsigned *row, unsigned *column, struct pz_error *error)
{
    const char *text = space_option(options, key);
    if (text == NULL)
        return pz_fail(error, PZ_BAD_REQUEST, "%s=ROW,COLUMN is missing", key);
    if (!space_read_cell(text, row, column))
        return pz_fail(error, PZ_BAD_REQUEST, "%s=%.40s: it is ROW,COLUMN, counted from 0", key, text);
    if (*row >= linkup->rows || *column >= linkup->columns)
        return pz_fail(error, PZ_BAD_REQUEST, "%s=%.40s is not on the board of %ux%u", key, text,
                       linkup->rows, linkup->columns);
    if (linkup->tile[*row * linkup->columns + *column] == '.')
        return pz_fail(error, PZ_BAD_REQUEST, "%s=%.40s: no tile is there", key, text);
    return PZ_OK;
}

static enum pz_status read_turns(struct linkup *linkup, const struct space_options *options,
                                 struct pz_error *error)
{
    const char *text = space_option(options, "turns");
    const char *rest = text;
    linkup->turns = LINKUP_TURNS_USUAL;
    if (text == NULL)
        return PZ_OK;
    int64_t turns = space_read_number(&rest);
    if (turns < 0 || turns > LINKUP_TURNS_MAX || *rest != '\0')
        return pz_fail(error, PZ_BAD_REQUEST, "turns=%.40s: it is a number from 0 to %d", text,
                       LINKUP_TURNS_MAX);
    linkup->turns = (unsigned)turns;
    return PZ_OK;
}

static const char *const linkup_keys[] = {"from", "to", "border", "turns", NULL};

/* Writes the size: "BAB/.C.,from:0:0,to:0:2,border:yes,turns:2". */
static enum pz_status linkup_name_size(struct linkup *linkup, struct pz_error *error)
{
    char text[PZ_TEXT_MAX];
    size_t length = rows_write(linkup->tile, linkup->rows, linkup->columns, text);
    length += (size_t)snprintf(text + length, sizeof text - length, ",from:%u:%u,to:%u:%u,border:%s,turns:%u",
                               linkup->from_row, linkup->from_column, linkup->to_row, linkup->to_column,
                               linkup->closed ? "no" : "yes", linkup->turns);
    if (length >= PZ_SIZE_MAX)
        return pz_fail(error, PZ_TOO_LARGE, "the puzzle's text has %zu bytes, at most %d fit", length,
                       PZ_SIZE_MAX - 1);
    memcpy(linkup->base.size, text, length + 1);
    return PZ_OK;
}

static enum pz_status linkup_make(struct pz_space *space, const struct pz_setup *setup,
                                  struct pz_error *error)
{
    struct linkup *linkup = (struct linkup *)space;
    struct space_options options;
    space->state_bytes = 8;
    space->flags = PZ_OWN_START;
    space->max_successors = 1;
    enum pz_status status = space_options_read(&options, setup, linkup_keys, error);
    if (status != PZ_OK)
        return status;
    const char *board = *options.head != '\0' ? options.head : setup->start;
    if (board == NULL)
        return pz_fail(error, PZ_BAD_REQUEST, "linkup needs a board: linkup:AB/AB,from:0:0,to:1:0");
    if (space_option(&options, "goal") != NULL)
        return pz_fail(error, PZ_BAD_REQUEST, "linkup takes no goal=: the tiles to join are from= and to=");
    status = read_board(linkup, board, error);
    if (status == PZ_OK)
        status = read_end(linkup, &options, "from", &linkup->from_row, &linkup->from_column, error);
    if (status == PZ_OK)
        status = read_end(linkup, &options, "to", &linkup->to_row, &linkup->to_column, error);
    if (status == PZ_OK && linkup->from_row == linkup->to_row && linkup->from_column == linkup->to_column)
        status = pz_fail(error, PZ_BAD_REQUEST, "from= and to= are the same cell");
    if (status == PZ_OK)
        status = space_option_either(&options, "border", "yes", "no", &linkup->closed, error);
    if (status == PZ_OK)
        status = read_turns(linkup, &options, error);
    return status == PZ_OK ? linkup_name_size(linkup, error) : status;
}

static enum pz_status linkup_open(const struct pz_setup *setup, struct pz_space **out, struct pz_error *error)
{
    return space_make(&linkup_puzzle, sizeof(struct linkup), linkup_make, setup, out, error);
}

/* ---- texts ---- */

static enum pz_status linkup_parse(const struct pz_space *space, const char *text, void *state,
                                   struct pz_error *error)
{
    const struct linkup *linkup = linkup_of(space);
    struct linkup *given = calloc(1, sizeof *given);
    if (given == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a board");
    enum pz_status status = read_board(given, text, error);
    bool same = given->rows == linkup->rows && given->columns == linkup->columns &&
                memcmp(given->tile, linkup->tile, sizeof given->tile) == 0;
    free(given);
    memset(state, 0, space->state_bytes);
    if (status == PZ_OK && !same)
        return pz_fail(error, PZ_BAD_BOARD, "the board is not the puzzle's own");
    return status;
}

static size_t linkup_print(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX])
{
    (void)state;
    const struct linkup *linkup = linkup_of(space);
    return rows_write(linkup->tile, linkup->rows, linkup->columns, out);
}

static enum pz_status linkup_root(const struct pz_space *space, void *state, struct pz_error *error)
{
    (void)error;
    memset(state, 0, space->state_bytes);
    return PZ_OK;
}

static bool linkup_is_goal(const struct pz_space *space, const void *state)
{
    (void)space;
    (void)state;
    return false;
}

/* ---- the search ---- */

/* The best way found to a cell of the board, which has a ring of cells around it. */
struct label {
    uint32_t turns;  /* fewest; UNSEEN if not reached */
    uint32_t cells;  /* fewest with those turns, both ends counted */
    uint32_t corner; /* where the ray came from */
};

struct link_search {
    const struct linkup *linkup;
    unsigned columns, cells; /* with the ring */
    uint32_t from, to;
    struct label labels[RING_CELLS_MAX];
    uint32_t queue[RING_CELLS_MAX]; /* every cell enters once */
    uint32_t tail;
    char raster[RING_CELLS_MAX]; /* on which the answer is drawn */
};

static bool passable(const struct link_search *search, uint32_t cell)
{
    const struct linkup *linkup = search->linkup;
    unsigned row = cell / search->columns;
    unsigned column = cell % search->columns;
    bool ring = row == 0 || column == 0 || row > linkup->rows || column > linkup->columns;
    return ring ? !linkup->closed : linkup->tile[(row - 1) * linkup->columns + column - 1] == '.';
}

/* Sends a ray out of a cell. The cells that it reaches have that many turns. */
static void send_ray(struct link_search *search, uint32_t corner, int row_step, int column_step,
                     uint32_t turns)
{
    int row = (int)(corner / search->columns);
    int column = (int)(corner % search->columns);
    uint32_t cells = search->labels[corner].cells;
    for (;;) {
        row += row_step;
        column += column_step;
        cells++;
        if (row < 0 || column < 0 || row > (int)search->linkup->rows + 1 ||
            column > (int)search->linkup->columns + 1)
            return;
        uint32_t cell = (uint32_t)row * search->columns + (uint32_t)column;
        struct label *label = &search->labels[cell];
        bool is_end = cell == search->to;
        if (!is_end && !passable(search, cell))
            return;
        if (label->turns == UNSEEN && !is_end)
            search->queue[search->tail++] = cell;
        if (turns < label->turns || (turns == label->turns && cells < label->cells))
            *label = (struct label){turns, cells, corner};
        if (is_end)
            return;
    }
}

static enum pz_status search_lines(struct link_search *search, const _Atomic bool *stop,
                                   struct pz_error *error)
{
    uint32_t head = 0;
    for (unsigned cell = 0; cell < search->cells; cell++)
        search->labels[cell] = (struct label){UNSEEN, 0, 0};
    search->labels[search->from] = (struct label){0, 1, search->from};
    search->queue[search->tail++] = search->from;
    for (uint32_t turns = 0; turns <= search->linkup->turns && head < search->tail; turns++) {
        if (atomic_load_explicit(stop, memory_order_relaxed))
            return pz_fail(error, PZ_CANCELLED, "cancelled");
        for (uint32_t end = search->tail; head < end; head++) {
            uint32_t corner = search->queue[head];
            send_ray(search, corner, -1, 0, turns);
            send_ray(search, corner, 1, 0, turns);
            send_ray(search, corner, 0, -1, turns);
            send_ray(search, corner, 0, 1, turns);
        }
        if (search->labels[search->to].turns != UNSEEN)
            break; /* after the whole layer, whose last ray may have the fewest cells */
    }
    return PZ_OK;
}

/* ---- the answer ---- */

/* Writes the corners and both ends, "4,2>5,2>5,5>4,5", as rows and columns of the board, whose ring begins at
 * row −1. */
static void print_path(struct link_search *search, char out[PZ_TEXT_MAX])
{
    uint32_t corners = 0;
    size_t length = 0;
    for (uint32_t at = search->to; at != search->from; at = search->labels[at].corner)
        search->queue[corners++] = at; /* free to use: the search is over */
    search->queue[corners++] = search->from;
    while (corners-- > 0 && length + 32 < PZ_TEXT_MAX) {
        int row = (int)(search->queue[corners] / search->columns) - 1;
        int column = (int)(search->queue[corners] % search->columns) - 1;
        length += (size_t)snprintf(out + length, PZ_TEXT_MAX - length, "%s%d,%d", length > 0 ? ">" : "", row,
                                   column);
    }
}

/* Draws the line between a cell and its corner; returns the corner. */
static uint32_t draw_segment(struct link_search *search, uint32_t at)
{
    uint32_t corner = search->labels[at].corner;
    bool upright = at % search->columns == corner % search->columns;
    uint32_t step = upright ? search->columns : 1;
    uint32_t low = at < corner ? at : corner;
    uint32_t high = at < corner ? corner : at;
    for (uint32_t cell = low + step; cell < high; cell += step)
        search->raster[cell] = upright ? '|' : '-';
    if (corner != search->from)
        search->raster[corner] = '+';
    return corner;
}

/* Adds " drawing=…": the board with the path on it, rows separated by '/', with the sides of the ring that
 * the path uses. Adds nothing if it does not fit. */
static void print_drawing(struct link_search *search, char *out, size_t room)
{
    const struct linkup *linkup = search->linkup;
    bool ring = false;
    char *raster = search->raster;
    memset(raster, '.', search->cells);
    for (unsigned row = 0; row < linkup->rows; row++)
        memcpy(raster + (size_t)(row + 1) * search->columns + 1, linkup->tile + (size_t)row * linkup->columns,
               linkup->columns);
    for (uint32_t at = search->to; at != search->from;) {
        at = draw_segment(search, at);
        unsigned row = at / search->columns;
        unsigned column = at % search->columns;
        ring |= row == 0 || column == 0 || row > linkup->rows || column > linkup->columns;
    }
    unsigned first = ring ? 0 : 1;
    unsigned columns = search->columns - 2 * first;
    unsigned rows = linkup->rows + 2 - 2 * first;
    size_t length = strlen(out);
    if (length + sizeof " drawing=" + (size_t)rows * (columns + 1) > room)
        return;
    length += (size_t)snprintf(out + length, room - length, " drawing=");
    for (unsigned row = first; row < first + rows; row++) {
        if (row > first)
            out[length++] = '/';
        memcpy(out + length, raster + (size_t)row * search->columns + first, columns);
        length += columns;
    }
    out[length] = '\0';
}

static enum pz_status answer(struct link_search *search, const _Atomic bool *stop, struct pz_solution *out,
                             struct pz_error *error)
{
    enum pz_status status = search_lines(search, stop, error);
    const struct label *end = &search->labels[search->to];
    if (status != PZ_OK || end->turns == UNSEEN)
        return status;
    out->solvable = PZ_YES;
    out->moves = end->turns;
    (void)snprintf(out->detail, sizeof out->detail, "turns=%" PRIu32 " cells=%" PRIu32, end->turns,
                   end->cells);
    print_drawing(search, out->detail, sizeof out->detail);
    print_path(search, out->path);
    return PZ_OK;
}

static enum pz_status linkup_solve(const struct pz_space *space, const void *start, const _Atomic bool *stop,
                                   struct pz_solution *out, struct pz_error *error)
{
    const struct linkup *linkup = linkup_of(space);
    (void)start;
    *out = (struct pz_solution){.solvable = PZ_NO, .moves = -1};
    if (linkup->tile[linkup->from_row * linkup->columns + linkup->from_column] !=
        linkup->tile[linkup->to_row * linkup->columns + linkup->to_column]) {
        (void)snprintf(out->detail, sizeof out->detail, "reason=different-tiles");
        return PZ_OK;
    }
    struct link_search *search = calloc(1, sizeof *search);
    if (search == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a search");
    search->linkup = linkup;
    search->columns = linkup->columns + 2;
    search->cells = (linkup->rows + 2) * search->columns;
    search->from = (linkup->from_row + 1) * search->columns + linkup->from_column + 1;
    search->to = (linkup->to_row + 1) * search->columns + linkup->to_column + 1;
    const enum pz_status status = answer(search, stop, out, error);
    free(search);
    return status;
}

const struct pz_puzzle linkup_puzzle = {
    .abi = PZ_SPACE_ABI,
    .name = "linkup",
    .summary = "link-up: a path with few turns between two equal tiles",
    .example = "linkup:AB/AB,from:0:0,to:1:0",
    .keys = linkup_keys,
    .open = linkup_open,
    .close = space_free,
    .parse = linkup_parse,
    .print = linkup_print,
    .separator = "",
    .root = linkup_root,
    .is_goal = linkup_is_goal,
    .solve = linkup_solve,
    .pieces = linkup_pieces,
};
