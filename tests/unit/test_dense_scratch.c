/* SPDX-License-Identifier: MIT */
/*
 * Searches whose planes are on disk, and what can happen to them: kills at any moment, flipped bits, lost
 * files, and system calls that fail, once or from then on. The linker leads these calls here (--wrap).
 */
#include "checkpoint_disk.h"
#include "dense_fixture.h"
#include "test_support.h"

#include "base/random.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- calls that fail ---- */

enum call { CALL_READ, CALL_WRITE, CALL_SYNC, CALL_RENAME, CALLS };

static struct {
    _Atomic long left[CALLS]; /* calls until one fails; negative: it has */
    bool for_good;
    int failure; /* an errno */
} fault;

static bool fails(enum call call)
{
    long left = atomic_fetch_sub(&fault.left[call], 1);
    if (left > 0 || (left < 0 && !fault.for_good))
        return false;
    errno = fault.failure;
    return true;
}

static void set_fault(enum call call, long after, bool for_good, int failure)
{
    for (unsigned i = 0; i < CALLS; i++)
        atomic_store(&fault.left[i], LONG_MAX);
    fault.for_good = for_good;
    fault.failure = failure;
    if (call < CALLS)
        atomic_store(&fault.left[call], after);
}

static void no_fault(void)
{
    set_fault(CALLS, 0, false, 0);
}

ssize_t __real_pread(int file, void *bytes, size_t length, off_t offset);
ssize_t __real_pwrite(int file, const void *bytes, size_t length, off_t offset);
int __real_fdatasync(int file);
int __real_renameat(int from, const char *old, int to, const char *new);
ssize_t __wrap_pread(int file, void *bytes, size_t length, off_t offset);
ssize_t __wrap_pwrite(int file, const void *bytes, size_t length, off_t offset);
int __wrap_fdatasync(int file);
int __wrap_renameat(int from, const char *old, int to, const char *new);

ssize_t __wrap_pread(int file, void *bytes, size_t length, off_t offset)
{
    return fails(CALL_READ) ? -1 : __real_pread(file, bytes, length, offset);
}

ssize_t __wrap_pwrite(int file, const void *bytes, size_t length, off_t offset)
{
    return fails(CALL_WRITE) ? -1 : __real_pwrite(file, bytes, length, offset);
}

/* Does nothing: no number of a search depends on the disk's delay. */
int __wrap_fdatasync(int file)
{
    (void)file;
    return fails(CALL_SYNC) ? -1 : 0;
}

int __wrap_renameat(int from, const char *old, int to, const char *new)
{
    return fails(CALL_RENAME) ? -1 : __real_renameat(from, old, to, new);
}

/* ---- searches ---- */

static char scratch[] = "/tmp/test_dense_scratch.XXXXXX";

static int make_scratch(void **state)
{
    (void)state;
    no_fault();
    return mkdtemp(scratch) != NULL ? 0 : -1;
}

/* Does something to every file of that ending; returns how many there are. */
static unsigned each_file_of(const char *ending, void (*act)(int directory, const char *name))
{
    unsigned count = 0;
    DIR *directory = opendir(scratch);
    const struct dirent *entry;
    assert_non_null(directory);
    while ((entry = readdir(directory)) != NULL) {
        if (strstr(entry->d_name, ending) == NULL)
            continue;
        act(dirfd(directory), entry->d_name);
        count++;
    }
    (void)closedir(directory);
    return count;
}

/* As above, to every whole file. */
static unsigned each_file(void (*act)(int directory, const char *name))
{
    return each_file_of(".pieces", act);
}

static void remove_file(int directory, const char *name)
{
    (void)unlinkat(directory, name, 0);
}

static int remove_scratch(void **state)
{
    (void)state;
    (void)each_file(remove_file);
    (void)each_file_of(".part", remove_file); /* of a search that could not name it */
    return rmdir(scratch);
}

static struct run *run_of(const char *size, unsigned blank, enum keep keep)
{
    struct run *run = run_new(size, blank);
    run->request.keep = keep;
    run->request.planes = PLANES_DISK;
    run->request.scratch = scratch;
    run->request.threads = 2;
    run->request.seed = 7;
    budget_set_limit(&run->budget, UINT64_C(1) << 30); /* as much address space is reserved */
    return run;
}

static struct run *run_on_disk(void)
{
    return run_of("2x5", 9, KEEP_LEVELS);
}

static struct run *undisturbed(enum keep keep)
{
    struct run *run = run_of("2x5", 9, keep);
    run->request.planes = PLANES_MEMORY;
    assert_ok(run_go(run), run->error);
    return run;
}

