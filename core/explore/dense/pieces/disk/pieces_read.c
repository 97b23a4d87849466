/* SPDX-License-Identifier: MIT */
/* Reading pieces from the disk, for all other files of pieces on disk. */
#include "explore/dense/pieces/disk/pieces_disk_internal.h"

#include <assert.h>
#include <errno.h>

void pieces_disk_read(struct disk_pieces *own, const struct disk_place *place, struct disk_buffer *buffer)
{
    /* A read for a skipped group may still be under way. */
    (void)disk_queue_await(own->store->queue, &buffer->request, &own->figures.waited);
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

enum pz_status pieces_disk_damaged(uint32_t level, uint32_t group, struct pz_error *error)
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
    int failure = disk_queue_await(own->store->queue, &buffer->request, &own->figures.waited);
    if (failure != 0 && failure != ENODATA)
        return scratch_failed(own->store, failure, "read a piece", error);
    if (failure == 0 && piece_is_sound(buffer->piece, &own->base.size, level, group, buffer->request.length))
        return PZ_OK;
    return pieces_disk_damaged(level, group, error);
}

/* Reads for skipped groups may still use their buffers. */
void pieces_disk_await_reads(struct disk_pieces *own)
{
    for (unsigned age = 0; age < 2; age++)
        for (unsigned i = 0; i <= own->disk.ahead; i++)
            (void)disk_queue_await(own->store->queue, &own->in[age][i].request, &own->figures.waited);
}
