/* SPDX-License-Identifier: MIT */
/* The staging kernel in 32-byte vectors; a unit's bytes are permuted by sixteen-byte shuffles. */
#include "explore/dense/staged.h"

#if defined(__x86_64__)
#include <immintrin.h>

static bool runs_here(void)
{
    return __builtin_cpu_supports("avx2") != 0;
}

/*
 * Each 16 source bytes go through a shuffle for each 32 target bytes. A lane's index minus the source's first
 * byte is 0 … 15 where it belongs to this source; adding 112 sets the top bit of all others (saturated), which
 * vpshufb turns into zeros.
 */
static inline void permute_shuffle(uint8_t *out, const uint8_t *in, const uint8_t lane[64], uint32_t unit)
{
    (void)unit;
    for (unsigned half = 0; half < 64; half += 32) {
        __m256i index = _mm256_loadu_si256((const __m256i *)(const void *)(lane + half));
        __m256i sum = _mm256_setzero_si256();
        for (unsigned source = 0; source < 64; source += 16) {
            __m256i bytes =
                _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)(in + source)));
            __m256i local = _mm256_sub_epi8(index, _mm256_set1_epi8((char)source));
            local = _mm256_adds_epu8(local, _mm256_set1_epi8(112));
            sum = _mm256_or_si256(sum, _mm256_shuffle_epi8(bytes, local));
        }
        _mm256_storeu_si256((__m256i *)(void *)(out + half), sum);
    }
}

static void advance(const struct plan *plan, const struct plan_way *way, const struct kernel_block *block,
                    struct kernel_scratch *scratch, struct kernel_tally *tally)
{
    staged_advance(plan, way, block, scratch, tally, permute_shuffle);
}

const struct kernel kernel_avx2 = {.name = "avx2", .runs_here = runs_here, .advance = advance};
#endif
