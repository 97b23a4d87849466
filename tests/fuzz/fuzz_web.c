/* SPDX-License-Identifier: MIT */
/*
 * Reads a request as puzzled-web does: "POST /api/v1/jobs", a LF, and a body; or "GET …" and a line key=value
 * for each parameter. Whatever comes in, the daemon gets as many lines as replies are awaited, each of the
 * verb that was meant.
 */
#include "fuzz.h"

#include "protocol/request.h"
#include "web/api/web_question.h"
#include "web/http/access.h"

static json_t *read_query(const uint8_t *data, size_t size)
{
    json_t *arguments = json_object();
    char *line = NULL;
    while ((line = fuzz_line(&data, &size)) != NULL) {
        char *equals = strchr(line, '=');
        if (equals != NULL) {
            *equals = '\0';
            (void)json_object_set_new(arguments, line, json_string(equals + 1));
        }
        free(line);
    }
    return arguments;
}

static void check_line(const char *line, size_t length, const char *verb)
{
    static struct request request;
    struct pz_error error = {.text = ""};
    FUZZ_REQUIRE(length <= PROTOCOL_LINE_MAX);
    for (size_t i = 0; i < length; i++)
        FUZZ_REQUIRE((unsigned char)line[i] >= 0x20);
    FUZZ_REQUIRE(strncmp(line, verb, strlen(verb)) == 0);
    if (request_parse(&request, line, length, &error) != PZ_OK)
        return;
    FUZZ_REQUIRE(strcmp(request.word, verb) == 0);
    FUZZ_REQUIRE(request.tag == NULL);
}

static void check_question(const struct web_question *question)
{
    const char *at = question->lines.data;
    const char *end = at + question->lines.length;
    size_t count = 0;
    FUZZ_REQUIRE(question->lines.length <= QUESTION_LINES_MAX && question->count > 0);
    for (; at < end; count++) {
        const char *lf = memchr(at, '\n', (size_t)(end - at));
        FUZZ_REQUIRE(lf != NULL);
        check_line(at, (size_t)(lf - at), verb_row(question->verb)->word);
        at = lf + 1;
    }
    FUZZ_REQUIRE(count == question->count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct route *route = NULL;
    struct refusal refusal = {.code = "", .text = ""};
    struct web_question question;
    char job[ROUTE_JOB_MAX];
    char *first = fuzz_line(&data, &size);
    if (first == NULL)
        return 0;
    char *space = strchr(first, ' ');
    if (space != NULL)
        *space = '\0';
    const char *path = space == NULL ? "" : space + 1;
    if (route_find(first, path, &route, job, &refusal) && !(route->verb == VERB_COUNT && !route->changes)) {
        json_t *arguments = strcmp(route->method, "POST") == 0
                                ? question_body((const char *)data, size, &refusal)
                                : read_query(data, size);
        if (arguments != NULL && question_read(&question, route, job, arguments, 50, &refusal)) {
            check_question(&question);
            web_question_clear(&question);
        } else {
            FUZZ_REQUIRE(*refusal.code != '\0' && *refusal.text != '\0');
        }
        json_decref(arguments);
    }
    const struct settings settings = {.origins = {.text = {"https://a.example"}, .count = 1}};
    const struct route any = {.method = "POST"};
    const struct access_headers headers = {
        .host = path, .origin = first, .content_type = path, .marker = "1"};
    FUZZ_REQUIRE(!access_allowed(&settings, &any, &headers, &refusal) || strstr(first, "://") != NULL);
    free(first);
    return 0;
}
