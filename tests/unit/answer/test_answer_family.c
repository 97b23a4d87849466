/* SPDX-License-Identifier: MIT */
/* Families of Klotski boards: their numbers, and one exploration from all goals of all of them. */
#include "answer_fixture.h"
#include "explore/explore.h"

/* Fills the cells of a board of 4 columns in every way, by hand: an independent list of a family's boards. */
enum { SINGLES, LYING, STANDING, SQUARES, SHAPES };

struct listing {
    const struct pz_space *space;
    unsigned cells;
    unsigned left[SHAPES]; /* blocks that may still be put there */
    bool all;              /* boards with all of them only */
    char board[32];        /* of cells, without rows */
    uint8_t *seen;         /* by number */
    uint64_t count;
};

static void take_board(struct listing *listing, unsigned empty)
{
    char text[40] = "";
    size_t length = 0;
    uint64_t state[PZ_STATE_MAX / 8] = {0}, again[PZ_STATE_MAX / 8] = {0};
    bool whole = empty >= 2 && listing->left[SQUARES] == 0;
    for (unsigned shape = 0; listing->all && shape < SHAPES; shape++)
        whole = whole && listing->left[shape] == 0;
    if (!whole)
        return;
    for (unsigned cell = 0; cell < listing->cells; cell++) {
        if (cell > 0 && cell % 4 == 0)
            text[length++] = '/';
        text[length++] = listing->board[cell];
    }
    text[length] = '\0';
    parse_state(listing->space, text, state);
    const uint64_t number = listing->space->puzzle->rank(listing->space, state);
    assert_true(number < space_count(listing->space));
    assert_false(listing->seen[number]);
    listing->seen[number] = 1;
    listing->space->puzzle->unrank(listing->space, number, again);
    assert_memory_equal(state, again, listing->space->state_bytes);
    listing->count++;
}

static void list_boards(struct listing *listing, unsigned cell, unsigned blocks, unsigned empty)
{
    static const unsigned offsets[SHAPES][4] = {{0}, {0, 1}, {0, 4}, {0, 1, 4, 5}};
    static const unsigned sizes[SHAPES] = {1, 2, 2, 4};
    while (cell < listing->cells && listing->board[cell] != 0)
        cell++;
    if (cell == listing->cells) {
        take_board(listing, empty);
        return;
    }
    listing->board[cell] = '@';
    if (!listing->all || empty < 2)
        list_boards(listing, cell + 1, blocks, empty + 1);
    for (unsigned shape = 0; shape < SHAPES; shape++) {
        bool fits = listing->left[shape] > 0 && ((shape != LYING && shape != SQUARES) || cell % 4 < 3);
        fits = fits && (shape < STANDING || cell + 4 < listing->cells);
        listing->board[cell] = 0;
        for (unsigned i = 0; fits && i < sizes[shape]; i++)
            fits = listing->board[cell + offsets[shape][i]] == 0;
        if (!fits)
            continue;
        listing->left[shape]--;
        for (unsigned i = 0; i < sizes[shape]; i++)
            listing->board[cell + offsets[shape][i]] = (char)('a' + blocks);
        list_boards(listing, cell + 1, blocks + 1, empty);
        for (unsigned i = 0; i < sizes[shape]; i++)
            listing->board[cell + offsets[shape][i]] = 0;
        listing->left[shape]++;
    }
    listing->board[cell] = 0;
}

TEST(every_board_of_a_family_has_one_number)
{
    struct pz_space *space = plain_open("klotski:family,rows:3", NULL, NULL, NULL, NULL);
    struct listing listing = {.space = space, .cells = 12, .left = {12, 12, 12, 1}};
    listing.seen = calloc(space_count(space), 1);
    assert_non_null(listing.seen);
    list_boards(&listing, 0, 0, 0);
    assert_int_equal(listing.count, space_count(space));
    free(listing.seen);
    space_close(space);
}

