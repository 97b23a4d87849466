/* SPDX-License-Identifier: MIT */
#include "explore/ranked/runs/foreign_runs.h"

#include "explore/exchange/mailbox.h"
#include "explore/ranked/runs/run_packet.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* at least so many bytes for the runs of a round, if the last level takes as many */
    LEAST_ROOM = 256 << 10,
    STATES_A_ROOM = 4,   /* else this part of the bytes of the rank's own states, */
    MOST_ROOM = 1 << 30, /* but no more */
    LEAST_MESSAGE = 64 << 10
};

/* Before the bytes of a packet. */
struct run_parcel {
    uint32_t run;
};

struct foreign_runs {
    struct mailbox *mailbox;
    const struct exchange *exchange;
    const struct pz_runs *runs;
    struct run_shape shape;
    struct run_share share;
    uint8_t *packet; /* that is sent */

    /* By rank. */
    bool *needs;    /* the run that foreign_runs_has_room was asked for */
    uint64_t *sent; /* runs in this round */
    uint64_t *came; /* as above */

    /* Rooms for runs that come: their states are at level 0, all others are unreached. */
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

/* Returns how many runs of one other rank have room in a round. The number is the same at all ranks: it
 * depends on the runs and on the number of ranks. */
static uint64_t rooms_of_rank(const struct exchange *exchange, const struct pz_runs *runs)
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

uint64_t foreign_runs_bytes(const struct exchange *exchange, const struct pz_runs *runs)
{
    const struct run_shape shape = run_shape_of(runs);
    const uint64_t room = shape.run_words * sizeof(uint64_t) + sizeof(uint64_t) + sizeof(uint32_t);
    return sizeof(struct foreign_runs) + mailbox_bytes(exchange, message_bytes(&shape)) +
           run_packet_most(&shape) + run_mark_words(&shape) * sizeof(uint64_t) +
           exchange->ranks * (sizeof(bool) + 2 * sizeof(uint64_t)) +
           all_rooms(exchange, rooms_of_rank(exchange, runs)) * room + runs->outers * sizeof(uint32_t);
}

static mailbox_deliver deliver;

static bool make_rooms(struct foreign_runs *foreign)
{
    const uint64_t all = all_rooms(foreign->exchange, foreign->rooms);
    const size_t marks = run_mark_words(&foreign->shape) * sizeof *foreign->marks;
    foreign->needs = calloc(foreign->exchange->ranks, sizeof *foreign->needs);
    foreign->sent = calloc(foreign->exchange->ranks, sizeof *foreign->sent);
    foreign->came = calloc(foreign->exchange->ranks, sizeof *foreign->came);
    foreign->packet = malloc(run_packet_most(&foreign->shape));
    foreign->levels = malloc(all * foreign->shape.run_words * sizeof *foreign->levels);
    foreign->marks = malloc(marks);
    foreign->run_in = malloc(all * sizeof *foreign->run_in);
    foreign->found = malloc(all * sizeof *foreign->found);
    foreign->room = calloc(foreign->runs->outers, sizeof *foreign->room);
    if (foreign->marks != NULL)
        memset(foreign->marks, 0xFF, marks);
    return foreign->needs != NULL && foreign->sent != NULL && foreign->came != NULL &&
           foreign->packet != NULL && foreign->levels != NULL && foreign->marks != NULL &&
           foreign->run_in != NULL && foreign->found != NULL && foreign->room != NULL;
}

enum pz_status foreign_runs_new(const struct exchange *exchange, const struct pz_runs *runs,
                                struct foreign_runs **out, struct pz_error *error)
{
    struct foreign_runs *foreign = calloc(1, sizeof *foreign);
    assert(exchange->ranks > 1 && runs->outers <= FOREIGN_RUNS_MOST);
    if (foreign == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for runs of other ranks");
    *foreign = (struct foreign_runs){.exchange = exchange,
                                     .runs = runs,
                                     .shape = run_shape_of(runs),
                                     .share = {exchange->rank, exchange->ranks},
                                     .rooms = rooms_of_rank(exchange, runs)};
    const struct mailbox_options options = {.exchange = exchange,
                                            .kind = FRAME_RUNS,
                                            .message = message_bytes(&foreign->shape),
                                            .deliver = deliver,
                                            .context = foreign};
    enum pz_status status = make_rooms(foreign)
                                ? mailbox_new(&options, &foreign->mailbox, error)
                                : pz_fail(error, PZ_MEMORY, "no memory for runs of other ranks");
    if (status != PZ_OK) {
        foreign_runs_free(foreign);
        return status;
    }
    *out = foreign;
    return PZ_OK;
}

void foreign_runs_free(struct foreign_runs *foreign)
{
    if (foreign == NULL)
        return;
    mailbox_free(foreign->mailbox);
    free(foreign->needs);
    free(foreign->sent);
    free(foreign->came);
    free(foreign->packet);
    free(foreign->levels);
    free(foreign->marks);
    free(foreign->run_in);
    free(foreign->found);
    free(foreign->room);
    free(foreign);
}

/* ---- receiving ---- */

/* Returns true if a move leads from a run to one of a rank's. */
static bool leads_to(const struct foreign_runs *foreign, uint64_t run, unsigned rank)
{
    struct pz_edge edge;
    for (unsigned move = 0; move < foreign->runs->moves; move++) {
        foreign->runs->edge(foreign->runs, move, run, &edge);
        if (edge.outer != PZ_NO_RUN && run_share_owner(foreign->share, edge.outer) == rank)
            return true;
    }
    return false;
}

static const char *parcel_fault(const struct foreign_runs *foreign, unsigned from, uint64_t run)
{
    if (run >= foreign->runs->outers || run_share_owner(foreign->share, run) != from)
        return "states of a run that is not its own";
    if (!leads_to(foreign, run, foreign->share.rank))
        return "states from which no move leads here";
    if (foreign->room[run] > 0)
        return "states of a run twice";
    return foreign->came[from] == foreign->rooms ? "more runs than a round has" : NULL;
}

static const char *deliver(void *context, unsigned from, const uint8_t *bytes, size_t length)
{
    struct foreign_runs *foreign = context;
    struct run_parcel parcel;
    if (length < sizeof parcel)
        return "states of a run that are cut";
    memcpy(&parcel, bytes, sizeof parcel);
    const char *fault = parcel_fault(foreign, from, parcel.run);
    if (fault != NULL)
        return fault;
    const uint64_t room = foreign->used;
    assert(room < all_rooms(foreign->exchange, foreign->rooms));
    uint64_t *levels = foreign->levels + room * foreign->shape.run_words;
    fault = run_packet_read(&foreign->shape, bytes + sizeof parcel, length - sizeof parcel, levels,
                            &foreign->found[room]);
    for (uint32_t word = 0; word < foreign->shape.run_words; word++)
        levels[word] = ~(levels[word] | levels[word] << 1);
    foreign->run_in[room] = parcel.run;
    foreign->room[parcel.run] = (uint32_t)room + 1;
    foreign->came[from]++;
    foreign->used++;
    return fault;
}

uint32_t foreign_runs_found(const struct foreign_runs *foreign, uint64_t run)
{
    assert(run < foreign->runs->outers);
    return foreign->room[run] > 0 ? foreign->found[foreign->room[run] - 1] : 0;
}

struct run_source foreign_runs_source(const struct foreign_runs *foreign, uint64_t run)
{
    assert(foreign->room[run] > 0);
    const uint64_t *levels = foreign->levels + (uint64_t)(foreign->room[run] - 1) * foreign->shape.run_words;
    return (struct run_source){.levels = (const _Atomic uint64_t *)levels,
                               .marks = (const _Atomic uint64_t *)foreign->marks,
                               .last = 0};
}

/* ---- sending ---- */

bool foreign_runs_has_room(struct foreign_runs *foreign, uint64_t run)
{
    struct pz_edge edge;
    bool has_room = true;
    assert(run < foreign->runs->outers && run_share_has(foreign->share, run));
    memset(foreign->needs, 0, foreign->share.ranks * sizeof *foreign->needs);
    for (unsigned move = 0; move < foreign->runs->moves; move++) {
        foreign->runs->edge(foreign->runs, move, run, &edge);
        if (edge.outer == PZ_NO_RUN)
            continue;
        const unsigned owner = run_share_owner(foreign->share, edge.outer);
        foreign->needs[owner] = owner != foreign->share.rank;
        has_room = has_room && foreign->sent[owner] < foreign->rooms;
    }
    return has_room;
}

void foreign_runs_send(struct foreign_runs *foreign, uint64_t run, const uint64_t *set)
{
    const struct run_parcel parcel = {(uint32_t)run};
    size_t length = 0;
    assert(run_share_owner(foreign->share, run) == foreign->share.rank);
    for (unsigned rank = 0; rank < foreign->share.ranks; rank++) {
        if (!foreign->needs[rank])
            continue;
        if (length == 0)
            length = run_packet_write(&foreign->shape, set, foreign->packet);
        uint8_t *string = mailbox_send(foreign->mailbox, rank, sizeof parcel + length);
        memcpy(string, &parcel, sizeof parcel);
        memcpy(string + sizeof parcel, foreign->packet, length);
        assert(rank != foreign->share.rank && foreign->sent[rank] < foreign->rooms);
        foreign->sent[rank]++;
    }
}

void foreign_runs_end(struct foreign_runs *foreign)
{
    mailbox_end(foreign->mailbox, 0);
}

void foreign_runs_empty(struct foreign_runs *foreign)
{
    for (uint64_t room = 0; room < foreign->used; room++)
        foreign->room[foreign->run_in[room]] = 0; /* each is there once */
    foreign->used = 0;
    memset(foreign->sent, 0, foreign->share.ranks * sizeof *foreign->sent);
    memset(foreign->came, 0, foreign->share.ranks * sizeof *foreign->came);
}
