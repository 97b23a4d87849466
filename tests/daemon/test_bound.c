/* SPDX-License-Identifier: MIT */
/* What a long SOLVE leaves for the next start of the daemon. */
#include "store_fixture.h"

#include "runner_bound.h"

/* A job as the store keeps it, and its number. */
static uint64_t add_job(struct fixture *fixture)
{
    char puzzle[] = "slide:5x5";
    struct job_record job = {.kind = JOB_SOLVE, .state = JOB_RUNNING, .puzzle = puzzle};
    fixture_ok(store_job_add(fixture->store, &job, &fixture->error));
    return job.id;
}

static void note(struct runner_bound *bound, const char *phase, uint32_t level)
{
    const struct progress progress = {.phase = phase, .level = level};
    runner_bound_note(bound, &progress);
}

static uint32_t kept(struct fixture *fixture, uint64_t job)
{
    struct runner_bound bound;
    fixture_reopen(fixture);
    runner_bound_open(&bound, fixture->store, job);
    return bound.saved;
}

static void a_bound_that_rose_is_there_after_a_restart(void **state)
{
    struct fixture *fixture = *state;
    uint64_t job = add_job(fixture);
    struct runner_bound bound;
    runner_bound_open(&bound, fixture->store, job);
    assert_int_equal(bound.saved, 0);
    note(&bound, "search", 80); /* too soon after the start to be worth a commit */
    assert_int_equal(bound.saved, 0);
    bound.saved_at -= 60;
    note(&bound, "search", 82);
    assert_int_equal(bound.saved, 82);
    assert_true(bound.made_ms > 0); /* STATUS tells its age */
    assert_int_equal(kept(fixture, job), 82);
}

static void levels_of_other_phases_and_lower_ones_are_no_bounds(void **state)
{
    struct fixture *fixture = *state;
    uint64_t job = add_job(fixture);
    struct runner_bound bound;
    runner_bound_open(&bound, fixture->store, job);
    bound.saved_at -= 60;
    note(&bound, "pdb", 33);
    assert_int_equal(bound.saved, 0);
    note(&bound, "search", 40);
    bound.saved_at -= 60;
    note(&bound, "search", 38);
    assert_int_equal(bound.saved, 40);
    assert_int_equal(kept(fixture, job), 40);
}

static void a_checkpoint_of_another_kind_is_no_bound(void **state)
{
    struct fixture *fixture = *state;
    uint64_t job = add_job(fixture);
    struct checkpoint_writer *writer = NULL;
    const uint32_t level = 99;
    fixture_ok(checkpoint_begin(fixture->store, job, 1, &writer, &fixture->error));
    fixture_ok(checkpoint_part(writer, &level, sizeof level, &fixture->error));
    fixture_ok(checkpoint_commit(writer, &fixture->error));
    assert_int_equal(kept(fixture, job), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_bound_that_rose_is_there_after_a_restart, fixture_set_up,
                                        fixture_tear_down),
        cmocka_unit_test_setup_teardown(levels_of_other_phases_and_lower_ones_are_no_bounds, fixture_set_up,
                                        fixture_tear_down),
        cmocka_unit_test_setup_teardown(a_checkpoint_of_another_kind_is_no_bound, fixture_set_up,
                                        fixture_tear_down),
    };
    return cmocka_run_group_tests_name("bound", tests, NULL, NULL);
}
