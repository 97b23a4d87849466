/* SPDX-License-Identifier: MIT */
/* Explorations of spaces that number their states, and the answers from their tables. */
#include "answer_fixture.h"
#include "spinner.h"

#include "space/text/formats.h"
#include "space/text/library.h"

/* ---- levels ---- */

/* Returns the states of all levels; malloc'd. */
static uint64_t *levels_of_job(struct fixture *fixture, uint64_t job, uint32_t *count)
{
    struct store_level *levels = NULL;
    fixture_ok(store_levels(fixture->store, job, &levels, count, &fixture->error));
    uint64_t *states = calloc(*count + 1, sizeof *states);
    assert_non_null(states);
    for (uint32_t i = 0; i < *count; i++) {
        assert_int_equal(levels[i].level, i);
        states[i] = levels[i].states;
    }
    free(levels);
    return states;
}

static void check_levels(struct fixture *fixture, const char *puzzle, const uint64_t *expected,
                         uint32_t count, struct exploration how)
{
    uint32_t found = 0;
    struct pz_space *space = plain_open(puzzle, NULL, NULL, NULL, NULL);
    uint64_t job = explore_own(fixture, space, how);
    uint64_t *levels = levels_of_job(fixture, job, &found);
    assert_int_equal(found, count);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(levels[i], expected[i]);
    free(levels);
    space_close(space);
}

/* Returns the place of a stack among all stacks of n, in lexicographic order. */
static unsigned place_of(const unsigned *stack, unsigned n)
{
    unsigned place = 0;
    for (unsigned i = 0; i < n; i++) {
        unsigned smaller = 0;
        for (unsigned k = i + 1; k < n; k++)
            smaller += stack[k] < stack[i];
        place = place * (n - i) + smaller;
    }
    return place;
}

/* Counts the stacks of n pancakes by the flips that sort them, without any space or engine. */
static void flip_plainly(unsigned n, uint64_t *levels)
{
    enum { STACKS = 40320, MOST = 8 };
    static unsigned queue[STACKS][MOST], flips[STACKS];
    static bool seen[STACKS];
    size_t count = 1;
    memset(seen, 0, sizeof seen);
    for (unsigned i = 0; i < n; i++)
        queue[0][i] = i;
    flips[0] = 0;
    seen[0] = true;
    for (size_t at = 0; at < count; at++) {
        levels[flips[at]]++;
        for (unsigned flipped = 2; flipped <= n; flipped++) {
            unsigned stack[MOST];
            for (unsigned i = 0; i < n; i++)
                stack[i] = queue[at][i < flipped ? flipped - 1 - i : i];
            const unsigned place = place_of(stack, n);
            if (seen[place])
                continue;
            seen[place] = true;
            memcpy(queue[count], stack, sizeof stack);
            flips[count++] = flips[at] + 1;
        }
    }
}

TEST(the_published_levels_of_pancakes_are_those_of_plain_flipping)
{
    FILE *file = test_data("pancake_levels.csv");
    char line[512];
    unsigned rows = 0;
    for (; test_data_line(file, line, sizeof line); rows++) {
        char *fields[20];
        uint64_t plain[20] = {0}, sum = 0, factorial = 1;
        unsigned count = test_fields(line, fields, 20);
        const unsigned n = (unsigned)test_number(fields[0]);
        for (unsigned i = 2; i <= n; i++)
            factorial *= i;
        if (n <= 8)
            flip_plainly(n, plain);
        for (unsigned i = 1; i < count; i++) {
            const uint64_t states = strtoull(fields[i], NULL, 10);
            sum += states;
            assert_true(n > 8 || plain[i - 1] == states);
        }
        assert_int_equal(sum, factorial);
    }
    (void)fclose(file);
    assert_int_equal(rows, 12);
}

store_test(pancakes_have_their_published_levels_with_any_number_of_threads)
{
#ifdef PUZZLED_SANITIZED
    enum { MOST = 7 };
#else
    enum { MOST = 9 };
#endif
    FILE *file = test_data("pancake_levels.csv");
    char line[512];
    unsigned rows = 0;
    while (test_data_line(file, line, sizeof line)) {
        char *fields[20];
        uint64_t levels[20] = {0};
        unsigned count = test_fields(line, fields, 20);
        for (unsigned i = 1; i < count; i++)
            levels[i - 1] = strtoull(fields[i], NULL, 10);
        if (test_number(fields[0]) > MOST)
            continue;
        const char *puzzle = text_of("pancake:%s", fields[0]);
        for (unsigned threads = 1; threads <= 8; threads = threads == 1 ? 2 : threads * 4)
            check_levels(
                *state, puzzle, levels, count - 1,
                (struct exploration){.engine = ENGINE_RANKED, .threads = threads, .keep = KEEP_LEVELS});
        rows++;
    }
    (void)fclose(file);
    assert_int_equal(rows, MOST - 1);
}

