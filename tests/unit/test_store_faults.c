/* SPDX-License-Identifier: MIT */
/* Things go wrong: two owners, newer formats, damaged bytes, no room, and SIGKILL. */
#include "store_tables.h"

#include "store/codec.h"

#include <fcntl.h>
#include <lmdb.h>
#include <poll.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* ---- owners ---- */

static void a_second_opening_is_refused_with_the_owners_number(void **state)
{
    struct fixture *fixture = *state;
    struct store *second;
    char pid[32];
    assert_int_equal(store_open(fixture->directory, &fixture->options, &second, &fixture->error), PZ_BUSY);
    (void)snprintf(pid, sizeof pid, "process %ld", (long)getpid());
    assert_non_null(strstr(fixture->error.text, pid));
    struct job_record job = job_of("slide:2x2", "q");
    fixture_ok(store_job_add(fixture->store, &job, &fixture->error));
    job_record_clear(&job);
}

/* Forks while this process has no store open. Returns the child's exit status. */
static int in_child(int (*work)(struct fixture *fixture), struct fixture *fixture)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0)
        _exit(work(fixture));
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int open_and_wait(struct fixture *fixture)
{
    if (store_open(fixture->directory, &fixture->options, &fixture->store, &fixture->error) != PZ_OK)
        return 1;
    for (;;)
        (void)pause();
}

static void another_process_is_refused_until_the_owner_is_gone(void **state)
{
    struct fixture *fixture = *state;
    char pid[32];
    pid_t child = fork();
    if (child == 0)
        _exit(open_and_wait(fixture));
    assert_true(child > 0);
    /* A store that the child has not opened yet opens here: then it is closed and tried again. */
    enum pz_status status = PZ_OK;
    for (int i = 0; i < 1000 && status == PZ_OK; i++) {
        struct store *mine = NULL;
        (void)usleep(10000);
        status = store_open(fixture->directory, &fixture->options, &mine, &fixture->error);
        store_close(mine);
    }
    int ended = waitpid(child, NULL, WNOHANG);
    (void)kill(child, SIGKILL);
    (void)waitpid(child, NULL, 0);
    if (ended == 0) { /* else the child met this process's short-lived store; nothing was learnt */
        assert_int_equal(status, PZ_BUSY);
        (void)snprintf(pid, sizeof pid, "process %ld", (long)child);
        assert_non_null(strstr(fixture->error.text, pid));
    }
    fixture_open(fixture);
}

static void a_reader_looks_without_a_lock_and_writes_nothing(void **state)
{
    struct fixture *fixture = *state;
    struct job_record job = job_of("slide:2x2", "q"), read;
    fixture_ok(store_job_add(fixture->store, &job, &fixture->error));
    fixture_close(fixture);
    fixture->options.read_only = true;
    fixture_open(fixture);
    fixture_ok(store_job_get(fixture->store, job.id, &read, &fixture->error));
    job_record_clear(&read);
    assert_int_equal(store_job_put(fixture->store, &job, true, &fixture->error), PZ_STORAGE);
    assert_int_equal(store_job_add(fixture->store, &job, &fixture->error), PZ_STORAGE);
    struct store_check check;
    fixture_ok(store_fsck(fixture->store, NULL, NULL, &check, &fixture->error));
    assert_int_equal(check.faults, 0);
    job_record_clear(&job);
}

static void an_empty_directory_is_no_database_to_a_reader(void **state)
{
    struct fixture *fixture = *state;
    fixture->options.read_only = true;
    assert_true(store_open(fixture->directory, &fixture->options, &fixture->store, &fixture->error) != PZ_OK);
    fixture->store = NULL;
}

static void a_missing_directory_is_named(void **state)
{
    struct fixture *fixture = *state;
    struct store *store;
    assert_int_equal(store_open("/tmp/puzzled-no-such-directory", &fixture->options, &store, &fixture->error),
                     PZ_STORAGE);
    assert_non_null(strstr(fixture->error.text, "/tmp/puzzled-no-such-directory"));
}

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

