/* SPDX-License-Identifier: MIT */
/* Entries, their sorting, and logs, each compared with the plainest way to do the same. */
#include "test_support.h"

#include "base/random.h"
#include "explore/key/radix.h"
#include "explore/striped/visited/visited_log.h"

enum { MOST = 60000 };

static unsigned compared_words;

static int by_key(const void *a, const void *b)
{
    if (entry_less(a, b, compared_words))
        return -1;
    return entry_less(b, a, compared_words) ? 1 : 0;
}

/* Sorts, and makes one of entries of one key. Returns how many there are. */
static uint64_t plainly(uint64_t *entries, uint64_t count, unsigned words)
{
    uint64_t kept = 0;
    compared_words = words;
    qsort(entries, count, words * sizeof *entries, by_key);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t *entry = entries + i * words;
        uint64_t *last = entries + (kept > 0 ? kept - 1 : 0) * words;
        if (kept == 0 || !entry_same_key(entry, last, words))
            memmove(entries + kept++ * words, entry, words * sizeof *entry);
        else
            last[0] |= entry[0];
    }
    return kept;
}

/* Keys of so few values that many are equal, or differ in their last bits only. */
static void fill(struct random *random, uint64_t *entries, uint64_t count, unsigned words, unsigned skip,
                 bool alike)
{
    for (uint64_t i = 0; i < count; i++) {
        uint64_t key[KEY_WORDS_MAX] = {random_below(random, count + 1)};
        key[words - 1] = random_below(random, count + 1);
        if (!alike)
            mix_state(key, key, words);
        key[0] = key[0] << (8 + skip) >> (8 + skip);
        entry_make(entries + i * words, key, (uint8_t)(1u << random_below(random, 4)), words);
    }
}

static void check_sort(struct random *random, uint64_t count, unsigned words, unsigned skip, bool alike)
{
    struct budget budget;
    uint64_t *expected = malloc((count * words + 1) * sizeof *expected);
    assert_non_null(expected);
    budget_init(&budget, NULL, 1 << 30);
    struct radix radix = {.budget = &budget};
    assert_true(radix_reserve(&radix, count * words + 1));
    fill(random, radix.entries, count, words, skip, alike);
    memcpy(expected, radix.entries, count * words * sizeof *expected);
    uint64_t wanted = plainly(expected, count, words);
    assert_int_equal(radix_sort_unique(&radix, count, words, skip, true), wanted);
    assert_memory_equal(radix.entries, expected, wanted * words * sizeof *expected);
    radix_clear(&radix);
    free(expected);
    assert_int_equal(budget.used, 0);
}

TEST(sorting_is_what_qsort_makes_of_it)
{
    static const uint64_t counts[] = {0, 1, 2, 3, 24, 25, 26, 100, 1000, 4097, MOST};
    struct random random = {7};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        for (unsigned words = 1; words <= KEY_WORDS_MAX; words *= 2)
            for (unsigned skip = 0; skip <= 8; skip += 4)
                check_sort(&random, counts[i], words, skip, false);
}

TEST(what_takes_a_third_digit_is_sorted_too)
{
    struct random random = {8};
    check_sort(&random, (1u << 2 * RADIX_BITS) - 1, 1, 0, false);
    check_sort(&random, (1u << 2 * RADIX_BITS) + 5, 1, 3, false);
}

/* Where tokens do not join, each key stays with the token of one of its entries. */
TEST(tokens_that_do_not_join_stay_as_they_were)
{
    struct random random = {11};
    struct budget budget;
    budget_init(&budget, NULL, 1 << 30);
    struct radix radix = {.budget = &budget};
    for (unsigned words = 1; words <= KEY_WORDS_MAX; words *= 2)
        for (unsigned alike = 0; alike < 2; alike++) {
            assert_true(radix_reserve(&radix, 3000 * words));
            fill(&random, radix.entries, 3000, words, 0, alike != 0);
            memcpy(radix.entries + (size_t)1500 * words, radix.entries,
                   (size_t)1500 * words * sizeof(uint64_t));
            for (size_t i = 1500; i < 3000; i++) /* each key twice, with another token */
                radix.entries[i * words] ^= entry_token(radix.entries + i * words) * 0x11u;
            const uint64_t kept = radix_sort_unique(&radix, 3000, words, 0, false);
            assert_in_range(kept, 1, 1500);
            for (uint64_t i = 0; i < kept; i++)
                assert_int_equal(__builtin_popcount(entry_token(radix.entries + i * words)), 1);
        }
    radix_clear(&radix);
}

/* All keys have the same digits: the last pass has to sort them. */
TEST(keys_that_differ_in_their_last_bits_only_are_sorted_too)
{
    struct random random = {8};
    for (unsigned words = 1; words <= KEY_WORDS_MAX; words *= 2) {
        check_sort(&random, 20, words, 0, true);
        check_sort(&random, 2000, words, 2, true);
    }
}

