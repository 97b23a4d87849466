/* SPDX-License-Identifier: MIT */
/* Runs the dense engine for tests and keeps all that its sink is given. */
#ifndef DENSE_FIXTURE_H
#define DENSE_FIXTURE_H

#include "test_support.h"

#include "board/board.h"
#include "explore/dense/dense.h"
#include "explore/dense/table/walk.h"
#include "space/slide/slide.h"

#include <stdlib.h>
#include <string.h>

enum { FIXTURE_LEVELS = 160 };

/* Finds the distance of a board. Returns PZ_BAD_BOARD if the root cannot be reached from it. */
static inline enum pz_status board_distance(struct dense_table *table, const struct board *board,
                                            uint32_t *distance, struct pz_error *error)
{
    struct dense_position position;
    if (!dense_position_of(&table->geometry, board, &position))
        return pz_fail(error, PZ_BAD_BOARD, "the table's root cannot be reached from this board");
    return walk_distance(table, &position, distance, error);
}

struct run {
    struct pz_space *space;
    uint64_t root[PZ_STATE_MAX / 8];
    struct budget budget;
    struct control control;
    struct explore_request request;
    struct explore_result result;
    struct pz_error error;
    /* what the sink was told */
    struct explore_plan plan;
    uint32_t levels;
    uint64_t states[FIXTURE_LEVELS];
    unsigned examples[FIXTURE_LEVELS];
    uint8_t *example[FIXTURE_LEVELS]; /* states */
    uint8_t *table;
    uint64_t table_bytes;
    enum pz_status fail_chunk;                         /* what the sink answers to a chunk */
    void (*at_level)(struct run *run, uint32_t level); /* happens before the sink takes the level; or NULL */
    bool out_of_order;
};

static enum pz_status run_begin(void *context, const struct explore_plan *plan, struct pz_error *error)
{
    struct run *run = context;
    (void)error;
    run->plan = *plan;
    if (plan->table == TABLE_DENSE)
        run->table = malloc(plan->table_bytes);
    return PZ_OK;
}

static enum pz_status run_level(void *context, uint32_t level, uint64_t states, struct pz_error *error)
{
    struct run *run = context;
    (void)error;
    if (run->at_level != NULL)
        run->at_level(run, level);
    if (level != run->levels || level >= FIXTURE_LEVELS)
        run->out_of_order = true;
    else
        run->states[run->levels++] = states;
    return PZ_OK;
}

static enum pz_status run_examples(void *context, uint32_t level, const void *states, unsigned count,
                                   struct pz_error *error)
{
    struct run *run = context;
    (void)error;
    if (level + 1 != run->levels) {
        run->out_of_order = true;
        return PZ_OK;
    }
    size_t bytes = (size_t)count * run->space->state_bytes;
    run->examples[level] = count;
    run->example[level] = malloc(bytes);
    memcpy(run->example[level], states, bytes);
    return PZ_OK;
}

static enum pz_status run_chunk(void *context, uint64_t number, const void *bytes, size_t length,
                                struct pz_error *error)
{
    struct run *run = context;
    if (run->fail_chunk != PZ_OK)
        return pz_fail(error, run->fail_chunk, "no room");
    if (number * run->plan.chunk_bytes != run->table_bytes)
        run->out_of_order = true;
    memcpy(run->table + run->table_bytes, bytes, length);
    run->table_bytes += length;
    return PZ_OK;
}

/* Returns a run of that size, its root with the blank in that cell and the tiles in order. The test may
 * change it before it runs it, and frees it. */
static inline struct run *run_new(const char *size, unsigned blank)
{
    struct run *run = calloc(1, sizeof *run);
    struct pz_setup setup = {.size = size};
    if (slide_puzzle.open(&setup, &run->space, &run->error) != PZ_OK)
        abort();
    struct board root;
    board_ordered(slide_permutation(run->space), blank, &root);
    slide_state(run->space, &root, run->root);
    budget_init(&run->budget, NULL, UINT64_MAX);
    run->request = (struct explore_request){.space = run->space,
                                            .root = run->root,
                                            .depth = EXPLORE_NO_LIMIT,
                                            .threads = 1,
                                            .budget = &run->budget,
                                            .dense.fill = UINT64_MAX,
                                            .engine = ENGINE_DENSE,
                                            .keep = KEEP_LEVELS};
    return run;
}

