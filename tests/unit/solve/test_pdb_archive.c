/* SPDX-License-Identifier: MIT */
/* Pattern databases in an archive, within a budget, and cancelled. */
#include "solve_support.h"

#include "solve/pdb/pdb.h"

struct fixture {
    struct grid grid;
    struct budget budget;
    struct memory_archive memory;
    struct control control;
    struct pdb_request request;
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    assert_int_equal(grid_init(&fixture->grid, 3, 4, NULL), PZ_OK);
    budget_init(&fixture->budget, NULL, (uint64_t)64 << 20);
    memory_archive_init(&fixture->memory);
    fixture->request = (struct pdb_request){.grid = &fixture->grid,
                                            .blank = 11,
                                            .threads = 2,
                                            .budget = &fixture->budget,
                                            .archive = &fixture->memory.archive,
                                            .control = &fixture->control};
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    const bool released = atomic_load(&fixture->budget.used) == 0;
    memory_archive_clear(&fixture->memory);
    free(fixture);
    return released ? 0 : -1;
}

static struct pdb *open_pdb(struct fixture *fixture)
{
    struct pdb *pdb = NULL;
    struct pz_error error;
    assert_ok(pdb_open(&fixture->request, &pdb, &error), error);
    return pdb;
}

/* Asserts that the databases are not opened, with that status. Returns the error's text until the next call.
 */
static const char *assert_refused(struct fixture *fixture, enum pz_status status)
{
    static struct pz_error error;
    struct pdb *pdb = NULL;
    error = (struct pz_error){0};
    assert_int_equal(pdb_open(&fixture->request, &pdb, &error), status);
    return error.text;
}

#define SPECIFICATION(name) TEST_WITH(name, set_up, tear_down)

SPECIFICATION(a_stored_database_is_not_built_again)
{
    struct fixture *fixture = *state;
    struct pdb *pdb = open_pdb(fixture);
    assert_true(pdb->built_bytes > 0);
    assert_int_equal(fixture->memory.saves, pdb->table_count);
    const uint64_t bytes = pdb->built_bytes;
    pdb_close(pdb);
    fixture->request.partition = "5-6";
    budget_set_limit(&fixture->budget, 1); /* what is stored takes no memory */
    pdb = open_pdb(fixture);
    assert_int_equal(pdb->built_bytes, 0);
    assert_int_equal(pdb->loaded_bytes, bytes);
    pdb_close(pdb);
}

SPECIFICATION(a_damaged_database_is_built_again)
{
    struct fixture *fixture = *state;
    struct pdb *pdb = open_pdb(fixture);
    pdb_close(pdb);
    unsigned saves = fixture->memory.saves;
    fixture->memory.damaged = true;
    pdb = open_pdb(fixture);
    assert_int_equal(fixture->memory.saves, 2 * saves);
    pdb_close(pdb);
    fixture->memory.damaged = false;
    fixture->memory.length[0]--;
    pdb = open_pdb(fixture);
    assert_int_equal(fixture->memory.saves, 2 * saves + 1);
    pdb_close(pdb);
}

SPECIFICATION(a_full_archive_does_not_keep_a_search_from_its_database)
{
    struct fixture *fixture = *state;
    fixture->memory.full = true;
    struct pdb *pdb = open_pdb(fixture);
    assert_true(pdb->built_bytes > 0);
    pdb_close(pdb);
}

SPECIFICATION(too_little_memory_names_the_next_that_fits_and_takes_it_by_default)
{
    struct fixture *fixture = *state;
    budget_set_limit(&fixture->budget, 200000);
    fixture->request.partition = "5-6";
    assert_non_null(strstr(assert_refused(fixture, PZ_TOO_LARGE), "5-5-1 fits"));
    fixture->request.partition = NULL;
    struct pdb *pdb = open_pdb(fixture);
    assert_string_equal(pdb->partition.text, "5-5-1");
    assert_true(atomic_load(&fixture->budget.peak) <= 200000);
    pdb_close(pdb);
    budget_set_limit(&fixture->budget, 100);
    fixture->request.archive = NULL;
    (void)assert_refused(fixture, PZ_TOO_LARGE);
}

/* Its free cells are in more components than those of other grids: it was called too large only while it was
 * built. */
SPECIFICATION(a_grid_of_one_row_is_known_to_be_too_large_before_it_is_built)
{
    struct fixture *fixture = *state;
    assert_int_equal(grid_init(&fixture->grid, 1, 14, NULL), PZ_OK);
    budget_set_limit(&fixture->budget, 16000000);
    fixture->request.partition = "7-6";
    assert_non_null(strstr(assert_refused(fixture, PZ_TOO_LARGE), " fits, with "));
}

SPECIFICATION(building_stops_when_told_and_at_its_deadline)
{
    struct fixture *fixture = *state;
    atomic_store(&fixture->control.stop, true);
    (void)assert_refused(fixture, PZ_CANCELLED);
    atomic_store(&fixture->control.stop, false);
    fixture->control.deadline = 1e-9;
    (void)assert_refused(fixture, PZ_LIMIT);
    assert_int_equal(fixture->memory.saves, 0);
}

