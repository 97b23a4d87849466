/* SPDX-License-Identifier: MIT */
/*
 * Finds the player's region and the pushes from it, on sets of cells with one bit each (sokoban_pushes.h).
 * Eight positions are expanded together. Shifts find all boxes that can be pushed in a direction, and which
 * of these pushes need a look of their own: those that may freeze boxes, and those that may change the
 * player's region by more than the two squares of the push. These are looked at eight at a time as well.
 *
 * The kernel is compiled for sets of one, two and any number of words, and for states of one word and of
 * more. sokoban_avx512.c has another one, which is chosen where it runs; AVX2 alone was no faster.
 */
#include "space/sokoban/sokoban_pushes.h"

#include <assert.h>
#include <string.h>

/* ---- positions ---- */

/* Makes the set of the boxes whose bits are given. */
KERNEL void read_boxes(const struct sokoban *sokoban, struct shape shape, const uint8_t *state,
                       sokoban_boxes which, struct cells *boxes)
{
    for (unsigned i = 0; i < shape.words; i++)
        boxes->word[i] = 0;
    for (unsigned i = 1; i <= sokoban->boxes; i++)
        if ((which >> i & 1) != 0)
            include(shape, boxes, sokoban->raster.bit[state[i]]);
}

KERNEL void read_group(const struct sokoban *sokoban, struct shape shape, const uint8_t *states,
                       unsigned count, sokoban_boxes movable, struct group *group)
{
    const struct sokoban_raster *raster = &sokoban->raster;
    group->states = states;
    group->count = count;
    empty(shape, &group->boxes);
    empty(shape, &group->movable);
    empty(shape, &group->region);
    for (unsigned lane = 0; lane < count; lane++) {
        const uint8_t *state = states + (size_t)lane * shape.state_words * sizeof(uint64_t);
        struct cells set;
        read_boxes(sokoban, shape, state, SOKOBAN_ALL_BOXES, &set);
        put_lane(shape, &group->boxes, lane, &set);
        if (movable != SOKOBAN_ALL_BOXES)
            read_boxes(sokoban, shape, state, movable, &set);
        put_lane(shape, &group->movable, lane, &set);
        for (unsigned i = 0; i < shape.words; i++)
            group->region.word[i][lane] = alone(shape, raster->bit[state[0]], i);
    }
    for (unsigned i = 0; i < shape.words; i++)
        group->open.word[i] = raster->floor.word[i] & ~group->boxes.word[i];
    fill(shape, &group->open, &group->region);
}

/* ---- lists of pushes ---- */

KERNEL void find_all(const struct sokoban *sokoban, struct shape shape, const struct group *group,
                     const struct pushes pushes[DIRECTIONS], struct lists *lists)
{
    for (unsigned lane = 0; lane < group->count; lane++) {
        const uint8_t *state = group->states + (size_t)lane * shape.state_words * sizeof(uint64_t);
        for (unsigned box = 1; box <= sokoban->boxes; box++) {
            const unsigned from = sokoban->raster.bit[state[box]];
            const packed any_way = (packed)lane << LANE_SHIFT | (packed)box << BOX_SHIFT | from;
            for (unsigned d = 0; d < DIRECTIONS; d++) {
                const uint64_t word = pushes[d].all.word[shape.words == 1 ? 0 : from / 64][lane];
                lists->all[lists->found] = any_way | (packed)d << WAY_SHIFT;
                lists->found += word >> from % 64 & 1;
            }
        }
    }
}

KERNEL void add_sure(struct lists *lists, packed push, bool is_sure)
{
    const bool walks = (push >> OPENS_SHIFT & 3) != 0;
    lists->near[lists->plain] = lists->far[lists->walks] = push;
    lists->plain += is_sure & !walks;
    lists->walks += is_sure & walks;
}

/* Returns 1 if a push, by the cell that it begins from, is in a set of its lane. */
KERNEL uint64_t is_in(struct shape shape, const struct sets *sets, packed push)
{
    const unsigned word = shape.words == 1 ? 0 : push_from(push) / 64;
    return sets->word[word][push_lane(push)] >> push_from(push) % 64 & 1;
}

KERNEL void sort_pushes(struct shape shape, const struct pushes pushes[DIRECTIONS], struct lists *lists)
{
    const unsigned steps[DIRECTIONS] = {0 - shape.stride, shape.stride, 0 - 1U, 1};
    for (unsigned i = 0; i < lists->found; i++) {
        packed push = lists->all[i];
        const unsigned direction = (unsigned)(push >> WAY_SHIFT);
        const struct pushes *of = &pushes[direction];
        const bool doubtful = is_in(shape, &of->may_freeze, push) != 0;
        push |= (uint64_t)(push_from(push) + steps[direction]) << TO_SHIFT |
                is_in(shape, &of->opens, push) << OPENS_SHIFT | is_in(shape, &of->cuts, push) << CUTS_SHIFT;
        lists->doubt[lists->doubtful] = push;
        lists->doubtful += doubtful;
        add_sure(lists, push, !doubtful);
    }
}

