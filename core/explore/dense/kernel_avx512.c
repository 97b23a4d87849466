/* SPDX-License-Identifier: MIT */
/*
 * The kernel for processors with 64-byte shuffles (AVX-512 VBMI) and bit matrices (GFNI): a unit is one
 * register, and everything that leads to it is gathered there before it is written once.
 */
#include "explore/dense/kernel.h"

#if defined(__x86_64__)
#include <immintrin.h>

static bool runs_here(void)
{
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vpopcntdq") &&
           __builtin_cpu_supports("gfni");
}

/* Row of the matrix for result bit `to` stands in byte 7 − to; bit `from` of a row takes source bit `from`. */
static inline uint64_t matrix_bit(unsigned from, unsigned to)
{
    return (uint64_t)1 << (8 * (7 - to) + from);
}

/* What the whole block has in common. */
struct setting {
    __m512i path_same, path_beside;
    __m512i unit_matrix[DENSE_EDGES_MAX], split_matrix[DENSE_EDGES_MAX], run_matrix[DENSE_EDGES_MAX];
    __m512i lane[DENSE_EDGES_MAX][2];
    __mmask64 lanes; /* of a unit */
};

static inline __m512i edge_matrix(struct plan_bits bits)
{
    return _mm512_set1_epi64((long long)matrix_bit(bits.from, bits.to));
}

static inline __m512i moved(__m512i bytes, __m512i matrix)
{
    return _mm512_gf2p8affine_epi64_epi8(bytes, matrix, 0);
}

static inline void set_path(const struct plan_way *way, struct setting *setting)
{
    uint64_t same = 0;
    uint64_t beside = 0;
    for (unsigned bit = 0; bit < 8; bit++) {
        if ((way->valid >> bit & 1u) == 0)
            continue;
        same |= matrix_bit(bit, bit);
        if (way->colour == 1 && bit < 7)
            beside |= matrix_bit(bit + 1, bit);
        if (way->colour == 0 && bit > 0)
            beside |= matrix_bit(bit - 1, bit);
    }
    setting->path_same = _mm512_set1_epi64((long long)same);
    setting->path_beside = _mm512_set1_epi64((long long)beside);
}

static inline void set_edges(const struct plan *plan, const struct plan_way *way, struct setting *setting)
{
    setting->lanes = ~(uint64_t)0 >> (64 - plan->unit);
    for (unsigned i = 0; i < way->unit_edges; i++) {
        setting->unit_matrix[i] = edge_matrix(way->unit_edge[i].bits);
        for (unsigned parity = 0; parity < 2; parity++)
            setting->lane[i][parity] = _mm512_loadu_si512(way->unit_edge[i].lane[parity]);
    }
    for (unsigned i = 0; i < way->split_edges; i++)
        setting->split_matrix[i] = edge_matrix(way->split_edge[i].bits);
    for (unsigned i = 0; i < way->run_edges; i++)
        setting->run_matrix[i] = edge_matrix(way->run_edge[i].bits);
}

static inline __m512i take_split(const struct plan_split_edge *edge, const struct plan_split_unit *unit,
                                 const uint8_t *cycle)
{
    __m512i lanes = _mm512_load_si512(edge->lanes[unit->index]);
    __m512i sum = _mm512_setzero_si512();
    const struct plan_split_source *source = edge->sources + unit->first;
    for (unsigned i = 0; i < unit->count; i++)
        sum = _mm512_mask_permutexvar_epi8(sum, source[i].lanes, lanes,
                                           _mm512_loadu_si512(cycle + source[i].offset));
    return sum;
}

static void advance(const struct plan *plan, const struct plan_way *way, const struct kernel_block *block,
                    struct kernel_scratch *scratch, struct kernel_tally *tally)
{
    (void)scratch;
    struct setting setting;
    set_path(way, &setting);
    set_edges(plan, way, &setting);
    __m512i any = _mm512_setzero_si512();
    __m512i count = _mm512_setzero_si512();
    for (uint32_t first = 0; first < plan->block; first += plan->unit) {
        __m512i own = _mm512_loadu_si512(block->own + first);
        __m512i next = _mm512_or_si512(moved(own, setting.path_same), moved(own, setting.path_beside));
        unsigned parity = block->parity ^ plan->unit_parity[first / plan->unit];
        for (unsigned i = 0; i < way->unit_edges; i++) {
            __m512i source = _mm512_permutexvar_epi8(setting.lane[i][parity], own);
            next = _mm512_or_si512(next, moved(source, setting.unit_matrix[i]));
        }
        for (unsigned i = 0; i < way->split_edges; i++) {
            const struct plan_split_edge *edge = &way->split_edge[i];
            uint32_t at = first % edge->cycle;
            unsigned before = block->parity ^ plan->unit_parity[(first - at) / plan->unit];
            __m512i source = take_split(edge, &edge->units[before][at / plan->unit], block->own + first - at);
            next = _mm512_or_si512(next, moved(source, setting.split_matrix[i]));
        }
        for (unsigned i = 0; i < way->run_edges; i++) {
            const uint8_t *source = block->segment[i][first / plan->segment] + first % plan->segment;
            next = _mm512_or_si512(next, moved(_mm512_loadu_si512(source), setting.run_matrix[i]));
        }
        uint8_t *target = block->target + first;
        /* Lanes beyond the unit read as all ones, so that nothing comes of them. */
        __m512i previous = _mm512_mask_loadu_epi8(_mm512_set1_epi8(-1), setting.lanes, target);
        next = _mm512_andnot_si512(previous, next);
        _mm512_mask_storeu_epi8(target, setting.lanes, next);
        if (block->mark != NULL) {
            __m512i mark = _mm512_maskz_loadu_epi8(setting.lanes, block->mark + first);
            _mm512_mask_storeu_epi8(block->mark + first, setting.lanes, _mm512_or_si512(mark, next));
        }
        any = _mm512_or_si512(any, next);
        count = _mm512_add_epi64(count, _mm512_popcnt_epi64(next));
    }
    uint64_t bits = (uint64_t)_mm512_reduce_or_epi64(any);
    bits |= bits >> 32;
    bits |= bits >> 16;
    bits |= bits >> 8;
    tally->any = (uint8_t)bits;
    tally->count = (uint32_t)_mm512_reduce_add_epi64(count);
}

const struct kernel kernel_avx512 = {.name = "avx512", .runs_here = runs_here, .advance = advance};
#endif
