/* SPDX-License-Identifier: MIT */
/* Paths and arguments become lines of the protocol. */
#include "specification.h"

#include "web/api/web_question.h"

#include <string.h>

/* Reads a request; returns the lines, or the code of its refusal. The text lives until the next call. */
static const char *lines_of(const char *method, const char *path, const char *arguments, size_t most)
{
    static char text[1024];
    const struct route *route = NULL;
    struct refusal refusal = {.code = "nothing was refused"};
    struct web_question question;
    char job[ROUTE_JOB_MAX];
    if (!route_find(method, path, &route, job, &refusal))
        return refusal.code;
    json_t *object = question_body(arguments, strlen(arguments), &refusal);
    if (object == NULL)
        return refusal.code;
    bool read = question_read(&question, route, job, object, most, &refusal);
    json_decref(object);
    if (!read)
        return refusal.code;
    (void)snprintf(text, sizeof text, "%s", text_string(&question.lines));
    web_question_clear(&question);
    return text;
}

TEST(a_request_becomes_one_line)
{
    assert_string_equal(lines_of("GET", "/api/v1/version", "{}", 1), "VERSION\n");
    assert_string_equal(lines_of("GET", "/api/v1/jobs/7/result", "{}", 1), "RESULT 7\n");
    assert_string_equal(lines_of("GET", "/api/v1/sample", "{\"puzzle\":\"3x3\",\"depth\":\"20\"}", 1),
                        "SAMPLE 3x3 depth=20\n");
    assert_string_equal(lines_of("GET", "/api/v1/distance", "{\"start\":\"1 0\",\"puzzle\":\"1x2\"}", 1),
                        "DISTANCE 1x2 \"1 0\"\n");
    assert_string_equal(lines_of("POST", "/api/v1/tables/pin", "{\"table\":\"a b=c\"}", 1),
                        "PIN \"a b=c\"\n");
}

TEST(values_are_written_as_the_protocol_has_them)
{
    assert_string_equal(
        lines_of("POST", "/api/v1/jobs",
                 "{\"kind\":\"explore\",\"puzzle\":\"3x3\",\"estimate\":true,\"depth\":5,\"time\":1.5}", 1),
        "EXPLORE 3x3 estimate=yes depth=5 time=1.5\n");
    assert_string_equal(lines_of("POST", "/api/v1/jobs",
                                 "{\"kind\":\"solve\",\"puzzle\":\"2x2\",\"start\":[[1,2],[0,3]]}", 1),
                        "SOLVE 2x2 start=12/03\n");
}

TEST(many_boards_become_a_line_each)
{
    assert_string_equal(lines_of("POST", "/api/v1/distance",
                                 "{\"puzzle\":\"3x3\",\"starts\":[\"a\",\"b\"],\"goal\":\"g\"}", 2),
                        "DISTANCE 3x3 a goal=g\nDISTANCE 3x3 b goal=g\n");
    assert_string_equal(lines_of("POST", "/api/v1/jobs",
                                 "{\"kind\":\"solve\",\"puzzle\":\"3x3\",\"starts\":[\"a\",\"b\"]}", 2),
                        "SOLVE 3x3 start=a\nSOLVE 3x3 start=b\n");
    assert_string_equal(
        lines_of("POST", "/api/v1/distance", "{\"puzzle\":\"3x3\",\"starts\":[\"a\",\"b\"]}", 1),
        "too-large");
    assert_string_equal(lines_of("POST", "/api/v1/distance", "{\"puzzle\":\"3x3\",\"starts\":[]}", 1),
                        "bad-request");
    assert_string_equal(
        lines_of("POST", "/api/v1/distance", "{\"puzzle\":\"3x3\",\"start\":\"a\",\"starts\":[\"b\"]}", 9),
        "bad-request");
}

TEST(a_board_may_stand_in_lines_and_in_lists)
{
    static const char *const starts[][2] = {
        {"\"#####\\n#@$.#\\r\\n#####\\n\"", "#####/#@$.#/#####"},
        {"[\"#####\",\"#@$.#\",\"#####\"]", "#####/#@$.#/#####"},
        {"[[\"#\",\"@\"],[\"$\",\".\"]]", "#@/$."},
        {"[3,1,2]", "3,1,2"},
        {"[[\"9\",\"10\"],[\"#\",\"0\"]]", "9,10/#,0"},
        {"[[9,10],[\"#\",0]]", "9,10/#,0"},
        {"[[1,\"#\"],[\"x\",2]]", "1#/x2"},
    };
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        char body[128], line[128];
        (void)snprintf(body, sizeof body, "{\"kind\":\"solve\",\"puzzle\":\"sokoban\",\"start\":%s}",
                       starts[i][0]);
        (void)snprintf(line, sizeof line, "SOLVE sokoban start=%s\n", starts[i][1]);
        assert_string_equal(lines_of("POST", "/api/v1/jobs", body, 1), line);
    }
    assert_string_equal(lines_of("POST", "/api/v1/jobs",
                                 "{\"kind\":\"solve\",\"puzzle\":\"sokoban\",\"start\":\"#?##\\n#@$.#\"}", 1),
                        "bad-board");
}

