/* SPDX-License-Identifier: MIT */
/* The verbs about the database, which worker threads answer: TABLES PIN UNPIN FSCK. */
#include "answer/answer_table.h"
#include "answer/verify/contents.h"
#include "daemon/lookup/lookup_worker.h"
#include "daemon/net/pending_reply.h"
#include "daemon/verbs/verb_commands.h"
#include "space/text/library.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

/* ---- tables ---- */

static bool list_table(void *context, const struct table_record *table)
{
    static const char *const kinds[TABLE_KINDS] = {[TABLE_NONE] = "none",
                                                   [TABLE_RUNS] = "runs",
                                                   [TABLE_DENSE] = "dense",
                                                   [TABLE_RANKED] = "ranked",
                                                   [TABLE_PATTERN] = "pattern"};
    struct reply_records *listing = context;
    struct text *out = &listing->lines;
    text_add(out, "table=");
    text_quoted(out, table->name);
    text_key(out, "kind", kinds[table->kind]);
    text_key(out, "complete", table->complete ? "yes" : "no");
    text_format(out, " depth=%" PRIu32 " states=%" PRIu64 " bytes=%" PRIu64 " job=%" PRIu64, table->depth,
                table->states, table->bytes, table->job);
    text_key(out, "pinned", table->pinned ? "yes" : "no");
    text_format(out, " created_ms=%" PRIu64 " used_ms=%" PRIu64, table->created_ms, table->used_ms);
    reply_record_end(listing);
    return true;
}

/* Adds the table's histogram to the listing's last record: " entries=\"1 2 4 …\"". */
static enum pz_status add_histogram(struct store *store, const struct table_record *table,
                                    struct reply_records *listing, struct pz_error *error)
{
    uint64_t *counts = NULL;
    uint32_t values = 0;
    enum pz_status status = table_histogram(store, table, &counts, &values, error);
    if (status != PZ_OK)
        return status;
    if (!listing->lines.failed) /* else the line's end may be missing */
        text_cut(&listing->lines, listing->lines.length - 1);
    text_add(&listing->lines, " entries=\"");
    for (uint32_t i = 0; i < values; i++)
        text_format(&listing->lines, "%s%" PRIu64, i > 0 ? " " : "", counts[i]);
    text_add(&listing->lines, "\"");
    reply_line_end(&listing->lines);
    free(counts);
    return PZ_OK;
}

/* Lists one table, with its histogram if the request asks for it. */
static enum pz_status list_named(struct store *store, const struct request *request,
                                 struct reply_records *listing, struct pz_error *error)
{
    struct table_record *table = malloc(sizeof *table);
    if (table == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a table");
    enum pz_status status = store_table_find(store, request_text(request, KEY_TABLE), table, error);
    if (status == PZ_OK) {
        (void)list_table(listing, table);
        if (request_number(request, KEY_HISTOGRAM, 0) != 0)
            status = add_histogram(store, table, listing, error);
    }
    free(table);
    return status;
}

enum pz_status command_tables(struct lookup_worker *worker, const struct request *request, struct text *out,
                              struct pz_error *error)
{
    struct reply_records listing = {0};
    struct store *store = lookup_worker_store(worker);
    const bool named = request_text(request, KEY_TABLE) != NULL;
    unsigned damaged = 0;
    if (!named && request_number(request, KEY_HISTOGRAM, 0) != 0)
        return pz_fail(error, PZ_BAD_REQUEST, "histogram=yes needs table=NAME");
    enum pz_status status = named ? list_named(store, request, &listing, error)
                                  : store_tables(store, list_table, &listing, &damaged, error);
    if (status != PZ_OK) {
        text_free(&listing.lines);
        return status;
    }
    reply_list(out, request->tag, listing.count);
    if (damaged > 0)
        text_format(out, " unreadable=%u", damaged);
    reply_records_write(&listing, out);
    return PZ_OK;
}

/* ---- the database ---- */

enum pz_status command_pin(struct lookup_worker *worker, const struct request *request, struct text *out,
                           struct pz_error *error)
{
    const bool pinned = request->verb == VERB_PIN;
    struct store *store = lookup_worker_store(worker);
    const char *table = request->argument[0];
    enum pz_status status = store_table_pin(store, table, pinned, error);
    if (status != PZ_OK)
        return status;
    /* UNDEFINE first says that it removes, and then looks for pinned tables: one of the two sees the other.
     */
    if (pinned && library_standing(table) != LIBRARY_THERE) {
        status = store_table_pin(store, table, false, error);
        return status != PZ_OK ? status : pz_fail(error, PZ_BUSY, "the definition of its puzzle is removed");
    }
    reply_ok(out, request->tag);
    text_key(out, "table", table);
    text_key(out, "pinned", pinned ? "yes" : "no");
    reply_line_end(out);
    return PZ_OK;
}

static void list_fault(void *context, const char *fault)
{
    struct reply_records *listing = context;
    text_add(&listing->lines, "text=");
    text_quoted(&listing->lines, fault);
    reply_record_end(listing);
}

enum pz_status command_fsck(struct lookup_worker *worker, const struct request *request, struct text *out,
                            struct pz_error *error)
{
    /* A check of a large database takes long: one at a time, so that the pool's other threads stay free. */
    static atomic_flag at_work = ATOMIC_FLAG_INIT;
    struct reply_records listing = {0};
    struct store_check check = {0};
    if (atomic_flag_test_and_set_explicit(&at_work, memory_order_acquire))
        return pz_fail(error, PZ_BUSY, "the database is being checked already");
    enum pz_status status = store_fsck(lookup_worker_store(worker), list_fault, &listing, &check, error);
    if (status == PZ_OK && check.faults == 0)
        status = contents_check(lookup_worker_store(worker), list_fault, &listing, &check.faults, error);
    atomic_flag_clear_explicit(&at_work, memory_order_release);
    if (status != PZ_OK) {
        text_free(&listing.lines);
        return status;
    }
    reply_list(out, request->tag, listing.count);
    text_format(out, " values=%" PRIu64 " bytes=%" PRIu64, check.values, check.bytes);
    reply_records_write(&listing, out);
    return PZ_OK;
}
