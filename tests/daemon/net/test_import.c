/* SPDX-License-Identifier: MIT */
/* Dumps with right checksums that lie: each field forged in turn. 2x2 has 12 states in levels of 1, 2, 2, 2,
 * 2, 2, 1. */
#include "store_fixture.h"

#include "daemon/maintenance/maintenance.h"
#include "store/maintenance/dump_record.h"

#include <inttypes.h>

struct importing {
    struct config config;
    char directory[64], file[128];
    struct pz_error error;
};

enum { LEVELS_MOST = 16 };
static const uint64_t all_levels[] = {1, 2, 2, 2, 2, 2, 1};

/* A job as a dump may tell it. Members left out are those of an exploration of 2x2 that is true. */
struct told {
    const char *puzzle, *request, *question, *result;
    enum job_kind kind;
    enum job_state state;          /* JOB_QUEUED: done */
    const struct job_facts *facts; /* NULL: true ones */
    uint32_t table_levels;
    const uint64_t *levels;
    uint32_t count; /* of levels */
    bool no_levels;
    uint32_t example_level;
    unsigned examples;
    uint64_t example; /* 0: the root */
};

#define COMPLETE " from=root engine=striped threads=1 keep=levels"
#define SOLVED   " path=RD threads=1"

static const struct job_facts complete = {.states = 12, .levels = 7};
static const struct job_facts solved = {.method = METHOD_IDASTAR, .solvable = PZ_YES, .moves = 2};

static int set_up(void **state)
{
    struct importing *importing = calloc(1, sizeof *importing);
    if (importing == NULL || config_defaults(&importing->config, &importing->error) != PZ_OK)
        return -1;
    *state = importing;
    (void)snprintf(importing->directory, sizeof importing->directory, "/tmp/puzzled-test-XXXXXX");
    if (mkdtemp(importing->directory) == NULL)
        return -1;
    (void)snprintf(importing->file, sizeof importing->file, "%s/dump", importing->directory);
    return config_set(&importing->config, "daemon", "state-directory", importing->directory,
                      &importing->error) != PZ_OK;
}

static int tear_down(void **state)
{
    struct importing *importing = *state;
    static const char *const files[] = {"data.mdb", "lock.mdb", "owner", "dump"};
    for (unsigned i = 0; i < sizeof files / sizeof files[0]; i++)
        (void)unlink(text_of("%s/%s", importing->directory, files[i]));
    const int left = rmdir(importing->directory);
    config_free(&importing->config);
    free(importing);
    return left;
}

static const char *either(const char *told, const char *otherwise)
{
    return told != NULL ? told : otherwise;
}

static void put(struct dump_file *dump, const struct told *told)
{
    struct pz_error error;
    const bool solves = told->kind == JOB_SOLVE;
    struct job_record job = {.id = 1,
                             .kind = told->kind,
                             .state = told->state != JOB_QUEUED ? told->state : JOB_DONE,
                             .puzzle = (char *)either(told->puzzle, "slide:2x2"),
                             .request = (char *)either(told->request, solves ? "SOLVE 2x2 start=0,1/3,2"
                                                                             : "EXPLORE 2x2 keep=levels"),
                             .question = (char *)either(told->question, ""),
                             .result = (char *)either(told->result, solves ? SOLVED : COMPLETE),
                             .facts = told->facts != NULL ? *told->facts
                                      : solves            ? solved
                                                          : complete};
    job.facts.table_levels = told->table_levels;
    const uint64_t example = told->example != 0 ? told->example : 0x0321;
    assert_ok(dump_put_job(dump, &job, &error), error);
    struct store_level levels[LEVELS_MOST];
    const uint32_t count = told->levels != NULL ? told->count : 7;
    assert_true(count <= LEVELS_MOST);
    for (uint32_t i = 0; i < count; i++)
        levels[i] = (struct store_level){i, told->levels != NULL ? told->levels[i] : all_levels[i]};
    if (!solves && !told->no_levels)
        assert_ok(dump_put_levels(dump, levels, count, &error), error);
    for (unsigned i = 0; i < told->examples; i++)
        assert_ok(dump_put_examples(dump, told->example_level, &example, 1, 8, &error), error);
}

static enum pz_status import(struct importing *importing, const struct told *told)
{
    struct dump_file dump;
    FILE *file = fopen(importing->file, "w");
    assert_non_null(file);
    assert_ok(dump_begin(&dump, file, &importing->error), importing->error);
    put(&dump, told);
    assert_ok(dump_end(&dump, 1, &importing->error), importing->error);
    assert_int_equal(fclose(file), 0);
    return transfer_import(&importing->config, importing->file, &importing->error);
}

