/* SPDX-License-Identifier: MIT */
/*
 * The real daemon in a temporary directory. All functions assert: the test fails if it does not start or end
 * well. A test's clients need not hang up: the end of its daemon does.
 */
#ifndef TESTS_DAEMON_HARNESS_H
#define TESTS_DAEMON_HARNESS_H

#include "daemon_client.h"
#include "test_support.h"

#include <sys/types.h>
#include <unistd.h>

struct daemon {
    char directory[64]; /* temporary; the socket, the database and the log are in it */
    char socket[96], log[96];
    char config[96];     /* daemon_write_config */
    pid_t pid;           /* 0 when it does not run */
    off_t log_begin;     /* where the lines of its latest start begin in the log */
    const char *program; /* NULL for puzzled itself */
    bool own_limits;     /* its configuration says them; else threads=2, memory=1G, explore-first=0 */
    int activation;      /* a listening socket to hand over as systemd does; 0 for none */
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
/* Returns the number behind the key in the log's last line that has the words, too, from that byte on; -1 if
 * there is none. */
long logged_number(const struct daemon *daemon, off_t begin, const char *words, const char *key);
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

#endif
