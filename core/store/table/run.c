/* SPDX-License-Identifier: MIT */
#include "store/table/table.h"

#include "store/lmdb/value_codec.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { RUN_HEAD = 8 };

void run_key_bytes(const uint64_t *key, unsigned words, uint8_t out[8 * RUN_WORDS_MAX])
{
    for (unsigned i = 0; i < words; i++)
        bytes_put_u64(out + 8u * i, key[i]);
}

/* Returns the length in bytes of the keys' common front. The keys ascend, so all share what the first and the
 * last share. */
static unsigned common_front(const struct explore_run *run, size_t count)
{
    assert(count > 0 && run->key_words <= RUN_WORDS_MAX);
    uint8_t first[8 * RUN_WORDS_MAX] = {0}, last[8 * RUN_WORDS_MAX] = {0};
    unsigned bytes = 8 * run->key_words;
    run_key_bytes(run->keys, run->key_words, first);
    run_key_bytes(run->keys + (count - 1) * run->key_words, run->key_words, last);
    unsigned front = 0;
    while (front < bytes && first[front] == last[front])
        front++;
    return front;
}

static unsigned distance_width(const struct explore_run *run, size_t count)
{
    uint32_t all = 0;
    for (size_t i = 0; i < count; i++)
        all |= run->distances[i];
    return all > UINT16_MAX ? 4 : all > UINT8_MAX ? 2 : 1;
}

/* Returns how many keys to take. With a longer common front more keys fit, but fewer share it. Tries the
 * longest front first, until as many keys share it as then fit. */
static size_t fitting(const struct explore_run *run, size_t payload_max)
{
    size_t most = run->count < RUN_KEYS_MAX ? run->count : RUN_KEYS_MAX;
    unsigned key_bytes = 8 * run->key_words;
    unsigned width = distance_width(run, most);
    for (unsigned front = key_bytes; front > 0; front--) {
        size_t room = (payload_max - RUN_HEAD - key_bytes - front) / (key_bytes - front + width);
        size_t count = room < most ? room : most;
        if (common_front(run, count) >= front)
            return count;
    }
    size_t room = (payload_max - RUN_HEAD - key_bytes) / (key_bytes + width);
    return room < most ? room : most;
}

static uint8_t *put_keys(uint8_t *at, const struct explore_run *run, size_t count, unsigned front)
{
    unsigned rest = 8 * run->key_words - front;
    uint8_t key[8 * RUN_WORDS_MAX];
    run_key_bytes(run->keys, run->key_words, key);
    memcpy(at, key, front);
    at += front;
    for (size_t i = 0; i < count; i++) {
        run_key_bytes(run->keys + i * run->key_words, run->key_words, key);
        memcpy(at, key + front, rest);
        at += rest;
    }
    return at;
}

static uint8_t *put_distances(uint8_t *at, const uint32_t *distances, size_t count, unsigned width)
{
    for (size_t i = 0; i < count; i++)
        for (unsigned byte = width; byte-- > 0;)
            *at++ = (uint8_t)(distances[i] >> 8 * byte);
    return at;
}

size_t run_encode(const struct explore_run *run, const uint8_t *after, size_t payload_max, uint8_t *payload,
                  size_t *taken)
{
    assert(run_words_known(run->key_words) && payload_max >= 1024);
    size_t count = run->count == 0 ? 0 : fitting(run, payload_max);
    assert(count <= RUN_KEYS_MAX && (count > 0 || run->count == 0));
    unsigned front = count == 0 ? 0 : common_front(run, count);
    unsigned width = count == 0 ? 1 : distance_width(run, count);
    payload[0] = (uint8_t)run->key_words;
    payload[1] = (uint8_t)width;
    payload[2] = (uint8_t)front;
    payload[3] = 0;
    for (unsigned i = 0; i < 4; i++)
        payload[4 + i] = (uint8_t)(count >> (24 - 8 * i));
    if (after != NULL)
        memcpy(payload + RUN_HEAD, after, 8 * run->key_words);
    else
        memset(payload + RUN_HEAD, 0, 8 * run->key_words);
    uint8_t *at = payload + RUN_HEAD + 8 * run->key_words;
    at = count == 0 ? at : put_keys(at, run, count, front);
    at = put_distances(at, run->distances, count, width);
    assert((size_t)(at - payload) <= payload_max);
    *taken = count;
    return (size_t)(at - payload);
}

bool run_parse(const uint8_t *payload, size_t length, struct run_view *view)
{
    if (length < RUN_HEAD)
        return false;
    unsigned words = payload[0];
    unsigned width = payload[1];
    unsigned front = payload[2];
    size_t count = bytes_u32(payload + 4);
    bool known = run_words_known(words) && (width == 1 || width == 2 || width == 4) && front <= 8 * words;
    if (!known || payload[3] != 0)
        return false;
    size_t key_bytes = 8u * words;
    size_t whole = RUN_HEAD + key_bytes + front + count * (key_bytes - front + width);
    if (count > RUN_KEYS_MAX || length != whole)
        return false;
    view->words = words;
    view->distance_bytes = width;
    view->prefix = front;
    view->rest = 8 * words - front;
    view->count = count;
    view->after = payload + RUN_HEAD;
    view->front = view->after + key_bytes;
    view->keys = view->front + front;
    view->distances = view->keys + count * view->rest;
    assert(view->distances + count * width == payload + length);
    return true;
}

