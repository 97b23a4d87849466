/* SPDX-License-Identifier: MIT */
/* Explorations from several boards, held against a plain search from each of them. */
#include "answer_fixture.h"

#include "space/root_set.h"

enum { RUNS_MOST = 6 };

struct question {
    const char *puzzle, *roots;
    struct exploration runs[RUNS_MOST];
};

static struct root_set *read_roots(struct fixture *fixture, const struct pz_space *space, const char *text)
{
    static struct root_set roots;
    fixture_ok(root_set_read(space, text, &roots, &fixture->error));
    return &roots;
}

/* The states that any of the roots reaches, with their distances from the nearest: a search from each. */
static void plain_nearest(struct plain_search *all, const struct pz_space *space,
                          const struct root_set *roots)
{
    *all = (struct plain_search){.space = space, .goal_depth = -1};
    for (unsigned i = 0; i < roots->count; i++) {
        struct plain_search one;
        plain_explore(&one, space, root_set_at(roots->states, space->state_bytes, i), false);
        for (size_t k = 0; k < one.count; k++) {
            plain_add(all, plain_state(&one, k), one.depths[k]);
            const uint32_t number = *plain_slot(all, plain_state(&one, k)) - 1;
            if (one.depths[k] < all->depths[number])
                all->depths[number] = one.depths[k];
        }
        plain_free(&one);
    }
    memset(all->level, 0, sizeof all->level);
    for (size_t k = 0; k < all->count; k++)
        all->level[all->depths[k]]++;
}

static void check_levels(struct fixture *fixture, const struct plain_search *plain, uint64_t job)
{
    struct store_level *levels = NULL;
    uint32_t count = 0;
    uint64_t sum = 0;
    fixture_ok(store_levels(fixture->store, job, &levels, &count, &fixture->error));
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(levels[i].states, plain->level[i]);
        sum += levels[i].states;
    }
    assert_int_equal(sum, plain->count);
    free(levels);
}

/* Every distance, and paths, which end at one of the roots. */
static void check_table(struct fixture *fixture, const struct plain_search *plain,
                        const struct root_set *roots)
{
    const struct pz_space *space = plain->space;
    const bool back = (space->flags & PZ_REVERSIBLE) != 0;
    struct answers *answers;
    struct answer_states deepest;
    fixture_ok(answers_new(fixture->store, &answers, &fixture->error));
    answers_ask_roots(answers, roots);
    const size_t step = SANITIZED ? 10 : 1;
    for (size_t i = 0; i < plain->count; i += step) {
        const bool with_path = back && i / step % (plain->count / step / 20 + 1) == 0;
        struct answer answer = {0};
        fixture_ok(answer_distance(answers, space, ANSWER_FROM_ROOT, plain_state(plain, i), with_path,
                                   &answer, &fixture->error));
        assert_int_equal(answer.moves, plain->depths[i]);
        assert_true(!with_path || answer.path != NULL);
        free(answer.path);
    }
    fixture_ok(answer_deepest(answers, space, ANSWER_FROM_ROOT, 0, &deepest, &fixture->error));
    assert_int_equal(deepest.total, plain->level[deepest.depth]);
    assert_int_equal(plain->level[deepest.depth + 1], 0);
    free(deepest.states);
    answers_free(answers);
}

static void check_question(struct fixture *fixture, const struct question *question)
{
    struct plain_search plain;
    struct pz_space *space = plain_open(question->puzzle, NULL, NULL, NULL, NULL);
    const struct root_set *roots = read_roots(fixture, space, question->roots);
    plain_nearest(&plain, space, roots);
    for (unsigned i = 0; i < RUNS_MOST && question->runs[i].threads > 0; i++) {
        struct exploration how = question->runs[i];
        how.roots = roots->count;
        how.scratch = how.scratch != NULL ? fixture->directory : NULL;
        check_levels(fixture, &plain, explore_into(fixture, space, roots->states, how));
        check_table(fixture, &plain, roots);
    }
    plain_free(&plain);
    space_close(space);
}

#define STRIPED(n)                                                                                           \
    {                                                                                                        \
        .engine = ENGINE_STRIPED, .threads = (n)                                                             \
    }
#define RANKED(n)                                                                                            \
    {                                                                                                        \
        .engine = ENGINE_RANKED, .threads = (n)                                                              \
    }
#define DISK(n)                                                                                              \
    {                                                                                                        \
        .engine = ENGINE_STRIPED, .threads = (n), .scratch = ""                                              \
    }

