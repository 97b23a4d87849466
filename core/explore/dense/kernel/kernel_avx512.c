/* SPDX-License-Identifier: MIT */
/*
 * The kernel for processors with 64-byte shuffles (AVX-512 VBMI) and bit matrices (GFNI): a unit is one
 * register, and everything that leads to it is gathered there before it is written once. The loop is
 * compiled separately for each shape of puzzle (numbers of edges), so that its inner loops are straight code.
 */
#include "explore/dense/kernel/kernel.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define BITS_WIDTH 64
#include "explore/dense/kernel/kernel_orbits.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

static bool runs_here(void)
{
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vpopcntdq") &&
           __builtin_cpu_supports("gfni");
}

/* How many edges of each kind a transition has; constants where a shape is compiled for. */
struct kernel_shape {
    unsigned unit_edges, split_edges, run_edges;
};

/* Common to the whole block. */
struct kernel_setting {
    __m512i path_same, path_beside;
    __m512i unit_matrix[DENSE_EDGES_MAX], split_matrix[DENSE_EDGES_MAX], run_matrix[DENSE_EDGES_MAX];
    __m512i lane[DENSE_EDGES_MAX][2];
    __mmask64 lanes; /* of a unit */
};

/* Where the walk through a split edge's cycle is. */
struct split_walk {
    const struct plan_split_unit *unit, *end;
    const uint8_t *cycle;
};

/* Row of the matrix for result bit `to` stands in byte 7 − to; bit `from` of a row takes source bit `from`.
 */
static uint64_t matrix_bit(unsigned from, unsigned to)
{
    return (uint64_t)1 << (8 * (7 - to) + from);
}

static __m512i edge_matrix(struct plan_bits bits)
{
    return _mm512_set1_epi64((long long)matrix_bit(bits.from, bits.to));
}

ALWAYS_INLINE __m512i moved(__m512i bytes, __m512i matrix)
{
    return _mm512_gf2p8affine_epi64_epi8(bytes, matrix, 0);
}

ALWAYS_INLINE __m512i load(const uint8_t *bytes)
{
    return _mm512_loadu_si512(bytes);
}

/* a OR moved(b) */
ALWAYS_INLINE __m512i joined(__m512i a, __m512i b, __m512i matrix)
{
    return _mm512_or_si512(a, moved(b, matrix));
}

static void set_path(const struct plan_transition *transition, struct kernel_setting *setting)
{
    uint64_t same = 0;
    uint64_t beside = 0;
    for (unsigned bit = 0; bit < 8; bit++) {
        if ((transition->same >> bit & 1u) != 0)
            same |= matrix_bit(bit, bit);
        if ((transition->beside >> bit & 1u) != 0)
            beside |= matrix_bit(transition->colour == 1 ? bit + 1 : bit - 1, bit);
    }
    setting->path_same = _mm512_set1_epi64((long long)same);
    setting->path_beside = _mm512_set1_epi64((long long)beside);
}

ALWAYS_INLINE void set_edges(const struct plan *plan, const struct plan_transition *transition,
                             struct kernel_shape shape, struct kernel_setting *setting)
{
    setting->lanes = ~(uint64_t)0 >> (64 - plan->unit);
    for (unsigned i = 0; i < shape.unit_edges; i++) {
        setting->unit_matrix[i] = edge_matrix(transition->unit_edge[i].bits);
        for (unsigned parity = 0; parity < 2; parity++)
            setting->lane[i][parity] = load(transition->unit_edge[i].lane[parity]);
    }
    for (unsigned i = 0; i < shape.split_edges; i++)
        setting->split_matrix[i] = edge_matrix(transition->split_edge[i].bits);
    for (unsigned i = 0; i < shape.run_edges; i++)
        setting->run_matrix[i] = edge_matrix(transition->run_edge[i].bits);
}

/* Cycles begin at segments, and only there. */
ALWAYS_INLINE void walk_split(const struct plan *plan, const struct plan_split_edge *edge,
                              const struct kernel_block *block, uint32_t first, struct split_walk *walk)
{
    if (first != 0 && walk->unit != walk->end)
        return;
    unsigned parity = block->parity ^ plan->unit_parity[first / plan->unit];
    walk->cycle = block->own + first;
    walk->unit = edge->units[parity];
    walk->end = walk->unit + edge->cycle / plan->unit;
}

ALWAYS_INLINE __m512i take_split(const struct plan_split_edge *edge, struct split_walk *walk)
{
    const struct plan_split_unit *unit = walk->unit++;
    __m512i shuffle = _mm512_load_si512(edge->shuffles[unit->index]);
    __m512i sum = _mm512_maskz_permutexvar_epi8(unit->lanes[0], shuffle, load(walk->cycle + unit->offset[0]));
    for (unsigned i = 1; i < PLAN_SPLIT_SOURCES; i++)
        sum = _mm512_mask_permutexvar_epi8(sum, unit->lanes[i], shuffle, load(walk->cycle + unit->offset[i]));
    return sum;
}

/* The bytes of the target's unit; lanes beyond it read as all ones, so that nothing comes of them. */
ALWAYS_INLINE __m512i load_previous(const struct kernel_block *block, uint32_t first, __mmask64 lanes)
{
    return _mm512_mask_loadu_epi8(_mm512_set1_epi8(-1), lanes, block->previous + first);
}

