/* SPDX-License-Identifier: MIT */
/*
 * Projections: smaller puzzles in which some features of a text's states are not distinguished, so that no
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
#ifndef TEXT_PROJECTION_H
#define TEXT_PROJECTION_H

#include "space/text/definition.h"

enum { PROJECTION_ATOMS_MAX = 64 /* those after them are never distinguished */ };
#define PROJECTION_NO_KEY UINT64_MAX

struct projector_ops;

/* Makes abstractions of a space. */
struct projector {
    const struct projector_ops *ops;
    const struct pz_space *space; /* must outlive it */
    unsigned format;              /* enum definition_format */
    unsigned atoms;
    uint64_t firsts; /* atoms with which a set begins, if they come in sets, a bit each */
    uint64_t most;   /* keys of an abstraction that are made in reasonable time */
};

struct projection {
    const struct projector_ops *ops;
    struct pz_space *space;          /* owned */
    uint64_t root[PZ_STATE_MAX / 8]; /* an exploration from here finds the distances to the nearest goal … */
    unsigned more;                   /* … plus this */
    uint64_t keys;                   /* all are below */
};

struct projector_ops {
    double (*size)(const struct projector *projector, uint64_t atoms);
    bool (*share)(const struct projector *projector, uint64_t a, uint64_t b);
    enum pz_status (*project)(const struct projector *projector, uint64_t atoms, struct projection **out,
                              struct pz_error *error);
    void (*free)(struct projector *projector);
    uint64_t (*key)(const struct projection *projection, const void *state);
    uint64_t (*own_key)(const struct projection *projection, const void *state);
    void (*close)(struct projection *projection);
};

/* Makes the projector of a space. PZ_UNSUPPORTED for a space of no text, and one that cannot be projected. */
enum pz_status projector_new(const struct pz_space *space, struct projector **out, struct pz_error *error);
void projector_free(struct projector *projector); /* NULL is fine */

/* Returns how many keys an abstraction would have, about and from above. */
static inline double projector_size(const struct projector *projector, uint64_t atoms)
{
    return projector->ops->size(projector, atoms);
}

/* Returns true if one move may count in both abstractions. If not, their distances may be added up. */
static inline bool projector_share(const struct projector *projector, uint64_t a, uint64_t b)
{
    return projector->ops->share(projector, a, b);
}

/* Makes an abstraction, which the projector must outlive. PZ_TOO_LARGE, or PZ_BAD_PUZZLE, if it breaks a
 * bound of its format; PZ_MEMORY. */
enum pz_status projection_open(const struct projector *projector, uint64_t atoms, struct projection **out,
                               struct pz_error *error);
void projection_close(struct projection *projection); /* NULL is fine */

/* Returns the key that a state of the projected space has; PROJECTION_NO_KEY if it cannot reach a goal. Any
 * thread. */
static inline uint64_t projection_key(const struct projection *projection, const void *state)
{
    return projection->ops->key(projection, state);
}

/* Returns the key of a state of the abstraction itself; PROJECTION_NO_KEY for one that is no projected state.
 */
static inline uint64_t projection_own_key(const struct projection *projection, const void *state)
{
    return projection->ops->own_key(projection, state);
}

#endif
