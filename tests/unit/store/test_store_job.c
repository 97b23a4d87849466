/* SPDX-License-Identifier: MIT */
#include "store_fixture.h"

#include <pthread.h>
#include <sys/wait.h>

store_test(a_job_comes_back_as_it_was_put)
{
    struct fixture *fixture = *state;
    struct job_record job = job_of("slide:3x3", "explore slide:3x3");
    fixture_ok(store_job_add(fixture->store, &job, &fixture->error));
    assert_int_equal(job.id, 1);
    job.state = JOB_DONE;
    job.started_ms = 5;
    job.finished_ms = 6;
    job.result = strdup("complete=yes states=181440");
    fixture_ok(store_job_put(fixture->store, &job, &fixture->error));

    struct job_record read;
    fixture_ok(store_job_get(fixture->store, 1, &read, &fixture->error));
    assert_int_equal(read.id, 1);
    assert_int_equal(read.kind, JOB_EXPLORE);
    assert_int_equal(read.state, JOB_DONE);
    assert_int_equal(read.priority, -3);
    assert_int_equal(read.submitted_ms, 1700000000123);
    assert_int_equal(read.started_ms, 5);
    assert_int_equal(read.finished_ms, 6);
    assert_string_equal(read.puzzle, "slide:3x3");
    assert_string_equal(read.request, "EXPLORE 3x3 keep=table");
    assert_string_equal(read.question, "explore slide:3x3");
    assert_string_equal(read.result, "complete=yes states=181440");
    job_record_clear(&read);
    job_record_clear(&job);
}

store_test(a_run_that_begins_again_leaves_no_level_of_the_one_before)
{
    struct fixture *fixture = *state;
    struct job_record job = job_of("slide:2x2", "explore slide:2x2");
    uint32_t count = 0;
    fixture_ok(store_job_add(fixture->store, &job, &fixture->error));
    for (uint32_t level = 0; level < 7; level++)
        fixture_ok(store_level_put(fixture->store, job.id, level, 100 + level, &fixture->error));
    for (uint32_t level = 0; level < 4; level++)
        fixture_ok(store_level_put(fixture->store, job.id, level, 100 + level, &fixture->error));
    fixture_ok(store_levels(fixture->store, job.id, NULL, &count, &fixture->error));
    assert_int_equal(count, 4);
    fixture_reopen(fixture);
    fixture_ok(store_levels(fixture->store, job.id, NULL, &count, &fixture->error));
    assert_int_equal(count, 4);
    job_record_clear(&job);
}

store_test(a_restart_keeps_jobs_questions_levels_and_examples)
{
    struct fixture *fixture = *state;
    struct job_record job = job_of("slide:2x2", "explore slide:2x2");
    static const uint64_t boards[3] = {7, 8, 9};
    fixture_ok(store_job_add(fixture->store, &job, &fixture->error));
    for (uint32_t level = 0; level < 7; level++)
        fixture_ok(store_level_put(fixture->store, job.id, level, 100 + level, &fixture->error));
    fixture_ok(store_examples_put(fixture->store, job.id, 6, boards, 3, 8, &fixture->error));
    fixture_reopen(fixture);

    struct store_level *levels = NULL;
    uint32_t count = 0;
    assert_int_equal(store_question(fixture->store, "explore slide:2x2"), job.id);
    fixture_ok(store_levels(fixture->store, job.id, &levels, &count, &fixture->error));
    assert_int_equal(count, 7);
    for (uint32_t level = 0; level < 7; level++)
        assert_int_equal(levels[level].states, 100 + level);
    free(levels);
    struct store_examples examples;
    fixture_ok(store_examples(fixture->store, job.id, 6, &examples, &fixture->error));
    assert_int_equal(examples.count, 3);
    assert_int_equal(examples.state_bytes, 8);
    assert_memory_equal(examples.states, boards, sizeof boards);
    free(examples.states);
    fixture_ok(store_examples(fixture->store, job.id, 5, &examples, &fixture->error));
    assert_int_equal(examples.count, 0);
    job_record_clear(&job);
}

