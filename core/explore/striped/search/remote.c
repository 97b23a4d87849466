/* SPDX-License-Identifier: MIT */
#include "explore/striped/search/search_parts.h"

#include <assert.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum {
    MESSAGE_BYTES = 64 << 10, /* of a full message */
    WAITING_MESSAGES = 16     /* full ones that wait for one rank before a worker that has more waits */
};

/* A parcel is this, then its keys, then, with tokens apart, its tokens. */
struct partition_parcel {
    uint32_t partition, count;
};

static unsigned remote_rank_of(const struct remote *remote, unsigned partition)
{
    return (unsigned)((uint64_t)partition * remote->exchange->ranks >> remote->partition_bits);
}

unsigned remote_rank(const struct remote *remote, const uint64_t *key)
{
    return remote_rank_of(remote, remote_partition(remote, key));
}

/* The first partition of a rank. */
static unsigned first_of(const struct remote *remote, unsigned rank)
{
    uint64_t ranks = remote->exchange->ranks;
    return (unsigned)((((uint64_t)rank << remote->partition_bits) + ranks - 1) / ranks);
}

static const char *take_parcel(void *context, unsigned from, const uint8_t *bytes, size_t length);

static bool open_post(struct search *search)
{
    struct remote *remote = &search->remote;
    const uint64_t bytes = mailbox_bytes(remote->exchange, MESSAGE_BYTES);
    const struct mailbox_options options = {.exchange = remote->exchange,
                                            .kind = FRAME_SUCCESSORS,
                                            .message = MESSAGE_BYTES,
                                            .reasons = HALT_LEVELS,
                                            .deliver = take_parcel,
                                            .context = search};
    if (!budget_take(search->searchers->budget, bytes))
        return false;
    remote->budget = search->searchers->budget;
    return mailbox_new(&options, &remote->mailbox, NULL) == PZ_OK;
}

bool remote_init(struct search *search, const struct exchange *exchange, unsigned partitions)
{
    struct remote *remote = &search->remote;
    *remote = (struct remote){.count = UINT32_MAX};
    if (exchange == NULL)
        return true;
    remote->out = calloc(exchange->ranks, sizeof *remote->out);
    if (remote->out == NULL)
        return false;
    remote->exchange = exchange;
    remote->partition_bits = (unsigned)__builtin_ctz(partitions);
    assert(exchange->rank < exchange->ranks);
    remote->first = first_of(remote, exchange->rank);
    remote->count = first_of(remote, exchange->rank + 1) - remote->first;
    remote->full = (uint32_t)(MESSAGE_BYTES / search->searchers->pool.chunk_bytes);
    for (unsigned i = 0; i < exchange->ranks; i++)
        inbox_init(&remote->out[i].inbox);
    return open_post(search);
}

void remote_clear(struct remote *remote)
{
    for (unsigned i = 0; remote->exchange != NULL && i < remote->exchange->ranks; i++)
        inbox_clear(&remote->out[i].inbox);
    if (remote->budget != NULL)
        budget_give(remote->budget, mailbox_bytes(remote->exchange, MESSAGE_BYTES));
    mailbox_free(remote->mailbox);
    free(remote->out);
    memset(remote, 0, sizeof *remote);
}

/* ---- sending ---- */

static size_t parcel_bytes(const struct search *search, uint32_t count)
{
    return sizeof(struct partition_parcel) + count * search->words * sizeof(uint64_t) +
           (search->visited->tokens_apart ? count : 0);
}

static void put_parcel(const struct search *search, struct chunk *chunk, uint8_t *to)
{
    struct partition_parcel parcel = {.partition = chunk->batch, .count = chunk->count};
    size_t keys = chunk->count * search->words * sizeof(uint64_t);
    memcpy(to, &parcel, sizeof parcel);
    memcpy(to + sizeof parcel, chunk->keys, keys);
    if (search->visited->tokens_apart)
        memcpy(to + sizeof parcel + keys, chunk_tokens(&search->searchers->pool, chunk), chunk->count);
}

/* Returns about how many chunks wait for a rank: pushed chunks may be counted only after they were taken. */
static int64_t waiting(const struct outgoing *out)
{
    return (int64_t)out->taken_chunks +
           (int32_t)atomic_load_explicit(&out->inbox.height, memory_order_relaxed);
}

/* Returns the next chunk to be sent, which stays the first of those taken; NULL when there is none. */
static struct chunk *next_chunk(struct outgoing *out)
{
    if (out->taken != NULL)
        return out->taken;
    out->taken = inbox_take(&out->inbox); /* without the lock: only the owner takes */
    for (const struct chunk *chunk = out->taken; chunk != NULL; chunk = chunk->next)
        out->taken_chunks++;
    return out->taken;
}

