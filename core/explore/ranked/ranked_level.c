/* SPDX-License-Identifier: MIT */
#include "explore/ranked/ranked_own.h"

#include <assert.h>
#include <stdlib.h>

enum { TURN_PAGES = 64 /* that a worker takes at a time: 65,536 states */ };

bool ranked_worker_init(struct ranked_worker *worker, const struct ranked_level *level, unsigned examples)
{
    const size_t successors = level->space->max_successors;
    const size_t next = successors > BATCH_STATES ? successors : BATCH_STATES;
    worker->numbers = malloc(BATCH_STATES * sizeof *worker->numbers);
    worker->next = malloc(next * sizeof *worker->next);
    worker->successors = malloc(successors * level->space->state_bytes);
    worker->tokens = malloc(successors);
    return worker->numbers != NULL && worker->next != NULL && worker->successors != NULL &&
           worker->tokens != NULL && bottom_k_init(&worker->examples, examples) &&
           (level->blocks.runs == NULL || block_worker_init(&worker->block, &level->blocks));
}

void ranked_worker_clear(struct ranked_worker *worker)
{
    free(worker->numbers);
    free(worker->next);
    free(worker->successors);
    free(worker->tokens);
    bottom_k_clear(&worker->examples);
    block_worker_clear(&worker->block);
}

/* Writes the numbers of the neighbours of a state. */
static unsigned neighbours(const struct ranked_level *level, struct ranked_worker *worker, uint64_t number)
{
    const struct pz_space *space = level->space;
    uint64_t state[PZ_STATE_MAX / 8];
    space->puzzle->unrank(space, number, state);
    unsigned count = space->puzzle->expand(space, state, PZ_NO_TOKEN, worker->successors, worker->tokens);
    assert(count <= space->max_successors);
    for (unsigned i = 0; i < count; i++)
        worker->next[i] =
            space->puzzle->rank(space, (const uint8_t *)worker->successors + (size_t)i * space->state_bytes);
    worker->generated += count;
    return count;
}

static void note_found(const struct ranked_level *level, struct ranked_worker *worker, uint64_t number)
{
    worker->found++;
    if (level->parts != NULL)
        ranked_components_note(level->parts, number, level->level);
    bottom_k_offer(&worker->examples, bottom_k_hash(&number, level->seed, 1), &number, 1);
}

static void prefetch(const struct ranked_level *level, const uint64_t *numbers, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        __builtin_prefetch((const void *)&level->states.levels[numbers[i] / WORD_STATES], 1);
}

/* ---- pushing ---- */

static void ranked_reach(const struct ranked_level *level, struct ranked_worker *worker, unsigned count)
{
    prefetch(level, worker->next, count);
    for (unsigned i = 0; i < count; i++)
        if (states_reach(&level->states, level->level, worker->next[i]))
            note_found(level, worker, worker->next[i]);
}

/* Marks the neighbours of a batch: move by move if the space steps on numbers, else state by state. */
static void push_batch(const struct ranked_level *level, struct ranked_worker *worker, unsigned count)
{
    const struct pz_space *space = level->space;
    if (space->puzzle->step == NULL) {
        for (unsigned i = 0; i < count; i++)
            ranked_reach(level, worker, neighbours(level, worker, worker->numbers[i]));
        return;
    }
    for (unsigned move = 0; move < space->max_successors; move++) {
        space->puzzle->step(space, move, worker->numbers, count, worker->next);
        ranked_reach(level, worker, count);
    }
    worker->generated += (uint64_t)count * space->max_successors;
}

/* Adds the states from first on whose two bits in fields are not 0 to the batch. Works on a full batch. */
static unsigned gather_level(const struct ranked_level *level, struct ranked_worker *worker, unsigned count,
                             uint64_t first, uint64_t fields,
                             void (*work)(const struct ranked_level *, struct ranked_worker *, unsigned))
{
    for (; fields != 0; fields &= fields - 1) {
        uint64_t number = first + (unsigned)__builtin_ctzll(fields) / 2;
        assert(count < BATCH_STATES);
        if (number >= level->states.count)
            break;
        worker->numbers[count++] = number;
        if (count == BATCH_STATES) {
            work(level, worker, count);
            count = 0;
        }
    }
    return count;
}

