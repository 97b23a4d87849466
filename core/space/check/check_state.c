/* SPDX-License-Identifier: MIT */
/* Checks what one state shows: its text, its successors, its number, its bound. */
#include "space/check/check_state.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

enum { SHOWN_MAX = 160, UNTOUCHED = 0xA5 };

void check_broken(struct check *check, enum promise promise, const void *state, const char *format, ...)
{
    char line[1024];
    char shown[PZ_TEXT_MAX] = "";
    va_list arguments;
    if ((check->reported & (1u << promise)) != 0)
        return;
    check->reported |= 1u << promise;
    check->result->broken++;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (state != NULL && length > 0 && (size_t)length < sizeof line) {
        check_calling(check, "print");
        (void)check->puzzle->print(check->space, state, shown);
        (void)snprintf(line + length, sizeof line - (size_t)length, ", at the state %.*s", SHOWN_MAX, shown);
    }
    check->options->broken(check->options->context, line);
}

void check_calling(const struct check *check, const char *function)
{
    check->options->calling(check->options->context, function);
}

/* ---- text ---- */

static void check_printed_state(struct check *check, const void *state)
{
    char text[PZ_TEXT_MAX];
    uint64_t again[PZ_STATE_MAX / 8] = {0};
    struct pz_error error = {0};
    memset(text, UNTOUCHED, sizeof text);
    check_calling(check, "print");
    const size_t length = check->puzzle->print(check->space, state, text);
    if (length >= sizeof text || text[length] != '\0' || strlen(text) != length) {
        check_broken(check, PROMISE_TEXT, NULL, "print returned %zu, which is not the length of its text",
                     length);
        return;
    }
    if (length == 0 || strpbrk(text, " \t\n") != NULL)
        check_broken(check, PROMISE_TEXT, state, "print writes a text with blanks, or none");
    check_calling(check, "parse");
    if (check->puzzle->parse(check->space, text, again, &error) != PZ_OK)
        check_broken(check, PROMISE_TEXT, state, "parse refuses what print writes: %.200s", error.text);
    else if (memcmp(again, state, check->space->state_bytes) != 0)
        check_broken(check, PROMISE_TEXT, state, "parse reads another state from what print writes");
}

static void check_drawing(struct check *check, const void *state)
{
    char text[PZ_TEXT_MAX];
    if (check->puzzle->draw == NULL)
        return;
    memset(text, UNTOUCHED, sizeof text);
    check_calling(check, "draw");
    const size_t length = check->puzzle->draw(check->space, state, text);
    if (length >= sizeof text || strnlen(text, sizeof text) != length)
        check_broken(check, PROMISE_DRAWING, state, "draw returned %zu, which is not the length of its text",
                     length);
    else if (length == 0 || text[length - 1] != '\n')
        check_broken(check, PROMISE_DRAWING, state, "draw writes a last line without LF, or none");
}

/* ---- successors ---- */

static bool check_has_successor(const struct check *check, const struct checked_successors *successors,
                                const void *state)
{
    for (unsigned i = 0; i < successors->count; i++)
        if (memcmp(check_successor(check, successors, i), state, check->space->state_bytes) == 0)
            return true;
    return false;
}

bool check_expand(struct check *check, const void *state, uint8_t came_by,
                  struct checked_successors *successors)
{
    const uint32_t most = check->space->max_successors;
    const size_t promised = (size_t)most * check->space->state_bytes;
    const size_t watched = promised + (size_t)PZ_STATE_MAX * 64 < sizeof successors->states
                               ? (size_t)PZ_STATE_MAX * 64
                               : sizeof successors->states - promised;
    memset(successors->states + promised, UNTOUCHED, watched);
    check_calling(check, "expand");
    successors->count =
        check->puzzle->expand(check->space, state, came_by, successors->states, successors->tokens);
    if (successors->count > most) {
        check_broken(check, PROMISE_SUCCESSORS, state, "expand gave %u successors, and max_successors is %u",
                     successors->count, most);
        return false;
    }
    for (size_t i = 0; i < watched; i++) {
        if (successors->states[promised + i] != UNTOUCHED) {
            check_broken(check, PROMISE_SUCCESSORS, state, "expand wrote behind %u successors", most);
            return false;
        }
    }
    return true;
}

static size_t check_word_of(struct check *check, const void *state,
                            const struct checked_successors *successors, unsigned number,
                            char word[PZ_TEXT_MAX])
{
    check_calling(check, "describe");
    return check->puzzle->describe(check->space, state, check_successor(check, successors, number), word);
}

/* Returns true if one of the successors before is another state, and has the same word. */
static bool check_word_is_taken(struct check *check, const void *state,
                                const struct checked_successors *successors, unsigned number,
                                const char *word)
{
    char other[PZ_TEXT_MAX];
    const uint8_t *to = check_successor(check, successors, number);
    for (unsigned i = 0; i < number && i < CHECK_FOLLOWED; i++) {
        (void)check_word_of(check, state, successors, i, other);
        if (strcmp(other, word) == 0 &&
            memcmp(check_successor(check, successors, i), to, check->space->state_bytes) != 0)
            return true;
    }
    return false;
}

