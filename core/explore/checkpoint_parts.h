/* SPDX-License-Identifier: MIT */
/* A checkpointer from within: what checkpoint.c (its life, reading, when one is due) and checkpoint_save.c
 * (writing) share. */
#ifndef EXPLORE_CHECKPOINT_PARTS_H
#define EXPLORE_CHECKPOINT_PARTS_H

#include "explore/checkpoint.h"
#include "explore/checkpoint_stream.h"

#include <pthread.h>

/* What the stream is used for just now. */
enum use { USE_NONE, USE_READ, USE_PAUSED, USE_BESIDE };

struct checkpointer {
    const struct explore_checkpoint *calls; /* NULL: none */
    const struct control *control;
    struct recorder recorder;
    struct explore_sink no_sink; /* of work without a sink */
    char identity[CHECKPOINT_IDENTITY_MAX];

    bool sinkless;
    uint32_t own_level;    /* of work without a sink … */
    uint32_t moment_level; /* … and at the moment */
    bool kept;             /* there is one, or was when this run began */
    bool off;              /* no room, or no memory, or another's is in the way: none are written any more */
    const char *makes_way; /* for what begins so; NULL for nothing */
    double began;
    double seconds_before;
    double last_moment;    /* that the last one is of, or the beginning */
    double last_end;       /* when it was done, or had failed */
    double last_cost;      /* seconds that it kept from the search */
    double rate;           /* bytes a second, of the last one */
    double expected_bytes; /* of the next one */

    /* Of the one being written or read. While one is written beside: the thread's, but for what is atomic. */
    enum use use; /* the owner's */
    struct checkpoint_stream stream;
    double stop_seen; /* when a stop that is to keep was noticed; 0 for not yet */
    double busy;      /* of the thread beside: seconds of its processor time */
    double save_began;
    double save_bytes; /* at most so many */

    struct told moment; /* what it tells; the owner's until write returns */
    double moment_seconds;
    double moment_at;

    pthread_t thread;
    checkpointer_write *write;
    void *write_context;
    double waited;                /* told by the engine */
    _Atomic bool ended;           /* by the thread, as its last act; the owner then joins it */
    _Atomic(const char *) giving; /* up, and why: by the owner */
};

/* The level that is being expanded. */
uint32_t checkpointer_level_now(const struct checkpointer *checkpointer);
/* Tells the caller. */
void checkpointer_note(const struct checkpointer *checkpointer, enum checkpoint_event event, uint32_t level,
                       uint64_t bytes, double seconds);

#endif
