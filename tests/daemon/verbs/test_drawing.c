/* SPDX-License-Identifier: MIT */
/* DRAW, GRAPH and EXPORT: what clients make pictures and files from. */
#include "harness.h"

TEST_WITH(a_path_is_drawn_board_by_board, NULL, NULL)
{
    struct client *client = client_new(*state);
    client_expect(client, "DRAW 2x2 1,2/0,3 path=R", "OK count=2");
    assert_string_equal(client_next(client), "frame=0 board=1,2/0,3 solved=no drawing=\" 1 2| . 3\"");
    assert_string_equal(client_next(client), "frame=1 move=R board=1,2/3,0 solved=yes drawing=\" 1 2| 3 .\"");
    assert_string_equal(client_next(client), "END");
    client_expect(client, "DRAW 2x2 1,2/0,3 path=L",
                  "ERR bad-request fatal path=: move 1, 'L', cannot be made");
    client_expect(client, "DRAW 2x2 1,2/0,3 path=Rl",
                  "ERR unsupported fatal path=: move 2, 'l', is not written as moves are, like ");
}

/* Several pieces of a reply: it is written while the client reads. */
TEST_WITH(a_long_path_is_followed_before_it_is_drawn, NULL, NULL)
{
    enum { MOVES = 1000 };
    struct client *client = client_new(*state);
    char request[MOVES + 64] = "DRAW 2x2 1,2/0,3 pieces=yes path=";
    char *path = request + strlen(request);
    for (int move = 0; move < MOVES + 1; move++)
        path[move] = move % 2 == 0 ? 'R' : 'L';
    client_expect(client, request, "ERR too-large fatal path=: more than 1000 moves");
    path[MOVES - 1] = 'R'; /* a second one */
    client_expect(client, request, "ERR bad-request fatal path=: move 1000, 'R', cannot be made");
    path[MOVES - 1] = '\0';
    client_expect(client, request, "OK count=1000");
    for (int frame = 0; frame < MOVES; frame++) {
        const char *expected = text_of("frame=%d %sboard=%s", frame,
                                       frame == 0       ? ""
                                       : frame % 2 != 0 ? "move=R "
                                                        : "move=L ",
                                       frame % 2 == 0 ? "1,2/0,3 solved=no " : "1,2/3,0 solved=yes ");
        assert_memory_equal(client_next(client), expected, strlen(expected));
    }
    assert_string_equal(client_next(client), "END");
}

