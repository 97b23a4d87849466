/* SPDX-License-Identifier: MIT */
#include "pattern_fixture.h"

#include <pthread.h>

store_test(a_saved_database_is_loaded_again_also_after_a_restart)
{
    struct fixture *fixture = *state;
    uint8_t *saved = pattern_bytes(1, LENGTH);
    for (int round = 0; round < 2; round++) {
        struct patterns *patterns = patterns_of(fixture, 0, NULL);
        struct patterns_access access;
        const uint8_t *bytes;
        size_t length;
        patterns_access_init(&access, patterns, 0, NULL);
        const struct pattern_archive *archive = &access.archive;
        if (round == 0) {
            assert_int_equal(archive->load(archive->context, "pdb:t", &bytes, &length, &fixture->error),
                             PZ_NO_TABLE);
            fixture_ok(archive->save(archive->context, "pdb:t", saved, LENGTH, &fixture->error));
        }
        fixture_ok(archive->load(archive->context, "pdb:t", &bytes, &length, &fixture->error));
        assert_int_equal(length, LENGTH);
        assert_memory_equal(bytes, saved, LENGTH);
        assert_int_equal(patterns_bytes(patterns), LENGTH);
        archive->release(archive->context, bytes);
        assert_int_equal(patterns_bytes(patterns), 0);
        patterns_free(patterns);
        fixture_reopen(fixture);
    }
    free(saved);
}

store_test(what_nobody_uses_gives_way_to_whoever_needs_the_memory)
{
    struct fixture *fixture = *state;
    struct budget budget;
    struct budget job;
    budget_init(&budget, NULL, 3 * LENGTH);
    budget_init(&job, &budget, UINT64_MAX);
    struct patterns *patterns = patterns_of(fixture, UINT64_MAX, &budget);
    struct patterns_access access;
    patterns_access_init(&access, patterns, 0, NULL);
    const struct pattern_archive *archive = &access.archive;
    const uint8_t *bytes[2];
    size_t length;
    for (unsigned i = 0; i < 2; i++) {
        char name[] = {'p', (char)('0' + i), '\0'};
        uint8_t *saved = pattern_bytes(i, LENGTH);
        fixture_ok(archive->save(archive->context, name, saved, LENGTH, &fixture->error));
        fixture_ok(archive->load(archive->context, name, &bytes[i], &length, &fixture->error));
        free(saved);
    }
    assert_int_equal(budget_free(&job), LENGTH);
    archive->release(archive->context, bytes[0]);
    assert_int_equal(patterns_bytes(patterns), 2 * LENGTH);
    assert_int_equal(budget_free(&job), 2 * LENGTH);
    assert_false(budget_take(&job, 2 * LENGTH + 1)); /* p1 is in use */
    assert_true(budget_take(&job, 2 * LENGTH));
    assert_int_equal(patterns_bytes(patterns), LENGTH);
    budget_give(&job, 2 * LENGTH);
    archive->release(archive->context, bytes[1]);
    fixture_ok(archive->load(archive->context, "p0", &bytes[0], &length, &fixture->error));
    assert_int_equal(budget_free(&job), 2 * LENGTH);
    archive->release(archive->context, bytes[0]);
    patterns_free(patterns);
    assert_int_equal(atomic_load(&budget.used), 0);
    assert_int_equal(atomic_load(&budget.reclaimable), 0);
}

store_test(what_nobody_uses_is_kept_up_to_the_limit)
{
    struct fixture *fixture = *state;
    struct budget budget;
    budget_init(&budget, NULL, 5 * LENGTH);
    struct patterns *patterns = patterns_of(fixture, 2 * LENGTH, &budget);
    struct patterns_access access;
    patterns_access_init(&access, patterns, 0, NULL);
    const struct pattern_archive *archive = &access.archive;
    const uint8_t *bytes[4], *again;
    size_t length;
    for (unsigned i = 0; i < 4; i++) {
        char name[] = {'p', (char)('0' + i), '\0'};
        uint8_t *saved = pattern_bytes(i, LENGTH);
        fixture_ok(archive->save(archive->context, name, saved, LENGTH, &fixture->error));
        fixture_ok(archive->load(archive->context, name, &bytes[i], &length, &fixture->error));
        free(saved);
    }
    assert_int_equal(patterns_bytes(patterns), 4 * LENGTH);
    assert_int_equal(atomic_load(&budget.used), 4 * LENGTH);
    fixture_ok(archive->load(archive->context, "p0", &again, &length, &fixture->error));
    assert_ptr_equal(again, bytes[0]);
    archive->release(archive->context, again);
    for (unsigned i = 0; i < 4; i++)
        archive->release(archive->context, bytes[i]);
    assert_int_equal(patterns_bytes(patterns), 2 * LENGTH);
    patterns_trim(patterns);
    assert_int_equal(patterns_bytes(patterns), 0);
    assert_int_equal(atomic_load(&budget.used), 0);
    patterns_free(patterns);
}

