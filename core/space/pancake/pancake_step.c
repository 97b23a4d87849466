/* SPDX-License-Identifier: MIT */
/*
 * Computes the number (permutation.h) of the state after a flip from the number before it, without the state.
 *
 * The low digits are the number of the order of the first `low` pancakes. A flip of at most `low` pancakes
 * changes only them: each such flip has a table of numbers.
 *
 * A flip of k > low pancakes reverses the k − low high ones, whose order is in the high digits, and puts the
 * low ones behind them, reversed as well. There the digits of the low ones are worth more. Each high pancake
 * adds one to the digit of each low one that is smaller: the lowest few, and the high digits say how many. So
 * each k has a table of what the low digits are worth, and, for each such count, a table of what a high
 * pancake adds.
 */
#include "space/pancake/pancake.h"

#include <stdlib.h>
#include <string.h>

enum { LOW_PLAIN = 7, LOW_BURNT = 5, LOW_MAX = 7 };

struct pancake_steps {
    unsigned pancakes, low;
    bool burnt;
    uint64_t numbers; /* of low orders */
    uint64_t weight[PERMUTATION_MAX + 1];
    uint32_t *near[LOW_MAX + 1];           /* by pancakes flipped: number → number after it */
    uint64_t *turned[PERMUTATION_MAX + 1]; /* of larger flips: what the low digits are worth after it */
    uint64_t *more[PERMUTATION_MAX + 1];   /* (low + 1) tables: what one greater pancake adds */
};

/* Finds the low pancakes after a flip. */
static void turn_round(const struct permutation *from, unsigned count, bool burnt, struct permutation *to)
{
    *to = *from;
    for (unsigned i = 0; i < count; i++) {
        const unsigned at = count - 1 - i;
        const uint32_t sign = (from->signs >> at & 1) ^ burnt;
        to->element[i] = from->element[at];
        to->signs = (to->signs & ~(1u << i)) | sign << i;
    }
}

static void fill_near(struct pancake_steps *steps, unsigned flipped)
{
    for (uint64_t number = 0; number < steps->numbers; number++) {
        struct permutation order, turned;
        permutation_unrank(number, steps->low, steps->burnt, &order);
        turn_round(&order, flipped, steps->burnt, &turned);
        steps->near[flipped][number] = (uint32_t)permutation_rank(&turned, steps->low, steps->burnt);
    }
}

static void fill_far(struct pancake_steps *steps, unsigned flipped)
{
    const unsigned low = steps->low, per_element = steps->burnt ? 2 : 1;
    const uint64_t *weight = steps->weight + (flipped - low);
    for (uint64_t number = 0; number < steps->numbers; number++) {
        struct permutation order, turned;
        permutation_unrank(number, low, steps->burnt, &order);
        turn_round(&order, low, steps->burnt, &turned);
        uint64_t worth = 0;
        uint64_t added[LOW_MAX + 1] = {0}; /* to the digits of the lowest, the two lowest, … */
        for (unsigned i = 0; i < low; i++) {
            unsigned greater = 0;
            for (unsigned k = 0; k < i; k++)
                greater += turned.element[k] > turned.element[i];
            worth += (greater * per_element + (steps->burnt ? turned.signs >> i & 1 : 0)) * weight[i];
            for (unsigned lowest = turned.element[i] + 1u; lowest <= low; lowest++)
                added[lowest] += per_element * weight[i];
        }
        steps->turned[flipped][number] = worth;
        for (unsigned lowest = 0; lowest <= low; lowest++)
            steps->more[flipped][lowest * steps->numbers + number] = added[lowest];
    }
}

static bool take_tables(struct pancake_steps *steps)
{
    bool taken = true;
    for (unsigned k = 1; k <= steps->low; k++)
        taken = (steps->near[k] = malloc(steps->numbers * sizeof *steps->near[k])) != NULL && taken;
    for (unsigned k = steps->low + 1; k <= steps->pancakes; k++) {
        steps->turned[k] = malloc(steps->numbers * sizeof *steps->turned[k]);
        steps->more[k] = malloc((steps->low + 1) * steps->numbers * sizeof *steps->more[k]);
        taken = steps->turned[k] != NULL && steps->more[k] != NULL && taken;
    }
    return taken;
}