store_test(from_several_boards_each_distance_is_from_the_nearest)
{
    static const struct question questions[] = {
        /* one half of the boards, and both */
        {"3x3",
         "0,1,2/3,4,5/6,7,8+8,6,7/2,5,4/3,0,1+1,0,2/3,4,5/6,7,8",
         {STRIPED(1), STRIPED(2), STRIPED(8), DISK(1), DISK(2), DISK(8)}},
        {"3x3", "1,2,3/4,5,6/7,8,0+2,1,3/4,5,6/7,8,0", {STRIPED(2), DISK(2), {.threads = 2}}},
        /* moves that cannot be undone; blocks of ranks; ranks without blocks */
        {"jugs:7,11,13", "7,11,13+0,0,5+7,0,0", {STRIPED(1), STRIPED(2), STRIPED(8), DISK(2)}},
        {"klotski:aabe/cd@@/ffgh", "aabe/cd@@/ffgh+@@be/aacd/ffgh", {STRIPED(1), STRIPED(2), STRIPED(8)}},
        {"pancake:7",
         "1,2,3,4,5,6,7+7,1,6,2,5,3,4+2,1,3,4,5,6,7",
         {RANKED(1), RANKED(2), RANKED(8), STRIPED(2)}},
        {"hanoi:4,5", "1,1,1,1,1+2,3,4,1,2+4,4,4,4,4", {RANKED(1), RANKED(2), RANKED(8), STRIPED(2)}},
    };
    for (unsigned i = 0; i < sizeof questions / sizeof questions[0]; i++)
        check_question(*state, &questions[i]);
}

store_test(the_question_of_several_boards_has_no_order_and_no_duplicates)
{
    static const char *const texts[] = {"123456780+213456780", "213456780+123456780+213456780+123456780"};
    struct fixture *fixture = *state;
    struct pz_space *space = plain_open("3x3", NULL, NULL, NULL, NULL);
    for (unsigned i = 0; i < 2; i++) {
        char name[STORE_NAME_MAX];
        const struct root_set *roots = read_roots(fixture, space, texts[i]);
        assert_int_equal(roots->count, 2);
        fixture_ok(answer_table_name(space, roots->states, 2, FROM_ROOT, name, &fixture->error));
        assert_string_equal(name, "slide:3x3 root=2,1,3/4,5,6/7,8,0+1,2,3/4,5,6/7,8,0");
    }
    assert_int_equal(read_roots(fixture, space, "123456780+123456780")->count, 1);
    space_close(space);
}

store_test(a_piece_of_the_text_ends_at_the_first_plus_up_to_which_it_is_a_board)
{
    static const char *const level = "sokoban:########/#-+-$--#/########";
    struct pz_space *space = plain_open(level, NULL, NULL, NULL, NULL);
    const char *boards = "########/#-+-$--#/########+########/#-.$@--#/########+########/#-*@---#/########";
    assert_int_equal(read_roots(*state, space, level + strlen("sokoban:"))->count, 1);
    assert_int_equal(read_roots(*state, space, boards)->count, 3);
    space_close(space);
}

store_test(what_is_no_set_of_boards_is_refused_with_words)
{
    struct fixture *fixture = *state;
    struct pz_space *space = plain_open("hanoi:3,4", NULL, NULL, NULL, NULL);
    struct root_set roots;
    char many[(ROOTS_MAX + 1) * 8 + 1] = "";
    for (unsigned i = 0; i <= ROOTS_MAX; i++)
        (void)snprintf(many + strlen(many), sizeof many - strlen(many), "%s%u,%u,%u,%u", i > 0 ? "+" : "",
                       i % 3 + 1, i / 3 % 3 + 1, i / 9 % 3 + 1, i / 27 % 3 + 1);
    assert_int_equal(root_set_read(space, many, &roots, &fixture->error), PZ_BAD_REQUEST);
    assert_non_null(strstr(fixture->error.text, "more than 64"));
    many[strlen(many) - 8] = '\0';
    assert_int_equal(read_roots(fixture, space, many)->count, ROOTS_MAX);
    static const char *const wrong[] = {"1,1,1,1+", "+1,1,1,1", "1,1,1,1+1,1,1", "", "+"};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_true(root_set_read(space, wrong[i], &roots, &fixture->error) != PZ_OK);
    space_close(space);
    /* Jugs open without a board, and refuse each of these then. */
    space = NULL;
    const struct pz_setup setup = {.start = "9,9+9,8"};
    assert_int_equal(root_set_open("jugs:3,5", &setup, &space, &fixture->error), PZ_BAD_BOARD);
    assert_null(space);
}