store_test(a_budget_that_is_too_small_refuses_and_is_left_as_it_was)
{
    struct fixture *fixture = *state;
    struct budget budget;
    budget_init(&budget, NULL, LENGTH - 1);
    struct patterns *patterns = patterns_of(fixture, LENGTH, &budget);
    struct patterns_access access;
    patterns_access_init(&access, patterns, 0, NULL);
    const struct pattern_archive *archive = &access.archive;
    uint8_t *saved = pattern_bytes(9, LENGTH);
    const uint8_t *bytes;
    size_t length;
    fixture_ok(archive->save(archive->context, "p", saved, LENGTH, &fixture->error));
    assert_int_equal(archive->load(archive->context, "p", &bytes, &length, &fixture->error), PZ_MEMORY);
    assert_int_equal(atomic_load(&budget.used), 0);
    patterns_free(patterns);
    free(saved);
}

store_test(an_empty_database_is_refused)
{
    struct fixture *fixture = *state;
    const struct table_record about = {
        .name = "pdb:t", .kind = TABLE_PATTERN, .complete = true, .chunk_bytes = 1 << 20};
    struct patterns *patterns = patterns_of(fixture, 0, NULL);
    struct patterns_access access;
    struct table_writer *writer;
    const uint8_t *bytes;
    size_t length;
    patterns_access_init(&access, patterns, 0, NULL);
    fixture_ok(table_writer_new(fixture->store, &about, &writer, &fixture->error));
    fixture_ok(table_writer_finish(writer, &about, &fixture->error));
    assert_int_equal(access.archive.load(access.archive.context, "pdb:t", &bytes, &length, &fixture->error),
                     PZ_STORAGE);
    patterns_free(patterns);
}

store_test(an_access_in_memory_loads_nothing)
{
    struct fixture *fixture = *state;
    struct patterns *patterns = patterns_of(fixture, LENGTH, NULL);
    struct patterns_access access;
    struct patterns_access in_memory_only;
    patterns_access_init(&access, patterns, 0, NULL);
    patterns_access_in_memory(&in_memory_only, patterns, NULL);
    const struct pattern_archive *archive = &access.archive;
    const struct pattern_archive *hand = &in_memory_only.archive;
    uint8_t *saved = pattern_bytes(9, LENGTH);
    const uint8_t *bytes, *again;
    size_t length;
    assert_int_equal(hand->load(hand->context, "p", &bytes, &length, &fixture->error), PZ_CANCELLED);
    fixture_ok(archive->save(archive->context, "p", saved, LENGTH, &fixture->error));
    assert_int_equal(hand->load(hand->context, "p", &bytes, &length, &fixture->error), PZ_CANCELLED);
    assert_int_equal(patterns_bytes(patterns), 0);
    fixture_ok(archive->load(archive->context, "p", &bytes, &length, &fixture->error));
    fixture_ok(hand->load(hand->context, "p", &again, &length, &fixture->error));
    assert_ptr_equal(again, bytes);
    archive->release(archive->context, bytes);
    assert_memory_equal(again, saved, LENGTH);
    hand->release(hand->context, again);
    patterns_free(patterns);
    free(saved);
}

