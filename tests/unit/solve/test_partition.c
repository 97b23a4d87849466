/* SPDX-License-Identifier: MIT */
/* Partitions of the tiles into patterns. */
#include "solve_support.h"

#include "solve/pdb/pdb.h"

static void assert_each_layout_shares_out_every_tile_once(const struct grid *grid, unsigned blank,
                                                          const struct partition *partition)
{
    assert_true(partition->layouts > 0);
    for (unsigned layout = 0; layout < partition->layouts; layout++) {
        uint64_t all = (uint64_t)1 << blank;
        for (unsigned pattern = 0; pattern < partition->patterns; pattern++) {
            const bool used = (partition->layout[layout] >> pattern & 1) != 0;
            assert_true(!used || (all & partition->cells[pattern]) == 0);
            all |= used ? partition->cells[pattern] : 0;
        }
        assert_int_equal(all, ((uint64_t)1 << grid->cells) - 1);
    }
}

TEST(every_choice_shares_out_every_tile_once)
{
    for (long rows = 1; rows <= 6; rows++) {
        for (long columns = rows; columns <= 7; columns++) {
            struct grid grid;
            struct partition partition;
            if (rows * columns < 2 || grid_init(&grid, rows, columns, NULL) != PZ_OK)
                continue;
            for (unsigned blank = 0; blank < grid.cells; blank++) {
                for (unsigned attempt = 0; partition_choice(&grid, blank, attempt, &partition); attempt++)
                    assert_each_layout_shares_out_every_tile_once(&grid, blank, &partition);
            }
        }
    }
}

TEST(the_defaults_are_those_of_the_literature)
{
    struct grid grid;
    struct partition partition;
    assert_int_equal(grid_init(&grid, 4, 4, NULL), PZ_OK);
    assert_true(partition_choice(&grid, 15, 0, &partition));
    assert_string_equal(partition.text, "7-8");
    assert_int_equal(partition.cells[0], 0x7F00);
    assert_int_equal(partition.cells[1], 0x00FF);
    assert_int_equal(grid_init(&grid, 5, 5, NULL), PZ_OK);
    assert_true(partition_choice(&grid, 24, 0, &partition));
    assert_string_equal(partition.text, "small");
    assert_true(partition_choice(&grid, 24, 1, &partition));
    assert_string_equal(partition.text, "6-6-6-6");
}

TEST(a_collection_goes_first_where_it_tells_most)
{
    static const long sizes[][2] = {{3, 6}, {4, 5}, {5, 5}, {5, 6}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct grid grid;
        struct partition partition;
        assert_int_equal(grid_init(&grid, sizes[i][0], sizes[i][1], NULL), PZ_OK);
        const unsigned blank = grid.cells - 1u;
        assert_true(partition_choice(&grid, blank, 0, &partition));
        assert_string_equal(partition.text, "small");
        assert_true(partition_choice(&grid, blank, 1, &partition) && partition.layouts == 1);
        assert_true(partition_choice(&grid, blank - 1, 0, &partition) && partition.layouts == 1);
    }
}

TEST(a_partition_that_does_not_fit_is_refused_with_one_that_does)
{
    static const char *const bad[] = {
        "",     "7",    "7-7", "8-8", "9-6", "7-8-", "-7-8",
        "7--8", "0-15", "7,8", "x",   "15",  "7-8x", "1-1-1-1-1-1-1-1-1-1-1-1-1-1-1-1-1"};
    struct grid grid;
    assert_int_equal(grid_init(&grid, 4, 4, NULL), PZ_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct partition partition;
        struct pz_error error = {0};
        assert_int_equal(partition_parse(&grid, 15, bad[i], &partition, &error), PZ_BAD_REQUEST);
        assert_non_null(strstr(error.text, "7-8"));
    }
}

TEST(each_layout_of_a_collection_shares_out_every_tile_once)
{
    static const struct {
        long rows, columns;
        unsigned patterns, layouts;
    } cases[] = {{3, 6, 14, 5}, {4, 5, 16, 5}, {5, 6, 10, 2}, {4, 4, 11, 4}, {5, 5, 14, 7}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct grid grid;
        struct partition partition;
        assert_int_equal(grid_init(&grid, cases[i].rows, cases[i].columns, NULL), PZ_OK);
        const unsigned blank = grid.cells - 1u;
        assert_int_equal(partition_parse(&grid, blank, "small", &partition, NULL), PZ_OK);
        assert_int_equal(partition.patterns, cases[i].patterns);
        assert_int_equal(partition.layouts, cases[i].layouts);
        assert_each_layout_shares_out_every_tile_once(&grid, blank, &partition);
        assert_int_equal(partition_parse(&grid, 0, "small", &partition, NULL), PZ_BAD_REQUEST);
    }
}
