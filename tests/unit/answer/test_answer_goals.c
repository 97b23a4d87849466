/* SPDX-License-Identifier: MIT */
/* Tables of the distances to the nearest of many goals: EXPLORE … from=goals. */
#include "answer_fixture.h"

/* The distance of every state that plain search reached to the nearest goal, or -1, by passes over all. */
static int64_t *plain_distances(const struct plain_search *search)
{
    const struct pz_space *space = search->space;
    int64_t *distances = malloc((search->count + 1) * sizeof *distances);
    uint8_t *successors = malloc((size_t)space->max_successors * space->state_bytes);
    uint8_t *tokens = malloc(space->max_successors);
    assert_true(distances != NULL && successors != NULL && tokens != NULL);
    for (size_t i = 0; i < search->count; i++)
        distances[i] = space->puzzle->is_goal(space, plain_state(search, i)) ? 0 : -1;
    bool changed = true;
    for (int64_t level = 0; changed; level++) {
        changed = false;
        for (size_t i = 0; i < search->count; i++) {
            uint64_t at[PZ_STATE_MAX / 8];
            if (distances[i] >= 0)
                continue;
            memcpy(at, plain_state(search, i), space->state_bytes);
            unsigned count = space->puzzle->expand(space, at, PZ_NO_TOKEN, successors, tokens);
            for (unsigned k = 0; k < count && distances[i] < 0; k++) {
                uint32_t next = *plain_slot(search, successors + (size_t)k * space->state_bytes) - 1;
                if (distances[next] == level)
                    distances[i] = level + 1;
            }
            changed |= distances[i] >= 0;
        }
    }
    free(successors);
    free(tokens);
    return distances;
}

/* Asks for the distance of every state that the root reaches, and for some paths; returns the dead ones. */
static uint64_t check_distances(struct fixture *fixture, struct answers *answers,
                                const struct plain_search *search, const int64_t *distances)
{
    uint64_t dead = 0;
    for (size_t i = 0; i < search->count; i++) {
        struct answer answer = {0};
        uint64_t start[PZ_STATE_MAX / 8];
        const bool with_path = i % (search->count / 50 + 1) == 0;
        memcpy(start, plain_state(search, i), search->space->state_bytes);
        fixture_ok(answer_distance(answers, search->space, ANSWER_FROM_EITHER, start, with_path, &answer,
                                   &fixture->error));
        assert_true(answer.to_goal);
        assert_int_equal(answer.moves, distances[i]);
        assert_int_equal(answer.solvable, distances[i] < 0 ? PZ_NO : PZ_YES);
        if (with_path && distances[i] >= 0)
            assert_true(answer_replays(search->space, start, &answer));
        dead += distances[i] < 0;
        free(answer.path);
    }
    return dead;
}

/* The last level and the dead states, by both kinds of table. */
static void check_deepest(struct fixture *fixture, struct answers *answers, const struct plain_search *search,
                          const int64_t *distances, uint64_t dead)
{
    struct answer_states boards;
    int64_t deepest = 0;
    uint64_t total = 0;
    for (size_t i = 0; i < search->count; i++)
        deepest = distances[i] > deepest ? distances[i] : deepest;
    for (size_t i = 0; i < search->count; i++)
        total += distances[i] == deepest;
    fixture_ok(answer_deepest(answers, search->space, ANSWER_FROM_EITHER, 0, &boards, &fixture->error));
    assert_true(boards.to_goal && boards.complete);
    assert_int_equal(boards.depth, deepest);
    assert_int_equal(boards.total, total);
    free(boards.states);
    fixture_ok(answer_deepest(answers, search->space, ANSWER_FROM_GOALS, 1000, &boards, &fixture->error));
    assert_int_equal(boards.total, dead);
    for (unsigned i = 0; i < boards.count; i++) {
        const uint8_t *state = (const uint8_t *)boards.states + (size_t)i * search->space->state_bytes;
        assert_int_equal(distances[*plain_slot(search, state) - 1], -1);
    }
    free(boards.states);
    fixture_ok(answer_deepest(answers, search->space, ANSWER_FROM_ROOT, 0, &boards, &fixture->error));
    assert_true(!boards.to_goal && boards.complete);
    assert_int_equal(boards.depth + 1, search->levels);
    assert_int_equal(boards.total, search->level[boards.depth]);
    free(boards.states);
}

