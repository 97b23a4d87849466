/* SPDX-License-Identifier: MIT */
#include "client/jobs/follow.h"

#include "client/jobs/job_result.h"
#include "client/jobs/progress.h"
#include "client/session/command.h"
#include "client/session/terminal.h"
#include "client/show/drawing.h"

#include <string.h>
#include <unistd.h>

static void say_how_to_return(const struct session *session, long long job)
{
    if (session->json)
        return;
    (void)fprintf(session->terminal->err, "job %lld goes on; come back with: puzzlectl wait %lld\n", job,
                  job);
}

enum follow_choice { CHOICE_DETACH, CHOICE_CANCEL, CHOICE_WAIT };

/* Reads one line. Returns its first character, or 0 without a line and at Ctrl-C. */
static char read_letter(const struct session *session)
{
    struct pollfd fd = {.fd = fileno(session->terminal->in), .events = POLLIN};
    char first = 0;
    char next = 0;
    while (next != '\n') {
        if (interrupt_poll(&fd) <= 0)
            return 0;
        if (read(fd.fd, &next, 1) <= 0)
            return first;
        if (first == 0)
            first = next;
    }
    return first;
}

/* Asks until the answer is one. A second Ctrl-C, or no answer at all, means to leave. */
static enum follow_choice ask_choice(const struct session *session, long long job)
{
    if (!session->terminal->in_tty || !session->terminal->err_tty)
        return CHOICE_DETACH;
    (void)fputc('\n', session->terminal->err);
    for (;;) {
        (void)fprintf(session->terminal->err,
                      "Job %lld: [D]etach and let it go on, [c]ancel it, [w]ait further? ", job);
        (void)fflush(session->terminal->err);
        switch (read_letter(session)) {
        case '\0':
            (void)interrupt_came();
            (void)fputc('\n', session->terminal->err);
            return CHOICE_DETACH;
        case '\n':
        case 'd':
        case 'D':
            return CHOICE_DETACH;
        case 'c':
        case 'C':
            return CHOICE_CANCEL;
        case 'w':
        case 'W':
            return CHOICE_WAIT;
        default:
            break;
        }
    }
}

/* Cancels on a second connection, since the first one is busy with the events. */
static enum exit_code cancel_beside(struct session *session, long long job)
{
    struct session beside = {
        .terminal = session->terminal, .address = session->address, .json = session->json};
    struct reply reply;
    enum exit_code code = session_ask(&beside, session_request_job(&beside, "CANCEL", job), &reply);
    reply_clear(&reply);
    session_close(&beside);
    session->interrupted = session->interrupted || beside.interrupted;
    return code;
}

static enum exit_code follow_on_interrupt(struct session *session, struct progress_line *progress,
                                          long long job)
{
    progress_wipe(progress);
    switch (ask_choice(session, job)) {
    case CHOICE_WAIT:
        return EXIT_FOUND;
    case CHOICE_CANCEL:
        return cancel_beside(session, job);
    case CHOICE_DETACH:
        break;
    }
    say_how_to_return(session, job);
    session_close(session); /* the connection is still busy with the events */
    return EXIT_DETACHED;
}

static void print_event(const struct session *session, const struct reply *event)
{
    char line[512];
    if (session->json) {
        (void)json_write(json_of_reply(event), session->terminal->out);
    } else if (event->kind == REPLY_LOST) {
        (void)fprintf(session->terminal->out, "(%s events left out)\n", reply_text(event, "n"));
    } else {
        progress_text(event, 400, line, sizeof line);
        (void)fprintf(session->terminal->out, "%s\n", line);
    }
    (void)fflush(session->terminal->out);
}

/* Handles one line of the stream. Sets *ended with the last one. */
static enum exit_code take_event(struct session *session, struct progress_line *progress,
                                 const struct reply *event, bool events, char state[32], bool *ended)
{
    if (event->kind == REPLY_ERR)
        return session_refused(session, event);
    if (event->kind != REPLY_EVENT && event->kind != REPLY_LOST)
        return session_lost(session, "a line that is no event while a job is watched");
    if (events)
        print_event(session, event);
    if (event->kind == REPLY_LOST)
        return EXIT_FOUND;
    (void)snprintf(state, 32, "%s", reply_text(event, "state"));
    *ended = result_is_end(state);
    if (!events && !*ended)
        progress_show(progress, event);
    return EXIT_FOUND;
}

static void say_who_goes_on(const struct session *session, long long job)
{
    if (!session->json)
        (void)fprintf(session->terminal->err,
                      "  a daemon that comes back goes on with it: puzzlectl wait %lld\n", job);
}

/* Reads the stream of events after WATCH's reply. */
static enum exit_code follow_events(struct session *session, struct progress_line *progress, long long job,
                                    bool events, char state[32])
{
    enum exit_code code = EXIT_FOUND;
    bool ended = false;
    while (code == EXIT_FOUND && !ended) {
        struct pz_error error;
        struct reply event;
        const char *line = NULL;
        size_t length = 0;
        enum received received = RECEIVED_INTERRUPT;
        if (!session->interrupted)
            received = connection_receive(session->connection, &line, &length, &error);
        session->interrupted = false;
        if (received == RECEIVED_INTERRUPT) {
            code = follow_on_interrupt(session, progress, job);
            continue;
        }
        if (received != RECEIVED_LINE)
            return session_lost(session, error.text);
        code = session_parse(session, line, length, &event);
        if (code == EXIT_FOUND)
            code = take_event(session, progress, &event, events, state, &ended);
        if (code == EXIT_REFUSED) /* the daemon stops */
            say_who_goes_on(session, job);
        reply_clear(&event);
    }
    return code;
}

