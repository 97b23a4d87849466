/* SPDX-License-Identifier: MIT */
/* Answers of explorations and solves, against published numbers, and the tables that they leave. */
#include "harness.h"

/* ---- known answers ---- */

SPECIFICATION(explorations_have_the_published_levels)
{
    static const char *const puzzles[] = {"2x2", "2x3", "2x4", "3x3"};
    static const char *const engines[] = {"striped", "dense"};
    struct client *client = client_new(*state);
    for (size_t i = 0; i < sizeof puzzles / sizeof puzzles[0]; i++) {
        for (size_t j = 0; j < sizeof engines / sizeof engines[0]; j++) {
            unsigned long job = client_done(client, text_of("EXPLORE %s engine=%s", puzzles[i], engines[j]));
            client_expect_levels(client, job, puzzles[i], 0);
            expect_fields(client_about(client, "FORGET", job), "forgotten=yes");
        }
    }
}

SPECIFICATION(the_levels_are_the_same_with_1_2_and_8_threads)
{
    static const char *const threads[] = {"1", "2", "8"};
    static const char *const words[] = {"--threads", "8", NULL};
    daemon_restart(*state, words);
    struct client *client = client_new(*state);
    for (size_t i = 0; i < 3; i++) {
        const char *line = text_of("EXPLORE 3x3 engine=striped threads=%s", threads[i]);
        unsigned long job = client_done(client, line);
        expect_fields(client_result(client, job), strrchr(line, ' ') + 1);
        client_expect_levels(client, job, "3x3", 0);
        expect_fields(client_about(client, "FORGET", job), "forgotten=yes");
    }
}

SPECIFICATION(the_result_of_an_exploration_says_what_it_found)
{
    struct client *client = client_new(*state);
    client_expect_end(client, "EXPLORE 3x3",
                      "kind=explore puzzle=slide:3x3 state=done complete=yes states=181440 depth=31");
}

SPECIFICATION(the_hardest_board_takes_31_moves_by_every_method)
{
    static const char *const methods[] = {"auto", "bfs", "bidirectional", "astar", "idastar"};
    struct client *client = client_new(*state);
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        client_expect_end(client, text_of("SOLVE 3x3 start=8,6,7/2,5,4/3,0,1 method=%s", methods[i]),
                          "state=done solvable=yes moves=31");
        assert_int_equal(strlen(value_of(client->line, "path")), 31);
    }
}

SPECIFICATION(an_unsolvable_board_is_done_at_once)
{
    struct client *client = client_new(*state);
    client_expect(client, "SOLVE 4x4 start=1,2,3,4/5,6,7,8/9,10,11,12/13,15,14,0",
                  "OK job=1 state=done cached=no solvable=no moves=-1");
    const char *result = client_result(client, 1);
    expect_fields(result, "solvable=no moves=-1 path=");
    assert_string_equal(
        value_of(result, "rule"),
        "1 pair of tiles is out of order, the blank is 0 rows from its place: together an odd "
        "number, which every move keeps odd, and the goal has 0");
    client_expect(client, "SOLVE 3x3 start=1,2,3/4,#,5/6,7,0 goal=2,1,3/4,#,5/7,6,0 method=idastar",
                  "OK job=2 state=done cached=no solvable=no moves=-1");
    assert_string_equal(value_of(client_result(client, 2), "rule"),
                        "tiles in a ring only go round, and keep their order");
    /* Turns of four of five tokens are even, which no rule tells: a table of all states does. */
    client_done(client, "EXPLORE topspin:5,4");
    client_expect(client, "SOLVE topspin:5,4 start=2,1,3,4,5",
                  "OK job=4 state=done cached=no solvable=no moves=-1");
    expect_fields(client_result(client, 4), "method=table");
}

SPECIFICATION(a_stored_table_answers_a_solve)
{
    struct client *client = client_new(*state);
    client_expect(client, "SOLVE 3x3 start=867254301 method=table", "ERR no-table fatal");
    client_done(client, "EXPLORE 3x3");
    client_expect_end(client, "SOLVE 3x3 start=867254301", "method=table moves=31");
    client_expect(client, "DISTANCE 3x3 8,6,7/2,5,4/3,0,1", "OK moves=31 solvable=yes");
    client_expect(client, "DISTANCE 3x3 1,2,3/4,5,6/8,7,0", "OK solvable=no moves=-1");
    client_expect_list(client, "DEEPEST 3x3", "OK count=2 depth=31 total=2 complete=yes", 2);
    client_expect(client, "DEEPEST 3x3 dead=5", "ERR unsupported fatal dead=: moves of slide can be undone");
    client_expect_list(client, "SAMPLE 3x3 depth=31 count=2", "OK count=2 ", 2);
}

