/* SPDX-License-Identifier: MIT */
#include "plain_search.h"
#include "sokoban_room.h"

#include "space/sokoban/sokoban.h"

/* ---- a plain search, on the level's text itself ---- */

enum { TEXT_MAX = 96, ROUNDS_MAX = 400 };

struct texts {
    char (*text)[TEXT_MAX];
    size_t count, room;
};

static void texts_add(struct texts *texts, const char *text)
{
    if (texts->count == texts->room) {
        texts->room = texts->room == 0 ? 1024 : 2 * texts->room;
        texts->text = realloc(texts->text, texts->room * sizeof *texts->text);
        assert_non_null(texts->text);
    }
    (void)snprintf(texts->text[texts->count++], TEXT_MAX, "%s", text);
}

/* A set of texts; slots hold 1 + number. */
struct seen {
    struct texts texts;
    uint32_t *slots;
    size_t slot_count;
};

/* True when the text was not there yet. */
static bool seen_add(struct seen *seen, const char *text)
{
    size_t length = strlen(text);
    if (seen->texts.count * 2 >= seen->slot_count) {
        seen->slot_count = seen->slot_count == 0 ? 4096 : seen->slot_count * 2;
        free(seen->slots);
        seen->slots = calloc(seen->slot_count, sizeof *seen->slots);
        assert_non_null(seen->slots);
        for (size_t i = 0; i < seen->texts.count; i++) {
            size_t at = plain_hash(seen->texts.text[i], length) & (seen->slot_count - 1);
            while (seen->slots[at] != 0)
                at = (at + 1) & (seen->slot_count - 1);
            seen->slots[at] = (uint32_t)i + 1;
        }
    }
    size_t at = plain_hash(text, length) & (seen->slot_count - 1);
    for (; seen->slots[at] != 0; at = (at + 1) & (seen->slot_count - 1))
        if (strcmp(seen->texts.text[seen->slots[at] - 1], text) == 0)
            return false;
    texts_add(&seen->texts, text);
    seen->slots[at] = (uint32_t)seen->texts.count;
    return true;
}

static bool is_solved(const char *text)
{
    return strchr(text, '$') == NULL;
}

static bool is_free(char c)
{
    return c == '-' || c == '.';
}

/* Takes one step in a level's text; 0: barred, 1: a walk, 2: a push. */
static int take_step(char *text, long step)
{
    long player = (long)strcspn(text, "@+");
    char *here = &text[player];
    char *next = &text[player + step];
    int kind = 1;
    if (*next == '$' || *next == '*') {
        char *behind = &text[player + 2 * step];
        if (!is_free(*behind))
            return 0;
        *behind = "$*"[*behind == '.'];
        *next = "-."[*next == '*'];
        kind = 2;
    }
    if (!is_free(*next))
        return 0;
    *next = "@+"[*next == '.'];
    *here = "-."[*here == '+'];
    return kind;
}

/* The fewest pushes or moves, -1 when there is no solution: rounds of equal cost; what costs nothing joins
 * its own round. */
static long plain_cost(const char *level, bool pushes)
{
    long width = (long)strcspn(level, "/") + 1;
    const long steps[4] = {-width, width, -1, 1};
    assert_int_equal((strlen(level) + 1) % (size_t)width, 0); /* rows are padded */
    struct seen seen = {0};
    struct texts now = {0};
    struct texts later = {0};
    long answer = -1;
    texts_add(&now, level);
    for (long cost = 0; now.count > 0 && answer < 0; cost++) {
        for (size_t i = 0; i < now.count && answer < 0; i++) {
            if (!seen_add(&seen, now.text[i]))
                continue;
            if (is_solved(now.text[i]))
                answer = cost;
            for (unsigned d = 0; d < 4; d++) {
                char text[TEXT_MAX];
                memcpy(text, now.text[i], TEXT_MAX);
                int kind = take_step(text, steps[d]);
                if (kind != 0)
                    texts_add(pushes && kind == 1 ? &now : &later, text);
            }
        }
        struct texts done = now;
        now = later;
        later = done;
        later.count = 0;
    }
    free(seen.slots);
    free(seen.texts.text);
    free(now.text);
    free(later.text);
    return answer;
}

/* ---- levels ---- */

static long space_cost(const char *level, const char *metric)
{
    return plain_moves("sokoban", level, NULL, "metric", metric);
}

/* The plain search takes seconds for more boxes than these; it has found those numbers in the file once. */
enum { PLAIN_BOXES = 5 };

