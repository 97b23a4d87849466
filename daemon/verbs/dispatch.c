/* SPDX-License-Identifier: MIT */
#include "daemon/verbs/verb_commands.h"

#include "base/log.h"
#include "daemon/lookup/lookup_batch.h"
#include "daemon/net/pending_reply.h"
#include "daemon/server_state.h"
#include "daemon/verbs/submission.h"

#include <inttypes.h>
#include <stdlib.h>

static const struct verb_command commands[VERB_COUNT] = {
#define SUBMITS(verb)                  [VERB_##verb] = {.submits = true},
#define ON_LOOP(verb, function, ...)   [VERB_##verb] = {.on_loop = (function), __VA_ARGS__},
#define ON_WORKER(verb, function, ...) [VERB_##verb] = {.on_worker = (function), __VA_ARGS__},
#include "daemon/verbs/verb_commands.inc"
};

_Static_assert((unsigned)VERB_COUNT <= (unsigned)METRICS_NO_VERB, "each verb has a number in the metrics");

/* Returns a verb's row; NULL for VERB_COUNT. */
static const struct verb_command *command_row(enum verb verb)
{
    return (unsigned)verb < VERB_COUNT ? &commands[verb] : NULL;
}

lookup_function *command_on_worker(enum verb verb)
{
    const struct verb_command *command = command_row(verb);
    return command != NULL ? command->on_worker : NULL;
}

static const struct verb_command *command_of_line(const char *line, size_t length)
{
    size_t verb = 0;
    while (verb < length && line[verb] != ' ')
        verb++;
    return command_row(verb_find(line, verb));
}

bool command_is_lookup(const char *line, size_t length)
{
    const struct verb_command *command = command_of_line(line, length);
    return command != NULL && command->batches;
}

bool command_is_submission(const char *line, size_t length)
{
    const struct verb_command *command = command_of_line(line, length);
    return command != NULL && command->submits;
}

/* Logs who made a request that cannot be undone or that concerns others. */
static void log_request(const struct pending_reply *pending, const struct request *request)
{
    struct log_quote argument;
    log_event(LOG_LEVEL_INFO, 0, "event=request verb=%s argument=\"%s\" client=%s", request->word,
              log_quote(&argument, request->argument[0]), pending->client->name);
}

/* Takes the request over. */
static void carry_out(struct server *server, const struct verb_command *command,
                      struct pending_reply *pending, struct request *request)
{
    if (command->logged)
        log_request(pending, request);
    if (command->submits) {
        submission_begin(server, pending, request);
    } else if (command->on_worker != NULL) {
        lookup_batch_single(server, pending, request, command->length);
    } else {
        command->on_loop(server, pending, request);
        free(request);
    }
}

void command_run(void *context, struct pending_reply *pending, const char *line, size_t length)
{
    struct server *server = context;
    struct request *request = malloc(sizeof *request);
    struct pz_error error;
    if (request == NULL) {
        pending_reply_close_connection(pending); /* not even the tag is known */
        (void)pz_fail(&error, PZ_MEMORY, "no memory for the request");
        pending_reply_fail(pending, &error);
        return;
    }
    enum pz_status status = request_parse(request, line, length, &error);
    if (request->tag != NULL)
        (void)snprintf(pending->tag, sizeof pending->tag, "%s", request->tag);
    if (status == PZ_OK)
        status = request_understand(request, &error);
    const struct verb_command *command = command_row(request->verb);
    if (command != NULL)
        pending->verb = request->verb;
    if (status == PZ_OK && pending->too_soon)
        status = pz_fail(&error, PZ_LIMIT,
                         "too many requests a second: by [limits] requests-per-second %" PRIu64
                         " of yours may come",
                         server->config.requests_per_second);
    if (status == PZ_OK && server->stopping)
        status = pz_fail(&error, PZ_SHUTTING_DOWN, "the daemon is stopping");
    if (status == PZ_OK && command != NULL) {
        carry_out(server, command, pending, request);
    } else {
        pending_reply_fail(pending, &error);
        free(request);
    }
}
