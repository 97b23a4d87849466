/* SPDX-License-Identifier: MIT */
/* Which bytes are states of a space: all that a search finds, and none that its functions could fail on. */
#include "plain_search.h"

#include "base/random.h"
#include "space/registry.h"

struct case_of_space {
    const char *puzzle, *start, *goal, *key, *value;
};

static const struct case_of_space cases[] = {
    {"2x3", NULL, NULL, NULL, NULL},
    {"5x5", NULL, NULL, NULL, NULL},
    {"6x7", NULL, NULL, NULL, NULL},
    {"slide:3x3", "1,1,2/2,3,0/3,4,4", "1,1,2/2,3,3/4,4,0", NULL, NULL},
    {"slide:3x3", "1,2,3/4,#,0/6,7,5", "1,2,3/4,#,5/6,7,0", NULL, NULL},
    {"klotski:橫刀立馬", NULL, NULL, "metric", "step"},
    {"klotski:family", NULL, NULL, "rows", "4"},
    {"klotski", "ab@/cde/fgh", "a:2,2+h:0,0", "metric", "step"},
    {"jugs:24,13,11,5", "24,0,0,0", "8,8,8,0", "tap", "no"},
    {"jugs:1000000000,500000000,300000000", "1000000000,0,0", "_,_,100000000", "tap", "no"},
    {"sokoban", "########/#..--###/#..$--.#/#-$$-$-#/#--$---#/#---@--#/########", NULL, "metric", "push"},
    {"sokoban", "########/#..--###/#..$--.#/#-$$-$-#/#--$---#/#---@--#/########", NULL, "metric", "move"},
    {"pancake:6", NULL, NULL, NULL, NULL},
    {"pancake:4", NULL, NULL, "burnt", "yes"},
    {"topspin:7,4", NULL, NULL, NULL, NULL},
    {"hanoi:4,5", NULL, NULL, NULL, NULL},
};

enum { CASES = sizeof cases / sizeof cases[0], TRIES = 20000, LOOKED_AT = 4000 };

struct walk_of_space {
    struct pz_space *space;
    uint8_t *successors, *tokens;
};

static struct walk_of_space walk_begin(const struct case_of_space *one, uint64_t state[PZ_STATE_MAX / 8])
{
    struct pz_error error = {0};
    struct pz_space *space = plain_open(one->puzzle, one->start, one->goal, one->key, one->value);
    if (one->start != NULL)
        parse_state(space, one->start, state);
    else
        assert_ok(space->puzzle->root(space, state, &error), error);
    return (struct walk_of_space){space, calloc(space->max_successors, space->state_bytes),
                                  calloc(space->max_successors, 1)};
}

static void walk_end(struct walk_of_space *walk)
{
    free(walk->successors);
    free(walk->tokens);
    space_close(walk->space);
}

/* Uses the state as answers do. Returns how many successors it has; all of them are states. */
static unsigned use(struct walk_of_space *walk, const void *state)
{
    const struct pz_space *space = walk->space;
    char text[PZ_TEXT_MAX];
    uint64_t again[PZ_STATE_MAX / 8] = {0};
    (void)space->puzzle->print(space, state, text);
    parse_state(space, text, again);
    assert_memory_equal(again, state, space->state_bytes);
    if (space->puzzle->draw != NULL)
        (void)space->puzzle->draw(space, state, text);
    (void)space->puzzle->is_goal(space, state);
    if (space->puzzle->heuristic != NULL)
        (void)space->puzzle->heuristic(space, state);
    if (space->puzzle->solvable != NULL)
        (void)space->puzzle->solvable(space, state);
    if (space_count(space) > 0)
        assert_true(space->puzzle->rank(space, state) < space_count(space) ||
                    (space_has_runs(space) && space->puzzle->rank(space, state) == UINT64_MAX));
    const unsigned count = space->puzzle->expand(space, state, PZ_NO_TOKEN, walk->successors, walk->tokens);
    assert_true(count <= space->max_successors);
    for (unsigned i = 0; i < count; i++) {
        const uint8_t *to = walk->successors + (size_t)i * space->state_bytes;
        assert_true(space_state_valid(space, to));
        (void)space->puzzle->describe(space, state, to, text);
    }
    return count;
}