static void check_words(struct check *check, const void *state, const struct checked_successors *successors)
{
    char word[PZ_TEXT_MAX];
    for (unsigned i = 0; i < successors->count; i++) {
        const size_t length = check_word_of(check, state, successors, i, word);
        if (length == 0 || length >= sizeof word || strlen(word) != length || strpbrk(word, " ,\n") != NULL)
            check_broken(
                check, PROMISE_WORDS, state,
                "describe writes a word that is empty, longer or shorter than it returns, or has a blank or "
                "comma in it");
        else if (length > 1 && (check->puzzle->separator == NULL || *check->puzzle->separator == '\0'))
            check_broken(check, PROMISE_WORDS, state,
                         "describe writes '%.40s', and there is no separator: paths cannot be read", word);
        else if (check_word_is_taken(check, state, successors, i, word))
            check_broken(check, PROMISE_WORDS, state,
                         "describe writes '%.40s' for two moves that lead to different states", word);
    }
}

static bool is_same(const struct check *check, const struct checked_successors *one,
                    const struct checked_successors *other)
{
    return one->count == other->count &&
           memcmp(one->states, other->states, (size_t)one->count * check->space->state_bytes) == 0;
}

/* The way back, and what tokens leave out: the state before, and its other successors. */
static void check_ways_back(struct check *check, const void *state,
                            const struct checked_successors *successors)
{
    struct checked_successors *all = check->successors[1];
    struct checked_successors *left = check->successors[2];
    if ((check->space->flags & PZ_REVERSIBLE) == 0)
        return;
    for (unsigned i = 0; i < successors->count && i < CHECK_FOLLOWED; i++) {
        const uint8_t *next = check_successor(check, successors, i);
        if (!check_expand(check, next, PZ_NO_TOKEN, all) ||
            !check_expand(check, next, successors->tokens[i], left))
            return;
        if (!check_has_successor(check, all, state))
            check_broken(check, PROMISE_REVERSIBLE, next,
                         "PZ_REVERSIBLE: a move that led to it cannot be undone by one move");
        const bool same = is_same(check, left, all);
        for (unsigned j = 0; j < all->count && !same; j++) {
            const uint8_t *far = check_successor(check, all, j);
            if (!check_has_successor(check, left, far) && !check_has_successor(check, successors, far) &&
                memcmp(far, state, check->space->state_bytes) != 0)
                check_broken(check, PROMISE_TOKENS, next,
                             "expand with the token of its state leaves out a successor that is neither the "
                             "state before nor another of its successors");
        }
    }
}

/* Returns true if each successor of the part is in the whole. */
static bool is_part_of(const struct check *check, const struct checked_successors *part,
                       const struct checked_successors *whole)
{
    for (unsigned i = 0; i < part->count; i++)
        if (!check_has_successor(check, whole, check_successor(check, part, i)))
            return false;
    return true;
}

static void check_other_expands(struct check *check, const void *state,
                                const struct checked_successors *successors)
{
    struct checked_successors *other = check->successors[1];
    const uint8_t none = PZ_NO_TOKEN;
    if (check->puzzle->expand_many != NULL) {
        check_calling(check, "expand_many");
        other->count =
            check->puzzle->expand_many(check->space, state, &none, 1, other->states, other->tokens);
        if (other->count > check->space->max_successors || !is_part_of(check, successors, other) ||
            !is_part_of(check, other, successors))
            check_broken(check, PROMISE_MANY, state, "expand_many gives other successors than expand");
    }
    if (check->puzzle->expand_needed != NULL) {
        check_calling(check, "expand_needed");
        other->count = check->puzzle->expand_needed(check->space, state, none, other->states, other->tokens);
        if (other->count > check->space->max_successors || !is_part_of(check, other, successors))
            check_broken(check, PROMISE_NEEDED, state,
                         "expand_needed gives a successor that expand does not");
    }
}

static bool check_successors(struct check *check, const void *state)
{
    struct checked_successors *successors = check->successors[0];
    struct checked_successors *again = check->successors[1];
    if (!check_expand(check, state, PZ_NO_TOKEN, successors) ||
        !check_expand(check, state, PZ_NO_TOKEN, again))
        return false;
    if (!is_same(check, again, successors))
        check_broken(check, PROMISE_SAME_AGAIN, state, "expand gives other successors the second time");
    check_words(check, state, successors);
    check_other_expands(check, state, successors);
    check_ways_back(check, state, successors);
    return true;
}

/* ---- numbers ---- */

/* Returns the state's number; 0, reported, if it has none. */
static uint64_t rank_of(struct check *check, const void *state, uint64_t count)
{
    check_calling(check, "rank");
    const uint64_t number = check->puzzle->rank(check->space, state);
    if (number < count)
        return number;
    check_broken(check, PROMISE_RANK, state, "rank gave the number %" PRIu64 ", and count is %" PRIu64,
                 number, count);
    return 0;
}

