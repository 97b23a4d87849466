/* SPDX-License-Identifier: MIT */
/*
 * Bijective mixers for states of one, two, four and eight words.
 *
 * The mixed key *is* the state: unmixing gives it back, so only the key is kept. Its bits are as good as
 * random, so the high ones choose the partition and the following ones the place in its segment. Keys are
 * compared as big-endian numbers of `words` words, most significant word first.
 *
 * One word: xor-shift, multiply, twice (Pelle Evensen's "moremur", 2019, a tuned MurmurHash3 finaliser).
 * Several words: a chain of it from the last word to the first and back, so that each word depends on all.
 */
#ifndef STRIPED_MIX_H
#define STRIPED_MIX_H

#include <stddef.h>
#include <stdint.h>

enum { KEY_WORDS_MAX = 8 };

/* Calls an inlined function whose last parameter is the number of words, so that it is a constant in there.
 */
#define MIX_BY_WORDS(words, function, ...)                                                                   \
    ((words) == 1   ? function(__VA_ARGS__, 1)                                                               \
     : (words) == 2 ? function(__VA_ARGS__, 2)                                                               \
     : (words) == 4 ? function(__VA_ARGS__, 4)                                                               \
                    : function(__VA_ARGS__, 8))

static inline uint64_t mix_word(uint64_t x)
{
    x ^= x >> 27;
    x *= 0x3C79AC492BA7B653u;
    x ^= x >> 33;
    x *= 0x1C69B3F74AC4AE35u;
    return x ^ x >> 27;
}

static inline uint64_t unmix_word(uint64_t x)
{
    x ^= x >> 27 ^ x >> 54;
    x *= 0xC47C8F6B6BAFB41Du; /* the inverses of the two factors modulo 2^64 */
    x ^= x >> 33;
    x *= 0xC09C5FE5BD6DFDDBu;
    return x ^ x >> 27 ^ x >> 54;
}

/* Copies a key or an entry (entry.h). */
__attribute__((always_inline)) static inline void key_copy(uint64_t *to, const uint64_t *from, unsigned words)
{
    for (unsigned i = 0; i < words; i++)
        to[i] = from[i];
}

/* words is 1, 2, 4 or 8, and a constant wherever speed matters. state and key may be the same array. */
__attribute__((always_inline)) static inline void mix_state(const uint64_t *state, uint64_t *key,
                                                            unsigned words)
{
    uint64_t carry = 0;
    for (unsigned i = words; i-- > 0;)
        key[i] = carry = mix_word(state[i] ^ carry);
    for (unsigned i = 1; i < words; i++)
        key[i] = mix_word(key[i] ^ key[i - 1]);
}

__attribute__((always_inline)) static inline void unmix_state(const uint64_t *key, uint64_t *state,
                                                              unsigned words)
{
    uint64_t chain[KEY_WORDS_MAX];
    chain[0] = key[0];
    for (unsigned i = words - 1; i > 0; i--)
        chain[i] = unmix_word(key[i]) ^ key[i - 1];
    for (unsigned i = 0; i < words; i++)
        state[i] = unmix_word(chain[i]) ^ (i + 1 < words ? chain[i + 1] : 0);
}

/* Mix and unmix states that are held as bytes (key_list.c). The number of words may be known at run time
 * only. */
void mix_bytes(const void *state, size_t state_bytes, uint64_t *key);
void unmix_bytes(const uint64_t *key, size_t state_bytes, void *state);

#endif
