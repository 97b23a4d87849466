/* SPDX-License-Identifier: MIT */
#include "explore/dense/group/border.h"

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

struct borders {
    const struct grouping *grouping;
    struct packet_store store;
    const struct codec_kernel *kernel;
    enum borders_way way;
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
static bool leads_up(const struct borders *borders, unsigned crossing, unsigned colour)
{
    return borders->way == BORDERS_BY_COLOUR ? borders->grouping->crossing[crossing].edge.high % 2 == colour
                                             : borders->way == BORDERS_UP;
}

static const struct group_packing *packing_to(const struct borders *borders, unsigned crossing,
                                              unsigned colour)
{
    return &borders->grouping->crossing[crossing].packing[leads_up(borders, crossing, colour)];
}

static uint32_t most_packets(const struct group_crossing *crossing)
{
    uint32_t down = crossing->packing[0].packets;
    uint32_t up = crossing->packing[1].packets;
    return down > up ? down : up;
}

uint64_t borders_bytes(const struct grouping *grouping)
{
    uint64_t bytes = sizeof(struct borders) + 2 * (uint64_t)grouping->groups;
    for (unsigned i = 0; i < grouping->crossings; i++) {
        const struct group_crossing *crossing = &grouping->crossing[i];
        bytes += 2 * (uint64_t)grouping->groups * most_packets(crossing) * sizeof(struct packet) +
                 2 * (grouping->classes / 8 + CODEC_PAD) +
                 crossing->runs * (sizeof(struct group_run) + sizeof(uint32_t) + 2);
    }
    return bytes;
}

static bool border_make_room(struct borders *borders, unsigned i)
{
    const struct grouping *grouping = borders->grouping;
    const struct group_crossing *crossing = &grouping->crossing[i];
    struct arrival *arrival = &borders->arrival[i];
    size_t packets = (size_t)grouping->groups * most_packets(crossing);
    size_t bits = (size_t)(grouping->classes / 8) + CODEC_PAD;
    borders->packets_most[i] = most_packets(crossing);
    borders->packet[0][i] = calloc(packets, sizeof(struct packet));
    borders->packet[1][i] = calloc(packets, sizeof(struct packet));
    borders->leaving[i] = calloc(1, bits);
    borders->leaves[i] = calloc(crossing->runs, sizeof *borders->leaves[i]);
    arrival->bits = calloc(1, bits);
    arrival->held = calloc(crossing->runs, 1);
    arrival->source = calloc(crossing->runs, sizeof *arrival->source);
    arrival->first = calloc(crossing->runs, sizeof *arrival->first);
    return borders->packet[0][i] != NULL && borders->packet[1][i] != NULL && borders->leaving[i] != NULL &&
           borders->leaves[i] != NULL && arrival->bits != NULL && arrival->held != NULL &&
           arrival->source != NULL && arrival->first != NULL;
}

enum pz_status borders_new(const struct grouping *grouping, const struct packet_store *store,
                           enum borders_way way, struct borders **out, struct pz_error *error)
{
    struct borders *borders = calloc(1, sizeof *borders);
    bool whole = borders != NULL;
    if (whole) {
        borders->grouping = grouping;
        borders->store = *store;
        borders->way = way;
        borders->kernel = codec_kernel();
        for (unsigned colour = 0; colour < 2; colour++) {
            borders->comes[colour] = calloc(grouping->groups, sizeof *borders->comes[colour]);
            whole = whole && borders->comes[colour] != NULL;
        }
    }
    for (unsigned i = 0; whole && i < grouping->crossings; i++)
        whole = border_make_room(borders, i);
    if (!whole) {
        borders_free(borders);
        return pz_fail(error, PZ_MEMORY, "no memory for the borders of groups");
    }
    *out = borders;
    return PZ_OK;
}

void borders_free(struct borders *borders)
{
    if (borders == NULL)
        return;
    for (unsigned i = 0; i < GROUP_CROSSINGS_MAX; i++) {
        free(borders->packet[0][i]);
        free(borders->packet[1][i]);
        free(borders->leaving[i]);
        free(borders->leaves[i]);
        free(borders->arrival[i].bits);
        free(borders->arrival[i].held);
        free(borders->arrival[i].source);
        free(borders->arrival[i].first);
    }
    free(borders->comes[0]);
    free(borders->comes[1]);
    free(borders);
}

/* All packets for the other colour have been received by now, unless the level goes on. */
void borders_begin_level(struct borders *borders, unsigned target_colour)
{
    if (borders->colour != target_colour && borders->store.spill != NULL)
        spill_clear(borders->store.spill, 1 - target_colour);
    borders->colour = target_colour;
}

static struct packet *packet_of(struct borders *borders, unsigned colour, unsigned i, uint32_t group,
                                uint32_t number)
{
    return &borders->packet[colour][i][(size_t)group * borders->packets_most[i] + number];
}

/* Returns the packet that brings a run. */
static struct packet *packet_of_run(struct borders *borders, unsigned i, uint32_t run, uint32_t *at)
{
    const struct group_packing *packing = packing_to(borders, i, borders->colour);
    struct group_run source = borders->arrival[i].source[run];
    *at = packing->at[source.run];
    return packet_of(borders, borders->colour, i, source.group, packing->packet[source.run]);
}

/* Lists the packets of a crossing by the first run of each. */
static void expect_crossing(struct borders *borders, unsigned i, uint32_t group)
{
    const struct group_crossing *crossing = &borders->grouping->crossing[i];
    struct arrival *arrival = &borders->arrival[i];
    bool upward = leads_up(borders, i, borders->colour);
    arrival->packets = 0;
    arrival->present = false;
    for (uint32_t run = 0; run < crossing->runs; run++) {
        uint32_t at;
        arrival->source[run] =
            group_source(borders->grouping, crossing, upward, (struct group_run){group, run});
        const struct packet *packet = packet_of_run(borders, i, run, &at);
        arrival->present |= packet->string.length > 0;
        if (at == 0)
            arrival->first[arrival->packets++] = run;
    }
    if (!arrival->present)
        arrival->packets = 0;
}

static void expect_nothing(struct borders *borders)
{
    for (unsigned i = 0; i < borders->grouping->crossings; i++) {
        borders->arrival[i].packets = 0;
        borders->arrival[i].present = false;
    }
}

uint32_t borders_expect(struct borders *borders, uint32_t group)
{
    _Atomic uint8_t *comes = &borders->comes[borders->colour][group];
    uint32_t packets = 0;
    if (atomic_exchange_explicit(comes, 0, memory_order_relaxed) == 0) {
        expect_nothing(borders);
        return 0;
    }
    for (unsigned i = 0; i < borders->grouping->crossings; i++) {
        expect_crossing(borders, i, group);
        packets += borders->arrival[i].packets;
    }
    return packets;
}

void borders_ahead(struct borders *borders, uint32_t group)
{
    const struct grouping *grouping = borders->grouping;
    if (borders->store.spill == NULL ||
        atomic_load_explicit(&borders->comes[borders->colour][group], memory_order_relaxed) == 0)
        return;
    for (unsigned i = 0; i < grouping->crossings; i++) {
        const struct group_crossing *crossing = &grouping->crossing[i];
        const struct group_packing *packing = packing_to(borders, i, borders->colour);
        bool upward = leads_up(borders, i, borders->colour);
        for (uint32_t run = 0; run < crossing->runs; run++) {
            struct group_run source =
                group_source(grouping, crossing, upward, (struct group_run){group, run});
            const struct packet *packet =
                packet_of(borders, borders->colour, i, source.group, packing->packet[source.run]);
            if (packing->at[source.run] == 0 && packet->on_disk)
                spill_ahead(borders->store.spill, borders->colour, packet->string.block,
                            packet->string.length);
        }
    }
}

/* Puts the decoded runs of a packet into the target's incoming bits; NULL: all are empty. */
static void place_runs(struct borders *borders, unsigned i, uint32_t first, const uint8_t *decoded)
{
    const struct group_crossing *crossing = &borders->grouping->crossing[i];
    struct arrival *arrival = &borders->arrival[i];
    size_t run_bytes = (size_t)(crossing->run / 8);
    uint32_t at;
    const struct packet *packet = packet_of_run(borders, i, first, &at);
    for (uint32_t run = first; run < crossing->runs; run++) {
        if (packet_of_run(borders, i, run, &at) != packet)
            continue;
        if (decoded != NULL)
            memcpy(arrival->bits + run * run_bytes, decoded + at * run_bytes, run_bytes);
        else if (arrival->held[run] != 0)
            memset(arrival->bits + run * run_bytes, 0, run_bytes);
        arrival->held[run] = decoded != NULL;
    }
}

bool borders_receive(struct borders *borders, uint32_t task, uint8_t *scratch)
{
    unsigned i = 0;
    for (; task >= borders->arrival[i].packets; i++)
        task -= borders->arrival[i].packets;
    const struct group_crossing *crossing = &borders->grouping->crossing[i];
    uint32_t first = borders->arrival[i].first[task];
    uint32_t at;
    struct packet *packet = packet_of_run(borders, i, first, &at);
    if (packet->string.length == 0) {
        place_runs(borders, i, first, NULL);
        return true;
    }
    size_t run_bytes = (size_t)(crossing->run / 8);
    uint32_t count = 0;
    for (uint32_t run = first; run < crossing->runs; run++)
        count += packet_of_run(borders, i, run, &at) == packet;
    /* A single run is decoded in place. */
    uint8_t *decoded = count == 1 ? borders->arrival[i].bits + first * run_bytes : scratch + CODEC_ROOM;
    const struct packet coded = *packet;
    const struct codec_row row = {NULL, 1, (uint32_t)(count * run_bytes)};
    bool sound = packet_take(&borders->store, borders->colour, packet, scratch) &&
                 codec_decode((enum code)coded.code, scratch, coded.string.length, &row, decoded);
    if (count > 1)
        place_runs(borders, i, first, decoded);
    borders->arrival[i].held[first] = 1;
    return sound;
}

void borders_drop(struct borders *borders, uint32_t group)
{
    (void)borders_expect(borders, group);
    for (unsigned i = 0; i < borders->grouping->crossings; i++) {
        const struct arrival *arrival = &borders->arrival[i];
        for (uint32_t task = 0; task < arrival->packets; task++) {
            uint32_t at;
            packet_drop(&borders->store, packet_of_run(borders, i, arrival->first[task], &at));
        }
    }
}

const uint8_t *borders_incoming(const struct borders *borders, unsigned crossing)
{
    const struct arrival *arrival = &borders->arrival[crossing];
    return arrival->present ? arrival->bits : NULL;
}

/* Returns the bit that crosses: of a place from which the crossing leads on, or of orbits, of the line 0 or
 * of a column. */
static unsigned crossing_bit(const struct borders *borders, unsigned i)
{
    const struct dense_geometry *geometry = borders->grouping->geometry;
    const struct dense_edge *edge = &borders->grouping->crossing[i].edge;
    const bool up = leads_up(borders, i, 1 - borders->colour);
    if (borders->way == BORDERS_BY_COLOUR)
        return (up ? edge->low : edge->high) / 2;
    return up ? geometry->width : dense_column(geometry, edge->low);
}

void borders_pack(struct borders *borders, uint64_t first, uint64_t count, const uint8_t *bytes)
{
    for (unsigned i = 0; i < borders->grouping->crossings; i++) {
        uint8_t *bits = borders->leaving[i] + first / 8;
        if (bytes == NULL) {
            memset(bits, 0, (size_t)(count / 8));
            continue;
        }
        borders->kernel->pack(bytes, (size_t)count, crossing_bit(borders, i), bits);
        uint64_t run = borders->grouping->crossing[i].run;
        for (uint64_t at = first / run; at <= (first + count - 1) / run; at++)
            atomic_store_explicit(&borders->leaves[i][at], 1, memory_order_relaxed);
    }
}

uint32_t borders_packets(const struct borders *borders)
{
    uint32_t packets = 0;
    for (unsigned i = 0; i < borders->grouping->crossings; i++)
        packets += packing_to(borders, i, 1 - borders->colour)->packets;
    return packets;
}

/* A packet that a group sends, by its number among all of them. */
struct leaving {
    unsigned crossing;
    uint32_t packet; /* of the crossing */
};

static struct leaving leaving_of(const struct borders *borders, uint32_t task)
{
    unsigned i = 0;
    for (;; i++) {
        uint32_t packets = packing_to(borders, i, 1 - borders->colour)->packets;
        if (task < packets)
            return (struct leaving){i, task};
        task -= packets;
    }
}

static struct packet *packet_of_task(struct borders *borders, uint32_t group, uint32_t task)
{
    struct leaving leaving = leaving_of(borders, task);
    return packet_of(borders, 1 - borders->colour, leaving.crossing, group, leaving.packet);
}

/* Collects the runs of a packet in room; a single run stays where it is. Returns them, and their bytes in
 * *length; NULL if all are empty. */
static const uint8_t *gather_border(struct borders *borders, struct leaving leaving, uint8_t *room,
                                    size_t *length)
{
    const struct group_crossing *crossing = &borders->grouping->crossing[leaving.crossing];
    const struct group_packing *packing = packing_to(borders, leaving.crossing, 1 - borders->colour);
    const size_t run_bytes = (size_t)(crossing->run / 8);
    const uint8_t *bits = borders->leaving[leaving.crossing];
    const uint8_t *first = bits;
    uint32_t count = 0;
    bool present = false;
    for (uint32_t run = 0; run < crossing->runs; run++) {
        if (packing->packet[run] != leaving.packet)
            continue;
        present |=
            atomic_exchange_explicit(&borders->leaves[leaving.crossing][run], 0, memory_order_relaxed) != 0;
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

enum pz_status borders_send(struct borders *borders, uint32_t group, uint32_t task, uint8_t *scratch)
{
    struct leaving leaving = leaving_of(borders, task);
    size_t length;
    const uint8_t *runs = gather_border(borders, leaving, scratch + CODEC_ROOM, &length);
    const struct codec_row row = {NULL, 1, (uint32_t)length};
    enum code code = CODE_EMPTY;
    size_t coded = runs != NULL ? codec_encode(runs, &row, scratch, &code) : 0;
    return borders_put(borders, group, task, code, scratch, (uint32_t)coded);
}

/* ---- packets of other processes ---- */

uint32_t borders_target(const struct borders *borders, uint32_t group, uint32_t task)
{
    struct leaving leaving = leaving_of(borders, task);
    const struct group_crossing *crossing = &borders->grouping->crossing[leaving.crossing];
    return group_target(borders->grouping, crossing, leads_up(borders, leaving.crossing, 1 - borders->colour),
                        group, leaving.packet);
}

bool borders_has(const struct borders *borders, uint32_t group, uint32_t task)
{
    struct leaving leaving = leaving_of(borders, task);
    const size_t at = (size_t)group * borders->packets_most[leaving.crossing] + leaving.packet;
    return borders->packet[1 - borders->colour][leaving.crossing][at].string.length > 0;
}

bool borders_take(struct borders *borders, uint32_t group, uint32_t task, enum code *code, uint8_t *bytes,
                  uint32_t *length)
{
    struct packet *packet = packet_of_task(borders, group, task);
    *length = packet->string.length;
    *code = (enum code)packet->code;
    return packet_take(&borders->store, 1 - borders->colour, packet, bytes);
}

enum pz_status borders_put(struct borders *borders, uint32_t group, uint32_t task, enum code code,
                           const uint8_t *bytes, uint32_t length)
{
    if (length > 0)
        atomic_store_explicit(&borders->comes[1 - borders->colour][borders_target(borders, group, task)], 1,
                              memory_order_relaxed);
    return packet_put(&borders->store, 1 - borders->colour, packet_of_task(borders, group, task), code, bytes,
                      length);
}
