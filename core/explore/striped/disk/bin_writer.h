/* SPDX-License-Identifier: MIT */
/*
 * Writes entries into a file of partitions for one thread: an open buffer for each partition, and some that
 * are being written. It writes one file at a time.
 */
#ifndef STRIPED_BIN_WRITER_H
#define STRIPED_BIN_WRITER_H

#include "explore/striped/disk/bin_file.h"
#include "explore/striped/search/searchers.h"

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
