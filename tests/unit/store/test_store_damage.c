/* SPDX-License-Identifier: MIT */
/* Values that are newer, damaged, misplaced or cut short are refused and named, and hide no others. */
#include "store_tables.h"

#include "store/lmdb/lmdb_page.h"
#include "store/lmdb/value_codec.h"
#include "store/maintenance/backup.h"

#include <fcntl.h>
#include <lmdb.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the file behind the store's back ---- */

struct raw {
    MDB_env *env;
    MDB_txn *txn;
};

static void raw_open(struct fixture *fixture, struct raw *raw)
{
    fixture_close(fixture);
    assert_int_equal(mdb_env_create(&raw->env), 0);
    assert_int_equal(mdb_env_set_maxdbs(raw->env, 32), 0);
    assert_int_equal(mdb_env_set_mapsize(raw->env, 1u << 28), 0);
    assert_int_equal(mdb_env_open(raw->env, fixture->directory, 0, 0600), 0);
    assert_int_equal(mdb_txn_begin(raw->env, NULL, 0, &raw->txn), 0);
}

static void raw_close(struct raw *raw)
{
    assert_int_equal(mdb_txn_commit(raw->txn), 0);
    mdb_env_close(raw->env);
}

static void raw_put(struct raw *raw, enum database database, const struct key *key, const void *bytes,
                    size_t length)
{
    MDB_dbi dbi;
    MDB_val name = {.mv_size = key->length, .mv_data = (void *)key->bytes};
    MDB_val value = {.mv_size = length, .mv_data = (void *)bytes};
    assert_int_equal(mdb_dbi_open(raw->txn, database_name(database), 0, &dbi), 0);
    assert_int_equal(mdb_put(raw->txn, dbi, &name, &value, 0), 0);
}

/* A copy of a value, which the caller frees. */
static uint8_t *raw_get(struct raw *raw, enum database database, const struct key *key, size_t *length)
{
    MDB_dbi dbi;
    MDB_val name = {.mv_size = key->length, .mv_data = (void *)key->bytes};
    MDB_val value;
    assert_int_equal(mdb_dbi_open(raw->txn, database_name(database), 0, &dbi), 0);
    assert_int_equal(mdb_get(raw->txn, dbi, &name, &value), 0);
    uint8_t *copy = malloc(value.mv_size);
    assert_non_null(copy);
    memcpy(copy, value.mv_data, value.mv_size);
    *length = value.mv_size;
    return copy;
}

/* Replaces the format's record. */
static void write_format(struct fixture *fixture, const uint8_t *value, size_t length)
{
    struct raw raw;
    struct key key = {0};
    raw_open(fixture, &raw);
    key_add_bytes(&key, "format", 6);
    raw_put(&raw, DATABASE_META, &key, value, length);
    raw_close(&raw);
}

