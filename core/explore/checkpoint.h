/* SPDX-License-Identifier: MIT */
/*
 * An engine's side of struct explore_checkpoint: when one is due, a stream over its parts, and what all
 * engines have in common in it: whose it is, and what the sink was told so far, which a run that goes on
 * tells it again.
 *
 * The stream (checkpoint_stream.h): the engine's own bytes, the levels and examples (checkpoint_told.h), and
 * at the end the head, which is what a reader reads first. So an engine can begin to write before it knows at
 * which level its checkpoint will be. Numbers are of the machine's byte order, which the mark shows; the
 * store sees to the checksums. A change of the layout, here or in an engine, needs another
 * EXPLORE_CHECKPOINT_VERSION: a checkpoint of another version is refused, and the run begins anew.
 *
 * An engine leaves one either itself, while its search pauses (begin, puts, end), or on a thread beside its
 * search (beside), if it can hand out bytes that the search leaves alone meanwhile: explore/snapshot.h does
 * that for searches over two planes.
 *
 * Where the request has no checkpoint, all this does nothing. Its buffers (1 MiB and the examples twice) are
 * not taken from the budget. Everything by the search's owner, but for what is said of the thread beside.
 */
#ifndef EXPLORE_CHECKPOINT_H
#define EXPLORE_CHECKPOINT_H

#include "explore/explore.h"

struct checkpointer;

/* engine is a constant; the others must outlive it, control may be NULL. PZ_MEMORY. */
enum pz_status checkpointer_new(const struct explore_request *request, const char *engine,
                                const struct control *control, const struct explore_sink *sink,
                                struct checkpointer **out, struct pz_error *error);
/* The same for work that has no sink; identity (copied) says what it is, in less than 256 bytes. */
enum pz_status checkpointer_new_for(const struct explore_checkpoint *calls, const char *identity,
                                    const struct control *control, struct checkpointer **out,
                                    struct pz_error *error);
/* Of work without a sink: the level that the news tell. */
void checkpointer_at(struct checkpointer *checkpointer, uint32_t level);
/* Of work that other work waits for, which may have left one: what is found whose identity begins so (a
 * constant) is left as it is, and none are written. Before checkpointer_open. */
void checkpointer_make_way(struct checkpointer *checkpointer, const char *identity);
/* What was left or found is of no use any more, and is removed. NULL is fine. */
void checkpointer_discard(struct checkpointer *checkpointer);
/* Gives up what is being written beside. NULL is fine. */
void checkpointer_free(struct checkpointer *checkpointer);
/* The sink to tell everything to. */
const struct explore_sink *checkpointer_sink(const struct checkpointer *checkpointer);

/* ---- going on ---- */

/* Whether there is one of this exploration. Then follow checkpointer_get and, always, checkpointer_close. */
bool checkpointer_open(struct checkpointer *checkpointer);
/* The next bytes; false when they cannot be had, also after that. */
bool checkpointer_get(struct checkpointer *checkpointer, void *bytes, size_t length);
/* sound: what was read makes sense to the engine. Returns whether it can go on; if not, it begins anew. */
bool checkpointer_close(struct checkpointer *checkpointer, bool sound);
/* Tells the sink all levels once more. After the sink's begin. */
enum pz_status checkpointer_replay(struct checkpointer *checkpointer, struct pz_error *error);
/* What the sink was told, or will be by checkpointer_replay: levels, states in them. */
uint32_t checkpointer_levels(const struct checkpointer *checkpointer);
uint64_t checkpointer_states(const struct checkpointer *checkpointer);
/* That the run took before it was cut off. */
double checkpointer_seconds(const struct checkpointer *checkpointer);

/* ---- leaving one ---- */

/* Told once before the first level, when the size is known ahead. */
void checkpointer_expect(struct checkpointer *checkpointer, uint64_t bytes);
/* Whether it is time for one: none is being written, the interval has passed (less what writing it may take,
 * up to a half), and as much time as the share asks for. Cheap. */
bool checkpointer_due(struct checkpointer *checkpointer);
/* Whether the run was told to stop and to leave one. */
bool checkpointer_wanted(const struct checkpointer *checkpointer);
/* bytes: at most so many by the engine. false: not now. Otherwise puts and an end follow, in which failures
 * are seen to. */
bool checkpointer_begin(struct checkpointer *checkpointer, uint64_t bytes);
/* Also on the thread beside. */
void checkpointer_put(struct checkpointer *checkpointer, const void *bytes, size_t length);
/* The engine cannot go on writing; the reason is a constant. Also on the thread beside. */
void checkpointer_fail(struct checkpointer *checkpointer, const char *reason);
/* Whether what is put still goes anywhere. Also on the thread beside. */
bool checkpointer_sound(const struct checkpointer *checkpointer);
void checkpointer_end(struct checkpointer *checkpointer);

/* ---- leaving one beside the search ---- */

/*
 * Instead of begin, puts and end: write(context) runs on a thread of its own and puts everything, while the
 * search goes on; what it reads meanwhile must not be written by the search without a lock that both take.
 * The commit follows on that thread. Returns at once; false: not now, write is not called. One at a time:
 * while one is written, checkpointer_due is false.
 */
typedef void checkpointer_write(void *context, struct checkpointer *checkpointer);
bool checkpointer_beside(struct checkpointer *checkpointer, uint64_t bytes, checkpointer_write *write,
                         void *context);
/* The checkpoint is of this moment: it tells what the sink was told until now. Without this call it is of
 * the moment of checkpointer_beside. Before write returns, which is for the engine to see to. */
void checkpointer_moment(struct checkpointer *checkpointer);
/* Whether one is being written. Cheap; looks after one that has come to its end. */
bool checkpointer_writes(struct checkpointer *checkpointer);
/* Told by the engine before the end: how long the search has waited for what is being written. Waiting in
 * checkpointer_await is counted by itself. */
void checkpointer_waited(struct checkpointer *checkpointer, double seconds);
/* Waits until what is being written is committed or has failed; a stop that is to keep ends that in good
 * time. */
void checkpointer_await(struct checkpointer *checkpointer);
/* Whether, the run being told to stop and to keep, there is time enough to await what is being written. */
bool checkpointer_can_await(const struct checkpointer *checkpointer);
/* Gives up what is being written, and returns when write has; where it waits for the engine, the engine ends
 * that first. The reason is a constant; NULL when the run has ended and none is needed. */
void checkpointer_give_up(struct checkpointer *checkpointer, const char *reason);

#endif
