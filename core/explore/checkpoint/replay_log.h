/* SPDX-License-Identifier: MIT */
/*
 * A record of the levels and examples that a run has handed to its sink. A checkpoint contains it, so that a
 * resumed run can hand everything over again. Used by the thread that owns the run only.
 */
#ifndef EXPLORE_CHECKPOINT_REPLAY_LOG_H
#define EXPLORE_CHECKPOINT_REPLAY_LOG_H

#include "explore/explore.h"

struct replay_log {
    const struct explore_sink *sink; /* the caller's; NULL: nothing is handed over */
    uint32_t state_bytes;
    uint8_t *bytes; /* for each level a struct logged_level (replay_log.c) and its examples; owned */
    size_t length, room;
    size_t last; /* offset of the last level */
    uint32_t levels;
    uint64_t states; /* in those levels */
    bool incomplete; /* there was no memory for some of it */
};

/* Record a level, and examples of the last one. */
void replay_log_level(struct replay_log *log, uint32_t level, uint64_t states);
void replay_log_examples(struct replay_log *log, const void *states, unsigned count);
/* Frees the bytes. */
void replay_log_clear(struct replay_log *log);
/* Empties the log. */
void replay_log_forget(struct replay_log *log);
/* Makes room for that many bytes. The caller fills them in, and sets levels and states. Returns false without
 * memory. */
bool replay_log_take(struct replay_log *log, size_t length);
/* Returns true if the bytes are levels from 0 on, whole to the last byte. */
bool replay_log_is_sound(const struct replay_log *log);
/* Hands all levels and examples to the caller's sink. Returns what the sink returned. */
enum pz_status replay_log_play(const struct replay_log *log, struct pz_error *error);

#endif
