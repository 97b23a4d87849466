/* SPDX-License-Identifier: MIT */
/* Divides the blocks among the ranks of an exploration: the part of the engine that only ranks need. */
#include "explore/exchange/frame.h"
#include "explore/ranked/ranked.h"
#include "explore/ranked/ranked_own.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- a level ---- */

/* Sends this rank's part of the last level from a place on, as long as there is room in this round. Returns
 * the first place that is not sent. */
static uint64_t send_blocks(struct ranked *ranked, uint64_t place)
{
    struct block_space *space = &ranked->level.blocks;
    const uint32_t last = ranked->place.level;
    const uint64_t own = block_share_count(space->share, space->runs->outers);
    for (; place < own; place++) {
        const uint64_t block = block_share_at(space->share, place);
        if (space->found[last & 1][place] == 0)
            continue;
        if (!block_exchange_has_room(space->foreign, block))
            break;
        const uint64_t *set = block_last_states(space, &ranked->level.workers[0].block, last, block);
        if (space->file != NULL && block_file_failed(space->file, NULL) != PZ_OK)
            break; /* the level ends early, after the first turn */
        block_exchange_send(space->foreign, block, set);
    }
    block_exchange_end(space->foreign);
    assert(place <= own);
    return place;
}

enum pz_status ranked_ranks_level(struct ranked *ranked, bool wide, struct pz_error *error)
{
    assert(ranked->ranks.exchange != NULL && ranked->level.blocks.foreign != NULL);
    struct block_space *space = &ranked->level.blocks;
    const uint64_t own = block_share_count(space->share, space->runs->outers);
    uint64_t sent = 0, done = 0;
    enum pz_status status = PZ_OK;
    while (status == PZ_OK && done == 0) {
        sent = send_blocks(ranked, sent);
        ranked->place.turns = 0;
        status = ranked_make_turns(ranked, wide, error);
        block_exchange_empty(space->foreign);
        space->again = true;
        done = sent == own;
        status = agree_status(ranked->ranks.exchange, status, &done, error);
    }
    space->again = false;
    return status;
}

/* A rank's part of a level, as it is sent. */
struct level_share {
    uint64_t found, generated;
};

enum pz_status ranked_ranks_settle(struct ranked *ranked, enum pz_status status, struct pz_error *error)
{
    const struct exchange *exchange = ranked->ranks.exchange;
    struct ranked_place *place = &ranked->place;
    if (exchange == NULL)
        return status;
    status = agree_status(exchange, status, NULL, error);
    if (status != PZ_OK)
        return status;
    const uint64_t left = ranked->level.states.numbers - place->states;
    const struct level_share own = {place->found, ranked->ranks.generated};
    const struct level_share *all = frame_gather(exchange, FRAME_LEVEL, &own, sizeof own);
    place->found = 0;
    for (unsigned i = 0; i < exchange->ranks; i++) {
        if (all[i].found > left - place->found)
            frame_fail(exchange, i, "more states than can be");
        place->found += all[i].found;
        place->generated += all[i].generated;
    }
    ranked->ranks.generated = 0;
    return PZ_OK;
}

/* ---- examples ---- */

struct bottom_k *ranked_ranks_choose(struct ranked *ranked, const struct bottom_k *own, unsigned most)
{
    struct ranked_ranks *ranks = &ranked->ranks;
    const struct agree_entries entries = {EXAMPLE_WORDS, block_example_fault, &ranked->level.blocks};
    bottom_k_begin(&ranks->chosen, most);
    bottom_k_merge(&ranks->chosen, own, EXAMPLE_WORDS);
    agree_sample(ranks->exchange, &ranks->chosen, &entries);
    return &ranks->chosen;
}

/* ---- checkpoints ---- */

/* A rank's part of a checkpoint. Three arrays by place follow: the file's table of places, the unreached
 * states, and the states of the newest level. The parts of all ranks have the same length. */
struct kept {
    uint64_t safe; /* 1: the file is on the disk */
    uint64_t examples;
    struct bottom_k_entry entries[EXPLORE_DEEPEST_MAX];
    uint32_t numbers[];
};

static size_t kept_bytes(const struct exchange *exchange, const struct pz_runs *runs)
{
    const uint64_t most = (runs->outers + exchange->ranks - 1) / exchange->ranks;
    return (sizeof(struct kept) + 3 * most * sizeof(uint32_t) + 7) / 8 * 8;
}

static struct kept *kept_of(const struct ranked *ranked, unsigned rank)
{
    return (struct kept *)(void *)(ranked->ranks.kept + rank * ranked->ranks.rank_bytes);
}