/* Sends the chunks that wait for a rank: all of them, or as many as can be sent without waiting. Drops them
 * if the level is given up. Returns true if any was sent or dropped. */
static bool send_chunks(struct search *search, unsigned to, bool all)
{
    struct mailbox *mailbox = search->remote.mailbox;
    struct outgoing *out = &search->remote.out[to];
    bool moved = false;
    for (struct chunk *chunk; (chunk = next_chunk(out)) != NULL; moved = true) {
        const size_t bytes = parcel_bytes(search, chunk->count);
        if (!search_halted(search)) {
            if (!all && !mailbox_has_room(mailbox, to, bytes))
                break;
            put_parcel(search, chunk, mailbox_send(mailbox, to, bytes));
        }
        assert(out->taken_chunks > 0);
        out->taken = chunk->next;
        out->taken_chunks--;
        worker_give(&search->searchers->workers[0], chunk);
    }
    return moved;
}

/* ---- receiving ---- */

/* Reads a key of a parcel. Those of entries lack the top bits, which are their partition's. */
static void remote_read_key(const struct search *search, unsigned partition, const uint8_t *bytes,
                            uint64_t *key)
{
    const uint64_t top =
        (uint64_t)partition << 1 << (63 - search->remote.partition_bits) & ~(UINT64_MAX >> 8);
    memcpy(key, bytes, search->words * sizeof *key);
    if (!search->visited->tokens_apart)
        key[0] = key[0] >> ENTRY_TOKEN_BITS | top;
}

/* Returns what is wrong with the states of a parcel. */
static const char *states_fault(const struct search *search, const struct partition_parcel *parcel,
                                const uint8_t *keys)
{
    const size_t key_bytes = search->words * sizeof(uint64_t);
    for (uint32_t i = 0; i < parcel->count; i++) {
        uint64_t key[KEY_WORDS_MAX];
        remote_read_key(search, parcel->partition, keys + i * key_bytes, key);
        if (remote_partition(&search->remote, key) != parcel->partition)
            return "states that are not of their stripe";
        if (!searchers_know(search->searchers, key, i == 0))
            return "a state that the puzzle does not have";
    }
    return NULL;
}

/* Returns what is wrong with a parcel; NULL if it is valid. */
static const char *remote_parcel_fault(const struct search *search, const struct partition_parcel *parcel,
                                       const uint8_t *keys, size_t length)
{
    const struct remote *remote = &search->remote;
    if (parcel->partition - remote->first >= remote->count)
        return "states of a stripe that is not this rank's";
    if (parcel->count == 0 || parcel->count > MESSAGE_BYTES || length != parcel_bytes(search, parcel->count))
        return "states that are cut";
    return states_fault(search, parcel, keys);
}

/* Puts keys and their tokens into the owner's bucket of their partition. Returns false when memory is spent.
 */
static bool fill_bucket(struct search *search, const struct partition_parcel *parcel, const uint8_t *keys)
{
    struct searcher *owner = &search->searchers->workers[0];
    struct bucket *bucket = &owner->buckets[parcel->partition];
    unsigned words = search->words;
    size_t room = search_bucket_room(search);
    assert(!remote_has(&search->remote, parcel->partition) &&
           parcel->partition < search->searchers->partitions);
    const uint8_t *tokens = keys + parcel->count * words * sizeof(uint64_t);
    for (size_t left = parcel->count; left > 0;) {
        if (bucket->next == NULL && !bucket_open(owner, bucket, room))
            return false;
        size_t fits = (size_t)(bucket->end - bucket->next) / words;
        size_t count = left < fits ? left : fits;
        memcpy(bucket->next, keys, count * words * sizeof(uint64_t));
        if (search->visited->tokens_apart)
            memcpy((uint8_t *)bucket->end + room / words - fits, tokens, count);
        keys += count * words * sizeof(uint64_t);
        tokens += count;
        left -= count;
        bucket->next += count * words;
        if (bucket->next == bucket->end &&
            !search->visited->add(search, owner, parcel->partition, bucket_close(bucket, room, words)))
            return false;
    }
    return true;
}

