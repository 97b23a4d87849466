/* SPDX-License-Identifier: MIT */
/*
 * The daemon as a whole: what its parts share, and how it starts, reloads and stops. Loop thread.
 */
#ifndef DAEMON_SERVER_H
#define DAEMON_SERVER_H

#include "daemon/host/metrics.h"
#include "daemon/net/connection.h"
#include "daemon/settings/config.h"
#include "daemon/verbs/explore_first.h"
#include "daemon/verbs/lookup_worker.h"

#include <signal.h>

struct thread_pool;
struct event;
struct event_base;
struct listeners;
struct loop_queue;
struct metrics_http;
struct scheduler;
struct store;

struct server {
    struct config config; /* owned */
    /* Reads the configuration anew, for a reload: file, then the command line. */
    enum pz_status (*read_config)(void *context, struct config *fresh, struct pz_error *error);
    void *read_config_context;
    struct event_base *base;
    sigset_t signal_set;   /* blocked in every thread; the loop reads them */
    int signal_descriptor; /* 0 until there is one */
    struct event *signals;
    struct event *watchdog;   /* NULL if nobody watches */
    struct event *stop_timer; /* the last moment of a stop */
    struct metrics metrics;
    struct clients clients;
    struct lookup_worker_options worker_options;
    struct budget exports; /* of the workers: what running exports may remember */
    struct loop_queue *loop_queue;
    struct store *store;
    char *scratch;                     /* the directory of all jobs' scratch space */
    int scratch_lock;                  /* a descriptor of it; 0 for none */
    struct thread_pool *lookups;       /* short lookups, and submissions to be understood */
    struct thread_pool *bulk_lookups;  /* lookups by the hundred */
    struct thread_pool *slow_requests; /* samples of whole tables, checks, what waits for a commit */
    struct thread_pool *tiny_solves;   /* searches that are too short to be queued */
    struct scheduler *scheduler;
    struct explore_first_failed explore_first;
    struct metrics_http *metrics_http; /* NULL when not configured */
    struct listeners *listeners;
    struct connections *connections;
    bool stopping;
};

/* Runs the daemon until a signal stops it. Takes the configuration over, also on failure. */
enum pz_status server_run(struct server *server, struct pz_error *error);
/* Begins to stop: no new work, jobs are asked to stop, clients get shutting-down. */
void server_stop(struct server *server);

/* Appends the fields of STATS, " key=value". */
void server_stats(struct server *server, struct text *out);
/* Appends the whole text of METRICS. */
void server_metrics(struct server *server, struct text *out);

#endif
