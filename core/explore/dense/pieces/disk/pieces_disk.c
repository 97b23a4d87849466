/* SPDX-License-Identifier: MIT */
/*
 * Pieces on disk. A level is a row of files (disk_files.h), each with the pieces of some groups in order;
 * empty pieces are not written. Pieces are read ahead and written behind by the disk queue's threads.
 */
#include "explore/dense/pieces/disk/pieces_disk_internal.h"

#include "base/budget.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES = 256 << 20 };

static struct disk_pieces *disk_of(struct pieces *pieces)
{
    return (struct disk_pieces *)pieces;
}

/* ---- files ---- */

/* Removes from the list the files of BEFORE whose groups are all done, and returns them. */
static struct disk_file *take_replaced(struct disk_pieces *own, uint32_t end)
{
    struct disk_file *replaced = own->files[PIECE_BEFORE];
    struct disk_file **at = &replaced;
    while (*at != NULL && (*at)->end <= end)
        at = &(*at)->next;
    own->files[PIECE_BEFORE] = *at;
    *at = NULL;
    return replaced;
}

/* Returns true if NEXT, as far as its groups before `end`, is not narrow. */
static bool is_wide(const struct disk_pieces *own, uint32_t end)
{
    uint64_t states = 0;
    for (uint32_t group = 0; group < end; group++)
        states += own->base.states[PIECE_NEXT][group];
    return states > own->disk.narrow;
}

/* From the first wide level on, each file is made safe. The files of the narrow levels before it are made
 * safe before any file that replaces one of them. */
static void look_at_width(struct disk_pieces *own, uint32_t end)
{
    if (own->base.lasting || !is_wide(own, end))
        return;
    own->base.lasting = true;
    for (enum piece_age age = PIECE_BEFORE; age < PIECE_NEXT; age++)
        disk_file_make_safe(own->files[age]);
    for (uint32_t i = 0; i < own->kept_levels; i++)
        disk_file_make_safe(own->kept[i].files);
}

/* Closes the file of NEXT. It replaces the files of BEFORE whose groups are all done, unless these are kept.
 */
static void close_file(struct disk_pieces *own, uint32_t end)
{
    assert(own->last_file != NULL && end > own->covered && end <= own->base.size.groups);
    look_at_width(own, end);
    disk_file_close(own->last_file, end,
                    pieces_disk_keeps_age(own, PIECE_BEFORE) ? NULL : take_replaced(own, end),
                    own->base.lasting);
    own->last_file = NULL;
    own->covered = end;
}

static enum pz_status need_file(struct disk_pieces *own, struct pz_error *error)
{
    if (own->last_file != NULL)
        return PZ_OK;
    struct disk_file *file = disk_file_new(&own->shared, own->level, own->covered);
    if (file == NULL)
        return scratch_failed(own->store, errno, "create a file", error);
    struct disk_file **at = &own->files[PIECE_NEXT];
    while (*at != NULL)
        at = &(*at)->next;
    *at = file;
    own->last_file = file;
    return PZ_OK;
}

/* ---- reading ahead ---- */

static struct disk_buffer *buffer_of(struct disk_pieces *own, enum piece_age age, uint32_t group)
{
    assert(age < PIECE_NEXT && group < own->base.size.groups);
    return &own->in[age][group % (own->disk.ahead + 1)];
}

/* Reads ahead until the buffers are full. Buffers of groups below first are free. */
static void read_ahead(struct disk_pieces *own, uint32_t first)
{
    if (own->reading < first)
        own->reading = first;
    for (; own->reading < own->base.size.groups && own->reading <= first + own->disk.ahead; own->reading++)
        for (enum piece_age age = PIECE_BEFORE; age <= PIECE_NOW; age++)
            pieces_disk_read(own, &own->place[age][own->reading], buffer_of(own, age, own->reading));
}

/* ---- the store ---- */

