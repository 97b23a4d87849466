/* SPDX-License-Identifier: MIT */
/* Tables of runs: written and read. */
#include "store_keys.h"

store_test(every_key_of_a_table_is_found_with_its_distance)
{
    struct fixture *fixture = *state;
    static const unsigned farthest[] = {200, 300};
    for (unsigned words = 1; words <= PZ_STATE_MAX / 8; words *= 2) {
        for (unsigned width = 0; width < 2; width++) {
            struct keys keys = keys_make(20000, words, farthest[width]);
            store_runs(fixture, "t", &keys);
            struct table_view *view;
            fixture_ok(table_view_open(fixture->store, "t", &view, &fixture->error));
            assert_int_equal(table_view_record(view)->states, keys.count);
            for (size_t i = 0; i < keys.count; i++) {
                uint32_t distance;
                uint64_t *key = keys.keys + i * words;
                fixture_ok(table_view_key(view, key, words, &distance, &fixture->error));
                assert_int_equal(distance, keys.distances[i]);
                key[words - 1]++;
                assert_int_equal(table_view_key(view, key, words, &distance, &fixture->error), PZ_NO_TABLE);
                key[words - 1]--;
            }
            static const uint64_t lowest[PZ_STATE_MAX / 8];
            uint64_t highest[PZ_STATE_MAX / 8];
            uint32_t distance;
            memset(highest, UINT8_MAX, sizeof highest);
            assert_int_equal(table_view_key(view, lowest, words, &distance, &fixture->error), PZ_NO_TABLE);
            assert_int_equal(table_view_key(view, highest, words, &distance, &fixture->error), PZ_NO_TABLE);
            table_view_close(view);
            keys_free(&keys);
        }
    }
}

store_test(all_runs_are_visited_in_order)
{
    struct fixture *fixture = *state;
    for (unsigned words = 1; words <= PZ_STATE_MAX / 8; words *= 2) {
        struct collected collected = {.keys = keys_make(150000, words, 80), .same = true};
        store_runs(fixture, "t", &collected.keys);
        struct table_view *view;
        fixture_ok(table_view_open(fixture->store, "t", &view, &fixture->error));
        fixture_ok(table_view_runs(view, compare_run, &collected, &fixture->error));
        assert_true(collected.same);
        assert_int_equal(collected.seen, collected.keys.count);
        table_view_close(view);
        keys_free(&collected.keys);
    }
}

/* Which of the keys are at the distance, and were visited in order so far. */
struct level_visit {
    const struct keys *keys;
    uint32_t distance;
    size_t at, seen;
    bool same;
};

static bool compare_level(void *context, const struct explore_run *run)
{
    struct level_visit *visit = context;
    const struct keys *keys = visit->keys;
    for (size_t i = 0; i < run->count; i++) {
        while (visit->at < keys->count && keys->distances[visit->at] != visit->distance)
            visit->at++;
        if (visit->at == keys->count || run->distances[i] != visit->distance)
            return visit->same = false;
        const size_t bytes = keys->words * sizeof *keys->keys;
        visit->same &=
            memcmp(keys->keys + visit->at++ * keys->words, run->keys + i * keys->words, bytes) == 0;
        visit->seen++;
    }
    return true;
}

/* With distances of one byte and of two. */
store_test(a_level_is_visited_alone_in_order)
{
    struct fixture *fixture = *state;
    static const uint32_t levels[] = {0, 7, 80, 255, 256, 263, 1000, 1001};
    static const uint64_t first[2];
    for (unsigned words = 1; words <= 2; words++) {
        struct keys keys = keys_make(60000, words, words == 1 ? 80 : 1000);
        struct table_view *view;
        store_runs(fixture, "t", &keys);
        fixture_ok(table_view_open(fixture->store, "t", &view, &fixture->error));
        for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
            struct level_visit visit = {.keys = &keys, .distance = levels[i], .same = true};
            size_t wanted = 0;
            for (size_t k = 0; k < keys.count; k++)
                wanted += keys.distances[k] == levels[i];
            fixture_ok(table_view_level(view, first, levels[i], compare_level, &visit, &fixture->error));
            assert_true(visit.same);
            assert_int_equal(visit.seen, wanted);
        }
        table_view_close(view);
        keys_free(&keys);
    }
}