/* Counts the listed boards that a listed one reaches, and takes them from the list. */
static uint64_t take_part(struct listing *listing, uint64_t first)
{
    const struct pz_space *space = listing->space;
    uint64_t *open = malloc(listing->count * sizeof *open);
    uint64_t *successors = malloc((size_t)space->max_successors * space->state_bytes);
    uint8_t *tokens = malloc(space->max_successors);
    uint64_t count = 0;
    assert_true(open != NULL && successors != NULL && tokens != NULL);
    listing->seen[first] = 0;
    open[count++] = first;
    for (uint64_t at = 0; at < count; at++) {
        uint64_t state[PZ_STATE_MAX / 8] = {0};
        space->puzzle->unrank(space, open[at], state);
        unsigned found = space->puzzle->expand(space, state, PZ_NO_TOKEN, successors, tokens);
        for (unsigned i = 0; i < found; i++) {
            const uint64_t next = space->puzzle->rank(space, successors + i); /* states of one word */
            if (listing->seen[next])
                open[count++] = next;
            listing->seen[next] = 0;
        }
    }
    free(open);
    free(successors);
    free(tokens);
    return count;
}

/* 65,880 boards in 898 groups, the largest of 25,955: published by the project dnomd343/klotski. */
TEST(the_blocks_of_the_classic_layout_stand_in_as_many_ways_as_published)
{
    struct pz_space *space = plain_open("klotski:family", NULL, NULL, NULL, NULL);
    struct listing listing = {.space = space, .cells = 20, .left = {4, 1, 4, 1}, .all = true};
    uint64_t parts = 0, largest = 0;
    listing.seen = calloc(space_count(space), 1);
    assert_non_null(listing.seen);
    list_boards(&listing, 0, 0, 0);
    assert_int_equal(listing.count, 65880);
    for (uint64_t number = 0; number < space_count(space); number++) {
        const uint64_t boards = listing.seen[number] ? take_part(&listing, number) : 0;
        parts += boards > 0;
        largest = boards > largest ? boards : largest;
    }
    assert_int_equal(parts, 898);
    assert_int_equal(largest, 25955);
    free(listing.seen);
    space_close(space);
}

/* 29,334,498 boards: published by the project dnomd343/klotski, which lists them. */
TEST(the_family_of_five_rows_has_the_published_number_of_boards)
{
    struct pz_space *space = plain_open("klotski:family", NULL, NULL, NULL, NULL);
    const uint64_t count = space_count(space);
    assert_int_equal(count, 29334498);
    for (uint64_t number = 0; number < count; number += 1009) {
        uint64_t board[PZ_STATE_MAX / 8] = {0}, parsed[PZ_STATE_MAX / 8] = {0};
        char text[PZ_TEXT_MAX];
        space->puzzle->unrank(space, number, board);
        assert_int_equal(space->puzzle->rank(space, board), number);
        (void)space->puzzle->print(space, board, text);
        parse_state(space, text, parsed);
        assert_memory_equal(board, parsed, space->state_bytes);
    }
    space_close(space);
}

/* Distances to the nearest goal of all boards, by passes over all of them. -1: no goal is reached. */
static int *plain_distances(const struct pz_space *space, uint64_t *dead)
{
    const uint64_t count = space_count(space);
    int *distances = malloc(count * sizeof *distances);
    uint64_t *successors = malloc((size_t)space->max_successors * space->state_bytes);
    uint8_t *tokens = malloc(space->max_successors);
    uint64_t state[PZ_STATE_MAX / 8] = {0};
    bool changed = true;
    assert_true(distances != NULL && successors != NULL && tokens != NULL);
    for (uint64_t n = 0; n < count; n++) {
        space->puzzle->unrank(space, n, state);
        distances[n] = space->puzzle->is_goal(space, state) ? 0 : -1;
    }
    for (int level = 0; changed; level++) {
        changed = false;
        for (uint64_t n = 0; n < count; n++) {
            if (distances[n] != level)
                continue;
            space->puzzle->unrank(space, n, state);
            unsigned found = space->puzzle->expand(space, state, PZ_NO_TOKEN, successors, tokens);
            assert_true(found <= space->max_successors);
            for (unsigned i = 0; i < found; i++) {
                const uint64_t next = space->puzzle->rank(space, successors + i); /* states of one word */
                if (distances[next] < 0) {
                    distances[next] = level + 1;
                    changed = true;
                }
            }
        }
    }
    *dead = 0;
    for (uint64_t n = 0; n < count; n++)
        *dead += distances[n] < 0;
    free(successors);
    free(tokens);
    return distances;
}

