/* SPDX-License-Identifier: MIT */
/*
 * The kernel of sokoban_reach.c for processors with AVX-512 F, DQ, VL and VPOPCNTDQ. From the lists on it
 * works on eight pushes at a time: pushes get into lists by compression, and the sets of their positions
 * beside each other by permutation.
 */
#include "space/sokoban/sokoban_pushes.h"

#include <immintrin.h>
#include <string.h>

bool sokoban_avx512_runs(void)
{
    return __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("bmi2");
}

/* ---- vectors ---- */

/* Returns the first lanes. */
KERNEL __mmask8 first_lanes(unsigned count)
{
    return (__mmask8)(count < LANES ? (1U << count) - 1 : UINT8_MAX);
}

/* Returns the lanes that have a bit in common. */
KERNEL __mmask8 common_lanes(lanes a, lanes b)
{
    return _mm512_test_epi64_mask((__m512i)a, (__m512i)b);
}

/* Returns a where a lane of which is all ones, and b where it is 0. */
KERNEL lanes select_lanes(lanes which, lanes a, lanes b)
{
    return (which & a) | (~which & b);
}

/* Reads up to eight words; others are 0. */
KERNEL lanes load_lanes(const uint64_t *words, unsigned count)
{
    return (lanes)_mm512_maskz_loadu_epi64(first_lanes(count), words);
}

/* Read entries of a table. Gathers would be a twentieth faster here, and are much slower on processors
 * whose microcode guards them (Downfall). */
KERNEL lanes look_up_bytes(const uint8_t *table, lanes at)
{
    return (lanes){table[at[0]], table[at[1]], table[at[2]], table[at[3]],
                   table[at[4]], table[at[5]], table[at[6]], table[at[7]]};
}

KERNEL lanes look_up_halves(const uint16_t *table, lanes at)
{
    return (lanes){table[at[0]], table[at[1]], table[at[2]], table[at[3]],
                   table[at[4]], table[at[5]], table[at[6]], table[at[7]]};
}

/* Makes sets of one cell each. A shift by more than 63 leaves nothing. */
KERNEL void only(struct shape shape, lanes cells, struct sets *out)
{
    for (unsigned i = 0; i < shape.words; i++)
        out->word[i] = (lanes)_mm512_sllv_epi64(_mm512_set1_epi64(1), (__m512i)(cells - 64 * (uint64_t)i));
}

/* Makes eight sets out of those whose lanes are given. */
KERNEL void pick(struct shape shape, const struct sets *sets, lanes which, struct sets *out)
{
    for (unsigned i = 0; i < shape.words; i++)
        out->word[i] = (lanes)_mm512_permutexvar_epi64((__m512i)which, (__m512i)sets->word[i]);
}

/* Returns the lowest cells of sets that are not empty. */
KERNEL lanes lowest_cells(struct shape shape, const struct sets *sets)
{
    lanes cells = {0};
    for (unsigned i = shape.words; i-- > 0;) {
        const lanes word = sets->word[i], below = ~word & (word - 1);
        const lanes bits = (lanes)_mm512_popcnt_epi64((__m512i)below) + 64 * (uint64_t)i;
        cells = (lanes)_mm512_mask_mov_epi64((__m512i)cells, common_lanes(word, word), (__m512i)bits);
    }
    return cells;
}

/* Returns how many cells of sets are before one of each. */
KERNEL lanes count_before(struct shape shape, const struct sets *sets, lanes cells)
{
    lanes count = {0};
    for (unsigned i = 0; i < shape.words; i++) {
        const __m512i beyond = (__m512i)(64 * (uint64_t)(i + 1) - cells); /* of the word */
        const __m512i before =
            _mm512_srlv_epi64(_mm512_set1_epi64(-1), _mm512_max_epi64(beyond, _mm512_setzero_si512()));
        count += (lanes)_mm512_popcnt_epi64(_mm512_and_epi64(before, (__m512i)sets->word[i]));
    }
    return count;
}

/* ---- positions ---- */

struct positions {
    struct group group;
    lanes word;                        /* of states of one word */
    lanes cell[SOKOBAN_BOXES_MAX + 1]; /* of each box; of the player first */
};

