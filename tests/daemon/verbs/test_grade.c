/* SPDX-License-Identifier: MIT */
/* GRADE: how hard a board is; and jobs of tools, which JOBS leaves out. */
#include "harness.h"

#include "store/store.h"

/* Microban 1. The figures were counted outside: distances along GRAPH's edges, the moves of DRAW's boards,
 * all divisions of the boxes. */
SPECIFICATION(a_sokoban_level_is_graded)
{
    struct client *client = client_new(*state);
    client_expect_end(client, "GRADE sokoban start=####/#-.#/#--###/#*@--#/#--$-#/#--###/####",
                      "state=done moves=8 solutions=1 other_metric=move other_moves=33 branching=2.5000 "
                      "wrong_turns=12 dead_turns=5 counterintuitive=2 positions=20 dead=5 piece_count=2 "
                      "must_move=2 box_changes=3 decomposition=3 rating=15 difficulty=easy");
    client_expect_end(client,
                      "GRADE sokoban start=####/#-.#/#--###/#*@--#/#--$-#/#--###/#### metric=move time=60s",
                      "state=done moves=33 other_metric=push other_moves=8 box_changes=3");
}

/* Two boxes have one division, and every turn counts; of three boxes that are pushed once, one may be left
 * for the end. */
SPECIFICATION(boxes_fall_into_two_groups_with_the_fewest_turns)
{
    struct client *client = client_new(*state);
    client_expect_end(client, "GRADE sokoban start=#####/#.-.#/#$-$#/#-@-#/#####",
                      "state=done moves=2 box_changes=1 decomposition=1");
    client_expect_end(client, "GRADE sokoban start=#######/#.-.-.#/#$-$-$#/#--@--#/#######",
                      "state=done moves=3 box_changes=2 decomposition=1");
    client_expect_end(
        client, "GRADE sokoban start=#####/#@$.#/#####",
        "state=done box_changes=0 decomposition=0 wrong_turns=0 must_move=1 rating=0 difficulty=easy");
}

/* The published lengths of 横刀立马 in both metrics (tests/data/klotski.csv). All ten blocks move. */
SPECIFICATION(a_klotski_layout_is_graded_by_both_metrics)
{
    struct client *client = client_new(*state);
    client_expect_end(client, "GRADE klotski:横刀立马",
                      "state=done moves=81 other_metric=step other_moves=116 dead=0 dead_turns=0 positions= "
                      "piece_count=10 must_move=10 box_changes= rating=73 difficulty=expert");
}

/* Of the 84 moves of the 31 positions before the goal 36 begin a shortest way (distances along GRAPH's
 * edges). */
SPECIFICATION(a_sliding_board_has_wrong_turns_both_metrics_and_no_pieces)
{
    struct client *client = client_new(*state);
    client_expect_end(
        client, "GRADE 3x3 start=867254301",
        "state=done moves=31 solutions=40 branching=2.7097 wrong_turns=48 other_metric=multi other_moves=20 "
        "piece_count= must_move= rating=39 difficulty=medium");
    client_expect_end(client, "GRADE 3x3 start=867254301 metric=multi",
                      "state=done moves=20 other_metric=single other_moves=31 piece_count=");
    client_expect_end(client, "GRADE 2x9 start=1,2,3,4,5,6,7,8,9/10,11,12,13,14,15,16,0,17",
                      "state=done moves=1 other_metric= other_moves=");
}

SPECIFICATION(a_solved_board_needs_no_piece_and_an_unsolvable_one_has_no_grade)
{
    struct client *client = client_new(*state);
    client_expect_end(client, "GRADE sokoban start=#####/#@-*#/#####",
                      "state=done moves=0 piece_count=1 must_move=0 branching= positions=1");
    client_expect_end(client, "GRADE 3x3 start=123456870", "state=done solvable=no solutions=0 wrong_turns=");
    client_expect(client, "GRADE 3x3", "ERR bad-request fatal missing=start GRADE needs start=BOARD");
    client_expect(client, "GRADE linkup start=AA from=0,0 to=0,1", "ERR unsupported fatal linkup");
}

SPECIFICATION(a_grade_is_another_question_than_a_solution)
{
    struct client *client = client_new(*state);
    const unsigned long solved = client_submit(client, "SOLVE 3x3 start=867254301 all=yes");
    const unsigned long graded = client_submit(client, "GRADE 3x3 start=867254301");
    assert_true(solved != graded);
    assert_int_equal(client_submit(client, "GRADE 3x3 start=867254301 tool=test"), graded);
}

