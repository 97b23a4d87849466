/* SPDX-License-Identifier: MIT */
/* Shared by the tests of the solving methods: questions, an archive in memory, and true distances. */
#ifndef SOLVE_SUPPORT_H
#define SOLVE_SUPPORT_H

#include "plain_search.h"
#include "some_board.h"

#include "board/board.h"
#include "solve/solve.h"
#include "space/registry.h"
#include "space/slide/slide.h"

/* Of Korf's hundred boards: the blank first. */
#define KORF15_GOAL "0,1,2,3/4,5,6,7/8,9,10,11/12,13,14,15"

static inline struct pz_space *solve_space(const char *puzzle, const char *goal)
{
    struct pz_space *space = NULL;
    struct pz_error error;
    struct pz_setup setup = {.goal = goal};
    assert_ok(space_open(puzzle, &setup, &space, &error), error);
    return space;
}

/* Solves in that much memory, given back in the end. The caller frees the result. */
static inline struct solve_result solved_within(struct solve_request request, uint64_t bytes)
{
    struct budget budget;
    struct control control = {0};
    struct solve_result result;
    struct pz_error error = {0};
    budget_init(&budget, NULL, bytes);
    request.budget = &budget;
    assert_ok(solve_run(&request, &control, &result, &error), error);
    assert_int_equal(atomic_load(&budget.used), 0);
    return result;
}

/* ---- an archive in memory ---- */

enum { ARCHIVE_ITEMS = 16 };

struct memory_archive {
    struct pattern_archive archive;
    unsigned count;
    char *name[ARCHIVE_ITEMS];
    uint8_t *bytes[ARCHIVE_ITEMS];
    size_t length[ARCHIVE_ITEMS];
    unsigned loads, saves, views; /* successful loads, saves, views not yet released */
    bool damaged, full;           /* load says PZ_STORAGE, save says PZ_STORAGE_FULL */
    bool cancelled;               /* both say PZ_CANCELLED */
};

static inline enum pz_status memory_archive_load(void *context, const char *name, const uint8_t **bytes,
                                                 size_t *length, struct pz_error *error)
{
    struct memory_archive *memory = context;
    if (memory->cancelled)
        return pz_fail(error, PZ_CANCELLED, "cancelled");
    for (unsigned i = 0; i < memory->count; i++) {
        if (strcmp(memory->name[i], name) != 0)
            continue;
        if (memory->damaged)
            return pz_fail(error, PZ_STORAGE, "damaged");
        *bytes = memory->bytes[i];
        *length = memory->length[i];
        memory->loads++;
        memory->views++;
        return PZ_OK;
    }
    return pz_fail(error, PZ_NO_TABLE, "no %s", name);
}

static inline void memory_archive_release(void *context, const uint8_t *bytes)
{
    (void)bytes;
    ((struct memory_archive *)context)->views--;
}

static inline enum pz_status memory_archive_save(void *context, const char *name, const uint8_t *bytes,
                                                 size_t length, struct pz_error *error)
{
    struct memory_archive *memory = context;
    if (memory->cancelled)
        return pz_fail(error, PZ_CANCELLED, "cancelled");
    if (memory->full)
        return pz_fail(error, PZ_STORAGE_FULL, "full");
    unsigned i = 0;
    while (i < memory->count && strcmp(memory->name[i], name) != 0)
        i++;
    assert_true(i < ARCHIVE_ITEMS);
    if (i < memory->count) {
        free(memory->name[i]);
        free(memory->bytes[i]);
    } else {
        memory->count++;
    }
    memory->name[i] = strdup(name);
    memory->bytes[i] = malloc(length);
    assert_non_null(memory->bytes[i]);
    memcpy(memory->bytes[i], bytes, length);
    memory->length[i] = length;
    memory->saves++;
    return PZ_OK;
}

static inline void memory_archive_init(struct memory_archive *memory)
{
    memset(memory, 0, sizeof *memory);
    memory->archive =
        (struct pattern_archive){memory, memory_archive_load, memory_archive_release, memory_archive_save};
}