SPECIFICATION(a_search_whose_moves_cannot_be_undone_asks_the_table_that_its_refusal_names)
{
    struct client *client = client_new(*state);
    client_expect(client, "DEFINE name=up format=psvn text=\"1 4 0 => 1 1 => 2 2 => 3 GOAL 3\"",
                  "OK name=up");
    const char *refusal = client_ask(client, "SOLVE up start=0 method=table");
    assert_non_null(
        strstr(refusal, "ERR no-table fatal table_from=goals no table covers this: it takes EXPLORE"));
    assert_non_null(strstr(refusal, " root=0 from=goals"));
    client_done(client, "EXPLORE up root=0 from=goals");
    client_expect_end(client, "SOLVE up start=0 method=table all=yes", "method=table moves=3 solutions=1");
    client_expect(client, "UNDEFINE up", "OK");
}

SPECIFICATION(a_board_beyond_a_bounded_exploration_is_unknown)
{
    struct client *client = client_new(*state);
    client_expect_end(client, "EXPLORE 3x3 depth=10 engine=striped",
                      "state=done complete=no reason=depth depth=10");
    client_expect(client, "DISTANCE 3x3 867254301", "OK solvable=unknown beyond=10");
    client_expect(client, "DISTANCE 3x3 1,2,3/4,5,6/0,7,8", "OK moves=2 solvable=yes");
    client_expect(client, "SOLVE 3x3 start=867254301 method=table", "ERR no-table fatal");
}

/* ---- by a weight, by names ---- */

#define HARDEST "start=867254301"

/* Nor does a stored one, or a table, answer the question by a weight. */
SPECIFICATION(an_answer_by_a_weight_says_how_good_it_is_and_answers_no_other_question)
{
    struct client *client = client_new(*state);
    const unsigned long first = client_expect_end(client, "SOLVE 3x3 " HARDEST " weight=5 method=astar",
                                                  "solvable=yes moves=43 optimal=no bound=5 at_least=23");
    client_expect_end(client, "SOLVE 3x3 " HARDEST " method=astar", "moves=31 optimal= bound= at_least=");
    client_expect_end(client, "SOLVE 3x3 " HARDEST, "moves=31 optimal= bound= at_least=");
    client_expect_end(client, "GRADE 3x3 " HARDEST, "moves=31 solutions=40 optimal=");
    client_expect(client, "GRADE 3x3 " HARDEST " weight=5", "ERR bad-request fatal unknown key 'weight'");
    client_done(client, "EXPLORE 3x3");
    client_expect_end(client, "SOLVE 3x3 " HARDEST " weight=4 method=astar",
                      "optimal=no bound=4 method=astar");
    client_expect_fields(client, "SOLVE 3x3 " HARDEST " weight=5 method=astar", "cached=yes bound=5");
    assert_int_equal(number_of(client->line, "job"), first);
    client_expect_fields(client, "SOLVE 3x3 " HARDEST " weight=1 method=astar",
                         "cached=yes moves=31 optimal=");
    client_expect_fields(client, "SOLVE 3x3 start=123456780 weight=5 method=astar", "moves=0 optimal=yes");
    client_expect_fields(client, "DISTANCE 3x3 867254301", "moves=31");
}

/* The Manhattan distance of this board is 58. */
SPECIFICATION(a_search_by_a_weight_that_is_cut_off_knows_as_much_as_at_its_start)
{
    struct client *client = client_new(*state);
    const unsigned long job = client_end_in(
        client, "stopped",
        "SOLVE 4x4 start=0,12,9,13/15,11,10,14/3,7,2,5/4,8,6,1 weight=1.05 method=astar partition=manhattan "
        "memory=8M");
    const char *result = client_result(client, job);
    expect_fields(result, "solvable=unknown reason=memory");
    assert_true(strtoul(value_of(result, "at_least"), NULL, 10) >= 58);
}

SPECIFICATION(a_path_by_a_weight_that_is_a_shortest_one_says_so)
{
    struct client *client = client_new(*state);
    client_expect_end(client, "SOLVE 3x3 " HARDEST " weight=2 partition=8",
                      "moves=31 optimal=yes bound= at_least= partition=8");
    client_expect_end(client, "SOLVE 3x3 " HARDEST " weight=inf method=astar",
                      "moves=43 optimal=no bound=1.86957 at_least=23");
}

