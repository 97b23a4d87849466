/* SPDX-License-Identifier: MIT */
/*
 * Finds the player's region and the pushes from it, on sets of cells with one bit each. Four shifts find all
 * neighbours of a set.
 *
 * The kernels are written once for any number of words and compiled for one, two, three, four and any: with a
 * known number the compiler keeps sets in registers.
 */
#include "space/sokoban.h"

#include <string.h>

#define KERNEL static inline __attribute__((always_inline))

struct cells {
    uint64_t word[SOKOBAN_WORDS_MAX];
};

/* The layout of a level's sets. A kernel is compiled for some of it. */
struct shape {
    unsigned words;
    unsigned stride;
    bool narrow; /* the stride is below 64 */
};

/* Returns the word of a set that a bit is in. */
KERNEL unsigned word_of(struct shape shape, unsigned bit)
{
    return shape.words == 1 ? 0 : bit / 64;
}

KERNEL bool holds(struct shape shape, const uint64_t *set, unsigned bit)
{
    return (set[word_of(shape, bit)] >> bit % 64 & 1) != 0;
}

KERNEL void toggle(struct shape shape, uint64_t *set, unsigned bit)
{
    set[word_of(shape, bit)] ^= UINT64_C(1) << bit % 64;
}

/* Returns word i of a set shifted by distance bits to higher numbers. near: distance < 64. */
KERNEL uint64_t raised(const uint64_t *set, unsigned i, unsigned distance, bool near)
{
    unsigned far = near ? 0 : distance / 64;
    unsigned bits = distance % 64;
    if (i < far)
        return 0;
    uint64_t word = set[i - far] << bits;
    return i > far && (near || bits > 0) ? word | set[i - far - 1] >> (64 - bits) : word;
}

/* Returns word i of a set shifted by distance bits to lower numbers. near: distance < 64. */
KERNEL uint64_t lowered(const uint64_t *set, unsigned words, unsigned i, unsigned distance, bool near)
{
    unsigned far = near ? 0 : distance / 64;
    unsigned bits = distance % 64;
    if (i + far >= words)
        return 0;
    uint64_t word = set[i + far] >> bits;
    return i + far + 1 < words && (near || bits > 0) ? word | set[i + far + 1] << (64 - bits) : word;
}

/* Grows a set over all open cells connected with it. */
KERNEL void fill(struct shape shape, const uint64_t *open, uint64_t *set)
{
    unsigned words = shape.words;
    uint64_t grown;
    do {
        grown = 0;
        for (unsigned i = 0; i < words; i++) {
            uint64_t before = set[i];
            set[i] |= (raised(set, i, 1, true) | lowered(set, words, i, 1, true)) & open[i];
            set[i] |= (raised(set, i, shape.stride, shape.narrow) |
                       lowered(set, words, i, shape.stride, shape.narrow)) &
                      open[i];
            grown |= set[i] ^ before;
        }
    } while (grown != 0);
}

/* Returns the lowest bit of a set, which is not empty. */
KERNEL unsigned lowest(struct shape shape, const uint64_t *set)
{
    unsigned i = 0;
    while (i + 1 < shape.words && set[i] == 0)
        i++;
    return i * 64 + (unsigned)__builtin_ctzll(set[i]);
}

/* ---- after a push ---- */

/* Returns true if the player's region after a push is the region before, plus the square that the box left,
 * minus the one that it entered. So it is if the former square opens the way to no other cell, and the free
 * cells next to the latter connect what it could cut apart. */
KERNEL bool keeps_region(const struct sokoban_raster *raster, struct shape shape, const uint64_t *open,
                         const uint64_t *region, unsigned from, unsigned to)
{
    const uint16_t *left = raster->ring[from];
    for (unsigned side = 0; side < 8; side += 2)
        if (holds(shape, open, left[side]) && !holds(shape, region, left[side]))
            return false;
    if (!holds(shape, region, raster->bit[to]))
        return true;
    const uint16_t *entered = raster->ring[to];
    unsigned pattern = 0;
    for (unsigned i = 0; i < 8; i++)
        pattern |= (unsigned)holds(shape, open, entered[i]) << i;
    return raster->joined[pattern];
}

