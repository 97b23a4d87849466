/* SPDX-License-Identifier: MIT */
/* Waiting for a job: progress, Ctrl-C, daemons that break, and malformed replies. */
#include "client_run.h"

#include "client/session/daemon_connection.h"

#include <stdlib.h>
#include <string.h>

static const char *const result_1 =
    "OK job=1 kind=explore puzzle=slide:3x3 state=done complete=yes states=181440 depth=31\n";
static const char *const printed_1 =
    "slide:3x3  job 1 done\ncomplete    yes\nstates      181,440\ndepth       31\n";

TEST(a_job_is_followed_to_its_end_and_its_result_printed)
{
    const struct fake_step steps[] = {
        {.request = "EXPLORE 3x3", .reply = "OK job=1 state=queued cached=no\n"},
        {.request = "WATCH 1",
         .reply = "OK job=1 state=queued\nEVENT seq=1 job=1 state=running level=4 seconds=5\nLOST n=3\n"
                  "EVENT seq=5 job=1 state=done\n"},
        {.request = "RESULT 1", .reply = result_1}};
    check_whole(CLIENT_RUN(steps, "explore 3x3"), 0, printed_1, "");
    const struct client_setting terminal = {.terminal = 1};
    check_whole(client_run_with(&terminal, steps, 3, "explore 3x3"), 0, printed_1,
                "\rjob 1  running  level 4  5.00 s\033[K\r\033[K");
    check_whole(client_run_with(&terminal, steps, 3, "explore 3x3 --quiet"), 0, printed_1, "");
}

TEST(watch_prints_every_event)
{
    check_once("watch 7", "WATCH 7",
               "OK job=7 state=running\nEVENT seq=1 job=7 state=running level=12\nLOST n=3\nEVENT seq=5 "
               "job=7 state=done\n",
               0, "job 7  running  level 12\n(3 events left out)\njob 7  done\n");
    check_once("watch 7 --json", "WATCH 7",
               "OK job=7 state=running\nEVENT seq=1 job=7 state=running level=12 rate=2.5\nLOST n=3\n"
               "EVENT seq=5 job=7 state=failed\n",
               5,
               "{\"seq\":1,\"job\":7,\"state\":\"running\",\"level\":12,\"rate\":2.5}\n{\"n\":3}\n"
               "{\"seq\":5,\"job\":7,\"state\":\"failed\"}\n");
}

TEST(wait_with_a_timeout_lets_the_daemon_wait)
{
    check_once("wait 1 --timeout 5s", "WAIT 1 timeout=5s", "OK job=1 state=running\n", 6, "job 1 running\n");
    const struct fake_step steps[] = {{.request = "WAIT 1 timeout=5s", .reply = "OK job=1 state=done\n"},
                                      {.request = "RESULT 1", .reply = result_1}};
    check_run(CLIENT_RUN(steps, "wait 1 --timeout 5s"), 0, printed_1);
}

TEST(ctrl_c_into_a_pipe_leaves_and_says_how_to_come_back)
{
    static const struct fake_step steps[] = {
        {.request = "SOLVE 4x4 start=x", .reply = "OK job=3 state=queued cached=no\n"},
        {.request = "WATCH 3",
         .reply = "OK job=3 state=running\nEVENT seq=1 job=3 state=running\n",
         .then = FAKE_INTERRUPT}};
    check_whole(CLIENT_RUN(steps, "solve 4x4 x"), 6, "", "job 3 goes on; come back with: puzzlectl wait 3\n");
}

TEST(ctrl_c_on_a_terminal_asks_and_detaches_by_default)
{
    static const struct fake_step steps[] = {
        {.request = "WATCH 3", .reply = "OK job=3 state=running\n", .then = FAKE_INTERRUPT}};
    static const char *const leaving[] = {"\n", "d\n", ""};
    for (size_t i = 0; i < sizeof leaving / sizeof *leaving; i++) {
        const struct client_setting setting = {.terminal = 1, .input = leaving[i]};
        struct client_run run = client_run_with(&setting, steps, 1, "wait 3");
        assert_int_equal(run.code, 6);
        check_contains(run.err, "Job 3: [D]etach");
        check_contains(run.err, "puzzlectl wait 3");
        client_run_clear(&run);
    }
}