/* Korf (1985) generates 540,860 nodes for his instance 79, the start among them. */
SPECIFICATION(an_order_without_the_cache_generates_the_published_nodes_in_its_iterations)
{
    struct client *client = client_new(*state);
    client_expect_end(
        client,
        "SOLVE 4x4 start=0,1,9,7,11,13,5,3,14,12,4,2,8,6,10,15 goal=0,1,2,3/4,5,6,7/8,9,10,11/12,13,14,15 "
        "method=idastar partition=manhattan order=ULRD cache=no threads=1",
        "moves=42 partition=manhattan generated=540859");
    unsigned long long sum = 0, bound = 28;
    const char *at = value_of(client->line, "iterations");
    for (char *end; *at != '\0'; bound += 2) {
        assert_int_equal(strtoull(at, &end, 10), bound);
        sum += strtoull(end + 1, &end, 10);
        at = end + strcspn(end, ",");
        at += *at == ',';
    }
    assert_int_equal(bound, 42 + 2);
    assert_int_equal(sum, 540859);
}

SPECIFICATION(bounds_are_named_in_the_answer_and_wrong_names_are_refused)
{
    static const char *const rows[][2] = {
        {"SOLVE 3x3 " HARDEST " partition=gaps", "ERR bad-request fatal partition 'gaps'"},
        {"SOLVE 3x3 " HARDEST " partition=manhattan method=bidirectional",
         "ERR bad-request fatal partition= is for method=astar and method=idastar: bidirectional goes by no"},
        {"SOLVE 3x3 " HARDEST " partition=manhattan method=table", "ERR bad-request fatal partition= is for"},
        {"SOLVE 3x3 " HARDEST " partition=manhattan order=ULRX", "ERR bad-request fatal "},
        {"SOLVE 3x3 " HARDEST " order=ULRD", "ERR bad-request fatal order= goes with partition=manhattan"},
        {"SOLVE 3x3 " HARDEST " cache=no method=astar", "ERR bad-request fatal order= and cache=no"},
        {"SOLVE 3x3 " HARDEST " weight=0.5", "ERR bad-request fatal weight=0.5 is out of range"},
        {"SOLVE 3x3 " HARDEST " weight=3 method=bfs", "ERR bad-request fatal weight= is for method=astar"},
        {"SOLVE 3x3 " HARDEST " weight=3 method=table", "ERR bad-request fatal weight= is for method=astar"},
        {"SOLVE 3x3 " HARDEST " weight=3 all=yes", "ERR bad-request fatal all=yes counts shortest"}};
    struct client *client = client_new(*state);
    client_expect_end(client, "SOLVE 3x3 " HARDEST " partition=walking-distance,linear-conflict",
                      "moves=31 partition=walking-distance,linear-conflict method=idastar");
    client_expect_end(client, "SOLVE 3x3 " HARDEST " partition=linear-conflict method=astar",
                      "moves=31 partition=linear-conflict method=astar");
    client_expect_end(client, "SOLVE pancake:6 start=6,1,5,2,4,3 partition=gaps", "partition=gaps");
    CLIENT_EXPECT_ROWS(client, rows);
}

/* ---- tables ---- */

SPECIFICATION(a_bounded_exploration_does_not_replace_a_whole_table)
{
    struct client *client = client_new(*state);
    client_done(client, "EXPLORE 3x3");
    client_done(client, "EXPLORE 3x3 depth=5 engine=striped");
    client_expect(client, "DISTANCE 3x3 867254301", "OK moves=31");
    expect_fields(client_only_record(client, "TABLES"), "complete=yes");
}

SPECIFICATION(a_table_is_pinned_and_unpinned)
{
    struct client *client = client_new(*state);
    client_done(client, "EXPLORE 2x3");
    client_expect_fields(client, "PIN \"slide:2x3 root=1,2,3/4,5,0\"", "pinned=yes");
    expect_fields(client_only_record(client, "TABLES"), "pinned=yes");
    client_expect_fields(client, "UNPIN \"slide:2x3 root=1,2,3/4,5,0\"", "pinned=no");
    client_expect(client, "PIN nothing", "ERR no-table fatal");
}

SPECIFICATION(a_sound_database_has_no_faults)
{
    struct client *client = client_new(*state);
    client_done(client, "EXPLORE 3x3 engine=striped");
    client_expect_list(client, "FSCK", "OK count=0 ", 0);
}

SPECIFICATION(pattern_databases_are_built_ahead_and_kept)
{
    struct client *client = client_new(*state);
    client_expect_end(client, "PDB 4x4 partition=5-5-5", "state=done partition=5-5-5");
    unsigned long long built = number_of(client->line, "built_bytes");
    assert_true(built > 0);
    assert_int_equal(built, number_of(client->line, "bytes"));
    client_expect_end(client, "PDB 4x4 partition=5-5-5", "state=done partition=5-5-5 built_bytes=0");
    /* A search says which databases it went by: what was asked for, or none where the board is near. */
#define NEAR "SOLVE 4x4 start=1,2,3,4/5,6,7,8/9,10,0,12/13,14,11,15"
    client_expect_end(client, NEAR, "state=done moves=2 partition=manhattan");
    client_expect_end(client, NEAR " partition=5-5-5", "state=done moves=2 partition=5-5-5");
    client_expect_end(client, NEAR " partition=manhattan", "state=done moves=2 partition=manhattan");
    client_expect(client, "FORGET 1", "OK job=1 forgotten=yes");
    client_expect_list(client, "TABLES", "OK count=0", 0);
    client_expect(client, "PDB jugs:3,5 goal=4", "ERR ");
    /* The second job built none of those that went with the first. */
    client_expect_end(client, "PDB 4x4 partition=5-5-5", "state=done");
    assert_int_equal(built, number_of(client->line, "built_bytes"));
}

