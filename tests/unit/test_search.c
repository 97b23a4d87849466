/* SPDX-License-Identifier: MIT */
/* The search itself: segments that must grow at every insertion, and the walk through what it keeps. */
#include "test_support.h"

#include "explore/striped/search.h"
#include "explore/striped/search_cursor.h"
#include "explore/striped/search_parts.h"
#include "number_puzzle.h"
#include "space/registry.h"

#include <limits.h>

enum { LEVELS_MAX = 64 };

struct trial {
    struct budget budget;
    struct crew crew;
    struct search *search;
    struct control control;
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
    assert_ok(crew_init(&trial->crew, space, threads, &trial->budget, search_chunk_bytes(space), &error),
              error);
    assert_ok(search_new(&trial->crew, &options, &trial->search, &error), error);
}

static void trial_clear(struct trial *trial)
{
    search_free(trial->search);
    crew_clear(&trial->crew);
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
        assert_int_equal(search_advance(trial->search, &trial->control, &step, NULL), HALT_NONE);
    }
    assert_int_equal(search_frontier(trial->search), 0);
    cursor_begin(&cursor, trial->search, CURSOR_ALL);
    for (bool first = true; cursor_next(&cursor, key, &level); first = false) {
        assert_true(first || key_less(before, key, trial->crew.words));
        assert_true(level < count);
        walked[level]++;
        memcpy(before, key, sizeof key);
    }
    cursor_end(&cursor);
    assert_memory_equal(walked, levels, count * sizeof levels[0]);
    for (unsigned i = 0; i < count; i++) {
        uint64_t states = 0;
        for (cursor_begin(&cursor, trial->search, i); cursor_next(&cursor, key, &level); states++) {
            assert_int_equal(level, i);
            assert_int_equal(search_find(trial->search, key), i);
        }
        cursor_end(&cursor);
        assert_int_equal(states, levels[i]);
    }
}

/* With room for one key in the beginning, every path of insertion grows its segment again and again: the
 * root, the piles, and the spreading over stripes. */