static void check_equal(const struct run *run, const struct run *whole)
{
    assert_false(run->out_of_order);
    assert_int_equal(run->result.states, whole->result.states);
    assert_int_equal(run->levels, whole->levels);
    assert_memory_equal(run->states, whole->states, whole->levels * sizeof *whole->states);
    for (uint32_t level = 0; level < whole->levels; level++) {
        assert_int_equal(run->examples[level], whole->examples[level]);
        assert_memory_equal(run->example[level], whole->example[level],
                            (size_t)whole->examples[level] * whole->space->state_bytes);
    }
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
    (void)bytes;
    (void)error;
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
    (void)error;
    atomic_store(&shared->kept, 1 + atomic_load(&shared->kept) % 2);
    atomic_fetch_add(&shared->commits, 1);
    return PZ_OK;
}

static void shared_nothing(void *context)
{
    (void)context;
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
    (void)number;
    (void)error;
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
static int live(struct shared *shared, const struct run *whole)
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
    struct run *run = run_of("2x5", 9, whole->request.keep);
    run->request.checkpoint = &calls;
    if (run_go(run) != PZ_OK || run->out_of_order || run->levels != whole->levels ||
        run->result.states != whole->result.states ||
        memcmp(run->states, whole->states, whole->levels * sizeof *whole->states) != 0)
        return 1;
    for (uint32_t level = 0; level < whole->levels; level++)
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
    while (atomic_load(&shared->commits) < wanted) {
        if (waitpid(child, end, WNOHANG) == child)
            return true;
        (void)usleep(500);
    }
    return false;
}

