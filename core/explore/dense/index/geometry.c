/* SPDX-License-Identifier: MIT */
#include "explore/dense/index/geometry.h"

#include <assert.h>
#include <string.h>

bool dense_grid_fits(const struct grid *grid)
{
    return grid->rows >= 2 && grid->columns >= 2 && grid->cells <= DENSE_PLACES_MAX;
}

/* Lines of the path are the grid's columns, which are its shorter side. */
static void lay_path(struct dense_geometry *geometry)
{
    const struct grid *grid = &geometry->grid;
    for (unsigned place = 0; place < geometry->places; place++) {
        unsigned column = place / grid->rows;
        unsigned along = place % grid->rows;
        unsigned row = column % 2 == 0 ? along : grid->rows - 1u - along;
        unsigned cell = row * grid->columns + column;
        geometry->cell_of[place] = (uint8_t)cell;
        geometry->place_of[cell] = (uint8_t)place;
    }
}

static void find_cell_edges(struct dense_geometry *geometry)
{
    const struct grid *grid = &geometry->grid;
    for (unsigned low = 0; low < geometry->places; low++) {
        for (unsigned direction = 0; direction < DIRECTION_COUNT; direction++) {
            unsigned cell = grid->neighbour[geometry->cell_of[low]][direction];
            if (cell == GRID_NO_CELL || geometry->place_of[cell] < low + 3)
                continue;
            geometry->edge[geometry->edge_count++] =
                (struct dense_edge){.low = (uint8_t)low, .high = geometry->place_of[cell]};
        }
    }
}

static void label_tiles(struct dense_geometry *geometry, unsigned blank)
{
    struct board root;
    board_ordered(&geometry->grid, blank, &root);
    geometry->root_place = geometry->place_of[blank];
    unsigned label = 0;
    for (unsigned place = 0; place < geometry->places; place++) {
        unsigned tile = root.tile[geometry->cell_of[place]];
        if (tile == BOARD_BLANK)
            continue;
        geometry->label_of[tile] = (uint8_t)label;
        geometry->tile_of[label++] = (uint8_t)tile;
    }
}

void dense_geometry_init(struct dense_geometry *geometry, const struct grid *grid, unsigned blank)
{
    memset(geometry, 0, sizeof *geometry);
    geometry->grid = *grid;
    geometry->places = grid->cells;
    geometry->tiles = (uint8_t)(grid->cells - 1);
    geometry->width = grid->rows;
    lay_path(geometry);
    find_cell_edges(geometry);
    label_tiles(geometry, blank);
    unsigned tiles = geometry->tiles;
    geometry->span[tiles] = 1;
    geometry->span[tiles - 1] = 1;
    geometry->span[tiles - 2] = 1;
    for (unsigned k = tiles - 2; k-- > 0;)
        geometry->span[k] = geometry->span[k + 1] * (tiles - k);
    geometry->classes = geometry->span[0];
}

/* Digits first … T−1 of the class with this offset among those that share the digits before first. */
static void unrank(const struct dense_geometry *geometry, unsigned first, unsigned parity, uint64_t offset,
                   uint8_t *digit)
{
    unsigned last = geometry->tiles - 2u;
    for (unsigned k = first; k < last && k < DENSE_PLACES_MAX - 2; k++) { /* the bound is the compiler's */
        uint64_t step = geometry->span[k + 1];
        digit[k] = (uint8_t)(offset / step);
        offset %= step;
        parity ^= digit[k] & 1u;
    }
    digit[last] = (uint8_t)parity;
    digit[last + 1] = 0;
}

static uint64_t rank(const struct dense_geometry *geometry, unsigned first, const uint8_t *digit)
{
    uint64_t offset = 0;
    for (unsigned k = first; k + 2 < geometry->tiles; k++)
        offset += digit[k] * geometry->span[k + 1];
    return offset;
}

bool dense_position_of(const struct dense_geometry *geometry, const struct board *board,
                       struct dense_position *position)
{
    memset(position, 0, sizeof *position);
    unsigned k = 0;
    unsigned sum = 0;
    unsigned later = (1u << geometry->tiles) - 1; /* labels that are still to come */
    for (unsigned place = 0; place < geometry->places; place++) {
        unsigned tile = board->tile[geometry->cell_of[place]];
        if (tile == BOARD_BLANK) {
            position->place = (uint8_t)place;
            continue;
        }
        unsigned label = geometry->label_of[tile];
        later &= ~(1u << label);
        position->digit[k] = (uint8_t)__builtin_popcount(later & ((1u << label) - 1));
        sum += position->digit[k++];
    }
    position->number = rank(geometry, 0, position->digit);
    return sum % 2 == 0;
}

void dense_board_of(const struct dense_geometry *geometry, const struct dense_position *position,
                    struct board *board)
{
    unsigned left = (1u << geometry->tiles) - 1; /* labels not yet laid */
    unsigned k = 0;
    memset(board, 0, sizeof *board);
    board->cells = geometry->places;
    for (unsigned place = 0; place < geometry->places; place++) {
        if (place == position->place)
            continue;
        unsigned from = left;
        for (unsigned skip = position->digit[k++]; skip > 0; skip--)
            from &= from - 1;
        unsigned label = (unsigned)__builtin_ctz(from);
        left &= ~(1u << label);
        board->tile[geometry->cell_of[place]] = geometry->tile_of[label];
    }
}

void dense_position_unrank(const struct dense_geometry *geometry, uint64_t number, unsigned place,
                           struct dense_position *position)
{
    assert(number < geometry->classes && place < geometry->places);
    memset(position, 0, sizeof *position);
    position->number = number;
    position->place = (uint8_t)place;
    unrank(geometry, 0, 0, number, position->digit);
}

/* Exchanges the tiles k and k + 1 and changes their digits. */
static inline void swap_neighbours(uint8_t *digit)
{
    uint8_t a = digit[0];
    uint8_t b = digit[1];
    bool falls = a > b;
    digit[0] = (uint8_t)(falls ? b : b + 1);
    digit[1] = (uint8_t)(falls ? a - 1 : a);
}

void dense_rotate_left(uint8_t *digit, unsigned low, unsigned high)
{
    for (unsigned k = low; k + 1 < high; k++)
        swap_neighbours(digit + k);
}

void dense_rotate_right(uint8_t *digit, unsigned low, unsigned high)
{
    for (unsigned k = high - 1; k-- > low;)
        swap_neighbours(digit + k);
}

void dense_unrotate(uint8_t *digit, const struct dense_edge *edge, bool upward)
{
    /* The blank going up brings the last tile of the window to its front; undo that. */
    if (upward)
        dense_rotate_left(digit, edge->low, edge->high);
    else
        dense_rotate_right(digit, edge->low, edge->high);
}

uint64_t dense_source_offset(const struct dense_geometry *geometry, const struct dense_edge *edge,
                             bool upward, unsigned parity, unsigned first, uint64_t offset)
{
    uint8_t digit[DENSE_PLACES_MAX];
    unrank(geometry, first, parity, offset, digit);
    dense_unrotate(digit, edge, upward);
    return rank(geometry, first, digit);
}

unsigned dense_prefix_parity(const struct dense_geometry *geometry, uint64_t number, unsigned end)
{
    unsigned parity = 0;
    for (unsigned k = 0; k < end; k++) {
        parity ^= (unsigned)(number / geometry->span[k + 1]) & 1u;
        number %= geometry->span[k + 1];
    }
    return parity;
}
