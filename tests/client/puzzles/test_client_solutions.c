/* SPDX-License-Identifier: MIT */
/* How puzzlectl shows all shortest solutions. */
#include "client_run.h"
#include "fake_server.h"

#include <stdio.h>
#include <stdlib.h>

TEST(solutions_are_counted_and_listed_a_line_each)
{
    const struct fake_step steps[] = {
        {"SOLVE 2x2 start=3,2/1,0 all=yes count=2", "OK job=4 state=done cached=no\n", FAKE_GO_ON, NULL},
        {"RESULT 4",
         "OK job=4 kind=solve puzzle=slide:2x2 state=done solvable=yes moves=6 path=ULDRUL "
         "solutions=12345 paths=\"ULDRUL LURDLU\" method=idastar seconds=0.1\n",
         FAKE_GO_ON, NULL}};
    struct client_run run = CLIENT_RUN(steps, "solve 2x2 3,2/1,0 --all -n 2");
    assert_int_equal(run.code, 0);
    check_contains(run.out, "6 moves\n  ULDRUL\n  LURDLU\n");
    check_contains(run.out, "solutions   12,345\n");
    client_run_clear(&run);
}

TEST(a_number_that_is_too_large_is_told_as_such)
{
    const struct fake_step steps[] = {
        {"SOLVE 2x2 start=3,2/1,0 all=yes", "OK job=4 state=done cached=no\n", FAKE_GO_ON, NULL},
        {"RESULT 4",
         "OK job=4 kind=solve puzzle=slide:2x2 state=done solvable=yes moves=6 path=ULDRUL "
         "solutions=9223372036854775807 overflow=yes\n",
         FAKE_GO_ON, NULL}};
    struct client_run run = CLIENT_RUN(steps, "solve 2x2 3,2/1,0 --all --json");
    check_contains(run.out, "\"solutions\":9223372036854775807,\"overflow\":true");
    client_run_clear(&run);
}

static void check_stopped(const char *limits, const char *told)
{
    const char *result = text_of(
        "OK job=4 kind=solve puzzle=slide:4x4 state=stopped solvable=unknown at_least=61 %s\n", limits);
    const struct fake_step steps[] = {
        {"SOLVE 4x4 start=x", "OK job=4 state=stopped cached=no\n", FAKE_GO_ON, NULL},
        {"RESULT 4", result, FAKE_GO_ON, NULL}};
    check_shows(CLIENT_RUN(steps, "solve 4x4 x"), 5, told);
}

TEST(a_search_that_stops_tells_its_limit_and_what_is_proven)
{
    check_stopped("reason=time time_limit=5 memory_limit=1048576",
                  "not solved within 5 s; at least 61 moves\n");
    check_stopped("reason=memory time_limit=5 memory_limit=1610612736",
                  "not solved within 1.5G; at least 61 moves\n");
    check_stopped("reason=levels", "not solved; at least 61 moves\n");
}
