/* SPDX-License-Identifier: MIT */
/* Reading pieces from the disk, for all other files of pieces on disk. */
#include "explore/dense/pieces/disk/pieces_disk_internal.h"

#include <assert.h>
#include <errno.h>

void pieces_disk_read(struct disk_pieces *own, const struct disk_place *place, struct disk_buffer *buffer)
{
    /* A read for a skipped group may still be under way. */
    (void)disk_queue_await(own->store->queue, &buffer->request, &own->base.waited);
    buffer->empty = place->length == 0;
    assert(place->length <= own->piece_bytes && place->length % DISK_ALIGN == 0);
    buffer->cached = place->region != NULL;
    buffer->piece = buffer->cached ? place->region->piece : buffer->own;
    if (buffer->empty || buffer->cached)
        return;
    buffer->request = (struct disk_request){.kind = DISK_READ,
                                            .file = place->file->descriptor,
                                            .bytes = buffer->piece,
                                            .length = place->length,
                                            .offset = place->offset};
    scratch_count(&own->store->read, place->length);
    disk_queue_submit(own->store->queue, &buffer->request);
}

static enum pz_status piece_damaged(uint32_t level, uint32_t group, struct pz_error *error)
{
    return pz_fail(error, PZ_STORAGE, "scratch space: the piece of group %u of level %u is damaged", group,
                   level);
}

enum pz_status pieces_disk_await(struct disk_pieces *own, uint32_t level, uint32_t group,
                                 struct disk_buffer *buffer, struct pz_error *error)
{
    assert(group < own->base.size.groups);
    if (buffer->empty || buffer->cached)
        return PZ_OK;
    int failure = disk_queue_await(own->store->queue, &buffer->request, &own->base.waited);
    if (failure != 0 && failure != ENODATA)
        return scratch_failed(own->store, failure, "read a piece", error);
    if (failure == 0 && piece_is_sound(buffer->piece, &own->base.size, level, group, buffer->request.length))
        return PZ_OK;
    return piece_damaged(level, group, error);
}

/* Reads for skipped groups may still use their buffers. */
void pieces_disk_await_reads(struct disk_pieces *own)
{
    for (unsigned age = 0; age < 2; age++)
        for (unsigned i = 0; i <= own->disk.ahead; i++)
            (void)disk_queue_await(own->store->queue, &own->in[age][i].request, &own->base.waited);
}

/* ---- single pieces, between two levels or after the last one ---- */

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
    int failure = disk_queue_await(own->store->queue, &out->request, &own->base.waited);
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
    (void)disk_queue_await(own->store->queue, &out->request, &own->base.waited);
    enum pz_status status = read_part(own, place, 0, own->part_read, error);
    if (status == PZ_OK &&
        !piece_is_sound(out->piece, &own->base.size, pieces_disk_level(own, age), group, place->length))
        return piece_damaged(pieces_disk_level(own, age), group, error);
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
    return piece_damaged(pieces_disk_level(own, age), group, error);
}

/* ---- the levels whose pieces stay on the disk; they are read after the search ---- */

bool pieces_disk_keep(struct disk_pieces *own, uint32_t level, struct disk_file *files,
                      struct disk_place *place)
{
    if (own->kept_levels == PIECES_KEPT_MAX)
        return false;
    assert(own->kept_levels == 0 || own->kept[own->kept_levels - 1].level < level);
    own->kept[own->kept_levels++] = (struct kept_level){.level = level, .place = place, .files = files};
    return true;
}

uint32_t pieces_disk_kept(const struct pieces *pieces)
{
    const struct disk_pieces *own = (const struct disk_pieces *)pieces;
    return own->kept_levels + pieces_disk_keeps_age(own, PIECE_BEFORE) +
           pieces_disk_keeps_age(own, PIECE_NOW);
}

/* Returns a kept level; *places: of its groups. The newest are BEFORE and NOW. */
static uint32_t kept_level(const struct disk_pieces *own, uint32_t number, const struct disk_place **places)
{
    if (number < own->kept_levels) {
        *places = own->kept[number].place;
        return own->kept[number].level;
    }
    const bool first = number == own->kept_levels && pieces_disk_keeps_age(own, PIECE_BEFORE);
    const enum piece_age age = first ? PIECE_BEFORE : PIECE_NOW;
    *places = own->place[age];
    return pieces_disk_level(own, age);
}

static struct disk_buffer *kept_buffer(struct disk_pieces *own, uint64_t turn)
{
    unsigned ahead = own->disk.ahead + 1;
    return &own->in[turn % 2][turn / 2 % ahead];
}

/* Reads ahead until the buffers are full; turn is the first that is still wanted. */
static void read_kept_ahead(struct disk_pieces *own, uint64_t turn, uint32_t levels)
{
    uint64_t end = turn + 2 * (own->disk.ahead + 1);
    uint64_t all = (uint64_t)levels * own->base.size.groups;
    if (own->kept_reading < turn || own->kept_reading > end)
        own->kept_reading = turn;
    for (; own->kept_reading < end && own->kept_reading < all; own->kept_reading++) {
        const struct disk_place *places = NULL;
        (void)kept_level(own, (uint32_t)(own->kept_reading % levels), &places);
        pieces_disk_read(own, &places[own->kept_reading / levels], kept_buffer(own, own->kept_reading));
    }
}

enum pz_status pieces_disk_find_kept(struct pieces *pieces, uint32_t group, uint32_t number, uint32_t *level,
                                     struct pz_error *error)
{
    struct disk_pieces *own = (struct disk_pieces *)pieces;
    uint32_t levels = pieces_disk_kept(pieces);
    uint64_t turn = (uint64_t)group * levels + number;
    assert(number < levels && group < pieces->size.groups);
    struct disk_buffer *buffer = kept_buffer(own, turn);
    const struct disk_place *places = NULL;
    *level = kept_level(own, number, &places);
    own->found = buffer;
    read_kept_ahead(own, turn, levels);
    return pieces_disk_await(own, *level, group, buffer, error);
}
