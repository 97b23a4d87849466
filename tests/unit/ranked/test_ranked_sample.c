/* SPDX-License-Identifier: MIT */
/* Dead states of a ranked table, which random numbers hardly ever meet. */
#include "test_support.h"

#include "explore/ranked/ranked_table.h"

enum { NUMBERS = 1000003, DEAD = 5 };

static const uint64_t dead_numbers[DEAD] = {0, 7, 500000, 1000001, NUMBERS - 1};
static uint8_t table[(NUMBERS + 3) / 4];

/* ---- a space of which only the numbers count ---- */

static uint64_t plain_count(const struct pz_space *space)
{
    return NUMBERS;
}

static uint64_t plain_rank(const struct pz_space *space, const void *state)
{
    uint64_t number = 0;
    memcpy(&number, state, sizeof number);
    return number;
}

static void plain_unrank(const struct pz_space *space, uint64_t number, void *state)
{
    memcpy(state, &number, sizeof number);
}

static const struct pz_puzzle numbers_puzzle = {
    .abi = PZ_SPACE_ABI, .name = "numbers", .count = plain_count, .rank = plain_rank, .unrank = plain_unrank};
static const struct pz_space numbers_space = {
    .puzzle = &numbers_puzzle, .state_bytes = sizeof(uint64_t), .max_successors = 1, .flags = PZ_REVERSIBLE};

static enum pz_status table_chunk(void *context, uint64_t number, const uint8_t **bytes, size_t *length,
                                  struct pz_error *error)
{
    assert_int_equal(number, 0);
    *bytes = table;
    *length = sizeof table;
    return PZ_OK;
}

static void check_dead(unsigned wanted, uint64_t seed, bool met[DEAD])
{
    const struct table_about about = {.name = "numbers",
                                      .space = &numbers_space,
                                      .from = FROM_GOALS,
                                      .depth = 1,
                                      .states = NUMBERS - DEAD,
                                      .table_bytes = sizeof table};
    const struct table_source source = {.chunk = table_chunk};
    struct table_sample sample = {.depth = 2, .count = wanted, .seed = seed};
    struct table_reader *reader = NULL;
    struct pz_error error = {0};
    assert_ok(table_reader_open(&ranked_format, &about, &source, &reader, &error), error);
    assert_ok(table_reader_sample(reader, &sample, &error), error);
    assert_int_equal(sample.total, DEAD);
    assert_int_equal(sample.found, wanted < DEAD ? wanted : DEAD);
    for (unsigned i = 0; i < sample.found; i++) {
        unsigned place = 0;
        while (place < DEAD && dead_numbers[place] != ((const uint64_t *)sample.states)[i])
            place++;
        assert_true(place < DEAD);
        met[place] = true;
    }
    free(sample.states);
    table_reader_close(reader);
}

TEST(few_dead_states_are_all_found)
{
    bool met[DEAD] = {false};
    check_dead(20, 1, met);
    for (unsigned i = 0; i < DEAD; i++)
        assert_true(met[i]);
}

TEST(each_of_few_dead_states_may_be_chosen)
{
    bool met[DEAD] = {false};
    for (uint64_t seed = 0; seed < 40; seed++)
        check_dead(1, seed, met);
    for (unsigned i = 0; i < DEAD; i++)
        assert_true(met[i]);
}

static int number_the_dead(void **state)
{
    memset(table, 0, sizeof table); /* goals */
    for (unsigned i = 0; i < DEAD; i++)
        table[dead_numbers[i] / 4] |= (uint8_t)(3u << dead_numbers[i] % 4 * 2);
    return 0;
}

const struct test_surroundings test_surroundings = {number_the_dead, NULL};
