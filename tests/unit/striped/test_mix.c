/* SPDX-License-Identifier: MIT */
/* The mixers: nothing is lost, and every bit of a state reaches every bit of its key. */
#include "test_support.h"

#include "base/random.h"
#include "explore/key/mix.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 20000 };

static void fill(struct random *random, uint64_t *state, unsigned words)
{
    for (unsigned i = 0; i < words; i++)
        state[i] = random_next(random);
}

TEST(unmixing_gives_the_state_back)
{
    struct random random = {.state = 1};
    for (unsigned words = 1; words <= KEY_WORDS_MAX; words *= 2) {
        for (unsigned round = 0; round < ROUNDS; round++) {
            uint64_t state[KEY_WORDS_MAX] = {0}, key[KEY_WORDS_MAX] = {0}, back[KEY_WORDS_MAX] = {0};
            fill(&random, state, words);
            mix_bytes(state, words * 8, key);
            unmix_bytes(key, words * 8, back);
            assert_memory_equal(state, back, words * 8);
        }
    }
}

TEST(mixing_gives_the_key_back)
{
    const uint64_t extremes[] = {0, UINT64_MAX, 1, 1ull << 63};
    for (unsigned words = 1; words <= KEY_WORDS_MAX; words *= 2) {
        for (unsigned i = 0; i < 4; i++) {
            uint64_t key[KEY_WORDS_MAX], state[KEY_WORDS_MAX], again[KEY_WORDS_MAX];
            for (unsigned w = 0; w < words; w++)
                key[w] = extremes[i];
            unmix_bytes(key, words * 8, state);
            mix_bytes(state, words * 8, again);
            assert_memory_equal(key, again, words * 8);
        }
    }
}

/* A flipped state bit must flip each key bit in half of all cases, within five standard deviations. */
static void check_avalanche(unsigned words, bool packed_boards)
{
    enum { SAMPLES = 4096 };
    struct random random = {.state = 7 + words};
    double allowed = 0.5 + 5.5 * 0.5 / sqrt(SAMPLES);
    for (unsigned bit = 0; bit < words * 64; bit++) {
        unsigned flips[KEY_WORDS_MAX * 64] = {0};
        for (unsigned sample = 0; sample < SAMPLES; sample++) {
            uint64_t state[KEY_WORDS_MAX], key[KEY_WORDS_MAX], other[KEY_WORDS_MAX];
            fill(&random, state, words);
            if (packed_boards) /* low entropy: only small numbers in the nibbles */
                for (unsigned w = 0; w < words; w++)
                    state[w] &= 0x3333333333333333u;
            mix_bytes(state, words * 8, key);
            state[bit / 64] ^= 1ull << (bit % 64);
            mix_bytes(state, words * 8, other);
            for (unsigned k = 0; k < words * 64; k++)
                flips[k] += (unsigned)((key[k / 64] ^ other[k / 64]) >> (k % 64) & 1u);
        }
        for (unsigned k = 0; k < words * 64; k++) {
            double share = (double)flips[k] / SAMPLES;
            if (share > allowed || share < 1 - allowed)
                fail_msg("%u words: state bit %u flips key bit %u in %.3f of all cases", words, bit, k,
                         share);
        }
    }
}

TEST(every_state_bit_flips_every_key_bit_half_of_the_time)
{
    check_avalanche(1, false);
    check_avalanche(2, false);
    check_avalanche(4, false);
}

TEST(boards_with_small_numbers_are_mixed_as_well)
{
    check_avalanche(1, true);
    check_avalanche(2, true);
}

TEST(counted_states_fall_evenly_on_4096_stripes)
{
    static unsigned counts[4096];
    enum { STATES = 4096 * 256 };
    for (unsigned words = 1; words <= KEY_WORDS_MAX; words *= 2) {
        memset(counts, 0, sizeof counts);
        for (uint64_t i = 0; i < STATES; i++) {
            uint64_t state[KEY_WORDS_MAX] = {0}, key[KEY_WORDS_MAX];
            state[words - 1] = i;
            mix_bytes(state, words * 8, key);
            counts[key[0] >> 52]++;
        }
        for (unsigned i = 0; i < 4096; i++)
            assert_in_range(counts[i], 256 - 6 * 16, 256 + 6 * 16);
    }
}
