/* SPDX-License-Identifier: MIT */
/* Reads the tables that ranked_table.h lays out. */
#ifndef EXPLORE_RANKED_READER_H
#define EXPLORE_RANKED_READER_H

#include "explore/table/table_reader.h"

extern const struct table_format ranked_format;

/* ---- for ranked_sample.c ---- */

struct ranked_reader {
    struct table_reader base;
    struct expansion expansion;
    uint64_t at[PZ_STATE_MAX / 8];
    unsigned residue; /* of its distance, modulo 3, or UNREACHED */
};

static inline struct ranked_reader *ranked_of(struct table_reader *reader)
{
    return (struct ranked_reader *)reader;
}

/* Finds the residue of a state; UNREACHED for a number that is none. */
enum pz_status ranked_residue_at(const struct ranked_reader *ranked, uint64_t number, unsigned *residue,
                                 struct pz_error *error);
enum pz_status ranked_residue_of(const struct ranked_reader *ranked, const void *state, unsigned *residue,
                                 struct pz_error *error);
/* Goes to a state that has this residue. */
void ranked_stand_at(struct ranked_reader *ranked, const void *state, unsigned residue);

/* Fails. */
enum pz_status ranked_too_short(struct pz_error *error);

/* Does what sample of struct table_format does. */
enum pz_status ranked_sample(struct table_reader *reader, struct table_sample *sample,
                             struct pz_error *error);

#endif
