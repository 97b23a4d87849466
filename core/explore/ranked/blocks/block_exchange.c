/* SPDX-License-Identifier: MIT */
#include "explore/ranked/blocks/block_exchange.h"

#include "explore/exchange/mailbox.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* at least so many bytes for the blocks of a round, if the last level takes as many */
    LEAST_ROOM = 256 << 10,
    STATES_A_ROOM = 4,   /* else this part of the bytes of the rank's own states, */
    MOST_ROOM = 1 << 30, /* but no more */
    LEAST_MESSAGE = 64 << 10
};

/* Before the bytes of a packet. */
struct block_parcel {
    uint32_t block;
};

struct block_exchange {
    struct mailbox *mailbox;
    const struct exchange *exchange;
    const struct pz_runs *runs;
    struct block_shape shape;
    struct block_share share;
    uint8_t *packet; /* that is sent */

    /* By rank. */
    bool *needs;    /* the block that block_exchange_has_room was asked for */
    uint64_t *sent; /* blocks in this round */
    uint64_t *came; /* as above */

    /* Rooms for blocks that come: their states are at level 0, all others are unreached. */
    uint64_t rooms; /* for each other rank */
    uint64_t used;  /* of all rooms */
    uint64_t *levels;
    uint64_t *active;   /* of any of them: all words may have states */
    uint64_t *block_in; /* by room */
    uint32_t *found;    /* by room */
    uint32_t *room;     /* by block: 1 more than its room's number; 0 for none */
};

/* ---- life ---- */

static uint64_t all_rooms(const struct exchange *exchange, uint64_t rooms)
{
    return rooms * (exchange->ranks - 1);
}

/* Returns how many blocks of one other rank have room in a round. The number is the same at all ranks: it
 * depends on the blocks and on the number of ranks. */
static uint64_t rooms_of_rank(const struct exchange *exchange, const struct pz_runs *runs)
{
    const struct block_shape shape = block_shape_of(runs);
    const uint64_t others = exchange->ranks - 1;
    const uint64_t most = (runs->outers + exchange->ranks - 1) / exchange->ranks; /* of one rank */
    const uint64_t room = shape.block_words * sizeof(uint64_t);
    uint64_t bytes = most * room / STATES_A_ROOM;
    bytes = bytes < LEAST_ROOM ? LEAST_ROOM : bytes > MOST_ROOM ? MOST_ROOM : bytes;
    const uint64_t rooms = bytes / room / others;
    return rooms < 1 ? 1 : rooms < most ? rooms : most;
}

static size_t message_bytes(const struct block_shape *shape)
{
    const size_t least = MAILBOX_HEAD + sizeof(struct block_parcel) + block_packet_most(shape);
    return least < LEAST_MESSAGE ? LEAST_MESSAGE : (least + 7) / 8 * 8;
}

uint64_t block_exchange_bytes(const struct exchange *exchange, const struct pz_runs *runs)
{
    const struct block_shape shape = block_shape_of(runs);
    const uint64_t room = shape.block_words * sizeof(uint64_t) + sizeof(uint64_t) + sizeof(uint32_t);
    return sizeof(struct block_exchange) + mailbox_bytes(exchange, message_bytes(&shape)) +
           block_packet_most(&shape) + block_active_words(&shape) * sizeof(uint64_t) +
           exchange->ranks * (sizeof(bool) + 2 * sizeof(uint64_t)) +
           all_rooms(exchange, rooms_of_rank(exchange, runs)) * room + runs->outers * sizeof(uint32_t);
}

static mailbox_deliver deliver_block;

static bool make_rooms(struct block_exchange *foreign)
{
    const uint64_t all = all_rooms(foreign->exchange, foreign->rooms);
    const size_t active = block_active_words(&foreign->shape) * sizeof *foreign->active;
    foreign->needs = calloc(foreign->exchange->ranks, sizeof *foreign->needs);
    foreign->sent = calloc(foreign->exchange->ranks, sizeof *foreign->sent);
    foreign->came = calloc(foreign->exchange->ranks, sizeof *foreign->came);
    foreign->packet = malloc(block_packet_most(&foreign->shape));
    foreign->levels = malloc(all * foreign->shape.block_words * sizeof *foreign->levels);
    foreign->active = malloc(active);
    foreign->block_in = malloc(all * sizeof *foreign->block_in);
    foreign->found = malloc(all * sizeof *foreign->found);
    foreign->room = calloc(foreign->runs->outers, sizeof *foreign->room);
    if (foreign->active != NULL)
        memset(foreign->active, 0xFF, active);
    return foreign->needs != NULL && foreign->sent != NULL && foreign->came != NULL &&
           foreign->packet != NULL && foreign->levels != NULL && foreign->active != NULL &&
           foreign->block_in != NULL && foreign->found != NULL && foreign->room != NULL;
}