/* Expects that the store does not open, says so with these words, and leaves its file as it is. */
static void expect_format_refused(struct fixture *fixture, const char *words)
{
    struct stat before, after;
    const char *path = text_of("%s/data.mdb", fixture->directory);
    assert_int_equal(stat(path, &before), 0);
    assert_int_equal(store_open(fixture->directory, &fixture->options, &fixture->store, &fixture->error),
                     PZ_UNSUPPORTED);
    fixture->store = NULL;
    assert_non_null(strstr(fixture->error.text, words));
    assert_non_null(strstr(fixture->error.text, "export what matters"));
    assert_int_equal(stat(path, &after), 0);
    assert_int_equal(before.st_mtim.tv_sec, after.st_mtim.tv_sec);
    assert_int_equal(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
}

store_test(a_newer_format_is_refused_and_left_untouched)
{
    struct key key = {0};
    struct encoder encoder;
    key_add_bytes(&key, "format", 6);
    encoder_begin(&encoder);
    encode_u32(&encoder, 99);
    seal_write(encoder.bytes, encoder.used - SEAL_BYTES, DATABASE_META, &key);
    write_format(*state, encoder.bytes, encoder.used);
    encoder_free(&encoder);
    expect_format_refused(*state, "has database format 99, this puzzled reads format 2");
}

store_test(an_older_format_is_refused_and_left_untouched)
{
    static const uint8_t format_1[] = {1,    0,    0,    0,    0,    0,    0,    0,    0x6b, 0xa6,
                                       0x32, 0x3c, 0xee, 0x15, 0x35, 0x09, 0x00, 0x00, 0x00, 0x01};
    write_format(*state, format_1, sizeof format_1); /* as it was written then */
    expect_format_refused(*state, "has database format 1, this puzzled reads format 2");
}

/* Only the format's record may be of another format. */
store_test(a_value_of_another_format_is_damaged)
{
    struct fixture *fixture = *state;
    struct job_record job = job_of("slide:2x2", "q"), read;
    struct raw raw;
    size_t length;
    fixture_ok(store_job_add(fixture->store, &job, &fixture->error));
    struct key key = key_of_u64(job.id);
    raw_open(fixture, &raw);
    uint8_t *value = raw_get(&raw, DATABASE_JOBS, &key, &length);
    value[0] = STORE_FORMAT + 1;
    raw_put(&raw, DATABASE_JOBS, &key, value, length);
    free(value);
    raw_close(&raw);
    fixture_open(fixture);
    assert_int_equal(store_job_get(fixture->store, job.id, &read, &fixture->error), PZ_STORAGE);
    job_record_clear(&job);
}

/* Flips one bit of a stored value, its seal included. */
static void flip(struct fixture *fixture, enum database database, const struct key *key, size_t byte)
{
    struct raw raw;
    size_t length;
    raw_open(fixture, &raw);
    uint8_t *value = raw_get(&raw, database, key, &length);
    value[byte < length ? byte : length - 1] ^= 0x10;
    raw_put(&raw, database, key, value, length);
    free(value);
    raw_close(&raw);
    fixture_open(fixture);
}

static void check_one_fault(struct fixture *fixture, const char *words)
{
    const char *faults = fixture_faults(fixture);
    assert_int_equal(count_lines(faults), 1);
    assert_non_null(strstr(faults, words));
}

store_test(a_damaged_job_is_refused_and_named_and_hides_no_other)
{
    struct fixture *fixture = *state;
    struct job_record read;
    for (int i = 0; i < 3; i++)
        (void)fixture_add_job(fixture, "");
    struct key key = key_of_u64(2);
    for (size_t byte = 0; byte < 60; byte += 7) {
        flip(fixture, DATABASE_JOBS, &key, byte);
        assert_int_equal(store_job_get(fixture->store, 2, &read, &fixture->error), PZ_STORAGE);
        assert_non_null(strstr(fixture->error.text, "jobs/2 "));
        unsigned jobs = 0;
        fixture->error.text[0] = '\0';
        assert_int_equal(store_jobs(fixture->store, 0, count_job, &jobs, &fixture->error), PZ_STORAGE);
        assert_non_null(strstr(fixture->error.text, "jobs/2 "));
        assert_int_equal(jobs, 2);
        check_one_fault(fixture, "jobs/2 ");
        flip(fixture, DATABASE_JOBS, &key, byte);
    }
    fixture_ok(store_job_get(fixture->store, 2, &read, &fixture->error));
    job_record_clear(&read);
    flip(fixture, DATABASE_JOBS, &key, 20);
    fixture_ok(forget_job(fixture->store, 2, &fixture->error));
}

/* Nobody could forget it: FSCK named it, and every backup failed, for good. */
store_test(a_damaged_job_a_damaged_question_and_a_damaged_name_go_when_the_job_is_forgotten)
{
    struct fixture *fixture = *state;
    static const enum database databases[] = {DATABASE_JOBS, DATABASE_QUESTIONS, DATABASE_NAMES};
    for (size_t i = 0; i < sizeof databases / sizeof databases[0]; i++) {
        struct job_record job = job_of("slide:2x2", "q");
        fixture_ok(store_job_add(fixture->store, &job, &fixture->error));
        const struct small_table small = {
            .name = "the table", .job = job.id, .chunks = 5, .length = 30000, .seed = 3};
        small_table_store(fixture, &small);
        const struct key keys[] = {key_of_u64(job.id), key_of_text("q"), key_of_text("the table")};
        flip(fixture, databases[i], &keys[i], 20);
        check_one_fault(fixture, database_name(databases[i]));
        uint64_t next = job.id - 1;
        assert_true(store_job_next(fixture->store, &next) && next == job.id);
        fixture_ok(forget_job(fixture->store, job.id, &fixture->error));
        assert_false(store_job_next(fixture->store, &next));
        assert_int_equal(small_table_read(fixture, &small), PZ_NO_TABLE);
        assert_string_equal(fixture_faults(fixture), "");
        job_record_clear(&job);
    }
}

store_test(a_value_under_another_key_is_found_out)
{
    struct fixture *fixture = *state;
    struct raw raw;
    size_t length;
    struct job_record read;
    for (int i = 0; i < 2; i++)
        (void)fixture_add_job(fixture, "");
    struct key one = key_of_u64(1), two = key_of_u64(2);
    raw_open(fixture, &raw);
    uint8_t *value = raw_get(&raw, DATABASE_JOBS, &one, &length);
    raw_put(&raw, DATABASE_JOBS, &two, value, length);
    free(value);
    raw_close(&raw);
    fixture_open(fixture);
    assert_int_equal(store_job_get(fixture->store, 2, &read, &fixture->error), PZ_STORAGE);
}

store_test(a_damaged_chunk_is_refused_its_table_named_and_can_be_made_again)
{
    struct fixture *fixture = *state;
    struct small_table small = {.name = "the table", .chunks = 5, .length = 30000, .seed = 3};
    small_table_store(fixture, &small);
    struct key key = key_of_u64(1);
    key_add_u64(&key, 3);
    flip(fixture, DATABASE_PIECES, &key, 20000);
    assert_int_equal(small_table_read(fixture, &small), PZ_STORAGE);
    assert_non_null(strstr(fixture->error.text, "chunk 3 of table the table"));
    assert_int_equal(small_table_read(fixture, &small), PZ_STORAGE);
    check_one_fault(fixture, "pieces/1/3 ");
    small_table_store(fixture, &small);
    fixture_ok(small_table_read(fixture, &small));
}

/* Writes zeros over the heads of all large values. Returns how many there were. */
static unsigned behead(struct fixture *fixture)
{
    static const uint8_t zeros[PAGE_HEAD];
    uint8_t head[PAGE_HEAD];
    unsigned count = 0;
    fixture_close(fixture);
    int file = open(text_of("%s/data.mdb", fixture->directory), O_RDWR | O_CLOEXEC);
    assert_true(file >= 0);
    const off_t page_bytes = sysconf(_SC_PAGESIZE);
    for (off_t at = 0; pread(file, head, PAGE_HEAD, at) == PAGE_HEAD; at += page_bytes) {
        if (page_flags(head) != PAGE_OVERFLOW || page_number(head) != (uint64_t)(at / page_bytes))
            continue;
        assert_int_equal(pwrite(file, zeros, PAGE_HEAD, at), PAGE_HEAD);
        count++;
    }
    (void)close(file);
    fixture_open(fixture);
    return count;
}

static void no_progress(void *context, enum backup_phase phase, uint64_t done, uint64_t total)
{
}

static void no_fault(void *context, const char *text)
{
}

/* LMDB would free and copy as many pages as the heads say: FSCK named a page and looked no further, the
 * table stayed for good, and so no backup could ever be made again. */
store_test(chunks_whose_pages_have_wrong_heads_are_named_and_go_with_their_table)
{
    struct fixture *fixture = *state;
    struct small_table small = {.name = "the table", .chunks = 5, .length = 30000, .seed = 3};
    small.job = fixture_add_job(fixture, "");
    small_table_store(fixture, &small);
    assert_int_equal(behead(fixture), 5);
    fixture_ok(small_table_read(fixture, &small));
    const char *faults = fixture_faults(fixture);
    assert_int_equal(count_lines(faults), 5);
    assert_non_null(strstr(faults, "pieces/1/3 has a wrong head; it is of the table: forget job 1 and"));
    const struct backup_calls calls = {no_progress, no_fault, NULL};
    struct backup_result result;
    char *copy = strdup(text_of("%s/copy", fixture->directory));
    fixture_close(fixture);
    assert_int_equal(store_backup(fixture->directory, copy, &calls, &result, &fixture->error), PZ_STORAGE);
    assert_non_null(strstr(fixture->error.text, "puzzlectl fsck"));
    fixture_open(fixture);
    fixture_ok(forget_job(fixture->store, small.job, &fixture->error));
    while (fixture_faults(fixture)[0] != '\0')
        ; /* its pieces go later */
    struct store_stats stats;
    do
        fixture_ok(store_stats(fixture->store, &stats, &fixture->error));
    while (stats.bytes_used > 100000);
    fixture_close(fixture);
    fixture_ok(store_backup(fixture->directory, copy, &calls, &result, &fixture->error));
    assert_int_equal(unlink(copy), 0);
    free(copy);
    fixture_open(fixture); /* its trees and free pages are whole */
}

/* Nothing else could remove it, and dumps and FSCK fail as long as it is there. */
store_test(a_table_whose_record_is_damaged_goes_when_a_job_is_forgotten)
{
    struct fixture *fixture = *state;
    struct small_table small = {.name = "the table", .chunks = 5, .length = 30000, .seed = 3};
    small.job = fixture_add_job(fixture, "");
    small_table_store(fixture, &small);
    const struct key key = key_of_u64(1);
    flip(fixture, DATABASE_TABLES, &key, 30);
    check_one_fault(fixture, "tables/1 ");
    fixture_ok(forget_job(fixture->store, small.job, &fixture->error));
    assert_int_equal(small_table_read(fixture, &small), PZ_NO_TABLE);
    while (fixture_faults(fixture)[0] != '\0')
        ; /* its pieces go later */
}

/* No fault of the reader's, but of what it reads. */
store_test(a_table_whose_record_lacks_its_chunks_is_damaged)
{
    struct fixture *fixture = *state;
    struct small_table small = {.name = "the table", .chunks = 5, .length = 30000, .seed = 3};
    enum { PIECES_AT = SEAL_BYTES + 46 };
    struct raw raw;
    size_t length;
    small_table_store(fixture, &small);
    struct key key = key_of_u64(1);
    raw_open(fixture, &raw);
    uint8_t *value = raw_get(&raw, DATABASE_TABLES, &key, &length);
    assert_int_equal(bytes_u64(value + PIECES_AT), 5);
    bytes_put_u64(value + PIECES_AT, 3);
    seal_write(value, length - SEAL_BYTES, DATABASE_TABLES, &key);
    raw_put(&raw, DATABASE_TABLES, &key, value, length);
    free(value);
    raw_close(&raw);
    fixture_open(fixture);
    assert_int_equal(small_table_read(fixture, &small), PZ_STORAGE);
    assert_non_null(strstr(fixture->error.text, "chunk 3 of table the table is damaged"));
}

store_test(a_damaged_or_missing_run_never_says_that_a_state_is_not_there)
{
    struct fixture *fixture = *state;
    enum { KEYS = 20000 };
    static const uint64_t step = UINT64_MAX / KEYS;
    small_runs_store(fixture, "runs", KEYS, step);
    struct raw raw;
    MDB_dbi dbi;
    MDB_cursor *cursor;
    MDB_val name, value;
    raw_open(fixture, &raw);
    assert_int_equal(mdb_dbi_open(raw.txn, database_name(DATABASE_PIECES), 0, &dbi), 0);
    assert_int_equal(mdb_cursor_open(raw.txn, dbi, &cursor), 0);
    for (int i = 0; i < 5; i++)
        assert_int_equal(mdb_cursor_get(cursor, &name, &value, MDB_NEXT), 0);
    assert_int_equal(mdb_cursor_del(cursor, 0), 0);
    mdb_cursor_close(cursor);
    raw_close(&raw);
    fixture_open(fixture);
    struct table_view *view;
    unsigned right = 0, refused = 0;
    fixture_ok(table_view_open(fixture->store, "runs", &view, &fixture->error));
    for (uint64_t i = 0; i < KEYS; i++) {
        uint64_t key = i * step + 1;
        uint32_t distance;
        enum pz_status status = table_view_key(view, &key, 1, &distance, &fixture->error);
        assert_true(status == PZ_STORAGE || (status == PZ_OK && distance == i % 50));
        right += status == PZ_OK ? 1 : 0;
        refused += status == PZ_STORAGE ? 1 : 0;
    }
    table_view_close(view);
    assert_true(right > KEYS / 2 && refused > 100);
    assert_string_not_equal(fixture_faults(fixture), "");
}

/* Puts a sound value of one number and perhaps a text. */
static void raw_put_number(struct raw *raw, enum database database, const struct key *key, uint64_t number,
                           const char *text)
{
    struct encoder encoder;
    encoder_begin(&encoder);
    encode_u64(&encoder, number);
    if (text != NULL)
        encode_text(&encoder, text);
    seal_write(encoder.bytes, encoder.used - SEAL_BYTES, database, key);
    raw_put(raw, database, key, encoder.bytes, encoder.used);
    encoder_free(&encoder);
}

store_test(what_belongs_to_nothing_is_named_by_fsck)
{
    struct fixture *fixture = *state;
    struct raw raw;
    struct key question = {0};
    struct key name = {0};
    struct key level = key_of_u64(99);
    struct key job = key_of_u64(7);
    (void)fixture_add_job(fixture, ""); /* a counter of jobs */
    key_add_bytes(&question, "hash of question", 16);
    key_add_bytes(&name, "hash of the name", 16);
    key_add_u32(&level, 3);
    raw_open(fixture, &raw);
    raw_put_number(&raw, DATABASE_QUESTIONS, &question, 99, "how far");
    raw_put_number(&raw, DATABASE_LEVELS, &level, 12, NULL);
    raw_put_number(&raw, DATABASE_NAMES, &name, 55, NULL);
    raw_put_number(&raw, DATABASE_JOBS, &job, 1, NULL); /* its seal is right, and it ends too early */
    raw_close(&raw);
    fixture_open(fixture);
    const char *faults = fixture_faults(fixture);
    assert_int_equal(count_lines(faults), 4);
    assert_non_null(strstr(faults, "the question \"how far\" belongs to job 99, which is not there"));
    assert_non_null(strstr(faults, "levels/99/3 belongs to no job"));
    assert_non_null(strstr(faults, "a name stands for table 55, which is not there"));
    assert_non_null(strstr(faults, "job 7"));
}

store_test(jobs_without_the_counter_of_their_numbers_are_refused)
{
    struct fixture *fixture = *state;
    struct raw raw;
    MDB_dbi dbi;
    MDB_val name = {.mv_size = 8, .mv_data = "next-job"};
    (void)fixture_add_job(fixture, "");
    raw_open(fixture, &raw);
    assert_int_equal(mdb_dbi_open(raw.txn, database_name(DATABASE_META), 0, &dbi), 0);
    assert_int_equal(mdb_del(raw.txn, dbi, &name, NULL), 0);
    raw_close(&raw);
    assert_int_equal(store_open(fixture->directory, &fixture->options, &fixture->store, &fixture->error),
                     PZ_STORAGE);
    fixture->store = NULL;
    assert_non_null(strstr(fixture->error.text, "meta/next-job is missing"));
}

/* Else their numbers would be given out again. */
store_test(a_counter_that_jobs_have_passed_or_that_is_none_is_refused)
{
    static const struct {
        uint64_t number;
        const char *more, *says;
    } wrong[] = {{3, NULL, "as job 3 is there"}, {0, NULL, "malformed"}, {4, "more", "malformed"}};
    struct fixture *fixture = *state;
    struct raw raw;
    struct key counter = {0};
    for (int i = 0; i < 3; i++)
        (void)fixture_add_job(fixture, "");
    key_add_bytes(&counter, "next-job", 8);
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        raw_open(fixture, &raw);
        raw_put_number(&raw, DATABASE_META, &counter, wrong[i].number, wrong[i].more);
        raw_close(&raw);
        assert_int_equal(store_open(fixture->directory, &fixture->options, &fixture->store, &fixture->error),
                         PZ_STORAGE);
        fixture->store = NULL;
        assert_non_null(strstr(fixture->error.text, wrong[i].says));
    }
}