store_test(a_database_made_again_is_the_new_one)
{
    struct fixture *fixture = *state;
    struct patterns *patterns = patterns_of(fixture, 10 * LENGTH, NULL);
    struct patterns_access access;
    patterns_access_init(&access, patterns, 0, NULL);
    const struct pattern_archive *archive = &access.archive;
    uint8_t *saved[2] = {pattern_bytes(1, LENGTH), pattern_bytes(2, LENGTH)};
    const uint8_t *bytes[2];
    size_t length;
    for (unsigned i = 0; i < 2; i++) {
        fixture_ok(archive->save(archive->context, "p", saved[i], LENGTH, &fixture->error));
        fixture_ok(archive->load(archive->context, "p", &bytes[i], &length, &fixture->error));
    }
    for (unsigned i = 0; i < 2; i++) {
        assert_memory_equal(bytes[i], saved[i], LENGTH);
        archive->release(archive->context, bytes[i]);
        free(saved[i]);
    }
    fixture_ok(table_remove(fixture->store, "p", 0, &fixture->error));
    assert_int_equal(archive->load(archive->context, "p", &bytes[0], &length, &fixture->error), PZ_NO_TABLE);
    patterns_free(patterns);
}

store_test(a_search_that_is_cancelled_neither_loads_nor_saves_to_the_end)
{
    struct fixture *fixture = *state;
    struct budget budget;
    struct control control = {0};
    struct patterns_access access;
    struct table_record table;
    const uint8_t *bytes;
    size_t length;
    budget_init(&budget, NULL, 5 * LENGTH);
    struct patterns *patterns = patterns_of(fixture, LENGTH, &budget);
    uint8_t *saved = pattern_bytes(5, LENGTH);
    patterns_access_init(&access, patterns, 0, &control);
    const struct pattern_archive *archive = &access.archive;
    atomic_store(&control.stop, true);
    assert_int_equal(archive->save(archive->context, "p", saved, LENGTH, &fixture->error), PZ_CANCELLED);
    assert_int_equal(store_table_find(fixture->store, "p", &table, &fixture->error), PZ_NO_TABLE);
    atomic_store(&control.stop, false);
    fixture_ok(archive->save(archive->context, "p", saved, LENGTH, &fixture->error));
    atomic_store(&control.stop, true);
    assert_int_equal(archive->load(archive->context, "p", &bytes, &length, &fixture->error), PZ_CANCELLED);
    assert_int_equal(patterns_bytes(patterns), 0);
    assert_int_equal(atomic_load(&budget.used), 0);
    atomic_store(&control.stop, false);
    fixture_ok(archive->load(archive->context, "p", &bytes, &length, &fixture->error));
    assert_memory_equal(bytes, saved, LENGTH);
    archive->release(archive->context, bytes);
    patterns_free(patterns);
    free(saved);
}

struct loader {
    struct patterns *patterns;
    const uint8_t *expected;
    unsigned failures;
};

static void *load_often(void *argument)
{
    struct loader *loader = argument;
    struct patterns_access access;
    patterns_access_init(&access, loader->patterns, 0, NULL);
    for (int i = 0; i < 5; i++) {
        const uint8_t *bytes;
        size_t length;
        if (access.archive.load(access.archive.context, "p", &bytes, &length, NULL) != PZ_OK) {
            loader->failures++;
            continue;
        }
        loader->failures += memcmp(bytes, loader->expected, length) != 0;
        access.archive.release(access.archive.context, bytes);
    }
    return NULL;
}

store_test(threads_share_one_copy)
{
    struct fixture *fixture = *state;
    enum { THREADS = 4 };
    struct patterns *patterns = patterns_of(fixture, 0, NULL);
    struct patterns_access access;
    patterns_access_init(&access, patterns, 0, NULL);
    uint8_t *saved = pattern_bytes(3, LENGTH);
    fixture_ok(access.archive.save(access.archive.context, "p", saved, LENGTH, &fixture->error));
    pthread_t threads[THREADS];
    struct loader loaders[THREADS];
    for (int i = 0; i < THREADS; i++) {
        loaders[i] = (struct loader){.patterns = patterns, .expected = saved};
        assert_int_equal(pthread_create(&threads[i], NULL, load_often, &loaders[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(loaders[i].failures, 0);
    }
    assert_int_equal(patterns_bytes(patterns), 0);
    patterns_free(patterns);
    free(saved);
}
