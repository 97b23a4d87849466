/* SPDX-License-Identifier: MIT */
/* The visited set against a plain list: its keys, their order, and its growth where keys crowd. */
#include "test_support.h"

#include "base/budget.h"
#include "base/random.h"
#include "explore/striped/visited/set.h"

enum { MODEL_MAX = 4096 };

/* The keys that a set ought to hold. */
struct model {
    unsigned words, count;
    uint64_t key[MODEL_MAX][KEY_WORDS_MAX];
    uint16_t distance[MODEL_MAX];
};

static unsigned sorting_words;

static int by_key(const void *a, const void *b)
{
    if (key_less(a, b, sorting_words))
        return -1;
    return key_less(b, a, sorting_words);
}

static int64_t model_find(const struct model *model, const uint64_t *key)
{
    for (unsigned i = 0; i < model->count; i++)
        if (key_equal(model->key[i], key, model->words))
            return model->distance[i];
    return -1;
}

/* Every key once, in ascending order, with its distance, and nothing else. */
static void check_set(const struct set *set, const struct model *model)
{
    static uint64_t sorted[MODEL_MAX][KEY_WORDS_MAX];
    struct set_cursor cursor = {0};
    uint64_t key[KEY_WORDS_MAX] = {0};
    uint16_t distance = 0;
    unsigned at = 0;
    memcpy(sorted, model->key, sizeof sorted);
    sorting_words = model->words;
    qsort(sorted, model->count, sizeof sorted[0], by_key);
    assert_int_equal(set_count(set), model->count);
    for (; set_next(set, &cursor, key, &distance); at++) {
        assert_true(at < model->count);
        assert_true(key_equal(key, sorted[at], model->words));
        assert_int_equal(distance, model_find(model, key));
        assert_int_equal(set_find(set, key), distance);
    }
    assert_int_equal(at, model->count);
}

/* Some keys are anywhere; others crowd at the end of a stripe, the greatest key there is among them. */
static void make_key(const struct model *model, struct random *random, uint64_t *key)
{
    bool crowds = random_below(random, 2) == 0;
    for (unsigned i = 0; i < KEY_WORDS_MAX; i++)
        key[i] = crowds ? UINT64_MAX : random_next(random);
    if (crowds)
        key[model->words - 1] -= random_below(random, 60);
}

static void put(struct set *set, struct model *model, const uint64_t *key, uint16_t distance)
{
    bool known = model_find(model, key) >= 0;
    assert_int_equal(set_put_back(set, key, distance), !known);
    if (known)
        return;
    memcpy(model->key[model->count], key, sizeof model->key[0]);
    model->distance[model->count++] = distance;
}

/* Keeps the distances that are at most span before newest. */
static void keep(struct set *set, struct model *model, uint8_t newest, uint8_t span)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < set->stripe_count; i++)
        set_keep(set, i, newest, span);
    for (unsigned i = 0; i < model->count; i++) {
        if ((uint8_t)(newest - model->distance[i]) > span)
            continue;
        memcpy(model->key[kept], model->key[i], sizeof model->key[0]);
        model->distance[kept++] = model->distance[i];
    }
    model->count = kept;
}

static struct model *model_new(unsigned words)
{
    struct model *model = calloc(1, sizeof *model);
    assert_non_null(model);
    model->words = words;
    return model;
}

TEST(crowded_keys_are_kept_in_order)
{
    struct random random = {.state = 1};
    for (unsigned words = 1; words <= KEY_WORDS_MAX; words *= 2) {
        for (unsigned stripes = 1; stripes <= 16; stripes *= 16) {
            struct model *model = model_new(words);
            struct budget budget;
            struct pz_error error;
            struct set set;
            budget_init(&budget, NULL, (uint64_t)256 << 20);
            const struct set_options options = {.budget = &budget, .words = words, .stripes = stripes};
            assert_ok(set_init(&set, &options, &error), error);
            for (unsigned round = 0; round < 4; round++) {
                for (unsigned i = 0; i < 300; i++) {
                    uint64_t key[KEY_WORDS_MAX];
                    make_key(model, &random, key);
                    /* across the wrap of a byte, as in a search that keeps three levels */
                    put(&set, model, key, (uint8_t)(254 + round));
                }
                check_set(&set, model);
                keep(&set, model, (uint8_t)(254 + round), 1);
                check_set(&set, model);
            }
            assert_true(set_widen(&set));
            check_set(&set, model);
            for (unsigned i = 0; i < 300; i++) {
                uint64_t key[KEY_WORDS_MAX];
                make_key(model, &random, key);
                put(&set, model, key, 1000);
            }
            check_set(&set, model);
            set_clear(&set);
            assert_int_equal(budget.used, 0);
            free(model);
        }
    }
}

/* Without memory some key finds no room; all keys before it stay. */
TEST(a_set_that_is_full_keeps_what_it_has)
{
    for (uint64_t kilobytes = 12; kilobytes <= 32; kilobytes += 4) {
        struct random random = {.state = kilobytes};
        struct model *model = model_new(1);
        struct budget budget;
        struct pz_error error;
        struct set set;
        uint64_t key[KEY_WORDS_MAX];
        budget_init(&budget, NULL, kilobytes << 10);
        const struct set_options options = {.budget = &budget, .words = 1, .stripes = 1};
        assert_ok(set_init(&set, &options, &error), error);
        for (;;) {
            make_key(model, &random, key);
            if (model_find(model, key) < 0 && !set_put_back(&set, key, 7))
                break;
            if (model_find(model, key) >= 0)
                continue;
            memcpy(model->key[model->count], key, sizeof key);
            model->distance[model->count++] = 7;
            assert_true(model->count < MODEL_MAX);
        }
        assert_true(model->count > 30);
        check_set(&set, model);
        assert_int_equal(set_find(&set, key), -1);
        set_clear(&set);
        assert_int_equal(budget.used, 0);
        free(model);
    }
}
