/* SPDX-License-Identifier: MIT */
/*
 * The daemon's counters. Any thread may raise them. They are relaxed atomics, as they guard nothing.
 */
#ifndef DAEMON_METRICS_H
#define DAEMON_METRICS_H

#include "protocol/text/text.h"
#include "puzzled/status.h"

#include <stdatomic.h>
#include <stdint.h>

/* A verb's number is its row in the command table; the last one stands for lines with no known verb. */
enum { METRICS_VERBS_MAX = 40, METRICS_NO_VERB = METRICS_VERBS_MAX - 1 };
enum { METRICS_BUCKETS = 12 };

struct metrics {
    double started; /* clock_seconds() */
    _Atomic uint64_t requests[METRICS_VERBS_MAX][PZ_STATUS_COUNT];
    _Atomic uint64_t
        latency[METRICS_BUCKETS + 1];      /* requests by time to the reply, the last beyond all bounds */
    _Atomic uint64_t latency_microseconds; /* sum */
    _Atomic uint64_t connections;          /* accepted so far */
    _Atomic uint64_t connections_refused;
    _Atomic uint64_t cache_hits;      /* submissions answered by an existing job */
    _Atomic uint64_t states_explored; /* by jobs that ended */
    _Atomic uint64_t jobs_begun;
};

void metrics_init(struct metrics *metrics);
/* Counts one request, answered after so many seconds. */
void metrics_request(struct metrics *metrics, unsigned verb, enum pz_status code, double seconds);
static inline void metrics_add(_Atomic uint64_t *counter, uint64_t amount)
{
    (void)atomic_fetch_add_explicit(counter, amount, memory_order_relaxed);
}
static inline uint64_t metrics_get(const _Atomic uint64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

/* Appends the counters in the Prometheus text format; verb_name gives a verb's word. */
void metrics_format(const struct metrics *metrics, const char *(*verb_name)(unsigned verb), struct text *out);
uint64_t metrics_requests_total(const struct metrics *metrics);

/* Appends one value in the Prometheus text format, with its help and type lines. */
void metrics_gauge(struct text *out, const char *name, const char *help, double value);

#endif
