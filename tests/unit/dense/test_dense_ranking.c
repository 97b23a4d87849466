/* SPDX-License-Identifier: MIT */
/* All distances of a dense table in the order of board/pack.h, against its lookups one by one. */
#include "dense_fixture.h"
#include "test_support.h"

#include "base/random.h"

/* A question: boards of a grid, distances to a goal; and the table that answers it. */
struct question {
    struct run *run;
    struct dense_table *table;
    struct grid grid;
    struct board goal;
    struct board_view view;
    uint64_t row; /* classes of the table, too */
    bool multi;   /* several tiles a move */
    uint8_t *memo;
};

static void open_table(struct question *question)
{
    struct run *run = run_new(text_of("%ux%u%s", question->view.rows, question->view.columns,
                                      question->multi ? ",metric:multi" : ""),
                              question->view.blank);
    run->request.keep = KEEP_TABLE;
    assert_ok(run_go(run), run->error);
    question->table = run_table_of(run);
    question->run = run;
}

static void open_metric(struct question *question, long rows, long columns, uint64_t seed, bool multi)
{
    struct pz_error error;
    struct random random = {.state = seed};
    *question = (struct question){.multi = multi};
    assert_ok(grid_init(&question->grid, rows, columns, &error), error);
    struct board *goal = &question->goal;
    board_default_goal(&question->grid, goal);
    for (unsigned cell = question->grid.cells - 1u; seed > 0 && cell > 0; cell--) {
        unsigned other = (unsigned)random_below(&random, cell + 1);
        uint8_t tile = goal->tile[cell];
        goal->tile[cell] = goal->tile[other];
        goal->tile[other] = tile;
    }
    view_of_goal(&question->grid, goal, &question->view);
    open_table(question);
    question->row = ranking_row(&question->grid);
    question->memo = malloc(question->row);
    assert_non_null(question->memo);
    memset(question->memo, DENSE_UNKNOWN, question->row);
}

static void open_question(struct question *question, long rows, long columns, uint64_t seed)
{
    open_metric(question, rows, columns, seed, false);
}

static void close_question(struct question *question)
{
    free(question->memo);
    dense_table_free(question->table);
    run_free(question->run);
}

static enum pz_status ask(const struct question *question, struct ranking_cursor *cursor, size_t count,
                          uint8_t *distances)
{
    const struct dense_ranking ranking = {question->table, &question->view, question->memo};
    return dense_table_ranking(&ranking, cursor, count, distances, &question->run->error);
}

/* Asks for the boards from first on, so many at a time. */
static void check_from(struct question *question, uint64_t first, size_t count)
{
    uint8_t distances[5000];
    struct ranking_cursor cursor;
    const uint64_t all = question->row * question->grid.cells;
    ranking_begin(&cursor, &question->grid, &question->goal, first);
    while (cursor.number < all) {
        struct ranking_cursor one = cursor;
        const size_t now = all - cursor.number < count ? (size_t)(all - cursor.number) : count;
        assert_ok(ask(question, &cursor, now, distances), question->run->error);
        assert_int_equal(cursor.number, one.number + now);
        for (size_t i = 0; i < now; i++, ranking_next(&one)) {
            struct board board;
            uint32_t distance = 0;
            view_in(&question->view, &one.board, &board);
            assert_ok(board_distance(question->table, &board, &distance, &question->run->error),
                      question->run->error);
            assert_int_equal(distances[i], distance);
        }
    }
}

TEST(every_board_has_the_distance_that_a_lookup_finds)
{
    static const long sizes[][2] = {{2, 2}, {2, 3}, {3, 2}, {2, 4}, {4, 2}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (uint64_t seed = 0; seed < 12; seed++) {
            struct question question;
            open_metric(&question, sizes[i][0], sizes[i][1], seed / 2, seed % 2 != 0);
            check_from(&question, 0, 5000);
            close_question(&question);
        }
    }
}

TEST(a_row_can_be_asked_for_in_any_pieces_and_from_anywhere)
{
    struct question question;
    open_question(&question, 3, 2, 3);
    check_from(&question, 359, 1);
    check_from(&question, 123, 7);
    check_from(&question, 0, 1);
    close_question(&question);
    open_question(&question, 3, 3, 2);
    check_from(&question, 181440 - 25000, 4096);
    close_question(&question);
}

TEST(a_damaged_table_is_an_error_and_not_an_endless_walk)
{
    struct question question;
    struct ranking_cursor cursor;
    uint8_t distances[2520];
    open_question(&question, 2, 4, 0);
    memset(question.run->table, 0, question.run->table_bytes);
    ranking_begin(&cursor, &question.grid, &question.goal, 0);
    assert_int_equal(ask(&question, &cursor, 2520, distances), PZ_STORAGE);
    close_question(&question);
}

TEST(a_chunk_that_cannot_be_had_is_reported)
{
    struct question question;
    struct ranking_cursor cursor;
    uint8_t distance = 0;
    open_question(&question, 2, 4, 0);
    const uint64_t bytes = question.run->table_bytes;
    question.run->table_bytes = 0;
    ranking_begin(&cursor, &question.grid, &question.goal, 0);
    assert_int_equal(ask(&question, &cursor, 1, &distance), PZ_STORAGE);
    question.run->table_bytes = bytes;
    check_from(&question, 0, 5000);
    close_question(&question);
}
