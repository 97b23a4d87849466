/* SPDX-License-Identifier: MIT */
/* Every puzzle through the protocol, in the forms that docs/puzzles.md promises. */
#include "harness.h"

struct question {
    const char *request;
    const char *result; /* what RESULT holds, fields with a space on either side */
};

/* Submits each question, waits for its job and checks RESULT. */
static void expect_results(struct client *client, const struct question *questions, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *result = client_result(client, client_done(client, questions[i].request));
        if (strstr(result, questions[i].result) == NULL)
            fail_msg("%s: %s, expected '%s'", questions[i].request, result, questions[i].result);
    }
}

#define EXPECT_RESULTS(client, questions)                                                                    \
    expect_results(client, questions, sizeof(questions) / sizeof *(questions))

SPECIFICATION(solve_answers_every_puzzle)
{
    static const struct question questions[] = {
        {"SOLVE klotski start=HAAI/HAAI/JBBK/JNOK/P@@Q metric=move", " solvable=yes moves=81 "},
        {"SOLVE klotski start=HAAI/HAAI/JBBK/JNOK/P@@Q metric=step", " solvable=yes moves=116 "},
        {"SOLVE klotski:横刀立马", " solvable=yes moves=81 "},
        {"SOLVE klotski:走投無路", " solvable=no moves=-1 "},
        {"SOLVE jugs:3,5 goal=4", " solvable=yes moves=6 "},
        {"SOLVE jugs:3,5 goal=sum:4", " solvable=yes moves=7 "},
        {"SOLVE jugs:3,5 goal=1,2", " solvable=no moves=-1 "},
        {"SOLVE jugs:2,6 goal=5", " solvable=no moves=-1 "},
        {"SOLVE jugs:3,5 goal=9", " solvable=no moves=-1 "},
        {"SOLVE jugs:8,5,3 start=8,0,0 goal=4,4,0 tap=no", " solvable=yes moves=7 "},
        {"SOLVE linkup start=BABBAA/.C.BBC/BBAAAB/.CBAAB/AAC.CC from=4,2 to=4,5 border=yes",
         " solvable=yes moves=2 path=4,2>5,2>5,5>4,5 "},
        {"SOLVE linkup start=BABBAA/.C.BBC/BBAAAB/.CBAAB/AAC.CC from=4,2 to=4,5 border=yes",
         " turns=2 cells=6 drawing="},
        {"SOLVE linkup start=BABBAA/.C.BBC/BBAAAB/.CBAAB/AAC.CC from=4,2 to=4,5 border=no",
         " solvable=no moves=-1 "},
        {"SOLVE sokoban start=\"######/#@   #/# $  #/#   .#/######\" metric=push",
         " solvable=yes moves=3 path=2.2:D,3.2:R,3.3:R "},
        {"SOLVE sokoban start=######/#@---#/#_$__#/#---.#/###### metric=move", " solvable=yes moves=6 "},
        {"SOLVE slide:3x3 start=1,2,3/4,#,0/6,7,5 goal=1,2,3/4,#,5/6,7,0", " solvable=yes moves=1 path=D "},
        {"SOLVE slide:3x3 start=1,1,2/2,3,0/3,4,4 goal=1,1,2/2,3,3/4,4,0", " solvable=yes moves=13 "},
    };
    struct client *client = client_new(*state);
    EXPECT_RESULTS(client, questions);
}

/* If a puzzle has a start of its own, the start may be a goal: that is an answer, no error. */
SPECIFICATION(a_start_that_is_a_goal_takes_no_moves)
{
    static const struct question questions[] = {
        {"SOLVE jugs:18,56 goal=_,_", " solvable=yes moves=0 "},
        {"SOLVE jugs:3,5 goal=0,0", " solvable=yes moves=0 "},
        {"SOLVE sokoban:#####/#@*-#/#####", " solvable=yes moves=0 "},
        {"SOLVE klotski:B@@/@AA/@AA/@@C goal=A:1,1", " solvable=yes moves=0 "},
        {"SOLVE linkup:AA,from:0:0,to:0:1,border:yes,turns:2", " solvable=yes moves=0 "},
        {"SOLVE 3x3 start=123456780 all=yes count=2", " solutions=1 paths=\"\" "},
    };
    struct client *client = client_new(*state);
    EXPECT_RESULTS(client, questions);
    client_expect(client, "SOLVE 3x3", "ERR bad-request fatal missing=start SOLVE needs start=");
}

