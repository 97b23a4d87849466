/* SPDX-License-Identifier: MIT */
#include "store/engine/store_internal.h"

#include "base/clock.h"
#include "base/status_word.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

/* The numbers reserved at once, and the most that a crash skips. A block that does not last a second is
 * followed by one of twice the size. */
enum { BLOCK_LEAST = 16, BLOCK_MOST = 1024 };
static const double block_lasts = 1;

static struct key counter_key(void)
{
    struct key key = {0};
    key_add_bytes(&key, "next-job", 8);
    return key;
}

static bool note_number(void *context, const struct job_record *job)
{
    *(uint64_t *)context = job->id;
    return false;
}

/* No job may have a number that is still to be given out: the first job writes the counter, each raises it
 * in its commit. A store that is only read may see a job later than the counter. */
static enum pz_status check_no_job_from(struct store *store, uint64_t next, struct pz_error *error)
{
    uint64_t found = 0;
    if (store->writer == NULL)
        return PZ_OK;
    const enum pz_status status = store_jobs(store, next - 1, note_number, &found, error);
    if (found != 0)
        return pz_fail(error, PZ_STORAGE,
                       "meta/next-job is missing or wrong, as job %" PRIu64
                       " is there: restore the database from a copy",
                       found);
    return status_is_retryable(status) ? status : PZ_OK; /* a damaged record is no job */
}

enum pz_status job_numbers_read(struct store *store, struct pz_error *error)
{
    const struct key key = counter_key();
    struct value value;
    uint64_t next = 1;
    enum pz_status status = lookup(store, DATABASE_META, &key, &value, error);
    if (status == PZ_OK) {
        struct decoder decoder = decoder_of(value.bytes, value.length);
        next = decode_u64(&decoder);
        if (!decoder_ended(&decoder) || next == 0)
            status =
                pz_fail(error, PZ_STORAGE, "meta/next-job is malformed: restore the database from a copy");
        value_free(&value);
    } else if (status == PZ_NO_TABLE) {
        status = PZ_OK;
    }
    if (status == PZ_OK)
        status = check_no_job_from(store, next, error);
    if (status != PZ_OK)
        return status;
    store->numbers.next = next;
    store->numbers.asked = store->numbers.next;
    atomic_store_explicit(&store->numbers.reserved, store->numbers.next, memory_order_relaxed);
    return PZ_OK;
}

/* ---- reserving ---- */

struct reservation {
    struct store *store;
    uint64_t end; /* the first number that is not reserved */
};

/* Returns the counter in the database, or 0. */
static uint64_t committed_counter(const struct environment *environment, MDB_txn *txn, const struct key *key)
{
    MDB_val value;
    if (lookup_in(environment, txn, DATABASE_META, key, &value, NULL) != PZ_OK)
        return 0;
    struct decoder decoder = decoder_of(value.mv_data, value.mv_size);
    return decode_u64(&decoder);
}

/* An operation_apply. Never lowers the counter: an operation may be tried again after later ones. */
static int apply_reservation(void *context, MDB_txn *txn, struct pz_error *error)
{
    const struct reservation *reservation = context;
    const struct environment *environment = &reservation->store->environment;
    const struct key key = counter_key();
    (void)error;
    if (committed_counter(environment, txn, &key) >= reservation->end)
        return 0;
    struct encoder encoder;
    encoder_begin(&encoder);
    encode_u64(&encoder, reservation->end);
    return database_put(environment, txn, DATABASE_META, &key, &encoder);
}

/* Runs on the writer thread, after the commit. */
static void raise_reserved(void *context)
{
    const struct reservation *reservation = context;
    _Atomic uint64_t *reserved = &reservation->store->numbers.reserved;
    if (atomic_load_explicit(reserved, memory_order_relaxed) < reservation->end)
        atomic_store_explicit(reserved, reservation->end, memory_order_relaxed); /* it guards no memory */
}

static void choose_number_block(struct job_numbers *numbers)
{
    const double now = clock_seconds();
    if (numbers->block == 0 || now - numbers->asked_at >= block_lasts)
        numbers->block = BLOCK_LEAST;
    else if (numbers->block < BLOCK_MOST)
        numbers->block *= 2;
    assert(numbers->block >= BLOCK_LEAST && numbers->block <= BLOCK_MOST);
    numbers->asked_at = now;
}

/* Makes the operation reserve a block that begins with the next number. With store->change held. */
static void reserve_block(struct store *store, struct operation *operation)
{
    assert(operation->apply == NULL && operation->context == NULL); /* it takes both */
    struct reservation *reservation = malloc(sizeof *reservation);
    if (reservation == NULL) {
        operation->failed = true;
        return;
    }
    choose_number_block(&store->numbers);
    const uint64_t end = store->numbers.next + store->numbers.block;
    if (store->numbers.asked < end) /* a small block may end within the large one before it */
        store->numbers.asked = end;
    assert(store->numbers.asked >= atomic_load_explicit(&store->numbers.reserved, memory_order_relaxed));
    *reservation = (struct reservation){store, store->numbers.asked};
    operation->apply = apply_reservation;
    operation->committed = raise_reserved;
    operation->drop = free;
    operation->context = reservation;
    operation->urgent = true;
}

uint64_t job_numbers_take(struct store *store, struct operation *operation)
{
    struct job_numbers *numbers = &store->numbers;
    assert(numbers->next > 0);
    uint64_t number = numbers->next++;
    uint64_t reserved = atomic_load_explicit(&numbers->reserved, memory_order_relaxed);
    if (operation != NULL && (number >= reserved || number + numbers->block / 2 >= numbers->asked))
        reserve_block(store, operation);
    return number;
}

void store_reserve_numbers(struct store *store)
{
    struct operation *operation = operation_new(OPERATION_SMALL);
    if (operation == NULL)
        return;
    (void)pthread_mutex_lock(&store->change);
    reserve_block(store, operation);
    (void)writer_submit(store->writer, operation, NULL, NULL);
    (void)pthread_mutex_unlock(&store->change);
}

void job_numbers_close(struct store *store)
{
    if (store->writer == NULL || store->numbers.asked <= store->numbers.next)
        return;
    const struct key key = counter_key();
    struct encoder encoder;
    encoder_begin(&encoder);
    encode_u64(&encoder, store->numbers.next);
    struct operation *operation = operation_new(OPERATION_SMALL);
    operation_put(operation, DATABASE_META, &key, &encoder);
    /* If this fails, numbers are skipped, nothing else. */
    (void)writer_submit(store->writer, operation, NULL, NULL);
}

bool store_number_is_reserved(struct store *store)
{
    (void)pthread_mutex_lock(&store->change);
    uint64_t reserved = atomic_load_explicit(&store->numbers.reserved, memory_order_relaxed);
    bool is_reserved = store->numbers.next < reserved;
    (void)pthread_mutex_unlock(&store->change);
    return is_reserved;
}
