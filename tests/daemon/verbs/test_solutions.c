/* SPDX-License-Identifier: MIT */
/* SOLVE: what it generates; with all=yes how many shortest solutions there are, from a search and a table. */
#include "harness.h"

SPECIFICATION(the_two_hardest_boards_have_40_solutions_each_by_search_and_from_a_table)
{
    struct client *client = client_new(*state);
    client_expect_end(client, "SOLVE 3x3 start=867254301 all=yes", "state=done method=idastar solutions=40");
    client_expect_end(client, "SOLVE 3x3 start=647850321 all=yes", "state=done method=idastar solutions=40");
    client_expect_end(client, "SOLVE 3x3 start=867254301 all=yes method=bidirectional",
                      "state=done method=bidirectional solutions=40");
    client_done(client, "EXPLORE 3x3");
    client_expect_end(client, "SOLVE 3x3 start=867254301 all=yes count=2",
                      "state=done method=table solutions=40");
    client_expect_end(client, "SOLVE 3x3 start=132745608 goal=876543210 all=yes count=2",
                      "state=done method=table solutions=40");
}

SPECIFICATION(as_many_paths_are_listed_as_were_asked_for_if_there_are_so_many)
{
    struct client *client = client_new(*state);
    unsigned long job = client_submit(client, "SOLVE 3x3 start=867254301 all=yes count=3");
    (void)client_wait(client, job);
    const char *paths = value_of(client_result(client, job), "paths");
    assert_int_equal(strlen(paths), 3 * 31 + 2);
    assert_memory_not_equal(paths, paths + 32, 31);
    client_expect_end(client, "SOLVE 3x3 start=123456708 all=yes count=3", "paths=R");
    client_expect_end(client, "SOLVE jugs:3,5 goal=4 all=yes count=3",
                      "paths=fill:2,pour:2>1,empty:1,pour:2>1,fill:2,pour:2>1");
}

SPECIFICATION(a_goal_has_one_solution_and_an_unsolvable_board_none)
{
    struct client *client = client_new(*state);
    client_expect_end(client, "SOLVE 3x3 start=123456780 all=yes", "state=done method=parity solutions=1");
    client_expect_end(client, "SOLVE 3x3 start=123456870 all=yes", "state=done method=parity solutions=0");
}

SPECIFICATION(a_question_with_all_is_another_question)
{
    struct client *client = client_new(*state);
    unsigned long one = client_submit(client, "SOLVE 3x3 start=867254301");
    unsigned long all = client_submit(client, "SOLVE 3x3 start=867254301 all=yes");
    unsigned long some = client_submit(client, "SOLVE 3x3 start=867254301 all=yes count=5");
    assert_true(one != all && all != some);
    assert_int_equal(client_submit(client, "SOLVE 3x3 start=\"8 6 7 2 5 4 3 0 1\" all=yes"), all);
}

SPECIFICATION(what_cannot_be_counted_is_refused)
{
    struct client *client = client_new(*state);
    client_expect(client, "SOLVE 3x3 start=867254301 count=3",
                  "ERR bad-request fatal count= lists solutions of all=yes");
    client_expect(client, "SOLVE linkup start=AA from=0,0 to=0,1 all=yes", "ERR unsupported fatal linkup");
}

/* test_idastar holds the library, and so the programs of bench/, to the same numbers. */
SPECIFICATION(a_search_generates_what_the_librarys_does)
{
    struct client *client = client_new(*state);
    struct test_rows rows;
    test_rows_open(&rows, "solve_counts.csv", "puzzle,board,moves,databases,generated,expanded");
    while (test_rows_next(&rows, 6)) {
        const unsigned long job =
            client_submit(client, text_of("SOLVE %s start=\"%s\" threads=1", rows.field[0], rows.field[1]));
        (void)client_wait(client, job);
        const char *result = client_result(client, job);
        assert_int_equal(number_of(result, "moves"), test_number(rows.field[2]));
        assert_int_equal(number_of(result, "generated"), test_number(rows.field[4]));
        assert_int_equal(number_of(result, "expanded"), test_number(rows.field[5]));
        assert_string_equal(value_of(result, "partition"), rows.field[3]);
    }
    test_rows_close(&rows, 3);
}

/* Questions and results have six: weights that differ only behind them would be one question. */
SPECIFICATION(a_weight_has_no_more_digits_than_its_question)
{
    struct client *client = client_new(*state);
    client_expect_end(client, "SOLVE 3x3 start=867254301 method=astar weight=1.33333", "state=done");
    client_expect(client, "SOLVE 3x3 start=867254301 method=astar weight=1.33333349",
                  "ERR bad-request fatal weight=1.33333349 has more than six digits");
    client_expect(client, "SOLVE 3x3 start=867254301 method=astar weight=1.000000000", "OK job=");
}

/* Two levels that differ only in where the player walks from are one state, and two questions. */
SPECIFICATION(a_sokoban_solution_is_told_in_letters_from_where_the_player_stands)
{
    struct client *client = client_new(*state);
    client_expect_end(client, "SOLVE sokoban start=######/#--$.#/#-@--#/######",
                      "moves=1 path=1.3:R lurd=uR player=2.2");
    client_expect_end(client, "SOLVE sokoban start=######/#-@$.#/#----#/######",
                      "moves=1 path=1.3:R lurd=R player=1.2");
    client_expect_end(client, "SOLVE sokoban:######/#--$.#/#---@#/######", "lurd=lluR player=2.4");
    client_expect_end(client, "SOLVE sokoban metric=move start=######/#--$.#/#-@--#/######",
                      "moves=2 path=uR lurd=uR player=");
    client_expect_end(client, "SOLVE sokoban start=######/#-@-*#/######", "moves=0 path= lurd= player=1.2");
    client_done(client, "EXPLORE sokoban:######/#--$.#/#-@--#/###### from=goals");
    client_expect_fields(client, "PATH sokoban:######/#--$.#/#-@--#/###### ######/#--$.#/#@---#/######",
                         "path=1.3:R lurd=ruR player=2.1");
    client_expect_end(client, "SOLVE sokoban start=######/#--$.#/#@---#/###### method=table",
                      "method=table path=1.3:R lurd=ruR player=2.1");
}

/* X, A, or R leaves; the answer names it, also where the same cars were asked about by other letters. */
SPECIFICATION(the_answer_names_the_car_that_leaves)
{
    struct client *client = client_new(*state);
    client_expect_end(client, "SOLVE rushhour start=..../XX../A.../A...", "moves=1 leaves=X");
    client_expect_end(client, "SOLVE rushhour start=..../AA../B.../B...", "moves=1 leaves=A");
    client_expect_end(client, "SOLVE rushhour start=..../rr../b.../b...", "moves=1 leaves=r");
    client_expect_end(client, "SOLVE rushhour:..../XX../A.../A...", "leaves=X");
    client_done(client, "EXPLORE rushhour:..../AA../B.../B... from=goals");
    client_expect_fields(client, "PATH rushhour ..../XX../A.../A...", "moves=1 leaves=X");
}
