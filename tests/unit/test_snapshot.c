/* SPDX-License-Identifier: MIT */
/* Pictures of a search that does not stop for them: they must be of one moment, however slow the disk is. */
#include "test_support.h"

#include "base/budget.h"
#include "base/team.h"
#include "checkpoint_disk.h"
#include "explore/checkpoint_parts.h"
#include "explore/snapshot.h"

/* A search whose states are the number of their level: plane 0 holds the even levels, plane 1 the odd ones.
 */
enum { PIECES = 48, WORDS = 8192, MEMBERS = 3, PIECE_BYTES = WORDS * 4 };
/* A plane is one and a half parts: when the disk has the first one in hand the plane that is read is not out,
 * and when it has the second one, that plane is and the other is not. */
_Static_assert(PIECES *PIECE_BYTES > EXPLORE_PART_MAX + 8 * PIECE_BYTES &&
                   PIECES * PIECE_BYTES < 2 * EXPLORE_PART_MAX - 8 * PIECE_BYTES,
               "a plane is one and a half parts");

struct place {
    uint32_t level, ranges;
};

struct toy {
    uint32_t *plane[2]; /* PIECES × WORDS */
    uint32_t level;     /* in plane level % 2 */
    uint32_t ranges;    /* of the next one that are done */
    uint32_t pause_at;  /* range */
    _Atomic uint32_t next;
    struct team *team;
    struct snapshot_planes pieces;
    struct checkpointer *checkpointer;
    struct snapshot *snapshot;
    struct pz_error error;
    struct disk disk;
    struct budget budget;   /* for copies */
    bool waits_for_no_disk; /* the disk lets go of its part when the owner waits */
};

/* ---- the search ---- */

static uint32_t *words_of(struct toy *toy, unsigned plane, uint32_t piece)
{
    return toy->plane[plane] + (size_t)piece * WORDS;
}

static void put(void *context, unsigned plane, uint32_t piece, struct snapshot_sink *sink)
{
    snapshot_put(sink, words_of(context, plane, piece), WORDS * sizeof(uint32_t));
}

static bool get(void *context, unsigned plane, uint32_t piece, struct checkpointer *checkpointer)
{
    return checkpointer_get(checkpointer, words_of(context, plane, piece), WORDS * sizeof(uint32_t));
}

static void let_go(struct toy *toy)
{
    atomic_store(&toy->disk.holds, UINT64_MAX);
}

static void owner_waits(void *context)
{
    struct toy *toy = context;
    if (toy->waits_for_no_disk)
        let_go(toy);
}

static struct toy *toy_new_with(uint64_t copies)
{
    struct toy *toy = calloc(1, sizeof *toy);
    for (unsigned plane = 0; plane < 2; plane++)
        toy->plane[plane] = calloc((size_t)PIECES * WORDS, sizeof(uint32_t));
    toy->pause_at = PIECES;
    disk_init(&toy->disk);
    budget_init(&toy->budget, NULL, copies);
    toy->pieces = (struct snapshot_planes){.context = toy,
                                           .pieces = PIECES,
                                           .piece_bytes = PIECE_BYTES,
                                           .budget = &toy->budget,
                                           .put = put,
                                           .get = get,
                                           .waiting = owner_waits,
                                           .waiting_context = toy};
    assert_ok(team_new(MEMBERS, &toy->team, &toy->error), toy->error);
    assert_ok(checkpointer_new_for(&toy->disk.calls, "toy", NULL, &toy->checkpointer, &toy->error),
              toy->error);
    assert_ok(snapshot_new(&toy->pieces, toy->checkpointer, MEMBERS, &toy->snapshot, &toy->error),
              toy->error);
    return toy;
}

static struct toy *toy_new(void)
{
    return toy_new_with(0);
}

static void toy_free(struct toy *toy)
{
    snapshot_free(toy->snapshot);
    assert_int_equal(atomic_load(&toy->budget.used), 0);
    checkpointer_free(toy->checkpointer);
    team_free(toy->team);
    disk_clear(&toy->disk);
    free(toy->plane[0]);
    free(toy->plane[1]);
    free(toy);
}

static void member_level(void *context, unsigned member)
{
    struct toy *toy = context;
    uint32_t next = toy->level + 1;
    uint32_t piece = 0;
    while ((piece = atomic_fetch_add(&toy->next, 1)) < toy->pause_at) {
        snapshot_guard(toy->snapshot, next % 2, piece, member == 0);
        uint32_t *words = words_of(toy, next % 2, piece);
        for (unsigned i = 0; i < WORDS; i++)
            words[i] = next;
    }
}

