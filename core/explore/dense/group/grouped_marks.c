/* SPDX-License-Identifier: MIT */
/* Marks of a group: its states in all levels that were kept. */
#include "explore/dense/group/grouped_parts.h"

#include <string.h>

/* Adds the chunks of one level that was kept to the marks. */
static void member_mark(void *context, unsigned number)
{
    struct grouped *grouped = context;
    struct planes *planes = grouped->planes;
    struct group_member *member = &grouped->members[number];
    for (;;) {
        uint32_t chunk = atomic_fetch_add_explicit(&grouped->next_task, 1, memory_order_relaxed);
        if (chunk >= planes->ranges)
            return;
        uint32_t first = chunk * planes->range_blocks;
        uint64_t states = grouped_load_whole(grouped, PIECE_NOW, chunk, member->scratch,
                                             planes->any[0] + first, member->window);
        if (states == UINT64_MAX)
            return;
        uint8_t *marks = grouped->marks + (uint64_t)first * planes->block;
        size_t bytes = (size_t)grouped_chunk_blocks(grouped, chunk) * planes->block;
        for (size_t i = 0; states > 0 && i < bytes; i++)
            marks[i] |= member->window[i];
    }
}

enum pz_status grouped_marks(struct grouped *grouped, uint32_t group, uint8_t *const marks[2],
                             struct pz_error *error)
{
    struct pieces *pieces = grouped->parts.pieces;
    const struct dense_geometry *geometry = grouped->parts.plan->geometry;
    uint32_t levels = pieces->ops->kept(pieces);
    enum pz_status status = PZ_OK;
    for (unsigned colour = 0; colour < 2; colour++)
        memset(marks[colour], 0, grouped->parts.grouping->classes);
    grouped->group = group;
    for (uint32_t number = 0; number < levels && status == PZ_OK; number++) {
        uint32_t level = 0;
        status = pieces->ops->look_kept(pieces, group, number, &level, error);
        if (status != PZ_OK)
            return status;
        grouped->marks = marks[(geometry->root_place + level) % 2];
        atomic_store_explicit(&grouped->next_task, 0, memory_order_relaxed);
        team_run(grouped->parts.team, member_mark, grouped);
        status = grouped_failed(grouped, error);
    }
    return status;
}
