/* SPDX-License-Identifier: MIT */
/* The state that the parts of the daemon share. Loop thread, unless a field says otherwise. */
#ifndef DAEMON_SERVER_STATE_H
#define DAEMON_SERVER_STATE_H

#include "base/budget.h"
#include "daemon/host/metrics.h"
#include "daemon/net/connection.h"
#include "daemon/settings/config.h"

#include <signal.h>

struct defining;
struct thread_pool;
struct event;
struct event_base;
struct listeners;
struct loop_queue;
struct metrics_http;
struct scheduler;
struct store;

/* An exploration that a lookup asked for, and whose limits did not suffice. */
struct explore_failed {
    uint64_t hash; /* of its request */
    double until;  /* clock_seconds() */
};
enum { EXPLORE_FAILED_MAX = 256 };

struct server {
    struct config config; /* owned */
    /* Reads the configuration again, for a reload: file, then the command line. */
    enum pz_status (*read_config)(void *context, struct config *fresh, struct pz_error *error);
    void *read_config_context;
    struct event_base *base;
    sigset_t signal_set;   /* blocked in every thread; the loop reads them */
    int signal_descriptor; /* 0 until there is one */
    struct event *signals;
    struct event *watchdog;   /* NULL if nobody watches */
    struct event *stop_timer; /* fires when a stop takes too long */
    struct metrics metrics;
    struct clients clients;
    struct budget replies; /* of the workers: what replies in pieces hold, graphs and what exports remember */
    struct loop_queue *loop_queue;
    struct store *store;
    char *scratch;                     /* the directory of all jobs' scratch space */
    int scratch_lock;                  /* a descriptor of it; 0 for none */
    struct thread_pool *lookups;       /* short lookups, and submissions to be understood */
    struct thread_pool *bulk_lookups;  /* lookups by the hundred */
    struct thread_pool *slow_requests; /* samples of whole tables, checks, what waits for a commit */
    struct thread_pool *tiny_solves;   /* searches that are too short to be queued */
    struct scheduler *scheduler;
    struct defining *defining; /* requests whose definitions are being written (define_verbs.c) */
    struct explore_failed explore_failed[EXPLORE_FAILED_MAX]; /* deferred_lookup.h */
    struct metrics_http *metrics_http;                        /* NULL when not configured */
    struct listeners *listeners;
    struct connections *connections;
    bool stopping;
};

#endif
