/* SPDX-License-Identifier: MIT */
#include "store/engine/writer.h"

#include "base/clock.h"
#include "base/log.h"
#include "store/engine/garbage.h"
#include "store/engine/operation.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    GROUP_BYTES = 48 << 20, /* of one transaction; one operation may be larger */
    /* of one transaction of large operations; small ones may have to wait for it */
    BATCH_GROUP_BYTES = 24 << 20,
    BEHIND_BYTES = 4 << 20,   /* writes behind that take more are committed at once */
    READER_CHECK_COMMITS = 64 /* between looks for readers whose process was killed */
};
static const double behind_seconds = 0.5;  /* the longest that a write behind waits */
static const double retry_seconds = 1;     /* between tries of a write behind that failed */
static const double patience_seconds = 30; /* from its first failure until it is given up */

struct writer {
    struct environment *environment;
    pthread_t thread;
    pthread_mutex_t lock; /* guards everything below */
    pthread_cond_t work;
    struct operation_queue small, large;
    bool large_next; /* the turn, if both have operations */
    bool ending;
    double due; /* clock_seconds(): of the writes behind in small, or of the next look for garbage */
    struct pending pending;
    struct garbage garbage;
    uint64_t commits;
    struct pz_error last_failure; /* of a write behind; PZ_OK again when one was made after all */
};

/* ---- the queue; all of these with the lock held ---- */

static void enqueue(struct writer *writer, struct operation *operation)
{
    if (operation->kind == OPERATION_LARGE) {
        operation_queue_append(&writer->large, operation);
        return;
    }
    if (writer->small.first == NULL)
        writer->due = clock_seconds() + behind_seconds;
    operation_queue_append(&writer->small, operation);
    for (struct change *change = operation->changes; change != NULL; change = change->next)
        pending_add(&writer->pending, change);
}

static bool small_is_due(const struct writer *writer)
{
    const struct operation_queue *small = &writer->small;
    if (small->first == NULL)
        return false;
    /* Operations that are tried again wait until they are due, however many they are. */
    bool many = small->bytes > BEHIND_BYTES && small->first->first_failed <= 0;
    return small->urgent > 0 || writer->ending || many || clock_seconds() >= writer->due;
}

static bool must_commit(const struct writer *writer)
{
    return writer->large.first != NULL || small_is_due(writer);
}

static struct operation *writer_take_group(struct writer *writer)
{
    assert(must_commit(writer));
    bool large = writer->large.first != NULL && (writer->large_next || !small_is_due(writer));
    writer->large_next = !large;
    return large ? operation_queue_take(&writer->large, BATCH_GROUP_BYTES)
                 : operation_queue_take(&writer->small, GROUP_BYTES);
}

/* Returns true for a write behind that failed and goes back to the front of the queue. Notes why it failed,
 * or that the disk takes writes again. */
static bool worth_another_try(struct writer *writer, struct operation *operation)
{
    if (operation->status == PZ_OK && operation->first_failed > 0)
        writer->last_failure.code = PZ_OK;
    if (operation->status == PZ_OK || operation->changes == NULL || operation->ack.done != NULL)
        return false;
    writer->last_failure = operation->error;
    writer->last_failure.code = operation->status;
    const double now = clock_seconds();
    if (operation->first_failed <= 0)
        operation->first_failed = now;
    return now < operation->first_failed + patience_seconds && !writer->ending;
}

/* Takes a finished operation's changes out of the pending ones. If it was committed, changes of the same keys
 * that failed before, and wait, are not made any more. */
static void leave_map(struct writer *writer, const struct operation *operation, struct operation *waiting)
{
    for (struct change *change = operation->changes; change != NULL; change = change->next)
        pending_remove(&writer->pending, change);
    for (; waiting != NULL && operation->status == PZ_OK; waiting = waiting->next)
        operation_supersede(waiting, operation);
}

/* Makes the pending changes those of the queue again, after changes that had replaced some of them failed. */
static void show_waiting(struct writer *writer)
{
    for (struct operation *at = writer->small.first; at != NULL; at = at->next) {
        for (struct change *change = at->changes; change != NULL; change = change->next) {
            pending_remove(&writer->pending, change);
            if (!change->superseded)
                pending_add(&writer->pending, change);
        }
    }
}

/* Parts a group into the finished operations, which are returned, and those to be tried again, which go back
 * to the queue. */
static struct operation *end_group(struct writer *writer, struct operation *group)
{
    struct operation *back = NULL, **back_link = &back;
    struct operation *rest = NULL, **rest_link = &rest;
    while (group != NULL) {
        struct operation *operation = group;
        group = operation->next;
        operation->next = NULL;
        if (worth_another_try(writer, operation)) {
            *back_link = operation;
            back_link = &operation->next;
            continue;
        }
        leave_map(writer, operation, back);
        *rest_link = operation;
        rest_link = &operation->next;
    }
    if (back != NULL) {
        operation_queue_put_back(&writer->small, back);
        show_waiting(writer);
        writer->due = clock_seconds() + retry_seconds;
    }
    return rest;
}

