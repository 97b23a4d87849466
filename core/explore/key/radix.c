/* SPDX-License-Identifier: MIT */
#include "explore/key/radix.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 24 /* entries that the last pass alone sorts just as fast */ };

enum { DIGITS = 1 << RADIX_BITS };

static uint64_t bytes_for(uint64_t room)
{
    return room * 2 * sizeof(uint64_t) + 3 * DIGITS * sizeof(uint32_t);
}

bool radix_reserve(struct radix *radix, uint64_t words)
{
    if (words <= radix->room)
        return true;
    radix_clear(radix);
    uint64_t room = words + words / 4 + 512;
    if (!budget_take(radix->budget, bytes_for(room))) {
        room = words;
        if (!budget_take(radix->budget, bytes_for(room)))
            return false;
    }
    radix->entries = malloc(room * sizeof(uint64_t));
    radix->other = malloc(room * sizeof(uint64_t));
    radix->starts = malloc(3 * DIGITS * sizeof(uint32_t));
    radix->room = room;
    if (radix->entries != NULL && radix->other != NULL && radix->starts != NULL)
        return true;
    radix_clear(radix);
    budget_starve(radix->budget);
    return false;
}

void radix_clear(struct radix *radix)
{
    if (radix->room > 0)
        budget_give(radix->budget, bytes_for(radix->room));
    free(radix->entries);
    free(radix->other);
    free(radix->starts);
    radix->entries = radix->other = NULL;
    radix->starts = NULL;
    radix->room = 0;
}

/* Returns how many bits each of two digits has: enough for bins of few entries, if there are enough. */
static unsigned digit_bits(uint64_t count)
{
    unsigned bits = 4;
    while (bits < RADIX_BITS && (uint64_t)1 << (2 * bits) < count * 16)
        bits++;
    return bits;
}

static void to_starts(uint32_t *counts, unsigned bits)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < 1u << bits; i++) {
        uint32_t count = counts[i];
        counts[i] = sum;
        sum += count;
    }
}

__attribute__((always_inline)) static inline void count_digits(struct radix *radix, uint64_t count,
                                                               unsigned stride, unsigned shift, unsigned bits,
                                                               unsigned digits)
{
    uint64_t mask = (1u << bits) - 1;
    const uint64_t *entry = radix->entries;
    for (unsigned digit = 0; digit < digits; digit++)
        memset(radix->starts + digit * DIGITS, 0, sizeof *radix->starts << bits);
    for (uint64_t i = 0; i < count; i++, entry += stride)
        for (unsigned digit = 0; digit < digits; digit++)
            radix->starts[digit * DIGITS + (*entry >> (shift + digit * bits) & mask)]++;
    for (unsigned digit = 0; digit < digits; digit++)
        to_starts(radix->starts + digit * DIGITS, bits);
}

__attribute__((always_inline)) static inline void scatter(const uint64_t *from, uint64_t *to,
                                                          uint32_t *starts, uint64_t count, unsigned stride,
                                                          unsigned shift, unsigned bits)
{
    uint64_t mask = (1u << bits) - 1;
    for (uint64_t i = 0; i < count; i++, from += stride) {
        uint64_t at = starts[*from >> shift & mask]++;
        key_copy(to + at * stride, from, stride);
    }
}

__attribute__((always_inline)) static inline void sort_digits(struct radix *radix, uint64_t count,
                                                              unsigned stride, unsigned skip, unsigned bits,
                                                              unsigned digits)
{
    const unsigned shift = 64 - skip - digits * bits;
    assert(count <= UINT32_MAX && bits <= RADIX_BITS); /* starts are counters of 32 bits */
    count_digits(radix, count, stride, shift, bits, digits);
    for (unsigned digit = 0; digit < digits; digit++) {
        uint64_t *const sorted = radix->other;
        scatter(radix->entries, sorted, radix->starts + digit * DIGITS, count, stride, shift + digit * bits,
                bits);
        radix->other = radix->entries;
        radix->entries = sorted;
    }
}

__attribute__((always_inline)) static inline void sort_by_digits(struct radix *radix, uint64_t count,
                                                                 unsigned stride, unsigned skip)
{
    const unsigned bits = digit_bits(count);
    if (count >> 2 * bits > 0)
        sort_digits(radix, count, stride, skip, bits, 3);
    else if (count > FEW)
        sort_digits(radix, count, stride, skip, bits, 2);
}

/* Returns the entry's place among the first count entries, which are in order: behind the last one that is
 * not greater. */
__attribute__((always_inline)) static inline uint64_t
radix_place(const uint64_t *entries, uint64_t count, const uint64_t *entry, unsigned words, unsigned stride)
{
    while (count > 0 && entry_less(entry, entries + (count - 1) * stride, words))
        count--;
    return count;
}