/* Pushes the states of the last level in some pages, and clears their active bits. */
static void push_turn(const struct ranked_level *level, struct ranked_worker *worker, uint64_t from,
                      uint64_t to)
{
    const struct states *states = &level->states;
    const uint32_t last = level->level - 1;
    const uint64_t words = states_page_active(states->grain);
    const uint64_t marked =
        (UINT64_C(1) << (2 << states->grain)) - 1; /* two bits of each state of an active bit */
    unsigned count = 0;
    for (uint64_t at = from * words; at < to * words; at++) {
        uint64_t active = atomic_load_explicit(&states->active[last & 1][at], memory_order_relaxed);
        if (active != 0)
            atomic_store_explicit(&states->active[last & 1][at], 0, memory_order_relaxed);
        for (; active != 0; active &= active - 1) {
            const uint64_t first = (at * 64 + (unsigned)__builtin_ctzll(active)) << states->grain;
            const uint64_t word =
                atomic_load_explicit(&states->levels[first / WORD_STATES], memory_order_relaxed);
            const uint64_t fields = states_with(word, last % 3) >> first % WORD_STATES * 2 & marked;
            count = gather_level(level, worker, count, first, fields, push_batch);
        }
    }
    push_batch(level, worker, count);
}

/* ---- pulling ---- */

static bool ranked_is_last(const struct ranked_level *level, uint64_t number)
{
    return states_get(&level->states, number) == (level->level - 1) % 3;
}

static void pull_one(const struct ranked_level *level, struct ranked_worker *worker, uint64_t number)
{
    if (states_reach(&level->states, level->level, number))
        note_found(level, worker, number);
}

/* Looks for a neighbour in the last level for each state of a batch. */
static void pull_batch(const struct ranked_level *level, struct ranked_worker *worker, unsigned count)
{
    const struct pz_space *space = level->space;
    if (space->puzzle->step == NULL) {
        for (unsigned i = 0; i < count; i++) {
            const uint64_t number = worker->numbers[i];
            unsigned left = neighbours(level, worker, number);
            while (left > 0 && !ranked_is_last(level, worker->next[left - 1]))
                left--;
            if (left > 0)
                pull_one(level, worker, number);
        }
        return;
    }
    for (unsigned move = 0; move < space->max_successors && count > 0; move++) {
        unsigned kept = 0;
        space->puzzle->step(space, move, worker->numbers, count, worker->next);
        prefetch(level, worker->next, count);
        worker->generated += count;
        for (unsigned i = 0; i < count; i++) {
            const uint64_t number = worker->numbers[i];
            if (ranked_is_last(level, worker->next[i]))
                pull_one(level, worker, number);
            else
                worker->numbers[kept++] = number;
        }
        count = kept;
    }
}

static void pull_turn(const struct ranked_level *level, struct ranked_worker *worker, uint64_t from,
                      uint64_t to)
{
    const struct states *states = &level->states;
    const uint64_t words = states_page_active(states->grain);
    unsigned count = 0;
    for (uint64_t at = from * words; at < to * words; at++)
        atomic_store_explicit(&states->active[(level->level - 1) & 1][at], 0, memory_order_relaxed);
    const uint64_t end = to * (PAGE_STATES / WORD_STATES);
    for (uint64_t at = from * (PAGE_STATES / WORD_STATES); at < end; at++) {
        const uint64_t word = atomic_load_explicit(&states->levels[at], memory_order_relaxed);
        count =
            gather_level(level, worker, count, at * WORD_STATES, states_with(word, UNREACHED), pull_batch);
    }
    pull_batch(level, worker, count);
}

/* ---- goals ---- */

static void goals_turn(const struct ranked_level *level, struct ranked_worker *worker, uint64_t from,
                       uint64_t to)
{
    const struct pz_space *space = level->space;
    const uint64_t end = to * PAGE_STATES < level->states.count ? to * PAGE_STATES : level->states.count;
    uint64_t state[PZ_STATE_MAX / 8];
    for (uint64_t number = from * PAGE_STATES; number < end; number++) {
        space->puzzle->unrank(space, number, state);
        if (space->puzzle->is_goal(space, state) && states_reach(&level->states, 0, number))
            note_found(level, worker, number);
    }
}

/* ---- connected components ---- */

static void join_numbers(const struct ranked_level *level, struct ranked_worker *worker, uint64_t from,
                         uint64_t to)
{
    for (uint64_t number = from; number < to; number++) {
        const unsigned count = neighbours(level, worker, number);
        for (unsigned i = 0; i < count; i++)
            if (worker->next[i] > number) /* the other joins this one */
                ranked_components_join(level->parts, number, worker->next[i]);
    }
}

static void join_turn(const struct ranked_level *level, struct ranked_worker *worker, uint64_t from,
                      uint64_t to)
{
    const uint64_t end = to * PAGE_STATES;
    join_numbers(level, worker, from * PAGE_STATES, end < level->states.count ? end : level->states.count);
}

/* ---- blocks ---- */

