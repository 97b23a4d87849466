/* SPDX-License-Identifier: MIT */
#include "store/writer.h"

#include "base/log.h"
#include "store/sweep.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    GROUP_BYTES = 48 << 20, /* of one transaction; one operation may be larger */
    BEHIND_BYTES = 4 << 20, /* written behind and not committed: more than this is committed at once */
    BEHIND_MS = 500,        /* the longest that a write waits for company */
    RETRY_MS = 1000,        /* between tries of a write behind that failed */
    ATTEMPTS = 30           /* of a write behind, before it is given up */
};

struct writer {
    struct environment *environment;
    pthread_t thread;
    pthread_mutex_t lock; /* guards everything below */
    pthread_cond_t work;
    struct operation *first, *last; /* waiting, in order */
    size_t waiting_bytes;
    unsigned urgent; /* of them */
    bool ending;
    struct timespec due; /* when what was written behind must go; valid while first is not NULL */
    struct pending pending;
    struct sweep sweep;
    uint64_t commits;
};

struct operation *operation_new(enum operation_kind kind)
{
    struct operation *operation = calloc(1, sizeof *operation);
    if (operation != NULL)
        operation->kind = kind;
    return operation;
}

void operation_free(struct operation *operation)
{
    if (operation == NULL)
        return;
    while (operation->changes != NULL) {
        struct change *change = operation->changes;
        operation->changes = change->next;
        free(change);
    }
    if (operation->drop != NULL)
        operation->drop(operation->context);
    free(operation);
}

static void operation_change(struct operation *operation, enum database database, const struct key *key,
                             const uint8_t *value, size_t length)
{
    struct change *change = malloc(sizeof *change + length);
    if (change == NULL) {
        operation->failed = true;
        return;
    }
    *change = (struct change){.database = database, .key = *key, .length = length, .erase = value == NULL};
    if (value != NULL)
        memcpy(change->value, value, length);
    if (operation->last_change == NULL)
        operation->changes = change;
    else
        operation->last_change->next = change;
    operation->last_change = change;
    /* A small write dirties the pages from the root to its leaf. */
    operation->bytes += length + 16384;
}

void operation_put(struct operation *operation, enum database database, const struct key *key,
                   struct encoder *encoder, uint8_t version)
{
    if (operation != NULL) {
        operation->failed |= encoder->failed;
        if (!operation->failed) {
            seal_write(encoder->bytes, encoder->used - SEAL_BYTES, version, database, key);
            operation_change(operation, database, key, encoder->bytes, encoder->used);
        }
    }
    encoder_free(encoder);
}

void operation_erase(struct operation *operation, enum database database, const struct key *key)
{
    if (operation != NULL)
        operation_change(operation, database, key, NULL, 0);
}

/* ---- one transaction ---- */

static int apply_changes(const struct environment *environment, const struct operation *operation,
                         MDB_txn *txn)
{
    for (struct change *change = operation->changes; change != NULL; change = change->next) {
        /* Tried again after a failure, an old value must not replace a newer one. */
        if (operation->attempts > 0 && change->superseded)
            continue;
        MDB_val key = {.mv_size = change->key.length, .mv_data = change->key.bytes};
        MDB_val value = {.mv_size = change->length, .mv_data = change->value};
        MDB_dbi database = environment->databases[change->database];
        int code =
            change->erase ? mdb_del(txn, database, &key, NULL) : mdb_put(txn, database, &key, &value, 0);
        if (code != 0 && !(change->erase && code == MDB_NOTFOUND))
            return code;
    }
    return 0;
}

/* Applies a list of operations in one transaction. A refusal marks the operation that refused. */
static int commit_once(const struct environment *environment, struct operation *group)
{
    MDB_txn *txn;
    int code = mdb_txn_begin(environment->env, NULL, 0, &txn);
    if (code != 0)
        return code;
    for (struct operation *operation = group; operation != NULL && code == 0; operation = operation->next) {
        code = apply_changes(environment, operation, txn);
        if (code == 0 && operation->apply != NULL)
            code = operation->apply(operation->context, txn, &operation->error);
        if (code == APPLY_REFUSED)
            operation->status = operation->error.code;
    }
    if (code != 0) {
        mdb_txn_abort(txn);
        return code;
    }
    return environment_commit_code(environment, mdb_txn_commit(txn));
}

static bool any_large(const struct operation *group)
{
    for (; group != NULL; group = group->next)
        if (group->kind == OPERATION_LARGE)
            return true;
    return false;
}

static int commit_growing(struct environment *environment, struct operation *group)
{
    bool large = any_large(group);
    if (large)
        environment_drop_spare(environment);
    int code = commit_once(environment, group);
    while (code == MDB_MAP_FULL && environment_grow(environment, !large))
        code = commit_once(environment, group);
    return code;
}

static void commit_alone(struct environment *environment, struct operation *operation)
{
    struct operation *next = operation->next;
    operation->next = NULL;
    int code = commit_growing(environment, operation);
    if (code == 0)
        operation->status = PZ_OK;
    else if (code != APPLY_REFUSED)
        operation->status = store_fault(&operation->error, code, "writing the database");
    operation->next = next;
}

