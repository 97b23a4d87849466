/* SPDX-License-Identifier: MIT */
/* Subcommands that end or remove jobs: cancel, forget. */
#include "client/jobs/job_pages.h"
#include "client/jobs/job_result.h"
#include "client/session/command.h"
#include "protocol/text/quantity.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The jobs that a command is about. */
struct chosen {
    long long *jobs;
    size_t count, room;
    int64_t older_ms; /* only jobs submitted before this time; 0 for all */
    bool ended, open; /* whether to take jobs that have ended, and those that have not */
    bool failed;
};

static void add_chosen(struct chosen *chosen, long long job)
{
    if (chosen->count == chosen->room) {
        size_t room = chosen->room == 0 ? 64 : 2 * chosen->room;
        long long *wider = reallocarray(chosen->jobs, room, sizeof *wider);
        if (wider == NULL) {
            chosen->failed = true;
            return;
        }
        chosen->jobs = wider;
        chosen->room = room;
    }
    chosen->jobs[chosen->count++] = job;
}

static bool visit(void *context, struct reply *job)
{
    struct chosen *chosen = context;
    int64_t number = 0;
    int64_t submitted = 0;
    const char *state = reply_text(job, "state");
    bool open = strcmp(state, "queued") == 0 || strcmp(state, "running") == 0;
    (void)reply_integer(job, "submitted_ms", &submitted);
    if ((open ? chosen->open : chosen->ended) && (chosen->older_ms == 0 || submitted < chosen->older_ms) &&
        reply_integer(job, "job", &number))
        add_chosen(chosen, (long long)number);
    return !chosen->failed;
}

static enum exit_code choose_words(struct session *session, const struct arguments *arguments,
                                   struct chosen *chosen)
{
    enum exit_code code = EXIT_FOUND;
    for (size_t i = 0; i < arguments->word_count && code == EXIT_FOUND; i++) {
        long long job = 0;
        code = command_job(session, arguments->words[i], NULL, &job);
        if (code == EXIT_FOUND)
            add_chosen(chosen, job);
    }
    return code;
}

/* Prints what became of one job; with --json one object per line. */
static void print_one(struct session *session, const char *verb, const struct reply *reply)
{
    FILE *out = session->terminal->out;
    if (session->json)
        (void)json_write(json_of_reply(reply), out);
    else if (strcmp(verb, "FORGET") == 0)
        (void)fprintf(out, "job %s forgotten, with what it stored\n", reply_text(reply, "job"));
    else if (reply_is(reply, "state", "cancelled"))
        (void)fprintf(out, "job %s cancelled\n", reply_text(reply, "job"));
    else
        (void)fprintf(out, "job %s had ended before: %s\n", reply_text(reply, "job"),
                      reply_text(reply, "state"));
}

/* Sends the verb for each job; goes on with the others after a refusal. */
static enum exit_code do_all(struct session *session, const char *verb, struct chosen *chosen)
{
    enum exit_code worst = EXIT_FOUND;
    if (chosen->failed)
        return session_fail(session, EXIT_TROUBLE, "memory", "no memory for a list of jobs");
    for (size_t i = 0; i < chosen->count; i++) {
        struct reply reply;
        enum exit_code code =
            session_ask(session, session_request_job(session, verb, chosen->jobs[i]), &reply);
        if (code == EXIT_FOUND)
            print_one(session, verb, &reply);
        reply_clear(&reply);
        worst = code != EXIT_FOUND ? code : worst;
        if (code != EXIT_FOUND && code != EXIT_REFUSED)
            break;
    }
    return worst;
}

static enum exit_code finish_jobs(struct session *session, enum exit_code code, const char *verb,
                                  struct chosen *chosen)
{
    if (code == EXIT_FOUND)
        code = do_all(session, verb, chosen);
    if (code == EXIT_FOUND && chosen->count == 0 && !session->quiet)
        (void)fputs("no such jobs\n", session->terminal->err);
    free(chosen->jobs);
    return code;
}

