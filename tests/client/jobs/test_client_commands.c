/* SPDX-License-Identifier: MIT */
/* Subcommands: the request each makes, what it prints for people and for scripts, its exit status. */
#include "client_run.h"

#include "protocol/text/text.h"

#include <string.h>

TEST(ping_prints_the_address)
{
    check_shows(client_run_once("ping", "PING", "OK pong=yes\n"), 0,
                "puzzled answers at /tmp/puzzlectl-test-");
    check_once("ping --json", "PING", "OK pong=yes\n", 0, "{\"pong\":true}\n");
}

TEST(version_and_stats_print_what_they_get)
{
    check_once("version --json", "VERSION", "OK version=0.1.0 protocol=1\n", 0,
               "{\"version\":\"0.1.0\",\"protocol\":1}\n");
    static const struct fake_step version[] = {
        {.request = "VERSION", .reply = "OK version=9.9 protocol=1\r\n"}};
    check_shows(CLIENT_RUN(version, "version"), 0, "puzzled 9.9, protocol 1\n");
    check_once("stats", "STATS",
               "OK version=1 uptime=14940.0 jobs_done=1200 memory_used=6657199309 new=thing\n", 0,
               "version      1\nup for       4:09:00\nmemory used  6.2G\njobs done    1,200\n");
    check_once("stats -j", "STATS", "OK uptime=2.5 jobs_done=12 new=7\n", 0,
               "{\"uptime\":2.5,\"jobs_done\":12,\"new\":\"7\"}\n");
}

TEST(puzzles_are_listed)
{
    check_once("puzzles", "PUZZLES",
               "OK count=1\npuzzle=slide example=slide:3x4 does=\"sliding tiles\" keys=\"\"\nEND\n", 0,
               "puzzle  example    what it is\nslide   slide:3x4  sliding tiles\n");
    check_says(client_run_once("puzzles", "PUZZLES", "OK count=0\nEND\n"), 0,
               "texts that come with puzzlectl: arrow12 blocks6 cube2 cube3 ");
}

TEST(a_finished_exploration_is_printed_at_once)
{
    static const struct fake_step steps[] = {
        {.request = "EXPLORE 3x3", .reply = "OK job=1 state=done cached=yes\n"},
        {.request = "RESULT 1",
         .reply = "OK job=1 kind=explore puzzle=slide:3x3 state=done complete=yes states=181440 depth=31 "
                  "engine=striped threads=2 seconds=0.05 peak_bytes=4194304 root=1,2,3/4,5,6/7,8,0\n"}};
    check_run(CLIENT_RUN(steps, "explore 3x3"), 0,
              "slide:3x3  job 1 done, answered before\n"
              "complete    yes\n"
              "states      181,440\n"
              "depth       31\n"
              "engine      striped\n"
              "threads     2\n"
              "memory      4.0M\n"
              "searched    50.0 ms\n"
              "rate        3.6M/s\n");
}

TEST(explore_hands_its_options_on)
{
    check_once("explore 4x4 --depth 25 -m 4G --threads 2 --keep levels --engine striped --root "
               "'1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0' --detach",
               "EXPLORE 4x4 depth=25 memory=4G threads=2 keep=levels engine=striped root=\"1 2 3 4 5 6 7 8 9 "
               "10 11 12 "
               "13 14 15 0\"",
               "OK job=2 state=queued cached=no\n", 0, "job 2 queued\n");
    check_once("explore 4x4 --detach --json", "EXPLORE 4x4", "OK job=2 state=running cached=yes\n", 0,
               "{\"job\":2,\"state\":\"running\",\"cached\":true}\n");
}

