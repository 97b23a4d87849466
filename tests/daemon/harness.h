/* SPDX-License-Identifier: MIT */
/*
 * The real daemon in a temporary directory, and clients that talk to it. All functions assert: the test fails
 * if a reply does not come within two minutes, or the daemon does not start or end well. A test need not hang
 * up: the end of its daemon does.
 */
#ifndef TESTS_DAEMON_HARNESS_H
#define TESTS_DAEMON_HARNESS_H

#include "test_support.h"

#include <sys/types.h>
#include <unistd.h>

enum { HARNESS_LINE_MAX = 1 << 16 };

struct daemon {
    char directory[64]; /* temporary; the socket, the database and the log are in it */
    char socket[96];
    char config[96];     /* daemon_write_config */
    pid_t pid;           /* 0 when it does not run */
    off_t log_begin;     /* where the lines of its latest start begin in the log */
    const char *program; /* NULL for puzzled itself */
    bool own_limits;     /* its configuration says them; else threads=2, memory=1G, explore-first=0 */
    int activation;      /* a listening socket to hand over as systemd does; 0 for none */
};

struct client {
    struct client *next; /* of those that have not hung up */
    int socket;
    size_t begin;  /* in the buffer, of what was received and not read */
    size_t length; /* of that */
    char buffer[HARNESS_LINE_MAX];
    char line[HARNESS_LINE_MAX]; /* the latest line read */
};

/* For cmocka: start a fresh daemon as *state; hang up all clients and stop it, which must succeed. */
int daemon_setup(void **state);
int daemon_teardown(void **state);
/* A test with a daemon of its own. */
#define SPECIFICATION(name) TEST_WITH(name, daemon_setup, daemon_teardown)

/* Starts the daemon (again) with more words on its command line; the last is NULL. */
void daemon_start(struct daemon *daemon, const char *const *words);
/* Returns how many lines of the log, over all starts, have these words. */
unsigned logged(const struct daemon *daemon, const char *words);
/* Sends SIGTERM. The daemon must exit with 0 within half a minute. */
void daemon_stop(struct daemon *daemon);
/* Sends SIGKILL. */
void daemon_kill(struct daemon *daemon);
/* Expects that a daemon with these words (printf) does not start, and says why in its first line. */
__attribute__((format(printf, 2, 3))) void daemon_expect_refusal(const char *why, const char *format, ...);
/* Stops the daemon and starts it again with more words. */
void daemon_restart(struct daemon *daemon, const char *const *words);
/* Writes the file daemon->config, which a daemon started with --config reads, also at SIGHUP. */
void daemon_write_config(const struct daemon *daemon, const char *text);
/* Runs puzzled on a directory within the daemon's, in place of its state: a flag with the file "dump", and a
 * word or NULL. Returns its exit status. */
int daemon_run_on(const struct daemon *daemon, const char *state, const char *flag, const char *word);
/* Restarts the daemon with that configuration. */
void daemon_restart_with(struct daemon *daemon, const char *config);

struct client *client_new(const struct daemon *daemon);
/* Connects over TCP from an address of 127.0.0.0/8. The daemon was started with --listen 127.0.0.1:0. */
struct client *client_new_tcp(const struct daemon *daemon, const char *from);
void client_free(struct client *client); /* hangs up */
/* Sends bytes as they are. */
void client_send_bytes(struct client *client, const void *bytes, size_t length);
/* Sends text, then LF. */
void client_send(struct client *client, const char *line);
/* Returns the next line without its LF, until the next call; NULL if the daemon has closed the connection. */
const char *client_line(struct client *client);
/* Like client_line, but a closed connection fails the test. */
const char *client_next(struct client *client);
/* client_send, then client_next. */
const char *client_ask(struct client *client, const char *line);
/* Asks, and asserts that the reply begins with that text. */
void client_expect(struct client *client, const char *line, const char *begin);
/* Asserts that the next line begins so. */
void client_expect_next(struct client *client, const char *begin);
/* client_expect of each row: a line, and how its reply begins. */
void client_expect_rows(struct client *client, const char *const rows[][2], size_t count);
#define CLIENT_EXPECT_ROWS(client, rows) client_expect_rows(client, rows, sizeof(rows) / sizeof *(rows))
/* Reads the records of a list up to END, after its first line. Returns how many. */
size_t client_skip_list(struct client *client);
/* client_expect; then a list of so many records must follow. */
void client_expect_list(struct client *client, const char *line, const char *begin, size_t count);
/* Asks, and asserts that the reply has these fields (expect_fields). */
void client_expect_fields(struct client *client, const char *line, const char *fields);
/* Asks a verb of a job: "STATUS 7". Returns the reply. */
const char *client_about(struct client *client, const char *verb, unsigned long job);
/* Returns true if nothing comes for that many milliseconds. */
bool client_is_silent(struct client *client, int milliseconds);

/* Asks LEVELS of a job, and expects the first levels of tests/data/levels/FILE.csv; 0: all of them. */
void client_expect_levels(struct client *client, unsigned long job, const char *file, unsigned levels);

/* Returns the value of a key in a reply or record, until the next call but one; "" if it is not there. */
const char *value_of(const char *line, const char *key);
/* Returns the value as a number; 0 if it is not there. */
unsigned long long number_of(const char *line, const char *key);
/* Asserts that a reply or record has these fields, "key=value key=value"; "key=" is not there, or empty. */
void expect_fields(const char *line, const char *fields);
/* Submits, asserts OK, and returns the job's number. */
unsigned long client_submit(struct client *client, const char *line);
/* Sends WAIT. Returns the job's state, in a static buffer. */
const char *client_wait(struct client *client, unsigned long job);
/* Submits a job and waits until it ends in that state. Returns its number. */
unsigned long client_end_in(struct client *client, const char *state, const char *line);
/* client_end_in "done". */
unsigned long client_done(struct client *client, const char *line);
/* Submits a job, waits for its end and asserts that RESULT has these fields. Returns its number. */
unsigned long client_expect_end(struct client *client, const char *line, const char *fields);
/* Waits until the job is in that state. A job that has ended in another one fails the test. */
void client_await_state(struct client *client, unsigned long job, const char *state);
/* Sends RESULT. Returns the reply. */
const char *client_result(struct client *client, unsigned long job);

/* For loops that poll: pauses, and fails the test when it has paused for two minutes in all. */
struct patience {
    unsigned long paused_us;
};
void pause_for(struct patience *patience, const char *what);

#endif
