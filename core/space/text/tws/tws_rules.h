/* SPDX-License-Identifier: MIT */
/*
 * The meaning of a .tws file: kinds of pieces, and moves with their powers.
 *
 * What f says about turns is said of the place that a piece leaves: place i takes the piece of src[i], and it
 * is turned by f[src[i]].
 *
 * Every power of a listed move is a move; powers that are the same as one before are left out. The word for
 * move U's powers are U, U2, U3, … up to half of its order, and from the other end U', U2', …. Moves called
 * x, y or z, and those that begin with a capital and end with v, turn the puzzle as a whole: they count as no
 * moves, and only scrambles know them.
 */
#ifndef TWS_RULES_H
#define TWS_RULES_H

#include "puzzled/space.h"
#include "space/text/tws/tws_read.h"

enum tws_metric {
    TWS_TURN,   /* every power is a move */
    TWS_QUARTER /* only a listed move itself and its inverse */
};

enum { TWS_METRICS = 2, TWS_ORDER_MAX = 249 /* of a move */, TWS_WORD_MAX = TWS_NAME_MAX + 4 };

struct tws_move_name {
    char word[TWS_WORD_MAX];
    uint8_t listed; /* the power of which listed move */
};

struct tws_rules {
    unsigned sets;
    struct tws_set set[TWIST_SETS_MAX];
    uint32_t label[TWIST_SETS_MAX][TWIST_CODES]; /* of each kind: its number in the file, or TWS_ANY */
    enum tws_metric metric;
    struct twist twist; /* of the metric */
    struct tws_move_name name[TWIST_MOVES_MAX];
    bool stays[TWIST_PLACES_MAX];    /* no move carries the piece of this place away */
    bool unturned[TWIST_PLACES_MAX]; /* nor turns it */
    unsigned illegals;
    struct {
        uint8_t place, kind;
    } illegal[TWS_ILLEGAL_MAX]; /* what no state has */
    /* The listed moves and rotations, for scrambles. */
    unsigned listed_moves;
    struct tws_listed_move listed[TWS_MOVES_MAX]; /* turn[i]: of the place that the piece comes to */
    unsigned order[TWS_MOVES_MAX];                /* of each; TWS_ORDER_MAX + 1: more than that */
    bool moves[TWS_MOVES_MAX];                    /* its powers are moves */
};

/* Makes sets, solved state and listed moves, which is all that tws_rules_word needs. Errors as those of
 * tws_rules_make. */
enum pz_status tws_rules_begin(const struct tws_file *file, struct tws_rules *rules, struct pz_error *error);
/* Takes the listed move that the file has and the rules have not. */
void tws_rules_list(const struct tws_file *file, struct tws_rules *rules);
/* Returns true if no piece is in a place where it may not be. */
static inline bool tws_rules_legal(const struct tws_rules *rules, const uint8_t *codes)
{
    for (unsigned i = 0; i < rules->illegals; i++) {
        const unsigned place = rules->illegal[i].place;
        if (codes[place] / rules->twist.set[rules->twist.set_of[place]].turns == rules->illegal[i].kind)
            return false;
    }
    return true;
}

/* Returns PZ_BAD_PUZZLE with the place in the text. */
enum pz_status tws_rules_make(const struct tws_file *file, enum tws_metric metric, struct tws_rules *rules,
                              struct pz_error *error);
/* Keeps the moves of a list, commas, colons or blanks between: the name of a listed move keeps all its
 * powers, another word that one power and its inverse. A power that does the same as an earlier move keeps
 * that one, which has its own word. out: the list in the one way that all that keep these moves share, "" for
 * all moves. */
enum pz_status tws_rules_keep(struct tws_rules *rules, const char *list, char out[PZ_SIZE_MAX],
                              struct pz_error *error);
/* Finds the move that a scramble's word names, a power of a listed one, and what of it turns the puzzle as a
 * whole. Returns false if there is none. */
bool tws_rules_word(const struct tws_rules *rules, const char *word, size_t length, struct twist_move *move,
                    struct twist_move *turned);

#endif
