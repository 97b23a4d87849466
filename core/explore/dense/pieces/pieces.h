/* SPDX-License-Identifier: MIT */
/*
 * The store of pieces: coded groups of the known level (NOW), of the one before it (BEFORE), and of the one
 * being made (NEXT). A piece is one group of one level, in *chunks* of classes that are coded on their own.
 * Groups come in ascending order: NOW and BEFORE are read, NEXT is written, and the piece of BEFORE is
 * dropped when that of NEXT is safe. There are two bodies: pieces_memory.c and pieces_disk.c.
 *
 * A piece in memory may be *plain*: its bytes lie there as they are, and it is made in the place of BEFORE.
 *
 * Some levels may be *kept* until the end (pieces_disk.keeps), to be read once more when the search is over.
 *
 * The ops chunk and put may be called from any thread, for different chunks at the same time. All else is
 * called by the owner while no one else works.
 */
#ifndef EXPLORE_PIECES_PIECES_H
#define EXPLORE_PIECES_PIECES_H

#include "base/budget.h"
#include "explore/dense/pieces/arena.h"
#include "explore/dense/pieces/codec/codec.h"
#include "explore/dense/pieces/disk/spill.h"

/*
 * Memory of a search that its coded data does not need at the moment. The search uses it to run faster, and
 * gives it back group by group when it shrinks. Called by the owner.
 */

struct spare {
    struct budget *budget;
    uint64_t fill;    /* the search's bytes in the budget up to which memory is taken */
    uint64_t reserve; /* bytes below that which are left for what is coded */
    uint64_t taken;   /* now */
};

/* Returns the bytes up to those that the search may have. */
static inline uint64_t spare_left(const struct spare *spare)
{
    uint64_t used = atomic_load_explicit(&spare->budget->used, memory_order_relaxed);
    uint64_t left = used < spare->fill ? spare->fill - used : 0;
    uint64_t within = budget_free(spare->budget);
    return left < within ? left : within;
}

static inline bool spare_take(struct spare *spare, uint64_t bytes)
{
    if (spare_left(spare) < spare->reserve + bytes || !budget_take(spare->budget, bytes))
        return false;
    spare->taken += bytes;
    return true;
}

static inline void spare_give(struct spare *spare, uint64_t bytes)
{
    spare->taken -= bytes;
    budget_give(spare->budget, bytes);
}

enum { PIECES_KEPT_MAX = 128 };
enum piece_age { PIECE_BEFORE, PIECE_NOW, PIECE_NEXT, PIECE_AGES };

struct piece_chunk {
    uint32_t states; /* 0: the other fields mean nothing */
    enum code code;
    uint32_t length;      /* of the coded bytes; of a plain chunk: of its present bytes */
    const uint8_t *bytes; /* readable for CODEC_PAD bytes more */
    uint8_t *plain;       /* of a plain chunk: its classes; else NULL */
};

/* More figures of what a level by orbits has, for the caller to add up (struct orbits_counts). */
struct pieces_tally {
    uint64_t fresh, rest;
};

struct pieces_size {
    uint32_t groups;
    uint32_t chunks;      /* in a group */
    uint32_t chunk_bytes; /* most that one takes: the present bytes and the output of codec_encode */
    uint32_t any_bytes;   /* of a chunk */
    uint32_t classes;     /* in a chunk: its bytes when it is plain */
};

struct pieces {
    const struct pieces_ops *ops;
    struct pieces_size size;
    struct spare spare;
    uint64_t *states[PIECE_AGES];          /* in each group's piece */
    struct pieces_tally tally[PIECE_AGES]; /* of all groups; leave stores it */
    double waited;                         /* seconds that the owner waited for the disk */
    bool lasting;                          /* what a search needs to go on is safe on the disk */
};

