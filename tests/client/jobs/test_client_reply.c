/* SPDX-License-Identifier: MIT */
/* Taking reply lines apart, and building request lines. */
#include "client_run.h"
#include "protocol/reply.h"
#include "protocol/request.h"

#include <stdlib.h>
#include <string.h>

static struct reply parsed(const char *line)
{
    struct reply reply;
    struct pz_error error = {0};
    if (!reply_parse(&reply, line, strlen(line), &error))
        fail_msg("%s: %s", line, error.text);
    return reply;
}

static void check_refused(const char *line, const char *why)
{
    struct reply reply;
    struct pz_error error = {0};
    assert_false(reply_parse(&reply, line, strlen(line), &error));
    assert_null(reply.storage);
    assert_int_equal(reply.count, 0);
    check_contains(error.text, why);
}

TEST(ok_line_gives_its_fields)
{
    int64_t moves = 0;
    double seconds = 0.0;
    struct reply reply = parsed("OK job=7 moves=31 solvable=yes seconds=0.25 path=UULD");
    assert_int_equal(reply.kind, REPLY_OK);
    assert_int_equal(reply.count, 5);
    assert_true(reply_integer(&reply, "moves", &moves));
    assert_int_equal(moves, 31);
    assert_true(reply_real(&reply, "seconds", &seconds));
    assert_true(seconds > 0.24 && seconds < 0.26);
    assert_true(reply_is(&reply, "solvable", "yes"));
    assert_string_equal(reply_text(&reply, "path"), "UULD");
    assert_null(reply_get(&reply, "mov"));
    assert_string_equal(reply_text(&reply, "nothing"), "");
    assert_false(reply_integer(&reply, "path", &moves));
    assert_false(reply_integer(&reply, "seconds", &moves));
    assert_false(reply_real(&reply, "path", &seconds));
    reply_clear(&reply);
}

TEST(every_kind_of_line_is_known)
{
    static const struct {
        const char *line;
        enum reply_kind kind;
    } lines[] = {{"OK", REPLY_OK},
                 {"END", REPLY_END},
                 {"ERR busy retry come again", REPLY_ERR},
                 {"EVENT seq=1 job=7 state=running", REPLY_EVENT},
                 {"LOST n=3", REPLY_LOST},
                 {"level=0 states=1", REPLY_RECORD},
                 {"ok=1", REPLY_RECORD}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct reply reply = parsed(lines[i].line);
        assert_int_equal(reply.kind, lines[i].kind);
        reply_clear(&reply);
    }
}

TEST(refusal_gives_code_retry_and_text)
{
    struct reply reply = parsed("ERR bad-board fatal 9 cells given, 3x4 needs 12");
    assert_string_equal(reply.code, "bad-board");
    assert_false(reply.retry);
    assert_string_equal(reply.text, "9 cells given, 3x4 needs 12");
    reply_clear(&reply);
    reply = parsed("ERR busy retry tag=x17 the queue is full");
    assert_true(reply.retry);
    assert_string_equal(reply.text, "the queue is full");
    reply_clear(&reply);
    reply = parsed("ERR internal fatal");
    assert_string_equal(reply.text, "");
    reply_clear(&reply);
}

TEST(quoted_values_may_hold_spaces_and_quotes)
{
    struct reply reply = parsed("OK text=\"a \\\"b\\\" \\\\ c\" empty=\"\" last=x=y");
    assert_int_equal(reply.count, 3);
    assert_string_equal(reply_text(&reply, "text"), "a \"b\" \\ c");
    assert_string_equal(reply_get(&reply, "empty"), "");
    assert_string_equal(reply_text(&reply, "last"), "x=y");
    reply_clear(&reply);
    reply = parsed("OK  a=1   b=2 ");
    assert_string_equal(reply_text(&reply, "b"), "2");
    reply_clear(&reply);
}

TEST(lines_that_are_no_reply_are_refused)
{
    check_refused("", "empty");
    check_refused("HTTP/1.1 400 Bad Request", "no key=value");
    check_refused("OK job", "no key=value");
    check_refused("OK =7", "no key=value");
    check_refused("OK text=\"open", "never closed");
    check_refused("ERR", "retry or fatal");
    check_refused("ERR busy", "retry or fatal");
    check_refused("ERR busy perhaps later", "retry or fatal");
    check_refused("\xff\xfe", "no key=value");
    struct reply reply;
    struct pz_error error = {0};
    assert_false(reply_parse(&reply, "OK a=\0b", 8, &error));
    check_contains(error.text, "NUL");
}

