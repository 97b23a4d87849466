/* SPDX-License-Identifier: MIT */
/* The states that are kept as examples of a job's levels, held against their space before anybody sees them.
 */
#ifndef ANSWER_VERIFY_LEVEL_EXAMPLES_H
#define ANSWER_VERIFY_LEVEL_EXAMPLES_H

#include "puzzled/space.h"
#include "store/store.h"

/* Finds the examples of a level, all of them states of this space; count is 0 if there are none. The caller
 * frees out->states. PZ_STORAGE, and no states, if something else is stored. */
enum pz_status level_examples(struct store *store, const struct pz_space *space, uint64_t job, uint32_t level,
                              struct store_examples *out, struct pz_error *error);

#endif
