/* SPDX-License-Identifier: MIT */
/* The dense engine's index: ranks, rotations and sources, also at sizes that no ordinary machine holds. */
#include "dense_fixture.h"
#include "test_support.h"

#include "base/random.h"
#include "board/board.h"
#include "explore/dense/level/dense_level.h"

static void make_geometry(struct dense_geometry *geometry, long rows, long columns, unsigned blank)
{
    struct grid grid;
    struct pz_error error;
    assert_ok(grid_init(&grid, rows, columns, &error), error);
    assert_true(dense_grid_fits(&grid));
    dense_geometry_init(geometry, &grid, blank);
}

static const struct {
    long rows, columns;
} sizes[] = {{2, 2}, {2, 3}, {2, 4}, {2, 5}, {2, 6}, {2, 7}, {2, 8}, {3, 3}, {3, 4}, {3, 5}, {4, 4}};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

TEST(the_root_is_class_0_for_every_blank)
{
    for (unsigned i = 0; i < SIZES; i++) {
        for (unsigned blank = 0; blank < sizes[i].rows * sizes[i].columns; blank++) {
            struct dense_geometry geometry;
            struct dense_position position;
            struct board board;
            make_geometry(&geometry, sizes[i].rows, sizes[i].columns, blank);
            board_ordered(&geometry.grid, blank, &board);
            assert_true(dense_position_of(&geometry, &board, &position));
            assert_true(position.number == 0);
            assert_int_equal(position.place, geometry.root_place);
        }
    }
}

TEST(classes_are_half_the_sequences)
{
    struct dense_geometry geometry;
    make_geometry(&geometry, 2, 7, 13);
    assert_true(geometry.classes == UINT64_C(3113510400));
    make_geometry(&geometry, 3, 5, 14);
    assert_true(geometry.classes == UINT64_C(43589145600));
    make_geometry(&geometry, 4, 4, 15);
    assert_true(geometry.classes == UINT64_C(653837184000));
    assert_true(geometry.classes * geometry.places == UINT64_C(10461394944000));
}

TEST(every_class_of_small_puzzles_is_one_sequence)
{
    for (unsigned i = 0; i < SIZES; i++) {
        struct dense_geometry geometry;
        make_geometry(&geometry, sizes[i].rows, sizes[i].columns, 0);
        uint64_t step = geometry.classes < 200000 ? 1 : geometry.classes / 1999;
        for (uint64_t number = 0; number < geometry.classes; number += step) {
            struct dense_position position;
            struct dense_position back;
            struct board board;
            dense_position_unrank(&geometry, number, (unsigned)(number % geometry.places), &position);
            dense_board_of(&geometry, &position, &board);
            assert_true(dense_position_of(&geometry, &board, &back));
            assert_memory_equal(&back, &position, sizeof back);
        }
    }
}

TEST(odd_boards_have_no_class)
{
    struct random random = {.state = 3};
    for (unsigned i = 0; i < SIZES; i++) {
        struct dense_geometry geometry;
        struct board root;
        make_geometry(&geometry, sizes[i].rows, sizes[i].columns, 1);
        board_ordered(&geometry.grid, 1, &root);
        for (unsigned draw = 0; draw < 200; draw++) {
            struct board board = root;
            for (unsigned k = board.cells - 1u; k > 0; k--) {
                unsigned other = (unsigned)random_below(&random, k + 1);
                uint8_t tile = board.tile[k];
                board.tile[k] = board.tile[other];
                board.tile[other] = tile;
            }
            struct dense_position position;
            assert_int_equal(dense_position_of(&geometry, &board, &position),
                             board_reach(&geometry.grid, &board, &root) == BOARD_REACHED);
        }
    }
}

#ifndef PUZZLED_SANITIZED
static bool holds(const struct planes *planes, const struct dense_position *position)
{
    const uint8_t *plane = planes->bytes[position->place % 2];
    return plane[position->number] >> (position->place / 2) & 1u;
}

/* Puts one state into empty planes and lets the block of each of its neighbours pull. */
static void check_neighbours(const struct plan *plan, const struct kernel *kernel, struct team *team,
                             const struct dense_position *from)
{
    struct pz_error error;
    struct planes *planes = NULL;
    struct level_runner *runner = NULL;
    if (planes_new(plan, false, false, &planes, &error) != PZ_OK)
        skip(); /* a system that does not lend more address space than it has memory */
    const struct level_parts parts = {.plan = plan, .planes = planes, .kernel = kernel, .team = team};
    assert_ok(level_runner_new(&parts, &runner, &error), error);
    planes_put(planes, from->number, from->place);
    struct board board;
    dense_board_of(plan->geometry, from, &board);
    for (unsigned direction = 0; direction < DIRECTION_COUNT; direction++) {
        struct board next = board;
        struct dense_position to;
        if (!board_move(&plan->geometry->grid, &next, (enum direction)direction))
            continue;
        assert_true(dense_position_of(plan->geometry, &next, &to));
        uint32_t block = (uint32_t)(to.number / plan->block);
        if (!holds(planes, &to))
            level_advance_block(runner, to.place % 2, block);
        assert_true(holds(planes, &to));
        /* and nothing else is there but the few neighbours */
        assert_in_range(planes->count[to.place % 2][block], 1, DIRECTION_COUNT);
    }
    level_runner_free(runner);
    planes_free(planes);
}

static void check_sampled_classes(long rows, long columns, unsigned samples)
{
    struct dense_geometry geometry;
    struct plan *plan = NULL;
    struct team *team = NULL;
    struct pz_error error;
    struct random random = {.state = 11};
    make_geometry(&geometry, rows, columns, (unsigned)(rows * columns - 1));
    assert_ok(plan_new(&geometry, &plan, &error), error);
    assert_ok(team_new(1, &team, &error), error);
    for (unsigned i = 0; i < samples; i++) {
        struct dense_position position;
        uint64_t number = i == 0 ? geometry.classes - 1 : random_below(&random, geometry.classes);
        dense_position_unrank(&geometry, number, (unsigned)random_below(&random, geometry.places), &position);
        for (unsigned k = 0; dense_kernels[k] != NULL; k++)
            if (dense_kernels[k]->runs_here())
                check_neighbours(plan, dense_kernels[k], team, &position);
    }
    team_free(team);
    plan_free(plan);
}
#endif

TEST(sampled_classes_reach_their_neighbours_at_every_size)
{
#ifndef PUZZLED_SANITIZED
    for (unsigned i = 0; i < SIZES; i++)
        check_sampled_classes(sizes[i].rows, sizes[i].columns,
                              sizes[i].rows * sizes[i].columns < 6 ? 4 : 100);
#else
    skip();
#endif
}
