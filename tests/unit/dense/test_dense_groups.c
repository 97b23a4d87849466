/* SPDX-License-Identifier: MIT */
/* Levels made group by group: the index of groups, and the known levels from pieces in memory and on disk. */
#include "scratch_directory.h"

#include "explore/dense/dense.h"
#include "explore/dense/group/group.h"

enum { LEVELS_MAX = 160 };

struct fixture {
    struct pz_error error;
    struct dense_geometry geometry;
    struct budget budget;
    struct explore_request request;
    struct explorer *levels;
};

static void geometry_of(unsigned rows, unsigned columns, struct dense_geometry *geometry)
{
    struct grid grid;
    assert_int_equal(grid_init(&grid, rows, columns, NULL), PZ_OK);
    dense_geometry_init(geometry, &grid, rows * columns - 1);
}

/* ---- the index ---- */

/* Checks from both sides that each class goes where its edge leads, and the order of runs in packets. */
static void check_runs(const struct grouping *grouping, const struct group_crossing *crossing, bool upward,
                       uint32_t group)
{
    const struct group_packing *packing = &crossing->packing[upward];
    for (uint32_t number = 0; number < crossing->runs; number += 1 + crossing->runs / 97) {
        struct group_run target = {group, number};
        struct group_run source = group_source(grouping, crossing, upward, target);
        struct group_run back = group_source(grouping, crossing, !upward, source);
        assert_int_equal(back.group, target.group);
        assert_int_equal(back.run, target.run);
        assert_in_range(source.group, 0, grouping->groups - 1);
        /* A run's first and last class keep their distance. */
        uint64_t first = target.group * grouping->classes + number * crossing->run;
        for (uint64_t at = 0; at < crossing->run; at += crossing->run - 1) {
            struct dense_position position;
            dense_position_unrank(grouping->geometry, first + at, 0, &position);
            dense_unrotate(position.digit, &crossing->edge, upward);
            uint64_t reached = 0;
            for (unsigned k = 0; k + 2 < grouping->geometry->tiles; k++)
                reached += position.digit[k] * grouping->geometry->span[k + 1];
            assert_int_equal(reached, source.group * grouping->classes + source.run * crossing->run + at);
        }
        assert_in_range(packing->packet[source.run], 0, packing->packets - 1);
    }
}

/* Checks that the runs of a packet come to their target in the packet's order. */
static void check_order(const struct grouping *grouping, const struct group_crossing *crossing, bool upward,
                        uint32_t group)
{
    const struct group_packing *packing = &crossing->packing[upward];
    struct group_run *last = calloc(crossing->runs, sizeof *last);
    uint32_t known = 0;
    for (uint32_t run = 0; run < crossing->runs; run++) {
        struct group_run source = group_source(grouping, crossing, upward, (struct group_run){group, run});
        uint32_t packet = packing->packet[source.run];
        uint32_t i = 0;
        while (i < known && (last[i].group != source.group || packing->packet[last[i].run] != packet))
            i++;
        uint32_t due = i < known ? packing->at[last[i].run] + 1 : 0;
        assert_int_equal(packing->at[source.run], due);
        last[i] = source;
        known += i == known;
    }
    free(last);
}

TEST(runs_lead_where_the_edges_do_at_every_size)
{
    static const struct {
        unsigned rows, columns, most;
    } sizes[] = {{2, 6, 3}, {3, 4, 3}, {2, 7, 4}, {3, 5, 5}, {2, 8, 5}, {4, 4, 5}};
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct dense_geometry geometry;
        geometry_of(sizes[i].rows, sizes[i].columns, &geometry);
        for (unsigned digits = 1; digits <= sizes[i].most; digits++) {
            struct grouping grouping;
            struct pz_error error;
            if (!group_digits_fit(&geometry, digits))
                continue;
            assert_ok(grouping_init(&geometry, digits, &grouping, &error), error);
            for (unsigned j = 0; j < 8 * grouping.crossings; j++) {
                const struct group_crossing *crossing = &grouping.crossing[j / 8];
                uint32_t group = (uint32_t)((uint64_t)(grouping.groups - 1) * (j / 2 % 4) / 3);
                check_runs(&grouping, crossing, j % 2 != 0, group);
                if (crossing->runs <= 1320)
                    check_order(&grouping, crossing, j % 2 != 0, group);
            }
            grouping_clear(&grouping);
        }
    }
}

/* ---- levels ---- */

/* fill: explore_request's. */
static struct fixture *fixture_filled(const char *size, unsigned digits, unsigned threads,
                                      enum explore_planes planes, uint64_t fill)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    struct grid grid;
    assert_ok(grid_parse(&grid, size, &fixture->error), fixture->error);
    geometry_of(grid.rows, grid.columns, &fixture->geometry);
    assert_true(group_digits_fit(&fixture->geometry, digits));
    budget_init(&fixture->budget, NULL, UINT64_C(4000000000));
    fixture->request = (struct explore_request){.budget = &fixture->budget,
                                                .dense.fill = fill,
                                                .threads = threads,
                                                .keep = KEEP_LEVELS,
                                                .depth = EXPLORE_NO_LIMIT};
    if (planes == PLANES_DISK)
        fixture->request.scratch = scratch;
    /* Files so small that each level has several. */
    const struct levels_options options = {.request = &fixture->request,
                                           .geometry = &fixture->geometry,
                                           .planes = planes,
                                           .digits = digits,
                                           .file_bytes = 1 << 14};
    assert_ok(levels_open(&options, &fixture->levels, &fixture->error), fixture->error);
    assert_ok(fixture->levels->ops->begin(fixture->levels, &fixture->error), fixture->error);
    return fixture;
}

