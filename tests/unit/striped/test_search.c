/* SPDX-License-Identifier: MIT */
/* The striped search itself: segments that must grow at every insertion, and the states that it keeps. */
#include "test_support.h"

#include "explore/striped/search/search.h"
#include "explore/striped/search/search_parts.h"
#include "number_puzzle.h"
#include "space/registry.h"

#include <limits.h>

enum { LEVELS_MAX = 64 };

struct trial {
    struct budget budget;
    struct searchers searchers;
    struct search *search;
    struct monitor monitor; /* zeroed: without a control */
};

static struct pz_space *open_at_root(const char *size, uint64_t *root)
{
    struct pz_space *space = NULL;
    struct pz_setup setup = {0};
    struct pz_error error;
    assert_ok(space_open(size, &setup, &space, &error), error);
    assert_ok(space->puzzle->root(space, root, &error), error);
    return space;
}

static void trial_init(struct trial *trial, const struct pz_space *space, const void *root,
                       const struct search_options *wanted, unsigned threads, uint64_t budget)
{
    struct pz_error error;
    struct search_options options = *wanted;
    memset(trial, 0, sizeof *trial);
    options.root = root;
    budget_init(&trial->budget, NULL, budget);
    assert_ok(
        searchers_init(&trial->searchers, space, threads, &trial->budget, search_chunk_bytes(space), &error),
        error);
    assert_ok(search_new(&trial->searchers, &options, &trial->search, &error), error);
}

static void trial_clear(struct trial *trial)
{
    search_free(trial->search);
    searchers_clear(&trial->searchers);
    assert_int_equal(trial->budget.used, 0);
}

/* All levels, and afterwards each state once, in ascending order, with the level that it was counted in. */
static void check_levels(struct trial *trial, const uint64_t *levels, unsigned count)
{
    const struct search_step step = {0};
    uint64_t walked[LEVELS_MAX] = {0};
    uint64_t key[KEY_WORDS_MAX], before[KEY_WORDS_MAX] = {0};
    uint32_t level;
    struct search_cursor cursor;
    for (unsigned i = 0; i < count; i++) {
        assert_int_equal(search_frontier(trial->search), levels[i]);
        assert_int_equal(search_advance(trial->search, &trial->monitor, &step, NULL), HALT_NONE);
    }
    assert_int_equal(search_frontier(trial->search), 0);
    cursor_begin(&cursor, trial->search, 0, UINT32_MAX);
    for (bool first = true; cursor_next(&cursor, key, &level); first = false) {
        assert_true(first || key_less(before, key, trial->searchers.words));
        assert_true(level < count);
        walked[level]++;
        memcpy(before, key, sizeof key);
    }
    cursor_end(&cursor);
    assert_memory_equal(walked, levels, count * sizeof levels[0]);
    for (unsigned i = 0; i < count; i++) {
        uint64_t states = 0;
        for (cursor_begin(&cursor, trial->search, i, i); cursor_next(&cursor, key, &level); states++) {
            assert_int_equal(level, i);
            assert_int_equal(search_find(trial->search, key), i);
        }
        cursor_end(&cursor);
        assert_int_equal(states, levels[i]);
    }
}

/* With room for one key in the beginning, every path of insertion grows its segment again and again: the
 * root, the inboxes, and the spreading over partitions. */
#ifdef PUZZLED_SANITIZED
enum { FEWEST_THREADS = 4, NUMBERS = 20000 };
#else
enum { FEWEST_THREADS = 1, NUMBERS = 200000 };
#endif

TEST(segments_that_begin_with_one_slot_grow)
{
    static const struct search_options options[] = {
        {.keep_all = true, .first_capacity = 1},
        {.keep_all = true, .first_capacity = 1, .partitions = 1},
        {.keep_all = true, .first_capacity = 1, .partitions = 16},
        {.keep_all = true, .first_capacity = 1, .partitions = 1024},
        {.keep_all = true, .first_capacity = 2, .partitions = 64},
    };
    uint64_t levels[LEVELS_MAX] = {0};
    uint64_t root[PZ_STATE_MAX / 8];
    unsigned count = test_data_levels("3x3", levels, LEVELS_MAX);
    struct pz_space *space = open_at_root("3x3", root);
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        for (unsigned threads = FEWEST_THREADS; threads <= 4; threads += 3) {
            struct trial trial;
            trial_init(&trial, space, root, &options[i], threads, 512 << 20);
            check_levels(&trial, levels, count);
            trial_clear(&trial);
        }
    }
    space_close(space);
}

