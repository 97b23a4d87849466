/* SPDX-License-Identifier: MIT */
/*
 * Sokoban, as a space in two metrics. What sokoban.c (the rules) and sokoban_text.c (levels, texts) share;
 * others need sokoban_puzzle only.
 *
 * The squares that the player could ever walk on are numbered in row order. A state is bytes: the player's
 * square, the boxes' squares in ascending order, then zeros. In the push metric the player's square is the
 * lowest that it can walk to without a push, so that positions which differ by a walk only are one state and
 * every move is one push.
 */
#ifndef SPACE_SOKOBAN_H
#define SPACE_SOKOBAN_H

#include "puzzled/space.h"

extern const struct pz_puzzle sokoban_puzzle;

enum {
    SOKOBAN_SQUARES_MAX = 255,
    SOKOBAN_NO_SQUARE = 0xFF,
    SOKOBAN_BOXES_MAX = PZ_STATE_MAX - 1,
    SOKOBAN_RASTER_MAX = 1000 /* cells of a level's text, walls and surroundings included */
};

/* A level's text, read: one character a cell, '-' for floor, rows padded to one length. */
struct sokoban_level {
    unsigned rows, columns;
    char at[SOKOBAN_RASTER_MAX];
};

/* Some of the squares, a bit each. */
struct sokoban_set {
    uint64_t bits[4];
};

struct sokoban {
    struct pz_space base; /* first: a sokoban is a pz_space */
    bool pushes;          /* the push metric */
    unsigned squares, boxes;
    uint8_t neighbour[SOKOBAN_SQUARES_MAX][4];    /* up, down, left, right; SOKOBAN_NO_SQUARE: a wall */
    struct sokoban_set near[SOKOBAN_SQUARES_MAX]; /* the same as a set */
    bool goal[SOKOBAN_SQUARES_MAX];
    uint16_t
        distance[SOKOBAN_SQUARES_MAX];   /* pushes of a lone box to the nearest goal; SOKOBAN_DEAD: never */
    uint16_t place[SOKOBAN_SQUARES_MAX]; /* cell of the raster */
    uint8_t start[PZ_STATE_MAX];
    struct sokoban_level level; /* without player and boxes: #, -, . and * where no one gets to */
};

enum { SOKOBAN_DEAD = 0xFFFF };

/* ---- sokoban_text.c ---- */

/* Reads the level of a space that is being made, all of it but near[], distance[] and the player's
 * normalisation. */
enum pz_status sokoban_read(struct sokoban *sokoban, const char *text, struct pz_error *error);
enum pz_status sokoban_parse(const struct pz_space *space, const char *text, void *state,
                             struct pz_error *error);
size_t sokoban_print(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX]);
size_t sokoban_draw(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX]);
size_t sokoban_describe(const struct pz_space *space, const void *from, const void *to,
                        char out[PZ_TEXT_MAX]);

/* ---- sokoban.c ---- */

/* Moves the player to the lowest square that it can walk to, in the push metric; nothing in the other. */
void sokoban_normalise(const struct sokoban *sokoban, uint8_t *state);

#endif
