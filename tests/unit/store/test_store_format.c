/* SPDX-License-Identifier: MIT */
/*
 * Values as bytes, one of each kind, as this format has them. A change that breaks one needs another
 * STORE_FORMAT. From the first release on the format before stays readable. See docs/storage.md.
 */
#include "store_fixture.h"

#include "store/engine/store_internal.h"
#include "store/lmdb/value_codec.h"
#include "store/maintenance/dump_record.h"
#include "store/table/table.h"

#include <lmdb.h>

/* A whole database of format 2: each value with its seal. */
struct golden {
    enum database database;
    const char *key;   /* in hexadecimal */
    const char *value; /* as above */
};

static const struct golden format_2[] = {
#include "store_format_2.inc"
};

static size_t bytes_of(const char *hex, uint8_t *out)
{
    size_t length = strlen(hex) / 2;
    for (size_t i = 0; i < length; i++) {
        char pair[3] = {hex[2 * i], hex[2 * i + 1], '\0'};
        out[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return length;
}

static void write_golden(struct fixture *fixture, const struct golden *rows, size_t count)
{
    MDB_env *env;
    MDB_txn *txn;
    assert_int_equal(mdb_env_create(&env), 0);
    assert_int_equal(mdb_env_set_maxdbs(env, 32), 0);
    assert_int_equal(mdb_env_open(env, fixture->directory, 0, 0600), 0);
    assert_int_equal(mdb_txn_begin(env, NULL, 0, &txn), 0);
    for (size_t i = 0; i < count; i++) {
        static uint8_t key[64], value[4096];
        MDB_dbi dbi;
        MDB_val name = {.mv_size = bytes_of(rows[i].key, key), .mv_data = key};
        MDB_val bytes = {.mv_size = bytes_of(rows[i].value, value), .mv_data = value};
        assert_int_equal(mdb_dbi_open(txn, database_name(rows[i].database), MDB_CREATE, &dbi), 0);
        assert_int_equal(mdb_put(txn, dbi, &name, &bytes, 0), 0);
    }
    assert_int_equal(mdb_txn_commit(txn), 0);
    mdb_env_close(env);
}

/* ---- what is in it: also how the bytes were made ---- */

static const uint64_t example[2] = {0x1122334455667788u, 42};
static const uint64_t run_keys[3] = {5, 0x0100000000000000u, UINT64_MAX - 1};
static const uint32_t run_distances[3] = {0, 7, 300};

static void write_contents(struct fixture *fixture)
{
    struct job_record job = job_of("slide:2x2", "explore slide:2x2 root=1,2/3,0");
    job.submitter = strdup("uid:1000");
    job.starts = 2;
    fixture_ok(store_job_add(fixture->store, &job, &fixture->error));
    job.state = JOB_DONE;
    job.started_ms = 1700000000456;
    job.finished_ms = 1700000000789;
    job.table = strdup("slide:2x2 root=1,2/3,0");
    job.result = strdup(" engine=striped");
    job.failure = strdup("no room");
    job.from = FROM_GOALS;
    job.of_tool = job.cluster = true;
    job.rank_memory = 1 << 20;
    job.facts = (struct job_facts){.memory_limit = 1 << 30,
                                   .time_limit = 1.5,
                                   .table_levels = 7,
                                   .evicted = true,
                                   .seconds = 2.5,
                                   .reason = STOP_DISK,
                                   .failure = PZ_DENIED,
                                   .levels = 7,
                                   .states = 12,
                                   .planes = PLANES_DISK,
                                   .ranks = 2,
                                   .method = METHOD_DIRECT,
                                   .solvable = PZ_UNKNOWN,
                                   .moves = -1};
    fixture_ok(store_job_put(fixture->store, &job, &fixture->error));
    fixture_ok(store_level_put(fixture->store, job.id, 0, 1, &fixture->error));
    fixture_ok(store_examples_put(fixture->store, job.id, 6, example, 2, 8, &fixture->error));
    struct table_record about = {
        .kind = TABLE_RUNS, .state_bytes = 8, .job = job.id, .name = "slide:2x2 root=1,2/3,0"};
    struct explore_run run = {.keys = run_keys, .distances = run_distances, .count = 3, .key_words = 1};
    struct table_writer *writer;
    fixture_ok(table_writer_new(fixture->store, &about, &writer, &fixture->error));
    fixture_ok(table_writer_run(writer, &run, &fixture->error));
    about.depth = 6;
    about.complete = true;
    about.states = 12;
    fixture_ok(table_writer_finish(writer, &about, &fixture->error));
    struct table_writer *checkpoint;
    fixture_ok(checkpoint_begin(fixture->store, job.id, 3, 0, &checkpoint, &fixture->error));
    fixture_ok(checkpoint_part(checkpoint, "part zero", 9, &fixture->error));
    fixture_ok(checkpoint_commit(checkpoint, &fixture->error));
    job_record_clear(&job);
}

static void check_facts(const struct job_record *job)
{
    assert_int_equal(job->facts.memory_limit, 1 << 30);
    assert_true(job->facts.time_limit > 1.49 && job->facts.time_limit < 1.51);
    assert_int_equal(job->facts.table_levels, 7);
    assert_int_equal(job->facts.states, 12);
    assert_true(job->facts.seconds > 2.49 && job->facts.seconds < 2.51);
    assert_int_equal(job->facts.reason, STOP_DISK);
    assert_int_equal(job->facts.planes, PLANES_DISK);
    assert_int_equal(job->facts.ranks, 2);
    assert_true(job->facts.evicted && !job->facts.elsewhere);
    assert_int_equal(job->facts.failure, PZ_DENIED);
    assert_int_equal(job->facts.levels, 7);
    assert_int_equal(job->facts.method, METHOD_DIRECT);
    assert_int_equal(job->facts.solvable, PZ_UNKNOWN);
    assert_int_equal(job->facts.moves, -1);
    assert_string_equal(job->submitter, "uid:1000");
    assert_int_equal(job->starts, 2);
}

static void check_job(struct fixture *fixture)
{
    struct job_record job;
    fixture_ok(store_job_get(fixture->store, 1, &job, &fixture->error));
    assert_int_equal(job.kind, JOB_EXPLORE);
    assert_int_equal(job.state, JOB_DONE);
    assert_int_equal(job.priority, -3);
    assert_int_equal(job.submitted_ms, 1700000000123);
    assert_int_equal(job.started_ms, 1700000000456);
    assert_int_equal(job.finished_ms, 1700000000789);
    assert_string_equal(job.puzzle, "slide:2x2");
    assert_string_equal(job.request, "EXPLORE 3x3 keep=table");
    assert_string_equal(job.table, "slide:2x2 root=1,2/3,0");
    assert_string_equal(job.result, " engine=striped");
    assert_string_equal(job.failure, "no room");
    assert_int_equal(job.from, FROM_GOALS);
    assert_true(job.of_tool && job.cluster);
    assert_int_equal(job.rank_memory, 1 << 20);
    check_facts(&job);
    assert_int_equal(store_question(fixture->store, job.question), 1);
    job_record_clear(&job);
}

static void check_levels(struct fixture *fixture)
{
    struct store_level *levels;
    uint32_t count;
    struct store_examples examples;
    fixture_ok(store_levels(fixture->store, 1, &levels, &count, &fixture->error));
    assert_int_equal(count, 1);
    assert_int_equal(levels[0].states, 1);
    free(levels);
    fixture_ok(store_examples(fixture->store, 1, 6, &examples, &fixture->error));
    assert_int_equal(examples.count, 2);
    assert_memory_equal(examples.states, example, sizeof example);
    free(examples.states);
}

static void check_tables(struct fixture *fixture)
{
    struct table_view *view;
    fixture_ok(table_view_open(fixture->store, "slide:2x2 root=1,2/3,0", &view, &fixture->error));
    const struct table_record *table = table_view_record(view);
    assert_true(table->complete && table->finished && !table->pinned);
    assert_int_equal(table->depth, 6);
    assert_int_equal(table->states, 12);
    assert_int_equal(table->job, 1);
    for (unsigned i = 0; i < 3; i++) {
        uint32_t distance;
        fixture_ok(table_view_key(view, &run_keys[i], 1, &distance, &fixture->error));
        assert_int_equal(distance, run_distances[i]);
    }
    table_view_close(view);
    struct table_view *reader;
    struct checkpoint_info info;
    const uint8_t *bytes;
    size_t length;
    fixture_ok(checkpoint_open(fixture->store, 1, &reader, &info, &fixture->error));
    assert_int_equal(info.version, 3);
    fixture_ok(table_view_chunk(reader, 0, &bytes, &length, &fixture->error));
    assert_int_equal(length, 9);
    assert_memory_equal(bytes, "part zero", 9);
    table_view_close(reader);
}

TEST_WITH(a_database_of_format_2_is_read, fixture_make, fixture_tear_down)
{
    struct fixture *fixture = *state;
    struct store_check check;
    char faults[FAULTS_TEXT_MAX] = "";
    write_golden(fixture, format_2, sizeof format_2 / sizeof format_2[0]);
    fixture->options.read_only = true; /* else the checkpoint goes, as its job has ended */
    fixture_open(fixture);
    check_job(fixture);
    check_levels(fixture);
    check_tables(fixture);
    fixture_ok(store_fsck(fixture->store, collect_fault, faults, &check, &fixture->error));
    assert_string_equal(faults, "");
    assert_int_equal(check.values, sizeof format_2 / sizeof format_2[0]);
}

TEST(a_table_of_runs_with_keys_of_no_known_width_is_refused)
{
    enum { STATE_BYTES_AT = SEAL_BYTES + 13 }; /* the last byte of that field */
    const struct golden *row = format_2;
    uint8_t value[512];
    struct table_row table;
    struct pz_error error;
    while (row->database != DATABASE_TABLES)
        row++;
    const size_t length = bytes_of(row->value, value);
    assert_ok(table_row_decode(value, length, 1, &table, &error), error);
    assert_int_equal(table.record.kind, TABLE_RUNS);
    value[STATE_BYTES_AT] = 12;
    assert_int_equal(table_row_decode(value, length, 1, &table, &error), PZ_STORAGE);
    assert_non_null(strstr(error.text, "keys of 12 bytes"));
}

TEST(a_record_that_no_import_would_read_is_not_dumped)
{
    static const uint8_t piece[1 << 20];
    struct pz_error error;
    struct encoder encoder;
    FILE *file = tmpfile();
    assert_non_null(file);
    encoder_begin(&encoder);
    for (unsigned i = 0; i < DUMP_VALUE_MAX / sizeof piece; i++)
        encode_bytes(&encoder, piece, sizeof piece);
    assert_int_equal(dump_record_put(&(struct dump_file){file, 3}, DUMP_JOB, &encoder, &error), PZ_TOO_LARGE);
    assert_non_null(strstr(error.text, "record 3"));
    assert_int_equal(ftell(file), 0);
    (void)fclose(file);
}

/* Prints the rows of store_format_2.inc, made by this program's own encoders. */
static void print_rows(struct fixture *fixture)
{
    MDB_env *env;
    MDB_txn *txn;
    fixture_close(fixture);
    assert_int_equal(mdb_env_create(&env), 0);
    assert_int_equal(mdb_env_set_maxdbs(env, 32), 0);
    assert_int_equal(mdb_env_open(env, fixture->directory, MDB_RDONLY, 0600), 0);
    assert_int_equal(mdb_txn_begin(env, NULL, MDB_RDONLY, &txn), 0);
    for (unsigned i = 0; i < DATABASE_COUNT; i++) {
        MDB_dbi dbi;
        MDB_cursor *cursor;
        MDB_val name, value;
        assert_int_equal(mdb_dbi_open(txn, database_name((enum database)i), 0, &dbi), 0);
        assert_int_equal(mdb_cursor_open(txn, dbi, &cursor), 0);
        while (mdb_cursor_get(cursor, &name, &value, MDB_NEXT) == 0) {
            printf("{%u, \"", i);
            for (size_t j = 0; j < name.mv_size; j++)
                printf("%02x", ((const uint8_t *)name.mv_data)[j]);
            printf("\",\n \"");
            for (size_t j = 0; j < value.mv_size; j++)
                printf("%02x", ((const uint8_t *)value.mv_data)[j]);
            printf("\"},\n");
        }
        mdb_cursor_close(cursor);
    }
    mdb_txn_abort(txn);
    mdb_env_close(env);
}

store_test(what_is_written_now_is_read_in_the_same_way)
{
    struct fixture *fixture = *state;
    write_contents(fixture);
    check_job(fixture);
    check_levels(fixture);
    check_tables(fixture);
    if (getenv("PUZZLED_PRINT_FORMAT") != NULL)
        print_rows(fixture);
}