TEST(no_value_and_no_name_smuggles_a_request_in)
{
    static const char *const bad[] = {
        "{\"kind\":\"solve\",\"puzzle\":\"3x3\\nQUIT\"}",
        "{\"kind\":\"solve\",\"puzzle\":\"3x3\",\"a b\":1}",
        "{\"kind\":\"solve\",\"puzzle\":\"3x3\",\"x\\nQUIT\":1}",
        "{\"kind\":\"solve\",\"puzzle\":\"3x3\",\"tag\":\"t\"}",
        "{\"kind\":\"forget\",\"puzzle\":\"3x3\"}",
        "{\"kind\":\"solve\",\"puzzle\":null}",
        "{\"kind\":\"solve\",\"puzzle\":{}}",
        "{\"kind\":\"solve\"}",
        "{\"puzzle\":\"3x3\"}",
        "[]",
        "{\"kind\":\"solve\",\"puzzle\":\"3x3\",\"\":1}",
        "{\"kind\":\"solve\",\"kind\":\"solve\"}",
        "",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_string_equal(lines_of("POST", "/api/v1/jobs", bad[i], 1), "bad-request");
}

TEST(a_path_that_is_none_is_refused)
{
    assert_string_equal(lines_of("GET", "/api/v1/nothing", "{}", 1), "not-found");
    assert_string_equal(lines_of("GET", "/api/v1/jobs/7x", "{}", 1), "not-found");
    assert_string_equal(lines_of("GET", "/api/v1/jobs//result", "{}", 1), "not-found");
    assert_string_equal(lines_of("GET", "/api/v1/jobs/123456789012345678901/result", "{}", 1), "not-found");
    assert_string_equal(lines_of("GET", "/api/v1/jobs/7/cancel", "{}", 1), "bad-method");
    assert_string_equal(lines_of("DELETE", "/api/v1/jobs/7", "{}", 1), "bad-method");
}

TEST(only_a_post_changes_anything)
{
    const uint64_t changing = VERB_BIT(VERB_CANCEL) | VERB_BIT(VERB_FORGET) | VERB_BIT(VERB_PIN) |
                              VERB_BIT(VERB_UNPIN) | VERB_BIT(VERB_EXPLORE) | VERB_BIT(VERB_SOLVE) |
                              VERB_BIT(VERB_GRADE) | VERB_BIT(VERB_PDB) | VERB_BIT(VERB_DEFINE);
    const struct route *route = NULL;
    for (size_t i = 0; (route = route_row(i)) != NULL; i++) {
        bool changes = strcmp(route->method, "POST") == 0 && !route->reads &&
                       (route->verb == VERB_COUNT || (VERB_BIT(route->verb) & changing) != 0);
        assert_int_equal(route->changes, changes);
        if (strcmp(route->method, "GET") == 0 && route->verb != VERB_COUNT)
            assert_true((VERB_BIT(route->verb) & changing) == 0);
    }
}

/* A definition's name may stand for another puzzle tomorrow. */
TEST(only_what_means_the_same_for_ever_lasts)
{
    static const struct {
        const char *puzzle;
        bool lasts;
    } rows[] = {{"3x3", true},
                {"slide:3x3,goal:8,7,6/5,4,3/2,1,0", true},
                {"hanoi:3,4", true},
                {"psvn:44fd1045175ee09c", true},
                {"tws:44fd1045175ee09c44fd1045175ee09c,goal:0", true},
                {"bits", false},
                {"bits,goal:0", false},
                {"psvn:bits", false},
                {"PSVN:bits,x", false},
                {"", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct refusal refusal;
        struct web_question question;
        const struct route *route = NULL;
        char job[ROUTE_JOB_MAX];
        json_t *arguments = json_pack("{s:s,s:s}", "puzzle", rows[i].puzzle, "start", "0");
        assert_true(route_find("GET", "/api/v1/distance", &route, job, &refusal));
        assert_true(question_read(&question, route, job, arguments, 1, &refusal));
        if (question.lasts != rows[i].lasts)
            fail_msg("%s", rows[i].puzzle);
        web_question_clear(&question);
        json_decref(arguments);
    }
}
