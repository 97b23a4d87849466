/* SPDX-License-Identifier: MIT */
/* How planes are coded: every code by every kernel, damaged codes, bits packed, strings in an arena. */
#include "test_support.h"

#include "base/random.h"
#include "explore/pieces/arena.h"
#include "explore/pieces/codec.h"

#include <stdlib.h>
#include <string.h>

struct buffers {
    uint8_t plain[CODEC_MOST + CODEC_PAD];
    uint8_t coded[2 * CODEC_ROOM];
    uint8_t other[CODEC_ROOM];
    uint8_t back[CODEC_MOST + CODEC_PAD];
    uint8_t room[CODEC_ROOM];
};

/* Bytes of which about one in 2^rarity is not zero; all of them with rarity 0. Most have one bit. */
static void fill(uint8_t *bytes, size_t count, unsigned rarity, uint64_t seed)
{
    struct random random = {.state = seed};
    for (size_t i = 0; i < count; i++) {
        uint64_t drawn = random_next(&random);
        bool held = (drawn >> 32 & ((1u << rarity) - 1)) == 0;
        bool single = (drawn & 0x700) != 0;
        uint64_t value = single ? UINT64_C(1) << (drawn & 7) : drawn | 1;
        bytes[i] = held ? (uint8_t)value : 0;
    }
}

static const size_t lengths[] = {8, 24, 56, 64, 72, 512, 520, 2520, 20160, 181440, CODEC_MOST};
enum { LENGTHS = sizeof lengths / sizeof lengths[0], RARITIES = 12 };

static void every_kernel_writes_the_same_code_and_reads_it(void **state)
{
    struct buffers *b = calloc(1, sizeof *b);
    (void)state;
    for (unsigned i = 0; i < LENGTHS * RARITIES; i++) {
        size_t length = lengths[i / RARITIES];
        fill(b->plain, length, i % RARITIES, i);
        size_t coded = codec_portable.encode(b->plain, length, b->coded);
        for (unsigned k = 0; codec_kernel_number(k) != NULL; k++) {
            const struct codec_kernel *kernel = codec_kernel_number(k);
            if (!kernel->runs_here())
                continue;
            assert_int_equal(kernel->encode(b->plain, length, b->other), coded);
            assert_memory_equal(b->other, b->coded, coded);
            memset(b->back, 0xA5, sizeof b->back);
            kernel->decode(b->coded, b->coded + coded, b->back, length);
            assert_memory_equal(b->back, b->plain, length);
            assert_int_equal(b->back[length], 0xA5);
        }
    }
    free(b);
}

static void what_is_coded_comes_back_by_every_code(void **state)
{
    struct buffers *b = calloc(1, sizeof *b);
    unsigned used[CODE_COUNT] = {0};
    (void)state;
    for (unsigned i = 0; i < LENGTHS * RARITIES; i++) {
        size_t length = lengths[i / RARITIES];
        fill(b->plain, length, i % RARITIES, i);
        for (enum code most = CODE_RAW; most < CODE_COUNT; most++) {
            enum code code = most;
            size_t coded = codec_encode(&code, b->plain, length, b->coded);
            assert_true(coded <= length);
            assert_true(code <= most);
            used[code]++;
            memset(b->back, 0xA5, sizeof b->back);
            // NOLINTNEXTLINE(readability-suspicious-call-argument): the order is codec_decode's
            assert_true(codec_decode(code, b->coded, coded, b->back, length, b->room));
            assert_memory_equal(b->back, b->plain, length);
        }
    }
    assert_true(used[CODE_RAW] > 0 && used[CODE_MASK] > 0 && used[CODE_SHORT] > 0);
    free(b);
}

static void every_kernel_shortens_values_alike(void **state)
{
    struct buffers *b = calloc(1, sizeof *b);
    uint8_t number[256];
    uint8_t dictionary[CODEC_DICTIONARY] = {0};
    (void)state;
    memset(number, CODEC_COMMON, sizeof number);
    for (unsigned i = 0; i < CODEC_COMMON; i++) {
        dictionary[i] = (uint8_t)(i < 8 ? 1u << i : 16 * i + 5);
        number[dictionary[i]] = (uint8_t)i;
    }
    for (unsigned i = 0; i < LENGTHS; i++) {
        size_t count = lengths[i] - i % 7;
        size_t halves = (count + 63) / 64 * 32;
        fill(b->plain, count, 0, i);
        size_t rest = codec_portable.shorten(b->plain, count, number, b->coded, b->room);
        for (unsigned k = 0; codec_kernel_number(k) != NULL; k++) {
            const struct codec_kernel *kernel = codec_kernel_number(k);
            if (!kernel->runs_here())
                continue;
            assert_int_equal(kernel->shorten(b->plain, count, number, b->other, b->back), rest);
            assert_memory_equal(b->other, b->coded, halves);
            assert_memory_equal(b->back, b->room, rest);
            assert_int_equal(kernel->count_rest(b->coded, halves), rest);
            kernel->lengthen(b->coded, count, dictionary, b->room, b->back);
            assert_memory_equal(b->back, b->plain, count);
        }
    }
    free(b);
}

