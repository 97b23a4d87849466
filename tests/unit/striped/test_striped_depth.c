/* SPDX-License-Identifier: MIT */
/* How an exploration ends by depth: complete if nothing lies beyond, or at the last level of 16 bits. */
#include "striped_disk_trial.h"

static struct trial *explored(const char *puzzle, uint32_t depth, unsigned threads, enum keep keep)
{
    struct trial *trial = trial_of(puzzle, NULL,
                                   (struct explore_request){.threads = threads,
                                                            .striped.stripes = threads == 8 ? 16 : 0,
                                                            .engine = ENGINE_STRIPED,
                                                            .keep = keep});
    trial->request.depth = depth; /* 0 is meant */
    return lived(trial);
}

/* In layers, in a set with three levels or all, and with irreversible moves. */
TEST(an_exploration_as_deep_as_the_puzzle_is_complete)
{
    static const struct {
        const char *puzzle;
        uint32_t depth;
    } cases[] = {{"slide:3x3", 31}, {"slide:2x2", 6},          {"slide:1x5", 4},
                 {"jugs:3,5", 7},   {"klotski:横刀立马", 124}, {"klotski:A", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (unsigned threads = 1; threads <= 8; threads = threads == 1 ? 2 : threads * 4) {
            for (enum keep keep = 0; keep < KEEP_COUNT; keep++) {
                const uint32_t depth = cases[i].depth;
                struct trial *trial = explored(cases[i].puzzle, depth, threads, keep);
                if (!trial->result.complete)
                    fail_msg("%s to depth %u is not complete", cases[i].puzzle, depth);
                assert_int_equal(trial->result.outcome, OUTCOME_DONE);
                assert_int_equal(trial->result.reason, STOP_NONE);
                assert_int_equal(trial->result.depth, depth);
                trial_free(trial);
                if (depth == 0)
                    continue;
                trial = explored(cases[i].puzzle, depth - 1, threads, keep);
                assert_false(trial->result.complete);
                assert_int_equal(trial->result.outcome, OUTCOME_STOPPED);
                assert_int_equal(trial->result.reason, STOP_DEPTH);
                trial_free(trial);
            }
        }
    }
}

TEST(more_levels_than_distances_can_name_are_told)
{
    struct trial *trial = explored("jugs:100003,100002", EXPLORE_NO_LIMIT, 1, KEEP_LEVELS);
    assert_false(trial->result.complete);
    assert_int_equal(trial->result.reason, STOP_LEVELS);
    assert_int_equal(trial->result.depth, EXPLORE_LEVEL_MAX);
    trial_free(trial);
}

/* The last state of the first chain lies in the last level that a distance names; of the second just beyond.
 */
TEST(a_set_whose_last_level_is_the_last_that_there_is_is_complete)
{
    for (unsigned i = 0; i < 2; i++) {
        struct number_space chain = number_space(1, true, EXPLORE_LEVEL_MAX + i, 0);
        struct trial *trial =
            lived(number_trial(&chain, 0, (struct explore_request){.threads = 1, .keep = KEEP_TABLE}));
        assert_int_equal(trial->result.complete, i == 0);
        assert_int_equal(trial->result.reason, i == 0 ? STOP_NONE : STOP_LEVELS);
        assert_int_equal(trial->result.depth, EXPLORE_LEVEL_MAX);
        assert_int_equal(trial->result.states, EXPLORE_LEVEL_MAX + 1);
        trial_free(trial);
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
        /* From 1 the goal is 69,999 moves away; 0 reaches 69,901 at once. */
        struct trial *trial = lived(
            number_trial(&way, 0,
                         (struct explore_request){
                             .depth = depths[i], .threads = 1 + i, .from = FROM_GOALS, .keep = KEEP_TABLE}));
        assert_int_equal(trial->result.dead, 0);
        assert_int_equal(trial->result.complete, i == 0);
        assert_int_equal(trial->result.reason, i == 0 ? STOP_NONE : STOP_DEPTH);
        assert_int_equal(trial->result.depth, i == 0 ? LONG_WAY - 1 : depths[i]);
        trial_free(trial);
    }
}
