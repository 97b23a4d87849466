/* SPDX-License-Identifier: MIT */
#include "explore/dense/pieces/piece.h"

#include "explore/disk/scratch_store.h"

#include <assert.h>
#include <string.h>

static const char magic[8] = "pzpiece";

size_t piece_chunks_at(const struct pieces_size *size)
{
    return sizeof(struct piece_header) + size->chunks * sizeof(struct piece_entry);
}

size_t piece_most(const struct pieces_size *size)
{
    return disk_aligned(piece_chunks_at(size) + (size_t)size->chunks * size->chunk_bytes + CODEC_PAD);
}

void piece_begin(struct piece_header *piece, const struct pieces_size *size, uint32_t level, uint32_t group)
{
    memset(piece, 0, piece_chunks_at(size));
    memcpy(piece->magic, magic, sizeof magic);
    piece->version = PIECE_VERSION;
    piece->level = level;
    piece->group = group;
    piece->chunks = size->chunks;
}

void piece_enter(struct piece_header *piece, uint32_t chunk, uint32_t offset, const struct piece_chunk *from)
{
    assert(chunk < piece->chunks && from->states > 0 && from->length > 0);
    piece->entry[chunk] =
        (struct piece_entry){.hash = disk_hash((const uint8_t *)piece + offset, from->length),
                             .offset = offset,
                             .length = from->length,
                             .states = from->states,
                             .code = from->code};
}

static uint64_t header_hash(const struct piece_header *piece)
{
    size_t skipped = sizeof piece->hash;
    return disk_hash((const uint8_t *)piece + skipped,
                     sizeof *piece - skipped + piece->chunks * sizeof(struct piece_entry));
}

size_t piece_seal(struct piece_header *piece, size_t end, const struct pieces_tally *tally)
{
    size_t length = disk_aligned(end);
    assert(piece->states == 0 && end > sizeof *piece);
    memset((uint8_t *)piece + end, 0, length - end);
    piece->length = length;
    for (uint32_t i = 0; i < piece->chunks; i++)
        piece->states += piece->entry[i].states;
    if (tally != NULL)
        piece->tally = *tally;
    piece->hash = header_hash(piece);
    return length;
}

bool piece_is_sound(const struct piece_header *piece, const struct pieces_size *size, uint32_t level,
                    uint32_t group, size_t length)
{
    return memcmp(piece->magic, magic, sizeof magic) == 0 && piece->version == PIECE_VERSION &&
           piece->level == level && piece->group == group && piece->chunks == size->chunks &&
           piece->length == length && length >= piece_chunks_at(size) && piece->hash == header_hash(piece);
}

bool piece_chunk(const struct piece_header *piece, bool was_read, uint32_t chunk, struct piece_chunk *out)
{
    assert(chunk < piece->chunks);
    const struct piece_entry *entry = &piece->entry[chunk];
    const uint8_t *bytes = (const uint8_t *)piece + entry->offset;
    *out = (struct piece_chunk){
        .states = entry->states, .code = (enum code)entry->code, .length = entry->length, .bytes = bytes};
    return entry->states == 0 || !was_read ||
           (entry->offset + (uint64_t)entry->length <= piece->length && entry->code < CODE_COUNT &&
            disk_hash(bytes, entry->length) == entry->hash);
}