/* Returns how many jobs the database has. */
static uint64_t jobs_kept(struct importing *importing)
{
    struct store *store;
    struct store_stats stats = {0};
    assert_ok(store_open(importing->directory, &(struct store_options){0}, &store, &importing->error),
              importing->error);
    assert_ok(store_stats(store, &stats, &importing->error), importing->error);
    store_close(store);
    return stats.jobs;
}

static void assert_refused(struct importing *importing, const struct told *told, const char *why)
{
    const enum pz_status status = import(importing, told);
    if (status == PZ_OK || strstr(importing->error.text, why) == NULL)
        fail_msg("\"%s\" was due, and came: \"%s\"", why, status == PZ_OK ? "" : importing->error.text);
    assert_int_equal(jobs_kept(importing), 0);
}

#define import_test(function) TEST_WITH(function, set_up, tear_down)

import_test(a_true_job_comes_in)
{
    struct importing *importing = *state;
    assert_ok(import(importing, &(struct told){.examples = 1}), importing->error);
    assert_ok(import(importing, &(struct told){.kind = JOB_SOLVE}), importing->error);
    assert_int_equal(jobs_kept(importing), 2);
    assert_ok(import(importing, &(struct told){0}), importing->error); /* its question is answered */
    assert_int_equal(jobs_kept(importing), 2);
}

import_test(answers_that_there_is_no_solution_come_in)
{
    struct importing *importing = *state;
    const struct told link = {
        .kind = JOB_SOLVE,
        .puzzle = "linkup:AB,from:0:0,to:0:1,border:no,turns:2",
        .request = "SOLVE linkup start=AB from=0,0 to=0,1 border=no",
        .result = " threads=1 reason=different-tiles",
        .facts = &(struct job_facts){.method = METHOD_DIRECT, .solvable = PZ_NO, .moves = -1}};
    assert_ok(import(importing, &link), importing->error);
    const struct told dead = {.puzzle = "jugs:2,6,goal:5",
                              .request = "EXPLORE jugs:2,6 goal=5 from=goals keep=levels",
                              .result = " to=goal dead=8 engine=striped threads=1 keep=levels",
                              .facts = &(struct job_facts){0},
                              .levels = (const uint64_t[]){0},
                              .count = 1};
    assert_ok(import(importing, &dead), importing->error);
    assert_int_equal(jobs_kept(importing), 2);
}

import_test(several_roots_of_one_half_come_in)
{
    struct importing *importing = *state;
    const uint64_t levels[] = {2, 3, 2, 2, 2, 1};
    const struct told told = {.request = "EXPLORE 2x2 root=1,2/3,0+0,1/3,2 keep=levels",
                              .facts = &(struct job_facts){.states = 12, .levels = 6},
                              .levels = levels,
                              .count = 6};
    assert_ok(import(importing, &told), importing->error);
    assert_int_equal(jobs_kept(importing), 1);
}

import_test(texts_must_be_clean)
{
    struct importing *importing = *state;
    static const char *const dirty[] = {"\n", "\x1b[2J", "\xff", "\xc3", "\xc2\x9b", "\x7f", "\r"};
    for (size_t i = 0; i < sizeof dirty / sizeof dirty[0]; i++) {
        const char *text = text_of(COMPLETE " text=\"a%sb\"", dirty[i]);
        assert_refused(importing, &(struct told){.result = text}, "of its result is no text");
        text = text_of("EXPLORE 2x2%s keep=levels", dirty[i]);
        assert_refused(importing, &(struct told){.request = text}, "of its request is no text");
        text = text_of("slide:2x2%s", dirty[i]);
        assert_refused(importing, &(struct told){.puzzle = text}, "of its puzzle is no text");
        assert_refused(importing, &(struct told){.question = text}, "of its question is no text");
    }
}

import_test(the_request_makes_the_job_that_is_told)
{
    struct importing *importing = *state;
    assert_refused(importing, &(struct told){.puzzle = "slide:3x3"}, "its request has another puzzle");
    assert_refused(importing, &(struct told){.request = "EXPLORE 2x3 keep=levels"}, "has another puzzle");
    assert_refused(importing, &(struct told){.question = "explore slide:2x2 root=1,2/3,0"},
                   "its request asks another question");
    assert_refused(importing, &(struct told){.request = "SOLVE 2x2 start=0,1/3,2"}, "of another kind");
    assert_refused(importing, &(struct told){.request = "QUIT"}, "is no EXPLORE, SOLVE, GRADE or PDB");
    assert_refused(importing, &(struct told){.request = "EXPLORE 2x2 depth=x"}, "depth");
    assert_refused(importing, &(struct told){.request = "EXPLORE nothing", .puzzle = "nothing"}, "no puzzle");
}

