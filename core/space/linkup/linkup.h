/* SPDX-License-Identifier: MIT */
/*
 * Link-up (连连看): joins two equal tiles by a path over empty cells with few turns. It solves itself: its
 * board is part of the space, and its states are empty. linkup.c has rules and search, linkup_pieces.c the
 * picture; others need linkup_puzzle only.
 */
#ifndef SPACE_LINKUP_H
#define SPACE_LINKUP_H

#include "puzzled/space.h"

extern const struct pz_puzzle linkup_puzzle;

enum { LINKUP_CELLS_MAX = 900 };

struct linkup {
    struct pz_space base; /* first: a linkup is a pz_space */
    unsigned rows, columns;
    unsigned turns; /* at most */
    bool closed;    /* paths stay on the board */
    unsigned from_row, from_column, to_row, to_column;
    char tile[LINKUP_CELLS_MAX]; /* '.' for empty */
};

static inline const struct linkup *linkup_of(const struct pz_space *space)
{
    return (const struct linkup *)space;
}

/* ---- linkup_pieces.c: as in struct pz_puzzle ---- */

struct pz_size linkup_pieces(const struct pz_space *space, const void *state, const char *path,
                             pz_put_piece *put, void *taker);

#endif
