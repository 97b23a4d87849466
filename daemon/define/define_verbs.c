/* SPDX-License-Identifier: MIT */
/* DEFINE and UNDEFINE, which are decided, written and then reported; DEFINITIONS. */
#include "base/clock.h"
#include "daemon/define/definitions.h"
#include "daemon/net/clients.h"
#include "daemon/net/draft.h"
#include "daemon/net/pending_reply.h"
#include "daemon/pool/thread_pool.h"
#include "daemon/schedule/scheduler.h"
#include "daemon/server.h"
#include "daemon/verbs/verb_commands.h"
#include "space/text/library.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * A request on its way. DEFINE: a worker compiles the text, the loop decides, the store writes, the loop
 * reports. UNDEFINE: the loop decides, a worker looks for pinned tables, the store writes, the loop reports.
 * While the store writes, the library's state of the definition keeps other requests from deciding otherwise.
 */
struct defining {
    struct work_item item; /* first; its message also brings the store's acknowledgement */
    struct server *server;
    struct pending_reply *pending;
    struct defining *next;   /* in the server's list while it is written, or in `joined` */
    struct defining *joined; /* DEFINE of the same text, which are answered with this one */
    char name[DEFINITION_NAME_MAX], owner[64];
    bool removes, strict;
    enum definition_format format;
    char *text;
    size_t length;
    const struct definition *definition; /* DEFINE: what was made of the text; UNDEFINE: what is to go */
    bool known;                          /* DEFINE: it was there, or came already */
    struct pz_error error;
    enum pz_status status;
};

static void write_puzzle(const struct definition *definition, struct text *out)
{
    text_format(out, " puzzle=%s:%s", definition_format_word(definition->format), definition->id);
}

/* ---- the end ---- */

static void write_done(const struct defining *defining, struct text *out)
{
    reply_ok(out, pending_reply_tag(defining->pending));
    text_key(out, "name", defining->name);
    if (defining->removes) {
        text_add(out, " forgotten=yes");
    } else {
        text_format(out, " format=%s", definition_format_word(defining->format));
        write_puzzle(defining->definition, out);
        text_format(out, " cached=%s", defining->known ? "yes" : "no");
        if (defining->definition->meaning->remarks != NULL)
            text_key(out, "remarks", defining->definition->meaning->remarks);
    }
    reply_line_end(out);
}

/* Reports to the client how it ended, and frees the request. */
static void defining_end(struct defining *defining)
{
    struct text out = {0};
    if (defining->status == PZ_OK) {
        write_done(defining, &out);
        pending_reply_finish(defining->pending, &out, PZ_OK);
    } else {
        defining->error.code = defining->status;
        pending_reply_fail(defining->pending, &defining->error);
    }
    definition_release(defining->definition);
    free(defining->text);
    free(defining);
}

/* ---- written ---- */

/* Returns what points to the request about a name in the server's list; it is there. */
static struct defining **find_defining(struct server *server, const char *name)
{
    struct defining **link = &server->defining;
    while (strcmp((*link)->name, name) != 0)
        link = &(*link)->next;
    return link;
}

/* The store has written it, or could not. */
static void defining_written(struct loop_message *message)
{
    struct defining *defining = (struct defining *)message;
    const bool done = defining->status == PZ_OK;
    struct defining **link = find_defining(defining->server, defining->name);
    assert(*link == defining);
    *link = defining->next;
    library_move(defining->name, done == defining->removes ? LIBRARY_ABSENT : LIBRARY_THERE);
    for (struct defining *joined = defining->joined, *next = NULL; joined != NULL; joined = next) {
        next = joined->next;
        joined->status = defining->status;
        joined->error = defining->error;
        defining_end(joined);
    }
    defining_end(defining);
}

/* On the store's writer thread. */
static void defining_acknowledged(void *context, enum pz_status status, const struct pz_error *error)
{
    struct defining *defining = context;
    defining->status = status;
    if (status != PZ_OK)
        defining->error = *error;
    defining->item.message.deliver = defining_written;
    loop_queue_post(defining->server->loop_queue, &defining->item.message);
}

static void list_defining(struct defining *defining)
{
    defining->next = defining->server->defining;
    defining->server->defining = defining;
}

/* ---- decided ---- */

/* The text is compiled: what the library has by now decides. What was handed to the store has its status from
 * there. */
static void define_decide(struct defining *defining)
{
    enum library_state was = LIBRARY_ABSENT;
    const struct store_ack ack = {defining_acknowledged, defining};
    enum pz_status status = defining->status;
    if (status == PZ_OK)
        status =
            definitions_begin(defining->server->store, defining->definition, &ack, &was, &defining->error);
    defining->known = was != LIBRARY_ABSENT;
    if (status != PZ_OK || was == LIBRARY_THERE) {
        defining->status = status;
        defining_end(defining);
    } else if (was == LIBRARY_COMING) {
        struct defining *first = *find_defining(defining->server, defining->name);
        defining->next = first->joined;
        first->joined = defining;
    } else {
        list_defining(defining);
    }
}

/* No table keeps it: its removal is written. */
static void undefine_go_on(struct defining *defining)
{
    const struct store_ack ack = {defining_acknowledged, defining};
    enum pz_status status = defining->status;
    if (status == PZ_OK)
        status = definitions_remove(defining->server->store, defining->name, &ack, &defining->error);
    if (status == PZ_OK) {
        list_defining(defining);
    } else {
        defining->status = status;
        library_move(defining->name, LIBRARY_THERE);
        defining_end(defining);
    }
}

