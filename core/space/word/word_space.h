/* SPDX-License-Identifier: MIT */
/* Shared by pancakes, TopSpin and Hanoi: a state is one word, and one state is the goal. */
#ifndef SPACE_WORD_SPACE_H
#define SPACE_WORD_SPACE_H

#include "space/options.h"

struct word_space {
    struct pz_space base; /* first: a word_space is a pz_space */
    uint64_t goal;
};

static inline uint64_t word_space_goal(const struct pz_space *space)
{
    return ((const struct word_space *)space)->goal;
}

/* As struct pz_puzzle's. */
void word_goal(const struct pz_space *space, void *state);
enum pz_status word_root(const struct pz_space *space, void *state, struct pz_error *error);
bool word_is_goal(const struct pz_space *space, const void *state);

/* Takes goal= in place of the puzzle's own, which stands in *space, and puts it into the size if it is
 * another one. On success *out is the space; else it is closed. */
enum pz_status word_take_goal(struct word_space *space, const struct space_options *options,
                              struct pz_space **out, struct pz_error *error);

#endif
