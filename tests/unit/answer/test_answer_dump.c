/* SPDX-License-Identifier: MIT */
/* Dumps of single jobs into another store, and the check of tables that come from elsewhere. */
#include "answer_fixture.h"

#include "answer/verify/contents.h"
#include "store/maintenance/dump.h"
#include "store/maintenance/dump_record.h"

/* The store that a dump comes from, the one that it goes to, and the dump. */
struct transfer {
    struct fixture *from, *to;
    FILE *file;
    struct dump_counts counts;
    uint64_t is; /* the latest job's number in the new store; 0 where it was left out */
};

static int set_up(void **state)
{
    struct transfer *transfer = calloc(1, sizeof *transfer);
    if (transfer == NULL)
        return -1;
    *state = transfer;
    transfer->file = tmpfile();
    return transfer->file == NULL || fixture_set_up((void **)&transfer->from) != 0 ||
           fixture_set_up((void **)&transfer->to) != 0;
}

static int tear_down(void **state)
{
    struct transfer *transfer = *state;
    void *from = transfer->from, *to = transfer->to;
    (void)fclose(transfer->file);
    free(transfer);
    return fixture_tear_down(&from) + fixture_tear_down(&to);
}

static void note_number(void *context, uint64_t was, uint64_t is, const struct job_record *job)
{
    ((struct transfer *)context)->is = is;
}

/* Explores, and ends the job as the daemon does. */
static uint64_t explore(struct transfer *transfer, const char *puzzle, struct exploration how)
{
    struct fixture *fixture = transfer->from;
    struct pz_space *space = plain_open(puzzle, NULL, NULL, NULL, NULL);
    uint64_t number = explore_own(fixture, space, how);
    struct job_record job = job_of(puzzle, puzzle);
    job.id = number;
    job.state = JOB_DONE;
    job.result = strdup("complete=yes");
    job.submitter = strdup("uid:1000");
    fixture_ok(store_job_put(fixture->store, &job, &fixture->error));
    job_record_clear(&job);
    space_close(space);
    return number;
}

static enum pz_status dump(struct transfer *transfer, uint64_t job)
{
    rewind(transfer->file);
    assert_int_equal(ftruncate(fileno(transfer->file), 0), 0);
    enum pz_status status =
        store_dump(transfer->from->store, &job, 1, transfer->file, &transfer->counts, &transfer->from->error);
    (void)fflush(transfer->file);
    return status;
}

static enum pz_status import(struct transfer *transfer)
{
    rewind(transfer->file);
    const struct import_calls calls = {.context = transfer, .tell = note_number};
    return store_import(transfer->to->store, transfer->file, &calls, &transfer->counts, &transfer->to->error);
}

static void assert_same_levels(struct transfer *transfer, uint64_t job)
{
    struct pz_error error;
    struct store_level *here, *there;
    uint32_t levels, levels_there;
    assert_ok(store_levels(transfer->from->store, job, &here, &levels, &error), error);
    assert_ok(store_levels(transfer->to->store, transfer->is, &there, &levels_there, &error), error);
    assert_true(levels > 0);
    assert_int_equal(levels_there, levels);
    for (uint32_t i = 0; i < levels; i++) {
        const uint32_t level = here[i].level;
        assert_int_equal(there[i].level, level);
        assert_int_equal(there[i].states, here[i].states);
        struct store_examples mine, theirs;
        assert_ok(store_examples(transfer->from->store, job, level, &mine, &error), error);
        assert_ok(store_examples(transfer->to->store, transfer->is, level, &theirs, &error), error);
        assert_int_equal(theirs.count, mine.count);
        assert_int_equal(theirs.state_bytes, mine.state_bytes);
        assert_memory_equal(theirs.states, mine.states, (size_t)mine.count * mine.state_bytes);
        free(mine.states);
        free(theirs.states);
    }
    free(here);
    free(there);
}

static bool verify_one(void *context, const struct table_record *table)
{
    struct fixture *fixture = context;
    fixture_ok(table_verify(fixture->store, table, &fixture->error));
    return true;
}

