/* SPDX-License-Identifier: MIT */
#include "explore/dense/level/examples.h"

#include "base/random.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool contains(const struct examples_place *out, unsigned count, uint64_t rank)
{
    for (unsigned i = 0; i < count; i++)
        if (out[i].number == rank)
            return true;
    return false;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = ((const struct examples_place *)a)->number;
    uint64_t y = ((const struct examples_place *)b)->number;
    return (x > y) - (x < y);
}

/* Floyd's algorithm for drawing distinct numbers (Bentley and Floyd 1987). The ranks are kept in number for
 * now. */
void examples_draw(struct examples *examples)
{
    struct random random = {.state = examples->seed};
    struct examples_place *chosen = examples->chosen;
    unsigned count = examples->states < examples->most ? (unsigned)examples->states : examples->most;
    for (unsigned i = 0; i < count; i++) {
        uint64_t top = examples->states - count + i;
        uint64_t rank = random_below(&random, top + 1);
        assert(rank <= top && top < examples->states);
        chosen[i].number = contains(chosen, i, rank) ? top : rank;
    }
    qsort(chosen, count, sizeof *chosen, by_number);
    examples->count = count;
}

struct examples_place examples_find(const uint8_t *bytes, uint64_t rank, unsigned colour)
{
    uint64_t at = 0;
    for (;; at += sizeof(uint64_t)) { /* planes are padded, so that the last word may reach over the block */
        uint64_t word;
        memcpy(&word, bytes + at, sizeof word);
        unsigned here = (unsigned)__builtin_popcountll(word);
        if (rank < here)
            break;
        rank -= here;
    }
    while (rank >= (unsigned)__builtin_popcount(bytes[at]))
        rank -= (unsigned)__builtin_popcount(bytes[at++]);
    unsigned bits = bytes[at];
    while (rank-- > 0)
        bits &= bits - 1;
    unsigned place = 2 * (unsigned)__builtin_ctz(bits) + colour;
    return (struct examples_place){.number = at, .place = (uint8_t)place};
}

/* A walk over the blocks. */
struct examples_walk {
    const struct planes *planes;
    struct examples *examples;
    uint64_t before; /* states in the blocks before this one */
    unsigned done;
};

static void choose_block(struct examples_walk *walk, unsigned colour, uint32_t block, bool older)
{
    const struct planes *planes = walk->planes;
    const uint64_t first = (uint64_t)block * planes->block;
    const uint32_t here = older ? planes->older[colour][block] : planes->count[colour][block];
    struct examples_place *chosen = &walk->examples->chosen[walk->done];
    const uint8_t *bytes = planes->bytes[colour] + first;
    uint8_t both[PLAN_BLOCK_MAX + sizeof(uint64_t)];
    for (; walk->done < walk->examples->count && chosen->number < walk->before + here;
         walk->done++, chosen++) {
        for (uint32_t i = 0; older && bytes != both && i < planes->block; i++)
            both[i] = (uint8_t)(planes->before[colour][first + i] & ~planes->bytes[colour][first + i]);
        if (older)
            bytes = both;
        *chosen = examples_find(bytes, chosen->number - walk->before, colour);
        chosen->number += first;
    }
    walk->before += here;
}

void examples_choose(const struct planes *planes, unsigned colour, bool older, struct examples *examples)
{
    struct examples_walk walk = {.planes = planes, .examples = examples};
    const bool multi = planes->before[0] != NULL;
    examples_draw(examples);
    for (unsigned i = multi ? 0 : colour; i <= (multi ? 1 : colour); i++)
        for (uint32_t block = 0; block < planes->blocks && walk.done < examples->count; block++)
            choose_block(&walk, i, block, multi && older);
    assert(walk.done == examples->count);
}
