/* SPDX-License-Identifier: MIT */
/* puzzled --backup beside a running daemon, and --restore. */
#include "harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Runs puzzled with a flag and a file of the daemon's directory; returns its exit status. */
static int run(const struct daemon *daemon, const char *flag)
{
    char state[128], file[128];
    int status = -1;
    (void)snprintf(state, sizeof state, "%s/state", daemon->directory);
    (void)snprintf(file, sizeof file, "%s/backup", daemon->directory);
    pid_t child = fork();
    if (child == 0) {
        (void)execl(PUZZLED_PROGRAM, PUZZLED_PROGRAM, "--state-dir", state, flag, file, (char *)NULL);
        _exit(127);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void what_was_backed_up_beside_the_daemon_comes_back(void **state)
{
    struct daemon *daemon = *state;
    struct client *client = client_new(daemon);
    assert_string_equal(client_wait(client, client_submit(client, "EXPLORE 3x3")), "done");
    assert_int_equal(run(daemon, "--backup"), 0);
    assert_int_equal(run(daemon, "--backup"), 1); /* the file is there */
    client_expect(client, "FORGET 1", "OK job=1 forgotten=yes");
    client_expect(client, "DISTANCE 3x3 867254301", "ERR no-table");
    assert_int_equal(run(daemon, "--restore"), 1); /* the daemon owns the database */
    client_free(client);
    daemon_stop(daemon);
    assert_int_equal(run(daemon, "--restore"), 0);
    daemon_start(daemon, NULL);
    client = client_new(daemon);
    client_expect(client, "RESULT 1", "OK job=1 kind=explore puzzle=slide:3x3 state=done");
    client_expect(client, "DISTANCE 3x3 867254301", "OK moves=31");
    client_free(client);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_was_backed_up_beside_the_daemon_comes_back, daemon_setup,
                                        daemon_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