static const char *take_parcel(void *context, unsigned from, const uint8_t *bytes, size_t length)
{
    struct search *search = context;
    struct partition_parcel parcel;
    (void)from;
    if (length < sizeof parcel)
        return "states that are cut";
    memcpy(&parcel, bytes, sizeof parcel);
    const char *fault = remote_parcel_fault(search, &parcel, bytes + sizeof parcel, length);
    if (fault == NULL && !search_halted(search) && !fill_bucket(search, &parcel, bytes + sizeof parcel))
        search_halt(search, HALT_MEMORY);
    return fault;
}

/* Delivers what has come in. Returns false if nothing has. */
static bool receive(struct search *search)
{
    const struct remote *remote = &search->remote;
    bool moved = mailbox_receive(remote->mailbox);
    const uint32_t reason = mailbox_given_up(remote->mailbox);
    if (reason != 0)
        search_halt(search, (enum halt)reason);
    return moved;
}

bool remote_work(struct search *search)
{
    struct remote *remote = &search->remote;
    const struct exchange *exchange = remote->exchange;
    bool moved = false;
    for (unsigned i = 1; i < exchange->ranks; i++) {
        unsigned to = (exchange->rank + i) % exchange->ranks;
        if (waiting(&remote->out[to]) >= (int64_t)remote->full)
            moved |= send_chunks(search, to, false);
    }
    return receive(search) || moved;
}

static void work_or_rest(struct search *search)
{
    const struct exchange *exchange = search->remote.exchange;
    if (!remote_work(search))
        exchange->rest(exchange->context);
}

void remote_push(struct search *search, struct searcher *worker, unsigned partition, struct chunk *chunk)
{
    struct remote *remote = &search->remote;
    struct outgoing *out = &remote->out[remote_rank_of(remote, partition)];
    bool owner = worker == search->searchers->workers;
    assert(remote_has(remote, partition) && chunk->count > 0);
    chunk->batch = partition;
    int32_t height = (int32_t)inbox_push(&out->inbox, chunk, chunk, 1);
    if (owner && height >= (int32_t)remote->full)
        (void)remote_work(search);
    while (height >= (int32_t)remote->full * WAITING_MESSAGES && !search_halted(search)) {
        if (owner)
            work_or_rest(search); /* also receives messages, so that no two ranks wait for each other */
        else
            (void)sched_yield();
        height = (int32_t)atomic_load_explicit(&out->inbox.height, memory_order_relaxed);
    }
}

/* ---- the end of a level ---- */

void remote_meet(struct search *search, struct searcher *worker)
{
    struct remote *remote = &search->remote;
    const unsigned ranks = remote->exchange->ranks;
    if (worker != search->searchers->workers) {
        /* Release: the owner sees what was pushed before. */
        (void)atomic_fetch_add_explicit(&remote->flushed, 1, memory_order_release);
        return;
    }
    while (atomic_load_explicit(&remote->flushed, memory_order_acquire) + 1 < search->working)
        work_or_rest(search);
    for (unsigned i = 1; i < ranks; i++)
        (void)send_chunks(search, (remote->exchange->rank + i) % ranks, true);
    mailbox_end(remote->mailbox, (uint32_t)atomic_load_explicit(&search->halt, memory_order_relaxed));
}

/* Adds a rank's number to a sum. Ends all ranks if the sum would overflow. */
static void add_told(const struct exchange *exchange, unsigned rank, uint64_t number, uint64_t *sum)
{
    if (number > INT64_MAX || __builtin_add_overflow(*sum, number, sum) || *sum > INT64_MAX)
        frame_fail(exchange, rank, "more states than can be");
}

enum halt remote_settle(struct search *search, const struct rank_level *own)
{
    struct remote *remote = &search->remote;
    const struct exchange *exchange = remote->exchange;
    const struct rank_level *levels = frame_gather(exchange, FRAME_LEVEL, own, sizeof *own);
    enum halt halt = HALT_NONE;
    uint64_t found = 0, states = remote->states;
    for (unsigned i = 0; i < exchange->ranks; i++) {
        if (levels[i].halt > HALT_LEVELS)
            frame_fail(exchange, i, "an unknown reason to halt");
        if (halt == HALT_NONE)
            halt = (enum halt)levels[i].halt;
        if (i == exchange->rank)
            continue;
        add_told(exchange, i, levels[i].found, &found);
        add_told(exchange, i, levels[i].found, &states);
        add_told(exchange, i, levels[i].generated, &remote->generated);
        add_told(exchange, i, levels[i].expanded, &remote->expanded);
    }
    if (halt != HALT_NONE)
        return halt;
    remote->previous_states = remote->frontier_states;
    remote->frontier_states = found;
    remote->states = states;
    return halt;
}
