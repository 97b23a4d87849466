/* SPDX-License-Identifier: MIT */
/* Every subcommand: the request it makes, what it prints for people and for scripts, its exit status. */
#include "client_run.h"

#include "command.h"
#include "sliding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void ping_prints_the_address(void **state)
{
    (void)state;
    static const struct fake_step steps[] = {{.request = "PING", .reply = "OK pong=yes\n"}};
    struct client_run run = CLIENT_RUN(steps, "ping");
    check_contains(run.out, "puzzled answers at /tmp/puzzlectl-test-");
    assert_int_equal(run.code, 0);
    client_run_clear(&run);
    check_once("ping --json", "PING", "OK pong=yes\n", 0, "{\"pong\":true}\n");
}

static void version_and_stats_print_what_they_get(void **state)
{
    (void)state;
    check_once("version --json", "VERSION", "OK version=0.1.0 protocol=1\n", 0,
               "{\"version\":\"0.1.0\",\"protocol\":1}\n");
    static const struct fake_step version[] = {
        {.request = "VERSION", .reply = "OK version=9.9 protocol=1\r\n"}};
    struct client_run run = CLIENT_RUN(version, "version");
    check_contains(run.out, "puzzled 9.9, protocol 1\n");
    client_run_clear(&run);
    check_once("stats", "STATS",
               "OK version=1 uptime=14940.0 jobs_done=1200 memory_used=6657199309 new=thing\n", 0,
               "version      1\nup for       4:09:00\nmemory used  6.2G\njobs done    1,200\n");
    check_once("stats -j", "STATS", "OK uptime=2.5 jobs_done=12 new=7\n", 0,
               "{\"uptime\":2.5,\"jobs_done\":12,\"new\":\"7\"}\n");
}

static void puzzles_are_listed(void **state)
{
    (void)state;
    check_once("puzzles", "PUZZLES",
               "OK count=1\npuzzle=slide example=slide:3x4 does=\"sliding tiles\" keys=\"\"\nEND\n", 0,
               "puzzle  example    what it is\nslide   slide:3x4  sliding tiles\n");
}

static void a_finished_exploration_is_printed_at_once(void **state)
{
    (void)state;
    static const struct fake_step steps[] = {
        {.request = "EXPLORE 3x3", .reply = "OK job=1 state=done cached=yes\n"},
        {.request = "RESULT 1",
         .reply = "OK job=1 kind=explore puzzle=slide:3x3 state=done complete=yes states=181440 depth=31 "
                  "engine=striped threads=2 seconds=0.05 peak_bytes=4194304 root=1,2,3/4,5,6/7,8,0\n"}};
    struct client_run run = CLIENT_RUN(steps, "explore 3x3");
    assert_string_equal(run.out, "slide:3x3  job 1 done, answered before\n"
                                 "complete    yes\n"
                                 "states      181,440\n"
                                 "depth       31\n"
                                 "engine      striped\n"
                                 "threads     2\n"
                                 "memory      4.0M\n"
                                 "searched    50.0 ms\n"
                                 "rate        3.6M/s\n");
    assert_int_equal(run.code, 0);
    client_run_clear(&run);
}

static void explore_hands_its_options_on(void **state)
{
    (void)state;
    check_once("explore 4x4 --depth 25 -m 4G --threads 2 --keep levels --engine striped --root "
               "'1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0' --detach",
               "EXPLORE 4x4 depth=25 memory=4G threads=2 keep=levels engine=striped root=\"1 2 3 4 5 6 7 8 9 "
               "10 11 12 "
               "13 14 15 0\"",
               "OK job=2 state=queued cached=no\n", 0, "job 2 queued\n");
    check_once("explore 4x4 --detach --json", "EXPLORE 4x4", "OK job=2 state=running cached=yes\n", 0,
               "{\"job\":2,\"state\":\"running\",\"cached\":true}\n");
}