enum pz_status block_exchange_new(const struct exchange *exchange, const struct pz_runs *runs,
                                  struct block_exchange **out, struct pz_error *error)
{
    struct block_exchange *foreign = calloc(1, sizeof *foreign);
    assert(exchange->ranks > 1 && runs->outers <= BLOCK_EXCHANGE_MOST);
    if (foreign == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for blocks of other ranks");
    *foreign = (struct block_exchange){.exchange = exchange,
                                       .runs = runs,
                                       .shape = block_shape_of(runs),
                                       .share = {exchange->rank, exchange->ranks},
                                       .rooms = rooms_of_rank(exchange, runs)};
    const struct mailbox_options options = {.exchange = exchange,
                                            .kind = FRAME_BLOCKS,
                                            .message = message_bytes(&foreign->shape),
                                            .deliver = deliver_block,
                                            .context = foreign};
    enum pz_status status = make_rooms(foreign)
                                ? mailbox_new(&options, &foreign->mailbox, error)
                                : pz_fail(error, PZ_MEMORY, "no memory for blocks of other ranks");
    if (status != PZ_OK) {
        block_exchange_free(foreign);
        return status;
    }
    *out = foreign;
    return PZ_OK;
}

void block_exchange_free(struct block_exchange *foreign)
{
    if (foreign == NULL)
        return;
    mailbox_free(foreign->mailbox);
    free(foreign->needs);
    free(foreign->sent);
    free(foreign->came);
    free(foreign->packet);
    free(foreign->levels);
    free(foreign->active);
    free(foreign->block_in);
    free(foreign->found);
    free(foreign->room);
    free(foreign);
}

/* ---- receiving ---- */

/* Returns true if a move leads from a block to one of a rank's. */
static bool leads_to(const struct block_exchange *foreign, uint64_t block, unsigned rank)
{
    struct pz_edge edge;
    for (unsigned move = 0; move < foreign->runs->moves; move++) {
        foreign->runs->edge(foreign->runs, move, block, &edge);
        if (edge.outer != PZ_NO_RUN && block_share_owner(foreign->share, edge.outer) == rank)
            return true;
    }
    return false;
}

static const char *block_fault(const struct block_exchange *foreign, unsigned from, uint64_t block)
{
    if (block >= foreign->runs->outers || block_share_owner(foreign->share, block) != from)
        return "states of a block that is not its own";
    if (!leads_to(foreign, block, foreign->share.rank))
        return "states from which no move leads here";
    if (foreign->room[block] > 0)
        return "states of a block twice";
    return foreign->came[from] == foreign->rooms ? "more blocks than a round has" : NULL;
}

static const char *deliver_block(void *context, unsigned from, const uint8_t *bytes, size_t length)
{
    struct block_exchange *foreign = context;
    struct block_parcel parcel;
    if (length < sizeof parcel)
        return "states of a block that are cut";
    memcpy(&parcel, bytes, sizeof parcel);
    const char *fault = block_fault(foreign, from, parcel.block);
    if (fault != NULL)
        return fault;
    const uint64_t room = foreign->used;
    assert(room < all_rooms(foreign->exchange, foreign->rooms));
    uint64_t *levels = foreign->levels + room * foreign->shape.block_words;
    fault = block_packet_read(&foreign->shape, bytes + sizeof parcel, length - sizeof parcel, levels,
                              &foreign->found[room]);
    for (uint32_t word = 0; word < foreign->shape.block_words; word++)
        levels[word] = ~(levels[word] | levels[word] << 1);
    foreign->block_in[room] = parcel.block;
    foreign->room[parcel.block] = (uint32_t)room + 1;
    foreign->came[from]++;
    foreign->used++;
    return fault;
}

uint32_t block_exchange_found(const struct block_exchange *foreign, uint64_t block)
{
    assert(block < foreign->runs->outers);
    return foreign->room[block] > 0 ? foreign->found[foreign->room[block] - 1] : 0;
}

struct block_source block_exchange_source(const struct block_exchange *foreign, uint64_t block)
{
    assert(foreign->room[block] > 0);
    const uint64_t *levels =
        foreign->levels + (uint64_t)(foreign->room[block] - 1) * foreign->shape.block_words;
    return (struct block_source){.levels = (const _Atomic uint64_t *)levels,
                                 .active = (const _Atomic uint64_t *)foreign->active,
                                 .last = 0};
}

/* ---- sending ---- */

bool block_exchange_has_room(struct block_exchange *foreign, uint64_t block)
{
    struct pz_edge edge;
    bool has_room = true;
    assert(block < foreign->runs->outers && block_share_has(foreign->share, block));
    memset(foreign->needs, 0, foreign->share.ranks * sizeof *foreign->needs);
    for (unsigned move = 0; move < foreign->runs->moves; move++) {
        foreign->runs->edge(foreign->runs, move, block, &edge);
        if (edge.outer == PZ_NO_RUN)
            continue;
        const unsigned owner = block_share_owner(foreign->share, edge.outer);
        foreign->needs[owner] = owner != foreign->share.rank;
        has_room = has_room && foreign->sent[owner] < foreign->rooms;
    }
    return has_room;
}

void block_exchange_send(struct block_exchange *foreign, uint64_t block, const uint64_t *set)
{
    const struct block_parcel parcel = {(uint32_t)block};
    size_t length = 0;
    assert(block_share_owner(foreign->share, block) == foreign->share.rank);
    for (unsigned rank = 0; rank < foreign->share.ranks; rank++) {
        if (!foreign->needs[rank])
            continue;
        if (length == 0)
            length = block_packet_write(&foreign->shape, set, foreign->packet);
        uint8_t *string = mailbox_send(foreign->mailbox, rank, sizeof parcel + length);
        memcpy(string, &parcel, sizeof parcel);
        memcpy(string + sizeof parcel, foreign->packet, length);
        assert(rank != foreign->share.rank && foreign->sent[rank] < foreign->rooms);
        foreign->sent[rank]++;
    }
}

void block_exchange_end(struct block_exchange *foreign)
{
    mailbox_end(foreign->mailbox, 0);
}

void block_exchange_empty(struct block_exchange *foreign)
{
    for (uint64_t room = 0; room < foreign->used; room++)
        foreign->room[foreign->block_in[room]] = 0; /* each is there once */
    foreign->used = 0;
    memset(foreign->sent, 0, foreign->share.ranks * sizeof *foreign->sent);
    memset(foreign->came, 0, foreign->share.ranks * sizeof *foreign->came);
}

/* ---- a set as bytes ---- */

/*
 * The first byte shows which:
 *
 *   PACKET_BITS  for every word of the set 32 bits, the lowest byte first
 *   PACKET_GAPS  for every state how many positions lie between it and the one before, seven bits a byte,
 *                the lowest first; all but the last byte of a number have the highest bit
 */
enum packet { PACKET_BITS, PACKET_GAPS };

static uint32_t set_words(const struct block_shape *shape)
{
    return shape->rows * shape->row_words;
}

size_t block_packet_most(const struct block_shape *shape)
{
    return 1 + (size_t)set_words(shape) * sizeof(uint32_t);
}

/* Packs the low bits of all pairs. */
static uint32_t squeeze(uint64_t fields)
{
    fields = (fields | fields >> 1) & UINT64_C(0x3333333333333333);
    fields = (fields | fields >> 2) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    fields = (fields | fields >> 4) & UINT64_C(0x00FF00FF00FF00FF);
    fields = (fields | fields >> 8) & UINT64_C(0x0000FFFF0000FFFF);
    return (uint32_t)(fields | fields >> 16);
}

/* The inverse of squeeze. */
static uint64_t spread_pairs(uint32_t bits)
{
    uint64_t fields = bits;
    fields = (fields | fields << 16) & UINT64_C(0x0000FFFF0000FFFF);
    fields = (fields | fields << 8) & UINT64_C(0x00FF00FF00FF00FF);
    fields = (fields | fields << 4) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    fields = (fields | fields << 2) & UINT64_C(0x3333333333333333);
    return (fields | fields << 1) & UINT64_C(0x5555555555555555);
}

/* ---- writing ---- */

static void write_bits(const uint64_t *set, uint32_t words, uint8_t *bytes)
{
    for (uint32_t word = 0; word < words; word++) {
        const uint32_t bits = squeeze(set[word]);
        for (unsigned i = 0; i < sizeof bits; i++)
            bytes[word * sizeof bits + i] = (uint8_t)(bits >> 8 * i);
    }
}

enum { GAP_BYTES = 3 /* of the longest: a block has at most 2^18 positions */ };

/* Returns the number of bytes; 0 if they would be `most` or more. */
static size_t write_gaps(const uint64_t *set, uint32_t words, uint8_t *bytes, size_t most)
{
    size_t length = 0;
    uint32_t next = 0; /* position behind the last state */
    for (uint32_t word = 0; word < words; word++) {
        for (uint64_t fields = set[word]; fields != 0; fields &= fields - 1) {
            const uint32_t at = word * WORD_STATES + (unsigned)__builtin_ctzll(fields) / 2;
            uint32_t gap = at - next;
            assert(at >= next && gap < 1u << 7 * GAP_BYTES);
            if (length + GAP_BYTES > most)
                return 0;
            for (; gap >= 128; gap >>= 7)
                bytes[length++] = (uint8_t)(gap | 128);
            bytes[length++] = (uint8_t)gap;
            next = at + 1;
        }
    }
    return length;
}

size_t block_packet_write(const struct block_shape *shape, const uint64_t *set, uint8_t *bytes)
{
    const uint32_t words = set_words(shape);
    const size_t bits = words * sizeof(uint32_t);
    const size_t length = write_gaps(set, words, bytes + 1, bits);
    assert(length <= bits);
    *bytes = length > 0 ? PACKET_GAPS : PACKET_BITS;
    if (length > 0)
        return 1 + length;
    write_bits(set, words, bytes + 1);
    return 1 + bits;
}

/* ---- reading ---- */

static void read_bits(const uint8_t *bytes, uint32_t words, uint64_t *set)
{
    for (uint32_t word = 0; word < words; word++) {
        uint32_t bits = 0;
        for (unsigned i = 0; i < sizeof bits; i++)
            bits |= (uint32_t)bytes[word * sizeof bits + i] << 8 * i;
        set[word] = spread_pairs(bits);
    }
}

static bool read_gaps(const uint8_t *bytes, size_t length, uint32_t words, uint64_t *set)
{
    uint32_t position = 0;
    for (size_t at = 0; at < length; position++) {
        uint32_t gap = 0;
        unsigned shift = 0;
        do {
            if (at == length || shift == 7 * GAP_BYTES)
                return false;
            gap |= (uint32_t)(bytes[at] & 127) << shift;
            shift += 7;
        } while ((bytes[at++] & 128) != 0);
        position += gap;
        if (position >= words * WORD_STATES)
            return false;
        set[position / WORD_STATES] |= UINT64_C(1) << position % WORD_STATES * 2;
    }
    return true;
}

const char *block_packet_read(const struct block_shape *shape, const uint8_t *bytes, size_t length,
                              uint64_t *set, uint32_t *count)
{
    const uint32_t words = set_words(shape);
    bool whole = false;
    uint64_t sum = 0, outside = 0;
    memset(set, 0, shape->block_words * sizeof *set);
    if (length > 0 && *bytes == PACKET_GAPS)
        whole = read_gaps(bytes + 1, length - 1, words, set);
    else if (length == 1 + words * sizeof(uint32_t) && *bytes == PACKET_BITS) {
        whole = true;
        read_bits(bytes + 1, words, set);
    }
    if (!whole)
        return "states of a block that are cut";
    for (uint32_t word = 0; word < words; word++)
        sum += (uint64_t)__builtin_popcountll(set[word]);
    /* Positions without a state are at the end of each row. */
    for (uint32_t word = shape->row_words - 1; word < words; word += shape->row_words)
        outside |= set[word] & ~block_word_mask(shape, word);
    *count = (uint32_t)sum;
    assert(sum <= (uint64_t)words * WORD_STATES);
    if (outside != 0)
        return "states that a block does not have";
    return sum == 0 ? "a block without states" : NULL;
}
