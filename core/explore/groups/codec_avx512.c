/* SPDX-License-Identifier: MIT */
/* For processors with AVX-512 BW and VBMI2: a line is one register. */
#include "explore/groups/codec.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

static bool runs_here(void)
{
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vbmi2");
}

/* The lanes of a line of which so many bytes are left. */
static __mmask64 lanes_of(size_t left)
{
    return left < 64 ? ~(uint64_t)0 >> (64 - left) : ~(uint64_t)0;
}

static size_t encode(const uint8_t *in, size_t bytes, uint8_t *out)
{
    uint64_t masks[CODEC_MOST / CODEC_LINE + 1];
    uint8_t top[CODEC_MOST / CODEC_LINE / 8 + 8] = {0};
    size_t count = 0;
    size_t lines = (bytes + CODEC_LINE - 1) / CODEC_LINE;
    uint8_t *end = out;
    for (size_t line = 0; line < lines; line++) {
        const uint8_t *from = in + line * CODEC_LINE;
        __m512i values = _mm512_maskz_loadu_epi8(lanes_of(bytes - line * CODEC_LINE), from);
        uint64_t mask = _mm512_test_epi8_mask(values, values);
        _mm512_storeu_si512(end, _mm512_maskz_compress_epi8(mask, values));
        end += _mm_popcnt_u64(mask);
        masks[count] = mask;
        count += mask != 0;
        top[line / 8] |= (uint8_t)((mask != 0) << line % 8);
    }
    memcpy(end, masks, count * 8);
    memcpy(end + count * 8, top, (lines + 7) / 8);
    return (size_t)(end - out) + count * 8 + (lines + 7) / 8;
}

static void decode(const uint8_t *in, size_t length, uint8_t *out, size_t bytes)
{
    size_t lines = (bytes + CODEC_LINE - 1) / CODEC_LINE;
    const uint8_t *top = in + length - (lines + 7) / 8;
    size_t count = 0;
    for (size_t i = 0; i < (lines + 7) / 8; i++)
        count += (unsigned)__builtin_popcount(top[i]);
    const uint8_t *masks = top - count * 8;
    for (size_t line = 0; line < lines; line++) {
        uint64_t held = (unsigned)top[line / 8] >> line % 8 & 1u;
        uint64_t mask = 0;
        memcpy(&mask, masks, sizeof mask);
        mask &= 0 - held;
        masks += held * 8;
        __m512i values = _mm512_maskz_expand_epi8(mask, _mm512_loadu_si512(in));
        in += _mm_popcnt_u64(mask);
        _mm512_storeu_si512(out + line * CODEC_LINE, values);
    }
}

static void pack(const uint8_t *in, size_t count, unsigned bit, uint8_t *out)
{
    const __m512i wanted = _mm512_set1_epi8((char)(1u << bit));
    for (size_t at = 0; at < count; at += 64) {
        __mmask64 lanes = lanes_of(count - at);
        uint64_t bits = _mm512_test_epi8_mask(_mm512_maskz_loadu_epi8(lanes, in + at), wanted);
        memcpy(out + at / 8, &bits, count - at < 64 ? (count - at) / 8 : 8);
    }
}

static void unpack(const uint8_t *in, size_t count, unsigned bit, uint8_t *out)
{
    const __m512i ones = _mm512_set1_epi8((char)(1u << bit));
    for (size_t at = 0; at < count; at += 64) {
        uint64_t bits = 0;
        memcpy(&bits, in + at / 8, count - at < 64 ? (count - at) / 8 : 8);
        _mm512_storeu_si512(out + at, _mm512_maskz_mov_epi8(bits, ones));
    }
}

const struct codec_kernel codec_avx512 = {.name = "avx512",
                                          .runs_here = runs_here,
                                          .encode = encode,
                                          .decode = decode,
                                          .pack = pack,
                                          .unpack = unpack};
#endif
