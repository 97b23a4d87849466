/* SPDX-License-Identifier: MIT */
#include "explore/ranked/ranked_level.h"

#include <assert.h>
#include <stdlib.h>

enum { TURN_BLOCKS = 64 /* that a worker takes at a time: 65,536 states */ };

bool ranked_member_init(struct ranked_member *member, const struct ranked_level *level, unsigned examples)
{
    const size_t successors = level->space->max_successors;
    const size_t next = successors > BATCH_STATES ? successors : BATCH_STATES;
    member->numbers = malloc(BATCH_STATES * sizeof *member->numbers);
    member->next = malloc(next * sizeof *member->next);
    member->successors = malloc(successors * level->space->state_bytes);
    member->tokens = malloc(successors);
    return member->numbers != NULL && member->next != NULL && member->successors != NULL &&
           member->tokens != NULL && bottom_k_init(&member->examples, examples) &&
           (level->run.runs == NULL || run_member_init(&member->run, &level->run));
}

void ranked_member_clear(struct ranked_member *member)
{
    free(member->numbers);
    free(member->next);
    free(member->successors);
    free(member->tokens);
    bottom_k_clear(&member->examples);
    run_member_clear(&member->run);
}

/* Writes the numbers of the neighbours of a state. */
static unsigned neighbours(const struct ranked_level *level, struct ranked_member *member, uint64_t number)
{
    const struct pz_space *space = level->space;
    uint64_t state[PZ_STATE_MAX / 8];
    space->puzzle->unrank(space, number, state);
    unsigned count = space->puzzle->expand(space, state, PZ_NO_TOKEN, member->successors, member->tokens);
    assert(count <= space->max_successors);
    for (unsigned i = 0; i < count; i++)
        member->next[i] =
            space->puzzle->rank(space, (const uint8_t *)member->successors + (size_t)i * space->state_bytes);
    member->generated += count;
    return count;
}

static void note_found(const struct ranked_level *level, struct ranked_member *member, uint64_t number)
{
    member->found++;
    if (level->parts != NULL)
        ranked_parts_note(level->parts, number, level->level);
    bottom_k_offer(&member->examples, bottom_k_hash(&number, level->seed, 1), &number, 1);
}

static void prefetch(const struct ranked_level *level, const uint64_t *numbers, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        __builtin_prefetch((const void *)&level->states.levels[numbers[i] / WORD_STATES], 1);
}

/* ---- pushing ---- */

static void reach(const struct ranked_level *level, struct ranked_member *member, unsigned count)
{
    prefetch(level, member->next, count);
    for (unsigned i = 0; i < count; i++)
        if (states_reach(&level->states, level->level, member->next[i]))
            note_found(level, member, member->next[i]);
}

/* Marks the neighbours of a batch: move by move if the space steps on numbers, else state by state. */
static void push(const struct ranked_level *level, struct ranked_member *member, unsigned count)
{
    const struct pz_space *space = level->space;
    if (space->puzzle->step == NULL) {
        for (unsigned i = 0; i < count; i++)
            reach(level, member, neighbours(level, member, member->numbers[i]));
        return;
    }
    for (unsigned move = 0; move < space->max_successors; move++) {
        space->puzzle->step(space, move, member->numbers, count, member->next);
        reach(level, member, count);
    }
    member->generated += (uint64_t)count * space->max_successors;
}

/* Adds the states from first on whose two bits in fields are not 0 to the batch. Works on a full batch. */
static unsigned gather_level(const struct ranked_level *level, struct ranked_member *member, unsigned count,
                             uint64_t first, uint64_t fields,
                             void (*work)(const struct ranked_level *, struct ranked_member *, unsigned))
{
    for (; fields != 0; fields &= fields - 1) {
        uint64_t number = first + (unsigned)__builtin_ctzll(fields) / 2;
        assert(count < BATCH_STATES);
        if (number >= level->states.count)
            break;
        member->numbers[count++] = number;
        if (count == BATCH_STATES) {
            work(level, member, count);
            count = 0;
        }
    }
    return count;
}