enum pz_status ranked_ranks_keep(struct ranked *ranked, struct pz_error *error)
{
    const struct block_space *space = &ranked->level.blocks;
    const struct bottom_k *examples = &ranked->examples[ranked->place.level & 1];
    if (ranked->ranks.kept == NULL) /* in one process, and in memory */
        return PZ_OK;
    assert(examples->count <= EXPLORE_DEEPEST_MAX && space->file != NULL);
    const uint64_t own = block_share_count(space->share, space->runs->outers);
    struct kept *kept = kept_of(ranked, space->share.rank);
    memset(kept, 0, ranked->ranks.rank_bytes);
    kept->safe = block_file_failed(space->file, error) == PZ_OK && block_file_sync(space->file);
    kept->examples = examples->count;
    memcpy(kept->entries, examples->entries, examples->count * sizeof *kept->entries);
    memcpy(kept->numbers, block_file_places(space->file), block_file_places_bytes(own));
    memcpy(kept->numbers + own, space->left, own * sizeof *space->left);
    memcpy(kept->numbers + 2 * own, space->found[ranked->place.level & 1], own * sizeof *space->left);
    const void *all = frame_gather(ranked->ranks.exchange, FRAME_PLACE, kept, ranked->ranks.rank_bytes);
    memcpy(ranked->ranks.kept, all, ranked->ranks.rank_bytes * ranked->ranks.exchange->ranks);
    return PZ_OK;
}

void ranked_ranks_save(struct ranked *ranked, struct checkpointer *checkpointer)
{
    const unsigned ranks = ranked->ranks.exchange->ranks;
    (void)checkpointer_put(checkpointer, &ranked->place, sizeof ranked->place);
    (void)checkpointer_put(checkpointer, ranked->ranks.kept, ranked->ranks.rank_bytes * ranks);
    for (unsigned i = 0; i < ranks; i++)
        if (kept_of(ranked, i)->safe != 1)
            checkpointer_fail(checkpointer, "the scratch space of a rank cannot be made safe");
}

/* Restores this rank's part. */
static bool take_kept_part(struct ranked *ranked)
{
    assert(ranked->level.blocks.file != NULL && ranked->ranks.kept != NULL);
    const struct block_space *space = &ranked->level.blocks;
    struct bottom_k *examples = &ranked->examples[ranked->place.level & 1];
    const uint64_t own = block_share_count(space->share, space->runs->outers);
    const struct kept *kept = kept_of(ranked, space->share.rank);
    if (kept->examples > EXPLORE_DEEPEST_MAX)
        return false;
    bottom_k_empty(examples);
    examples->count = (unsigned)kept->examples;
    memcpy(examples->entries, kept->entries, kept->examples * sizeof *kept->entries);
    memcpy(block_file_places(space->file), kept->numbers, block_file_places_bytes(own));
    memcpy(space->left, kept->numbers + own, own * sizeof *space->left);
    memcpy(space->found[ranked->place.level & 1], kept->numbers + 2 * own, own * sizeof *space->left);
    return true;
}

bool ranked_ranks_load(struct ranked *ranked, struct checkpointer *checkpointer)
{
    const size_t all = ranked->ranks.rank_bytes * ranked->ranks.exchange->ranks;
    return checkpointer_get(checkpointer, &ranked->place, sizeof ranked->place) &&
           checkpointer_get(checkpointer, ranked->ranks.kept, all) && ranked->place.on_disk == 1 &&
           ranked->place.turns == 0 && take_kept_part(ranked);
}

/* ---- life ---- */

/* Returns true if there are checkpoints. */
static bool keeps(const struct explore_request *request)
{
    return request->planes == PLANES_DISK && request->checkpoint != NULL;
}

uint64_t ranked_ranks_bytes(const struct explore_request *request, const struct pz_runs *runs)
{
    const struct exchange *exchange = request->exchange;
    if (exchange == NULL)
        return 0;
    return block_exchange_bytes(exchange, runs) +
           (keeps(request) ? exchange->ranks * kept_bytes(exchange, runs) : 0);
}

enum pz_status ranked_ranks_open(struct ranked *ranked, struct pz_error *error)
{
    const struct explore_request *request = ranked->setup.request;
    struct ranked_ranks *ranks = &ranked->ranks;
    struct block_space *space = &ranked->level.blocks;
    ranks->exchange = request->exchange;
    if (ranks->exchange == NULL)
        return PZ_OK;
    const uint64_t bytes = ranked_ranks_bytes(request, space->runs);
    if (!budget_take(request->budget, bytes))
        return pz_fail(error, PZ_TOO_LARGE, "no memory for blocks of other ranks");
    ranked->taken += bytes;
    bool made = bottom_k_init(&ranks->chosen, EXPLORE_DEEPEST_MAX);
    if (made && keeps(request)) {
        ranks->rank_bytes = kept_bytes(ranks->exchange, space->runs);
        ranks->kept = calloc(ranks->exchange->ranks, ranks->rank_bytes);
        made = ranks->kept != NULL;
    }
    return made ? block_exchange_new(ranks->exchange, space->runs, &space->foreign, error)
                : pz_fail(error, PZ_MEMORY, "no memory for the ranks' examples");
}

void ranked_ranks_close(struct ranked *ranked)
{
    bottom_k_clear(&ranked->ranks.chosen);
    free(ranked->ranks.kept);
}
