/* SPDX-License-Identifier: MIT */
/* Small tables for the tests of the store. */
#ifndef TESTS_STORE_TABLES_H
#define TESTS_STORE_TABLES_H

#include "base/random.h"
#include "store_fixture.h"

/* A table of count chunks of length bytes; what is in them follows from seed. */
struct small_table {
    const char *name;
    uint64_t job;
    unsigned chunks;
    size_t length;
    unsigned seed;
};

static inline void small_chunk(const struct small_table *small, uint64_t number, uint8_t *bytes)
{
    struct random random = {small->seed * 100003u + number};
    for (size_t i = 0; i < small->length; i++)
        bytes[i] = (uint8_t)random_next(&random);
}

/* Returns what writing the table comes to. */
static inline enum pz_status small_table_try(struct fixture *fixture, const struct small_table *small)
{
    struct table_record about = {.kind = TABLE_DENSE,
                                 .job = small->job,
                                 .chunk_bytes = (uint32_t)small->length,
                                 .table_bytes = small->chunks * small->length};
    (void)snprintf(about.name, sizeof about.name, "%s", small->name);
    struct table_writer *writer;
    uint8_t *bytes = malloc(small->length);
    assert_non_null(bytes);
    enum pz_status status = table_writer_new(fixture->store, &about, &writer, &fixture->error);
    if (status != PZ_OK) {
        free(bytes);
        return status;
    }
    for (uint64_t number = 0; number < small->chunks && status == PZ_OK; number++) {
        small_chunk(small, number, bytes);
        status = table_writer_chunk(writer, number, bytes, small->length, &fixture->error);
    }
    free(bytes);
    if (status == PZ_OK)
        return table_writer_finish(writer, &about, &fixture->error);
    table_writer_abort(writer);
    return status;
}

static inline void small_table_store(struct fixture *fixture, const struct small_table *small)
{
    fixture_ok(small_table_try(fixture, small));
}

/* Returns PZ_OK if the table is there and every chunk of it right; the first failure otherwise. */
static inline enum pz_status small_table_read(struct fixture *fixture, const struct small_table *small)
{
    struct table_view *view;
    uint8_t *expected = malloc(small->length);
    assert_non_null(expected);
    enum pz_status status = table_view_open(fixture->store, small->name, &view, &fixture->error);
    for (uint64_t number = 0; number < small->chunks && status == PZ_OK; number++) {
        const uint8_t *bytes;
        size_t length;
        status = table_view_chunk(view, number, &bytes, &length, &fixture->error);
        if (status != PZ_OK)
            break;
        small_chunk(small, number, expected);
        assert_int_equal(length, small->length);
        assert_memory_equal(bytes, expected, length);
    }
    if (view != NULL)
        table_view_close(view);
    free(expected);
    return status;
}

/* A table of count keys, i × step + 1, with distance i mod 50. */
static inline void small_runs_store(struct fixture *fixture, const char *name, size_t count, uint64_t step)
{
    struct table_record about = {.kind = TABLE_RUNS, .state_bytes = 8};
    (void)snprintf(about.name, sizeof about.name, "%s", name);
    struct table_writer *writer;
    fixture_ok(table_writer_new(fixture->store, &about, &writer, &fixture->error));
    for (size_t i = 0; i < count; i++) {
        uint64_t key = i * step + 1;
        uint32_t distance = (uint32_t)(i % 50);
        struct explore_run run = {.keys = &key, .distances = &distance, .count = 1, .key_words = 1};
        fixture_ok(table_writer_run(writer, &run, &fixture->error));
    }
    fixture_ok(table_writer_finish(writer, &about, &fixture->error));
}

#endif
