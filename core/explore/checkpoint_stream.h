/* SPDX-License-Identifier: MIT */
/*
 * A checkpoint's parts as a stream of bytes, to write or to read. Laid out as
 *
 *   the engine's bytes and the mark    parts 0 … told_part − 1
 *   what the sink was told             parts told_part … last − 1
 *   struct checkpoint_head, identity   the last part
 *
 * One thread at a time. A failure sticks: what is put after it goes nowhere, and nothing more can be got.
 */
#ifndef EXPLORE_CHECKPOINT_STREAM_H
#define EXPLORE_CHECKPOINT_STREAM_H

#include "explore/checkpoint_told.h"

enum { CHECKPOINT_IDENTITY_MAX = 2 * PZ_STATE_MAX + PZ_SIZE_MAX + 256 };

struct checkpoint_head {
    uint64_t mark;
    uint32_t version, identity_length;
    uint32_t levels, unused;
    uint64_t told_part, told_length;
    uint64_t states; /* in those levels */
    double seconds;  /* since the run began, over all its parts */
};

struct checkpoint_stream {
    const struct explore_checkpoint *calls;
    /* Asked before each part: false and the reason, a constant, where no more of them are to be written or
     * read. */
    const char *(*objection)(void *context);
    void *context;
    uint8_t *part;          /* EXPLORE_PART_MAX of room, owned; NULL until something is written */
    size_t filled;          /* bytes in it */
    uint64_t written;       /* parts */
    _Atomic uint64_t bytes; /* in them: any thread may look */
    double seconds;         /* that the caller's part and commit took */
    const uint8_t *source;  /* what is read next … */
    size_t left;            /* … and how much of it */
    uint64_t next, end;     /* part to be read next; the first that is not the engine's */
    char found[CHECKPOINT_IDENTITY_MAX]; /* whose the one is that was opened */
    bool failed;
    struct pz_error error; /* why */
};

void stream_clear(struct checkpoint_stream *stream);
/* Says why the checkpoint is none, unless that was said before. */
void stream_spoil(struct checkpoint_stream *stream, enum pz_status status, const char *reason);

/* ---- writing: begin, puts, end ---- */

/* Calls the caller's begin. */
bool stream_begin(struct checkpoint_stream *stream, uint64_t bytes);
void stream_put(struct checkpoint_stream *stream, const void *bytes, size_t length);
/* Puts the rest and commits, or gives all of it up. Returns whether it is committed. */
bool stream_end(struct checkpoint_stream *stream, const struct told *told, double seconds,
                const char *identity);

/* ---- reading: open, gets, close ---- */

/* PZ_OK: fills *told and *seconds, and close follows. PZ_NO_TABLE: there is none. Otherwise why it is
 * refused. */
enum pz_status stream_open(struct checkpoint_stream *stream, const char *identity, struct told *told,
                           double *seconds);
bool stream_get(struct checkpoint_stream *stream, void *bytes, size_t length);
/* Whether all of the engine's bytes were read and nothing was wrong with them. */
bool stream_close(struct checkpoint_stream *stream);

#endif
