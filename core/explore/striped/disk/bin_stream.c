/* SPDX-License-Identifier: MIT */
#include "explore/striped/disk/bin_stream.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

/* ---- reading ---- */

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

/* ---- the pieces of a partition ---- */

static void feed_age(struct bin_parts *feed, uint32_t age)
{
    const struct bin_file *file = feed->file_of(feed->context, age);
    assert(age < feed->ages && feed->bin < BINS);
    feed->age = age;
    feed->place = file != NULL ? file->first[feed->bin] : 0;
    feed->end = file != NULL ? file->first[feed->bin + 1] : 0;
}

void bin_feed_open(struct bin_parts *feed, uint32_t bin, uint64_t words, uint64_t sort_words)
{
    feed->open = true;
    feed->bin = bin;
    feed->part = feed->parts_bits = 0;
    while ((words >> feed->parts_bits) > sort_words / 5 * 4)
        feed->parts_bits++;
    feed_age(feed, 0);
}

bool bin_feed_next(struct bin_parts *feed, struct bin_want *want)
{
    while (feed->open && feed->place == feed->end) {
        if (feed->age + 1 < feed->ages)
            feed_age(feed, feed->age + 1);
        else if (++feed->part < 1u << feed->parts_bits)
            feed_age(feed, 0);
        else
            feed->open = false;
    }
    if (!feed->open)
        return false;
    *want = (struct bin_want){.file = feed->file_of(feed->context, feed->age),
                              .place = feed->place++,
                              .part = feed->part,
                              .age = feed->age,
                              .parts_bits = feed->parts_bits};
    return true;
}

/* ---- writing ---- */

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
