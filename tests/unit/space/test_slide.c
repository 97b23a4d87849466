/* SPDX-License-Identifier: MIT */
#include "some_space.h"

#include "base/random.h"
#include "space/registry.h"
#include "space/slide/slide.h"

static struct pz_space *open_space(const char *puzzle, const char *goal)
{
    struct pz_space *space = NULL;
    struct pz_error error;
    struct pz_setup setup = {.goal = goal};
    assert_ok(space_open(puzzle, &setup, &space, &error), error);
    return space;
}

TEST(a_bare_size_means_slide)
{
    char name[PZ_SIZE_MAX + 64];
    struct pz_space *space = open_space("3x4", NULL);
    (void)space_name(space, name);
    assert_string_equal(name, "slide:3x4");
    assert_int_equal(space->state_bytes, 8);
    space_close(space);
    space = open_space("slide:5x5", NULL);
    assert_int_equal(space->state_bytes, 16);
    space_close(space);
    space = open_space("slide:6x7", NULL);
    assert_int_equal(space->state_bytes, 32);
    space_close(space);
}

TEST(unknown_puzzles_and_keys_are_refused_by_name)
{
    struct pz_space *space = NULL;
    struct pz_error error = {0};
    struct pz_setup setup = {0};
    assert_int_equal(space_open("rubik:3", &setup, &space, &error), PZ_BAD_PUZZLE);
    assert_non_null(strstr(error.text, "rubik:3"));
    assert_non_null(strstr(error.text, "slide"));
    assert_int_equal(space_open("slide", &setup, &space, &error), PZ_BAD_PUZZLE);
    assert_int_equal(space_open("", &setup, &space, &error), PZ_BAD_PUZZLE);
    struct pz_key key = {"colour", "red"};
    setup.keys = &key;
    setup.key_count = 1;
    assert_int_equal(space_open("3x3", &setup, &space, &error), PZ_BAD_REQUEST);
    assert_non_null(strstr(error.text, "colour"));
}

/* The successors by board_move, in words of the state, to hold the tables of expand against. */
static unsigned plain_successors(const struct pz_space *space, const void *state, unsigned skip,
                                 uint64_t *out)
{
    unsigned count = 0;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        struct board board;
        slide_board(space, state, &board);
        if ((skip >> d & 1u) == 0 && board_move(slide_grid(space), &board, (enum direction)d))
            slide_state(space, &board, out + space->state_bytes / 8 * count++);
    }
    return count;
}

/* The token of a move with that letter: the bit of the way back. */
static uint8_t way_back(const char *word)
{
    unsigned d = 0;
    while (direction_letter((enum direction)d) != word[0])
        d++;
    return (uint8_t)(1u << direction_inverse((enum direction)d));
}

/* back: the set of directions to leave out. */
static void check_expand(const struct pz_space *space, uint64_t *at, unsigned back)
{
    uint64_t expected[4 * DIRECTION_COUNT];
    uint64_t successors[4 * DIRECTION_COUNT];
    uint8_t tokens[DIRECTION_COUNT];
    unsigned skip = back == PZ_NO_TOKEN ? 0 : back;
    unsigned count = space->puzzle->expand(space, at, (uint8_t)back, successors, tokens);
    assert_int_equal(count, plain_successors(space, at, skip, expected));
    assert_memory_equal(successors, expected, count * space->state_bytes);
    for (unsigned i = 0; i < count; i++) {
        char word[PZ_TEXT_MAX];
        assert_int_equal(
            space->puzzle->describe(space, at, (const char *)successors + i * space->state_bytes, word), 1);
        assert_int_equal(tokens[i], way_back(word));
    }
}

TEST(expand_makes_what_moving_the_blank_makes_on_every_width)
{
    static const char *const sizes[] = {"1x2", "1x5", "2x3", "3x3", "3x4", "4x4",
                                        "3x6", "5x5", "4x7", "6x7", "7x6"};
    struct random random = {4};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct pz_space *space = open_space(sizes[i], NULL);
        uint64_t at[4];
        unsigned back = PZ_NO_TOKEN;
        space->puzzle->goal(space, at);
        for (int step = 0; step < 3000; step++) {
            uint64_t successors[4 * DIRECTION_COUNT];
            uint8_t tokens[DIRECTION_COUNT];
            check_expand(space, at, back);
            check_expand(space, at, (unsigned)random_below(&random, 1 << DIRECTION_COUNT));
            unsigned count = space->puzzle->expand(space, at, PZ_NO_TOKEN, successors, tokens);
            unsigned pick = (unsigned)random_below(&random, count);
            memcpy(at, successors + space->state_bytes / 8 * pick, space->state_bytes);
            back = tokens[pick];
        }
        space_close(space);
    }
}

TEST(texts_survive_a_round_trip_through_states)
{
    struct pz_space *space = open_space("3x3", NULL);
    uint64_t at[4];
    char text[PZ_TEXT_MAX];
    parse_state(space, "867254301", at);
    (void)space->puzzle->print(space, at, text);
    assert_string_equal(text, "8,6,7/2,5,4/3,0,1");
    (void)space->puzzle->draw(space, at, text);
    assert_string_equal(text, " 8 6 7\n 2 5 4\n 3 . 1\n");
    assert_false(space->puzzle->is_goal(space, at));
    assert_int_equal(space->puzzle->solvable(space, at), PZ_YES);
    parse_state(space, "1,2,3/4,5,6/8,7,0", at);
    assert_int_equal(space->puzzle->solvable(space, at), PZ_NO);
    space_close(space);
}

