/* SPDX-License-Identifier: MIT */
/* Reads single pieces on disk, between two levels or after the last one. */
#include "explore/dense/pieces/disk/pieces_disk_internal.h"

#include <assert.h>
#include <errno.h>

enum { HEAD_BYTES = 1 << 16 /* of a piece, with its header; a narrow piece is not longer */ };

enum pz_status pieces_disk_look(struct pieces *pieces, enum piece_age age, uint32_t group,
                                struct pz_error *error)
{
    struct disk_pieces *own = (struct disk_pieces *)pieces;
    struct disk_buffer *buffer = &own->in[0][0];
    assert(age < PIECE_AGES && group < pieces->size.groups);
    pieces_disk_await_reads(own);
    own->reading = 0;
    own->found = buffer;
    pieces_disk_read(own, &own->place[age][group], buffer);
    return pieces_disk_await(own, pieces_disk_level(own, age), group, buffer, error);
}

/* Reads a part of a piece to the same offset in the part's buffer. */
static enum pz_status read_part(struct disk_pieces *own, const struct disk_place *place, uint64_t from,
                                uint64_t end, struct pz_error *error)
{
    struct disk_buffer *out = &own->out[own->writing];
    out->request = (struct disk_request){.kind = DISK_READ,
                                         .file = place->file->descriptor,
                                         .bytes = (uint8_t *)out->piece + from,
                                         .length = end - from,
                                         .offset = place->offset + from};
    pieces_cache_touch(own->cache, out->region, end);
    scratch_count(&own->store->read, end - from);
    disk_queue_submit(own->store->queue, &out->request);
    int failure = disk_queue_await(own->store->queue, &out->request, &own->figures.waited);
    return failure == 0 || failure == ENODATA ? PZ_OK
                                              : scratch_failed(own->store, failure, "read a piece", error);
}

/* Reads the header of a piece, and sets the buffer for its chunks. It uses the buffer of the next piece to
 * be made: no piece is being made now. */
static enum pz_status look_at_head(struct disk_pieces *own, enum piece_age age, uint32_t group,
                                   struct pz_error *error)
{
    const struct disk_place *place = &own->place[age][group];
    struct disk_buffer *out = &own->out[own->writing];
    uint64_t least = disk_aligned(piece_chunks_at(&own->base.size));
    uint64_t head = least > HEAD_BYTES ? least : HEAD_BYTES;
    own->found = &own->part;
    own->part = (struct disk_buffer){.empty = place->length == 0, .cached = place->region != NULL};
    own->part.piece = own->part.cached ? place->region->piece : out->piece;
    own->part_read = head < place->length ? head : place->length;
    if (own->part.empty || own->part.cached)
        return PZ_OK;
    (void)disk_queue_await(own->store->queue, &out->request, &own->figures.waited);
    enum pz_status status = read_part(own, place, 0, own->part_read, error);
    if (status == PZ_OK &&
        !piece_is_sound(out->piece, &own->base.size, pieces_disk_level(own, age), group, place->length))
        return pieces_disk_damaged(pieces_disk_level(own, age), group, error);
    return status;
}

enum pz_status pieces_disk_look_state(struct pieces *pieces, enum piece_age age, uint32_t group,
                                      uint64_t *number, uint32_t *chunk, struct pz_error *error)
{
    struct disk_pieces *own = (struct disk_pieces *)pieces;
    const struct disk_place *place = &own->place[age][group];
    enum pz_status status = look_at_head(own, age, group, error);
    if (status != PZ_OK)
        return status;
    const struct piece_entry *entry = own->part.piece->entry;
    for (*chunk = 0; !own->part.empty && *chunk < own->base.size.chunks; ++*chunk, entry++) {
        uint64_t end = disk_aligned(entry->offset + (uint64_t)entry->length);
        if (*number >= entry->states) {
            *number -= entry->states;
            continue;
        }
        if (own->part.cached || end <= own->part_read)
            return PZ_OK;
        if (end > place->length)
            break;
        return read_part(own, place, entry->offset / DISK_ALIGN * DISK_ALIGN, end, error);
    }
    return pieces_disk_damaged(pieces_disk_level(own, age), group, error);
}
