/* SPDX-License-Identifier: MIT */
#include "specification.h"

#include <stdio.h>
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

const char *text_of(const char *format, ...)
{
    enum { TEXTS = 16, BYTES = 1 << 13 };
    static char texts[TEXTS][BYTES];
    static unsigned turn;
    char *text = texts[turn++ % TEXTS];
    va_list words;
    va_start(words, format);
    const int length = vsnprintf(text, BYTES, format, words);
    va_end(words);
    assert_in_range(length, 0, BYTES - 1);
    return text;
}

void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

int main(void)
{
    static const struct test_surroundings nothing;
    const struct test_surroundings *around = &test_surroundings != NULL ? &test_surroundings : &nothing;
    if (count == 0)
        abort();
    return _cmocka_run_group_tests("tests", tests, count, around->set_up, around->tear_down);
}