TEST(equal_questions_have_equal_canonical_forms)
{
    struct pz_error error = {0};
    struct pz_canon canon;
    uint64_t root[4];
    uint64_t there[4];
    uint64_t back[4];
    char text[PZ_TEXT_MAX];
    struct pz_space *tall = open_space("4x3", "0,11,10/9,8,7/6,5,4/3,2,1");
    tall->puzzle->goal(tall, root);
    assert_ok(tall->puzzle->canon(tall, root, &canon, &error), error);
    assert_string_equal(canon.size, "3x4");
    struct pz_space *wide = open_space(canon.size, NULL);
    (void)wide->puzzle->print(wide, canon.root, text);
    assert_string_equal(text, "1,2,3,4/5,6,7,8/9,10,11,0");
    tall->puzzle->canon_in(tall, &canon, root, there);
    assert_memory_equal(there, canon.root, 8);
    tall->puzzle->canon_out(tall, &canon, there, back);
    assert_memory_equal(back, root, 8);
    space_close(wide);
    space_close(tall);
}

/* The successors by metric=multi: the blank along each direction by board_move. */
static unsigned plain_lines(const struct grid *grid, const struct pz_space *space, const void *state,
                            unsigned skip, uint64_t *out, char words[][4])
{
    unsigned count = 0;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        struct board board;
        slide_board(space, state, &board);
        for (unsigned cells = 1; (skip >> d & 1u) == 0 && board_move(grid, &board, (enum direction)d);
             cells++) {
            (void)snprintf(words[count], 4, cells > 1 ? "%c%u" : "%c", direction_letter((enum direction)d),
                           cells);
            slide_state(space, &board, out + space->state_bytes / 8 * count++);
        }
    }
    return count;
}

TEST(a_move_of_several_tiles_takes_the_blank_any_way_along_its_line)
{
    static const char *const sizes[] = {"1x2", "1x5", "2x3", "3x3", "4x4", "3x6", "5x5", "6x7"};
    struct random random = {5};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct pz_space *space = open_space(text_of("%s,metric:multi", sizes[i]), NULL);
        assert_null(slide_grid(space));
        uint64_t at[4];
        uint8_t token = PZ_NO_TOKEN;
        space->puzzle->goal(space, at);
        for (int step = 0; step < 500; step++) {
            uint64_t expected[4 * 11], successors[4 * 11];
            uint8_t tokens[11];
            char words[11][4];
            char word[PZ_TEXT_MAX];
            const unsigned skip = token == PZ_NO_TOKEN ? 0 : token;
            unsigned count = space->puzzle->expand(space, at, token, successors, tokens);
            assert_int_equal(count, plain_lines(slide_permutation(space), space, at, skip, expected, words));
            assert_memory_equal(successors, expected, (size_t)count * space->state_bytes);
            for (unsigned k = 0; k < count; k++) {
                const uint64_t *to = successors + space->state_bytes / 8 * k;
                assert_int_equal(space->puzzle->describe(space, at, to, word), strlen(words[k]));
                assert_string_equal(word, words[k]);
                assert_int_equal(tokens[k], strchr("UD", *word) != NULL ? 3 : 12);
            }
            if (count == 0) { /* in one row it can only go back */
                token = PZ_NO_TOKEN;
                continue;
            }
            const unsigned pick = (unsigned)random_below(&random, count);
            memcpy(at, successors + space->state_bytes / 8 * pick, space->state_bytes);
            token = tokens[pick];
        }
        space_close(space);
    }
}

TEST(the_metric_is_part_of_the_name_but_for_the_usual_one)
{
    struct pz_error error = {0};
    struct pz_canon canon;
    struct pz_space *space = NULL;
    struct pz_key key = {"metric", "multi"};
    struct pz_setup setup = {.keys = &key, .key_count = 1, .goal = "0,11,10/9,8,7/6,5,4/3,2,1"};
    uint64_t root[4];
    assert_ok(space_open("4x3", &setup, &space, &error), error);
    assert_string_equal(space->size, "4x3,metric:multi");
    space->puzzle->goal(space, root);
    assert_ok(space->puzzle->canon(space, root, &canon, &error), error);
    assert_string_equal(canon.size, "3x4,metric:multi");
    space_close(space);
    space = open_space("3x3,metric:multi", "1,1,2/2,#,0/3,4,4");
    assert_string_equal(space->size, "3x3,metric:multi,goal:1:1:2/2:#:0/3:4:4");
    space_close(space);
    key.value = "single";
    setup.goal = NULL;
    assert_ok(space_open("4x3", &setup, &space, &error), error);
    assert_string_equal(space->size, "4x3");
    space_close(space);
    key.value = "double";
    assert_int_equal(space_open("4x3", &setup, &space, &error), PZ_BAD_REQUEST);
}
