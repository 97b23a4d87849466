/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include <sys/socket.h>
#include <sys/time.h>

/* ---- lines ---- */

SPECIFICATION(a_verb_may_be_written_in_any_case)
{
    struct client *client = client_new(*state);
    client_expect(client, "PING", "OK pong=yes");
    client_expect(client, "ping", "OK pong=yes");
    client_expect(client, "Ping TAG=a1", "OK tag=a1 pong=yes");
}

SPECIFICATION(a_carriage_return_before_the_line_end_is_ignored)
{
    struct client *client = client_new(*state);
    client_send_bytes(client, "PING\r\nPING tag=x\r\n", 18);
    assert_string_equal(client_next(client), "OK pong=yes");
    assert_string_equal(client_next(client), "OK tag=x pong=yes");
}

SPECIFICATION(a_line_of_4096_bytes_is_a_request_and_one_more_is_not)
{
    struct client *client = client_new(*state);
    char line[4100];
    memset(line, ' ', sizeof line);
    line[snprintf(line, sizeof line, "PING")] = ' ';
    line[4096] = '\n';
    client_send_bytes(client, line, 4097);
    assert_string_equal(client_next(client), "OK pong=yes");
    line[4096] = '\r';
    line[4097] = '\n';
    client_send_bytes(client, line, 4098);
    assert_string_equal(client_next(client), "OK pong=yes");
    line[4096] = ' ';
    client_send_bytes(client, line, 4098);
    client_expect_next(client, "ERR bad-request fatal the line is longer");
    client_expect(client, "PING", "OK pong=yes");
}

SPECIFICATION(a_line_of_a_megabyte_gets_one_error_and_leaves_the_connection_in_step)
{
    struct client *client = client_new(*state);
    size_t length = (size_t)1 << 20;
    char *line = malloc(length + 1);
    assert_non_null(line);
    memset(line, 'x', length);
    line[length] = '\n';
    client_send_bytes(client, line, length + 1);
    free(line);
    client_expect_next(client, "ERR bad-request");
    assert_true(client_is_silent(client, 50));
    client_expect(client, "PING", "OK pong=yes");
}

SPECIFICATION(control_bytes_and_broken_utf8_are_refused_once_a_line)
{
    static const struct {
        const char *bytes;
        size_t length;
    } lines[] = {{"PING\0x\n", 7},       {"\x01\n", 2},          {"PING \t\n", 7},
                 {"PING \xff\xfe\n", 8}, {"PING \xc0\xaf\n", 8}, {"PING \xed\xa0\x80\n", 9},
                 {"\x7f\n", 2},          {"PING \xe6\xa8\n", 8}, {"\x16\x03\x01\x02\x00\n", 6}};
    struct client *client = client_new(*state);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        client_send_bytes(client, lines[i].bytes, lines[i].length);
        client_expect_next(client, "ERR bad-request fatal byte 0x");
    }
    client_expect(client, "PING", "OK pong=yes");
}

SPECIFICATION(an_http_request_closes_the_connection_without_a_word)
{
    static const char *const requests[] = {"GET / HTTP/1.1", "POST /x HTTP/1.1", "HEAD / HTTP/1.0", "PUT /a"};
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
        struct client *client = client_new(*state);
        client_send(client, requests[i]);
        client_send(client, "Host: x");
        assert_null(client_line(client));
        client_free(client);
    }
    struct client *client = client_new(*state);
    client_expect(client, "PING", "OK");
}

SPECIFICATION(what_looks_like_http_within_a_long_line_does_not_close)
{
    struct client *client = client_new(*state);
    char line[5000];
    memset(line, 'x', sizeof line);
    client_send_bytes(client, line, sizeof line);
    client_expect_next(client, "ERR bad-request fatal the line is longer");
    client_send(client, "GET / HTTP/1.1");
    client_expect(client, "PING", "OK pong=yes");
}

SPECIFICATION(a_request_cut_in_half_by_a_hang_up_does_nothing)
{
    struct client *half = client_new(*state);
    client_send_bytes(half, "EXPLORE 2x", 10);
    client_free(half);
    struct client *client = client_new(*state);
    client_expect_list(client, "JOBS", "OK count=0", 0);
}

SPECIFICATION(an_empty_line_gets_one_error)
{
    struct client *client = client_new(*state);
    client_expect(client, "", "ERR bad-request fatal an empty line");
    client_expect(client, "   ", "ERR bad-request fatal an empty line");
}

/* ---- requests ---- */

static void expect_refusals(struct daemon *daemon, const char *const rows[][2], size_t count)
{
    struct client *client = client_new(daemon);
    client_expect_rows(client, rows, count);
    client_expect(client, "JOBS", "OK count=0");
}

