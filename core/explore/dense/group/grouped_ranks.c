/* SPDX-License-Identifier: MIT */
/* Groups that are dealt to the ranks of an exploration: the parts of the engine that only they need. */
#include "explore/dense/group/grouped_parts.h"

#include <string.h>

/* Groups that are near each other are made one after the other and are about as full. */
static unsigned rank_of(const struct grouped *grouped, uint32_t group)
{
    return group % grouped->parts.exchange->ranks;
}

bool grouped_is_own(const struct grouped *grouped, uint32_t group)
{
    const struct exchange *exchange = grouped->parts.exchange;
    return exchange == NULL || rank_of(grouped, group) == exchange->rank;
}

uint32_t grouped_stride(const struct grouped *grouped)
{
    return grouped->parts.exchange == NULL ? 1 : grouped->parts.exchange->ranks;
}

/* A packet as it travels: this, then its coded bytes. */
struct parcel {
    uint32_t group;  /* that sends it */
    uint32_t packet; /* its number in the group */
    uint32_t code;
};
_Static_assert(sizeof(struct parcel) + CODEC_ROOM <= POST_MOST, "any packet can travel");

static void deliver(void *context, const uint8_t *bytes, size_t length)
{
    struct grouped *grouped = context;
    struct parcel parcel;
    memcpy(&parcel, bytes, sizeof parcel);
    grouped_fail(grouped, borders_put(grouped->borders, parcel.group, parcel.packet, (enum code)parcel.code,
                                      bytes + sizeof parcel, (uint32_t)(length - sizeof parcel)));
}

enum pz_status grouped_open_post(struct grouped *grouped, struct pz_error *error)
{
    const struct exchange *exchange = grouped->parts.exchange;
    return exchange == NULL ? PZ_OK : post_new(exchange, deliver, grouped, &grouped->post, error);
}

void grouped_forward(struct grouped *grouped, uint32_t group)
{
    uint8_t *bytes = grouped->members[0].scratch;
    uint32_t packets = grouped->post != NULL ? borders_packets(grouped->borders) : 0;
    for (uint32_t packet = 0; packet < packets; packet++) {
        uint32_t target = borders_target(grouped->borders, group, packet);
        if (grouped_is_own(grouped, target))
            continue;
        enum code code = CODE_EMPTY;
        uint32_t length;
        if (!borders_take(grouped->borders, group, packet, &code, bytes, &length))
            grouped_fail(grouped, PZ_STORAGE);
        const struct parcel parcel = {group, packet, code};
        if (length > 0)
            post_send(grouped->post, rank_of(grouped, target), &parcel, sizeof parcel, bytes, length);
    }
}

enum pz_status grouped_meet(struct grouped *grouped, enum pz_status status, struct pz_error *error)
{
    if (grouped->post == NULL)
        return status;
    post_end(grouped->post, status != PZ_OK);
    return status == PZ_OK ? grouped_failed(grouped, error) : status;
}

void grouped_share_states(struct grouped *grouped, bool known)
{
    const struct exchange *exchange = grouped->parts.exchange;
    uint32_t groups = grouped->parts.grouping->groups;
    uint64_t *states = grouped->parts.pieces->states[PIECE_NOW];
    if (exchange == NULL)
        return;
    const uint64_t *all = exchange->gather(exchange->context, states, groups * sizeof *states);
    for (uint32_t group = 0; known && group < groups; group++)
        states[group] = all[(size_t)rank_of(grouped, group) * groups + group];
}

void grouped_share_chosen(struct grouped *grouped, struct examples *examples)
{
    const struct exchange *exchange = grouped->parts.exchange;
    struct examples_place *chosen = examples->chosen;
    if (exchange == NULL)
        return;
    const struct examples_place *all =
        exchange->gather(exchange->context, chosen, examples->count * sizeof *chosen);
    for (size_t i = 0; i < (size_t)exchange->ranks * examples->count; i++)
        if (all[i].place != NOT_HERE)
            chosen[i % examples->count] = all[i];
}