/* Reads word i of each state. */
KERNEL lanes read_lane_word(struct shape shape, const uint8_t *states, unsigned count, unsigned i)
{
    lanes word = {0};
    if (shape.state_words == 1)
        return (lanes)_mm512_maskz_loadu_epi64(first_lanes(count), states);
    for (unsigned lane = 0; lane < count; lane++) {
        uint64_t one;
        memcpy(&one, states + ((size_t)lane * shape.state_words + i) * sizeof one, sizeof one);
        word[lane] = one;
    }
    return word;
}

KERNEL void read_positions(const struct sokoban *sokoban, struct shape shape, const uint8_t *states,
                           unsigned count, sokoban_boxes movable, struct positions *positions)
{
    struct group *group = &positions->group;
    const lanes live = (lanes)_mm512_movm_epi64(first_lanes(count));
    lanes word = read_lane_word(shape, states, count, 0);
    positions->word = word;
    group->states = states;
    group->count = count;
    empty(shape, &group->boxes);
    empty(shape, &group->movable);
    for (unsigned i = 0; i <= sokoban->boxes; i++) {
        const lanes moves = live & ((lanes){0} - (movable >> i & 1));
        struct sets one;
        if (i > 0)
            word = i % 8 == 0 ? read_lane_word(shape, states, count, i / 8) : word >> 8;
        positions->cell[i] = look_up_halves(sokoban->raster.bit, word & UINT8_MAX);
        only(shape, positions->cell[i], &one);
        for (unsigned w = 0; w < shape.words && i > 0; w++) {
            group->boxes.word[w] |= one.word[w];
            group->movable.word[w] |= one.word[w] & moves;
        }
    }
    only(shape, positions->cell[0], &group->region);
    for (unsigned w = 0; w < shape.words; w++) {
        group->region.word[w] &= live;
        group->open.word[w] = sokoban->raster.floor.word[w] & ~group->boxes.word[w];
    }
    fill(shape, &group->open, &group->region);
}

/* ---- lists of pushes ---- */

static const packed opens_region = UINT64_C(1) << OPENS_SHIFT, cuts_region = UINT64_C(1) << CUTS_SHIFT,
                    may_freeze = UINT64_C(1) << WAY_SHIFT;

KERNEL void put_pushes(packed *list, unsigned *count, lanes pushes, __mmask8 wanted)
{
    _mm512_storeu_si512(list + *count, _mm512_maskz_compress_epi64(wanted, (__m512i)pushes));
    *count += (unsigned)__builtin_popcount(wanted);
}

KERNEL __mmask8 in_sets(struct shape shape, const struct sets *cells, const struct sets *sets)
{
    __mmask8 in = 0;
    for (unsigned i = 0; i < shape.words; i++)
        in |= common_lanes(cells->word[i], sets->word[i]);
    return in;
}

/* Returns the pushes with a bit more in some lanes. */
KERNEL lanes mark(lanes pushes, __mmask8 which, packed bit)
{
    return (lanes)_mm512_mask_or_epi64((__m512i)pushes, which, (__m512i)pushes,
                                       _mm512_set1_epi64((long long)bit));
}

KERNEL void find_all(const struct sokoban *sokoban, struct shape shape, const struct positions *positions,
                     const struct pushes pushes[DIRECTIONS], struct lists *lists)
{
    const uint64_t stride = shape.stride, steps[DIRECTIONS] = {0 - stride, stride, UINT64_MAX, 1};
    const lanes numbers = {0, 1, 2, 3, 4, 5, 6, 7};
    for (unsigned box = 1; box <= sokoban->boxes; box++) {
        const lanes from = positions->cell[box];
        struct sets cell;
        only(shape, from, &cell);
        for (unsigned d = 0; d < DIRECTIONS; d++) {
            lanes push =
                from | (from + steps[d]) << TO_SHIFT | numbers << LANE_SHIFT | (packed)box << BOX_SHIFT;
            push = mark(push, in_sets(shape, &cell, &pushes[d].opens), opens_region);
            push = mark(push, in_sets(shape, &cell, &pushes[d].cuts), cuts_region);
            push = mark(push, in_sets(shape, &cell, &pushes[d].may_freeze), may_freeze);
            put_pushes(lists->all, &lists->found, push, in_sets(shape, &cell, &pushes[d].all));
        }
    }
}

