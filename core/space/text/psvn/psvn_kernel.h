/* SPDX-License-Identifier: MIT */
/*
 * Runs a model: packs the variables of a state into words, and expands states.
 *
 * Each rule becomes one or more *moves*: a rule with names that its left side does not bind becomes a move
 * for each of their values. A move is a mask and a value to compare with, pairs of places to compare, a mask
 * and a value to write, and places to copy, of which those that go equally far are copied together. A tree
 * over the values of a few variables leads to the moves that can match at all, so that a state does not try
 * every rule.
 */
#ifndef TEXT_PSVN_KERNEL_H
#define TEXT_PSVN_KERNEL_H

#include "puzzled/space.h"
#include "space/text/psvn/psvn_layout.h"

struct psvn_kernel;
/* undo: for each rule the rule that undoes it, as psvn_rules_undo finds it, or NULL. A state that came by a
 * move is then not expanded by its inverse. The model must live as long. */
enum pz_status psvn_kernel_new(const struct psvn_model *model, const struct psvn_layout *layout,
                               const uint32_t *undo, struct psvn_kernel **out, struct pz_error *error);
void psvn_kernel_free(struct psvn_kernel *kernel); /* NULL is fine */
/* Returns the bytes of memory that a kernel takes. */
size_t psvn_kernel_bytes(const struct psvn_kernel *kernel);
/* Returns the most successors that a state can have. */
uint32_t psvn_kernel_most(const struct psvn_kernel *kernel);

/* Writes the successors of a state, its own copies left out; returns their number. rules may be NULL; else it
 * gets the rule of each. */
unsigned psvn_kernel_expand(const struct psvn_kernel *kernel, const uint64_t *state, uint8_t came_by,
                            uint64_t *successors, uint8_t *tokens, uint32_t *rules);
bool psvn_kernel_is_goal(const struct psvn_kernel *kernel, const uint64_t *state);

#endif
