/* SPDX-License-Identifier: MIT */
/* Things go wrong: two owners, no room, and SIGKILL. */
#include "store_tables.h"

#include <fcntl.h>
#include <lmdb.h>
#include <poll.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* ---- owners ---- */

store_test(a_second_opening_is_refused_with_the_owners_number)
{
    struct fixture *fixture = *state;
    struct store *second;
    assert_int_equal(store_open(fixture->directory, &fixture->options, &second, &fixture->error), PZ_BUSY);
    assert_non_null(strstr(fixture->error.text, text_of("process %ld", (long)getpid())));
    (void)fixture_add_job(fixture, "q");
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

#define closed_test(function) TEST_WITH(function, fixture_make, fixture_tear_down)

closed_test(another_process_is_refused_until_the_owner_is_gone)
{
    struct fixture *fixture = *state;
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
        assert_non_null(strstr(fixture->error.text, text_of("process %ld", (long)child)));
    }
    fixture_open(fixture);
}

store_test(a_reader_looks_without_a_lock_and_writes_nothing)
{
    struct fixture *fixture = *state;
    struct job_record job = job_of("slide:2x2", "q"), read;
    fixture_ok(store_job_add(fixture->store, &job, &fixture->error));
    fixture_close(fixture);
    fixture->options.read_only = true;
    fixture_open(fixture);
    fixture_ok(store_job_get(fixture->store, job.id, &read, &fixture->error));
    job_record_clear(&read);
    assert_int_equal(store_job_put(fixture->store, &job, &fixture->error), PZ_STORAGE);
    assert_int_equal(store_job_add(fixture->store, &job, &fixture->error), PZ_STORAGE);
    struct store_check check;
    fixture_ok(store_fsck(fixture->store, NULL, NULL, &check, &fixture->error));
    assert_int_equal(check.faults, 0);
    job_record_clear(&job);
}

closed_test(an_empty_directory_is_no_database_to_a_reader)
{
    struct fixture *fixture = *state;
    fixture->options.read_only = true;
    assert_true(store_open(fixture->directory, &fixture->options, &fixture->store, &fixture->error) != PZ_OK);
    fixture->store = NULL;
}

closed_test(a_missing_directory_is_named)
{
    struct fixture *fixture = *state;
    struct store *store;
    assert_int_equal(store_open("/tmp/puzzled-no-such-directory", &fixture->options, &store, &fixture->error),
                     PZ_STORAGE);
    assert_non_null(strstr(fixture->error.text, "/tmp/puzzled-no-such-directory"));
}

/* ---- a database that was only begun ---- */

/* Lays bytes of LMDB's new file down as data.mdb: the sectors of its two meta pages that are kept, the others
 * empty. */
static void lay_begun_file(const struct fixture *fixture, bool first, bool second, off_t length)
{
    uint8_t meta[512];
    const long page_bytes = sysconf(_SC_PAGESIZE);
    const char *path = text_of("%s/data.mdb", fixture->directory);
    (void)unlink(path);
    MDB_env *env;
    assert_int_equal(mdb_env_create(&env), 0);
    assert_int_equal(mdb_env_open(env, fixture->directory, 0, 0600), 0);
    mdb_env_close(env);
    const int file = open(path, O_RDWR | O_CLOEXEC);
    assert_true(file >= 0);
    for (off_t page = 0; page < 2; page++) {
        assert_int_equal(pread(file, meta, sizeof meta, page * page_bytes), sizeof meta);
        if (!(page == 0 ? first : second))
            memset(meta, 0, sizeof meta);
        assert_int_equal(pwrite(file, meta, sizeof meta, page * page_bytes), sizeof meta);
    }
    assert_int_equal(ftruncate(file, length), 0);
    (void)close(file);
}

closed_test(a_database_that_was_only_begun_begins_again)
{
    struct fixture *fixture = *state;
    const off_t page_bytes = sysconf(_SC_PAGESIZE);
    const off_t lengths[] = {512, page_bytes, page_bytes + 512, 2 * page_bytes};
    for (unsigned i = 0; i < 16; i++) {
        lay_begun_file(fixture, (i & 1) != 0, (i & 2) != 0, lengths[i / 4]);
        fixture_open(fixture);
        (void)fixture_add_job(fixture, "q");
        fixture_reopen(fixture);
        fixture_close(fixture);
    }
    fixture_open(fixture);
}

