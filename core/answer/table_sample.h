/* SPDX-License-Identifier: MIT */
/* Samples the states of one table at exactly one distance, by a seed. */
#ifndef ANSWER_TABLE_SAMPLE_H
#define ANSWER_TABLE_SAMPLE_H

#include "answer/table_match.h"

struct table_sample {
    /* in */
    uint32_t depth;
    unsigned count; /* at least 1 */
    uint64_t seed;
    uint32_t state_bytes;
    /* out */
    uint8_t *states; /* malloc'd, canonical */
    unsigned found;
    uint64_t total; /* of runs, with level_states 0: states of the level */
    bool skewed;    /* not every state of the level was equally likely */
};

/* Fills in what was found. level_states: the number of states at that distance, 0 if not known. Reads a whole
 * table of runs: seconds, for hundreds of millions of states. */
enum pz_status table_sample_take(const struct table_match *match, const struct pz_space *space,
                                 uint64_t level_states, struct table_sample *sample, struct pz_error *error);

#endif
