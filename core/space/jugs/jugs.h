/* SPDX-License-Identifier: MIT */
/*
 * Water jugs: fill one, empty one, pour one into another until that is full or the first is empty. This
 * header is for jugs.c (the rules) and jugs_read.c; others need jugs_puzzle only.
 *
 * A state has the amount in each jug, in as many bits as the jug's capacity needs. No amount lies across the
 * border of a word. Moves cannot be undone in general, so tokens are not used.
 */
#ifndef SPACE_JUGS_H
#define SPACE_JUGS_H

#include "puzzled/space.h"

extern const struct pz_puzzle jugs_puzzle;

enum { JUGS_MAX = 8, JUGS_WORDS_MAX = 4 };

enum jugs_goal {
    GOAL_NONE,
    GOAL_ANY, /* the amount in any one jug */
    GOAL_SUM, /* the amount in all jugs together */
    GOAL_EACH /* an amount for each jug, some of them free */
};

struct jug {
    int64_t capacity;
    int64_t wanted; /* GOAL_EACH; SPACE_NUMBER_ANY when free */
    uint64_t mask;  /* of the amount, before the shift */
    uint8_t word, shift;
};

struct jugs {
    struct pz_space base; /* first: a jugs is a pz_space */
    unsigned count;
    bool closed; /* no tap and no drain */
    struct jug jug[JUGS_MAX];
    enum jugs_goal goal;
    int64_t amount; /* GOAL_ANY, GOAL_SUM */
    uint64_t start[JUGS_WORDS_MAX];
};

static inline const struct jugs *jugs_of(const struct pz_space *space)
{
    return (const struct jugs *)space;
}

static inline int64_t jugs_get(const struct jugs *jugs, const uint64_t *state, unsigned i)
{
    const struct jug *jug = &jugs->jug[i];
    return (int64_t)(state[jug->word] >> jug->shift & jug->mask);
}

static inline void jugs_set(const struct jugs *jugs, uint64_t *state, unsigned i, int64_t amount)
{
    const struct jug *jug = &jugs->jug[i];
    state[jug->word] = (state[jug->word] & ~(jug->mask << jug->shift)) | (uint64_t)amount << jug->shift;
}

/* Says why a goal cannot be reached, as space_reason does. */
void jugs_reason(const struct pz_space *space, const void *start, char out[PZ_TEXT_MAX]);

/* ---- jugs_read.c ---- */

/* Reads a size, a start and a goal: a space_maker. */
enum pz_status jugs_set_up(struct pz_space *space, const struct pz_setup *setup, struct pz_error *error);
/* As struct pz_puzzle says. */
enum pz_status jugs_parse(const struct pz_space *space, const char *text, void *state,
                          struct pz_error *error);
size_t jugs_print(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX]);

#endif
