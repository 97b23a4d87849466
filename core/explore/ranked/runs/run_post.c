/* SPDX-License-Identifier: MIT */
#include "explore/ranked/runs/run_post.h"

#include "explore/exchange/mailbox.h"
#include "explore/ranked/runs/run_packet.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEAST_ROOM = 256 << 10, /* bytes for what comes in a round, where the last level takes so many */
    STATES_A_ROOM = 4,      /* and else a part of what the rank's own states take, */
    MOST_ROOM = 1 << 30,    /* but no more */
    LEAST_MESSAGE = 64 << 10
};

/* Before the bytes of a packet. */
struct run_parcel {
    uint32_t run;
};

struct run_post {
    struct mailbox *mailbox;
    const struct exchange *exchange;
    const struct pz_runs *runs;
    struct run_shape shape;
    struct run_share share;
    uint8_t *packet; /* that is sent */

    /* By rank. */
    bool *needs;    /* the run that run_post_has_room was asked for */
    uint64_t *sent; /* runs in this round */
    uint64_t *came; /* as above */

    /* Rooms for runs that come; the states of one lie as those of a level 0, and all others as unreached. */
    uint64_t rooms; /* for each other rank */
    uint64_t used;  /* of all rooms */
    uint64_t *levels;
    uint64_t *marks;  /* of any of them: all words may have states */
    uint64_t *run_in; /* by room */
    uint32_t *found;  /* by room */
    uint32_t *room;   /* by run: 1 more than its room's number; 0 for none */
};

/* ---- life ---- */

static uint64_t all_rooms(const struct exchange *exchange, uint64_t rooms)
{
    return rooms * (exchange->ranks - 1);
}

uint64_t run_post_rooms(const struct exchange *exchange, const struct pz_runs *runs)
{
    const struct run_shape shape = run_shape_of(runs);
    const uint64_t others = exchange->ranks - 1;
    const uint64_t most = (runs->outers + exchange->ranks - 1) / exchange->ranks; /* of one rank */
    const uint64_t room = shape.run_words * sizeof(uint64_t);
    uint64_t bytes = most * room / STATES_A_ROOM;
    bytes = bytes < LEAST_ROOM ? LEAST_ROOM : bytes > MOST_ROOM ? MOST_ROOM : bytes;
    const uint64_t rooms = bytes / room / others;
    return rooms < 1 ? 1 : rooms < most ? rooms : most;
}

static size_t message_bytes(const struct run_shape *shape)
{
    const size_t least = MAILBOX_HEAD + sizeof(struct run_parcel) + run_packet_most(shape);
    return least < LEAST_MESSAGE ? LEAST_MESSAGE : (least + 7) / 8 * 8;
}

uint64_t run_post_bytes(const struct exchange *exchange, const struct pz_runs *runs)
{
    const struct run_shape shape = run_shape_of(runs);
    const uint64_t room = shape.run_words * sizeof(uint64_t) + sizeof(uint64_t) + sizeof(uint32_t);
    return sizeof(struct run_post) + mailbox_bytes(exchange, message_bytes(&shape)) +
           run_packet_most(&shape) + exchange->ranks * (sizeof(bool) + 2 * sizeof(uint64_t)) +
           all_rooms(exchange, run_post_rooms(exchange, runs)) * room + runs->outers * sizeof(uint32_t);
}

static mailbox_deliver deliver;

static bool make_rooms(struct run_post *post)
{
    const uint64_t all = all_rooms(post->exchange, post->rooms);
    const size_t mark_bytes = post->shape.run_words * WORD_STATES / BLOCK_STATES * sizeof(uint64_t);
    post->needs = calloc(post->exchange->ranks, sizeof *post->needs);
    post->sent = calloc(post->exchange->ranks, sizeof *post->sent);
    post->came = calloc(post->exchange->ranks, sizeof *post->came);
    post->packet = malloc(run_packet_most(&post->shape));
    post->levels = malloc(all * post->shape.run_words * sizeof *post->levels);
    post->marks = malloc(mark_bytes);
    post->run_in = malloc(all * sizeof *post->run_in);
    post->found = malloc(all * sizeof *post->found);
    post->room = calloc(post->runs->outers, sizeof *post->room);
    if (post->marks != NULL)
        memset(post->marks, 0xFF, mark_bytes);
    return post->needs != NULL && post->sent != NULL && post->came != NULL && post->packet != NULL &&
           post->levels != NULL && post->marks != NULL && post->run_in != NULL && post->found != NULL &&
           post->room != NULL;
}

