/* SPDX-License-Identifier: MIT */
#include "explore/striped/visited/segment.h"

#include <assert.h>
#include <string.h>

enum { PAGE = 4096, TAIL = 32, SMALL_CAPACITY = 4096, SMALL_SET = 1 << 20 };

/* The new size of a segment, and the distances that stay. */
struct segment_layout {
    uint64_t capacity;
    uint64_t slots;
    uint8_t newest, span; /* of one byte: those up to span before newest; UINT8_MAX: all */
};

static uint64_t pages(uint64_t bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

/* Returns true if a segment belongs to a small set, which takes little of the available memory. */
static bool segment_is_small(const struct segment_shape *shape, const struct segment *segment)
{
    uint64_t bytes = (segment->capacity << shape->stripe_bits) * (shape->words * sizeof(uint64_t) + 2);
    return segment->capacity << shape->stripe_bits < SMALL_SET && bytes < budget_free(shape->budget) / 8;
}

/* Returns the next capacity. Small segments and those of small sets double; others grow by a quarter, to
 * waste fewer slots. */
static uint64_t next_capacity(const struct segment_shape *shape, const struct segment *segment)
{
    if (segment->capacity == 0)
        return shape->first_capacity;
    if (segment->capacity < SMALL_CAPACITY || segment_is_small(shape, segment))
        return segment->capacity * 2;
    return segment->capacity + segment->capacity / 4;
}

/* Returns how many keys a segment takes before it grows: up to this load lookups and insertions hardly slow
 * down (measured). */
static uint64_t segment_limit(uint64_t capacity)
{
    return capacity - capacity * 3 / 20;
}

/* Takes the pages of that many slots from the budget, less those already touched. */
static bool segment_reserve(const struct segment_shape *shape, struct segment *segment, uint64_t slots)
{
    uint64_t key_bytes = pages(slots * shape->words * sizeof(uint64_t));
    uint64_t distance_bytes = pages(slots * (shape->wide ? 2 : 1));
    uint64_t more = 0;
    if (key_bytes > segment->key_bytes)
        more += key_bytes - segment->key_bytes;
    if (distance_bytes > segment->distance_bytes)
        more += distance_bytes - segment->distance_bytes;
    if (slots > segment->room || !budget_take(shape->budget, more))
        return false;
    if (key_bytes > segment->key_bytes)
        segment->key_bytes = key_bytes;
    if (distance_bytes > segment->distance_bytes)
        segment->distance_bytes = distance_bytes;
    return true;
}

/*
 * Slides the keys that stay to the end of the new slots, last first, and finds the slot that the last of them
 * will need: max over the keys of home + number of keys after it. Returns how many stay. Copies every slot
 * and advances only for those that stay: a branch that cannot be predicted would cost more than the copy.
 */
__attribute__((always_inline)) static inline uint64_t slide(const struct segment_shape *shape,
                                                            struct segment *segment, uint64_t old_slots,
                                                            const struct segment_layout *layout,
                                                            uint64_t *last, unsigned words, bool wide)
{
    uint64_t *keys = segment->keys;
    uint8_t *distances = segment->distances;
    uint64_t capacity = layout->capacity;
    uint64_t to = layout->slots;
    uint64_t needed = 0;
    for (uint64_t from = old_slots; from-- > 0;) {
        uint64_t key[KEY_WORDS_MAX];
        key_copy(key, keys + from * words, words);
        uint16_t distance = distance_get(distances, wide, from);
        bool stays = !key_is_greatest(key, words) & ((uint8_t)(layout->newest - distance) <= layout->span);
        uint64_t wants = home_at(capacity, shape->stripe_bits, key[0]) + (layout->slots - to);
        key_copy(keys + (to - 1) * words, key, words);
        distance_set(distances, wide, to - 1, distance);
        needed = stays && wants > needed ? wants : needed;
        to -= stays;
    }
    *last = needed;
    return layout->slots - to;
}

/*
 * Lays out from the front the keys that stand at the end of the slots. The writer never passes the reader:
 * the k-th key's slot is at most that of the last key less the keys between, for which slide() has made room.
 * So a slot is emptied when it has been read, and written only afterwards.
 */
__attribute__((always_inline)) static inline void
segment_lay_out(const struct segment_shape *shape, struct segment *segment, unsigned words, bool wide)
{
    uint64_t *keys = segment->keys;
    uint8_t *distances = segment->distances;
    uint64_t capacity = segment->capacity;
    uint64_t begin = segment->slots - segment->used;
    uint64_t to = 0;
    memset(keys, 0xFF, begin * words * sizeof *keys);
    for (uint64_t from = begin; from < segment->slots; from++) {
        uint64_t key[KEY_WORDS_MAX];
        key_copy(key, keys + from * words, words);
        uint16_t distance = distance_get(distances, wide, from);
        uint64_t home = home_at(capacity, shape->stripe_bits, key[0]);
        to = home > to ? home : to;
        assert(to <= from);
        for (unsigned i = 0; i < words; i++)
            keys[from * words + i] = SEGMENT_EMPTY;
        key_copy(keys + to * words, key, words);
        distance_set(distances, wide, to, distance);
        to++;
    }
}

/* Adds slots for a last cluster that is longer than the tail, and moves the keys to their end. Rare. */
static bool lengthen(const struct segment_shape *shape, struct segment *segment, uint64_t slots)
{
    if (!segment_reserve(shape, segment, slots))
        return false;
    size_t key_size = shape->words * sizeof(uint64_t);
    size_t width = shape->wide ? 2 : 1;
    unsigned char *keys = (unsigned char *)segment->keys;
    uint64_t begin = segment->slots - segment->used;
    uint64_t new_begin = slots - segment->used;
    assert(slots >= segment->slots && segment->used <= segment->slots);
    memmove(keys + new_begin * key_size, keys + begin * key_size, segment->used * key_size);
    memmove(segment->distances + new_begin * width, segment->distances + begin * width,
            segment->used * width);
    segment->slots = slots;
    return true;
}

/* Lays the segment out again. Without memory for the last cluster it keeps the capacity and returns false. */
__attribute__((always_inline)) static inline bool rehash(const struct segment_shape *shape,
                                                         struct segment *segment,
                                                         const struct segment_layout *layout, bool wide,
                                                         unsigned words)
{
    uint64_t old_slots = segment->slots;
    uint64_t old_capacity = segment->capacity;
    uint64_t last = 0;
    segment->capacity = layout->capacity;
    segment->slots = layout->slots;
    segment->used = slide(shape, segment, old_slots, layout, &last, words, wide);
    assert(segment->used <= segment->slots && old_slots <= segment->slots);
    /* One more key may come before the tail is found full, and an empty slot must follow it. */
    uint64_t wanted = last + 1 + TAIL < segment->room ? last + 1 + TAIL : segment->room;
    bool fits = last + 3 <= segment->slots || (last + 3 <= wanted && lengthen(shape, segment, wanted));
    if (!fits)
        segment->capacity = old_capacity;
    segment_lay_out(shape, segment, words, wide);
    segment->limit = fits ? segment_limit(segment->capacity) : segment->used;
    return fits;
}

static bool relay_any(const struct segment_shape *shape, struct segment *segment,
                      const struct segment_layout *layout)
{
    return shape->wide ? MIX_BY_WORDS(shape->words, rehash, shape, segment, layout, true)
                       : MIX_BY_WORDS(shape->words, rehash, shape, segment, layout, false);
}

bool segment_grow(const struct segment_shape *shape, struct segment *segment)
{
    /* If keys crowd at the end while there is room elsewhere, more capacity would help little. */
    bool crowded = segment->capacity > 0 && segment->used < segment_limit(segment->capacity) / 2;
    struct segment_layout layout = {.capacity = crowded ? segment->capacity : next_capacity(shape, segment),
                                    .span = UINT8_MAX};
    layout.slots = (crowded ? segment->slots : layout.capacity) + TAIL;
    if (layout.slots > segment->room && segment->room >= segment->slots + segment->slots / 16) {
        layout.slots = segment->room; /* the last growth takes the rest of the range */
        layout.capacity = segment->room - TAIL;
    }
    if (layout.slots < segment->slots)
        layout.slots = segment->slots; /* its tail had been lengthened */
    assert(layout.slots >= layout.capacity);
    return segment_reserve(shape, segment, layout.slots) && relay_any(shape, segment, &layout);
}

void segment_keep(const struct segment_shape *shape, struct segment *segment, uint8_t newest, uint8_t span)
{
    struct segment_layout layout = {
        .capacity = segment->capacity, .slots = segment->slots, .newest = newest, .span = span};
    if (segment->slots > 0)
        (void)relay_any(shape, segment, &layout); /* fewer keys always fit */
}

bool segment_reserve_wide(const struct segment_shape *shape, struct segment *segment)
{
    uint64_t bytes = pages(segment->slots * sizeof(uint16_t));
    if (bytes <= segment->distance_bytes)
        return true;
    if (!budget_take(shape->budget, bytes - segment->distance_bytes))
        return false;
    segment->distance_bytes = bytes;
    return true;
}

void segment_widen(struct segment *segment)
{
    /* From the end, so that no narrow distance is overwritten before it is read. */
    for (uint64_t slot = segment->slots; slot-- > 0;)
        distance_set(segment->distances, true, slot, segment->distances[slot]);
}

void segment_release(const struct segment_shape *shape, struct segment *segment)
{
    budget_give(shape->budget, segment->key_bytes + segment->distance_bytes);
    segment->key_bytes = segment->distance_bytes = 0;
}
