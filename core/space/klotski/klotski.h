/* SPDX-License-Identifier: MIT */
/*
 * Klotski, Huarong Dao (华容道): blocks of any shape that slide on a board of up to 64 cells; and Rush Hour,
 * whose blocks keep to their lanes. klotski.c (the rules), klotski_read.c, klotski_text.c and rushhour.c
 * share this header; others need klotski_puzzle and rushhour_puzzle only.
 *
 * A block stands where its *first cell* stands: the first one in row order that it covers. A *kind* is all
 * the blocks of one shape, which are interchangeable; a block that the goal distinguishes from others of its
 * shape is a kind of its own. A state holds, for every cell, the number (from 1 on) of the kind whose block
 * has its first cell there, or 0. So a position has one state without any sorting, and a move changes two
 * cells.
 */
#ifndef SPACE_KLOTSKI_H
#define SPACE_KLOTSKI_H

#include "puzzled/space.h"

extern const struct pz_puzzle klotski_puzzle;
extern const struct pz_puzzle rushhour_puzzle;

enum {
    KLOTSKI_CELLS_MAX = 64,
    KLOTSKI_KINDS_MAX = 31,
    KLOTSKI_BLOCKS_MAX = 62, /* A–Z, a–z, 0–9 */
    KLOTSKI_GOALS_MAX = 8,
    KLOTSKI_NO_CELL = 0xFF
};

struct klotski_kind {
    uint64_t shape; /* its cells with the corner of its bounding box in cell 0 */
    uint8_t height, width;
    uint8_t count, least; /* blocks: at most, at least; the same but in a family */
    char own;             /* the letter of the one block that the goal distinguishes, 0 for none */
    char letters[KLOTSKI_BLOCKS_MAX + 1];
    uint64_t at[KLOTSKI_CELLS_MAX]; /* the cells covered from a first cell; 0: not on the board */
    uint8_t step[KLOTSKI_CELLS_MAX]
                [4];            /* the first cell one step up, down, left, right, or KLOTSKI_NO_CELL */
    uint64_t places;            /* first cells */
    uint64_t to_left, to_right; /* first cells from which there is such a step on an empty board */
    uint8_t row_shift;          /* from a first cell to the one below it; 0 if blocks keep to their row */
};

struct klotski_numbers; /* klotski_family.c */

struct klotski_goal {
    uint8_t kind;        /* index */
    uint8_t cell;        /* first cell */
    uint8_t row, column; /* of the corner of its bounding box, as in the request */
};

struct klotski {
    struct pz_space base; /* first: a klotski is a pz_space */
    uint8_t rows, columns, cells;
    uint8_t kinds, goals;
    bool steps;     /* the step metric */
    char leaver;    /* Rush Hour: the letter of the car that leaves, as the board is written */
    bool lanes;     /* a block keeps to the axis that it is long in (rushhour.c) */
    uint64_t walls; /* cells that nothing enters */
    uint64_t start[4];
    const struct klotski_numbers *numbers; /* of a family's boards; else NULL */
    /* The layout of a state: fields of `bits` bits, `per_word` of them in a word. */
    uint8_t bits, per_word;
    uint8_t word_of[KLOTSKI_CELLS_MAX], shift_of[KLOTSKI_CELLS_MAX];
    uint8_t field_of_bit[64];
    struct klotski_kind kind[KLOTSKI_KINDS_MAX];
    struct klotski_goal goal[KLOTSKI_GOALS_MAX];
};
static inline const struct klotski *klotski_of(const struct pz_space *space)
{
    return (const struct klotski *)space;
}

static inline unsigned klotski_get(const struct klotski *klotski, const uint64_t *state, unsigned cell)
{
    uint64_t mask = (UINT64_C(1) << klotski->bits) - 1;
    return (unsigned)(state[klotski->word_of[cell]] >> klotski->shift_of[cell] & mask);
}

/* Puts kind + 1 into an empty field, or takes it out again. */
static inline void klotski_toggle(const struct klotski *klotski, uint64_t *state, unsigned cell,
                                  unsigned code)
{
    state[klotski->word_of[cell]] ^= (uint64_t)code << klotski->shift_of[cell];
}

/* ---- rushhour.c ---- */

/* Says why the car that leaves cannot (space/reason.h). */
void rushhour_reason(const struct pz_space *space, const void *start, char out[PZ_TEXT_MAX]);
/* Returns the letter that the car that leaves has in a text, NULL for the space's own; 0 if it is no board.
 */