/* Makes the ranges of the next level up to the one at which to pause. */
static void make_ranges(struct toy *toy, uint32_t pause_at)
{
    toy->pause_at = pause_at;
    atomic_store(&toy->next, toy->ranges);
    team_run(toy->team, member_level, toy);
    toy->ranges = pause_at;
    if (pause_at == PIECES) {
        toy->level++;
        toy->ranges = 0;
    }
}

static void moment(struct toy *toy)
{
    const struct place place = {toy->level, toy->ranges};
    assert_true(snapshot_writes(toy->snapshot));
    assert_true(snapshot_is_open(toy->snapshot));
    snapshot_moment(toy->snapshot, &place, sizeof place, toy->ranges);
}

static void go_on_until_written(struct toy *toy)
{
    while (snapshot_writes(toy->snapshot))
        make_ranges(toy, PIECES);
}

/* What was saved is the search as it was at that level and range. */
static void check_picture(struct toy *toy, uint32_t level, uint32_t ranges)
{
    struct toy *second = toy_new();
    struct place place;
    for (uint64_t i = 0; i < toy->disk.kept.count; i++)
        (void)disk_part(&second->disk, toy->disk.kept.part[i], toy->disk.kept.length[i], NULL);
    (void)disk_commit(&second->disk, NULL);
    assert_true(checkpointer_open(second->checkpointer));
    assert_true(snapshot_load(&second->pieces, second->checkpointer, &place, sizeof place));
    assert_true(checkpointer_close(second->checkpointer, true));
    assert_int_equal(place.level, level);
    assert_int_equal(place.ranges, ranges);
    for (uint32_t piece = 0; piece < PIECES; piece++) {
        uint32_t other = piece < ranges ? level + 1 : level == 0 ? 0 : level - 1;
        for (unsigned i = 0; i < WORDS; i++) {
            assert_int_equal(words_of(second, level % 2, piece)[i], level);
            assert_int_equal(words_of(second, 1 - level % 2, piece)[i], other);
        }
    }
    toy_free(second);
}

/* ---- what holds ---- */

static void a_picture_is_of_the_moment_whatever_the_search_does_meanwhile(void **state)
{
    static const unsigned naps[] = {0, 200, 3000, 0, 200, 3000, 3000};
    static const uint64_t copies[] = {0, 0, 0, 1 << 30, 1 << 30, 1 << 30, 5 * PIECE_BYTES};
    (void)state;
    for (unsigned i = 0; i < 7; i++)
        for (uint32_t range = 0; range < PIECES; range += 15) {
            struct toy *toy = toy_new_with(copies[i]);
            toy->disk.nap = naps[i];
            make_ranges(toy, PIECES);
            make_ranges(toy, PIECES);
            make_ranges(toy, range / 2);
            snapshot_begin(toy->snapshot, 1 << 20, toy->level % 2);
            make_ranges(toy, range);
            uint32_t level = toy->level;
            /* A moment within a level comes when the plane that is read is out. */
            while (range > 0 && !snapshot_wants_moment(toy->snapshot))
                (void)usleep(100);
            moment(toy);
            go_on_until_written(toy);
            assert_int_equal(toy->disk.saved, 1);
            check_picture(toy, level, range);
            toy_free(toy);
        }
}

/* The disk goes on when the owner says that it waits: with one part in its hands all members come to pieces
 * in the next. */
static void a_search_that_is_faster_than_the_disk_waits_and_that_is_told(void **state)
{
    (void)state;
    struct toy *toy = toy_new();
    toy->disk.holds = 0;
    toy->waits_for_no_disk = true;
    make_ranges(toy, PIECES);
    snapshot_begin(toy->snapshot, 1 << 20, toy->level % 2);
    make_ranges(toy, PIECES);
    moment(toy);
    go_on_until_written(toy);
    assert_int_equal(toy->disk.saved, 1);
    assert_true(toy->disk.waited > 0);
    check_picture(toy, 2, 0);
    toy_free(toy);
}

/* Two levels pass while the disk has its first part in hand: they overwrite both planes, and wait for
 * neither. */