static void an_estimate_starts_no_job(void **state)
{
    (void)state;
    check_once("explore 3x5 --estimate", "EXPLORE 3x5 estimate=yes",
               "OK engine=dense states=653837184000 bytes=87000000000 levels_only_bytes=87000000000 "
               "table_bytes=81729648000 passes=85\n",
               0,
               "engine                   dense\n"
               "states                   653,837,184,000\n"
               "memory                   81.0G\n"
               "memory with keep=levels  81.0G\n"
               "table in the database    76.1G\n"
               "passes                   85\n");
    check_once("explore 4x4 --estimate", "EXPLORE 4x4 estimate=yes",
               "OK engine=dense states=10461394944000 disk_memory_bytes=200000000000 "
               "disk_bytes=900000000000 planes=none\n",
               0,
               "engine                          dense\n"
               "states                          10,461,394,944,000\n"
               "memory with planes=disk         186G\n"
               "scratch space with planes=disk  838G\n"
               "planes=auto takes here          none\n"
               "not here: 186G of memory and 838G of scratch space would suffice\n");
}

static void a_solution_is_printed_with_its_path(void **state)
{
    (void)state;
    static const struct fake_step steps[] = {
        {.request = "SOLVE 2x3 start=1,2,3/4,0,5",
         .reply = "OK job=3 state=done cached=no solvable=yes moves=1\n"},
        {.request = "RESULT 3",
         .reply = "OK job=3 kind=solve puzzle=slide:2x3 state=done solvable=yes moves=1 path=R "
                  "method=bidirectional "
                  "seconds=0.002 start=1,2,3/4,0,5\n"}};
    struct client_run run = CLIENT_RUN(steps, "solve 2x3 1,2,3/4,0,5 --show");
    assert_string_equal(run.out, "slide:2x3  job 3 done\n"
                                 "1 move  R\n"
                                 "method      bidirectional\n"
                                 "searched    2.0 ms\n\n"
                                 "start         1 right\n"
                                 " 1 2 3         1 2 3\n"
                                 " 4 . 5         4 5 .\n\n");
    assert_int_equal(run.code, 0);
    client_run_clear(&run);
    run = CLIENT_RUN(steps, "--json solve 2x3 1,2,3/4,0,5 --show");
    assert_string_equal(
        run.out,
        "{\"job\":3,\"kind\":\"solve\",\"puzzle\":\"slide:2x3\",\"state\":\"done\",\"solvable\":"
        "\"yes\",\"moves\":1,\"path\":\"R\",\"method\":\"bidirectional\",\"seconds\":0.002,"
        "\"start\":\"1,2,3/4,0,5\",\"frames\":[{\"caption\":\"start\",\"board\":\"1,2,3/"
        "4,0,5\",\"drawing\":\" 1 2 3\\n 4 . 5\\n\"},"
        "{\"caption\":\"1 right\",\"board\":\"1,2,3/4,5,0\",\"drawing\":\" 1 2 3\\n 4 5 .\\n\"}]}\n");
    client_run_clear(&run);
}

static void boards_of_other_puzzles_are_asked_of_the_daemon(void **state)
{
    (void)state;
    static const struct fake_step steps[] = {
        {.request = "RESULT 5",
         .reply = "OK job=5 kind=solve puzzle=jugs:3,5,goal:4 state=done solvable=yes moves=1 path=fill:2 "
                  "start=0,0\n"},
        {.request = "DRAW jugs:3,5,goal:4 0,0 path=fill:2",
         .reply = "OK count=2\nframe=0 board=0,0 drawing=\"1 [..] 0/3|2 [...] 0/5\"\n"
                  "frame=1 move=fill:2 board=0,5 drawing=\"1 [..] 0/3|2 [###] 5/5\"\nEND\n"}};
    struct client_run run = CLIENT_RUN(steps, "result 5 --show");
    assert_string_equal(run.out, "jugs:3,5,goal:4  job 5 done\n1 move  fill:2\n\n"
                                 "start          1 fill:2\n1 [..] 0/3     1 [..] 0/3\n"
                                 "2 [...] 0/5    2 [###] 5/5\n\n");
    client_run_clear(&run);
    run = CLIENT_RUN(steps, "result 5 --frames");
    check_contains(run.out, "start\n1 [..] 0/3\n2 [...] 0/5\n\n1 fill:2\n");
    client_run_clear(&run);
    static const struct fake_step refused[] = {
        {.request = "RESULT 5",
         .reply = "OK job=5 kind=solve puzzle=jugs:3,5,goal:4 state=done solvable=yes moves=1 path=fill:2 "
                  "start=0,0\n"},
        {.request = "DRAW jugs:3,5,goal:4 0,0 path=fill:2", .reply = "ERR unsupported fatal no\n"}};
    run = CLIENT_RUN(refused, "result 5 --show");
    check_contains(run.out, "\n    1  fill:2\n");
    assert_string_equal(run.err, "");
    client_run_clear(&run);
    check_once(
        "result 6 --show", "RESULT 6",
        "OK job=6 kind=solve puzzle=linkup state=done solvable=yes turns=1 path=x drawing=\"A-./..A\"\n", 0,
        "linkup  job 6 done\njoined  x\nturns       1\n\nA-.\n..A\n\n");
}

