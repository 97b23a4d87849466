/* SPDX-License-Identifier: MIT */
/* DRAW, GRAPH and EXPORT: what clients make pictures and files from. */
#include "harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void a_path_is_drawn_board_by_board(void **state)
{
    struct client *client = client_new(*state);
    client_expect(client, "DRAW 2x2 1,2/0,3 path=R", "OK count=2");
    assert_string_equal(client_next(client), "frame=0 board=1,2/0,3 drawing=\" 1 2| . 3\"");
    assert_string_equal(client_next(client), "frame=1 move=R board=1,2/3,0 drawing=\" 1 2| 3 .\"");
    assert_string_equal(client_next(client), "END");
    client_expect(client, "DRAW 2x2 1,2/0,3 path=L",
                  "ERR bad-request fatal path=: move 1, 'L', cannot be made");
    client_free(client);
}

static void a_graph_has_every_state_with_its_moves(void **state)
{
    struct client *client = client_new(*state);
    client_expect(client, "GRAPH 2x2", "OK count=12 depth=6 edges=24 complete=yes reversible=yes");
    assert_string_equal(client_next(client),
                        "node=0 level=0 board=1,2/3,0 solved=yes next=\"1 2\" steps=\"U L\"");
    assert_string_equal(client_next(client),
                        "node=1 level=1 board=1,0/3,2 solved=no next=\"0 3\" steps=\"D L\"");
    assert_int_equal(client_skip_list(client), 10);
    client_expect(client, "GRAPH jugs:3,5 goal=4 depth=1",
                  "OK count=3 depth=1 edges=4 complete=no reversible=no");
    assert_string_equal(client_next(client),
                        "node=0 level=0 board=0,0 solved=no next=\"1 2\" steps=\"fill:1 fill:2\"");
    assert_int_equal(client_skip_list(client), 2);
    client_free(client);
}

static void a_graph_begins_at_the_root_or_the_start(void **state)
{
    struct client *client = client_new(*state);
    client_expect(client, "GRAPH 3x3 root=867254301 depth=1", "OK count=4 ");
    assert_string_equal(value_of(client_next(client), "board"), "8,6,7/2,5,4/3,0,1");
    (void)client_skip_list(client);
    client_expect(client, "GRAPH sokoban start=#####/#@$.#/##### metric=move", "OK count=3 ");
    (void)client_next(client);
    assert_string_equal(value_of(client_next(client), "solved"), "yes");
    (void)client_skip_list(client);
    client_expect(client, "GRAPH 2x2 root=1,2/3,0 start=1,2/3,0", "ERR bad-request fatal root= and start=");
    client_free(client);
}

static void a_graph_that_is_too_large_is_refused(void **state)
{
    struct client *client = client_new(*state);
    client_expect(
        client, "GRAPH 3x3",
        "ERR too-large fatal more than 5000 states: it takes a smaller depth= or puzzle, or a larger most=");
    client_expect(client, "GRAPH 2x3 most=359", "ERR too-large fatal more than 359 states");
    client_expect(client, "GRAPH 2x3 most=50001", "ERR bad-request fatal most=: ");
    client_expect(client, "GRAPH linkup:AA,from:0:0,to:0:1", "ERR unsupported fatal ");
    client_free(client);
}

/* The reply is made piece by piece, by threads that take turns. */
static void a_large_graph_comes_whole(void **state)
{
    struct client *client = client_new(*state);
    client_expect(client, "GRAPH klotski:横刀立马 most=50000", "OK count=25955 ");
    unsigned next = 0;
    for (const char *line = client_next(client); strcmp(line, "END") != 0; line = client_next(client))
        assert_int_equal(strtoul(value_of(line, "node"), NULL, 10), next++);
    assert_int_equal(next, 25955);
    client_expect(client, "PING", "OK pong=yes");
    client_free(client);
}

/* 2x2 has 12 boards on a ring: 3 for each cell of the blank. */
static void an_export_has_every_distance_in_order(void **state)
{
    struct client *client = client_new(*state);
    client_expect(client, "EXPORT 2x2", "ERR no-table fatal ");
    unsigned long job = client_submit(client, "EXPLORE 2x2");
    assert_string_equal(client_wait(client, job), "done");
    client_expect(client, "EXPORT 2x2", "OK count=1 states=12 goal=1,2/3,0");
    assert_string_equal(client_next(client), "distances=020206010305010503000404");
    assert_string_equal(client_next(client), "END");
    client_expect(client, "EXPORT klotski:横刀立马", "ERR unsupported fatal EXPORT is for plain sliding");
    client_expect(client, "EXPORT 2x7", "ERR unsupported fatal EXPORT is for plain sliding");
    client_free(client);
}

static void an_export_marks_what_was_not_reached(void **state)
{
    struct client *client = client_new(*state);
    unsigned long job = client_submit(client, "EXPLORE 3x3 depth=3");
    assert_string_equal(client_wait(client, job), "done");
    client_expect(client, "EXPORT 3x3", "OK count=45 states=181440 ");
    unsigned reached = 0;
    for (const char *line = client_next(client); strcmp(line, "END") != 0; line = client_next(client))
        for (const char *digits = strchr(line, '=') + 1; *digits != '\0'; digits += 2)
            reached += strncmp(digits, "ff", 2) != 0;
    assert_int_equal(reached, 1 + 2 + 4 + 8);
    client_free(client);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_is_drawn_board_by_board),
        cmocka_unit_test(a_graph_has_every_state_with_its_moves),
        cmocka_unit_test(a_graph_begins_at_the_root_or_the_start),
        cmocka_unit_test(a_graph_that_is_too_large_is_refused),
        cmocka_unit_test(a_large_graph_comes_whole),
        cmocka_unit_test(an_export_has_every_distance_in_order),
        cmocka_unit_test(an_export_marks_what_was_not_reached),
    };
    return cmocka_run_group_tests(tests, daemon_setup, daemon_teardown);
}
