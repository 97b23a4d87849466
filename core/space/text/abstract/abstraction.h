/* SPDX-License-Identifier: MIT */
/*
 * Abstractions: smaller puzzles in which some features of a text's states are not distinguished, so that no
 * way to a goal is longer there. All distances of one are a pattern database of the text's puzzle.
 *
 * The features that are kept or not are the *atoms* of a space; a set of them is a mask, bit 0 for the first.
 * An abstraction is a text again, and a space of the same format:
 *
 * Of PSVN the atoms are the variables: the others are dropped from rules and goals. Where every rule only
 * carries values to other places (sliding tiles, pancakes), the atoms are these values, but for those that
 * rules name, which are always distinguished; the others look alike. If each rule carries just one of them, a
 * move costs only where it carries one that is distinguished.
 *
 * Of .tws the atoms are the kinds of pieces, set by set: all others are '?'.
 *
 * A state of an abstraction has a key. Keys are dense: a pattern database is an array.
 */
#ifndef TEXT_ABSTRACTION_H
#define TEXT_ABSTRACTION_H

#include "space/text/definition.h"

enum { ABSTRACTION_ATOMS_MAX = 64 /* those after them are never distinguished */ };
#define ABSTRACTION_NO_KEY UINT64_MAX

struct abstractor_ops;

/* Makes abstractions of a space. */
struct abstractor {
    const struct abstractor_ops *ops;
    const struct pz_space *space; /* must outlive it */
    unsigned format;              /* enum definition_format */
    unsigned atoms;
    uint64_t firsts; /* atoms with which a set begins, if they come in sets, a bit each */
    uint64_t most;   /* keys of an abstraction that are made in reasonable time */
};

/* A format embeds it as the first member of its own struct, which has no other memory. */
struct abstraction {
    const struct abstractor_ops *ops;
    struct pz_space *space;          /* owned */
    uint64_t root[PZ_STATE_MAX / 8]; /* an exploration from here finds the distances to the nearest goal … */
    unsigned more;                   /* … plus this */
    uint64_t keys;                   /* all are below */
};

struct abstractor_ops {
    double (*size)(const struct abstractor *abstractor, uint64_t atoms);
    bool (*share)(const struct abstractor *abstractor, uint64_t a, uint64_t b);
    enum pz_status (*abstract)(const struct abstractor *abstractor, uint64_t atoms, struct abstraction **out,
                               struct pz_error *error);
    void (*free)(struct abstractor *abstractor);
    uint64_t (*key)(const struct abstraction *abstraction, const void *state);
    uint64_t (*own_key)(const struct abstraction *abstraction, const void *state);
};

/* Makes the abstractor of a space. PZ_UNSUPPORTED for a space of no text, and one that has no abstractions.
 */
enum pz_status abstractor_new(const struct pz_space *space, struct abstractor **out, struct pz_error *error);
void abstractor_free(struct abstractor *abstractor); /* NULL is fine */

/* Returns how many keys an abstraction would have, about and from above. */
static inline double abstractor_size(const struct abstractor *abstractor, uint64_t atoms)
{
    return abstractor->ops->size(abstractor, atoms);
}

/* Returns true if one move may count in both abstractions. If not, their distances may be added up. */
static inline bool abstractor_share(const struct abstractor *abstractor, uint64_t a, uint64_t b)
{
    return abstractor->ops->share(abstractor, a, b);
}

/* Makes an abstraction, which the abstractor must outlive. PZ_TOO_LARGE, or PZ_BAD_PUZZLE, if it breaks a
 * bound of its format; PZ_MEMORY. */
static inline enum pz_status abstraction_open(const struct abstractor *abstractor, uint64_t atoms,
                                              struct abstraction **out, struct pz_error *error)
{
    return abstractor->ops->abstract(abstractor, atoms, out, error);
}
void abstraction_close(struct abstraction *abstraction); /* NULL is fine */

/* Returns the key that a state of the abstraction has; ABSTRACTION_NO_KEY if it cannot reach a goal. Any
 * thread. */
static inline uint64_t abstraction_key(const struct abstraction *abstraction, const void *state)
{
    return abstraction->ops->key(abstraction, state);
}

/* Returns the key of a state of the abstraction itself; ABSTRACTION_NO_KEY for one that is no state of the
 * puzzle itself.
 */
static inline uint64_t abstraction_own_key(const struct abstraction *abstraction, const void *state)
{
    return abstraction->ops->own_key(abstraction, state);
}

/* ---- for the files of this room: the abstractors of the formats, and what they share ---- */

/* See abstractor_new. */
typedef enum pz_status abstractor_maker(const struct pz_space *space, struct abstractor **out,
                                        struct pz_error *error);
abstractor_maker psvn_abstractor_new;
abstractor_maker tws_abstractor_new;

/* Makes the space of a text that an abstractor wrote; the text, NULL where it was too long, is freed. */
enum pz_status abstraction_compile(const struct abstractor *abstractor, char *text, size_t length,
                                   const struct pz_key *keys, size_t key_count, struct pz_space **out,
                                   struct pz_error *error);

/* Returns in how many ways things can be laid in a row that come in so many kinds, count[i] of each. */
double abstractor_arrangements(const unsigned *count, unsigned kinds);

#endif
