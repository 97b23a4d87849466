/* SPDX-License-Identifier: MIT */
/*
 * Clients of a daemon, and what tests say of its replies. All functions assert: the test fails if a reply
 * does not come within two minutes.
 */
#ifndef TESTS_DAEMON_CLIENT_H
#define TESTS_DAEMON_CLIENT_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>

enum { CLIENT_LINE_MAX = 1 << 16 };

struct client {
    struct client *next; /* of those that have not hung up */
    int socket;
    size_t begin;  /* in the buffer, of what was received and not read */
    size_t length; /* of that */
    char buffer[CLIENT_LINE_MAX];
    char line[CLIENT_LINE_MAX]; /* the latest line read */
};

/* Connects to a Unix socket. Returns NULL if nobody listens there. */
struct client *client_connect(const char *path);
/* Connects to a port of 127.0.0.1, from an address of 127.0.0.0/8. */
struct client *client_connect_tcp(in_port_t port, const char *from);
void client_free(struct client *client); /* hangs up */
void clients_hang_up(void);              /* all of them */
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
/* Asks for a list, which must have one record. Returns that, as text_of does. */
const char *client_only_record(struct client *client, const char *line);
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
    unsigned paused_ms;
};
void pause_for(struct patience *patience, const char *what);

#endif
