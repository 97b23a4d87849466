/* SPDX-License-Identifier: MIT */
/* Declares the state and the functions that the files of pieces on disk share. Calls go one way:
 * pieces_disk.c, pieces_found.c and pieces_read.c. */
#ifndef EXPLORE_PIECES_DISK_INTERNAL_H
#define EXPLORE_PIECES_DISK_INTERNAL_H

#include "explore/dense/pieces/disk/disk_files.h"
#include "explore/dense/pieces/pieces_cache.h"

/* A piece's place on the disk; length 0 for an empty one. */
struct disk_place {
    struct disk_file *file;
    uint64_t offset;
    uint64_t length;
    struct cache_region *region; /* with a copy; NULL for none */
};

struct disk_buffer {
    struct disk_request request;
    struct piece_header *piece;  /* a cached one, or in the buffer's own memory */
    struct piece_header *own;    /* of those that are read into */
    struct cache_region *region; /* of those that are made */
    bool empty, cached;
};

/* The pieces of a kept level. */
struct kept_level {
    uint32_t level;
    struct disk_place *place; /* by group */
    struct disk_file *files;
};

struct disk_pieces {
    struct pieces base;
    struct pieces_disk disk;
    struct disk_files shared;
    struct scratch_store *store;
    struct pieces_cache *cache;
    uint8_t *memory; /* of all buffers that are read into */
    size_t memory_bytes;
    size_t piece_bytes;
    uint32_t level;                       /* NEXT */
    struct disk_place *place[PIECE_AGES]; /* by group */
    struct disk_file *files[PIECE_AGES];
    struct kept_level kept[PIECES_KEPT_MAX];
    uint32_t kept_levels;
    uint64_t kept_reading;           /* group × levels + level, of kept ones: the next to be read ahead */
    uint32_t covered;                /* groups of NEXT in closed files */
    struct disk_file *last_file;     /* of NEXT */
    struct disk_buffer *in[2];       /* of BEFORE and NOW: ahead + 1, by the group's number */
    struct disk_buffer *out;         /* behind */
    uint32_t reading;                /* the next group to be read ahead */
    uint32_t group;                  /* entered */
    const struct disk_buffer *found; /* of a group got out of turn; NULL for an entered one */
    struct disk_buffer part;         /* for a piece of which only the header and one chunk are read */
    uint64_t part_read;              /* bytes of its head */
    unsigned writing;                /* buffer of it */
    _Atomic uint64_t end;            /* of the piece being made; every worker takes room from it */
};

/* Returns true if the level's pieces stay until the end. */
static inline bool pieces_disk_keeps(const struct disk_pieces *own, uint32_t level)
{
    return own->disk.keeps != NULL && own->disk.keeps(level);
}
/* Returns the level of the files of an age. Level 0 has no BEFORE, and level 1 reads none.
 */
static inline uint32_t pieces_disk_level(const struct disk_pieces *own, enum piece_age age)
{
    return own->level + (uint32_t)age - PIECE_NEXT;
}
/* Returns true if the pieces of an age stay. When the search is over NOW is the last level with states, or
 * the empty one behind it. */
static inline bool pieces_disk_keeps_age(const struct disk_pieces *own, enum piece_age age)
{
    return own->level + (uint32_t)age >= PIECE_NEXT && pieces_disk_keeps(own, pieces_disk_level(own, age));
}

/* ---- pieces_read.c ---- */

/* Begins to read a piece of some length, or of none, into a buffer. */
void pieces_disk_read(struct disk_pieces *own, const struct disk_place *place, struct disk_buffer *buffer);
/* Waits for the piece; returns PZ_STORAGE if it is not that of the level and the group. */
enum pz_status pieces_disk_await(struct disk_pieces *own, uint32_t level, uint32_t group,
                                 struct disk_buffer *buffer, struct pz_error *error);
/* Waits for all reads that are under way. */
void pieces_disk_await_reads(struct disk_pieces *own);
/* The ops look and look_state. */

enum pz_status pieces_disk_look(struct pieces *pieces, enum piece_age age, uint32_t group,
                                struct pz_error *error);
enum pz_status pieces_disk_look_state(struct pieces *pieces, enum piece_age age, uint32_t group,
                                      uint64_t *number, uint32_t *chunk, struct pz_error *error);

/* Moves a level's files and places, where there are any, to the kept levels, which own them from then on.
 * Returns false if too many levels are kept. */
bool pieces_disk_keep(struct disk_pieces *own, uint32_t level, struct disk_file *files,
                      struct disk_place *place);
/* The ops kept and find_kept. */
uint32_t pieces_disk_kept(const struct pieces *pieces);
enum pz_status pieces_disk_find_kept(struct pieces *pieces, uint32_t group, uint32_t number, uint32_t *level,
                                     struct pz_error *error);

/* ---- pieces_found.c ---- */

/* The op find, for a store that knows no pieces yet. */
enum pz_status pieces_disk_find(struct pieces *pieces, uint32_t now, uint32_t *done, struct pz_error *error);

#endif
