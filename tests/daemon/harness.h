/* SPDX-License-Identifier: MIT */
/*
 * The real daemon in a temporary directory, and clients that talk to it. All functions assert: the test fails
 * if a reply does not come within two minutes, or the daemon does not start or end well.
 */
#ifndef TESTS_DAEMON_HARNESS_H
#define TESTS_DAEMON_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

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
    int socket;
    size_t begin;  /* in the buffer, of what was received and not read */
    size_t length; /* of that */
    char buffer[HARNESS_LINE_MAX];
    char line[HARNESS_LINE_MAX]; /* the latest line read */
};

/* For cmocka: start a fresh daemon as *state; stop it, which must succeed. */
int daemon_setup(void **state);
int daemon_teardown(void **state);

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
/* Reads the records of a list up to END, after its first line. Returns how many. */
size_t client_skip_list(struct client *client);
/* Returns true if nothing comes for that many milliseconds. */
bool client_is_silent(struct client *client, int milliseconds);

/* Returns the value of a key in a reply or record, in a static buffer; "" if it is not there. */
const char *value_of(const char *line, const char *key);
/* Submits, asserts OK, and returns the job's number. */
unsigned long client_submit(struct client *client, const char *line);
/* Sends WAIT. Returns the job's state, in a static buffer. */
const char *client_wait(struct client *client, unsigned long job);
/* Submits a job and waits until it is done. Returns its number. */
unsigned long client_done(struct client *client, const char *line);
/* Waits until the job is in that state. A job that has ended in another one fails the test. */
void client_await_state(struct client *client, unsigned long job, const char *state);
/* Sends RESULT. Returns the reply. */
const char *client_result(struct client *client, unsigned long job);

#endif