/* ---- on a worker ---- */

static void defining_work(struct work_item *item, void *worker)
{
    struct defining *defining = (struct defining *)item;
    struct definition *made = NULL;
    (void)worker;
    if (defining->removes) {
        defining->status =
            definitions_check_unpinned(defining->server->store, defining->definition, &defining->error);
        return;
    }
    defining->status = definitions_compile(defining->format, defining->name, defining->owner, clock_wall_ms(),
                                           defining->text, defining->length, &made, &defining->error);
    if (defining->status == PZ_OK && defining->strict && made->meaning->remarks != NULL) {
        defining->status = pz_fail(&defining->error, PZ_BAD_PUZZLE, "%.300s", made->meaning->remarks);
        definition_release(made);
        made = NULL;
    }
    defining->definition = made;
}

static void defining_worked(struct loop_message *message)
{
    struct defining *defining = (struct defining *)message;
    if (defining->removes)
        undefine_go_on(defining);
    else
        define_decide(defining);
}

/* Takes over what the request holds; returns false without memory. */
static bool begin_defining(struct server *server, struct pending_reply *pending, struct defining *about)
{
    struct defining *defining = malloc(sizeof *defining);
    struct pz_error error;
    if (defining == NULL) {
        free(about->text);
        definition_release(about->definition);
        (void)pz_fail(&error, PZ_MEMORY, "no memory for a definition");
        pending_reply_fail(pending, &error);
        return false;
    }
    *defining = *about;
    defining->item = (struct work_item){.message.deliver = defining_worked, .work = defining_work};
    defining->server = server;
    defining->pending = pending;
    (void)snprintf(defining->owner, sizeof defining->owner, "%s", pending->client->name);
    thread_pool_submit(server->slow_requests, &defining->item, pending->client);
    return true;
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
    return pz_fail(error, PZ_BAD_REQUEST,
                   "text=: a percent sign stands before two hexadecimal digits, not 00 (a file in UTF-16 has "
                   "such bytes): %%0A is a line end, %%25 is %%");
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
    about.strict = request_number(request, KEY_STRICT, 0) != 0;
    about.text = draft_take(draft, &about.length);
    if (about.text == NULL)
        about.text = strdup("");
    (void)begin_defining(server, pending, &about);
}

/* ---- UNDEFINE ---- */

/* Refuses a definition whose puzzle a job waits for or works on, and that no other name stands for. */
static enum pz_status check_unused(struct server *server, const struct definition *definition,
                                   struct pz_error *error)
{
    char puzzle[DEFINITION_ID_BYTES + 16];
    const struct jobs *jobs = scheduler_jobs(server->scheduler);
    const int length =
        snprintf(puzzle, sizeof puzzle, "%s:%s", definition_format_word(definition->format), definition->id);
    if (library_has_other_name(definition))
        return PZ_OK;
    for (const struct job *job = jobs_next(jobs, 0); job != NULL; job = jobs_next(jobs, job->record.id))
        if ((!job_state_ended(job->record.state) || job->phase == PHASE_RESTARTING) &&
            strncmp(job->record.puzzle, puzzle, (size_t)length) == 0)
            return pz_fail(error, PZ_BUSY, "job %" PRIu64 " works on it: CANCEL it first", job->record.id);
    return PZ_OK;
}

void command_undefine(struct server *server, struct pending_reply *pending, const struct request *request)
{
    struct defining about = {.removes = true};
    struct pz_error error;
    const char *name = request->argument[0];
    enum pz_status status = definition_check_name(name, &error);
    if (status == PZ_OK)
        status = definitions_find(name, pending->client->name, pending->client->is_root, &about.definition,
                                  &error);
    if (status == PZ_OK)
        status = check_unused(server, about.definition, &error);
    if (status != PZ_OK) {
        definition_release(about.definition);
        pending_reply_fail(pending, &error);
        return;
    }
    (void)snprintf(about.name, sizeof about.name, "%s", name);
    library_move(name,
                 LIBRARY_GOING); /* before the worker looks for pinned tables (PIN in commands_tables.c) */
    if (!begin_defining(server, pending, &about))
        library_move(name, LIBRARY_THERE);
}

/* ---- DEFINITIONS ---- */

static void list_definition(const struct definition *definition, struct reply_records *records)
{
    struct text *out = &records->lines;
    text_format(out, "name=%s", definition->name);
    text_format(out, " format=%s", definition_format_word(definition->format));
    write_puzzle(definition, out);
    text_format(out, " bytes=%zu", definition->length);
    if (definition->owner[0] != '\0')
        text_key(out, "submitter", definition->owner);
    if (definition->created_ms > 0)
        text_format(out, " created_ms=%" PRIu64, definition->created_ms);
    reply_record_end(records);
}

enum pz_status command_definitions(struct lookup_worker *worker, const struct request *request,
                                   struct text *out, struct pz_error *error)
{
    struct reply_records records = {0};
    const struct definition *definition = NULL;
    (void)worker;
    (void)error;
    while ((definition = library_next(definition)) != NULL)
        list_definition(definition, &records);
    reply_list(out, request->tag, records.count);
    reply_records_write(&records, out);
    return PZ_OK;
}
