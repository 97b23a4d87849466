/* SPDX-License-Identifier: MIT */
/* The parts of pieces on disk, for pieces_disk.c and pieces_found.c alone. */
#ifndef EXPLORE_PIECES_PIECES_DISK_H
#define EXPLORE_PIECES_PIECES_DISK_H

#include "explore/pieces/disk_files.h"
#include "explore/pieces/piece.h"

/* Where a piece lies; length 0 for an empty one. */
struct place {
    struct disk_file *file;
    uint64_t offset;
    uint64_t length;
};

struct buffer {
    struct disk_request request;
    struct piece_header *piece;
    bool empty;
};

struct disk_pieces {
    struct pieces base;
    struct pieces_disk disk;
    struct disk_files shared;
    struct disk_queue *queue; /* the shared one */
    uint8_t *memory;          /* of all buffers */
    size_t memory_bytes;
    size_t piece_bytes;
    uint32_t level;                  /* NEXT */
    struct place *place[PIECE_AGES]; /* by group */
    struct disk_file *files[PIECE_AGES];
    uint32_t covered;            /* groups of NEXT in closed files */
    struct disk_file *last_file; /* of NEXT */
    struct buffer *in[2];        /* of BEFORE and NOW: ahead + 1, by the group's number */
    struct buffer *out;          /* behind */
    uint32_t reading;            /* the next group to be read ahead */
    uint32_t group;              /* entered */
    const struct buffer *found;  /* of a group got out of turn; NULL for an entered one */
    unsigned writing;            /* buffer of it */
    _Atomic uint64_t end;        /* of the piece being made; every member takes room from it */
    struct pieces_figures figures;
};

/* The op find, for pieces of which nothing is known yet. */
enum pz_status pieces_disk_find(struct disk_pieces *own, uint32_t now, uint32_t *done,
                                struct pz_error *error);

#endif
