/* SPDX-License-Identifier: MIT */
/* For processors with AVX-512 BW, VBMI, VBMI2 and VPOPCNTDQ: a line is one register. */
#include "explore/dense/pieces/codec/codec.h"

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

/* Returns the 64 values from a bit on, each of width < 8 bits. Eight of them take width bytes, so each eight
 * begin at the same bit of a byte. */
static inline __m512i values_at(const uint8_t *values, unsigned width, size_t bit)
{
    const int64_t ones = INT64_C(0x0101010101010101);
    const __m512i numbers = _mm512_set1_epi64(INT64_C(0x0706050403020100));
    const __m512i eights =
        _mm512_set_epi64(7 * ones, 6 * ones, 5 * ones, 4 * ones, 3 * ones, 2 * ones, ones, 0);
    const __m512i steps = _mm512_set1_epi16((short)width);
    const __m512i bytes = _mm512_add_epi8(_mm512_mullo_epi16(eights, steps), numbers);
    __m512i bits = _mm512_add_epi8(_mm512_mullo_epi16(numbers, steps), _mm512_set1_epi8((char)(bit % 8)));
    __m512i words = _mm512_permutexvar_epi8(bytes, _mm512_loadu_si512(values + bit / 8));
    return _mm512_and_si512(_mm512_multishift_epi64_epi8(bits, words),
                            _mm512_set1_epi8((char)((1u << width) - 1)));
}

static inline void give_line(uint64_t mask, const uint8_t *values, unsigned width, size_t *bit, uint8_t *out)
{
    __m512i line = width < 8 ? values_at(values, width, *bit) : _mm512_loadu_si512(values + *bit / 8);
    _mm512_storeu_si512(out, _mm512_maskz_expand_epi8(mask, line));
    *bit += (size_t)_mm_popcnt_u64(mask) * width;
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

/* Returns a mask of the lowest `width` bytes of each eight. */
static __mmask64 low_bytes(unsigned width)
{
    return UINT64_C(0x0101010101010101) * ((1u << width) - 1);
}

/* Joins values in pairs, the pairs in fours, and the fours in eights. */
static inline void narrow(uint8_t *values, size_t count, unsigned width)
{
    const __m512i pairs = _mm512_set1_epi16((short)(1 | 1 << (width + 8)));
    const __m512i fours = _mm512_set1_epi32(1 | 1 << (2 * width + 16));
    const __m512i lower = _mm512_set1_epi64(INT64_C(0xFFFFFFFF));
    const __m128i shift = _mm_cvtsi32_si128((int)(32 - 4 * width));
    uint8_t *out = values;
    for (size_t at = 0; at < count; at += 64, out += (size_t)width * 8) {
        __m512i line = _mm512_maskz_loadu_epi8(lanes_of(count - at), values + at);
        line = _mm512_madd_epi16(_mm512_maddubs_epi16(pairs, line), fours);
        __m512i upper = _mm512_srl_epi64(_mm512_andnot_si512(lower, line), shift);
        line = _mm512_or_si512(_mm512_and_si512(line, lower), upper);
        _mm512_storeu_si512(out, _mm512_maskz_compress_epi8(low_bytes(width), line));
    }
}

#include "explore/dense/pieces/codec/codec_lines.h"

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
    __m512i present = _mm512_setzero_si512();
    size_t at = 0;
    for (; at + 64 <= count; at += 64)
        present = _mm512_or_si512(present, _mm512_loadu_si512(bytes + at));
    if (at < count)
        present = _mm512_or_si512(present, _mm512_maskz_loadu_epi8(lanes_of(count - at), bytes + at));
    return _mm512_test_epi64_mask(present, present) != 0;
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
                                          .decode = decode,
                                          .pack = pack,
                                          .unpack = unpack};
#endif