TEST(ctrl_c_can_cancel_the_job)
{
    static const struct fake_step steps[] = {
        {.request = "WATCH 3", .reply = "OK job=3 state=running\n", .then = FAKE_INTERRUPT},
        {.request = "CANCEL 3",
         .reply = "OK job=3 state=cancelled\n",
         .first = "EVENT seq=9 job=3 state=cancelled\n"},
        {.request = "RESULT 3", .reply = "OK job=3 kind=explore puzzle=slide:4x4 state=cancelled depth=9\n"}};
    const struct client_setting setting = {.terminal = 1, .input = "c\n"};
    check_run(client_run_with(&setting, steps, 3, "wait 3"), 5,
              "slide:4x4  job 3 cancelled\ndepth       9\n");
}

/* Interrupts a job, answers the question and expects that the client waits further. */
static void check_waits_further(const char *answers, const char *asks)
{
    const struct fake_step steps[] = {{.request = "WATCH 1",
                                       .reply = "OK job=1 state=running\nEVENT seq=1 job=1 state=running\n"
                                                "EVENT seq=2 job=1 state=done\n",
                                       .then = FAKE_INTERRUPT},
                                      {.request = "RESULT 1", .reply = result_1}};
    const struct client_setting setting = {.terminal = 1, .input = answers};
    struct client_run run = client_run_with(&setting, steps, 2, "wait 1");
    assert_int_equal(run.code, 0);
    check_contains(run.err, asks);
    assert_string_equal(run.out, printed_1);
    client_run_clear(&run);
}

TEST(ctrl_c_can_be_taken_back)
{
    check_waits_further("w\n", "Job 1: [D]etach");
}

TEST(an_answer_that_is_none_is_asked_for_again)
{
    check_waits_further(
        "x\nquit\nwait\n",
        "\nJob 1: [D]etach and let it go on, [c]ancel it, [w]ait further? Job 1: [D]etach and "
        "let it go on, [c]ancel it, [w]ait further? Job 1: [D]etach");
}

TEST(no_daemon_is_status_3_and_says_how_to_start_one)
{
    struct client_run run = client_run_alone("--socket /tmp/puzzlectl-test-nobody ping");
    assert_int_equal(run.code, 3);
    check_contains(run.err, "no puzzled answers at /tmp/puzzlectl-test-nobody: No such file");
    check_contains(run.err, "puzzled --socket /tmp/puzzlectl-test-nobody");
    client_run_clear(&run);
    check_says(client_run_alone("--host 127.0.0.1:1 explore 3x3"), 3, "puzzled --listen 127.0.0.1:1");
    run = client_run_alone("--socket /dev/null ping");
    check_contains(run.err, "no puzzled answers at /dev/null: it is no socket\n");
    assert_null(strstr(run.err, "start one there"));
    client_run_clear(&run);
    run = client_run_alone("--socket /tmp/puzzlectl-test-nobody --json ping");
    check_contains(run.out, "{\"error\":{\"code\":\"unreachable\",\"retry\":true,");
    assert_string_equal(run.err, "");
    client_run_clear(&run);
}

