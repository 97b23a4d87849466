/* SPDX-License-Identifier: MIT */
/* Permutation puzzles as texts: moves=, the puzzle of some of the moves. */
#include "tws_text.h"

#include "base/random.h"

#include <stdlib.h>
#include <string.h>

static enum pz_status try_open(const char *text, const char *metric, const char *moves, struct pz_space **out,
                               struct pz_error *error)
{
    struct definition *definition = NULL;
    const struct pz_key keys[] = {{.key = "metric", .value = metric}, {.key = "moves", .value = moves}};
    const struct pz_setup setup = {.size = "text", .keys = keys, .key_count = moves != NULL ? 2 : 1};
    *out = NULL;
    enum pz_status status =
        definition_compile(DEFINITION_TWS, "text", text, strlen(text), &definition, error);
    if (status != PZ_OK)
        return status;
    status = definition_open(definition, &setup, out, error);
    definition_release(definition);
    return status;
}

static struct pz_space *open_some(const char *text, const char *metric, const char *moves)
{
    struct pz_space *space = NULL;
    struct pz_error error = {0};
    if (try_open(text, metric, moves, &space, &error) != PZ_OK)
        fail_msg("%s", error.text);
    return space;
}

/* The list in the space's name. */
static const char *moves_of(const struct pz_space *space)
{
    const char *moves = strstr(space->size, "moves:");
    return moves != NULL ? moves + strlen("moves:") : "";
}

/* Checks the words of the moves from the solved state, and the list in the name. */
static void check_some(const char *text, const char *moves, const char *words, const char *list)
{
    struct pz_space *space = open_some(text, "turn", moves);
    uint64_t state[PZ_STATE_MAX / 8] = {0}, successors[64][1];
    uint8_t tokens[64];
    char said[8 * PZ_TEXT_MAX] = "", word[PZ_TEXT_MAX];
    assert_int_equal(space->state_bytes, 8);
    assert_true(space->max_successors <= 64);
    space->puzzle->goal(space, state);
    const unsigned count = space->puzzle->expand(space, state, PZ_NO_TOKEN, successors, tokens);
    for (unsigned i = 0; i < count; i++) {
        assert_true(space->puzzle->describe(space, state, successors[i], word) > 0);
        (void)snprintf(said + strlen(said), sizeof said - strlen(said), "%s%s", i > 0 ? " " : "", word);
    }
    assert_string_equal(said, words);
    assert_string_equal(moves_of(space), list);
    space_close(space);
}

/* L and D turn the same three pieces, each with a pair of its own: D2 is L4, and D2' is L2. */
#define PQR  "Set P 3 1\nSet Q 3 1\nSet R 2 1\n"
#define L_PR "Move L\nP\n2 3 1\nR\n2 1\nEnd\n"
#define D_PQ "Move D\nP\n2 3 1\nQ\n2 1 3\nEnd\n"

TEST(a_chosen_move_keeps_powers_that_equal_those_of_another)
{
    struct plain_search search;
    struct pz_space *space = open_some(PQR L_PR D_PQ, "turn", "D");
    plain_explore_own(&search, space);
    assert_int_equal(search.levels, 2);
    assert_int_equal(search.level[1], 5);
    plain_free(&search);
    space_close(space);
    check_some(PQR L_PR D_PQ, "D", "L2 L2' D D3 D'", "L2:D");
    check_some(PQR L_PR D_PQ, "D2", "L2 L2'", "L2");
    check_some(PQR L_PR D_PQ, "D D3", "L2 L2' D D3 D'", "L2:D");
    check_some(PQR L_PR D_PQ, "D',D3", "D D3 D'", "D':D3");
    check_some(PQR L_PR D_PQ, "L", "L L2 L3 L2' L'", "L");
    check_some(PQR L_PR D_PQ, "D:L", "L L2 L3 L2' L' D D3 D'", "");
}

TEST(a_move_that_equals_the_power_of_another_can_be_chosen)
{
    static const char *const a =
        "Set E 8 1\nMove A\nE\n2 3 4 5 6 7 8 1\nEnd\nMove B\nE\n2 1 3 4 5 6 7 8\nEnd\n";
    const char *text = text_of("%sMove H\nE\n3 4 5 6 7 8 1 2\nEnd\n", a);
    check_some(text, "H", "A2 A4 A2'", "A2:A4");
    check_some(text, "H'", "A2 A2'", "A2");
    check_some(text, "A,H", "A A2 A3 A4 A3' A2' A'", "A");
    /* Called as the power that it is, it keeps its own powers, too. */
    text = text_of("%sMove A2\nE\n3 4 5 6 7 8 1 2\nEnd\n", a);
    check_some(text, "A2", "A2 A4 A2'", "A2:A4");
    check_some(text, "A2'", "A2 A2'", "A2'");
    check_some(text, "A4", "A4", "A4");
}

