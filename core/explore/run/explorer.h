/* SPDX-License-Identifier: MIT */
/*
 * An engine, as the loop over levels sees it: a search that makes one level after the other, and can then
 * report what it found. All calls come from the thread that owns the run.
 *
 * The loop (exploration.c) is the same for every engine: it hands levels to the caller's sink, reports
 * progress, keeps limits and makes checkpoints. The sink gets a level when the next one is known, or when no
 * state is left for another, because only then is it clear if it is the last. A run that finds its saved data
 * damaged restarts from the root; the sink gets only what it does not have yet. A run whose memory is full
 * restarts in scratch space in the same way: the levels that memory holds take little time compared with
 * those that follow. If a restarted run ends before the last level that the sink has, those levels are its
 * result, without a table. Ranks of a cluster run this with one request, and agree after each step.
 */
#ifndef EXPLORE_RUN_EXPLORER_H
#define EXPLORE_RUN_EXPLORER_H

#include "explore/checkpoint/checkpointer.h"
#include "explore/disk/scratch_store.h"
#include "explore/explore.h"
#include "explore/run/monitor.h"
#include "explore/run/turns.h"

struct explorer_figures {
    uint64_t states;                /* met so far, 0 if only the levels show it */
    uint64_t generated;             /* successors, 0 if they are not made one by one */
    uint64_t dead, parts;           /* as in explore_result */
    uint64_t disk_bytes, disk_peak; /* of scratch space, now and at most */
    uint64_t written, read;         /* bytes, to it and from it */
    double waited;                  /* seconds that the search waited for the disk */
    uint32_t group, groups;         /* the current one, and how many there are; 0 without groups */
    enum explore_planes planes;
};

/* Fills in what a store of scratch files has had. */
static inline void explorer_scratch(const struct scratch_store *store, struct explorer_figures *out)
{
    out->disk_bytes = scratch_live(store);
    out->disk_peak = atomic_load_explicit(&store->peak, memory_order_relaxed);
    out->written = atomic_load_explicit(&store->written, memory_order_relaxed);
    out->read = atomic_load_explicit(&store->read, memory_order_relaxed);
}

/* The head of every engine's search. */
struct explorer {
    const struct explorer_ops *ops;
    uint32_t level; /* the newest of which all is known */
    uint64_t width; /* states in it; 0 beyond the last level */
    /* states in all, or how many numbers they have; 0 if that is not known ahead */
    uint64_t all;
    enum stop_reason limit;   /* which was met, after PZ_LIMIT */
    bool kept_disk;           /* after load: the checkpoint is one of an explorer in scratch space */
    struct explore_plan plan; /* table, table_bytes and chunk_bytes: known after begin or load */
};

struct explorer_ops {
    /*
     * Makes level 0. PZ_LIMIT: a limit was met before it was complete; PZ_STORAGE_FULL is one, too.
     * PZ_STORAGE, here and below: saved data is damaged; the run then restarts with another explorer.
     */
    enum pz_status (*begin)(struct explorer *explorer, struct pz_error *error);
    /*
     * Makes the next level; where moves have costs, the next that has a state. Returns PZ_OK with level and
     * width set, or PZ_BUSY if tick made it pause: the next call goes on. PZ_CANCELLED and PZ_LIMIT come from
     * the control or a limit; PZ_MEMORY and PZ_STORAGE_FULL are limits, too. After any but PZ_OK and PZ_BUSY
     * the newest level can still be read, but no other can be made.
     */
    enum pz_status (*next)(struct explorer *explorer, level_tick *tick, void *context,
                           struct pz_error *error);
    /* Chooses among the states of the newest level or of the one before it: at most `most` of them, which is
     * EXPLORE_EXAMPLES, or EXPLORE_DEEPEST_MAX for the last level that is reported. */
    enum pz_status (*choose)(struct explorer *explorer, uint32_t level, unsigned most, uint8_t *states,
                             unsigned *count, struct pz_error *error);
    /* Returns true if no state lies beyond the newest level. Called once, at the limit of depth or of
     * levels. NULL: true
     * if `all` states were met. */
    bool (*exhausted)(struct explorer *explorer);

    /* Called when memory is full; its levels have so many states. Returns true if an explorer of the same
     * request with PLANES_DISK can begin and get further. NULL: false. */
    bool (*moves)(const struct explorer *explorer, uint64_t states);

    /* ---- after the last level ---- */

    /* Hands the sink the numbers of moves. NULL where they cannot be asked for. */
    enum pz_status (*edges)(struct explorer *explorer, const struct explore_sink *sink,
                            struct pz_error *error);
    /* A table in chunks, of a complete search: writes a chunk of the table. Called for numbers in order, from
     * any number on. */
    enum pz_status (*chunk)(struct explorer *explorer, uint64_t number, uint8_t *chunk, size_t *length,
                            struct pz_error *error);
    /* TABLE_RUNS: makes the next run, which is valid until the next call; count 0 after the last. A
     * restarted search makes the same runs. */
    enum pz_status (*run)(struct explorer *explorer, struct explore_run *run, struct pz_error *error);

    /* ---- checkpoints: made between two levels, and at a pause. NULL where the engine makes none ---- */

    bool every_level; /* a checkpoint is worth nothing once the next level has been made */
    bool in_levels;   /* with every_level: one can be made at a pause, too */
    /* With every_level: returns false where the next level leaves the last checkpoint what it needs, so that
     * one is made only when it is due, or at a stop. NULL: true. */
    bool (*outdates)(const struct explorer *explorer);
    /* Returns how many bytes a checkpoint takes at most, 0 if none can be made now. states: how many the
     * search has met, UINT64_MAX for all there will be. */
    uint64_t (*save_bytes)(const struct explorer *explorer, uint64_t states);
    void (*save)(struct explorer *explorer, struct checkpointer *checkpointer);
    /* Resumes from a checkpoint, in place of begin: level and width are then as they were. Returns false if
     * that is not possible. */
    bool (*load)(struct explorer *explorer, struct checkpointer *checkpointer);

    void (*figures)(const struct explorer *explorer, struct explorer_figures *out);
    void (*free)(struct explorer *explorer);
};

/* Arguments for an engine's search. All of them outlive the search. */
struct explorer_setup {
    const struct explore_request *request;
    struct monitor *monitor;             /* for polls and reports; its control may be NULL */
    const struct explore_result *result; /* what was reported so far */
    bool examples;                       /* choose will be called */
};

/* Makes a search. After a failure there is nothing to free. */
typedef enum pz_status explorer_open(const struct explorer_setup *setup, struct explorer **out,
                                     struct pz_error *error);

static inline void explorer_free(struct explorer *explorer) /* NULL is fine */
{
    if (explorer != NULL)
        explorer->ops->free(explorer);
}

/* explore_run's contract, for the engine that open makes. */
enum pz_status exploration_run(explorer_open *open, const struct explore_request *request,
                               struct control *control, const struct explore_sink *sink,
                               struct explore_result *result, struct pz_error *error);

#endif
