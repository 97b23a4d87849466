/* SPDX-License-Identifier: MIT */
/* The verbs about the daemon itself: PING VERSION HELP STATS METRICS QUIT. */
#include "base/clock.h"
#include "daemon/net/pending_reply.h"
#include "daemon/server_figures.h"
#include "daemon/verbs/verb_commands.h"
#include "version.h"

#include <inttypes.h>
#include <strings.h>

void command_ping(struct server *server, struct pending_reply *pending, const struct request *request)
{
    struct text out = {0};
    (void)server;
    (void)request;
    reply_ok(&out, pending_reply_tag(pending));
    text_add(&out, " pong=yes");
    reply_line_end(&out);
    pending_reply_finish(pending, &out, PZ_OK);
}

void command_version(struct server *server, struct pending_reply *pending, const struct request *request)
{
    struct text out = {0};
    (void)server;
    (void)request;
    reply_ok(&out, pending_reply_tag(pending));
    text_format(&out, " version=%s protocol=%d", PUZZLED_VERSION, PROTOCOL_VERSION);
    reply_line_end(&out);
    pending_reply_finish(pending, &out, PZ_OK);
}

static bool help_wants(const struct request *request, enum verb verb)
{
    return request->argument_count == 0 || strcasecmp(request->argument[0], verb_row(verb)->word) == 0;
}

static void write_help(enum verb verb, struct text *out)
{
    struct text usage = {0};
    verb_usage(verb, &usage);
    text_format(out, "verb=%s", verb_row(verb)->word);
    text_key(out, "takes", text_string(&usage));
    text_key(out, "does", verb_row(verb)->summary);
    reply_line_end(out);
    out->failed |= usage.failed;
    text_free(&usage);
}

void command_help(struct server *server, struct pending_reply *pending, const struct request *request)
{
    struct text out = {0};
    struct pz_error error;
    size_t count = 0;
    (void)server;
    for (unsigned verb = 0; verb < VERB_COUNT; verb++)
        count += help_wants(request, (enum verb)verb);
    if (count == 0) {
        (void)pz_fail(&error, PZ_BAD_REQUEST, "no verb '%.40s'; HELP alone lists them", request->argument[0]);
        pending_reply_fail(pending, &error);
        return;
    }
    reply_list(&out, pending_reply_tag(pending), count);
    reply_line_end(&out);
    for (unsigned verb = 0; verb < VERB_COUNT; verb++)
        if (help_wants(request, (enum verb)verb))
            write_help((enum verb)verb, &out);
    reply_list_end(&out);
    pending_reply_finish(pending, &out, PZ_OK);
}

void command_quit(struct server *server, struct pending_reply *pending, const struct request *request)
{
    struct text out = {0};
    (void)server;
    (void)request;
    reply_ok(&out, pending_reply_tag(pending));
    text_add(&out, " bye=yes");
    reply_line_end(&out);
    pending_reply_close_connection(pending);
    pending_reply_finish(pending, &out, PZ_OK);
}

void command_stats(struct server *server, struct pending_reply *pending, const struct request *request)
{
    struct text out = {0};
    (void)request;
    reply_ok(&out, pending_reply_tag(pending));
    server_stats(server, &out);
    reply_line_end(&out);
    pending_reply_finish(pending, &out, PZ_OK);
}

static size_t count_lines(const struct text *text)
{
    size_t lines = 0;
    for (size_t i = 0; i < text->length; i++)
        lines += text->data[i] == '\n';
    return lines;
}

void command_metrics(struct server *server, struct pending_reply *pending, const struct request *request)
{
    struct text out = {0};
    struct text lines = {0};
    (void)request;
    server_metrics(server, &lines);
    reply_list(&out, pending_reply_tag(pending), count_lines(&lines));
    reply_line_end(&out);
    text_join(&out, &lines);
    reply_list_end(&out);
    text_free(&lines);
    pending_reply_finish(pending, &out, PZ_OK);
}
