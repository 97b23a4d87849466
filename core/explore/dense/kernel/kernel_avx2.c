/* SPDX-License-Identifier: MIT */
/* The staging kernel in 32-byte vectors; a unit's bytes are permuted by sixteen-byte shuffles. */
#if defined(__x86_64__)
#define BITS_WIDTH 32
#include "explore/dense/kernel/kernel_orbits.h"
#include "explore/dense/kernel/kernel_staged.h"

#include <immintrin.h>

static bool runs_here(void)
{
    return __builtin_cpu_supports("avx2") != 0;
}

/* How the 64 lanes of a unit are put together: for each 32 target bytes a shuffle of each 16 source bytes. */
struct shuffles {
    __m256i of[2][4];
};

/*
 * A lane's index minus the source's first byte is 0 to 15 where it belongs to this source. Adding 112 sets
 * the top bit of all others (saturated), which vpshufb turns into zeros.
 */
static inline void set_shuffles(const uint8_t lane[64], struct shuffles *shuffles)
{
    for (unsigned half = 0; half < 2; half++) {
        __m256i index = _mm256_loadu_si256((const __m256i *)(const void *)(lane + 32 * half));
        for (unsigned source = 0; source < 4; source++)
            shuffles->of[half][source] = _mm256_adds_epu8(
                _mm256_sub_epi8(index, _mm256_set1_epi8((char)(16 * source))), _mm256_set1_epi8(112));
    }
}

static inline void permute_units(uint8_t *out, const uint8_t *in, const struct plan_unit_edge *edge,
                                 struct staged_units units)
{
    struct shuffles shuffles[2];
    set_shuffles(edge->lane[units.parity], &shuffles[0]);
    set_shuffles(edge->lane[1 - units.parity], &shuffles[1]);
    for (uint32_t u = 0; u < units.count; u++, in += units.classes, out += units.classes) {
        const struct shuffles *shuffle = &shuffles[units.odd[u]];
        __m256i sum[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
        for (unsigned source = 0; source < 4; source++) {
            __m256i bytes = _mm256_broadcastsi128_si256(
                _mm_loadu_si128((const __m128i *)(const void *)(in + 16 * source)));
            for (unsigned half = 0; half < 2; half++)
                sum[half] = _mm256_or_si256(sum[half], _mm256_shuffle_epi8(bytes, shuffle->of[half][source]));
        }
        _mm256_storeu_si256((__m256i *)(void *)out, sum[0]);
        _mm256_storeu_si256((__m256i *)(void *)(out + 32), sum[1]);
    }
}

static void advance(const struct plan *plan, const struct plan_transition *transition,
                    const struct kernel_block *block, struct kernel_scratch *scratch,
                    struct kernel_counts *counts)
{
    staged_advance(plan, transition, block, scratch, counts, permute_units);
}

const struct kernel kernel_avx2 = {
    .name = "avx2", .runs_here = runs_here, .advance = advance, .orbits = kernel_orbits, .line = kernel_line};
#endif