TEST(an_estimate_starts_no_job)
{
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
               "disk_bytes=900000000000 disk_least_memory_bytes=1000000000 disk_most_bytes=1300000000000 "
               "planes=none\n",
               0,
               "engine                          dense\n"
               "states                          10,461,394,944,000\n"
               "memory with planes=disk         186G\n"
               "scratch space with planes=disk  838G\n"
               "the least memory with it        954M\n"
               "scratch space then              1.2T\n"
               "planes=auto takes here          none\n"
               "not here: 186G of memory and 838G of scratch space would suffice, or 954M and 1.2T\n");
}

TEST(a_job_that_stopped_or_failed_has_status_5)
{
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
    check_once("result 9", "RESULT 9",
               "OK job=9 kind=solve puzzle=slide:5x5 state=cancelled solvable=unknown at_least=95\n", 5,
               "slide:5x5  job 9 cancelled\nnot solved; at least 95 moves\n");
}

TEST(a_path_by_a_weight_tells_how_far_it_may_be_from_a_shortest_one)
{
    check_once(
        "result 9", "RESULT 9",
        "OK job=9 kind=solve puzzle=slide:3x3 state=done solvable=yes moves=43 optimal=no bound=5 "
        "at_least=23 path=UD\n",
        0,
        "slide:3x3  job 9 done\n43 moves  UD\nat most 5 times the least number of moves, which is 23 or "
        "more\noptimal     no\n");
    check_once("result 9", "RESULT 9",
               "OK job=9 kind=solve puzzle=doors state=done solvable=yes moves=4 cost=9 optimal=no bound=1.5 "
               "at_least=6 path=go\n",
               0,
               "doors  job 9 done\n4 moves, cost 9  go\nat most 1.5 times the least cost, which is 6 or "
               "more\noptimal     no\n");
}

TEST(a_search_that_was_too_short_tells_what_the_next_bounds_may_take)
{
    static const struct fake_step steps[] = {
        {.request = "PDB 5x5", .reply = "OK job=8 state=done\n"},
        {.request = "RESULT 8", .reply = "OK job=8 state=done\n"},
        {.request = "SOLVE 5x5 start=b time=20s", .reply = "OK job=9 state=stopped\n"},
        {.request = "RESULT 9",
         .reply =
             "OK job=9 kind=solve puzzle=slide:5x5 state=stopped solvable=unknown reason=time at_least=95 "
             "bound_generated=1000000 previous_generated=100000 generated=2000000 seconds=2 "
             "time_limit=20\n"}};
    check_shows(CLIENT_RUN(steps, "solve 5x5 b --estimate"), 5,
                "not solved within 20 s; at least 95 moves\n"
                "the last bound took 10.0 times as many nodes as the one before; at this rate\n"
                "  all of 95 moves  some 10.0M nodes, 10.00 s\n"
                "  all of 97 moves  some 100M nodes, 1:40\n");
}

TEST(a_depth_that_was_asked_for_is_an_answer)
{
    check_once(
        "result 9", "RESULT 9",
        "OK job=9 kind=explore puzzle=slide:4x4 state=done complete=no reason=depth states=10 depth=2\n", 0,
        "slide:4x4  job 9 done\ncomplete    no\nlimited by  depth\nstates      10\ndepth       2\n");
}