store_test(what_is_written_behind_is_read_at_once_and_kept_by_closing)
{
    struct fixture *fixture = *state;
    struct job_record job = job_of("slide:3x3", "solve slide:3x3 a b");
    fixture_ok(store_job_add_async(fixture->store, &job, NULL, &fixture->error));
    job.state = JOB_DONE;
    fixture_ok(store_job_put_async(fixture->store, &job, NULL, &fixture->error));
    for (int round = 0; round < 2; round++) {
        struct job_record read;
        fixture_ok(store_job_get(fixture->store, job.id, &read, &fixture->error));
        assert_int_equal(read.state, JOB_DONE);
        assert_int_equal(store_question(fixture->store, "solve slide:3x3 a b"), job.id);
        job_record_clear(&read);
        fixture_reopen(fixture);
    }
    job_record_clear(&job);
}

struct ids {
    uint64_t id[64];
    unsigned count, most;
};

static bool note_id(void *context, const struct job_record *job)
{
    struct ids *ids = context;
    ids->id[ids->count++] = job->id;
    return ids->count < ids->most;
}

store_test(jobs_are_listed_in_order_whether_committed_or_on_their_way)
{
    struct fixture *fixture = *state;
    for (int i = 0; i < 20; i++) {
        struct job_record job = job_of("slide:3x3", "");
        if (i % 3 == 0)
            fixture_ok(store_job_add(fixture->store, &job, &fixture->error));
        else
            fixture_ok(store_job_add_async(fixture->store, &job, NULL, &fixture->error));
        job_record_clear(&job);
    }
    fixture_ok(store_job_forget_async(fixture->store, 20, 0, false, NULL, &fixture->error));
    fixture_ok(store_job_forget_async(fixture->store, 7, 0, false, NULL, &fixture->error));
    struct ids ids = {.most = 64};
    fixture_ok(store_jobs(fixture->store, 0, note_id, &ids, &fixture->error));
    assert_int_equal(ids.count, 18);
    for (unsigned i = 1; i < ids.count; i++)
        assert_true(ids.id[i] > ids.id[i - 1] && ids.id[i] != 7);
    ids = (struct ids){.most = 2};
    fixture_ok(store_jobs(fixture->store, 6, note_id, &ids, &fixture->error));
    assert_int_equal(ids.count, 2);
    assert_int_equal(ids.id[0], 8);
    struct store_stats stats;
    fixture_ok(store_flush(fixture->store, &fixture->error));
    fixture_ok(store_stats(fixture->store, &stats, &fixture->error));
    assert_int_equal(stats.jobs, 18);
}

store_test(levels_may_lie_apart)
{
    static const uint32_t apart[] = {0, 7, 65536, UINT32_MAX - 3};
    struct fixture *fixture = *state;
    struct job_record job = job_of("psvn:x", "q");
    fixture_ok(store_job_add(fixture->store, &job, &fixture->error));
    for (unsigned i = 0; i < 4; i++)
        fixture_ok(store_level_put(fixture->store, job.id, apart[i], 100 + i, &fixture->error));
    for (unsigned i = 0; i < 2; i++) {
        struct store_level *levels = NULL;
        uint32_t count = 0;
        fixture_ok(store_levels(fixture->store, job.id, &levels, &count, &fixture->error));
        assert_int_equal(count, 4);
        for (unsigned k = 0; k < count; k++) {
            assert_int_equal(levels[k].level, apart[k]);
            assert_int_equal(levels[k].states, 100 + k);
        }
        free(levels);
        fixture_reopen(fixture);
    }
    uint32_t count = 0;
    fixture_ok(store_level_put(fixture->store, job.id, 5, 1, &fixture->error)); /* a run that begins again */
    fixture_ok(store_levels(fixture->store, job.id, NULL, &count, &fixture->error));
    assert_int_equal(count, 2);
    job_record_clear(&job);
}

store_test(a_forgotten_job_takes_its_question_and_levels_along)
{
    struct fixture *fixture = *state;
    struct job_record job = job_of("slide:2x2", "q");
    fixture_ok(store_job_add(fixture->store, &job, &fixture->error));
    fixture_ok(store_level_put(fixture->store, job.id, 0, 1, &fixture->error));
    fixture_ok(forget_job(fixture->store, job.id, &fixture->error));
    uint32_t count;
    struct job_record read;
    assert_int_equal(store_job_get(fixture->store, job.id, &read, &fixture->error), PZ_NO_SUCH_JOB);
    assert_int_equal(store_question(fixture->store, "q"), 0);
    fixture_ok(store_levels(fixture->store, job.id, NULL, &count, &fixture->error));
    assert_int_equal(count, 0);
    assert_int_equal(forget_job(fixture->store, job.id, &fixture->error), PZ_NO_SUCH_JOB);
    job_record_clear(&job);
}

