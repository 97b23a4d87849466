/* SPDX-License-Identifier: MIT */
/* The layout of a model's variables in the words of a state. */
#ifndef TEXT_PSVN_LAYOUT_H
#define TEXT_PSVN_LAYOUT_H

#include "space/text/psvn/psvn_model.h"

enum { PSVN_STATE_WORDS = PSVN_BITS_MAX / 64 };

/* A variable's place in a state. */
struct psvn_field {
    uint64_t mask; /* before the shift */
    uint8_t word, shift, width;
};

struct psvn_layout {
    struct psvn_field field[PSVN_PLACES_MAX];
    unsigned words; /* 1, 2, 4 or 8 */
};

static inline uint32_t psvn_get(const struct psvn_field *field, const uint64_t *state)
{
    return (uint32_t)(state[field->word] >> field->shift & field->mask);
}

static inline void psvn_set(const struct psvn_field *field, uint64_t *state, uint32_t value)
{
    state[field->word] |= (uint64_t)value << field->shift; /* which must be 0 there */
}

/* A pattern of a goal, or of the left side of a move. */
struct psvn_pattern {
    uint64_t mask[PSVN_STATE_WORDS], value[PSVN_STATE_WORDS];
    uint32_t same, same_end; /* in the kernel's list */
};

#endif
