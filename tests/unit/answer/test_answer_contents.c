/* SPDX-License-Identifier: MIT */
/* What is stored, held against the rules of the puzzles: forged levels, examples and tables are found, and
 * never become an answer. */
#include "answer_fixture.h"

#include "answer/verify/contents.h"
#include "explore/ranked/ranked_components.h"

#include <endian.h>

static const char level[] = "sokoban:#######/#@-$-.#/#--$-.#/#######,metric:push";

struct reported {
    unsigned faults;
    char last[1024];
};

static void note_fault(void *context, const char *fault)
{
    struct reported *reported = context;
    reported->faults++;
    (void)snprintf(reported->last, sizeof reported->last, "%s", fault);
}

static struct reported check(struct fixture *fixture)
{
    struct reported reported = {0};
    uint64_t faults = 0;
    fixture_ok(contents_check(fixture->store, note_fault, &reported, &faults, &fixture->error));
    assert_int_equal(faults, reported.faults);
    return reported;
}

/* Explores, and ends the job. */
static uint64_t explore_and_end(struct fixture *fixture, const char *puzzle, struct exploration how)
{
    struct pz_space *space = plain_open(puzzle, NULL, NULL, NULL, NULL);
    char name[PZ_SIZE_MAX + 64];
    (void)space_name(space, name);
    const uint64_t number = explore_own(fixture, space, how);
    struct job_record job = job_of(name, "explore X");
    job.from = how.from;
    job.id = number;
    job.state = JOB_DONE;
    fixture_ok(store_job_put(fixture->store, &job, &fixture->error));
    job_record_clear(&job);
    space_close(space);
    return number;
}

#define contents_test(function) TEST_WITH(function, fixture_set_up, fixture_tear_down)

contents_test(whatever_an_exploration_stores_is_sound)
{
    struct fixture *fixture = *state;
    static const struct {
        const char *puzzle;
        struct exploration how;
    } sound[] = {
        {"2x4", {.engine = ENGINE_DENSE}},
        {"3x3", {.engine = ENGINE_STRIPED, .depth = 14}},
        {"3x3", {.engine = ENGINE_DENSE}},
        {"5x5", {.engine = ENGINE_STRIPED, .depth = 8}},
        {"klotski:横刀立马", {.engine = ENGINE_STRIPED}},
        {"klotski:横刀立马", {.engine = ENGINE_STRIPED, .from = FROM_GOALS}},
        {"klotski:family,rows:3", {.engine = ENGINE_RANKED, .parts = true}},
        {"klotski:family,rows:3", {.engine = ENGINE_RANKED, .from = FROM_GOALS}},
        {"jugs:3,5,goal:4", {.engine = ENGINE_STRIPED, .from = FROM_GOALS}},
        {"jugs:3,5,goal:4", {.engine = ENGINE_STRIPED}},
        {level, {.engine = ENGINE_STRIPED, .from = FROM_GOALS}}, /* has dead states */
        {"sokoban:######/#@$-.#/#-$--#/#.---#/######,metric:move",
         {.engine = ENGINE_STRIPED, .from = FROM_GOALS}},
        {"pancake:7", {.engine = ENGINE_RANKED}},
        {"topspin:8,4", {.engine = ENGINE_RANKED, .parts = true}},
        {"hanoi:3,6", {.engine = ENGINE_RANKED}},
        {"3x4", {.engine = ENGINE_DENSE, .keep = KEEP_LEVELS, .depth = 20}},
    };
    for (size_t i = 0; i < sizeof sound / sizeof sound[0]; i++) {
        (void)explore_and_end(fixture, sound[i].puzzle, sound[i].how);
        const struct reported reported = check(fixture);
        assert_string_equal(reported.last, "");
    }
}

static void forge_examples(struct fixture *fixture, uint64_t job, uint32_t at, uint8_t byte, unsigned count)
{
    uint64_t states[4];
    memset(states, byte, sizeof states);
    fixture_ok(store_examples_put(fixture->store, job, at, states, count, 8, &fixture->error));
    fixture_ok(store_flush(fixture->store, &fixture->error));
}

