/* SPDX-License-Identifier: MIT */
/* SOLVE with all=yes: how many shortest solutions there are, from a search and from a table. */
#include "harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect_count(struct client *client, const char *line, const char *method, const char *solutions)
{
    unsigned long job = client_done(client, line);
    const char *result = client_result(client, job);
    assert_string_equal(value_of(result, "method"), method);
    assert_string_equal(value_of(result, "solutions"), solutions);
}

static void the_two_hardest_boards_have_40_solutions_each_by_search_and_from_a_table(void **state)
{
    struct client *client = client_new(*state);
    expect_count(client, "SOLVE 3x3 start=867254301 all=yes", "idastar", "40");
    expect_count(client, "SOLVE 3x3 start=647850321 all=yes", "idastar", "40");
    expect_count(client, "SOLVE 3x3 start=867254301 all=yes method=bidirectional", "bidirectional", "40");
    client_done(client, "EXPLORE 3x3");
    expect_count(client, "SOLVE 3x3 start=867254301 all=yes count=2", "table", "40");
    expect_count(client, "SOLVE 3x3 start=132745608 goal=876543210 all=yes count=2", "table", "40");
    client_free(client);
}

static void as_many_paths_are_listed_as_were_asked_for_if_there_are_so_many(void **state)
{
    struct client *client = client_new(*state);
    unsigned long job = client_submit(client, "SOLVE 3x3 start=867254301 all=yes count=3");
    (void)client_wait(client, job);
    const char *paths = value_of(client_result(client, job), "paths");
    assert_int_equal(strlen(paths), 3 * 31 + 2);
    assert_memory_not_equal(paths, paths + 32, 31);
    job = client_submit(client, "SOLVE 3x3 start=123456708 all=yes count=3");
    (void)client_wait(client, job);
    assert_string_equal(value_of(client_result(client, job), "paths"), "R");
    job = client_submit(client, "SOLVE jugs:3,5 goal=4 all=yes count=3");
    (void)client_wait(client, job);
    assert_string_equal(value_of(client_result(client, job), "paths"),
                        "fill:2,pour:2>1,empty:1,pour:2>1,fill:2,pour:2>1");
    client_free(client);
}

static void a_goal_has_one_solution_and_an_unsolvable_board_none(void **state)
{
    struct client *client = client_new(*state);
    expect_count(client, "SOLVE 3x3 start=123456780 all=yes", "parity", "1");
    expect_count(client, "SOLVE 3x3 start=123456870 all=yes", "parity", "0");
    client_free(client);
}

static void a_question_with_all_is_another_question(void **state)
{
    struct client *client = client_new(*state);
    unsigned long one = client_submit(client, "SOLVE 3x3 start=867254301");
    unsigned long all = client_submit(client, "SOLVE 3x3 start=867254301 all=yes");
    unsigned long some = client_submit(client, "SOLVE 3x3 start=867254301 all=yes count=5");
    assert_true(one != all && all != some);
    assert_int_equal(client_submit(client, "SOLVE 3x3 start=\"8 6 7 2 5 4 3 0 1\" all=yes"), all);
    client_free(client);
}

static void what_cannot_be_counted_is_refused(void **state)
{
    struct client *client = client_new(*state);
    client_expect(client, "SOLVE 3x3 start=867254301 count=3",
                  "ERR bad-request fatal count= lists solutions of all=yes");
    client_expect(client, "SOLVE linkup start=AA from=0,0 to=0,1 all=yes", "ERR unsupported fatal linkup");
    client_free(client);
}

#define SPECIFICATION(name) cmocka_unit_test_setup_teardown(name, daemon_setup, daemon_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SPECIFICATION(the_two_hardest_boards_have_40_solutions_each_by_search_and_from_a_table),
        SPECIFICATION(as_many_paths_are_listed_as_were_asked_for_if_there_are_so_many),
        SPECIFICATION(a_goal_has_one_solution_and_an_unsolvable_board_none),
        SPECIFICATION(a_question_with_all_is_another_question),
        SPECIFICATION(what_cannot_be_counted_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
