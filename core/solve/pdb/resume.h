/* SPDX-License-Identifier: MIT */
/*
 * Checkpoints of a database that is being built. The sets of one colour are one plane of a snapshot
 * (explore/snapshot.h), a piece is a block of sets: what the blocks' sets of that colour have in runs of bits
 * and of distances. Where the build has no checkpointer, all this does nothing. By the owner.
 */
#ifndef PDB_RESUME_H
#define PDB_RESUME_H

#include "solve/pdb/build_parts.h"

/* Between two blocks of the level that is being made. */
struct build_place {
    uint32_t distance; /* of that level */
    uint32_t first;    /* blocks of it that are done */
    uint64_t frontier; /* states in the level before */
    uint64_t states;   /* in all levels before */
    uint64_t fresh;    /* found in the blocks that are done */
};

/* After the lists are made. */
enum pz_status resume_init(struct build *build, struct budget *budget, struct pz_error *error);
/* Fills a build that is cleared. false when there is no checkpoint to go on from: then it may be filled in
 * part. */
bool resume_load(struct build *build, struct build_place *place);
/* In the midst of a level, now and then. */
void resume_look_after(struct build *build);
/* A level was made, or left with that status at the place. */
void resume_level_ended(struct build *build, const struct build_place *place, enum pz_status status);

#endif
