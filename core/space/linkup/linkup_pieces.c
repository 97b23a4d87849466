/* SPDX-License-Identifier: MIT */
/* Link-up's picture: the tiles, and the line of a solution over them. A board whose paths may leave it is
 * drawn with the ring of cells around it. */
#include "space/linkup/linkup.h"

#include "space/options.h"

#include <math.h>
#include <stdio.h>

static const double width = 0.24; /* of the line, in cells */

struct linkup_place {
    int row, column;
};

/* Reads "-1,5" and moves *text behind it. Returns false if there is none. */
static bool read_place(const char **text, struct linkup_place *out)
{
    int length = 0;
    /* NOLINTNEXTLINE(cert-err34-c): three digits cannot overflow */
    const bool read = sscanf(*text, "%3d,%3d%n", &out->row, &out->column, &length) == 2 && length > 0;
    *text += length;
    return read;
}

/* Returns true if a line may lie on a cell between its ends. */
static bool is_free(const struct linkup *linkup, struct linkup_place at)
{
    const bool inside =
        at.row >= 0 && at.column >= 0 && at.row < (int)linkup->rows && at.column < (int)linkup->columns;
    const bool ring =
        at.row >= -1 && at.column >= -1 && at.row <= (int)linkup->rows && at.column <= (int)linkup->columns;
    if (inside)
        return linkup->tile[(unsigned)at.row * linkup->columns + (unsigned)at.column] == '.';
    return ring && !linkup->closed;
}

static bool is_end(const struct linkup *linkup, struct linkup_place at)
{
    return at.row == (int)linkup->to_row && at.column == (int)linkup->to_column;
}

static int sign(int number)
{
    return (number > 0) - (number < 0);
}

/* Returns true if a straight line leads from one place to another over free cells, the last of which may be
 * the end. */
static bool leads(const struct linkup *linkup, struct linkup_place from, struct linkup_place to)
{
    const int down = sign(to.row - from.row);
    const int right = sign(to.column - from.column);
    if ((down == 0) == (right == 0))
        return false;
    while (from.row != to.row || from.column != to.column) {
        from = (struct linkup_place){from.row + down, from.column + right};
        const bool last = from.row == to.row && from.column == to.column;
        if (!is_free(linkup, from) && !(last && is_end(linkup, from)))
            return false;
    }
    return true;
}

/* Returns the middle of a cell, or, of a cell with one of the two tiles, of the side that the line comes to.
 */
static void meet(const struct linkup *linkup, struct linkup_place at, struct linkup_place other, double *x,
                 double *y)
{
    const bool tile = !is_free(linkup, at);
    *x = at.column + 0.5 + (tile ? 0.5 * sign(other.column - at.column) : 0);
    *y = at.row + 0.5 + (tile ? 0.5 * sign(other.row - at.row) : 0);
}

static void linkup_put_line(const struct linkup *linkup, struct linkup_place from, struct linkup_place to,
                            double ring, pz_put_piece *put, void *taker)
{
    double x[2];
    double y[2];
    meet(linkup, from, to, &x[0], &y[0]);
    meet(linkup, to, from, &x[1], &y[1]);
    put(taker, &(struct pz_piece){.kind = "line",
                                  .id = "line",
                                  .x = fmin(x[0], x[1]) + ring - width / 2,
                                  .y = fmin(y[0], y[1]) + ring - width / 2,
                                  .width = fabs(x[0] - x[1]) + width,
                                  .height = fabs(y[0] - y[1]) + width});
}

/* Returns false if the path does not lead from one tile to the other. */
static bool put_path(const struct linkup *linkup, const char *path, double ring, pz_put_piece *put,
                     void *taker)
{
    struct linkup_place at;
    struct linkup_place next;
    if (!read_place(&path, &at) || at.row != (int)linkup->from_row || at.column != (int)linkup->from_column)
        return false;
    for (; *path == '>'; at = next) {
        path++;
        if (!read_place(&path, &next) || !leads(linkup, at, next))
            return false;
        linkup_put_line(linkup, at, next, ring, put, taker);
    }
    return *path == '\0' && is_end(linkup, at);
}

static void put_tile(const struct linkup *linkup, unsigned row, unsigned column, double ring,
                     pz_put_piece *put, void *taker)
{
    char id[32];
    const char text[2] = {linkup->tile[row * linkup->columns + column], '\0'};
    const bool joined = (row == linkup->from_row && column == linkup->from_column) ||
                        (row == linkup->to_row && column == linkup->to_column);
    (void)snprintf(id, sizeof id, "%u.%u", row, column);
    if (*text != '.')
        put(taker, &(struct pz_piece){joined ? "chief" : "tile", id, text, column + ring, row + ring, 1, 1});
}

struct pz_size linkup_pieces(const struct pz_space *space, const void *state, const char *path,
                             pz_put_piece *put, void *taker)
{
    const struct linkup *linkup = linkup_of(space);
    const double ring = linkup->closed ? 0 : 1;
    (void)state;
    for (unsigned row = 0; row < linkup->rows; row++)
        for (unsigned column = 0; column < linkup->columns; column++)
            put_tile(linkup, row, column, ring, put, taker);
    if (path != NULL && !put_path(linkup, path, ring, put, taker))
        return (struct pz_size){0, 0};
    return (struct pz_size){linkup->columns + 2 * ring, linkup->rows + 2 * ring};
}
