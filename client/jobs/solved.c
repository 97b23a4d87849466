/* SPDX-License-Identifier: MIT */
#include "client/jobs/solved.h"

#include "client/jobs/follow.h"
#include "client/jobs/result.h"

static enum exit_code ask_job(struct session *session, const char *verb, long long job, struct reply *reply)
{
    struct text request = {0};
    compose_begin(&request, verb);
    compose_number(&request, job);
    enum exit_code code = session_ask(session, &request, reply);
    text_free(&request);
    return code;
}

enum exit_code finished_ask(struct session *session, struct text *request, struct reply *result)
{
    char state[32] = "";
    int64_t job = 0;
    *result = (struct reply){0};
    enum exit_code code = session_send(session, request);
    if (code == EXIT_FOUND)
        code = session_read(session, result);
    if (code == EXIT_FOUND && result->kind == REPLY_ERR)
        return EXIT_REFUSED;
    if (code == EXIT_FOUND && !reply_integer(result, "job", &job))
        code = session_lost(session, "a reply without a job");
    if (code == EXIT_FOUND && !result_is_end(reply_text(result, "state")))
        code = follow_job(session, (long long)job, false, state);
    reply_clear(result);
    return code == EXIT_FOUND ? ask_job(session, "RESULT", (long long)job, result) : code;
}

/* Removes an ended job, if that is allowed. */
static bool forget(struct session *session, long long job)
{
    struct reply reply = {0};
    session->trying = true;
    bool forgotten = ask_job(session, "FORGET", job, &reply) == EXIT_FOUND;
    session->trying = false;
    reply_clear(&reply);
    return forgotten;
}

static enum exit_code submit_board(struct session *session, const struct text *request, bool report,
                                   struct reply *reply, long long *job)
{
    struct text copy = {0};
    int64_t number = 0;
    text_join(&copy, request);
    session->trying = !report;
    enum exit_code code = session_ask(session, &copy, reply);
    session->trying = false;
    text_free(&copy);
    if (code == EXIT_FOUND && reply_integer(reply, "job", &number))
        *job = (long long)number;
    return code;
}

enum exit_code solved_ask(struct session *session, const struct text *request, bool report,
                          struct reply *result)
{
    struct reply reply = {0};
    char state[32] = "";
    long long job = 0;
    enum exit_code code = submit_board(session, request, report, &reply, &job);
    if (code == EXIT_FOUND && reply_is(&reply, "cached", "yes") &&
        result_is_end(reply_text(&reply, "state")) && forget(session, job)) {
        reply_clear(&reply);
        code = submit_board(session, request, report, &reply, &job);
    }
    if (code == EXIT_FOUND && !result_is_end(reply_text(&reply, "state")))
        code = follow_job(session, job, false, state);
    reply_clear(&reply);
    return code == EXIT_FOUND ? ask_job(session, "RESULT", job, result) : code;
}