static enum exit_code run_cancel(struct session *session, const struct arguments *arguments)
{
    struct chosen chosen = {.open = true};
    bool all = arguments_option(arguments, "all") != NULL;
    if (all == (arguments->word_count > 0))
        return command_usage(session, "cancel takes jobs, or --all");
    if (arguments->word_count == 1 && strcmp(arguments->words[0], "all") == 0)
        return command_usage(session, "'all' is no job's number; cancel --all cancels all jobs");
    enum exit_code code =
        all ? pages_each(session, NULL, true, visit, &chosen) : choose_words(session, arguments, &chosen);
    return finish_jobs(session, code, "CANCEL", &chosen);
}

/* Reads --older into the time before which jobs must have been submitted; leaves 0 where it was not given. */
static enum exit_code read_older(struct session *session, const struct arguments *arguments,
                                 struct chosen *chosen)
{
    struct pz_error error;
    double seconds = 0;
    const char *older = arguments_option(arguments, "older");
    if (older == NULL)
        return EXIT_FOUND;
    if (quantity_seconds(older, &seconds, &error) != PZ_OK)
        return command_usage(session, error.text);
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    chosen->older_ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 - (int64_t)(seconds * 1000);
    return EXIT_FOUND;
}

static enum exit_code run_forget(struct session *session, const struct arguments *arguments)
{
    const bool of_state = arguments_pair(arguments, "state") != NULL;
    struct chosen chosen = {.ended = true, .open = of_state}; /* the daemon says why those that run stay */
    const bool many = of_state || arguments_option(arguments, "older") != NULL;
    if (many == (arguments->word_count > 0))
        return command_usage(session, "forget takes jobs, or --state STATE, or --older DURATION");
    if (arguments->word_count == 1 && result_is_end(arguments->words[0])) {
        const char *state = arguments->words[0];
        struct pz_error error;
        (void)pz_fail(&error, PZ_BAD_REQUEST,
                      "'%s' is no job's number; forget --state %s forgets all in that state", state, state);
        return command_usage(session, error.text);
    }
    enum exit_code code = read_older(session, arguments, &chosen);
    if (code == EXIT_FOUND)
        code = many ? pages_each(session, arguments, true, visit, &chosen)
                    : choose_words(session, arguments, &chosen);
    return finish_jobs(session, code, "FORGET", &chosen);
}

static const struct option_row cancel_options[] = {
    {"all", 0, NULL, "every job that waits or runs", NULL},
    {0},
};
static const struct option_row forget_options[] = {
    {"older", 0, "DURATION", "jobs submitted longer ago than this: 12h, 7d", NULL},
    {0},
};

const struct command command_cancel = {
    .name = "cancel",
    .takes = {"JOB...", 0, OPTION_WORDS_MAX, WORD_JOB},
    .summary = "Stop jobs and keep what they have",
    .example = "  $ puzzlectl cancel 7\n"
               "  job 7 cancelled\n"
               "  $ puzzlectl cancel --all\n",
    .options = cancel_options,
    .verb = VERB_COUNT,
    .run = run_cancel,
};

const struct command command_forget = {
    .name = "forget",
    .takes = {"JOB...", 0, OPTION_WORDS_MAX, WORD_JOB},
    .summary = "Remove ended jobs, their results and their tables",
    .help = "A JOB is a number, or a puzzle for its latest job.\n",
    .example = "  $ puzzlectl forget 5 6 7\n"
               "  job 5 forgotten, with what it stored\n"
               "  $ puzzlectl forget --state failed\n"
               "  $ puzzlectl forget --older 7d --state done\n"
               "  job 3 forgotten, with what it stored\n",
    .options = forget_options,
    .verb = VERB_JOBS,
    .without = KEY_BIT(KEY_AFTER) | KEY_BIT(KEY_BEFORE) | KEY_BIT(KEY_LIMIT) | KEY_BIT(KEY_TOOLS),
    .run = run_forget,
};
