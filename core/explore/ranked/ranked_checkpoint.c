/* SPDX-License-Identifier: MIT */
#include "explore/ranked/ranked_own.h"

enum { PIECE_BYTES = 1 << 20 };

typedef bool move_bytes(struct checkpointer *checkpointer, void *bytes, size_t length);

static bool put_bytes(struct checkpointer *checkpointer, void *bytes, size_t length)
{
    return checkpointer_put(checkpointer, bytes, length);
}

static bool move_examples(struct bottom_k *examples, struct checkpointer *checkpointer, move_bytes *move)
{
    uint64_t count = examples->count;
    const bool moved = move(checkpointer, &count, sizeof count) && count <= EXPLORE_DEEPEST_MAX &&
                       move(checkpointer, examples->entries, count * sizeof *examples->entries);
    examples->count = moved ? (unsigned)count : 0;
    return moved;
}

static bool move_levels(const struct states *states, struct checkpointer *checkpointer, move_bytes *move)
{
    const uint64_t bytes = states_levels_bytes(states->count);
    bool moved = true;
    for (uint64_t at = 0; moved && at < bytes; at += PIECE_BYTES)
        moved = move(checkpointer, (uint8_t *)states->levels + at,
                     bytes - at < PIECE_BYTES ? bytes - at : PIECE_BYTES);
    return moved;
}

/* Saves or loads the whole content of a checkpoint. A level of which some turns are done also has active bits
 * and examples. */
static bool move_all(struct ranked *ranked, struct checkpointer *checkpointer, move_bytes *move)
{
    const struct states *states = &ranked->level.states;
    const struct ranked_place *place = &ranked->place;
    bool moved = move(checkpointer, &ranked->place, sizeof ranked->place) &&
                 place->turns <= ranked_level_turns(&ranked->level) &&
                 move_levels(states, checkpointer, move);
    for (uint32_t level = place->level; moved && level <= place->level + (place->turns > 0); level++)
        moved = move_examples(&ranked->examples[level & 1], checkpointer, move) &&
                move(checkpointer, (void *)states->marks[level & 1],
                     states_marks_bytes(states->count, states->grain));
    return moved;
}

uint64_t ranked_save_bytes(const struct explorer *explorer, uint64_t states)
{
    const struct ranked *ranked = (const struct ranked *)explorer;
    (void)states;
    return states_all_bytes(ranked->level.states.count, ranked->level.states.grain) +
           2 * (EXPLORE_DEEPEST_MAX * sizeof(struct bottom_k_entry) + sizeof(uint64_t)) +
           sizeof ranked->place;
}

void ranked_save(struct explorer *explorer, struct checkpointer *checkpointer)
{
    (void)move_all(ranked_of(explorer), checkpointer, put_bytes);
}

bool ranked_load(struct explorer *explorer, struct checkpointer *checkpointer)
{
    struct ranked *ranked = ranked_of(explorer);
    explorer->level = ranked->place.level;
    if (!move_all(ranked, checkpointer, checkpointer_get))
        return false;
    explorer->level = ranked->place.level;
    explorer->width = ranked->place.width;
    return ranked->place.level == checkpointer_levels(checkpointer) && ranked->place.on_disk == 0 &&
           ranked->place.states <= ranked->level.states.numbers &&
           ranked_level_resume(&ranked->level, ranked->place.level, ranked->place.turns);
}

/* ---- on disk ---- */

/* For a level of which some turns are done, also saves or loads their counts and examples. */
static bool move_on_disk(struct ranked *ranked, struct checkpointer *checkpointer, move_bytes *move)
{
    const struct run_space *space = &ranked->level.run;
    const struct ranked_place *place = &ranked->place;
    const uint64_t runs = space->runs->outers;
    bool moved = move(checkpointer, &ranked->place, sizeof ranked->place) && place->on_disk == 1 &&
                 place->turns <= ranked_level_turns(&ranked->level) &&
                 move(checkpointer, run_file_places(space->file), run_file_places_bytes(runs)) &&
                 move(checkpointer, space->left, runs * sizeof *space->left);
    for (uint32_t level = place->level; moved && level <= place->level + (place->turns > 0); level++)
        moved = move_examples(&ranked->examples[level & 1], checkpointer, move) &&
                move(checkpointer, space->found[level & 1], runs * sizeof *space->found[0]);
    return moved;
}

uint64_t ranked_save_bytes_on_disk(const struct explorer *explorer, uint64_t states)
{
    const struct ranked *ranked = (const struct ranked *)explorer;
    const uint64_t runs = ranked->level.run.runs->outers;
    (void)states;
    return sizeof ranked->place +
           2 * (EXPLORE_DEEPEST_MAX * sizeof(struct bottom_k_entry) + sizeof(uint64_t)) +
           run_file_places_bytes(runs) + 3 * runs * sizeof(uint32_t);
}

void ranked_save_on_disk(struct explorer *explorer, struct checkpointer *checkpointer)
{
    struct run_file *file = ranked_of(explorer)->level.run.file;
    if (run_file_failed(file, NULL) != PZ_OK || !run_file_sync(file))
        checkpointer_fail(checkpointer, "the scratch space cannot be made safe");
    (void)move_on_disk(ranked_of(explorer), checkpointer, put_bytes);
}

bool ranked_load_on_disk(struct explorer *explorer, struct checkpointer *checkpointer)
{
    struct ranked *ranked = ranked_of(explorer);
    if (!move_on_disk(ranked, checkpointer, checkpointer_get))
        return false;
    run_file_take_places(ranked->level.run.file);
    explorer->level = ranked->place.level;
    explorer->width = ranked->place.width;
    return ranked->place.level == checkpointer_levels(checkpointer) &&
           ranked->place.states <= ranked->level.states.numbers;
}
