/* SPDX-License-Identifier: MIT */
/*
 * Sorts the entries of one partition. Two passes of a least-significant-digit radix sort, of more than four
 * million entries three, use the bits that follow the partition's common bits. One more pass sorts the
 * entries that are equal in those bits. Mixed keys are as good as random, so the last pass has very little to
 * do.
 */
#ifndef STRIPED_RADIX_H
#define STRIPED_RADIX_H

#include "base/budget.h"
#include "explore/key/entry.h"

enum { RADIX_BITS = 11 };

/* One for each thread. A radix that is zero but for its budget is valid and has no room. */
struct radix {
    struct budget *budget;
    uint64_t *entries; /* to be sorted, and afterwards sorted: room for `room` words; sorting moves it */
    uint64_t *other;   /* as much again */
    uint64_t room;     /* words */
    uint32_t *starts;  /* three counters for each value of a digit */
};

/* Makes room for that many words. What was in it is lost. Returns false if the budget is spent. */
bool radix_reserve(struct radix *radix, uint64_t words);
void radix_clear(struct radix *radix);

/* Sorts the first count entries and leaves one for each key: joins, with the bits of all its tokens, else
 * with one of them. Returns how many are left. skip: how many top bits of the first word all have in common.
 * words: 1, 2, 4 or 8. */
uint64_t radix_sort_unique(struct radix *radix, uint64_t count, unsigned words, unsigned skip, bool joins);
/* Sorts the first count entries, whose keys are distinct. Each is followed by one more word that moves with
 * it. */
void radix_sort_pairs(struct radix *radix, uint64_t count, unsigned words, unsigned skip);

/* ---- subtracting sorted entries from sorted ones ---- */

/* Of `count` entries those before `at` were looked at, and the first `kept` of them stay. Zeroed at first. */
struct entry_cut {
    uint64_t at, kept;
};

/* Takes the entries whose keys are in `old` out of the others; call it for the pieces of `old` in order. */
void entries_cut(struct entry_cut *cut, const uint64_t *old, uint64_t old_count, uint64_t *entries,
                 uint64_t count, unsigned words);
/* Closes the gap after the last piece. Returns how many entries stay. */
uint64_t entries_close(const struct entry_cut *cut, uint64_t *entries, uint64_t count, unsigned words);

#endif
