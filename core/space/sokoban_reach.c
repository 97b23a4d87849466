/* SPDX-License-Identifier: MIT */
/*
 * Finds the player's region and the pushes from it, on sets of cells with one bit each. Shifts find all
 * boxes that can be pushed in a direction, and which of these pushes need a look of their own: those that may
 * freeze boxes, and those that may change the player's region by more than the two squares of the push.
 *
 * The kernel is compiled for sets of one, two and any number of words, and for states of one word and of
 * more: with a known number the compiler keeps sets in registers.
 */
#include "space/sokoban_cells.h"

#include <string.h>

/* A position as sets of cells. */
struct position {
    struct cells boxes, open, region;    /* open: neither wall nor box; region: where the player gets to */
    uint8_t box[64 * SOKOBAN_WORDS_MAX]; /* the number of the box on a cell */
};

KERNEL void read_boxes(const struct sokoban *sokoban, struct shape shape, const uint8_t *state,
                       struct position *position)
{
    empty(shape, &position->boxes);
    for (unsigned i = 1; i <= sokoban->boxes; i++) {
        const unsigned bit = sokoban->raster.bit[state[i]];
        include(shape, &position->boxes, bit);
        position->box[bit] = (uint8_t)i;
    }
}

KERNEL void read_position(const struct sokoban *sokoban, struct shape shape, const uint8_t *state,
                          struct position *position)
{
    const struct sokoban_raster *raster = &sokoban->raster;
    read_boxes(sokoban, shape, state, position);
    empty(shape, &position->region);
    for (unsigned i = 0; i < shape.words; i++)
        position->open.word[i] = raster->floor.word[i] & ~position->boxes.word[i];
    include(shape, &position->region, raster->bit[state[0]]);
    fill(shape, &position->open, &position->region);
}

/* ---- which pushes there are ---- */

/* Sets of a position by which the pushes in a direction are found. */
struct surroundings {
    struct cells usable[DIRECTIONS]; /* cells whose neighbour is neither wall, box nor dead */
    struct cells strange;            /* open, and not in the region */
    bool has_strange;
};

KERNEL void look_around(const struct sokoban *sokoban, struct shape shape, const struct position *position,
                        struct surroundings *around)
{
    struct cells usable;
    uint64_t any = 0;
    for (unsigned i = 0; i < shape.words; i++) {
        usable.word[i] = sokoban->raster.alive.word[i] & ~position->boxes.word[i];
        around->strange.word[i] = position->open.word[i] & ~position->region.word[i];
        any |= around->strange.word[i];
    }
    for (unsigned d = 0; d < DIRECTIONS; d++)
        for (unsigned i = 0; i < shape.words; i++)
            around->usable[d].word[i] = beside(shape, &usable, d, i);
    around->has_strange = any != 0;
}

/* The boxes that can be pushed in a direction, and those among them that need a look. */
struct pushes {
    struct cells all;
    struct cells may_freeze; /* along each axis the target has a neighbour where no box can be pushed */
    struct cells opens;      /* the cell that the box leaves may join the region with others */
};

KERNEL void find_pushes(struct shape shape, const struct position *position,
                        const struct surroundings *around, unsigned direction, struct pushes *pushes)
{
    const unsigned left = direction < LEFT ? LEFT : UP, right = left + 1, back = direction ^ 1;
    struct cells stuck;
    for (unsigned i = 0; i < shape.words; i++) {
        stuck.word[i] = ~(around->usable[direction].word[i] |
                          (around->usable[left].word[i] & around->usable[right].word[i]));
        pushes->all.word[i] = position->boxes.word[i] & around->usable[direction].word[i] &
                              beside(shape, &position->region, back, i);
        pushes->opens.word[i] = 0;
    }
    for (unsigned i = 0; i < shape.words; i++)
        pushes->may_freeze.word[i] = pushes->all.word[i] & beside(shape, &stuck, direction, i);
    if (!around->has_strange)
        return;
    for (unsigned i = 0; i < shape.words; i++)
        pushes->opens.word[i] =
            beside(shape, &around->strange, left, i) | beside(shape, &around->strange, right, i);
}

/* ---- a push ---- */

/* Returns three bits of a set from one on; it may be before the first or beyond the last word. */
KERNEL unsigned three_from(struct shape shape, const struct cells *set, int bit)
{
    const int word = bit >> 6;
    const unsigned low = (unsigned)bit % 64;
    unsigned three = 0;
    for (int i = 0; i < (int)shape.words; i++) {
        three |= i == word ? (unsigned)(set->word[i] >> low) : 0;
        three |= i == word + 1 ? (unsigned)(set->word[i] << 1 << (63 - low)) : 0;
    }
    return three & 7;
}