contents_test(forged_examples_are_found_and_never_printed)
{
    struct fixture *fixture = *state;
    struct pz_space *space = plain_open(level, NULL, NULL, NULL, NULL);
    struct store_examples examples;
    for (unsigned keep = KEEP_TABLE; keep <= KEEP_LEVELS; keep++) {
        const uint64_t job = explore_and_end(fixture, level, (struct exploration){.keep = (enum keep)keep});
        assert_int_equal(check(fixture).faults, keep);
        forge_examples(fixture, job, 1, 0xFF, 1);
        assert_int_equal(level_examples(fixture->store, space, job, 1, &examples, &fixture->error),
                         PZ_STORAGE);
        assert_null(examples.states);
        assert_int_equal(examples.count, 0);
        const struct reported reported = check(fixture);
        assert_int_equal(reported.faults, keep + 1);
        assert_non_null(strstr(reported.last, "is no state of sokoban"));
    }
    space_close(space);
}

/* Puts the levels from one on once more: whoever puts a level removes those behind it. */
static void put_levels(struct fixture *fixture, uint64_t job, uint32_t at, const struct store_level *levels,
                       uint32_t count)
{
    for (; at < count; at++)
        fixture_ok(store_level_put(fixture->store, job, at, levels[at].states, &fixture->error));
}

/* Puts another count of states in place of a job's, and so many more into the level before. Says what the
 * check finds. */
static struct reported with_moved(struct fixture *fixture, uint64_t job, uint32_t at, uint64_t states,
                                  uint64_t more)
{
    struct store_level *levels;
    uint32_t count;
    const uint32_t from = at - (more > 0);
    fixture_ok(store_levels(fixture->store, job, &levels, &count, &fixture->error));
    const uint64_t before = levels[at].states;
    levels[at].states = states;
    levels[from].states += more;
    put_levels(fixture, job, from, levels, count);
    const struct reported reported = check(fixture);
    levels[at].states = before;
    levels[from].states -= more;
    put_levels(fixture, job, from, levels, count);
    free(levels);
    return reported;
}

static struct reported with_levels(struct fixture *fixture, uint64_t job, uint32_t at, uint64_t states)
{
    return with_moved(fixture, job, at, states, 0);
}

contents_test(levels_that_cannot_be_are_found)
{
    struct fixture *fixture = *state;
    const uint64_t job = explore_and_end(fixture, "3x3", (struct exploration){.keep = KEEP_LEVELS});
    assert_int_equal(check(fixture).faults, 0);
    assert_int_equal(with_levels(fixture, job, 0, 2).faults, 1);
    assert_int_equal(with_levels(fixture, job, 5, 0).faults, 1);
    assert_non_null(strstr(with_levels(fixture, job, 1, 5).last, "than the one before has moves")); /* four */
    assert_int_equal(with_levels(fixture, job, 20, UINT64_MAX).faults, 1);
    assert_int_equal(with_levels(fixture, job, 20, 181440).faults, 1); /* the whole puzzle has as many */
    assert_int_equal(with_levels(fixture, job, 1, 2).faults, 0);
}

contents_test(levels_other_than_those_of_the_table_are_found)
{
    struct fixture *fixture = *state;
    for (unsigned from = FROM_ROOT; from <= FROM_GOALS; from++) {
        const uint64_t job = explore_and_end(
            fixture, level, (struct exploration){.engine = ENGINE_STRIPED, .from = (enum explore_from)from});
        assert_int_equal(check(fixture).faults, 0);
        assert_non_null(
            strstr(with_moved(fixture, job, 3, 3, 1).last, "states of a level, 4 are reported, 3 are there"));
    }
}

contents_test(a_level_that_is_told_too_large_ends_a_sample)
{
    struct fixture *fixture = *state;
    struct pz_space *space = plain_open("3x3", NULL, NULL, NULL, NULL);
    struct answers *answers;
    struct answer_states found;
    const struct answer_wanted wanted = {.depth = 31, .count = 4, .from = ANSWER_FROM_ROOT};
    const uint64_t job = explore_and_end(fixture, "3x3", (struct exploration){.engine = ENGINE_DENSE});
    fixture_ok(answers_new(fixture->store, &answers, &fixture->error));
    fixture_ok(answer_sample(answers, space, &wanted, &found, &fixture->error));
    assert_int_equal(found.count, 2);
    free(found.states);
    fixture_ok(store_level_put(fixture->store, job, 31, UINT64_MAX, &fixture->error));
    assert_int_equal(answer_sample(answers, space, &wanted, &found, &fixture->error), PZ_STORAGE);
    answers_free(answers);
    space_close(space);
}

/* Stores a table again with another record, and with another number at a place of its last chunk if that is
 * not 0. */
