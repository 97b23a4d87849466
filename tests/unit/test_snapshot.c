/* SPDX-License-Identifier: MIT */
/* Pictures of a search that does not stop for them: they must be of one moment, however slow the disk is. */
#include "test_support.h"

#include "base/team.h"
#include "explore/snapshot.h"

#include <unistd.h>

/* A search whose states are the number of their level: plane 0 holds the even levels, plane 1 the odd ones. */
enum { PIECES = 48, WORDS = 8192, MEMBERS = 3, PARTS_MAX = 64 };

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
    struct explore_checkpoint calls;
    struct checkpointer *checkpointer;
    struct snapshot *snapshot;
    struct pz_error error;
    /* the disk */
    uint8_t *part[PARTS_MAX];
    size_t length[PARTS_MAX];
    uint64_t parts;
    unsigned nap;     /* microseconds a part */
    uint64_t fail_at; /* part */
    bool committed;
    unsigned saved, failed;
    double waited;
};

/* ---- the disk ---- */

static void clear_disk(struct toy *toy)
{
    for (uint64_t i = 0; i < toy->parts; i++)
        free(toy->part[i]);
    toy->parts = 0;
    toy->committed = false;
}

static enum pz_status on_begin(void *context, uint64_t bytes, struct pz_error *error)
{
    (void)bytes;
    (void)error;
    clear_disk(context);
    return PZ_OK;
}

static enum pz_status on_part(void *context, const void *bytes, size_t length, struct pz_error *error)
{
    struct toy *toy = context;
    (void)usleep(toy->nap);
    if (toy->parts == toy->fail_at || toy->parts == PARTS_MAX)
        return pz_fail(error, PZ_STORAGE_FULL, "the disk is full");
    toy->part[toy->parts] = malloc(length);
    memcpy(toy->part[toy->parts], bytes, length);
    toy->length[toy->parts++] = length;
    return PZ_OK;
}

static enum pz_status on_commit(void *context, struct pz_error *error)
{
    struct toy *toy = context;
    (void)error;
    toy->committed = true;
    return PZ_OK;
}

static void on_abort(void *context)
{
    clear_disk(context);
}

static enum pz_status on_open(void *context, uint64_t *parts, struct pz_error *error)
{
    const struct toy *toy = context;
    *parts = toy->parts;
    return toy->committed ? PZ_OK : pz_fail(error, PZ_NO_TABLE, "there is none");
}

static enum pz_status on_read(void *context, uint64_t number, const void **bytes, size_t *length,
                              struct pz_error *error)
{
    const struct toy *toy = context;
    (void)error;
    *bytes = toy->part[number];
    *length = toy->length[number];
    return PZ_OK;
}

static void on_close(void *context)
{
    (void)context;
}

static void on_note(void *context, const struct explore_checkpoint_news *news)
{
    struct toy *toy = context;
    toy->saved += news->event == CHECKPOINT_SAVED;
    toy->failed += news->event == CHECKPOINT_FAILED;
    toy->waited = news->waited;
}

/* ---- the search ---- */

static uint32_t *words_of(struct toy *toy, unsigned plane, uint32_t piece)
{
    return toy->plane[plane] + (size_t)piece * WORDS;
}

static void put(void *context, unsigned plane, uint32_t piece, struct checkpointer *checkpointer)
{
    checkpointer_put(checkpointer, words_of(context, plane, piece), WORDS * sizeof(uint32_t));
}

static bool get(void *context, unsigned plane, uint32_t piece, struct checkpointer *checkpointer)
{
    return checkpointer_get(checkpointer, words_of(context, plane, piece), WORDS * sizeof(uint32_t));
}

static struct toy *toy_new(void)
{
    struct toy *toy = calloc(1, sizeof *toy);
    for (unsigned plane = 0; plane < 2; plane++)
        toy->plane[plane] = calloc((size_t)PIECES * WORDS, sizeof(uint32_t));
    toy->pause_at = PIECES;
    toy->fail_at = UINT64_MAX;
    toy->calls = (struct explore_checkpoint){.context = toy,
                                             .grace = 1000,
                                             .begin = on_begin,
                                             .part = on_part,
                                             .commit = on_commit,
                                             .abort = on_abort,
                                             .open = on_open,
                                             .read = on_read,
                                             .close = on_close,
                                             .note = on_note};
    toy->pieces = (struct snapshot_planes){.context = toy, .pieces = PIECES, .put = put, .get = get};
    assert_ok(team_new(MEMBERS, &toy->team, &toy->error), toy->error);
    assert_ok(checkpointer_new_for(&toy->calls, "toy", NULL, &toy->checkpointer, &toy->error), toy->error);
    assert_ok(snapshot_new(&toy->pieces, toy->checkpointer, MEMBERS, &toy->snapshot, &toy->error),
              toy->error);
    return toy;
}