KERNEL void add_sure(struct lists *lists, lanes pushes, __mmask8 sure)
{
    const __mmask8 walks = common_lanes(pushes, (lanes){0} + (opens_region | cuts_region));
    put_pushes(lists->near, &lists->plain, pushes, sure & (__mmask8)~walks);
    put_pushes(lists->far, &lists->walks, pushes, sure & walks);
}

KERNEL void sort_pushes(struct lists *lists)
{
    for (unsigned i = 0; i < lists->found; i += LANES) {
        const __mmask8 here = first_lanes(lists->found - i);
        const lanes pushes = load_lanes(lists->all + i, lists->found - i);
        const __mmask8 doubtful = common_lanes(pushes, (lanes){0} + may_freeze);
        put_pushes(lists->doubt, &lists->doubtful, pushes, doubtful);
        add_sure(lists, pushes, here & (__mmask8)~doubtful);
    }
}

/* Up to eight pushes. Lanes without one have a push from the first cell to itself. */
struct lane_batch {
    unsigned count;
    lanes pushes, lane, from_cell, to_cell;
    struct sets from, to;
};

KERNEL void read_batch(struct shape shape, const packed *list, unsigned left, struct lane_batch *batch)
{
    batch->count = left < LANES ? left : LANES;
    batch->pushes = load_lanes(list, left);
    batch->lane = batch->pushes >> LANE_SHIFT & UINT8_MAX;
    batch->from_cell = batch->pushes & UINT16_MAX;
    batch->to_cell = batch->pushes >> TO_SHIFT & UINT16_MAX;
    only(shape, batch->from_cell, &batch->from);
    only(shape, batch->to_cell, &batch->to);
}

/* Makes the sets of the pushes' positions, with the cells that the boxes leave, without those they come to.
 */
KERNEL void after_pushes(struct shape shape, const struct sets *sets, const struct lane_batch *batch,
                         struct sets *out)
{
    pick(shape, sets, batch->lane, out);
    for (unsigned i = 0; i < shape.words; i++)
        out->word[i] = (out->word[i] | batch->from.word[i]) & ~batch->to.word[i];
}

KERNEL void drop_frozen(const struct sokoban *sokoban, struct shape shape, const struct positions *positions,
                        struct lists *lists)
{
    for (unsigned first = 0; first < lists->doubtful; first += LANES) {
        struct lane_batch batch;
        struct sets boxes;
        lanes away;
        read_batch(shape, &lists->doubt[first], lists->doubtful - first, &batch);
        pick(shape, &positions->group.boxes, batch.lane, &boxes);
        for (unsigned i = 0; i < shape.words; i++)
            boxes.word[i] = (boxes.word[i] & ~batch.from.word[i]) | batch.to.word[i];
        find_frozen(shape, &sokoban->raster, &boxes, &away);
        add_sure(lists, batch.pushes, first_lanes(batch.count) & (__mmask8)~common_lanes(away, away));
    }
}

/* ---- successors ---- */

/* Returns states of one word after a box has come to a square, as another number. The bytes between move up
 * or down by one. */
KERNEL lanes words_after(lanes states, lanes box, lanes number, lanes square)
{
    const lanes up = (lanes)(box < number), all = ~(lanes){0};
    const lanes low = select_lanes(up, box, number) << 3, high = select_lanes(up, number, box) << 3;
    const lanes moved = all << low & all >> (56 - high), rest = states & moved;
    return (states & ~moved) | (select_lanes(up, rest >> 8, rest << 8) & moved) | square << (number << 3);
}

/* Writes the successors by a batch of pushes after which the player gets to those regions. Returns their
 * end. */
KERNEL uint8_t *write_states(const struct sokoban *sokoban, struct shape shape,
                             const struct positions *positions, const struct lane_batch *batch,
                             const struct sets *region, uint8_t *out)
{
    const size_t bytes = shape.state_words * sizeof(uint64_t);
    const lanes square = look_up_bytes(sokoban->raster.square, batch->to_cell);
    const lanes player = look_up_bytes(sokoban->raster.square, lowest_cells(shape, region));
    const lanes box = batch->pushes >> BOX_SHIFT & UINT8_MAX;
    if (shape.state_words == 1) {
        struct sets boxes;
        pick(shape, &positions->group.boxes, batch->lane, &boxes);
        const lanes number =
            count_before(shape, &boxes, batch->to_cell) - (lanes)(batch->to_cell < batch->from_cell);
        lanes words = (lanes)_mm512_permutexvar_epi64((__m512i)batch->lane, (__m512i)positions->word);
        words = (words_after(words, box, number, square) & ~(lanes){0} << 8) | player;
        _mm512_mask_storeu_epi64(out, first_lanes(batch->count), (__m512i)words);
        return out + batch->count * bytes;
    }
    for (unsigned i = 0; i < batch->count; i++, out += bytes) {
        memcpy(out, positions->group.states + batch->lane[i] * bytes, bytes);
        sokoban_put_box(out, sokoban->boxes, (unsigned)box[i], (unsigned)square[i]);
        out[0] = (uint8_t)player[i];
    }
    return out;
}

