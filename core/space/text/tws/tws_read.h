/* SPDX-License-Identifier: MIT */
/*
 * Reads a .tws file as it stands: sets, solved state and moves, each number checked where it is read. What
 * they mean is tws_rules.h's.
 *
 *   Name TEXT
 *   Set NAME pieces turns
 *   Solved       then for sets a line with the name, one with the pieces, perhaps one with their turns; End
 *   Move NAME    the same with the places that pieces come from, and with what is added to their turns
 *   Illegal SET place piece …
 *   MoveSequence NAME move …
 *   MoveAlias NAME move …
 *
 * Words stand between white space; from a word that begins with # on, the rest of the line is a comment.
 */
#ifndef TWS_READ_H
#define TWS_READ_H

#include "space/twist/twist.h"

#include "puzzled/status.h"

#include <stddef.h>

enum {
    TWS_NAME_MAX = 24,       /* bytes of a set's or a move's name, with its NUL */
    TWS_MOVES_MAX = 120,     /* listed, rotations included */
    TWS_ILLEGAL_MAX = 1024,  /* pieces that may not be in a place */
    TWS_NUMBER_MAX = 1 << 16 /* of a piece */
};
#define TWS_ANY UINT32_MAX /* the number of '?' */

struct tws_set {
    char name[TWS_NAME_MAX];
    unsigned first, places, turns;
};

struct tws_listed_move {
    char name[TWS_NAME_MAX];
    unsigned line;             /* where it begins, for errors */
    struct twist_move carried; /* turn[i]: as the file has it, of the place that the piece leaves */
    struct twist_move turned;  /* its part that turns the puzzle as a whole; tws_read leaves it out */
    const char *words;         /* of an alias for scrambles, in the text; else NULL */
    size_t length;
};

/* A piece that may not be in a place. */
struct tws_illegal {
    unsigned place, line; /* the place counts through all sets */
    uint32_t piece;
};

/* A move that is several others one after the other, or a word of scrambles for some. tws_read_whole makes
 * moves of these. */
struct tws_sequence {
    char name[TWS_NAME_MAX];
    unsigned line;
    const char *words; /* in the text */
    size_t length;
    bool alias;
    /* tws_read leaves these to tws_read_whole: */
    size_t read;              /* bytes of the words that are done */
    struct twist_move done;   /* what they do … */
    struct twist_move turned; /* … and the rotations among them */
};

struct tws_file {
    unsigned sets, places, moves, illegals, sequences;
    struct tws_set set[TWIST_SETS_MAX];
    uint32_t piece[TWIST_PLACES_MAX]; /* solved: its number, or TWS_ANY */
    uint32_t turn[TWIST_PLACES_MAX];  /* solved, or TWS_ANY */
    struct tws_listed_move move[TWS_MOVES_MAX];
    struct tws_illegal illegal[TWS_ILLEGAL_MAX]; /* ascending by place and piece, each once */
    struct tws_sequence sequence[TWS_MOVES_MAX];
};

/* Sequences lie in the text: tws_read_whole (tws_space.h) makes moves of them. */
enum pz_status tws_read(const char *text, size_t length, struct tws_file *file, struct pz_error *error);
/* Writes a file in the one way that tws_read makes the same file of. *text is the caller's to free. Returns
 * false without memory. */
bool tws_write(const struct tws_file *file, char **text, size_t *length);

#endif
