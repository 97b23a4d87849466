/* SPDX-License-Identifier: MIT */
/* cmocka with the headers that it asks for, tests that register themselves, and what all kinds of them write:
 * a program runs those of its file in their order. specification.c has its main(). */
#ifndef SPECIFICATION_H
#define SPECIFICATION_H

/* cmocka.h needs these four before it, in this order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* and then */
#include <cmocka.h>

/* A test: its name says what it specifies, its body follows. */
#define TEST(name) TEST_REGISTERED(name, NULL, NULL, void **no_state)
/* One with surroundings of its own: its body gets as *state what set_up made, or that of all tests. */
#define TEST_WITH(name, set_up, tear_down) TEST_REGISTERED(name, set_up, tear_down, void **state)

#define TEST_REGISTERED(name, set_up, tear_down, parameters)                                                 \
    static void name(parameters);                                                                            \
    __attribute__((constructor)) static void name##_is_there(void)                                           \
    {                                                                                                        \
        test_register(__LINE__, #name, name, set_up, tear_down);                                             \
    }                                                                                                        \
    static void name(parameters)

/* Surrounds all tests of a program: made before them, removed after them. A program may define it. */
struct test_surroundings {
    CMFixtureFunction set_up, tear_down;
};
extern const struct test_surroundings test_surroundings;

void test_register(int line, const char *name, CMUnitTestFunction test, CMFixtureFunction set_up,
                   CMFixtureFunction tear_down);

/* Returns a text, which stays until this has made fifteen others. For the main thread. */
__attribute__((format(printf, 1, 2))) const char *text_of(const char *format, ...);
/* Writes a file. */
void write_text(const char *path, const char *text);

#endif