static void a_newer_format_is_refused_and_left_untouched(void **state)
{
    struct fixture *fixture = *state;
    struct raw raw;
    struct key key = {0};
    struct encoder encoder;
    char path[128];
    struct stat before, after;
    raw_open(fixture, &raw);
    key_add_bytes(&key, "format", 6);
    encoder_begin(&encoder);
    encode_u32(&encoder, 99);
    seal_write(encoder.bytes, encoder.used - SEAL_BYTES, 1, DATABASE_META, &key);
    raw_put(&raw, DATABASE_META, &key, encoder.bytes, encoder.used);
    encoder_free(&encoder);
    raw_close(&raw);
    (void)snprintf(path, sizeof path, "%s/data.mdb", fixture->directory);
    assert_int_equal(stat(path, &before), 0);
    assert_int_equal(store_open(fixture->directory, &fixture->options, &fixture->store, &fixture->error),
                     PZ_UNSUPPORTED);
    fixture->store = NULL;
    assert_non_null(strstr(fixture->error.text, "format 99"));
    assert_int_equal(stat(path, &after), 0);
    assert_int_equal(before.st_mtim.tv_sec, after.st_mtim.tv_sec);
    assert_int_equal(before.st_mtim.tv_nsec, after.st_mtim.tv_nsec);
}

static void a_record_of_a_newer_layout_is_refused_by_its_version(void **state)
{
    struct fixture *fixture = *state;
    struct job_record job = job_of("slide:2x2", "q"), read;
    struct raw raw;
    size_t length;
    fixture_ok(store_job_add(fixture->store, &job, &fixture->error));
    struct key key = key_of_u64(job.id);
    raw_open(fixture, &raw);
    uint8_t *value = raw_get(&raw, DATABASE_JOBS, &key, &length);
    seal_write(value, length - SEAL_BYTES, 200, DATABASE_JOBS, &key);
    raw_put(&raw, DATABASE_JOBS, &key, value, length);
    free(value);
    raw_close(&raw);
    fixture_open(fixture);
    assert_int_equal(store_job_get(fixture->store, job.id, &read, &fixture->error), PZ_UNSUPPORTED);
    assert_non_null(strstr(fixture->error.text, "version 200"));
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

static bool count_jobs(void *context, const struct job_record *job)
{
    (void)job;
    ++*(unsigned *)context;
    return true;
}

static bool count_tables(void *context, const struct table_record *table)
{
    (void)table;
    ++*(unsigned *)context;
    return true;
}

static void note_fault(void *context, const char *fault)
{
    (void)snprintf(context, 1024, "%s", fault);
}

static void a_damaged_job_is_refused_and_named_and_hides_no_other(void **state)
{
    struct fixture *fixture = *state;
    struct job_record read;
    for (int i = 0; i < 3; i++) {
        struct job_record job = job_of("slide:2x2", "");
        fixture_ok(store_job_add(fixture->store, &job, &fixture->error));
        job_record_clear(&job);
    }
    struct key key = key_of_u64(2);
    for (size_t byte = 0; byte < 60; byte += 7) {
        flip(fixture, DATABASE_JOBS, &key, byte);
        assert_int_equal(store_job_get(fixture->store, 2, &read, &fixture->error), PZ_STORAGE);
        assert_non_null(strstr(fixture->error.text, "jobs/2 "));
        unsigned jobs = 0;
        assert_int_equal(store_jobs(fixture->store, 0, count_jobs, &jobs, &fixture->error), PZ_STORAGE);
        assert_int_equal(jobs, 2);
        char fault[1024] = "";
        struct store_check check;
        fixture_ok(store_fsck(fixture->store, note_fault, fault, &check, &fixture->error));
        assert_int_equal(check.faults, 1);
        assert_non_null(strstr(fault, "jobs/2 "));
        flip(fixture, DATABASE_JOBS, &key, byte);
    }
    fixture_ok(store_job_get(fixture->store, 2, &read, &fixture->error));
    job_record_clear(&read);
    flip(fixture, DATABASE_JOBS, &key, 20);
    fixture_ok(store_job_forget(fixture->store, 2, &fixture->error));
}

static void a_value_under_another_key_is_found_out(void **state)
{
    struct fixture *fixture = *state;
    struct raw raw;
    size_t length;
    struct job_record read;
    for (int i = 0; i < 2; i++) {
        struct job_record job = job_of("slide:2x2", "");
        fixture_ok(store_job_add(fixture->store, &job, &fixture->error));
        job_record_clear(&job);
    }
    struct key one = key_of_u64(1), two = key_of_u64(2);
    raw_open(fixture, &raw);
    uint8_t *value = raw_get(&raw, DATABASE_JOBS, &one, &length);
    raw_put(&raw, DATABASE_JOBS, &two, value, length);
    free(value);
    raw_close(&raw);
    fixture_open(fixture);
    assert_int_equal(store_job_get(fixture->store, 2, &read, &fixture->error), PZ_STORAGE);
}

static void a_damaged_chunk_is_refused_its_table_named_and_can_be_made_again(void **state)
{
    struct fixture *fixture = *state;
    struct small_table small = {.name = "the table", .chunks = 5, .length = 30000, .seed = 3};
    char fault[1024] = "";
    struct store_check check;
    small_table_store(fixture, &small);
    struct key key = key_of_u64(1);
    key_add_u64(&key, 3);
    flip(fixture, DATABASE_PIECES, &key, 20000);
    assert_int_equal(small_table_read(fixture, &small), PZ_STORAGE);
    assert_non_null(strstr(fixture->error.text, "chunk 3 of table the table"));
    assert_int_equal(small_table_read(fixture, &small), PZ_STORAGE);
    fixture_ok(store_fsck(fixture->store, note_fault, fault, &check, &fixture->error));
    assert_int_equal(check.faults, 1);
    assert_non_null(strstr(fault, "pieces/1/3 "));
    small_table_store(fixture, &small);
    fixture_ok(small_table_read(fixture, &small));
}

static void a_damaged_or_missing_run_never_says_that_a_state_is_not_there(void **state)
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
    char fault[1024];
    struct store_check check;
    fixture_ok(store_fsck(fixture->store, note_fault, fault, &check, &fixture->error));
    assert_true(check.faults >= 1);
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
    seal_write(encoder.bytes, encoder.used - SEAL_BYTES, 1, database, key);
    raw_put(raw, database, key, encoder.bytes, encoder.used);
    encoder_free(&encoder);
}

