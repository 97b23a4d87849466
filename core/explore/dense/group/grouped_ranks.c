/* SPDX-License-Identifier: MIT */
/* Divides the groups among the ranks of an exploration: the part of the engine that only ranks need. */
#include "explore/dense/group/grouped.h"

#include <assert.h>
#include <string.h>

/* Deals groups round robin: neighbouring groups are made one after the other and are about equally full. */
static unsigned rank_of_group(const struct grouped *grouped, uint32_t group)
{
    assert(grouped->exchange != NULL && group < grouped->grouping.groups);
    return group % grouped->exchange->ranks;
}

bool grouped_is_own(const struct grouped *grouped, uint32_t group)
{
    const struct exchange *exchange = grouped->exchange;
    return exchange == NULL || rank_of_group(grouped, group) == exchange->rank;
}

uint32_t grouped_stride(const struct grouped *grouped)
{
    return grouped->exchange == NULL ? 1 : grouped->exchange->ranks;
}

/* A packet as it travels: this, then its coded bytes. */
struct group_parcel {
    uint32_t group;  /* that sends it */
    uint32_t packet; /* its number in the group */
    uint32_t code;
};
_Static_assert(MAILBOX_HEAD + sizeof(struct group_parcel) + CODEC_ROOM <= EXCHANGE_MESSAGE,
               "any packet can travel");

/* Returns what is wrong with a parcel that came from a rank; NULL if it is valid. */
static const char *parcel_fault(const struct grouped *grouped, unsigned from,
                                const struct group_parcel *parcel, size_t bytes)
{
    if (parcel->group >= grouped->grouping.groups || rank_of_group(grouped, parcel->group) != from)
        return "a packet of a group that is not its own";
    if (parcel->packet >= boundary_packets(grouped->boundary[0]))
        return "a packet beyond those of a group";
    if (!grouped_is_own(grouped, boundary_target(grouped->boundary[0], parcel->group, parcel->packet)))
        return "a packet to a group of another rank";
    if (parcel->code == CODE_EMPTY || parcel->code >= CODE_COUNT || bytes == 0 || bytes > CODEC_ROOM)
        return "a packet in no known code";
    return boundary_has(grouped->boundary[0], parcel->group, parcel->packet) ? "a packet twice" : NULL;
}

static const char *deliver(void *context, unsigned from, const uint8_t *bytes, size_t length)
{
    struct grouped *grouped = context;
    struct group_parcel parcel;
    if (length < sizeof parcel)
        return "a packet that is cut";
    memcpy(&parcel, bytes, sizeof parcel);
    length -= sizeof parcel;
    const char *fault = parcel_fault(grouped, from, &parcel, length);
    if (fault == NULL)
        grouped_fail(grouped, boundary_put(grouped->boundary[0], parcel.group, parcel.packet,
                                           (enum code)parcel.code, bytes + sizeof parcel, (uint32_t)length));
    return fault;
}

enum pz_status grouped_open_post(struct grouped *grouped, struct pz_error *error)
{
    const struct mailbox_options options = {.exchange = grouped->exchange,
                                            .kind = FRAME_PACKETS,
                                            .message = EXCHANGE_MESSAGE,
                                            .reasons = 1,
                                            .deliver = deliver,
                                            .context = grouped};
    return options.exchange == NULL ? PZ_OK : mailbox_new(&options, &grouped->mailbox, error);
}

void grouped_forward(struct grouped *grouped, uint32_t group)
{
    uint8_t *bytes = grouped->workers[0].scratch;
    uint32_t packets = grouped->mailbox != NULL ? boundary_packets(grouped->boundary[0]) : 0;
    for (uint32_t packet = 0; packet < packets; packet++) {
        uint32_t target = boundary_target(grouped->boundary[0], group, packet);
        if (grouped_is_own(grouped, target))
            continue;
        enum code code = CODE_EMPTY;
        uint32_t length;
        if (!boundary_take(grouped->boundary[0], group, packet, &code, bytes, &length))
            grouped_fail(grouped, PZ_STORAGE);
        const struct group_parcel parcel = {group, packet, code};
        if (length == 0)
            continue;
        uint8_t *string =
            mailbox_send(grouped->mailbox, rank_of_group(grouped, target), sizeof parcel + length);
        memcpy(string, &parcel, sizeof parcel);
        memcpy(string + sizeof parcel, bytes, length);
    }
}

enum pz_status grouped_meet(struct grouped *grouped, enum pz_status status, struct pz_error *error)
{
    if (grouped->mailbox == NULL)
        return status;
    mailbox_end(grouped->mailbox, status != PZ_OK);
    return status == PZ_OK ? grouped_failed(grouped, error) : status;
}

/* Returns the number of states that a rank reports for a group. Ends all ranks if a group cannot have so
 * many. */
static uint64_t states_told(const struct grouped *grouped, unsigned rank, uint64_t states)
{
    const struct plan *plan = grouped->base.plan;
    if (states > grouped->grouping.classes * plan->geometry->places)
        frame_fail(grouped->exchange, rank, "more states than a group has");
    return states;
}

void grouped_share_states(struct grouped *grouped, bool known)
{
    const struct exchange *exchange = grouped->exchange;
    uint32_t groups = grouped->grouping.groups;
    uint64_t *states = grouped->pieces->states[PIECE_NOW];
    if (exchange == NULL)
        return;
    const uint64_t *all = frame_gather(exchange, FRAME_GROUPS, states, groups * sizeof *states);
    for (uint32_t group = 0; known && group < groups; group++) {
        const unsigned rank = rank_of_group(grouped, group);
        states[group] = states_told(grouped, rank, all[(size_t)rank * groups + group]);
    }
}

void grouped_share_chosen(struct grouped *grouped, struct examples *examples)
{
    const struct exchange *exchange = grouped->exchange;
    const struct dense_geometry *geometry = &grouped->base.geometry;
    struct examples_place *chosen = examples->chosen;
    if (exchange == NULL)
        return;
    const struct examples_place *all =
        frame_gather(exchange, FRAME_CHOSEN, chosen, examples->count * sizeof *chosen);
    for (size_t i = 0; i < (size_t)exchange->ranks * examples->count; i++) {
        if (all[i].place == NOT_HERE)
            continue;
        if (all[i].place >= geometry->places || all[i].number >= geometry->classes)
            frame_fail(exchange, (unsigned)(i / examples->count), "an example that is no state");
        chosen[i % examples->count] = all[i];
    }
}
