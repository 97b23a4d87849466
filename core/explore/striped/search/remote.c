/* SPDX-License-Identifier: MIT */
#include "explore/striped/search/search_parts.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum {
    MESSAGE_BYTES = 64 << 10, /* of a full message */
    WAITING_MESSAGES = 16     /* full ones that wait for one rank before a member that has more waits */
};

/* A message is a head, then parcels. */
struct head {
    uint32_t halt;     /* enum halt: the sender has given the level up */
    uint32_t messages; /* in the last one of a level: how many there were, this one included; else 0 */
};

/* A parcel is this, then its keys, then, with tokens apart, its tokens, up to whole words. */
struct parcel {
    uint32_t stripe, count;
};

static unsigned rank_of(const struct remote *remote, unsigned stripe)
{
    return (unsigned)((uint64_t)stripe * remote->exchange->ranks >> remote->stripe_bits);
}

unsigned remote_rank(const struct remote *remote, const uint64_t *key)
{
    return rank_of(remote, remote_stripe(remote, key));
}

/* The first stripe of a rank. */
static unsigned first_of(const struct remote *remote, unsigned rank)
{
    uint64_t ranks = remote->exchange->ranks;
    return (unsigned)((((uint64_t)rank << remote->stripe_bits) + ranks - 1) / ranks);
}

bool remote_init(struct remote *remote, const struct exchange *exchange, unsigned stripes,
                 const struct pool *pool)
{
    *remote = (struct remote){.count = UINT32_MAX};
    if (exchange == NULL)
        return true;
    remote->out = calloc(exchange->ranks, sizeof *remote->out);
    if (remote->out == NULL)
        return false;
    remote->exchange = exchange;
    remote->stripe_bits = (unsigned)__builtin_ctz(stripes);
    remote->first = first_of(remote, exchange->rank);
    remote->count = first_of(remote, exchange->rank + 1) - remote->first;
    remote->full = (uint32_t)(MESSAGE_BYTES / pool->chunk_bytes);
    for (unsigned i = 0; i < exchange->ranks; i++)
        inbox_init(&remote->out[i].inbox);
    return true;
}

void remote_clear(struct remote *remote)
{
    for (unsigned i = 0; remote->exchange != NULL && i < remote->exchange->ranks; i++)
        inbox_clear(&remote->out[i].inbox);
    free(remote->out);
    memset(remote, 0, sizeof *remote);
}

void remote_begin(struct search *search)
{
    struct remote *remote = &search->remote;
    if (remote->exchange == NULL)
        return;
    for (unsigned i = 0; i < remote->exchange->ranks; i++)
        remote->out[i].messages = 0;
    remote->ended = 0;
    remote->received = remote->expected = 0;
    atomic_store_explicit(&remote->flushed, 0, memory_order_relaxed);
}

/* ---- sending ---- */

static size_t tokens_bytes(const struct search *search, uint32_t count)
{
    return search->visited->tokens_apart ? (count + 7u) / 8 * 8 : 0;
}

static size_t parcel_bytes(const struct search *search, uint32_t count)
{
    return sizeof(struct parcel) + count * search->words * sizeof(uint64_t) + tokens_bytes(search, count);
}

static void put_parcel(const struct search *search, struct chunk *chunk, unsigned char *to)
{
    struct parcel parcel = {.stripe = chunk->batch, .count = chunk->count};
    size_t keys = chunk->count * search->words * sizeof(uint64_t);
    memcpy(to, &parcel, sizeof parcel);
    memcpy(to + sizeof parcel, chunk->keys, keys);
    if (search->visited->tokens_apart)
        memcpy(to + sizeof parcel + keys, chunk_tokens(&search->crew->pool, chunk), chunk->count);
}

/* Returns how many chunks wait for a rank, or a few more or fewer: those that were pushed may be counted
 * after they were taken. */
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

/* Sends one message of what waits for a rank, as the last one of the level if that is all and `ends` allows
 * it. Returns false, with nothing sent, while there is no room for one. */
static bool send_message(struct search *search, unsigned to, bool ends)
{
    const struct exchange *exchange = search->remote.exchange;
    struct outgoing *out = &search->remote.out[to];
    struct crew_member *owner = &search->crew->members[0];
    unsigned char *message = exchange->room(exchange->context);
    if (message == NULL)
        return false;
    struct head head = {.halt = (uint32_t)atomic_load_explicit(&search->halt, memory_order_relaxed)};
    size_t bytes = sizeof head;
    struct chunk *chunk;
    while ((chunk = next_chunk(out)) != NULL) {
        size_t more = head.halt == HALT_NONE ? parcel_bytes(search, chunk->count) : 0;
        if (bytes + more > MESSAGE_BYTES)
            break;
        if (more > 0)
            put_parcel(search, chunk, message + bytes);
        bytes += more;
        out->taken = chunk->next;
        out->taken_chunks--;
        member_give(owner, chunk);
    }
    out->messages++;
    if (ends && chunk == NULL)
        head.messages = out->messages;
    memcpy(message, &head, sizeof head);
    exchange->send(exchange->context, to, bytes);
    return true;
}