SPECIFICATION(a_build_that_is_cancelled_leaves_even_the_listing_of_its_sets)
{
    struct fixture *fixture = *state;
    atomic_store(&fixture->control.stop, true);
    (void)assert_refused(fixture, PZ_CANCELLED);
    /* Two words for each set; the memory of components and table comes after they are counted. */
    uint64_t sets = rank_count(12, 5) / 120;
    assert_true(atomic_load(&fixture->budget.peak) < 2 * sizeof(uint64_t) * sets);
}

/* Cancels as soon as building has ended, so that saving is what it meets. */
static enum pz_status save_cancelled(void *context, const char *name, const uint8_t *bytes, size_t length,
                                     struct pz_error *error)
{
    ((struct memory_archive *)context)->cancelled = true;
    return memory_archive_save(context, name, bytes, length, error);
}

SPECIFICATION(loading_and_saving_that_are_cancelled_end_it)
{
    struct fixture *fixture = *state;
    fixture->memory.archive.save = save_cancelled;
    (void)assert_refused(fixture, PZ_CANCELLED);
    assert_int_equal(fixture->memory.saves, 0);
    fixture->memory.archive.save = memory_archive_save;
    fixture->memory.cancelled = false;
    struct pdb *pdb = open_pdb(fixture);
    pdb_close(pdb);
    unsigned saves = fixture->memory.saves;
    fixture->memory.cancelled = true;
    (void)assert_refused(fixture, PZ_CANCELLED);
    fixture->request.partition = "5-6";
    (void)assert_refused(fixture, PZ_CANCELLED);
    assert_int_equal(fixture->memory.saves, saves);
}

SPECIFICATION(databases_made_ahead_serve_every_goal_of_their_class)
{
    struct fixture *fixture = *state;
    struct pz_error error;
    struct pdb_build_result result;
    struct pz_space *first = solve_space("4x3", "0,1,2/3,4,5/6,7,8/9,10,11");
    struct pz_space *second = solve_space("3x4", "4,3,2,1/8,7,6,5/0,11,10,9");
    struct pdb_build_request request = {
        .space = first, .threads = 2, .budget = &fixture->budget, .archive = &fixture->memory.archive};
    assert_ok(pdb_build_run(&request, &fixture->control, &result, &error), error);
    assert_string_equal(result.partition, "5-6");
    assert_int_equal(result.tables, 2);
    assert_int_equal(result.built_bytes, result.bytes);
    request.space = second;
    assert_ok(pdb_build_run(&request, &fixture->control, &result, &error), error);
    assert_int_equal(result.built_bytes, 0);
    space_close(first);
    space_close(second);
}

/* ---- lookups without any table in memory ---- */

static enum pz_status read_stored(void *context, const char *table, uint64_t at, uint64_t *word,
                                  struct pz_error *error)
{
    const uint8_t *bytes = NULL;
    size_t length = 0;
    enum pz_status status = memory_archive_load(context, table, &bytes, &length, error);
    if (status != PZ_OK || bytes == NULL)
        return status;
    assert_true((at + 1) * sizeof *word <= length);
    memcpy(word, bytes + at * sizeof *word, sizeof *word);
    memory_archive_release(context, bytes);
    return PZ_OK;
}

SPECIFICATION(a_board_is_looked_up_entry_by_entry_with_the_value_of_an_open_database)
{
    struct fixture *fixture = *state;
    struct pz_error error;
    struct board goal;
    struct random random = {7};
    unsigned value = 0;
    fixture->request.partition = "4-4-3";
    board_ordered(&fixture->grid, 11, &goal);
    assert_int_equal(pdb_look_up(&fixture->request, &goal, read_stored, &fixture->memory, &value, &error),
                     PZ_NO_TABLE);
    struct pdb *pdb = open_pdb(fixture);
    for (unsigned i = 0; i < 100; i++) {
        struct board board;
        random_solvable(&fixture->grid, &goal, &board, &random);
        assert_ok(pdb_look_up(&fixture->request, &board, read_stored, &fixture->memory, &value, &error),
                  error);
        assert_int_equal(value, pdb_value(pdb, &board));
    }
    pdb_close(pdb);
}

SPECIFICATION(the_name_of_a_table_tells_its_partition_and_whose_it_is)
{
    struct fixture *fixture = *state;
    char partition[PARTITION_TEXT_MAX];
    fixture->request.partition = "4-4-3";
    struct pdb *pdb = open_pdb(fixture);
    pdb_close(pdb);
    assert_true(pdb_name_partition(fixture->memory.name[0], false, &fixture->grid, 11, partition));
    assert_string_equal(partition, "4-4-3");
    assert_false(pdb_name_partition(fixture->memory.name[0], false, &fixture->grid, 1, partition));
    assert_false(pdb_name_partition("slide:3x4 root=1", false, &fixture->grid, 11, partition));
}