/* ---- frozen boxes ---- */

/* Moves those that freeze no box off the goals to the other lists. */
KERNEL void drop_frozen(const struct sokoban_raster *raster, struct shape shape, const struct group *group,
                        struct lists *lists)
{
    for (unsigned first = 0; first < lists->doubtful; first += LANES) {
        const unsigned left = lists->doubtful - first, count = left < LANES ? left : LANES;
        const packed *pushes = &lists->doubt[first];
        struct sets after;
        lanes away;
        empty(shape, &after);
        for (unsigned lane = 0; lane < count; lane++) {
            struct cells boxes;
            get_lane(shape, &group->boxes, push_lane(pushes[lane]), &boxes);
            exclude(shape, &boxes, push_from(pushes[lane]));
            include(shape, &boxes, push_to(pushes[lane]));
            put_lane(shape, &after, lane, &boxes);
        }
        find_frozen(shape, raster, &after, &away);
        for (unsigned lane = 0; lane < count; lane++)
            add_sure(lists, pushes[lane], away[lane] == 0);
    }
}

/* ---- successors ---- */

/* Where they go. */
struct successors {
    uint8_t *out;
    unsigned count;
};

/* Returns a state of one word after box i has come to a square, as its box number to. The bytes between move
 * up or down by one. */
KERNEL uint64_t word_after(uint64_t state, unsigned i, unsigned to, unsigned square)
{
    const unsigned low = i < to ? i : to, high = i < to ? to : i;
    const uint64_t moved = (UINT64_MAX << 8 * low) & (UINT64_MAX >> (56 - 8 * high));
    const uint64_t rest = state & moved;
    return (state & ~moved) | ((i < to ? rest >> 8 : rest << 8) & moved) | (uint64_t)square << 8 * to;
}

KERNEL void write_sokoban_state(const struct sokoban *sokoban, struct shape shape, const struct group *group,
                                packed push, const struct cells *region, struct successors *successors)
{
    const struct sokoban_raster *raster = &sokoban->raster;
    const size_t bytes = shape.state_words * sizeof(uint64_t);
    const uint8_t *state = group->states + push_lane(push) * bytes;
    const uint8_t player = raster->square[lowest(shape, region)];
    uint8_t *out = successors->out + successors->count++ * bytes;
    if (shape.state_words > 1) {
        memcpy(out, state, bytes);
        sokoban_put_box(out, sokoban->boxes, push_box(push), raster->square[push_to(push)]);
        out[0] = player;
        return;
    }
    struct cells boxes;
    get_lane(shape, &group->boxes, push_lane(push), &boxes);
    const unsigned to = count_below(shape, &boxes, push_to(push)) + (push_to(push) < push_from(push));
    uint64_t word;
    memcpy(&word, state, sizeof word);
    word = (word_after(word, push_box(push), to, raster->square[push_to(push)]) & ~UINT64_C(0xFF)) | player;
    memcpy(out, &word, sizeof word);
}

/* Reads a set of a push's position, with the square that the box leaves and without the one it comes to. */
KERNEL void get_after(struct shape shape, const struct sets *sets, packed push, struct cells *set)
{
    get_lane(shape, sets, push_lane(push), set);
    include(shape, set, push_from(push));
    exclude(shape, set, push_to(push));
}

/* Writes the successors whose regions differ by the two squares of the push. */
KERNEL void write_plain(const struct sokoban *sokoban, struct shape shape, const struct group *group,
                        const struct lists *lists, struct successors *successors)
{
    for (unsigned i = 0; i < lists->plain; i++) {
        struct cells region;
        get_after(shape, &group->region, lists->near[i], &region);
        write_sokoban_state(sokoban, shape, group, lists->near[i], &region, successors);
    }
}

/* The cells that regions grow from after eight pushes, those that they grow over, and those that end it. */
struct reach_walk {
    struct sets open, part, wanted;
};

KERNEL void begin_walk(struct shape shape, const struct group *group, packed push, unsigned lane,
                       struct reach_walk *walk)
{
    struct cells set;
    get_after(shape, &group->open, push, &set);
    put_lane(shape, &walk->open, lane, &set);
    get_after(shape, &group->region, push, &set);
    for (unsigned i = 0; i < shape.words; i++) {
        walk->part.word[i][lane] =
            (push >> CUTS_SHIFT & 1) != 0 ? alone(shape, push_from(push), i) : set.word[i];
        walk->wanted.word[i][lane] = alone(shape, push_to(push), i);
    }
}

/* A region that grows only because it is opened is filled. If the push may cut it, the part with the player
 * in it grows, and has to find all neighbours of the box: then all the region is left. Where a push opens it
 * as well, that part is filled. */
