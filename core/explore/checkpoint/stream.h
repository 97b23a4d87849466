/* SPDX-License-Identifier: MIT */
/*
 * A checkpoint's parts as a stream of bytes with a mark at its end. A failure sticks: bytes that are put
 * after it go nowhere, and no more can be got. Used by the thread that owns the run only.
 */
#ifndef EXPLORE_CHECKPOINT_STREAM_H
#define EXPLORE_CHECKPOINT_STREAM_H

#include "explore/checkpoint/checkpoint.h"

#include <stdbool.h>

struct checkpoint_stream {
    const struct explore_checkpoint *calls;
    /* Called before each part. Returns NULL to go on, or the reason why no more parts may be written or read,
     * a constant. */
    const char *(*objection)(void *context);
    void *context;
    uint8_t *buffer;       /* of the part being written, EXPLORE_PART_MAX bytes; NULL before the first one */
    size_t filled;         /* bytes in the buffer */
    const uint8_t *source; /* of the part being read: the next byte … */
    size_t left;           /* … and how many there are */
    uint64_t parts, next;  /* when reading: number of parts, and of the next one */
    uint64_t bytes;        /* written so far */
    bool failed;
    struct pz_error error; /* with failed: why */
};

/* Frees the buffer. */
void stream_clear(struct checkpoint_stream *stream);
/* Makes the stream fail, if it has not failed yet. Returns false. */
bool stream_fail(struct checkpoint_stream *stream, enum pz_status status, const char *reason);

/* Begins to write at most that many bytes. Returns false if that failed; otherwise stream_end follows. */
bool stream_begin(struct checkpoint_stream *stream, uint64_t bytes);
/* Returns false when the stream has failed. */
bool stream_put(struct checkpoint_stream *stream, const void *bytes, size_t length);
/* Commits what was put, or aborts after a failure. Returns true when it is committed. */
bool stream_end(struct checkpoint_stream *stream);

/* Opens the committed checkpoint. Returns PZ_NO_TABLE when there is none, or why it cannot be read. After
 * PZ_OK stream_close follows. */
enum pz_status stream_open(struct checkpoint_stream *stream);
/* Gets the next bytes. Returns false when the stream has failed. */
bool stream_get(struct checkpoint_stream *stream, void *bytes, size_t length);
/* Returns true when all bytes were read and nothing failed. */
bool stream_close(struct checkpoint_stream *stream);

#endif
