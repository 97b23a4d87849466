/* SPDX-License-Identifier: MIT */
/*
 * Streams of entries from and to files of partitions, for one thread each. A reader reads pieces in the order
 * that a feed gives, some of them ahead. A writer has an open buffer for each partition, and some that are
 * being written; it writes one file at a time.
 */
#ifndef STRIPED_BIN_STREAM_H
#define STRIPED_BIN_STREAM_H

#include "explore/striped/disk/bin_file.h"
#include "explore/striped/search/searchers.h"

/* ---- reading ---- */

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

/*
 * A feed of the pieces of one partition after the other, in parts that fit a worker's memory: of each part
 * the pieces of all files. ages: how many files there are for a partition; file_of returns one, NULL where it
 * is gone.
 */
struct bin_parts {
    const struct bin_file *(*file_of)(const void *context, uint32_t age);
    const void *context;
    uint32_t ages;
    bool open;
    uint32_t bin, part, parts_bits, age;
    uint32_t place, end; /* of the file of that age */
};

/* Begins a partition, which takes so many words of the sort_words that a worker may sort. */
void bin_feed_open(struct bin_parts *feed, uint32_t bin, uint64_t words, uint64_t sort_words);
/* Returns false behind the partition's last piece, and if none is open. */
bool bin_feed_next(struct bin_parts *feed, struct bin_want *want);

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

/* ---- writing ---- */

enum { WRITER_SPARES = 8, WRITER_BUFFERS = BINS + WRITER_SPARES };

struct bin_buffer {
    struct bin_piece *piece;
    struct disk_request request;
};

struct bin_writer {
    struct bin_store *store;
    struct bin_file *file;
    size_t room;                /* words of entries in a buffer */
    struct bucket bucket[BINS]; /* where the next entry goes; next is NULL without a buffer */
    struct bin_buffer *open[BINS];
    struct bin_buffer *idle[WRITER_BUFFERS];
    unsigned idle_count;
    struct bin_buffer *written[WRITER_BUFFERS]; /* a ring of those submitted, the oldest first */
    unsigned oldest, written_count;
    int failure; /* the first errno; 0 for none */
    double waited;
    struct bin_buffer buffer[WRITER_BUFFERS];
};

/* Uses WRITER_BUFFERS × piece_bytes of memory that is aligned and outlives the writer. */
void bin_writer_init(struct bin_writer *writer, struct bin_store *store, uint8_t *memory, size_t piece_bytes);
/* Switches to a file. Entries of the file before must be flushed. */
void bin_writer_turn_to(struct bin_writer *writer, struct bin_file *file);
/* Gives the partition an empty buffer; the entries of its last one are kept or written. Returns false after a
 * failure.
 */
bool bin_writer_open(struct bin_writer *writer, unsigned bin);
/* Keeps or writes the entries of the partition's buffer. Returns false after a failure. */
bool bin_writer_close(struct bin_writer *writer, unsigned bin);
/* Closes all partitions and waits for the disk. Returns the first errno since bin_writer_turn_to. */
int bin_writer_flush(struct bin_writer *writer);

/* Adds an entry. Returns false after a failure. */
__attribute__((always_inline)) static inline bool bin_writer_put(struct bin_writer *writer, unsigned bin,
                                                                 const uint64_t *entry, unsigned words)
{
    struct bucket *bucket = &writer->bucket[bin];
    if (__builtin_expect(bucket->next == bucket->end, 0) && !bin_writer_open(writer, bin))
        return false;
    for (unsigned i = 0; i < words; i++)
        bucket->next[i] = entry[i];
    bucket->next += words;
    return true;
}

#endif
