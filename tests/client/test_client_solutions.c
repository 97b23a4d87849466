/* SPDX-License-Identifier: MIT */
/* How puzzlectl shows all shortest solutions. */
#include "client_run.h"
#include "fake_server.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void solutions_are_counted_and_listed_a_line_each(void **state)
{
    const struct fake_step steps[] = {
        {"SOLVE 2x2 start=3,2/1,0 all=yes count=2", "OK job=4 state=done cached=no\n", FAKE_GO_ON, NULL},
        {"RESULT 4",
         "OK job=4 kind=solve puzzle=slide:2x2 state=done solvable=yes moves=6 path=ULDRUL "
         "solutions=12345 paths=\"ULDRUL LURDLU\" method=idastar seconds=0.1\n",
         FAKE_GO_ON, NULL}};
    struct client_run run = CLIENT_RUN(steps, "solve 2x2 3,2/1,0 --all -n 2");
    (void)state;
    assert_int_equal(run.code, 0);
    check_contains(run.out, "6 moves\n  ULDRUL\n  LURDLU\n");
    check_contains(run.out, "solutions   12,345\n");
    client_run_clear(&run);
}

static void a_number_that_is_too_large_is_told_as_such(void **state)
{
    const struct fake_step steps[] = {
        {"SOLVE 2x2 start=3,2/1,0 all=yes", "OK job=4 state=done cached=no\n", FAKE_GO_ON, NULL},
        {"RESULT 4",
         "OK job=4 kind=solve puzzle=slide:2x2 state=done solvable=yes moves=6 path=ULDRUL "
         "solutions=9223372036854775807 overflow=yes\n",
         FAKE_GO_ON, NULL}};
    struct client_run run = CLIENT_RUN(steps, "solve 2x2 3,2/1,0 --all --json");
    (void)state;
    check_contains(run.out, "\"solutions\":9223372036854775807,\"overflow\":true");
    client_run_clear(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_are_counted_and_listed_a_line_each),
        cmocka_unit_test(a_number_that_is_too_large_is_told_as_such),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