static void a_solution_becomes_a_strip_and_a_page(void **state)
{
    (void)state;
    char svg[] = "/tmp/puzzlectl-test-XXXXXX";
    char line[128];
    char content[64] = "";
    int fd = mkstemp(svg);
    assert_true(fd >= 0);
    (void)snprintf(line, sizeof line, "path 2x3 1,2,3/4,0,5 --svg %s", svg);
    check_once(line, "PATH 2x3 1,2,3/4,0,5", "OK moves=1 solvable=yes path=R\n", 0, "1  R\n");
    assert_true(read(fd, content, sizeof content - 1) > 0);
    check_contains(content, "<svg xmlns=");
    (void)close(fd);
    (void)unlink(svg);
    check_once("path 2x3 1,2,3/4,0,5 --html /nowhere/x.html", "PATH 2x3 1,2,3/4,0,5",
               "OK moves=1 solvable=yes path=R\n", 7, "1  R\n");
}

/* A hostile server: escape sequences and C1 controls never reach the terminal. */
static void control_characters_of_a_server_are_not_printed(void **state)
{
    (void)state;
    check_once("path 3x3 x", "PATH 3x3 x",
               "OK moves=1 solvable=yes path=\x1b[2JA\xc2\x9b"
               "31mB\n",
               0, "1  ?[2JA??31mB\n");
    static const struct fake_step steps[] = {
        {.request = "PATH 3x3 x", .reply = "ERR bad-board fatal \x1b]0;x\x07\n"}};
    struct client_run run = CLIENT_RUN(steps, "path 3x3 x");
    check_contains(run.err, "bad-board: ?]0;x?");
    client_run_clear(&run);
}

static void unsolvable_is_an_answer_with_status_1(void **state)
{
    (void)state;
    static const struct fake_step steps[] = {
        {.request = "SOLVE 2x2 start=2,1/3,0 goal=1,2/3,0 method=bfs",
         .reply = "OK job=4 state=done cached=no solvable=no moves=-1\n"},
        {.request = "RESULT 4",
         .reply = "OK job=4 kind=solve puzzle=slide:2x2 state=done solvable=no moves=-1 method=parity\n"}};
    struct client_run run = CLIENT_RUN(steps, "solve 2x2 2,1/3,0 --goal 1,2/3,0 --method bfs");
    assert_string_equal(run.out, "slide:2x2  job 4 done\nunsolvable: a rule of the puzzle tells so without a "
                                 "search\nmethod      parity\n");
    assert_int_equal(run.code, 1);
    client_run_clear(&run);
}

static void keys_of_a_puzzle_are_passed_through(void **state)
{
    (void)state;
    check_once("solve linkup start=BA.B/AABB from=0,0 to=1,1 border=yes --detach",
               "SOLVE linkup start=BA.B/AABB from=0,0 to=1,1 border=yes", "OK job=5 state=queued\n", 0,
               "job 5 queued\n");
    check_once("solve klotski:横刀立马 metric=move --detach", "SOLVE klotski:横刀立马 metric=move",
               "OK job=6 state=queued\n", 0, "job 6 queued\n");
    check_once("solve sokoban --detach -- '-#@ $.#'", "SOLVE sokoban start=\"-#@ $.#\"",
               "OK job=7 state=queued\n", 0, "job 7 queued\n");
    check_once("pdb 4x4 --partition 7-8 --detach", "PDB 4x4 partition=7-8", "OK job=8 state=queued\n", 0,
               "job 8 queued\n");
}

