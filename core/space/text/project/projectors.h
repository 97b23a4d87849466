/* SPDX-License-Identifier: MIT */
/* The projectors of the formats, and what they share: for the files of this room only. */
#ifndef TEXT_PROJECTORS_H
#define TEXT_PROJECTORS_H

#include "space/text/project/projection.h"

/* See projector_new. */
typedef enum pz_status projector_maker(const struct pz_space *space, struct projector **out,
                                       struct pz_error *error);
projector_maker psvn_projector_new;
projector_maker tws_projector_new;

/* Makes the space of a text that a projector wrote; the text, NULL where it was too long, is freed. */
enum pz_status projection_compile(const struct projector *projector, char *text, size_t length,
                                  const struct pz_key *keys, size_t key_count, struct pz_space **out,
                                  struct pz_error *error);

/* Returns in how many ways things can be laid in a row that come in so many kinds, count[i] of each. */
double projector_arrangements(const unsigned *count, unsigned kinds);

#endif
