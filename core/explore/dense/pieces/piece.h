/* SPDX-License-Identifier: MIT */
/*
 * A piece on the disk: a header, an entry for each chunk, then the chunks in any order. Numbers are in the
 * machine's byte order, as scratch files are read where they were written. To change the format, raise
 * PIECE_VERSION: a store that finds pieces of another version starts over.
 */
#ifndef EXPLORE_PIECES_PIECE_H
#define EXPLORE_PIECES_PIECE_H

#include "explore/dense/pieces/pieces.h"

enum { PIECE_VERSION = 6 };

struct piece_entry {
    uint64_t hash; /* XXH3-64 of the chunk's bytes */
    uint32_t offset;
    uint32_t length;
    uint32_t states;
    uint32_t code;
};

struct piece_header {
    uint64_t hash; /* XXH3-64 of the rest of the header and of the entries */
    char magic[8];
    uint32_t version;
    uint32_t level;
    uint32_t group;
    uint32_t chunks;
    uint64_t length; /* a multiple of DISK_ALIGN */
    uint64_t states;
    struct pieces_tally tally;
    struct piece_entry entry[];
};

/* Returns the most bytes that a piece takes, pads included; a multiple of DISK_ALIGN. */
size_t piece_most(const struct pieces_size *size);
/* Begins a piece in a buffer of piece_most bytes. */
void piece_begin(struct piece_header *piece, const struct pieces_size *size, uint32_t level, uint32_t group);
/* Returns the offset of the first chunk. */
size_t piece_chunks_at(const struct pieces_size *size);
/* Enters a chunk whose bytes are at offset. */
void piece_enter(struct piece_header *piece, uint32_t chunk, uint32_t offset, const struct piece_chunk *from);
/* Seals it: end is the byte after the last chunk. tally may be NULL. Returns its length. */
size_t piece_seal(struct piece_header *piece, size_t end, const struct pieces_tally *tally);
/* Returns true if what was read is the piece of that level and group, whole up to its chunks. */
bool piece_is_sound(const struct piece_header *piece, const struct pieces_size *size, uint32_t level,
                    uint32_t group, size_t length);
/* Finds a chunk of a sound piece. Returns false if its bytes are damaged. They are not checked with was_read
 * false: the piece was made in memory here. */
bool piece_chunk(const struct piece_header *piece, bool was_read, uint32_t chunk, struct piece_chunk *out);

#endif