static inline void memory_archive_clear(struct memory_archive *memory)
{
    assert_int_equal(memory->views, 0);
    for (unsigned i = 0; i < memory->count; i++) {
        free(memory->name[i]);
        free(memory->bytes[i]);
    }
}

/* ---- paths ---- */

/* Plays a path over: from the start to the goal, each state a successor of the one before. */
static inline void assert_path(const struct pz_space *space, const void *start,
                               const struct solve_result *result)
{
    size_t bytes = space->state_bytes;
    uint8_t *successors = malloc(bytes * space->max_successors);
    uint8_t *tokens = malloc(space->max_successors);
    assert_non_null(successors);
    assert_non_null(tokens);
    assert_non_null(result->path);
    assert_memory_equal(result->path, start, bytes);
    for (int64_t i = 0; i < result->moves; i++) {
        const uint8_t *from = result->path + (size_t)i * bytes;
        unsigned count = space->puzzle->expand(space, from, PZ_NO_TOKEN, successors, tokens);
        unsigned same = 0;
        while (same < count && memcmp(successors + same * bytes, from + bytes, bytes) != 0)
            same++;
        assert_true(same < count);
    }
    assert_true(space->puzzle->is_goal(space, result->path + (size_t)result->moves * bytes));
    free(successors);
    free(tokens);
}

/* assert_path, and each step has a word. */
static inline void assert_described_path(const struct pz_space *space, const void *start,
                                         const struct solve_result *result)
{
    assert_path(space, start, result);
    for (int64_t i = 0; i < result->moves; i++) {
        char word[PZ_TEXT_MAX];
        const uint8_t *from = result->path + (size_t)i * space->state_bytes;
        assert_true(space->puzzle->describe(space, from, from + space->state_bytes, word) > 0);
    }
}

/* ---- boards ---- */

/* Goes moves steps at random, not straight back. */
static inline void random_walk(const struct grid *grid, struct board *board, unsigned moves,
                               struct random *random)
{
    unsigned last = DIRECTION_COUNT;
    for (unsigned made = 0; made < moves;) {
        unsigned d = (unsigned)random_below(random, DIRECTION_COUNT);
        if (last != DIRECTION_COUNT && d == (last ^ 1u) && grid->rows > 1 && grid->columns > 1)
            continue;
        if (!board_move(grid, board, (enum direction)d))
            continue;
        last = d;
        made++;
    }
}

/* One that can reach the goal. */
static inline void random_solvable(const struct grid *grid, const struct board *goal, struct board *board,
                                   struct random *random)
{
    do {
        shuffle(random, grid, board);
    } while (board_reach(grid, board, goal) != BOARD_REACHED);
}

/* ---- true distances of a small board, found the plainest way ---- */

struct distances {
    struct pz_space *space;
    struct plain_search search; /* from the goal */
};

static inline void distances_init(struct distances *distances, const struct grid *grid,
                                  const struct board *goal)
{
    uint64_t root[PZ_STATE_MAX / 8];
    distances->space = solve_space(text_of("%ux%u", grid->rows, grid->columns), NULL);
    slide_state(distances->space, goal, root);
    plain_explore(&distances->search, distances->space, root, false);
}

static inline unsigned distance_of(const struct distances *distances, const struct board *board)
{
    uint64_t state[PZ_STATE_MAX / 8];
    slide_state(distances->space, board, state);
    const uint32_t number = *plain_slot(&distances->search, state);
    assert_true(number > 0);
    return distances->search.depths[number - 1];
}

static inline void distances_clear(struct distances *distances)
{
    plain_free(&distances->search);
    space_close(distances->space);
}

/* Calls visit for every board that can reach the goal. */
static inline void each_reachable(const struct distances *distances,
                                  void (*visit)(void *context, const struct board *board, unsigned distance),
                                  void *context)
{
    for (size_t i = 0; i < distances->search.count; i++) {
        struct board board;
        slide_board(distances->space, plain_state(&distances->search, i), &board);
        visit(context, &board, distances->search.depths[i]);
    }
}

#endif
