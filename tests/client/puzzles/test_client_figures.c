/* SPDX-License-Identifier: MIT */
/* The subcommand figures: the figures of a whole space. */
#include "client_run.h"

#define RESULT                                                                                               \
    "OK job=4 kind=explore puzzle=jugs:1,1 state=done complete=yes states=4 depth=2 from=root "              \
    "engine=striped "                                                                                        \
    "keep=table edges=8008 edges_by_level=\"2 4 2\" states_by_moves=\"0 0 4\"\n"
#define LEVELS "OK count=3 from=root\nlevel=0 states=1\nlevel=1 states=2\nlevel=2 states=1\nEND\n"

TEST(the_figures_of_a_space_follow_from_its_levels)
{
    static const struct fake_step steps[] = {
        {.request = "EXPLORE jugs:1,1 tap=yes edges=yes", .reply = "OK job=4 state=done cached=yes\n"},
        {.request = "RESULT 4", .reply = RESULT},
        {.request = "LEVELS 4", .reply = LEVELS}};
    check_run(CLIENT_RUN(steps, "figures jugs:1,1 tap=yes"), 0,
              "jugs:1,1  job 4  distances from the root\n"
              "states      4\n"
              "edges       8,008\n"
              "depth       2\n"
              "mean        1.000, standard deviation 0.707\n"
              "median      1\n"
              "widest      1, 2 states\n"
              "branching   2.0000\n"
              "\n"
              "moves          states\n"
              "    2               4\n"
              "\n"
              "level          states           edges  branching\n"
              "    0               1               2     2.0000\n"
              "    1               2               4     2.0000\n"
              "    2               1               2     2.0000\n");
    check_run(CLIENT_RUN(steps, "figures jugs:1,1 tap=yes --csv"), 0,
              "level,states,edges\n0,1,2\n1,2,4\n2,1,2\n");
    struct client_run run = CLIENT_RUN(steps, "figures jugs:1,1 tap=yes --json");
    check_contains(run.out, "\"edges\":8008,\"edges_by_level\":\"2 4 2\"");
    check_contains(run.out, "\"median\":1");
    check_contains(run.out, "\"levels\":[{\"level\":0,\"states\":1,\"edges\":2},");
    client_run_clear(&run);
}

TEST(a_job_that_failed_is_told_as_by_explore)
{
    static const struct fake_step steps[] = {
        {.request = "EXPLORE 3x3 memory=1 edges=yes", .reply = "OK job=5 state=failed cached=no\n"},
        {.request = "RESULT 5",
         .reply = "OK job=5 kind=explore puzzle=slide:3x3 state=failed error=too-large text=\"no room\"\n"}};
    check_shows(CLIENT_RUN(steps, "figures 3x3 --memory 1"), 5, "no room");
}

TEST(figures_need_a_puzzle_and_stats_take_none)
{
    static const char *const wrong[] = {"figures", "figures --csv", "stats 3x3", "stats --csv",
                                        "stats --depth 3"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        check_says(client_run_alone(wrong[i]), 2, "puzzlectl: usage: ");
    }
}