TEST(distance_prints_a_number)
{
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

TEST(sample_and_deepest_print_a_board_a_line)
{
    check_once("sample 3x3 20 --count 2 --seed 7", "SAMPLE 3x3 depth=20 count=2 seed=7",
               "OK count=2 depth=20 uniform=yes\nboard=1,2,3/4,5,6/7,8,0\nboard=8,6,7/2,5,4/3,0,1\nEND\n", 0,
               "1,2,3/4,5,6/7,8,0\n8,6,7/2,5,4/3,0,1\n");
    check_once("deepest 3x3 --json", "DEEPEST 3x3",
               "OK count=1 depth=31 total=2\nboard=8,6,7/2,5,4/3,0,1\nEND\n", 0,
               "{\"count\":1,\"depth\":31,\"total\":2,\"boards\":[{\"board\":\"8,6,7/2,5,4/3,0,1\"}]}\n");
    check_once("sample 3x3 99", "SAMPLE 3x3 depth=99", "OK count=0 depth=99 uniform=yes\nEND\n", 1, "");
    static const struct fake_step steps[] = {
        {.request = "DEEPEST 2x2", .reply = "OK count=1 depth=6 total=1\nboard=0,3/2,1\nEND\n"},
        {.request = "DRAW 2x2 0,3/2,1",
         .reply = "OK count=1\nframe=0 board=0,3/2,1 drawing=\" . 3| 2 1\"\nEND\n"}};
    check_whole(CLIENT_RUN(steps, "deepest 2x2 --show"), 0, " . 3\n 2 1\n\n", "(1 of 1 boards at 6 moves)\n");
}

static void check_remark(const char *request, const char *command, const char *reply, const char *remark)
{
    struct client_run run = client_run_once(command, request, reply);
    assert_string_equal(run.err, remark);
    client_run_clear(&run);
}

TEST(a_remark_tells_where_distances_count_from)
{
    check_remark("DEEPEST 2x2", "deepest 2x2", "OK count=1 depth=6 total=1 to=goal\nboard=0,3/2,1\nEND\n",
                 "(1 of 1 boards at 6 moves from the nearest goal)\n");
    check_remark("DEEPEST 2x2 from=root", "deepest 2x2 --from root",
                 "OK count=1 depth=6 total=1 from=root\nboard=0,3/2,1\nEND\n",
                 "(1 of 1 boards at 6 moves from the root)\n");
    check_remark("DEEPEST jugs:2,6 dead=3", "deepest jugs:2,6 --dead 3",
                 "OK count=1 depth=6 total=9 to=goal\nboard=0,1\nEND\n",
                 "(1 of 9 boards from which no goal can be reached)\n");
    check_remark("SAMPLE 2x2 depth=6 from=root", "sample 2x2 6 --from root",
                 "OK count=1 depth=6 uniform=yes from=root\nboard=0,3/2,1\nEND\n",
                 "(at 6 moves from the root)\n");
    check_remark("DISTANCE 2x2 x from=root", "distance 2x2 x --from root",
                 "OK moves=6 solvable=yes from=root\n", "(moves from the root)\n");
    check_remark("LEVELS 4", "levels 4", "OK count=1 to=goal\nlevel=0 states=3\nEND\n",
                 "(moves from the nearest goal)\n");
}

TEST(parts_are_asked_for_page_by_page_but_where_one_is_named)
{
    static const struct fake_step steps[] = {
        {.request = "PARTS klotski:family after=0",
         .reply = "OK count=1 total=2\npart=1 states=9 depth=4 board=a\nEND\n"},
        {.request = "PARTS klotski:family after=1",
         .reply = "OK count=1 total=2\npart=2 states=3 depth=1 board=b\nEND\n"}};
    check_run(CLIENT_RUN(steps, "parts klotski:family --csv"), 0,
              "part,states,depth,board\n1,9,4,\"a\"\n2,3,1,\"b\"\n");
    check_once("parts klotski:family limit=1 --csv", "PARTS klotski:family limit=1 after=0", steps[0].reply,
               0, "part,states,depth,board\n1,9,4,\"a\"\n");
}

/* The first reply repeats one board, as a server may; the next one ends the level. */
TEST(more_samples_than_a_reply_holds_are_asked_for_again)
{
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

TEST(levels_are_drawn_or_plain)
{
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
    check_says(client_run_alone("levels 1 --format svgg"), 2, "did you mean 'svg'?");
    check_once("levels 1 --examples 1", "LEVELS 1 examples=1",
               "OK count=1\nlevel=0 states=1 example=1,2/3,0\nEND\n", 0, "0\t1\t1,2/3,0\n");
    struct fake_step step = {.request = "LEVELS 1", .reply = reply};
    check_shows(client_run_with(NULL, &step, 1, "levels 1"), 0, " 2  4,000  ####");
}