store_test(the_first_and_last_possible_keys_are_keys_like_others)
{
    struct fixture *fixture = *state;
    uint64_t keys[] = {0, 5, UINT64_MAX};
    uint32_t distances[] = {1, 2, 3};
    struct keys few = {.keys = keys, .distances = distances, .count = 3, .words = 1};
    store_runs(fixture, "t", &few);
    struct table_view *view;
    fixture_ok(table_view_open(fixture->store, "t", &view, &fixture->error));
    for (unsigned i = 0; i < 3; i++) {
        uint32_t distance;
        fixture_ok(table_view_key(view, &keys[i], 1, &distance, &fixture->error));
        assert_int_equal(distance, distances[i]);
    }
    table_view_close(view);
}

store_test(distances_take_as_many_bytes_as_they_need)
{
    static const unsigned farthest[] = {UINT8_MAX, UINT8_MAX + 1, UINT16_MAX, UINT16_MAX + 1,
                                        EXPLORE_COST_MAX};
    struct fixture *fixture = *state;
    for (unsigned i = 0; i < sizeof farthest / sizeof *farthest; i++) {
        struct table_view *view;
        struct keys keys = keys_make(5000, 1, farthest[i]);
        keys.distances[17] = farthest[i];
        const char *name = text_of("t%u", i);
        store_runs(fixture, name, &keys);
        fixture_ok(table_view_open(fixture->store, name, &view, &fixture->error));
        for (size_t k = 0; k < keys.count; k++) {
            uint32_t distance;
            fixture_ok(table_view_key(view, &keys.keys[k], 1, &distance, &fixture->error));
            assert_int_equal(distance, keys.distances[k]);
        }
        table_view_close(view);
        keys_free(&keys);
    }
    assert_string_equal(fixture_faults(fixture), "");
}

store_test(a_table_of_one_state_and_one_of_none_answer)
{
    struct fixture *fixture = *state;
    uint64_t key = 77;
    uint32_t distance = 0;
    uint32_t found;
    struct keys one = {.keys = &key, .distances = &distance, .count = 1, .words = 1};
    struct keys none = {.keys = &key, .distances = &distance, .count = 0, .words = 1};
    struct table_view *view;
    store_runs(fixture, "one", &one);
    store_runs(fixture, "none", &none);
    fixture_ok(table_view_open(fixture->store, "one", &view, &fixture->error));
    fixture_ok(table_view_key(view, &key, 1, &found, &fixture->error));
    assert_int_equal(found, 0);
    table_view_close(view);
    fixture_ok(table_view_open(fixture->store, "none", &view, &fixture->error));
    assert_int_equal(table_view_key(view, &key, 1, &found, &fixture->error), PZ_NO_TABLE);
    table_view_close(view);
}

store_test(a_state_of_a_run_takes_less_than_its_key_and_a_byte)
{
    struct fixture *fixture = *state;
    struct keys keys = keys_make(500000, 1, 80);
    struct table_record table;
    store_runs(fixture, "t", &keys);
    fixture_ok(store_table_find(fixture->store, "t", &table, &fixture->error));
    assert_true((double)table.bytes / (double)keys.count < 8.8);
    keys_free(&keys);
}

store_test(states_out_of_order_are_refused_and_nothing_of_them_stays)
{
    struct fixture *fixture = *state;
    const struct table_record about = {.kind = TABLE_RUNS, .state_bytes = 16, .name = "t"};
    static const uint64_t keys[][2] = {{1, 7}, {2, 0}, {2, 0}, {1, 9}};
    static const uint32_t distances[] = {0, 1};
    for (unsigned second = 1; second < 4;
         second++) { /* behind {2,0}: itself, with another, and a lower one */
        struct table_writer *writer;
        struct explore_run run = {.keys = keys[0], .distances = distances, .count = 2, .key_words = 2};
        fixture_ok(table_writer_new(fixture->store, &about, &writer, &fixture->error));
        fixture_ok(table_writer_run(writer, &run, &fixture->error));
        run.keys = keys[second];
        run.count = second == 2 ? 2 : 1;
        assert_int_equal(table_writer_run(writer, &run, &fixture->error), PZ_STORAGE);
        assert_non_null(strstr(fixture->error.text, "table t are not in ascending order, each once"));
        assert_int_equal(table_writer_finish(writer, &about, &fixture->error), PZ_STORAGE);
        struct table_view *view;
        assert_int_equal(table_view_open(fixture->store, "t", &view, &fixture->error), PZ_NO_TABLE);
    }
}
