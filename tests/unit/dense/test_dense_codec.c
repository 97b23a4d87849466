/* SPDX-License-Identifier: MIT */
/* How planes are coded: every code by every kernel, damaged codes, bits packed, strings in an arena. */
#include "test_support.h"

#include "base/random.h"
#include "explore/dense/pieces/arena.h"
#include "explore/dense/pieces/codec/codec.h"

#include <stdlib.h>
#include <string.h>

struct buffers {
    uint8_t plain[CODEC_MOST + CODEC_PAD];
    uint8_t coded[CODEC_ROOM];
    uint8_t other[CODEC_ROOM];
    uint8_t back[CODEC_MOST + CODEC_PAD];
};

/* Bytes of `width` bits, of which about one in 2^rarity is not zero; all of them with rarity 0. Most have one
 * bit. */
static void fill(uint8_t *bytes, size_t count, unsigned width, unsigned rarity, uint64_t seed)
{
    struct random random = {.state = seed};
    for (size_t i = 0; i < count; i++) {
        uint64_t drawn = random_next(&random);
        bool held = (drawn >> 32 & ((1u << rarity) - 1)) == 0;
        bool single = (drawn & 0x700) != 0;
        uint64_t value = single ? UINT64_C(1) << (drawn & 7) % width : drawn | 1;
        bytes[i] = (uint8_t)(held ? value & ((1u << width) - 1) : 0);
    }
}

static const uint8_t some[9] = {0, 1, 0, 0, 128, 2, 3, 0, 0};
static const uint8_t seven[9] = {64, 0, 64, 1, 8, 2, 3, 127, 0};
static const uint8_t six[9] = {0, 32, 0, 1, 8, 2, 3, 9, 8};
static const uint8_t five[1] = {31};
static const uint8_t four[2] = {8, 8};
static const uint8_t three[1] = {4};
static const uint8_t two[1] = {2};
static const uint8_t one[102] = {[101] = 1};
static const struct codec_row rows[] = {
    {NULL, 1, 8},     {NULL, 1, 24},    {NULL, 1, 56},    {NULL, 1, 64},       {NULL, 1, 72},
    {NULL, 1, 512},   {NULL, 1, 520},   {NULL, 1, 2520},  {NULL, 1, 181440},   {NULL, 1, CODEC_MOST},
    {NULL, 72, 2520}, {some, 9, 20160}, {some, 9, 448},   {some, 9, 456},      {some, 9, 24},
    {one, 102, 2520}, {NULL, 9, 20160}, {some, 9, 29056}, {NULL, 4096 - 1, 8}, {seven, 9, 20160},
    {seven, 9, 456},  {six, 9, 24},     {six, 9, 29056},  {five, 1, 181440},   {four, 2, 520},
    {three, 1, 2520}, {two, 1, 64},
};
enum { ROWS = sizeof rows / sizeof rows[0], RARITIES = 12 };

static size_t row_bytes(const struct codec_row *row)
{
    return (size_t)row->blocks * row->block;
}

/* Asserts that the held blocks came back, and that nothing else was written. */
static void assert_row(const struct buffers *b, const struct codec_row *row)
{
    for (uint32_t i = 0; i < row->blocks; i++) {
        size_t at = (size_t)i * row->block;
        bool held = row->present == NULL || row->present[i] != 0;
        if (held)
            assert_memory_equal(b->back + at, b->plain + at, row->block);
        for (size_t j = at; !held && j < at + row->block; j++)
            assert_int_equal(b->back[j], 0xA5);
    }
    assert_int_equal(b->back[row_bytes(row)], 0xA5);
}

TEST(every_kernel_writes_the_same_code_and_reads_it)
{
    struct buffers *b = calloc(1, sizeof *b);
    for (unsigned i = 0; i < ROWS * RARITIES; i++) {
        const struct codec_row *row = &rows[i / RARITIES];
        fill(b->plain, row_bytes(row), codec_width(row), i % RARITIES, i);
        size_t coded = codec_portable.encode(b->plain, row, b->coded);
        for (unsigned k = 0; codec_kernels[k] != NULL; k++) {
            const struct codec_kernel *kernel = codec_kernels[k];
            if (!kernel->runs_here())
                continue;
            assert_int_equal(kernel->encode(b->plain, row, b->other), coded);
            assert_memory_equal(b->other, b->coded, coded);
            if (coded == 0)
                continue;
            memset(b->back, 0xA5, sizeof b->back);
            assert_true(kernel->decode(b->coded, coded, row, b->back));
            assert_row(b, row);
        }
    }
    free(b);
}

