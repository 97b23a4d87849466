/* SPDX-License-Identifier: MIT */
#include "space/permutation.h"

uint64_t permutation_weight(unsigned i, bool is_signed)
{
    uint64_t weight = is_signed ? UINT64_C(1) << i : 1;
    for (unsigned k = 2; k <= i; k++)
        weight *= k;
    return weight;
}

uint64_t permutation_rank(const struct permutation *permutation, unsigned n, bool is_signed)
{
    const unsigned per_element = is_signed ? 2 : 1;
    uint32_t above[PERMUTATION_MAX]; /* the earlier elements */
    uint32_t seen = 0;
    uint64_t number = 0;
    for (unsigned i = 0; i < n; i++) {
        above[i] = seen >> permutation->element[i];
        seen |= 1u << permutation->element[i];
    }
    for (unsigned i = n; i-- > 0;) {
        unsigned digit = (unsigned)__builtin_popcount(above[i]) * per_element;
        digit += is_signed ? permutation->signs >> i & 1 : 0;
        number = number * per_element * (i + 1) + digit;
    }
    return number;
}

void permutation_unrank(uint64_t number, unsigned n, bool is_signed, struct permutation *out)
{
    const unsigned per_element = is_signed ? 2 : 1;
    unsigned digits[PERMUTATION_MAX];
    uint32_t left = (1u << n) - 1;
    out->signs = 0;
    for (unsigned i = 0; i < n; i++) {
        digits[i] = (unsigned)(number % (per_element * (i + 1)));
        number /= per_element * (i + 1);
    }
    for (unsigned i = n; i-- > 0;) {
        uint32_t at = left;
        // cppcheck-suppress uninitvar ; the loop above has set the first n
        for (unsigned greater = digits[i] / per_element; greater > 0; greater--)
            at &= ~(1u << (31 - __builtin_clz(at)));
        out->element[i] = (uint8_t)(31 - __builtin_clz(at));
        out->signs |= is_signed ? (digits[i] & 1) << i : 0;
        left &= ~(1u << out->element[i]);
    }
}
