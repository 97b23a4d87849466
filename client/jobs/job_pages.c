/* SPDX-License-Identifier: MIT */
#include "client/jobs/job_pages.h"

#include "client/session/command.h"
#include "protocol/request.h"
#include "protocol/text/board_rows.h"
#include "protocol/text/nearest.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static enum exit_code ask_job_page(struct session *session, const struct arguments *pairs, bool tools,
                                   int64_t before, struct records *records)
{
    struct text *request = session_request(session, "JOBS", NULL);
    if (pairs != NULL)
        command_pairs(request, pairs);
    if (tools)
        text_key(request, "tools", "yes");
    if (pairs == NULL || arguments_pair(pairs, "before") == NULL)
        text_format(request, " before=%" PRId64, before);
    return session_list(session, request, records);
}

enum exit_code pages_each(struct session *session, const struct arguments *pairs, bool tools,
                          bool (*visit)(void *context, struct reply *job), void *context)
{
    int64_t before = INT64_MAX;
    bool one_page =
        pairs != NULL && (arguments_pair(pairs, "limit") != NULL || arguments_pair(pairs, "before") != NULL);
    for (bool more = true; more;) {
        struct records records;
        enum exit_code code = ask_job_page(session, pairs, tools, before, &records);
        if (code != EXIT_FOUND)
            return code;
        const int64_t last = before;
        more = !one_page && records.count > 0 && reply_is(&records.head, "more", "yes") &&
               reply_integer(&records.records[records.count - 1], "job", &before);
        if (more && before >= last) {
            records_clear(&records);
            return session_lost(session, "jobs without an end: a page leads back to those before it");
        }
        for (size_t i = 0; i < records.count; i++) {
            if (visit(context, &records.records[i]))
                continue;
            more = false;
            break;
        }
        records_clear(&records);
    }
    return EXIT_FOUND;
}

struct job_search {
    const char *puzzle, *kind;
    char turned[16]; /* "5x3" for "3x5", which is the same question; "" for other names */
    long long job;
    bool named; /* a job's puzzle has a name besides, as those of definitions */
    struct nearest nearest;
    char best[32]; /* nearest's: replies do not outlive the call */
};

/* Leaves out "slide:" before a size. */
static const char *bare(const char *puzzle)
{
    return puzzle + (strncmp(puzzle, "slide:", 6) == 0 ? 6 : 0);
}

/* Returns true if a request, of which a list may show only the beginning, names the puzzle like this. */
static bool asked_about(const char *line, const char *puzzle)
{
    struct request request;
    (void)request_parse(&request, line, strlen(line), NULL);
    return request.argument_count > 0 && strcmp(request.argument[0], puzzle) == 0;
}

static bool is_of(const struct job_search *search, const struct reply *job)
{
    const char *puzzle = reply_text(job, "puzzle");
    const size_t length = strlen(search->puzzle);
    if (search->kind != NULL && !reply_is(job, "kind", search->kind))
        return false;
    if (asked_about(reply_text(job, "request"), search->puzzle) || reply_is(job, "layout", search->puzzle))
        return true; /* as it was asked, or by a definition's name */
    if (strncmp(puzzle, "slide:", 6) == 0 && strncmp(search->puzzle, "slide", 5) != 0)
        puzzle += 6;
    return strncmp(puzzle, search->puzzle, length) == 0 && strchr(":,", puzzle[length]) != NULL;
}

/* Offers the name that a user writes: "3x3", "klotski". */
static void offer_name(struct job_search *search, const struct reply *job)
{
    const char *puzzle = reply_text(job, "puzzle");
    char name[sizeof search->best];
    if (search->kind != NULL && !reply_is(job, "kind", search->kind))
        return;
    puzzle = bare(puzzle);
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(puzzle, ":,"), puzzle);
    nearest_offer(&search->nearest, name);
    if (search->nearest.best == name)
        search->nearest.best = strcpy(search->best, name);
}

/* Returns true for the puzzle of just that name: without walls, not burnt, by moves of one tile; a layout by
 * its usual moves, a definition with all of its own. */
