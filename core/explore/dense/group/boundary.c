/* SPDX-License-Identifier: MIT */
#include "explore/dense/group/boundary.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* The bits that come to the current group by one crossing. */
struct arrival {
    uint8_t *bits;            /* a bit a class, in the order of the target */
    uint8_t *held;            /* of each run: 1 if any of its bits may be set */
    struct group_run *source; /* of each run */
    uint32_t *first;          /* of each packet that comes: its first run */
    uint32_t packets;
    bool present;
};

struct boundary {
    const struct grouping *grouping;
    struct packet_store store;
    const struct codec_kernel *kernel;
    enum boundary_way way;
    const struct boundary *opposite;               /* of the other way; NULL by colour */
    unsigned colour;                               /* of the places of the level that is made */
    struct packet *packet[2][GROUP_CROSSINGS_MAX]; /* by the colour of their targets: group × packets_most */
    uint32_t packets_most[GROUP_CROSSINGS_MAX];    /* of both directions of the crossing */
    _Atomic uint8_t
        *comes[2]; /* by the colour of the targets and by group: 1 once a packet has been put for it */
    struct arrival arrival[GROUP_CROSSINGS_MAX];
    uint8_t *leaving[GROUP_CROSSINGS_MAX];        /* a bit a class, in the order of the source */
    _Atomic uint8_t *leaves[GROUP_CROSSINGS_MAX]; /* of each run: 1 if any of its bits may be set */
};

/* Returns true if crossing upward leads to places of this colour. */
static bool leads_up(const struct boundary *boundary, unsigned crossing, unsigned colour)
{
    return boundary->way == BOUNDARY_BY_COLOUR
               ? boundary->grouping->crossing[crossing].edge.high % 2 == colour
               : boundary->way == BOUNDARY_UP;
}

static const struct group_packing *packing_to(const struct boundary *boundary, unsigned crossing,
                                              unsigned colour)
{
    return &boundary->grouping->crossing[crossing].packing[leads_up(boundary, crossing, colour)];
}

static uint32_t most_packets(const struct group_crossing *crossing)
{
    uint32_t down = crossing->packing[0].packets;
    uint32_t up = crossing->packing[1].packets;
    return down > up ? down : up;
}

uint64_t boundary_bytes(const struct grouping *grouping)
{
    uint64_t bytes = sizeof(struct boundary) + 2 * (uint64_t)grouping->groups;
    for (unsigned i = 0; i < grouping->crossings; i++) {
        const struct group_crossing *crossing = &grouping->crossing[i];
        bytes += 2 * (uint64_t)grouping->groups * most_packets(crossing) * sizeof(struct packet) +
                 2 * (grouping->classes / 8 + CODEC_PAD) +
                 crossing->runs * (sizeof(struct group_run) + sizeof(uint32_t) + 2);
    }
    return bytes;
}

static bool boundary_make_room(struct boundary *boundary, unsigned i)
{
    const struct grouping *grouping = boundary->grouping;
    const struct group_crossing *crossing = &grouping->crossing[i];
    struct arrival *arrival = &boundary->arrival[i];
    size_t packets = (size_t)grouping->groups * most_packets(crossing);
    size_t bits = (size_t)(grouping->classes / 8) + CODEC_PAD;
    boundary->packets_most[i] = most_packets(crossing);
    boundary->packet[0][i] = calloc(packets, sizeof(struct packet));
    boundary->packet[1][i] = calloc(packets, sizeof(struct packet));
    boundary->leaving[i] = calloc(1, bits);
    boundary->leaves[i] = calloc(crossing->runs, sizeof *boundary->leaves[i]);
    arrival->bits = calloc(1, bits);
    arrival->held = calloc(crossing->runs, 1);
    arrival->source = calloc(crossing->runs, sizeof *arrival->source);
    arrival->first = calloc(crossing->runs, sizeof *arrival->first);
    return boundary->packet[0][i] != NULL && boundary->packet[1][i] != NULL && boundary->leaving[i] != NULL &&
           boundary->leaves[i] != NULL && arrival->bits != NULL && arrival->held != NULL &&
           arrival->source != NULL && arrival->first != NULL;
}

enum pz_status boundary_new(const struct grouping *grouping, const struct packet_store *store,
                            enum boundary_way way, struct boundary **out, struct pz_error *error)
{
    struct boundary *boundary = calloc(1, sizeof *boundary);
    bool whole = boundary != NULL;
    if (whole) {
        boundary->grouping = grouping;
        boundary->store = *store;
        boundary->way = way;
        boundary->kernel = codec_kernel();
        for (unsigned colour = 0; colour < 2; colour++) {
            boundary->comes[colour] = calloc(grouping->groups, sizeof *boundary->comes[colour]);
            whole = whole && boundary->comes[colour] != NULL;
        }
    }
    for (unsigned i = 0; whole && i < grouping->crossings; i++)
        whole = boundary_make_room(boundary, i);
    if (!whole) {
        boundary_free(boundary);
        return pz_fail(error, PZ_MEMORY, "no memory for the boundary of groups");
    }
    *out = boundary;
    return PZ_OK;
}