SPECIFICATION(with_more_memory_stronger_pattern_databases_are_built)
{
    struct client *client = client_new(*state);
    client_expect_end(client, "PDB 4x4 memory=1M", "state=done partition=3-4-4-4");
    client_expect_end(client, "PDB 4x4 memory=2M", "state=done partition=5-5-5");
}

/* Korf's board 97, with its published length. */
static unsigned long generated_by_databases(const struct daemon *daemon)
{
    struct client *client = client_new(daemon);
    unsigned long job =
        client_expect_end(client,
                          "SOLVE 4x4 start=9,14,5,7/8,15,1,2/10,4,13,6/12,0,11,3 "
                          "goal=0,1,2,3/4,5,6,7/8,9,10,11/12,13,14,15 partition=4-4-4-3 threads=1",
                          "state=done moves=44");
    unsigned long generated = number_of(client->line, "generated");
    expect_fields(client_about(client, "FORGET", job), "forgotten=yes");
    client_free(client);
    return generated;
}

SPECIFICATION(a_search_generates_the_same_nodes_whatever_is_stored_and_after_a_restart)
{
    struct daemon *daemon = *state;
    const unsigned long first = generated_by_databases(daemon); /* builds them */
    assert_true(first > 1000);
    assert_int_equal(generated_by_databases(daemon), first);
    for (unsigned i = 0; i < 3; i++) { /* the databases come back while it asks, or before */
        daemon_restart(daemon, NULL);
        assert_int_equal(generated_by_databases(daemon), first);
    }
}

/* The databases are built for the first board and read into memory for the second. A board near the goal then
 * is a job only if a slow machine takes too long for it. */
SPECIFICATION(with_databases_in_memory_a_short_search_is_answered_at_once)
{
    static const char *const boards[] = {
        "1,2,3,4/5,6,7,8/9,10,11,12/13,14,0,15", "1,2,3,4/5,6,7,8/9,10,11,12/13,0,14,15",
        "1,2,3,4/5,6,7,8/9,10,0,12/13,14,11,15", "1,2,3,4/5,6,0,8/9,10,7,12/13,14,11,15",
        "1,2,3,4/5,6,7,8/9,10,11,0/13,14,15,12", "2,10,4,7/1,3,8,11/0,9,14,12/5,13,6,15",
        "1,2,3,4/5,6,7,0/9,10,11,8/13,14,15,12", "1,2,3,4/5,6,7,8/9,0,10,12/13,14,11,15"};
    static const char *const keys[] = {"path",       "method",    "partition", "threads", "seconds",
                                       "expanded",   "generated", "start",     "goal",    "kind",
                                       "peak_bytes", "puzzle",    "solvable",  "moves"};
    struct client *client = client_new(*state);
    unsigned at_once = 0;
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
        const char *line = text_of("SOLVE 4x4 start=%s partition=4-4-4-3", boards[i]);
        const char *reply = text_of("%s", client_ask(client, line));
        unsigned long job = number_of(reply, "job");
        assert_string_equal(client_wait(client, job), "done");
        const char *result = client_result(client, job);
        expect_fields(result, "partition=4-4-4-3");
        if (i == 0)
            expect_fields(reply, "state=queued");
        if (strcmp(value_of(reply, "state"), "done") != 0)
            continue;
        at_once++;
        for (size_t j = 0; j < sizeof keys / sizeof *keys; j++) {
            const char *value = value_of(reply, keys[j]);
            if (strcmp(value_of(result, keys[j]), value) != 0)
                fail_msg("%s: %s=%s, RESULT: %s", line, keys[j], value, result);
        }
    }
    assert_true(at_once > 0);
}

SPECIFICATION(other_puzzles_are_jobs_like_others)
{
    struct client *client = client_new(*state);
    client_expect_end(client, "SOLVE jugs:3,5 goal=4", "state=done moves=6");
    client_expect_end(client, "EXPLORE jugs:3,5", "state=done states=16");
    client_expect(client, "SOLVE jugs:3,5", "ERR bad-request fatal puzzle jugs has no goal of its own");
    client_expect(client, "PUZZLES", "OK count=");
    assert_true(client_skip_list(client) >= 3);
}