static bool is_plain_of(const struct job_search *search, const struct reply *job)
{
    const char *puzzle = bare(reply_text(job, "puzzle")), *name = bare(search->puzzle);
    if (search->kind != NULL && !reply_is(job, "kind", search->kind))
        return false;
    if (reply_is(job, "layout", search->puzzle))
        return strchr(puzzle, ',') == NULL || strstr(puzzle, ",metric:move") != NULL;
    return strcmp(puzzle, name) == 0 || (*search->turned != '\0' && strcmp(puzzle, search->turned) == 0);
}

/* Takes the latest job of the plain puzzle, if there is one; else the latest. */
static bool find_row(void *context, struct reply *job)
{
    struct job_search *search = context;
    int64_t number = 0;
    const bool plain = is_plain_of(search, job), is = plain || is_of(search, job);
    if (is && (plain || search->job == 0) && reply_integer(job, "job", &number))
        search->job = (long long)number;
    else if (!is)
        offer_name(search, job);
    search->named |= reply_get(job, "layout") != NULL;
    return !plain;
}

/* Returns the id that the name of a definition stands for, "tws:47c6…", to be freed; NULL if it is no such
 * name. */
static char *id_of_definition(struct session *session, const char *name)
{
    struct records records;
    char *id = NULL;
    if (session_try_list(session, session_request(session, "DEFINITIONS", NULL), &records) != EXIT_FOUND)
        return NULL;
    for (size_t i = 0; i < records.count && id == NULL; i++)
        if (reply_is(&records.records[i], "name", name))
            id = strdup(reply_text(&records.records[i], "puzzle"));
    records_clear(&records);
    return id;
}

enum exit_code pages_find(struct session *session, const char *puzzle, const char *kind, struct text *hint,
                          long long *job)
{
    struct job_search search = {.puzzle = puzzle, .kind = kind, .nearest = {.written = puzzle}};
    unsigned rows = 0, columns = 0;
    const char *size = bare(puzzle);
    if (board_rows_size(size, BOARD_ROWS_TILES, &rows, &columns) && strchr(size, ',') == NULL)
        (void)snprintf(search.turned, sizeof search.turned, "%ux%u", columns, rows);
    /* What tools submitted on their way comes last. */
    enum exit_code code = pages_each(session, NULL, false, find_row, &search);
    if (code == EXIT_FOUND && search.job == 0)
        code = pages_each(session, NULL, true, find_row, &search);
    /* Jobs are listed by one name of their puzzle. */
    char *id =
        code == EXIT_FOUND && search.job == 0 && search.named ? id_of_definition(session, puzzle) : NULL;
    search.puzzle = id;
    if (id != NULL)
        code = pages_each(session, NULL, true, find_row, &search);
    free(id);
    if (code == EXIT_FOUND && search.job == 0 && hint != NULL && search.nearest.best != NULL &&
        strcmp(search.nearest.best, puzzle) != 0)
        nearest_say(&search.nearest, hint);
    *job = search.job;
    return code;
}

enum exit_code command_job(struct session *session, const char *text, const char *kind, long long *job)
{
    char *end = NULL;
    struct text why = {0};
    struct text hint = {0};
    errno = 0;
    *job = strtoll(text, &end, 10);
    if (errno == 0 && end != text && *end == '\0' && *job > 0)
        return EXIT_FOUND;
    *job = 0;
    bool is_number = *text == '\0' || text[strspn(text, "-0123456789")] == '\0';
    enum exit_code code = is_number ? EXIT_FOUND : pages_find(session, text, kind, &hint, job);
    if (code == EXIT_FOUND && *job == 0) {
        text_format(&why, "'%s' is no job's number", text);
        if (!is_number)
            text_format(&why, ", and no %s is of such a puzzle", kind == NULL ? "job" : "exploration");
        text_format(&why, "; 'puzzlectl jobs' lists them%s", text_string(&hint));
        code = command_usage(session, text_string(&why));
    }
    text_free(&hint);
    text_free(&why);
    return code;
}