static struct fixture *fixture_new(const char *size, unsigned digits, unsigned threads,
                                   enum explore_planes planes)
{
    return fixture_filled(size, digits, threads, planes, 0);
}

static enum pz_status next(struct fixture *fixture)
{
    return fixture->levels->ops->next(fixture->levels, NULL, NULL, &fixture->error);
}

static void fixture_free(struct fixture *fixture)
{
    explorer_free(fixture->levels);
    clear_scratch();
    assert_int_equal(atomic_load(&fixture->budget.used), 0);
    free(fixture);
}

/* Compares the levels up to `most`, or all, with the published ones. Returns the peak of memory. */
static uint64_t go_through(struct fixture *fixture, const char *size, unsigned most)
{
    uint64_t known[LEVELS_MAX];
    unsigned count = test_data_levels(size, known, LEVELS_MAX);
    for (unsigned level = 0; level < count && level < most; level++) {
        assert_int_equal(fixture->levels->width, known[level]);
        assert_ok(next(fixture), fixture->error);
    }
    if (most >= count)
        assert_int_equal(fixture->levels->width, 0);
    uint64_t peak = atomic_load(&fixture->budget.peak);
    fixture_free(fixture);
    return peak;
}

static void check_levels(const char *size, unsigned digits, unsigned threads, enum explore_planes planes,
                         unsigned most)
{
    (void)go_through(fixture_new(size, digits, threads, planes), size, most);
}

TEST(a_small_puzzle_has_the_known_levels_by_any_number_of_threads)
{
    static const enum explore_planes kinds[] = {PLANES_CODED, PLANES_DISK};
    static const unsigned threads[] = {1, 2, 8};
    for (unsigned i = 0; i < 6; i++) {
        uint64_t fill = i / 2 == 1 ? UINT64_MAX : 0;
        struct fixture *fixture = fixture_filled("2x5", 1, threads[i / 2], kinds[i % 2], fill);
        (void)go_through(fixture, "2x5", i == 5 ? LEVELS_MAX : 35);
    }
}

/* Runs each puzzle whole with one size of groups, and its first levels with all others. */
TEST(larger_puzzles_have_the_known_levels_in_groups_of_every_size)
{
#ifdef __SANITIZE_THREAD__
    enum { SOME = 14 };
#else
    enum { SOME = 22 };
#endif
    check_levels("3x4", 2, 2, PLANES_DISK, SOME);
    check_levels("2x6", 3, 2, PLANES_CODED, SOME);
#ifndef PUZZLED_SANITIZED
    for (unsigned digits = 1; digits <= 3; digits++) {
        check_levels("3x4", digits, 2, PLANES_CODED, SOME);
        check_levels("2x6", digits, 2, digits == 2 ? PLANES_DISK : PLANES_CODED, SOME);
    }
    if (!is_brief()) {
        check_levels("3x4", 2, 2, PLANES_CODED, LEVELS_MAX);
        check_levels("2x6", 1, 2, PLANES_DISK, LEVELS_MAX);
    }
#endif
}

/* With ever more memory beyond what coded pieces need, ever more of them are plain. */
TEST(plain_pieces_and_coded_ones_go_together)
{
#ifdef PUZZLED_SANITIZED
    static const char *const size = "2x5";
    const unsigned digits = 1;
    const uint64_t spared = 1100000; /* all lies in what an arena takes at once */
    const uint64_t step = 60000;
#else
    static const char *const size = "3x4";
    const unsigned digits = 2;
    const uint64_t spared = 9 << 20; /* and some more is always left */
    const uint64_t step = 4000000;
#endif
    uint64_t coded = go_through(fixture_new(size, digits, 2, PLANES_CODED), size, LEVELS_MAX);
    uint64_t plain = go_through(fixture_filled(size, digits, 2, PLANES_CODED, UINT64_MAX), size, LEVELS_MAX);
    assert_true(plain >= coded);
    for (unsigned i = 1; i <= (is_brief() ? 3 : 5); i++) {
        uint64_t fill = coded + spared + i * step;
        uint64_t peak = go_through(fixture_filled(size, digits, 2, PLANES_CODED, fill), size, LEVELS_MAX);
        assert_in_range(peak, coded, fill);
    }
}

/* In 32,760 groups, of which these levels reach a few hundred. */
TEST(the_first_levels_of_16_cells_are_the_known_ones)
{
    static const char *const sizes[] = {"4x4", "2x8"};
#ifdef PUZZLED_SANITIZED
    const unsigned most = 5;
#else
    const unsigned most = 10;
#endif
    for (unsigned i = 0; i < 2; i++) {
        uint64_t known[LEVELS_MAX];
        unsigned count = test_data_levels(text_of("%s-first-levels", sizes[i]), known, LEVELS_MAX);
        struct fixture *fixture = fixture_new(sizes[i], 4, 2, PLANES_DISK);
        for (unsigned level = 0; level < count && level < most; level++) {
            assert_int_equal(fixture->levels->width, known[level]);
            assert_ok(next(fixture), fixture->error);
        }
        fixture_free(fixture);
    }
}

/* ---- damage ---- */

TEST(a_bit_that_is_wrong_on_the_disk_is_found)
{
    struct fixture *fixture = fixture_new("2x5", 1, 2, PLANES_DISK);
    while (fixture->levels->level < 30)
        assert_ok(next(fixture), fixture->error);
    assert_true(each_scratch_file(".pieces", flip_bit) > 2);
    assert_int_equal(next(fixture), PZ_STORAGE);
    assert_non_null(strstr(fixture->error.text, "damaged"));
    fixture_free(fixture);
}

const struct test_surroundings test_surroundings = {make_scratch, remove_scratch};
