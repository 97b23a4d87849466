/* SPDX-License-Identifier: MIT */
/* Makes spaces: the memory of one, and the one goal that many have. Every folder of puzzles uses it. */
#ifndef SPACE_MAKING_H
#define SPACE_MAKING_H

#include "puzzled/space.h"

/* Fills a space that is zero but for its puzzle. */
typedef enum pz_status space_maker(struct pz_space *space, const struct pz_setup *setup,
                                   struct pz_error *error);
/* Makes a space of so many bytes. If make fails, the close of the puzzle that it has then frees it. */
enum pz_status space_make(const struct pz_puzzle *puzzle, size_t bytes, space_maker *make,
                          const struct pz_setup *setup, struct pz_space **out, struct pz_error *error);
/* The close of a space that has no other memory. */
void space_free(struct pz_space *space);

/* A space whose root is its one goal. */
struct goal_space {
    struct pz_space base; /* first: a goal_space is a pz_space */
    uint64_t goal[PZ_STATE_MAX / 8];
};

/* As struct pz_puzzle's. */
void goal_space_goal(const struct pz_space *space, void *state);
enum pz_status goal_space_root(const struct pz_space *space, void *state, struct pz_error *error);
bool goal_space_is_goal(const struct pz_space *space, const void *state);
/* Reads goal= in place of the puzzle's own, which stands in *space, and puts it into the size if it is
 * another one. text: NULL for none. */
enum pz_status goal_space_take(struct goal_space *space, const char *text, struct pz_error *error);

#endif