void boundary_oppose(struct boundary *one, struct boundary *other)
{
    one->opposite = other;
    other->opposite = one;
}

void boundary_free(struct boundary *boundary)
{
    if (boundary == NULL)
        return;
    for (unsigned i = 0; i < GROUP_CROSSINGS_MAX; i++) {
        free(boundary->packet[0][i]);
        free(boundary->packet[1][i]);
        free(boundary->leaving[i]);
        free(boundary->leaves[i]);
        free(boundary->arrival[i].bits);
        free(boundary->arrival[i].held);
        free(boundary->arrival[i].source);
        free(boundary->arrival[i].first);
    }
    free(boundary->comes[0]);
    free(boundary->comes[1]);
    free(boundary);
}

static void expect_nothing(struct boundary *boundary)
{
    for (unsigned i = 0; i < boundary->grouping->crossings; i++) {
        boundary->arrival[i].packets = 0;
        boundary->arrival[i].present = false;
    }
}

/* All packets for the other colour have been received by now, unless the level goes on. */
void boundary_begin_level(struct boundary *boundary, unsigned target_colour)
{
    if (boundary->colour != target_colour && boundary->store.spill != NULL)
        spill_clear(boundary->store.spill, 1 - target_colour);
    boundary->colour = target_colour;
    expect_nothing(boundary);
}

static struct packet *packet_of(struct boundary *boundary, unsigned colour, unsigned i, uint32_t group,
                                uint32_t number)
{
    return &boundary->packet[colour][i][(size_t)group * boundary->packets_most[i] + number];
}

/* Returns the packet that brings a run. */
static struct packet *packet_of_run(struct boundary *boundary, unsigned i, uint32_t run, uint32_t *at)
{
    const struct group_packing *packing = packing_to(boundary, i, boundary->colour);
    struct group_run source = boundary->arrival[i].source[run];
    *at = packing->at[source.run];
    return packet_of(boundary, boundary->colour, i, source.group, packing->packet[source.run]);
}

/* Lists the packets of a crossing by the first run of each. */
static void expect_crossing(struct boundary *boundary, unsigned i, uint32_t group)
{
    const struct group_crossing *crossing = &boundary->grouping->crossing[i];
    struct arrival *arrival = &boundary->arrival[i];
    bool upward = leads_up(boundary, i, boundary->colour);
    arrival->packets = 0;
    arrival->present = false;
    for (uint32_t run = 0; run < crossing->runs; run++) {
        uint32_t at;
        arrival->source[run] =
            group_source(boundary->grouping, crossing, upward, (struct group_run){group, run});
        const struct packet *packet = packet_of_run(boundary, i, run, &at);
        arrival->present |= packet->string.length > 0;
        if (at == 0)
            arrival->first[arrival->packets++] = run;
    }
    if (!arrival->present)
        arrival->packets = 0;
}

uint32_t boundary_expect(struct boundary *boundary, uint32_t group)
{
    _Atomic uint8_t *comes = &boundary->comes[boundary->colour][group];
    uint32_t packets = 0;
    if (atomic_exchange_explicit(comes, 0, memory_order_relaxed) == 0) {
        expect_nothing(boundary);
        return 0;
    }
    for (unsigned i = 0; i < boundary->grouping->crossings; i++) {
        expect_crossing(boundary, i, group);
        packets += boundary->arrival[i].packets;
    }
    return packets;
}

void boundary_ahead(struct boundary *boundary, uint32_t group)
{
    const struct grouping *grouping = boundary->grouping;
    if (boundary->store.spill == NULL ||
        atomic_load_explicit(&boundary->comes[boundary->colour][group], memory_order_relaxed) == 0)
        return;
    for (unsigned i = 0; i < grouping->crossings; i++) {
        const struct group_crossing *crossing = &grouping->crossing[i];
        const struct group_packing *packing = packing_to(boundary, i, boundary->colour);
        bool upward = leads_up(boundary, i, boundary->colour);
        for (uint32_t run = 0; run < crossing->runs; run++) {
            struct group_run source =
                group_source(grouping, crossing, upward, (struct group_run){group, run});
            const struct packet *packet =
                packet_of(boundary, boundary->colour, i, source.group, packing->packet[source.run]);
            if (packing->at[source.run] == 0 && packet->on_disk)
                spill_ahead(boundary->store.spill, boundary->colour, packet->string.block,
                            packet->string.length);
        }
    }
}

