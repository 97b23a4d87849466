/* SPDX-License-Identifier: MIT */
/* States at a distance, from stored tables: SAMPLE and DEEPEST. */
#include "answer_fixture.h"

#include "explore/key/mix.h"

static bool differ(const uint8_t *states, unsigned count, size_t bytes)
{
    for (unsigned i = 0; i < count; i++)
        for (unsigned j = i + 1; j < count; j++)
            if (memcmp(states + i * bytes, states + j * bytes, bytes) == 0)
                return false;
    return true;
}

store_test(samples_lie_at_exactly_the_distance_and_repeat_with_the_seed)
{
    struct fixture *fixture = *state;
    static const enum engine engines[] = {ENGINE_STRIPED, ENGINE_DENSE};
    for (unsigned j = 0; j < 2; j++) {
        struct answers *answers;
        struct pz_space *space = plain_open("3x2", NULL, "0,1/2,3/4,5", NULL, NULL);
        (void)explore_own(fixture, space, (struct exploration){.engine = engines[j]});
        fixture_ok(answers_new(fixture->store, &answers, &fixture->error));
        for (uint32_t depth = 0; depth <= 22; depth++) {
            struct answer_states boards;
            struct answer_states again;
            fixture_ok(answer_sample_of(answers, space, depth, 12, depth + 5, &boards, fixture));
            assert_true(boards.uniform && boards.complete);
            assert_true(depth == 22 ? boards.count == 0 : boards.count >= 1 && boards.count <= 12);
            assert_true(differ(boards.states, boards.count, space->state_bytes));
            for (unsigned i = 0; i < boards.count; i++) {
                struct answer answer = {0};
                uint8_t *at = (uint8_t *)boards.states + (size_t)i * space->state_bytes;
                fixture_ok(
                    answer_distance(answers, space, ANSWER_FROM_EITHER, at, false, &answer, &fixture->error));
                assert_int_equal(answer.moves, depth);
            }
            fixture_ok(answer_sample_of(answers, space, depth, 12, depth + 5, &again, fixture));
            assert_int_equal(boards.count, again.count);
            if (boards.count > 0)
                assert_memory_equal(boards.states, again.states, boards.count * space->state_bytes);
            free(boards.states);
            free(again.states);
        }
        answers_free(answers);
        space_close(space);
    }
}

/* 2x3 has 41 boards at distance 10; each is to be drawn about as often. */
store_test(every_state_of_a_level_is_equally_likely)
{
    struct fixture *fixture = *state;
    enum { DRAWS = 4000, ROOM = 128 };
    struct answers *answers;
    uint64_t counts[64];
    unsigned levels = test_data_levels("2x3", counts, 64);
    assert_true(levels == 22 && counts[10] > 20 && counts[10] < ROOM);
    struct pz_space *space = plain_open("2x3", NULL, NULL, NULL, NULL);
    (void)explore_own(fixture, space, (struct exploration){.engine = ENGINE_STRIPED});
    fixture_ok(answers_new(fixture->store, &answers, &fixture->error));
    uint64_t seen[ROOM] = {0};
    unsigned drawn[ROOM] = {0};
    unsigned distinct = 0;
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        struct answer_states boards;
        fixture_ok(answer_sample_of(answers, space, 10, 1, seed, &boards, fixture));
        assert_int_equal(boards.count, 1);
        uint64_t board;
        memcpy(&board, boards.states, sizeof board);
        free(boards.states);
        unsigned place = 0;
        while (place < distinct && seen[place] != board)
            place++;
        assert_true(place < ROOM);
        seen[place] = board;
        distinct += place == distinct ? 1 : 0;
        drawn[place]++;
    }
    assert_int_equal(distinct, counts[10]);
    double expected = (double)DRAWS / (double)counts[10];
    double chi_square = 0;
    for (unsigned i = 0; i < distinct; i++)
        chi_square += ((double)drawn[i] - expected) * ((double)drawn[i] - expected) / expected;
    /* Mean: distinct − 1; this is beyond six deviations of it. The seeds are fixed: no chance is in it. */
    assert_true(chi_square < 2.5 * (double)distinct);
    answers_free(answers);
    space_close(space);
}

static int by_value(const void *left, const void *right)
{
    const uint64_t one = *(const uint64_t *)left;
    const uint64_t other = *(const uint64_t *)right;
    return one < other ? -1 : one > other;
}