/* Returns true if a box on a cell may cut the player's region there: the open cells beside it are not
 * connected by those of the ring around it. */
KERNEL bool cuts(const struct sokoban_raster *raster, struct shape shape, const struct cells *open,
                 unsigned at)
{
    const int row = (int)at - 1, stride = (int)shape.stride;
    const unsigned ring = three_from(shape, open, row - stride) | three_from(shape, open, row) << 3 |
                          three_from(shape, open, row + stride) << 6;
    return raster->parted[ring];
}

/* Makes a set of those neighbours of a cell that are in another set. */
KERNEL void neighbours(struct shape shape, unsigned bit, const struct cells *of, struct cells *set)
{
    struct cells cell;
    empty(shape, &cell);
    include(shape, &cell, bit);
    for (unsigned i = 0; i < shape.words; i++) {
        set->word[i] = 0;
        for (unsigned d = 0; d < DIRECTIONS; d++)
            set->word[i] |= beside(shape, &cell, d, i) & of->word[i];
    }
}

/* Returns the lowest cell of the player's region after a push. If the push may cut the region, the part with
 * the player in it grows until it has met all the neighbours that the box may part: then it is the region. */
KERNEL unsigned region_after(const struct sokoban_raster *raster, struct shape shape,
                             const struct position *position, unsigned from, unsigned to, bool opens)
{
    struct cells region, open, part, sides;
    copy(shape, &position->region, &region);
    copy(shape, &position->open, &open);
    include(shape, &region, from);
    include(shape, &open, from);
    if (holds(shape, &region, to)) {
        const bool may_cut = cuts(raster, shape, &open, to);
        exclude(shape, &region, to);
        exclude(shape, &open, to);
        if (may_cut) {
            empty(shape, &part);
            include(shape, &part, from);
            neighbours(shape, to, &open, &sides);
            if (!fill_to(shape, &open, &part, &sides))
                return lowest(shape, &part);
        }
    } else {
        exclude(shape, &open, to);
    }
    if (opens)
        fill(shape, &open, &region);
    return lowest(shape, &region);
}

KERNEL bool freezes_after(struct shape shape, const struct sokoban_raster *raster, const struct cells *boxes,
                          unsigned from, unsigned to)
{
    struct cells after;
    copy(shape, boxes, &after);
    exclude(shape, &after, from);
    include(shape, &after, to);
    return freezes(shape, raster, &after);
}

/* Returns a state of one word after box i has come to a square, as its box number to. The bytes between move
 * up or down by one. */
KERNEL uint64_t word_after(uint64_t state, unsigned i, unsigned to, unsigned square)
{
    const unsigned low = i < to ? i : to, high = i < to ? to : i;
    const uint64_t moved = (UINT64_MAX << 8 * low) & (UINT64_MAX >> (56 - 8 * high));
    const uint64_t rest = state & moved;
    return (state & ~moved) | ((i < to ? rest >> 8 : rest << 8) & moved) | (uint64_t)square << 8 * to;
}

KERNEL void write_state(const struct sokoban *sokoban, struct shape shape, const struct position *position,
                        const uint8_t *state, unsigned direction, unsigned from, unsigned to, unsigned player,
                        uint8_t *out)
{
    const struct sokoban_raster *raster = &sokoban->raster;
    const unsigned i = position->box[from];
    if (shape.state_words > 1) {
        memcpy(out, state, shape.state_words * sizeof(uint64_t));
        sokoban_put_box(out, sokoban->boxes, i, raster->square[to]);
        out[0] = raster->square[player];
        return;
    }
    uint64_t word;
    memcpy(&word, state, sizeof word);
    if (direction == LEFT)
        word -= UINT64_C(1) << 8 * i;
    else if (direction == RIGHT)
        word += UINT64_C(1) << 8 * i;
    else
        word = word_after(word, i, count_below(shape, &position->boxes, to) + (direction == UP),
                          raster->square[to]);
    word = (word & ~UINT64_C(0xFF)) | raster->square[player];
    memcpy(out, &word, sizeof word);
}

/* Where the successors of a state go. */
struct successors {
    uint8_t *out, *tokens;
    unsigned count;
};

