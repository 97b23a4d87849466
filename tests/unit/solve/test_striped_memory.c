/* SPDX-License-Identifier: MIT */
/*
 * Memory that the system refuses: every allocation of an exploration and of a search from both sides fails in
 * turn, once or from then on. The linker leads the calls here (--wrap).
 */
#include "explore_trial.h"
#include "failing_memory.h"
#include "scratch_directory.h"

#include "solve/solve.h"

#include <sys/mman.h>

void *__real_reallocarray(void *old, size_t count, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__real_mmap(void *address, size_t length, int protection, int flags, int file, off_t offset);
void *__wrap_reallocarray(void *old, size_t count, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void *__wrap_mmap(void *address, size_t length, int protection, int flags, int file, off_t offset);

void *__wrap_reallocarray(void *old, size_t count, size_t size)
{
    return fails() ? NULL : __real_reallocarray(old, count, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __real_aligned_alloc(alignment, size);
}

void *__wrap_mmap(void *address, size_t length, int protection, int flags, int file, off_t offset)
{
    return fails() ? MAP_FAILED : __real_mmap(address, length, protection, flags, file, offset);
}

#ifdef PUZZLED_SANITIZED
enum { EACH = 6, STEP = 2 }; /* so many calls fail one after the other, then ever fewer are chosen */
#else
enum { EACH = 60, STEP = 6 };
#endif

static long next_call(long call)
{
    return call + (call < EACH ? 1 : call / STEP);
}

/* ---- explorations ---- */

/* Checks that the levels handed over are right, and that a run that memory did not stop is whole. */
static void check_outcome(const struct trial *trial, const struct trial *whole)
{
    const struct explore_result *result = &trial->result;
    assert_true(trial->heard.level_count <= whole->heard.level_count);
    assert_memory_equal(trial->heard.levels, whole->heard.levels,
                        trial->heard.level_count * sizeof(uint64_t));
    if (trial->status != PZ_OK) {
        const bool unknown = trial->request.engine == ENGINE_RANKED && trial->status == PZ_UNSUPPORTED;
        assert_true(unknown || trial->status == PZ_MEMORY || trial->status == PZ_TOO_LARGE);
        return;
    }
    if (result->reason != STOP_MEMORY)
        check_same(trial, whole);
    else
        assert_true(result->outcome == OUTCOME_STOPPED && !result->complete);
    if (trial->heard.plan.table == TABLE_RUNS)
        assert_int_equal(trial->heard.stored, result->states);
}

static void fail_each_in_turn(const char *puzzle, struct explore_request how)
{
    struct trial *whole = lived(trial_of(puzzle, NULL, how));
    for (int ever = 0; ever < 2; ever++) {
        bool failed = true;
        for (long call = 0; failed; call = next_call(call)) {
            struct trial *trial = trial_of(puzzle, NULL, how);
            fail_at(call, ever);
            (void)live(trial);
            fail_none();
            failed = has_failed;
            check_outcome(trial, whole);
            assert_true(failed || (trial->status == PZ_OK && trial->result.reason != STOP_MEMORY));
            trial_free(trial);
        }
    }
    trial_free(whole);
}

TEST(an_exploration_ends_well_whatever_allocation_fails)
{
    static const struct explore_request striped[] = {
        {.engine = ENGINE_STRIPED},
        {.engine = ENGINE_STRIPED, .striped.stripes = 16},
        {.engine = ENGINE_STRIPED, .striped.stripes = 256},
        {.engine = ENGINE_STRIPED, .striped.stripes = 256, .keep = KEEP_LEVELS}};
    for (unsigned i = 0; i < 4; i++)
        fail_each_in_turn("2x4", striped[i]);
    fail_each_in_turn("pancake:6", (struct explore_request){.engine = ENGINE_RANKED});
    fail_each_in_turn("2x5", (struct explore_request){.engine = ENGINE_DENSE,
                                                      .keep = KEEP_LEVELS,
                                                      .planes = PLANES_DISK,
                                                      .scratch = scratch,
                                                      .depth = 3});
}

/* Large enough to be spread over its stripes on the way. */
TEST(a_set_that_cannot_be_spread_stays_as_it_is)
{
    fail_each_in_turn("3x3", (struct explore_request){.engine = ENGINE_STRIPED});
}

/* ---- from both sides ---- */

static void solve_with_failures(const struct pz_space *space, const uint64_t *start, bool ever)
{
    bool failed = true;
    for (long call = 0; failed; call = next_call(call)) {
        struct budget budget;
        struct control control = {0};
        struct pz_error error;
        struct solve_result result = {0};
        budget_init(&budget, NULL, 256 << 20);
        struct solve_request request = {
            .space = space, .method = METHOD_BIDIRECTIONAL, .threads = 2, .budget = &budget, .start = start};
        fail_at(call, ever);
        enum pz_status status = solve_run(&request, &control, &result, &error);
        fail_none();
        failed = has_failed;
        assert_int_equal(budget.used, 0);
        assert_true(status == PZ_OK || status == PZ_MEMORY || status == PZ_TOO_LARGE);
        if (status == PZ_OK && result.outcome == OUTCOME_DONE)
            assert_int_equal(result.moves, 31);
        else
            assert_true(failed);
        solve_result_free(&result);
    }
}

TEST(a_search_from_both_sides_ends_well_whatever_allocation_fails)
{
    struct pz_space *space = NULL;
    struct pz_setup setup = {0};
    struct pz_error error;
    uint64_t start[PZ_STATE_MAX / 8];
    assert_int_equal(space_open("3x3", &setup, &space, &error), PZ_OK);
    parse_state(space, "8,6,7/2,5,4/3,0,1", start);
    solve_with_failures(space, start, false);
    solve_with_failures(space, start, true);
    space_close(space);
}

const struct test_surroundings test_surroundings = {make_scratch, remove_scratch};
