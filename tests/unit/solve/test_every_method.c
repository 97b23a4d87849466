/* SPDX-License-Identifier: MIT */
/* All methods on all puzzles: a method that is accepted solves, and the words of its path lead to the goal.
 */
#include "plain_search.h"

#include "solve/solve.h"
#include "space/path_words.h"

/* Names of definitions, and their texts. */
static const struct {
    enum definition_format format;
    const char *name, *text;
} texts[] = {
    {DEFINITION_PSVN, "rows",
     "3 3 3 3  0 X - => X 0 - LABEL go  - 0 X => - X 0 LABEL go  X 0 - => 0 X - LABEL go "
     "- X 0 => - 0 X LABEL go  GOAL 0 1 2"},
    {DEFINITION_PSVN, "jump", "2 3 3  X Y => A B LABEL go  GOAL 0 0"},
    {DEFINITION_PSVN, "clock",
     "1 8  0 => 1  1 => 2  2 => 3  3 => 4  4 => 5  5 => 6  6 => 7  7 => 0  0 => 4  GOAL 7"},
    {DEFINITION_PSVN, "priced", "1 4  0 => 1 COST 5  1 => 2 COST 2  0 => 3  3 => 2 COST 7  2 => 0  GOAL 2"},
    {DEFINITION_TWS, "ring",
     "Set EDGE 4 2\nMove A\nEDGE\n2 3 1 4\n0 1 0 0\nEnd\nMove B\nEDGE\n1 2 4 3\n0 0 1 1\nEnd\n"},
};

static const struct {
    const char *puzzle, *start, *goal, *key, *value;
} puzzles[] = {
    {"slide:2x3", "0,5,4/3,2,1", NULL, NULL, NULL},
    {"slide:1x5", "0,1,2,3,4", NULL, NULL, NULL},
    {"slide:2x3", "0,1,1/2,2,2", "1,1,2/2,2,0", NULL, NULL},
    {"slide:3x3", "1,2,3/4,#,0/6,7,5", "1,2,3/4,#,5/6,7,0", NULL, NULL},
    {"klotski", "ab@/cde/fgh", "a:2,2+h:0,0", "metric", "step"},
    {"klotski", "ab@/cde/fgh", "a:2,2+h:0,0", "metric", "move"},
    {"rushhour", "oooooooooooooAABoooooBoooooooooooooo", NULL, NULL, NULL},
    {"jugs:3,5", "0,0", "4", NULL, NULL},
    {"sokoban", "######/#--.-#/#-$@-#/#----#/######", NULL, "metric", "push"},
    {"sokoban", "######/#--.-#/#-$@-#/#----#/######", NULL, "metric", "move"},
    {"linkup:AA/..,from:0:0,to:0:1", "AA/..", NULL, NULL, NULL},
    {"pancake:5", "3,5,1,4,2", NULL, NULL, NULL},
    {"pancake:4,burnt:yes", "3,-1,4,-2", NULL, NULL, NULL},
    {"topspin:6,4", "1,4,2,6,3,5", NULL, NULL, NULL},
    {"hanoi:3,4", "1,1,1,1", NULL, NULL, NULL},
    {"hanoi:4,4", "2,2,1,3", NULL, NULL, NULL},
    {"rows", "1,2,0", NULL, NULL, NULL},
    {"jump", "1,2", NULL, NULL, NULL},
    {"clock", "1", NULL, NULL, NULL},
    {"clock", "3", "1", "backwards", "yes"},
    {"priced", "0", NULL, NULL, NULL},
    {"ring", "A B A' B A B", NULL, NULL, NULL},
};

enum { PUZZLES = sizeof puzzles / sizeof *puzzles };

static struct pz_space *open_puzzle(unsigned number, uint64_t start[PZ_STATE_MAX / 8])
{
    struct pz_space *space = plain_open(puzzles[number].puzzle, puzzles[number].start, puzzles[number].goal,
                                        puzzles[number].key, puzzles[number].value);
    parse_state(space, puzzles[number].start, start);
    return space;
}