static void check_answers(struct fixture *fixture, const struct pz_space *space, const int *distances,
                          uint64_t dead)
{
    struct answers *answers;
    struct answer_states boards;
    fixture_ok(answers_new(fixture->store, &answers, &fixture->error));
    answers_begin(answers);
    for (uint64_t n = 0; n < space_count(space); n++) {
        struct answer answer = {0};
        uint64_t start[PZ_STATE_MAX / 8] = {0};
        const bool with_path = n % 50 == 0;
        space->puzzle->unrank(space, n, start);
        fixture_ok(
            answer_distance(answers, space, ANSWER_FROM_EITHER, start, with_path, &answer, &fixture->error));
        assert_true(answer.to_goal);
        assert_int_equal(answer.moves, distances[n]);
        assert_int_equal(answer.solvable, distances[n] < 0 ? PZ_NO : PZ_YES);
        if (with_path && distances[n] >= 0)
            assert_true(answer_replays(space, start, &answer));
        free(answer.path);
    }
    fixture_ok(answer_deepest(answers, space, ANSWER_FROM_EITHER, 0, &boards, &fixture->error));
    for (unsigned i = 0; i < boards.count; i++)
        assert_int_equal(distances[space->puzzle->rank(space, (const uint64_t *)boards.states + i)],
                         boards.depth);
    free(boards.states);
    fixture_ok(answer_deepest(answers, space, ANSWER_FROM_GOALS, 10, &boards, &fixture->error));
    assert_int_equal(boards.total, dead);
    for (unsigned i = 0; i < boards.count; i++)
        assert_int_equal(distances[space->puzzle->rank(space, (const uint64_t *)boards.states + i)], -1);
    free(boards.states);
    answers_end(answers);
    answers_free(answers);
}

/* Each level of a stored exploration against plain distances. */
static void check_levels(struct fixture *fixture, uint64_t job, const struct pz_space *space,
                         const int *distances, uint64_t dead)
{
    struct store_level *levels = NULL;
    uint64_t sum = 0;
    uint32_t count = 0;
    fixture_ok(store_levels(fixture->store, job, &levels, &count, &fixture->error));
    for (uint32_t level = 0; level < count; level++) {
        uint64_t expected = 0;
        for (uint64_t n = 0; n < space_count(space); n++)
            expected += distances[n] == (int)level;
        assert_int_equal(levels[level].states, expected);
        sum += expected;
    }
    assert_int_equal(sum + dead, space_count(space));
    free(levels);
}

store_test(one_exploration_answers_for_every_board_of_a_family)
{
    static const char *const metrics[] = {"move", "step"};
    for (unsigned i = 0; i < 2; i++) {
        uint64_t dead = 0;
        struct pz_space *space = plain_open("klotski:family,rows:3", NULL, NULL, "metric", metrics[i]);
        int *distances = plain_distances(space, &dead);
        assert_true(dead > 0);
        for (unsigned threads = 1; threads <= 8; threads = threads == 1 ? 2 : threads * 4) {
            struct fixture *fixture = *state;
            uint64_t job =
                explore_own(fixture, space, (struct exploration){.from = FROM_GOALS, .threads = threads});
            check_levels(fixture, job, space, distances, dead);
        }
        check_answers(*state, space, distances, dead);
        free(distances);
        space_close(space);
    }
}

/* The part of each board by plain passes: the lowest number that it reaches. */
static uint32_t *plain_parts(const struct pz_space *space)
{
    const uint32_t count = (uint32_t)space_count(space);
    uint32_t *parts = malloc(count * sizeof *parts);
    uint64_t *successors = malloc((size_t)space->max_successors * space->state_bytes);
    uint8_t *tokens = malloc(space->max_successors);
    bool changed = true;
    assert_true(parts != NULL && successors != NULL && tokens != NULL);
    for (uint32_t n = 0; n < count; n++)
        parts[n] = n;
    while (changed) {
        changed = false;
        for (uint32_t n = 0; n < count; n++) {
            uint64_t state[PZ_STATE_MAX / 8] = {0};
            space->puzzle->unrank(space, n, state);
            unsigned found = space->puzzle->expand(space, state, PZ_NO_TOKEN, successors, tokens);
            for (unsigned i = 0; i < found; i++) {
                const uint64_t next = space->puzzle->rank(space, successors + i);
                changed |= parts[next] < parts[n];
                parts[n] = parts[next] < parts[n] ? parts[next] : parts[n];
            }
        }
    }
    free(successors);
    free(tokens);
    return parts;
}

