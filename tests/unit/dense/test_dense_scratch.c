/* SPDX-License-Identifier: MIT */
/* Searches whose planes are on disk: they go on after a kill, and make the tables that are made in memory. */
#include "dense_scratch.h"

#include "base/clock.h"
#include "base/random.h"
#include "explore/checkpoint/checkpoint.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

/* Does nothing (--wrap): no number of a search depends on the disk's delay. */
int __wrap_fdatasync(int file);

int __wrap_fdatasync(int file)
{
    return 0;
}

/* ---- kills ---- */

/* The last checkpoint, which outlives the process that wrote it, and the one being written. */
struct shared {
    _Atomic unsigned kept; /* 0: none yet; else 1 + its index */
    size_t length[2];
    uint8_t bytes[2][1 << 20];
    _Atomic unsigned commits, resumed, refused;
};

static enum pz_status shared_begin(void *context, uint64_t bytes, struct pz_error *error)
{
    struct shared *shared = context;
    shared->length[atomic_load(&shared->kept) % 2] = 0;
    return PZ_OK;
}

static enum pz_status shared_part(void *context, const void *bytes, size_t length, struct pz_error *error)
{
    struct shared *shared = context;
    unsigned fresh = atomic_load(&shared->kept) % 2;
    if (shared->length[fresh] > 0)
        return pz_fail(error, PZ_STORAGE_FULL, "no room for two parts");
    memcpy(shared->bytes[fresh], bytes, length);
    shared->length[fresh] = length;
    return PZ_OK;
}

static enum pz_status shared_commit(void *context, struct pz_error *error)
{
    struct shared *shared = context;
    atomic_store(&shared->kept, 1 + atomic_load(&shared->kept) % 2);
    atomic_fetch_add(&shared->commits, 1);
    return PZ_OK;
}

static void shared_nothing(void *context)
{
}

static enum pz_status shared_open(void *context, uint64_t *parts, struct pz_error *error)
{
    const struct shared *shared = context;
    *parts = 1;
    return atomic_load(&shared->kept) > 0 ? PZ_OK : pz_fail(error, PZ_NO_TABLE, "there is none");
}

static enum pz_status shared_read(void *context, uint64_t number, const void **bytes, size_t *length,
                                  struct pz_error *error)
{
    const struct shared *shared = context;
    unsigned kept = atomic_load(&shared->kept) - 1;
    *bytes = shared->bytes[kept];
    *length = shared->length[kept];
    return PZ_OK;
}

static void shared_note(void *context, const struct explore_checkpoint_news *news)
{
    struct shared *shared = context;
    atomic_fetch_add(&shared->resumed, news->event == CHECKPOINT_RESUMED);
    atomic_fetch_add(&shared->refused, news->event == CHECKPOINT_REFUSED);
}

/* Runs in a process that explores. Returns its exit status: 0 if it found the same as whole. */
static int live(struct shared *shared, const char *size, const struct run *whole)
{
    const struct explore_checkpoint calls = {.context = shared,
                                             .interval = 0,
                                             .begin = shared_begin,
                                             .part = shared_part,
                                             .commit = shared_commit,
                                             .abort = shared_nothing,
                                             .open = shared_open,
                                             .read = shared_read,
                                             .close = shared_nothing,
                                             .note = shared_note};
    struct run *run = run_of(size, 9, whole->request.keep);
    run->request.checkpoint = &calls;
    if (run_go(run) != PZ_OK || run->out_of_order || run->levels != whole->levels ||
        run->result.states != whole->result.states ||
        memcmp(run->states, whole->states, whole->levels * sizeof *whole->states) != 0)
        return 1;
    /* By orbits a level that was cut off has examples of the groups made since. */
    for (uint32_t level = 0; level < whole->levels && !slide_is_multi(run->space); level++)
        if (run->examples[level] != whole->examples[level] ||
            memcmp(run->example[level], whole->example[level],
                   (size_t)whole->examples[level] * whole->space->state_bytes) != 0)
            return 2;
    if (run->table_bytes != whole->table_bytes ||
        (run->table_bytes > 0 && memcmp(run->table, whole->table, run->table_bytes) != 0))
        return 3;
    return 0;
}

