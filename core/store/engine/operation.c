/* SPDX-License-Identifier: MIT */
#include "store/engine/operation.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Returns true until writer_submit: only then may changes be added. */
__attribute__((unused)) static bool is_being_built(const struct operation *operation)
{
    return operation->next == NULL && operation->status == PZ_OK && operation->attempts == 0 &&
           (operation->changes == NULL) == (operation->last_change == NULL) &&
           (operation->last_change == NULL || operation->last_change->next == NULL);
}

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
    assert(is_being_built(operation) && operation->kind == OPERATION_SMALL);
    assert((value == NULL) == (length == 0));
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
    /* A small write changes the pages from the root to its leaf, too. */
    operation->bytes += length + 16384;
}

void operation_put(struct operation *operation, enum database database, const struct key *key,
                   struct encoder *encoder)
{
    assert(encoder->failed || (encoder->used >= SEAL_BYTES && encoder->used <= encoder->room));
    if (operation != NULL) {
        operation->failed |= encoder->failed;
        if (!operation->failed) {
            seal_write(encoder->bytes, encoder->used - SEAL_BYTES, database, key);
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

/* ---- waiting ---- */

static void awaited_tell(void *context, enum pz_status status, const struct pz_error *error)
{
    struct awaited *awaited = context;
    (void)pthread_mutex_lock(&awaited->lock);
    assert(!awaited->done); /* a write is acknowledged once */
    awaited->done = true;
    awaited->status = status;
    awaited->error = *error;
    (void)pthread_cond_signal(&awaited->acknowledged);
    (void)pthread_mutex_unlock(&awaited->lock);
}

void awaited_begin(struct awaited *awaited)
{
    *awaited = (struct awaited){.ack = {.done = awaited_tell, .context = awaited}};
    (void)pthread_mutex_init(&awaited->lock, NULL);
    (void)pthread_cond_init(&awaited->acknowledged, NULL);
}

enum pz_status awaited_end(struct awaited *awaited, enum pz_status submitted, struct pz_error *error)
{
    if (submitted == PZ_OK) {
        (void)pthread_mutex_lock(&awaited->lock);
        while (!awaited->done)
            (void)pthread_cond_wait(&awaited->acknowledged, &awaited->lock);
        (void)pthread_mutex_unlock(&awaited->lock);
        submitted = awaited->status;
        if (submitted != PZ_OK && error != NULL)
            *error = awaited->error;
    }
    (void)pthread_cond_destroy(&awaited->acknowledged);
    (void)pthread_mutex_destroy(&awaited->lock);
    return submitted;
}
