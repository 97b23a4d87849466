/* SPDX-License-Identifier: MIT */
/* The planes of a search in a checkpoint: where it is, and every block that is not empty. A piece is the
 * range of one turn in one plane, with its marks. */
#ifndef EXPLORE_DENSE_RESUME_H
#define EXPLORE_DENSE_RESUME_H

#include "explore/dense/planes.h"
#include "explore/snapshot.h"

/* Between two turns of the level that is being made. */
struct dense_place {
    uint32_t level; /* whose states are in the plane of colour */
    uint32_t turns; /* whose ranges of the other plane are of the next level already */
    uint32_t colour;
    uint32_t unused;
    uint64_t width; /* states in that level */
};

/* Bytes of a checkpoint, at most, when so many states were met. */
uint64_t dense_resume_bytes(const struct planes *planes, uint64_t states);
/* The same without a search: of whole planes. */
uint64_t dense_resume_bytes_ahead(const struct dense_geometry *geometry, bool marked);
/* For snapshot_new, snapshot_save and snapshot_load; waiting is the caller's to set. The planes that are
 * loaded into are empty; dense_loaded follows. */
struct snapshot_planes dense_pieces(struct planes *planes);
/* Makes what is known of each block again. Whether the planes agree with the place. */
bool dense_loaded(struct planes *planes, const struct dense_place *place, uint32_t levels);

#endif