import_test(a_result_is_a_list_of_fields_that_are_its_own)
{
    struct importing *importing = *state;
    assert_refused(importing, &(struct told){.result = "from=root"}, "no list of fields");
    assert_refused(importing, &(struct told){.result = COMPLETE " text=\"open"}, "no list of fields");
    assert_refused(importing, &(struct told){.result = COMPLETE " word"}, "no list of fields");
    assert_refused(importing, &(struct told){.result = COMPLETE " state=failed"}, "no result's");
    assert_refused(importing, &(struct told){.result = COMPLETE " depth=7"}, "no result's");
    assert_refused(importing, &(struct told){.result = COMPLETE " keep=levels"}, "a field twice");
    assert_refused(importing, &(struct told){.facts = &solved}, "was not asked to");
    assert_refused(importing, &(struct told){.state = JOB_FAILED}, "has a failure if it failed");
}

import_test(a_result_says_what_its_levels_say)
{
    struct importing *importing = *state;
    static const uint64_t few[] = {1, 2, 2};
    static const struct job_facts wrong[] = {
        {.states = 12, .levels = 6}, {.states = 13, .levels = 7}, {.states = 12}, {0}};
    struct job_facts short_of = {.states = 5, .levels = 3};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_refused(importing, &(struct told){.facts = &wrong[i]}, "different states or depths");
    assert_refused(importing, &(struct told){.no_levels = true}, "different states or depths");
    assert_refused(importing, &(struct told){.facts = &short_of, .levels = few, .count = 3},
                   "complete without all states");
    assert_refused(importing, &(struct told){.table_levels = 9}, "another depth than its result");
    short_of.reason = STOP_DEPTH;
    assert_ok(import(importing, &(struct told){.facts = &short_of, .levels = few, .count = 3}),
              importing->error);
}

import_test(levels_and_examples_are_those_of_the_puzzle)
{
    struct importing *importing = *state;
    static const uint64_t two_roots[] = {2, 3}, jump[] = {1, 5}, hole[] = {1, 0, 2},
                          wrap[] = {1, 2, UINT64_MAX};
    const struct job_facts facts = {.reason = STOP_DEPTH, .states = 5, .levels = 2};
    assert_refused(importing, &(struct told){.levels = two_roots, .count = 2, .facts = &facts}, "1 faults");
    assert_refused(importing, &(struct told){.levels = jump, .count = 2, .facts = &facts}, "1 faults");
    assert_refused(importing, &(struct told){.levels = hole, .count = 3, .facts = &facts}, "1 faults");
    assert_refused(importing, &(struct told){.levels = wrap, .count = 3, .facts = &facts}, "1 faults");
    assert_refused(importing, &(struct told){.examples = 1, .example = UINT64_MAX}, "1 faults");
    assert_refused(importing, &(struct told){.examples = 1, .example_level = 7}, "is malformed");
    assert_refused(importing, &(struct told){.examples = 1, .example_level = UINT32_MAX}, "is malformed");
}

import_test(a_solution_is_played)
{
    struct importing *importing = *state;
    static const struct {
        enum method method;
        enum pz_answer solvable;
        int64_t moves;
        const char *result, *why;
    } forged[] = {
        {METHOD_AUTO, PZ_NO, 0, "", "done without an answer"},
        {METHOD_BFS, PZ_UNKNOWN, 0, "", "done without an answer"},
        {METHOD_BFS, PZ_NO, -1, "", "its answer is the other one"},
        {METHOD_BFS, PZ_YES, -1, " path=RD", "lacks the moves"},
        {METHOD_BFS, PZ_YES, 2, "", "has no path"},
        {METHOD_BFS, PZ_YES, 3, " path=RD", "another number of moves"},
        {METHOD_BFS, PZ_YES, 2, " path=UL", "cannot be made"},
        {METHOD_BFS, PZ_YES, 2, " path=XY", "cannot be made"},
        {METHOD_BFS, PZ_YES, 1, " path=R", "leads to no goal"},
        {METHOD_BFS, PZ_YES, 0, " path=\"\"", "leads to no goal"},
    };
    for (size_t i = 0; i < sizeof forged / sizeof forged[0]; i++) {
        const struct job_facts facts = {
            .method = forged[i].method, .solvable = forged[i].solvable, .moves = forged[i].moves};
        assert_refused(importing,
                       &(struct told){.kind = JOB_SOLVE, .facts = &facts, .result = forged[i].result},
                       forged[i].why);
    }
    assert_refused(importing,
                   &(struct told){.kind = JOB_SOLVE, .request = "SOLVE 2x2 start=0,1/2,3", .result = SOLVED},
                   "its answer is the other one");
    const struct job_facts six = {.method = METHOD_BFS, .solvable = PZ_YES, .moves = 6};
    assert_ok(
        import(importing, &(struct told){.kind = JOB_SOLVE,
                                         .facts = &six,
                                         .puzzle = "jugs:3,5,goal:4",
                                         .request = "SOLVE jugs:3,5 goal=4",
                                         .result = " path=fill:2,pour:2>1,empty:1,pour:2>1,fill:2,pour:2>1"}),
        importing->error);
}