/* Puts the decoded runs of a packet into the target's incoming bits; NULL: all are empty. */
static void place_runs(struct boundary *boundary, unsigned i, uint32_t first, const uint8_t *decoded)
{
    const struct group_crossing *crossing = &boundary->grouping->crossing[i];
    struct arrival *arrival = &boundary->arrival[i];
    size_t run_bytes = (size_t)(crossing->run / 8);
    uint32_t at;
    const struct packet *packet = packet_of_run(boundary, i, first, &at);
    for (uint32_t run = first; run < crossing->runs; run++) {
        if (packet_of_run(boundary, i, run, &at) != packet)
            continue;
        if (decoded != NULL)
            memcpy(arrival->bits + run * run_bytes, decoded + at * run_bytes, run_bytes);
        else if (arrival->held[run] != 0)
            memset(arrival->bits + run * run_bytes, 0, run_bytes);
        arrival->held[run] = decoded != NULL;
    }
}

bool boundary_receive(struct boundary *boundary, uint32_t task, uint8_t *scratch)
{
    unsigned i = 0;
    for (; task >= boundary->arrival[i].packets; i++)
        task -= boundary->arrival[i].packets;
    const struct group_crossing *crossing = &boundary->grouping->crossing[i];
    uint32_t first = boundary->arrival[i].first[task];
    uint32_t at;
    struct packet *packet = packet_of_run(boundary, i, first, &at);
    if (packet->string.length == 0) {
        place_runs(boundary, i, first, NULL);
        return true;
    }
    size_t run_bytes = (size_t)(crossing->run / 8);
    uint32_t count = 0;
    for (uint32_t run = first; run < crossing->runs; run++)
        count += packet_of_run(boundary, i, run, &at) == packet;
    /* A single run is decoded in place. */
    uint8_t *decoded = count == 1 ? boundary->arrival[i].bits + first * run_bytes : scratch + CODEC_ROOM;
    const struct packet coded = *packet;
    const struct codec_row row = {NULL, 1, (uint32_t)(count * run_bytes)};
    bool sound = packet_take(&boundary->store, boundary->colour, packet, scratch) &&
                 codec_decode((enum code)coded.code, scratch, coded.string.length, &row, decoded);
    if (count > 1)
        place_runs(boundary, i, first, decoded);
    boundary->arrival[i].held[first] = 1;
    return sound;
}

void boundary_drop(struct boundary *boundary, uint32_t group)
{
    (void)boundary_expect(boundary, group);
    for (unsigned i = 0; i < boundary->grouping->crossings; i++) {
        const struct arrival *arrival = &boundary->arrival[i];
        for (uint32_t task = 0; task < arrival->packets; task++) {
            uint32_t at;
            packet_drop(&boundary->store, packet_of_run(boundary, i, arrival->first[task], &at));
        }
    }
}

const uint8_t *boundary_incoming(const struct boundary *boundary, unsigned crossing)
{
    const struct arrival *arrival = &boundary->arrival[crossing];
    return arrival->present ? arrival->bits : NULL;
}

/* Returns the bit that crosses: of a place from which the crossing leads on, or of orbits, of the line 0 or
 * of a column. */
static unsigned crossing_bit(const struct boundary *boundary, unsigned i)
{
    const struct dense_geometry *geometry = boundary->grouping->geometry;
    const struct dense_edge *edge = &boundary->grouping->crossing[i].edge;
    const bool up = leads_up(boundary, i, 1 - boundary->colour);
    if (boundary->way == BOUNDARY_BY_COLOUR)
        return (up ? edge->low : edge->high) / 2;
    return up ? geometry->width : dense_column(geometry, edge->low);
}

/* Leaves out what crossed here from the orbits that it would lead to: those are known. */
static void leave_out_known(const struct boundary *boundary, unsigned i, uint64_t first, uint64_t count,
                            uint8_t *bits)
{
    assert(i < boundary->grouping->crossings && first % 8 == 0 && count % 8 == 0);
    const uint8_t *came = boundary->opposite != NULL ? boundary_incoming(boundary->opposite, i) : NULL;
    for (uint64_t at = 0; came != NULL && at < count / 8; at++)
        bits[at] &= (uint8_t)~came[first / 8 + at];
}

void boundary_pack(struct boundary *boundary, uint64_t first, uint64_t count, const uint8_t *bytes)
{
    for (unsigned i = 0; i < boundary->grouping->crossings; i++) {
        uint8_t *bits = boundary->leaving[i] + first / 8;
        if (bytes == NULL) {
            memset(bits, 0, (size_t)(count / 8));
            continue;
        }
        boundary->kernel->pack(bytes, (size_t)count, crossing_bit(boundary, i), bits);
        leave_out_known(boundary, i, first, count, bits);
        uint64_t run = boundary->grouping->crossing[i].run;
        for (uint64_t at = first / run; at <= (first + count - 1) / run; at++)
            atomic_store_explicit(&boundary->leaves[i][at], 1, memory_order_relaxed);
    }
}

