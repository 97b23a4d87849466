/* SPDX-License-Identifier: MIT */
/* Subcommands about jobs, tables and bounds: the requests they make, and what they print. */
#include "client_run.h"

#include "client/session/terminal.h"

#include <string.h>
#include <time.h>

#define LATEST "before=9223372036854775807"
#define LISTED "JOBS " LATEST
#define ALL    "JOBS tools=yes " LATEST

TEST(jobs_are_a_table_over_all_pages_the_latest_first)
{
    static const struct fake_step steps[] = {
        {.request = "JOBS state=done " LATEST,
         .reply = "OK count=1 more=yes\njob=12 kind=explore puzzle=slide:3x3 state=done depth=31 seconds=0.5 "
                  "request=\"EXPLORE 3x3\"\nEND\n"},
        {.request = "JOBS state=done before=12",
         .reply =
             "OK count=1 more=no\njob=1 kind=solve puzzle=slide:3x3 state=done moves=0 method=bfs\nEND\n"}};
    check_run(CLIENT_RUN(steps, "jobs --state done"), 0,
              "job  kind     puzzle     state  method  moves  depth    time  asked\n"
              " 12  explore  slide:3x3  done                     31  0.50 s  EXPLORE 3x3\n"
              "  1  solve    slide:3x3  done   bfs         0\n");
    check_shows(CLIENT_RUN(steps, "jobs --state done --json"), 0, "{\"count\":2,\"jobs\":[{\"job\":12,");
    check_once("jobs -n 1", "JOBS limit=1 " LATEST, "OK count=1 more=yes\njob=1 kind=solve state=done\nEND\n",
               0, "job  kind   state\n  1  solve  done\n");
    check_once("jobs", "JOBS " LATEST, "OK count=0\nEND\n", 0, "");
    check_once("jobs", "JOBS " LATEST,
               "OK count=3\njob=3 submitter=uid:0\njob=2 submitter=uid:4294967294\njob=1 "
               "submitter=tcp:127.0.0.0\nEND\n",
               0, "job  by\n  3  root\n  2  uid:4294967294\n  1  tcp:127.0.0.0\n");
    check_once("definitions", "DEFINITIONS", "OK count=1\nname=h submitter=uid:0\nEND\n", 0,
               "name  of\nh     root\n");
    check_once("definitions --csv", "DEFINITIONS", "OK count=1\nname=h submitter=uid:0\nEND\n", 0,
               "name,format,bytes,submitter,puzzle\nh,,,root,\n");
}

TEST(a_long_request_pads_no_other_job)
{
    static const struct fake_step steps[] = {
        {.request = "JOBS " LATEST,
         .reply = "OK count=2\njob=2 request=\"SOLVE 4x4 start=1\" submitter=uid:0\n"
                  "job=1 request=PING submitter=uid:0\nEND\n"}};
    check_run(CLIENT_RUN(steps, "jobs"), 0,
              "job  by    asked\n  2  root  SOLVE 4x4 start=1\n  1  root  PING\n");
    check_run(CLIENT_RUN(steps, "jobs --csv"), 0,
              "job,kind,puzzle,state,method,moves,depth,states,seconds,submitted_ms,submitter,request\n"
              "2,,,,,,,,,,root,SOLVE 4x4 start=1\n1,,,,,,,,,,root,PING\n");
}

/* No line is wider than the terminal; what is cut ends in an ellipsis. */
TEST(tables_fit_the_terminal)
{
    static const struct fake_step steps[] = {
        {.request = "JOBS " LATEST,
         .reply =
             "OK count=1\njob=1 kind=solve puzzle=klotski:HAAI/HAAI/JBBK/JNOK/P@@Q state=done moves=81 "
             "request=\"SOLVE klotski:横刀立马横刀立马横刀立马横刀立马\" submitted_ms=1790000000000\nEND\n"}};
    for (unsigned width = 30; width < 130; width += 7) {
        const struct client_setting setting = {.terminal = 1, .width = width};
        struct client_run run = client_run_with(&setting, steps, 1, "jobs");
        unsigned lines = 0, widest = 0;
        assert_int_equal(run.code, 0);
        for (char *rest = run.out, *line = NULL; (line = strsep(&rest, "\n")) != NULL; lines++) {
            const unsigned columns = terminal_columns(line);
            if (columns > width)
                fail_msg("%u columns: %s", width, line);
            widest = columns > widest ? columns : widest;
        }
        assert_int_equal(lines, 3); /* the head, the job, and what follows the last end of line */
        assert_true(widest > width / 2);
        client_run_clear(&run);
    }
}

