/* SPDX-License-Identifier: MIT */
/* Pattern databases whose building is cut off: they go on, and come out as if nothing had been. */
#include "solve_support.h"

#include "checkpoint_disk.h"
#include "solve/pdb/pdb.h"

struct fixture {
    struct grid grid;
    struct budget budget;
    struct memory_archive memory;
    struct control control;
    struct disk disk;
    struct pdb_request request;
};

static void fixture_init(struct fixture *fixture, unsigned threads)
{
    memset(fixture, 0, sizeof *fixture);
    assert_int_equal(grid_init(&fixture->grid, 4, 4, NULL), PZ_OK);
    budget_init(&fixture->budget, NULL, (uint64_t)256 << 20);
    memory_archive_init(&fixture->memory);
    disk_init(&fixture->disk);
    fixture->disk.control = &fixture->control;
    fixture->request = (struct pdb_request){.grid = &fixture->grid,
                                            .blank = 15,
                                            .partition = SANITIZED ? "5-5-5" : "6-6-3",
                                            .threads = threads,
                                            .budget = &fixture->budget,
                                            .archive = &fixture->memory.archive,
                                            .control = &fixture->control,
                                            .checkpoint = &fixture->disk.calls};
}

static void fixture_clear(struct fixture *fixture)
{
    assert_int_equal(atomic_load(&fixture->budget.used), 0);
    memory_archive_clear(&fixture->memory);
    disk_clear(&fixture->disk);
}

/* One life of the process; what is in the archive stays for the next. */
static enum pz_status live(struct fixture *fixture, struct pz_error *error)
{
    struct pdb *pdb = NULL;
    atomic_store(&fixture->control.stop, false);
    atomic_store(&fixture->control.keep, false);
    enum pz_status status = pdb_open(&fixture->request, &pdb, error);
    pdb_close(pdb);
    return status;
}

static void check_same(const struct fixture *fixture, const struct fixture *whole)
{
    assert_int_equal(fixture->memory.count, whole->memory.count);
    for (unsigned i = 0; i < whole->memory.count; i++) {
        assert_string_equal(fixture->memory.name[i], whole->memory.name[i]);
        assert_int_equal(fixture->memory.length[i], whole->memory.length[i]);
        assert_memory_equal(fixture->memory.bytes[i], whole->memory.bytes[i], whole->memory.length[i]);
    }
}

static void make_whole(struct fixture *whole)
{
    struct pz_error error;
    fixture_init(whole, 2);
    whole->request.checkpoint = NULL;
    assert_ok(live(whole, &error), error);
}

/* Cut off in each of some lives, after so many checkpoints or by a stop that is to keep; then left alone. */
static void check_cut_off(const struct fixture *whole, unsigned threads, unsigned kill_after)
{
    enum { LIVES = 25 };
    struct fixture fixture;
    struct pz_error error;
    enum pz_status status = PZ_CANCELLED;
    fixture_init(&fixture, threads);
    for (unsigned life = 0; status == PZ_CANCELLED; life++) {
        fixture.disk.kill_after = life < LIVES ? kill_after : 0;
        fixture.disk.stop_at = life < LIVES && kill_after == 0;
        status = live(&fixture, &error);
    }
    assert_ok(status, error);
    if (kill_after == 0) /* else it may be done before a checkpoint is */
        assert_int_equal(fixture.disk.resumed, LIVES);
    assert_int_equal(fixture.disk.refused + fixture.disk.failed, 0);
    assert_int_equal(fixture.disk.kept.count, 0); /* no database is half built any more */
    check_same(&fixture, whole);
    fixture_clear(&fixture);
}

static void a_database_whose_building_is_cut_off_comes_out_the_same(void **state)
{
    static const unsigned threads[] = {1, 2, 8};
    struct fixture whole;
    (void)state;
    make_whole(&whole);
    for (unsigned i = 0; i < 3; i++) {
        check_cut_off(&whole, threads[i], 1);
        check_cut_off(&whole, threads[i], 3);
    }
    fixture_clear(&whole);
}

static void an_orderly_stop_leaves_a_checkpoint_in_the_midst_of_a_level(void **state)
{
    struct fixture whole;
    (void)state;
    make_whole(&whole);
    check_cut_off(&whole, 1, 0);
    check_cut_off(&whole, 2, 0);
    fixture_clear(&whole);
}

static void a_damaged_checkpoint_is_refused_and_the_database_made_anew(void **state)
{
    struct fixture whole;
    struct fixture fixture;
    struct pz_error error;
    (void)state;
    make_whole(&whole);
    for (unsigned damage = 0; damage < 3; damage++) {
        fixture_init(&fixture, 2);
        fixture.disk.stop_at = 1;
        assert_int_equal(live(&fixture, &error), PZ_CANCELLED);
        assert_true(fixture.disk.kept.count > 1);
        if (damage == 0)
            fixture.disk.damaged = 0;
        else if (damage == 1)
            fixture.disk.kept.length[0] -= 5000; /* all that follows is shifted */
        else
            fixture.disk.damaged = fixture.disk.kept.count - 1;
        assert_ok(live(&fixture, &error), error);
        assert_int_equal(fixture.disk.refused, 1);
        assert_int_equal(fixture.disk.resumed, 0);
        check_same(&fixture, &whole);
        fixture_clear(&fixture);
    }
    fixture_clear(&whole);
}

static void a_full_disk_keeps_no_database_from_being_built(void **state)
{
    struct fixture whole;
    struct fixture fixture;
    struct pz_error error;
    (void)state;
    make_whole(&whole);
    for (uint64_t part = 0; part < 2; part++) {
        fixture_init(&fixture, 2);
        fixture.disk.fail_at = part;
        assert_ok(live(&fixture, &error), error);
        assert_true(fixture.disk.failed > 0);
        check_same(&fixture, &whole);
        fixture_clear(&fixture);
    }
    fixture_clear(&whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_database_whose_building_is_cut_off_comes_out_the_same),
        cmocka_unit_test(an_orderly_stop_leaves_a_checkpoint_in_the_midst_of_a_level),
        cmocka_unit_test(a_damaged_checkpoint_is_refused_and_the_database_made_anew),
        cmocka_unit_test(a_full_disk_keeps_no_database_from_being_built),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
