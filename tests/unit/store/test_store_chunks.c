/* SPDX-License-Identifier: MIT */
/* Tables of chunks: written, read, replaced, removed. */
#include "store_keys.h"
#include "store_tables.h"

#include "store/engine/operation.h"

#include <pthread.h>

/* ---- chunks ---- */

enum { CHUNK = 100000, CHUNKS = 40, LAST = 4321 };

static size_t chunk_fill(uint8_t *bytes, uint64_t number, unsigned seed)
{
    struct random random = {number * 1000 + seed};
    size_t length = number == CHUNKS - 1 ? LAST : CHUNK;
    for (size_t i = 0; i < length; i += 8) {
        uint64_t word = random_next(&random);
        memcpy(bytes + i, &word, length - i < 8 ? length - i : 8);
    }
    return length;
}

static struct table_record about_chunks(const char *name)
{
    struct table_record about = {.kind = TABLE_DENSE,
                                 .state_bytes = 8,
                                 .job = 2,
                                 .chunk_bytes = CHUNK,
                                 .table_bytes = (uint64_t)CHUNK * (CHUNKS - 1) + LAST};
    (void)snprintf(about.name, sizeof about.name, "%s", name);
    return about;
}

static void store_chunks(struct fixture *fixture, const char *name, unsigned seed)
{
    struct table_record about = about_chunks(name);
    struct table_writer *writer;
    uint8_t *bytes = malloc(CHUNK + 8);
    assert_non_null(bytes);
    fixture_ok(table_writer_new(fixture->store, &about, &writer, &fixture->error));
    for (uint64_t number = 0; number < CHUNKS; number++) {
        size_t length = chunk_fill(bytes, number, seed);
        fixture_ok(table_writer_chunk(writer, number, bytes, length, &fixture->error));
    }
    fixture_ok(table_writer_finish(writer, &about, &fixture->error));
    free(bytes);
}

static void check_chunks(struct fixture *fixture, struct table_view *view, unsigned seed)
{
    uint8_t *expected = malloc(CHUNK + 8);
    assert_non_null(expected);
    for (unsigned round = 0; round < 2; round++) {
        for (uint64_t number = 0; number < CHUNKS; number++) {
            const uint8_t *bytes;
            size_t length;
            fixture_ok(table_view_chunk(view, number, &bytes, &length, &fixture->error));
            assert_int_equal(length, chunk_fill(expected, number, seed));
            assert_memory_equal(bytes, expected, length);
        }
    }
    free(expected);
}

store_test(chunks_come_back_as_they_were_written_also_after_a_restart)
{
    struct fixture *fixture = *state;
    store_chunks(fixture, "dense", 1);
    for (int round = 0; round < 2; round++) {
        struct table_view *view;
        fixture_ok(table_view_open(fixture->store, "dense", &view, &fixture->error));
        check_chunks(fixture, view, 1);
        table_view_close(view);
        fixture_reopen(fixture);
    }
}

store_test(a_table_written_again_replaces_the_old_one_but_not_under_a_reader)
{
    struct fixture *fixture = *state;
    struct table_view *old, *new;
    store_chunks(fixture, "dense", 1);
    fixture_ok(table_view_open(fixture->store, "dense", &old, &fixture->error));
    store_chunks(fixture, "dense", 2);
    fixture_ok(store_flush(fixture->store, &fixture->error));
    fixture_ok(table_view_open(fixture->store, "dense", &new, &fixture->error));
    check_chunks(fixture, old, 1);
    check_chunks(fixture, new, 2);
    table_view_close(old);
    table_view_close(new);
}

struct whole_visit {
    struct fixture *fixture;
    const struct small_table *table;
    unsigned visited;
};

static enum pz_status replace_at_first(void *context, const struct table_chunk *chunk, struct pz_error *error)
{
    struct whole_visit *visit = context;
    (void)error;
    visit->visited++;
    if (chunk->number == 0)
        small_table_store(visit->fixture, visit->table);
    return PZ_OK;
}

/* Else the file would grow by all that others free meanwhile. */
store_test(a_visit_of_all_chunks_holds_no_transaction_to_its_end)
{
    struct fixture *fixture = *state;
    const struct small_table small = {.name = "small", .chunks = 300, .length = 100};
    struct whole_visit visit = {fixture, &small, 0};
    struct table_view *view;
    small_table_store(fixture, &small);
    fixture_ok(table_view_open(fixture->store, "small", &view, &fixture->error));
    assert_int_equal(table_view_chunks(view, 30000, replace_at_first, &visit, &fixture->error), PZ_NO_TABLE);
    assert_in_range(visit.visited, 1, 100);
    table_view_close(view);
}

