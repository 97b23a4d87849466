/* SPDX-License-Identifier: MIT */
/* The puzzles that this program knows, and how a puzzle text becomes a space. */
#ifndef SPACE_REGISTRY_H
#define SPACE_REGISTRY_H

#include "puzzled/space.h"

/*
 * Makes the space that a text names: "slide:3x4", a bare size "3x4" (slide), "jugs:3,5", "klotski".
 * setup->size is ignored; it is taken from the text. Keys that the puzzle does not know are refused by name.
 */
enum pz_status space_open(const char *puzzle, const struct pz_setup *setup, struct pz_space **out,
                          struct pz_error *error);
void space_close(struct pz_space *space);
/* Writes the state that a question without start= begins with. Returns false if the puzzle has none. */
bool space_start(const struct pz_space *space, void *state);
/* Returns how many states the space numbers; 0 where it has no numbering (count, rank, unrank). */
uint64_t space_count(const struct pz_space *space);
/* Returns true if these bytes, from wherever they come, are a state of the space (struct pz_puzzle, valid).
 */
bool space_state_valid(const struct pz_space *space, const void *state);
/* Returns true if the space answers that by itself. Else it takes some microseconds: print and parse. */
bool space_knows_valid(const struct pz_space *space);
/* Returns true if the space's numbers are those of runs. */
bool space_has_runs(const struct pz_space *space);
/* Makes the space's runs, which the caller closes; NULL if it has none, or without memory. */
struct pz_runs *space_runs(const struct pz_space *space);
/* Returns the space's expand_needed, or its expand if it has none. */
typedef unsigned space_expand(const struct pz_space *space, const void *state, uint8_t came_by,
                              void *successors, uint8_t *tokens);
space_expand *space_expand_needed(const struct pz_space *space);
/* Writes the successors of a state with the cost of each, 1 without PZ_COSTS; returns their number. */
unsigned space_expand_costs(const struct pz_space *space, const void *state, uint8_t came_by,
                            void *successors, uint8_t *tokens, uint32_t *costs);
/* Returns true if there is one goal state and moves can be undone: then the distance from the goal is the one
 * to it, and an exploration from all goals is one whose root is the goal. */
bool space_has_one_end(const struct pz_space *space);
/* Returns true if the space has a ranking function and moves can be undone: then an exploration from all
 * goals takes in all of them, also those that the root does not reach. */
bool space_is_whole_from_goals(const struct pz_space *space);
/* Finds the canonical form of "explore from this root". *canonical is the caller's to close; NULL where the
 * puzzle has no canonical form: then canon has the root alone. */
enum pz_status space_canonical(const struct pz_space *space, const void *root, struct pz_canon *canon,
                               struct pz_space **canonical, struct pz_error *error);
/* Writes the canonical text, "slide:3x4"; returns its length. */
size_t space_name(const struct pz_space *space, char out[PZ_SIZE_MAX + 64]);

/* Returns the puzzle, a format of definitions too, by a name of so many bytes; NULL if there is none. */
const struct pz_puzzle *registry_find(const char *name, size_t length);
/* Returns a puzzle by number, for help texts; NULL beyond the last. */
const struct pz_puzzle *registry_puzzle(unsigned number);
/* Returns the puzzle that a canonical text names, "cube2:half", if a plugin added it; NULL otherwise. */
const struct pz_puzzle *registry_plugin(const char *puzzle);
/* Adds a puzzle (a plugin's). Call it before another thread opens the first space. Refuses a name that is
 * taken, and an unknown ABI with the numbers. */
enum pz_status registry_add(const struct pz_puzzle *puzzle, struct pz_error *error);

#endif