/* Returns the lowest square of the player's region after a push between two squares. open is as after the
 * push, region as before it. */
KERNEL unsigned region_after(const struct sokoban_raster *raster, struct shape shape, const uint64_t *open,
                             const uint64_t *region, unsigned from, unsigned to)
{
    struct cells reached;
    memset(reached.word, 0, shape.words * sizeof reached.word[0]);
    toggle(shape, reached.word, raster->bit[from]);
    if (keeps_region(raster, shape, open, region, from, to))
        for (unsigned i = 0; i < shape.words; i++)
            reached.word[i] |= region[i] & open[i];
    else
        fill(shape, open, reached.word);
    return raster->square[lowest(shape, reached.word)];
}

/* ---- all pushes ---- */

/* A position as sets of cells. */
struct position {
    struct cells boxes, open, region; /* open: neither wall nor box; region: where the player gets to */
    struct cells usable;              /* open, and not dead */
};

KERNEL void read_position(const struct sokoban *sokoban, struct shape shape, const uint8_t *state,
                          struct position *position)
{
    const struct sokoban_raster *raster = &sokoban->raster;
    memset(position->boxes.word, 0, shape.words * sizeof position->boxes.word[0]);
    memset(position->region.word, 0, shape.words * sizeof position->region.word[0]);
    for (unsigned i = 1; i <= sokoban->boxes; i++)
        toggle(shape, position->boxes.word, raster->bit[state[i]]);
    for (unsigned i = 0; i < shape.words; i++) {
        position->open.word[i] = raster->floor[i] & ~position->boxes.word[i];
        position->usable.word[i] = raster->alive[i] & ~position->boxes.word[i];
    }
    toggle(shape, position->region.word, raster->bit[state[0]]);
    fill(shape, position->open.word, position->region.word);
}

/* Returns the boxes of word i that can be pushed in a direction: the player can get behind them, and the
 * square before them is usable. */
KERNEL uint64_t pushable(const struct position *position, struct shape shape, unsigned direction, unsigned i)
{
    bool near = direction >= 2 || shape.narrow;
    unsigned distance = direction < 2 ? shape.stride : 1;
    const uint64_t *region = position->region.word;
    const uint64_t *usable = position->usable.word;
    uint64_t push = direction % 2 == 0
                        ? lowered(region, shape.words, i, distance, near) & raised(usable, i, distance, near)
                        : raised(region, i, distance, near) & lowered(usable, shape.words, i, distance, near);
    return position->boxes.word[i] & push;
}

/* Returns true if the box on a square may be frozen: along each axis a neighbour is not usable. */
KERNEL bool may_freeze(const struct sokoban_raster *raster, struct shape shape,
                       const struct position *position, unsigned from, unsigned to)
{
    const uint16_t *ring = raster->ring[to];
    bool can[4];
    for (unsigned side = 0; side < 4; side++) /* the square that the box left is free */
        can[side] =
            holds(shape, position->usable.word, ring[2 * side]) || ring[2 * side] == raster->bit[from];
    return !(can[0] && can[2]) && !(can[1] && can[3]);
}

static unsigned index_of(const struct sokoban *sokoban, const uint8_t *state, unsigned square)
{
    unsigned i = 1;
    while (i < sokoban->boxes && state[i] != square)
        i++;
    return i;
}

/* Writes the position after a push. Returns false if that is a deadlock. */
KERNEL bool push(const struct sokoban *sokoban, struct shape shape, struct position *position,
                 const uint8_t *state, unsigned from, unsigned to, uint8_t *out)
{
    const struct sokoban_raster *raster = &sokoban->raster;
    memcpy(out, state, sokoban->base.state_bytes);
    sokoban_put_box(out, sokoban->boxes, index_of(sokoban, state, from), to);
    if (may_freeze(raster, shape, position, from, to) && sokoban_freezes(sokoban, out, to))
        return false;
    toggle(shape, position->open.word, raster->bit[from]);
    toggle(shape, position->open.word, raster->bit[to]);
    out[0] = (uint8_t)region_after(raster, shape, position->open.word, position->region.word, from, to);
    toggle(shape, position->open.word, raster->bit[from]);
    toggle(shape, position->open.word, raster->bit[to]);
    return true;
}