static void check_kills(enum keep keep)
{
    enum { KILLS = 20, MOST_COMMITS = 4, MOST_MICROSECONDS = 20000 };
    struct random random = {.state = 5};
    struct run *whole = undisturbed(keep);
    struct shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(shared != MAP_FAILED);
    unsigned kills = 0;
    for (int end = -1; end != 0;) {
        (void)fflush(NULL);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            _exit(live(shared, whole));
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

static void a_search_that_is_killed_at_any_moment_goes_on(void **state)
{
    (void)state;
    check_kills(KEEP_LEVELS);
    check_kills(KEEP_TABLE);
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

static void a_table_made_on_disk_is_that_made_in_memory(void **state)
{
    static const unsigned threads[] = {1, 2, 8};
    (void)state;
    for (unsigned i = 0; i < 3; i++)
        check_table("2x5", i == 2 ? 4 : 9, threads[i]);
#ifndef PUZZLED_SANITIZED
    check_table("2x6", 11, 2);
    check_table("3x4", 11, 8);
#endif
}

/* ---- damage ---- */

static void flip_bit(int directory, const char *name)
{
    uint8_t byte;
    int file = openat(directory, name, O_RDWR);
    assert_true(file >= 0);
    if (__real_pread(file, &byte, 1, 300) == 1) { /* a level without states has an empty file */
        byte ^= 16;
        assert_int_equal(__real_pwrite(file, &byte, 1, 300), 1);
    }
    (void)close(file);
}

static enum pz_status stop_at(void *context, uint32_t level, uint64_t states, struct pz_error *error)
{
    struct run *run = context;
    if (level == 20) {
        atomic_store(&run->control.keep, true);
        atomic_store(&run->control.stop, true);
    }
    return run_level(context, level, states, error);
}

/* Stops a run in its middle, does something to its files and lets another one go on. */
static void check_damage(void (*act)(int directory, const char *name), unsigned refused)
{
    struct run *whole = undisturbed(KEEP_LEVELS);
    struct run *cut = run_on_disk();
    struct run *run = run_on_disk();
    struct disk disk;
    disk_init(&disk);
    cut->request.checkpoint = run->request.checkpoint = &disk.calls;
    const struct explore_sink sink = {
        .context = cut, .begin = run_begin, .level = stop_at, .examples = run_examples};
    assert_int_equal(dense_run(&cut->request, &cut->control, &sink, &cut->result, &cut->error), PZ_CANCELLED);
    assert_true(each_file(act) > 0);
    assert_ok(run_go(run), run->error);
    check_equal(run, whole);
    assert_int_equal(disk.refused, refused);
    assert_int_equal(disk.resumed, 1 - refused);
    disk_clear(&disk);
    run_free(whole);
    run_free(cut);
    run_free(run);
}

static void nothing(int directory, const char *name)
{
    (void)directory;
    (void)name;
}

static void files_that_are_damaged_or_gone_make_a_search_begin_anew(void **state)
{
    (void)state;
    check_damage(nothing, 0);
    check_damage(flip_bit, 1);
    check_damage(remove_file, 1);
}

/* Flips a bit while the search runs: the search says so and begins anew. */
static enum pz_status spoil(void *context, uint32_t level, uint64_t states, struct pz_error *error)
{
    if (level == 20)
        (void)each_file(flip_bit);
    return run_level(context, level, states, error);
}

static void a_piece_that_is_damaged_meanwhile_makes_a_search_begin_anew(void **state)
{
    struct run *whole = undisturbed(KEEP_LEVELS);
    struct run *run = run_on_disk();
    struct disk disk;
    (void)state;
    disk_init(&disk);
    run->request.checkpoint = &disk.calls;
    const struct explore_sink sink = {
        .context = run, .begin = run_begin, .level = spoil, .examples = run_examples};
    assert_ok(dense_run(&run->request, &run->control, &sink, &run->result, &run->error), run->error);
    check_equal(run, whole);
    assert_int_equal(disk.refused, 1);
    disk_clear(&disk);
    run_free(whole);
    run_free(run);
}

/* After the last level, when only the table is still to be made. */
static enum pz_status spoil_last(void *context, uint32_t level, uint64_t states, struct pz_error *error)
{
    if (level == 55)
        (void)each_file(flip_bit);
    return run_level(context, level, states, error);
}

static void a_kept_level_that_is_damaged_makes_a_search_begin_anew(void **state)
{
    struct run *whole = undisturbed(KEEP_TABLE);
    struct run *run = run_of("2x5", 9, KEEP_TABLE);
    (void)state;
    struct disk disk;
    disk_init(&disk);
    run->request.checkpoint = &disk.calls;
    const struct explore_sink sink = {.context = run,
                                      .begin = run_begin,
                                      .level = spoil_last,
                                      .examples = run_examples,
                                      .chunk = run_chunk};
    assert_ok(dense_run(&run->request, &run->control, &sink, &run->result, &run->error), run->error);
    check_equal(run, whole);
    assert_int_equal(disk.refused, 1);
    assert_int_equal(run->table_bytes, whole->table_bytes);
    assert_memory_equal(run->table, whole->table, whole->table_bytes);
    disk_clear(&disk);
    run_free(whole);
    run_free(run);
}

/* ---- faults ---- */

/* Checks that every number handed over is right, and that the run ends as the fault allows. */
static void check_fault(const struct run *whole, enum call call, long after, bool for_good, int failure)
{
    struct run *run = run_on_disk();
    set_fault(call, after, for_good, failure);
    enum pz_status status = run_go(run);
    bool met = atomic_load(&fault.left[call]) < 0;
    no_fault();
    assert_memory_equal(run->states, whole->states, run->levels * sizeof *whole->states);
    assert_int_equal(atomic_load(&run->budget.used), 0);
    if (!met || (failure == EIO && !for_good)) {
        assert_ok(status, run->error);
        check_equal(run, whole);
    } else if (failure == EIO) {
        assert_int_equal(status, PZ_STORAGE);
        assert_non_null(strstr(run->error.text, "scratch space"));
    } else if (run->levels == 0) {
        assert_int_equal(status, PZ_STORAGE_FULL);
    } else {
        assert_ok(status, run->error);
        assert_int_equal(run->result.reason, STOP_DISK);
        assert_false(run->result.complete);
    }
    run_free(run);
}

static void every_call_may_fail_once_or_for_good(void **state)
{
    static const long after[] = {0, 1, 30, 90};
#ifdef PUZZLED_SANITIZED
    const unsigned first = 2;
#else
    const unsigned first = 0;
#endif
    struct run *whole = undisturbed(KEEP_LEVELS);
    (void)state;
    for (enum call call = CALL_READ; call < CALLS; call++) {
        for (unsigned i = first; i < sizeof after / sizeof after[0]; i++) {
            check_fault(whole, call, after[i], false, EIO);
            check_fault(whole, call, after[i], true, EIO);
            if (call == CALL_WRITE || call == CALL_SYNC)
                check_fault(whole, call, after[i], i % 2 != 0, ENOSPC);
        }
    }
    run_free(whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_search_that_is_killed_at_any_moment_goes_on),
        cmocka_unit_test(a_table_made_on_disk_is_that_made_in_memory),
        cmocka_unit_test(a_kept_level_that_is_damaged_makes_a_search_begin_anew),
        cmocka_unit_test(files_that_are_damaged_or_gone_make_a_search_begin_anew),
        cmocka_unit_test(a_piece_that_is_damaged_meanwhile_makes_a_search_begin_anew),
        cmocka_unit_test(every_call_may_fail_once_or_for_good),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
