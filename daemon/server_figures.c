/* SPDX-License-Identifier: MIT */
#include "daemon/server_figures.h"

#include "base/clock.h"
#include "daemon/net/listeners.h"
#include "daemon/schedule/scheduler.h"
#include "protocol/vocabulary.h"
#include "version.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <unistd.h>

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

/*
 * One request a connection: its head is read, the reply is written, and the connection closes. libevent's
 * evhttp is not used: version 2.1.12 crashes if an allocation for a connection or a request fails.
 */

enum { TIMEOUT_SECONDS = 10, HEAD_MAX = 8192, VISITS_MAX = 32 };

struct visit {
    TAILQ_ENTRY(visit) link;
    struct metrics_http *http;
    struct bufferevent *bev;
    bool answered; /* further input is thrown away */
};

struct metrics_http {
    struct server *server;
    struct listeners *listeners;
    TAILQ_HEAD(visit_list, visit) visits; /* the oldest first */
    unsigned count;
};

static void visit_free(struct visit *visit)
{
    struct metrics_http *http = visit->http;
    TAILQ_REMOVE(&http->visits, visit, link);
    http->count--;
    bufferevent_free(visit->bev);
    free(visit);
}

/* ---- the reply ---- */

struct http_reply {
    const char *status;
    const char *header; /* a line of its own; "" for none */
    struct text body;
};

static void judge_request(struct server *server, const char *head, struct http_reply *reply)
{
    const char *target = head + strcspn(head, " \r\n");
    target += strspn(target, " ");
    size_t length = strcspn(target, " ?\r\n");
    *reply = (struct http_reply){.status = "200 OK", .header = ""};
    if (strncmp(head, "GET ", 4) != 0 && strncmp(head, "HEAD ", 5) != 0) {
        reply->status = "405 Method Not Allowed";
        reply->header = "Allow: GET, HEAD\r\n";
    } else if (length != strlen("/metrics") || strncmp(target, "/metrics", length) != 0) {
        reply->status = "404 Not Found";
    } else {
        reply->header = "Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n";
        server_metrics(server, &reply->body);
    }
}

/* Without memory the connection just ends. Enabling again makes libevent write even if it made the connection
 * while memory was short. */
static void send_reply(struct visit *visit, const struct http_reply *reply, bool with_body)
{
    struct text out = {0};
    text_format(&out, "HTTP/1.1 %s\r\n%sContent-Length: %zu\r\nConnection: close\r\n\r\n", reply->status,
                reply->header, reply->body.length);
    if (with_body)
        text_join(&out, &reply->body);
    bool sent = !out.failed && !reply->body.failed &&
                bufferevent_write(visit->bev, out.data, out.length) == 0 &&
                bufferevent_enable(visit->bev, EV_WRITE) == 0;
    text_free(&out);
    visit->answered = true;
    if (!sent)
        visit_free(visit);
}

/* ---- the request ---- */

static bool head_ends(const char *head, size_t length)
{
    return memmem(head, length, "\r\n\r\n", 4) != NULL || memmem(head, length, "\n\n", 2) != NULL;
}

static void http_on_readable(struct bufferevent *bev, void *context)
{
    struct visit *visit = context;
    struct evbuffer *input = bufferevent_get_input(bev);
    char head[HEAD_MAX + 1];
    if (visit->answered) {
        (void)evbuffer_drain(input, evbuffer_get_length(input));
        return;
    }
    ssize_t length = evbuffer_copyout(input, head, HEAD_MAX);
    if (length <= 0)
        return;
    head[length] = '\0';
    struct http_reply reply = {.status = "431 Request Header Fields Too Large", .header = ""};
    if (head_ends(head, (size_t)length))
        judge_request(visit->http->server, head, &reply);
    else if (length < HEAD_MAX)
        return;
    (void)evbuffer_drain(input, evbuffer_get_length(input));
    send_reply(visit, &reply, strncmp(head, "HEAD ", 5) != 0);
    text_free(&reply.body);
}

static void http_on_written(struct bufferevent *bev, void *context)
{
    struct visit *visit = context;
    (void)bev;
    if (visit->answered)
        visit_free(visit);
}

static void http_on_event(struct bufferevent *bev, short what, void *context)
{
    struct visit *visit = context;
    bool reads_on =
        /* the client sends no more, but still reads the reply */
        (what & BEV_EVENT_EOF) != 0 && visit->answered;
    if (!reads_on || evbuffer_get_length(bufferevent_get_output(bev)) == 0)
        visit_free(visit);
}

/* ---- life ---- */

static void http_on_accept(void *context, int socket)
{
    const struct timeval patience = {.tv_sec = TIMEOUT_SECONDS};
    struct metrics_http *http = context;
    if (http->count == VISITS_MAX) /* drop the oldest one, so that idle connections cannot keep others out */
        visit_free(TAILQ_FIRST(&http->visits));
    struct visit *visit = calloc(1, sizeof *visit);
    struct bufferevent *bev =
        visit != NULL ? bufferevent_socket_new(http->server->base, socket, BEV_OPT_CLOSE_ON_FREE) : NULL;
    if (bev == NULL) {
        free(visit);
        (void)close(socket);
        return;
    }
    *visit = (struct visit){.http = http, .bev = bev};
    TAILQ_INSERT_TAIL(&http->visits, visit, link);
    http->count++;
    bufferevent_setcb(bev, http_on_readable, http_on_written, http_on_event, visit);
    if (bufferevent_set_timeouts(bev, &patience, &patience) != 0 ||
        bufferevent_enable(bev, EV_READ | EV_WRITE) != 0)
        visit_free(visit);
}

enum pz_status metrics_http_new(struct server *server, struct metrics_http **out, struct pz_error *error)
{
    struct metrics_http *http = calloc(1, sizeof *http);
    if (http == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for the metrics");
    http->server = server;
    TAILQ_INIT(&http->visits);
    const struct listeners_handler handler = {.context = http, .accepted = http_on_accept};
    enum pz_status status =
        listeners_new_for_metrics(server->base, &server->config, &handler, &http->listeners, error);
    if (status != PZ_OK) {
        free(http);
        return status;
    }
    *out = http;
    return PZ_OK;
}

void metrics_http_free(struct metrics_http *http)
{
    if (http == NULL)
        return;
    listeners_free(http->listeners);
    for (struct visit *visit = TAILQ_FIRST(&http->visits), *next = NULL; visit != NULL; visit = next) {
        next = TAILQ_NEXT(visit, link);
        visit_free(visit);
    }
    free(http);
}
