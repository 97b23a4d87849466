/* SPDX-License-Identifier: MIT */
/* What a walk remembers of the boards it entered, against a list of all of them. */
#include "solve_support.h"

#include "base/random.h"
#include "solve/idastar/walk/transpositions.h"

enum { BOARDS = 300, ENTERED = 20000, LEFT = 200 };

struct entered {
    struct transpositions *table;
    unsigned words;
    uint64_t state[BOARDS][PACK_WORDS_MAX];
    int most[BOARDS]; /* moves left with which the board was entered; -1 before */
};

/* Boards that differ from the first by an exchange of two cells, so that some differ in the last cells only.
 */
static void entered_init(struct entered *entered, struct transpositions *table, unsigned cells)
{
    struct random random = {cells};
    struct board board = {.cells = (uint8_t)cells};
    memset(table, 0, sizeof *table);
    transpositions_init(table, cells, 0);
    entered->table = table;
    entered->words = table->plan.words;
    for (unsigned cell = 0; cell < cells; cell++)
        board.tile[cell] = (uint8_t)cell;
    for (unsigned i = 0; i < BOARDS; i++) {
        struct board other = board;
        const unsigned a = i < cells - 1 ? i : (unsigned)random_below(&random, cells);
        const unsigned b = i < cells - 1 ? cells - 1 : (unsigned)random_below(&random, cells);
        other.tile[a] = board.tile[b];
        other.tile[b] = board.tile[a];
        pack_board(&table->plan, &other, entered->state[i]);
        entered->most[i] = -1;
        for (unsigned j = 0; j < i; j++) /* the same board again */
            if (memcmp(entered->state[j], entered->state[i], entered->words * sizeof(uint64_t)) == 0)
                memset(entered->state[i], 0, sizeof entered->state[i]);
    }
}

static bool enter(struct entered *entered, unsigned board, unsigned left)
{
    return transpositions_entered(entered->table, transpositions_key(entered->state[board], entered->words),
                                  left);
}

TEST(a_board_is_left_out_only_if_it_was_entered_with_as_many_moves_left)
{
    static const unsigned sizes[] = {9, 12, 15, 16, 18, 20, 24, 25};
    struct transpositions *table = aligned_alloc(_Alignof(struct transpositions), sizeof *table);
    struct entered *entered = malloc(sizeof *entered);
    assert_true(table != NULL && entered != NULL);
    for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++) {
        struct random random = {size};
        unsigned hits = 0;
        unsigned tried = 0;
        entered_init(entered, table, sizes[size]);
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
    free(table);
}

TEST(a_board_with_many_moves_left_stays_while_others_come)
{
    struct transpositions *table = aligned_alloc(_Alignof(struct transpositions), sizeof *table);
    assert_non_null(table);
    memset(table, 0, sizeof *table);
    transpositions_init(table, 16, 0);
    const struct transposition high = {{UINT64_C(0x123456789ABCDEF0), 0}};
    assert_false(transpositions_entered(table, high, 40));
    struct transposition last = high;
    for (uint64_t other = 1, met = 0; met < 10; other++) {
        const struct transposition key = {{other, 0}};
        if (transpositions_pair(table, key) != transpositions_pair(table, high))
            continue;
        assert_false(transpositions_entered(table, key, 20));
        last = key;
        met++;
    }
    assert_true(transpositions_entered(table, high, 40));
    assert_true(transpositions_entered(table, last, 20));
    assert_false(transpositions_entered(table, high, 42));
    assert_true(transpositions_entered(table, high, 42));
    free(table);
}

TEST(larger_boards_and_very_long_ways_are_not_remembered)
{
    struct transpositions *table = aligned_alloc(_Alignof(struct transpositions), sizeof *table);
    const struct transposition key = {{1, 0}};
    assert_non_null(table);
    memset(table, 0, sizeof *table);
    transpositions_init(table, 30, 0);
    assert_int_equal(transpositions_bytes(30, 0), 0);
    assert_false(transpositions_entered(table, key, 20) || transpositions_entered(table, key, 20));
    transpositions_init(table, 20, 0);
    assert_int_equal(transpositions_bytes(20, 0), sizeof table->entry);
    assert_int_equal(transpositions_bytes(20, 18), sizeof table->entry / 8);
    assert_int_equal(transpositions_bytes(16, 18), transpositions_bytes(16, 0));
    assert_false(transpositions_entered(table, key, 512) || transpositions_entered(table, key, 512));
    assert_false(transpositions_entered(table, key, 511));
    assert_true(transpositions_entered(table, key, 511));
    free(table);
}
