/* SPDX-License-Identifier: MIT */
/*
 * Two bits for each state of a space with a ranking function: its level modulo 3, or 3 before it is reached.
 * Every 16 states share an active bit, which is set if one of them is in the level being expanded; a second
 * active bit is for the level being made. Without active bits, all states of three levels before would be
 * expanded again. Where memory allows, each state has active bits of its own; then no state is expanded
 * twice.
 *
 * Threads share all of it: a state is reached by clearing bits, an active bit is made by setting one.
 */
#ifndef EXPLORE_RANKED_STATES_H
#define EXPLORE_RANKED_STATES_H

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    WORD_STATES = 32,   /* of a word of levels */
    PAGE_STATES = 1024, /* in whole words of levels and of active bits */
    UNREACHED = 3
};

/* 2^grain states share an active bit. */
enum states_grain { GRAIN_ONE = 0, GRAIN_SIXTEEN = 4 };

struct states {
    uint64_t numbers; /* of the space */
    uint64_t
        count; /* of positions: the numbers, or more with blocks, which have positions without a number */
    enum states_grain grain;
    _Atomic uint64_t *levels;    /* two bits a state */
    _Atomic uint64_t *active[2]; /* by the level's last bit */
};

static inline uint64_t states_pages(uint64_t count)
{
    return (count + PAGE_STATES - 1) / PAGE_STATES;
}

/* Words of active bits of a page. */
static inline uint64_t states_page_active(enum states_grain grain)
{
    return PAGE_STATES / 64 >> grain;
}

/* Bytes of the levels, of one row of active bits, and of all of it. */
static inline uint64_t states_levels_bytes(uint64_t count)
{
    return states_pages(count) * (PAGE_STATES / WORD_STATES) * sizeof(uint64_t);
}

static inline uint64_t states_active_bytes(uint64_t count, enum states_grain grain)
{
    return states_pages(count) * states_page_active(grain) * sizeof(uint64_t);
}

static inline uint64_t states_all_bytes(uint64_t count, enum states_grain grain)
{
    return states_levels_bytes(count) + 2 * states_active_bytes(count, grain);
}

static inline unsigned states_get(const struct states *states, uint64_t number)
{
    assert(number < states->count);
    uint64_t word = atomic_load_explicit(&states->levels[number / WORD_STATES], memory_order_relaxed);
    return word >> number % WORD_STATES * 2 & 3;
}

static inline void states_activate(const struct states *states, uint32_t level, uint64_t number)
{
    const uint64_t at = number >> states->grain;
    _Atomic uint64_t *word = &states->active[level & 1][at / 64];
    const uint64_t bit = UINT64_C(1) << at % 64;
    if ((atomic_load_explicit(word, memory_order_relaxed) & bit) == 0)
        (void)atomic_fetch_or_explicit(word, bit, memory_order_relaxed);
}

/* Reaches a state. Returns true to the one thread that reached it first. */
static inline bool states_reach(const struct states *states, uint32_t level, uint64_t number)
{
    assert(number < states->count);
    const unsigned shift = number % WORD_STATES * 2;
    _Atomic uint64_t *word = &states->levels[number / WORD_STATES];
    if ((atomic_load_explicit(word, memory_order_relaxed) >> shift & 3) != UNREACHED)
        return false;
    const uint64_t bits = (uint64_t)(UNREACHED ^ level % 3) << shift;
    const uint64_t old = atomic_fetch_and_explicit(word, ~bits, memory_order_relaxed);
    if ((old >> shift & 3) != UNREACHED)
        return false;
    states_activate(states, level, number);
    return true;
}

/* Returns a word with a one at the low bit of each state that has this level modulo 3, or is unreached. */
static inline uint64_t states_with(uint64_t word, unsigned level)
{
    const uint64_t low = UINT64_C(0x5555555555555555);
    const uint64_t other = word ^ low * level;
    return ~(other | other >> 1) & low;
}

/* Returns how many states such a word has. Processors that count bits at once are not assumed. */
static inline uint32_t states_in_word(uint64_t states)
{
    assert((states & ~UINT64_C(0x5555555555555555)) == 0);
    states = (states & UINT64_C(0x3333333333333333)) + (states >> 2 & UINT64_C(0x3333333333333333));
    states = (states + (states >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (uint32_t)(states * UINT64_C(0x0101010101010101) >> 56);
}

#endif
