/* SPDX-License-Identifier: MIT */
#include "explore/striped/disk/bin_reader.h"

#include <errno.h>
#include <string.h>

void bin_reader_init(struct bin_reader *reader, struct bin_store *store, uint8_t *memory, size_t piece_bytes)
{
    memset(reader, 0, sizeof *reader);
    reader->store = store;
    for (unsigned i = 0; i < READER_BUFFERS; i++)
        reader->read[i].piece = (struct bin_piece *)(void *)(memory + i * piece_bytes);
}

void bin_reader_begin(struct bin_reader *reader, bin_feed *feed, void *context)
{
    reader->feed = feed;
    reader->context = context;
    reader->ended = false;
    reader->oldest = reader->count = 0;
}

static void ask(struct bin_reader *reader, struct bin_read *read)
{
    const struct bin_place *place = bin_want_place(&read->want);
    const size_t length = bin_piece_bytes(reader->store, place->count);
    if (place->kept != NULL)
        return;
    read->request = (struct disk_request){.kind = DISK_READ,
                                          .file = read->want.file->descriptor,
                                          .bytes = read->piece,
                                          .length = length,
                                          .offset = place->offset};
    disk_queue_submit(reader->store->disk.queue, &read->request);
    scratch_count(&reader->store->disk.read, length);
}

/* Starts reads until all buffers except the caller's are in use. */
static void ask_ahead(struct bin_reader *reader)
{
    while (!reader->ended && reader->count < READER_BUFFERS - 1) {
        struct bin_read *read = &reader->read[(reader->oldest + reader->count) % READER_BUFFERS];
        if (!reader->feed(reader->context, &read->want))
            reader->ended = true;
        else {
            ask(reader, read);
            reader->count++;
        }
    }
}

int bin_reader_next(struct bin_reader *reader, const struct bin_want **want, const uint64_t **entries)
{
    *want = NULL;
    ask_ahead(reader);
    if (reader->count == 0)
        return 0;
    struct bin_read *read = &reader->read[reader->oldest];
    const struct bin_place *place = bin_want_place(&read->want);
    reader->oldest = (reader->oldest + 1) % READER_BUFFERS;
    reader->count--;
    *want = &read->want;
    *entries = place->kept != NULL ? place->kept : read->piece->entries;
    if (place->kept != NULL)
        return 0;
    const int failure = disk_queue_await(reader->store->disk.queue, &read->request, &reader->waited);
    if (failure != 0)
        return failure;
    return bin_piece_is_sound(read->want.file, place, read->piece) ? 0 : EBADMSG;
}

void bin_reader_end(struct bin_reader *reader)
{
    for (; reader->count > 0; reader->count--) {
        struct bin_read *read = &reader->read[reader->oldest];
        if (bin_want_place(&read->want)->kept == NULL)
            (void)disk_queue_await(reader->store->disk.queue, &read->request, &reader->waited);
        reader->oldest = (reader->oldest + 1) % READER_BUFFERS;
    }
}