SPECIFICATION(three_puzzles_take_any_goal_and_hanoi_has_a_start)
{
    static const struct question questions[] = {
        {"SOLVE hanoi:4,8", " solvable=yes moves=33 "},
        {"SOLVE hanoi:3,4 method=idastar", " solvable=yes moves=15 "},
        {"SOLVE hanoi:3,4 goal=2,2,2,1", " solvable=yes moves=7 "},
        {"SOLVE topspin:6,4 start=1,4,2,6,3,5 goal=1,4,2,6,3,5", " solvable=yes moves=0 "},
        {"SOLVE pancake:5 start=1,2,3,4,5 goal=5,3,4,2,1", " solvable=yes moves=4 "},
    };
    struct client *client = client_new(*state);
    EXPECT_RESULTS(client, questions);
    client_expect(client, "SOLVE pancake:5", "ERR bad-request fatal missing=start SOLVE needs start=");
    client_expect(client, "SOLVE jugs:3,5 goal=4 method=idastar",
                  "ERR unsupported fatal method=idastar does not fit");
}

SPECIFICATION(every_answer_says_which_distance_it_tells)
{
    static const struct question questions[] = {
        {"EXPLORE klotski:横刀立马", " states=25955 depth=124 from=root "},
        {"EXPLORE klotski:横刀立马 from=goals", " states=25955 depth=93 to=goal dead=0 "},
        {"EXPLORE jugs:3,5 goal=4 from=goals", " to=goal dead=0 "},
        {"EXPLORE 3x3 from=goals", " states=181440 depth=31 from=root "},
        {"SOLVE klotski:横刀立马 method=table", " solvable=yes moves=81 "},
    };
    struct client *client = client_new(*state);
    client_expect(client, "DISTANCE klotski:横刀立马 HAAI/HAAI/JBBK/JNOK/P@@Q", "ERR no-table fatal ");
    EXPECT_RESULTS(client, questions);
    client_expect(client, "DISTANCE klotski:横刀立马 HAAI/HAAI/JBBK/JNOK/P@@Q",
                  "OK moves=81 solvable=yes job=2 to=goal");
    client_expect(client, "DISTANCE klotski:横刀立马 HAAI/HAAI/JBBK/JNOK/P@@Q from=root",
                  "OK moves=0 solvable=yes job=1 from=root");
    client_expect(client, "DISTANCE 3x3 867254301", "OK moves=31 solvable=yes job=4 to=goal");
}

SPECIFICATION(explore_counts_every_puzzle)
{
    static const struct question questions[] = {
        {"EXPLORE klotski:橫刀立馬", " complete=yes states=25955 "},
        {"EXPLORE klotski root=HAAI/HAAI/JBBK/JNOK/P@@Q metric=step",
         " complete=yes states=25955 depth=167 "},
        {"EXPLORE jugs:3,5", " complete=yes states=16 "},
        {"EXPLORE jugs:8,5,3 root=8,0,0 tap=no", " complete=yes states=16 "},
        {"EXPLORE slide:2x3 goal=1,1,2/2,9,0", " complete=yes states=180 "},
        {"EXPLORE slide:3x3 goal=1,2,3/4,#,5/6,7,0", " complete=yes states=56 "},
        /* Equal tiles on closed lines of odd length: all arrangements, 10!/(2! 2! 4!) and 9!/(2! 2! 2! 2!).
         */
        {"EXPLORE slide:2x5,wrap:yes goal=1,1,2,2,4/3,3,3,3,0", " complete=yes states=37800 depth=22 "},
        {"EXPLORE slide:3x3,wrap:yes goal=1,1,2/2,3,3/4,4,0 planes=disk",
         " complete=yes states=22680 depth=15 "},
        {"EXPLORE klotski:family,rows:3 from=goals parts=yes", " to=goal dead="},
        {"EXPLORE hanoi:3,4 goal=1,1,1,1", " complete=yes states=81 depth=15 "},
        {"EXPLORE pancake:6 goal=2,1,3,6,5,4", " complete=yes states=720 depth=7 "},
        {"EXPLORE topspin:6,3 goal=1,3,2,4,5,6", " complete=yes states=12 "},
        {"EXPLORE hanoi:3,2 edges=yes", " edges=24 edges_by_level=\"2 6 6 10\" states_by_moves=\"0 0 3 6\""},
    };
    struct client *client = client_new(*state);
    EXPECT_RESULTS(client, questions);
    client_expect(client, "EXPLORE linkup:AA,from:0:0,to:0:1,border:yes,turns:2", "ERR unsupported fatal ");
    client_expect(client, "DISTANCE slide:2x3 1,1,2/2,0,9 goal=1,1,2/2,9,0", "OK moves=1 ");
    client_expect(client, "DISTANCE hanoi:3,4 3,3,3,3 goal=1,1,1,1", "OK moves=15 ");
    client_expect(client, "DISTANCE pancake:6 1,2,3,6,5,4 goal=2,1,3,6,5,4", "OK moves=1 ");
}

