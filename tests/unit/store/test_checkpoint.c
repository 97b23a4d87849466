/* SPDX-License-Identifier: MIT */
#include "store_fixture.h"

#include "base/random.h"

static size_t part_fill(uint8_t *bytes, uint64_t part, unsigned seed)
{
    struct random random = {part * 7919 + seed};
    size_t length = part % 5 == 4 ? 100 : CHECKPOINT_PART_MAX;
    for (size_t i = 0; i < length; i++)
        bytes[i] = (uint8_t)random_next(&random);
    return length;
}

static void write_parts(struct fixture *fixture, struct table_writer *writer, uint64_t parts, unsigned seed)
{
    uint8_t *bytes = malloc(CHECKPOINT_PART_MAX);
    assert_non_null(bytes);
    for (uint64_t part = 0; part < parts; part++) {
        size_t length = part_fill(bytes, part, seed);
        fixture_ok(checkpoint_part(writer, bytes, length, &fixture->error));
    }
    free(bytes);
}

static void save(struct fixture *fixture, uint64_t job, uint64_t parts, unsigned seed)
{
    struct table_writer *writer;
    fixture_ok(checkpoint_begin(fixture->store, job, 3, 1000 + seed, &writer, &fixture->error));
    write_parts(fixture, writer, parts, seed);
    fixture_ok(checkpoint_commit(writer, &fixture->error));
}

static void expect(struct fixture *fixture, uint64_t job, uint64_t parts, unsigned seed)
{
    struct table_view *reader;
    struct checkpoint_info info;
    uint8_t *expected = malloc(CHECKPOINT_PART_MAX);
    assert_non_null(expected);
    fixture_ok(checkpoint_open(fixture->store, job, &reader, &info, &fixture->error));
    assert_int_equal(info.version, 3);
    assert_int_equal(info.parts, parts);
    assert_true(info.created_ms > 0);
    assert_int_equal(info.run, 1000 + seed);
    for (uint64_t part = 0; part < parts; part++) {
        const uint8_t *bytes;
        size_t length;
        fixture_ok(table_view_chunk(reader, part, &bytes, &length, &fixture->error));
        assert_int_equal(length, part_fill(expected, part, seed));
        assert_memory_equal(bytes, expected, length);
    }
    table_view_close(reader);
    free(expected);
}

static bool no_table(void *context, const struct table_record *table)
{
    *(bool *)context = true;
    return true;
}

store_test(a_checkpoint_comes_back_part_by_part_also_after_a_restart)
{
    struct fixture *fixture = *state;
    save(fixture, 7, 12, 1);
    expect(fixture, 7, 12, 1);
    fixture_reopen(fixture);
    expect(fixture, 7, 12, 1);
}

store_test(the_last_whole_checkpoint_survives_one_that_was_not_finished)
{
    struct fixture *fixture = *state;
    struct table_writer *writer;
    save(fixture, 7, 12, 1);
    fixture_ok(checkpoint_begin(fixture->store, 7, 3, 0, &writer, &fixture->error));
    write_parts(fixture, writer, 30, 2);
    expect(fixture, 7, 12, 1);
    table_writer_abort(writer);
    fixture_reopen(fixture);
    expect(fixture, 7, 12, 1);
    save(fixture, 7, 5, 2);
    expect(fixture, 7, 5, 2);
}

store_test(jobs_have_checkpoints_of_their_own_and_take_them_along)
{
    struct fixture *fixture = *state;
    struct job_record job = job_of("slide:3x3", "q");
    struct table_view *reader;
    struct checkpoint_info info;
    fixture_ok(store_job_add(fixture->store, &job, &fixture->error));
    save(fixture, job.id, 2, 1);
    save(fixture, 99, 2, 2);
    fixture_ok(forget_job(fixture->store, job.id, &fixture->error));
    assert_int_equal(checkpoint_open(fixture->store, job.id, &reader, &info, &fixture->error), PZ_NO_TABLE);
    expect(fixture, 99, 2, 2);
    fixture_ok(checkpoint_remove_async(fixture->store, 99, &fixture->error));
    fixture_ok(
        checkpoint_remove_async(fixture->store, 99, &fixture->error)); /* there is none: that is fine */
    fixture_ok(store_flush(fixture->store, &fixture->error));
    assert_int_equal(checkpoint_open(fixture->store, 99, &reader, &info, &fixture->error), PZ_NO_TABLE);
    job_record_clear(&job);
}

/* A full disk kept it from being removed. */
store_test(a_checkpoint_whose_job_has_ended_goes_at_the_next_start)
{
    struct fixture *fixture = *state;
    static const enum stop_reason reasons[] = {STOP_NONE, STOP_MEMORY, STOP_DISK};
    for (unsigned i = 0; i < 3; i++) {
        struct job_record job = job_of("slide:3x3", "");
        job.state = reasons[i] == STOP_NONE ? JOB_DONE : JOB_STOPPED;
        job.facts.reason = reasons[i];
        fixture_ok(store_job_add(fixture->store, &job, &fixture->error));
        save(fixture, job.id, 2, 1);
        job_record_clear(&job);
    }
    fixture_reopen(fixture);
    fixture_ok(store_flush(fixture->store, &fixture->error));
    for (uint64_t job = 1; job < 3; job++) {
        struct table_view *reader;
        struct checkpoint_info info;
        assert_int_equal(checkpoint_open(fixture->store, job, &reader, &info, &fixture->error), PZ_NO_TABLE);
    }
    expect(fixture, 3, 2, 1); /* it may go on */
}

store_test(a_checkpoint_is_no_table_to_list_or_to_evict)
{
    struct fixture *fixture = *state;
    bool listed = false;
    save(fixture, 7, 2, 1);
    fixture_ok(store_tables(fixture->store, no_table, &listed, NULL, &fixture->error));
    assert_false(listed);
    assert_int_equal(store_evict(fixture->store, NULL, UINT64_MAX, 1, NULL, NULL, &fixture->error),
                     PZ_STORAGE_FULL);
    expect(fixture, 7, 2, 1);
}

store_test(a_part_that_is_too_long_is_refused)
{
    struct fixture *fixture = *state;
    struct table_writer *writer;
    static const uint8_t bytes[CHECKPOINT_PART_MAX + 1];
    fixture_ok(checkpoint_begin(fixture->store, 7, 3, 0, &writer, &fixture->error));
    assert_int_equal(checkpoint_part(writer, bytes, sizeof bytes, &fixture->error), PZ_INTERNAL);
    table_writer_abort(writer);
}