TEST(every_level_has_its_fewest_pushes_and_moves)
{
    struct test_rows rows;
    test_rows_open(&rows, "sokoban.csv", "name,boxes,level,");
    while (test_rows_next(&rows, 5)) {
        char *const *field = rows.field;
        const char *level = field[2];
#ifdef PUZZLED_SANITIZED
        if (test_number(field[1]) > 3)
            continue;
#endif
        long pushes = space_cost(level, "push");
        long moves = space_cost(level, "move");
        assert_int_equal(pushes, test_number(field[3]));
        assert_int_equal(moves, test_number(field[4]));
        if (test_number(field[1]) > PLAIN_BOXES)
            continue;
        assert_int_equal(pushes, plain_cost(level, true));
        assert_int_equal(moves, plain_cost(level, false));
    }
    test_rows_close(&rows, 13);
}

TEST(random_levels_agree_with_the_plain_search)
{
    struct random random = {31};
    unsigned wanted = 300;
    unsigned solved = 0;
#ifdef PUZZLED_SANITIZED
    wanted = 25;
#endif
    for (unsigned i = 0; i < wanted;) {
        char level[TEXT_MAX];
        struct pz_space *space = NULL;
        struct pz_error error = {0};
        make_room(&random, level);
        /* A box or a goal that is walled in is refused, not unsolvable. */
        if (plain_try_open(&space, "sokoban", level, NULL, NULL, NULL, &error) != PZ_OK)
            continue;
        space_close(space);
        long pushes = plain_cost(level, true);
        if (space_cost(level, "push") != pushes || space_cost(level, "move") != plain_cost(level, false))
            fail_msg("%s", level);
        solved += pushes >= 0;
        i++;
    }
    assert_in_range(solved, wanted / 10, wanted);
}

TEST(a_position_is_one_state_wherever_the_player_may_walk)
{
    uint8_t a[PZ_STATE_MAX];
    uint8_t b[PZ_STATE_MAX];
    struct pz_space *space = plain_open("sokoban", "######/#-#--#/#-$@.#/#----#/######", NULL, NULL, NULL);
    parse_state(space, "######/#-#--#/#-$@.#/#----#/######", a);
    parse_state(space, "######/#-#--#/#-$-+#/#----#/######", b);
    assert_memory_equal(a, b, space->state_bytes);
    space_close(space);
    space = plain_open("sokoban", "######/#-#--#/#-$@.#/#----#/######", NULL, "metric", "move");
    parse_state(space, "######/#-#--#/#-$@.#/#----#/######", a);
    parse_state(space, "######/#-#--#/#-$-+#/#----#/######", b);
    assert_memory_not_equal(a, b, space->state_bytes);
    space_close(space);
}

TEST(the_usual_spellings_of_floor_are_one)
{
    struct pz_space *a = plain_open("sokoban", "######/#@   #/# $  #/#   .#/######", NULL, NULL, NULL);
    struct pz_space *b = plain_open("sokoban", "######|#@-_-#|#_$--#|#___.#|######", NULL, NULL, NULL);
    assert_string_equal(a->size, "######/#@---#/#-$--#/#---.#/######,metric:push");
    assert_string_equal(a->size, b->size);
    char name[PZ_SIZE_MAX + 64];
    (void)space_name(a, name);
    struct pz_space *again = plain_open(name, NULL, NULL, NULL, NULL);
    assert_string_equal(again->size, a->size);
    assert_string_equal(again->puzzle->separator, ",");
    space_close(again);
    space_close(b);
    space_close(a);
    a = plain_open("sokoban", "#####/#@$.#/#####", NULL, "metric", "move");
    assert_string_equal(a->size, "#####/#@$.#/#####,metric:move");
    assert_string_equal(a->puzzle->separator, "");
    space_close(a);
}

static void check_word(const char *metric, const char *from, const char *to, const char *expected)
{
    uint8_t a[PZ_STATE_MAX];
    uint8_t b[PZ_STATE_MAX];
    char word[PZ_TEXT_MAX];
    struct pz_space *space = plain_open("sokoban", from, NULL, "metric", metric);
    parse_state(space, from, a);
    parse_state(space, to, b);
    assert_int_equal(space->puzzle->describe(space, a, b, word), strlen(expected));
    assert_string_equal(word, expected);
    space_close(space);
}

TEST(moves_are_letters_and_pushes_name_the_box)
{
    check_word("move", "######/#@---#/#-$-.#/#----#/######", "######/#-@--#/#-$-.#/#----#/######", "r");
    check_word("move", "######/#-@--#/#-$-.#/#----#/######", "######/#----#/#-@-.#/#-$--#/######", "D");
    check_word("push", "######/#-@--#/#-$-.#/#----#/######", "######/#----#/#-@-.#/#-$--#/######", "2.2:D");
    check_word("push", "######/#-@--#/#-$-.#/#----#/######", "######/#----#/#-@$.#/#----#/######", "2.2:R");
}

