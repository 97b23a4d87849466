/* SPDX-License-Identifier: MIT */
/*
 * Abstractions of permutation puzzles by orbits. Some powers of the moves are chosen; pieces that these carry
 * to each other become alike, and turns are counted so that these leave them as they are. So the states that
 * they reach from the solved one are all goals. Of a set, pieces or turns may also be dropped as a whole.
 *
 * A choice is written as its moves, then what is dropped: "orbits/U,D,R2,L2,F2,B2/EDGE,turns" (or pieces; the
 * name of a set alone for both).
 *
 * One table answers several questions about a state: those of its images by the symmetries of the puzzle.
 */
#ifndef TEXT_ORBITS_H
#define TEXT_ORBITS_H

#include "space/text/abstract/abstraction.h"
#include "space/twist/twist_numbers.h"

enum { ORBITS_TEXT_MAX = 120, ORBITS_QUESTIONS_MAX = 16 };
#define ORBITS_WORD "orbits/"
#define ORBITS_AND  "+" /* between several, of which the greatest bound counts */

/* Returns true if a text names an abstraction by orbits. */
bool orbits_is(const char *text);
/* Returns where the first of several ends: at its ORBITS_AND, or at the text's end. */
const char *orbits_end(const char *text);
/* Finds the abstraction of at most so many keys by which a search takes least time, as far as can be guessed.
 * PZ_UNSUPPORTED if the space has none, PZ_MEMORY, or PZ_CANCELLED if the thread's work is not wanted any
 * more (space/guard.h). */
enum pz_status orbits_choose(const struct abstractor *base, double keys, char text[ORBITS_TEXT_MAX],
                             struct pz_error *error);
/* Checks a text; PZ_BAD_REQUEST, PZ_UNSUPPORTED. canonical: the one way to write it; NULL is fine. */
enum pz_status orbits_check(const struct abstractor *base, const char *text, char canonical[ORBITS_TEXT_MAX],
                            struct pz_error *error);
/* Makes an abstraction; fails as orbits_check and abstraction_open do. */
enum pz_status orbits_open(const struct abstractor *base, const char *text, struct abstraction **out,
                           struct pz_error *error);

/* A puzzle walked by coordinates: what the questions see of a state, and how moves change it. */
struct orbit_walk {
    const struct twist *twist; /* of the puzzle */
    unsigned moves, parts, questions;
    struct twist_part part[TWIST_PARTS_MAX];
    uint32_t goal[TWIST_PARTS_MAX];
    uint8_t move[ORBITS_QUESTIONS_MAX][TWIST_MOVES_MAX]; /* which one a question sees for each */
    uint32_t keepers[TWIST_MOVES_MAX]; /* the questions in which it keeps the goal, a bit each */
    bool follows[TWIST_MOVES_MAX + 1][TWIST_MOVES_MAX]; /* by the move before, or `moves`: may come next */
    const struct abstraction *abstraction;
    struct twist_symmetry *symmetry; /* of each question */
    struct twist_symmetry *known;    /* all that were found */
    unsigned known_count;
};

/* The abstraction must outlive it. PZ_MEMORY. */
enum pz_status orbit_walk_new(const struct abstraction *abstraction, struct orbit_walk **out,
                              struct pz_error *error);
void orbit_walk_free(struct orbit_walk *walk); /* NULL is fine */
/* Finds the values of a state by a question. Returns false if it reaches no goal. */
bool orbit_walk_begin(const struct orbit_walk *walk, unsigned question, const void *state,
                      uint32_t value[TWIST_PARTS_MAX]);
/* Writes the state that a move leads to. */
void orbit_walk_step(const struct orbit_walk *walk, const void *state, unsigned move, void *out);
/* Finds the moves to begin with: of those that symmetries of the state carry to each other, only the first.
 */
void orbit_walk_firsts(const struct orbit_walk *walk, const void *state, bool first[TWIST_MOVES_MAX]);
double orbit_walk_growth(const struct orbit_walk *walk); /* how many moves may follow one, in the mean */
/* Returns about how many nodes, as a power of ten, the iteration takes that solves most states, if one of
 * that bound takes so many: from how many states there are, and how many moves may follow one. */
double orbit_walk_effort(const struct orbit_walk *walk, unsigned bound, double nodes);

static inline uint64_t orbit_walk_key(const struct orbit_walk *walk, const uint32_t value[TWIST_PARTS_MAX])
{
    uint64_t key = 0;
    for (unsigned i = 0; i < walk->parts; i++)
        key += value[i] * walk->part[i].weight;
    return key;
}

#endif