static enum pz_status enter(struct pieces *pieces, uint32_t group, struct pz_error *error)
{
    struct disk_pieces *own = disk_of(pieces);
    struct disk_buffer *out = &own->out[own->writing];
    own->group = group;
    assert(group < pieces->size.groups);
    own->found = NULL;
    read_ahead(own, group);
    enum pz_status status = PZ_OK;
    for (enum piece_age age = PIECE_BEFORE; age <= PIECE_NOW && status == PZ_OK; age++)
        status =
            pieces_disk_await(own, pieces_disk_level(own, age), group, buffer_of(own, age, group), error);
    if (status != PZ_OK)
        return status;
    int failure = disk_queue_await(own->store->queue, &out->request, &own->base.waited);
    if (failure != 0)
        return scratch_failed(own->store, failure, "write a piece", error);
    piece_begin(out->piece, &own->base.size, own->level, group);
    atomic_store_explicit(&own->end, piece_chunks_at(&own->base.size), memory_order_relaxed);
    return PZ_OK;
}

/* scratch is for the pieces in memory; here the bytes are in a buffer. */
static enum pz_status get_chunk(struct pieces *pieces, enum piece_age age, uint32_t chunk,
                                uint8_t *scratch, // NOLINT(readability-non-const-parameter)
                                struct piece_chunk *out)
{
    struct disk_pieces *own = disk_of(pieces);
    const struct disk_buffer *buffer = own->found != NULL ? own->found : buffer_of(own, age, own->group);
    (void)scratch;
    *out = (struct piece_chunk){0};
    return buffer->empty || piece_chunk(buffer->piece, !buffer->cached, chunk, out) ? PZ_OK : PZ_STORAGE;
}

static enum pz_status put_chunk(struct pieces *pieces, uint32_t chunk, const struct piece_chunk *from)
{
    struct disk_pieces *own = disk_of(pieces);
    if (from->states == 0)
        return PZ_OK;
    struct piece_header *piece = own->out[own->writing].piece;
    uint64_t offset = atomic_fetch_add_explicit(&own->end, from->length, memory_order_relaxed);
    assert(chunk < pieces->size.chunks && offset + from->length + CODEC_PAD <= own->piece_bytes);
    memcpy((uint8_t *)piece + offset, from->bytes, from->length);
    piece_enter(piece, chunk, (uint32_t)offset, from);
    return PZ_OK;
}

/* Takes so many more bytes of the disk, within the limit. */
static enum pz_status take_room(struct disk_pieces *own, uint64_t bytes, struct pz_error *error)
{
    int failure = scratch_take(own->store, bytes);
    if (failure != 0) {
        disk_files_drop_spares(&own->shared);
        failure = scratch_take(own->store, 0);
    }
    scratch_count(&own->store->written, bytes);
    return failure == 0 ? PZ_OK : scratch_failed(own->store, failure, "write a piece", error);
}

static enum pz_status write_piece(struct disk_pieces *own, size_t end, const struct pieces_tally *tally,
                                  struct pz_error *error)
{
    struct disk_buffer *out = &own->out[own->writing];
    struct disk_place *place = &own->place[PIECE_NEXT][own->group];
    size_t length = piece_seal(out->piece, end, tally);
    assert(length <= own->piece_bytes && own->writing < own->disk.behind);
    enum pz_status status = need_file(own, error);
    if (status == PZ_OK)
        status = take_room(own, length, error);
    if (status != PZ_OK)
        return status;
    struct disk_file *file = own->last_file;
    *place = (struct disk_place){.file = file, .offset = file->bytes, .length = length};
    out->request = (struct disk_request){.kind = DISK_WRITE,
                                         .file = file->descriptor,
                                         .bytes = out->piece,
                                         .length = length,
                                         .offset = file->bytes};
    file->bytes += length;
    disk_queue_submit(own->store->queue, &out->request);
    place->region = pieces_cache_keep(own->cache, &out->region, length);
    out->piece = out->region->piece;
    own->writing = (own->writing + 1) % own->disk.behind;
    if (file->bytes >= own->disk.file_bytes)
        close_file(own, own->group + 1);
    return PZ_OK;
}

static void drop_region(struct disk_pieces *own, enum piece_age age, uint32_t group)
{
    pieces_cache_drop(own->cache, own->place[age][group].region);
    own->place[age][group].region = NULL;
}

