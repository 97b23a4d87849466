/* SPDX-License-Identifier: MIT */
/* The system refuses memory, or the write of LMDB's root page, after which LMDB refuses everything. */
#include "failing_memory.h"
#include "store_tables.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/syscall.h>

/* ---- writes: LMDB's, too ---- */

/* Of LMDB's writes only a root page is smaller than a page. */
static _Atomic bool root_pages_fail;

ssize_t pwrite(int fd, const void *buf, size_t n, off_t offset)
{
    if (atomic_load(&root_pages_fail) && n < 4096) {
        errno = EIO;
        return -1;
    }
    return syscall(SYS_pwrite64, fd, buf, n, offset);
}

/* ---- what is stored ---- */

enum { JOBS = 3 };
static const struct small_table table = {.name = "kept", .job = 1, .chunks = 5, .length = 1000, .seed = 7};

static void fill(struct fixture *fixture)
{
    for (unsigned i = 0; i < JOBS; i++) {
        struct job_record job = job_of("slide:2x2", text_of("q%u", i));
        fixture_ok(store_job_add(fixture->store, &job, &fixture->error));
        fixture_ok(store_level_put(fixture->store, job.id, 0, 1, &fixture->error));
        job_record_clear(&job);
    }
    small_table_store(fixture, &table);
    fixture_ok(store_flush(fixture->store, &fixture->error));
}

static void count_fault(void *context, const char *fault)
{
    ++*(unsigned *)context;
}

static void check_all(struct fixture *fixture)
{
    unsigned jobs = 0;
    unsigned tables = 0;
    fixture_ok(store_jobs(fixture->store, 0, count_job, &jobs, &fixture->error));
    fixture_ok(store_tables(fixture->store, count_table, &tables, NULL, &fixture->error));
    assert_int_equal(jobs, JOBS);
    assert_int_equal(tables, 1);
    assert_string_equal(fixture_faults(fixture), "");
    fixture_ok(small_table_read(fixture, &table));
}

/* ---- the tests ---- */

store_test(a_database_that_refuses_all_reads_ends_every_list)
{
    struct fixture *fixture = *state;
    struct store_check check;
    unsigned seen = 0;
    fill(fixture);
    struct job_record job = job_of("slide:2x2", "lost");
    atomic_store(&root_pages_fail, true);
    assert_int_not_equal(store_job_add(fixture->store, &job, &fixture->error), PZ_OK);
    atomic_store(&root_pages_fail, false);
    job_record_clear(&job);
    assert_int_equal(store_jobs(fixture->store, 0, count_job, &seen, &fixture->error), PZ_STORAGE);
    assert_int_equal(store_tables(fixture->store, count_table, &seen, NULL, &fixture->error), PZ_STORAGE);
    assert_int_equal(store_fsck(fixture->store, count_fault, &seen, &check, &fixture->error), PZ_STORAGE);
    assert_non_null(strstr(fixture->error.text, "restart"));
    assert_int_equal(seen, 0);
    fixture_reopen(fixture);
    check_all(fixture);
}

store_test(a_check_without_memory_accuses_nobody)
{
    struct fixture *fixture = *state;
    unsigned ended = 0;
    fill(fixture);
    for (int ever = 0; ever < 2; ever++) {
        has_failed = true;
        for (long call = 0; has_failed; call++) {
            struct store_check check;
            unsigned faults = 0;
            fail_at(call, ever != 0);
            enum pz_status status = store_fsck(fixture->store, count_fault, &faults, &check, &fixture->error);
            fail_none();
            assert_int_equal(faults, 0);
            assert_int_equal(status, has_failed ? PZ_MEMORY : PZ_OK);
            ended += has_failed;
        }
    }
    assert_true(ended > 2 * JOBS);
    check_all(fixture);
}

store_test(a_record_that_there_is_no_memory_for_is_not_damaged)
{
    struct fixture *fixture = *state;
    unsigned refused = 0;
    fill(fixture);
    has_failed = true;
    for (long call = 0; has_failed; call++) {
        struct job_record job;
        fail_at(call, false);
        enum pz_status status = store_job_get(fixture->store, 1, &job, &fixture->error);
        fail_none();
        assert_int_equal(status, has_failed ? PZ_MEMORY : PZ_OK);
        refused += has_failed;
        if (status == PZ_OK)
            job_record_clear(&job);
    }
    assert_true(refused >= 4); /* its texts */
}

store_test(the_last_flush_needs_no_memory)
{
    struct fixture *fixture = *state;
    fill(fixture);
    fail_at(0, true);
    enum pz_status first = store_flush(fixture->store, &fixture->error);
    enum pz_status second = store_flush(fixture->store, &fixture->error);
    fail_none();
    assert_int_equal(first, PZ_OK);
    assert_int_equal(second, PZ_MEMORY);
    check_all(fixture);
}

store_test(a_forgetting_without_memory_forgets_all_or_nothing)
{
    struct fixture *fixture = *state;
    unsigned refused = 0;
    fill(fixture);
    has_failed = true;
    for (long call = 0; has_failed; call++) {
        fail_at(call, false);
        enum pz_status status = forget_job(fixture->store, 2, &fixture->error);
        fail_none();
        struct job_record job;
        assert_int_equal(status, has_failed && status != PZ_OK ? PZ_MEMORY : PZ_OK);
        refused += status != PZ_OK;
        if (status == PZ_OK)
            break;
        fixture_ok(store_job_get(fixture->store, 2, &job, &fixture->error));
        job_record_clear(&job);
    }
    assert_true(refused > 0);
    assert_string_equal(fixture_faults(fixture), "");
}