TEST(no_line_of_random_bytes_breaks_the_parser)
{
    static const char alphabet[] = "OKERRND =\"\\ab1\xc3\xa9";
    unsigned seed = 12345;
    unsigned parsed_lines = 0, fields = 0;
    for (int round = 0; round < 20000; round++) {
        char line[48] = "OK a=";
        size_t length = (size_t)round % sizeof line;
        for (size_t i = round % 2 == 0 ? 0 : 5; i < length; i++) { /* every second line begins well */
            seed = seed * 1103515245u + 12345u;
            line[i] = alphabet[(seed >> 16) % (sizeof alphabet - 1)];
        }
        struct reply reply;
        struct pz_error error;
        if (reply_parse(&reply, line, length, &error)) {
            for (size_t i = 0; i < reply.count; i++)
                assert_true(strlen(reply.fields[i].key) > 0 && strlen(reply.fields[i].value) <= length);
            parsed_lines++;
            fields += (unsigned)reply.count;
        }
        reply_clear(&reply);
    }
    assert_in_range(parsed_lines, 500, 19000); /* both kinds came by */
    assert_true(fields > parsed_lines / 2);
}

TEST(numbers_that_overflow_are_no_numbers)
{
    int64_t number = 5;
    double real = 5.0;
    struct reply reply = parsed("OK a=99999999999999999999 b=12x c=\"\" d=-1 e=inf");
    assert_false(reply_integer(&reply, "a", &number));
    assert_false(reply_integer(&reply, "b", &number));
    assert_false(reply_integer(&reply, "c", &number));
    assert_false(reply_real(&reply, "e", &real));
    assert_true(reply_integer(&reply, "d", &number));
    assert_int_equal(number, -1);
    reply_clear(&reply);
}

TEST(requests_quote_what_needs_it)
{
    struct text request = {0};
    struct pz_error error;
    compose_begin(&request, "SOLVE");
    compose_word(&request, "3x3");
    compose_word(&request, "a=b");
    text_key(&request, "start", "8 6 7 2 5 4 3 0 1");
    text_key(&request, "note", "say \"hi\" \\");
    text_key(&request, "empty", "");
    text_key(&request, "bare", "a\\b");
    assert_true(compose_end(&request, &error));
    assert_string_equal(request.data,
                        "SOLVE 3x3 \"a=b\" start=\"8 6 7 2 5 4 3 0 1\" note=\"say \\\"hi\\\" \\\\\" "
                        "empty=\"\" bare=\"a\\\\b\"\n");
    text_free(&request);
}

TEST(a_second_request_cannot_be_smuggled_in)
{
    struct text request = {0};
    struct pz_error error;
    compose_begin(&request, "STATUS");
    compose_word(&request, "1\nFORGET 1");
    assert_true(compose_end(&request, &error));
    assert_string_equal(text_string(&request), "STATUS \"1 FORGET 1\"\n");
    compose_begin(&request, "STATUS");
    compose_word(&request, "1\t2");
    assert_true(compose_end(&request, &error));
    assert_string_equal(text_string(&request), "STATUS \"1 2\"\n");
    compose_begin(&request, "STATUS");
    compose_word(&request, "1\rFORGET 1");
    assert_false(compose_end(&request, &error));
    check_contains(error.text, "control character");
    text_free(&request);
}

TEST(a_request_may_have_4096_bytes_and_no_more)
{
    struct text request = {0};
    struct pz_error error;
    char board[4200];
    memset(board, '1', sizeof board);
    for (size_t length = 4090; length <= 4093; length++) {
        board[length] = '\0';
        compose_begin(&request, "PATH");
        compose_word(&request, board);
        assert_int_equal(compose_end(&request, &error), length + 5 <= 4096);
        board[length] = '1';
    }
    text_free(&request);
}

TEST(a_refusal_has_fields_before_its_text)
{
    static const char line[] =
        "ERR no-table fatal tag=a states=12 needs_bytes=99 engine=dense table_from=root it takes states=2";
    struct reply reply;
    struct pz_error error;
    assert_true(reply_parse(&reply, line, strlen(line), &error));
    assert_string_equal(reply.text, "it takes states=2");
    assert_string_equal(reply_text(&reply, "tag"), "a");
    assert_string_equal(reply_text(&reply, "states"), "12");
    assert_string_equal(reply_text(&reply, "needs_bytes"), "99");
    assert_string_equal(reply_text(&reply, "engine"), "dense");
    assert_string_equal(reply_text(&reply, "table_from"), "root");
    reply_clear(&reply);
    static const char wrong_engine[] = "ERR bad-request fatal engine=: 'x' is not one of auto, dense";
    assert_true(reply_parse(&reply, wrong_engine, strlen(wrong_engine), &error));
    assert_string_equal(reply.text, "engine=: 'x' is not one of auto, dense");
    reply_clear(&reply);
}
