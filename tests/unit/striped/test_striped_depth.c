/* SPDX-License-Identifier: MIT */
/* How an exploration ends by depth: complete if nothing lies beyond, or at the last level of 16 bits. */
#include "number_puzzle.h"
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
                                            .striped.stripes = limits->stripes,
                                            .budget = &budget,
                                            .engine = ENGINE_STRIPED,
                                            .keep = limits->keep};
    assert_ok(explore_run(&request, &control, &sink, result, &error), error);
    space_close(space);
}

/* In layers, in a set with three levels or all, and with irreversible moves. */
TEST(an_exploration_as_deep_as_the_puzzle_is_complete)
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

TEST(more_levels_than_distances_can_name_are_told)
{
    struct explore_result result;
    const struct limits limits = {EXPLORE_NO_LIMIT, 1, 0, KEEP_LEVELS};
    explore("jugs:100003,100002", NULL, &limits, &result);
    assert_false(result.complete);
    assert_int_equal(result.reason, STOP_LEVELS);
    assert_int_equal(result.depth, EXPLORE_LEVEL_MAX);
}

/* The last state of the first chain lies in the last level that a distance names; of the second just beyond.
 */
TEST(a_set_whose_last_level_is_the_last_that_there_is_is_complete)
{
    for (unsigned i = 0; i < 2; i++) {
        struct number_space chain = number_space(1, true, EXPLORE_LEVEL_MAX + i, 0);
        struct explore_result result;
        struct pz_error error = {0};
        struct budget budget;
        struct control control = {0};
        const struct explore_sink sink = {0};
        uint64_t root = 0;
        budget_init(&budget, NULL, UINT64_C(1) << 28);
        const struct explore_request request = {.space = &chain.base,
                                                .root = &root,
                                                .depth = EXPLORE_NO_LIMIT,
                                                .threads = 1,
                                                .budget = &budget,
                                                .engine = ENGINE_STRIPED,
                                                .keep = KEEP_TABLE};
        assert_ok(explore_run(&request, &control, &sink, &result, &error), error);
        assert_int_equal(result.complete, i == 0);
        assert_int_equal(result.reason, i == 0 ? STOP_NONE : STOP_LEVELS);
        assert_int_equal(result.depth, EXPLORE_LEVEL_MAX);
        assert_int_equal(result.states, EXPLORE_LEVEL_MAX + 1);
    }
}

enum { LONG_WAY = 70000, STRIDE = 100 };

/* One move leads on, and from 0 moves lead to every hundredth number: near the root, far from the goal. */
static unsigned way_expand(const struct pz_space *space, const void *state, uint8_t came_by, void *successors,
                           uint8_t *tokens)
{
    const uint64_t at = number_of(space, state);
    unsigned count = 0;
    for (uint64_t to = at + 1; to <= LONG_WAY && (count == 0 || at == 0); to += STRIDE) {
        number_state(space, to, (uint8_t *)successors + count * sizeof to);
        tokens[count++] = PZ_NO_TOKEN;
    }
    return count;
}

TEST(from_the_goals_a_long_way_is_followed_to_its_end)
{
    static const uint32_t depths[] = {EXPLORE_NO_LIMIT, EXPLORE_LEVEL_MAX, EXPLORE_LEVEL_MAX + 1};
    struct pz_puzzle puzzle = number_puzzle;
    struct number_space way = number_space(1, false, LONG_WAY, LONG_WAY);
    puzzle.expand = way_expand;
    way.base.puzzle = &puzzle;
    way.base.max_successors = LONG_WAY / STRIDE + 1;
    for (unsigned i = 0; i < 3; i++) {
        struct explore_result result;
        struct pz_error error = {0};
        struct budget budget;
        struct control control = {0};
        const struct explore_sink sink = {0};
        /* From 1 the goal is 69,999 moves away; 0 reaches 69,901 at once. */
        uint64_t root = 0;
        number_state(&way.base, 0, &root);
        budget_init(&budget, NULL, UINT64_C(1) << 28);
        const struct explore_request request = {.space = &way.base,
                                                .root = &root,
                                                .depth = depths[i],
                                                .threads = 1 + i,
                                                .budget = &budget,
                                                .engine = ENGINE_STRIPED,
                                                .from = FROM_GOALS,
                                                .keep = KEEP_TABLE};
        assert_ok(explore_run(&request, &control, &sink, &result, &error), error);
        assert_int_equal(result.dead, 0);
        assert_int_equal(result.complete, i == 0);
        assert_int_equal(result.reason, i == 0 ? STOP_NONE : STOP_DEPTH);
        assert_int_equal(result.depth, i == 0 ? LONG_WAY - 1 : depths[i]);
    }
}
