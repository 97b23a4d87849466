/* SPDX-License-Identifier: MIT */
/*
 * Reads pieces of files for one thread, in the order that a feed gives, and reads some of them ahead.
 */
#ifndef STRIPED_BIN_READER_H
#define STRIPED_BIN_READER_H

#include "explore/striped/disk/bin_file.h"

enum { READER_BUFFERS = 8 };

/* A piece to be read, with what its user needs to know of it. */
struct bin_want {
    const struct bin_file *file;
    uint32_t place;
    uint32_t part; /* of the partition's part of the keys */
    uint32_t age;  /* 0: successors; else which of the levels that are subtracted from them */
    uint32_t parts_bits;
};

/* Fills in the next piece that is wanted. Returns false if there is none. Called ahead of time. */
typedef bool bin_feed(void *context, struct bin_want *want);

struct bin_read {
    struct bin_want want;
    struct bin_piece *piece; /* room for one */
    struct disk_request request;
};

struct bin_reader {
    struct bin_store *store;
    bin_feed *feed;
    void *context;
    bool ended; /* the feed has no more */
    unsigned oldest, count;
    double waited;
    struct bin_read read[READER_BUFFERS]; /* a ring, the oldest first */
};

/* Uses READER_BUFFERS × piece_bytes of memory that is aligned and outlives the reader. */
void bin_reader_init(struct bin_reader *reader, struct bin_store *store, uint8_t *memory, size_t piece_bytes);
void bin_reader_begin(struct bin_reader *reader, bin_feed *feed, void *context);
/* Gets the next piece's entries, valid until the next call; *want is NULL after the last one. Returns an
 * errno, EBADMSG for a damaged piece. */
int bin_reader_next(struct bin_reader *reader, const struct bin_want **want, const uint64_t **entries);
/* Waits for the reads under way, and skips the rest. */
void bin_reader_end(struct bin_reader *reader);

static inline const struct bin_place *bin_want_place(const struct bin_want *want)
{
    return &want->file->places[want->place];
}

#endif
