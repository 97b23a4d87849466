/* SPDX-License-Identifier: MIT */
#include "test_support.h"

#include "base/budget.h"
#include "base/log.h"
#include "base/priority.h"
#include "base/random.h"
#include "base/status_word.h"
#include "base/team.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

TEST(every_status_has_a_word_of_its_own)
{
    for (unsigned a = 0; a < PZ_STATUS_COUNT; a++)
        for (unsigned b = 0; b < a; b++)
            assert_string_not_equal(status_word((enum pz_status)a), status_word((enum pz_status)b));
    assert_string_equal(status_word(PZ_NO_SUCH_JOB), "no-such-job");
    assert_string_equal(status_word((enum pz_status)999), "internal");
    assert_true(status_is_retryable(PZ_BUSY));
    assert_false(status_is_retryable(PZ_BAD_BOARD));
}

TEST(errno_values_become_statuses)
{
    struct pz_error error = {0};
    assert_int_equal(status_from_errno(&error, ENOSPC, "write"), PZ_STORAGE_FULL);
    assert_string_equal(error.text, "write: No space left on device");
    assert_int_equal(status_from_errno(NULL, ENOMEM, "mmap"), PZ_MEMORY);
    assert_int_equal(status_from_errno(NULL, EACCES, "open"), PZ_STORAGE);
    assert_int_equal(status_from_errno(NULL, EMFILE, "open"), PZ_LIMIT);
}

TEST(a_budget_is_never_passed_and_remembers_its_peak)
{
    struct budget parent;
    struct budget child;
    budget_init(&parent, NULL, 100);
    budget_init(&child, &parent, 80);
    assert_true(budget_take(&child, 60));
    assert_false(budget_take(&child, 30)); /* its own limit */
    assert_true(budget_take(&parent, 30));
    assert_false(budget_take(&child, 15)); /* the parent's limit */
    assert_int_equal(budget_free(&child), 10);
    budget_give(&child, 60);
    assert_int_equal(atomic_load(&child.used), 0);
    assert_int_equal(atomic_load(&child.peak), 60);
    assert_int_equal(atomic_load(&parent.used), 30);
    assert_int_equal(atomic_load(&parent.peak), 90);
    assert_false(budget_take(&parent, UINT64_MAX));
    budget_set_limit(&parent, 10);
    assert_int_equal(budget_free(&parent), 0);
}

TEST(memory_is_zeroed_aligned_and_can_be_dropped)
{
    size_t bytes = (size_t)5 << 20;
    unsigned char *base = memory_map(bytes, MEMORY_HUGE_PAGES);
    assert_non_null(base);
    assert_int_equal((uintptr_t)base % (2 << 20), 0);
    base[0] = 1;
    base[bytes - 1] = 1;
    memory_unmap(base, bytes);
    base = memory_map(4096, MEMORY_SMALL_PAGES);
    assert_non_null(base);
    memory_unmap(base, 4096);
    memory_unmap(NULL, 0);
    assert_null(memory_map(SIZE_MAX - 4096, MEMORY_HUGE_PAGES));
}

TEST(what_may_stay_small_clears_no_huge_page)
{
    enum { HUGE = 2 << 20, PAGES = HUGE / 4096 };
    unsigned char resident[PAGES];
    unsigned touched = 0;
    unsigned char *base = memory_map((size_t)4 * HUGE, MEMORY_GROWING);
    assert_non_null(base);
    assert_int_equal((uintptr_t)base % HUGE, 0);
    base[0] = 1;
    base[(size_t)4 * HUGE - 1] = 1;
    assert_int_equal(mincore(base, HUGE, resident), 0);
    for (unsigned i = 0; i < PAGES; i++)
        touched += resident[i] & 1;
    assert_int_equal(touched, 1);
    memory_unmap(base, (size_t)4 * HUGE);
}

struct teamwork {
    struct team *team;
    _Atomic unsigned ran;
    _Atomic unsigned serial;
    unsigned per_round[8];
    bool late;
};

/* Adds in three rounds; after each barrier everybody sees what all have added. */
static void add_in_step(void *context, unsigned worker)
{
    struct teamwork *work = context;
    for (unsigned round = 0; round < 3; round++) {
        atomic_fetch_add(&work->ran, 1);
        if (team_barrier(work->team))
            atomic_fetch_add(&work->serial, 1);
        if (atomic_load(&work->ran) < (round + 1) * team_size(work->team))
            work->late = true;
        (void)team_barrier(work->team);
    }
}

