/* SPDX-License-Identifier: MIT */
#include "specification.h"

#include <stdlib.h>

enum { TESTS_MAX = 128 };

static struct CMUnitTest tests[TESTS_MAX]; /* by their lines */
static int lines[TESTS_MAX];
static size_t count;

/* Not there in most programs. (A weak definition of nothing would be a constant for clang.) */
/* NOLINTNEXTLINE(readability-redundant-declaration): it is weak here alone */
extern __attribute__((weak)) const struct test_surroundings test_surroundings;

void test_register(int line, const char *name, CMUnitTestFunction test, CMFixtureFunction set_up,
                   CMFixtureFunction tear_down)
{
    if (count == TESTS_MAX)
        abort();
    size_t at = count++;
    for (; at > 0 && lines[at - 1] > line; at--) {
        tests[at] = tests[at - 1];
        lines[at] = lines[at - 1];
    }
    tests[at] = (struct CMUnitTest){name, test, set_up, tear_down, NULL};
    lines[at] = line;
}

int main(void)
{
    static const struct test_surroundings nothing;
    const struct test_surroundings *around = &test_surroundings != NULL ? &test_surroundings : &nothing;
    if (count == 0)
        abort();
    return _cmocka_run_group_tests("tests", tests, count, around->set_up, around->tear_down);
}