static inline enum pz_status run_go(struct run *run)
{
    struct explore_sink sink = {
        .context = run, .begin = run_begin, .level = run_level, .examples = run_examples, .chunk = run_chunk};
    return explore_run(&run->request, &run->control, &sink, &run->result, &run->error);
}

static inline void run_free(struct run *run)
{
    for (unsigned i = 0; i < FIXTURE_LEVELS; i++)
        free(run->example[i]);
    free(run->table);
    run->space->puzzle->close(run->space);
    free(run);
}

/* A table's chunks from the run's memory. */
static inline enum pz_status run_source(void *context, uint64_t number, const uint8_t **bytes, size_t *length,
                                        struct pz_error *error)
{
    struct run *run = context;
    uint64_t at = number * DENSE_CHUNK_BYTES;
    if (at >= run->table_bytes)
        return pz_fail(error, PZ_STORAGE, "no chunk %llu", (unsigned long long)number);
    *bytes = run->table + at;
    *length = run->table_bytes - at < DENSE_CHUNK_BYTES ? (size_t)(run->table_bytes - at) : DENSE_CHUNK_BYTES;
    return PZ_OK;
}

/* Opens the table of a run that kept one. */
static inline struct dense_table *run_table_of(struct run *run)
{
    const struct table_source source = {.context = run, .chunk = run_source};
    struct dense_table *table = NULL;
    struct grid grid;
    struct board root;
    struct board_view view;
    slide_board(run->space, run->root, &root);
    view_of_goal(slide_permutation(run->space), &root, &view);
    assert_ok(grid_init(&grid, view.rows, view.columns, &run->error), run->error);
    assert_ok(dense_table_new(&grid, view.blank, slide_is_multi(run->space), &source, &table, &run->error),
              run->error);
    return table;
}

/* Checks that there are as many examples as there should be, of a run that was not cut off, and that each has
 * the distance of its level in the table of a run that has all levels. */
static inline void check_examples(const struct run *run, struct run *whole)
{
    struct dense_table *table = run_table_of(whole);
    struct board root;
    struct board_view view;
    slide_board(whole->space, whole->root, &root);
    view_of_goal(slide_permutation(whole->space), &root, &view);
    for (uint32_t level = 0; level < run->levels; level++) {
        const unsigned most = level + 1 == run->levels ? EXPLORE_DEEPEST_MAX : EXPLORE_EXAMPLES;
        if (run->result.outcome == OUTCOME_DONE)
            assert_int_equal(run->examples[level], run->states[level] < most ? run->states[level] : most);
        for (unsigned i = 0; i < run->examples[level]; i++) {
            struct board board, there;
            uint32_t distance = 0;
            slide_board(run->space, run->example[level] + (size_t)i * run->space->state_bytes, &board);
            view_in(&view, &board, &there);
            assert_ok(board_distance(table, &there, &distance, &whole->error), whole->error);
            assert_int_equal(distance, level);
        }
    }
    dense_table_free(table);
}

static inline void check_equal_levels(const struct run *run, const struct run *whole)
{
    assert_false(run->out_of_order);
    assert_int_equal(run->result.states, whole->result.states);
    assert_int_equal(run->levels, whole->levels);
    assert_memory_equal(run->states, whole->states, whole->levels * sizeof *whole->states);
}

static inline void check_equal(const struct run *run, const struct run *whole)
{
    check_equal_levels(run, whole);
    for (uint32_t level = 0; level < whole->levels; level++) {
        assert_int_equal(run->examples[level], whole->examples[level]);
        assert_memory_equal(run->example[level], whole->example[level],
                            (size_t)whole->examples[level] * whole->space->state_bytes);
    }
}

#endif
