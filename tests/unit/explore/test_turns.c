/* SPDX-License-Identifier: MIT */
/* How the turns of a level end. */
#include "test_support.h"

#include "explore/run/turns.h"

static bool pause_now(void *context, double done)
{
    (void)done;
    ++*(unsigned *)context;
    return true;
}

TEST(a_pause_does_not_hide_an_error_of_the_turn_before_it)
{
    unsigned looked = 0;
    uint64_t turn = 0;
    struct turns turns = {.tick = pause_now, .context = &looked};
    turns_begin(&turns, 0, 2);
    assert_true(turns_take(&turns, 0, &turn));
    turns_end(&turns, PZ_STORAGE);
    assert_false(turns_take(&turns, 0, &turn));
    assert_int_equal(looked, 1);
    assert_int_equal(turns_status(&turns), PZ_STORAGE);
}

TEST(an_error_beside_a_pause_is_what_counts)
{
    unsigned looked = 0;
    uint64_t turn = 0;
    struct turns turns = {.tick = pause_now, .context = &looked};
    turns_begin(&turns, 0, 3);
    assert_true(turns_take(&turns, 0, &turn));
    assert_true(turns_take(&turns, 1, &turn));
    assert_false(turns_take(&turns, 0, &turn)); /* it pauses */
    assert_int_equal(turns_status(&turns), PZ_BUSY);
    turns_end(&turns, PZ_STORAGE); /* the other worker's turn has failed */
    turns_end(&turns, PZ_CANCELLED);
    assert_int_equal(turns_status(&turns), PZ_STORAGE);
    assert_int_equal(turns_done(&turns), 2);
}