static void commit_group(struct environment *environment, struct operation *group)
{
    if (group->next != NULL && commit_growing(environment, group) == 0) {
        for (; group != NULL; group = group->next)
            group->status = PZ_OK;
        return;
    }
    for (; group != NULL; group = group->next)
        commit_alone(environment, group);
}

/* ---- the queue; all of these with the lock held ---- */

static void set_due(struct writer *writer, unsigned ms)
{
    (void)clock_gettime(CLOCK_MONOTONIC, &writer->due);
    writer->due.tv_sec += (time_t)(ms / 1000);
    writer->due.tv_nsec += (long)(ms % 1000) * 1000000;
    if (writer->due.tv_nsec >= 1000000000) {
        writer->due.tv_nsec -= 1000000000;
        writer->due.tv_sec++;
    }
}

static bool is_due(const struct writer *writer)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec != writer->due.tv_sec)
        return now.tv_sec > writer->due.tv_sec;
    return now.tv_nsec >= writer->due.tv_nsec;
}

static void enqueue(struct writer *writer, struct operation *operation)
{
    if (writer->first == NULL) {
        set_due(writer, BEHIND_MS);
        writer->first = operation;
    } else {
        writer->last->next = operation;
    }
    writer->last = operation;
    writer->waiting_bytes += operation->bytes;
    writer->urgent += operation->urgent ? 1 : 0;
    for (struct change *change = operation->changes; change != NULL; change = change->next)
        pending_add(&writer->pending, change);
}

static bool must_commit(const struct writer *writer)
{
    if (writer->first == NULL)
        return false;
    /* What is tried again waits its time, however much it is. */
    bool many = writer->waiting_bytes > BEHIND_BYTES && writer->first->attempts == 0;
    return writer->urgent > 0 || writer->ending || many || is_due(writer);
}

static struct operation *take_group(struct writer *writer)
{
    struct operation *group = writer->first;
    struct operation *end = NULL;
    size_t bytes = 0;
    for (struct operation *operation = group; operation != NULL; operation = operation->next) {
        if (end != NULL && bytes + operation->bytes > GROUP_BYTES)
            break;
        bytes += operation->bytes;
        writer->urgent -= operation->urgent ? 1 : 0;
        end = operation;
    }
    writer->first = end->next;
    writer->last = writer->first == NULL ? NULL : writer->last;
    writer->waiting_bytes -= bytes;
    end->next = NULL;
    return group;
}

/* What was written behind and found no room waits at the front of the queue for better times. */
static bool worth_another_try(const struct writer *writer, const struct operation *operation)
{
    return operation->status != PZ_OK && operation->changes != NULL && operation->ack.done == NULL &&
           operation->attempts < ATTEMPTS && !writer->ending;
}

static void put_back(struct writer *writer, struct operation *front, struct operation *end)
{
    end->next = writer->first;
    if (writer->first == NULL)
        writer->last = end;
    writer->first = front;
    set_due(writer, RETRY_MS);
}

/* Ends a group's stay in the map of pending changes. Returns the operations that have come to their end. */
static struct operation *leave_map(struct writer *writer, struct operation *group)
{
    struct operation *back = NULL, *back_end = NULL;
    struct operation *rest = NULL, **rest_link = &rest;
    while (group != NULL) {
        struct operation *operation = group;
        group = operation->next;
        operation->next = NULL;
        if (worth_another_try(writer, operation)) {
            operation->attempts++;
            writer->waiting_bytes += operation->bytes;
            if (back == NULL)
                back = operation;
            else
                back_end->next = operation;
            back_end = operation;
            continue;
        }
        for (struct change *change = operation->changes; change != NULL; change = change->next)
            pending_remove(&writer->pending, change);
        *rest_link = operation;
        rest_link = &operation->next;
    }
    if (back != NULL)
        put_back(writer, back, back_end);
    return rest;
}

static void acknowledge(struct operation *group)
{
    while (group != NULL) {
        struct operation *operation = group;
        group = operation->next;
        if (operation->status == PZ_OK && operation->committed != NULL)
            operation->committed(operation->context);
        if (operation->ack.done != NULL)
            operation->ack.done(operation->ack.context, operation->status, &operation->error);
        else if (operation->status != PZ_OK)
            log_event(LOG_LEVEL_ERROR, 0, "event=store-write-lost error=\"%s\"", operation->error.text);
        operation_free(operation);
    }
}

/* ---- the thread ---- */

static void wait_for_work(struct writer *writer)
{
    while (!must_commit(writer) && !writer->ending && !sweep_waits(&writer->sweep)) {
        if (writer->first == NULL && writer->sweep.count == 0) {
            (void)pthread_cond_wait(&writer->work, &writer->lock);
            continue;
        }
        if (writer->first == NULL) /* only a sweep that was put off */
            set_due(writer, RETRY_MS);
        (void)pthread_cond_timedwait(&writer->work, &writer->lock, &writer->due);
    }
}