TEST(a_team_meets_at_its_barriers)
{
    static const unsigned sizes[] = {1, 2, 8, 64};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct teamwork work = {0};
        struct pz_error error;
        assert_ok(team_new(sizes[i], &work.team, &error), error);
        for (unsigned run = 1; run <= 5; run++) {
            atomic_store(&work.ran, 0);
            team_run(work.team, add_in_step, &work);
            assert_int_equal(atomic_load(&work.ran), 3 * sizes[i]);
            assert_int_equal(atomic_load(&work.serial), 3 * run);
        }
        assert_false(work.late);
        team_free(work.team);
    }
    team_free(NULL);
}

struct standing {
    int nice, policy;
};

static struct standing standing_now(void)
{
    return (struct standing){.nice = getpriority(PRIO_PROCESS, (id_t)gettid()),
                             .policy = sched_getscheduler(0)};
}

/* Prompt, and then low, as a search is that a prompt thread has started. */
static void *note_standings(void *context)
{
    struct standing *standing = context;
    priority_prompt();
    standing[0] = standing_now();
    priority_lower();
    standing[1] = standing_now();
    return NULL;
}

TEST(priorities_are_of_a_thread_alone)
{
    struct standing before = standing_now();
    struct standing other[2];
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, note_standings, other), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(other[0].nice, before.nice); /* shorter turns, no more of them */
    assert_int_equal(other[0].policy, before.policy);
    assert_int_equal(other[1].nice, before.nice > 10 ? before.nice : 10);
    assert_int_equal(other[1].policy, SCHED_BATCH);
    struct standing after = standing_now();
    assert_memory_equal(&after, &before, sizeof after);
}

TEST(random_numbers_repeat_by_seed_and_stay_below_their_bound)
{
    struct random a = {7};
    struct random b = {7};
    unsigned seen[10] = {0};
    for (int i = 0; i < 10000; i++) {
        uint64_t value = random_below(&a, 10);
        assert_int_equal(value, random_below(&b, 10));
        assert_true(value < 10);
        seen[value]++;
    }
    for (int i = 0; i < 10; i++)
        assert_in_range(seen[i], 850, 1150);
    /* Published first value of SplitMix64 for seed 0. */
    struct random zero = {0};
    assert_true(random_next(&zero) == 0xE220A8397B1DCDAFu);
}

TEST(bytes_in_use_beside_a_budget_raise_its_peak_alone)
{
    struct budget parent, budget;
    budget_init(&parent, NULL, 1000);
    budget_init(&budget, &parent, 100);
    assert_true(budget_take(&budget, 60));
    budget_note_beside(&budget, 70);
    assert_int_equal(atomic_load(&budget.peak), 130);
    assert_int_equal(atomic_load(&parent.peak), 60);
    assert_int_equal(budget_free(&budget), 40);
    budget_note_beside(&budget, 10);
    assert_int_equal(atomic_load(&budget.peak), 130);
    budget_give(&budget, 60);
}

static char last_line[64];

static void keep_line(enum log_level level, unsigned long job, const char *line)
{
    (void)snprintf(last_line, sizeof last_line, "%d %lu %s", (int)level, job, line);
}

TEST(log_lines_reach_the_writer_by_level)
{
    log_event(LOG_LEVEL_ERROR, 0, "event=before"); /* no writer yet: nothing happens */
    log_set_writer(keep_line);
    log_event(LOG_LEVEL_WARNING, 7, "event=%s", "test");
    assert_string_equal(last_line, "4 7 event=test");
    log_event(LOG_LEVEL_DEBUG, 7, "event=hidden");
    assert_string_equal(last_line, "4 7 event=test");
    log_set_level(LOG_LEVEL_DEBUG);
    log_event(LOG_LEVEL_DEBUG, 0, "event=shown");
    assert_string_equal(last_line, "7 0 event=shown");
    log_set_writer(NULL);
}

TEST(a_value_in_the_log_cannot_end_its_quotes_or_its_line)
{
    struct log_quote quote;
    static char long_text[4000];
    memset(long_text, '\n', sizeof long_text - 1);
    assert_string_equal(log_quote(&quote, "a \"b\" \\"), "a \\\"b\\\" \\\\");
    assert_string_equal(log_quote(&quote, "\n\x1b[2J\x7f"), "\\x0a\\x1b[2J\\x7f");
    assert_string_equal(log_quote(&quote, "\xc2\x9b-\xc2\xa0-横刀"), "\\xc2\\x9b-\xc2\xa0-横刀");
    assert_string_equal(log_quote(&quote, NULL), "");
    assert_true(strlen(log_quote(&quote, long_text)) < sizeof quote.text);
    log_set_writer(keep_line);
    log_event_text(LOG_LEVEL_ERROR, 0, "event=x reason", "a\"\nevent=y");
    assert_string_equal(last_line, "3 0 event=x reason=\"a\\\"\\x0aevent=y\"");
    log_set_writer(NULL);
}