closed_test(a_short_file_with_a_commit_or_of_another_make_is_refused_and_left)
{
    struct fixture *fixture = *state;
    const char *path = text_of("%s/data.mdb", fixture->directory);
    for (unsigned i = 0; i < 2; i++) {
        fixture_open(fixture);
        (void)fixture_add_job(fixture, "q");
        fixture_close(fixture);
        assert_int_equal(truncate(path, 2 * sysconf(_SC_PAGESIZE)), 0);
        const int file = open(path, O_RDWR | O_CLOEXEC);
        if (i == 1)
            assert_int_equal(pwrite(file, "letters", 7, 0), 7);
        assert_int_equal(store_open(fixture->directory, &fixture->options, &fixture->store, &fixture->error),
                         PZ_STORAGE);
        assert_non_null(strstr(fixture->error.text, "damaged"));
        struct stat about;
        assert_int_equal(fstat(file, &about), 0);
        assert_int_equal(about.st_size, 2 * sysconf(_SC_PAGESIZE));
        (void)close(file);
        assert_int_equal(unlink(path), 0);
    }
    fixture_open(fixture);
}

/* ---- room ---- */

closed_test(the_map_grows_under_readers_and_writers)
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

#ifndef PUZZLED_SANITIZED /* a sanitizer reserves more address space than there is */

/* Fills the map where the system grants no larger one. Returns 0 if the store goes on with the one it has. */
static int fill_a_map_that_cannot_grow(struct fixture *fixture)
{
    const struct small_table first = {.name = "first", .chunks = 3, .length = 50000, .seed = 1};
    const struct small_table large = {.name = "large", .chunks = 90, .length = 500000, .seed = 2};
    char line[64] = "";
    fixture->options.map_bytes = 32 << 20;
    if (store_open(fixture->directory, &fixture->options, &fixture->store, &fixture->error) != PZ_OK ||
        small_table_try(fixture, &first) != PZ_OK)
        return 1;
    FILE *sizes = fopen("/proc/self/statm", "re");
    const bool known = sizes != NULL && fgets(line, sizeof line, sizes) != NULL;
    const rlim_t most = strtoul(line, NULL, 10) * (rlim_t)sysconf(_SC_PAGESIZE) + (28 << 20);
    (void)setrlimit(RLIMIT_AS, &(struct rlimit){most, most});
    const bool good = known && small_table_try(fixture, &large) == PZ_STORAGE_FULL &&
                      strstr(fixture->error.text, "the address space") != NULL &&
                      small_table_read(fixture, &first) == PZ_OK;
    fixture_close(fixture);
    return good ? 0 : 2;
}

closed_test(a_map_that_cannot_grow_is_kept)
{
    struct fixture *fixture = *state;
    assert_int_equal(in_child(fill_a_map_that_cannot_grow, fixture), 0);
    fixture_open(fixture);
}

#endif

closed_test(the_size_limit_refuses_a_table_but_not_the_bookkeeping)
{
    struct fixture *fixture = *state;
    fixture->options.size_limit =
        9 << 20; /* two tables, and a MiB: a chunk takes pages that are neighbours */
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
        fixture_ok(store_job_put(fixture->store, &job, &fixture->error));
        fixture_ok(small_table_read(fixture, &fits));
    }
    /* A table that was given up makes room again, and so does one that is removed. */
    fits.name = "second";
    small_table_store(fixture, &fits);
    fixture_ok(forget_job(fixture->store, job.id, &fixture->error));
    small_table_store(fixture, &fits);
    fixture_ok(small_table_read(fixture, &fits));
    fixture_ok(store_stats(fixture->store, &stats, &fixture->error));
    assert_int_equal(stats.bytes_limit, 9 << 20);
    assert_true(stats.bytes_room < 9 << 20);
    job_record_clear(&job);
}

