/* SPDX-License-Identifier: MIT */
/* The striped engine with its levels on disk hands its sink, byte for byte, what it does in memory. */
#include "striped_disk_trial.h"

static const struct row rows[] = {
    {.puzzle = "3x3"},
    {.puzzle = "2x4"},
    {.puzzle = "2x2"},
    {.puzzle = "4x4", .depth = 15},
    {.puzzle = "5x5", .depth = 10},
    {.puzzle = "6x6", .depth = 8},
    {.puzzle = "klotski:横刀立马"},
    {.puzzle = "jugs:3,5,8"},
    {.puzzle = "sokoban", .start = "#######/#.  # #/# $   #/# @$. #/#  #  #/#######"},
    {.puzzle = "pancake:7"},
    {.puzzle = "pancake:9", .depth = 6},
    {.puzzle = "topspin:8,4"},
    {.puzzle = "hanoi:4,5"},
    {.text = "one_way.psvn",
     .psvn = "6\n5 5 5 5 5 5\n- - - - - 0 => - - - - - 1\n- - - - 0 1 => - - - - 1 2\n- - - A 1 2 => - - - 1 "
             "A 3\n"
             "- - 0 1 - 3 => - - 2 1 - 4\n- 0 2 - - 4 => 1 1 2 - - 0\n1 1 A - - 0 => 2 A 1 - - 0\n"
             "2 - - - - - => 3 - - - - -\n3 A - - - B => 0 B - - - A\nGOAL 3 1 1 - - -\n",
     .start = "0 0 0 0 0 0"},
    {.text = "skewb.tws", .depth = 6},
};

static void check_row(const struct row *row, enum keep keep, enum explore_from from)
{
    struct trial *memory = row_trial(row, 2, keep);
    memory->request.from = from;
    assert_ok(live(memory), memory->error);
    assert_true(memory->result.states > 1 && (from == FROM_ROOT || memory->result.complete));
    check_on_disk(row, memory);
    assert_int_equal(each_scratch_file("", NULL), 0);
    trial_free(memory);
}

TEST(levels_and_examples_of_all_kinds_of_spaces_are_those_of_memory)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check_row(&rows[i], KEEP_LEVELS, FROM_ROOT);
}

TEST(tables_of_all_kinds_of_spaces_are_those_of_memory)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check_row(&rows[i], KEEP_TABLE, FROM_ROOT);
}

/* Levels of hundreds of states, and states that many lead to, in one, two and four words. */
TEST(numbers_with_moves_that_cannot_be_undone_have_the_levels_of_memory)
{
    for (unsigned words = 1; words <= PZ_STATE_MAX / 8; words *= 2) {
        struct number_space number = number_space(words, false, 60000, 0);
        struct trial *memory = lived(number_trial(&number, 1, (struct explore_request){.keep = KEEP_LEVELS}));
        for (unsigned threads = 1; threads <= 8; threads *= 2) {
            struct trial *disk =
                number_trial(&number, 1, (struct explore_request){.threads = threads, .keep = KEEP_LEVELS});
            on_disk(disk);
            check_same(lived(disk), memory);
            trial_free(disk);
        }
        trial_free(memory);
    }
}

static void check_little_memory(const struct row *row, enum keep keep, uint64_t total)
{
    struct trial *memory = lived(row_trial(row, 2, keep));
    struct trial *disk = row_trial(row, 2, keep);
    on_disk(disk);
    budget_set_limit(&disk->budget, 6 << 20);
    check_same(lived(disk), memory);
    assert_int_equal(disk->result.states, total);
    assert_true(disk->result.peak_bytes <= 6 << 20);
    assert_true(SANITIZED || disk->result.disk_written_bytes > 0);
    assert_true(disk->result.disk_written_bytes <= 30 * total + (8 << 20));
    trial_free(memory);
    trial_free(disk);
}

/* A wide level goes to files, is read in several parts, and comes out as published. */
TEST(little_memory_makes_files_and_the_published_levels)
{
    static const struct row row = {.puzzle = "4x4", .depth = SANITIZED ? 15 : 19};
    uint64_t levels[64];
    uint64_t total = 0;
    assert_true(test_data_levels("4x4-first-levels", levels, 64) > row.depth);
    for (uint32_t level = 0; level <= row.depth; level++)
        total += levels[level];
    for (enum keep keep = 0; keep < KEEP_COUNT; keep++)
        check_little_memory(&row, keep, total);
}

/* Two searches: the first finds the goals. Other threads find them in another order. */
TEST(levels_from_all_goals_are_those_of_memory)
{
    static const struct row several[] = {{.puzzle = "klotski:横刀立马"},
                                         {.puzzle = "klotski:指挥若定"},
                                         {.puzzle = "rushhour:IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM"},
                                         {.puzzle = "klotski:family,rows:3"}};
    for (unsigned i = 0; i < 4 * 2; i++)
        check_row(&several[i / 2], i % 2 == 0 ? KEEP_TABLE : KEEP_LEVELS, FROM_GOALS);
}