static void store_again(struct fixture *fixture, const struct table_record *table,
                        const struct table_record *told, size_t place, uint64_t number)
{
    struct table_view *view;
    struct table_writer *writer;
    fixture_ok(table_writer_new(fixture->store, told, &writer, &fixture->error));
    fixture_ok(table_view_open(fixture->store, table->name, &view, &fixture->error));
    uint64_t at = 0;
    for (uint64_t chunk = 0; at < table->table_bytes; chunk++) {
        const uint8_t *bytes;
        size_t length;
        fixture_ok(table_view_chunk(view, chunk, &bytes, &length, &fixture->error));
        uint8_t *copy = malloc(length);
        assert_non_null(copy);
        memcpy(copy, bytes, length);
        at += length;
        if (place > 0 && at == table->table_bytes)
            memcpy(copy + place, &(uint64_t){htole64(number)}, sizeof number);
        fixture_ok(table_writer_chunk(writer, chunk, copy, length, &fixture->error));
        free(copy);
    }
    table_view_close(view);
    fixture_ok(table_writer_finish(writer, told, &fixture->error));
}

/* Returns how many faults the check finds in a table with another record. */
static unsigned with_record(struct fixture *fixture, const struct table_record *table,
                            const struct table_record *told)
{
    store_again(fixture, table, told, 0, 0);
    return check(fixture).faults;
}

contents_test(a_part_that_names_no_state_is_refused)
{
    static const size_t places[] = {offsetof(struct ranked_component, first),
                                    offsetof(struct ranked_component, deepest)};
    struct fixture *fixture = *state;
    struct pz_space *space = plain_open("topspin:8,4", NULL, NULL, NULL, NULL);
    uint64_t root[PZ_STATE_MAX / 8] = {0};
    char name[STORE_NAME_MAX];
    struct table_record table;
    struct answers *answers;
    struct answer_parts parts;
    (void)explore_and_end(fixture, "topspin:8,4",
                          (struct exploration){.engine = ENGINE_RANKED, .parts = true});
    fixture_ok(space->puzzle->root(space, root, &fixture->error));
    fixture_ok(answer_table_name(space, root, 1, FROM_ROOT, name, &fixture->error));
    fixture_ok(store_table_find(fixture->store, name, &table, &fixture->error));
    for (size_t i = 0; i < 2; i++) {
        for (unsigned beyond = 2; beyond-- > 0;) { /* and leaves one that is sound */
            store_again(fixture, &table, &table, places[i], space_count(space) - 1 + beyond);
            fixture_ok(answers_new(fixture->store, &answers, &fixture->error));
            const enum pz_status status =
                answer_parts(answers, space, ANSWER_FROM_EITHER, 0, 2, &parts, &fixture->error);
            assert_int_equal(status, beyond > 0 ? PZ_STORAGE : PZ_OK);
            if (status == PZ_OK)
                free(parts.parts);
            answers_free(answers);
        }
    }
    space_close(space);
}

contents_test(a_record_that_says_other_than_its_table_is_found_and_bounds_nothing)
{
    struct fixture *fixture = *state;
    static const char *const puzzles[] = {"2x4", "pancake:6"};
    static const char *const names[] = {"slide:2x4 root=1,2,3,4/5,6,7,0", "pancake:6 root=1,2,3,4,5,6"};
    static const enum engine engines[] = {ENGINE_DENSE, ENGINE_RANKED};
    for (size_t i = 0; i < sizeof puzzles / sizeof puzzles[0]; i++) {
        struct table_record table;
        struct answers *answers;
        struct answer_states found;
        struct pz_space *space = plain_open(puzzles[i], NULL, NULL, NULL, NULL);
        (void)explore_and_end(fixture, puzzles[i], (struct exploration){.engine = engines[i]});
        fixture_ok(store_table_find(fixture->store, names[i], &table, &fixture->error));
        fixture_ok(answers_new(fixture->store, &answers, &fixture->error));
        assert_int_equal(with_record(fixture, &table, &table), 0);
        struct table_record told = table;
        told.depth = UINT32_MAX;
        assert_int_equal(with_record(fixture, &table, &told), 1);
        assert_int_equal(answer_deepest(answers, space, ANSWER_FROM_EITHER, 0, &found, &fixture->error),
                         PZ_STORAGE);
        told.depth = table.depth - 1;
        assert_int_equal(with_record(fixture, &table, &told), 1);
        told = table;
        told.states--;
        assert_int_equal(with_record(fixture, &table, &told), 1);
        told = table;
        told.state_bytes = 16;
        assert_int_equal(with_record(fixture, &table, &told), 1);
        assert_int_equal(with_record(fixture, &table, &table), 0);
        answers_free(answers);
        space_close(space);
    }
}