SPECIFICATION(parts_and_edges_asked_for_after_a_table_are_told)
{
    static const struct question questions[] = {
        {"EXPLORE topspin:6,3", " complete=yes states=12 "},
        {"EXPLORE topspin:6,3 edges=yes", " edges=72 "},
    };
    static const struct question again[] = {
        {"EXPLORE topspin:6,3 parts=yes", " parts=1"},
        {"EXPLORE topspin:6,3 edges=yes depth=3", " edges="},
    };
    struct client *client = client_new(*state);
    EXPECT_RESULTS(client, questions);
    client_expect(client, "PARTS topspin:6,3", "ERR no-table fatal states=12 ");
    assert_non_null(strstr(client_ask(client, "PARTS topspin:6,3"),
                           "it takes EXPLORE topspin:6,3 root=1,2,3,4,5,6 parts=yes: 12 states"));
    EXPECT_RESULTS(client, again);
    client_expect(client, "EXPLORE hanoi:3,4 parts=yes edges=yes",
                  "ERR unsupported fatal edges=yes is for engine=striped and parts=yes for engine=ranked");
    client_expect(client, "EXPLORE hanoi:3,4 parts=yes engine=striped",
                  "ERR unsupported fatal parts=yes is for engine=ranked");
    client_expect(client, "EXPLORE pancake:5 parts=yes engine=dense estimate=yes", "ERR unsupported fatal ");
    client_expect_list(client, "PARTS topspin:6,3", "OK count=1 ", 1);
    client_expect_list(client, "FSCK", "OK count=0 ", 0);
}

SPECIFICATION(a_forgotten_job_leaves_its_table_to_another_that_keeps_it)
{
    struct client *client = client_new(*state);
    static const char *const requests[] = {"EXPLORE 3x3", "EXPLORE 3x3 depth=31", "EXPLORE 3x3 depth=10",
                                           "EXPLORE 3x3 keep=levels"};
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++)
        client_done(client, requests[i]);
    client_expect(client, "FORGET 1", "OK job=1 forgotten=yes");
    client_expect(client, "DISTANCE 3x3 867254301", "OK moves=31 solvable=yes job=2");
    client_expect_list(client, "DEEPEST 3x3", "OK count=2 depth=31 total=2 complete=yes", 2);
    client_expect_list(client, "FSCK", "OK count=0 ", 0);
    client_expect(client, "FORGET 2", "OK job=2 forgotten=yes");
    client_expect(client, "DISTANCE 3x3 867254301", "ERR no-table");
}

SPECIFICATION(the_same_question_in_other_letters_is_cached)
{
    struct client *client = client_new(*state);
    unsigned long first = client_done(client, "SOLVE klotski:横刀立马");
    unsigned long second = client_submit(client, "SOLVE klotski:橫刀立馬");
    assert_int_equal(first, second);
}

