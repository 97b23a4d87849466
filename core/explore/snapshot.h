/* SPDX-License-Identifier: MIT */
/*
 * A checkpoint of a search over two planes, written beside it. Such a search reads one plane, which holds the
 * newest level, and makes the next level in the other, piece by piece, over the level before; then the planes
 * change roles. So
 *
 *   the plane that is read is streamed out first: nobody writes it while the level lasts;
 *   then comes the moment, at a pause within the level or at its end, and the checkpoint is of that moment;
 *   then the other plane is streamed out, first the pieces that this level is still to overwrite.
 *
 * Where the search is faster than the disk it meets a piece that is still wanted (snapshot_guard). It copies
 * that while the budget has room, and else waits for it: at most as long as the disk takes for the planes.
 * Either is accounted as the checkpoint's cost.
 *
 * A piece is all that the search keeps for one part of one plane; whoever streams or copies it has it alone.
 */
#ifndef EXPLORE_SNAPSHOT_H
#define EXPLORE_SNAPSHOT_H

#include "explore/checkpoint.h"

enum { SNAPSHOT_PLACE_MAX = 64 /* bytes */ };

/* Takes the bytes of a piece, wherever they go. */
struct snapshot_sink;
void snapshot_put(struct snapshot_sink *sink, const void *bytes, size_t length);

/* What the engine keeps. */
struct snapshot_planes {
    void *context;
    uint32_t pieces;       /* of each plane */
    size_t piece_bytes;    /* that put puts at most */
    struct budget *budget; /* that copies are taken from; NULL: none are made */
    /* Puts one piece, the same bytes each time: by the thread beside, by a member that is about to overwrite
     * it, or by the owner in snapshot_save. */
    void (*put)(void *context, unsigned plane, uint32_t piece, struct snapshot_sink *sink);
    /* Gets what put has put; false when it cannot. By the owner in snapshot_load. */
    bool (*get)(void *context, unsigned plane, uint32_t piece, struct checkpointer *checkpointer);
    /* By the owner, every so often while it waits in snapshot_guard: to report. NULL is fine. */
    void (*waiting)(void *context);
    void *waiting_context;
};

struct snapshot;

/* Owner, as all that does not say otherwise. The checkpointer outlives it. PZ_MEMORY. */
enum pz_status snapshot_new(const struct snapshot_planes *planes, struct checkpointer *checkpointer,
                            unsigned threads, struct snapshot **out, struct pz_error *error);
/* Ends what is being written. NULL is fine. */
void snapshot_free(struct snapshot *snapshot);

/* Begins one beside the search, which reads the plane until its moment. bytes: at most so many. */
void snapshot_begin(struct snapshot *snapshot, uint64_t bytes, unsigned plane);
/* Whether one is being written. */
bool snapshot_writes(struct snapshot *snapshot);
/* Whether one is being written whose moment is to come: at the latest at the level's end. */
bool snapshot_is_open(const struct snapshot *snapshot);
/* Whether all that could be streamed out before its moment is: a good time to pause for it. Cheap. */
bool snapshot_wants_moment(const struct snapshot *snapshot);
/* Now, while nobody works: place (copied) is where the search is, and the level in hand goes on from piece
 * first. */
void snapshot_moment(struct snapshot *snapshot, const void *place, size_t length, uint32_t first);
/* The run is to stop and to keep: awaits what is being written where there is time for that, and else writes
 * one while nobody works, as snapshot_save does; bytes: at most so many. The others as for snapshot_moment.
 */
void snapshot_save_at_stop(struct snapshot *snapshot, uint64_t bytes, unsigned plane, const void *place,
                           size_t length, uint32_t first);
/* Gives up what is being written; the reason as for checkpointer_give_up. */
void snapshot_end(struct snapshot *snapshot, const char *reason);

/* Any member of the team, before it overwrites a piece: returns when it may. owner: it is the owner. */
void snapshot_guard(struct snapshot *snapshot, unsigned plane, uint32_t piece, bool owner);

/* The same bytes, by the owner while nobody works; plane is the one that is read. Between checkpointer_begin
 * and checkpointer_end. */
void snapshot_save(const struct snapshot_planes *planes, struct checkpointer *checkpointer, unsigned plane,
                   const void *place, size_t length, uint32_t first);
/* Gets all pieces and the place. false when it cannot, or when what is there contradicts itself. */
bool snapshot_load(const struct snapshot_planes *planes, struct checkpointer *checkpointer, void *place,
                   size_t length);

#endif
