/* SPDX-License-Identifier: MIT */
/* Stored pattern databases of random bytes. */
#ifndef TESTS_PATTERN_FIXTURE_H
#define TESTS_PATTERN_FIXTURE_H

#include "store_fixture.h"

#include "base/random.h"
#include "store/pattern/patterns.h"

enum { LENGTH = 5000000 };

static inline uint8_t *pattern_bytes(uint64_t seed, size_t length)
{
    uint8_t *bytes = malloc(length + 8);
    struct random random = {seed};
    assert_non_null(bytes);
    for (size_t i = 0; i < length; i += 8) {
        uint64_t word = random_next(&random);
        memcpy(bytes + i, &word, 8);
    }
    return bytes;
}

static inline struct patterns *patterns_of(struct fixture *fixture, uint64_t keep, struct budget *budget)
{
    struct patterns *patterns;
    fixture_ok(patterns_new(fixture->store, keep, budget, &patterns, &fixture->error));
    return patterns;
}

#endif