/* Writes the mixed keys of a level in order; returns their number. */
static size_t keys_of_level(const struct pz_space *space, const void *root, unsigned depth, uint64_t *keys,
                            size_t room)
{
    struct plain_search search;
    size_t count = 0;
    plain_explore(&search, space, root, false);
    for (size_t i = 0; i < search.count; i++)
        if (search.depths[i] == depth) {
            assert_true(count < room);
            mix_bytes(plain_state(&search, i), space->state_bytes, &keys[count++]);
        }
    plain_free(&search);
    qsort(keys, count, sizeof *keys, by_value);
    return count;
}

/* Such levels are not read as a whole. 3x3 has 24,047 boards at distance 24: twenty parts of them, in the
 * order of the table, are hit about as often. */
store_test(every_state_of_a_wide_level_is_equally_likely)
{
    struct fixture *fixture = *state;
    enum { DEPTH = 24, SEEDS = 800, EACH = 5, PARTS = 20, ROOM = 32768 };
    struct answers *answers;
    uint64_t root = 0;
    uint64_t *level = malloc(ROOM * sizeof *level);
    unsigned drawn[PARTS] = {0};
    assert_non_null(level);
    struct pz_space *space = plain_open("3x3", NULL, NULL, NULL, NULL);
    fixture_ok(space->puzzle->root(space, &root, &fixture->error));
    const size_t count = keys_of_level(space, &root, DEPTH, level, ROOM);
    assert_int_equal(count, 24047);
    (void)explore_own(fixture, space, (struct exploration){.engine = ENGINE_STRIPED});
    fixture_ok(answers_new(fixture->store, &answers, &fixture->error));
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct answer_states boards;
        fixture_ok(answer_sample_of(answers, space, DEPTH, EACH, seed, &boards, fixture));
        assert_true(boards.uniform && boards.count == EACH && differ(boards.states, EACH, sizeof root));
        for (unsigned i = 0; i < EACH; i++) {
            uint64_t key;
            mix_bytes((const uint8_t *)boards.states + i * sizeof root, sizeof root, &key);
            const uint64_t *place = bsearch(&key, level, count, sizeof key, by_value);
            assert_non_null(place);
            drawn[(size_t)(place - level) * PARTS / count]++;
        }
        free(boards.states);
    }
    const double expected = (double)(SEEDS * EACH) / PARTS;
    double chi_square = 0;
    for (unsigned i = 0; i < PARTS; i++)
        chi_square += ((double)drawn[i] - expected) * ((double)drawn[i] - expected) / expected;
    assert_true(chi_square < 2.5 * PARTS);
    answers_free(answers);
    space_close(space);
    free(level);
}

/* ---- ranked tables ---- */

/* Draws `each` states of a level for each seed, and returns how far the counts of the states that were met
 * lie from equal ones. They must be the whole level. */
static double chi_square_of_level(struct fixture *fixture, const char *puzzle, enum explore_from from,
                                  uint32_t depth, unsigned states, unsigned seeds, unsigned each)
{
    enum { ROOM = 256 };
    struct answers *answers;
    static uint64_t seen[ROOM];
    unsigned drawn[ROOM] = {0}, distinct = 0;
    struct pz_space *space = plain_open(puzzle, NULL, NULL, NULL, NULL);
    assert_true(space->state_bytes == sizeof *seen && states <= ROOM);
    (void)explore_own(fixture, space, (struct exploration){.engine = ENGINE_RANKED, .from = from});
    fixture_ok(answers_new(fixture->store, &answers, &fixture->error));
    for (uint64_t seed = 0; seed < seeds; seed++) {
        struct answer_states boards;
        fixture_ok(answer_sample_of(answers, space, depth, each, seed, &boards, fixture));
        assert_true(boards.uniform && boards.count == each && boards.total == states);
        assert_true(differ(boards.states, each, sizeof *seen));
        for (unsigned i = 0; i < each; i++) {
            const uint64_t board = ((const uint64_t *)boards.states)[i];
            unsigned place = 0;
            while (place < distinct && seen[place] != board)
                place++;
            assert_true(place < states);
            seen[place] = board;
            distinct += place == distinct;
            drawn[place]++;
        }
        free(boards.states);
    }
    assert_int_equal(distinct, states);
    const double expected = (double)seeds * each / states;
    double chi_square = 0;
    for (unsigned i = 0; i < states; i++)
        chi_square += (drawn[i] - expected) * (drawn[i] - expected) / expected;
    answers_free(answers);
    space_close(space);
    return chi_square;
}