TEST(every_state_that_moves_lead_to_is_valid)
{
    for (size_t i = 0; i < CASES; i++) {
        uint64_t at[PZ_STATE_MAX / 8] = {0};
        struct random random = {.state = i};
        struct walk_of_space walk = walk_begin(&cases[i], at);
        assert_true(space_state_valid(walk.space, at));
        for (unsigned step = 0; step < LOOKED_AT; step++) {
            const unsigned count = use(&walk, at);
            if (count == 0)
                break;
            memcpy(at, walk.successors + random_below(&random, count) * walk.space->state_bytes,
                   walk.space->state_bytes);
        }
        walk_end(&walk);
    }
}

/* Random bytes, or a state with some changed. What is then called valid must be fit for use. */
TEST(what_is_called_valid_is_fit_for_every_function)
{
    for (size_t i = 0; i < CASES; i++) {
        uint64_t root[PZ_STATE_MAX / 8] = {0};
        struct random random = {.state = i};
        struct walk_of_space walk = walk_begin(&cases[i], root);
        unsigned valid = 0;
        for (unsigned try = 0; try < TRIES; try++) {
            uint64_t forged[PZ_STATE_MAX / 8];
            uint8_t *bytes = (uint8_t *)forged;
            memcpy(forged, root, sizeof forged);
            for (uint64_t changes = random_below(&random, 4) + 1; changes > 0; changes--)
                bytes[random_below(&random, walk.space->state_bytes)] ^= (uint8_t)random_below(&random, 256);
            if (!space_state_valid(walk.space, forged))
                continue;
            valid++;
            (void)use(&walk, forged);
        }
        assert_true(valid < TRIES);
        walk_end(&walk);
    }
}

/* Of a state that another rank sends, the text is too slow to tell: their number of successors would pass
 * what the space promises. */
TEST(states_whose_successors_depend_on_them_are_known_without_their_text)
{
    static const char *const puzzles[] = {"jugs:3,5", "hanoi:3,7"};
    for (size_t i = 0; i < sizeof puzzles / sizeof *puzzles; i++) {
        struct pz_space *space = plain_open(puzzles[i], NULL, NULL, NULL, NULL);
        assert_true(space_knows_valid(space));
        space_close(space);
    }
}

TEST(bytes_that_are_no_state_are_refused)
{
    for (size_t i = 0; i < CASES; i++) {
        uint64_t at[PZ_STATE_MAX / 8] = {0};
        struct walk_of_space walk = walk_begin(&cases[i], at);
        memset(at, 0xFF, sizeof at);
        assert_false(space_state_valid(walk.space, at));
        walk_end(&walk);
    }
}

/* Returns if the level's state with these bytes is valid: the player's square, then the boxes'. */
static bool sokoban_has(const struct pz_space *space, uint8_t player, uint8_t first, uint8_t second)
{
    uint64_t state[PZ_STATE_MAX / 8] = {0};
    uint8_t *bytes = (uint8_t *)state;
    bytes[0] = player;
    bytes[1] = first;
    bytes[2] = second;
    return space_state_valid(space, state);
}

TEST(a_sokoban_state_has_its_boxes_in_order_on_squares_of_their_own)
{
    /* Squares 0 to 5 in a row of six. */
    struct pz_space *space =
        plain_open("sokoban", "########/#@-$-$.#/#.######/########", NULL, "metric", "move");
    assert_true(sokoban_has(space, 0, 2, 4));
    assert_false(sokoban_has(space, 0, 4, 2));
    assert_false(sokoban_has(space, 0, 2, 2));
    assert_false(sokoban_has(space, 2, 2, 4));
    assert_false(sokoban_has(space, 7, 2, 4));
    assert_false(sokoban_has(space, 0, 2, 0xFF));
    space_close(space);
}
