/* SPDX-License-Identifier: MIT */
/*
 * The caller's side of checkpoints: the place where a run saves what it needs to go on after a kill or a
 * restart. The engines' side is checkpointer.h.
 *
 * The run pauses for a checkpoint. All calls come from the thread that owns the run, and nothing is locked
 * during a call. A run begins with open and read. It resumes from a checkpoint that is whole and of the same
 * work; it refuses any other checkpoint, and starts over where it may. A resumed run hands all levels and
 * examples to its sink once more. It ends with the numbers of an undisturbed run; only the count of generated
 * successors may differ, where a checkpoint does not hold the tokens that tell which moves to leave out. A
 * checkpoint that cannot be written does not end the run.
 */
#ifndef EXPLORE_CHECKPOINT_H
#define EXPLORE_CHECKPOINT_H

#include "puzzled/space.h"

enum checkpoint_event {
    CHECKPOINT_SAVED,
    CHECKPOINT_RESUMED, /* the run goes on from the one that was found */
    CHECKPOINT_REFUSED, /* the one that was found is damaged or of other work */
    CHECKPOINT_FAILED,  /* it could not be written */
    CHECKPOINT_SHORT    /* there may be no room for checkpoints; sent once, before the first level */
};

struct explore_checkpoint_news {
    enum checkpoint_event event;
    uint32_t level;     /* being expanded, or the bound of an iterative deepening; 0 with refused and short */
    uint64_t bytes;     /* saved: written; failed and short: wanted */
    double seconds;     /* saved and failed: how long the run paused */
    const char *reason; /* refused, failed and short; else NULL */
};

enum {
    EXPLORE_CHECKPOINT_VERSION = 10,  /* of the layout of the parts */
    EXPLORE_PART_MAX = (1 << 20) - 32 /* bytes */
};

struct explore_checkpoint {
    void *context;
    double interval; /* least number of seconds from the end of one to the beginning of the next */
    double share;    /* writing may take this share of the time since the last one, 0 … 1; 0: any time */
    double grace;    /* seconds that a stop with control.keep set may spend on a last one */
    /* A run that refuses the checkpoint ends with the reason and this advice: what is there stays. NULL: it
     * starts over. */
    const char *advice;
    /* Returns PZ_OK if there is room for two checkpoints of that many bytes. Called once, before the first
     * level. May be NULL. */
    enum pz_status (*expect)(void *context, uint64_t bytes, struct pz_error *error);
    /* Begins a checkpoint of at most that many bytes. The committed one stays until the next commit. Parts
     * are numbered from 0 as they come. abort follows a failed part or commit, or is called instead of
     * commit. */
    enum pz_status (*begin)(void *context, uint64_t bytes, struct pz_error *error);
    enum pz_status (*part)(void *context, const void *bytes, size_t length, struct pz_error *error);
    enum pz_status (*commit)(void *context, struct pz_error *error);
    void (*abort)(void *context);
    /* Returns PZ_NO_TABLE when there is none. Parts stay readable until close, which follows an open that
     * returned PZ_OK. */
    enum pz_status (*open)(void *context, uint64_t *parts, struct pz_error *error);
    enum pz_status (*read)(void *context, uint64_t number, const void **bytes, size_t *length,
                           struct pz_error *error);
    void (*close)(void *context);
    void (*note)(void *context, const struct explore_checkpoint_news *news); /* may be NULL */
};

#endif
