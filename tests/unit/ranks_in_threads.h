/* SPDX-License-Identifier: MIT */
/* The ranks of one exploration as threads of this process. In their exchange, of queues, messages overtake
 * each other, and few are on the way at a time. What a rank sends can be forged. A rank that fails ends the
 * process, as MPI_Abort ends all processes. */
#ifndef RANKS_IN_THREADS_H
#define RANKS_IN_THREADS_H

#include "explore/exchange/exchange.h"
#include "test_support.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

enum { RANKS_MAX = 8, ON_THE_WAY = 3, GATHER_MAX = 256 << 10 };

struct message {
    struct message *next;
    size_t bytes;
    unsigned from;
    _Atomic unsigned *on_the_way; /* of its sender */
    _Alignas(16) unsigned char text[EXCHANGE_MESSAGE];
};

struct hub;

/* Changes what a rank gives: a message, or its part at a gathering. number: how many of these it gave before.
 */
typedef void forge(void *context, unsigned rank, unsigned number, unsigned char *bytes, size_t *length);

enum { RANK_FAILED = 77 /* exit status */ };

struct rank {
    struct hub *hub;
    struct exchange exchange;
    struct message *room, *read; /* the one being written, the one being read */
    _Atomic unsigned on_the_way;
    unsigned sent, gathers;
    pthread_mutex_t lock; /* guards came */
    struct message *came; /* a stack: the last one is read first */
    unsigned char *gathered;
};

struct hub {
    struct rank ranks[RANKS_MAX];
    unsigned count;
    pthread_barrier_t barrier;
    const void *given[RANKS_MAX];
    forge *forge_message, *forge_part; /* NULL: nothing is forged */
    void *forge_context;
};

static void *rank_room(void *context)
{
    struct rank *rank = context;
    if (rank->room == NULL && atomic_load(&rank->on_the_way) < ON_THE_WAY)
        rank->room = malloc(sizeof *rank->room);
    return rank->room == NULL ? NULL : rank->room->text;
}

static void rank_send(void *context, unsigned to, size_t bytes)
{
    struct rank *rank = context;
    struct rank *target = &rank->hub->ranks[to];
    struct message *message = rank->room;
    rank->room = NULL;
    message->bytes = bytes;
    message->from = rank->exchange.rank;
    if (rank->hub->forge_message != NULL)
        rank->hub->forge_message(rank->hub->forge_context, rank->exchange.rank, rank->sent, message->text,
                                 &message->bytes);
    rank->sent++;
    message->on_the_way = &rank->on_the_way;
    (void)atomic_fetch_add(&rank->on_the_way, 1);
    (void)pthread_mutex_lock(&target->lock);
    message->next = target->came;
    target->came = message;
    (void)pthread_mutex_unlock(&target->lock);
}

static const void *rank_receive(void *context, unsigned *from, size_t *bytes)
{
    struct rank *rank = context;
    free(rank->read);
    (void)pthread_mutex_lock(&rank->lock);
    rank->read = rank->came;
    if (rank->read != NULL)
        rank->came = rank->read->next;
    (void)pthread_mutex_unlock(&rank->lock);
    if (rank->read == NULL)
        return NULL;
    (void)atomic_fetch_sub(rank->read->on_the_way, 1);
    *bytes = rank->read->bytes;
    *from = rank->read->from;
    return rank->read->text;
}

static void rank_rest(void *context)
{
    (void)context;
    (void)sched_yield();
}

static void *rank_gather(void *context, const void *own, size_t bytes)
{
    struct rank *rank = context;
    struct hub *hub = rank->hub;
    assert_true(bytes <= GATHER_MAX);
    hub->given[rank->exchange.rank] = own;
    (void)pthread_barrier_wait(&hub->barrier);
    for (unsigned i = 0; i < hub->count; i++) {
        memcpy(rank->gathered + i * bytes, hub->given[i], bytes);
        if (hub->forge_part != NULL && i != rank->exchange.rank)
            hub->forge_part(hub->forge_context, i, rank->gathers, rank->gathered + i * bytes, &bytes);
    }
    rank->gathers++;
    (void)pthread_barrier_wait(&hub->barrier);
    return rank->gathered;
}

__attribute__((noreturn)) static void rank_fail(void *context, const char *text)
{
    const struct rank *rank = context;
    (void)dprintf(STDERR_FILENO, "rank %u: %s\n", rank->exchange.rank, text);
    _exit(RANK_FAILED);
}

static struct hub *hub_new(unsigned count)
{
    struct hub *hub = calloc(1, sizeof *hub);
    assert_non_null(hub);
    hub->count = count;
    assert_int_equal(pthread_barrier_init(&hub->barrier, NULL, count), 0);
    for (unsigned i = 0; i < count; i++) {
        struct rank *rank = &hub->ranks[i];
        rank->hub = hub;
        rank->exchange = (struct exchange){.context = rank,
                                           .rank = i,
                                           .ranks = count,
                                           .room = rank_room,
                                           .send = rank_send,
                                           .receive = rank_receive,
                                           .rest = rank_rest,
                                           .gather = rank_gather,
                                           .fail = rank_fail};
        rank->gathered = malloc((size_t)count * GATHER_MAX);
        assert_non_null(rank->gathered);
        assert_int_equal(pthread_mutex_init(&rank->lock, NULL), 0);
    }
    return hub;
}

/* Returns false when a message was never read. */
static bool hub_free(struct hub *hub)
{
    bool clean = true;
    for (unsigned i = 0; i < hub->count; i++) {
        struct rank *rank = &hub->ranks[i];
        clean = clean && rank->came == NULL && rank->on_the_way == 0;
        free(rank->room);
        free(rank->read);
        free(rank->gathered);
        (void)pthread_mutex_destroy(&rank->lock);
    }
    (void)pthread_barrier_destroy(&hub->barrier);
    free(hub);
    return clean;
}

#endif