/* Each listed part against the plain ones: its size, and that none of its boards is farther than the one
 * told. */
static void check_part(const struct pz_space *space, const struct table_part *part, const uint32_t *parts,
                       const int *distances)
{
    const uint64_t told = space->puzzle->rank(space, part->state);
    uint64_t states = 0;
    for (uint64_t n = 0; n < space_count(space); n++) {
        if (parts[n] != parts[told])
            continue;
        states++;
        assert_true(distances[n] <= distances[told]);
    }
    assert_int_equal(part->states, states);
    assert_int_equal(part->dead, distances[told] < 0);
    assert_true(part->dead || (int)part->depth == distances[told]);
}

store_test(the_parts_of_a_family_have_their_sizes_and_hardest_boards)
{
    uint64_t dead = 0;
    struct fixture *fixture = *state;
    struct pz_space *space = plain_open("klotski:family,rows:3", NULL, NULL, "metric", "step");
    int *distances = plain_distances(space, &dead);
    uint32_t *parts = plain_parts(space);
    for (unsigned threads = 1; threads <= 8; threads = threads == 1 ? 2 : threads * 4) {
        struct answers *answers;
        struct answer_parts all;
        uint64_t count = 0, sum = 0;
        uint64_t job = explore_own(
            fixture, space, (struct exploration){.from = FROM_GOALS, .threads = threads, .parts = true});
        check_levels(fixture, job, space, distances, dead);
        fixture_ok(answers_new(fixture->store, &answers, &fixture->error));
        fixture_ok(answer_parts(answers, space, ANSWER_FROM_EITHER, 0, 1u << 20, &all, &fixture->error));
        for (uint64_t n = 0; n < space_count(space); n++)
            count += parts[n] == n;
        assert_int_equal(all.total, count);
        assert_int_equal(all.count, count);
        for (unsigned i = 0; i < all.count; i++) {
            if (threads == 1)
                check_part(space, &all.parts[i], parts, distances);
            assert_true(i == 0 || all.parts[i].states <= all.parts[i - 1].states);
            sum += all.parts[i].states;
        }
        assert_int_equal(sum, space_count(space));
        free(all.parts);
        fixture_ok(answer_parts(answers, space, ANSWER_FROM_GOALS, count - 1, 10, &all, &fixture->error));
        assert_int_equal(all.count, 1);
        free(all.parts);
        answers_free(answers);
    }
    free(distances);
    free(parts);
    space_close(space);
}

store_test(a_table_without_parts_says_which_exploration_has_them)
{
    struct fixture *fixture = *state;
    struct answers *answers;
    struct answer_parts all;
    struct pz_space *space = plain_open("klotski:family,rows:3", NULL, NULL, NULL, NULL);
    (void)explore_own(fixture, space, (struct exploration){.from = FROM_GOALS});
    fixture_ok(answers_new(fixture->store, &answers, &fixture->error));
    assert_int_equal(answer_parts(answers, space, ANSWER_FROM_EITHER, 0, 1, &all, &fixture->error),
                     PZ_NO_TABLE);
    assert_non_null(strstr(fixture->error.text, "parts=yes"));
    answers_free(answers);
    space_close(space);
}

TEST(what_is_no_board_of_a_family_is_refused)
{
    plain_assert_refused(PZ_BAD_PUZZLE, "rows= is out of range (3 to 5)", "klotski:family,rows:6", NULL, NULL,
                         NULL, NULL);
    plain_assert_refused(PZ_BAD_REQUEST, "only klotski:family", "klotski:横刀立马", NULL, NULL, "rows", "4");
    plain_assert_refused(PZ_BAD_REQUEST, "place of the 2x2 block", "klotski:family", NULL, "B:0,0", NULL,
                         NULL);
    struct pz_space *space = plain_open("klotski:family,rows:3", NULL, NULL, NULL, NULL);
    uint64_t board[PZ_STATE_MAX / 8];
    struct pz_error error;
    assert_int_equal(space->puzzle->parse(space, "AABC/AADE/FGH@", board, &error), PZ_BAD_BOARD);
    assert_int_equal(space->puzzle->parse(space, "BBCD/@@@@/@@@@", board, &error), PZ_BAD_BOARD);
    parse_state(space, "AABB/AACC/@@@@", board);
    space_close(space);
}
