/* SPDX-License-Identifier: MIT */
/* The levels whose pieces stay on the disk; they are read after the search. */
#include "explore/dense/pieces/disk/pieces_disk_internal.h"

#include <assert.h>

bool pieces_disk_keep(struct disk_pieces *own, uint32_t level, struct disk_file *files,
                      struct disk_place *place)
{
    if (own->kept_levels == PIECES_KEPT_MAX)
        return false;
    assert(own->kept_levels == 0 || own->kept[own->kept_levels - 1].level < level);
    own->kept[own->kept_levels++] = (struct kept_level){.level = level, .place = place, .files = files};
    return true;
}

/* The last level that has states is BEFORE when the search is over. */
static bool keeps_last(const struct disk_pieces *own)
{
    return own->level >= 2 && pieces_disk_keeps(own, own->level - 2);
}

uint32_t pieces_disk_kept(const struct pieces *pieces)
{
    const struct disk_pieces *own = (const struct disk_pieces *)pieces;
    return own->kept_levels + keeps_last(own);
}

static struct disk_buffer *buffer_of(struct disk_pieces *own, uint64_t turn)
{
    unsigned ahead = own->disk.ahead + 1;
    return &own->in[turn % 2][turn / 2 % ahead];
}

/* Reads ahead until the buffers are full; turn is the first that is still wanted. */
static void read_ahead(struct disk_pieces *own, uint64_t turn, uint32_t levels)
{
    uint64_t end = turn + 2 * (own->disk.ahead + 1);
    uint64_t all = (uint64_t)levels * own->base.size.groups;
    if (own->kept_reading < turn || own->kept_reading > end)
        own->kept_reading = turn;
    for (; own->kept_reading < end && own->kept_reading < all; own->kept_reading++) {
        uint32_t number = (uint32_t)(own->kept_reading % levels);
        uint64_t group = own->kept_reading / levels;
        const struct disk_place *place =
            number < own->kept_levels ? own->kept[number].place : own->place[PIECE_BEFORE];
        pieces_disk_read(own, &place[group], buffer_of(own, own->kept_reading));
    }
}

enum pz_status pieces_disk_find_kept(struct pieces *pieces, uint32_t group, uint32_t number, uint32_t *level,
                                     struct pz_error *error)
{
    struct disk_pieces *own = (struct disk_pieces *)pieces;
    uint32_t levels = pieces_disk_kept(pieces);
    uint64_t turn = (uint64_t)group * levels + number;
    assert(number < levels && group < pieces->size.groups);
    struct disk_buffer *buffer = buffer_of(own, turn);
    *level = number < own->kept_levels ? own->kept[number].level : own->level - 2;
    own->found = buffer;
    read_ahead(own, turn, levels);
    return pieces_disk_await(own, *level, group, buffer, error);
}
