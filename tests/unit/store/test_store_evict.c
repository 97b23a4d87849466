/* SPDX-License-Identifier: MIT */
#include "store_tables.h"

#include "store/engine/garbage.h"
#include "store/engine/store_internal.h"
#include "store/table/table.h"

#include <time.h>

struct evicted {
    char names[8][16];
    unsigned count;
};

static void note_evicted(void *context, const struct table_record *table)
{
    struct evicted *evicted = context;
    (void)snprintf(evicted->names[evicted->count++], 16, "%.15s", table->name);
}

/* The clock of used_ms has milliseconds: lets it step. */
static void let_time_pass(void)
{
    struct timespec pause = {.tv_nsec = 5000000};
    (void)nanosleep(&pause, NULL);
}

static void store_three(struct fixture *fixture)
{
    static const char *const names[] = {"a", "b", "c"};
    for (unsigned i = 0; i < 3; i++) {
        struct small_table small = {.name = names[i], .chunks = 4, .length = 50000, .seed = i};
        small_table_store(fixture, &small);
        let_time_pass();
    }
}

static void look_at(struct fixture *fixture, const char *name)
{
    struct table_view *view;
    let_time_pass();
    fixture_ok(table_view_open(fixture->store, name, &view, &fixture->error));
    table_view_close(view);
}

store_test(the_longest_unused_goes_first)
{
    struct fixture *fixture = *state;
    struct evicted evicted = {0};
    store_three(fixture);
    look_at(fixture, "a");
    fixture_ok(store_evict(fixture->store, NULL, UINT64_MAX, 1, note_evicted, &evicted, &fixture->error));
    assert_int_equal(evicted.count, 1);
    assert_string_equal(evicted.names[0], "b");
    fixture_ok(
        store_evict(fixture->store, NULL, UINT64_MAX, 250000, note_evicted, &evicted, &fixture->error));
    assert_int_equal(evicted.count, 3);
    assert_string_equal(evicted.names[1], "c");
    assert_string_equal(evicted.names[2], "a");
}

/* After a restart the tables that were in use all the time must not be the first to go. */
store_test(of_a_table_in_constant_use_the_disk_is_told_each_minute)
{
    enum { SECONDS = 600 };
    struct fixture *fixture = *state;
    struct table_checks *checks = checks_hold(fixture->store, 1, 1);
    unsigned told = 0;
    for (uint64_t second = 1; second <= SECONDS; second++)
        told += checks_use(checks, 1000000 + second * 1000, 1000000);
    checks_release(fixture->store, checks);
    assert_in_range(told, SECONDS / 60 - 1, SECONDS / 60);
}

