/* SPDX-License-Identifier: MIT */
#include "web/api/route.h"

#include <stdio.h>
#include <string.h>

/* The row of a verb that is asked by its own name. */
#define ASKS(own, asked, ...)                                                                                \
    {                                                                                                        \
        .method = "GET", .name = (own), .path = "/" own, .verb = (asked), __VA_ARGS__                        \
    }

static const struct route routes[] = {
    {.method = "GET", .name = "page", .path = "/page", .verb = VERB_COUNT},
    {.method = "GET", .name = "description", .path = "/openapi.json", .verb = VERB_COUNT, .describes = true},
    {.method = "POST", .name = "boards", .path = "/boards", .verb = VERB_COUNT, .reads = true},
    ASKS("version", VERB_VERSION, .lasts = false),
    ASKS("stats", VERB_STATS, .lasts = false),
    ASKS("puzzles", VERB_PUZZLES, .lasts = false),
    ASKS("jobs", VERB_JOBS, .lasts = false),
    {.method = "POST", .name = "submit", .path = "/jobs", .verb = VERB_COUNT, .changes = true, .many = true},
    {.method = "GET", .name = "status", .path = "/jobs/{job}", .verb = VERB_STATUS},
    {.method = "GET", .name = "result", .path = "/jobs/{job}/result", .verb = VERB_RESULT},
    {.method = "GET", .name = "levels", .path = "/jobs/{job}/levels", .verb = VERB_LEVELS},
    {.method = "GET", .name = "wait", .path = "/jobs/{job}/wait", .verb = VERB_WAIT},
    {.method = "GET", .name = "events", .path = "/jobs/{job}/events", .verb = VERB_WATCH, .streams = true},
    {.method = "POST", .name = "cancel", .path = "/jobs/{job}/cancel", .verb = VERB_CANCEL, .changes = true},
    {.method = "POST", .name = "forget", .path = "/jobs/{job}/forget", .verb = VERB_FORGET, .changes = true},
    ASKS("distance", VERB_DISTANCE, .lasts = true),
    {.method = "POST", .name = "distances", .path = "/distance", .verb = VERB_DISTANCE, .many = true},
    ASKS("path", VERB_PATH, .lasts = true),
    {.method = "POST", .name = "paths", .path = "/path", .verb = VERB_PATH, .many = true},
    ASKS("sample", VERB_SAMPLE, .lasts = true),
    ASKS("deepest", VERB_DEEPEST, .lasts = true),
    ASKS("parts", VERB_PARTS, .lasts = true),
    ASKS("export", VERB_EXPORT, .lasts = true),
    ASKS("draw", VERB_DRAW, .lasts = true),
    ASKS("heuristic", VERB_HEURISTIC, .lasts = false),
    ASKS("graph", VERB_GRAPH, .lasts = true),
    ASKS("tables", VERB_TABLES, .lasts = false),
    {.method = "POST", .name = "define", .path = "/definitions", .verb = VERB_DEFINE, .changes = true},
    {.method = "POST", .name = "pin", .path = "/tables/pin", .verb = VERB_PIN, .changes = true},
    {.method = "POST", .name = "unpin", .path = "/tables/unpin", .verb = VERB_UNPIN, .changes = true},
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

bool route_submits(const struct route *route)
{
    return route->verb == VERB_COUNT && route->changes;
}

/* Returns true if a request with this method is for the row. */
static bool takes_method(const struct route *route, const char *method)
{
    const bool reads = strcmp(route->method, "GET") == 0 && !route->streams;
    return strcmp(route->method, method) == 0 || (reads && strcmp(method, "HEAD") == 0);
}

/* Returns the methods of all rows with this path, as the header Allow has them; NULL if there is none. */
static const char *methods_of(const char *path)
{
    static const char *const known[] = {NULL, "GET, HEAD", "POST", "GET, HEAD, POST", "GET"};
    char job[ROUTE_JOB_MAX];
    unsigned found = 0;
    for (const struct route *route = routes; route < routes + ROUTES; route++)
        if (matches(route->path, path, job))
            found |= route->streams ? 4U : strcmp(route->method, "GET") == 0 ? 1U : 2U;
    return known[found];
}

bool route_find(const char *method, const char *path, const struct route **route,
                char job[static ROUTE_JOB_MAX], struct refusal *refusal)
{
    const bool ours = strncmp(path, ROUTE_PREFIX, strlen(ROUTE_PREFIX)) == 0;
    const char *below = ours ? path + strlen(ROUTE_PREFIX) : "";
    for (*route = routes; *route < routes + ROUTES; (*route)++)
        if (matches((*route)->path, below, job) && takes_method(*route, method))
            return true;
    *route = NULL;
    const char *allow = methods_of(below);
    if (allow == NULL)
        return refuse(refusal, "not-found", "no such path: docs/web.md lists those that are there");
    (void)refuse(refusal, "bad-method", "this path takes %s", allow);
    refusal->allow = allow;
    return false;
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