static enum pz_status solve_by(const struct pz_space *space, const void *start, enum method method,
                               struct solve_result *result, struct pz_error *error)
{
    struct budget budget;
    struct control control = {0};
    budget_init(&budget, NULL, UINT64_C(1) << 30);
    const struct solve_request request = {
        .space = space, .start = start, .method = method, .threads = 1, .budget = &budget};
    return solve_run(&request, &control, result, error);
}

/* The words alone lead along the path. */
static void read_path(const struct pz_space *space, const void *start, const struct solve_result *result)
{
    uint64_t at[PZ_STATE_MAX / 8];
    char *text = solve_path_text(space, result->path, result->moves);
    void *room = malloc(path_words_room(space));
    const char *rest = text;
    struct path_walked walked = {0};
    memcpy(at, start, sizeof at);
    for (int64_t i = 1; i <= result->moves; i++) {
        const char *word = rest;
        const size_t length = path_words_next(space, &rest);
        assert_true(path_words_move(space, word, length, room, at, &walked));
        assert_memory_equal(at, result->path + (size_t)i * space->state_bytes, space->state_bytes);
    }
    assert_int_equal(*rest, '\0');
    assert_int_equal(walked.cost, (space->flags & PZ_COSTS) != 0 ? result->cost : result->moves);
    assert_true(space->puzzle->is_goal(space, at));
    free(room);
    free(text);
}

TEST(a_method_is_refused_at_once_or_solves)
{
    for (unsigned i = 0; i < PUZZLES; i++) {
        uint64_t start[PZ_STATE_MAX / 8] = {0};
        struct solve_result best, result;
        struct pz_error error = {0};
        struct pz_space *space = open_puzzle(i, start);
        assert_ok(solve_by(space, start, METHOD_AUTO, &best, &error), error);
        if (best.solvable != PZ_YES)
            fail_msg("%s has no solution", puzzles[i].puzzle);
        for (enum method method = METHOD_BFS; method < METHOD_PARITY; method++) {
            const enum pz_status expected =
                solve_check(&(struct solve_request){.space = space, .method = method}, &error);
            const enum pz_status status = solve_by(space, start, method, &result, &error);
            if (status != expected)
                fail_msg("%s by %s: %s", puzzles[i].puzzle, method_word(method), error.text);
            if (status != PZ_OK)
                continue;
            assert_int_equal((space->flags & PZ_COSTS) != 0 ? result.cost : result.moves,
                             (space->flags & PZ_COSTS) != 0 ? best.cost : best.moves);
            read_path(space, start, &result);
            solve_result_free(&result);
        }
        solve_result_free(&best);
        space_close(space);
    }
}

TEST(no_two_moves_of_a_state_have_one_word)
{
    for (unsigned i = 0; i < PUZZLES; i++) {
        uint64_t start[PZ_STATE_MAX / 8] = {0};
        struct plain_search all;
        struct pz_space *space = open_puzzle(i, start);
        if (space->puzzle->expand == NULL) {
            space_close(space);
            continue;
        }
        uint8_t *room = malloc(path_words_room(space)), *again = malloc(path_words_room(space));
        plain_explore(&all, space, start, false);
        for (size_t k = 0; k < all.count && k < 500; k++) {
            const uint8_t *from = plain_state(&all, k);
            const unsigned count = space->puzzle->expand(
                space, from, PZ_NO_TOKEN, room, room + (size_t)space->max_successors * space->state_bytes);
            for (unsigned move = 0; move < count; move++) {
                const uint8_t *to = room + (size_t)move * space->state_bytes;
                uint64_t at[PZ_STATE_MAX / 8];
                struct path_walked walked = {0};
                char word[PZ_TEXT_MAX];
                const size_t length = space->puzzle->describe(space, from, to, word);
                memcpy(at, from, space->state_bytes);
                assert_true(path_words_move(space, word, length, again, at, &walked));
                if (memcmp(at, to, space->state_bytes) != 0)
                    fail_msg("%s: '%s' stands for two moves", puzzles[i].puzzle, word);
            }
        }
        plain_free(&all);
        free(room);
        free(again);
        space_close(space);
    }
}

static int define_texts(void **state)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        define_text(texts[i].format, texts[i].name, texts[i].text);
    return 0;
}

static int remove_texts(void **state)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_true(library_remove(texts[i].name));
    return 0;
}

const struct test_surroundings test_surroundings = {define_texts, remove_texts};