static void a_job_that_stopped_or_failed_has_status_5(void **state)
{
    (void)state;
    check_once(
        "result 9", "RESULT 9",
        "OK job=9 kind=explore puzzle=slide:4x4 state=stopped complete=no reason=memory states=1000 "
        "depth=9\n",
        5,
        "slide:4x4  job 9 stopped\ncomplete    no\nlimited by  memory\nstates      1,000\ndepth       9\n");
    check_once(
        "result 9", "RESULT 9",
        "OK job=9 kind=explore puzzle=slide:4x4 state=failed error=storage-full text=\"the disk is full\"\n",
        5, "slide:4x4  job 9 failed\nerror       storage-full\nwhy         the disk is full\n");
    check_once("result 9", "RESULT 9", "OK job=9 kind=solve puzzle=slide:4x4 state=cancelled\n", 5,
               "slide:4x4  job 9 cancelled\n");
}

static void a_depth_that_was_asked_for_is_an_answer(void **state)
{
    (void)state;
    check_once(
        "result 9", "RESULT 9",
        "OK job=9 kind=explore puzzle=slide:4x4 state=done complete=no reason=depth states=10 depth=2\n", 0,
        "slide:4x4  job 9 done\ncomplete    no\nlimited by  depth\nstates      10\ndepth       2\n");
}

static void distance_prints_a_number(void **state)
{
    (void)state;
    check_once("distance 3x3 867254301", "DISTANCE 3x3 867254301", "OK moves=31 solvable=yes job=7\n", 0,
               "31\n");
    check_once("distance 3x3 '8 6 7 2 5 4 3 0 1' -g 123456780",
               "DISTANCE 3x3 \"8 6 7 2 5 4 3 0 1\" goal=123456780", "OK moves=31 solvable=yes\n", 0, "31\n");
    check_once("distance 3x3 213456780", "DISTANCE 3x3 213456780", "OK solvable=no moves=-1\n", 1,
               "unsolvable\n");
    check_once("distance 4x4 x", "DISTANCE 4x4 x", "OK solvable=unknown beyond=24\n", 1, "more than 24\n");
    check_once("distance 3x3 x --json", "DISTANCE 3x3 x", "OK solvable=unknown beyond=24\n", 1,
               "{\"solvable\":\"unknown\",\"beyond\":24}\n");
}

static void path_prints_the_way_and_draws_it_when_asked(void **state)
{
    (void)state;
    check_once("path 2x3 412503", "PATH 2x3 412503", "OK moves=5 solvable=yes path=LURRD\n", 0, "5  LURRD\n");
    check_once("path 2x2 1,2/0,3 --show", "PATH 2x2 1,2/0,3", "OK moves=1 solvable=yes path=R\n", 0,
               "1  R\n\nstart         1 right\n 1 2           1 2\n . 3           3 .\n\n");
}

static void sample_and_deepest_print_a_board_a_line(void **state)
{
    (void)state;
    check_once("sample 3x3 20 --count 2 --seed 7", "SAMPLE 3x3 depth=20 count=2 seed=7",
               "OK count=2 depth=20 uniform=yes\nboard=1,2,3/4,5,6/7,8,0\nboard=8,6,7/2,5,4/3,0,1\nEND\n", 0,
               "1,2,3/4,5,6/7,8,0\n8,6,7/2,5,4/3,0,1\n");
    check_once("deepest 3x3 --json", "DEEPEST 3x3",
               "OK count=1 depth=31 total=2\nboard=8,6,7/2,5,4/3,0,1\nEND\n", 0,
               "{\"count\":1,\"depth\":31,\"total\":2,\"boards\":[{\"board\":\"8,6,7/2,5,4/3,0,1\"}]}\n");
    check_once("sample 3x3 99", "SAMPLE 3x3 depth=99", "OK count=0 depth=99 uniform=yes\nEND\n", 1, "");
    static const struct fake_step steps[] = {
        {.request = "DEEPEST 2x2", .reply = "OK count=1 depth=6 total=1\nboard=0,3/2,1\nEND\n"}};
    struct client_run run = CLIENT_RUN(steps, "deepest 2x2 --show");
    assert_string_equal(run.out, " . 3\n 2 1\n\n");
    assert_string_equal(run.err, "(1 of 1 boards at 6 moves)\n");
    client_run_clear(&run);
}

