/* SPDX-License-Identifier: MIT */
/*
 * A permutation puzzle: places with a piece in each, and moves that carry the pieces to other places and turn
 * them. This room numbers the states of such a puzzle. It knows neither names nor texts.
 *
 * A state is a code for each place: kind × turns + turn. Pieces of one kind look alike. A place's turns are
 * those of its set. Of a blind kind nobody sees how it is turned: its turn stays 0.
 */
#ifndef TWIST_TWIST_H
#define TWIST_TWIST_H

#include <stdbool.h>
#include <stdint.h>

enum {
    TWIST_PLACES_MAX = 128,
    TWIST_SETS_MAX = 16,
    TWIST_TURNS_MAX = 16,  /* of a set */
    TWIST_MOVES_MAX = 250, /* powers included */
    TWIST_CODES = 256      /* of a set: kinds × turns */
};

/* A move: the piece in place i comes from place from[i], turned by turn[i]. */
struct twist_move {
    uint8_t from[TWIST_PLACES_MAX];
    uint8_t turn[TWIST_PLACES_MAX];
};

struct twist_set {
    uint8_t first, places; /* its places are neighbours */
    uint8_t turns, kinds;
    bool blind[TWIST_CODES]; /* by kind */
};

struct twist {
    unsigned places, sets, moves;
    struct twist_set set[TWIST_SETS_MAX];
    uint8_t set_of[TWIST_PLACES_MAX];
    uint8_t solved[TWIST_PLACES_MAX]; /* codes */
    struct twist_move move[TWIST_MOVES_MAX];
    uint8_t inverse[TWIST_MOVES_MAX]; /* the move that undoes it */
    /* By set, amount and code: the code of the piece when it is turned. twist_finish fills it. */
    uint8_t turned[TWIST_SETS_MAX][TWIST_TURNS_MAX][TWIST_CODES];
};

/* Fills in what follows from sets, solved state and moves: set_of, turned. */
void twist_finish(struct twist *twist);
/* Finds the inverses. Returns false if a move has none. */
bool twist_find_inverses(struct twist *twist);
void twist_apply(const struct twist *twist, unsigned move, const uint8_t *state, uint8_t *out);
/* Returns true if a move changes nothing. */
bool twist_is_identity(const struct twist *twist, const struct twist_move *move);
/* Fills in such a move. */
void twist_identity(const struct twist *twist, struct twist_move *out);
/* *out does first one, then the other. */
void twist_compose(const struct twist *twist, const struct twist_move *first, const struct twist_move *second,
                   struct twist_move *out);
/* Returns true if no move changes the sum of a set's turns. */
bool twist_keeps_sum(const struct twist *twist, unsigned set);
/* Returns true if parities of places, or sums of turns, show that no moves lead from one state to the other.
 */
bool twist_separates(const struct twist *twist, const uint8_t *a, const uint8_t *b);
bool twist_same_move(const struct twist *twist, const struct twist_move *a, const struct twist_move *b);

#endif