bool run_covers(const struct run_view *view, const uint8_t *key)
{
    static const uint8_t zeros[8 * RUN_WORDS_MAX];
    size_t bytes = 8u * view->words;
    return memcmp(view->after, key, bytes) < 0 || memcmp(view->after, zeros, bytes) == 0;
}

static uint32_t distance_at(const struct run_view *view, size_t i)
{
    if (view->distance_bytes == 1)
        return view->distances[i];
    if (view->distance_bytes == 4)
        return bytes_u32(view->distances + 4 * i);
    return (uint32_t)view->distances[2 * i] << 8 | view->distances[2 * i + 1];
}

bool run_find(const struct run_view *view, const uint8_t *key, uint32_t *distance)
{
    assert(run_covers(view, key));
    if (memcmp(view->front, key, view->prefix) != 0)
        return false;
    size_t low = 0, high = view->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = memcmp(view->keys + middle * view->rest, key + view->prefix, view->rest);
        if (order == 0) {
            *distance = distance_at(view, middle);
            return true;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* Returns the next key from i on that is at the distance, or count. */
static size_t next_at(const struct run_view *view, size_t i, uint32_t distance)
{
    if (distance == EXPLORE_ANY_DISTANCE)
        return i;
    if (view->distance_bytes == 1) { /* most of a scan for one level */
        const uint8_t *found =
            distance > UINT8_MAX ? NULL : memchr(view->distances + i, (int)distance, view->count - i);
        return found != NULL ? (size_t)(found - view->distances) : view->count;
    }
    while (i < view->count && distance_at(view, i) != distance)
        i++;
    return i;
}

size_t run_decode(const struct run_view *view, uint32_t distance, uint64_t *keys, uint32_t *distances)
{
    uint8_t key[8 * RUN_WORDS_MAX];
    size_t count = 0;
    assert(view->words <= RUN_WORDS_MAX && view->prefix + view->rest == 8 * view->words);
    memcpy(key, view->front, view->prefix);
    for (size_t i = next_at(view, 0, distance); i < view->count; i = next_at(view, i + 1, distance)) {
        memcpy(key + view->prefix, view->keys + i * view->rest, view->rest);
        for (unsigned word = 0; word < view->words; word++)
            keys[count * view->words + word] = bytes_u64(key + 8u * word);
        distances[count++] = distance_at(view, i);
    }
    return count;
}

__attribute__((unused)) static bool batch_is_sound(const struct piece_batch *batch)
{
    return batch->used <= batch->most && batch->most <= batch->room &&
           (batch->bytes == NULL) == (batch->room == 0);
}

uint8_t *piece_batch_place(struct piece_batch *batch, const struct key *key, size_t length, size_t room)
{
    const size_t end = batch->used + piece_batch_entry(key, length);
    assert(!batch->in_flight && batch_is_sound(batch));
    if (batch->room < end) {
        uint8_t *grown = realloc(batch->bytes, end > room ? end : room);
        if (grown == NULL)
            return NULL;
        batch->bytes = grown;
        batch->room = end > room ? end : room;
    }
    uint8_t *at = batch->bytes + batch->used;
    batch->used = end;
    if (batch->used > batch->most)
        batch->most = batch->used;
    at[0] = key->length;
    memcpy(at + 1, key->bytes, key->length);
    bytes_put_u64(at + 1 + key->length, length);
    assert(batch_is_sound(batch));
    return batch->bytes + end - length;
}

/* ---- on the writer thread ---- */

static int put_piece(MDB_txn *txn, MDB_dbi pieces, MDB_val *key, MDB_val *value)
{
    /* A single writer appends. Of several, only the newest table's appends; the others insert. No piece is
     * written twice: keys ascend. */
    int code = mdb_put(txn, pieces, key, value, MDB_APPEND);
    return code == MDB_KEYEXIST ? mdb_put(txn, pieces, key, value, MDB_NOOVERWRITE) : code;
}

static int apply_batch(void *context, MDB_txn *txn, struct pz_error *error)
{
    (void)error;
    const struct piece_batch *batch = context;
    MDB_dbi pieces = batch->environment->databases[DATABASE_PIECES];
    uint8_t *at = batch->bytes;
    uint8_t *end = batch->bytes + batch->used;
    int code = 0;
    while (at < end && code == 0) {
        MDB_val key = {.mv_size = at[0], .mv_data = at + 1};
        at += 1 + key.mv_size;
        MDB_val value = {.mv_size = bytes_u64(at), .mv_data = at + 8};
        at += 8 + value.mv_size;
        code = put_piece(txn, pieces, &key, &value);
    }
    assert(at <= end && (code != 0 || at == end));
    return code;
}

/* ---- by the owner ---- */

enum pz_status piece_batch_submit(struct piece_batch *batch, struct writer *writer, struct pz_error *error)
{
    assert(!batch->in_flight && batch->used > 0);
    struct operation *operation = operation_applying(OPERATION_LARGE, apply_batch, batch, batch->used);
    awaited_begin(&batch->awaited);
    enum pz_status status = writer_submit(writer, operation, &batch->awaited.ack, error);
    if (status != PZ_OK)
        return awaited_end(&batch->awaited, status, NULL);
    batch->in_flight = true;
    return PZ_OK;
}

enum pz_status piece_batch_await(struct piece_batch *batch, struct pz_error *error)
{
    if (!batch->in_flight)
        return PZ_OK;
    enum pz_status status = awaited_end(&batch->awaited, PZ_OK, error);
    batch->in_flight = false;
    batch->used = 0;
    return status;
}
