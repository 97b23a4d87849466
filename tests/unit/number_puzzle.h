/* SPDX-License-Identifier: MIT */
/*
 * A puzzle for tests of what no sliding board shows: states are numbers 0 … last, in one, two or four words.
 *
 *   chain    n → n ± 1: reversible, as deep as it is long
 *   doubling n → n + 1, 2n: not reversible
 */
#ifndef NUMBER_PUZZLE_H
#define NUMBER_PUZZLE_H

#include "puzzled/space.h"

#include <string.h>

struct number_space {
    struct pz_space base;
    uint64_t last;
    uint64_t goal;
    uint64_t base_key[PZ_STATE_MAX / 8]; /* exclusive-ored into every state, to place them where one wants */
    bool chain;
};

static inline uint64_t number_of(const struct pz_space *space, const void *state)
{
    const struct number_space *number = (const struct number_space *)space;
    uint64_t words[PZ_STATE_MAX / 8];
    memcpy(words, state, space->state_bytes);
    unsigned last_word = space->state_bytes / 8 - 1;
    return words[last_word] ^ number->base_key[last_word];
}

static inline void number_state(const struct pz_space *space, uint64_t value, void *state)
{
    const struct number_space *number = (const struct number_space *)space;
    uint64_t words[PZ_STATE_MAX / 8];
    memcpy(words, number->base_key, sizeof words);
    words[space->state_bytes / 8 - 1] ^= value;
    memcpy(state, words, space->state_bytes);
}

static unsigned number_expand(const struct pz_space *space, const void *state, uint8_t came_by,
                              void *successors, uint8_t *tokens)
{
    const struct number_space *number = (const struct number_space *)space;
    uint64_t value = number_of(space, state);
    uint8_t *out = successors;
    unsigned count = 0;
    const uint64_t ways[2] = {value + 1, number->chain ? value - 1 : value * 2};
    for (uint8_t i = 0; i < 2; i++) {
        bool undoes = number->chain && came_by != PZ_NO_TOKEN && (came_by >> i & 1) != 0;
        if (ways[i] > number->last || undoes)
            continue;
        number_state(space, ways[i], out + count * space->state_bytes);
        tokens[count++] = (uint8_t)(1u << (1 - i)); /* the way back */
    }
    return count;
}

static bool number_is_goal(const struct pz_space *space, const void *state)
{
    return number_of(space, state) == ((const struct number_space *)space)->goal;
}

static void number_goal(const struct pz_space *space, void *state)
{
    number_state(space, ((const struct number_space *)space)->goal, state);
}

static bool number_valid(const struct pz_space *space, const void *state)
{
    uint64_t same[PZ_STATE_MAX / 8];
    const uint64_t value = number_of(space, state);
    number_state(space, value, same);
    return value <= ((const struct number_space *)space)->last &&
           memcmp(state, same, space->state_bytes) == 0;
}

static size_t number_describe(const struct pz_space *space, const void *from, const void *to,
                              char out[PZ_TEXT_MAX])
{
    uint64_t before = number_of(space, from);
    uint64_t after = number_of(space, to);
    return (size_t)snprintf(out, PZ_TEXT_MAX, "%s", after == before + 1 ? "add" : "double");
}

static const struct pz_puzzle number_puzzle = {
    .abi = PZ_SPACE_ABI,
    .name = "number",
    .expand = number_expand,
    .is_goal = number_is_goal,
    .goal = number_goal,
    .valid = number_valid,
    .describe = number_describe,
    .separator = ",",
};

static inline struct number_space number_space(unsigned words, bool chain, uint64_t last, uint64_t goal)
{
    struct number_space space = {.last = last, .goal = goal, .chain = chain};
    space.base.puzzle = &number_puzzle;
    space.base.state_bytes = words * 8;
    space.base.max_successors = 2;
    space.base.flags = chain ? PZ_REVERSIBLE | PZ_UNIQUE_GOAL | PZ_JOINED_TOKENS : 0;
    return space;
}

#endif