/* After it a loop over levels would begin at 0 again. */
store_test(a_level_that_no_search_can_have_is_damaged)
{
    struct fixture *fixture = *state;
    struct raw raw;
    struct store_level *levels;
    uint32_t count;
    struct key level = key_of_u64(fixture_add_job(fixture, ""));
    key_add_u32(&level, UINT32_MAX);
    raw_open(fixture, &raw);
    raw_put_number(&raw, DATABASE_LEVELS, &level, 12, NULL);
    raw_close(&raw);
    fixture_open(fixture);
    assert_int_equal(store_levels(fixture->store, 1, &levels, &count, &fixture->error), PZ_STORAGE);
    assert_string_equal(fixture->error.text, "level 4294967295 of job 1 is malformed");
}

static void lengthen_key(struct raw *raw, enum database database, uint64_t number)
{
    MDB_dbi dbi;
    size_t length;
    uint8_t longer[72] = {0};
    struct key key = key_of_u64(number);
    uint8_t *value = raw_get(raw, database, &key, &length);
    MDB_val name = {.mv_size = key.length, .mv_data = key.bytes};
    MDB_val moved = {.mv_size = length, .mv_data = value};
    assert_int_equal(mdb_dbi_open(raw->txn, database_name(database), 0, &dbi), 0);
    assert_int_equal(mdb_del(raw->txn, dbi, &name, NULL), 0);
    memcpy(longer, key.bytes, key.length);
    name = (MDB_val){.mv_size = sizeof longer, .mv_data = longer};
    assert_int_equal(mdb_put(raw->txn, dbi, &name, &moved, 0), 0);
    free(value);
}