/* The levels of three jobs, some on the disk and some on their way to it. */
store_test(a_forgotten_job_leaves_the_levels_of_others_alone)
{
    struct fixture *fixture = *state;
    uint64_t ids[3];
    uint32_t count;
    struct store_examples examples;
    for (unsigned i = 0; i < 3; i++) {
        struct job_record job = job_of("slide:2x2", "");
        fixture_ok(store_job_add(fixture->store, &job, &fixture->error));
        ids[i] = job.id;
        job_record_clear(&job);
    }
    for (uint32_t level = 0; level < 600; level++) {
        for (unsigned i = 0; i < 3; i++) {
            fixture_ok(store_level_put(fixture->store, ids[i], level, level + 1, &fixture->error));
            fixture_ok(store_examples_put(fixture->store, ids[i], level, &level, 1, 4, &fixture->error));
        }
        if (level == 400)
            fixture_ok(store_flush(fixture->store, &fixture->error));
    }
    fixture_ok(forget_job(fixture->store, ids[1], &fixture->error));
    for (unsigned life = 0; life < 2; life++) {
        for (unsigned i = 0; i < 3; i++) {
            fixture_ok(store_levels(fixture->store, ids[i], NULL, &count, &fixture->error));
            assert_int_equal(count, i == 1 ? 0 : 600);
            fixture_ok(store_examples(fixture->store, ids[i], 17, &examples, &fixture->error));
            assert_int_equal(examples.count, i == 1 ? 0 : 1);
            free(examples.states);
        }
        fixture_reopen(fixture);
    }
}

store_test(a_question_asked_again_belongs_to_the_newer_job)
{
    struct fixture *fixture = *state;
    struct job_record first = job_of("slide:2x2", "q");
    struct job_record second = job_of("slide:2x2", "q");
    fixture_ok(store_job_add(fixture->store, &first, &fixture->error));
    fixture_ok(store_job_add(fixture->store, &second, &fixture->error));
    assert_int_equal(store_question(fixture->store, "q"), second.id);
    fixture_ok(forget_job(fixture->store, first.id, &fixture->error));
    assert_int_equal(store_question(fixture->store, "q"), second.id);
    job_record_clear(&first);
    job_record_clear(&second);
}

store_test(numbers_are_never_used_twice)
{
    struct fixture *fixture = *state;
    for (uint64_t expected = 1; expected <= 4; expected++) {
        struct job_record job = job_of("slide:2x2", "");
        fixture_ok(store_job_add(fixture->store, &job, &fixture->error));
        assert_int_equal(job.id, expected);
        fixture_ok(forget_job(fixture->store, job.id, &fixture->error));
        fixture_reopen(fixture);
        job_record_clear(&job);
    }
}

struct told {
    _Atomic unsigned count;
    _Atomic int worst;
};

static void note_ack(void *context, enum pz_status status, const struct pz_error *error)
{
    struct told *told = context;
    if (status != PZ_OK)
        atomic_store(&told->worst, (int)status);
    atomic_fetch_add(&told->count, 1);
}

store_test(one_commit_acknowledges_everyone_who_waits)
{
    struct fixture *fixture = *state;
    enum { JOBS = 400 };
    struct told told = {0};
    struct store_ack ack = {.done = note_ack, .context = &told};
    struct store_stats before, after;
    fixture_ok(store_stats(fixture->store, &before, &fixture->error));
    for (int i = 0; i < JOBS; i++) {
        struct job_record job = job_of("slide:2x2", "");
        fixture_ok(store_job_add_async(fixture->store, &job, &ack, &fixture->error));
        job_record_clear(&job);
    }
    fixture_ok(store_flush(fixture->store, &fixture->error));
    fixture_ok(store_stats(fixture->store, &after, &fixture->error));
    assert_int_equal(told.count, JOBS);
    assert_int_equal(told.worst, PZ_OK);
    assert_true(after.commits - before.commits < JOBS / 2);
}

/* ---- numbers after a crash ---- */

