/* SPDX-License-Identifier: MIT */
/* The parts of a plugin's check, for plugin_check.c: what one state shows, and what all states near the root
 * show together. */
#ifndef SPACE_CHECK_CHECK_STATE_H
#define SPACE_CHECK_CHECK_STATE_H

#include "space/check/check_options.h"

/* Promises, each reported once. */
enum promise {
    PROMISE_HEAD,
    PROMISE_TEXT,
    PROMISE_DRAWING,
    PROMISE_SUCCESSORS,
    PROMISE_SAME_AGAIN,
    PROMISE_WORDS,
    PROMISE_REVERSIBLE,
    PROMISE_TOKENS,
    PROMISE_MANY,
    PROMISE_NEEDED,
    PROMISE_RANK,
    PROMISE_UNRANK,
    PROMISE_STEP,
    PROMISE_COUNT,
    PROMISE_VALID,
    PROMISE_CONSISTENT,
    PROMISE_ADMISSIBLE,
    PROMISE_GOAL,
    PROMISE_SOLVABLE,
    PROMISE_BIPARTITE,
    PROMISE_CANON,
    PROMISE_PIECES
};

/* The successors of a state, with room for more than may be promised. */
struct checked_successors {
    unsigned count;
    _Alignas(uint64_t) uint8_t states[2 * PZ_SUCCESSORS_MAX * PZ_STATE_MAX];
    uint8_t tokens[2 * PZ_SUCCESSORS_MAX];
};

struct check {
    const struct plugin_check_options *options;
    const struct pz_puzzle *puzzle;
    const struct pz_space *space;
    struct plugin_check_result *result;
    uint32_t reported;                        /* a bit for each promise */
    struct checked_successors *successors[3]; /* of a state, of its successors, and to compare */
};

/* Reports that a promise is broken, with the state's text; state may be NULL. */
__attribute__((format(printf, 4, 5))) void check_broken(struct check *check, enum promise promise,
                                                        const void *state, const char *format, ...);
/* Notes which function is called next. */
void check_calling(const struct check *check, const char *function);
/* Expands a state. Returns false if that breaks a promise which the other checks need. */
bool check_expand(struct check *check, const void *state, uint8_t came_by,
                  struct checked_successors *successors);
static inline const uint8_t *check_successor(const struct check *check,
                                             const struct checked_successors *successors, unsigned i)
{
    return successors->states + (size_t)i * check->space->state_bytes;
}

enum { CHECK_FOLLOWED = 64 /* successors of a state that are compared with all others */ };

/* Returns how many states to look at instead of so many: fewer where each may have many successors. */
static inline uint32_t check_share(const struct check *check, uint32_t states)
{
    const uint32_t most = check->space->max_successors;
    return most > CHECK_FOLLOWED ? states * CHECK_FOLLOWED / most + 1 : states;
}

/* Holds one state against everything that it shows by itself. Leaves its successors in successors[0]; returns
 * false if they are of no use. */
bool check_state(struct check *check, const void *state);
/* Visits the states around the root in the order of their distance, and holds the distances against the
 * bounds and flags. */
void check_region(struct check *check, const void *root);

#endif