TEST(what_follows_an_entry_goes_along_with_it)
{
    struct random random = {9};
    struct budget budget;
    budget_init(&budget, NULL, 1 << 30);
    struct radix radix = {.budget = &budget};
    for (unsigned words = 1; words <= KEY_WORDS_MAX; words *= 2) {
        for (uint64_t count = 1; count <= 20000; count = count * 3 + 1) {
            unsigned stride = words + 1;
            assert_true(radix_reserve(&radix, count * stride));
            for (uint64_t i = 0; i < count; i++) {
                uint64_t key[KEY_WORDS_MAX] = {i};
                mix_state(key, key, words);
                key[0] = key[0] << 10 >> 10;
                entry_make(radix.entries + i * stride, key, 0, words);
                radix.entries[i * stride + words] = i;
            }
            radix_sort_pairs(&radix, count, words, 2);
            for (uint64_t i = 0; i < count; i++) {
                const uint64_t *entry = radix.entries + i * stride;
                uint64_t key[KEY_WORDS_MAX] = {entry[words]};
                uint64_t expected[KEY_WORDS_MAX];
                mix_state(key, key, words);
                key[0] = key[0] << 10 >> 10;
                entry_make(expected, key, 0, words);
                assert_memory_equal(entry, expected, words * sizeof *entry);
                assert_true(i == 0 || entry_less(entry - stride, entry, words));
            }
        }
    }
    (void)random;
    radix_clear(&radix);
}

TEST(an_entry_gives_its_key_and_token_back)
{
    struct random random = {10};
    for (unsigned words = 1; words <= KEY_WORDS_MAX; words *= 2) {
        for (int i = 0; i < 1000; i++) {
            uint64_t key[KEY_WORDS_MAX], entry[KEY_WORDS_MAX], again[KEY_WORDS_MAX];
            for (unsigned w = 0; w < words; w++)
                key[w] = random_next(&random);
            uint8_t token = (uint8_t)random_next(&random);
            entry_make(entry, key, token, words);
            entry_key(entry, key[0] >> 56 << 56, again, words);
            assert_memory_equal(again, key, words * sizeof key[0]);
            assert_int_equal(entry_token(entry), token);
        }
    }
}

/* ---- logs ---- */

struct log_trial {
    struct budget budget;
    struct pool pool;
    struct log_shape shape;
    struct log log;
};

static void log_trial_init(struct log_trial *trial, unsigned words)
{
    memset(trial, 0, sizeof *trial);
    budget_init(&trial->budget, NULL, 64 << 20);
    pool_init(&trial->pool, &trial->budget, words, 256);
    trial->shape =
        (struct log_shape){.budget = &trial->budget, .words = words, .capacity = trial->pool.entries};
}

static void log_trial_clear(struct log_trial *trial)
{
    log_clear(&trial->shape, &trial->log);
    pool_clear(&trial->pool);
    assert_int_equal(trial->budget.used, 0);
}

/* The i-th entry of a level: ascending in i, and never of two levels. */
static void make_entry(uint32_t level, uint32_t i, unsigned words, uint64_t *entry)
{
    uint64_t key[KEY_WORDS_MAX] = {0};
    key[0] = (uint64_t)i << 20 | level;
    entry_make(entry, key, (uint8_t)level, words);
}

static void add_level(struct log_trial *trial, uint32_t level, uint32_t count)
{
    uint64_t entry[KEY_WORDS_MAX];
    assert_true(log_begin(&trial->shape, &trial->log, level));
    for (uint32_t i = 0; i < count; i++) {
        make_entry(level, i, trial->shape.words, entry);
        if (log_room(&trial->shape, &trial->log) == 0)
            assert_true(log_add_chunk(&trial->shape, &trial->log, pool_take(&trial->pool, 1)));
        log_add(&trial->shape, &trial->log, entry, 1);
    }
}

static uint32_t width_of(uint32_t level)
{
    return level % 7 == 3 ? 0 : 1 + level * level % 200; /* some levels have no state here */
}

static void check_level(const struct log_trial *trial, uint32_t level, bool there)
{
    uint64_t entry[KEY_WORDS_MAX];
    struct range range = log_level(&trial->log, level);
    assert_int_equal(range.end - range.begin, there ? width_of(level) : 0);
    for (uint32_t i = 0; i < width_of(level); i++) {
        make_entry(level, i, trial->shape.words, entry);
        assert_int_equal(log_find(&trial->shape, &trial->log, entry), there ? (int64_t)level : -1);
        assert_int_equal(log_has(&trial->shape, &trial->log, range, entry), there);
    }
    make_entry(level, width_of(level), trial->shape.words, entry);
    assert_int_equal(log_find(&trial->shape, &trial->log, entry), -1);
}

TEST(a_log_finds_every_state_in_its_level)
{
    for (unsigned words = 1; words <= KEY_WORDS_MAX; words *= 2) {
        struct log_trial trial;
        log_trial_init(&trial, words);
        for (uint32_t level = 0; level < 60; level++)
            if (width_of(level) > 0)
                add_level(&trial, level, width_of(level));
        for (uint32_t level = 0; level < 62; level++)
            check_level(&trial, level, level < 60);
        log_trial_clear(&trial);
    }
}

TEST(levels_that_are_dropped_give_their_chunks_back)
{
    struct log_trial trial;
    uint64_t most = 0;
    log_trial_init(&trial, 1);
    for (uint32_t level = 0; level < 600; level++) {
        if (width_of(level) > 0)
            add_level(&trial, level, width_of(level));
        pool_give(&trial.pool, log_drop(&trial.shape, &trial.log, level > 2 ? level - 2 : 0));
        if (level == 100)
            most = trial.budget.used;
        for (uint32_t old = level > 5 ? level - 5 : 0; old <= level; old++)
            check_level(&trial, old, old + 2 >= level);
    }
    assert_int_equal(trial.budget.used, most); /* chunks go round */
    log_trial_clear(&trial);
}