TEST(a_puzzle_stands_for_its_latest_job)
{
    static const char *const jobs = "OK count=3\njob=9 kind=solve puzzle=slide:3x3 state=done\njob=8 "
                                    "kind=explore puzzle=slide:3x30 state=done\n"
                                    "job=7 kind=explore puzzle=slide:3x3 state=done\nEND\n";
    const struct fake_step steps[] = {
        {.request = LISTED, .reply = jobs},
        {.request = "LEVELS 7", .reply = "OK count=1\nlevel=0 states=1\nEND\n"}};
    check_run(CLIENT_RUN(steps, "levels 3x3 --plain"), 0, "0\t1\n");
    const struct fake_step status[] = {{.request = LISTED, .reply = jobs},
                                       {.request = "STATUS 9", .reply = "OK job=9\n"}};
    check_run(CLIENT_RUN(status, "status slide:3x3"), 0, "job  9\n");
    const struct fake_step none[] = {steps[0], {.request = ALL, .reply = jobs}};
    check_says(CLIENT_RUN(none, "levels 4x4"), 2,
               "no exploration is of such a puzzle; 'puzzlectl jobs' lists them\n");
    check_says(CLIENT_RUN(none, "levels 3x"), 2, "lists them; did you mean '3x3'?\n");
    check_says(CLIENT_RUN(none, "levels 3X30"), 2, "lists them; did you mean '3x30'?\n");
    check_says(CLIENT_RUN(none, "forget klotsk"), 2,
               "no job is of such a puzzle; 'puzzlectl jobs' lists them\n");
}

TEST(a_puzzle_stands_for_itself_before_its_kin)
{
    static const char *const jobs = "OK count=3\njob=9 kind=explore puzzle=slide:2x3,metric:multi\n"
                                    "job=8 kind=explore puzzle=slide:2x3,goal:1:2:3/4:#:0\n"
                                    "job=7 kind=explore puzzle=slide:2x3\nEND\n";
    const struct fake_step steps[] = {
        {.request = LISTED, .reply = jobs},
        {.request = "LEVELS 7", .reply = "OK count=1\nlevel=0 states=1\nEND\n"}};
    check_run(CLIENT_RUN(steps, "levels 2x3 --plain"), 0, "0\t1\n");
    check_run(CLIENT_RUN(steps, "levels 3x2 --plain"), 0, "0\t1\n");
    const struct fake_step pancakes[] = {
        {.request = LISTED,
         .reply = "OK count=3\njob=9 kind=explore puzzle=pancake:4,burnt:yes request=\"EXPLORE pancake:4\"\n"
                  "job=8 kind=solve puzzle=pancake:4\njob=7 kind=explore puzzle=pancake:4\nEND\n"},
        steps[1]};
    check_run(CLIENT_RUN(pancakes, "levels pancake:4 --plain"), 0, "0\t1\n");
}

TEST(words_for_many_jobs_are_explained)
{
    static const char *const lines[][2] = {{"cancel all", "cancel --all cancels all jobs"},
                                           {"forget done", "forget --state done forgets all in that state"},
                                           {"forget --older soon", "'soon'"},
                                           {"forget --older 7d 8", "forget takes jobs, or"}};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        check_says(client_run_alone(lines[i][0]), 2, lines[i][1]);
    }
}

TEST(many_jobs_are_cancelled_and_forgotten_at_once)
{
    static const struct fake_step forget[] = {
        {.request = "FORGET 5", .reply = "OK job=5 forgotten=yes\n"},
        {.request = "FORGET 6", .reply = "ERR no-such-job fatal none\n"},
        {.request = "FORGET 7", .reply = "OK job=7 forgotten=yes\n"}};
    check_run(CLIENT_RUN(forget, "forget 5 6 7"), 4,
              "job 5 forgotten, with what it stored\njob 7 forgotten, with what it stored\n");
    static const char *const jobs =
        "OK count=3\njob=9 state=running submitted_ms=1\njob=8 state=done submitted_ms=1\n"
        "job=7 state=failed submitted_ms=9999999999999\nEND\n";
    const struct fake_step cancel[] = {{.request = ALL, .reply = jobs},
                                       {.request = "CANCEL 9", .reply = "OK job=9 state=cancelled\n"}};
    check_run(CLIENT_RUN(cancel, "cancel --all"), 0, "job 9 cancelled\n");
    const struct fake_step prune[] = {{.request = ALL, .reply = jobs},
                                      {.request = "FORGET 8", .reply = "OK job=8 forgotten=yes\n"}};
    check_run(CLIENT_RUN(prune, "prune --older 7d"), 0, "job 8 forgotten, with what it stored\n");
}