/* It numbers its boards, and most of them cannot be reached from one another. */
TEST(a_family_from_all_goals_has_the_same_levels_and_dead_boards_by_every_engine)
{
    static const struct row family = {.puzzle = "klotski:family,rows:3"};
    static const struct row some = {.puzzle = "klotski:family,rows:3", .depth = 5};
    struct trial *ranked = row_trial(&family, 2, KEEP_TABLE);
    uint64_t states = 0;
    ranked->request.engine = ENGINE_RANKED;
    ranked->request.from = FROM_GOALS;
    assert_ok(live(ranked), ranked->error);
    assert_true(ranked->result.complete && ranked->result.dead > 0);
    for (unsigned i = 0; i < 2 * KEEP_COUNT; i++) {
        struct trial *trial = row_trial(&family, 2, (enum keep)(i / 2));
        if (i % 2 == 1)
            on_disk(trial);
        trial->request.from = FROM_GOALS;
        assert_ok(live(trial), trial->error);
        assert_int_equal(trial->result.states, ranked->result.states);
        assert_int_equal(trial->result.depth, ranked->result.depth);
        assert_int_equal(trial->result.dead, ranked->result.dead);
        trial_free(trial);
    }
    struct trial *trial = row_trial(&some, 2, KEEP_LEVELS);
    trial->request.from = FROM_GOALS;
    assert_ok(live(trial), trial->error);
    for (uint32_t level = 0; level <= some.depth; level++)
        states += ranked->heard.levels[level];
    assert_int_equal(trial->result.states, states);
    trial_free(trial);
    trial_free(ranked);
}

/* Pushes cannot be undone, and the car is shut in. */
TEST(from_goals_on_disk_needs_moves_back_and_a_goal)
{
    static const struct row rows_of[] = {{.puzzle = "sokoban", .start = "######/#@$.#/######"},
                                         {.puzzle = "rushhour:oooBoooooBooAAoBoooooCoooooCoooooCoo"}};
    static const char *const texts[] = {"moves cannot be undone", "the root reaches none"};
    for (unsigned i = 0; i < 2; i++) {
        struct trial *trial = row_trial(&rows_of[i], 2, KEEP_TABLE);
        on_disk(trial);
        trial->request.from = FROM_GOALS;
        assert_int_equal(live(trial), PZ_UNSUPPORTED);
        assert_non_null(strstr(trial->error.text, texts[i]));
        assert_int_equal(each_scratch_file("", NULL), 0);
        trial_free(trial);
    }
}

TEST(what_is_not_done_on_disk_is_refused)
{
    static const struct row row = {.puzzle = "3x3"};
    struct trial *trial = row_trial(&row, 2, KEEP_LEVELS);
    trial->request.planes = PLANES_DISK;
    assert_int_equal(live(trial), PZ_UNSUPPORTED);
    assert_non_null(strstr(trial->error.text, "no scratch space"));
    on_disk(trial);
    budget_set_limit(&trial->budget, 1 << 20);
    assert_int_equal(live(trial), PZ_TOO_LARGE);
    trial_free(trial);
}

/* The puzzle's last level is at the limit of depth, or just beyond it. */
TEST(a_limit_of_depth_at_the_last_level_is_the_whole)
{
    static const struct row last[] = {
        {.puzzle = "2x3", .depth = 21},      {.puzzle = "2x3", .depth = 20},
        {.puzzle = "jugs:3,5", .depth = 7},  {.puzzle = "jugs:3,5", .depth = 6},
        {.puzzle = "pancake:5", .depth = 5}, {.puzzle = "pancake:5", .depth = 4}};
    for (size_t i = 0; i < sizeof last / sizeof last[0]; i++)
        check_row(&last[i], KEEP_LEVELS, FROM_ROOT);
}

/* No checkpoint is due, but those that the next level would outdate are made. */
static void let_none_be_due(struct trial *trial)
{
    trial->request.checkpoint = &trial->disk.calls;
    trial->disk.calls.interval = 1e-9;
    trial->disk.calls.share = 1e-12;
}

TEST(narrow_levels_wait_for_a_checkpoint_that_is_due)
{
    enum { LAST = 2000 };
    for (unsigned keep = 0; keep < 2; keep++) {
        struct number_space number = number_space(1, true, LAST, 0);
        struct trial *trial = number_trial(
            &number, 1, (struct explore_request){.threads = 1, .keep = keep == 0 ? KEEP_LEVELS : KEEP_TABLE});
        on_disk(trial);
        let_none_be_due(trial);
        stop_at(trial, LAST / 2);
        assert_int_equal(trial->disk.saved, 1); /* at the stop */
        assert_ok(live(trial), trial->error);
        assert_int_equal(trial->disk.resumed, 1);
        assert_int_equal(trial->disk.saved, 1);
        assert_int_equal(trial->result.states, LAST + 1);
        trial_free(trial);
    }
}

/* Levels of 3x3: narrow ones, wide ones from 20 to 26, and narrow ones again. */
TEST(a_search_cut_off_anywhere_goes_on_from_a_checkpoint_that_has_its_files)
{
    static const struct trial_question question = {"3x3", ENGINE_STRIPED, KEEP_LEVELS, 0, 0};
    struct trial *whole = undisturbed(&question);
    for (uint32_t level = 18; level <= whole->result.depth; level++) {
        struct trial *trial = trial_new(&question, 2);
        on_disk(trial);
        let_none_be_due(trial);
        trial->fail_at = level;
        assert_int_equal(live(trial), PZ_STORAGE);
        trial->fail_at = 0;
        assert_ok(live(trial), trial->error);
        assert_int_equal(trial->disk.refused, 0);
        check_same(trial, whole);
        trial_free(trial);
    }
    trial_free(whole);
}

const struct test_surroundings test_surroundings = {make_scratch, remove_scratch};