/* Waits for that many more checkpoints of the child, or its end. Returns true if it has ended. */
static bool await_commits(const struct shared *shared, pid_t child, unsigned more, int *end)
{
    unsigned wanted = atomic_load(&shared->commits) + more;
    for (unsigned polls = 0; atomic_load(&shared->commits) < wanted; polls++) {
        if (waitpid(child, end, WNOHANG) == child)
            return true;
        assert_true(polls < 600000);
        (void)usleep(500);
    }
    return false;
}

static void check_kills(const char *size, enum keep keep)
{
    enum { KILLS = 20, MOST_COMMITS = 4, MOST_MICROSECONDS = 20000 };
    struct random random = {.state = 5};
    struct run *whole = undisturbed(size, keep);
    struct shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(shared != MAP_FAILED);
    unsigned kills = 0;
    for (int end = -1; end != 0;) {
        (void)fflush(NULL);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            _exit(live(shared, size, whole));
        unsigned commits = kills < KILLS ? (unsigned)random_below(&random, MOST_COMMITS) : UINT32_MAX / 2;
        if (await_commits(shared, child, commits, &end)) {
            assert_true(WIFEXITED(end) && WEXITSTATUS(end) == 0);
            break;
        }
        (void)usleep((useconds_t)random_below(&random, MOST_MICROSECONDS));
        (void)kill(child, SIGKILL);
        kills++;
        assert_int_equal(waitpid(child, &end, 0), child);
    }
    assert_true(kills > 1);
    assert_true(atomic_load(&shared->resumed) > 0);
    assert_int_equal(atomic_load(&shared->refused), 0);
    (void)munmap(shared, sizeof *shared);
    run_free(whole);
}

TEST(a_search_that_is_killed_at_any_moment_goes_on)
{
    check_kills("2x5", KEEP_LEVELS);
    check_kills("2x5", KEEP_TABLE);
    check_kills("2x5,metric:multi", KEEP_LEVELS);
}

/* ---- tables ---- */

static void check_table(const char *size, unsigned blank, unsigned threads)
{
    struct run *run = run_of(size, blank, KEEP_TABLE);
    struct run *whole = run_of(size, blank, KEEP_TABLE);
    whole->request.planes = PLANES_MEMORY;
    run->request.threads = threads;
    assert_ok(run_go(whole), whole->error);
    assert_ok(run_go(run), run->error);
    check_equal(run, whole);
    assert_true(run->table_bytes > 0);
    assert_int_equal(run->table_bytes, whole->table_bytes);
    assert_memory_equal(run->table, whole->table, whole->table_bytes);
    run_free(run);
    run_free(whole);
}

TEST(a_table_made_on_disk_is_that_made_in_memory)
{
    static const unsigned threads[] = {1, 2, 8};
    for (unsigned i = 0; i < 3; i++)
        check_table("2x5", i == 2 ? 4 : 9, threads[i]);
#ifndef PUZZLED_SANITIZED
    check_table("2x6", 11, 2);
    check_table("3x4", 11, 8);
#endif
}

static void end_time_at_level_54(struct run *run, uint32_t level)
{
    if (level == 54)
        run->control.deadline = clock_seconds() - 1;
}

/* Level 54 is told when level 55, the last, is made. */
TEST(a_search_whose_time_ends_beyond_its_last_level_is_whole)
{
    static const enum explore_planes planes[] = {PLANES_MEMORY, PLANES_DISK};
    struct run *whole = undisturbed("2x5", KEEP_TABLE);
    for (unsigned i = 0; i < 2; i++) {
        struct run *run = run_of("2x5", 9, KEEP_TABLE);
        run->request.planes = planes[i];
        run->at_level = end_time_at_level_54;
        assert_ok(run_go(run), run->error);
        assert_int_equal(run->result.outcome, OUTCOME_DONE);
        check_equal(run, whole);
        assert_int_equal(run->table_bytes, whole->table_bytes);
        assert_memory_equal(run->table, whole->table, whole->table_bytes);
        run_free(run);
    }
    run_free(whole);
}

const struct test_surroundings test_surroundings = {make_scratch, remove_scratch};