/* One step of the sweep is one small transaction of its own. */
static void sweep_some(struct writer *writer)
{
    uint64_t table = sweep_next(&writer->sweep);
    (void)pthread_mutex_unlock(&writer->lock);
    struct sweep_step step = {.environment = writer->environment, .table = table};
    struct operation operation = {
        .kind = OPERATION_SMALL, .apply = sweep_apply, .context = &step, .status = PZ_INTERNAL};
    commit_alone(writer->environment, &operation);
    if (operation.status != PZ_OK)
        log_event(LOG_LEVEL_WARNING, 0, "event=store-sweep-failed table=%" PRIu64 " error=\"%s\"", table,
                  operation.error.text);
    (void)pthread_mutex_lock(&writer->lock);
    writer->commits++;
    if (step.done || operation.status == PZ_STORAGE) /* what is damaged stays until the next opening */
        sweep_drop(&writer->sweep, table);
    else if (operation.status != PZ_OK)
        sweep_pause(&writer->sweep);
}

/* A group that found no room, while removed tables still hold some: makes that room and tries again. */
static void commit_after_sweep(struct writer *writer, struct operation *group)
{
    bool full = false;
    for (const struct operation *operation = group; operation != NULL; operation = operation->next)
        full |= operation->status == PZ_STORAGE_FULL;
    if (!full || !sweep_waits(&writer->sweep))
        return;
    while (sweep_waits(&writer->sweep))
        sweep_some(writer);
    (void)pthread_mutex_unlock(&writer->lock);
    for (struct operation *operation = group; operation != NULL; operation = operation->next)
        if (operation->status == PZ_STORAGE_FULL)
            commit_alone(writer->environment, operation);
    (void)pthread_mutex_lock(&writer->lock);
}

static void commit_waiting(struct writer *writer)
{
    struct operation *group = take_group(writer);
    (void)pthread_mutex_unlock(&writer->lock);
    commit_group(writer->environment, group);
    (void)pthread_mutex_lock(&writer->lock);
    writer->commits++;
    commit_after_sweep(writer, group);
    group = leave_map(writer, group);
    (void)pthread_mutex_unlock(&writer->lock);
    acknowledge(group);
    (void)pthread_mutex_lock(&writer->lock);
}

static void *writer_main(void *argument)
{
    struct writer *writer = argument;
    (void)pthread_mutex_lock(&writer->lock);
    for (;;) {
        wait_for_work(writer);
        if (must_commit(writer))
            commit_waiting(writer);
        else if (writer->ending)
            break;
        if (!writer->ending && sweep_waits(&writer->sweep))
            sweep_some(writer);
    }
    (void)pthread_mutex_unlock(&writer->lock);
    return NULL;
}

static void writer_free(struct writer *writer)
{
    sweep_free(&writer->sweep);
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
    pthread_condattr_t attributes;
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&writer->work, &attributes);
    (void)pthread_condattr_destroy(&attributes);
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
        operation->ack = *ack;
        operation->urgent = true;
    }
    (void)pthread_mutex_lock(&writer->lock);
    enqueue(writer, operation);
    (void)pthread_cond_signal(&writer->work);
    (void)pthread_mutex_unlock(&writer->lock);
    return PZ_OK;
}

/* ---- waiting for one's own operation ---- */

static void awaited_tell(void *context, enum pz_status status, const struct pz_error *error)
{
    struct awaited *awaited = context;
    (void)pthread_mutex_lock(&awaited->lock);
    awaited->done = true;
    awaited->status = status;
    awaited->error = *error;
    (void)pthread_cond_signal(&awaited->told);
    (void)pthread_mutex_unlock(&awaited->lock);
}

void awaited_begin(struct awaited *awaited)
{
    *awaited = (struct awaited){.ack = {.done = awaited_tell, .context = awaited}};
    (void)pthread_mutex_init(&awaited->lock, NULL);
    (void)pthread_cond_init(&awaited->told, NULL);
}

enum pz_status awaited_end(struct awaited *awaited, enum pz_status submitted, struct pz_error *error)
{
    if (submitted == PZ_OK) {
        (void)pthread_mutex_lock(&awaited->lock);
        while (!awaited->done)
            (void)pthread_cond_wait(&awaited->told, &awaited->lock);
        (void)pthread_mutex_unlock(&awaited->lock);
        submitted = awaited->status;
        if (submitted != PZ_OK && error != NULL)
            *error = awaited->error;
    }
    (void)pthread_cond_destroy(&awaited->told);
    (void)pthread_mutex_destroy(&awaited->lock);
    return submitted;
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

void writer_sweep(struct writer *writer, uint64_t table)
{
    (void)pthread_mutex_lock(&writer->lock);
    sweep_add(&writer->sweep, table);
    (void)pthread_cond_signal(&writer->work);
    (void)pthread_mutex_unlock(&writer->lock);
}

uint64_t writer_commits(struct writer *writer)
{
    if (writer == NULL)
        return 0;
    (void)pthread_mutex_lock(&writer->lock);
    uint64_t commits = writer->commits;
    (void)pthread_mutex_unlock(&writer->lock);
    return commits;
}
