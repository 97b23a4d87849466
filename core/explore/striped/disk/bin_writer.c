/* SPDX-License-Identifier: MIT */
#include "explore/striped/disk/bin_writer.h"

#include <assert.h>
#include <string.h>

void bin_writer_init(struct bin_writer *writer, struct bin_store *store, uint8_t *memory, size_t piece_bytes)
{
    memset(writer, 0, sizeof *writer);
    writer->store = store;
    writer->room = (piece_bytes - sizeof(struct bin_piece)) / sizeof(uint64_t) / store->words * store->words;
    for (unsigned i = 0; i < WRITER_BUFFERS; i++) {
        writer->buffer[i].piece = (struct bin_piece *)(void *)(memory + i * piece_bytes);
        writer->idle[writer->idle_count++] = &writer->buffer[i];
    }
}

void bin_writer_turn_to(struct bin_writer *writer, struct bin_file *file)
{
    assert(writer->idle_count == WRITER_BUFFERS);
    writer->file = file;
    writer->failure = 0;
}

/* Waits for the oldest buffer that was submitted. */
static void await_oldest(struct bin_writer *writer)
{
    struct bin_buffer *buffer = writer->written[writer->oldest];
    const int failure = disk_queue_await(writer->store->disk.queue, &buffer->request, &writer->waited);
    if (failure != 0 && writer->failure == 0)
        writer->failure = failure;
    writer->oldest = (writer->oldest + 1) % WRITER_BUFFERS;
    writer->written_count--;
    writer->idle[writer->idle_count++] = buffer;
}

static void submit(struct bin_writer *writer, struct bin_buffer *buffer)
{
    size_t length;
    const int failure = bin_file_place(writer->file, buffer->piece, &length);
    if (failure != 0) {
        writer->failure = failure;
        writer->idle[writer->idle_count++] = buffer;
        return;
    }
    buffer->request = (struct disk_request){.kind = DISK_WRITE,
                                            .file = writer->file->descriptor,
                                            .bytes = buffer->piece,
                                            .length = length,
                                            .offset = buffer->piece->offset};
    disk_queue_submit(writer->store->disk.queue, &buffer->request);
    writer->written[(writer->oldest + writer->written_count++) % WRITER_BUFFERS] = buffer;
}

static void close_bin(struct bin_writer *writer, unsigned bin, bool tail)
{
    struct bin_buffer *buffer = writer->open[bin];
    if (buffer == NULL)
        return;
    struct bin_piece *piece = buffer->piece;
    piece->bin = bin;
    piece->count = (uint32_t)((size_t)(writer->bucket[bin].next - piece->entries) / writer->store->words);
    writer->open[bin] = NULL;
    writer->bucket[bin] = (struct bucket){NULL, NULL};
    if (piece->count == 0 || writer->failure != 0 ||
        bin_file_keep(writer->file, &(struct bin_place){.bin = bin, .count = piece->count}, piece->entries,
                      tail))
        writer->idle[writer->idle_count++] = buffer;
    else
        submit(writer, buffer);
}

bool bin_writer_close(struct bin_writer *writer, unsigned bin)
{
    close_bin(writer, bin, false);
    return writer->failure == 0;
}

bool bin_writer_open(struct bin_writer *writer, unsigned bin)
{
    if (!bin_writer_close(writer, bin))
        return false;
    if (writer->idle_count == 0)
        await_oldest(writer);
    assert(writer->idle_count > 0);
    struct bin_buffer *buffer = writer->idle[--writer->idle_count];
    uint64_t *entries = buffer->piece->entries;
    writer->open[bin] = buffer;
    writer->bucket[bin] = (struct bucket){.next = entries, .end = entries + writer->room};
    return writer->failure == 0;
}

int bin_writer_flush(struct bin_writer *writer)
{
    for (unsigned bin = 0; bin < BINS; bin++)
        close_bin(writer, bin, true);
    while (writer->written_count > 0)
        await_oldest(writer);
    return writer->failure;
}
