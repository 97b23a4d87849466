/* SPDX-License-Identifier: MIT */
#include "web/api/route.h"

#include <stdio.h>
#include <string.h>

static const struct route routes[] = {
    {.method = "GET", .path = "/page", .verb = VERB_COUNT},
    {.method = "GET", .path = "/openapi.json", .verb = VERB_COUNT, .describes = true},
    {.method = "GET", .path = "/version", .verb = VERB_VERSION},
    {.method = "GET", .path = "/stats", .verb = VERB_STATS},
    {.method = "GET", .path = "/puzzles", .verb = VERB_PUZZLES},
    {.method = "GET", .path = "/jobs", .verb = VERB_JOBS},
    {.method = "POST", .path = "/jobs", .verb = VERB_COUNT, .changes = true, .many = true},
    {.method = "GET", .path = "/jobs/{job}", .verb = VERB_STATUS},
    {.method = "GET", .path = "/jobs/{job}/result", .verb = VERB_RESULT},
    {.method = "GET", .path = "/jobs/{job}/levels", .verb = VERB_LEVELS},
    {.method = "GET", .path = "/jobs/{job}/wait", .verb = VERB_WAIT},
    {.method = "GET", .path = "/jobs/{job}/events", .verb = VERB_WATCH, .streams = true},
    {.method = "POST", .path = "/jobs/{job}/cancel", .verb = VERB_CANCEL, .changes = true},
    {.method = "POST", .path = "/jobs/{job}/forget", .verb = VERB_FORGET, .changes = true},
    {.method = "GET", .path = "/distance", .verb = VERB_DISTANCE},
    {.method = "POST", .path = "/distance", .verb = VERB_DISTANCE, .many = true},
    {.method = "GET", .path = "/path", .verb = VERB_PATH},
    {.method = "POST", .path = "/path", .verb = VERB_PATH, .many = true},
    {.method = "GET", .path = "/sample", .verb = VERB_SAMPLE},
    {.method = "GET", .path = "/deepest", .verb = VERB_DEEPEST},
    {.method = "GET", .path = "/parts", .verb = VERB_PARTS},
    {.method = "GET", .path = "/export", .verb = VERB_EXPORT},
    {.method = "GET", .path = "/draw", .verb = VERB_DRAW},
    {.method = "GET", .path = "/heuristic", .verb = VERB_HEURISTIC},
    {.method = "GET", .path = "/graph", .verb = VERB_GRAPH},
    {.method = "GET", .path = "/tables", .verb = VERB_TABLES},
    {.method = "POST", .path = "/tables/pin", .verb = VERB_PIN, .changes = true},
    {.method = "POST", .path = "/tables/unpin", .verb = VERB_UNPIN, .changes = true},
};

enum { ROUTES = sizeof routes / sizeof *routes };

const struct route *route_row(size_t number)
{
    return number < ROUTES ? &routes[number] : NULL;
}

/* Returns true if the path is the pattern with a number in place of {job}. */
static bool matches(const char *pattern, const char *path, char job[static ROUTE_JOB_MAX])
{
    static const char place[] = "{job}";
    const char *hole = strstr(pattern, place);
    job[0] = '\0';
    if (hole == NULL)
        return strcmp(pattern, path) == 0;
    size_t before = (size_t)(hole - pattern);
    if (strncmp(pattern, path, before) != 0)
        return false;
    size_t digits = strspn(path + before, "0123456789");
    if (digits == 0 || digits >= ROUTE_JOB_MAX || strcmp(path + before + digits, hole + strlen(place)) != 0)
        return false;
    memcpy(job, path + before, digits);
    job[digits] = '\0';
    return true;
}

bool route_find(const char *method, const char *path, const struct route **route,
                char job[static ROUTE_JOB_MAX], struct refusal *refusal)
{
    const char *other = NULL;
    if (strncmp(path, ROUTE_PREFIX, strlen(ROUTE_PREFIX)) == 0) {
        for (*route = routes; *route < routes + ROUTES; (*route)++) {
            if (!matches((*route)->path, path + strlen(ROUTE_PREFIX), job))
                continue;
            if (strcmp((*route)->method, method) == 0)
                return true;
            other = (*route)->method;
        }
    }
    *route = NULL;
    if (other != NULL)
        return refuse(refusal, "bad-method", "this path takes %s", other);
    return refuse(refusal, "not-found", "no such path: docs/web.md lists those that are there");
}

bool route_argument_next(const char **arguments, struct route_argument *argument)
{
    const char *at = *arguments + strspn(*arguments, " ");
    size_t length = strcspn(at, " ");
    *arguments = at + length;
    argument->optional = *at == '[';
    size_t bracket = argument->optional ? 1 : 0;
    if (length > 0)
        (void)snprintf(argument->name, sizeof argument->name, "%.*s", (int)(length - 2 * bracket),
                       at + bracket);
    return length > 0;
}
