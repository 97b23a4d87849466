/* SPDX-License-Identifier: MIT */
/* A plugin is held to what it promises while it runs: every engine and method fails with one line. */
#include "plain_search.h"

#include "explore/explore.h"
#include "solve/solve.h"
#include "space/guard.h"
#include "space/plugin.h"
#include "space/registry.h"

static int load_faulty(void **state)
{
    static char path[64];
    struct pz_error error = {0};
    (void)snprintf(path, sizeof path, "/tmp/puzzled-plugins-XXXXXX");
    if (mkdtemp(path) == NULL)
        return -1;
    run_command(text_of("install -m 644 %s %s/faulty.so", TEST_FAULTY, path));
    assert_ok(plugins_load(path, NULL, NULL, &error), error);
    *state = path;
    return 0;
}

static int remove_faulty(void **state)
{
    run_command(text_of("rm -rf %s", (const char *)*state));
    return 0;
}

static enum pz_status explore(const char *puzzle, enum engine engine, unsigned threads,
                              struct explore_result *result, struct pz_error *error)
{
    uint64_t root[1];
    struct budget budget;
    struct control control = {0};
    const struct explore_sink sink = {0};
    struct pz_space *space = plain_open(puzzle, NULL, NULL, NULL, NULL);
    budget_init(&budget, NULL, UINT64_C(1) << 28);
    assert_ok(space->puzzle->root(space, root, error), *error);
    const struct explore_request request = {.space = space,
                                            .root = root,
                                            .engine = engine,
                                            .depth = EXPLORE_NO_LIMIT,
                                            .threads = threads,
                                            .budget = &budget,
                                            .keep = KEEP_LEVELS};
    enum pz_status status = explore_run(&request, &control, &sink, result, error);
    space_close(space);
    return status;
}

static void expect_blamed(const char *puzzle, enum engine engine, const char *words)
{
    static const unsigned threads[] = {1, 2, 8};
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        struct pz_error error = {0};
        struct explore_result result;
        assert_int_equal(explore(puzzle, engine, threads[i], &result, &error), PZ_BAD_PUZZLE);
        if (strncmp(error.text, words, strlen(words)) != 0)
            fail_msg("%s: '%s', expected '%s'", puzzle, error.text, words);
    }
}

TEST(a_plugin_without_a_fault_is_explored_and_solved)
{
    struct pz_error error = {0};
    struct explore_result result;
    static const enum engine engines[] = {ENGINE_RANKED, ENGINE_STRIPED};
    for (size_t i = 0; i < 2; i++) {
        assert_ok(explore("faulty", engines[i], 2, &result, &error), error);
        assert_true(result.complete);
        assert_int_equal(result.states, 512);
        assert_int_equal(result.depth, 511);
    }
}

TEST(the_canonical_space_of_a_plugin_is_guarded_too)
{
    const uint64_t root = 7;
    struct pz_error error = {0};
    struct pz_canon canon;
    struct pz_space *canonical = NULL;
    struct pz_space *space = plain_open("faulty", NULL, NULL, NULL, NULL);
    assert_ok(space_canonical(space, &root, &canon, &canonical, &error), error);
    assert_true(guard_has(canonical));
    space_close(canonical);
    space_close(space);
}

TEST(more_successors_than_promised_overwrite_nothing)
{
    static const char words[] =
        "plugin faulty: expand gave 3 successors, and max_successors is 2, at the state 100";
    expect_blamed("faulty:many", ENGINE_STRIPED, words);
    expect_blamed("faulty:many", ENGINE_RANKED, words);
}

TEST(a_number_beyond_the_count_is_no_state)
{
    expect_blamed("faulty:rank", ENGINE_RANKED,
                  "plugin faulty: rank gave the number 612, and count is 512, at the state 100");
}

TEST(a_number_leads_back_to_its_state)
{
    expect_blamed("faulty:unrank", ENGINE_RANKED,
                  "plugin faulty: unrank gives another state for the number ");
}

/* Each of a thread's first states is looked at: in a small space, all. */
TEST(one_wrong_state_of_a_small_space_is_found)
{
    expect_blamed(
        "faulty:same", ENGINE_RANKED,
        "plugin faulty: unrank gives another state for the number 50 that rank gave, at the state 100");
    expect_blamed(
        "faulty:oneway", ENGINE_STRIPED,
        "plugin faulty: PZ_REVERSIBLE: a move that led to it cannot be undone by one move, at the state 100");
}

