/* SPDX-License-Identifier: MIT */
/* The verbs about the daemon itself: PING VERSION HELP STATS METRICS QUIT. */
#include "base/clock.h"
#include "daemon/net/pending_reply.h"
#include "daemon/server_figures.h"
#include "daemon/verbs/verb_commands.h"
#include "version.h"

#include <inttypes.h>
#include <strings.h>

/* PING, VERSION, STATS, QUIT: one line. */
void command_self(struct server *server, struct pending_reply *pending, const struct request *request)
{
    struct text out = {0};
    reply_ok(&out, pending_reply_tag(pending));
    if (request->verb == VERB_PING)
        text_add(&out, " pong=yes");
    else if (request->verb == VERB_VERSION)
        text_format(&out, " version=%s protocol=%d", PUZZLED_VERSION, PROTOCOL_VERSION);
    else if (request->verb == VERB_STATS)
        server_stats(server, &out);
    else
        text_add(&out, " bye=yes");
    reply_line_end(&out);
    if (request->verb == VERB_QUIT)
        pending_reply_close_connection(pending);
    pending_reply_finish(pending, &out, PZ_OK);
}

static bool help_wants(const struct request *request, enum verb verb)
{
    return request->argument_count == 0 || strcasecmp(request->argument[0], verb_row(verb)->word) == 0;
}

static void write_help(enum verb verb, struct reply_records *records)
{
    struct text *out = &records->lines;
    struct text usage = {0};
    verb_usage(verb, &usage);
    text_format(out, "verb=%s", verb_row(verb)->word);
    text_key(out, "takes", text_string(&usage));
    text_key(out, "does", verb_row(verb)->summary);
    reply_record_end(records);
    out->failed |= usage.failed;
    text_free(&usage);
}

void command_help(struct server *server, struct pending_reply *pending, const struct request *request)
{
    struct text out = {0};
    struct reply_records records = {0};
    struct pz_error error;
    (void)server;
    for (unsigned verb = 0; verb < VERB_COUNT; verb++)
        if (help_wants(request, (enum verb)verb))
            write_help((enum verb)verb, &records);
    if (records.count == 0) {
        (void)pz_fail(&error, PZ_BAD_REQUEST, "no verb '%.40s'; HELP alone lists them", request->argument[0]);
        pending_reply_fail(pending, &error);
        return;
    }
    reply_list(&out, pending_reply_tag(pending), records.count);
    reply_records_write(&records, &out);
    pending_reply_finish(pending, &out, PZ_OK);
}

static size_t count_text_lines(const struct text *text)
{
    size_t lines = 0;
    for (size_t i = 0; i < text->length; i++)
        lines += text->data[i] == '\n';
    return lines;
}

void command_metrics(struct server *server, struct pending_reply *pending, const struct request *request)
{
    struct text out = {0};
    struct reply_records records = {0};
    (void)request;
    server_metrics(server, &records.lines);
    reply_list(&out, pending_reply_tag(pending), count_text_lines(&records.lines));
    reply_records_write(&records, &out);
    pending_reply_finish(pending, &out, PZ_OK);
}
