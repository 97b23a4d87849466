/* SPDX-License-Identifier: MIT */
/* Inside the format tws: the puzzle of a definition, and its spaces. */
#ifndef TWS_SPACE_H
#define TWS_SPACE_H

#include "puzzled/space.h"
#include "space/making.h"
#include "space/text/tws/tws_layout.h"
#include "space/text/tws/tws_net.h"
#include "space/text/tws/tws_read.h"
#include "space/text/tws/tws_rules.h"
#include "space/twist/twist_numbers.h"

/* The puzzle in one metric. */
struct tws_variant {
    struct tws_rules rules;
    struct tws_layout layout;
    struct twist_lazy *lazy; /* its numbers */
};

struct definition;
struct tws_classes;

struct tws_space {
    struct goal_space ends; /* first: a tws_space is a pz_space */
    const struct definition *definition;
    struct tws_variant *variant; /* the definition's, or own */
    struct tws_variant *own;     /* with moves=; else NULL */
    const struct tws_net *net;   /* the definition's; NULL without */
    enum tws_metric metric;
    struct tws_classes *classes; /* with symmetry=yes; else NULL */
};

static inline const struct tws_space *tws_of(const struct pz_space *space)
{
    return (const struct tws_space *)space;
}

static inline const struct twist *tws_twist(const struct pz_space *space)
{
    return &tws_of(space)->variant->rules.twist;
}

/* Returns the codes of a state: itself, or unpacked into room. */
static inline const uint8_t *tws_codes(const struct pz_space *space, const void *state,
                                       uint8_t room[TWIST_PLACES_MAX])
{
    return tws_layout_codes(&tws_of(space)->variant->layout, tws_twist(space)->places, state, room);
}

static inline void tws_pack(const struct pz_space *space, const uint8_t *codes, void *state)
{
    tws_layout_pack(&tws_of(space)->variant->layout, tws_twist(space)->places, codes, state);
}

/* ---- tws_text.c: texts of states ----
 *
 * A state is written as in the file, in one line: for each set the pieces with commas between and, where
 * pieces can turn, a point and the turns; a slash between sets. Colons will do for commas. A scramble is the
 * words of moves, with commas or spaces between, which are done to the solved state. */

enum pz_status tws_parse(const struct pz_space *space, const char *text, void *state, struct pz_error *error);
size_t tws_print(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX]);
size_t tws_draw(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX]);
bool tws_valid(const struct pz_space *space, const void *state);

/* ---- tws_classes.c: states by class ---- */

/* Of the symmetries those that keep the goal count; free() frees it, also after a failure. PZ_MEMORY,
 * PZ_UNSUPPORTED if there are too many. */
enum pz_status tws_classes_new(const struct twist *twist, const uint8_t *goal, struct tws_classes **out,
                               struct pz_error *error);
extern const struct pz_puzzle tws_classes_puzzle;
/* Replaces a state by the least of its class, where there are classes. */
void tws_classes_least(const struct pz_space *space, void *state);
/* As struct pz_puzzle's. */
unsigned tws_classes_expand(const struct pz_space *space, const void *state, uint8_t came_by,
                            void *successors, uint8_t *tokens);

/* ---- tws_pieces.c ---- */

/* As struct pz_puzzle's. A piece keeps its id from place to place. */
struct pz_size tws_pieces(const struct pz_space *space, const void *state, const char *path,
                          pz_put_piece *put, void *taker);

/* ---- tws_sequences.c ---- */

/* Does what tws_read does, but makes moves of MoveSequence and MoveAlias: behind the listed moves there is
 * one for each. */
enum pz_status tws_read_whole(const char *text, size_t length, struct tws_file *file, struct pz_error *error);

#endif