/* Adds a job and returns its number. Without an acknowledgement it adds only if the number is reserved. */
static uint64_t add_job(struct fixture *fixture, bool acknowledged)
{
    struct job_record job = job_of("slide:2x2", "");
    uint64_t id = 0;
    if (acknowledged && store_job_add(fixture->store, &job, NULL) == PZ_OK)
        id = job.id;
    if (!acknowledged && store_number_is_reserved(fixture->store) &&
        store_job_add_async(fixture->store, &job, NULL, NULL) == PZ_OK)
        id = job.id;
    job_record_clear(&job);
    return id;
}

/* In a process that ends without closing the store: returns the last number given out. */
static uint64_t add_and_crash(struct fixture *fixture, unsigned jobs)
{
    int ends[2];
    uint64_t last = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        uint64_t id = 0;
        if (store_open(fixture->directory, &fixture->options, &fixture->store, NULL) == PZ_OK)
            id = add_job(fixture, true);
        for (unsigned i = 0; i < jobs && id != 0; i++)
            id = add_job(fixture, !store_number_is_reserved(fixture->store));
        _exit(write(ends[1], &id, sizeof id) == (ssize_t)sizeof id ? 0 : 1);
    }
    assert_true(child > 0);
    (void)close(ends[1]);
    assert_int_equal(read(ends[0], &last, sizeof last), sizeof last);
    (void)close(ends[0]);
    (void)waitpid(child, NULL, 0);
    assert_true(last > jobs);
    return last;
}

store_test(a_number_that_a_crash_took_back_is_never_given_out_again)
{
    struct fixture *fixture = *state;
    static const unsigned jobs[] = {1, 20, 700, 5000};
    fixture_close(fixture);
    for (unsigned i = 0; i < sizeof jobs / sizeof jobs[0]; i++) {
        uint64_t last = add_and_crash(fixture, jobs[i]);
        fixture_open(fixture);
        assert_true(add_job(fixture, true) > last);
        fixture_close(fixture);
    }
}

store_test(a_crash_skips_few_numbers_where_few_are_used)
{
    struct fixture *fixture = *state;
    fixture_close(fixture);
    uint64_t last =
        add_and_crash(fixture, 7); /* within a second, or not: the second block is of 32 at most */
    fixture_open(fixture);
    assert_in_range(add_job(fixture, true), last + 1, last + 32);
}

store_test(only_a_crash_leaves_a_gap_in_the_numbers)
{
    struct fixture *fixture = *state;
    assert_false(store_number_is_reserved(fixture->store));
    assert_int_equal(add_job(fixture, true), 1);
    assert_true(store_number_is_reserved(fixture->store));
    assert_int_equal(add_job(fixture, false), 2);
    fixture_reopen(fixture);
    assert_false(store_number_is_reserved(fixture->store));
    assert_int_equal(add_job(fixture, true), 3);
}

struct adder {
    struct store *store;
    unsigned failures;
    uint64_t last;
};

static void *add_some(void *argument)
{
    struct adder *adder = argument;
    for (int i = 0; i < 25; i++) {
        struct job_record job = job_of("slide:2x2", "");
        struct job_record read = {0};
        adder->failures += store_job_add(adder->store, &job, NULL) != PZ_OK;
        adder->failures += store_job_get(adder->store, job.id, &read, NULL) != PZ_OK;
        adder->failures += store_level_put(adder->store, job.id, 0, job.id, NULL) != PZ_OK;
        job_record_clear(&read);
        job_record_clear(&job);
    }
    return NULL;
}

store_test(many_threads_add_and_read_beside_each_other)
{
    struct fixture *fixture = *state;
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    struct adder adders[THREADS];
    for (int i = 0; i < THREADS; i++) {
        adders[i] = (struct adder){.store = fixture->store};
        assert_int_equal(pthread_create(&threads[i], NULL, add_some, &adders[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(adders[i].failures, 0);
    }
    fixture_reopen(fixture);
    for (uint64_t id = 1; id <= THREADS * 25; id++) {
        struct store_level *levels;
        uint32_t count;
        fixture_ok(store_levels(fixture->store, id, &levels, &count, &fixture->error));
        assert_int_equal(count, 1);
        assert_int_equal(levels[0].states, id);
        free(levels);
    }
}