TEST(a_box_on_a_dead_square_is_known_without_search)
{
    uint8_t root[PZ_STATE_MAX];
    struct pz_space *space = plain_open("sokoban", "######/#$---#/#-@-.#/#----#/######", NULL, NULL, NULL);
    assert_int_equal(space->puzzle->root(space, root, NULL), PZ_OK);
    assert_int_equal(space->puzzle->solvable(space, root), PZ_NO);
    space_close(space);
}

static unsigned count_pushes(const char *level)
{
    uint8_t root[PZ_STATE_MAX];
    uint8_t successors[16 * PZ_STATE_MAX];
    uint8_t tokens[16];
    struct pz_space *space = plain_open("sokoban", level, NULL, NULL, NULL);
    assert_int_equal(space->puzzle->root(space, root, NULL), PZ_OK);
    unsigned count = space->puzzle->expand(space, root, PZ_NO_TOKEN, successors, tokens);
    space_close(space);
    return count;
}

/* Pushed up to the wall, beside the other box, neither can be pushed any more: that is left out unless both
 * are home. */
TEST(a_push_that_freezes_a_box_off_the_goals_is_left_out)
{
    assert_int_equal(count_pushes("########/#..-$--#/#--$---#/#--@---#/#------#/########"), 5);
    assert_int_equal(count_pushes("########/#--.*--#/#--$---#/#--@---#/#------#/########"), 6);
}

/* The box in the doorway closes the room on the right, and can only be pushed into it. The other one can
 * wait. */
TEST(pushes_that_can_wait_are_left_out_of_a_search_for_a_solution)
{
    uint64_t root, successors[8];
    uint8_t tokens[8];
    struct pz_space *space = plain_open(
        "sokoban", "############/#-----#----#/#-$-@-$---.#/#-----#---.#/############", NULL, NULL, NULL);
    assert_int_equal(space->puzzle->root(space, &root, NULL), PZ_OK);
    assert_int_equal(space->puzzle->expand(space, &root, PZ_NO_TOKEN, successors, tokens), 2);
    assert_int_equal(space->puzzle->expand_needed(space, &root, PZ_NO_TOKEN, successors, tokens), 1);
    space_close(space);
}

/* The player is shut in on the wrong side of the box. */
TEST(a_box_that_must_be_pushed_from_where_no_way_leads_is_known_without_search)
{
    uint8_t root[PZ_STATE_MAX];
    struct pz_space *space = plain_open("sokoban", "########/#.-@$--#/########", NULL, NULL, NULL);
    assert_int_equal(space->puzzle->root(space, root, NULL), PZ_OK);
    assert_int_equal(space->puzzle->solvable(space, root), PZ_NO);
    space_close(space);
}

/* A row of 63 squares: cells of one row below another would lie 64 bits apart. */
TEST(a_corridor_as_long_as_a_word_is_searched)
{
    char wall[68];
    char row[68];
    memset(wall, '#', 65);
    memset(row, '-', 65);
    wall[65] = row[65] = '\0';
    row[0] = row[64] = '#';
    row[1] = '@';
    row[3] = '$';
    row[62] = '.';
    const char *level = text_of("%s/%s/%s", wall, row, wall);
    assert_int_equal(space_cost(level, "push"), 59);
    assert_int_equal(space_cost(level, "move"), 60);
}

/* Along the wall both boxes come to the goal on the left, and neither to the other one. */
TEST(boxes_without_goals_of_their_own_are_known_without_search)
{
    uint8_t root[PZ_STATE_MAX];
    struct pz_space *space =
        plain_open("sokoban", "#########/#.-$-$--#/#---@---#/#-----.-#/#########", NULL, NULL, NULL);
    assert_int_equal(space->puzzle->root(space, root, NULL), PZ_OK);
    assert_int_equal(space->puzzle->solvable(space, root), PZ_NO);
    space_close(space);
}

/* It is 0 at a goal, and no move lowers it by more than one. */
TEST(the_matching_is_a_consistent_bound)
{
    static const char *const metrics[] = {"push", "move"};
    for (size_t m = 0; m < 2; m++) {
        struct plain_search search;
        uint8_t root[PZ_STATE_MAX];
        uint8_t successors[16 * PZ_STATE_MAX];
        uint8_t tokens[16];
        struct pz_space *space =
            plain_open("sokoban", "#######/#.---.#/#-$@$-#/#-----#/#######", NULL, "metric", metrics[m]);
        assert_int_equal(space->puzzle->root(space, root, NULL), PZ_OK);
        plain_explore(&search, space, root, false);
        for (size_t i = 0; i < search.count; i++) {
            unsigned bound = sokoban_match((const struct sokoban *)space, plain_state(&search, i));
            assert_true(bound == 0 || !space->puzzle->is_goal(space, plain_state(&search, i)));
            unsigned count =
                space->puzzle->expand(space, plain_state(&search, i), PZ_NO_TOKEN, successors, tokens);
            for (unsigned j = 0; j < count; j++)
                assert_true(sokoban_match((const struct sokoban *)space,
                                          successors + (size_t)j * space->state_bytes) +
                                1 >=
                            bound);
        }
        plain_free(&search);
        space_close(space);
    }
}