/* Of three pegs level d has 2^(ones in d) towers (Hinz 1989). */
store_test(three_pegs_have_as_many_towers_at_a_distance_as_it_has_ones)
{
    uint64_t levels[256];
    for (unsigned d = 0; d < 256; d++)
        levels[d] = UINT64_C(1) << __builtin_popcount(d);
    check_levels(*state, "hanoi:3,8", levels, 256, (struct exploration){.engine = ENGINE_RANKED});
}

/* Burnt stacks need as many flips at most as published: 15 for 8, 12 for 6 (OEIS A078942). */
store_test(both_engines_find_the_same_levels)
{
    static const struct {
        const char *puzzle;
        uint32_t depth;
    } questions[] = {{"pancake:4,burnt:yes", 8}, {"pancake:5,burnt:yes", 10}, {"pancake:6,burnt:yes", 12},
                     {"topspin:8,4", 0},         {"topspin:9,3", 0},          {"hanoi:4,6", 0}};
    struct fixture *fixture = *state;
    for (unsigned i = 0; i < sizeof questions / sizeof *questions; i++) {
        uint32_t count = 0;
        struct pz_space *space = plain_open(questions[i].puzzle, NULL, NULL, NULL, NULL);
        uint64_t job = explore_own(fixture, space, (struct exploration){.engine = ENGINE_STRIPED});
        uint64_t *levels = levels_of_job(fixture, job, &count);
        assert_true(questions[i].depth == 0 || count == questions[i].depth + 1);
        check_levels(fixture, questions[i].puzzle, levels, count,
                     (struct exploration){.engine = ENGINE_AUTO, .threads = 8});
        free(levels);
        space_close(space);
    }
}

/* ---- answers ---- */

#ifdef PUZZLED_SANITIZED
enum { ASKED = 500 }; /* states */
#else
enum { ASKED = 5000 };
#endif

static void check_answers(struct fixture *fixture, const struct pz_space *space)
{
    struct plain_search search;
    struct answers *answers;
    struct answer_states boards;
    uint64_t goal[PZ_STATE_MAX / 8] = {0};
    space->puzzle->goal(space, goal);
    plain_explore(&search, space, goal, false);
    fixture_ok(answers_new(fixture->store, &answers, &fixture->error));
    answers_begin(answers);
    for (size_t i = 0; i < search.count; i += 1 + search.count / ASKED) {
        struct answer answer = {0};
        uint64_t start[PZ_STATE_MAX / 8] = {0};
        const bool with_path = i % 7 == 0;
        memcpy(start, plain_state(&search, i), space->state_bytes);
        fixture_ok(
            answer_distance(answers, space, ANSWER_FROM_EITHER, start, with_path, &answer, &fixture->error));
        assert_int_equal(answer.moves, search.depths[i]);
        assert_true(!with_path || answer_replays(space, start, &answer));
        free(answer.path);
    }
    for (uint32_t depth = 0; depth < search.levels; depth++) {
        const unsigned most = search.level[depth] < 12 ? (unsigned)search.level[depth] : 12;
        fixture_ok(answer_sample_of(answers, space, depth, 12, 3, &boards, fixture));
        assert_int_equal(boards.count, most);
        for (unsigned i = 0; i < boards.count; i++) {
            const uint8_t *one = (const uint8_t *)boards.states + (size_t)i * space->state_bytes;
            assert_int_equal(search.depths[*plain_slot(&search, one) - 1], depth);
        }
        free(boards.states);
    }
    fixture_ok(answer_deepest(answers, space, ANSWER_FROM_EITHER, 0, &boards, &fixture->error));
    assert_int_equal(boards.total, search.level[search.levels - 1]);
    free(boards.states);
    answers_end(answers);
    answers_free(answers);
    plain_free(&search);
}