KERNEL void push_all(const struct sokoban *sokoban, struct shape shape, const struct position *position,
                     const uint8_t *state, const struct surroundings *around, unsigned direction,
                     struct successors *successors)
{
    const struct sokoban_raster *raster = &sokoban->raster;
    struct pushes pushes;
    find_pushes(shape, position, around, direction, &pushes);
    for (unsigned i = 0; i < shape.words; i++) {
        for (uint64_t rest = pushes.all.word[i]; rest != 0; rest &= rest - 1) {
            const unsigned bit = (unsigned)__builtin_ctzll(rest), from = i * 64 + bit;
            const unsigned to = direction % 2 == 0 ? from - distance_to(shape, direction)
                                                   : from + distance_to(shape, direction);
            if ((pushes.may_freeze.word[i] >> bit & 1) != 0 &&
                freezes_after(shape, raster, &position->boxes, from, to))
                continue;
            const unsigned player =
                region_after(raster, shape, position, from, to, pushes.opens.word[i] >> bit & 1);
            write_state(sokoban, shape, position, state, direction, from, to, player, successors->out);
            successors->out += shape.state_words * sizeof(uint64_t);
            successors->tokens[successors->count++] = PZ_NO_TOKEN;
        }
    }
}

KERNEL unsigned expand(const struct sokoban *sokoban, const uint8_t *state, uint8_t *out, uint8_t *tokens,
                       struct shape shape)
{
    struct position position;
    struct surroundings around;
    struct successors successors;
    successors.out = out;
    successors.tokens = tokens;
    successors.count = 0;
    shape.stride = sokoban->raster.stride;
    read_position(sokoban, shape, state, &position);
    look_around(sokoban, shape, &position, &around);
    push_all(sokoban, shape, &position, state, &around, UP, &successors);
    push_all(sokoban, shape, &position, state, &around, DOWN, &successors);
    push_all(sokoban, shape, &position, state, &around, LEFT, &successors);
    push_all(sokoban, shape, &position, state, &around, RIGHT, &successors);
    return successors.count;
}

/* ---- for each kind of level and machine ---- */

/* Compiles the kernel for what most levels have, and for all others. */
KERNEL unsigned expand_any(const struct sokoban *sokoban, const uint8_t *state, uint8_t *out, uint8_t *tokens)
{
    const unsigned words = sokoban->raster.words;
    const unsigned state_words = sokoban->base.state_bytes / (unsigned)sizeof(uint64_t);
    const bool narrow = sokoban->raster.stride < 64;
    if (words > 2 || !narrow)
        return expand(sokoban, state, out, tokens, (struct shape){words, 0, narrow, state_words});
    if (words == 1 && state_words == 1)
        return expand(sokoban, state, out, tokens, (struct shape){1, 0, true, 1});
    if (words == 1)
        return expand(sokoban, state, out, tokens, (struct shape){1, 0, true, state_words});
    if (state_words == 1)
        return expand(sokoban, state, out, tokens, (struct shape){2, 0, true, 1});
    return expand(sokoban, state, out, tokens, (struct shape){2, 0, true, state_words});
}

#if defined(__x86_64__)
/* Shifts and counts bits in one instruction each. */
__attribute__((target("bmi,bmi2,popcnt"))) static unsigned
expand_with_bmi(const struct sokoban *sokoban, const uint8_t *state, uint8_t *out, uint8_t *tokens)
{
    return expand_any(sokoban, state, out, tokens);
}
#define EXPAND_WITH_BMI (__builtin_cpu_supports("bmi2") != 0)
#else
#define expand_with_bmi expand_any
#define EXPAND_WITH_BMI false
#endif

unsigned sokoban_expand_pushes(const struct sokoban *sokoban, const uint8_t *state, uint8_t *out,
                               uint8_t *tokens)
{
    return EXPAND_WITH_BMI ? expand_with_bmi(sokoban, state, out, tokens)
                           : expand_any(sokoban, state, out, tokens);
}

void sokoban_normalise(const struct sokoban *sokoban, uint8_t *state)
{
    struct position position;
    const struct shape shape = {sokoban->raster.words, sokoban->raster.stride, false, 0};
    if (!sokoban->pushes)
        return;
    read_position(sokoban, shape, state, &position);
    state[0] = sokoban->raster.square[lowest(shape, &position.region)];
}

bool sokoban_freezes(const struct sokoban *sokoban, const uint8_t *state)
{
    struct position position;
    const struct shape shape = {sokoban->raster.words, sokoban->raster.stride, false, 0};
    read_boxes(sokoban, shape, state, &position);
    return freezes(shape, &sokoban->raster, &position.boxes);
}