/* Makes the record of job 1 one of an older version. */
static void make_older(const struct daemon *daemon)
{
    struct store *store = NULL;
    struct job_record record = {0};
    struct pz_error error = {0};
    const char *path = text_of("%s/state", daemon->directory);
    assert_int_equal(store_open(path, &(struct store_options){0}, &store, &error), PZ_OK);
    assert_int_equal(store_job_get(store, 1, &record, &error), PZ_OK);
    static const char older[] = " pieces=", newer[] = " piece_count=";
    char *version = strstr(record.question, " grade=5");
    char *pieces = strstr(record.result, newer);
    assert_true(version != NULL && pieces != NULL);
    (void)snprintf(version, strlen(version) + 1, " grade=y");
    memcpy(pieces, older, sizeof older - 1);
    memmove(pieces + sizeof older - 1, pieces + sizeof newer - 1, strlen(pieces + sizeof newer - 1) + 1);
    assert_int_equal(store_job_put(store, &record, &error), PZ_OK);
    job_record_clear(&record);
    store_close(store);
}

SPECIFICATION(a_grade_with_figures_of_an_older_version_is_made_again)
{
    static const char line[] = "GRADE sokoban start=####/#-.#/#--###/#*@--#/#--$-#/#--###/####";
    struct client *client = client_new(*state);
    assert_int_equal(client_done(client, line), 1);
    assert_int_equal(client_submit(client, line), 1);
    client_free(client);
    daemon_stop(*state);
    make_older(*state);
    daemon_start(*state, NULL);
    client = client_new(*state);
    expect_fields(client_result(client, 1), "piece_count=");
    assert_int_equal(client_done(client, line), 2);
    expect_fields(client_result(client, 2), "piece_count=2");
    client_free(client);
}

/* Microban 36, whose steps take more than 1000K. Without time= each further search has ten seconds. */
SPECIFICATION(a_grade_that_lacks_figures_is_made_again_with_wider_limits)
{
    static const char line[] = "GRADE sokoban start=####/#--############/#-$-$-$-$-$-@-#/#-.....-------#/"
                               "############### threads=1";
    struct client *client = client_new(*state);
    const char *narrow = text_of("%s memory=1000K", line);
    const unsigned long cut = client_expect_end(
        client, narrow,
        "state=done moves=59 positions=19029 other_moves= memory_limit=1024000 time_limit=10");
    assert_int_equal(client_submit(client, narrow), cut);
    assert_int_equal(client_submit(client, text_of("%s time=9s", narrow)), cut);
    assert_true(client_submit(client, text_of("%s time=60s", narrow)) != cut);
    const unsigned long whole =
        client_expect_end(client, line, "state=done other_moves=156 memory_limit= time_limit=");
    assert_int_equal(client_submit(client, text_of("%s time=60s", narrow)), whole);
    client_free(client);
}

SPECIFICATION(jobs_of_tools_are_listed_only_if_they_are_asked_for)
{
    struct client *client = client_new(*state);
    (void)client_submit(client, "SOLVE 3x3 start=123456708");
    (void)client_submit(client, "SOLVE 3x3 start=123456078 tool=compare");
    client_expect_list(client, "JOBS", "OK count=1 more=no", 1);
    client_expect_list(client, "JOBS tools=yes", "OK count=2 more=no", 2);
    client_expect(client, "STATUS 2", "OK job=2 ");
    assert_int_equal(client_submit(client, "SOLVE 3x3 start=123456708 tool=compare"), 1);
    assert_int_equal(client_submit(client, "SOLVE 3x3 start=123456078"), 2); /* for its own sake */
    client_expect_list(client, "JOBS", "OK count=2 more=no", 2);
    assert_int_equal(client_submit(client, "SOLVE 3x3 start=123056478 tool=\"a \\\" tool\" time=9s"), 3);
    assert_int_equal(client_submit(client, "SOLVE 3x3 start=123056478"), 3);
    assert_string_equal(value_of(client_ask(client, "STATUS 3"), "request"),
                        "SOLVE 3x3 start=123056478 time=9s");
    client_expect_list(client, "JOBS", "OK count=3 more=no", 3);
}