/* The first reply repeats one board, as a server may; the next one ends the level. */
static void more_samples_than_a_reply_holds_are_asked_for_again(void **state)
{
    (void)state;
    struct text full = {0};
    text_add(&full, "OK count=1000 depth=2 uniform=yes\n");
    for (unsigned i = 0; i < 1000; i++)
        text_format(&full, "board=%u\n", i % 999);
    text_add(&full, "END\n");
    const struct fake_step steps[] = {
        {.request = "SAMPLE 3x3 depth=2 count=1000 seed=5", .reply = text_string(&full)},
        {.request = "SAMPLE 3x3 depth=2 count=1000 seed=6",
         .reply = "OK count=2 depth=2 uniform=yes\nboard=7\nboard=new\nEND\n"}};
    struct client_run run = CLIENT_RUN(steps, "sample 3x3 2 -n 2000 --seed 5");
    unsigned lines = 0;
    for (const char *at = run.out; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    assert_int_equal(lines, 1000);
    assert_string_equal(run.out + strlen(run.out) - 4, "new\n");
    client_run_clear(&run);
    text_free(&full);
}

static void levels_are_drawn_or_plain(void **state)
{
    (void)state;
    static const char *const reply =
        "OK count=3\nlevel=0 states=1\nlevel=1 states=2\nlevel=2 states=4000\nEND\n";
    check_once("levels 1 --plain", "LEVELS 1", reply, 0, "0\t1\n1\t2\n2\t4000\n");
    check_once("levels 1 --json", "LEVELS 1", reply, 0,
               "{\"count\":3,\"levels\":[{\"level\":0,\"states\":1},{\"level\":1,\"states\":2},{\"level\":2,"
               "\"states\":"
               "4000}]}\n");
    check_once("levels 1 --format Json", "LEVELS 1", "OK count=0\nEND\n", 1, "{\"count\":0,\"levels\":[]}\n");
    check_once("levels 1 --format csv", "LEVELS 1", reply, 0, "level,states\n0,1\n1,2\n2,4000\n");
    check_once("levels 1 --format MD", "LEVELS 1", reply, 0,
               "| level | states |\n| ---: | ---: |\n| 0 | 1 |\n| 1 | 2 |\n| 2 | 4,000 |\n");
    struct fake_step svg = {.request = "LEVELS 1", .reply = reply};
    struct client_run chart = client_run_with(NULL, &svg, 1, "levels 1 --format svg --log");
    check_contains(chart.out, "4,003 states by distance (logarithmic)");
    check_contains(chart.out, "<title>level 2: 4,000</title>");
    client_run_clear(&chart);
    chart = client_run_alone("levels 1 --format svgg");
    check_contains(chart.err, "did you mean 'svg'?");
    assert_int_equal(chart.code, 2);
    client_run_clear(&chart);
    check_once("levels 1 --examples 1", "LEVELS 1 examples=1",
               "OK count=1\nlevel=0 states=1 example=1,2/3,0\nEND\n", 0, "0\t1\t1,2/3,0\n");
    struct fake_step step = {.request = "LEVELS 1", .reply = reply};
    struct client_run run = client_run_with(NULL, &step, 1, "levels 1");
    check_contains(run.out, " 2  4,000  ####");
    client_run_clear(&run);
}

static void what_people_type_is_understood(void **state)
{
    (void)state;
    static const char *const done = "OK moves=5 solvable=yes\n";
    check_once("distance [[4,1,2],[5,0,3]]", "DISTANCE 2x3 [[4,1,2],[5,0,3]]", done, 0, "5\n");
    check_once("distance 23415x768", "DISTANCE 3x3 23415x768", done, 0, "5\n");
    check_once("distance 8,6,7/2,5,4/3,0,1", "DISTANCE 3x3 8,6,7/2,5,4/3,0,1", done, 0, "5\n");
    check_once("distance 3x3 １，２，３/4,5,6/7,8,0", "DISTANCE 3x3 1,2,3/4,5,6/7,8,0", done, 0, "5\n");
    check_once("solve 华容道：横刀立马 --detach", "SOLVE klotski:横刀立马", "OK job=1 state=queued\n", 0,
               "job 1 queued\n");
    check_once("solve 華容道:横刀立马 --detach", "SOLVE klotski:横刀立马", "OK job=1 state=queued\n", 0,
               "job 1 queued\n");
    check_once("explore 3×4 --detach", "EXPLORE 3x4", "OK job=1 state=queued\n", 0, "job 1 queued\n");
    check_once("explore 数字华容道:3x3 --detach", "EXPLORE slide:3x3", "OK job=1 state=queued\n", 0,
               "job 1 queued\n");
    check_once("distance slide 23415x768", "DISTANCE 3x3 23415x768", done, 0, "5\n");
    check_once("distance 数字华容道 23415x768", "DISTANCE 3x3 23415x768", done, 0, "5\n");
    check_once("result 华容道", "JOBS before=9223372036854775807", "OK count=0\nEND\n", 2, "");
    struct client_run run = client_run_alone("distance 2x13");
    assert_int_equal(run.code, 2);
    check_contains(run.err, "missing argument: distance PUZZLE START|-");
    client_run_clear(&run);
    run = client_run_alone("explore 3x3 4x4");
    check_contains(run.err, "unexpected argument '4x4'\n");
    client_run_clear(&run);
    run = client_run_alone("solve 3x3 1 2 3");
    check_contains(run.err, "unexpected argument '2' (a board with spaces needs quotes)");
    client_run_clear(&run);
    run = client_run_alone("3x3");
    check_contains(run.err, "a command comes first: puzzlectl explore 3x3\n");
    client_run_clear(&run);
    run = client_run_alone("867254301");
    check_contains(run.err, "a command comes first: puzzlectl solve 867254301\n");
    client_run_clear(&run);
    run = client_run_alone("export 3x3 table");
    check_contains(run.err, "end it with .npy, .csv or .bin, or give --format");
    client_run_clear(&run);
    const struct fake_step none = {.request = "SAMPLE 3x3 depth=99", .reply = "OK count=0 depth=99\nEND\n"};
    run = client_run_with(NULL, &none, 1, "sample 3x3 99");
    check_contains(run.err, "no board there; how many are where: puzzlectl levels 3x3\n");
    assert_int_equal(run.code, 1);
    client_run_clear(&run);
    static const struct fake_step steps[] = {
        {.request = "EXPLORE sokobn", .reply = "ERR bad-puzzle fatal no puzzle 'sokobn'\n"},
        {.request = "PUZZLES", .reply = "OK count=2\npuzzle=slide\npuzzle=sokoban\nEND\n"}};
    run = CLIENT_RUN(steps, "explore sokobn");
    check_contains(run.err, "did you mean 'sokoban'?");
    client_run_clear(&run);
    static const struct fake_step sizes[] = {
        {.request = "EXPLORE sokoban:3", .reply = "ERR bad-puzzle fatal '3' is no level\n"},
        {.request = "PUZZLES", .reply = "OK count=1\npuzzle=sokoban\nEND\n"}};
    run = CLIENT_RUN(sizes, "explore sokoban:3");
    assert_null(strstr(run.err, "did you mean"));
    client_run_clear(&run);
}

static void the_hint_of_a_missing_table_makes_that_table(void **state)
{
    static const char *const cases[][4] = {
        {"distance 2x2 1,2/0,3", "DISTANCE 2x2 1,2/0,3",
         "ERR no-table fatal no table covers this: it takes EXPLORE slide:2x2 root=1,2/3,0\n",
         "puzzlectl explore 2x2\n"},
        {"distance jugs:3,5 0,0 --goal 4", "DISTANCE jugs:3,5 0,0 goal=4",
         "ERR no-table fatal no table covers this: it takes EXPLORE jugs:3,5,goal:4 root=0,0 from=goals\n",
         "puzzlectl explore jugs:3,5 goal=4 --from goals\n"},
        {"path klotski:x @ metric=step", "PATH klotski:x @ metric=step",
         "ERR no-table fatal no table covers this: it takes EXPLORE klotski:x,metric:step root=@ "
         "from=goals\n",
         "puzzlectl explore klotski:x metric=step --from goals\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct fake_step step = {.request = cases[i][1], .reply = cases[i][2]};
        struct client_run run = client_run_with(NULL, &step, 1, cases[i][0]);
        check_contains(run.err, cases[i][3]);
        assert_int_equal(run.code, 4);
        client_run_clear(&run);
    }
}

static void a_mistyped_key_is_recognized(void **state)
{
    static const struct fake_step of_verb[] = {
        {.request = "SOLVE 3x3 metod=bfs",
         .reply = "ERR bad-request fatal unknown key 'metod' for puzzle slide\n"},
        {.request = "PUZZLES", .reply = "OK count=1\npuzzle=slide keys=\"\"\nEND\n"}};
    static const struct fake_step of_puzzle[] = {
        {.request = "SOLVE linkup bordr=yes",
         .reply = "ERR bad-request fatal unknown key 'bordr' for puzzle linkup\n"},
        {.request = "PUZZLES", .reply = "OK count=1\npuzzle=linkup keys=\"from to border turns\"\nEND\n"}};
    (void)state;
    struct client_run run = CLIENT_RUN(of_verb, "solve 3x3 metod=bfs");
    check_contains(run.err, "did you mean 'method'?");
    client_run_clear(&run);
    run = CLIENT_RUN(of_puzzle, "solve linkup bordr=yes");
    check_contains(run.err, "did you mean 'border'?");
    assert_int_equal(run.code, 4);
    client_run_clear(&run);
}

static void unsolvable_is_explained(void **state)
{
    (void)state;
    check_once(
        "result 4", "RESULT 4",
        "OK job=4 kind=solve puzzle=slide:3x3 state=done solvable=no moves=-1 start=2,1,3/4,5,6/7,8,0 "
        "goal=1,2,3/4,5,6/7,8,0\n",
        1,
        "slide:3x3  job 4 done\nunsolvable: 1 pair of tiles is out of order, an odd number; with 3 columns "
        "every move keeps it odd, and the goal has 0\n");
    check_once(
        "result 4", "RESULT 4",
        "OK job=4 kind=solve puzzle=jugs:2,4 state=done solvable=no moves=-1 expanded=1234 start=0,0\n", 1,
        "jugs:2,4  job 4 done\nunsolvable: all 1,234 states that can be reached from it were searched\n"
        "expanded    1,234\n");
}

static void random_boards_are_solvable_and_repeatable(void **state)
{
    (void)state;
    struct client_run first = client_run_alone("random 3x3 -n 200 --seed 7");
    struct client_run again = client_run_alone("random 3x3 -n 200 --seed 7");
    assert_int_equal(first.code, 0);
    assert_string_equal(first.out, again.out);
    struct text why = {0};
    unsigned count = 0;
    for (char *rest = again.out, *line = NULL; (line = strsep(&rest, "\n")) != NULL && *line != '\0'; count++)
        sliding_explain("3x3", line, "1,2,3/4,5,6/7,8,0", &why);
    assert_int_equal(count, 200);
    assert_int_equal(why.length, 0);
    client_run_clear(&first);
    client_run_clear(&again);
    first = client_run_alone("random klotski");
    assert_int_equal(first.code, 2);
    client_run_clear(&first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ping_prints_the_address),
        cmocka_unit_test(version_and_stats_print_what_they_get),
        cmocka_unit_test(puzzles_are_listed),
        cmocka_unit_test(a_finished_exploration_is_printed_at_once),
        cmocka_unit_test(explore_hands_its_options_on),
        cmocka_unit_test(an_estimate_starts_no_job),
        cmocka_unit_test(a_solution_is_printed_with_its_path),
        cmocka_unit_test(boards_of_other_puzzles_are_asked_of_the_daemon),
        cmocka_unit_test(a_solution_becomes_a_strip_and_a_page),
        cmocka_unit_test(control_characters_of_a_server_are_not_printed),
        cmocka_unit_test(unsolvable_is_an_answer_with_status_1),
        cmocka_unit_test(keys_of_a_puzzle_are_passed_through),
        cmocka_unit_test(a_job_that_stopped_or_failed_has_status_5),
        cmocka_unit_test(a_depth_that_was_asked_for_is_an_answer),
        cmocka_unit_test(distance_prints_a_number),
        cmocka_unit_test(path_prints_the_way_and_draws_it_when_asked),
        cmocka_unit_test(sample_and_deepest_print_a_board_a_line),
        cmocka_unit_test(more_samples_than_a_reply_holds_are_asked_for_again),
        cmocka_unit_test(levels_are_drawn_or_plain),
        cmocka_unit_test(what_people_type_is_understood),
        cmocka_unit_test(the_hint_of_a_missing_table_makes_that_table),
        cmocka_unit_test(a_mistyped_key_is_recognized),
        cmocka_unit_test(unsolvable_is_explained),
        cmocka_unit_test(random_boards_are_solvable_and_repeatable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