store_test(a_table_that_lacks_a_chunk_is_refused)
{
    struct fixture *fixture = *state;
    struct table_record about = about_chunks("short");
    struct table_writer *writer;
    static const uint8_t bytes[CHUNK];
    fixture_ok(table_writer_new(fixture->store, &about, &writer, &fixture->error));
    fixture_ok(table_writer_chunk(writer, 0, bytes, CHUNK, &fixture->error));
    assert_int_equal(table_writer_chunk(writer, 2, bytes, CHUNK, &fixture->error), PZ_INTERNAL);
    assert_int_equal(table_writer_finish(writer, &about, &fixture->error), PZ_INTERNAL);
    assert_int_equal(store_table_find(fixture->store, "short", &about, &fixture->error), PZ_NO_TABLE);
}

/* ---- listing and removing ---- */

static unsigned tables_listed(struct fixture *fixture)
{
    unsigned count = 0;
    fixture_ok(store_tables(fixture->store, count_table, &count, NULL, &fixture->error));
    return count;
}

struct listing {
    struct fixture *fixture;
    unsigned visited;
};

/* Replaces the table that is visited, twice at most: else a list that never ends would not fail. */
static bool replace_table(void *context, const struct table_record *table)
{
    struct listing *listing = context;
    struct keys keys = keys_make(10, 1, 5);
    if (++listing->visited <= 2)
        store_runs(listing->fixture, table->name, &keys);
    keys_free(&keys);
    return true;
}

store_test(a_table_that_is_replaced_while_all_are_listed_is_listed_once)
{
    struct fixture *fixture = *state;
    struct keys keys = keys_make(10, 1, 5);
    store_runs(fixture, "one", &keys);
    store_runs(fixture, "other", &keys);
    keys_free(&keys);
    struct listing listing = {.fixture = fixture};
    fixture_ok(store_tables(fixture->store, replace_table, &listing, NULL, &fixture->error));
    assert_int_equal(listing.visited, 2);
    assert_int_equal(tables_listed(fixture), 2);
}

/* Waits until the pieces of removed tables are gone. */
static uint64_t bytes_used_when_collected(struct fixture *fixture)
{
    struct store_stats stats = {0};
    uint64_t before;
    do {
        before = stats.bytes_used;
        for (int i = 0; i < 20; i++)
            fixture_ok(store_flush(fixture->store, &fixture->error));
        fixture_ok(store_stats(fixture->store, &stats, &fixture->error));
    } while (stats.bytes_used != before);
    return stats.bytes_used;
}

store_test(an_unfinished_table_is_never_seen_and_leaves_nothing)
{
    struct fixture *fixture = *state;
    uint64_t empty = bytes_used_when_collected(fixture);
    struct keys keys = keys_make(200000, 1, 80);
    struct table_record about = about_runs("t", 1);
    struct table_writer *writer;
    struct table_record table;
    fixture_ok(table_writer_new(fixture->store, &about, &writer, &fixture->error));
    write_runs(fixture, writer, &keys);
    assert_int_equal(tables_listed(fixture), 0);
    assert_int_equal(store_table_find(fixture->store, "t", &table, &fixture->error), PZ_NO_TABLE);
    table_writer_abort(writer);
    assert_int_equal(store_table_find(fixture->store, "t", &table, &fixture->error), PZ_NO_TABLE);
    assert_true(bytes_used_when_collected(fixture) <= empty + 16384);
    keys_free(&keys);
}

store_test(a_removed_table_gives_its_room_to_the_next)
{
    struct fixture *fixture = *state;
    struct store_stats first, last;
    for (unsigned round = 0; round < 6; round++) {
        store_chunks(fixture, "dense", round);
        fixture_ok(store_stats(fixture->store, round == 0 ? &first : &last, &fixture->error));
        fixture_ok(table_remove(fixture->store, "dense", 0, &fixture->error));
        (void)bytes_used_when_collected(fixture);
    }
    assert_int_equal(tables_listed(fixture), 0);
    assert_true(last.bytes_file < 2 * first.bytes_file);
    assert_int_equal(table_remove(fixture->store, "dense", 0, &fixture->error), PZ_NO_TABLE);
}

store_test(forgetting_a_job_removes_the_tables_it_made_and_no_others)
{
    struct fixture *fixture = *state;
    struct job_record one = job_of("slide:2x2", "a"), two = job_of("slide:2x2", "b");
    fixture_ok(store_job_add(fixture->store, &one, &fixture->error));
    fixture_ok(store_job_add(fixture->store, &two, &fixture->error));
    uint64_t key = 77;
    uint32_t distance = 0;
    struct keys keys = {.keys = &key, .distances = &distance, .count = 1, .words = 1};
    store_runs(fixture, "of one", &keys);
    store_chunks(fixture, "of two", 1);
    fixture_ok(forget_job(fixture->store, one.id, &fixture->error));
    struct table_record table;
    assert_int_equal(store_table_find(fixture->store, "of one", &table, &fixture->error), PZ_NO_TABLE);
    fixture_ok(store_table_find(fixture->store, "of two", &table, &fixture->error));
    assert_int_equal(table.job, two.id);
    job_record_clear(&one);
    job_record_clear(&two);
}