TEST(a_refusal_is_status_4_with_code_and_text)
{
    check_whole(client_run_once("distance 3x4 123", "DISTANCE 3x4 123",
                                "ERR bad-board fatal 3 cells given, 3x4 needs 12\n"),
                4, "", "puzzlectl: bad-board: 3 cells given, 3x4 needs 12\n");
    check_says(client_run_once("cancel 1", "CANCEL 1", "ERR denied fatal job 1 is not yours but uid:0's\n"),
               4, "job 1 is not yours but root's");
    check_once("distance 3x4 123 --json", "DISTANCE 3x4 123", "ERR no-table fatal explore first\n", 4,
               "{\"error\":{\"code\":\"no-table\",\"retry\":false,\"text\":\"explore first\"}}\n");
    check_once("levels 9 --json", "LEVELS 9", "ERR no-such-job fatal none\n", 4,
               "{\"error\":{\"code\":\"no-such-job\",\"retry\":false,\"text\":\"none\"}}\n");
    check_once("watch 9 --json", "WATCH 9", "ERR no-such-job fatal none\n", 4,
               "{\"error\":{\"code\":\"no-such-job\",\"retry\":false,\"text\":\"none\"}}\n");
    check_once("watch 9 --json", "WATCH 9", "OK job=9 state=running\nERR shutting-down retry bye\n", 4,
               "{\"error\":{\"code\":\"shutting-down\",\"retry\":true,\"text\":\"bye\"}}\n");
    check_says(client_run_once("wait 9", "WATCH 9", "OK job=9 state=running\nERR shutting-down retry bye\n"),
               4, "a daemon that comes back goes on with it: puzzlectl wait 9");
}

static void check_broken(const char *line, const char *request, const char *reply, const char *says)
{
    struct fake_step step = {.request = request, .reply = reply, .then = FAKE_HANG_UP};
    struct client_run run = client_run_with(NULL, &step, 1, line);
    if (run.code != 3)
        fail_msg("puzzlectl %s: status %d for \"%s\"", line, run.code, reply == NULL ? "" : reply);
    check_contains(run.err, says);
    client_run_clear(&run);
}

TEST(a_connection_that_breaks_is_status_3)
{
    check_broken("ping", "PING", NULL, "it hung up");
    check_broken("ping", "PING", "OK pong", "in the middle of a line");
    check_broken("levels 1", "LEVELS 1", "OK count=2\nlevel=0 states=1\n", "it hung up");
    check_broken("levels 1", "LEVELS 1", "OK count=2\nlevel=0 sta", "in the middle of a line");
    check_broken("wait 1", "WATCH 1", "OK job=1 state=running\nEVENT seq=1 job=1 state=running\n",
                 "a daemon that comes back goes on with it: puzzlectl wait 1");
}

TEST(what_is_not_the_protocol_is_said_to_be_none)
{
    check_broken("ping", "PING", "SSH-2.0-OpenSSH_9.2\n", "does not speak the protocol");
    check_broken("ping", "PING", "\n", "does not speak the protocol");
    check_broken("ping", "PING", "level=0\n", "neither OK nor ERR");
    check_broken("ping", "PING", "END\n", "neither OK nor ERR");
    check_broken("levels 1", "LEVELS 1", "OK count=1\nOK job=1\nEND\n", "no record inside a list");
    check_broken("wait 1", "WATCH 1", "OK job=1 state=running\nlevel=1\n", "no event while a job is watched");
}

TEST(a_line_without_end_is_given_up)
{
    size_t length = CONNECTION_LINE_MAX + 65536;
    char *line = malloc(length + 1);
    assert_non_null(line);
    memset(line, 'x', length);
    line[length] = '\0';
    check_broken("ping", "PING", line, "a line of more than");
    free(line);
}

TEST(long_replies_are_read_whole)
{
    enum { LETTERS = 200000 };
    char *reply = malloc(LETTERS + 128);
    assert_non_null(reply);
    int used = snprintf(reply, 128, "OK moves=%d solvable=yes path=", LETTERS);
    memset(reply + used, 'U', LETTERS);
    (void)strcpy(reply + used + LETTERS, "\n");
    struct fake_step step = {.request = "PATH 1x2 x", .reply = reply};
    struct client_run run = client_run_with(NULL, &step, 1, "path 1x2 x");
    assert_int_equal(run.code, 0);
    assert_int_equal(strlen(run.out), strlen("200000  \n") + LETTERS);
    client_run_clear(&run);
    free(reply);
}

TEST(an_argument_with_a_control_character_is_not_sent)
{
    check_says(client_run_with(NULL, NULL, 0, "distance 3x3 '1\bFORGET 1'"), 2, "control character");
}
