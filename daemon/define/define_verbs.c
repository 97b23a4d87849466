/* SPDX-License-Identifier: MIT */
/* DEFINE and UNDEFINE, which begin on the loop thread and wait for the disk on a worker; DEFINITIONS. */
#include "base/clock.h"
#include "daemon/define/definitions.h"
#include "daemon/net/clients.h"
#include "daemon/net/draft.h"
#include "daemon/net/pending_reply.h"
#include "daemon/net/send_reply.h"
#include "daemon/pool/thread_pool.h"
#include "daemon/schedule/scheduler.h"
#include "daemon/server.h"
#include "daemon/verbs/verb_commands.h"
#include "space/text/library.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What a worker is to do, and what came of it. */
struct defining {
    struct work_item item;
    struct server *server;
    struct pending_reply *pending;
    char name[DEFINITION_NAME_MAX], owner[64];
    bool any_owner, removes;
    enum definition_format format;
    char *text;
    size_t length;
    const struct definition *made;
    bool known;
    struct pz_error error;
    enum pz_status status;
};

/* ---- on a worker ---- */

static void defining_work(struct work_item *item, void *member)
{
    struct defining *defining = (struct defining *)item;
    struct store *store = defining->server->store;
    (void)member;
    if (defining->removes)
        defining->status = definitions_undefine(store, defining->name, defining->owner, defining->any_owner,
                                                &defining->error);
    else
        defining->status =
            definitions_define(store, defining->format, defining->name, defining->owner, defining->text,
                               defining->length, &defining->made, &defining->known, &defining->error);
}

static void write_puzzle(const struct definition *definition, struct text *out)
{
    text_format(out, " puzzle=%s:%s", definition_format_word(definition->format), definition->id);
}

static void defining_deliver(struct loop_message *message)
{
    struct defining *defining = (struct defining *)message;
    struct text out = {0};
    if (defining->status == PZ_OK) {
        reply_ok(&out, pending_reply_tag(defining->pending));
        text_key(&out, "name", defining->name);
        if (defining->removes) {
            text_add(&out, " forgotten=yes");
        } else {
            text_format(&out, " format=%s", definition_format_word(defining->format));
            write_puzzle(defining->made, &out);
            text_format(&out, " cached=%s", defining->known ? "yes" : "no");
        }
        reply_line_end(&out);
        pending_reply_finish(defining->pending, &out, PZ_OK);
    } else {
        defining->error.code = defining->status;
        pending_reply_fail(defining->pending, &defining->error);
    }
    definition_release(defining->made);
    free(defining->text);
    free(defining);
}

static void begin_defining(struct server *server, struct pending_reply *pending, struct defining *about)
{
    struct defining *defining = malloc(sizeof *defining);
    struct pz_error error;
    if (defining == NULL) {
        free(about->text);
        (void)pz_fail(&error, PZ_MEMORY, "no memory for a definition");
        pending_reply_fail(pending, &error);
        return;
    }
    *defining = *about;
    defining->item = (struct work_item){.message.deliver = defining_deliver, .work = defining_work};
    defining->server = server;
    defining->pending = pending;
    (void)snprintf(defining->owner, sizeof defining->owner, "%s", pending->client->name);
    defining->any_owner = pending->client->is_root;
    thread_pool_submit(server->slow_requests, &defining->item, pending->client);
}

/* ---- DEFINE ---- */

static int hex_digit(char c)
{
    const char *digits = "0123456789abcdef";
    const char *found = c != '\0' ? strchr(digits, c | 0x20) : NULL;
    return found != NULL ? (int)(found - digits) : -1;
}

/* Resolves %0A and the like in place. Returns false for a percent sign without two digits, or a zero byte. */
static bool percent_decode(char *text, size_t *length)
{
    char *out = text;
    for (const char *at = text; *at != '\0'; at++) {
        *out = *at;
        if (*at == '%') {
            const int high = hex_digit(at[1]);
            const int low = high >= 0 ? hex_digit(at[2]) : -1;
            if (low < 0 || high + low == 0)
                return false;
            *out = (char)(high * 16 + low);
            at += 2;
        }
        out++;
    }
    *length = (size_t)(out - text);
    return true;
}