TEST(words_that_keep_no_move_are_refused)
{
    static const struct {
        const char *moves, *error;
    } faults[] = {
        {"Q", "moves=Q: 'Q' is no move"},     {"D7", "moves=D7: 'D7' is no move"},
        {"L,x", "moves=L,x: 'x' is no move"}, {"I", "moves=I: 'I' is no move"},
        {"", "moves=: no move is left"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct pz_space *space = NULL;
        struct pz_error error = {0};
        assert_int_equal(try_open(PQR L_PR D_PQ "Move I\nEnd\nMove x\nR\n2 1\nEnd\n", "turn", faults[i].moves,
                                  &space, &error),
                         PZ_BAD_REQUEST);
        assert_string_equal(error.text, faults[i].error);
    }
}

/* Listed beside U, U2 and U2' keep U4 too; only U2'' keeps U2 and U2' alone, a word that no move has. */
TEST(moves_that_a_name_cannot_say_are_refused)
{
    static const char *const text = "Set E 8 1\nMove U\nE\n2 3 4 5 6 7 8 1\nEnd\n"
                                    "Move U2\nE\n3 4 5 6 7 8 1 2\nEnd\nMove U2'\nE\n7 8 1 2 3 4 5 6\nEnd\n";
    struct pz_space *space = NULL;
    struct pz_error error = {0};
    check_some(text, "U2'", "U2 U4 U2'", "U2:U4");
    assert_int_equal(try_open(text, "turn", "U2''", &space, &error), PZ_UNSUPPORTED);
    assert_string_equal(error.text, "moves=U2'': a name cannot say these moves and no others");
}

/* ---- any texts ---- */

enum { LISTED_MAX = 5, SET_PLACES = 4 };

/* Two sets: one of four places with two turns, one of three places. */
struct random_move {
    const char *name;
    unsigned from[2][SET_PLACES], turn[SET_PLACES];
};

static const char *const sets_text = "Set A 4 2\nSet B 3 1\n";
static const unsigned places_of[2] = {4, 3};

static void do_after(const struct random_move *first, const struct random_move *second,
                     struct random_move *out)
{
    for (unsigned set = 0; set < 2; set++)
        for (unsigned i = 0; i < places_of[set]; i++)
            out->from[set][i] = first->from[set][second->from[set][i]];
    for (unsigned i = 0; i < places_of[0]; i++) /* said of the place that a piece leaves */
        out->turn[first->from[0][second->from[0][i]]] =
            (first->turn[first->from[0][second->from[0][i]]] + second->turn[second->from[0][i]]) % 2;
}

static void draw_move(struct random *random, struct random_move *move)
{
    for (unsigned set = 0; set < 2; set++)
        for (unsigned i = 0; i < places_of[set]; i++) {
            const unsigned k = (unsigned)random_below(random, i + 1);
            move->from[set][i] = move->from[set][k];
            move->from[set][k] = i;
        }
    const bool turns = random_below(random, 3) == 0;
    for (unsigned i = 0; i < places_of[0]; i++)
        move->turn[i] = turns ? (unsigned)random_below(random, 2) : 0;
}

/* Draws a move, or the power of one before, or what one does in one of the sets: many powers are the same. */
static void draw_like(struct random *random, struct random_move *moves, unsigned count)
{
    struct random_move *move = &moves[count];
    const unsigned kind = (unsigned)random_below(random, 3);
    const struct random_move *like = count > 0 ? &moves[random_below(random, count)] : NULL;
    struct random_move drawn, before;
    draw_move(random, &drawn);
    drawn.name = move->name;
    if (like != NULL && kind == 0) {
        drawn = *like;
        for (uint64_t more = random_below(random, 4); more > 0; more--) {
            before = drawn;
            do_after(&before, like, &drawn);
        }
    } else if (like != NULL && kind == 1) {
        memcpy(drawn.from[0], like->from[0], sizeof drawn.from[0]);
        memcpy(drawn.turn, like->turn, sizeof drawn.turn);
    }
    drawn.name = move->name;
    *move = drawn;
}

static void write_move(const struct random_move *move, char *text, size_t room)
{
    size_t length = strlen(text);
    length += (size_t)snprintf(text + length, room - length, "Move %s\nA\n", move->name);
    for (unsigned i = 0; i < 4; i++)
        length += (size_t)snprintf(text + length, room - length, "%u ", move->from[0][i] + 1);
    length += (size_t)snprintf(text + length, room - length, "\n");
    for (unsigned i = 0; i < 4; i++)
        length += (size_t)snprintf(text + length, room - length, "%u ", move->turn[i]);
    (void)snprintf(text + length, room - length, "\nB\n%u %u %u\nEnd\n", move->from[1][0] + 1,
                   move->from[1][1] + 1, move->from[1][2] + 1);
}

/* Checks that both have the same states in the same distances. */
static void check_same(const struct pz_space *some, const struct pz_space *alone, const char *what)
{
    struct plain_search a, b;
    plain_explore_own(&a, some);
    plain_explore_own(&b, alone);
    if (a.count != b.count || a.levels != b.levels)
        fail_msg("%s: %zu states in %u levels, not %zu in %u", what, a.count, a.levels, b.count, b.levels);
    for (size_t i = 0; i < b.count; i++) {
        uint64_t state[PZ_STATE_MAX / 8] = {0};
        char text[PZ_TEXT_MAX];
        memcpy(state, plain_state(&b, i), alone->state_bytes);
        (void)alone->puzzle->print(alone, state, text);
        memset(state, 0, sizeof state);
        parse_state(some, text, state);
        const uint32_t slot = *plain_slot(&a, state);
        if (slot == 0 || a.depths[slot - 1] != b.depths[i])
            fail_msg("%s: %s is in another distance", what, text);
    }
    plain_free(&a);
    plain_free(&b);
}

/* Returns false if a text is refused: two moves have the same word, or none moves a piece. */
static bool check_choice(const char *whole, const char *part, const char *metric, const char *list)
{
    struct pz_space *all = NULL, *alone = NULL;
    struct pz_error error = {0};
    const bool can = try_open(whole, metric, NULL, &all, &error) == PZ_OK &&
                     try_open(part, metric, NULL, &alone, &error) == PZ_OK;
    if (can) {
        char what[4096], first[PZ_SIZE_MAX];
        (void)snprintf(what, sizeof what, "%smetric=%s moves=%s", whole, metric, list);
        struct pz_space *some = NULL;
        if (try_open(whole, metric, list, &some, &error) != PZ_OK)
            fail_msg("%s: %s", what, error.text);
        check_same(some, alone, what);
        (void)snprintf(first, sizeof first, "%s", some->size);
        if (*moves_of(some) != '\0') { /* the list in the name keeps the same, and is its own name */
            struct pz_space *again = open_some(whole, metric, moves_of(some));
            assert_string_equal(again->size, first);
            assert_int_equal(again->max_successors, some->max_successors);
            check_same(again, alone, what);
            space_close(again);
        }
        space_close(some);
    }
    space_close(all);
    space_close(alone);
    return can;
}

TEST(chosen_moves_are_the_puzzle_of_a_text_that_has_no_others)
{
    static const char *const names[] = {"A", "B", "C", "A2", "B'", "D", "C3'"};
    struct random random = {.state = 1};
    unsigned checked = 0;
    for (unsigned i = 0; i < 400; i++) {
        struct random_move moves[LISTED_MAX];
        char whole[2048], part[2048], list[64] = "";
        const unsigned count = 2 + (unsigned)random_below(&random, LISTED_MAX - 1);
        const unsigned first = (unsigned)random_below(&random, 7);
        const uint64_t chosen = 1 + random_below(&random, (UINT64_C(1) << count) - 1);
        (void)snprintf(whole, sizeof whole, "%s", sets_text);
        (void)snprintf(part, sizeof part, "%s", sets_text);
        for (unsigned k = 0; k < count; k++) {
            moves[k].name = names[(first + k) % 7];
            do
                draw_like(&random, moves, k);
            while (moves[k].from[0][0] == 0 && moves[k].from[1][0] == 0); /* none that moves nothing */
            write_move(&moves[k], whole, sizeof whole);
            if ((chosen >> k & 1) == 0)
                continue;
            write_move(&moves[k], part, sizeof part);
            (void)snprintf(list + strlen(list), sizeof list - strlen(list), ",%s", moves[k].name);
        }
        checked += check_choice(whole, part, i % 4 == 0 ? "quarter" : "turn", list);
    }
    assert_true(checked > 280);
}
