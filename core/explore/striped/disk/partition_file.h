/* SPDX-License-Identifier: MIT */
/*
 * Entries (explore/key/entry.h) in scratch space. The top byte of a key is its partition. A file holds
 * entries of one level in sealed pieces, each of one partition, in the order in which they came; the index of
 * the pieces is in memory. Pieces of a narrow level stay in memory, too, and make no file.
 *
 * A piece: a header, then its entries. Numbers are in the machine's byte order, as scratch files are read
 * where they were written. To change the format, raise PIECE_VERSION: a search that finds pieces of
 * another version begins from its root.
 */
#ifndef STRIPED_PARTITION_FILE_H
#define STRIPED_PARTITION_FILE_H

#include "base/budget.h"
#include "explore/disk/scratch_store.h"

#include <pthread.h>
#include <stdatomic.h>

enum { DISK_PARTITIONS = 256, PIECE_VERSION = 1, PIECE_LEAST = DISK_ALIGN, PIECE_MOST = 256 << 10 };

struct partition_piece {
    uint64_t hash;   /* XXH3-64 of the rest of the header and of the entries */
    uint64_t mark;   /* of the search */
    uint64_t offset; /* in the file */
    uint32_t version, level;
    uint32_t partition, count;
    uint64_t entries[]; /* count × words */
};

/* Shared by all files of a search. */
struct partition_store {
    struct scratch_store disk;
    struct budget *budget;
    unsigned words;        /* of an entry */
    size_t piece_bytes;    /* of a piece at most */
    uint64_t mark;         /* distinguishes its pieces from those of other searches */
    uint64_t kept_most;    /* bytes of pieces in memory */
    _Atomic uint64_t kept; /* bytes now; all threads add and subtract */
};

struct partition_place {
    uint64_t *kept;  /* a copy in memory, and nothing on the disk; NULL: in the file */
    uint64_t offset; /* in the file */
    uint32_t count;  /* entries */
    uint32_t partition;
};

struct partition_file {
    struct partition_store *store;
    uint32_t level;
    bool sorted;          /* its entries are in order and differ: a level, not successors */
    bool narrow;          /* its pieces are to stay in memory */
    pthread_mutex_t lock; /* guards what follows while pieces are added */
    int descriptor;       /* -1 before the first piece is written */
    struct partition_place *places;
    uint32_t count, room; /* of places */
    uint64_t bytes;       /* of the file */
    uint64_t entries;     /* in all pieces */
    uint32_t
        first[DISK_PARTITIONS + 1]; /* after partition_file_order: the place where each partition begins */
    uint64_t of_partition[DISK_PARTITIONS]; /* entries */
};

/* Removes all files of earlier searches from the directory. */
enum pz_status partition_store_clear(struct partition_store *store, struct pz_error *error);

/* Makes a file without pieces. Returns NULL without memory. */
struct partition_file *partition_file_new(struct partition_store *store, uint32_t level, bool sorted);
/* Closes the file and gives its memory back; `removes` also takes it off the disk. NULL is fine. */
void partition_file_free(struct partition_file *file, bool removes);
/* Opens the file, if `bytes` says that it has some, before its places are restored. Returns an errno: ENODATA
 * where it is too short. */
int partition_file_reopen(struct partition_file *file);

/* ---- any thread ---- */

/* Keeps a copy of a piece's entries in memory if there is room, and the file is narrow or these are the last
 * successors of a thread: its last buffers are only partly full, and the disk would write whole pages.
 * Returns true if it keeps them. */
bool partition_file_keep(struct partition_file *file, const struct partition_place *place,
                         const uint64_t *entries, bool tail);
/* Gives a piece its place in the file and seals it. Returns an errno, EDQUOT where the limit is met. */
int partition_file_place(struct partition_file *file, struct partition_piece *piece, size_t *length);
/* Returns true if what was read is the piece of that place. */
bool partition_piece_is_sound(const struct partition_file *file, const struct partition_place *place,
                              const struct partition_piece *piece);

/* ---- by the owner, between two phases of a level ---- */

/* Adds a place. Returns false without memory. The lock is held where other threads may add. */
bool partition_file_add(struct partition_file *file, const struct partition_place *place);
/* Brings the places into the order of the partitions. Returns false without memory. */
bool partition_file_order(struct partition_file *file);
/* Makes the file safe on the disk. Returns an errno. */
int partition_file_sync(const struct partition_file *file);

/* Returns the bytes of a piece on the disk. */
static inline size_t partition_piece_bytes(const struct partition_store *store, uint32_t count)
{
    return disk_aligned(sizeof(struct partition_piece) + (size_t)count * store->words * sizeof(uint64_t));
}

#endif