static void mark_block(const struct kernel_block *block, uint32_t length)
{
    for (uint32_t at = 0; at < length; at += 64) {
        __mmask64 lanes = length - at < 64 ? ~(uint64_t)0 >> (64 - (length - at)) : ~(uint64_t)0;
        __m512i next = _mm512_maskz_loadu_epi8(lanes, block->target + at);
        __m512i mark = _mm512_maskz_loadu_epi8(lanes, block->mark + at);
        _mm512_mask_storeu_epi8(block->mark + at, lanes, _mm512_or_si512(mark, next));
    }
}

static uint8_t any_byte(__m512i present)
{
    uint64_t bits = (uint64_t)_mm512_reduce_or_epi64(present);
    bits |= bits >> 32;
    bits |= bits >> 16;
    return (uint8_t)(bits | bits >> 8);
}

ALWAYS_INLINE void advance_shape(const struct plan *plan, const struct plan_transition *transition,
                                 const struct kernel_block *block, struct kernel_counts *counts,
                                 struct kernel_shape shape)
{
    struct kernel_setting setting;
    struct split_walk walk[DENSE_EDGES_MAX];
    set_path(transition, &setting);
    set_edges(plan, transition, shape, &setting);
    __m512i present = _mm512_setzero_si512();
    __m512i count = _mm512_setzero_si512();
    const uint8_t *unit_parity = plan->unit_parity;
    uint32_t last = plan->block - plan->unit;
    /* A unit is loaded before the one ahead of it is stored: the two 64-byte accesses overlap by four bytes,
     * and a load would have to wait until such a store has left the core. */
    __m512i coming = load_previous(block, 0, setting.lanes);
    for (uint32_t segment = 0, first = 0; segment < plan->segments; segment++) {
        for (unsigned i = 0; i < shape.split_edges; i++)
            walk_split(plan, &transition->split_edge[i], block, first, &walk[i]);
        kernel_fetch(plan, transition, block, segment);
        for (uint32_t at = 0; at < plan->segment; at += plan->unit, first += plan->unit) {
            __m512i own = load(block->own + first);
            __m512i next = joined(moved(own, setting.path_same), own, setting.path_beside);
            unsigned parity = block->parity ^ *unit_parity++;
            for (unsigned i = 0; i < shape.unit_edges; i++)
                next = joined(next, _mm512_permutexvar_epi8(setting.lane[i][parity], own),
                              setting.unit_matrix[i]);
            for (unsigned i = 0; i < shape.split_edges; i++)
                next =
                    joined(next, take_split(&transition->split_edge[i], &walk[i]), setting.split_matrix[i]);
            for (unsigned i = 0; i < shape.run_edges; i++)
                next = joined(next, load(block->segment[i][segment] + at), setting.run_matrix[i]);
            next = _mm512_andnot_si512(coming, next);
            coming = load_previous(block, first < last ? first + plan->unit : last, setting.lanes);
            _mm512_mask_storeu_epi8(block->target + first, setting.lanes, next);
            present = _mm512_or_si512(present, next);
            count = _mm512_add_epi64(count, _mm512_popcnt_epi64(next));
        }
    }
    if (block->mark != NULL)
        mark_block(block, plan->block);
    counts->present = any_byte(present);
    counts->count = (uint32_t)_mm512_reduce_add_epi64(count);
}

static void advance(const struct plan *plan, const struct plan_transition *transition,
                    const struct kernel_block *block, struct kernel_scratch *scratch,
                    struct kernel_counts *counts)
{
    (void)scratch;
    unsigned shape = transition->unit_edges * 100 + transition->split_edges * 10 + transition->run_edges;
    switch (shape) {
    case 2: /* these by orbits */
        advance_shape(plan, transition, block, counts, (struct kernel_shape){0, 0, 2});
        break;
    case 4:
        advance_shape(plan, transition, block, counts, (struct kernel_shape){0, 0, 4});
        break;
    case 20:
        advance_shape(plan, transition, block, counts, (struct kernel_shape){0, 2, 0});
        break;
    case 200:
        advance_shape(plan, transition, block, counts, (struct kernel_shape){2, 0, 0});
        break;
    case 212: /* 2x6 */
        advance_shape(plan, transition, block, counts, (struct kernel_shape){2, 1, 2});
        break;
    case 213: /* 2x7 */
        advance_shape(plan, transition, block, counts, (struct kernel_shape){2, 1, 3});
        break;
    case 222: /* 3x4 */
        advance_shape(plan, transition, block, counts, (struct kernel_shape){2, 2, 2});
        break;
    case 224: /* 3x5 */
        advance_shape(plan, transition, block, counts, (struct kernel_shape){2, 2, 4});
        break;
    default:
        advance_shape(
            plan, transition, block, counts,
            (struct kernel_shape){transition->unit_edges, transition->split_edges, transition->run_edges});
        break;
    }
}

const struct kernel kernel_avx512 = {.name = "avx512",
                                     .runs_here = runs_here,
                                     .advance = advance,
                                     .orbits = kernel_orbits,
                                     .line = kernel_line};
#endif