static bool note_table(void *context, const struct table_record *table)
{
    *(struct table_record *)context = *table;
    return true;
}

#define transfer_test(function) TEST_WITH(function, set_up, tear_down)

transfer_test(a_job_arrives_with_levels_examples_and_a_table_that_is_sound)
{
    struct transfer *transfer = *state;
    static const struct {
        const char *puzzle;
        struct exploration how;
    } cases[] = {
        {"2x4", {.engine = ENGINE_DENSE}},
        {"3x3", {.engine = ENGINE_STRIPED, .depth = 14}},
        {"klotski:横刀立马", {.engine = ENGINE_STRIPED, .depth = 20}},
        {"jugs:3,5,goal:4", {.engine = ENGINE_STRIPED, .from = FROM_GOALS}},
        {"jugs:19,2,goal:sum:11", {.engine = ENGINE_STRIPED, .from = FROM_GOALS, .depth = 6}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t job = explore(transfer, cases[i].puzzle, cases[i].how);
        assert_ok(dump(transfer, job), transfer->from->error);
        assert_ok(import(transfer), transfer->to->error);
        assert_int_equal(transfer->counts.jobs, 1);
        assert_int_equal(transfer->counts.tables, 1);
        assert_same_levels(transfer, job);
        struct job_record record;
        assert_ok(store_job_get(transfer->to->store, transfer->is, &record, &transfer->to->error),
                  transfer->to->error);
        assert_int_equal(record.state, JOB_DONE);
        assert_string_equal(record.result, "complete=yes");
        assert_string_equal(record.submitter, ""); /* that user is another machine's */
        job_record_clear(&record);
    }
    assert_ok(store_tables(transfer->to->store, verify_one, transfer->to, NULL, &transfer->to->error),
              transfer->to->error);
}

/* A job found the table of another one, and says so in its result. */
transfer_test(a_job_takes_along_the_table_that_it_keeps_with_another)
{
    struct transfer *transfer = *state;
    struct fixture *fixture = transfer->from;
    const uint64_t owner = explore(transfer, "2x3", (struct exploration){.engine = ENGINE_DENSE});
    struct table_record table;
    assert_ok(store_tables(fixture->store, note_table, &table, NULL, &fixture->error), fixture->error);
    assert_int_equal(table.job, owner);
    struct job_record job = job_of("slide:2x3", text_of("explore %s parts=yes", table.name));
    job.table = strdup(table.name);
    fixture_ok(store_job_add(fixture->store, &job, &fixture->error));
    job.state = JOB_DONE;
    job.facts.table_levels = table.depth + 1;
    fixture_ok(store_job_put(fixture->store, &job, &fixture->error));

    assert_ok(dump(transfer, job.id), fixture->error);
    assert_int_equal(transfer->counts.tables, 1);
    assert_ok(import(transfer), transfer->to->error);
    assert_ok(store_tables(transfer->to->store, note_table, &table, NULL, &transfer->to->error),
              transfer->to->error);
    assert_int_equal(table.job, transfer->is);

    /* With the owner in the same dump it comes once; one of another depth is not what the job keeps. */
    const uint64_t both[] = {job.id, owner};
    rewind(transfer->file);
    assert_ok(store_dump(fixture->store, both, 2, transfer->file, &transfer->counts, &fixture->error),
              fixture->error);
    assert_int_equal(transfer->counts.tables, 1);
    job.facts.table_levels--;
    fixture_ok(store_job_put(fixture->store, &job, &fixture->error));
    assert_ok(dump(transfer, job.id), fixture->error);
    assert_int_equal(transfer->counts.tables, 0);
    job_record_clear(&job);
}

transfer_test(levels_arrive_without_a_table)
{
    struct transfer *transfer = *state;
    uint64_t job = explore(transfer, "2x3", (struct exploration){.keep = KEEP_LEVELS});
    assert_ok(dump(transfer, job), transfer->from->error);
    assert_ok(import(transfer), transfer->to->error);
    assert_int_equal(transfer->counts.tables, 0);
    assert_same_levels(transfer, job);
}

transfer_test(a_job_whose_question_is_answered_is_left_out)
{
    struct transfer *transfer = *state;
    uint64_t job = explore(transfer, "2x3", (struct exploration){.engine = ENGINE_DENSE});
    assert_ok(dump(transfer, job), transfer->from->error);
    assert_ok(import(transfer), transfer->to->error);
    assert_true(transfer->is != 0);
    assert_ok(import(transfer), transfer->to->error);
    assert_int_equal(transfer->is, 0);
    struct store_stats stats;
    assert_ok(store_stats(transfer->to->store, &stats, &transfer->to->error), transfer->to->error);
    assert_int_equal(stats.jobs, 1);
}

/* Marks the job that was imported last as one that lacks something, and imports once more. */
static void import_beside(struct transfer *transfer, struct job_facts facts)
{
    struct job_record job;
    struct fixture *to = transfer->to;
    assert_ok(store_job_get(to->store, transfer->is, &job, &to->error), to->error);
    job.facts = facts;
    assert_ok(store_job_put(to->store, &job, &to->error), to->error);
    job_record_clear(&job);
    assert_ok(import(transfer), to->error);
}

transfer_test(a_job_comes_where_its_answer_lost_its_table_or_lacks_figures)
{
    struct transfer *transfer = *state;
    const struct job_facts evicted = {.evicted = true}, cut = {.memory_limit = 1 << 20};
    const uint64_t job = explore(transfer, "2x3", (struct exploration){.engine = ENGINE_DENSE});
    assert_ok(dump(transfer, job), transfer->from->error);
    assert_ok(import(transfer), transfer->to->error);
    import_beside(transfer, evicted);
    assert_int_equal(transfer->is, 2);
    import_beside(transfer, cut);
    assert_int_equal(transfer->is, 3);
    import_beside(transfer, (struct job_facts){0});
    assert_int_equal(transfer->is, 0);
}

transfer_test(a_job_that_has_not_ended_is_not_dumped)
{
    struct transfer *transfer = *state;
    struct job_record job = job_of("slide:3x3", "");
    assert_ok(store_job_add(transfer->from->store, &job, &transfer->from->error), transfer->from->error);
    assert_int_equal(dump(transfer, job.id), PZ_NOT_FINISHED);
    assert_int_equal(dump(transfer, job.id + 1), PZ_NO_SUCH_JOB);
    job_record_clear(&job);
}

transfer_test(a_dump_with_a_wrong_bit_a_missing_end_or_more_behind_it_is_refused)
{
    struct transfer *transfer = *state;
    uint64_t job = explore(transfer, "2x2", (struct exploration){.engine = ENGINE_STRIPED});
    assert_ok(dump(transfer, job), transfer->from->error);
    const long length = ftell(transfer->file);
    uint8_t *bytes = malloc((size_t)length);
    assert_non_null(bytes);
    rewind(transfer->file);
    assert_int_equal(fread(bytes, 1, (size_t)length, transfer->file), length);
    for (long i = 0; i < length; i += 7) {
        FILE *whole = transfer->file;
        bytes[i] ^= 0x10;
        transfer->file = fmemopen(bytes, (size_t)length, "r");
        enum pz_status flipped = import(transfer);
        (void)fclose(transfer->file);
        bytes[i] ^= 0x10;
        transfer->file = fmemopen(bytes, (size_t)(length - 1 - i), "r");
        enum pz_status cut = transfer->file == NULL ? PZ_STORAGE : import(transfer);
        if (transfer->file != NULL)
            (void)fclose(transfer->file);
        transfer->file = whole;
        assert_true(flipped == PZ_STORAGE || flipped == PZ_UNSUPPORTED);
        assert_true(cut == PZ_STORAGE || cut == PZ_UNSUPPORTED);
    }
    free(bytes);
    assert_int_equal(fseek(transfer->file, 0, SEEK_END), 0);
    assert_true(fputs(DUMP_MARK, transfer->file) >= 0);
    assert_int_equal(import(transfer), PZ_STORAGE);
}

/* ---- false tables ---- */

struct copy {
    struct table_writer *writer;
    struct fixture *fixture;
    uint64_t *keys; /* of the whole table */
    uint32_t *distances;
    size_t count;
    unsigned words;
};

static bool copy_run(void *context, const struct explore_run *run)
{
    struct copy *copy = context;
    size_t count = copy->count + run->count;
    copy->words = run->key_words;
    copy->keys = realloc(copy->keys, count * run->key_words * sizeof *copy->keys);
    copy->distances = realloc(copy->distances, count * sizeof *copy->distances);
    if (copy->keys == NULL || copy->distances == NULL)
        return false;
    memcpy(copy->keys + copy->count * run->key_words, run->keys,
           run->count * run->key_words * sizeof *run->keys);
    memcpy(copy->distances + copy->count, run->distances, run->count * sizeof *run->distances);
    copy->count = count;
    return true;
}

/* Stores the table again with some distances changed. Returns what the check says. */
static enum pz_status verify_changed(struct fixture *fixture, const char *name, uint32_t from, uint32_t to)
{
    struct table_view *view;
    struct copy copy = {.fixture = fixture};
    struct table_record table;
    fixture_ok(table_view_open(fixture->store, name, &view, &fixture->error));
    fixture_ok(table_view_runs(view, copy_run, &copy, &fixture->error));
    table = *table_view_record(view);
    table_view_close(view);
    for (size_t i = 0; i < copy.count; i++)
        copy.distances[i] = copy.distances[i] == from ? to : copy.distances[i];
    const struct explore_run run = {
        .keys = copy.keys, .distances = copy.distances, .count = copy.count, .key_words = copy.words};
    fixture_ok(table_writer_new(fixture->store, &table, &copy.writer, &fixture->error));
    fixture_ok(table_writer_run(copy.writer, &run, &fixture->error));
    fixture_ok(table_writer_finish(copy.writer, &table, &fixture->error));
    free(copy.keys);
    free(copy.distances);
    return table_verify(fixture->store, &table, &fixture->error);
}

transfer_test(a_table_that_contradicts_its_puzzle_is_found_out)
{
    struct transfer *transfer = *state;
    static const char name[] = "slide:2x3 root=1,2,3/4,5,0";
    (void)explore(transfer, "2x3", (struct exploration){.engine = ENGINE_STRIPED});
    assert_int_equal(verify_changed(transfer->from, name, 99, 99), PZ_OK);
    assert_int_equal(verify_changed(transfer->from, name, 21, 19), PZ_STORAGE);
    assert_int_equal(verify_changed(transfer->from, name, 19, 21), PZ_STORAGE); /* now what was 21, too */
}

transfer_test(a_record_of_a_dump_has_these_bytes)
{
    struct transfer *transfer = *state;
    static const uint8_t expected[] = {'Z', 0, 0, 0, 0, 0, 0, 24, 2, 0, 0, 0, 0, 0, 0, 0};
    uint8_t bytes[32];
    struct encoder encoder;
    encoder_begin(&encoder);
    encode_u64(&encoder, 5);
    assert_int_equal(dump_record_put(&(struct dump_file){transfer->file, 7}, DUMP_END, &encoder, NULL),
                     PZ_OK);
    rewind(transfer->file);
    assert_int_equal(fread(bytes, 1, sizeof bytes, transfer->file), 32);
    assert_memory_equal(bytes, expected, sizeof expected);
    static const uint8_t sealed[] = {0xE4, 0x8B, 0x83, 0x70, 0x76, 0x00, 0xFB, 0x02, 0, 0, 0, 0, 0, 0, 0, 5};
    assert_memory_equal(bytes + 16, sealed, sizeof sealed);
}