static void pieces_are_copied_where_there_is_room(void **state)
{
    (void)state;
    struct toy *toy = toy_new_with(1 << 30);
    toy->disk.holds = 0;
    make_ranges(toy, PIECES);
    snapshot_begin(toy->snapshot, 1 << 20, toy->level % 2);
    make_ranges(toy, PIECES);
    moment(toy);
    make_ranges(toy, PIECES);
    make_ranges(toy, PIECES);
    assert_true(atomic_load(&toy->budget.used) > 0); /* copies that the disk is still to take */
    assert_true(snapshot_writes(toy->snapshot));
    let_go(toy);
    go_on_until_written(toy);
    assert_int_equal(toy->disk.saved, 1);
    check_picture(toy, 2, 0);
    toy_free(toy);
}

static void one_after_the_other_can_be_taken(void **state)
{
    (void)state;
    struct toy *toy = toy_new();
    for (unsigned i = 1; i <= 5; i++) {
        snapshot_begin(toy->snapshot, 1 << 20, toy->level % 2);
        make_ranges(toy, PIECES);
        uint32_t level = toy->level;
        moment(toy);
        go_on_until_written(toy);
        assert_int_equal(toy->disk.saved, i);
        check_picture(toy, level, 0);
    }
    toy_free(toy);
}

static void a_disk_that_fails_keeps_no_one_waiting(void **state)
{
    (void)state;
    for (uint64_t part = 0; part < 8; part++) {
        struct toy *toy = toy_new_with(part < 4 ? 0 : 1 << 30);
        toy->disk.fail_at = part % 4;
        snapshot_begin(toy->snapshot, 1 << 20, toy->level % 2);
        make_ranges(toy, PIECES);
        moment(toy);
        go_on_until_written(toy);
        make_ranges(toy, PIECES);
        assert_int_equal(toy->disk.saved, 0);
        assert_int_equal(toy->disk.failed, 1);
        assert_int_equal(toy->disk.fresh.count + toy->disk.kept.count, 0);
        /* and the next one is as good as any */
        toy->disk.fail_at = UINT64_MAX;
        snapshot_begin(toy->snapshot, 1 << 20, toy->level % 2);
        make_ranges(toy, PIECES);
        uint32_t level = toy->level;
        moment(toy);
        go_on_until_written(toy);
        check_picture(toy, level, 0);
        toy_free(toy);
    }
}

static bool is_given_up(const struct disk *disk)
{
    const struct toy *toy = (const struct toy *)((const uint8_t *)disk - offsetof(struct toy, disk));
    return atomic_load(&toy->checkpointer->giving) != NULL;
}

/* The disk has the second part in hand until then: what was written by itself before could not be given up.
 */
static void what_is_being_written_can_be_given_up_at_any_time(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 8; i++) {
        struct toy *toy = toy_new_with(i < 4 ? 0 : 1 << 30);
        toy->disk.holds = 1;
        toy->disk.lets_go = is_given_up;
        snapshot_begin(toy->snapshot, 1 << 20, toy->level % 2);
        if (i % 4 > 0)
            make_ranges(toy, PIECES);
        if (i % 4 > 1)
            moment(toy);
        if (i % 4 > 2)
            make_ranges(toy, PIECES);
        snapshot_end(toy->snapshot, i % 2 == 0 ? "the test says so" : NULL);
        assert_false(snapshot_writes(toy->snapshot));
        assert_int_equal(toy->disk.saved, 0);
        assert_int_equal(toy->disk.failed, i % 2 == 0); /* where no reason was given nothing is told */
        assert_int_equal(toy->disk.kept.count, 0);
        toy_free(toy);
    }
}

static void the_same_bytes_are_written_while_the_search_pauses(void **state)
{
    (void)state;
    struct toy *toy = toy_new();
    make_ranges(toy, PIECES);
    make_ranges(toy, 11);
    const struct place place = {toy->level, toy->ranges};
    assert_true(checkpointer_begin(toy->checkpointer, 1 << 20));
    snapshot_save(&toy->pieces, toy->checkpointer, 1, &place, sizeof place, 11);
    checkpointer_end(toy->checkpointer);
    assert_int_equal(toy->disk.saved, 1);
    check_picture(toy, 1, 11);
    toy_free(toy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_is_of_the_moment_whatever_the_search_does_meanwhile),
        cmocka_unit_test(a_search_that_is_faster_than_the_disk_waits_and_that_is_told),
        cmocka_unit_test(pieces_are_copied_where_there_is_room),
        cmocka_unit_test(one_after_the_other_can_be_taken),
        cmocka_unit_test(a_disk_that_fails_keeps_no_one_waiting),
        cmocka_unit_test(what_is_being_written_can_be_given_up_at_any_time),
        cmocka_unit_test(the_same_bytes_are_written_while_the_search_pauses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