contents_test(a_table_that_another_has_replaced_meanwhile_is_not_held_against_the_old_record)
{
    struct fixture *fixture = *state;
    struct table_record table;
    struct table_question question;
    (void)explore_and_end(fixture, "2x4", (struct exploration){.engine = ENGINE_DENSE});
    fixture_ok(store_table_find(fixture->store, "slide:2x4 root=1,2,3,4/5,6,7,0", &table, &fixture->error));
    (void)explore_and_end(fixture, "2x4", (struct exploration){.engine = ENGINE_STRIPED});
    fixture_ok(table_question_open(table.name, &question, &fixture->error));
    assert_int_equal(table_tally(fixture->store, &table, &question, &fixture->error), PZ_NO_TABLE);
    table_question_clear(&question);
}

contents_test(a_dense_table_of_a_puzzle_that_has_none_is_refused)
{
    struct fixture *fixture = *state;
    struct pz_space *space = plain_open("klotski:横刀立马", NULL, NULL, NULL, NULL);
    static const uint8_t zeros[64];
    struct table_record table = {.kind = TABLE_DENSE,
                                 .state_bytes = space->state_bytes,
                                 .states = 5,
                                 .table_bytes = 64,
                                 .chunk_bytes = 64};
    uint64_t root[PZ_STATE_MAX / 8] = {0};
    struct table_writer *writer;
    struct answers *answers;
    struct answer_states found;
    const struct answer_wanted wanted = {.count = 4, .from = ANSWER_FROM_ROOT};
    table.job =
        explore_and_end(fixture, "klotski:横刀立马", (struct exploration){.keep = KEEP_LEVELS, .depth = 1});
    fixture_ok(space->puzzle->root(space, root, &fixture->error));
    fixture_ok(answer_table_name(space, root, 1, FROM_ROOT, table.name, &fixture->error));
    fixture_ok(table_writer_new(fixture->store, &table, &writer, &fixture->error));
    fixture_ok(table_writer_chunk(writer, 0, zeros, sizeof zeros, &fixture->error));
    fixture_ok(table_writer_finish(writer, &table, &fixture->error));
    fixture_ok(answers_new(fixture->store, &answers, &fixture->error));
    assert_int_equal(answer_sample(answers, space, &wanted, &found, &fixture->error), PZ_STORAGE);
    answers_free(answers);
    space_close(space);
    assert_int_equal(check(fixture).faults, 1);
}

contents_test(a_table_that_holds_what_is_no_state_gives_no_sample)
{
    struct fixture *fixture = *state;
    struct pz_space *space = plain_open(level, NULL, NULL, NULL, NULL);
    static const uint64_t keys[] = {1, 2, 3};
    static const uint32_t distances[] = {0, 1, 1};
    const struct explore_run run = {.keys = keys, .distances = distances, .count = 3, .key_words = 1};
    struct table_record table = {
        .kind = TABLE_RUNS, .state_bytes = 8, .states = 3, .depth = 1, .complete = true};
    uint64_t root[PZ_STATE_MAX / 8] = {0};
    struct table_writer *writer;
    struct answers *answers;
    struct answer_states found;
    const struct answer_wanted wanted = {.depth = 1, .count = 2, .from = ANSWER_FROM_ROOT};
    table.job = explore_and_end(fixture, level, (struct exploration){.keep = KEEP_LEVELS, .depth = 1});
    fixture_ok(store_level_put(fixture->store, table.job, 1, 2, &fixture->error));
    fixture_ok(space->puzzle->root(space, root, &fixture->error));
    fixture_ok(answer_table_name(space, root, 1, FROM_ROOT, table.name, &fixture->error));
    fixture_ok(table_writer_new(fixture->store, &table, &writer, &fixture->error));
    fixture_ok(table_writer_run(writer, &run, &fixture->error));
    fixture_ok(table_writer_finish(writer, &table, &fixture->error));
    fixture_ok(answers_new(fixture->store, &answers, &fixture->error));
    assert_int_equal(answer_sample(answers, space, &wanted, &found, &fixture->error), PZ_STORAGE);
    answers_free(answers);
    space_close(space);
    assert_non_null(strstr(check(fixture).last, "holds what is no state of sokoban"));
}
