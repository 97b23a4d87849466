/* SPDX-License-Identifier: MIT */
/* The bound by pattern databases: admissible, and as good as each of its lookups. */
#include "pdb_fixture.h"

struct bound_check {
    const struct pdb *pdb;
    uint64_t boards;
};

static void check_bound(void *context, const struct board *board, unsigned distance)
{
    struct bound_check *check = context;
    unsigned value = pdb_value(check->pdb, board);
    if (value > distance || (value == 0) != (distance == 0) || (distance - value) % 2 != 0)
        fail_msg("the bound is %u at distance %u", value, distance);
    check->boards++;
}

TEST(the_bound_is_admissible_and_of_the_right_parity_on_every_3x3_board)
{
    static const unsigned blanks[] = {8, 7, 4};
    static const char *const partitions[] = {"4-4", "3-5", "8"};
    for (size_t i = 0; i < (SANITIZED ? 1 : 3); i++) {
        struct distances distances;
        struct grid grid;
        struct board goal;
        assert_int_equal(grid_init(&grid, 3, 3, NULL), PZ_OK);
        board_ordered(&grid, blanks[i], &goal);
        distances_init(&distances, &grid, &goal);
        for (size_t j = 0; j < (SANITIZED ? 1 : 3); j++) {
            struct pdb *pdb = open_databases("3x3", blanks[i], partitions[j], 1);
            struct bound_check check = {.pdb = pdb};
            each_reachable(&distances, check_bound, &check);
            assert_int_equal(check.boards, 181440);
            pdb_close(pdb);
        }
        distances_clear(&distances);
    }
}

TEST(the_bound_changes_by_one_with_every_move_and_never_exceeds_the_moves_made)
{
    static const struct {
        const char *size, *partition;
        unsigned blank;
    } cases[] = {{"4x4", "5-5-5", 15}, {"4x4", "6-6-3", 15}, {"4x4", "5-5-5", 10},
                 {"4x4", "5-5-5", 14}, {"3x5", "5-5-4", 14}, {"5x5", "5-5-5-5-4", 24},
                 {"4x4", "small", 15}, {"3x6", "small", 17}, {"4x5", "small", 19}};
    struct random random = {7};
    for (size_t i = 0; i < (SANITIZED ? 1 : is_brief() ? 7 : sizeof cases / sizeof *cases); i++) {
        struct pdb *pdb = open_databases(cases[i].size, cases[i].blank, cases[i].partition, 2);
        struct pdb_state known;
        struct board board;
        board_ordered(&pdb->grid, cases[i].blank, &board);
        pdb_state_init(pdb, &board, &known);
        assert_int_equal(pdb_state_bound(pdb, &known), 0);
        for (unsigned step = 1; step <= 3000; step++) {
            unsigned value = pdb_value(pdb, &board);
            random_walk(&pdb->grid, &board, 1, &random);
            pdb_state_move(pdb, &known, board_blank(&board));
            unsigned next = pdb_value(pdb, &board);
            assert_int_equal(next, pdb_state_bound(pdb, &known));
            assert_memory_equal(board.tile, known.board.tile, board.cells);
            assert_true(next <= step && (next == value + 1 || next + 1 == value));
        }
        pdb_close(pdb);
    }
}

TEST(a_collection_tells_at_least_what_each_of_its_layouts_tells)
{
    struct pdb *pdb = open_databases("4x4", 15, "small", 2);
    struct pdb *one = open_databases("4x4", 15, "5-5-5", 2);
    struct random random = {12};
    struct board goal;
    unsigned sum = 0, sum_of_one = 0;
    assert_int_equal(pdb->lookups, 8);
    board_ordered(&pdb->grid, 15, &goal);
    for (unsigned i = 0; i < 1000; i++) {
        struct pdb_state known;
        struct board board;
        unsigned most = 0;
        random_solvable(&pdb->grid, &goal, &board, &random);
        pdb_state_init(pdb, &board, &known);
        for (unsigned lookup = 0; lookup < pdb->lookups; lookup++) {
            unsigned tiles = 0;
            for (unsigned slot = 0; slot < pdb->slots; slot++)
                tiles += (pdb->slot[slot].lookups >> lookup & 1) * pdb->slot[slot].rank->tiles;
            assert_int_equal(tiles, 15);
            const unsigned its = pdb_state_sum(pdb, &known, lookup);
            most = its > most ? its : most;
        }
        assert_int_equal(pdb_value(pdb, &board), most);
        sum += most;
        sum_of_one += pdb_value(one, &board);
    }
    assert_true(sum > sum_of_one + 500); /* half a move */
    pdb_close(one);
    pdb_close(pdb);
}

TEST(the_reflected_lookup_helps)
{
    struct pdb *pdb = open_databases("4x4", 15, SANITIZED ? "5-5-5" : "6-6-3", 2);
    struct pdb single = *pdb;
    struct random random = {11};
    struct board goal;
    unsigned better = 0;
    assert_int_equal(pdb->lookups, 2);
    single.lookups = 1;
    board_ordered(&pdb->grid, 15, &goal);
    for (unsigned i = 0; i < 1000; i++) {
        struct board board;
        random_solvable(&pdb->grid, &goal, &board, &random);
        unsigned both = pdb_value(pdb, &board);
        unsigned one = pdb_value(&single, &board);
        assert_true(both >= one);
        better += both > one;
    }
    assert_true(better > 300);
    pdb_close(pdb);
}
