/* SPDX-License-Identifier: MIT */
/* The subcommands compare and bench. */
#include "client/session/command.h"
#include "client_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TEST(the_methods_that_fit_are_compared_and_a_repeated_one_is_told_once)
{
    static const struct fake_step steps[] = {
        {.request = "SOLVE 2x2 start=x method=table time=60s tool=compare",
         .reply = "ERR no-table fatal none\n"},
        {.request = "SOLVE 2x2 start=x method=idastar time=60s tool=compare",
         .reply = "OK job=1 state=done cached=no\n"},
        {.request = "RESULT 1",
         .reply = "OK job=1 state=done solvable=yes moves=6 method=idastar partition=manhattan expanded=7\n"},
        {.request = "SOLVE 2x2 start=x method=idastar partition=manhattan time=60s tool=compare",
         .reply = "OK job=2 state=done cached=no\n"},
        {.request = "RESULT 2",
         .reply = "OK job=2 state=done solvable=yes moves=6 method=idastar partition=manhattan expanded=7\n"},
        {.request = "SOLVE 2x2 start=x method=astar time=60s tool=compare",
         .reply = "ERR unsupported fatal no\n"},
        {.request = "SOLVE 2x2 start=x method=bidirectional time=60s tool=compare",
         .reply = "ERR unsupported fatal no\n"},
        {.request = "SOLVE 2x2 start=x method=bfs time=60s tool=compare",
         .reply = "OK job=3 state=done cached=no\n"},
        {.request = "RESULT 3",
         .reply =
             "OK job=3 state=stopped solvable=unknown reason=memory at_least=5 method=bfs expanded=1234\n"}};
    check_run(CLIENT_RUN(steps, "compare 2x2 x"), 0,
              "method   partition  solvable  moves  at least  stopped by  expanded\n"
              "idastar  manhattan  yes           6                               7\n"
              "bfs                 unknown                 5  memory         1,234\n");
}

TEST(an_unsolvable_board_is_one_row)
{
    static const char parity[] =
        "OK job=1 state=done solvable=no moves=-1 method=parity expanded=0 generated=0\n";
    static const struct fake_step steps[] = {
        {.request = "SOLVE 2x2 start=x method=table time=60s tool=compare",
         .reply = "ERR no-table fatal none\n"},
        {.request = "SOLVE 2x2 start=x method=idastar time=60s tool=compare",
         .reply = "OK job=1 state=done cached=no\n"},
        {.request = "RESULT 1", .reply = parity},
        {.request = "SOLVE 2x2 start=x method=idastar partition=manhattan time=60s tool=compare",
         .reply = "OK job=2 state=done cached=no\n"},
        {.request = "RESULT 2", .reply = parity},
        {.request = "SOLVE 2x2 start=x method=astar time=60s tool=compare",
         .reply = "ERR unsupported fatal no\n"},
        {.request = "SOLVE 2x2 start=x method=bidirectional time=60s tool=compare",
         .reply = "OK job=3 state=done cached=no\n"},
        {.request = "RESULT 3", .reply = parity},
        {.request = "SOLVE 2x2 start=x method=bfs time=60s tool=compare",
         .reply = "OK job=4 state=done cached=no\n"},
        {.request = "RESULT 4", .reply = parity}};
    check_run(CLIENT_RUN(steps, "compare 2x2 x"), 0,
              "method  solvable  moves  expanded  generated\n"
              "parity  no         none         0          0\n");
}

TEST(a_question_asked_before_is_asked_anew)
{
    char directory[] = "/tmp/puzzlectl-bench-XXXXXX";
    assert_non_null(mkdtemp(directory));
    const char *path = text_of("%s/korf15.csv", directory);
    write_text(path, "# two boards\nid,board,md,optimal,nodes\n1,1 2,3,57,100\n3,2 1,3,59,200\n");
#define ASK(board)                                                                                           \
    "SOLVE 4x4 start=\"" board "\" goal=0,1,2,3/4,5,6,7/8,9,10,11/12,13,14,15 threads=1 tool=bench"
    static const struct fake_step steps[] = {
        {.request = ASK("1 2"), .reply = "OK job=1 state=done cached=yes\n"},
        {.request = "FORGET 1", .reply = "OK job=1 forgotten=yes\n"},
        {.request = ASK("1 2"), .reply = "OK job=4 state=done cached=no\n"},
        {.request = "RESULT 4",
         .reply = "OK job=4 state=done solvable=yes moves=57 expanded=10 generated=20 seconds=0.5\n"},
        {.request = ASK("2 1"), .reply = "OK job=5 state=done cached=no\n"},
        {.request = "RESULT 5",
         .reply = "OK job=5 state=done solvable=yes moves=61 expanded=30 generated=40 seconds=1.5\n"}};
    struct client_run run = CLIENT_RUN(steps, text_of("bench korf15 --csv --data %s", directory));
    assert_int_equal(run.code, 1);
    assert_string_equal(run.out, "id,board,published_moves,moves,expanded,generated,seconds,published_nodes\n"
                                 "1,1 2,57,57,10,20,0.5,100\n3,2 1,59,61,30,40,1.5,200\n");
    check_contains(run.err, "1 boards differ from the published lengths");
    client_run_clear(&run);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(directory), 0);
}