static void segments_that_begin_with_one_slot_grow(void **state)
{
    (void)state;
    static const struct search_options options[] = {
        {.keep_all = true, .first_capacity = 1},
        {.keep_all = true, .first_capacity = 1, .stripes = 1},
        {.keep_all = true, .first_capacity = 1, .stripes = 16},
        {.keep_all = true, .first_capacity = 1, .stripes = 1024},
        {.keep_all = true, .first_capacity = 2, .stripes = 64},
    };
    uint64_t levels[LEVELS_MAX] = {0};
    uint64_t root[PZ_STATE_MAX / 8];
    unsigned count = test_data_levels("3x3", levels, LEVELS_MAX);
    struct pz_space *space = open_at_root("3x3", root);
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        for (unsigned threads = 1; threads <= 4; threads += 3) {
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

/* Irreversible moves: the hash set to the end, spread over its stripes on the way. */
static void an_irreversible_space_is_spread_and_walked(void **state)
{
    (void)state;
    static const struct search_options options[] = {
        {.keep_all = true}, {.keep_all = true, .first_capacity = 1}, {.keep_all = true, .stripes = 512}};
    uint64_t levels[LEVELS_MAX] = {0};
    unsigned count = plain_levels(200000, levels);
    for (unsigned words = 1; words <= 4; words *= 2) {
        for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
            struct number_space number = number_space(words, false, 200000, 0);
            uint64_t root[PZ_STATE_MAX / 8];
            struct trial trial;
            number_state(&number.base, 1, root);
            trial_init(&trial, &number.base, root, &options[i], 3, 512 << 20);
            check_levels(&trial, levels, count);
            trial_clear(&trial);
        }
    }
}

/* ---- saved beside the search ---- */

enum { READ_AT_A_TIME = 97, PIECE = 10 };

/* Whether the search must wait: only where a set keeps three levels, and has gone two on. */
static bool must_wait(const struct search *search, unsigned at)
{
    return !search->layered && !search->keep_all && search_level(search) > at + 1;
}

/* Reads what is saved of level `at`: some states, in pieces that are smaller still, then the search goes a
 * level on, and so forth. Each state of the levels that are kept must come once, in ascending order. */
static void check_saved(struct trial *trial, const uint64_t *levels, unsigned count, unsigned at)
{
    const struct search_step step = {0};
    uint64_t read[LEVELS_MAX] = {0};
    uint64_t key[KEY_WORDS_MAX], before[KEY_WORDS_MAX] = {0};
    uint32_t level = 0;
    unsigned states = 0;
    struct search_cursor cursor;
    search_save_begin(trial->search);
    cursor_begin_beside(&cursor, trial->search, at);
    cursor.piece = PIECE;
    for (; cursor_next(&cursor, key, &level); states++) {
        assert_true(states == 0 || key_less(before, key, trial->crew.words));
        assert_true(level <= at);
        read[level]++;
        memcpy(before, key, sizeof key);
        search_saved(trial->search, cursor.stripe);
        if (states % READ_AT_A_TIME != 0 || search_level(trial->search) + 1 >= count)
            continue;
        assert_int_equal(search_awaits_saved(trial->search), must_wait(trial->search, at));
        if (!must_wait(trial->search, at))
            assert_int_equal(search_advance(trial->search, &trial->control, &step, NULL), HALT_NONE);
    }
    assert_false(cursor.failed);
    cursor_end(&cursor);
    search_saved(trial->search, UINT_MAX);
    search_save_end(trial->search);
    assert_true(search_level(trial->search) > at); /* else nothing was tried */
    unsigned lowest = trial->search->keep_all || at == 0 ? 0 : at - 1;
    for (unsigned i = 0; i < LEVELS_MAX; i++)
        assert_int_equal(read[i], i >= lowest && i <= at ? levels[i] : 0);
}

/* In layers and in a set, all levels kept or three; 3x3 whole, with the published levels. */
static void what_is_saved_stays_while_the_search_goes_on(void **state)
{
    (void)state;
    static const struct search_options options[] = {
        {.keep_all = true, .stripes = 256},
        {.keep_all = false, .stripes = 256},
        {.keep_all = true, .stripes = 256, .first_capacity = 2},
        {.keep_all = false, .stripes = 256, .first_capacity = 2},
        {.keep_all = true, .stripes = 2, .first_capacity = 2},
        {.keep_all = false, .stripes = 2, .first_capacity = 2},
    };
    uint64_t levels[LEVELS_MAX] = {0};
    uint64_t root[PZ_STATE_MAX / 8];
    unsigned count = test_data_levels("3x3", levels, LEVELS_MAX);
    struct pz_space *space = open_at_root("3x3", root);
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        for (unsigned threads = 1; threads <= 4; threads += 3) {
            const struct search_step step = {0};
            struct trial trial;
            trial_init(&trial, space, root, &options[i], threads, 512 << 20);
            while (search_level(trial.search) + 2 < count) {
                uint32_t level = search_level(trial.search);
                check_saved(&trial, levels, count, level);
                assert_int_equal(search_frontier(trial.search), levels[search_level(trial.search)]);
            }
            while (search_level(trial.search) + 1 < count)
                assert_int_equal(search_advance(trial.search, &trial.control, &step, NULL), HALT_NONE);
            assert_int_equal(search_frontier(trial.search), levels[count - 1]);
            trial_clear(&trial);
        }
    }
    space_close(space);
}

/* Advances until the search would rather wait for what is being saved; false when it never does. */
static bool advance_until_it_waits(struct trial *trial)
{
    const struct search_step step = {0};
    assert_false(search_awaits_saved(trial->search)); /* of what? */
    search_save_begin(trial->search);
    while (search_frontier(trial->search) > 0) {
        if (search_awaits_saved(trial->search))
            return true;
        if (search_advance(trial->search, &trial->control, &step, NULL) != HALT_NONE)
            return false;
    }
    return false;
}