TEST(what_is_coded_comes_back_by_every_code)
{
    struct buffers *b = calloc(1, sizeof *b);
    unsigned used[CODE_COUNT] = {0};
    for (unsigned i = 0; i < ROWS * RARITIES; i++) {
        const struct codec_row *row = &rows[i / RARITIES];
        enum code code;
        fill(b->plain, row_bytes(row), codec_width(row), i % RARITIES, i);
        size_t coded = codec_encode(b->plain, row, b->coded, &code);
        assert_true(coded <= row_bytes(row));
        used[code]++;
        memset(b->back, 0xA5, sizeof b->back);
        assert_true(codec_decode(code, b->coded, coded, row, b->back));
        assert_row(b, row);
    }
    assert_true(used[CODE_RAW] > 0 && used[CODE_MASK] > 0 && used[CODE_EMPTY] > 0);
    free(b);
}

/* 36 values in 12 of 40 lines, with masks and a bit a line. */
TEST(values_take_as_many_bits_as_they_may_have)
{
    struct buffers *b = calloc(1, sizeof *b);
    for (unsigned width = 1; width <= 8; width++) {
        const uint8_t bits = (uint8_t)(1u << (width - 1));
        const struct codec_row row = {&bits, 1, 2560};
        const size_t length = (36 * width + 7) / 8 + 12 * 8 + 5;
        enum code code;
        for (size_t i = 0; i < 36; i++)
            b->plain[i / 3 * 128 + i % 3 * 30] = (uint8_t)(1u << i % width);
        assert_int_equal(codec_encode(b->plain, &row, b->coded, &code), length);
        assert_int_equal(code, CODE_MASK);
        assert_true(codec_decode(code, b->coded, length, &row, b->back));
        assert_memory_equal(b->back, b->plain, 2560);
    }
    free(b);
}

TEST(what_is_not_held_does_not_count)
{
    static const uint8_t none[9] = {0};
    struct buffers *b = calloc(1, sizeof *b);
    const struct codec_row row = {some, 9, 2520};
    const struct codec_row empty = {none, 9, 2520};
    enum code code = CODE_RAW;
    fill(b->plain, row_bytes(&row), 8, 3, 5);
    size_t coded = codec_encode(b->plain, &row, b->coded, &code);
    fill(b->plain, 2520, 8, 0, 6); /* block 0, which is not held */
    assert_int_equal(codec_encode(b->plain, &row, b->other, &code), coded);
    assert_memory_equal(b->other, b->coded, coded);
    assert_int_equal(codec_encode(b->plain, &empty, b->other, &code), 0);
    assert_int_equal(code, CODE_EMPTY);
    free(b);
}

TEST(zeros_take_nothing)
{
    struct buffers *b = calloc(1, sizeof *b);
    for (unsigned i = 0; i < ROWS; i++) {
        enum code code = CODE_RAW;
        assert_int_equal(codec_encode(b->plain, &rows[i], b->coded, &code), 0);
        assert_int_equal(code, CODE_EMPTY);
        memset(b->back, 0xA5, sizeof b->back);
        assert_true(codec_decode(code, b->coded, 0, &rows[i], b->back));
        assert_row(b, &rows[i]);
    }
    free(b);
}

