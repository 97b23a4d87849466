/* SPDX-License-Identifier: MIT */
#include "solve/pdb/resume.h"

#include <string.h>

static uint32_t block_end(const struct build *build, uint32_t block)
{
    uint32_t end = (block + 1) * build->block;
    return end < build->rank->sets ? end : build->rank->sets;
}

static uint8_t *distances_of(const struct build *build, uint32_t set)
{
    return build->table + (size_t)set * build->rank->turns->orders;
}

static uint64_t *run_of(const struct build *build, uint32_t component)
{
    return build->plane + (size_t)component * build->words;
}

/* ---- pieces: of each set its components' runs, if they hold a state, and its distances, if it has any ----
 */

static bool any_reached(const uint8_t *distances, size_t orders)
{
    return distances[0] != PDB_UNREACHED || memcmp(distances, distances + 1, orders - 1) != 0;
}

static void put_set(const struct build *build, uint32_t set, struct snapshot_sink *sink)
{
    size_t orders = build->rank->turns->orders;
    const uint8_t *distances = distances_of(build, set);
    const uint8_t reached = any_reached(distances, orders);
    for (uint32_t component = build->first[set]; component < build->first[set + 1]; component++) {
        snapshot_put(sink, &build->live[component], 1);
        if (build->live[component])
            snapshot_put(sink, run_of(build, component), build->words * sizeof(uint64_t));
    }
    snapshot_put(sink, &reached, 1);
    if (reached)
        snapshot_put(sink, distances, orders);
}

static bool get_set(const struct build *build, uint32_t set, struct checkpointer *checkpointer)
{
    uint8_t reached = 0;
    for (uint32_t component = build->first[set]; component < build->first[set + 1]; component++) {
        if (!checkpointer_get(checkpointer, &build->live[component], 1))
            return false;
        if (build->live[component] &&
            !checkpointer_get(checkpointer, run_of(build, component), build->words * sizeof(uint64_t)))
            return false;
    }
    if (!checkpointer_get(checkpointer, &reached, 1))
        return false;
    return !reached || checkpointer_get(checkpointer, distances_of(build, set), build->rank->turns->orders);
}

static void put_block(void *context, unsigned colour, uint32_t block, struct snapshot_sink *sink)
{
    const struct build *build = context;
    for (uint32_t set = block * build->block; set < block_end(build, block); set++)
        if (colour_of(build, build->mask[set]) == colour)
            put_set(build, set, sink);
}

static bool get_block(void *context, unsigned colour, uint32_t block, struct checkpointer *checkpointer)
{
    const struct build *build = context;
    for (uint32_t set = block * build->block; set < block_end(build, block); set++)
        if (colour_of(build, build->mask[set]) == colour && !get_set(build, set, checkpointer))
            return false;
    return true;
}

static uint64_t resume_bytes(const struct build *build)
{
    return rank_entries(build->rank) + build->rank->sets +
           (uint64_t)build->components * (build->words * sizeof(uint64_t) + 1) + sizeof(struct build_place);
}

/* ---- going on ---- */

/* That put_block puts at most. */
static size_t most_bytes(const struct build *build)
{
    size_t most = 0;
    for (uint32_t block = 0; block < build_blocks(build); block++) {
        uint32_t sets = block_end(build, block) - block * build->block;
        uint32_t components = build->first[block_end(build, block)] - build->first[block * build->block];
        size_t bytes = sets * (1 + (size_t)build->rank->turns->orders) +
                       components * (1 + build->words * sizeof(uint64_t));
        most = bytes > most ? bytes : most;
    }
    return most;
}

static struct snapshot_planes pieces_of(struct build *build)
{
    return (struct snapshot_planes){.context = build,
                                    .pieces = build_blocks(build),
                                    .piece_bytes = most_bytes(build),
                                    .put = put_block,
                                    .get = get_block};
}

static void on_waiting(void *context)
{
    const struct build *build = context;
    (void)pace_poll(build->pace);
}

enum pz_status resume_init(struct build *build, struct budget *budget, struct pz_error *error)
{
    if (build->checkpointer == NULL)
        return PZ_OK;
    struct snapshot_planes pieces = pieces_of(build);
    pieces.waiting = on_waiting;
    pieces.waiting_context = build;
    pieces.budget = budget;
    checkpointer_expect(build->checkpointer, resume_bytes(build));
    return snapshot_new(&pieces, build->checkpointer, team_size(build->team), &build->snapshot, error);
}

/* States of the level before the one at the place. */
static uint64_t count_frontier(const struct build *build, const struct build_place *place)
{
    unsigned colour = build->home_colour ^ ((place->distance - 1) & 1);
    uint64_t states = 0;
    for (uint32_t set = 0; set < build->rank->sets; set++) {
        if (colour_of(build, build->mask[set]) != colour)
            continue;
        const uint64_t *run = run_of(build, build->first[set]);
        const uint64_t *end = run_of(build, build->first[set + 1]);
        for (; run < end; run++)
            states += (uint64_t)__builtin_popcountll(*run);
    }
    return states;
}

bool resume_load(struct build *build, struct build_place *place)
{
    struct checkpointer *checkpointer = build->checkpointer;
    if (checkpointer == NULL || !checkpointer_open(checkpointer))
        return false;
    const struct snapshot_planes pieces = pieces_of(build);
    bool sound = snapshot_load(&pieces, checkpointer, place, sizeof *place) && place->distance > 0 &&
                 place->distance < PDB_UNREACHED && place->first <= pieces.pieces &&
                 count_frontier(build, place) == place->frontier;
    if (!checkpointer_close(checkpointer, sound))
        return false;
    checkpointer_at(checkpointer, place->distance);
    (void)checkpointer_replay(checkpointer, NULL);
    return true;
}

/* ---- leaving one ---- */

void resume_look_after(struct build *build)
{
    if (build->snapshot == NULL || build->distance == 0 || snapshot_writes(build->snapshot) ||
        !checkpointer_due(build->checkpointer))
        return;
    checkpointer_at(build->checkpointer, build->distance);
    snapshot_begin(build->snapshot, resume_bytes(build), 1 - build->colour);
}

void resume_level_ended(struct build *build, const struct build_place *place, enum pz_status status)
{
    if (build->snapshot == NULL)
        return;
    checkpointer_at(build->checkpointer, place->distance);
    if (status == PZ_CANCELLED && checkpointer_wanted(build->checkpointer))
        snapshot_save_at_stop(build->snapshot, resume_bytes(build), 1 - build->colour, place, sizeof *place,
                              place->first);
    else if (status == PZ_OK && snapshot_writes(build->snapshot) && snapshot_is_open(build->snapshot))
        snapshot_moment(build->snapshot, place, sizeof *place, 0);
}