/* Pushes the states of the last level in some blocks, and clears their active bits. */
static void push_turn(const struct ranked_level *level, struct ranked_member *member, uint64_t from,
                      uint64_t to)
{
    const struct states *states = &level->states;
    const uint32_t last = level->level - 1;
    const uint64_t words = states_block_marks(states->grain);
    const uint64_t marked =
        (UINT64_C(1) << (2 << states->grain)) - 1; /* two bits of each state of an active bit */
    unsigned count = 0;
    for (uint64_t at = from * words; at < to * words; at++) {
        uint64_t marks = atomic_load_explicit(&states->marks[last & 1][at], memory_order_relaxed);
        if (marks != 0)
            atomic_store_explicit(&states->marks[last & 1][at], 0, memory_order_relaxed);
        for (; marks != 0; marks &= marks - 1) {
            const uint64_t first = (at * 64 + (unsigned)__builtin_ctzll(marks)) << states->grain;
            const uint64_t word =
                atomic_load_explicit(&states->levels[first / WORD_STATES], memory_order_relaxed);
            const uint64_t fields = states_with(word, last % 3) >> first % WORD_STATES * 2 & marked;
            count = gather_level(level, member, count, first, fields, push);
        }
    }
    push(level, member, count);
}

/* ---- pulling ---- */

static bool is_last(const struct ranked_level *level, uint64_t number)
{
    return states_get(&level->states, number) == (level->level - 1) % 3;
}

static void pull_one(const struct ranked_level *level, struct ranked_member *member, uint64_t number)
{
    if (states_reach(&level->states, level->level, number))
        note_found(level, member, number);
}

/* Looks for a neighbour in the last level for each state of a batch. */
static void pull(const struct ranked_level *level, struct ranked_member *member, unsigned count)
{
    const struct pz_space *space = level->space;
    if (space->puzzle->step == NULL) {
        for (unsigned i = 0; i < count; i++) {
            const uint64_t number = member->numbers[i];
            unsigned left = neighbours(level, member, number);
            while (left > 0 && !is_last(level, member->next[left - 1]))
                left--;
            if (left > 0)
                pull_one(level, member, number);
        }
        return;
    }
    for (unsigned move = 0; move < space->max_successors && count > 0; move++) {
        unsigned kept = 0;
        space->puzzle->step(space, move, member->numbers, count, member->next);
        prefetch(level, member->next, count);
        member->generated += count;
        for (unsigned i = 0; i < count; i++) {
            const uint64_t number = member->numbers[i];
            if (is_last(level, member->next[i]))
                pull_one(level, member, number);
            else
                member->numbers[kept++] = number;
        }
        count = kept;
    }
}

static void pull_turn(const struct ranked_level *level, struct ranked_member *member, uint64_t from,
                      uint64_t to)
{
    const struct states *states = &level->states;
    const uint64_t words = states_block_marks(states->grain);
    unsigned count = 0;
    for (uint64_t at = from * words; at < to * words; at++)
        atomic_store_explicit(&states->marks[(level->level - 1) & 1][at], 0, memory_order_relaxed);
    const uint64_t end = to * (BLOCK_STATES / WORD_STATES);
    for (uint64_t at = from * (BLOCK_STATES / WORD_STATES); at < end; at++) {
        const uint64_t word = atomic_load_explicit(&states->levels[at], memory_order_relaxed);
        count = gather_level(level, member, count, at * WORD_STATES, states_with(word, UNREACHED), pull);
    }
    pull(level, member, count);
}

/* ---- goals ---- */

static void goals_turn(const struct ranked_level *level, struct ranked_member *member, uint64_t from,
                       uint64_t to)
{
    const struct pz_space *space = level->space;
    const uint64_t end = to * BLOCK_STATES < level->states.count ? to * BLOCK_STATES : level->states.count;
    uint64_t state[PZ_STATE_MAX / 8];
    for (uint64_t number = from * BLOCK_STATES; number < end; number++) {
        space->puzzle->unrank(space, number, state);
        if (space->puzzle->is_goal(space, state) && states_reach(&level->states, 0, number))
            note_found(level, member, number);
    }
}

/* ---- connected components ---- */

static void join_numbers(const struct ranked_level *level, struct ranked_member *member, uint64_t from,
                         uint64_t to)
{
    for (uint64_t number = from; number < to; number++) {
        const unsigned count = neighbours(level, member, number);
        for (unsigned i = 0; i < count; i++)
            if (member->next[i] > number) /* the other joins this one */
                ranked_parts_join(level->parts, number, member->next[i]);
    }
}

static void join_turn(const struct ranked_level *level, struct ranked_member *member, uint64_t from,
                      uint64_t to)
{
    const uint64_t end = to * BLOCK_STATES;
    join_numbers(level, member, from * BLOCK_STATES, end < level->states.count ? end : level->states.count);
}

/* ---- runs ---- */