SPECIFICATION(bad_puzzles_get_one_error_each)
{
    static const char *const requests[][2] = {
        {"SOLVE klotski", "ERR bad-request fatal klotski needs a layout"},
        {"EXPLORE linkup", "ERR unsupported fatal puzzle linkup has no states to explore: it answers SOLVE"},
        {"DEEPEST linkup:AB/AB,from:0:0,to:1:0", "ERR unsupported fatal linkup has no states to explore"},
        {"DEEPEST jugs:3,5 tap=no", "ERR bad-request fatal without a tap all jugs would stay empty: fill "
                                    "some, as in jugs:3,5,8,start:0:0:8,tap:no"},
        {"EXPLORE klotski:横刀立马 engine=dense from=goals",
         "ERR unsupported fatal from=goals is for engine=striped or engine=costs"},
        {"PARTS 3x3", "ERR unsupported fatal parts=yes needs"},
        {"PARTS klotski:横刀立马", "ERR unsupported fatal parts=yes needs"},
        {"SOLVE klotski:nobody", "ERR bad-puzzle fatal no layout is named"},
        {"SOLVE klotski start=HAAI/HAAI/JBBK/JNOK/N@@Q", "ERR bad-board fatal "},
        {"SOLVE klotski start=HAAI/HAAI/JBBK/JNOK/P@@Q goal=A:4,1", "ERR bad-request fatal "},
        {"SOLVE klotski start=曹曹/曹曹", "ERR bad-board fatal row 0, column 0: byte 0xE6"},
        {"SOLVE jugs:3,5", "ERR bad-request fatal "},
        {"SOLVE jugs:0,5 goal=1", "ERR bad-puzzle fatal jug 1"},
        {"SOLVE jugs:99999999999,5 goal=1", "ERR bad-puzzle fatal jug 1"},
        {"SOLVE jugs:3,5 goal=4 tap=perhaps", "ERR bad-request fatal tap=perhaps"},
        {"SOLVE sokoban start=####/#$.#/####", "ERR bad-board fatal 0 players"},
        {"SOLVE sokoban start=######/#@$..#/######",
         "ERR bad-board fatal 1 boxes and 2 goals: a level has as many goals as boxes"},
        {"SOLVE linkup start=AB/BA from=0,0 to=5,5", "ERR bad-request fatal to=5,5 is not on the board"},
        {"SOLVE slide:3x3 start=1,1,2/3,4,5/6,7,0", "ERR bad-board fatal tile 1 appears twice"},
        {"SOLVE chess start=e4", "ERR bad-puzzle fatal no puzzle 'chess'"},
    };
    struct client *client = client_new(*state);
    CLIENT_EXPECT_ROWS(client, requests);
    client_expect(client, "PING", "OK");
}

/* By every verb: link-up has a from= of its own, and DEEPEST takes no start=. */
SPECIFICATION(the_puzzle_that_a_refusal_writes_is_taken_as_it_stands)
{
    static const char *const bare[][2] = {{"sokoban", "DEEPEST"}, {"linkup", "SOLVE"}};
    struct client *client = client_new(*state);
    for (size_t i = 0; i < sizeof bare / sizeof *bare; i++) {
        const char *refusal = client_ask(client, text_of("%s %s", bare[i][1], bare[i][0]));
        const char *written = text_of("%s", strrchr(refusal, ' ') + 1);
        client_expect_end(client, text_of("SOLVE %s", written), "solvable=yes");
    }
    client_done(client, "EXPLORE sokoban:#####/#@$.#/#####");
    client_expect_list(client, "DEEPEST sokoban:#####/#@$.#/#####", "OK count=1 depth=1 ", 1);
}

SPECIFICATION(a_missing_table_of_a_board_that_makes_the_puzzle_is_said_to_begin_there)
{
    struct client *client = client_new(*state);
    client_expect(client, "DISTANCE sokoban #####/#@$.#/#####",
                  "ERR no-table fatal table_root=start table_from=goals ");
    client_expect(client, "DISTANCE sokoban:#####/#@$.#/##### #####/#@$.#/#####",
                  "ERR no-table fatal table_from=goals ");
    client_expect(client, "DISTANCE 3x3 #,1,2/3,4,5/6,7,0",
                  "ERR no-table fatal table_root=start table_from=root ");
    for (unsigned i = 0; i < 8; i++) { /* a worker has answered the one before */
        client_expect(client, "HEURISTIC sokoban #####/#@$.#/#####", "OK ");
        (void)client_skip_list(client);
        client_expect(client, "PIN 3x3", "ERR no-table fatal no table");
    }
    client_done(client, "EXPLORE sokoban root=#####/#@$.#/##### from=goals");
    client_expect(client, "DISTANCE sokoban #####/#@$.#/#####", "OK moves=1 ");
}