/* Inserts the rare entry that is less than the one before it. Returns the new number of entries. */
static uint64_t insert_out_of_order(uint64_t *entries, uint64_t count, const uint64_t *entry, unsigned words,
                                    uint64_t joined)
{
    uint64_t at = radix_place(entries, count, entry, words, words);
    uint64_t *before = entries + (at > 0 ? at - 1 : 0) * words;
    if (at > 0 && entry_same_key(before, entry, words)) {
        before[0] |= entry[0] & joined;
        return count;
    }
    uint64_t copy[KEY_WORDS_MAX];
    key_copy(copy, entry, words);
    memmove(entries + (at + 1) * words, entries + at * words, (count - at) * words * sizeof *entries);
    key_copy(entries + at * words, copy, words);
    return count + 1;
}

/*
 * Makes the entries unique. They are in order but for a few, and some are equal. No branch depends on the
 * comparison with the entry before, which is kept in registers: reading back what was just stored takes
 * longer than all the rest. joined: the bits of the first word that equal entries share, all or none.
 */
__attribute__((always_inline)) static inline uint64_t make_unique(uint64_t *entries, uint64_t count,
                                                                  unsigned words, uint64_t joined)
{
    uint64_t last[KEY_WORDS_MAX];
    uint64_t kept = 1;
    if (count == 0)
        return 0;
    key_copy(last, entries, words);
    for (uint64_t i = 1; i < count; i++) {
        const uint64_t *entry = entries + i * words;
        if (__builtin_expect(entry_less(entry, last, words), 0)) {
            kept = insert_out_of_order(entries, kept, entry, words, joined);
            key_copy(last, entries + (kept - 1) * words, words);
            continue;
        }
        bool same = entry_same_key(entry, last, words);
        last[0] = entry[0] | (last[0] & joined & ((uint64_t)0 - same));
        for (unsigned w = 1; w < words; w++)
            last[w] = entry[w];
        kept += !same;
        key_copy(entries + (kept - 1) * words, last, words);
    }
    return kept;
}

__attribute__((always_inline)) static inline uint64_t
sort_unique(struct radix *radix, uint64_t count, unsigned skip, uint64_t joined, unsigned words)
{
    sort_by_digits(radix, count, words, skip);
    return make_unique(radix->entries, count, words, joined);
}

uint64_t radix_sort_unique(struct radix *radix, uint64_t count, unsigned words, unsigned skip, bool joins)
{
    assert(count * words <= radix->room && skip + 3 * RADIX_BITS <= 64);
    return MIX_BY_WORDS(words, sort_unique, radix, count, skip, joins ? UINT64_MAX : 0);
}

/* Sorts entries that are nearly in order: moves each misplaced entry down to its place. */
__attribute__((always_inline)) static inline void put_in_order(uint64_t *entries, uint64_t count,
                                                               unsigned words)
{
    unsigned stride = words + 1;
    for (uint64_t i = 1; i < count; i++) {
        uint64_t *entry = entries + i * stride;
        uint64_t at = radix_place(entries, i, entry, words, stride);
        if (at == i)
            continue;
        uint64_t copy[KEY_WORDS_MAX + 1];
        key_copy(copy, entry, stride);
        memmove(entries + (at + 1) * stride, entries + at * stride, (i - at) * stride * sizeof *entries);
        key_copy(entries + at * stride, copy, stride);
    }
}

__attribute__((always_inline)) static inline void sort_pairs(struct radix *radix, uint64_t count,
                                                             unsigned skip, unsigned words)
{
    sort_by_digits(radix, count, words + 1, skip);
    put_in_order(radix->entries, count, words);
}

void radix_sort_pairs(struct radix *radix, uint64_t count, unsigned words, unsigned skip)
{
    assert(count * (words + 1) <= radix->room && skip + 3 * RADIX_BITS <= 64);
    MIX_BY_WORDS(words, sort_pairs, radix, count, skip);
}

/* ---- subtracting ---- */

/* No branch depends on a comparison, because no processor could predict it. */
__attribute__((always_inline)) static inline void cut_entries(struct entry_cut *cut, const uint64_t *old,
                                                              uint64_t old_count, uint64_t *entries,
                                                              uint64_t count, unsigned words)
{
    const uint64_t *const end = old + old_count * words;
    uint64_t i = cut->at, stay = cut->kept;
    while (old < end && i < count) {
        const uint64_t *entry = entries + i * words;
        const bool less = entry_less(old, entry, words);
        const bool same = entry_same_key(old, entry, words);
        key_copy(entries + stay * words, entry, words);
        stay += !less & !same;
        i += !less;
        old += less ? words : 0;
    }
    *cut = (struct entry_cut){.at = i, .kept = stay};
}

void entries_cut(struct entry_cut *cut, const uint64_t *old, uint64_t old_count, uint64_t *entries,
                 uint64_t count, unsigned words)
{
    assert(cut->kept <= cut->at && cut->at <= count);
    MIX_BY_WORDS(words, cut_entries, cut, old, old_count, entries, count);
    assert(cut->kept <= cut->at && cut->at <= count);
}

uint64_t entries_close(const struct entry_cut *cut, uint64_t *entries, uint64_t count, unsigned words)
{
    const uint64_t rest = count - cut->at;
    memmove(entries + cut->kept * words, entries + cut->at * words, rest * words * sizeof *entries);
    return cut->kept + rest;
}
