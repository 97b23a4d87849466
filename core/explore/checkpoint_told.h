/* SPDX-License-Identifier: MIT */
/*
 * What a sink was told: levels and their examples, one after the other, as a checkpoint keeps them. A
 * recorder stands in the sink's place, writes down what passes through, and can tell it all once more. The
 * search's owner.
 */
#ifndef EXPLORE_CHECKPOINT_TOLD_H
#define EXPLORE_CHECKPOINT_TOLD_H

#include "explore/explore.h"

struct told {
    uint8_t *bytes; /* struct told_level (checkpoint_told.c) and states, one after the other; owned */
    size_t length, room;
    size_t last; /* offset of the last level */
    uint32_t levels;
    uint32_t state_bytes;
    uint64_t states; /* in those levels */
    bool lost;       /* there was no memory for some of it */
};

struct recorder {
    const struct explore_sink *sink; /* the caller's */
    struct explore_sink calls;       /* in its place */
    struct told told;
};

/* sink must outlive the recorder, which must not move. */
void recorder_init(struct recorder *recorder, const struct explore_sink *sink, uint32_t state_bytes);
void recorder_clear(struct recorder *recorder);
/* Tells the sink all levels and examples. */
enum pz_status recorder_replay(const struct recorder *recorder, struct pz_error *error);

void told_forget(struct told *told);
/* Whether it is a row of levels from 0 on, whole to its last byte. */
bool told_is_sound(const struct told *told);
/* Makes *copy, a cleared or older copy, the same. false without memory. */
bool told_copy(const struct told *told, struct told *copy);

#endif