TEST(a_job_of_this_second_is_older_than_none)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    const long long lately = (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000 - 5;
    const struct fake_step steps[] = {
        {.request = ALL, .reply = text_of("OK count=1\njob=8 state=done submitted_ms=%lld\nEND\n", lately)},
        {.request = "FORGET 8", .reply = "OK job=8 forgotten=yes\n"}};
    check_run(CLIENT_RUN(steps, "forget --older 0s"), 0, "job 8 forgotten, with what it stored\n");
}

TEST(jobs_that_run_are_not_forgotten_and_it_is_said_why)
{
    static const struct fake_step steps[] = {
        {.request = "JOBS state=running tools=yes " LATEST,
         .reply = "OK count=1\njob=9 state=running\nEND\n"},
        {.request = "FORGET 9", .reply = "ERR not-finished retry job 9 is running: CANCEL it first\n"}};
    check_says(CLIENT_RUN(steps, "forget --state running"), 4, "job 9 is running: CANCEL it first");
}

TEST(single_jobs_can_be_asked_cancelled_and_forgotten)
{
    check_once(
        "status 7", "STATUS 7",
        "OK job=7 kind=explore puzzle=slide:3x4 state=running level=21 rate=12300000\n", 0,
        "job     7\nkind    explore\npuzzle  slide:3x4\nstate   running\nlevel   21\nrate    12.3M/s\n");
    check_once("status 7", "STATUS 7", "OK job=7 kind=explore state=running checkpoint_age=12.345\n", 0,
               "job             7\nkind            explore\nstate           running\n"
               "checkpoint age  12.35 s\n");
    check_once("status 7 --json", "STATUS 7", "OK job=7 checkpoint_age=12.345\n", 0,
               "{\"job\":7,\"checkpoint_age\":12.345}\n");
    check_once("cancel 7", "CANCEL 7", "OK job=7 state=cancelled\n", 0, "job 7 cancelled\n");
    check_once("cancel 7", "CANCEL 7", "OK job=7 state=done\n", 0, "job 7 had ended before: done\n");
    check_once("forget 7", "FORGET 7", "OK job=7 forgotten=yes\n", 0,
               "job 7 forgotten, with what it stored\n");
    check_once("forget 7 --json", "FORGET 7", "OK job=7 forgotten=yes\n", 0,
               "{\"job\":7,\"forgotten\":true}\n");
}

TEST(tables_are_listed_pinned_and_checked)
{
    check_once("tables", "TABLES",
               "OK count=1\ntable=\"slide:3x3 root=1,2,3/4,5,6/7,8,0\" kind=runs complete=yes depth=31 "
               "states=181440 "
               "bytes=1887437 job=1 pinned=no\nEND\n",
               0,
               "table                             kind  complete  depth   states  bytes  job  pinned\n"
               "slide:3x3 root=1,2,3/4,5,6/7,8,0  runs  yes          31  181,440   1.8M    1  no\n");
    check_once("pin 'slide:3x3 root=1,2,3/4,5,6/7,8,0'", "PIN \"slide:3x3 root=1,2,3/4,5,6/7,8,0\"",
               "OK pinned=yes\n", 0, "slide:3x3 root=1,2,3/4,5,6/7,8,0 stays\n");
    check_once("unpin 'jugs:3,5 root=0,0'", "UNPIN \"jugs:3,5 root=0,0\"", "OK pinned=no\n", 0,
               "jugs:3,5 root=0,0 may be evicted again\n");
    check_once("fsck", "FSCK", "OK count=0 values=1204 bytes=40960\nEND\n", 0,
               "all is well: 1,204 values checked, 40.0K\n");
    check_once("fsck", "FSCK", "OK count=1 values=7 bytes=100\ntext=\"chunk 3: wrong checksum\"\nEND\n", 1,
               "chunk 3: wrong checksum\ndamaged: 7 values checked, 100\n");
    check_once("fsck --json", "FSCK", "OK count=1 values=7 bytes=100\ntext=wrong\nEND\n", 1,
               "{\"count\":1,\"values\":7,\"bytes\":100,\"damaged\":[{\"text\":\"wrong\"}]}\n");
}

TEST(one_table_has_a_histogram)
{
    check_run(
        client_run_once("tables pdb:x --histogram", "TABLES table=pdb:x histogram=yes",
                        "OK count=1\ntable=\"pdb:x\" kind=pattern states=7 entries=\"1 2 4000\"\nEND\n"),
        0,
        "pdb:x\nvalue         entries\n    0               1\n    1               2\n"
        "    2           4,000\n");
    struct client_run run = client_run_once(
        "tables pdb:x --histogram", "TABLES table=pdb:x histogram=yes",
        "OK count=1\ntable=\"pdb:x\" kind=pattern states=7 entries=\"1 x\"\nEND\n"); /* a strange server makes
                                                                                        no list without end */
    assert_string_equal(run.out, "pdb:x\nvalue         entries\n    0               1\n");
    client_run_clear(&run);
}