struct pancake_steps *pancake_steps_new(unsigned pancakes, bool burnt)
{
    struct pancake_steps *steps = calloc(1, sizeof *steps);
    if (steps == NULL)
        return NULL;
    const unsigned low = burnt ? LOW_BURNT : LOW_PLAIN;
    steps->pancakes = pancakes;
    steps->low = pancakes < low ? pancakes : low;
    steps->burnt = burnt;
    steps->numbers = permutation_weight(steps->low, burnt);
    for (unsigned i = 0; i <= pancakes; i++)
        steps->weight[i] = permutation_weight(i, burnt);
    if (!take_tables(steps)) {
        pancake_steps_free(steps);
        return NULL;
    }
    for (unsigned k = 1; k <= pancakes; k++)
        (k <= steps->low ? fill_near : fill_far)(steps, k);
    return steps;
}

void pancake_steps_free(struct pancake_steps *steps)
{
    if (steps == NULL)
        return;
    for (unsigned k = 0; k <= LOW_MAX; k++)
        free(steps->near[k]);
    for (unsigned k = 0; k <= PERMUTATION_MAX; k++) {
        free(steps->turned[k]);
        free(steps->more[k]);
    }
    free(steps);
}

/* A flip of more than `low` pancakes, for all states with the same high digits. */
struct far_flip {
    uint64_t base; /* the number with all low digits 0 */
    uint64_t high; /* the part of the number after the flip that does not depend on the low digits */
    const uint64_t *turned;
    const uint64_t *more[PERMUTATION_MAX]; /* one for each high pancake that is flipped */
    unsigned high_count;
};

/* Prepares a flip of k pancakes. These have k ranks by size, the greatest first. From the last pancake on,
 * the high digits say which of the ranks left is each one's; the low pancakes have the rest. */
static void far_flip_begin(const struct pancake_steps *steps, unsigned k, uint64_t base,
                           struct far_flip *flip)
{
    const unsigned low = steps->low, per_element = steps->burnt ? 2 : 1;
    uint32_t left = (1u << k) - 1, placed = 0;
    uint64_t rest = base % steps->weight[k];
    uint32_t place[PERMUTATION_MAX];
    *flip = (struct far_flip){.base = base, .high = base - rest, .turned = steps->turned[k]};
    for (unsigned i = k; i-- > low;) {
        const unsigned digit = (unsigned)(rest / steps->weight[i]);
        rest %= steps->weight[i];
        uint32_t at = left;
        for (unsigned greater = digit / per_element; greater > 0; greater--)
            at &= at - 1;
        place[i] = at & -at;
        left &= ~place[i];
        const unsigned greater = (unsigned)__builtin_popcount(placed & (place[i] - 1));
        const unsigned sign = steps->burnt ? (digit & 1) ^ 1 : 0;
        flip->high += (greater * per_element + sign) * steps->weight[k - 1 - i];
        placed |= place[i];
    }
    for (unsigned i = low; i < k; i++) {
        // cppcheck-suppress uninitvar ; the loop above has set those from low on
        const unsigned lower = low - (unsigned)__builtin_popcount(left & (place[i] - 1));
        flip->more[flip->high_count++] = steps->more[k] + lower * steps->numbers;
    }
}

static void step_far(const struct pancake_steps *steps, unsigned k, const uint64_t *numbers, unsigned count,
                     uint64_t *out)
{
    struct far_flip flip;
    far_flip_begin(steps, k, 0, &flip);
    for (unsigned i = 0; i < count; i++) {
        if (numbers[i] - flip.base >= steps->numbers)
            far_flip_begin(steps, k, numbers[i] - numbers[i] % steps->numbers, &flip);
        const uint64_t low = numbers[i] - flip.base;
        uint64_t number = flip.high + flip.turned[low];
        for (unsigned j = 0; j < flip.high_count; j++)
            number += flip.more[j][low];
        out[i] = number;
    }
}

static void step_near(const struct pancake_steps *steps, unsigned k, const uint64_t *numbers, unsigned count,
                      uint64_t *out)
{
    const uint32_t *near = steps->near[k];
    uint64_t base = 0;
    for (unsigned i = 0; i < count; i++) {
        if (numbers[i] - base >= steps->numbers)
            base = numbers[i] - numbers[i] % steps->numbers;
        out[i] = base + near[numbers[i] - base];
    }
}

void pancake_step(const struct pz_space *space, unsigned move, const uint64_t *numbers, unsigned count,
                  uint64_t *out)
{
    const struct pancake *pancake = pancake_of(space);
    const unsigned k = pancake_flipped(pancake, move);
    (k <= pancake->steps->low ? step_near : step_far)(pancake->steps, k, numbers, count, out);
}
