/* SPDX-License-Identifier: MIT */
/* Inside the abstractions of .tws texts: for tws_abstractor.c and the files of orbits. */
#ifndef TEXT_TWS_ABSTRACTOR_H
#define TEXT_TWS_ABSTRACTOR_H

#include "space/text/abstract/abstraction.h"
#include "space/text/abstract/orbits.h"
#include "space/text/tws/tws_space.h"

struct tws_atom {
    uint8_t set, kind;
};

struct tws_abstractor {
    struct abstractor base; /* first */
    const struct tws_rules *rules;
    struct tws_file *file;
    struct tws_atom atom[ABSTRACTION_ATOMS_MAX];
    unsigned pieces[ABSTRACTION_ATOMS_MAX]; /* of each atom */
    uint32_t moved[TWIST_MOVES_MAX];        /* the sets that a move moves, a bit each */
};

struct tws_abstraction {
    struct abstraction base;   /* first */
    const struct twist *twist; /* of the abstraction */
    const struct tws_layout *layout;
    const struct twist_numbers *numbers;
    uint8_t code[TWIST_PLACES_MAX][TWIST_CODES]; /* of the abstract state, by place */
};

static inline const struct tws_abstractor *tws_abstractor_of(const struct abstractor *abstractor)
{
    return (const struct tws_abstractor *)abstractor;
}

static inline const struct tws_abstraction *tws_abstraction_of(const struct abstraction *abstraction)
{
    return (const struct tws_abstraction *)abstraction;
}

/* Writes what the codes of a set become, into the rows of its places. */
typedef void tws_map_codes(struct tws_abstraction *abstraction, const struct tws_abstractor *abstractor,
                           unsigned set, const void *context);
/* Makes the abstraction of a file, which is freed; NULL: without memory. */
enum pz_status tws_abstraction_make(const struct tws_abstractor *abstractor, struct tws_file *file,
                                    tws_map_codes *map, const void *context, struct abstraction **out,
                                    struct pz_error *error);
/* Writes the codes of an abstract state. */
void tws_abstract_codes(const struct tws_abstraction *abstraction, const uint8_t *codes,
                        uint8_t out[TWIST_PLACES_MAX]);

/* ---- tws_orbits.c ---- */

enum { ORBIT_PIECES = 1, ORBIT_TURNS = 2, ORBIT_WAYS = 4 };

struct orbit_choice {
    uint8_t power[TWS_MOVES_MAX];    /* of each listed move: 0 for none, else the power that is chosen */
    uint8_t dropped[TWIST_SETS_MAX]; /* ORBIT_PIECES, ORBIT_TURNS */
};

/* The classes of pieces that look alike. A zeroed one is not valid. */
struct orbit_classes {
    uint8_t of[TWIST_SETS_MAX][TWIST_CODES];     /* the least kind that looks like a kind */
    bool sightless[TWIST_SETS_MAX][TWIST_CODES]; /* by that: its turns are not seen */
    bool any[TWIST_SETS_MAX][TWIST_CODES];       /* by that: it is '?' */
    bool blind[TWIST_SETS_MAX];                  /* no turns are seen */
    uint8_t gauge[TWIST_PLACES_MAX];             /* added to a turn in a place … */
    uint8_t back[TWIST_SETS_MAX][TWIST_CODES];   /* … less this of its kind */
};

void orbit_classes_make(const struct tws_rules *rules, const struct orbit_choice *choice,
                        struct orbit_classes *classes);
/* Returns true if a move leaves the solved state as it is. */
bool orbit_classes_keep(const struct tws_rules *rules, const struct orbit_classes *classes,
                        const struct twist_move *move);
/* Returns about how many keys there are; INFINITY for more than can be listed. */
double orbit_classes_size(const struct tws_rules *rules, const struct orbit_classes *classes);
enum pz_status orbits_fit(const struct abstractor *base, struct pz_error *error);
/* Writes a choice; returns false if it is too long. */
bool orbits_print(const struct tws_abstractor *abstractor, const struct orbit_choice *choice,
                  char text[ORBITS_TEXT_MAX]);

#endif