/* Returns how many blocks a worker takes at a time: whole families of siblings. */
static uint64_t turn_blocks(const struct ranked_level *level)
{
    const uint64_t pages = level->blocks.shape.block_words / (PAGE_STATES / WORD_STATES);
    const uint64_t together = level->blocks.together, few = pages < TURN_PAGES ? TURN_PAGES / pages : 1;
    return (few + together - 1) / together * together;
}

static bool is_goal_number(const void *context, uint64_t number)
{
    const struct pz_space *space = context;
    uint64_t state[PZ_STATE_MAX / 8];
    space->puzzle->unrank(space, number, state);
    return space->puzzle->is_goal(space, state);
}

static void block_turn(const struct ranked_level *level, struct ranked_worker *worker, uint64_t turn)
{
    const uint64_t size = (uint64_t)level->blocks.shape.rows * level->blocks.shape.columns;
    const struct block_share share = level->blocks.share;
    const uint64_t from = turn * turn_blocks(level),
                   own = block_share_count(share, level->blocks.runs->outers);
    const uint64_t to = from + turn_blocks(level) < own ? from + turn_blocks(level) : own;
    struct block_sink sink = {.examples = &worker->examples, .parts = level->parts};
    for (uint64_t at = from; at < to; at++) {
        const uint64_t block = block_space_at(&level->blocks, at);
        if (level->way == RANKED_JOIN)
            join_numbers(level, worker, block * size, (block + 1) * size);
        else if (level->way == RANKED_GOALS)
            block_level_choose(&level->blocks, &worker->block, &sink, block, is_goal_number, level->space);
        else
            block_level_make(&level->blocks, &worker->block, &sink, level->level, block);
    }
    worker->found += sink.found;
    worker->generated += sink.generated;
}

/* Ends the level early where the scratch space fails. */
static void look_at_file(struct ranked_level *level)
{
    const enum pz_status status =
        level->blocks.file != NULL ? block_file_failed(level->blocks.file, NULL) : PZ_OK;
    if (status != PZ_OK)
        turns_end(&level->turns, status);
}

/* ---- a level ---- */

typedef void make_turn(const struct ranked_level *level, struct ranked_worker *worker, uint64_t from,
                       uint64_t to);

static make_turn *const turn_by_way[] = {[RANKED_PUSH] = push_turn,
                                         [RANKED_PULL] = pull_turn,
                                         [RANKED_GOALS] = goals_turn,
                                         [RANKED_JOIN] = join_turn};

uint64_t ranked_level_turns(const struct ranked_level *level)
{
    const uint64_t things = level->blocks.runs != NULL
                                ? block_share_count(level->blocks.share, level->blocks.runs->outers)
                                : states_pages(level->states.count);
    const uint64_t at_a_time = level->blocks.runs != NULL ? turn_blocks(level) : TURN_PAGES;
    return (things + at_a_time - 1) / at_a_time;
}

bool ranked_level_resume(struct ranked_level *level, uint32_t newest, uint64_t turns)
{
    return level->blocks.runs == NULL ||
           block_space_count(&level->blocks, newest, turns * turn_blocks(level));
}

unsigned ranked_level_examples(const struct ranked_level *level, struct bottom_k *sample, uint64_t *numbers,
                               unsigned most)
{
    bottom_k_sort(sample);
    if (level->blocks.runs != NULL)
        return block_examples(&level->blocks, sample, numbers, most);
    const unsigned count = sample->count < most ? sample->count : most;
    for (unsigned i = 0; i < count; i++)
        numbers[i] = sample->entries[i].key[0];
    return count;
}

static void work_on_level(void *context, unsigned number)
{
    struct ranked_level *level = context;
    const uint64_t pages = states_pages(level->states.count);
    uint64_t turn;
    while (turns_take(&level->turns, number, &turn)) {
        if (level->blocks.runs != NULL) {
            block_turn(level, &level->workers[number], turn);
            look_at_file(level);
            continue;
        }
        const uint64_t from = turn * TURN_PAGES;
        const uint64_t to = from + TURN_PAGES < pages ? from + TURN_PAGES : pages;
        assert(from < to);
        turn_by_way[level->way](level, &level->workers[number], from, to);
    }
}

enum pz_status ranked_level_make(struct ranked_level *level, uint64_t first, struct team *team)
{
    assert(level->worker_count > 0 && first <= ranked_level_turns(level));
    for (unsigned i = 0; i < level->worker_count; i++) {
        level->workers[i].found = level->workers[i].generated = 0;
        bottom_k_empty(&level->workers[i].examples);
    }
    turns_begin(&level->turns, first, ranked_level_turns(level));
    if (team != NULL)
        team_run(team, work_on_level, level);
    else
        work_on_level(level, 0);
    return turns_status(&level->turns);
}
