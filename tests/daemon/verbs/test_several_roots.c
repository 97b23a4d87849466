/* SPDX-License-Identifier: MIT */
/* EXPLORE root=BOARD+BOARD and the lookups that ask its table. */
#include "harness.h"

#define TWO   "root=123456780+213456780" /* of both halves of the boards */
#define AGAIN "start=213456780+123456780+213456780"
#define NAMED "root=2,1,3/4,5,6/7,8,0+1,2,3/4,5,6/7,8,0"

SPECIFICATION(two_boards_are_one_question_in_any_order)
{
    struct client *client = client_new(*state);
    const unsigned long job = client_expect_end(
        client, "EXPLORE 3x3 " TWO, "state=done complete=yes states=362880 depth=31 engine=striped " NAMED);
    client_expect_fields(client, "EXPLORE 3x3 " AGAIN, "state=done cached=yes");
    const char *levels = client_about(client, "LEVELS", job);
    expect_fields(levels, "count=32 from=root");
    assert_string_equal(client_next(client), "level=0 states=2");
    assert_string_equal(client_next(client), "level=1 states=4");
}

SPECIFICATION(lookups_are_answered_from_the_nearest_board)
{
    struct client *client = client_new(*state);
    (void)client_done(client, "EXPLORE 3x3 " TWO);
    static const char *const rows[][2] = {
        {"DISTANCE 3x3 867254301 root=213456780+123456780", "OK moves=31 solvable=yes job=1 from=root"},
        {"DISTANCE 3x3 213456708 " TWO, "OK moves=1 solvable=yes job=1 from=root"},
        {"PATH 3x3 123456708 " TWO, "OK moves=1 solvable=yes job=1 from=root "},
        {"DISTANCE 3x3 213456708 root=123456780", "ERR no-table"},
        {"DISTANCE 3x3 213456708 root=123456780+312456780", "ERR no-table"},
    };
    CLIENT_EXPECT_ROWS(client, rows);
    client_expect_list(client, "SAMPLE 3x3 depth=31 count=9 from=root " TWO, "OK count=4 depth=31", 4);
    client_expect_list(client, "DEEPEST 3x3 from=root " TWO, "OK count=4 depth=31 total=4", 4);
}

SPECIFICATION(what_is_stored_of_several_boards_is_checked_and_outlives_a_restart)
{
    struct client *client = client_new(*state);
    (void)client_done(client, "EXPLORE 3x3 " TWO);
    (void)client_done(client, "EXPLORE pancake:6 root=6,1,2,3,4,5+1,2,3,4,5,6 keep=levels");
    (void)client_done(client, "EXPLORE jugs:3,5 root=3,5+0,1");
    daemon_restart(*state, NULL);
    client = client_new(*state);
    client_expect_list(client, "FSCK", "OK count=0", 0);
    client_expect(client, "DISTANCE 3x3 867254301 " TWO, "OK moves=31 solvable=yes job=1 from=root");
}

/* Turns of four in a ring of five reach two rings only, and tiles in a row keep their order: each root lies
 * in a part of its own. */
SPECIFICATION(roots_that_cannot_reach_one_another_are_sound)
{
    struct client *client = client_new(*state);
    client_expect_end(client, "EXPLORE topspin:5,4 root=1,3,5,2,4+1,4,2,3,5+1,5,2,4,3",
                      "state=done complete=yes states=6 depth=1");
    client_expect_end(client, "EXPLORE 1x4 root=1,2,3,0+2,1,3,0+3,2,1,0",
                      "state=done complete=yes states=12 depth=3");
    client_expect_list(client, "FSCK", "OK count=0", 0);
}

SPECIFICATION(costs_are_from_the_nearest_board)
{
    struct client *client = client_new(*state);
    client_expect(
        client, "DEFINE name=gaps format=psvn text=\"1 6 0 => 1 COST 90 1 => 2 COST 7 4 => 2 COST 8 GOAL 2\"",
        "OK name=gaps ");
    client_expect_end(client, "EXPLORE gaps start=0+4", "state=done states=4 depth=90 engine=costs");
    client_expect(client, "DISTANCE gaps 2 root=4+0 from=root", "OK cost=8 solvable=yes");
}

SPECIFICATION(goals_are_looked_for_among_the_states_that_any_board_reaches)
{
    struct client *client = client_new(*state);
    client_expect_end(client, "EXPLORE jugs:4,6,goal:3 from=goals root=0,0+1,0",
                      "state=done complete=yes to=goal states=10 dead=10");
    client_expect(client, "DISTANCE jugs:4,6,goal:3 1,0 from=goals root=1,0+0,0", "OK moves=");
}

SPECIFICATION(boards_that_would_be_a_part_of_the_name_are_found_again)
{
    struct client *client = client_new(*state);
    client_expect_end(client, "EXPLORE jugs:3,5,goal:4 root=1,2", "state=done states=17 depth=4");
    client_expect(client, "DISTANCE jugs:3,5,goal:4 0,0 root=1,2 from=root", "OK moves=2 solvable=yes job=1");
    client_expect_end(client, "EXPLORE klotski root=HAAI/HAAI/JBBK/JNOK/@P@Q", "state=done states=25955");
    client_expect(client, "DISTANCE klotski HAAI/HAAI/JBBK/JNOK/P@@Q root=HAAI/HAAI/JBBK/JNOK/@P@Q from=root",
                  "OK moves=1 solvable=yes job=2");
    client_expect_list(client, "DEEPEST klotski root=HAAI/HAAI/JBBK/JNOK/@P@Q from=root", "OK count=4 ", 4);
    client_expect_end(client, "EXPLORE jugs:3,5 root=1,2+0,0", "puzzle=jugs:3,5 state=done states=17");
    client_expect_fields(client, "EXPLORE jugs:3,5 root=0,0+1,2", "job=3 state=done cached=yes");
}

SPECIFICATION(what_cannot_begin_at_several_boards_is_refused_with_words)
{
    static const char *const rows[][2] = {
        {"EXPLORE 3x3 engine=dense " TWO, "ERR unsupported fatal the dense engine begins at one board"},
        {"EXPLORE 3x3 keep=levels cluster=yes " TWO, "ERR unsupported fatal several ranks explore from one"},
        {"EXPLORE 3x3 root=123456780+12345678", "ERR bad-board"},
        {"SOLVE 3x3 start=123456780+123456708", "ERR bad-board"},
        {"GRAPH 2x3 root=123450+123405", "ERR bad-board"},
    };
    struct client *client = client_new(*state);
    CLIENT_EXPECT_ROWS(client, rows);
}

SPECIFICATION(a_search_does_not_ask_the_table_of_the_roots_of_the_last_lookup)
{
    static const char solve[] = "SOLVE klotski:横刀立马 start=HAAI/HAAI/JBBK/JNOK/@PQ@ method=table";
    struct client *client = client_new(*state);
    const char *refusal = text_of("%s", client_ask(client, solve));
    assert_non_null(strstr(refusal, "no-table"));
    for (int i = 0; i < 8; i++) /* each of the daemon's threads has had one */
        client_expect(client,
                      "DISTANCE klotski:横刀立马 HAAI/HAAI/JBBK/JNOK/@PQ@ "
                      "root=HAAI/HAAI/JBBK/JNOK/P@Q@ from=root",
                      "ERR no-table");
    client_expect(client, solve, refusal);
}
