/* SPDX-License-Identifier: MIT */
/* Pattern databases that are read back after a restart, before anybody asks. */
#include "pattern_fixture.h"

#include "base/clock.h"
#include "store/pattern/patterns.h"
#include "store/table/table.h"

/* A moment, of which there may be many: the preload's priority is the lowest, and the machine may be busy. */
static void wait_a_moment(unsigned *moments)
{
    assert_true(++*moments < 600000);
    (void)usleep(1000);
}

/* Waits until the preload has loaded so many bytes. */
static void await_bytes(struct patterns *patterns, uint64_t bytes)
{
    for (unsigned moments = 0; patterns_bytes(patterns) != bytes;)
        wait_a_moment(&moments);
}

/* Waits until the preload holds nothing of the budget: what it has loaded can be had back. */
static void await_unheld(const struct budget *budget, uint64_t limit)
{
    for (unsigned moments = 0; budget_free(budget) != limit;)
        wait_a_moment(&moments);
}

/* Returns the time of a table's last use, which the disk is told once a minute. */
static uint64_t used_ms(struct fixture *fixture, const char *name)
{
    struct table_record table;
    fixture_ok(store_flush(fixture->store, &fixture->error));
    fixture_ok(store_table_find(fixture->store, name, &table, &fixture->error));
    const uint64_t here = checks_used_ms(fixture->store, table.id);
    return here > table.used_ms ? here : table.used_ms;
}

store_test(what_was_used_lately_is_in_memory_again_after_a_restart)
{
    struct fixture *fixture = *state;
    struct patterns *patterns = patterns_of(fixture, 0, NULL);
    struct patterns_access access;
    patterns_access_init(&access, patterns, 0, NULL);
    const struct pattern_archive *archive = &access.archive;
    uint8_t *saved = pattern_bytes(7, LENGTH);
    static const char *const names[] = {"pdb:a", "pdb:b", "slide:c"};
    for (unsigned i = 0; i < 3; i++)
        fixture_ok(archive->save(archive->context, names[i], saved, LENGTH, &fixture->error));
    const uint64_t used = used_ms(fixture, "pdb:b");
    patterns_free(patterns);
    fixture_reopen(fixture);

    struct budget budget;
    budget_init(&budget, NULL, 10 * LENGTH);
    patterns = patterns_of(fixture, 2 * LENGTH, &budget);
    patterns_access_init(&access, patterns, 0, NULL);
    struct preload *preload = preload_start(fixture->store, patterns, 2 * LENGTH);
    assert_non_null(preload);
    await_bytes(patterns, 2 * LENGTH);
    await_unheld(&budget, 10 * LENGTH);
    assert_int_equal(used_ms(fixture, "pdb:b"), used); /* nobody has used it since */
    const uint8_t *bytes;
    size_t length;
    fixture_ok(archive->load(archive->context, "pdb:b", &bytes, &length, &fixture->error));
    assert_int_equal(length, LENGTH);
    assert_memory_equal(bytes, saved, LENGTH);
    assert_int_equal(patterns_bytes(patterns), 2 * LENGTH); /* it was there: no second copy */
    archive->release(archive->context, bytes);
    preload_stop(preload);
    patterns_free(patterns);
    assert_int_equal(atomic_load(&budget.used), 0);
    free(saved);
}

store_test(a_preload_reserves_numbers_for_the_first_searches)
{
    struct fixture *fixture = *state;
    struct patterns *patterns = patterns_of(fixture, UINT64_MAX, NULL);
    struct patterns_access access;
    patterns_access_init(&access, patterns, 0, NULL);
    uint8_t *saved = pattern_bytes(9, LENGTH);
    for (unsigned databases = 0; databases < 2; databases++) {
        if (databases > 0)
            fixture_ok(access.archive.save(access.archive.context, "pdb:a", saved, LENGTH, &fixture->error));
        struct preload *preload = preload_start(fixture->store, patterns, LENGTH);
        assert_non_null(preload);
        await_bytes(patterns, databases * LENGTH);
        preload_stop(preload);
        fixture_ok(store_flush(fixture->store, &fixture->error));
        assert_int_equal(store_number_is_reserved(fixture->store), databases > 0);
    }
    patterns_free(patterns);
    free(saved);
    fixture_reopen(fixture); /* what was not used is given back */
    assert_int_equal(fixture_add_job(fixture, ""), 1);
}

store_test(a_preload_keeps_to_its_bytes_and_ends_when_told)
{
    struct fixture *fixture = *state;
    struct patterns *patterns = patterns_of(fixture, UINT64_MAX, NULL);
    struct patterns_access access;
    patterns_access_init(&access, patterns, 0, NULL);
    uint8_t *saved = pattern_bytes(8, LENGTH);
    for (unsigned i = 0; i < 3; i++) {
        char name[] = {'p', 'd', 'b', ':', (char)('0' + i), '\0'};
        fixture_ok(access.archive.save(access.archive.context, name, saved, LENGTH, &fixture->error));
    }
    for (unsigned i = 0; i < 20; i++) {
        struct preload *preload = preload_start(fixture->store, patterns, 2 * LENGTH + LENGTH / 2);
        assert_non_null(preload);
        if (i == 19)
            await_bytes(patterns, 2 * LENGTH);
        preload_stop(preload);
        assert_true(patterns_bytes(patterns) <= 2 * LENGTH);
        patterns_trim(patterns);
    }
    patterns_free(patterns);
    free(saved);
}

store_test(a_search_notes_the_use_of_a_database_also_of_one_in_memory)
{
    struct fixture *fixture = *state;
    struct patterns *patterns = patterns_of(fixture, UINT64_MAX, NULL);
    struct patterns_access access;
    const uint8_t *bytes;
    size_t length;
    uint8_t *saved = pattern_bytes(6, LENGTH);
    patterns_access_init(&access, patterns, 0, NULL);
    const struct pattern_archive *archive = &access.archive;
    fixture_ok(archive->save(archive->context, "pdb:u", saved, LENGTH, &fixture->error));
    const uint64_t made = used_ms(fixture, "pdb:u");
    while (clock_wall_ms() == made)
        (void)usleep(100);
    access.ahead = true;
    fixture_ok(archive->load(archive->context, "pdb:u", &bytes, &length, &fixture->error));
    archive->release(archive->context, bytes);
    assert_int_equal(used_ms(fixture, "pdb:u"), made);
    access.ahead = false;
    fixture_ok(archive->load(archive->context, "pdb:u", &bytes, &length, &fixture->error));
    archive->release(archive->context, bytes);
    assert_true(used_ms(fixture, "pdb:u") > made);
    patterns_free(patterns);
    free(saved);
}