/* n → n + 1, 2n: counted here by the plainest search there is. */
static unsigned plain_levels(uint64_t last, uint64_t *levels)
{
    uint8_t *distance = malloc(last + 1);
    unsigned level = 0;
    assert_non_null(distance);
    memset(distance, 0xFF, last + 1);
    distance[1] = 0;
    levels[0] = 1;
    while (levels[level] > 0) {
        levels[++level] = 0;
        for (uint64_t n = 1; n <= last; n++) {
            const uint64_t ways[2] = {n + 1, 2 * n};
            for (unsigned w = 0; distance[n] == level - 1 && w < 2; w++) {
                if (ways[w] > last || distance[ways[w]] != 0xFF)
                    continue;
                distance[ways[w]] = (uint8_t)level;
                levels[level]++;
            }
        }
    }
    free(distance);
    return level;
}

/* Irreversible moves: the hash set to the end, spread over its partitions on the way. */
TEST(an_irreversible_space_is_spread_and_walked)
{
    static const struct search_options options[] = {
        {.keep_all = true}, {.keep_all = true, .first_capacity = 1}, {.keep_all = true, .partitions = 512}};
    uint64_t levels[LEVELS_MAX] = {0};
    unsigned count = plain_levels(NUMBERS, levels);
    for (unsigned words = 1; words <= KEY_WORDS_MAX; words *= 2) {
        for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
            struct number_space number = number_space(words, false, NUMBERS, 0);
            uint64_t root[PZ_STATE_MAX / 8];
            struct trial trial;
            number_state(&number.base, 1, root);
            trial_init(&trial, &number.base, root, &options[i], 3, 512 << 20);
            check_levels(&trial, levels, count);
            trial_clear(&trial);
        }
    }
}

/* ---- what a checkpoint needs ---- */

/* Checks that each state of the levels needed to go on comes once, in ascending order. */
static void check_needed(const struct trial *trial, const uint64_t *levels)
{
    uint64_t read[LEVELS_MAX] = {0};
    uint64_t key[KEY_WORDS_MAX], before[KEY_WORDS_MAX] = {0};
    uint32_t level = 0, lowest = search_lowest(trial->search), deepest = search_level(trial->search);
    struct search_cursor cursor;
    cursor_begin(&cursor, trial->search, lowest, deepest);
    for (bool first = true; cursor_next(&cursor, key, &level); first = false) {
        assert_true(first || key_less(before, key, trial->searchers.words));
        assert_true(level >= lowest && level <= deepest);
        read[level]++;
        memcpy(before, key, sizeof key);
    }
    cursor_end(&cursor);
    for (unsigned i = lowest; i <= deepest; i++)
        assert_int_equal(read[i], levels[i]);
}

/* In layers and in a set, all levels kept or three; 3x3 whole, with the published levels. */
TEST(between_two_levels_all_states_to_go_on_with_are_there)
{
    static const struct search_options options[] = {
        {.keep_all = true, .partitions = 256},
        {.keep_all = false, .partitions = 256},
        {.keep_all = true, .partitions = 2, .first_capacity = 2},
        {.keep_all = false, .partitions = 2, .first_capacity = 2},
    };
    const struct search_step step = {0};
    uint64_t levels[LEVELS_MAX] = {0};
    uint64_t root[PZ_STATE_MAX / 8];
    unsigned count = test_data_levels("3x3", levels, LEVELS_MAX);
    struct pz_space *space = open_at_root("3x3", root);
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        for (unsigned threads = 1; threads <= 4; threads += 3) {
            struct trial trial;
            trial_init(&trial, space, root, &options[i], threads, 512 << 20);
            check_needed(&trial, levels);
            while (search_level(trial.search) + 1 < count) {
                assert_int_equal(search_advance(trial.search, &trial.monitor, &step, NULL), HALT_NONE);
                check_needed(&trial, levels);
            }
            trial_clear(&trial);
        }
    }
    space_close(space);
}
