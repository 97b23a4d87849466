/* SPDX-License-Identifier: MIT */
/* Sets of a block's states come back from their bytes; bytes that are no set are refused. */
#include "test_support.h"

#include "explore/ranked/blocks/block_exchange.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 3, COLUMNS = 70, ROW_WORDS = 3, RUN_WORDS = 32, BYTES_MAX = 1 + 4 * ROWS * ROW_WORDS };

static const struct block_shape shape = {ROWS, COLUMNS, ROW_WORDS, RUN_WORDS};

TEST(each_set_comes_back)
{
    uint64_t seed = 7;
    assert_int_equal(block_packet_most(&shape), BYTES_MAX);
    for (unsigned round = 0; round < 20000; round++) {
        uint64_t set[RUN_WORDS] = {0}, read[RUN_WORDS];
        uint8_t bytes[BYTES_MAX];
        uint32_t states = 0, count = 0;
        for (unsigned i = 0; i <= round % 210; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            const unsigned column = (unsigned)(seed >> 33) % COLUMNS, row = (unsigned)(seed >> 50) % ROWS;
            const uint64_t bit = UINT64_C(1) << column % WORD_STATES * 2;
            uint64_t *word = &set[row * ROW_WORDS + column / WORD_STATES];
            states += (*word & bit) == 0;
            *word |= bit;
        }
        const size_t length = block_packet_write(&shape, set, bytes);
        assert_true(length <= BYTES_MAX);
        assert_null(block_packet_read(&shape, bytes, length, read, &count));
        assert_memory_equal(read, set, sizeof set);
        assert_int_equal(count, states);
    }
}

static void check_fault(const uint8_t *bytes, size_t length, const char *says)
{
    uint64_t set[RUN_WORDS];
    uint32_t count;
    uint8_t *copy = malloc(length + 1); /* just as long, for the sanitizers */
    memcpy(copy, bytes, length);
    const char *fault = block_packet_read(&shape, copy, length, set, &count);
    assert_non_null(fault);
    assert_string_equal(fault, says);
    free(copy);
}

TEST(what_is_no_set_is_refused)
{
    static const char cut[] = "states of a block that are cut",
                      outside[] = "states that a block does not have";
    uint8_t bits[BYTES_MAX] = {0};
    check_fault((const uint8_t[]){1}, 0, cut);
    check_fault((const uint8_t[]){1}, 1, "a block without states");
    check_fault((const uint8_t[]){2, 0}, 2, cut);
    check_fault((const uint8_t[]){1, 0x80}, 2, cut);
    check_fault((const uint8_t[]){1, 0x80, 0x80, 0x80, 0}, 5, cut);
    check_fault((const uint8_t[]){1, 0xA0, 0x02}, 3, cut); /* position 288 of 288 */
    check_fault((const uint8_t[]){1, 70}, 2, outside);
    check_fault((const uint8_t[]){1, 0x9F, 0x02}, 3, outside); /* 287 */
    check_fault(bits, BYTES_MAX, "a block without states");
    check_fault(bits, BYTES_MAX - 1, cut);
    bits[12] = 0x80; /* position 95 */
    check_fault(bits, BYTES_MAX, outside);
}
