/* SPDX-License-Identifier: MIT */
/*
 * The plainest breadth-first search, with one thread and one growing hash table, to compare spaces and
 * engines with. It knows nothing of the engines, and never tells expand how a state was reached.
 */
#ifndef PLAIN_SEARCH_H
#define PLAIN_SEARCH_H

#include "some_space.h"

enum { PLAIN_LEVELS_MAX = 1024 };

struct plain_search {
    const struct pz_space *space;
    uint8_t *states; /* in the order in which they were found */
    uint32_t *slots; /* 1 + number of a state; 0 for none */
    uint16_t *depths;
    size_t count, room, slot_count;
    int64_t goal_depth; /* of the first goal state, -1 for none */
    uint64_t goal_states;
    unsigned levels;
    uint64_t level[PLAIN_LEVELS_MAX];
};

static inline const uint8_t *plain_state(const struct plain_search *search, size_t number)
{
    return search->states + number * search->space->state_bytes;
}

static inline uint64_t plain_hash(const void *state, size_t bytes)
{
    const uint8_t *byte = state;
    uint64_t hash = 0xCBF29CE484222325u;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ byte[i]) * 0x100000001B3u;
    return hash ^ hash >> 29;
}

/* The slot of a state, or the free one where it belongs. */
static inline uint32_t *plain_slot(const struct plain_search *search, const void *state)
{
    size_t bytes = search->space->state_bytes;
    size_t at = plain_hash(state, bytes) & (search->slot_count - 1);
    while (search->slots[at] != 0 && memcmp(plain_state(search, search->slots[at] - 1), state, bytes) != 0)
        at = (at + 1) & (search->slot_count - 1);
    return &search->slots[at];
}

static inline void plain_grow(struct plain_search *search)
{
    search->room = search->room == 0 ? 1024 : search->room * 2;
    search->slot_count = search->room * 2;
    search->states = realloc(search->states, search->room * search->space->state_bytes);
    search->depths = realloc(search->depths, search->room * sizeof *search->depths);
    free(search->slots);
    search->slots = calloc(search->slot_count, sizeof *search->slots);
    assert_true(search->states != NULL && search->depths != NULL && search->slots != NULL);
    for (size_t i = 0; i < search->count; i++)
        *plain_slot(search, plain_state(search, i)) = (uint32_t)i + 1;
}

static inline void plain_add(struct plain_search *search, const void *state, unsigned depth)
{
    if (search->count == search->room)
        plain_grow(search);
    uint32_t *slot = plain_slot(search, state);
    if (*slot != 0)
        return;
    memcpy(search->states + search->count * search->space->state_bytes, state, search->space->state_bytes);
    search->depths[search->count] = (uint16_t)depth;
    *slot = (uint32_t)++search->count;
    assert_true(depth < PLAIN_LEVELS_MAX);
    search->level[depth]++;
    search->levels = depth + 1;
    if (search->space->puzzle->is_goal(search->space, state)) {
        search->goal_states++;
        if (search->goal_depth < 0)
            search->goal_depth = depth;
    }
}

/* Visits all states that root reaches; with to_goal only up to the whole level of the first goal. */
static inline void plain_explore(struct plain_search *search, const struct pz_space *space, const void *root,
                                 bool to_goal)
{
    uint64_t at[PZ_STATE_MAX / 8];
    uint8_t *successors = malloc((size_t)space->max_successors * space->state_bytes);
    uint8_t *tokens = malloc(space->max_successors);
    assert_true(successors != NULL && tokens != NULL);
    *search = (struct plain_search){.space = space, .goal_depth = -1};
    plain_add(search, root, 0);
    for (size_t i = 0; i < search->count; i++) {
        unsigned depth = search->depths[i];
        if (to_goal && search->goal_depth >= 0 && depth >= search->goal_depth)
            break;
        memcpy(at, plain_state(search, i), space->state_bytes);
        unsigned count = space->puzzle->expand(space, at, PZ_NO_TOKEN, successors, tokens);
        assert_true(count <= space->max_successors);
        for (unsigned j = 0; j < count; j++)
            plain_add(search, successors + (size_t)j * space->state_bytes, depth + 1);
    }
    free(successors);
    free(tokens);
}

/* From the space's own root. */
static inline void plain_explore_own(struct plain_search *search, const struct pz_space *space)
{
    uint64_t root[PZ_STATE_MAX / 8];
    struct pz_error error = {0};
    assert_ok(space->puzzle->root(space, root, &error), error);
    plain_explore(search, space, root, false);
}

static inline void plain_free(struct plain_search *search)
{
    free(search->states);
    free(search->slots);
    free(search->depths);
}

/* Opens a space from its text, start and goal (NULL for none) and one more key (NULL for none). */
static inline enum pz_status plain_try_open(struct pz_space **out, const char *puzzle, const char *start,
                                            const char *goal, const char *key, const char *value,
                                            struct pz_error *error)
{
    const struct pz_key keys[] = {{key, value}};
    const struct pz_setup setup = {
        .start = start, .goal = goal, .keys = keys, .key_count = key != NULL ? 1 : 0};
    *out = NULL;
    return space_open(puzzle, &setup, out, error);
}

static inline struct pz_space *plain_open(const char *puzzle, const char *start, const char *goal,
                                          const char *key, const char *value)
{
    struct pz_space *space = NULL;
    struct pz_error error = {0};
    assert_ok(plain_try_open(&space, puzzle, start, goal, key, value, &error), error);
    return space;
}

/* That a question is refused with this code and a text that holds these words. */
static inline void plain_assert_refused(enum pz_status code, const char *words, const char *puzzle,
                                        const char *start, const char *goal, const char *key,
                                        const char *value)
{
    struct pz_space *space = NULL;
    struct pz_error error = {0};
    enum pz_status status = plain_try_open(&space, puzzle, start, goal, key, value, &error);
    if (status != code || space != NULL || strstr(error.text, words) == NULL)
        fail_msg("%s: status %d, text '%s', expected '%s'", puzzle, (int)status, error.text, words);
}

/* The fewest moves of a question by plain search, -1 when it has no solution. */
static inline int64_t plain_moves(const char *puzzle, const char *start, const char *goal, const char *key,
                                  const char *value)
{
    struct plain_search search;
    struct pz_error error = {0};
    uint64_t root[PZ_STATE_MAX / 8];
    struct pz_space *space = plain_open(puzzle, start, goal, key, value);
    assert_ok(space->puzzle->root(space, root, &error), error);
    plain_explore(&search, space, root, true);
    int64_t moves = search.goal_depth;
    plain_free(&search);
    space_close(space);
    return moves;
}

#endif
