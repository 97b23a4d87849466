/* SPDX-License-Identifier: MIT */
/* For processors with AVX-512 BW, VBMI, VBMI2 and VPOPCNTDQ: a line is one register. */
#include "explore/pieces/codec.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

static bool runs_here(void)
{
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
           __builtin_cpu_supports("avx512vpopcntdq");
}

/* Returns the lanes of a line that has so many bytes left. */
static __mmask64 lanes_of(size_t left)
{
    return left < 64 ? ~(uint64_t)0 >> (64 - left) : ~(uint64_t)0;
}

static inline uint64_t take_line(const uint8_t *in, size_t left, uint8_t **out)
{
    __m512i values = _mm512_maskz_loadu_epi8(lanes_of(left), in);
    uint64_t mask = _mm512_test_epi8_mask(values, values);
    _mm512_storeu_si512(*out, _mm512_maskz_compress_epi8(mask, values));
    *out += _mm_popcnt_u64(mask);
    return mask;
}

static inline void give_line(uint64_t mask, const uint8_t **in, uint8_t *out)
{
    _mm512_storeu_si512(out, _mm512_maskz_expand_epi8(mask, _mm512_loadu_si512(*in)));
    *in += _mm_popcnt_u64(mask);
}

static inline void clear_line(uint8_t *out)
{
    _mm512_storeu_si512(out, _mm512_setzero_si512());
}

static inline size_t count_bits(const uint8_t *masks, size_t count)
{
    __m512i sum = _mm512_setzero_si512();
    for (size_t i = 0; i < count; i += 8) {
        __mmask8 lanes = (__mmask8)(count - i < 8 ? 0xFFu >> (8 - (count - i)) : 0xFFu);
        sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(_mm512_maskz_loadu_epi64(lanes, masks + i * 8)));
    }
    return (size_t)_mm512_reduce_add_epi64(sum);
}

#include "explore/pieces/codec_lines.h"

/* A table of 256 bytes in four registers. */
struct numbers {
    __m512i part[4];
};

static inline __m512i look_up(const struct numbers *numbers, __m512i values)
{
    __m512i low = _mm512_permutex2var_epi8(numbers->part[0], values, numbers->part[1]);
    __m512i high = _mm512_permutex2var_epi8(numbers->part[2], values, numbers->part[3]);
    return _mm512_mask_mov_epi8(low, _mm512_movepi8_mask(values), high);
}

static size_t shorten(const uint8_t *values, size_t count, const uint8_t number[256], uint8_t *halves,
                      uint8_t *rest)
{
    const __m512i other = _mm512_set1_epi8(CODEC_COMMON);
    struct numbers numbers;
    const uint8_t *first = rest;
    for (unsigned i = 0; i < 4; i++)
        numbers.part[i] = _mm512_loadu_si512(number + (size_t)i * 64);
    for (size_t at = 0; at < count; at += 64, halves += 32) {
        __mmask64 lanes = lanes_of(count - at);
        __m512i here = _mm512_maskz_loadu_epi8(lanes, values + at);
        __m512i found = _mm512_maskz_mov_epi8(lanes, look_up(&numbers, here));
        __mmask64 others = _mm512_cmpeq_epi8_mask(found, other);
        __m256i high = _mm512_extracti64x4_epi64(found, 1);
        __m256i both = _mm256_or_si256(_mm512_castsi512_si256(found), _mm256_slli_epi16(high, 4));
        _mm256_storeu_si256((__m256i *)(void *)halves, both);
        _mm512_storeu_si512(rest, _mm512_maskz_compress_epi8(others, here));
        rest += _mm_popcnt_u64(others);
    }
    return (size_t)(rest - first);
}

/* The 64 numbers of 32 bytes. */
static inline __m512i split_halves(const uint8_t *halves)
{
    const __m256i low = _mm256_set1_epi8(15);
    __m256i both = _mm256_loadu_si256((const __m256i *)(const void *)halves);
    __m256i high = _mm256_and_si256(_mm256_srli_epi16(both, 4), low);
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_and_si256(both, low)), high, 1);
}

static size_t count_rest(const uint8_t *halves, size_t bytes)
{
    const __m512i other = _mm512_set1_epi8(CODEC_COMMON);
    size_t others = 0;
    for (size_t at = 0; at < bytes; at += 32)
        others += (size_t)_mm_popcnt_u64(_mm512_cmpeq_epi8_mask(split_halves(halves + at), other));
    return others;
}

static void lengthen(const uint8_t *halves, size_t count, const uint8_t dictionary[CODEC_DICTIONARY],
                     const uint8_t *rest, uint8_t *values)
{
    const __m512i other = _mm512_set1_epi8(CODEC_COMMON);
    const __m512i common = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)dictionary));
    for (size_t at = 0; at < count; at += 64, halves += 32) {
        __m512i numbers = split_halves(halves);
        __mmask64 others = _mm512_cmpeq_epi8_mask(numbers, other);
        __m512i found = _mm512_permutexvar_epi8(numbers, common);
        found = _mm512_mask_expand_epi8(found, others, _mm512_loadu_si512(rest));
        _mm512_storeu_si512(values + at, found);
        rest += _mm_popcnt_u64(others);
    }
}

static void pack(const uint8_t *in, size_t count, unsigned bit, uint8_t *out)
{
    const __m512i wanted = _mm512_set1_epi8((char)(1u << bit));
    size_t at = 0;
    for (; at + 64 <= count; at += 64) {
        uint64_t bits = _mm512_test_epi8_mask(_mm512_loadu_si512(in + at), wanted);
        memcpy(out + at / 8, &bits, sizeof bits);
    }
    if (at < count) {
        uint64_t bits = _mm512_test_epi8_mask(_mm512_maskz_loadu_epi8(lanes_of(count - at), in + at), wanted);
        memcpy(out + at / 8, &bits, (count - at) / 8);
    }
}

static bool any_set(const uint8_t *bytes, size_t count)
{
    __m512i any = _mm512_setzero_si512();
    size_t at = 0;
    for (; at + 64 <= count; at += 64)
        any = _mm512_or_si512(any, _mm512_loadu_si512(bytes + at));
    if (at < count)
        any = _mm512_or_si512(any, _mm512_maskz_loadu_epi8(lanes_of(count - at), bytes + at));
    return _mm512_test_epi64_mask(any, any) != 0;
}

static bool unpack(const uint8_t *in, size_t count, unsigned bit, uint8_t *out)
{
    if (!any_set(in, count / 8))
        return false;
    const __m512i ones = _mm512_set1_epi8((char)(1u << bit));
    size_t at = 0;
    for (; at + 64 <= count; at += 64) {
        uint64_t bits;
        memcpy(&bits, in + at / 8, sizeof bits);
        _mm512_storeu_si512(out + at, _mm512_maskz_mov_epi8(bits, ones));
    }
    if (at < count) {
        uint64_t bits = 0;
        memcpy(&bits, in + at / 8, (count - at) / 8);
        _mm512_storeu_si512(out + at, _mm512_maskz_mov_epi8(bits, ones));
    }
    return true;
}

const struct codec_kernel codec_avx512 = {.name = "avx512",
                                          .runs_here = runs_here,
                                          .encode = encode,
                                          .tail = tail,
                                          .decode = decode,
                                          .shorten = shorten,
                                          .count_rest = count_rest,
                                          .lengthen = lengthen,
                                          .pack = pack,
                                          .unpack = unpack};
#endif
