/* SPDX-License-Identifier: MIT */
/* Checkpoints of one process: the search's place with all states, or, on disk, with what is known of the
 * file's blocks. */
#include "explore/ranked/ranked_own.h"

#include <assert.h>

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

/* The states in memory; the blocks on disk, and how many states of each are unreached. */
static bool move_states(const struct ranked_level *level, struct checkpointer *checkpointer, move_bytes *move)
{
    const struct block_space *space = &level->blocks;
    if (space->file == NULL)
        return move(checkpointer, (void *)level->states.levels, states_levels_bytes(level->states.count));
    return move(checkpointer, block_file_places(space->file), block_file_places_bytes(space->runs->outers)) &&
           move(checkpointer, space->left, space->runs->outers * sizeof *space->left);
}

/* The active bits of a level, or, on disk, how many states of each block are in it. */
static bool move_active(const struct ranked_level *level, uint32_t number, struct checkpointer *checkpointer,
                        move_bytes *move)
{
    const struct block_space *space = &level->blocks;
    const struct states *states = &level->states;
    return space->file != NULL
               ? move(checkpointer, space->found[number & 1], space->runs->outers * sizeof *space->found[0])
               : move(checkpointer, (void *)states->active[number & 1],
                      states_active_bytes(states->count, states->grain));
}

/* Saves or loads the whole content of a checkpoint. A level of which some turns are done also has active bits
 * and examples. */
static bool move_all(struct ranked *ranked, struct checkpointer *checkpointer, move_bytes *move)
{
    const struct ranked_place *place = &ranked->place;
    bool moved = move(checkpointer, &ranked->place, sizeof ranked->place) &&
                 place->on_disk == (ranked->level.blocks.file != NULL) &&
                 place->turns <= ranked_level_turns(&ranked->level) &&
                 move_states(&ranked->level, checkpointer, move);
    for (uint32_t level = place->level; moved && level <= place->level + (place->turns > 0); level++)
        moved = move_examples(&ranked->examples[level & 1], checkpointer, move) &&
                move_active(&ranked->level, level, checkpointer, move);
    return moved;
}

uint64_t ranked_save_bytes(const struct explorer *explorer, uint64_t states)
{
    const struct ranked *ranked = (const struct ranked *)explorer;
    const struct ranked_level *level = &ranked->level;
    (void)states;
    if (ranked->ranks.exchange != NULL)
        return sizeof ranked->place + ranked->ranks.rank_bytes * ranked->ranks.exchange->ranks;
    const uint64_t blocks = level->blocks.file != NULL ? level->blocks.runs->outers : 0;
    return sizeof ranked->place +
           2 * (EXPLORE_DEEPEST_MAX * sizeof(struct bottom_k_entry) + sizeof(uint64_t)) +
           (blocks > 0 ? block_file_places_bytes(blocks) + 3 * blocks * sizeof(uint32_t)
                       : states_all_bytes(level->states.count, level->states.grain));
}

void ranked_save(struct explorer *explorer, struct checkpointer *checkpointer)
{
    assert(ranked_of(explorer)->place.level == explorer->level);
    struct ranked *ranked = ranked_of(explorer);
    struct block_file *file = ranked->level.blocks.file;
    if (ranked->ranks.exchange != NULL) {
        ranked_ranks_save(ranked, checkpointer);
        return;
    }
    if (file != NULL && (block_file_failed(file, NULL) != PZ_OK || !block_file_sync(file)))
        checkpointer_fail(checkpointer, "the scratch space cannot be made safe");
    (void)move_all(ranked, checkpointer, put_bytes);
}

/* Returns true if all examples are states that there are. */
static bool are_states(const struct ranked *ranked, const struct bottom_k *examples)
{
    const struct block_space *space = &ranked->level.blocks;
    bool all = true;
    for (const struct bottom_k_entry *entry = examples->entries;
         all && entry < examples->entries + examples->count; entry++)
        all = space->runs == NULL ? entry->key[0] < ranked->level.states.numbers
                                  : block_example_fault(space, space->share.rank, entry) == NULL;
    return all;
}

static bool is_sound(const struct ranked *ranked)
{
    const struct ranked_place *place = &ranked->place;
    const uint64_t numbers = ranked->level.states.numbers;
    return place->width <= place->states && place->states <= numbers &&
           place->found <= numbers - place->states && are_states(ranked, &ranked->examples[0]) &&
           are_states(ranked, &ranked->examples[1]);
}

bool ranked_load(struct explorer *explorer, struct checkpointer *checkpointer)
{
    struct ranked *ranked = ranked_of(explorer);
    const struct ranked_place *place = &ranked->place;
    const bool got = ranked->ranks.exchange != NULL ? ranked_ranks_load(ranked, checkpointer)
                                                    : move_all(ranked, checkpointer, checkpointer_get);
    if (!got)
        return false;
    explorer->level = place->level;
    explorer->width = place->width;
    if (place->level != checkpointer_levels(checkpointer) || !is_sound(ranked))
        return false;
    if (ranked->level.blocks.file == NULL)
        return ranked_level_resume(&ranked->level, place->level, place->turns);
    block_file_take_places(ranked->level.blocks.file);
    return true;
}