KERNEL void walk_all(const struct sokoban *sokoban, struct shape shape, const struct group *group,
                     const struct lists *lists, struct successors *successors)
{
    for (unsigned first = 0; first < lists->walks; first += LANES) {
        const unsigned left = lists->walks - first, count = left < LANES ? left : LANES;
        const packed *pushes = &lists->far[first];
        struct reach_walk walk;
        struct sets side[DIRECTIONS];
        lanes opens = {0}, lacking;
        empty(shape, &walk.open);
        empty(shape, &walk.part);
        empty(shape, &walk.wanted);
        for (unsigned lane = 0; lane < count; lane++) {
            begin_walk(shape, group, pushes[lane], lane, &walk);
            opens[lane] = (pushes[lane] >> OPENS_SHIFT & 1) != 0 ? UINT64_MAX : 0;
        }
        for (unsigned d = 0; d < DIRECTIONS; d++)
            beside(shape, &walk.wanted, d, &side[d]);
        for (unsigned i = 0; i < shape.words; i++)
            walk.wanted.word[i] = opens | (walk.open.word[i] & (side[UP].word[i] | side[DOWN].word[i] |
                                                                side[LEFT].word[i] | side[RIGHT].word[i]));
        fill_to(shape, &walk.open, &walk.part, &walk.wanted, &lacking);
        for (unsigned lane = 0; lane < count; lane++) {
            struct cells region;
            if (lacking[lane] == 0)
                get_after(shape, &group->region, pushes[lane], &region);
            else
                get_lane(shape, &walk.part, lane, &region);
            write_sokoban_state(sokoban, shape, group, pushes[lane], &region, successors);
        }
    }
}

KERNEL unsigned expand(const struct sokoban *sokoban, const uint8_t *states, unsigned count,
                       sokoban_boxes movable, uint8_t *out, struct shape shape)
{
    struct group group;
    struct surroundings around;
    struct lists lists;
    struct successors successors;
    struct pushes pushes[DIRECTIONS];
    successors.out = out;
    successors.count = 0;
    lists.found = lists.doubtful = lists.plain = lists.walks = 0;
    read_group(sokoban, shape, states, count, movable, &group);
    look_around(sokoban, shape, &group, &around);
    for (unsigned d = 0; d < DIRECTIONS; d++)
        find_pushes(shape, &group, &around, d, &pushes[d]);
    find_all(sokoban, shape, &group, pushes, &lists);
    sort_pushes(shape, pushes, &lists);
    drop_frozen(&sokoban->raster, shape, &group, &lists);
    assert(count <= LANES && lists.found <= PUSHES_MAX && lists.plain + lists.walks <= lists.found);
    write_plain(sokoban, shape, &group, &lists, &successors);
    walk_all(sokoban, shape, &group, &lists, &successors);
    assert(successors.count == lists.plain + lists.walks);
    return successors.count;
}

/* ---- for each machine ---- */

static unsigned expand_plainly(const struct sokoban *sokoban, const uint8_t *states, unsigned count,
                               sokoban_boxes movable, uint8_t *out)
{
    return expand_any(sokoban, states, count, movable, out);
}

#if defined(__x86_64__)
sokoban_kernel *sokoban_kernel_at(unsigned number)
{
    sokoban_kernel *const kernels[] = {expand_plainly, sokoban_avx512_runs() ? sokoban_expand_avx512 : NULL};
    return number < sizeof kernels / sizeof kernels[0] ? kernels[number] : NULL;
}
#else
sokoban_kernel *sokoban_kernel_at(unsigned number)
{
    return number == 0 ? expand_plainly : NULL;
}
#endif

unsigned sokoban_expand_pushes(const struct sokoban *sokoban, const uint8_t *states, unsigned count,
                               sokoban_boxes movable, uint8_t *out)
{
    sokoban_kernel *kernel = sokoban_kernel_at(0);
    const size_t bytes = sokoban->base.state_bytes;
    unsigned found = 0;
    for (unsigned better = 1; sokoban_kernel_at(better) != NULL; better++)
        kernel = sokoban_kernel_at(better);
    for (unsigned i = 0; i < count; i += LANES)
        found += kernel(sokoban, states + i * bytes, count - i < LANES ? count - i : LANES, movable,
                        out + found * bytes);
    return found;
}

void sokoban_normalise(const struct sokoban *sokoban, uint8_t *state)
{
    struct group group;
    struct cells region = {0}; /* gcc does not see that there is a word at least */
    const struct shape shape = shape_of_level(sokoban);
    if (!sokoban->pushes)
        return;
    read_group(sokoban, shape, state, 1, SOKOBAN_ALL_BOXES, &group);
    get_lane(shape, &group.region, 0, &region);
    state[0] = sokoban->raster.square[lowest(shape, &region)];
}

bool sokoban_freezes(const struct sokoban *sokoban, const uint8_t *state)
{
    struct sets boxes;
    struct cells set;
    lanes away;
    const struct shape shape = shape_of_level(sokoban);
    read_boxes(sokoban, shape, state, SOKOBAN_ALL_BOXES, &set);
    empty(shape, &boxes);
    put_lane(shape, &boxes, 0, &set);
    find_frozen(shape, &sokoban->raster, &boxes, &away);
    return away[0] != 0;
}