/* The levels of one exploration may be thousands of writes: those that are lost together are one line. */
static void acknowledge(struct operation *group)
{
    unsigned lost = 0;
    struct pz_error why = {0};
    struct log_quote reason;
    while (group != NULL) {
        struct operation *operation = group;
        group = operation->next;
        if (operation->status == PZ_OK && operation->committed != NULL)
            operation->committed(operation->context);
        if (operation->ack.done != NULL)
            operation->ack.done(operation->ack.context, operation->status, &operation->error);
        else if (operation->status != PZ_OK && lost++ == 0)
            why = operation->error;
        operation_free(operation);
    }
    if (lost > 0)
        log_event(LOG_LEVEL_ERROR, 0, "event=store-write-lost writes=%u error=\"%s\"", lost,
                  log_quote(&reason, why.text));
}

/* ---- the thread ---- */

static void writer_wait(struct writer *writer)
{
    while (!must_commit(writer) && !writer->ending && !garbage_is_due(&writer->garbage)) {
        if (writer->small.first == NULL && writer->garbage.count == 0) {
            (void)pthread_cond_wait(&writer->work, &writer->lock);
            continue;
        }
        if (writer->small.first == NULL) /* there is only garbage whose collection was delayed */
            writer->due = writer->garbage.not_before;
        const double left = writer->due - clock_seconds();
        clock_wait(&writer->work, &writer->lock, left > 0 ? (uint64_t)(left * 1e9) + 1 : 0);
    }
}

/* Takes one step of garbage collection, in a small transaction of its own. */
static void collect_some(struct writer *writer)
{
    uint64_t table = garbage_next(&writer->garbage);
    struct log_quote reason;
    (void)pthread_mutex_unlock(&writer->lock);
    struct garbage_step step = {.environment = writer->environment, .table = table};
    struct operation operation = {
        .kind = OPERATION_SMALL, .apply = garbage_apply, .context = &step, .status = PZ_INTERNAL};
    commit_alone(writer->environment, &operation);
    if (operation.status != PZ_OK)
        log_event(LOG_LEVEL_WARNING, 0, "event=store-garbage-failed table=%" PRIu64 " error=\"%s\"", table,
                  log_quote(&reason, operation.error.text));
    (void)pthread_mutex_lock(&writer->lock);
    writer->commits++;
    const bool committed = operation.status == PZ_OK;
    if (committed)
        garbage_freed(&writer->garbage, table, step.freed);
    if (committed ? step.done : step.damaged)
        garbage_drop(&writer->garbage, table);
    else if (!committed)
        garbage_pause(&writer->garbage);
}

/* An operation_apply: writes a value of the bookkeeping again. */
static int rewrite_value(void *context, MDB_txn *txn, struct pz_error *error)
{
    const struct environment *environment = context;
    MDB_cursor *cursor;
    MDB_val key;
    MDB_val value;
    uint8_t copy[256];
    (void)error;
    int code = mdb_cursor_open(txn, environment->databases[DATABASE_META], &cursor);
    if (code != 0)
        return code;
    code = mdb_cursor_get(cursor, &key, &value, MDB_FIRST);
    if (code == 0 && value.mv_size <= sizeof copy) {
        memcpy(copy, value.mv_data, value.mv_size);
        value.mv_data = copy;
        code = mdb_cursor_put(cursor, &key, &value, MDB_CURRENT);
    }
    mdb_cursor_close(cursor);
    return code;
}

/* Commits one small transaction: LMDB gives out freed pages only from the second transaction after. */
static void age_freed_pages(struct environment *environment)
{
    struct operation operation = {
        .kind = OPERATION_SMALL, .apply = rewrite_value, .context = environment, .status = PZ_INTERNAL};
    commit_alone(environment, &operation);
}

/* Collects the garbage, if there is some, after an operation found the database full, and commits it again.
 * Pages that were collected just before may be enough, too. */
static void commit_after_collecting(struct writer *writer, struct operation *operation)
{
    (void)pthread_mutex_lock(&writer->lock);
    while (garbage_is_due(&writer->garbage))
        collect_some(writer);
    (void)pthread_mutex_unlock(&writer->lock);
    age_freed_pages(writer->environment);
    commit_alone(writer->environment, operation);
}

/* Commits operations that cannot be committed together, in their order: a later one may replace what an
 * earlier one writes. */
static void commit_each(struct writer *writer, struct operation *group)
{
    bool collected = false;
    for (struct operation *operation = group; operation != NULL; operation = operation->next) {
        commit_alone(writer->environment, operation);
        if (operation->status == PZ_STORAGE_FULL && !collected) {
            commit_after_collecting(writer, operation);
            collected = true;
        }
    }
}

static void commit_waiting(struct writer *writer)
{
    struct operation *group = writer_take_group(writer);
    (void)pthread_mutex_unlock(&writer->lock);
    if (!commit_group(writer->environment, group))
        commit_each(writer, group);
    (void)pthread_mutex_lock(&writer->lock);
    if (writer->commits++ % READER_CHECK_COMMITS == 0)
        (void)mdb_reader_check(writer->environment->env, NULL);
    group = end_group(writer, group);
    (void)pthread_mutex_unlock(&writer->lock);
    acknowledge(group);
    (void)pthread_mutex_lock(&writer->lock);
}