static enum pz_status leave(struct pieces *pieces, uint64_t states, const struct pieces_tally *tally,
                            struct pz_error *error)
{
    struct disk_pieces *own = disk_of(pieces);
    size_t end = (size_t)atomic_load_explicit(&own->end, memory_order_relaxed);
    const int failure = scratch_noted(own->store);
    if (failure != 0)
        return scratch_failed(own->store, failure, "make a file safe", error);
    drop_region(own, PIECE_BEFORE, own->group);
    own->place[PIECE_NEXT][own->group] = (struct disk_place){0};
    pieces->states[PIECE_NEXT][own->group] = states;
    pieces_add_tally(pieces, PIECE_NEXT, tally);
    return end > piece_chunks_at(&own->base.size) ? write_piece(own, end, tally, error) : PZ_OK;
}

static enum pz_status skip(struct pieces *pieces, uint32_t group, struct pz_error *error)
{
    struct disk_pieces *own = disk_of(pieces);
    assert(group < pieces->size.groups);
    (void)error;
    drop_region(own, PIECE_BEFORE, group);
    own->place[PIECE_NEXT][group] = (struct disk_place){0};
    pieces->states[PIECE_NEXT][group] = 0;
    return PZ_OK;
}

/* Waits for all writes and returns their errors. */
static enum pz_status await_writes(struct disk_pieces *own, struct pz_error *error)
{
    int failure = 0;
    for (unsigned i = 0; i < own->disk.behind; i++) {
        int one = disk_queue_await(own->store->queue, &own->out[i].request, &own->base.waited);
        failure = one != 0 ? one : failure;
    }
    for (struct disk_file *file = own->files[PIECE_NEXT]; file != NULL; file = file->next) {
        int one = disk_queue_await(own->store->queue, &file->seal, &own->base.waited);
        failure = one != 0 ? one : failure;
    }
    return failure != 0 ? scratch_failed(own->store, failure, "write a piece", error) : PZ_OK;
}

/* Moves BEFORE to the kept levels, and leaves empty places. */
static enum pz_status keep_before(struct disk_pieces *own, struct pz_error *error)
{
    struct disk_place *fresh = calloc(own->base.size.groups, sizeof *fresh);
    if (fresh == NULL || !pieces_disk_keep(own, pieces_disk_level(own, PIECE_BEFORE),
                                           own->files[PIECE_BEFORE], own->place[PIECE_BEFORE])) {
        free(fresh);
        return pz_fail(error, PZ_MEMORY, "no memory for another level that is kept");
    }
    own->files[PIECE_BEFORE] = NULL;
    own->place[PIECE_BEFORE] = fresh;
    return PZ_OK;
}

/* A level ends with a file even if nothing was written since the last one was closed: its name says that all
 * groups are done. */
static enum pz_status end_level(struct pieces *pieces, struct pz_error *error)
{
    struct disk_pieces *own = disk_of(pieces);
    enum pz_status status = PZ_OK;
    if (own->covered < own->base.size.groups)
        status = need_file(own, error);
    if (status == PZ_OK && own->last_file != NULL)
        close_file(own, own->base.size.groups);
    pieces_disk_await_reads(own);
    if (status == PZ_OK)
        status = await_writes(own, error);
    if (status == PZ_OK && pieces_disk_keeps_age(own, PIECE_BEFORE))
        status = keep_before(own, error);
    if (status != PZ_OK)
        return status;
    disk_file_free(own->files[PIECE_BEFORE]);
    struct disk_place *empty = own->place[PIECE_BEFORE];
    for (unsigned age = 0; age < PIECE_NEXT; age++) {
        own->files[age] = own->files[age + 1];
        own->place[age] = own->place[age + 1];
    }
    pieces_end_level(pieces);
    own->files[PIECE_NEXT] = NULL;
    own->place[PIECE_NEXT] = empty;
    own->level++;
    own->reading = 0;
    own->covered = 0;
    return PZ_OK;
}

static enum pz_status start_over(struct pieces *pieces, struct pz_error *error)
{
    return disk_files_clear(&disk_of(pieces)->shared, error);
}

/* ---- life ---- */