/* One bit of the length of a key is enough. */
store_test(a_key_that_is_too_long_hides_no_other)
{
    struct fixture *fixture = *state;
    struct raw raw;
    for (int i = 0; i < 4; i++)
        (void)fixture_add_job(fixture, "");
    small_runs_store(fixture, "one", 5, 3);
    small_runs_store(fixture, "two", 5, 3);
    small_runs_store(fixture, "three", 5, 3);
    raw_open(fixture, &raw);
    lengthen_key(&raw, DATABASE_JOBS, 2);
    lengthen_key(&raw, DATABASE_TABLES, 3);
    raw_close(&raw);
    fixture_open(fixture);
    unsigned jobs = 0;
    unsigned tables = 0;
    unsigned damaged = 0;
    struct store_stats stats;
    assert_int_equal(store_jobs(fixture->store, 0, count_job, &jobs, &fixture->error), PZ_STORAGE);
    assert_int_equal(jobs, 3);
    fixture_ok(store_tables(fixture->store, count_table, &tables, &damaged, &fixture->error));
    assert_int_equal(tables, 2);
    assert_int_equal(damaged, 1);
    fixture_ok(store_stats(fixture->store, &stats, &fixture->error)); /* checkpoints and room need it */
    assert_int_equal(stats.tables, 2);
    small_runs_store(fixture, "four", 5, 3); /* not under a number that was given */
    fixture_ok(store_stats(fixture->store, &stats, &fixture->error));
    assert_int_equal(stats.tables, 3);
    const char *faults = fixture_faults(fixture);
    assert_non_null(strstr(faults, "a key of 72 bytes in jobs"));
    assert_non_null(strstr(faults, "a key of 72 bytes in tables"));
}

store_test(a_file_that_was_cut_short_is_refused)
{
    struct fixture *fixture = *state;
    struct small_table small = {.name = "t", .chunks = 20, .length = 60000};
    small_table_store(fixture, &small);
    fixture_close(fixture);
    assert_int_equal(truncate(text_of("%s/data.mdb", fixture->directory), 500000), 0);
    assert_int_equal(store_open(fixture->directory, &fixture->options, &fixture->store, &fixture->error),
                     PZ_STORAGE);
    fixture->store = NULL;
    assert_non_null(strstr(fixture->error.text, "cut short"));
}