static void toy_free(struct toy *toy)
{
    snapshot_free(toy->snapshot);
    checkpointer_free(toy->checkpointer);
    team_free(toy->team);
    clear_disk(toy);
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
    for (uint64_t i = 0; i < toy->parts; i++)
        (void)on_part(second, toy->part[i], toy->length[i], NULL);
    second->committed = toy->committed;
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
    static const unsigned naps[] = {0, 200, 3000};
    (void)state;
    for (unsigned i = 0; i < 3; i++)
        for (uint32_t range = 0; range < PIECES; range += 15) {
            struct toy *toy = toy_new();
            toy->nap = naps[i];
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
            assert_int_equal(toy->saved, 1);
            check_picture(toy, level, range);
            toy_free(toy);
        }
}

static void a_search_that_is_faster_than_the_disk_waits_and_that_is_told(void **state)
{
    (void)state;
    struct toy *toy = toy_new();
    toy->nap = 5000;
    make_ranges(toy, PIECES);
    snapshot_begin(toy->snapshot, 1 << 20, toy->level % 2);
    make_ranges(toy, PIECES);
    moment(toy);
    go_on_until_written(toy);
    assert_int_equal(toy->saved, 1);
    assert_true(toy->waited > 0);
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
        assert_int_equal(toy->saved, i);
        check_picture(toy, level, 0);
    }
    toy_free(toy);
}

static void a_disk_that_fails_keeps_no_one_waiting(void **state)
{
    (void)state;
    for (uint64_t part = 0; part < 4; part++) {
        struct toy *toy = toy_new();
        toy->fail_at = part;
        snapshot_begin(toy->snapshot, 1 << 20, toy->level % 2);
        make_ranges(toy, PIECES);
        moment(toy);
        go_on_until_written(toy);
        make_ranges(toy, PIECES);
        assert_int_equal(toy->saved, 0);
        assert_int_equal(toy->failed, 1);
        assert_int_equal(toy->parts, 0);
        /* and the next one is as good as any */
        toy->fail_at = UINT64_MAX;
        snapshot_begin(toy->snapshot, 1 << 20, toy->level % 2);
        make_ranges(toy, PIECES);
        uint32_t level = toy->level;
        moment(toy);
        go_on_until_written(toy);
        check_picture(toy, level, 0);
        toy_free(toy);
    }
}

static void what_is_being_written_can_be_given_up_at_any_time(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        struct toy *toy = toy_new();
        toy->nap = 1000;
        snapshot_begin(toy->snapshot, 1 << 20, toy->level % 2);
        if (i > 0)
            make_ranges(toy, PIECES);
        if (i > 1)
            moment(toy);
        if (i > 2)
            make_ranges(toy, PIECES);
        snapshot_end(toy->snapshot, i % 2 == 0 ? "the test says so" : NULL);
        assert_false(snapshot_writes(toy->snapshot));
        assert_int_equal(toy->saved, 0);
        assert_int_equal(toy->failed, i % 2 == 0); /* where no reason was given nothing is told */
        assert_false(toy->committed);
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
    assert_int_equal(toy->saved, 1);
    check_picture(toy, 1, 11);
    toy_free(toy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_is_of_the_moment_whatever_the_search_does_meanwhile),
        cmocka_unit_test(a_search_that_is_faster_than_the_disk_waits_and_that_is_told),
        cmocka_unit_test(one_after_the_other_can_be_taken),
        cmocka_unit_test(a_disk_that_fails_keeps_no_one_waiting),
        cmocka_unit_test(what_is_being_written_can_be_given_up_at_any_time),
        cmocka_unit_test(the_same_bytes_are_written_while_the_search_pauses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