TEST_WITH(a_board_is_told_in_pieces, NULL, NULL)
{
    static const struct {
        const char *request, *pieces;
    } boards[] = {
        {"DRAW 2x2 1,2/0,3", "2x2 tile:1-1:0,0:1 tile:2-1:1,0:2 tile:3-1:1,1:3"},
        {"DRAW 2x3 1,#,1/2,0,2 goal=1,#,1/2,2,0",
         "3x2 tile:1-1:0,0:1 wall:#-1:1,0 tile:1-2:2,0:1 tile:2-1:0,1:2 tile:2-2:2,1:2"},
        {"DRAW klotski:AAN/OA@/#P@,goal:A:1:1 AAN/OA@/#P@",
         "3x3 gate:gate:1,3,2,0 exit:exit:1,1,2,2 wall:#2.0:0,2 chief:A:0,0;1,0;1,1 block1:N:2,0 "
         "block1:O:0,1 block1:P:1,2"},
        {"DRAW klotski:横刀立马 HAAI/HAAI/JBBK/JNOK/P@@Q",
         "4x5 gate:gate:1,5,2,0 exit:exit:1,3,2,2 block2-zhangfei:H:0,0,1,2 chief-caocao:A:1,0,2,2 "
         "block2-zhaoyun:I:3,0,1,2 block2-machao:J:0,2,1,2 block2-guanyu:B:1,2,2,1 "
         "block2-huangzhong:K:3,2,1,2 "
         "block1-soldier:N:1,3 block1-soldier:O:2,3 block1-soldier:P:0,4 block1-soldier:Q:3,4"},
        {"DRAW rushhour:ooBAABooo ooBAABooo",
         "3x3 gate:gate:3,1,0,1 exit:exit:1,1,2,1 block2-car:B:2,0,1,2 chief-car:A:0,1,2,1"},
        {"DRAW sokoban:#####/#@$.#/##### #####/#@$.#/#####",
         "5x3 wall:#0.0:0,0 wall:#0.1:1,0 wall:#0.2:2,0 wall:#0.3:3,0 wall:#0.4:4,0 wall:#1.0:0,1 "
         "goal:.1.3:3,1 "
         "wall:#1.4:4,1 wall:#2.0:0,2 wall:#2.1:1,2 wall:#2.2:2,2 wall:#2.3:3,2 wall:#2.4:4,2 "
         "player:player:1,1 "
         "box:box0:2,1"},
        {"DRAW jugs:3,5 0,5", "2x4.6 jug:jug0:0,1.6,1,2.4 jug:jug1:1,0,1,4 label:text0:0,4,1,0.6:0/3 "
                              "water:water1:1,0,1,4 label:text1:1,4,1,0.6:5/5"},
        {"DRAW hanoi:3,2 1,3",
         "10.5x3 wall:peg0:1.6,0.3,0.9,2.7 block1:d1:1.25,2,1.6,1:1 "
         "wall:peg1:5.1,0.3,0.9,2.7 wall:peg2:8.6,0.3,0.9,2.7 block2:d2:7.75,2,2.6,1:2"},
        {"DRAW pancake:3,burnt:yes -2,1,3",
         "5x3 chief:p2:0.75,0,3.5,1:-2 block1:p1:1.25,1,2.5,1:1 block1:p3:0.25,2,4.5,1:3"},
        {"DRAW topspin:4,2 1,3,2,4", "3.4x3.4 token:t1:1.2,0:1 token:t3:2.4,1.2:3 token:t2:1.2,2.4:2 "
                                     "token:t4:0,1.2:4"}};
    struct client *client = client_new(*state);
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
        const char *frame = client_only_record(client, text_of("%s pieces=yes", boards[i].request));
        assert_string_equal(value_of(frame, "pieces"), boards[i].pieces);
    }
}

/* A solution may be written in the letters of the community, small or capital, also by pushes. */
TEST_WITH(letters_of_steps_are_read_as_the_moves_that_they_make, NULL, NULL)
{
#define LEVEL "DRAW sokoban ######/#--$.#/#-@--#/###### path="
    struct client *client = client_new(*state);
    static const char *const solutions[] = {LEVEL "uR", LEVEL "lruR", LEVEL "ur", LEVEL "1.3:R"};
    for (size_t i = 0; i < sizeof solutions / sizeof *solutions; i++) {
        client_expect(client, solutions[i], "OK count=2");
        (void)client_next(client);
        const char *frame = client_next(client);
        assert_string_equal(value_of(frame, "move"), "1.3:R");
        assert_string_equal(client_next(client), "END");
    }
    assert_string_equal(value_of(client_only_record(client, LEVEL "lr"), "solved"), "no");
    client_expect(client, LEVEL "lRur metric=move", "OK count=5");
    for (const char *step = "-lruR"; *step != '\0'; step++) {
        const char *frame = client_next(client);
        if (*step != '-')
            assert_int_equal(*value_of(frame, "move"), *step);
    }
    assert_string_equal(client_next(client), "END");
    client_expect(client, LEVEL "uRR metric=move",
                  "ERR bad-request fatal path=: step 3, 'R', cannot be made");
    client_expect(client, LEVEL "uRR", "ERR bad-request fatal path=: step 3, 'R', cannot be made");
    client_expect(client, LEVEL "uu", "ERR bad-request fatal path=: step 2, 'u', cannot be made");
    client_expect(client, LEVEL "ux", "ERR unsupported fatal path=: move 1, 'ux', is not written");
#undef LEVEL
}

/* 4096 moves a state: one request must not hold a thread for minutes. */
TEST_WITH(what_would_look_at_too_many_moves_is_refused, NULL, NULL)
{
    struct client *client = client_new(*state);
    client_expect(
        client, "DEFINE name=wide format=psvn text=1%0A4096%0AX%20=>%20Y%20LABEL%20go%0AGOAL%200%0A", "OK ");
    client_expect(client, "DRAW wide 0 path=go~9,go~8,go~7,go~6,go~5,go~4",
                  "ERR too-large fatal path=: its ");
    client_expect(client, "GRAPH wide start=0 most=50000", "ERR too-large fatal more than 2097152 moves");
}