SPECIFICATION(sizes_that_are_none_are_refused)
{
    static const char *const refusals[][2] = {
        {"EXPLORE 0x0", "ERR bad-puzzle fatal"},         {"EXPLORE 1x1", "ERR bad-puzzle fatal"},
        {"EXPLORE 9x9", "ERR too-large fatal"},          {"EXPLORE 3x-1", "ERR bad-puzzle fatal"},
        {"EXPLORE -3x3", "ERR bad-puzzle fatal"},        {"EXPLORE 99999999999999999999x3", "ERR "},
        {"EXPLORE 3x99999999999999999999", "ERR "},      {"EXPLORE 3x", "ERR bad-puzzle fatal"},
        {"EXPLORE 3x3x3", "ERR bad-puzzle fatal"},       {"EXPLORE slide:", "ERR bad-puzzle fatal"},
        {"EXPLORE nothing:3x3", "ERR bad-puzzle fatal"}, {"SOLVE 9x9 start=1", "ERR too-large fatal"},
        {"DISTANCE 9x9 1", "ERR too-large fatal"},       {"DEEPEST 0x3", "ERR bad-puzzle fatal"},
    };
    expect_refusals(*state, refusals, sizeof refusals / sizeof refusals[0]);
}

SPECIFICATION(boards_that_cannot_be_are_refused)
{
    static const char *const refusals[][2] = {
        {"SOLVE 3x3 start=1,2,3/4,5,6/7,8", "ERR bad-board fatal"},
        {"SOLVE 3x3 start=1,2,3/4,5,6/7,8,0,9", "ERR bad-board fatal"},
        {"SOLVE 3x3 start=1,1,3/4,5,6/7,8,0", "ERR bad-board fatal"},
        {"SOLVE 3x3 start=1,2,3/4,5,6/7,9,0", "ERR bad-board fatal"},
        {"SOLVE 3x3 start=1,2,3/4,5,6/7,0,0", "ERR bad-board fatal"},
        {"SOLVE 3x3 start=1,2,3/4,5,6/7,8,x start=1", "ERR bad-request fatal start= is given twice"},
        {"SOLVE 3x3 start=", "ERR bad-board fatal"},
        {"SOLVE 3x3 start=hello", "ERR bad-board fatal"},
        {"SOLVE 3x3 start=1,2,3/4,5,6/7,8,99999999999999999999", "ERR bad-board fatal"},
        {"SOLVE 3x3 start=123456780 goal=12345678", "ERR bad-board fatal"},
        {"EXPLORE 3x3 root=112345670", "ERR bad-board fatal"},
        {"DISTANCE 3x3 1,2,3", "ERR bad-board fatal"},
        {"PATH 3x3 1,2,3/4,5,6/7,8,8", "ERR bad-board fatal"},
    };
    expect_refusals(*state, refusals, sizeof refusals / sizeof refusals[0]);
}

