/* SPDX-License-Identifier: MIT */
/* The raster of a level: where its squares are in sets of cells, and the sets that never change. */
#include "space/sokoban/sokoban.h"

/* The rows and columns of the level's text that have squares. */
struct raster_frame {
    unsigned top, left, bottom, right;
};

static struct raster_frame find_frame(const struct sokoban *sokoban)
{
    struct raster_frame frame = {SOKOBAN_RASTER_MAX, SOKOBAN_RASTER_MAX, 0, 0};
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

static bool is_alive(const struct sokoban *sokoban, unsigned square)
{
    return square != SOKOBAN_NO_SQUARE && sokoban->distance[square] != SOKOBAN_DEAD;
}

void sokoban_make_raster(struct sokoban *sokoban)
{
    struct sokoban_raster *raster = &sokoban->raster;
    struct raster_frame frame = find_frame(sokoban);
    raster->stride = frame.right - frame.left + 2;
    raster->words = ((frame.bottom - frame.top + 1) * raster->stride + 63) / 64;
    for (unsigned i = 0; i < sokoban->squares; i++) {
        unsigned row = sokoban->place[i] / sokoban->level.columns - frame.top;
        unsigned column = sokoban->place[i] % sokoban->level.columns - frame.left;
        unsigned bit = row * raster->stride + column;
        raster->bit[i] = (uint16_t)bit;
        raster->square[bit] = (uint8_t)i;
        raster->floor.word[bit / 64] |= UINT64_C(1) << bit % 64;
        if (is_alive(sokoban, i))
            raster->alive.word[bit / 64] |= UINT64_C(1) << bit % 64;
        if (sokoban->goal[i])
            raster->home.word[bit / 64] |= UINT64_C(1) << bit % 64;
        for (unsigned axis = 0; axis < 2; axis++)
            if (is_alive(sokoban, sokoban->neighbour[i][2 * axis]) ||
                is_alive(sokoban, sokoban->neighbour[i][2 * axis + 1]))
                raster->rail[axis].word[bit / 64] |= UINT64_C(1) << bit % 64;
    }
}
