/* SPDX-License-Identifier: MIT */
/* Runs puzzlectl in this process against a script, and keeps what it wrote. */
#ifndef CLIENT_RUN_H
#define CLIENT_RUN_H

#include "fake_server.h"
#include "specification.h"

struct client_run {
    const char *line; /* what was typed, which failures name */
    int code;
    char *out;
    char *err;
};

/* How the streams look to puzzlectl; zeroed: no terminal, nothing to read, 80 columns. */
struct client_setting {
    const char *input;
    int terminal; /* all three streams claim to be one */
    int tcp;      /* the server listens on TCP */
    unsigned width;
    const char *first; /* an option before --socket; NULL for none */
};

/* Runs a command line; a word with spaces stands in single quotes. Puts --socket or --host in front. Fails
 * the test if the requests are not those of the script, in its order. */
struct client_run client_run_with(const struct client_setting *setting, const struct fake_step *steps,
                                  size_t count, const char *line);
/* Runs a command line as it is, without any server. */
struct client_run client_run_alone(const char *line);
void client_run_clear(struct client_run *result);

#define CLIENT_RUN(steps, line) CLIENT_RUN_IN(NULL, steps, line)
#define CLIENT_RUN_IN(setting, steps, line)                                                                  \
    client_run_with(setting, steps, sizeof(steps) / sizeof *(steps), line)

/* Runs a command of one request and one reply. */
struct client_run client_run_once(const char *line, const char *request, const char *reply);
/* Does so, and checks the exit status and the whole output. */
void check_once(const char *line, const char *request, const char *reply, int code, const char *out);
/* Check the exit status, and the whole output, a part of it, or a part of what is on standard error; clear
 * the run. */
void check_run(struct client_run run, int code, const char *out);
void check_shows(struct client_run run, int code, const char *part);
void check_says(struct client_run run, int code, const char *part);
/* Checks all of both streams. */
void check_whole(struct client_run run, int code, const char *out, const char *err);
void check_contains(const char *text, const char *part);

#endif