/* Reversible and irreversible moves; many goals, one, and none that is reached. */
store_test(from_goals_the_distance_of_every_state_is_to_the_nearest_goal)
{
    static const struct {
        const char *puzzle, *goal, *key, *value;
        uint64_t dead;
    } questions[] = {
        {"klotski:aabe/cd@@/ffgh", "f:0,0", "metric", "step", 0},
        {"jugs:3,5", "4", NULL, NULL, 0},
        {"jugs:8,5,3,start:8:0:0,tap:no", "4,4,0", NULL, NULL, 0},
        {"jugs:4,6", "5", NULL, NULL, 8},
        {"sokoban:#######/#@-$.-#/#--$--#/#---.-#/#######", NULL, "metric", "push", 0},
        {"sokoban:#######/#@----#/#-$$--#/#--.--#/#---.-#/#######", NULL, "metric", "move", 0},
    };
    struct fixture *fixture = *state;
    for (unsigned i = 0; i < sizeof questions / sizeof questions[0]; i++) {
        struct answers *answers;
        struct plain_search search;
        uint64_t root[PZ_STATE_MAX / 8] = {0};
        struct pz_space *space =
            plain_open(questions[i].puzzle, NULL, questions[i].goal, questions[i].key, questions[i].value);
        fixture_ok(space->puzzle->root(space, root, &fixture->error));
        plain_explore(&search, space, root, false);
        int64_t *distances = plain_distances(&search);
        (void)explore_own(fixture, space, (struct exploration){.engine = ENGINE_STRIPED});
        (void)explore_own(fixture, space, (struct exploration){.from = FROM_GOALS, .threads = 1u << i % 4});
        fixture_ok(answers_new(fixture->store, &answers, &fixture->error));
        uint64_t dead = check_distances(fixture, answers, &search, distances);
        assert_true(dead >= questions[i].dead);
        check_deepest(fixture, answers, &search, distances, dead);
        answers_free(answers);
        free(distances);
        plain_free(&search);
        space_close(space);
    }
}

store_test(many_goals_need_a_table_of_the_goals_and_the_answer_names_it)
{
    struct fixture *fixture = *state;
    struct answers *answers;
    struct answer answer = {0};
    uint64_t root[PZ_STATE_MAX / 8];
    struct pz_space *space = plain_open("klotski:横刀立马", NULL, NULL, NULL, NULL);
    fixture_ok(space->puzzle->root(space, root, &fixture->error));
    (void)explore_own(fixture, space, (struct exploration){.engine = ENGINE_STRIPED});
    fixture_ok(answers_new(fixture->store, &answers, &fixture->error));
    assert_int_equal(
        answer_distance(answers, space, ANSWER_FROM_EITHER, root, false, &answer, &fixture->error),
        PZ_NO_TABLE);
    assert_non_null(strstr(fixture->error.text, "from=goals"));
    fixture_ok(answer_distance(answers, space, ANSWER_FROM_ROOT, root, false, &answer, &fixture->error));
    assert_true(!answer.to_goal && answer.moves == 0);
    /* Of a board that the root does not reach nothing is known: it may have goals of its own. */
    (void)explore_own(fixture, space, (struct exploration){.from = FROM_GOALS});
    parse_into(fixture, space, "HAAI/HAAI/JBBK/JNOK/P@@Q", root);
    fixture_ok(answer_distance(answers, space, ANSWER_FROM_EITHER, root, false, &answer, &fixture->error));
    assert_int_equal(answer.moves, 81);
    answers_free(answers);
    space_close(space);
}

store_test(of_a_board_that_is_seen_to_be_lost_a_table_of_the_goals_says_so)
{
    struct fixture *fixture = *state;
    struct answers *answers;
    struct answer answer = {0};
    uint64_t start[PZ_STATE_MAX / 8] = {0};
    struct pz_space *space =
        plain_open("sokoban:######/#@   #/# $  #/#   .#/######", NULL, NULL, "metric", "push");
    (void)explore_own(fixture, space, (struct exploration){.from = FROM_GOALS});
    fixture_ok(answers_new(fixture->store, &answers, &fixture->error));
    parse_into(fixture, space, "######/# $  #/# @  #/#   .#/######", start); /* pushed to the wall */
    fixture_ok(answer_distance(answers, space, ANSWER_FROM_EITHER, start, false, &answer, &fixture->error));
    assert_true(answer.to_goal && answer.moves == -1 && answer.solvable == PZ_NO);
    answers_free(answers);
    space_close(space);
}

/* Layouts of the collection, in both metrics: as many goals and states as published, and the start as far
 * from the nearest goal as its shortest solution is long. */
store_test(of_klotski_the_start_is_as_far_from_the_goals_as_published)
{
    struct fixture *fixture = *state;
    struct test_rows rows;
    test_rows_open(&rows, "klotski.csv", "id,name,board,published_moves,opt_moves,");
    while (test_rows_next(&rows, 12)) {
        char *const *field = rows.field;
        if (rows.count % 9 != 1)
            continue;
        const bool steps = rows.count % 2 == 0;
        struct answers *answers;
        struct answer answer = {0};
        uint64_t root[PZ_STATE_MAX / 8] = {0};
        struct store_level *levels = NULL;
        uint64_t sum = 0;
        uint32_t count = 0;
        struct pz_space *space = plain_open("klotski", field[2], NULL, "metric", steps ? "step" : "move");
        uint64_t job = explore_own(fixture, space,
                                   (struct exploration){.from = FROM_GOALS, .threads = rows.count % 8 + 1});
        fixture_ok(store_levels(fixture->store, job, &levels, &count, &fixture->error));
        assert_int_equal(levels[0].states, test_number(field[8]));
        for (uint32_t i = 0; i < count; i++)
            sum += levels[i].states;
        assert_int_equal(sum, test_number(field[7]));
        fixture_ok(answers_new(fixture->store, &answers, &fixture->error));
        fixture_ok(space->puzzle->root(space, root, &fixture->error));
        fixture_ok(answer_distance(answers, space, ANSWER_FROM_EITHER, root, true, &answer, &fixture->error));
        assert_int_equal(answer.moves, test_number(field[steps ? 6 : 4]));
        free(answer.path);
        free(levels);
        answers_free(answers);
        space_close(space);
    }
    test_rows_close(&rows, 60);
}