/* Saves from the root on, and returns the level at which the search waits. */
static uint32_t level_of_waiting(const struct pz_space *space, const void *root, bool keep_all)
{
    const struct search_options options = {.keep_all = keep_all};
    struct trial trial;
    trial_init(&trial, space, root, &options, 2, 512 << 20);
    assert_true(advance_until_it_waits(&trial));
    uint32_t level = search_level(trial.search);
    trial_clear(&trial);
    return level;
}

static void a_search_that_moves_all_its_states_waits_for_what_is_saved(void **state)
{
    (void)state;
    struct number_space doubling = number_space(1, false, 2000000, 0);
    struct number_space chain = number_space(1, true, 1000, 0);
    uint64_t levels[LEVELS_MAX] = {0};
    uint64_t root[PZ_STATE_MAX / 8];
    uint64_t states = 0;
    (void)plain_levels(2000000, levels);
    number_state(&doubling.base, 1, root);
    uint32_t spread = level_of_waiting(&doubling.base, root, true);
    for (uint32_t i = 0; i <= spread; i++)
        states += levels[i];
    assert_true(states >= SEARCH_LARGE_STATES);
    number_state(&chain.base, 0, root);
    assert_int_equal(level_of_waiting(&chain.base, root, true), UINT8_MAX); /* two bytes a distance */
    /* a set that keeps three levels keeps one more for that */
    assert_int_equal(level_of_waiting(&chain.base, root, false), 2);
}

/* How deep the search of a space comes within a budget that ends it, where from that level on it is saved, so
 * slowly that it has to wait for that; UINT32_MAX for never. */
static uint32_t deepest_within(const struct pz_space *space, const void *root,
                               const struct search_options *options, uint64_t budget, uint32_t saved_at)
{
    const struct search_step step = {0};
    struct trial trial;
    trial_init(&trial, space, root, options, 1, budget);
    do {
        if (search_level(trial.search) == saved_at) {
            assert_true(advance_until_it_waits(&trial));
            search_saved(trial.search, UINT_MAX);
        }
    } while (search_advance(trial.search, &trial.control, &step, NULL) == HALT_NONE);
    uint32_t level = search_level(trial.search);
    trial_clear(&trial);
    return level;
}

/* What stays only to be saved must not make the search of the 15-puzzle end at a level before the one where
 * it would end anyway, in layers or in a set. */
static void a_search_short_of_memory_waits_for_what_is_saved(void **state)
{
    (void)state;
    static const struct search_options options[] = {{.stripes = 256}, {.stripes = 64, .first_capacity = 32}};
    uint64_t root[PZ_STATE_MAX / 8];
    struct pz_space *space = open_at_root("4x4", root);
#ifdef PUZZLED_SANITIZED
    const uint64_t step = 8 << 20;
#else
    const uint64_t step = 2 << 20;
#endif
    for (unsigned i = 0; i < 2; i++) {
        for (uint64_t budget = 8 << 20; budget <= 24 << 20; budget += step) {
            uint32_t deepest = deepest_within(space, root, &options[i], budget, UINT32_MAX);
            assert_true(deepest > 12);
            for (uint32_t at = i == 0 ? 0 : deepest - 5; at < deepest - 1; at += i == 0 ? 5 : 1)
                assert_int_equal(deepest_within(space, root, &options[i], budget, at), deepest);
        }
    }
    space_close(space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(segments_that_begin_with_one_slot_grow),
        cmocka_unit_test(an_irreversible_space_is_spread_and_walked),
        cmocka_unit_test(what_is_saved_stays_while_the_search_goes_on),
        cmocka_unit_test(a_search_that_moves_all_its_states_waits_for_what_is_saved),
        cmocka_unit_test(a_search_short_of_memory_waits_for_what_is_saved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