/* A definition knows no pieces of its own. */
TEST_WITH(a_board_without_pieces_is_told_cell_by_cell, NULL, NULL)
{
    struct client *client = client_new(*state);
    client_expect(client, "DEFINE name=two format=psvn text=\"2%0A2 2%0A0 - => 1 -%0AGOAL 0 0%0A\"",
                  "OK name=two");
    assert_string_equal(value_of(client_only_record(client, "DRAW two 1,0 pieces=yes"), "pieces"),
                        "2x1 cell:0.0:0,0:1 cell:0.1:1,0:0");
    client_expect(client, "UNDEFINE two", "OK");
}

/* Nine values for two variables: eight moves of one rule, in every door. */
TEST_WITH(moves_of_one_label_are_told_apart_by_numbers, NULL, NULL)
{
    struct client *client = client_new(*state);
    client_expect(client, "DEFINE name=jump format=psvn text=\"2 3 3 X Y => A B LABEL go GOAL 2 1\"",
                  "OK name=jump");
    (void)client_expect_end(client, "SOLVE jump start=1,2", "moves=1 path=go~6");
    (void)client_done(client, "EXPLORE jump");
    client_expect_fields(client, "PATH jump 1,2", "path=go~6");
    (void)client_expect_end(client, "GRADE jump start=1,2", "path=go~6");
    client_expect(client, "DRAW jump 1,2 path=go~6,go", "OK count=3");
    (void)client_next(client);
    expect_fields(client_next(client), "frame=1 move=go~6 board=2,1");
    expect_fields(client_next(client), "frame=2 move=go board=0,0");
    assert_string_equal(client_next(client), "END");
    client_expect(client, "DRAW jump 1,2 path=go~9", "ERR bad-request fatal path=: move 1, 'go~9', cannot");
    client_expect(client, "GRAPH jump root=0,0 depth=1", "OK count=9 ");
    assert_string_equal(value_of(client_next(client), "steps"), "go go~2 go~3 go~4 go~5 go~6 go~7 go~8");
    (void)client_skip_list(client);
    client_expect(client, "UNDEFINE jump", "OK");
}

TEST_WITH(a_solution_that_is_a_line_is_drawn_on_its_board, NULL, NULL)
{
    struct client *client = client_new(*state);
    client_expect(client, "DRAW linkup:AA/..,from:0:0,to:0:1,border:no AA/.. path=0,0>0,1 pieces=yes",
                  "OK count=2");
    assert_string_equal(value_of(client_next(client), "pieces"), "2x2 chief:0.0:0,0:A chief:0.1:1,0:A");
    assert_string_equal(value_of(client_next(client), "pieces"),
                        "2x2 chief:0.0:0,0:A chief:0.1:1,0:A line:line:0.88,0.38,0.24,0.24");
    assert_string_equal(client_next(client), "END");
    client_expect(client, "DRAW linkup:ABA/...,from:0:0,to:0:2 ABA/... path=0,0>1,0>1,2>0,2 pieces=yes",
                  "OK count=2");
    (void)client_next(client);
    assert_string_equal(value_of(client_next(client), "pieces"),
                        "5x4 chief:0.0:1,1:A tile:0.1:2,1:B chief:0.2:3,1:A "
                        "line:line:1.38,1.88,0.24,0.74;1.38,2.38,2.24,0.24;3.38,1.88,0.24,0.74");
    assert_string_equal(client_next(client), "END");
    static const char *const wrong[] = {"0,0>0,2", "0,0>1,0>1,2", "0,0>1,1>0,2", "0,0>3,0>3,2>0,2", "x", ""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        client_expect(client, text_of("DRAW linkup:ABA/...,from:0:0,to:0:2 ABA/... path=\"%s\"", wrong[i]),
                      "ERR bad-request fatal path=");
}

TEST_WITH(a_graph_has_every_state_with_its_moves, NULL, NULL)
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
}