/* Writes a job's record and removes the job at once, on the writer's thread: both are in its next group. */
struct two_writes {
    struct fixture *fixture;
    struct job_record job;
    struct awaited put, forgotten;
};

static void write_twice(void *context, enum pz_status status, const struct pz_error *error)
{
    struct two_writes *two = context;
    struct fixture *fixture = two->fixture;
    struct store *store = fixture->store;
    assert_ok(status, *error);
    fixture_ok(store_job_put_async(store, &two->job, &two->put.ack, &fixture->error));
    fixture_ok(store_job_forget_async(store, two->job.id, 0, false, &two->forgotten.ack, &fixture->error));
}

closed_test(a_write_that_waited_for_room_brings_nothing_back)
{
    struct fixture *fixture = *state;
    enum { RESULT_BYTES = 20 << 20 };
    fixture->options.size_limit = 26 << 20;
    fixture_open(fixture);
    struct job_record with_table = job_of("slide:2x2", "p"), read;
    struct two_writes two = {.fixture = fixture, .job = job_of("slide:2x2", "q")};
    const struct store_ack ack = {write_twice, &two};
    awaited_begin(&two.put);
    awaited_begin(&two.forgotten);
    fixture_ok(store_job_add(fixture->store, &with_table, &fixture->error));
    fixture_ok(store_job_add(fixture->store, &two.job, &fixture->error));
    struct small_table large = {.name = "t", .job = with_table.id, .chunks = 48, .length = 500000, .seed = 1};
    small_table_store(fixture, &large);
    /* The record does not fit until the table's pages are collected; the removal does. */
    free(two.job.result);
    two.job.result = malloc(RESULT_BYTES);
    assert_non_null(two.job.result);
    memset(two.job.result, 'x', RESULT_BYTES - 1);
    two.job.result[RESULT_BYTES - 1] = '\0';
    fixture_ok(store_job_forget_async(fixture->store, with_table.id, 0, false, &ack, &fixture->error));
    (void)awaited_end(&two.put, PZ_OK, NULL);
    fixture_ok(awaited_end(&two.forgotten, PZ_OK, &fixture->error));
    assert_int_equal(store_job_get(fixture->store, two.job.id, &read, NULL), PZ_NO_SUCH_JOB);
    job_record_clear(&with_table);
    job_record_clear(&two.job);
}

/* A small file system, so that the disk itself is full. */
static bool mount_small(const char *directory, const char *size)
{
    if (mount("puzzled-test", directory, "tmpfs", 0, size) == 0)
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
    fixture_ok(table_remove(fixture->store, "fits", 0, &fixture->error));
    small_table_store(fixture, &fits);
    fixture_ok(small_table_read(fixture, &fits));
    fixture_close(fixture);
    job_record_clear(&job);
}

closed_test(a_full_disk_fails_the_table_and_nothing_else)
{
    struct fixture *fixture = *state;
    if (!mount_small(fixture->directory, "size=6m")) {
        fixture_open(fixture);
        skip();
    }
    fill_the_disk(fixture);
    assert_int_equal(umount(fixture->directory), 0);
    fixture_open(fixture);
}

/* From 4 KB on the file "owner" fits. What LMDB writes next is a map of lock.mdb, where a full disk is
 * SIGBUS. */
closed_test(a_full_disk_refuses_the_start_and_ends_no_process)
{
    struct fixture *fixture = *state;
    for (unsigned kilobytes = 4; kilobytes <= 48; kilobytes += 4) {
        const char *size = text_of("size=%uk", kilobytes);
        if (!mount_small(fixture->directory, size)) {
            fixture_open(fixture);
            skip();
        }
        assert_int_equal(store_open(fixture->directory, &fixture->options, &fixture->store, &fixture->error),
                         PZ_STORAGE_FULL);
        assert_int_equal(umount(fixture->directory), 0);
    }
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

closed_test(a_killed_writer_loses_nothing_that_was_acknowledged)
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
        assert_string_equal(fixture_faults(fixture), "");
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

closed_test(tables_that_a_crash_left_unfinished_are_gone_after_the_next_opening)
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