TEST(a_benchmark_that_is_not_known_or_not_there_is_refused)
{
    check_says(client_run_alone("bench korf16"), 2, "korf15, korf24, korf24-all and hardest15");
    check_says(client_run_alone("bench korf15 --data /nonexistent"), 2,
               "cannot read /nonexistent/korf15.csv");
}

TEST(many_boards_are_compared_in_one_table)
{
    static const struct client_setting input = {.input = "1,2/0,3\nbad\n"};
    static const struct fake_step steps[] = {
        {.request = "SOLVE 2x2 start=1,2/0,3 method=table time=60s tool=compare",
         .reply = "ERR no-table fatal none\n"},
        {.request = "SOLVE 2x2 start=1,2/0,3 method=idastar time=60s tool=compare",
         .reply = "OK job=1 state=done cached=no\n"},
        {.request = "RESULT 1",
         .reply = "OK job=1 state=done solvable=yes moves=1 method=idastar partition=manhattan expanded=1234 "
                  "generated=3 seconds=0.25 peak_bytes=4096\n"},
        {.request = "SOLVE 2x2 start=1,2/0,3 method=idastar partition=manhattan time=60s tool=compare",
         .reply = "ERR busy retry x\n"},
        {.request = "SOLVE 2x2 start=1,2/0,3 method=astar time=60s tool=compare",
         .reply = "ERR unsupported fatal no\n"},
        {.request = "SOLVE 2x2 start=1,2/0,3 method=bidirectional time=60s tool=compare",
         .reply = "ERR unsupported fatal no\n"},
        {.request = "SOLVE 2x2 start=1,2/0,3 method=bfs time=60s tool=compare",
         .reply = "ERR unsupported fatal no\n"},
        {.request = "SOLVE 2x2 start=bad method=table time=60s tool=compare",
         .reply = "ERR bad-board fatal no\n"},
        {.request = "SOLVE 2x2 start=bad method=idastar time=60s tool=compare",
         .reply = "ERR bad-board fatal no\n"},
        {.request = "SOLVE 2x2 start=bad method=idastar partition=manhattan time=60s tool=compare",
         .reply = "ERR bad-board fatal no\n"},
        {.request = "SOLVE 2x2 start=bad method=astar time=60s tool=compare",
         .reply = "ERR bad-board fatal no\n"},
        {.request = "SOLVE 2x2 start=bad method=bidirectional time=60s tool=compare",
         .reply = "ERR bad-board fatal no\n"},
        {.request = "SOLVE 2x2 start=bad method=bfs time=60s tool=compare",
         .reply = "ERR bad-board fatal no\n"},
        {.request = "SOLVE 2x2 start=bad method=auto time=60s tool=compare",
         .reply = "ERR bad-board fatal no\n"}};
    struct client_run run = CLIENT_RUN_IN(&input, steps, "compare 2x2 - --csv --quiet");
    assert_string_equal(run.out, "board,method,partition,solvable,moves,at_least,reason,expanded,generated,"
                                 "seconds,waited_seconds,peak_bytes\n"
                                 "\"1,2/0,3\",idastar,manhattan,yes,1,,,1234,3,0.25,,4096\n");
    check_contains(run.err, "bad-board: line 2: no");
    assert_int_equal(run.code, 4);
    client_run_clear(&run);
}

TEST(a_bound_that_both_methods_refuse_is_reported)
{
    static const struct fake_step steps[] = {
        {.request = "SOLVE 2x2 start=x method=idastar partition=manhatan time=60s tool=compare",
         .reply = "ERR bad-request fatal partition=manhatan\n"},
        {.request = "SOLVE 2x2 start=x method=astar partition=manhatan time=60s tool=compare",
         .reply = "ERR bad-request fatal partition=manhatan is no bound\n"}};
    check_says(CLIENT_RUN(steps, "compare 2x2 x --bounds 'manhatan manhattan'"), 4, "manhatan is no bound");
    check_says(client_run_alone("compare 2x2 x --bounds '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17'"), 2,
               "--bounds: 16 names");
}

