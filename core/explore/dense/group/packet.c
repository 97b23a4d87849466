/* SPDX-License-Identifier: MIT */
#include "explore/dense/group/packet.h"

#include <errno.h>

static enum pz_status put_on_disk(const struct packet_store *store, unsigned set, struct packet *packet,
                                  const uint8_t *bytes, uint32_t length)
{
    if (store->spill == NULL)
        return PZ_MEMORY;
    int failure = spill_put(store->spill, set, bytes, length, &packet->string.block);
    if (failure != 0)
        return failure == ENOSPC || failure == EDQUOT ? PZ_STORAGE_FULL : PZ_STORAGE;
    packet->string.length = length;
    packet->on_disk = true;
    return PZ_OK;
}

enum pz_status packet_put(const struct packet_store *store, unsigned set, struct packet *packet,
                          enum code code, const uint8_t *bytes, uint32_t length)
{
    packet->code = (uint16_t)code;
    packet->on_disk = false;
    if (arena_put(store->arena, bytes, length, &packet->string))
        return PZ_OK;
    return put_on_disk(store, set, packet, bytes, length);
}

bool packet_take(const struct packet_store *store, unsigned set, struct packet *packet, uint8_t *out)
{
    bool sound = true;
    if (packet->on_disk)
        sound = spill_get(store->spill, set, packet->string.block, packet->string.length, out) == 0;
    else
        arena_get(store->arena, packet->string, out);
    packet_drop(store, packet);
    return sound;
}

void packet_drop(const struct packet_store *store, struct packet *packet)
{
    if (packet->on_disk)
        packet->string.length = 0;
    else
        arena_drop(store->arena, &packet->string);
    packet->code = CODE_EMPTY;
    packet->on_disk = false;
}