/* Asks for the events of a job and follows them. Ctrl-C is handled already (interrupt_begin). */
static enum exit_code watch_job(struct session *session, struct progress_line *progress, long long job,
                                bool events, char state[32])
{
    struct reply reply;
    enum exit_code code = session_ask(session, session_request_job(session, "WATCH", job), &reply);
    reply_clear(&reply);
    if (code == EXIT_FOUND)
        code = follow_events(session, progress, job, events, state);
    return code;
}

enum exit_code follow_job(struct session *session, long long job, bool events, char state[32])
{
    struct progress_line progress;
    *state = '\0';
    progress_begin(&progress, session->terminal, session->quiet || session->json);
    interrupt_begin();
    enum exit_code code = watch_job(session, &progress, job, events, state);
    interrupt_end();
    progress_wipe(&progress);
    if (code == EXIT_UNREACHABLE)
        say_who_goes_on(session, job);
    return code;
}

static enum exit_code watch_events(struct session *session, long long job)
{
    char state[32] = "";
    enum exit_code code = follow_job(session, job, true, state);
    if (code == EXIT_FOUND && strcmp(state, "done") != 0)
        code = EXIT_ENDED;
    return code;
}

/* Lets the daemon wait at most that long. A state that is not an end is a valid answer, too. */
static enum exit_code wait_at_most(struct session *session, long long job, const char *timeout,
                                   char state[32])
{
    struct text *request = session_request_job(session, "WAIT", job);
    struct reply reply;
    text_key(request, "timeout", timeout);
    enum exit_code code = session_ask(session, request, &reply);
    if (code == EXIT_FOUND) {
        (void)snprintf(state, 32, "%s", reply_text(&reply, "state"));
        if (!result_is_end(state)) {
            code = EXIT_DETACHED;
            if (session->json)
                (void)json_write(json_of_reply(&reply), session->terminal->out);
            else
                (void)fprintf(session->terminal->out, "job %lld %s\n", job, state);
        }
    }
    reply_clear(&reply);
    return code;
}

static enum exit_code run_wait(struct session *session, const struct arguments *arguments)
{
    long long job = 0;
    char state[32] = "";
    const char *timeout = arguments_pair(arguments, "timeout");
    if (timeout != NULL && arguments_option(arguments, "events") != NULL)
        return command_usage(session, "--events or --timeout, not both: events end with the job");
    enum exit_code code = command_job(session, arguments->words[0], NULL, &job);
    if (code == EXIT_FOUND && arguments_option(arguments, "events") != NULL)
        return watch_events(session, job);
    if (code == EXIT_FOUND)
        code = timeout == NULL ? follow_job(session, job, false, state)
                               : wait_at_most(session, job, timeout, state);
    if (code == EXIT_FOUND)
        code = result_print(session, job, arguments, NULL);
    return code;
}

static const struct option_row wait_options[] = {
    {"events", 0, NULL, "print the events, one line each at least every 200 ms, and no result", NULL},
    DRAWING_OPTIONS,
    {0},
};

const struct command command_wait = {
    .name = "wait",
    .verb = VERB_WAIT,
    .takes = {"JOB", 1, 1, WORD_JOB},
    .summary = "Wait for a job with a progress line, then print its result",
    .help = "Ctrl-C asks whether the job is to go on; it does, unless you say otherwise.\n",
    .example = "  $ puzzlectl wait 7 --timeout 5m\n"
               "  slide:3x3  job 7 done\n"
               "  complete    yes\n"
               "  states      181,440\n"
               "  depth       31\n"
               "  $ puzzlectl wait 8 --events\n"
               "  job 8  running  level 21 42%  frontier 9.1M  54.2M states  12.3M/s  620.1M  4.41 s\n"
               "  job 8  done\n",
    .options = wait_options,
    .run = run_wait,
};

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
    return code == EXIT_FOUND
               ? session_ask(session, session_request_job(session, "RESULT", (long long)job), result)
               : code;
}

/* Removes an ended job, if that is allowed. */
static bool forget(struct session *session, long long job)
{
    struct reply reply = {0};
    const enum exit_code code = session_try_ask(session, session_request_job(session, "FORGET", job), &reply);
    reply_clear(&reply);
    return code == EXIT_FOUND;
}

static enum exit_code submit_board(struct session *session, const struct text *question, bool report,
                                   struct reply *reply, long long *job)
{
    int64_t number = 0;
    text_clear(&session->request);
    text_join(&session->request, question);
    const enum exit_code code = (report ? session_ask : session_try_ask)(session, &session->request, reply);
    if (code == EXIT_FOUND && reply_integer(reply, "job", &number))
        *job = (long long)number;
    return code;
}

enum exit_code solved_ask(struct session *session, const struct text *request, bool report,
                          struct reply *result)
{
    struct text question = {0}; /* the session may keep other requests before it is asked again */
    struct reply reply = {0};
    char state[32] = "";
    long long job = 0;
    text_join(&question, request);
    enum exit_code code = submit_board(session, &question, report, &reply, &job);
    if (code == EXIT_FOUND && reply_is(&reply, "cached", "yes") &&
        result_is_end(reply_text(&reply, "state")) && forget(session, job)) {
        reply_clear(&reply);
        code = submit_board(session, &question, report, &reply, &job);
    }
    text_free(&question);
    if (code == EXIT_FOUND && !result_is_end(reply_text(&reply, "state")))
        code = follow_job(session, job, false, state);
    reply_clear(&reply);
    return code == EXIT_FOUND ? session_ask(session, session_request_job(session, "RESULT", job), result)
                              : code;
}