static void *writer_main(void *argument)
{
    struct writer *writer = argument;
    (void)pthread_mutex_lock(&writer->lock);
    for (;;) {
        writer_wait(writer);
        if (must_commit(writer))
            commit_waiting(writer);
        else if (writer->ending)
            break;
        if (!writer->ending && garbage_is_due(&writer->garbage))
            collect_some(writer);
    }
    assert(writer->small.first == NULL && writer->large.first == NULL && writer->pending.root == NULL);
    (void)pthread_mutex_unlock(&writer->lock);
    return NULL;
}

static void writer_free(struct writer *writer)
{
    garbage_free(&writer->garbage);
    (void)pthread_cond_destroy(&writer->work);
    (void)pthread_mutex_destroy(&writer->lock);
    free(writer);
}

enum pz_status writer_start(struct environment *environment, struct writer **out, struct pz_error *error)
{
    struct writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for the store's writer");
    writer->environment = environment;
    (void)pthread_mutex_init(&writer->lock, NULL);
    (void)pthread_cond_init(&writer->work, NULL);
    int failure = pthread_create(&writer->thread, NULL, writer_main, writer);
    if (failure != 0) {
        writer_free(writer);
        return pz_fail(error, PZ_MEMORY, "cannot start the store's writer: %s", strerrordesc_np(failure));
    }
    *out = writer;
    return PZ_OK;
}

void writer_stop(struct writer *writer)
{
    if (writer == NULL)
        return;
    (void)pthread_mutex_lock(&writer->lock);
    writer->ending = true;
    (void)pthread_cond_signal(&writer->work);
    (void)pthread_mutex_unlock(&writer->lock);
    (void)pthread_join(writer->thread, NULL);
    writer_free(writer);
}

enum pz_status writer_submit(struct writer *writer, struct operation *operation, const struct store_ack *ack,
                             struct pz_error *error)
{
    if (operation == NULL || operation->failed) {
        operation_free(operation);
        return pz_fail(error, PZ_MEMORY, "no memory for a write to the database");
    }
    if (writer == NULL) {
        operation_free(operation);
        return pz_fail(error, PZ_STORAGE, "the database was opened for reading only");
    }
    operation->status = PZ_INTERNAL;
    if (ack != NULL) {
        assert(ack->done != NULL);
        operation->ack = *ack;
        operation->urgent = true;
    }
    (void)pthread_mutex_lock(&writer->lock);
    assert(!writer->ending);
    enqueue(writer, operation);
    (void)pthread_cond_signal(&writer->work);
    (void)pthread_mutex_unlock(&writer->lock);
    return PZ_OK;
}

enum pz_status writer_submit_and_wait(struct writer *writer, struct operation *operation,
                                      struct pz_error *error)
{
    struct awaited awaited;
    awaited_begin(&awaited);
    enum pz_status status = writer_submit(writer, operation, &awaited.ack, error);
    return awaited_end(&awaited, status, error);
}

/* ---- looking ---- */

bool writer_pending(struct writer *writer, enum database database, const struct key *key, bool *erased,
                    uint8_t **value, size_t *length)
{
    if (writer == NULL)
        return false;
    (void)pthread_mutex_lock(&writer->lock);
    const struct change *change = pending_find(&writer->pending, database, key);
    if (change != NULL) {
        *erased = change->erase;
        *length = change->length;
        *value = change->erase ? NULL : malloc(change->length);
        if (*value != NULL)
            memcpy(*value, change->value, change->length);
    }
    (void)pthread_mutex_unlock(&writer->lock);
    return change != NULL;
}

bool writer_pending_from(struct writer *writer, enum database database, struct key *key, bool *erased)
{
    if (writer == NULL)
        return false;
    (void)pthread_mutex_lock(&writer->lock);
    const struct change *change = pending_from(&writer->pending, database, key);
    if (change != NULL) {
        *key = change->key;
        *erased = change->erase;
    }
    (void)pthread_mutex_unlock(&writer->lock);
    return change != NULL;
}

enum pz_status writer_last_failure(struct writer *writer, struct pz_error *error)
{
    assert(writer != NULL);
    (void)pthread_mutex_lock(&writer->lock);
    *error = writer->last_failure;
    (void)pthread_mutex_unlock(&writer->lock);
    return error->code;
}

void writer_collect(struct writer *writer, uint64_t table, uint64_t bytes)
{
    assert(writer != NULL); /* a read-only store removes nothing */
    (void)pthread_mutex_lock(&writer->lock);
    garbage_add(&writer->garbage, table, bytes);
    (void)pthread_cond_signal(&writer->work);
    (void)pthread_mutex_unlock(&writer->lock);
}

struct writer_figures writer_figures(struct writer *writer)
{
    if (writer == NULL)
        return (struct writer_figures){0};
    (void)pthread_mutex_lock(&writer->lock);
    const struct writer_figures figures = {garbage_bytes(&writer->garbage), writer->commits};
    (void)pthread_mutex_unlock(&writer->lock);
    return figures;
}
