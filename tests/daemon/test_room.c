/* SPDX-License-Identifier: MIT */
/* Which tables go where room is short, and which jobs when there are too many of them. */
#include "harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void write_config(const struct daemon *daemon, const char *text, char *path, size_t size)
{
    (void)snprintf(path, size, "%s/puzzled.conf", daemon->directory);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void restart_with(struct daemon *daemon, const char *config)
{
    char path[128];
    write_config(daemon, config, path, sizeof path);
    const char *const words[] = {"--config", path, NULL};
    daemon_restart(daemon, words);
}

static void explore(struct client *client, const char *puzzle)
{
    char line[64];
    (void)snprintf(line, sizeof line, "EXPLORE %s", puzzle);
    assert_string_equal(client_wait(client, client_submit(client, line)), "done");
}

static size_t tables(struct client *client)
{
    assert_int_equal(strncmp(client_ask(client, "TABLES"), "OK count=", 9), 0);
    return client_skip_list(client);
}

static void an_exploration_that_cannot_fit_evicts_nothing(void **state)
{
    static const char *const puzzles[] = {"2x2", "2x3", "2x4", "3x3"};
    restart_with(*state, "[store]\nsize = 30M\n");
    struct client *client = client_new(*state);
    for (size_t i = 0; i < sizeof puzzles / sizeof puzzles[0]; i++)
        explore(client, puzzles[i]);
    unsigned long job = client_submit(client, "EXPLORE 3x4");
    assert_string_equal(client_wait(client, job), "failed");
    assert_string_equal(value_of(client_result(client, job), "error"), "storage-full");
    assert_int_equal(tables(client), sizeof puzzles / sizeof puzzles[0]);
    client_free(client);
}

#define SPECIFICATION(name) cmocka_unit_test_setup_teardown(name, daemon_setup, daemon_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SPECIFICATION(an_exploration_that_cannot_fit_evicts_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
