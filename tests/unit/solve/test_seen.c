/* SPDX-License-Identifier: MIT */
/* What a walk remembers of the boards it entered, against a list of all of them. */
#include "solve_support.h"

#include "base/random.h"
#include "solve/idastar/walk/seen.h"

enum { BOARDS = 300, ENTERED = 20000, LEFT = 200 };

struct entered {
    struct seen *seen;
    unsigned words;
    uint64_t state[BOARDS][PACK_WORDS_MAX];
    int most[BOARDS]; /* moves left with which the board was entered; -1 before */
};

/* Boards that differ from the first by an exchange of two cells, so that some differ in the last cells only.
 */
static void entered_init(struct entered *entered, struct seen *seen, unsigned cells)
{
    struct random random = {cells};
    struct board board = {.cells = (uint8_t)cells};
    memset(seen, 0, sizeof *seen);
    seen_init(seen, cells, 0);
    entered->seen = seen;
    entered->words = seen->plan.words;
    for (unsigned cell = 0; cell < cells; cell++)
        board.tile[cell] = (uint8_t)cell;
    for (unsigned i = 0; i < BOARDS; i++) {
        struct board other = board;
        const unsigned a = i < cells - 1 ? i : (unsigned)random_below(&random, cells);
        const unsigned b = i < cells - 1 ? cells - 1 : (unsigned)random_below(&random, cells);
        other.tile[a] = board.tile[b];
        other.tile[b] = board.tile[a];
        pack_board(&seen->plan, &other, entered->state[i]);
        entered->most[i] = -1;
        for (unsigned j = 0; j < i; j++) /* the same board again */
            if (memcmp(entered->state[j], entered->state[i], entered->words * sizeof(uint64_t)) == 0)
                memset(entered->state[i], 0, sizeof entered->state[i]);
    }
}

static bool enter(struct entered *entered, unsigned board, unsigned left)
{
    return seen_before(entered->seen, seen_key(entered->state[board], entered->words), left);
}

static void a_board_is_left_out_only_if_it_was_entered_with_as_many_moves_left(void **state)
{
    static const unsigned sizes[] = {9, 12, 15, 16, 18, 20, 24, 25};
    struct seen *seen = aligned_alloc(_Alignof(struct seen), sizeof *seen);
    struct entered *entered = malloc(sizeof *entered);
    assert_true(seen != NULL && entered != NULL);
    for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++) {
        struct random random = {size};
        unsigned hits = 0;
        unsigned tried = 0;
        entered_init(entered, seen, sizes[size]);
        for (unsigned i = 0; i < ENTERED; i++) {
            const unsigned board = (unsigned)random_below(&random, BOARDS);
            const int left = (int)(2 * random_below(&random, LEFT / 2) + board % 2); /* it has a parity */
            if (entered->state[board][0] == 0)
                continue;
            tried++;
            if (enter(entered, board, (unsigned)left)) {
                assert_true(entered->most[board] >= left);
                hits++;
            }
            entered->most[board] = left > entered->most[board] ? left : entered->most[board];
        }
        assert_true(hits > tried / 2); /* few of them share a place */
    }
    free(entered);
    free(seen);
}

static void a_board_with_many_moves_left_stays_while_others_come(void **state)
{
    struct seen *seen = aligned_alloc(_Alignof(struct seen), sizeof *seen);
    assert_non_null(seen);
    memset(seen, 0, sizeof *seen);
    seen_init(seen, 16, 0);
    const struct seen_entry high = {{UINT64_C(0x123456789ABCDEF0), 0}};
    assert_false(seen_before(seen, high, 40));
    struct seen_entry last = high;
    for (uint64_t other = 1, met = 0; met < 10; other++) {
        const struct seen_entry key = {{other, 0}};
        if (seen_pair(seen, key) != seen_pair(seen, high))
            continue;
        assert_false(seen_before(seen, key, 20));
        last = key;
        met++;
    }
    assert_true(seen_before(seen, high, 40));
    assert_true(seen_before(seen, last, 20));
    assert_false(seen_before(seen, high, 42));
    assert_true(seen_before(seen, high, 42));
    free(seen);
}

static void larger_boards_and_very_long_ways_are_not_remembered(void **state)
{
    struct seen *seen = aligned_alloc(_Alignof(struct seen), sizeof *seen);
    const struct seen_entry key = {{1, 0}};
    assert_non_null(seen);
    memset(seen, 0, sizeof *seen);
    seen_init(seen, 30, 0);
    assert_int_equal(seen_bytes(30, 0), 0);
    assert_false(seen_before(seen, key, 20) || seen_before(seen, key, 20));
    seen_init(seen, 20, 0);
    assert_int_equal(seen_bytes(20, 0), sizeof seen->entry);
    assert_int_equal(seen_bytes(20, 18), sizeof seen->entry / 8);
    assert_int_equal(seen_bytes(16, 18), seen_bytes(16, 0));
    assert_false(seen_before(seen, key, 512) || seen_before(seen, key, 512));
    assert_false(seen_before(seen, key, 511));
    assert_true(seen_before(seen, key, 511));
    free(seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_board_is_left_out_only_if_it_was_entered_with_as_many_moves_left),
        cmocka_unit_test(a_board_with_many_moves_left_stays_while_others_come),
        cmocka_unit_test(larger_boards_and_very_long_ways_are_not_remembered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
