/* SPDX-License-Identifier: MIT */
/* Every kernel that runs here writes the same planes. */
#include "dense_fixture.h"
#include "test_support.h"

#include "explore/dense/level/dense_level.h"

/* A search by one kernel, one level at a time. */
struct searcher {
    struct planes *planes;
    struct level_runner *runner;
    uint64_t states;
};

enum { KERNELS_MAX = 4 };

static void make_searcher(struct searcher *searcher, const struct plan *plan, const struct kernel *kernel,
                          struct team *team)
{
    struct pz_error error;
    assert_ok(planes_new(plan, true, false, &searcher->planes, &error), error);
    const struct level_parts parts = {
        .plan = plan, .planes = searcher->planes, .kernel = kernel, .team = team};
    assert_ok(level_runner_new(&parts, &searcher->runner, &error), error);
    planes_put(searcher->planes, 0, plan->geometry->root_place);
    searcher->states = 1;
}

static void free_searcher(struct searcher *searcher)
{
    level_runner_free(searcher->runner);
    planes_free(searcher->planes);
}

static void check_planes(const struct plan *plan, const struct searcher *a, const struct searcher *b)
{
    assert_int_equal(a->states, b->states);
    size_t blocks = plan->blocks;
    for (unsigned colour = 0; colour < 2; colour++) {
        assert_int_equal(memcmp(a->planes->bytes[colour], b->planes->bytes[colour], a->planes->plane_bytes),
                         0);
        assert_int_equal(memcmp(a->planes->mark[colour], b->planes->mark[colour], a->planes->plane_bytes), 0);
        assert_int_equal(memcmp(a->planes->present[colour], b->planes->present[colour], blocks), 0);
        assert_int_equal(
            memcmp(a->planes->count[colour], b->planes->count[colour], blocks * sizeof(uint32_t)), 0);
    }
}

static void compare_by(long rows, long columns, unsigned blank, unsigned threads, bool multi)
{
    struct grid grid;
    struct dense_geometry geometry;
    struct plan *plan = NULL;
    struct team *team = NULL;
    struct pz_error error;
    struct searcher searchers[KERNELS_MAX] = {0};
    unsigned count = 0;
    assert_ok(grid_init(&grid, rows, columns, &error), error);
    dense_geometry_init(&geometry, &grid, blank);
    geometry.multi = multi;
    assert_ok(plan_new(&geometry, &plan, &error), error);
    assert_ok(team_new(threads, &team, &error), error);
    for (unsigned i = 0; dense_kernels[i] != NULL; i++)
        if (dense_kernels[i]->runs_here())
            make_searcher(&searchers[count++], plan, dense_kernels[i], team);
    unsigned colour = geometry.root_place % 2;
    for (unsigned level = 1; searchers[0].states > 0; level++) {
        colour = 1 - colour;
        for (unsigned i = 0; i < count; i++) {
            const struct level_task task = {.target = colour,
                                            .mark = level % 4 >= 2,
                                            .mark0 = multi && level % 2 == 1,
                                            .width = searchers[i].states};
            assert_int_equal(level_run(searchers[i].runner, &task, &searchers[i].states), PZ_OK);
            if (i > 0)
                check_planes(plan, &searchers[0], &searchers[i]);
        }
    }
    for (unsigned i = 0; i < count; i++)
        free_searcher(&searchers[i]);
    team_free(team);
    plan_free(plan);
}

static void compare(long rows, long columns, unsigned blank, unsigned threads)
{
    compare_by(rows, columns, blank, threads, false);
}

TEST(kernels_write_equal_planes_for_every_blank)
{
    for (long columns = 2; columns <= 4; columns++)
        for (unsigned blank = 0; blank < 2 * columns; blank++)
            compare(2, columns, blank, 2);
    compare(2, 5, 9, 2);
    compare(2, 5, 2, 8);
    compare(3, 3, 8, 1);
    compare(3, 3, 7, 2);
    compare(3, 3, 4, 1);
}

TEST(kernels_write_equal_planes_by_moves_of_several_tiles)
{
    for (long columns = 2; columns <= 4; columns++)
        compare_by(2, columns, 1, 2, true);
    compare_by(2, 5, 2, 8, true);
    compare_by(3, 3, 7, 2, true);
}

TEST(kernels_write_equal_planes_of_12_cells)
{
#ifndef PUZZLED_SANITIZED
    compare(2, 6, 11, 2);
    compare(3, 4, 6, 2);
#else
    skip();
#endif
}

TEST(a_kernel_is_found_by_name)
{
    const struct kernel *kernel = NULL;
    struct pz_error error;
    assert_ok(kernel_find("portable", &kernel, &error), error);
    assert_string_equal(kernel->name, "portable");
    assert_ok(kernel_find(NULL, &kernel, &error), error);
    assert_true(kernel->runs_here());
    assert_int_equal(kernel_find("cuda", &kernel, &error), PZ_BAD_REQUEST);
    assert_non_null(strstr(error.text, "portable"));
}
