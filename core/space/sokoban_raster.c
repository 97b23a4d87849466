/* SPDX-License-Identifier: MIT */
/* The raster of a level: where its squares are in sets of cells, and the sets that never change. */
#include "space/sokoban_cells.h"

/* The rows and columns of the level's text that have squares. */
struct frame {
    unsigned top, left, bottom, right;
};

static struct frame find_frame(const struct sokoban *sokoban)
{
    struct frame frame = {SOKOBAN_RASTER_MAX, SOKOBAN_RASTER_MAX, 0, 0};
    for (unsigned i = 0; i < sokoban->squares; i++) {
        unsigned row = sokoban->place[i] / sokoban->level.columns;
        unsigned column = sokoban->place[i] % sokoban->level.columns;
        frame.top = row < frame.top ? row : frame.top;
        frame.bottom = row > frame.bottom ? row : frame.bottom;
        frame.left = column < frame.left ? column : frame.left;
        frame.right = column > frame.right ? column : frame.right;
    }
    return frame;
}

/* Finds the cells with a neighbour along an axis where a box is not dead. */
static void find_rails(struct sokoban_raster *raster)
{
    const struct shape shape = {raster->words, raster->stride, false, 0};
    for (unsigned axis = 0; axis < 2; axis++)
        for (unsigned i = 0; i < raster->words; i++)
            raster->rail[axis].word[i] =
                beside(shape, &raster->alive, 2 * axis, i) | beside(shape, &raster->alive, 2 * axis + 1, i);
}

/* Returns true if the open cells beside the centre of a square of 3 × 3 are not connected around it. */
static bool is_parted(unsigned open)
{
    static const unsigned ring[8] = {1, 2, 5, 8, 7, 6, 3, 0}; /* clockwise from above */
    unsigned groups = 0;
    for (unsigned side = 0; side < 8; side += 2) {
        const bool is_open = (open >> ring[side] & 1) != 0;
        const bool follows = (open >> ring[(side + 7) % 8] & open >> ring[(side + 6) % 8] & 1) != 0;
        groups += is_open && !follows;
    }
    return groups > 1;
}

void sokoban_make_raster(struct sokoban *sokoban)
{
    struct sokoban_raster *raster = &sokoban->raster;
    struct frame frame = find_frame(sokoban);
    raster->stride = frame.right - frame.left + 2;
    raster->words = ((frame.bottom - frame.top + 1) * raster->stride + 63) / 64;
    for (unsigned i = 0; i < sokoban->squares; i++) {
        unsigned row = sokoban->place[i] / sokoban->level.columns - frame.top;
        unsigned column = sokoban->place[i] % sokoban->level.columns - frame.left;
        unsigned bit = row * raster->stride + column;
        raster->bit[i] = (uint16_t)bit;
        raster->square[bit] = (uint8_t)i;
        raster->floor.word[bit / 64] |= UINT64_C(1) << bit % 64;
        if (sokoban->distance[i] != SOKOBAN_DEAD)
            raster->alive.word[bit / 64] |= UINT64_C(1) << bit % 64;
        if (sokoban->goal[i])
            raster->home.word[bit / 64] |= UINT64_C(1) << bit % 64;
    }
    find_rails(raster);
    for (unsigned open = 0; open < 512; open++)
        raster->parted[open] = is_parted(open);
}