/* ---- receiving ---- */

/* Puts a parcel into the owner's bucket of its stripe. Returns false when memory is spent. */
static bool take_parcel(struct search *search, const struct parcel *parcel, const unsigned char *keys)
{
    struct crew_member *owner = &search->crew->members[0];
    struct bucket *bucket = &owner->buckets[parcel->stripe];
    unsigned words = search->words;
    size_t room = search_bucket_room(search);
    const unsigned char *tokens = keys + parcel->count * words * sizeof(uint64_t);
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
            !search->visited->add(search, owner, parcel->stripe, bucket_close(bucket, room, words)))
            return false;
    }
    return true;
}

static void take_message(struct search *search, const unsigned char *message, size_t bytes)
{
    struct remote *remote = &search->remote;
    struct head head;
    memcpy(&head, message, sizeof head);
    remote->received++;
    remote->expected += head.messages;
    remote->ended += head.messages > 0;
    if (head.halt != HALT_NONE)
        search_halt(search, (enum halt)head.halt);
    for (size_t at = sizeof head; at < bytes && !search_halted(search);) {
        struct parcel parcel;
        memcpy(&parcel, message + at, sizeof parcel);
        if (!take_parcel(search, &parcel, message + at + sizeof parcel))
            search_halt(search, HALT_MEMORY);
        at += parcel_bytes(search, parcel.count);
    }
}

bool remote_work(struct search *search)
{
    struct remote *remote = &search->remote;
    const struct exchange *exchange = remote->exchange;
    bool moved = false;
    for (unsigned i = 1; i < exchange->ranks; i++) {
        unsigned to = (exchange->rank + i) % exchange->ranks;
        while (waiting(&remote->out[to]) >= (int64_t)remote->full && send_message(search, to, false))
            moved = true;
    }
    const void *message;
    size_t bytes;
    while ((message = exchange->receive(exchange->context, &bytes)) != NULL) {
        take_message(search, message, bytes);
        moved = true;
    }
    return moved;
}

static void work_or_rest(struct search *search)
{
    const struct exchange *exchange = search->remote.exchange;
    if (!remote_work(search))
        exchange->rest(exchange->context);
}

void remote_push(struct search *search, struct crew_member *member, unsigned stripe, struct chunk *chunk)
{
    struct remote *remote = &search->remote;
    struct outgoing *out = &remote->out[rank_of(remote, stripe)];
    bool owner = member == search->crew->members;
    chunk->batch = stripe;
    inbox_push(&out->inbox, chunk, chunk);
    int32_t height = (int32_t)inbox_count(&out->inbox, 1);
    if (owner && height >= (int32_t)remote->full)
        (void)remote_work(search);
    while (height >= (int32_t)remote->full * WAITING_MESSAGES && !search_halted(search)) {
        if (owner)
            work_or_rest(search); /* which also takes messages, so that no two ranks wait for each other */
        else
            (void)sched_yield();
        height = (int32_t)atomic_load_explicit(&out->inbox.height, memory_order_relaxed);
    }
}

/* ---- the end of a level ---- */

/* Sends what is left for a rank, and tells it that this is all. */
static void end_sending(struct search *search, unsigned to)
{
    struct outgoing *out = &search->remote.out[to];
    bool ended = false;
    while (!ended) {
        while (!send_message(search, to, true))
            work_or_rest(search);
        ended = out->taken == NULL && inbox_is_empty(&out->inbox);
    }
}

void remote_meet(struct search *search, struct crew_member *member)
{
    struct remote *remote = &search->remote;
    unsigned ranks = remote->exchange->ranks;
    if (member != search->crew->members) {
        /* Release: the owner sees what was pushed before. */
        (void)atomic_fetch_add_explicit(&remote->flushed, 1, memory_order_release);
        return;
    }
    while (atomic_load_explicit(&remote->flushed, memory_order_acquire) + 1 < search->workers)
        work_or_rest(search);
    for (unsigned i = 1; i < ranks; i++)
        end_sending(search, (remote->exchange->rank + i) % ranks);
    while (remote->ended + 1 < ranks || remote->received < remote->expected)
        work_or_rest(search);
}

enum halt remote_settle(struct search *search, const struct rank_level *own)
{
    struct remote *remote = &search->remote;
    const struct exchange *exchange = remote->exchange;
    const struct rank_level *levels = exchange->gather(exchange->context, own, sizeof *own);
    enum halt halt = HALT_NONE;
    uint64_t found = 0;
    for (unsigned i = 0; i < exchange->ranks; i++) {
        if (halt == HALT_NONE)
            halt = (enum halt)levels[i].halt;
        if (i == exchange->rank)
            continue;
        found += levels[i].found;
        remote->generated += levels[i].generated;
        remote->expanded += levels[i].expanded;
    }
    if (halt != HALT_NONE)
        return halt;
    remote->previous_states = remote->frontier_states;
    remote->frontier_states = found;
    remote->states += found;
    return halt;
}
