/* SPDX-License-Identifier: MIT */
/*
 * Streams of entries from and to files of partitions, for one thread each. A reader reads pieces in the order
 * that a feed gives, some of them ahead. A writer has an open buffer for each partition, and some that are
 * being written; it writes one file at a time.
 */
#ifndef STRIPED_PARTITION_STREAM_H
#define STRIPED_PARTITION_STREAM_H

#include "explore/striped/disk/partition_file.h"
#include "explore/striped/search/searchers.h"

/* ---- reading ---- */

enum { READER_BUFFERS = 8 };

/* A piece to be read, with what its user needs to know of it. */
struct partition_want {
    const struct partition_file *file;
    uint32_t place;
    uint32_t part; /* of the partition's part of the keys */
    uint32_t age;  /* 0: successors; else which of the levels that are subtracted from them */
    uint32_t parts_bits;
};

/* Fills in the next piece that is wanted. Returns false if there is none. Called ahead of time. */
typedef bool partition_feed(void *context, struct partition_want *want);

/*
 * A feed of the pieces of one partition after the other, in parts that fit a worker's memory: of each part
 * the pieces of all files. ages: how many files there are for a partition; file_of returns one, NULL where it
 * is gone.
 */
struct partition_parts {
    const struct partition_file *(*file_of)(const void *context, uint32_t age);
    const void *context;
    uint32_t ages;
    bool open;
    uint32_t partition, part, parts_bits, age;
    uint32_t place, end; /* of the file of that age */
};

/* Begins a partition, which takes so many words of the sort_words that a worker may sort. */
void partition_parts_open(struct partition_parts *feed, uint32_t partition, uint64_t words,
                          uint64_t sort_words);
/* Returns false behind the partition's last piece, and if none is open. */
bool partition_parts_next(struct partition_parts *feed, struct partition_want *want);

struct partition_read {
    struct partition_want want;
    struct partition_piece *piece; /* room for one */
    struct disk_request request;
};

struct partition_reader {
    struct partition_store *store;
    partition_feed *feed;
    void *context;
    bool ended; /* the feed has no more */
    unsigned oldest, count;
    struct partition_read read[READER_BUFFERS]; /* a ring, the oldest first */
};

/* Uses READER_BUFFERS × store->piece_bytes of memory that is aligned and outlives the reader. */
void partition_reader_init(struct partition_reader *reader, struct partition_store *store, uint8_t *memory);
void partition_reader_begin(struct partition_reader *reader, partition_feed *feed, void *context);
/* Gets the next piece's entries, valid until the next call; *want is NULL after the last one. Returns an
 * errno, EBADMSG for a damaged piece. */
int partition_reader_next(struct partition_reader *reader, const struct partition_want **want,
                          const uint64_t **entries);
/* Waits for the reads under way, and skips the rest. */
void partition_reader_end(struct partition_reader *reader);

static inline const struct partition_place *partition_want_place(const struct partition_want *want)
{
    return &want->file->places[want->place];
}

/* ---- writing ---- */

enum { WRITER_SPARES = 8, WRITER_BUFFERS = DISK_PARTITIONS + WRITER_SPARES };

struct partition_buffer {
    struct partition_piece *piece;
    struct disk_request request;
};

struct partition_writer {
    struct partition_store *store;
    struct partition_file *file;
    size_t room;                           /* words of entries in a buffer */
    struct bucket bucket[DISK_PARTITIONS]; /* where the next entry goes; next is NULL without a buffer */
    struct partition_buffer *open[DISK_PARTITIONS];
    struct partition_buffer *idle[WRITER_BUFFERS];
    unsigned idle_count;
    struct partition_buffer *written[WRITER_BUFFERS]; /* a ring of those submitted, the oldest first */
    unsigned oldest, written_count;
    int failure; /* the first errno; 0 for none */
    struct partition_buffer buffer[WRITER_BUFFERS];
};

/* Uses WRITER_BUFFERS × store->piece_bytes of memory that is aligned and outlives the writer. */
void partition_writer_init(struct partition_writer *writer, struct partition_store *store, uint8_t *memory);
/* Switches to a file. Entries of the file before must be flushed. */
void partition_writer_turn_to(struct partition_writer *writer, struct partition_file *file);
/* Gives the partition an empty buffer; the entries of its last one are kept or written. Returns false after a
 * failure.
 */
bool partition_writer_open(struct partition_writer *writer, unsigned partition);
/* Keeps or writes the entries of the partition's buffer. Returns false after a failure. */
bool partition_writer_close(struct partition_writer *writer, unsigned partition);
/* Closes all partitions and waits for the disk. Returns the first errno since partition_writer_turn_to. */
int partition_writer_flush(struct partition_writer *writer);

/* Adds an entry. Returns false after a failure. */
__attribute__((always_inline)) static inline bool partition_writer_put(struct partition_writer *writer,
                                                                       unsigned partition,
                                                                       const uint64_t *entry, unsigned words)
{
    struct bucket *bucket = &writer->bucket[partition];
    if (__builtin_expect(bucket->next == bucket->end, 0) && !partition_writer_open(writer, partition))
        return false;
    for (unsigned i = 0; i < words; i++)
        bucket->next[i] = entry[i];
    bucket->next += words;
    return true;
}

#endif