SPECIFICATION(unknown_verbs_keys_and_methods_are_named)
{
    static const char *const refusals[][2] = {
        {"FROBNICATE", "ERR bad-request fatal no verb 'FROBNICATE'"},
        {"PING x=1", "ERR bad-request fatal unknown key 'x='"},
        {"PING 1", "ERR bad-request fatal 1 argument given"},
        {"STATUS", "ERR bad-request fatal 0 arguments given"},
        {"EXPLORE", "ERR bad-request fatal 0 arguments given"},
        {"EXPLORE 3x3 dept=5", "ERR bad-request fatal unknown key 'dept'"},
        {"EXPLORE 3x3 depth=-1", "ERR bad-request fatal depth=:"},
        {"EXPLORE 3x3 depth=99999999999999999999", "ERR bad-request fatal depth=:"},
        {"EXPLORE 3x3 depth=", "ERR bad-request fatal depth=:"},
        {"EXPLORE 3x3 threads=0", "ERR bad-request fatal threads=:"},
        {"EXPLORE 3x3 threads=65", "ERR bad-request fatal threads=:"},
        {"EXPLORE 3x3 memory=8X", "ERR bad-request fatal memory=:"},
        {"EXPLORE 3x3 memory=99999999999999999999T", "ERR bad-request fatal memory=:"},
        {"EXPLORE 3x3 memory=0", "ERR bad-request fatal memory=:"},
        {"EXPLORE 3x3 memory=100G", "ERR too-large fatal memory=:"},
        {"EXPLORE klotski:横刀立马 memory=10K threads=1", "ERR too-large fatal threads=1 needs "},
        {"EXPLORE 3x3 time=soon", "ERR bad-request fatal time=:"},
        {"EXPLORE 3x3 engine=warp",
         "ERR bad-request fatal engine=: 'warp' is not one of auto, striped, dense"},
        {"EXPLORE 3x3 engine=dense depth=5",
         "ERR unsupported fatal the dense engine keeps tables of whole puzzles"},
        {"EXPLORE 5x5 engine=dense", "ERR unsupported fatal the dense engine knows 2x2 to 16 cells"},
        {"EXPLORE 3x3 keep=all", "ERR bad-request fatal keep=:"},
        {"EXPLORE 3x3 priority=20", "ERR bad-request fatal priority=:"},
        {"SOLVE 3x3", "ERR bad-request fatal missing=start SOLVE needs start="},
        {"SOLVE 3x3 start=123456780 method=magic", "ERR bad-request fatal method=: 'magic' is not one of"},
        {"SOLVE 3x3 start=123456780 method=parity", "ERR bad-request fatal method=:"},
        {"SOLVE jugs:3,5 goal=4 method=idastar",
         "ERR unsupported fatal method=idastar does not fit jugs, it takes plain sliding puzzles, and "},
        {"SOLVE 4x4 start=1,2,3,4/5,6,7,8/9,10,11,12/13,14,0,15 partition=9-6",
         "ERR bad-request fatal partition '9-6' cannot be read"},
        {"SOLVE jugs:3,5 goal=4 partition=7-8",
         "ERR unsupported fatal pattern databases are for plain sliding puzzles and texts"},
        {"PDB 4x4 partition=7-7",
         "ERR bad-request fatal partition '7-7' does not fit the board: a 4x4 has 15 tiles to share out in "
         "patterns of 1 to 8, such as 7-8"},
        {"PDB jugs:3,5", "ERR unsupported fatal pattern databases are for plain sliding puzzles and texts"},
        {"SAMPLE 3x3", "ERR bad-request fatal missing=depth SAMPLE needs depth="},
        {"SAMPLE 3x3 depth=3 count=1001", "ERR bad-request fatal count=:"},
        {"SAMPLE 3x3 depth=3 count=0",
         "ERR bad-request fatal count=: '0' is not a whole number from 1 to 1000"},
        {"STATUS x", "ERR bad-request fatal 'x' is not a whole number"},
        {"STATUS 0", "ERR bad-request fatal '0' is not a whole number"},
        {"STATUS 18446744073709551616", "ERR bad-request fatal"},
        {"STATUS 18446744073709551615", "ERR no-such-job fatal"},
        {"RESULT 1", "ERR no-such-job fatal"},
        {"LEVELS 1", "ERR no-such-job fatal"},
        {"WAIT 1", "ERR no-such-job fatal"},
        {"WATCH 1", "ERR no-such-job fatal"},
        {"CANCEL 1", "ERR no-such-job fatal"},
        {"FORGET 1", "ERR no-such-job fatal"},
        {"JOBS state=asleep", "ERR bad-request fatal state=:"},
        {"JOBS limit=0", "ERR bad-request fatal"},
        {"HELP frob", "ERR bad-request fatal no verb 'frob'"},
    };
    expect_refusals(*state, refusals, sizeof refusals / sizeof refusals[0]);
}

SPECIFICATION(open_quotes_and_too_many_words_are_refused)
{
    static const char *const refusals[][2] = {
        {"SOLVE 3x3 start=\"1 2 3", "ERR bad-request fatal a double quote is left open"},
        {"PING \"", "ERR bad-request fatal a double quote is left open"},
        {"PING tag=a tag=b", "ERR bad-request fatal tag=a tag= is given twice"},
        {"PING tag=", "ERR bad-request fatal a tag has 1 to "},
        {"PING tag=\"a b\"", "ERR bad-request fatal a tag has 1 to 64 bytes "},
        {"DISTANCE 3x3 8 6 7 2 5 4 3 0 1", "ERR bad-request fatal more than 4 arguments"},
    };
    expect_refusals(*state, refusals, sizeof refusals / sizeof refusals[0]);
}

SPECIFICATION(the_tag_of_a_wrong_request_is_echoed)
{
    struct client *client = client_new(*state);
    client_expect(client, "FROB tag=t7", "ERR bad-request fatal tag=t7 no verb");
    client_expect(client, "DISTANCE 3x3 123456780 tag=t8", "ERR no-table fatal tag=t8 ");
    client_expect(client, "STATUS 77 tag=t9", "ERR no-such-job fatal tag=t9 ");
}

/* ---- many and slow ---- */

SPECIFICATION(pipelined_requests_are_answered_in_their_order)
{
    enum { ROUNDS = 200 };
    struct client *client = client_new(*state);
    for (int i = 0; i < ROUNDS; i++)
        client_send(client, text_of("PING tag=a%d\nDISTANCE 3x3 867254301 tag=b%d\nVERSION tag=c%d\n"
                                    "DISTANCE 3x3 867254301 tag=d%d\nNONE tag=e%d",
                                    i, i, i, i, i));
    for (int i = 0; i < ROUNDS; i++) {
        for (int message = 'a'; message <= 'e'; message++) {
            const char *line = text_of("%c%d", message, i);
            const char *reply = client_next(client);
            assert_string_equal(value_of(reply, "tag"), line);
        }
    }
}