KERNEL uint8_t *write_plain(const struct sokoban *sokoban, struct shape shape,
                            const struct positions *positions, const struct lists *lists, uint8_t *out)
{
    for (unsigned first = 0; first < lists->plain; first += LANES) {
        struct lane_batch batch;
        struct sets region;
        read_batch(shape, &lists->near[first], lists->plain - first, &batch);
        after_pushes(shape, &positions->group.region, &batch, &region);
        out = write_states(sokoban, shape, positions, &batch, &region, out);
    }
    return out;
}

/* Finds the regions after pushes that may change them by more than two squares. */
KERNEL void walk_regions(struct shape shape, const struct group *group, const struct lane_batch *batch,
                         struct sets *region)
{
    struct sets open, part, wanted, side[DIRECTIONS];
    const lanes opens = (lanes)((batch->pushes & opens_region) != 0);
    const lanes cuts = (lanes)((batch->pushes & cuts_region) != 0);
    lanes lacking;
    after_pushes(shape, &group->open, batch, &open);
    after_pushes(shape, &group->region, batch, region);
    for (unsigned d = 0; d < DIRECTIONS; d++)
        beside(shape, &batch->to, d, &side[d]);
    for (unsigned i = 0; i < shape.words; i++) {
        part.word[i] = select_lanes(cuts, batch->from.word[i], region->word[i]);
        wanted.word[i] = opens | (open.word[i] & (side[UP].word[i] | side[DOWN].word[i] | side[LEFT].word[i] |
                                                  side[RIGHT].word[i]));
    }
    fill_to(shape, &open, &part, &wanted, &lacking);
    lacking = (lanes)(lacking != 0);
    for (unsigned i = 0; i < shape.words; i++)
        region->word[i] = select_lanes(lacking, part.word[i], region->word[i]);
}

KERNEL uint8_t *walk_all(const struct sokoban *sokoban, struct shape shape, const struct positions *positions,
                         const struct lists *lists, uint8_t *out)
{
    for (unsigned first = 0; first < lists->walks; first += LANES) {
        struct lane_batch batch;
        struct sets region;
        read_batch(shape, &lists->far[first], lists->walks - first, &batch);
        walk_regions(shape, &positions->group, &batch, &region);
        out = write_states(sokoban, shape, positions, &batch, &region, out);
    }
    return out;
}

KERNEL unsigned expand(const struct sokoban *sokoban, const uint8_t *states, unsigned count,
                       sokoban_boxes movable, uint8_t *out, struct shape shape)
{
    struct positions positions;
    struct surroundings around;
    struct lists lists;
    struct pushes pushes[DIRECTIONS];
    lists.found = lists.doubtful = lists.plain = lists.walks = 0;
    read_positions(sokoban, shape, states, count, movable, &positions);
    look_around(sokoban, shape, &positions.group, &around);
    for (unsigned d = 0; d < DIRECTIONS; d++)
        find_pushes(shape, &positions.group, &around, d, &pushes[d]);
    find_all(sokoban, shape, &positions, pushes, &lists);
    sort_pushes(&lists);
    drop_frozen(sokoban, shape, &positions, &lists);
    out = write_plain(sokoban, shape, &positions, &lists, out);
    (void)walk_all(sokoban, shape, &positions, &lists, out);
    return lists.plain + lists.walks;
}

unsigned sokoban_expand_avx512(const struct sokoban *sokoban, const uint8_t *states, unsigned count,
                               sokoban_boxes movable, uint8_t *out)
{
    return expand_any(sokoban, states, count, movable, out);
}
