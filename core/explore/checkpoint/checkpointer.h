/* SPDX-License-Identifier: MIT */
/*
 * The engines' side of checkpoints: decides when one is due, writes it and reads it. It keeps what all
 * engines have in common: the identity of the work, and the replay log of what the sink has received.
 *
 * The stream: struct head (checkpointer.c), the identity's text, the replay log, the engine's own bytes, an
 * end mark. Numbers are in the machine's byte order, which the head's mark shows; the store keeps checksums.
 * A change of the layout, here or in an engine, needs another EXPLORE_CHECKPOINT_VERSION: a checkpoint of
 * another version is refused, and the run starts over.
 *
 * The run pauses while a checkpoint is written. Its progress says phase=save meanwhile, and phase=load while
 * one is read. Where there is no place for checkpoints, all functions here do nothing. The buffers (1 MiB and
 * the examples twice) are not taken from the budget. Called by the thread that owns the run only.
 */
#ifndef EXPLORE_CHECKPOINTER_H
#define EXPLORE_CHECKPOINTER_H

#include "explore/checkpoint/checkpoint.h"
#include "explore/explore.h"
#include "explore/run/monitor.h"
#include "space/root_set.h"

enum { CHECKPOINT_IDENTITY_MAX = 2 * PZ_STATE_MAX * ROOTS_MAX + PZ_SIZE_MAX + 256 };

struct checkpointer;

/* All pointers must outlive the checkpointer, but for identity, which is copied. */
struct checkpointer_options {
    const struct explore_checkpoint *calls; /* NULL: no checkpoints */
    const char *identity;                   /* of the work, below CHECKPOINT_IDENTITY_MAX bytes */
    struct monitor *monitor;                /* its control may be NULL */
    const struct explore_sink *sink; /* NULL for work that hands over no levels, and reports by itself */
    uint32_t state_bytes;            /* of the sink's examples */
};

/* Returns PZ_MEMORY without memory. */
enum pz_status checkpointer_new(const struct checkpointer_options *options, struct checkpointer **out,
                                struct pz_error *error);
/* Makes the checkpointer of an exploration by that engine; its identity holds all that the numbers depend on.
 * Returns PZ_MEMORY without memory. */
enum pz_status checkpointer_of_run(const struct explore_request *request, const char *engine,
                                   struct monitor *monitor, const struct explore_sink *sink,
                                   struct checkpointer **out, struct pz_error *error);
void checkpointer_free(struct checkpointer *checkpointer); /* NULL is fine */
/* Record what the sink is handed: a level, and examples of the last one. */
void checkpointer_note_level(struct checkpointer *checkpointer, uint32_t level, uint64_t states);
void checkpointer_note_examples(struct checkpointer *checkpointer, const void *states, unsigned count);

/* ---- going on ---- */

/* Returns true if there is a checkpoint of this work. Then checkpointer_get and checkpointer_close follow. */
bool checkpointer_open(struct checkpointer *checkpointer);
/* Begins once more with the checkpoint that is open. Returns false as checkpointer_open does. */
bool checkpointer_open_again(struct checkpointer *checkpointer);
/* Gets the engine's next bytes. Returns false if they cannot be read; so does every later call. */
bool checkpointer_get(struct checkpointer *checkpointer, void *bytes, size_t length);
/* sound: the engine can resume from what it got. Returns true if it shall, and then the monitor counts the
 * seconds before, too; otherwise it starts over. */
bool checkpointer_close(struct checkpointer *checkpointer, bool sound);
/* Returns true if the checkpoint was refused, and the run must not start over. */
bool checkpointer_ends_run(const struct checkpointer *checkpointer);
/* Refuses the checkpoint for the first reason that was noticed, or since the engine cannot resume from it.
 * Returns PZ_STORAGE with that reason and the caller's advice. */
enum pz_status checkpointer_refuse(struct checkpointer *checkpointer, struct pz_error *error);
/* Reports to the caller that data which the run had saved is damaged, as *error says, and that the run starts
 * over. The replay log keeps what the sink has received. Returns PZ_STORAGE, with the caller's advice in
 * *error, if the run must not start over; resumed: it has gone on from a checkpoint. */
enum pz_status checkpointer_note_damage(struct checkpointer *checkpointer, bool resumed,
                                        struct pz_error *error);
/* Hands all levels to the sink once more, after the sink's begin. Returns what the sink returned. */
enum pz_status checkpointer_replay(struct checkpointer *checkpointer, struct pz_error *error);
/* Return how many levels the sink was handed, replayed ones included, and how many states are in them. */
uint32_t checkpointer_levels(const struct checkpointer *checkpointer);
uint64_t checkpointer_states(const struct checkpointer *checkpointer);
/* Returns how many seconds the run had taken when the checkpoint was written. */
double checkpointer_seconds(const struct checkpointer *checkpointer);

/* ---- leaving one ---- */

/* Reports to the caller if there may be no room for checkpoints of that many bytes; 0: their size is not
 * known. Called once, before the first level. */
void checkpointer_expect(struct checkpointer *checkpointer, uint64_t bytes);
/* Returns true if a checkpoint of that many bytes is due: the interval has passed since the last one, and
 * writing will take no more than its share of that time. Cheap. */
bool checkpointer_due(const struct checkpointer *checkpointer, uint64_t bytes);
/* Returns true if the run was told to stop and to leave a checkpoint. */
bool checkpointer_wanted(const struct checkpointer *checkpointer);
/* Begins a checkpoint of the level being expanded; the engine puts at most that many bytes. Returns false if
 * none can be written now; otherwise puts and checkpointer_end follow. */
bool checkpointer_begin(struct checkpointer *checkpointer, uint32_t level, uint64_t bytes);
/* Returns false when writing has failed, and the engine need put no more. */
bool checkpointer_put(struct checkpointer *checkpointer, const void *bytes, size_t length);
/* Makes writing or reading fail. The reason is a constant. */
void checkpointer_fail(struct checkpointer *checkpointer, const char *reason);
/* Commits the checkpoint, or gives it up after a failure. */
void checkpointer_end(struct checkpointer *checkpointer);

#endif