static enum pz_status take_part(struct draft *draft, const struct request *request, struct pz_error *error)
{
    char part[PROTOCOL_LINE_MAX + 1];
    size_t length = 0;
    (void)snprintf(part, sizeof part, "%s", request_text(request, KEY_TEXT));
    if (percent_decode(part, &length))
        return draft_add(draft, clock_seconds(), (uint64_t)request_number(request, KEY_AT, 0), part, length,
                         DEFINITION_TEXT_MAX, error);
    draft_drop(draft);
    return pz_fail(
        error, PZ_BAD_REQUEST,
        "text=: a percent sign stands before two hexadecimal digits: %%0A is a line end, %%25 is %%");
}

static void answer_part(struct pending_reply *pending, uint64_t bytes)
{
    struct text out = {0};
    reply_ok(&out, pending_reply_tag(pending));
    text_format(&out, " bytes=%" PRIu64 " more=yes", bytes);
    reply_line_end(&out);
    pending_reply_finish(pending, &out, PZ_OK);
}

void command_define(struct server *server, struct pending_reply *pending, const struct request *request)
{
    struct defining about = {.format = (enum definition_format)request_number(request, KEY_FORMAT, 0)};
    struct draft *draft = connection_draft(pending->connection);
    struct pz_error error;
    const char *name = request_text(request, KEY_NAME);
    enum pz_status status = definition_check_name(name, &error);
    if (status == PZ_OK)
        status = take_part(draft, request, &error);
    if (status != PZ_OK) {
        pending_reply_fail(pending, &error);
        return;
    }
    (void)snprintf(about.name, sizeof about.name, "%s", name);
    if (request_number(request, KEY_MORE, 0) != 0) {
        answer_part(pending, draft->text.length);
        return;
    }
    about.text = draft_take(draft, &about.length);
    if (about.text == NULL)
        about.text = strdup("");
    begin_defining(server, pending, &about);
}

/* ---- UNDEFINE ---- */

/* Returns a job of the definition's puzzle that waits or runs; NULL if there is none. */
static const struct job *find_user(struct server *server, const char *name)
{
    char puzzle[PZ_SIZE_MAX + 64];
    const struct jobs *jobs = scheduler_jobs(server->scheduler);
    const struct job *job = NULL;
    if (!library_lasting_text(name, puzzle))
        return NULL;
    for (job = jobs_next(jobs, 0); job != NULL; job = jobs_next(jobs, job->record.id))
        if (!job_state_ended(job->record.state) && strncmp(job->record.puzzle, puzzle, strlen(puzzle)) == 0)
            break;
    return job;
}

void command_undefine(struct server *server, struct pending_reply *pending, const struct request *request)
{
    struct defining about = {.removes = true};
    struct pz_error error;
    const char *name = request->argument[0];
    const struct job *user = NULL;
    enum pz_status status = definition_check_name(name, &error);
    if (status == PZ_OK && (user = find_user(server, name)) != NULL)
        status = pz_fail(&error, PZ_BUSY, "job %" PRIu64 " works on it: CANCEL it first", user->record.id);
    if (status != PZ_OK) {
        pending_reply_fail(pending, &error);
        return;
    }
    (void)snprintf(about.name, sizeof about.name, "%s", name);
    begin_defining(server, pending, &about);
}

/* ---- DEFINITIONS ---- */

static void write_definition(const struct definition *definition, struct text *out)
{
    text_format(out, "name=%s", definition->name);
    text_format(out, " format=%s", definition_format_word(definition->format));
    write_puzzle(definition, out);
    text_format(out, " bytes=%zu", definition->length);
    if (definition->owner[0] != '\0')
        text_key(out, "submitter", definition->owner);
    if (definition->created_ms > 0)
        text_format(out, " created_ms=%" PRIu64, definition->created_ms);
    reply_line_end(out);
}

enum pz_status command_definitions(struct lookup_worker *worker, const struct request *request,
                                   struct text *out, struct pz_error *error)
{
    struct text lines = {0};
    size_t count = 0;
    const struct definition *definition = NULL;
    (void)worker;
    (void)error;
    for (; (definition = library_at((unsigned)count)) != NULL; count++) {
        write_definition(definition, &lines);
        definition_release(definition);
    }
    reply_list(out, request->tag, count);
    reply_line_end(out);
    text_join(out, &lines);
    reply_list_end(out);
    text_free(&lines);
    return PZ_OK;
}