char rushhour_leaver(const struct pz_space *space, const char *text);

/* ---- klotski_read.c ---- */

/* Returns true if a text is a sound board. */
bool klotski_is_board(const char *text);
/* Reads the board of a space that is being made: rows, columns, walls, kinds, goals (text: NULL for the
 * default) and letters, and then its tables and its start. family: see klotski_family.c; the board is any one
 * of it with a block of each shape. */
enum pz_status klotski_set_up(struct klotski *klotski, const char *board, const char *goal, bool family,
                              struct pz_error *error);
enum pz_status klotski_parse(const struct pz_space *space, const char *text, void *state,
                             struct pz_error *error);

/* ---- klotski_text.c ---- */

/* Returns the letter of the block that a goal names, as it is printed. */
char klotski_goal_letter(const struct klotski *klotski, unsigned number);
/* "A:3:1+B:0:0"; "" without a goal. `without` is left out; 0 for none. */
size_t klotski_print_goal(const struct klotski *klotski, char without, char out[PZ_TEXT_MAX]);
size_t klotski_print(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX]);
size_t klotski_draw(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX]);
struct pz_size klotski_pieces(const struct pz_space *space, const void *state, const char *path,
                              pz_put_piece *put, void *taker);
size_t klotski_describe(const struct pz_space *space, const void *from, const void *to,
                        char out[PZ_TEXT_MAX]);

/* ---- klotski_layouts.c ---- */

/* A layout with a name, and the lengths of its shortest solutions. */
struct klotski_layout {
    const char *traditional;
    const char *simplified; /* NULL: the same */
    const char *board;
    int moves; /* metric=move; -1: it has no solution */
    int steps; /* metric=step */
};
/* Returns a layout by number; NULL beyond the last. */
const struct klotski_layout *klotski_layout_at(unsigned number);
/* Returns the first layout with the board that a space's size begins with; NULL when that has no name. */
const struct klotski_layout *klotski_layout_of(const char *size);

/* Returns the board of a layout by its name, in traditional, simplified or Latin characters; NULL when there
 * is none of that name. */
const char *klotski_layout(const char *name);
/* Returns the layout's name that begins most like that one: with three Latin letters or a Chinese character
 * at least. NULL when there is none. */
const char *klotski_layout_near(const char *name);

/* ---- klotski_family.c: all boards of 5x4 cells (rows:3, rows:4 for fewer rows) with one 2x2 block, any
 * dominoes and single cells, and at least two empty cells ---- */

#define KLOTSKI_FAMILY "family"
/* Returns a board with a block of each shape, by the text of rows=, NULL for the usual; NULL for a wrong
 * number. */
const char *klotski_family_board(const char *rows);
/* Lets each kind have as many blocks as there is room for. */
void klotski_widen(struct klotski *klotski);
/* Returns the numbers of the boards, which all spaces of as many rows share; NULL without memory. */
const struct klotski_numbers *klotski_number(const struct klotski *klotski);
/* As count, rank and unrank of struct pz_puzzle. */
uint64_t klotski_count(const struct pz_space *space);
uint64_t klotski_rank(const struct pz_space *space, const void *state);
void klotski_unrank(const struct pz_space *space, uint64_t number, void *state);

/* ---- klotski.c ---- */

/* Says which block that a goal names can never pass another one (space/reason.h): the two, alone on the
 * board, are tried. Returns false if each can. */
bool klotski_reason(const struct pz_space *space, const void *start, char out[PZ_TEXT_MAX]);
/* As in struct pz_puzzle. */
unsigned klotski_expand(const struct pz_space *space, const void *state, uint8_t came_by, void *successors,
                        uint8_t *tokens);
bool klotski_is_goal(const struct pz_space *space, const void *state);
enum pz_status klotski_root(const struct pz_space *space, void *state, struct pz_error *error);
bool klotski_valid(const struct pz_space *space, const void *state);
/* Sets the most successors and the flags of a space that is set up. */
void klotski_bound(struct klotski *klotski);
/* Fills the tables of a kind whose shape, height and width are set. */
void klotski_fill_kind(const struct klotski *klotski, struct klotski_kind *kind);
/* Plans the packing for the number of kinds. Returns false when 32 bytes do not hold the board. */
bool klotski_plan(struct klotski *klotski);

#endif
