/* SPDX-License-Identifier: MIT */
/* Help, completion, wrong use, and where the daemon is looked for. */
#include "client_run.h"

#include "client/session/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TEST(every_command_has_help_with_an_example)
{
    unsigned count = 0;
    for (; command_at(count) != NULL; count++) {
        struct client_run run = client_run_alone(text_of("%s --help", command_at(count)->name));
        assert_int_equal(run.code, 0);
        check_contains(run.out, "Usage: puzzlectl ");
        check_contains(run.out, "Example:\n  $ puzzlectl ");
        check_contains(run.out, command_at(count)->name);
        client_run_clear(&run);
    }
    assert_true(count > 20);
}

TEST(wrong_use_has_status_2_and_says_where_to_look)
{
    static const char *const lines[] = {"",
                                        "frobnicate",
                                        "--frobnicate",
                                        "explore",
                                        "explore 3x3 4x4",
                                        "explore 3x3 --depth",
                                        "explore 3x3 --frobnicate",
                                        "distance 3x3",
                                        "status",
                                        "status 0",
                                        "status 99999999999999999999",
                                        "ping now",
                                        "sample 3x3",
                                        "sample 3x3 20 --count 0",
                                        "sample 3x3 20 --count many",
                                        "--host nowhere ping",
                                        "--host :80 ping",
                                        "--host ::1:80 --socket /tmp/x ping",
                                        "--host localhost:70000 ping",
                                        "--host [::1:80 ping",
                                        "--socket '' ping"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct client_run run = client_run_alone(lines[i]);
        if (run.code != 2)
            fail_msg("puzzlectl %s: status %d, %s", lines[i], run.code, run.err);
        check_contains(run.err, "puzzlectl: usage: ");
        assert_string_equal(run.out, "");
        client_run_clear(&run);
    }
}

TEST(version_needs_no_daemon)
{
    check_shows(client_run_alone("--version"), 0, "puzzlectl ");
}

/* Returns the help of a command, which the caller clears. */
static struct client_run help_of(const char *command)
{
    struct client_run run = client_run_alone(text_of("help %s", command));
    assert_int_equal(run.code, 0);
    return run;
}

TEST(the_help_of_a_command_has_its_own_options_and_none_that_do_nothing)
{
    static const char *const wrong[][2] = {{"compare", "--count"},
                                           {"compare", "--method"},
                                           {"compare", "--all"},
                                           {"figures", "--planes"},
                                           {"figures", "--estimate"},
                                           {"figures", "--cluster"},
                                           {"figures", "--keep"},
                                           {"figures", "--edges"},
                                           {"grade", "--partition"},
                                           {"bench", "--goal"},
                                           {"forget", "--before"},
                                           {"solve", "of explore"},
                                           {"solve", "how many boards"},
                                           {"explore", "of solve"},
                                           {"sample", "explore so"},
                                           {"jobs", "parts"},
                                           {"parts", "jobs"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct client_run run = help_of(wrong[i][0]);
        char *example = strstr(run.out, "\nExample:");
        assert_non_null(example);
        *example = '\0';
        if (strstr(run.out, wrong[i][1]) != NULL)
            fail_msg("the help of %s says \"%s\"", wrong[i][0], wrong[i][1]);
        client_run_clear(&run);
    }
}

TEST(commands_stand_in_groups_and_short_names_under_their_command)
{
    struct client_run run = client_run_alone("--help");
    check_contains(run.out, "\nJobs:\n  jobs  ");
    check_contains(run.out, "\nShort for:\n  watch        wait --events\n");
    client_run_clear(&run);
    run = help_of("prune");
    check_contains(run.out, "Usage: puzzlectl forget ");
    check_contains(run.out, "'prune' is short for 'forget'.\n");
    client_run_clear(&run);
    static const struct fake_step status[] = {{.request = "STATUS 7", .reply = "OK job=7 state=running\n"}};
    check_run(CLIENT_RUN(status, "result 7 --status --json"), 0, "{\"job\":7,\"state\":\"running\"}\n");
}

static void check_completion(const char *line, const char *out)
{
    check_whole(client_run_alone(line), 0, out, "");
}

TEST(completion_knows_commands_options_values_and_what_the_daemon_has)
{
    check_completion("--complete ex", "explore\nexport\n");
    check_completion("--complete explore --es", "--estimate\n");
    check_completion("--complete --socket /nowhere solve --method b", "bfs\nbidirectional\n");
    check_completion("--complete solve 3x3 --goal 1", "");
    check_completion("--complete --socket /nowhere explore 3x", "3x3\n3x4\n3x5\n");
    static const struct fake_step steps[] = {
        {.request = "JOBS", .reply = "OK count=2 more=no\njob=7 state=done\njob=12 state=done\nEND\n"}};
    const struct client_setting setting = {.first = "--complete"};
    check_run(client_run_with(&setting, steps, 1, "result 1"), 0, "12\n");
}

TEST(what_was_meant_is_offered)
{
    static const char *const lines[][2] = {
        {"solv 3x3", "unknown command 'solv'; did you mean 'solve'?"},
        {"solve 3x3 --metod bfs", "unknown option '--metod'; did you mean '--method'?"},
        {"explore 3x3 --metric=multi", "'--metric=multi'; a key of the puzzle has no dashes: metric=…"},
        {"solve 3x3 --metod=bfs", "did you mean '--method'?"},
        {"list", "unknown command 'list'; did you mean 'jobs'?"},
        {"delete 3", "did you mean 'forget'?"},
        {"stop 3", "did you mean 'cancel'?"},
        {"start 3x3", "did you mean 'explore'?"},
        {"frobnicate", "unknown command 'frobnicate'\n"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        check_says(client_run_alone(lines[i][0]), 2, lines[i][1]);
}

/* Keys of the protocol become options, and the hint has the puzzle that was typed. */
TEST(a_refusal_speaks_of_what_was_typed)
{
    struct client_run run =
        client_run_once("explore 3x4", "EXPLORE 3x4",
                        "ERR no-table fatal table_from=root depth=: 5 moves, memory=2G; metric=x\n");
    check_contains(run.err, "no-table: --depth: 5 moves, --memory 2G; metric=x\n");
    check_contains(run.err, "puzzlectl explore 3x4\n");
    assert_int_equal(run.code, 4);
    client_run_clear(&run);
    check_says(client_run_once("solve 3x3 x --count 5", "SOLVE 3x3 start=x count=5",
                               "ERR bad-request fatal count= is for all=yes, from=0,0 is not\n"),
               4, "bad-request: --count is for --all, from=0,0 is not\n");
    static const struct fake_step parts[] = {{.request = "PARTS klotski:family after=0",
                                              .reply = "ERR no-table fatal table_from=root EXPLORE it so\n"}};
    check_says(CLIENT_RUN(parts, "parts klotski:family"), 4, "puzzlectl explore klotski:family --parts\n");
}

TEST(tcp_is_asked_as_well)
{
    static const struct fake_step steps[] = {{.request = "PING", .reply = "OK pong=yes\n"}};
    const struct client_setting setting = {.tcp = 1};
    check_shows(client_run_with(&setting, steps, 1, "ping"), 0, "puzzled answers at 127.0.0.1:");
}

TEST(the_environment_names_the_socket)
{
    (void)setenv("PUZZLED_SOCKET", "/tmp/puzzlectl-test-named", 1);
    check_says(client_run_alone("ping"), 3, "at /tmp/puzzlectl-test-named: ");
    (void)unsetenv("PUZZLED_SOCKET");
}