static void collect_fault(void *context, const char *fault)
{
    char *all = context;
    size_t length = strlen(all);
    (void)snprintf(all + length, 4096 - length, "%s\n", fault);
}

static void what_belongs_to_nothing_is_named_by_fsck(void **state)
{
    struct fixture *fixture = *state;
    struct raw raw;
    struct key question = {0};
    struct key name = {0};
    struct key level = key_of_u64(99);
    struct key job = key_of_u64(7);
    char faults[4096] = "";
    struct store_check check;
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
    fixture_ok(store_fsck(fixture->store, collect_fault, faults, &check, &fixture->error));
    assert_int_equal(check.faults, 4);
    assert_non_null(strstr(faults, "the question \"how far\" belongs to job 99, which is not there"));
    assert_non_null(strstr(faults, "levels/99/3 belongs to no job"));
    assert_non_null(strstr(faults, "a name stands for table 55, which is not there"));
    assert_non_null(strstr(faults, "job 7"));
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
static void a_key_that_is_too_long_hides_no_other(void **state)
{
    struct fixture *fixture = *state;
    struct raw raw;
    for (int i = 0; i < 4; i++) {
        struct job_record job = job_of("slide:2x2", "");
        fixture_ok(store_job_add(fixture->store, &job, &fixture->error));
        job_record_clear(&job);
    }
    small_runs_store(fixture, "one", 5, 3);
    small_runs_store(fixture, "two", 5, 3);
    small_runs_store(fixture, "three", 5, 3);
    raw_open(fixture, &raw);
    lengthen_key(&raw, DATABASE_JOBS, 2);
    lengthen_key(&raw, DATABASE_TABLES, 2);
    raw_close(&raw);
    fixture_open(fixture);
    unsigned jobs = 0;
    unsigned tables = 0;
    assert_int_equal(store_jobs(fixture->store, 0, count_jobs, &jobs, &fixture->error), PZ_STORAGE);
    assert_int_equal(jobs, 3);
    assert_int_equal(store_tables(fixture->store, count_tables, &tables, &fixture->error), PZ_STORAGE);
    assert_int_equal(tables, 2);
    struct store_check check;
    char faults[4096] = "";
    fixture_ok(store_fsck(fixture->store, collect_fault, faults, &check, &fixture->error));
    assert_non_null(strstr(faults, "a key of 72 bytes in jobs"));
    assert_non_null(strstr(faults, "a key of 72 bytes in tables"));
}

static void a_file_that_was_cut_short_is_refused(void **state)
{
    struct fixture *fixture = *state;
    struct small_table small = {.name = "t", .chunks = 20, .length = 60000};
    char path[128];
    small_table_store(fixture, &small);
    fixture_close(fixture);
    (void)snprintf(path, sizeof path, "%s/data.mdb", fixture->directory);
    assert_int_equal(truncate(path, 500000), 0);
    assert_int_equal(store_open(fixture->directory, &fixture->options, &fixture->store, &fixture->error),
                     PZ_STORAGE);
    fixture->store = NULL;
    assert_non_null(strstr(fixture->error.text, "cut short"));
}

/* ---- room ---- */

static void the_map_grows_under_readers_and_writers(void **state)
{
    struct fixture *fixture = *state;
    fixture->options.map_bytes = 1 << 20;
    fixture_open(fixture);
    struct small_table first = {.name = "first", .chunks = 3, .length = 50000, .seed = 1};
    struct small_table second = {.name = "second", .chunks = 60, .length = 500000, .seed = 2};
    small_table_store(fixture, &first);
    small_table_store(fixture, &second);
    for (int i = 0; i < 300; i++) {
        struct job_record job = job_of("slide:2x2", "");
        fixture_ok(store_job_add_async(fixture->store, &job, NULL, &fixture->error));
        fixture_ok(small_table_read(fixture, &first));
        job_record_clear(&job);
    }
    fixture_ok(small_table_read(fixture, &second));
    fixture_reopen(fixture);
    fixture_ok(small_table_read(fixture, &second));
}

static void the_size_limit_refuses_a_table_but_not_the_bookkeeping(void **state)
{
    struct fixture *fixture = *state;
    fixture->options.size_limit = 8 << 20;
    fixture_open(fixture);
    struct small_table fits = {.name = "fits", .job = 1, .chunks = 10, .length = 400000, .seed = 1};
    struct small_table too_large = {.name = "too large", .chunks = 30, .length = 400000, .seed = 2};
    struct job_record job = job_of("slide:2x2", "q");
    struct store_stats stats;
    fixture_ok(store_job_add(fixture->store, &job, &fixture->error));
    small_table_store(fixture, &fits);
    for (int round = 0; round < 3; round++) {
        assert_int_equal(small_table_try(fixture, &too_large), PZ_STORAGE_FULL);
        assert_int_equal(small_table_read(fixture, &too_large), PZ_NO_TABLE);
        fixture_ok(store_job_put(fixture->store, &job, true, &fixture->error));
        fixture_ok(small_table_read(fixture, &fits));
    }
    /* A table that was given up makes room again, and so does one that is removed. */
    fits.name = "second";
    small_table_store(fixture, &fits);
    fixture_ok(store_job_forget(fixture->store, job.id, &fixture->error));
    small_table_store(fixture, &fits);
    fixture_ok(small_table_read(fixture, &fits));
    fixture_ok(store_stats(fixture->store, &stats, &fixture->error));
    assert_int_equal(stats.bytes_limit, 8 << 20);
    assert_true(stats.bytes_room < 8 << 20);
    job_record_clear(&job);
}

/* A small file system, so that the disk itself is full. */
static bool mount_small(const char *directory)
{
    if (mount("puzzled-test", directory, "tmpfs", 0, "size=6m") == 0)
        return true;
    print_message("skipped: a full disk needs the right to mount a tmpfs\n");
    return false;
}

static void fill_the_disk(struct fixture *fixture)
{
    struct small_table fits = {.name = "fits", .chunks = 5, .length = 300000, .seed = 1};
    struct small_table too_large = {.name = "too large", .chunks = 30, .length = 300000, .seed = 2};
    struct job_record job = job_of("slide:2x2", "q"), read;
    fixture_open(fixture);
    fixture_ok(store_job_add(fixture->store, &job, &fixture->error));
    small_table_store(fixture, &fits);
    assert_int_equal(small_table_try(fixture, &too_large), PZ_STORAGE_FULL);
    fixture_ok(small_table_read(fixture, &fits));
    fixture_ok(store_job_get(fixture->store, job.id, &read, &fixture->error));
    job_record_clear(&read);
    fixture_reopen(fixture);
    fixture_ok(small_table_read(fixture, &fits));
    /* Room is made by removing; then everything goes on. */
    fixture_ok(store_table_remove(fixture->store, "fits", &fixture->error));
    small_table_store(fixture, &fits);
    fixture_ok(small_table_read(fixture, &fits));
    fixture_close(fixture);
    job_record_clear(&job);
}

static void a_full_disk_fails_the_table_and_nothing_else(void **state)
{
    struct fixture *fixture = *state;
    if (!mount_small(fixture->directory)) {
        fixture_open(fixture);
        skip();
    }
    fill_the_disk(fixture);
    assert_int_equal(umount(fixture->directory), 0);
    fixture_open(fixture);
}

/* ---- SIGKILL ---- */

/* Writes for ever; what was acknowledged is told through a pipe, by its number. */
static int write_until_killed(struct fixture *fixture, int out)
{
    if (store_open(fixture->directory, &fixture->options, &fixture->store, NULL) != PZ_OK)
        return 1;
    for (unsigned i = 0;; i++) {
        struct job_record job = job_of("slide:2x2", "");
        struct small_table small = {.name = "t", .job = 0, .chunks = 30, .length = 100000, .seed = i};
        if (store_job_add(fixture->store, &job, NULL) != PZ_OK ||
            write(out, &job.id, sizeof job.id) != (ssize_t)sizeof job.id)
            return 1;
        if (i % 8 == 7 && small_table_try(fixture, &small) != PZ_OK)
            return 1;
        job_record_clear(&job);
    }
}

static uint64_t last_told(int in)
{
    uint64_t id, last = 0;
    while (read(in, &id, sizeof id) == (ssize_t)sizeof id)
        last = id;
    return last;
}

static void a_killed_writer_loses_nothing_that_was_acknowledged(void **state)
{
    struct fixture *fixture = *state;
#ifdef PUZZLED_SANITIZED
    enum { ROUNDS = 5 };
#else
    enum { ROUNDS = 15 };
#endif
    struct random random = {2026};
    uint64_t before = 0;
    for (int round = 0; round < ROUNDS; round++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        pid_t child = fork();
        if (child == 0)
            _exit(write_until_killed(fixture, ends[1]));
        assert_true(child > 0);
        (void)close(ends[1]);
        struct pollfd first = {.fd = ends[0], .events = POLLIN};
        assert_int_equal(poll(&first, 1, 60000), 1); /* however slow it is, one is acknowledged */
        (void)usleep((useconds_t)(20000 + random_below(&random, 80000)));
        (void)kill(child, SIGKILL);
        (void)waitpid(child, NULL, 0);
        uint64_t told = last_told(ends[0]);
        (void)close(ends[0]);
        fixture_open(fixture);
        for (uint64_t id = before + 1; id <= told; id++) {
            struct job_record read;
            fixture_ok(store_job_get(fixture->store, id, &read, &fixture->error));
            job_record_clear(&read);
        }
        char fault[1024] = "";
        struct store_check check;
        fixture_ok(store_fsck(fixture->store, note_fault, fault, &check, &fixture->error));
        if (check.faults != 0)
            fail_msg("%s", fault);
        /* A number that was given out but not acknowledged may have been written. */
        struct job_record job = job_of("slide:2x2", "");
        fixture_ok(store_job_add(fixture->store, &job, &fixture->error));
        assert_true(job.id > told);
        before = job.id;
        job_record_clear(&job);
        fixture_close(fixture);
    }
    fixture_open(fixture);
    assert_true(before >= 2 * ROUNDS);
}

static int abandon_tables(struct fixture *fixture)
{
    static const uint8_t bytes[500000];
    if (store_open(fixture->directory, &fixture->options, &fixture->store, NULL) != PZ_OK)
        return 1;
    for (unsigned i = 0; i < 3; i++) {
        struct table_record about = {.kind = TABLE_DENSE, .chunk_bytes = sizeof bytes, .table_bytes = 1};
        struct table_writer *writer;
        (void)snprintf(about.name, sizeof about.name, "t%u", i);
        if (table_writer_new(fixture->store, &about, &writer, NULL) != PZ_OK)
            return 1;
        for (uint64_t number = 0; number < 40; number++)
            if (table_writer_chunk(writer, number, bytes, sizeof bytes, NULL) != PZ_OK)
                return 1;
    }
    if (store_flush(fixture->store, NULL) != PZ_OK)
        return 1;
    (void)raise(SIGKILL); /* with the writers open */
    return 1;
}

static void tables_that_a_crash_left_unfinished_are_gone_after_the_next_opening(void **state)
{
    struct fixture *fixture = *state;
    struct store_stats stats;
    assert_int_equal(in_child(abandon_tables, fixture), 128 + SIGKILL);
    fixture_open(fixture);
    fixture_ok(store_stats(fixture->store, &stats, &fixture->error));
    for (int i = 0; i < 200 && stats.bytes_used > 200000; i++) {
        fixture_ok(store_flush(fixture->store, &fixture->error));
        fixture_ok(store_stats(fixture->store, &stats, &fixture->error));
    }
    assert_true(stats.bytes_used <= 200000);
    assert_true(stats.bytes_file > 20000000);
    assert_int_equal(stats.tables, 0);
}

int main(void)
{
#define closed_test(function) cmocka_unit_test_setup_teardown(function, fixture_make, fixture_tear_down)
    const struct CMUnitTest tests[] = {
        store_test(a_second_opening_is_refused_with_the_owners_number),
        closed_test(another_process_is_refused_until_the_owner_is_gone),
        store_test(a_reader_looks_without_a_lock_and_writes_nothing),
        closed_test(an_empty_directory_is_no_database_to_a_reader),
        closed_test(a_missing_directory_is_named),
        store_test(a_newer_format_is_refused_and_left_untouched),
        store_test(a_record_of_a_newer_layout_is_refused_by_its_version),
        store_test(a_damaged_job_is_refused_and_named_and_hides_no_other),
        store_test(a_value_under_another_key_is_found_out),
        store_test(a_damaged_chunk_is_refused_its_table_named_and_can_be_made_again),
        store_test(a_damaged_or_missing_run_never_says_that_a_state_is_not_there),
        store_test(what_belongs_to_nothing_is_named_by_fsck),
        store_test(a_key_that_is_too_long_hides_no_other),
        store_test(a_file_that_was_cut_short_is_refused),
        closed_test(the_map_grows_under_readers_and_writers),
        closed_test(the_size_limit_refuses_a_table_but_not_the_bookkeeping),
        closed_test(a_full_disk_fails_the_table_and_nothing_else),
        closed_test(a_killed_writer_loses_nothing_that_was_acknowledged),
        closed_test(tables_that_a_crash_left_unfinished_are_gone_after_the_next_opening),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