TEST(bounds_of_many_boards_are_one_table)
{
    static const struct client_setting input = {.input = "1,2/0,3\n0,3/2,1\n"};
    static const struct fake_step steps[] = {
        {.request = "HEURISTIC 2x2 1,2/0,3", .reply = "OK count=1\nheuristic=manhattan at_least=1\nEND\n"},
        {.request = "HEURISTIC 2x2 0,3/2,1", .reply = "OK count=1\nheuristic=manhattan at_least=4\nEND\n"}};
    check_run(client_run_with(&input, steps, 2, "heuristic 2x2 - --csv --quiet"), 0,
              "board,heuristic,at_least\n\"1,2/0,3\",manhattan,1\n\"0,3/2,1\",manhattan,4\n");
}

TEST(a_refusal_among_many_boards_names_its_board_in_json)
{
    static const struct client_setting input = {.input = "1,2/x\n"};
    static const struct fake_step steps[] = {
        {.request = "HEURISTIC 2x2 1,2/x", .reply = "ERR bad-board fatal no\n"}};
    check_run(
        client_run_with(&input, steps, 1, "heuristic 2x2 - --json"), 4,
        "{\"error\":{\"code\":\"bad-board\",\"retry\":false,\"text\":\"line 1: no\"},\"board\":\"1,2/x\"}\n");
}

TEST(every_list_is_to_be_had_between_commas)
{
    check_once("jobs --csv", "JOBS before=9223372036854775807",
               "OK count=1\njob=4 kind=explore puzzle=slide:3x3 state=done states=181440 request=\"EXPLORE "
               "3x3\"\nEND\n",
               0,
               "job,kind,puzzle,state,method,moves,depth,states,seconds,submitted_ms,submitter,request\n"
               "4,explore,slide:3x3,done,,,,181440,,,,EXPLORE 3x3\n");
    check_once("tables --csv", "TABLES", "OK count=1\ntable=\"slide:2x2 root=1,2/3,0\" bytes=2048\nEND\n", 0,
               "table,kind,complete,depth,states,bytes,job,pinned,used_ms\n"
               "\"slide:2x2 root=1,2/3,0\",,,,,2048,,,\n");
    check_once("puzzles --csv", "PUZZLES", "OK count=1\npuzzle=x does=\"says \\\"y\\\", or z\"\nEND\n", 0,
               "puzzle,example,does,keys\nx,,\"says \"\"y\"\", or z\",\n");
    check_once("definitions --csv", "DEFINITIONS", "OK count=1\nname=h format=psvn bytes=7\nEND\n", 0,
               "name,format,bytes,submitter,puzzle\nh,psvn,7,,\n");
    check_once("sample 2x2 1 --csv -q", "SAMPLE 2x2 depth=1", "OK count=1\nboard=1,2/0,3\nEND\n", 0,
               "board\n\"1,2/0,3\"\n");
    check_once("deepest 2x2 --csv -q", "DEEPEST 2x2", "OK count=1\nboard=1,2/0,3\nEND\n", 0,
               "board\n\"1,2/0,3\"\n");
    check_once("fsck --csv", "FSCK", "OK count=1 values=3 bytes=9\ntext=\"a, b\"\nEND\n", 1,
               "text\n\"a, b\"\n");
    check_once("levels 1 --csv -q", "LEVELS 1", "OK count=1\nlevel=0 states=1\nEND\n", 0,
               "level,states\n0,1\n");
    struct client_run run = client_run_alone("random 2x2 --csv --seed 1");
    assert_int_equal(strncmp(run.out, "board\n\"", 7), 0);
    client_run_clear(&run);
}

TEST(the_format_of_a_list_is_a_word)
{
    static const char *const reply = "OK count=1\nname=h format=psvn bytes=7\nEND\n";
    check_once("definitions --format csv", "DEFINITIONS", reply, 0,
               "name,format,bytes,submitter,puzzle\nh,psvn,7,,\n");
    check_once("definitions -f json", "DEFINITIONS", reply, 0,
               "{\"count\":1,\"definitions\":[{\"name\":\"h\",\"format\":\"psvn\",\"bytes\":7}]}\n");
    check_once("definitions --format text", "DEFINITIONS", reply, 0,
               "name  format  bytes\nh     psvn        7\n");
    check_says(client_run_alone("definitions --format tex"), 2,
               "'tex' is not one of text, csv, json; did you mean 'text'?");
    for (unsigned i = 0; command_at(i) != NULL; i++) {
        struct option_table options;
        command_options(command_at(i), &options);
        const bool csv = option_table_find(&options, "csv") != NULL;
        if (csv && option_table_find(&options, "format") == NULL)
            fail_msg("%s has --csv and no --format", command_at(i)->name);
    }
}