SPECIFICATION(submissions_in_a_row_are_answered_in_their_order)
{
    enum { ROUNDS = 50 };
    struct client *client = client_new(*state);
    for (int i = 0; i < ROUNDS; i++)
        client_send(client, text_of("EXPLORE 2x%d tag=a%d\nSOLVE 3x3 start=1,2,3/4,5,6/8,7,0 tag=b%d\n"
                                    "SOLVE 3x4 start=11,10,9,8/7,6,5,4/3,1,2,0 partition=manhattan tag=c%d\n"
                                    "SOLVE 3x3 start=867254301 tag=d%d\nSOLVE nothing tag=e%d\nPING tag=f%d",
                                    2 + i % 3, i, i, i, i, i, i));
    for (int i = 0; i < ROUNDS; i++) {
        for (int message = 'a'; message <= 'f'; message++) {
            const char *line = text_of("%c%d", message, i);
            const char *reply = client_next(client);
            assert_string_equal(value_of(reply, "tag"), line);
            assert_int_equal(strncmp(reply, message == 'e' ? "ERR" : "OK ", 3), 0);
        }
    }
}

SPECIFICATION(a_client_that_goes_leaves_its_submissions_behind)
{
    struct client *client = client_new(*state);
    for (int i = 0; i < 40; i++)
        client_send(client, "SOLVE 3x3 start=1,2,3/4,5,6/8,7,0\nSOLVE 3x3 start=867254301\nEXPLORE 2x3");
    client_free(client);
    client = client_new(*state);
    client_expect(client, "PING", "OK pong=yes");
}

SPECIFICATION(a_pipelined_script_does_what_it_says)
{
    struct client *client = client_new(*state);
    client_send(client, "EXPLORE 2x3\nWAIT 1\nDISTANCE 2x3 \"4 1 2 5 0 3\"\nQUIT\nPING");
    client_expect_next(client, "OK job=1 ");
    assert_string_equal(client_next(client), "OK job=1 state=done");
    client_expect_next(client, "OK moves=5 solvable=yes");
    assert_string_equal(client_next(client), "OK bye=yes");
    assert_null(client_line(client));
}

SPECIFICATION(a_half_closed_connection_still_gets_its_replies)
{
    struct client *client = client_new(*state);
    client_send(client, "EXPLORE 2x2\nWAIT 1\nRESULT 1");
    assert_int_equal(shutdown(client->socket, SHUT_WR), 0);
    client_expect_next(client, "OK job=1 ");
    assert_string_equal(client_next(client), "OK job=1 state=done");
    expect_fields(client_next(client), "states=12");
    assert_null(client_line(client));
}

SPECIFICATION(a_thousand_idle_connections_leave_the_daemon_well)
{
    enum { CONNECTIONS = 1000 };
    static struct client *idle[CONNECTIONS];
    for (int i = 0; i < CONNECTIONS; i++)
        idle[i] = client_new(*state);
    struct client *client = client_new(*state);
    client_expect(client, "PING", "OK pong=yes");
    client_expect(idle[CONNECTIONS - 1], "PING", "OK pong=yes");
    for (int i = 0; i < CONNECTIONS; i++)
        client_free(idle[i]);
    client_expect(client, "PING", "OK pong=yes");
}

SPECIFICATION(a_client_that_never_reads_does_not_disturb_others)
{
    struct client *deaf = client_new(*state);
    struct client *client = client_new(*state);
    struct timeval patience = {.tv_usec = 200000};
    (void)setsockopt(deaf->socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    /* Until nothing more is taken: the daemon has stopped reading from it. */
    static const char line[] = "HELP\n";
    size_t sent = 0;
    while (sent < ((size_t)64 << 20) && send(deaf->socket, line, sizeof line - 1, MSG_NOSIGNAL) > 0)
        sent += sizeof line - 1;
    assert_true(sent < ((size_t)64 << 20));
    client_expect(client, "PING", "OK pong=yes");
    client_free(deaf);
    client_expect(client, "PING", "OK pong=yes");
}

SPECIFICATION(quit_closes_the_connection_after_its_reply)
{
    struct client *client = client_new(*state);
    client_expect(client, "QUIT tag=q", "OK tag=q bye=yes");
    assert_null(client_line(client));
}

SPECIFICATION(help_lists_every_verb)
{
    struct client *client = client_new(*state);
    const char *reply = client_ask(client, "HELP");
    size_t count = number_of(reply, "count");
    assert_true(count >= 20);
    assert_int_equal(client_skip_list(client), count);
    expect_fields(client_only_record(client, "HELP solve"), "verb=SOLVE");
}
