/* SPDX-License-Identifier: MIT */
/* The abstractors of the formats, and what they share: for the files of this room only. */
#ifndef TEXT_ABSTRACTORS_H
#define TEXT_ABSTRACTORS_H

#include "space/text/abstract/abstraction.h"

/* See abstractor_new. */
typedef enum pz_status abstractor_maker(const struct pz_space *space, struct abstractor **out,
                                        struct pz_error *error);
abstractor_maker psvn_abstractor_new;
abstractor_maker tws_abstractor_new;

/* Makes the space of a text that an abstractor wrote; the text, NULL where it was too long, is freed. */
enum pz_status abstraction_compile(const struct abstractor *abstractor, char *text, size_t length,
                                   const struct pz_key *keys, size_t key_count, struct pz_space **out,
                                   struct pz_error *error);

/* Returns in how many ways things can be laid in a row that come in so many kinds, count[i] of each. */
double abstractor_arrangements(const unsigned *count, unsigned kinds);

#endif