/* Every successor's number is that which step gives for one of the moves. */
static void check_step(struct check *check, const void *state, uint64_t number, uint64_t count)
{
    const struct checked_successors *successors = check->successors[0];
    for (unsigned move = 0; check->puzzle->step != NULL && move < check->space->max_successors; move++) {
        uint64_t next = 0;
        bool known = false;
        check_calling(check, "step");
        check->puzzle->step(check->space, move, &number, 1, &next);
        for (unsigned i = 0; i < successors->count; i++)
            known |= rank_of(check, check_successor(check, successors, i), count) == next;
        if (!known)
            check_broken(check, PROMISE_STEP, state,
                         "step %u leads to the number %" PRIu64 ", which is that of no successor", move,
                         next);
    }
}

static void check_checked_number(struct check *check, const void *state)
{
    uint64_t again[PZ_STATE_MAX / 8] = {0};
    check_calling(check, "count");
    const uint64_t count = check->puzzle->count != NULL ? check->puzzle->count(check->space) : 0;
    if (count == 0)
        return;
    const uint64_t number = rank_of(check, state, count);
    check_calling(check, "unrank");
    check->puzzle->unrank(check->space, number, again);
    if (memcmp(again, state, check->space->state_bytes) != 0)
        check_broken(check, PROMISE_UNRANK, state,
                     "unrank gives another state for the number %" PRIu64 " that rank gave", number);
    check_step(check, state, number, count);
}

/* ---- bounds and the rest ---- */

static void check_bound(struct check *check, const void *state)
{
    const struct checked_successors *successors = check->successors[0];
    check_calling(check, "is_goal");
    const bool goal = check->puzzle->is_goal(check->space, state);
    if (check->puzzle->heuristic == NULL || (check->space->flags & PZ_NO_GOAL) != 0)
        return;
    check_calling(check, "heuristic");
    const unsigned bound = check->puzzle->heuristic(check->space, state);
    if (goal && bound != 0)
        check_broken(check, PROMISE_ADMISSIBLE, state, "heuristic is %u at a goal", bound);
    for (unsigned i = 0; i < successors->count; i++) {
        const unsigned next = check->puzzle->heuristic(check->space, check_successor(check, successors, i));
        if (bound > next + 1 && next < PZ_HOPELESS)
            check_broken(check, PROMISE_CONSISTENT, state,
                         "heuristic is %u, and %u at a successor: it is not consistent", bound, next);
    }
}

static void check_canon(struct check *check, const void *state)
{
    struct pz_canon canon = {0};
    struct pz_error error = {0};
    uint64_t canonical[PZ_STATE_MAX / 8] = {0};
    uint64_t back[PZ_STATE_MAX / 8] = {0};
    if (check->puzzle->canon == NULL)
        return;
    check_calling(check, "canon");
    if (check->puzzle->canon(check->space, state, &canon, &error) != PZ_OK) {
        check_broken(check, PROMISE_CANON, state, "canon refuses a state: %.200s", error.text);
        return;
    }
    check_calling(check, "canon_in and canon_out");
    check->puzzle->canon_in(check->space, &canon, state, canonical);
    check->puzzle->canon_out(check->space, &canon, canonical, back);
    if (memcmp(back, state, check->space->state_bytes) != 0)
        check_broken(check, PROMISE_CANON, state, "canon_out does not undo canon_in");
}

/* ---- pieces ---- */

struct pieces_check {
    struct check *check;
    const void *state;
};

static bool is_packed_word(const char *text)
{
    return text != NULL && *text != '\0' && strpbrk(text, " :\t\n") == NULL;
}

static void check_piece(void *taker, const struct pz_piece *piece)
{
    const struct pieces_check *pieces = taker;
    if (!is_packed_word(piece->kind) || !is_packed_word(piece->id))
        check_broken(pieces->check, PROMISE_PIECES, pieces->state,
                     "pieces puts one whose kind or id is empty, or has a blank or colon in it");
    if (!(piece->x >= 0 && piece->y >= 0 && piece->width >= 0 && piece->height >= 0 &&
          piece->x + piece->y + piece->width + piece->height < HUGE_VAL))
        check_broken(pieces->check, PROMISE_PIECES, pieces->state, "pieces puts one beside the board");
}

static void check_pieces(struct check *check, const void *state)
{
    struct pieces_check pieces = {check, state};
    if (check->puzzle->pieces == NULL)
        return;
    check_calling(check, "pieces");
    const struct pz_size size = check->puzzle->pieces(check->space, state, NULL, check_piece, &pieces);
    if (!(size.columns > 0 && size.rows > 0))
        check_broken(check, PROMISE_PIECES, state, "pieces gives a board without a size");
}

bool check_state(struct check *check, const void *state)
{
    check->result->states++;
    check_printed_state(check, state);
    check_drawing(check, state);
    if (check->puzzle->valid != NULL) {
        check_calling(check, "valid");
        if (!check->puzzle->valid(check->space, state))
            check_broken(check, PROMISE_VALID, state, "valid calls a state that can be reached none");
    }
    if (!check_successors(check, state))
        return false;
    check_checked_number(check, state);
    check_bound(check, state);
    check_canon(check, state);
    check_pieces(check, state);
    return true;
}