TEST_WITH(a_graph_begins_at_the_root_or_the_start, NULL, NULL)
{
    struct client *client = client_new(*state);
    client_expect(client, "GRAPH 3x3 root=867254301 depth=1", "OK count=4 ");
    expect_fields(client_next(client), "board=8,6,7/2,5,4/3,0,1");
    (void)client_skip_list(client);
    client_expect(client, "GRAPH sokoban start=#####/#@$.#/##### metric=move", "OK count=3 ");
    (void)client_next(client);
    expect_fields(client_next(client), "solved=yes");
    (void)client_skip_list(client);
    client_expect(client, "GRAPH 2x2 root=1,2/3,0 start=1,2/3,0", "ERR bad-request fatal root= and start=");
}

TEST_WITH(a_graph_that_is_too_large_is_refused, NULL, NULL)
{
    struct client *client = client_new(*state);
    client_expect(
        client, "GRAPH 3x3",
        "ERR too-large fatal more than 5000 states: it takes a smaller depth= or puzzle, or a larger most=");
    client_expect(client, "GRAPH 2x3 most=359", "ERR too-large fatal more than 359 states");
    client_expect(client, "GRAPH 2x3 most=50001", "ERR bad-request fatal most=: ");
    client_expect(client, "GRAPH linkup:AA,from:0:0,to:0:1", "ERR unsupported fatal ");
}

/* The reply is made piece by piece, by threads that take turns. */
TEST_WITH(a_large_graph_comes_whole, NULL, NULL)
{
    struct client *client = client_new(*state);
    client_expect(client, "GRAPH klotski:横刀立马 most=50000", "OK count=25955 ");
    unsigned next = 0;
    for (const char *line = client_next(client); strcmp(line, "END") != 0; line = client_next(client))
        assert_int_equal(number_of(line, "node"), next++);
    assert_int_equal(next, 25955);
    client_expect(client, "PING", "OK pong=yes");
}

/* 2x2 has 12 boards on a ring: 3 for each cell of the blank. */
TEST_WITH(an_export_has_every_distance_in_order, NULL, NULL)
{
    struct client *client = client_new(*state);
    client_expect(client, "EXPORT 2x2", "ERR no-table fatal ");
    client_done(client, "EXPLORE 2x2");
    client_expect(client, "EXPORT 2x2", "OK count=1 states=12 goal=1,2/3,0");
    assert_string_equal(client_next(client), "distances=020206010305010503000404");
    assert_string_equal(client_next(client), "END");
    client_expect(client, "EXPORT pancake:3 boards=yes", "ERR no-table fatal ");
    client_done(client, "EXPLORE pancake:3");
    client_expect(client, "EXPORT pancake:3 boards=yes", "OK count=1 states=6 bytes=2");
    assert_string_equal(client_next(client),
                        "distances=000000010001000200020003 boards=\"1,2,3 2,1,3 3,2,1 3,1,2 2,3,1 1,3,2\"");
    assert_string_equal(client_next(client), "END");
    client_expect(client, "EXPORT klotski:横刀立马", "ERR unsupported fatal EXPORT is for plain sliding");
    client_expect(client, "EXPORT 2x7", "ERR unsupported fatal EXPORT is for plain sliding");
}

TEST_WITH(an_export_marks_what_was_not_reached, NULL, NULL)
{
    struct client *client = client_new(*state);
    client_done(client, "EXPLORE 3x3 depth=3");
    client_expect(client, "EXPORT 3x3", "OK count=45 states=181440 ");
    unsigned reached = 0;
    for (const char *line = client_next(client); strcmp(line, "END") != 0; line = client_next(client))
        for (const char *digits = strchr(line, '=') + 1; *digits != '\0'; digits += 2)
            reached += strncmp(digits, "ff", 2) != 0;
    assert_int_equal(reached, 1 + 2 + 4 + 8);
}

/* 3.6 MB are made as the client reads. Behind what the table of 20 levels did not reach came all distances.
 */
TEST_WITH(an_export_whose_table_is_replaced_is_cut, NULL, NULL)
{
    struct client *client = client_new(*state);
    struct client *other = client_new(*state);
    client_done(client, "EXPLORE 2x5 engine=striped depth=20");
    client_expect(client, "EXPORT 2x5", "OK count=443 states=1814400 ");
    client_done(other, "EXPLORE 2x5");
    const char *line = client_line(client);
    while (line != NULL && strcmp(line, "END") != 0)
        line = client_line(client);
    assert_null(line);
}

const struct test_surroundings test_surroundings = {daemon_setup, daemon_teardown};