TEST(bounds_are_listed_for_eyes_and_for_scripts)
{
    check_once("heuristic 4x4 x --goal y", "HEURISTIC 4x4 x goal=y",
               "OK count=2\nheuristic=manhattan at_least=41\nheuristic=7-8 at_least=45\nEND\n", 0,
               "heuristic  at least\nmanhattan        41\n7-8              45\n");
    check_once("-j heuristic 4x4 x", "HEURISTIC 4x4 x", "OK count=1\nheuristic=manhattan at_least=41\nEND\n",
               0, "{\"count\":1,\"heuristics\":[{\"heuristic\":\"manhattan\",\"at_least\":41}]}\n");
    check_once("heuristic jugs:3,5 0,0", "HEURISTIC jugs:3,5 0,0", "OK count=0\nEND\n", 1, "");
}

#define ASKED_JOBS(jobs)                                                                                     \
    {                                                                                                        \
        .request = (jobs),                                                                                   \
        .reply = "OK count=1\njob=4 kind=explore puzzle=klotski:AA/@@ request=\"EXPLORE klotski:x\"\nEND\n"  \
    }
#define ASKED_TABLES                                                                                         \
    {                                                                                                        \
        .request = "TABLES",                                                                                 \
        .reply = "OK count=3\ntable=\"slide:3x3 root=a\" job=1\ntable=\"klotski:AA/@@ root=b\" job=3\n"      \
                 "table=\"slide:3x3 root=c\" job=2\nEND\n"                                                   \
    }

TEST(every_table_of_a_puzzle_is_pinned)
{
    static const struct fake_step steps[] = {
        ASKED_JOBS(LISTED),
        ASKED_JOBS(ALL),
        ASKED_TABLES,
        {.request = "PIN \"slide:3x3 root=a\"", .reply = "OK pinned=yes\n"},
        {.request = "PIN \"slide:3x3 root=c\"", .reply = "OK pinned=yes\n"},
    };
    static const struct fake_step named[] = {
        ASKED_JOBS(LISTED),
        {.request = "STATUS 4", .reply = "OK job=4 puzzle=klotski:AA/@@\n"},
        ASKED_TABLES,
        {.request = "PIN \"klotski:AA/@@ root=b\"", .reply = "OK pinned=yes\n"},
    };
    check_run(CLIENT_RUN(steps, "pin 3x3"), 0, "slide:3x3 root=a stays\nslide:3x3 root=c stays\n");
    check_run(CLIENT_RUN(named, "pin klotski:x"), 0, "klotski:AA/@@ root=b stays\n");
}

TEST(the_tables_of_a_puzzle_are_one_list)
{
    static const struct fake_step steps[] = {ASKED_JOBS(LISTED), ASKED_JOBS(ALL), ASKED_TABLES};
    check_run(CLIENT_RUN(steps, "tables 3x3"), 0,
              "table             job\nslide:3x3 root=a    1\nslide:3x3 root=c    2\n");
    check_run(CLIENT_RUN(steps, "tables 3x3 --json"), 0,
              "{\"count\":2,\"tables\":[{\"table\":\"slide:3x3 root=a\",\"job\":1},"
              "{\"table\":\"slide:3x3 root=c\",\"job\":2}]}\n");
}

TEST(quiet_lists_make_no_remarks)
{
    static const char *const lists[][2] = {{"jobs -q", LISTED}, {"tables -q", "TABLES"}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct client_run run = client_run_once(lists[i][0], lists[i][1], "OK count=0\nEND\n");
        assert_string_equal(run.err, "");
        client_run_clear(&run);
    }
}

TEST(a_named_layout_is_shown_by_its_name)
{
    check_once("jobs", "JOBS before=9223372036854775807",
               "OK count=1\njob=4 kind=solve puzzle=klotski:AA/@@ layout=klotski:横刀立马 state=done\nEND\n",
               0, "job  kind   puzzle            state\n  4  solve  klotski:横刀立马  done\n");
    check_once(
        "puzzles klotski", "PUZZLES klotski",
        "OK count=1\nlayout=klotski:横刀立马 traditional=橫刀立馬 board=AA/@@ moves=81 "
        "single_steps=116\nEND\n",
        0, "layout            moves  single steps  board\nklotski:横刀立马     81           116  AA/@@\n");
}
