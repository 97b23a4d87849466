/* SPDX-License-Identifier: MIT */
#include "daemon/server_figures.h"

#include "base/clock.h"
#include "daemon/schedule/scheduler.h"
#include "protocol/vocabulary.h"
#include "version.h"

#include <inttypes.h>

static void write_job_counts(const struct jobs *jobs, struct text *out)
{
    for (unsigned state = 0; state < JOB_STATE_COUNT; state++)
        text_format(out, " jobs_%s=%zu", job_state_word((enum job_state)state),
                    jobs_in_state(jobs, (enum job_state)state));
}

void server_stats(struct server *server, struct text *out)
{
    struct store_stats stats = {0};
    uint64_t used = 0;
    uint64_t limit = 0;
    text_format(out, " version=%s uptime=%.3f connections=%zu requests=%" PRIu64 " threads=%" PRIu64,
                PUZZLED_VERSION, clock_seconds() - server->metrics.started,
                connections_count(server->connections), metrics_requests_total(&server->metrics),
                server->config.threads);
    scheduler_memory(server->scheduler, &used, &limit);
    text_format(out, " memory_used=%" PRIu64 " memory_limit=%" PRIu64, used, limit);
    write_job_counts(scheduler_jobs(server->scheduler), out);
    text_format(out, " states_explored=%" PRIu64 " cache_hits=%" PRIu64,
                metrics_get(&server->metrics.states_explored), metrics_get(&server->metrics.cache_hits));
    enum pz_status status = store_stats(server->store, &stats, NULL);
    out->failed |= status == PZ_MEMORY;
    if (status == PZ_OK) /* else only the other figures are given */
        text_format(out, " tables=%" PRIu64 " database_bytes=%" PRIu64 " database_free=%" PRIu64,
                    stats.tables, stats.bytes_used, stats.bytes_room);
}

static double rate_of_all(const struct jobs *jobs)
{
    double rate = 0;
    for (const struct job *job = jobs_next(jobs, 0); job != NULL; job = jobs_next(jobs, job->record.id))
        rate += job->record.state == JOB_RUNNING ? job->progress.rate : 0;
    return rate;
}

/* For metrics_format: "none" for METRICS_NO_VERB. */
static const char *word_of_verb(unsigned number)
{
    const struct verb_row *row = verb_row((enum verb)number);
    return row != NULL ? row->word : "none";
}

void server_metrics(struct server *server, struct text *out)
{
    const struct jobs *jobs = scheduler_jobs(server->scheduler);
    struct store_stats stats = {0};
    uint64_t used = 0;
    uint64_t limit = 0;
    metrics_format(&server->metrics, word_of_verb, out);
    metrics_gauge(out, "puzzled_connections", "Open connections.",
                  (double)connections_count(server->connections));
    text_add(out, "# HELP puzzled_jobs Jobs by state.\n# TYPE puzzled_jobs gauge\n");
    for (unsigned state = 0; state < JOB_STATE_COUNT; state++)
        text_format(out, "puzzled_jobs{state=\"%s\"} %zu\n", job_state_word((enum job_state)state),
                    jobs_in_state(jobs, (enum job_state)state));
    metrics_gauge(out, "puzzled_states_per_second", "Rate of the running jobs.", rate_of_all(jobs));
    scheduler_memory(server->scheduler, &used, &limit);
    metrics_gauge(out, "puzzled_memory_used_bytes", "Memory that jobs have taken.", (double)used);
    metrics_gauge(out, "puzzled_memory_limit_bytes", "Memory that jobs may take.", (double)limit);
    enum pz_status status = store_stats(server->store, &stats, NULL);
    out->failed |= status == PZ_MEMORY;
    if (status != PZ_OK)
        return;
    metrics_gauge(out, "puzzled_tables", "Stored tables.", (double)stats.tables);
    metrics_gauge(out, "puzzled_database_used_bytes", "Bytes of the database in use.",
                  (double)stats.bytes_used);
    metrics_gauge(out, "puzzled_database_file_bytes", "Size of the database's file.",
                  (double)stats.bytes_file);
    metrics_gauge(out, "puzzled_database_free_bytes",
                  "What can still be written, by the limit and by the disk.", (double)stats.bytes_room);
}
