/* SPDX-License-Identifier: MIT */
#include "daemon/host/metrics.h"

#include "base/clock.h"
#include "base/status_word.h"

#include <inttypes.h>

/* Upper bounds of the latency buckets, in seconds. */
static const double bounds[METRICS_BUCKETS] = {0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005,
                                               0.01,   0.05,    0.1,    1,     10,     60};

void metrics_init(struct metrics *metrics)
{
    *metrics = (struct metrics){.started = clock_seconds()};
}

void metrics_request(struct metrics *metrics, unsigned verb, enum pz_status code, double seconds)
{
    unsigned bucket = 0;
    while (bucket < METRICS_BUCKETS && seconds > bounds[bucket])
        bucket++;
    metrics_add(&metrics->requests[verb][code], 1);
    metrics_add(&metrics->latency[bucket], 1);
    metrics_add(&metrics->latency_microseconds, (uint64_t)(seconds * 1e6));
}

uint64_t metrics_requests_total(const struct metrics *metrics)
{
    uint64_t total = 0;
    for (unsigned i = 0; i <= METRICS_BUCKETS; i++)
        total += metrics_get(&metrics->latency[i]);
    return total;
}

static void head(struct text *out, const char *name, const char *help, const char *type)
{
    text_format(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void counter(struct text *out, const char *name, const char *help, uint64_t value)
{
    head(out, name, help, "counter");
    text_format(out, "%s %" PRIu64 "\n", name, value);
}

void metrics_gauge(struct text *out, const char *name, const char *help, double value)
{
    head(out, name, help, "gauge");
    text_format(out, "%s %.17g\n", name, value);
}

static void format_requests(const struct metrics *metrics, const char *(*verb_name)(unsigned verb),
                            struct text *out)
{
    head(out, "puzzled_requests_total", "Requests answered, by verb and code.", "counter");
    for (unsigned verb = 0; verb < METRICS_VERBS_MAX; verb++) {
        for (unsigned code = 0; code < PZ_STATUS_COUNT; code++) {
            uint64_t count = metrics_get(&metrics->requests[verb][code]);
            if (count > 0)
                text_format(out, "puzzled_requests_total{verb=\"%s\",code=\"%s\"} %" PRIu64 "\n",
                            verb_name(verb), status_word((enum pz_status)code), count);
        }
    }
}

static void format_latency(const struct metrics *metrics, struct text *out)
{
    static const char name[] = "puzzled_request_seconds";
    uint64_t total = 0;
    head(out, name, "Time from a request to its reply.", "histogram");
    for (unsigned i = 0; i < METRICS_BUCKETS; i++) {
        total += metrics_get(&metrics->latency[i]);
        text_format(out, "%s_bucket{le=\"%g\"} %" PRIu64 "\n", name, bounds[i], total);
    }
    total += metrics_get(&metrics->latency[METRICS_BUCKETS]);
    text_format(out, "%s_bucket{le=\"+Inf\"} %" PRIu64 "\n%s_sum %.6f\n%s_count %" PRIu64 "\n", name, total,
                name, (double)metrics_get(&metrics->latency_microseconds) / 1e6, name, total);
}

void metrics_format(const struct metrics *metrics, const char *(*verb_name)(unsigned verb), struct text *out)
{
    format_requests(metrics, verb_name, out);
    format_latency(metrics, out);
    counter(out, "puzzled_connections_total", "Connections accepted.", metrics_get(&metrics->connections));
    counter(out, "puzzled_connections_refused_total", "Connections refused because there were too many.",
            metrics_get(&metrics->connections_refused));
    counter(out, "puzzled_cache_hits_total", "Submissions answered by an existing job.",
            metrics_get(&metrics->cache_hits));
    counter(out, "puzzled_jobs_begun_total", "Jobs begun.", metrics_get(&metrics->jobs_begun));
    counter(out, "puzzled_states_explored_total", "States found by jobs that ended.",
            metrics_get(&metrics->states_explored));
    metrics_gauge(out, "puzzled_uptime_seconds", "Time since the start.", clock_seconds() - metrics->started);
}
