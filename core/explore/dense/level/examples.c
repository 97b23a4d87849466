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

void examples_choose(const struct planes *planes, unsigned colour, struct examples *examples)
{
    uint64_t before = 0; /* states in the blocks before this one */
    unsigned done = 0;
    examples_draw(examples);
    for (uint32_t block = 0; block < planes->blocks && done < examples->count; block++) {
        uint64_t first = (uint64_t)block * planes->block;
        uint32_t here = planes->count[colour][block];
        for (; done < examples->count && examples->chosen[done].number < before + here; done++) {
            struct examples_place *chosen = &examples->chosen[done];
            *chosen = examples_find(planes->bytes[colour] + first, chosen->number - before, colour);
            chosen->number += first;
        }
        before += here;
    }
    assert(done == examples->count);
}
