/* SPDX-License-Identifier: MIT */
/*
 * Numbers permutations. Digit i counts the earlier elements that are greater than element i; its place is
 * worth i!. So the first k digits are the number of the first k elements' order, whatever they are. With
 * signs, a digit is doubled and has its element's sign as its last bit, and its place is worth 2^i i!.
 */
#ifndef SPACE_PERMUTATION_H
#define SPACE_PERMUTATION_H

#include <stdbool.h>
#include <stdint.h>

enum { PERMUTATION_MAX = 16 };

/* n elements 0 … n − 1; bit i of signs is the sign of element number i in order. */
struct permutation {
    uint8_t element[PERMUTATION_MAX];
    uint32_t signs;
};

/* Returns what the place of digit i is worth. permutation_weight(n) is the number of permutations of n
 * elements. */
uint64_t permutation_weight(unsigned i, bool is_signed);
uint64_t permutation_rank(const struct permutation *permutation, unsigned n, bool is_signed);
void permutation_unrank(uint64_t number, unsigned n, bool is_signed, struct permutation *out);

#endif
