/* SPDX-License-Identifier: MIT */
/* The walk by databases with windows of every width. */
#include "solve_support.h"

#include "solve/idastar/deepening.h"
#include "solve/pdb/pdb.h"

enum { BOARDS = SANITIZED ? 1 : 4, WIDTHS = 5 };

struct walked {
    struct deepening_result result;
    struct board end; /* of the path */
};

static void walk(const struct pdb *pdb, const struct board *start, unsigned width, unsigned threads,
                 struct walked *walked)
{
    struct walk_kernel kernel = pattern_kernel;
    struct monitor monitor;
    struct pz_error error;
    struct pdb_state known;
    const struct pattern_bound bound = {pdb, &known};
    kernel.window = width;
    pdb_state_init(pdb, start, &known);
    monitor_init(&monitor, NULL, NULL, "search");
    const struct deepening deepening = {.grid = &pdb->grid,
                                        .start = start,
                                        .kernel = &kernel,
                                        .heuristic = &bound,
                                        .threads = threads,
                                        .monitor = &monitor};
    memset(walked, 0, sizeof *walked);
    assert_ok(deepening_run(&deepening, &walked->result, &error), error);
    assert_true(walked->result.found);
    walked->end = *start;
    for (unsigned i = 0; i < walked->result.moves; i++)
        assert_true(board_move(&pdb->grid, &walked->end, (enum direction)walked->result.move[i]));
    free(walked->result.move);
}

static void check_board(const struct pdb *pdb, const char *text, unsigned moves)
{
    static const unsigned widths[WIDTHS] = {1, 2, 8, 16, 32};
    struct board start;
    struct board goal;
    struct pz_error error;
    uint64_t narrowest = 0;
    assert_ok(board_parse(&pdb->grid, text, &start, &error), error);
    board_ordered(&pdb->grid, pdb->blank, &goal);
    for (unsigned i = 0; i < WIDTHS; i++) {
        for (unsigned threads = 1; threads <= 2; threads++) {
            struct walked walked;
            walk(pdb, &start, widths[i], threads, &walked);
            assert_int_equal(walked.result.moves, moves);
            assert_memory_equal(walked.end.tile, goal.tile, goal.cells);
            if (threads > 1)
                continue;
            narrowest = i == 0 ? walked.result.expanded : narrowest;
            assert_true(walked.result.expanded <= 2 * narrowest + 1000);
        }
    }
}

TEST(every_width_finds_the_published_lengths_with_about_as_many_nodes)
{
    struct test_rows rows;
    struct grid grid;
    struct budget budget;
    struct pdb *pdb = NULL;
    struct pz_error error;
    unsigned boards = 0;
    budget_init(&budget, NULL, (uint64_t)1 << 30);
    assert_int_equal(grid_init(&grid, 4, 4, NULL), PZ_OK);
    const struct pdb_request request = {
        .grid = &grid, .blank = 0, .partition = "5-5-5", .threads = 2, .budget = &budget};
    assert_ok(pdb_open(&request, &pdb, &error), error);
    test_rows_open(&rows, "korf15.csv", "id,board,md,optimal,");
    while (boards < BOARDS && test_rows_next(&rows, 4)) {
        const unsigned moves = (unsigned)test_number(rows.field[3]);
        if (moves > 48) /* the others take longer */
            continue;
        check_board(pdb, rows.field[1], moves);
        boards++;
    }
    (void)fclose(rows.file);
    assert_int_equal(boards, BOARDS);
    pdb_close(pdb);
}
