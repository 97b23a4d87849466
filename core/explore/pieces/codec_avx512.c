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
                                          .parts = parts,
                                          .decode = decode,
                                          .pack = pack,
                                          .unpack = unpack};
#endif