/* All states are one part, whose farthest one is at the last level. */
static void check_one_part(struct fixture *fixture, const struct pz_space *space, uint32_t depth)
{
    struct answers *answers;
    struct answer_parts all;
    struct answer answer = {0};
    (void)explore_own(fixture, space,
                      (struct exploration){.engine = ENGINE_RANKED, .threads = 2, .parts = true});
    fixture_ok(answers_new(fixture->store, &answers, &fixture->error));
    fixture_ok(answer_parts(answers, space, ANSWER_FROM_EITHER, 0, 2, &all, &fixture->error));
    assert_int_equal(all.total, 1);
    assert_int_equal(all.parts[0].states, space_count(space));
    assert_int_equal(all.parts[0].depth, depth);
    fixture_ok(answer_distance(answers, space, ANSWER_FROM_EITHER, all.parts[0].state, false, &answer,
                               &fixture->error));
    assert_int_equal(answer.moves, depth);
    free(all.parts);
    answers_free(answers);
}

/* Defines a permutation puzzle and opens it by its name. */
static struct pz_space *open_twists(const char *name, const char *text)
{
    define_text(DEFINITION_TWS, name, text);
    return plain_open(text_of("tws:%s", name), NULL, NULL, NULL, NULL);
}

/* The runs of the spinner are aligned; its table is by number all the same. */
store_test(a_permutation_puzzle_as_a_text_has_a_table_like_any_other)
{
    static const struct {
        const char *name, *puzzle, *text;
    } twists[] = {{"twists", "tws:twists",
                   "Set A 4 2\nSet B 3 1\nMove U\nA\n2 3 1 4\n1 0 1 0\nB\n2 1 3\nEnd\n"
                   "Move V\nA\n1 3 4 2\nB\n1 3 2\nEnd\n"},
                  {"spinner", "tws:spinner", spinner_with_cut}};
    struct fixture *fixture = *state;
    for (size_t i = 0; i < sizeof twists / sizeof *twists; i++) {
        uint32_t count = 0;
        struct pz_space *space = open_twists(twists[i].name, twists[i].text);
        uint64_t job = explore_own(fixture, space, (struct exploration){.engine = ENGINE_STRIPED});
        uint64_t *levels = levels_of_job(fixture, job, &count);
        assert_true(count > 4);
        check_levels(fixture, twists[i].puzzle, levels, count,
                     (struct exploration){.engine = ENGINE_RANKED, .threads = 2});
        check_answers(fixture, space);
        if (twists[i].text == spinner_with_cut)
            check_one_part(fixture, space, count - 1);
        free(levels);
        space_close(space);
    }
}

store_test(a_table_of_residues_answers_for_every_state)
{
    static const char *const puzzles[] = {"pancake:6", "pancake:4,burnt:yes", "topspin:7,4", "hanoi:3,5",
                                          "hanoi:4,4"};
    for (unsigned i = 0; i < sizeof puzzles / sizeof *puzzles; i++) {
        struct pz_space *space = plain_open(puzzles[i], NULL, NULL, NULL, NULL);
        (void)explore_own(*state, space, (struct exploration){.engine = ENGINE_RANKED});
        check_answers(*state, space);
        space_close(space);
    }
}

TEST(too_little_memory_is_refused_with_what_would_suffice)
{
    uint64_t root[PZ_STATE_MAX / 8] = {0};
    struct pz_error error = {0};
    struct pz_space *space = plain_open("pancake:12", NULL, NULL, NULL, NULL);
    space->puzzle->goal(space, root);
    struct explore_request request = {.space = space, .root = root, .depth = EXPLORE_NO_LIMIT, .threads = 1};
    assert_int_equal(explore_check_memory(&request, 100 << 20, &error), PZ_TOO_LARGE);
    assert_non_null(strstr(error.text, "479001600 states need 129.8M"));
    assert_int_equal(explore_check_memory(&request, 130 << 20, &error), PZ_OK);
    request.ranked.parts = true;
    assert_int_equal(explore_check_memory(&request, UINT64_C(1957) << 20, &error), PZ_TOO_LARGE);
    assert_non_null(strstr(error.text, "479001600 states need 1957.1M"));
    request.ranked.parts = false;
    space_close(space);
    space = plain_open("jugs:3,5", NULL, NULL, NULL, NULL);
    request.space = space;
    request.engine = ENGINE_RANKED;
    assert_int_equal(explore_check_memory(&request, 100 << 20, &error), PZ_UNSUPPORTED);
    space_close(space);
}
