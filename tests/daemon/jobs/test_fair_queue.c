/* SPDX-License-Identifier: MIT */
#include "test_support.h"

#include "daemon/pool/fair_queue.h"

static const char alice;
static const char bob;
static const char carol;

static void push(struct fair_queue *queue, struct fair_entry *entry, const void *owner, int priority)
{
    *entry = (struct fair_entry){.owner = owner, .priority = priority};
    fair_queue_push(queue, entry);
}

static void expect(struct fair_queue *queue, const struct fair_entry *const *order, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        assert_ptr_equal(fair_queue_pop(queue), order[i]);
    assert_null(fair_queue_pop(queue));
}

TEST(one_owner_is_served_in_order)
{
    struct fair_queue queue = {0};
    struct fair_entry entry[3];
    for (unsigned i = 0; i < 3; i++)
        push(&queue, &entry[i], &alice, 0);
    expect(&queue, (const struct fair_entry *[]){&entry[0], &entry[1], &entry[2]}, 3);
}

TEST(owners_take_turns)
{
    struct fair_queue queue = {0};
    struct fair_entry a[4];
    struct fair_entry b[2];
    struct fair_entry c;
    for (unsigned i = 0; i < 4; i++)
        push(&queue, &a[i], &alice, 0);
    for (unsigned i = 0; i < 2; i++)
        push(&queue, &b[i], &bob, 0);
    push(&queue, &c, &carol, 0);
    expect(&queue, (const struct fair_entry *[]){&a[0], &b[0], &c, &a[1], &b[1], &a[2], &a[3]}, 7);
}

TEST(who_comes_late_waits_for_one_entry_of_each)
{
    struct fair_queue queue = {0};
    struct fair_entry a[100];
    struct fair_entry b;
    for (unsigned i = 0; i < 100; i++)
        push(&queue, &a[i], &alice, 0);
    for (unsigned i = 0; i < 50; i++)
        assert_ptr_equal(fair_queue_pop(&queue), &a[i]);
    push(&queue, &b, &bob, 0);
    assert_ptr_equal(fair_queue_pop(&queue), &b);
    assert_ptr_equal(fair_queue_pop(&queue), &a[50]);
}

TEST(who_was_away_has_no_turns_saved)
{
    struct fair_queue queue = {0};
    struct fair_entry a[3];
    struct fair_entry b[3];
    for (unsigned i = 0; i < 50; i++) { /* only she was there */
        push(&queue, &a[0], &alice, 0);
        assert_ptr_equal(fair_queue_pop(&queue), &a[0]);
    }
    for (unsigned i = 0; i < 3; i++) {
        push(&queue, &b[i], &bob, 0);
        push(&queue, &a[i], &alice, 0);
    }
    expect(&queue, (const struct fair_entry *[]){&b[0], &a[0], &b[1], &a[1], &b[2], &a[2]}, 6);
}

TEST(priority_counts_among_the_entries_of_one_owner)
{
    struct fair_queue queue = {0};
    struct fair_entry a[3];
    struct fair_entry b[2];
    push(&queue, &a[0], &alice, 0);
    push(&queue, &a[1], &alice, -5);
    push(&queue, &b[0], &bob, 0);
    push(&queue, &b[1], &bob, 0);
    push(&queue, &a[2], &alice, 19);
    expect(&queue, (const struct fair_entry *[]){&a[2], &b[0], &a[0], &b[1], &a[1]}, 5);
}

TEST(a_higher_priority_leaves_the_others_in_their_order)
{
    struct fair_queue queue = {0};
    struct fair_entry low[4], high[2];
    for (unsigned i = 0; i < 4; i++)
        push(&queue, &low[i], &alice, 0);
    for (unsigned i = 0; i < 2; i++)
        push(&queue, &high[i], &alice, 5);
    expect(&queue, (const struct fair_entry *[]){&high[0], &high[1], &low[0], &low[1], &low[2], &low[3]}, 6);
}

TEST(who_takes_a_place_takes_its_turn)
{
    struct fair_queue queue = {0};
    struct fair_entry a[3], b, c[2];
    push(&queue, &c[0], &carol, 0);
    push(&queue, &a[0], &alice, 0);
    assert_ptr_equal(fair_queue_pop(&queue), &c[0]);
    push(&queue, &c[1], &carol, 0);
    assert_ptr_equal(fair_queue_pop(&queue), &a[0]);
    push(&queue, &a[1], &alice, 0); /* behind carol's in the next turn */
    push(&queue, &b, &bob, 0);
    assert_ptr_equal(fair_queue_pop(&queue), &b);
    push(&queue, &a[2], &alice, 5); /* would have come in this turn */
    expect(&queue, (const struct fair_entry *[]){&c[1], &a[2], &a[1]}, 3);
}

TEST(an_entry_can_be_taken_out)
{
    struct fair_queue queue = {0};
    struct fair_entry a[3];
    for (unsigned i = 0; i < 3; i++)
        push(&queue, &a[i], &alice, 0);
    assert_true(fair_queue_remove(&queue, &a[1]));
    assert_false(fair_queue_remove(&queue, &a[1]));
    expect(&queue, (const struct fair_entry *[]){&a[0], &a[2]}, 2);
}