static void zeros_take_nothing(void **state)
{
    struct buffers *b = calloc(1, sizeof *b);
    (void)state;
    for (unsigned i = 0; i < LENGTHS; i++) {
        enum code code = CODE_SHORT;
        assert_int_equal(codec_encode(&code, b->plain, lengths[i], b->coded), 0);
        assert_int_equal(code, CODE_EMPTY);
        memset(b->back, 0xA5, sizeof b->back);
        assert_true(codec_decode(code, b->coded, 0, b->back, lengths[i], b->room));
        assert_memory_equal(b->back, b->plain, lengths[i]);
    }
    free(b);
}

static void a_code_of_the_wrong_length_is_refused(void **state)
{
    struct buffers *b = calloc(1, sizeof *b);
    (void)state;
    fill(b->plain, 20160, 3, 1);
    for (enum code most = CODE_RAW; most < CODE_COUNT; most++) {
        enum code code = most;
        size_t coded = codec_encode(&code, b->plain, 20160, b->coded);
        assert_false(codec_decode(code, b->coded, coded - 1, b->back, 20160, b->room));
        assert_false(codec_decode(code, b->coded, coded, b->back, 2520, b->room));
        assert_false(codec_decode(code, b->coded, 0, b->back, 20160, b->room));
    }
    assert_false(codec_decode(CODE_EMPTY, b->coded, 1, b->back, 20160, b->room));
    free(b);
}

static void packed_bits_are_unpacked_by_every_kernel(void **state)
{
    struct buffers *b = calloc(1, sizeof *b);
    (void)state;
    fill(b->plain, 20160, 1, 7);
    for (unsigned i = 0; i < 8 * 8; i++) {
        size_t count = lengths[i / 8];
        unsigned bit = i % 8;
        for (unsigned k = 0; codec_kernel_number(k) != NULL; k++) {
            const struct codec_kernel *kernel = codec_kernel_number(k);
            if (!kernel->runs_here())
                continue;
            kernel->pack(b->plain, count, bit, b->coded);
            for (size_t at = 0; at < count; at++)
                assert_int_equal(b->coded[at / 8] >> at % 8 & 1, b->plain[at] >> bit & 1);
            bool any = kernel->unpack(b->coded, count, bit, b->back);
            for (size_t at = 0; any && at < count; at++)
                assert_int_equal(b->back[at], b->plain[at] & 1u << bit);
            for (size_t at = 0; !any && at < count; at++)
                assert_int_equal(b->plain[at] & 1u << bit, 0);
            memset(b->coded, 0, count / 8);
            assert_false(kernel->unpack(b->coded, count, bit, b->back));
            b->coded[count / 8 - 1] = 0x80;
            assert_true(kernel->unpack(b->coded, count, bit, b->back));
            assert_int_equal(b->back[count - 1], 1u << bit);
        }
    }
    free(b);
}

static void an_arena_keeps_strings_within_its_budget(void **state)
{
    enum { STRINGS = 64, MOST = 300000 };
    struct arena *arena = NULL;
    struct pz_error error = {0};
    struct budget budget;
    struct arena_string string[STRINGS];
    static uint8_t bytes[MOST];
    static uint8_t back[MOST];
    (void)state;
    budget_init(&budget, NULL, 20000000);
    assert_ok(arena_new(&budget, UINT64_C(1) << 34, 4096, &arena, &error), error);
    for (unsigned round = 0; round < 20; round++) {
        for (unsigned i = 0; i < STRINGS; i++) {
            size_t length = (i * 7919u + round * 104729u) % MOST;
            memset(bytes, (int)(i + round), length);
            assert_true(arena_put(arena, bytes, length, &string[i]));
        }
        for (unsigned i = STRINGS; i-- > 0;) {
            size_t length = string[i].length;
            memset(bytes, (int)(i + round), length);
            arena_get(arena, string[i], back);
            assert_memory_equal(back, bytes, length);
            arena_drop(arena, &string[i]);
        }
        assert_int_equal(arena_used(arena), 0);
    }
    unsigned kept = 0;
    for (; kept < STRINGS && arena_put(arena, bytes, MOST, &string[kept]); kept++) {
    }
    assert_in_range(kept, 50, 63); /* 20 MB hold no more of them */
    arena_drop(arena, &string[0]);
    assert_true(arena_put(arena, bytes, MOST, &string[0]));
    arena_free(arena);
    assert_int_equal(atomic_load(&budget.used), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_writes_the_same_code_and_reads_it),
        cmocka_unit_test(what_is_coded_comes_back_by_every_code),
        cmocka_unit_test(every_kernel_shortens_values_alike),
        cmocka_unit_test(zeros_take_nothing),
        cmocka_unit_test(a_code_of_the_wrong_length_is_refused),
        cmocka_unit_test(packed_bits_are_unpacked_by_every_kernel),
        cmocka_unit_test(an_arena_keeps_strings_within_its_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