/* The table of job 1 has levels to 31, and so has only the heir that gets it. */
store_test(a_table_goes_to_an_heir_with_its_levels_only)
{
    static const uint32_t depths[] = {0, 30, 32, 31};
    struct fixture *fixture = *state;
    uint64_t key = 77;
    uint32_t distance = 0;
    struct keys keys = {.keys = &key, .distances = &distance, .count = 1, .words = 1};
    struct job_record owner = job_of("slide:3x3", "owner");
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
        struct job_record heir = job_of("slide:3x3", "heir");
        struct awaited awaited;
        struct table_record table;
        fixture_ok(store_job_add(fixture->store, &owner, &fixture->error));
        fixture_ok(store_job_add(fixture->store, &heir, &fixture->error));
        for (uint32_t level = 0; level <= depths[i]; level++)
            fixture_ok(store_level_put(fixture->store, heir.id, level, 1, &fixture->error));
        store_runs_of(fixture, "t", &keys, owner.id);
        awaited_begin(&awaited);
        enum pz_status status =
            store_job_forget_async(fixture->store, owner.id, heir.id, false, &awaited.ack, &fixture->error);
        fixture_ok(awaited_end(&awaited, status, &fixture->error));
        const bool stays = depths[i] == 31;
        assert_int_equal(store_table_find(fixture->store, "t", &table, &fixture->error),
                         stays ? PZ_OK : PZ_NO_TABLE);
        if (stays)
            assert_int_equal(table.job, heir.id);
        job_record_clear(&heir);
    }
    job_record_clear(&owner);
}

struct rival {
    struct fixture *fixture;
    pthread_t thread;
    uint32_t depth;
    bool complete;
    enum pz_status status;
};

static void *write_rival(void *argument)
{
    struct rival *rival = argument;
    static const uint64_t key = 7;
    static const uint32_t distance = 1;
    const struct explore_run run = {.keys = &key, .distances = &distance, .count = 1, .key_words = 1};
    struct table_record about = about_runs("t", 1);
    struct table_writer *writer = NULL;
    rival->status = table_writer_new(rival->fixture->store, &about, &writer, NULL);
    if (rival->status != PZ_OK)
        return NULL;
    rival->status = table_writer_run(writer, &run, NULL);
    about.depth = rival->depth;
    about.complete = rival->complete;
    enum pz_status end = table_writer_finish_if_better(writer, &about, NULL);
    rival->status = rival->status == PZ_OK ? end : rival->status;
    return NULL;
}

store_test(of_tables_that_end_in_the_same_instant_the_one_that_tells_most_stays)
{
    enum { RIVALS = 12, ROUNDS = 8 };
    struct fixture *fixture = *state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct rival rivals[RIVALS];
        struct table_record found;
        bool complete = round % 2 == 1; /* one of them, and not the deepest: it wins */
        for (unsigned i = 0; i < RIVALS; i++) {
            rivals[i] = (struct rival){.fixture = fixture, .depth = (i * 5 + round) % RIVALS + 10};
            rivals[i].complete = complete && rivals[i].depth == 13;
            assert_int_equal(pthread_create(&rivals[i].thread, NULL, write_rival, &rivals[i]), 0);
        }
        for (unsigned i = 0; i < RIVALS; i++) {
            assert_int_equal(pthread_join(rivals[i].thread, NULL), 0);
            assert_int_equal(rivals[i].status, PZ_OK);
        }
        fixture_ok(store_table_find(fixture->store, "t", &found, &fixture->error));
        assert_int_equal(found.depth, complete ? 13 : 10 + RIVALS - 1);
        assert_int_equal(found.complete, complete);
        fixture_ok(table_remove(fixture->store, "t", 0, &fixture->error));
    }
}

store_test(two_tables_are_written_side_by_side)
{
    struct fixture *fixture = *state;
    enum { TABLES = 3 };
    struct table_writer *writers[TABLES];
    struct keys keys = keys_make(300000, 1, 80);
    for (int i = 0; i < TABLES; i++) {
        struct table_record about = about_runs(text_of("t%d", i), 1);
        fixture_ok(table_writer_new(fixture->store, &about, &writers[i], &fixture->error));
    }
    for (int i = TABLES - 1; i >= 0; i--)
        write_runs(fixture, writers[i], &keys);
    struct table_record about = about_runs("", 1);
    for (int i = 0; i < TABLES; i++)
        fixture_ok(table_writer_finish(writers[i], &about, &fixture->error));
    assert_int_equal(tables_listed(fixture), TABLES);
    for (int i = 0; i < TABLES; i++) {
        struct table_view *view;
        struct collected collected = {.keys = keys, .same = true};
        fixture_ok(table_view_open(fixture->store, text_of("t%d", i), &view, &fixture->error));
        fixture_ok(table_view_runs(view, compare_run, &collected, &fixture->error));
        assert_true(collected.same && collected.seen == keys.count);
        table_view_close(view);
    }
    keys_free(&keys);
}
