/* SPDX-License-Identifier: MIT */
/* Inside the format psvn: the meaning of a definition, and its spaces. */
#ifndef TEXT_PSVN_SPACE_H
#define TEXT_PSVN_SPACE_H

#include "puzzled/space.h"
#include "space/text/definition.h"
#include "space/text/psvn/psvn_model.h"

/* The layout of a model's variables in the words of a state. */

enum { PSVN_STATE_WORDS = PSVN_BITS_MAX / 64 };

/* A variable's place in a state. */
struct psvn_field {
    uint64_t mask; /* before the shift */
    uint8_t word, shift;
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

/* Returns true if the pattern has a value for a variable. */
static inline bool psvn_has_value(const struct psvn_pattern *pattern, const struct psvn_field *field)
{
    return (pattern->mask[field->word] >> field->shift & field->mask) == field->mask;
}

/*
 * Runs a model: packs the variables of a state into words, and expands states.
 *
 * Each rule becomes one or more *moves*: a rule with names that its left side does not bind becomes a move
 * for each of their values. A move is a mask and a value to compare with, pairs of places to compare, a mask
 * and a value to write, and places to copy, of which those that go equally far are copied together. A tree
 * over the values of a few variables leads to the moves that can match at all, so that a state does not try
 * every rule.
 */

struct psvn_kernel;
/* undo: for each rule the rule that undoes it, as psvn_rules_undo finds it, or NULL. A state that came by a
 * move is then not expanded by its inverse. The model must live as long. */
enum pz_status psvn_kernel_new(const struct psvn_model *model, const struct psvn_layout *layout,
                               const uint32_t *undo, struct psvn_kernel **out, struct pz_error *error);
void psvn_kernel_free(struct psvn_kernel *kernel); /* NULL is fine */
/* Returns the bytes of memory that a kernel takes. */
size_t psvn_kernel_bytes(const struct psvn_kernel *kernel);
/* Returns the most successors that a state can have. */
uint32_t psvn_kernel_most(const struct psvn_kernel *kernel);

/* Writes the successors of a state, its own copies left out; returns their number. rules may be NULL; else it
 * gets the rule of each. */
unsigned psvn_kernel_expand(const struct psvn_kernel *kernel, const uint64_t *state, uint8_t came_by,
                            uint64_t *successors, uint8_t *tokens, uint32_t *rules);
bool psvn_kernel_is_goal(const struct psvn_kernel *kernel, const uint64_t *state);

struct psvn_meaning {
    struct definition_meaning base; /* first */
    struct psvn_model *model;
    struct psvn_layout layout;
    struct psvn_kernel *kernel;
    uint32_t flags; /* PZ_REVERSIBLE */
    uint64_t count; /* of the vectors, where they are numbered; else 0 */
};

/* Rules that a space has beside those of its text; NULL for none. */
struct psvn_own {
    struct psvn_kernel *kernel;
    struct psvn_model *rules;
};

struct psvn_space {
    struct pz_space base; /* first */
    const struct definition *definition;
    const struct psvn_meaning *meaning;
    const struct psvn_kernel *kernel; /* the meaning's, or own */
    const struct psvn_model *rules;   /* the meaning's, or own */
    struct psvn_own picked;           /* with moves= */
    struct psvn_own backward;         /* with backwards=yes */
    bool has_goal;                    /* goal= was given: these, instead of the text's */
    bool has_root;                    /* there is a goal without open places */
    struct psvn_pattern goal;
    uint64_t root[PSVN_STATE_WORDS];
};

static inline const struct psvn_space *psvn_of(const struct pz_space *space)
{
    return (const struct psvn_space *)space;
}

/* Makes the kernel of a model, and says whether its moves can be undone and have costs. */
enum pz_status psvn_rules_compile(const struct psvn_model *model, const struct psvn_layout *layout,
                                  struct psvn_kernel **kernel, uint32_t *flags, struct pz_error *error);

/* Opens a PSVN text as a space: definition_meaning.open of this format. */
enum pz_status psvn_space_open(const struct definition *definition, const struct pz_setup *setup,
                               struct pz_space **out, struct pz_error *error);

#endif