/* Writes a room of 3 × 10 below rows of boxes at home, which can never be pushed, or of walls. */
static void write_crowd(char level[256], unsigned rows, bool walls)
{
    size_t length = (size_t)sprintf(level, "############/");
    for (unsigned row = 0; row < rows; row++)
        length += (size_t)sprintf(level + length, "#%s#/", walls ? "##########" : "**********");
    (void)sprintf(level + length, "#-------#--#/#-$@$-$-..-#/#--#-----.-#/############");
}

/* States of 32 and of 64 bytes. */
TEST(boxes_that_never_move_are_as_walls)
{
    char boxes[256], walls[256];
    for (unsigned rows = 2; rows <= 6; rows += 2) {
        write_crowd(boxes, rows, false);
        write_crowd(walls, rows, true);
        struct pz_space *space = plain_open("sokoban", boxes, NULL, NULL, NULL);
        assert_int_equal(space->state_bytes, rows == 2 ? 32 : 64);
        space_close(space);
        assert_int_equal(space_cost(boxes, "push"), space_cost(walls, "push"));
        assert_int_equal(space_cost(boxes, "move"), space_cost(walls, "move"));
        assert_true(space_cost(walls, "push") > 0);
    }
    (void)sprintf(boxes, "###################/#****************-#/#****************-#/#****************-#/"
                         "#****************@#/###################");
    plain_assert_refused(PZ_TOO_LARGE, "64 boxes, at most 63 fit", "sokoban", boxes, NULL, NULL, NULL);
}

TEST(bad_input_is_refused_with_the_reason)
{
    plain_assert_refused(PZ_BAD_REQUEST, "needs a level", "sokoban", NULL, NULL, NULL, NULL);
    plain_assert_refused(PZ_BAD_BOARD, "0 players", "sokoban", "#####/#-$.#/#####", NULL, NULL, NULL);
    plain_assert_refused(PZ_BAD_BOARD, "2 players", "sokoban", "######/#@@$.#/######", NULL, NULL, NULL);
    plain_assert_refused(PZ_BAD_BOARD, "1 boxes and 2 goals", "sokoban", "######/#@$..#/######", NULL, NULL,
                         NULL);
    plain_assert_refused(PZ_BAD_BOARD, "2 boxes and 1 goals", "sokoban", "######/#@$$.#/######", NULL, NULL,
                         NULL);
    plain_assert_refused(PZ_BAD_BOARD, "no box", "sokoban", "####/#@-#/####", NULL, NULL, NULL);
    plain_assert_refused(PZ_BAD_BOARD, "open at row 1, column 4", "sokoban", "#####/#@$.-/#####", NULL, NULL,
                         NULL);
    plain_assert_refused(PZ_BAD_BOARD, "no one can get to the box in row 1, column 5", "sokoban",
                         "#######/#@.##$#/#######", NULL, NULL, NULL);
    plain_assert_refused(PZ_BAD_BOARD, "no one can get to any box", "sokoban", "######/#@##*#/######", NULL,
                         NULL, NULL);
    plain_assert_refused(PZ_BAD_BOARD, "0xE7", "sokoban", "#####/#@$箱#/#####", NULL, NULL, NULL);
    plain_assert_refused(PZ_BAD_BOARD, "empty", "sokoban", "", NULL, NULL, NULL);
    plain_assert_refused(PZ_BAD_REQUEST, "no goal=", "sokoban", "#####/#@$.#/#####", "x", NULL, NULL);
    plain_assert_refused(PZ_BAD_REQUEST, "metric=step", "sokoban", "#####/#@$.#/#####", NULL, "metric",
                         "step");

    char large[1200];
    memset(large, '#', sizeof large - 1);
    large[sizeof large - 1] = '\0';
    plain_assert_refused(PZ_TOO_LARGE, "at most 1000", "sokoban", large, NULL, NULL, NULL);

    struct pz_error error = {0};
    uint8_t packed[PZ_STATE_MAX];
    struct pz_space *space = plain_open("sokoban", "#####/#@$.#/#####", NULL, NULL, NULL);
    assert_int_equal(space->puzzle->parse(space, "#####/#@$-#/#####", packed, &error), PZ_BAD_BOARD);
    assert_int_equal(space->puzzle->parse(space, "#####/#@.$#/#####", packed, &error), PZ_BAD_BOARD);
    assert_int_equal(space->puzzle->parse(space, "#####/#@-*#/#####/@", packed, &error), PZ_BAD_BOARD);
    parse_state(space, "#####/#@-*#/#####", packed);
    space_close(space);
}