TEST(there_are_no_more_states_than_numbers)
{
    expect_blamed("faulty:count", ENGINE_RANKED,
                  "plugin faulty: rank gave the number 511, and count is 511, at the state 511");
    expect_blamed("faulty:count", ENGINE_STRIPED, "plugin faulty: 512 states were found, and count is 511");
    /* No level was told that the puzzle cannot have: the check of a database would accuse it. */
    struct pz_error error = {0};
    struct explore_result result;
    assert_int_equal(explore("faulty:count", ENGINE_STRIPED, 1, &result, &error), PZ_BAD_PUZZLE);
    assert_true(result.states <= 511);
}

TEST(what_is_printed_reads_back)
{
    struct pz_error error = {0};
    struct explore_result result;
    assert_int_equal(explore("faulty:text", ENGINE_STRIPED, 1, &result, &error), PZ_BAD_PUZZLE);
    assert_non_null(
        strstr(error.text, "plugin faulty: parse does not read what print writes, at the state "));
}

static void expect_no_space(const char *puzzle, const char *words)
{
    struct pz_error error = {0};
    struct pz_space *space = NULL;
    const struct pz_setup setup = {0};
    assert_int_equal(space_open(puzzle, &setup, &space, &error), PZ_BAD_PUZZLE);
    assert_string_equal(error.text, words);
    assert_null(space);
}

TEST(a_space_that_no_search_can_rely_on_is_not_opened)
{
    expect_no_space("faulty:bytes", "plugin faulty: state_bytes is 12; 8, 16, 32 and 64 are possible");
    expect_no_space("faulty:costs", "plugin faulty: PZ_COSTS: plugins are not asked for costs yet");
    expect_no_space("faulty:blank", "plugin faulty: size has a blank or control character, or no end");
    expect_no_space("faulty:silent", "open failed, and wrote no reason");
}

TEST(a_failure_without_words_is_told_with_the_function)
{
    uint64_t state[PZ_STATE_MAX / 8];
    struct pz_error error = {0};
    struct pz_space *space = plain_open("faulty:mute", NULL, NULL, NULL, NULL);
    assert_int_equal(space->puzzle->root(space, state, &error), PZ_BAD_PUZZLE);
    assert_string_equal(error.text, "root failed, and wrote no reason");
    assert_int_equal(space->puzzle->parse(space, "7", state, &error), PZ_BAD_BOARD);
    assert_string_equal(error.text, "parse failed, and wrote no reason");
    space_close(space);
}

TEST(a_text_is_as_long_as_it_is)
{
    char text[PZ_TEXT_MAX];
    const uint64_t from = 5, to = 6;
    struct pz_error error = {0};
    struct pz_space *space = plain_open("faulty:length", NULL, NULL, NULL, NULL);
    assert_int_equal(space->puzzle->draw(space, &from, text), 2);
    assert_int_equal(space->puzzle->describe(space, &from, &to, text), 1);
    assert_int_equal(guard_verdict(space, 0, &error), PZ_BAD_PUZZLE);
    assert_string_equal(error.text,
                        "plugin faulty: draw returned 100000000, which is not the length of its text");
    space_close(space);
}

/* The levels before the last two are forgotten: such a search would not end. */
TEST(moves_that_cannot_be_undone_are_found)
{
    expect_blamed(
        "faulty:ring", ENGINE_STRIPED,
        "plugin faulty: PZ_REVERSIBLE: a move that led to it cannot be undone by one move, at the state ");
}

TEST(every_method_of_solving_fails_too)
{
    static const enum method methods[] = {METHOD_BFS, METHOD_BIDIRECTIONAL, METHOD_ASTAR, METHOD_IDASTAR};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        struct pz_error error = {0};
        struct budget budget;
        struct control control = {0};
        struct solve_result result;
        const uint64_t start = 200;
        struct pz_space *space = plain_open("faulty:many", NULL, NULL, NULL, NULL);
        budget_init(&budget, NULL, UINT64_C(1) << 28);
        const struct solve_request request = {
            .space = space, .start = &start, .method = methods[i], .threads = 1, .budget = &budget};
        assert_int_equal(solve_run(&request, &control, &result, &error), PZ_BAD_PUZZLE);
        assert_non_null(strstr(error.text, "plugin faulty: expand gave 3 successors"));
        space_close(space);
    }
}

const struct test_surroundings test_surroundings = {load_faulty, remove_faulty};
