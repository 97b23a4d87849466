/* SPDX-License-Identifier: MIT */
/*
 * An engine's side of struct explore_checkpoint: when one is due, a stream over its parts, and what all engines have in
 * common in it: whose it is, and what the sink was told so far, which a run that goes on tells it again.
 *
 * The stream: struct head (checkpoint.c), the identity text, the levels and examples, the engine's own bytes, the mark
 * again as its end. Numbers are of the machine's byte order, which the mark shows; the store sees to the
 * checksums. A change of the layout, here or in an engine, needs another EXPLORE_CHECKPOINT_VERSION: a
 * checkpoint of another version is refused, and the run begins anew.
 *
 * Where the request has no checkpoint, all this does nothing. Its buffers (1 MiB and the examples) are not taken
 * from the budget. Everything by the search's owner.
 */
#ifndef EXPLORE_CHECKPOINT_H
#define EXPLORE_CHECKPOINT_H

#include "explore/explore.h"

struct checkpointer;

/* engine is a constant; the others must outlive it, control may be NULL. PZ_MEMORY. */
enum pz_status checkpointer_new(const struct explore_request *request, const char *engine,
                                const struct control *control, const struct explore_sink *sink,
                                struct checkpointer **out, struct pz_error *error);
void checkpointer_free(struct checkpointer *checkpointer); /* NULL is fine */
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
/* Whether it is time for one: the interval has passed, and as much time as the share asks for. Cheap. */
bool checkpointer_due(const struct checkpointer *checkpointer);
/* Whether the run was told to stop and to leave one. */
bool checkpointer_wanted(const struct checkpointer *checkpointer);
/* bytes: at most so many by the engine. false: not now. Otherwise puts and an end follow, in which failures are
 * seen to. */
bool checkpointer_begin(struct checkpointer *checkpointer, uint64_t bytes);
void checkpointer_put(struct checkpointer *checkpointer, const void *bytes, size_t length);
/* The engine cannot go on writing; the reason is a constant. */
void checkpointer_fail(struct checkpointer *checkpointer, const char *reason);
void checkpointer_end(struct checkpointer *checkpointer);

#endif
