/* SPDX-License-Identifier: MIT */
#include "explore/striped/disk/partition_stream.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

/* ---- reading ---- */

void partition_reader_init(struct partition_reader *reader, struct partition_store *store, uint8_t *memory)
{
    memset(reader, 0, sizeof *reader);
    reader->store = store;
    for (unsigned i = 0; i < READER_BUFFERS; i++)
        reader->read[i].piece = (struct partition_piece *)(void *)(memory + i * store->piece_bytes);
}

void partition_reader_begin(struct partition_reader *reader, partition_feed *feed, void *context)
{
    assert(reader->count == 0);
    reader->feed = feed;
    reader->context = context;
    reader->ended = false;
    reader->oldest = reader->count = 0;
}

static void reader_ask(struct partition_reader *reader, struct partition_read *read)
{
    const struct partition_place *place = partition_want_place(&read->want);
    const size_t length = partition_piece_bytes(reader->store, place->count);
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
static void reader_ask_ahead(struct partition_reader *reader)
{
    while (!reader->ended && reader->count < READER_BUFFERS - 1) {
        struct partition_read *read = &reader->read[(reader->oldest + reader->count) % READER_BUFFERS];
        if (!reader->feed(reader->context, &read->want))
            reader->ended = true;
        else {
            reader_ask(reader, read);
            reader->count++;
        }
    }
}

int partition_reader_next(struct partition_reader *reader, const struct partition_want **want,
                          const uint64_t **entries)
{
    *want = NULL;
    reader_ask_ahead(reader);
    if (reader->count == 0)
        return 0;
    assert(reader->count < READER_BUFFERS);
    struct partition_read *read = &reader->read[reader->oldest];
    const struct partition_place *place = partition_want_place(&read->want);
    reader->oldest = (reader->oldest + 1) % READER_BUFFERS;
    reader->count--;
    *want = &read->want;
    *entries = place->kept != NULL ? place->kept : read->piece->entries;
    if (place->kept != NULL)
        return 0;
    const int failure = disk_queue_await(reader->store->disk.queue, &read->request, NULL);
    if (failure != 0)
        return failure;
    return partition_piece_is_sound(read->want.file, place, read->piece) ? 0 : EBADMSG;
}

void partition_reader_end(struct partition_reader *reader)
{
    for (; reader->count > 0; reader->count--) {
        struct partition_read *read = &reader->read[reader->oldest];
        if (partition_want_place(&read->want)->kept == NULL)
            (void)disk_queue_await(reader->store->disk.queue, &read->request, NULL);
        reader->oldest = (reader->oldest + 1) % READER_BUFFERS;
    }
}

/* ---- the pieces of a partition ---- */

static void feed_age(struct partition_parts *feed, uint32_t age)
{
    const struct partition_file *file = feed->file_of(feed->context, age);
    assert(age < feed->ages && feed->partition < DISK_PARTITIONS);
    feed->age = age;
    feed->place = file != NULL ? file->first[feed->partition] : 0;
    feed->end = file != NULL ? file->first[feed->partition + 1] : 0;
}

void partition_parts_open(struct partition_parts *feed, uint32_t partition, uint64_t words,
                          uint64_t sort_words)
{
    assert(partition < DISK_PARTITIONS && sort_words > 0 && feed->ages > 0);
    feed->open = true;
    feed->partition = partition;
    feed->part = feed->parts_bits = 0;
    while ((words >> feed->parts_bits) > sort_words / 5 * 4)
        feed->parts_bits++;
    feed_age(feed, 0);
}

bool partition_parts_next(struct partition_parts *feed, struct partition_want *want)
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
    *want = (struct partition_want){.file = feed->file_of(feed->context, feed->age),
                                    .place = feed->place++,
                                    .part = feed->part,
                                    .age = feed->age,
                                    .parts_bits = feed->parts_bits};
    return true;
}

/* ---- writing ---- */

void partition_writer_init(struct partition_writer *writer, struct partition_store *store, uint8_t *memory)
{
    memset(writer, 0, sizeof *writer);
    writer->store = store;
    writer->room = (store->piece_bytes - sizeof(struct partition_piece)) / sizeof(uint64_t) / store->words *
                   store->words;
    for (unsigned i = 0; i < WRITER_BUFFERS; i++) {
        writer->buffer[i].piece = (struct partition_piece *)(void *)(memory + i * store->piece_bytes);
        writer->idle[writer->idle_count++] = &writer->buffer[i];
    }
}

void partition_writer_turn_to(struct partition_writer *writer, struct partition_file *file)
{
    assert(writer->idle_count == WRITER_BUFFERS);
    writer->file = file;
    writer->failure = 0;
}

/* Waits for the oldest buffer that was submitted. */
static void writer_await_oldest(struct partition_writer *writer)
{
    assert(writer->written_count > 0);
    struct partition_buffer *buffer = writer->written[writer->oldest];
    const int failure = disk_queue_await(writer->store->disk.queue, &buffer->request, NULL);
    if (failure != 0 && writer->failure == 0)
        writer->failure = failure;
    writer->oldest = (writer->oldest + 1) % WRITER_BUFFERS;
    writer->written_count--;
    writer->idle[writer->idle_count++] = buffer;
}

static void writer_send(struct partition_writer *writer, struct partition_buffer *buffer)
{
    size_t length;
    const int failure = partition_file_place(writer->file, buffer->piece, &length);
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

static void writer_close(struct partition_writer *writer, unsigned partition, bool tail)
{
    struct partition_buffer *buffer = writer->open[partition];
    if (buffer == NULL)
        return;
    struct partition_piece *piece = buffer->piece;
    piece->partition = partition;
    piece->count =
        (uint32_t)((size_t)(writer->bucket[partition].next - piece->entries) / writer->store->words);
    writer->open[partition] = NULL;
    writer->bucket[partition] = (struct bucket){NULL, NULL};
    if (piece->count == 0 || writer->failure != 0 ||
        partition_file_keep(writer->file,
                            &(struct partition_place){.partition = partition, .count = piece->count},
                            piece->entries, tail))
        writer->idle[writer->idle_count++] = buffer;
    else
        writer_send(writer, buffer);
}

bool partition_writer_close(struct partition_writer *writer, unsigned partition)
{
    writer_close(writer, partition, false);
    return writer->failure == 0;
}

bool partition_writer_open(struct partition_writer *writer, unsigned partition)
{
    if (!partition_writer_close(writer, partition))
        return false;
    if (writer->idle_count == 0)
        writer_await_oldest(writer);
    assert(writer->idle_count > 0);
    struct partition_buffer *buffer = writer->idle[--writer->idle_count];
    uint64_t *entries = buffer->piece->entries;
    writer->open[partition] = buffer;
    writer->bucket[partition] = (struct bucket){.next = entries, .end = entries + writer->room};
    return writer->failure == 0;
}

int partition_writer_flush(struct partition_writer *writer)
{
    for (unsigned partition = 0; partition < DISK_PARTITIONS; partition++)
        writer_close(writer, partition, true);
    while (writer->written_count > 0)
        writer_await_oldest(writer);
    assert(writer->idle_count == WRITER_BUFFERS);
    return writer->failure;
}
