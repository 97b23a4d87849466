/* SPDX-License-Identifier: MIT */
/* States at exactly one distance, chosen by a seed, from one table. */
#ifndef ANSWER_SAMPLE_H
#define ANSWER_SAMPLE_H

#include "answer/covering.h"

struct sample {
    /* asked for */
    uint32_t depth;
    unsigned count; /* at least 1 */
    uint64_t seed;
    uint32_t state_bytes;
    /* found */
    uint8_t *states; /* malloc'd, canonical */
    unsigned found;
    bool skewed; /* not every state of the level was equally likely */
};

/* level_states: how many there are at that distance, 0 when not known. Looks through a whole table of
 * runs: seconds, for hundreds of millions of states. */
enum pz_status sample_take(const struct covering *covering, uint64_t level_states, struct sample *sample,
                           struct pz_error *error);

#endif