struct pieces_ops {
    /* Forgets everything: the level that is made next is level 0. */
    enum pz_status (*start_over)(struct pieces *pieces, struct pz_error *error);
    /* Finds the pieces of an earlier store that was cut off while NOW was that level. The groups of NEXT
     * before *done are there. Returns PZ_STORAGE if a needed piece is missing; then only start_over may
     * follow. NULL for a body whose pieces do not outlive their process. */
    enum pz_status (*find)(struct pieces *pieces, uint32_t now, uint32_t *done, struct pz_error *error);
    /* Loads the group's pieces of NOW and BEFORE, and makes room for its piece of NEXT. */
    enum pz_status (*enter)(struct pieces *pieces, uint32_t group, struct pz_error *error);
    /* Finds a chunk of the entered group. scratch (CODEC_ROOM) may be used for it. Returns PZ_STORAGE if the
     * chunk is damaged. */
    enum pz_status (*chunk)(struct pieces *pieces, enum piece_age age, uint32_t chunk, uint8_t *scratch,
                            struct piece_chunk *out);
    /* Returns the chunks' classes of the entered group, one chunk after the other, if its piece of that age
     * is plain; else NULL. Those of a plain NEXT are written there, over those of a plain BEFORE. NULL for a
     * body without plain pieces. */
    uint8_t *(*plain)(struct pieces *pieces, enum piece_age age);
    /* Keeps a chunk of NEXT: the present bytes of a plain piece, else the coded bytes. The chunk of BEFORE
     * may be dropped. Returns PZ_MEMORY if there is no room. */
    enum pz_status (*put)(struct pieces *pieces, uint32_t chunk, const struct piece_chunk *from);
    /* Ends the group: its piece of NEXT is whole, and holds so many states. tally: of it, NULL for none. */
    enum pz_status (*leave)(struct pieces *pieces, uint64_t states, const struct pieces_tally *tally,
                            struct pz_error *error);
    /* Records that the group is empty in NEXT. */
    enum pz_status (*skip)(struct pieces *pieces, uint32_t group, struct pz_error *error);
    /* Ends the level: NEXT, which is whole, becomes NOW, and NOW becomes BEFORE. */
    enum pz_status (*end_level)(struct pieces *pieces, struct pz_error *error);
    /* Loads any one group, between two levels or after the last one. Its chunks of that age can then be
     * found. */
    enum pz_status (*look)(struct pieces *pieces, enum piece_age age, uint32_t group, struct pz_error *error);
    /* Loads, as look does, only the chunk with the state of that number in a group. Only this chunk can then
     * be found. *number becomes the state's number in the chunk. */
    enum pz_status (*look_state)(struct pieces *pieces, enum piece_age age, uint32_t group, uint64_t *number,
                                 uint32_t *chunk, struct pz_error *error);
    /* Returns how many levels are kept, after the last level. NULL for a body that keeps none. */
    uint32_t (*kept)(const struct pieces *pieces);
    /* Loads a group of the number-th kept level; *level becomes that level. Its chunks can then be found, by
     * any age. The groups after it are read ahead: all levels of one group, then those of the next one. */
    enum pz_status (*find_kept)(struct pieces *pieces, uint32_t group, uint32_t number, uint32_t *level,
                                struct pz_error *error);
    void (*free)(struct pieces *pieces);
};

/* For the bodies: what they have in common. pieces_init returns false without memory; pieces_clear frees. */
bool pieces_init(struct pieces *pieces, const struct pieces_ops *ops, const struct pieces_size *size,
                 const struct spare *spare);
void pieces_clear(struct pieces *pieces);
uint64_t pieces_bytes(const struct pieces_size *size);
/* Makes NEXT's numbers of states NOW's, and NOW's BEFORE's. */
void pieces_end_level(struct pieces *pieces);
void pieces_add_tally(struct pieces *pieces, enum piece_age age,
                      const struct pieces_tally *tally); /* NULL is fine */

/* spare: for plain pieces. */
enum pz_status pieces_memory_new(const struct pieces_size *size, struct arena *arena,
                                 const struct spare *spare, struct pieces **out, struct pz_error *error);
uint64_t pieces_memory_bytes(const struct pieces_size *size);

struct pieces_disk {
    struct scratch_store *store;   /* has a queue, and outlives the pieces */
    unsigned ahead;                /* groups that are read ahead, at least 1 */
    unsigned behind;               /* pieces that are written while others are made, at least 1 */
    struct spare spare;            /* for pieces that stay in memory and need not be read */
    uint64_t file_bytes;           /* a file that is larger is closed and made safe; 0 for the usual size */
    bool (*keeps)(uint32_t level); /* true for levels that are kept; NULL for none */
    uint64_t narrow; /* nothing is made safe before a level has more states: it is soon made again */
};

/* Files of an earlier store stay in the directory until start_over or find. */
enum pz_status pieces_disk_new(const struct pieces_size *size, const struct pieces_disk *disk,
                               struct pieces **out, struct pz_error *error);
/* Returns the bytes of memory that it takes; keeps: it keeps levels. */
uint64_t pieces_disk_bytes(const struct pieces_size *size, unsigned ahead, unsigned behind, bool keeps);

#endif