enum pz_status run_post_new(const struct exchange *exchange, const struct pz_runs *runs,
                            struct run_post **out, struct pz_error *error)
{
    struct run_post *post = calloc(1, sizeof *post);
    assert(exchange->ranks > 1 && runs->outers <= RUN_POST_RUNS);
    if (post == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for runs of other ranks");
    *post = (struct run_post){.exchange = exchange,
                              .runs = runs,
                              .shape = run_shape_of(runs),
                              .share = {exchange->rank, exchange->ranks},
                              .rooms = run_post_rooms(exchange, runs)};
    const struct mailbox_options options = {.exchange = exchange,
                                            .kind = FRAME_RUNS,
                                            .message = message_bytes(&post->shape),
                                            .deliver = deliver,
                                            .context = post};
    enum pz_status status = make_rooms(post) ? mailbox_new(&options, &post->mailbox, error)
                                             : pz_fail(error, PZ_MEMORY, "no memory for runs of other ranks");
    if (status != PZ_OK) {
        run_post_free(post);
        return status;
    }
    *out = post;
    return PZ_OK;
}

void run_post_free(struct run_post *post)
{
    if (post == NULL)
        return;
    mailbox_free(post->mailbox);
    free(post->needs);
    free(post->sent);
    free(post->came);
    free(post->packet);
    free(post->levels);
    free(post->marks);
    free(post->run_in);
    free(post->found);
    free(post->room);
    free(post);
}

/* ---- receiving ---- */

/* Returns true if a move leads from a run to one of a rank's. */
static bool leads_to(const struct run_post *post, uint64_t run, unsigned rank)
{
    struct pz_edge edge;
    for (unsigned move = 0; move < post->runs->moves; move++) {
        post->runs->edge(post->runs, move, run, &edge);
        if (edge.outer != PZ_NO_RUN && run_share_owner(post->share, edge.outer) == rank)
            return true;
    }
    return false;
}

static const char *parcel_fault(const struct run_post *post, unsigned from, uint64_t run)
{
    if (run >= post->runs->outers || run_share_owner(post->share, run) != from)
        return "states of a run that is not its own";
    if (!leads_to(post, run, post->share.rank))
        return "states from which no move leads here";
    if (post->room[run] > 0)
        return "states of a run twice";
    return post->came[from] == post->rooms ? "more runs than a round has" : NULL;
}

static const char *deliver(void *context, unsigned from, const uint8_t *bytes, size_t length)
{
    struct run_post *post = context;
    struct run_parcel parcel;
    if (length < sizeof parcel)
        return "states of a run that are cut";
    memcpy(&parcel, bytes, sizeof parcel);
    const char *fault = parcel_fault(post, from, parcel.run);
    if (fault != NULL)
        return fault;
    const uint64_t room = post->used;
    uint64_t *levels = post->levels + room * post->shape.run_words;
    fault = run_packet_read(&post->shape, bytes + sizeof parcel, length - sizeof parcel, levels,
                            &post->found[room]);
    for (uint32_t word = 0; word < post->shape.run_words; word++)
        levels[word] = ~(levels[word] | levels[word] << 1);
    post->run_in[room] = parcel.run;
    post->room[parcel.run] = (uint32_t)room + 1;
    post->came[from]++;
    post->used++;
    return fault;
}

uint32_t run_post_found(const struct run_post *post, uint64_t run)
{
    return post->room[run] > 0 ? post->found[post->room[run] - 1] : 0;
}

struct run_source run_post_source(const struct run_post *post, uint64_t run)
{
    assert(post->room[run] > 0);
    const uint64_t *levels = post->levels + (uint64_t)(post->room[run] - 1) * post->shape.run_words;
    return (struct run_source){.levels = (const _Atomic uint64_t *)levels,
                               .marks = (const _Atomic uint64_t *)post->marks,
                               .last = 0};
}

/* ---- sending ---- */

bool run_post_has_room(struct run_post *post, uint64_t run)
{
    struct pz_edge edge;
    bool has_room = true;
    memset(post->needs, 0, post->share.ranks * sizeof *post->needs);
    for (unsigned move = 0; move < post->runs->moves; move++) {
        post->runs->edge(post->runs, move, run, &edge);
        if (edge.outer == PZ_NO_RUN)
            continue;
        const unsigned owner = run_share_owner(post->share, edge.outer);
        post->needs[owner] = owner != post->share.rank;
        has_room = has_room && post->sent[owner] < post->rooms;
    }
    return has_room;
}

void run_post_send(struct run_post *post, uint64_t run, const uint64_t *set)
{
    const struct run_parcel parcel = {(uint32_t)run};
    size_t length = 0;
    assert(run_share_owner(post->share, run) == post->share.rank);
    for (unsigned rank = 0; rank < post->share.ranks; rank++) {
        if (!post->needs[rank])
            continue;
        if (length == 0)
            length = run_packet_write(&post->shape, set, post->packet);
        uint8_t *string = mailbox_send(post->mailbox, rank, sizeof parcel + length);
        memcpy(string, &parcel, sizeof parcel);
        memcpy(string + sizeof parcel, post->packet, length);
        post->sent[rank]++;
    }
}

void run_post_end(struct run_post *post)
{
    mailbox_end(post->mailbox, 0);
}

void run_post_empty(struct run_post *post)
{
    for (uint64_t room = 0; room < post->used; room++)
        post->room[post->run_in[room]] = 0;
    post->used = 0;
    memset(post->sent, 0, post->share.ranks * sizeof *post->sent);
    memset(post->came, 0, post->share.ranks * sizeof *post->came);
}