KERNEL unsigned expand(const struct sokoban *sokoban, const uint8_t *state, uint8_t *out, uint8_t *tokens,
                       unsigned words, bool narrow)
{
    const struct sokoban_raster *raster = &sokoban->raster;
    const struct shape shape = {words, raster->stride, narrow};
    struct position position;
    unsigned count = 0;
    read_position(sokoban, shape, state, &position);
    for (unsigned d = 0; d < 4; d++) {
        for (unsigned i = 0; i < words; i++) {
            for (uint64_t rest = pushable(&position, shape, d, i); rest != 0; rest &= rest - 1) {
                unsigned from = raster->square[i * 64 + (unsigned)__builtin_ctzll(rest)];
                if (!push(sokoban, shape, &position, state, from, sokoban->neighbour[from][d], out))
                    continue;
                out += sokoban->base.state_bytes;
                tokens[count++] = PZ_NO_TOKEN;
            }
        }
    }
    return count;
}

unsigned sokoban_expand_pushes(const struct sokoban *sokoban, const uint8_t *state, uint8_t *out,
                               uint8_t *tokens)
{
    unsigned words = sokoban->raster.words;
    if (sokoban->raster.stride >= 64)
        return expand(sokoban, state, out, tokens, words, false);
    switch (words) {
    case 1:
        return expand(sokoban, state, out, tokens, 1, true);
    case 2:
        return expand(sokoban, state, out, tokens, 2, true);
    case 3:
        return expand(sokoban, state, out, tokens, 3, true);
    case 4:
        return expand(sokoban, state, out, tokens, 4, true);
    default:
        return expand(sokoban, state, out, tokens, words, true);
    }
}

void sokoban_normalise(const struct sokoban *sokoban, uint8_t *state)
{
    struct position position;
    const struct shape shape = {sokoban->raster.words, sokoban->raster.stride, false};
    if (!sokoban->pushes)
        return;
    read_position(sokoban, shape, state, &position);
    state[0] = sokoban->raster.square[lowest(shape, position.region.word)];
}

/* ---- the raster ---- */

/* Returns true if the free sides (even bits) of a ring of cells are connected by its free cells. */
static bool sides_are_joined(unsigned pattern)
{
    unsigned groups = 0;
    for (unsigned side = 0; side < 8; side += 2) {
        bool is_free = (pattern >> side & 1) != 0;
        bool follows = (pattern >> (side + 7) % 8 & 1) != 0 && (pattern >> (side + 6) % 8 & 1) != 0;
        groups += is_free && !follows;
    }
    return groups <= 1;
}

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

/* Fills in the cells around each square, clockwise from above. Those outside get the bit behind the first
 * row, which is no floor. */
static void find_rings(struct sokoban *sokoban)
{
    struct sokoban_raster *raster = &sokoban->raster;
    static const int rows[8] = {-1, -1, 0, 1, 1, 1, 0, -1};
    static const int columns[8] = {0, 1, 1, 1, 0, -1, -1, -1};
    for (unsigned i = 0; i < sokoban->squares; i++) {
        for (unsigned k = 0; k < 8; k++) {
            int bit = (int)raster->bit[i] + rows[k] * (int)raster->stride + columns[k];
            bool inside = bit >= 0 && bit < (int)raster->words * 64;
            raster->ring[i][k] = (uint16_t)(inside ? (unsigned)bit : raster->stride - 1);
        }
    }
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
        raster->floor[bit / 64] |= UINT64_C(1) << bit % 64;
        if (sokoban->distance[i] != SOKOBAN_DEAD)
            raster->alive[bit / 64] |= UINT64_C(1) << bit % 64;
    }
    find_rings(sokoban);
    for (unsigned pattern = 0; pattern < 256; pattern++)
        raster->joined[pattern] = sides_are_joined(pattern);
}