TEST(a_code_of_another_row_is_refused)
{
    static const uint8_t both[2] = {128, 1};
    struct buffers *b = calloc(1, sizeof *b);
    const struct codec_row row = {NULL, 8, 2520};
    const struct codec_row shorter = {NULL, 1, 2520};
    const struct codec_row other = {both, 2, 10080};
    for (unsigned rarity = 0; rarity < 4; rarity += 3) {
        enum code code;
        fill(b->plain, row_bytes(&row), 8, rarity, 1);
        size_t coded = codec_encode(b->plain, &row, b->coded, &code);
        assert_int_equal(code, rarity == 0 ? CODE_RAW : CODE_MASK);
        assert_false(codec_decode(code, b->coded, coded - 1, &row, b->back));
        assert_false(codec_decode(code, b->coded, coded, &shorter, b->back));
        assert_false(codec_decode(code, b->coded, 0, &row, b->back));
        if (code == CODE_MASK)
            assert_false(codec_decode(code, b->coded, coded, &other, b->back));
    }
    assert_false(codec_decode(CODE_EMPTY, b->coded, 1, &row, b->back));
    free(b);
}

/* A copy of a code that ends where its room ends, so that a sanitizer sees what reads beyond. */
static bool decode_copy(const struct codec_kernel *kernel, const uint8_t *coded, size_t length,
                        const struct codec_row *row, uint8_t *back)
{
    uint8_t *copy = calloc(1, length + CODEC_PAD);
    uint8_t *out = calloc(1, row_bytes(row));
    memcpy(copy, coded, length);
    bool good = kernel->decode(copy, length, row, out);
    memcpy(back, out, row_bytes(row));
    free(out);
    free(copy);
    return good;
}

/* Flips a bit, most often in the masks or behind them, and cuts some codes short. */
static size_t damage(uint8_t *coded, size_t length, struct random *random)
{
    size_t last = (random_next(random) & 3) != 0 && length > 256 ? 256 : length;
    coded[length - 1 - random_below(random, last)] ^= (uint8_t)(1u << random_below(random, 8));
    return length - (random_next(random) & 7 ? 0 : random_below(random, length));
}

TEST(kernels_agree_on_damaged_codes)
{
    struct buffers *b = calloc(1, sizeof *b);
    struct random random = {.state = 11};
    unsigned decoded[2] = {0};
    for (unsigned i = 0; i < 30 * ROWS; i++) {
        const struct codec_row *row = &rows[i % ROWS];
        fill(b->plain, row_bytes(row), codec_width(row), i % RARITIES, i);
        size_t length = codec_portable.encode(b->plain, row, b->coded);
        if (length == 0)
            continue;
        length = damage(b->coded, length, &random);
        bool good = decode_copy(&codec_portable, b->coded, length, row, b->back);
        decoded[good]++;
        for (unsigned k = 0; codec_kernels[k] != NULL; k++) {
            if (!codec_kernels[k]->runs_here())
                continue;
            assert_int_equal(decode_copy(codec_kernels[k], b->coded, length, row, b->other), good);
            if (good)
                assert_memory_equal(b->other, b->back, row_bytes(row));
        }
    }
    assert_true(decoded[false] > 100 && decoded[true] > 100);
    free(b);
}

TEST(packed_bits_are_unpacked_by_every_kernel)
{
    struct buffers *b = calloc(1, sizeof *b);
    static const size_t lengths[] = {8, 24, 56, 64, 72, 512, 520, 2520};
    fill(b->plain, 20160, 8, 1, 7);
    for (unsigned i = 0; i < 8 * 8; i++) {
        size_t count = lengths[i / 8];
        unsigned bit = i % 8;
        for (unsigned k = 0; codec_kernels[k] != NULL; k++) {
            const struct codec_kernel *kernel = codec_kernels[k];
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

TEST(an_arena_keeps_strings_within_its_budget)
{
    enum { STRINGS = 64, MOST = 300000 };
    struct arena *arena = NULL;
    struct pz_error error = {0};
    struct budget budget;
    struct arena_string string[STRINGS];
    static uint8_t bytes[MOST];
    static uint8_t back[MOST];
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
    }
    unsigned kept = 0; /* fewer if some of the blocks were not given back */
    for (; kept < STRINGS && arena_put(arena, bytes, MOST, &string[kept]); kept++) {
    }
    assert_in_range(kept, 50, 63); /* 20 MB hold no more of them */
    arena_drop(arena, &string[0]);
    assert_true(arena_put(arena, bytes, MOST, &string[0]));
    arena_free(arena);
    assert_int_equal(atomic_load(&budget.used), 0);
}