static void disk_free(struct pieces *pieces)
{
    struct disk_pieces *own = disk_of(pieces);
    scratch_store_stop(own->store);
    for (enum piece_age age = PIECE_BEFORE; age < PIECE_AGES; age++) {
        for (uint32_t group = 0; own->place[age] != NULL && group < pieces->size.groups; group++)
            drop_region(own, age, group);
        disk_file_free(own->files[age]);
        free(own->place[age]);
    }
    for (unsigned i = 0; own->out != NULL && i < own->disk.behind; i++)
        pieces_cache_return(own->cache, own->out[i].region);
    pieces_cache_free(own->cache);
    for (uint32_t i = 0; i < own->kept_levels; i++) {
        disk_file_free(own->kept[i].files);
        free(own->kept[i].place);
    }
    free(own->in[0]);
    free(own->in[1]);
    free(own->out);
    memory_unmap(own->memory, own->memory_bytes);
    disk_files_close(&own->shared);
    pieces_clear(pieces);
    free(own);
}

static const struct pieces_ops disk_ops = {.start_over = start_over,
                                           .find = pieces_disk_find,
                                           .enter = enter,
                                           .chunk = get_chunk,
                                           .put = put_chunk,
                                           .leave = leave,
                                           .skip = skip,
                                           .end_level = end_level,
                                           .look = pieces_disk_look,
                                           .look_state = pieces_disk_look_state,
                                           .kept = pieces_disk_kept,
                                           .find_kept = pieces_disk_find_kept,
                                           .free = disk_free};

uint64_t pieces_disk_bytes(const struct pieces_size *size, unsigned ahead, unsigned behind, bool keeps)
{
    uint64_t levels = PIECE_AGES + (keeps ? PIECES_KEPT_MAX : 0);
    return sizeof(struct disk_pieces) + pieces_bytes(size) +
           (2 * (ahead + 1) + behind) * (piece_most(size) + sizeof(struct disk_buffer)) +
           levels * sizeof(struct disk_place) * (uint64_t)size->groups;
}

static bool make_buffers(struct disk_pieces *own)
{
    unsigned ahead = own->disk.ahead + 1;
    own->piece_bytes = piece_most(&own->base.size);
    own->memory_bytes = 2 * ahead * own->piece_bytes;
    own->cache = pieces_cache_new(own->piece_bytes, &own->base.spare);
    own->memory = memory_map(own->memory_bytes, MEMORY_HUGE_PAGES);
    own->in[0] = calloc(ahead, sizeof *own->in[0]);
    own->in[1] = calloc(ahead, sizeof *own->in[1]);
    own->out = calloc(own->disk.behind, sizeof *own->out);
    bool whole = own->memory != NULL && own->cache != NULL && own->in[0] != NULL && own->in[1] != NULL &&
                 own->out != NULL;
    for (unsigned age = 0; age < PIECE_AGES; age++) {
        own->place[age] = calloc(own->base.size.groups, sizeof *own->place[age]);
        whole = whole && own->place[age] != NULL;
    }
    uint8_t *at = own->memory;
    for (unsigned i = 0; whole && i < 2 * ahead; i++, at += own->piece_bytes)
        own->in[i % 2][i / 2].own = (struct piece_header *)(void *)at;
    for (unsigned i = 0; whole && i < own->disk.behind; i++) {
        own->out[i].region = pieces_cache_take(own->cache);
        whole = own->out[i].region != NULL;
        own->out[i].piece = whole ? own->out[i].region->piece : NULL;
    }
    return whole;
}

enum pz_status pieces_disk_new(const struct pieces_size *size, const struct pieces_disk *disk,
                               struct pieces **out, struct pz_error *error)
{
    struct disk_pieces *own = calloc(1, sizeof *own);
    if (own == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for pieces");
    bool whole = pieces_init(&own->base, &disk_ops, size, &disk->spare);
    own->disk = *disk;
    if (own->disk.file_bytes == 0)
        own->disk.file_bytes = FILE_BYTES;
    own->store = disk->store;
    disk_files_open(&own->shared, disk->store);
    own->base.lasting = disk->narrow == 0;
    if (!whole || !make_buffers(own)) {
        disk_free(&own->base);
        return pz_fail(error, PZ_MEMORY, "no memory for pieces that are read and written");
    }
    *out = &own->base;
    return PZ_OK;
}
