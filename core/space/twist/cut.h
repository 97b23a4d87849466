/* SPDX-License-Identifier: MIT */
/*
 * A coordinate that is too large to be listed: the kinds in places that the moves permute in every way, or in
 * every even way. It is cut in two. Its *shown* kinds are a listed coordinate: which of them is where. Its
 * *order* is how the hidden kinds lie in the places left, in ascending order of the places. A move takes all
 * orders with one value of the shown ones to orders with another one, by one permutation; few of these are
 * different. Where all kinds differ and all moves are even, only every other order is reached: the shown ones
 * tell which, and orders are numbered by pairs.
 */
#ifndef TWIST_CUT_H
#define TWIST_CUT_H

#include "space/twist/coordinate.h"

/* Tables of few orders take little memory. With halves, so few would leave much of a run unused. */
enum { CUT_ORDERS_MAX = 65535, CUT_ORDERS_LIKED = 5040 };

struct cut {
    const struct twist *twist;
    struct coordinate shown;
    unsigned turns;                /* of the set */
    unsigned first_hidden;         /* kind */
    unsigned hidden_kinds, hidden; /* pieces */
    uint8_t count[TWIST_CODES];    /* of each hidden kind */
    bool halved;
    uint8_t parity; /* of the solved state, where halved */
    uint32_t orders;
};

/* Returns true if the moves permute these places in every way, or in every even way. It may miss it. */
bool cut_is_giant(const struct twist *twist, const uint8_t *places, unsigned count);
/* Returns how many ways there are to lay the solved kinds of those places; UINT64_MAX for too many. */
uint64_t cut_arrangements(const struct twist *twist, const uint8_t *places, unsigned count);
/* Cuts a giant. Only what it shows is to be cleared, and that, too, is empty unless it returns LISTED. */
enum listing cut_init(struct cut *cut, const struct twist *twist, const uint8_t *places, unsigned count,
                      uint32_t most);
/* Returns false if the parity, or a kind that is none of its, shows that the moves do not reach a state. */
bool cut_reaches(const struct cut *cut, const uint8_t *state);
/* Returns the order in a state whose shown value is given. */
uint32_t cut_order(const struct cut *cut, uint32_t shown, const uint8_t *state);
/* Adds the kinds to the codes of a state, which begin as zeros. */
void cut_put(const struct cut *cut, uint32_t shown, uint32_t order, uint8_t *state);

/* Tables of how moves change orders. */
struct cut_tables {
    uint32_t *of;      /* by move, then by shown value: table + 1, or 0 where orders stay as they are */
    uint16_t **tables; /* of orders entries */
    uint32_t count;
    uint64_t bytes;
};

enum { CUT_TABLES_BYTES_MAX = 1 << 30 };

/* Returns false without memory, or where the tables would be larger than CUT_TABLES_BYTES_MAX. */
bool cut_tables_init(struct cut_tables *tables, const struct cut *cut);
void cut_tables_clear(struct cut_tables *tables);

#endif
