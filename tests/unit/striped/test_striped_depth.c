/* SPDX-License-Identifier: MIT */
/* How an exploration ends by depth: complete if nothing lies beyond, or at the last level of 16 bits. */
#include "plain_search.h"

#include "explore/explore.h"

struct limits {
    uint32_t depth;
    unsigned threads, stripes;
    enum keep keep;
};

static void explore(const char *puzzle, const char *goal, const struct limits *limits,
                    struct explore_result *result)
{
    struct pz_error error = {0};
    struct budget budget;
    struct control control = {0};
    const struct explore_sink sink = {0};
    uint64_t root[PZ_STATE_MAX / 8];
    struct pz_space *space = plain_open(puzzle, NULL, goal, NULL, NULL);
    budget_init(&budget, NULL, UINT64_C(1) << 30);
    assert_ok(space->puzzle->root(space, root, &error), error);
    const struct explore_request request = {.space = space,
                                            .root = root,
                                            .depth = limits->depth,
                                            .threads = limits->threads,
                                            .stripes = limits->stripes,
                                            .budget = &budget,
                                            .engine = ENGINE_STRIPED,
                                            .keep = limits->keep};
    assert_ok(explore_run(&request, &control, &sink, result, &error), error);
    space_close(space);
}

/* In layers, in a set with three levels or all, and with irreversible moves. */
static void an_exploration_as_deep_as_the_puzzle_is_complete(void **state)
{
    static const struct {
        const char *puzzle, *goal;
        uint32_t depth;
    } cases[] = {{"slide:3x3", NULL, 31}, {"slide:2x2", NULL, 6},          {"slide:1x5", NULL, 4},
                 {"jugs:3,5", NULL, 7},   {"klotski:横刀立马", NULL, 124}, {"klotski:A", NULL, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (unsigned threads = 1; threads <= 8; threads = threads == 1 ? 2 : threads * 4) {
            for (unsigned keep = 0; keep < 2; keep++) {
                struct explore_result result;
                struct limits limits = {cases[i].depth, threads, threads == 8 ? 16 : 0, (enum keep)keep};
                explore(cases[i].puzzle, cases[i].goal, &limits, &result);
                if (!result.complete)
                    fail_msg("%s to depth %u is not complete", cases[i].puzzle, cases[i].depth);
                assert_int_equal(result.outcome, OUTCOME_DONE);
                assert_int_equal(result.reason, STOP_NONE);
                assert_int_equal(result.depth, cases[i].depth);
                if (limits.depth-- == 0)
                    continue;
                explore(cases[i].puzzle, cases[i].goal, &limits, &result);
                assert_false(result.complete);
                assert_int_equal(result.outcome, OUTCOME_STOPPED);
                assert_int_equal(result.reason, STOP_DEPTH);
            }
        }
    }
}

static void more_levels_than_distances_can_name_are_told(void **state)
{
    struct explore_result result;
    const struct limits limits = {EXPLORE_NO_LIMIT, 1, 0, KEEP_LEVELS};
    explore("jugs:100003,100002", NULL, &limits, &result);
    assert_false(result.complete);
    assert_int_equal(result.reason, STOP_LEVELS);
    assert_int_equal(result.depth, EXPLORE_LEVEL_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_exploration_as_deep_as_the_puzzle_is_complete),
        cmocka_unit_test(more_levels_than_distances_can_name_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