/* Returns how many runs a worker takes at a time: whole families of siblings. */
static uint64_t turn_runs(const struct ranked_level *level)
{
    const uint64_t blocks = level->run.shape.run_words / (BLOCK_STATES / WORD_STATES);
    const uint64_t together = level->run.together, runs = blocks < TURN_BLOCKS ? TURN_BLOCKS / blocks : 1;
    return (runs + together - 1) / together * together;
}

static bool is_goal(const void *context, uint64_t number)
{
    const struct pz_space *space = context;
    uint64_t state[PZ_STATE_MAX / 8];
    space->puzzle->unrank(space, number, state);
    return space->puzzle->is_goal(space, state);
}

static void run_turn(const struct ranked_level *level, struct ranked_member *member, uint64_t turn)
{
    const uint64_t size = (uint64_t)level->run.shape.rows * level->run.shape.columns;
    const struct run_share share = level->run.share;
    const uint64_t from = turn * turn_runs(level), own = run_share_count(share, level->run.runs->outers);
    const uint64_t to = from + turn_runs(level) < own ? from + turn_runs(level) : own;
    struct run_sink sink = {.examples = &member->examples, .parts = level->parts};
    for (uint64_t at = from; at < to; at++) {
        const uint64_t run = run_space_at(&level->run, at);
        if (level->way == RANKED_JOIN)
            join_numbers(level, member, run * size, (run + 1) * size);
        else if (level->way == RANKED_GOALS)
            run_level_choose(&level->run, &member->run, &sink, run, is_goal, level->space);
        else
            run_level_make(&level->run, &member->run, &sink, level->level, run);
    }
    member->found += sink.found;
    member->generated += sink.generated;
}

/* Ends the level early where the scratch space fails. */
static void look_at_file(struct ranked_level *level)
{
    const enum pz_status status = level->run.file != NULL ? run_file_failed(level->run.file, NULL) : PZ_OK;
    if (status != PZ_OK)
        turns_end(&level->turns, status);
}

/* ---- a level ---- */

typedef void make_turn(const struct ranked_level *level, struct ranked_member *member, uint64_t from,
                       uint64_t to);

static make_turn *const turn_by_way[] = {[RANKED_PUSH] = push_turn,
                                         [RANKED_PULL] = pull_turn,
                                         [RANKED_GOALS] = goals_turn,
                                         [RANKED_JOIN] = join_turn};

uint64_t ranked_level_turns(const struct ranked_level *level)
{
    const uint64_t things = level->run.runs != NULL
                                ? run_share_count(level->run.share, level->run.runs->outers)
                                : states_blocks(level->states.count);
    const uint64_t at_a_time = level->run.runs != NULL ? turn_runs(level) : TURN_BLOCKS;
    return (things + at_a_time - 1) / at_a_time;
}

bool ranked_level_resume(struct ranked_level *level, uint32_t newest, uint64_t turns)
{
    return level->run.runs == NULL || run_space_count(&level->run, newest, turns * turn_runs(level));
}

unsigned ranked_level_examples(const struct ranked_level *level, struct bottom_k *sample, uint64_t *numbers,
                               unsigned most)
{
    bottom_k_sort(sample);
    if (level->run.runs != NULL)
        return run_examples(&level->run, sample, numbers, most);
    const unsigned count = sample->count < most ? sample->count : most;
    for (unsigned i = 0; i < count; i++)
        numbers[i] = sample->entries[i].key[0];
    return count;
}

static void level_member(void *context, unsigned number)
{
    struct ranked_level *level = context;
    const uint64_t blocks = states_blocks(level->states.count);
    uint64_t turn;
    while (turns_take(&level->turns, number, &turn)) {
        if (level->run.runs != NULL) {
            run_turn(level, &level->members[number], turn);
            look_at_file(level);
            continue;
        }
        const uint64_t from = turn * TURN_BLOCKS;
        const uint64_t to = from + TURN_BLOCKS < blocks ? from + TURN_BLOCKS : blocks;
        assert(from < to);
        turn_by_way[level->way](level, &level->members[number], from, to);
    }
}

enum pz_status ranked_level_make(struct ranked_level *level, uint64_t first, struct team *team)
{
    for (unsigned i = 0; i < level->member_count; i++) {
        level->members[i].found = level->members[i].generated = 0;
        bottom_k_empty(&level->members[i].examples);
    }
    turns_begin(&level->turns, first, ranked_level_turns(level));
    if (team != NULL)
        team_run(team, level_member, level);
    else
        level_member(level, 0);
    return turns_status(&level->turns);
}