store_test(what_is_pinned_stays_also_after_a_restart)
{
    struct fixture *fixture = *state;
    struct evicted evicted = {0};
    struct table_record table;
    store_three(fixture);
    fixture_ok(store_table_pin(fixture->store, "a", true, &fixture->error));
    fixture_reopen(fixture);
    fixture_ok(store_table_find(fixture->store, "a", &table, &fixture->error));
    assert_true(table.pinned);
    struct store_taken taken;
    fixture_ok(store_taken(fixture->store, NULL, &taken, &fixture->error));
    fixture_ok(store_evict(fixture->store, NULL, UINT64_MAX, taken.evictable, note_evicted, &evicted,
                           &fixture->error));
    assert_int_equal(evicted.count, 2);
    fixture_ok(store_table_find(fixture->store, "a", &table, &fixture->error));
    fixture_ok(store_table_pin(fixture->store, "a", false, &fixture->error));
    fixture_ok(store_evict(fixture->store, NULL, UINT64_MAX, 1, note_evicted, &evicted, &fixture->error));
    assert_string_equal(evicted.names[2], "a");
    assert_int_equal(store_table_pin(fixture->store, "a", true, &fixture->error), PZ_NO_TABLE);
    char longer[STORE_NAME_MAX + 1];
    memset(longer, 'a', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    assert_int_equal(store_table_pin(fixture->store, longer, true, &fixture->error), PZ_NO_TABLE);
}

/* Pins the second table once the first is gone, when both are chosen. */
static void pin_another(void *context, const struct table_record *table)
{
    struct fixture *fixture = context;
    assert_string_equal(table->name, "a");
    fixture_ok(store_table_pin(fixture->store, "b", true, &fixture->error));
}

store_test(a_table_that_is_pinned_after_it_was_chosen_stays)
{
    struct fixture *fixture = *state;
    struct table_record table;
    store_three(fixture);
    fixture_ok(store_evict(fixture->store, NULL, UINT64_MAX, 250000, pin_another, fixture, &fixture->error));
    fixture_ok(store_table_find(fixture->store, "b", &table, &fixture->error));
    assert_true(table.pinned);
    assert_int_equal(store_table_find(fixture->store, "a", &table, &fixture->error), PZ_NO_TABLE);
}

store_test(a_job_is_not_forgotten_unasked_with_a_pinned_table)
{
    struct fixture *fixture = *state;
    struct job_record job = job_of("slide:2x2", "t"), read;
    struct small_table small = {.name = "t", .chunks = 4, .length = 50000};
    struct table_record table;
    struct awaited forgotten;
    fixture_ok(store_job_add(fixture->store, &job, &fixture->error));
    small.job = job.id;
    small_table_store(fixture, &small);
    fixture_ok(store_table_pin(fixture->store, "t", true, &fixture->error));
    awaited_begin(&forgotten);
    fixture_ok(store_job_forget_async(fixture->store, job.id, 0, true, &forgotten.ack, &fixture->error));
    assert_int_equal(awaited_end(&forgotten, PZ_OK, &fixture->error), PZ_BUSY);
    fixture_ok(store_table_find(fixture->store, "t", &table, &fixture->error));
    fixture_ok(store_job_get(fixture->store, job.id, &read, &fixture->error));
    job_record_clear(&read);
    fixture_ok(forget_job(fixture->store, job.id, &fixture->error));
    assert_int_equal(store_table_find(fixture->store, "t", &table, &fixture->error), PZ_NO_TABLE);
    job_record_clear(&job);
}

store_test(nothing_is_evicted_in_vain)
{
    struct fixture *fixture = *state;
    struct evicted evicted = {0};
    struct store_taken taken;
    store_three(fixture);
    fixture_ok(store_taken(fixture->store, NULL, &taken, &fixture->error));
    assert_int_equal(store_evict(fixture->store, NULL, UINT64_MAX, taken.evictable + 1, note_evicted,
                                 &evicted, &fixture->error),
                     PZ_STORAGE_FULL);
    assert_int_equal(evicted.count, 0);
    fixture_ok(store_evict(fixture->store, NULL, UINT64_MAX, taken.evictable, note_evicted, &evicted,
                           &fixture->error));
    assert_int_equal(evicted.count, 3);
}

store_test(a_small_table_stays_where_a_large_one_has_to_go_anyway)
{
    struct fixture *fixture = *state;
    struct evicted evicted = {0};
    struct small_table small = {.name = "small", .chunks = 1, .length = 50000};
    struct small_table large = {.name = "large", .chunks = 9, .length = 50000};
    small_table_store(fixture, &small);
    let_time_pass();
    small_table_store(fixture, &large);
    fixture_ok(
        store_evict(fixture->store, NULL, UINT64_MAX, 100000, note_evicted, &evicted, &fixture->error));
    assert_int_equal(evicted.count, 1);
    assert_string_equal(evicted.names[0], "large");
}

/* Also before its pages are free: else the next table would be evicted for the same bytes. */
store_test(a_removed_table_counts_as_room_at_once)
{
    struct fixture *fixture = *state;
    struct store_stats before, after;
    fixture_close(fixture);
    fixture->options.size_limit = 64 << 20;
    fixture_open(fixture);
    struct small_table table = {.name = "t", .chunks = 200, .length = 100000};
    small_table_store(fixture, &table);
    fixture_ok(store_stats(fixture->store, &before, &fixture->error));
    fixture_ok(table_remove(fixture->store, "t", 0, &fixture->error));
    fixture_ok(store_stats(fixture->store, &after, &fixture->error));
    assert_true(after.bytes_room >= before.bytes_room + 19 * 1000000);
}

store_test(a_pin_stays_with_the_name_when_the_table_is_replaced)
{
    struct fixture *fixture = *state;
    struct table_record table;
    store_three(fixture);
    fixture_ok(store_table_pin(fixture->store, "a", true, &fixture->error));
    struct small_table again = {.name = "a", .chunks = 5, .length = 50000, .seed = 9};
    small_table_store(fixture, &again);
    fixture_ok(store_table_find(fixture->store, "a", &table, &fixture->error));
    assert_true(table.pinned);
}

store_test(a_table_under_a_reader_may_go_and_is_read_to_the_end)
{
    struct fixture *fixture = *state;
    struct small_table small = {.name = "a", .chunks = 4, .length = 50000, .seed = 1};
    struct table_view *view;
    uint8_t expected[50000];
    small_table_store(fixture, &small);
    fixture_ok(table_view_open(fixture->store, "a", &view, &fixture->error));
    fixture_ok(store_evict(fixture->store, NULL, UINT64_MAX, 1, NULL, NULL, &fixture->error));
    for (int i = 0; i < 10; i++)
        fixture_ok(store_flush(fixture->store, &fixture->error));
    for (uint64_t number = 0; number < small.chunks; number++) {
        const uint8_t *bytes;
        size_t length;
        fixture_ok(table_view_chunk(view, number, &bytes, &length, &fixture->error));
        small_chunk(&small, number, expected);
        assert_memory_equal(bytes, expected, length);
    }
    table_view_close(view);
    assert_int_equal(small_table_read(fixture, &small), PZ_NO_TABLE);
}

/* Writes a table's only piece. */
static void put_piece(const struct environment *environment, MDB_txn *txn, uint64_t table, size_t length)
{
    static uint8_t bytes[2048];
    struct key key = key_of_u64(table);
    key_add_u64(&key, 0);
    MDB_val name = {.mv_size = key.length, .mv_data = key.bytes};
    MDB_val value = {.mv_size = length, .mv_data = bytes};
    assert_int_equal(mdb_put(txn, environment->databases[DATABASE_PIECES], &name, &value, 0), 0);
}

/* In a transaction that has changed a page, LMDB has it anywhere in memory, so that a small value may begin
 * where in the map only a large one does. Each second table stays, so that the pages do. */
store_test(small_pieces_are_removed_wherever_they_are_in_memory)
{
    enum { TABLES = 8000 };
    struct fixture *fixture = *state;
    struct environment *environment = &fixture->store->environment;
    MDB_txn *txn;
    assert_int_equal(mdb_txn_begin(environment->env, NULL, 0, &txn), 0);
    for (unsigned i = 0; i < TABLES; i++)
        put_piece(environment, txn, i, i % 2 == 0 ? 1096 : 16 + 16 * (i * 37 % 120));
    for (unsigned i = 1; i < TABLES; i += 2) {
        struct garbage_step step = {.environment = environment, .table = i};
        assert_ok(garbage_apply(&step, txn, &fixture->error) == 0 ? PZ_OK : PZ_STORAGE, fixture->error);
        assert_true(step.done);
    }
    mdb_txn_abort(txn);
}
