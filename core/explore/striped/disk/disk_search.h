/* SPDX-License-Identifier: MIT */
/*
 * A level-synchronous breadth-first search from one root whose levels lie in scratch space: delayed duplicate
 * detection (R. E. Korf, AAAI 2004) by partitions of mixed keys. No table of states is in memory.
 *
 * A level, as disk_search_advance makes it:
 *
 *     disk_drop_levels        files go that neither this level nor a checkpoint needs
 *     disk_prepare            an empty file of successors, and one of the new level
 *     disk_expand             every worker: reads pieces of the frontier, some ahead, expands the states,
 *                             and adds each successor to the buffer of its partition; full buffers go
 *                             to the file of successors
 *     partition_file_order    the index of that file, by partition
 *     disk_merge              every worker: takes partitions; reads the successors of one, sorts them,
 *                             removes duplicates and states of earlier levels, writes the rest in order
 *     disk_make_safe          the new level is on the disk
 *     disk_end_level          it is the frontier
 *
 * Where tokens join (PZ_JOINED_TOKENS) no successor is in an earlier level, and none is read; where moves
 * can be undone the last two levels are read; else all levels. A partition that is too large for a thread's
 * memory is read several times, each time for a part of its keys.
 */
#ifndef STRIPED_DISK_SEARCH_H
#define STRIPED_DISK_SEARCH_H

#include "explore/key/key_list.h"
#include "explore/run/explorer.h"
#include "explore/striped/disk/partition_stream.h"

enum {
    DISK_NARROW_LEVEL = 1 << 14 /* states of a level that stays in memory, if checkpoints must save it */
};

struct disk_search;

struct disk_worker {
    struct disk_search *search;
    struct searcher *searchers; /* work space, examples and counters */
    struct partition_reader reader;
    struct partition_writer writer;
    struct bottom_k deepest; /* examples of a level that disk_search_look reads, or of the last one */
    struct key_list goals;   /* among the states that it expanded */
    /* the part of a partition that is being merged: its entries are in searchers->radix */
    struct partition_parts feed;
    struct partition_want turn; /* file is NULL before the first piece */
    uint64_t count;             /* entries that are there */
    struct entry_cut cut;       /* while a level is subtracted from them */
};

struct disk_search {
    const struct pz_space *space;
    struct searchers *searchers;
    struct monitor *monitor;
    unsigned words;
    uint64_t seed;
    bool joined;      /* no successor is in an earlier level */
    bool keep_all;    /* all levels stay */
    bool syncs;       /* a level is made safe before the next one begins */
    bool goals;       /* they are looked for among the states that are expanded */
    bool saved_files; /* the last checkpoint needs files; saving and loading it write this */
    struct partition_store store;
    struct partition_file **levels; /* by level: its states; NULL where they are gone or were not written */
    uint32_t level_room;
    uint32_t level; /* of the frontier */
    uint64_t frontier_states, states, generated;
    struct disk_worker *workers; /* as many as searchers->threads */
    uint8_t *memory;             /* of their buffers */
    size_t memory_bytes;
    uint64_t sort_words; /* of entries that a worker may sort at a time */

    /* Of the level being made. */
    struct partition_file *successors;
    bool writes; /* the new level, too */
    bool last;   /* its states are offered to the workers' `deepest` while it is merged */
    bool chosen; /* that was done, and the frontier is that level */
    bool probes; /* looks only for one new state */
    struct turns turns;
    uint32_t read_level; /* whose pieces are the turns */
    unsigned working;    /* threads that make it, the owner among them */
    level_tick *tick;
    void *context;
    _Atomic bool beyond;   /* a state of the last level has a successor; set by any worker */
    pthread_mutex_t lock;  /* guards error */
    struct pz_error error; /* of the first worker that failed */
    enum pz_status failed;
};

struct disk_search_options {
    const char *directory;
    uint64_t disk; /* most bytes there; 0 for no limit */
    bool keep_all, syncs;
    bool goals;  /* look for goals */
    bool spread; /* level 0 may have states that lead to one another */
    bool examples;
    uint64_t seed;
};

/* Returns the bytes of memory without which no search begins. */
uint64_t disk_search_least(const struct pz_space *space, unsigned threads);
/* Opens a search without any level. The searchers are its own while it lives. Returns PZ_TOO_LARGE without
 * room in the budget. */
enum pz_status disk_search_new(struct searchers *searchers, struct monitor *monitor,
                               const struct disk_search_options *options, struct disk_search **out,
                               struct pz_error *error);
/* keeps: what is on the disk stays there. NULL is fine. */
void disk_search_free(struct disk_search *search, bool keeps);
/* Makes level 0 of states whose keys come in ascending order, in a directory that is emptied. */
enum pz_status disk_search_begin(struct disk_search *search, const struct key_list *keys,
                                 struct pz_error *error);
/* Makes the next level the frontier. After a failure the frontier is as before. last: no level follows; it is
 * then not kept where nobody needs it. */
enum pz_status disk_search_advance(struct disk_search *search, bool last, level_tick *tick, void *context,
                                   struct pz_error *error);
/* Returns PZ_OK if no state lies beyond the frontier, which was made as the last level; PZ_BUSY if one does.
 */
enum pz_status disk_search_exhausted(struct disk_search *search);
/* Offers the states of a level to the sample: the frontier's, or those of the level before an empty one. All
 * workers look through a part of them. */
enum pz_status disk_search_look(struct disk_search *search, uint32_t level, struct bottom_k *sample,
                                struct pz_error *error);
void disk_search_figures(const struct disk_search *search, struct explorer_figures *out);

/* ---- the work of all workers, by numbers: disk_level.c ---- */

void disk_expand(void *context, unsigned number);
void disk_merge(void *context, unsigned number);
void disk_look(void *context, unsigned number);

/* Ends the work of all workers, with an errno of the disk or with a status. */
void disk_search_disk_failed(struct disk_search *search, int failure, const char *what);
void disk_search_failed(struct disk_search *search, enum pz_status status, const char *why);
/* Returns true if a level is needed to go on from the frontier; the others go when the next one is begun. */
bool disk_search_needs(const struct disk_search *search, uint32_t level);
/* Gives a level its place. Returns false without memory. */
bool disk_search_put_level(struct disk_search *search, struct partition_file *file);

static inline uint64_t partition_top(uint32_t partition)
{
    return (uint64_t)partition << (64 - ENTRY_TOKEN_BITS);
}

/* The first eight bytes of a checkpoint on disk, after those of the run. That of a search in memory has its
 * level there, which is never as high. */
#define DISK_CHECKPOINT_MAGIC UINT64_C(0x6C6576656C6E6962)

#endif