uint32_t boundary_packets(const struct boundary *boundary)
{
    uint32_t packets = 0;
    for (unsigned i = 0; i < boundary->grouping->crossings; i++)
        packets += packing_to(boundary, i, 1 - boundary->colour)->packets;
    return packets;
}

/* A packet that a group sends, by its number among all of them. */
struct leaving {
    unsigned crossing;
    uint32_t packet; /* of the crossing */
};

static struct leaving leaving_of(const struct boundary *boundary, uint32_t task)
{
    unsigned i = 0;
    for (;; i++) {
        uint32_t packets = packing_to(boundary, i, 1 - boundary->colour)->packets;
        if (task < packets)
            return (struct leaving){i, task};
        task -= packets;
    }
}

static struct packet *packet_of_task(struct boundary *boundary, uint32_t group, uint32_t task)
{
    struct leaving leaving = leaving_of(boundary, task);
    return packet_of(boundary, 1 - boundary->colour, leaving.crossing, group, leaving.packet);
}

/* Collects the runs of a packet in room; a single run stays where it is. Returns them, and their bytes in
 * *length; NULL if all are empty. */
static const uint8_t *gather_boundary(struct boundary *boundary, struct leaving leaving, uint8_t *room,
                                      size_t *length)
{
    const struct group_crossing *crossing = &boundary->grouping->crossing[leaving.crossing];
    const struct group_packing *packing = packing_to(boundary, leaving.crossing, 1 - boundary->colour);
    const size_t run_bytes = (size_t)(crossing->run / 8);
    const uint8_t *bits = boundary->leaving[leaving.crossing];
    const uint8_t *first = bits;
    uint32_t count = 0;
    bool present = false;
    for (uint32_t run = 0; run < crossing->runs; run++) {
        if (packing->packet[run] != leaving.packet)
            continue;
        present |=
            atomic_exchange_explicit(&boundary->leaves[leaving.crossing][run], 0, memory_order_relaxed) != 0;
        if (count == 0)
            first = bits + run * run_bytes;
        if (count == 1)
            memcpy(room, first, run_bytes);
        if (count > 0)
            memcpy(room + count * run_bytes, bits + run * run_bytes, run_bytes);
        count++;
    }
    *length = count * run_bytes;
    if (!present)
        return NULL;
    return count > 1 ? room : first;
}

enum pz_status boundary_send(struct boundary *boundary, uint32_t group, uint32_t task, uint8_t *scratch)
{
    struct leaving leaving = leaving_of(boundary, task);
    size_t length;
    const uint8_t *runs = gather_boundary(boundary, leaving, scratch + CODEC_ROOM, &length);
    const struct codec_row row = {NULL, 1, (uint32_t)length};
    enum code code = CODE_EMPTY;
    size_t coded = runs != NULL ? codec_encode(runs, &row, scratch, &code) : 0;
    return boundary_put(boundary, group, task, code, scratch, (uint32_t)coded);
}

/* ---- packets of other processes ---- */

uint32_t boundary_target(const struct boundary *boundary, uint32_t group, uint32_t task)
{
    struct leaving leaving = leaving_of(boundary, task);
    const struct group_crossing *crossing = &boundary->grouping->crossing[leaving.crossing];
    return group_target(boundary->grouping, crossing,
                        leads_up(boundary, leaving.crossing, 1 - boundary->colour), group, leaving.packet);
}

bool boundary_has(const struct boundary *boundary, uint32_t group, uint32_t task)
{
    struct leaving leaving = leaving_of(boundary, task);
    const size_t at = (size_t)group * boundary->packets_most[leaving.crossing] + leaving.packet;
    return boundary->packet[1 - boundary->colour][leaving.crossing][at].string.length > 0;
}

bool boundary_take(struct boundary *boundary, uint32_t group, uint32_t task, enum code *code, uint8_t *bytes,
                   uint32_t *length)
{
    struct packet *packet = packet_of_task(boundary, group, task);
    *length = packet->string.length;
    *code = (enum code)packet->code;
    return packet_take(&boundary->store, 1 - boundary->colour, packet, bytes);
}

enum pz_status boundary_put(struct boundary *boundary, uint32_t group, uint32_t task, enum code code,
                            const uint8_t *bytes, uint32_t length)
{
    if (length > 0)
        atomic_store_explicit(&boundary->comes[1 - boundary->colour][boundary_target(boundary, group, task)],
                              1, memory_order_relaxed);
    return packet_put(&boundary->store, 1 - boundary->colour, packet_of_task(boundary, group, task), code,
                      bytes, length);
}