/* Random draws of 362,880 stacks hardly ever meet one of the 56 that are two flips away. */
store_test(every_state_of_a_narrow_level_of_a_ranked_table_is_equally_likely)
{
    assert_true(chi_square_of_level(*state, "pancake:9", FROM_ROOT, 2, 56, 200, 4) < 2.5 * 56);
    assert_true(chi_square_of_level(*state, "pancake:9", FROM_ROOT, 1, 8, 200, 1) < 2.5 * 8);
    assert_true(chi_square_of_level(*state, "pancake:9", FROM_GOALS, 1, 8, 30, 3) < 2.5 * 8);
}

/* The 2 towers of 65,536 that lie at 17 moves: 17 has two ones (test_ranked.c). All levels before are made.
 */
store_test(every_state_of_a_deep_narrow_level_of_a_ranked_table_is_equally_likely)
{
    assert_true(chi_square_of_level(*state, "hanoi:3,10", FROM_ROOT, 513, 4, 24, 2) < 2.5 * 4);
}

/* All 3,628,800 stacks of ten pancakes are too many to make the level at 11 flips, 73,232 stacks, again for
 * one sample; its states are met by walks. */
store_test(a_level_that_takes_too_long_to_make_is_met_by_walks_and_told_not_uniform)
{
    enum { COUNT = 900 };
    struct fixture *fixture = *state;
    struct answers *answers;
    struct answer_states boards[2];
    struct pz_space *space = plain_open("pancake:10", NULL, NULL, NULL, NULL);
    (void)explore_own(fixture, space, (struct exploration){.engine = ENGINE_RANKED});
    fixture_ok(answers_new(fixture->store, &answers, &fixture->error));
    for (unsigned i = 0; i < 2; i++) {
        fixture_ok(answer_sample_of(answers, space, 11, COUNT, i, &boards[i], fixture));
        assert_false(boards[i].uniform);
        assert_int_equal(boards[i].count, COUNT);
        assert_true(differ(boards[i].states, COUNT, space->state_bytes));
        for (unsigned j = 0; j < COUNT; j++) {
            struct answer answer = {0};
            fixture_ok(answer_distance(answers, space, ANSWER_FROM_EITHER,
                                       (uint8_t *)boards[i].states + (size_t)j * space->state_bytes, false,
                                       &answer, &fixture->error));
            assert_int_equal(answer.moves, 11);
        }
    }
    assert_memory_not_equal(boards[0].states, boards[1].states, COUNT * space->state_bytes);
    free(boards[0].states);
    free(boards[1].states);
    answers_free(answers);
    space_close(space);
}

/* ---- deepest ---- */

store_test(the_deepest_boards_are_the_published_ones)
{
    struct fixture *fixture = *state;
    static const enum engine engines[] = {ENGINE_STRIPED, ENGINE_DENSE};
    for (unsigned j = 0; j < 2; j++) {
        struct answers *answers;
        struct answer_states deepest;
        uint64_t board[2];
        struct pz_space *space = plain_open("3x3", NULL, NULL, NULL, NULL);
        (void)explore_own(fixture, space, (struct exploration){.engine = engines[j]});
        fixture_ok(answers_new(fixture->store, &answers, &fixture->error));
        fixture_ok(answer_deepest(answers, space, ANSWER_FROM_EITHER, 0, &deepest, &fixture->error));
        assert_int_equal(deepest.depth, 31);
        assert_int_equal(deepest.total, 2);
        assert_int_equal(deepest.count, 2);
        assert_true(deepest.complete);
        const uint64_t *boards = deepest.states;
        parse_into(fixture, space, "8 6 7 2 5 4 3 0 1", &board[0]);
        parse_into(fixture, space, "6 4 7 8 5 0 3 2 1", &board[1]);
        assert_true(boards[0] != boards[1]);
        for (unsigned i = 0; i < 2; i++)
            assert_true(boards[i] == board[0] || boards[i] == board[1]);
        free(deepest.states);
        answers_free(answers);
        space_close(space);
    }
}
