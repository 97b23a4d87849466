/* SPDX-License-Identifier: MIT */
/*
 * The real daemon in a temporary directory, and clients that talk to it. Everything asserts: a reply that
 * does not come within two minutes, or a daemon that does not start or end well, fails the test that waits
 * for it.
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
    pid_t pid;           /* 0 when it does not run */
    off_t log_begin;     /* where the lines of its latest start begin in the log */
    const char *program; /* NULL for puzzled itself */
    int activation;      /* a listening socket to hand over as systemd does; 0 for none */
};

struct client {
    int socket;
    size_t length; /* of what was received and not read */
    char buffer[HARNESS_LINE_MAX];
    char line[HARNESS_LINE_MAX]; /* the latest line read */
};

/* For cmocka: a fresh daemon as *state, and its end, which must be a good one. */
int daemon_setup(void **state);
int daemon_teardown(void **state);

/* Starts it (again) with words of the command line behind the usual ones; the last is NULL. */
void daemon_start(struct daemon *daemon, const char *const *words);
/* SIGTERM; it must leave with 0 within half a minute. */
void daemon_stop(struct daemon *daemon);
/* SIGKILL. */
void daemon_kill(struct daemon *daemon);
/* A daemon with these words on its command line (printf) does not start, and says why in its first line. */
__attribute__((format(printf, 2, 3))) void daemon_expect_refusal(const char *why, const char *format, ...);
/* Stops it and starts it again, with more words. */
void daemon_restart(struct daemon *daemon, const char *const *words);

struct client *client_new(const struct daemon *daemon);
/* Over TCP, from an address of 127.0.0.0/8; the daemon was started with --listen 127.0.0.1:0. */
struct client *client_new_tcp(const struct daemon *daemon, const char *from);
void client_free(struct client *client); /* hangs up */
/* Sends bytes as they are. */
void client_send_bytes(struct client *client, const void *bytes, size_t length);
/* Sends text, then LF. */
void client_send(struct client *client, const char *line);
/* The next line, without its LF; NULL when the daemon has closed the connection. Good until the next call. */
const char *client_line(struct client *client);
/* As client_line, but closing is a failure. */
const char *client_next(struct client *client);
/* client_send, then client_next. */
const char *client_ask(struct client *client, const char *line);
/* Asks, and asserts that the reply begins so. */
void client_expect(struct client *client, const char *line, const char *begin);
/* Reads the records of a list up to END; returns how many. The first line must have been read. */
size_t client_skip_list(struct client *client);
/* Returns true if nothing comes for so many milliseconds. */
bool client_is_silent(struct client *client, int milliseconds);

/* The value of a key in a reply or record, in a static buffer; "" when it is not there. */
const char *value_of(const char *line, const char *key);
/* Submits, asserts OK, and returns the job's number. */
unsigned long client_submit(struct client *client, const char *line);
/* WAIT for a job; returns its state, in a static buffer. */
const char *client_wait(struct client *client, unsigned long job);
/* RESULT of a job. */
const char *client_result(struct client *client, unsigned long job);

#endif
