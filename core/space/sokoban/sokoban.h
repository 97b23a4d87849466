/* SPDX-License-Identifier: MIT */
/*
 * Sokoban, as a space in two metrics: sokoban.c has the rules, sokoban_reach.c the sets of cells,
 * sokoban_corral.c what need not be pushed yet, sokoban_leap.c the way from push to push by moves,
 * sokoban_bound.c lower bounds and deadlocks, sokoban_clusters.c and sokoban_excess.c what a few boxes need
 * more, sokoban_text.c levels and texts, sokoban_words.c the words of moves and LURD. Others need
 * sokoban_puzzle only, and grades sokoban_match and sokoban_find_push.
 *
 * The squares that the player could ever walk on are numbered in row order. A state is bytes: the player's
 * square, the boxes' squares in ascending order, then zeros. In the push metric the player's square is the
 * lowest that it can walk to without a push. So positions that differ by a walk only are one state, and every
 * move is one push.
 */
#ifndef SPACE_SOKOBAN_H
#define SPACE_SOKOBAN_H

#include "base/budget.h"
#include "base/table/state_table.h"
#include "puzzled/space.h"

extern const struct pz_puzzle sokoban_puzzle;

/* Says why a level cannot be solved, as space_reason does. */
void sokoban_reason(const struct pz_space *space, const void *start, char out[PZ_TEXT_MAX]);

enum {
    SOKOBAN_SQUARES_MAX = 255,
    SOKOBAN_NO_SQUARE = 0xFF,
    SOKOBAN_SIDES = 4, /* of a box */
    SOKOBAN_BOXES_MAX = 63,
    SOKOBAN_RASTER_MAX = 1000 /* cells of a level's text, walls and surroundings included */
};

/* A set of boxes, bits (1 << number) from 1 on. */
typedef uint64_t sokoban_boxes;
#define SOKOBAN_ALL_BOXES UINT64_MAX

/* A level's text, read: one character a cell, '-' for floor, rows padded to one length. */
struct sokoban_level {
    unsigned rows, columns;
    char at[SOKOBAN_RASTER_MAX];
};

enum {
    SOKOBAN_DEAD = 0xFFFF, /* a distance: no push ever leads there */
    SOKOBAN_WORDS_MAX = 16 /* of a set of cells */
};

/*
 * A set of cells has a bit for each cell of a raster around the squares, row after row, with one column that
 * is never floor between two rows. So a set is shifted by 1 or by the stride to find its neighbours, many at
 * a time. Squares and bits have the same order.
 */
struct cells {
    uint64_t word[SOKOBAN_WORDS_MAX];
};

struct sokoban_raster {
    unsigned words, stride;
    struct cells floor;
    struct cells alive;                     /* squares from which a box can be pushed to some goal */
    struct cells home;                      /* goals */
    struct cells rail[2];                   /* squares with a neighbour up or down, or left or right, alive */
    uint16_t bit[SOKOBAN_SQUARES_MAX];      /* of a square */
    uint8_t square[64 * SOKOBAN_WORDS_MAX]; /* of a bit of the floor */
};

/* Pushes that bring a lone box to each goal (goals are numbered in the order of their squares), and to the
 * nearest. */
struct sokoban_route {
    uint16_t to_goal[SOKOBAN_BOXES_MAX + 1];
    uint16_t distance;
    uint8_t nearest;
};

struct sokoban {
    struct pz_space base; /* first: a sokoban is a pz_space */
    bool pushes;          /* the push metric */
    unsigned squares, boxes;
    uint8_t neighbour[SOKOBAN_SQUARES_MAX][4]; /* up, down, left, right; SOKOBAN_NO_SQUARE: a wall */
    bool goal[SOKOBAN_SQUARES_MAX];
    /* The side of a box on the first square that the second one is on: a box may part the floor. */
    uint8_t side[SOKOBAN_SQUARES_MAX][SOKOBAN_SQUARES_MAX];
    struct sokoban_route route[SOKOBAN_SQUARES_MAX][SOKOBAN_SIDES]; /* by the side that the player is on */
    uint16_t distance[SOKOBAN_SQUARES_MAX];                         /* the least of all sides */
    unsigned alive; /* squares from which a box can be pushed to some goal; they have numbers, ascending */
    uint8_t alive_number[SOKOBAN_SQUARES_MAX]; /* of a square; SOKOBAN_NO_SQUARE: it is dead */
    uint8_t alive_square[SOKOBAN_SQUARES_MAX]; /* of a number */
    int price[SOKOBAN_BOXES_MAX];        /* of a goal, in the matching of start: negative if many need it */
    uint16_t place[SOKOBAN_SQUARES_MAX]; /* cell of the level's text */
    uint8_t start[PZ_STATE_MAX];
    uint8_t player; /* of start, where the text has it */
    struct sokoban_raster raster;
    _Atomic(struct sokoban_clusters *) *pairs; /* NULL there until the bound is first asked for */
    struct sokoban_level level; /* without player and boxes: #, -, . and * where no one gets to */
};

static inline const struct sokoban *sokoban_of(const struct pz_space *space)
{
    return (const struct sokoban *)space;
}

/* ---- sokoban_text.c ---- */

/* Reads the level of a space that is being made: fills level, squares, boxes, neighbour, goal, place and
 * start. The player of start is where the text has it. */
enum pz_status sokoban_read(struct sokoban *sokoban, const char *text, struct pz_error *error);
/* As sokoban_parse, but leaves the player where the text has it. text: NULL for the level itself. */
enum pz_status sokoban_place(const struct pz_space *space, const char *text, void *state,
                             struct pz_error *error);
enum pz_status sokoban_parse(const struct pz_space *space, const char *text, void *state,
                             struct pz_error *error);
size_t sokoban_print(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX]);
size_t sokoban_draw(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX]);
struct pz_size sokoban_pieces(const struct pz_space *space, const void *state, const char *path,
                              pz_put_piece *put, void *taker);

/* ---- sokoban_words.c ---- */

/* Finds the square that a box left, and the one that a box entered. Returns false if no box moved. */
bool sokoban_find_push(const struct sokoban *sokoban, const uint8_t *from, const uint8_t *to, unsigned *left,
                       unsigned *entered);
size_t sokoban_describe(const struct pz_space *space, const void *from, const void *to,
                        char out[PZ_TEXT_MAX]);
/* Writes a level without its groups: 2(-#) is -#-#. */
enum pz_status sokoban_write_groups(const char *text, char out[PZ_TEXT_MAX], struct pz_error *error);
/* As space_lurd and space_read_lurd. */
char *sokoban_lurd(const struct pz_space *space, const char *text, const char *path);
enum pz_status sokoban_read_lurd(const struct pz_space *space, const char *text, const char *letters,
                                 char **path, struct pz_error *error);
/* Finds the cell where a text has the player. Returns false by moves, whose states have it, and for no
 * position. */
bool sokoban_player(const struct pz_space *space, const char *text, unsigned *row, unsigned *column);

/* ---- sokoban_reach.c ---- */

/* Moves the player to the lowest square that it can walk to, in the push metric; nothing in the other. */
void sokoban_normalise(const struct sokoban *sokoban, uint8_t *state);
/* Writes the successors of count states, by pushes of the boxes that are given; returns their number. */
unsigned sokoban_expand_pushes(const struct sokoban *sokoban, const uint8_t *states, unsigned count,
                               sokoban_boxes movable, uint8_t *out);
/* That, for up to eight states. Returns the kernels that this machine can run, the best last; NULL beyond. */
typedef unsigned sokoban_kernel(const struct sokoban *sokoban, const uint8_t *states, unsigned count,
                                sokoban_boxes movable, uint8_t *out);
sokoban_kernel *sokoban_kernel_at(unsigned number);
/* In sokoban_avx512.c, on x86-64: */
sokoban_kernel sokoban_expand_avx512;
bool sokoban_avx512_runs(void); /* here */
/* Returns true if a box can never be pushed again and is on no goal. */
bool sokoban_freezes(const struct sokoban *sokoban, const uint8_t *state);

/* ---- sokoban_corral.c ---- */

/* Returns a set of boxes: from a state with a solution, a solution with the fewest pushes begins by pushing
 * one of them. */
sokoban_boxes sokoban_needed_boxes(const struct sokoban *sokoban, const uint8_t *state);

/* ---- sokoban_leap.c, of the move metric ---- */

/* Writes the states after one push, and of each how many steps the walk and the push are. Returns their
 * number. */
unsigned sokoban_expand_leaps(const struct pz_space *space, const void *state, uint8_t came_by,
                              void *successors, uint8_t *tokens, uint32_t *costs);
/* Writes the states of a shortest walk to the push that makes one state another, without these two. */
void sokoban_between(const struct pz_space *space, const void *from, const void *to, void *states);

/* ---- sokoban_bound.c ---- */

/* Marks a square, and all that are unseen and connected with it by such squares. */
void sokoban_flood(const struct sokoban *sokoban, unsigned from, uint8_t unseen, uint8_t mark,
                   uint8_t *marks);
/* Fills side, route and distance. */
void sokoban_find_distances(struct sokoban *sokoban);
/* Fills price, by which a matching is found sooner. Needs start. */
void sokoban_find_prices(struct sokoban *sokoban);
/* Returns the least matching of boxes and goals in pushes, which is a consistent lower bound;
 * SOKOBAN_HOPELESS where not every box can have a goal of its own. */
unsigned sokoban_match(const struct sokoban *sokoban, const uint8_t *state);
/* Returns a lower bound, of moves in the move metric, that is at least that. It is not consistent: a push may
 * lower it by more than one. SOKOBAN_HOPELESS where there is no solution. clusters: NULL for the pairs. */
struct sokoban_clusters;
unsigned sokoban_bound(const struct sokoban *sokoban, const struct sokoban_clusters *clusters,
                       const uint8_t *state);

enum { SOKOBAN_HOPELESS = PZ_HOPELESS };

/* ---- sokoban_clusters.c ---- */

enum {
    SOKOBAN_CLUSTER_MOST = 4,   /* boxes of a cluster; from two on */
    SOKOBAN_NUMBERS_WORDS = 4,  /* of a set of squares' numbers, at most */
    SOKOBAN_CLUSTER_DEAD = 0xFF /* an excess: the boxes never come to goals all */
};

struct sokoban_clusters {
    const struct sokoban *sokoban;
    struct budget budget;
    uint32_t choose[SOKOBAN_CLUSTER_MOST + 1][SOKOBAN_SQUARES_MAX + 1]; /* sets of so many of so many */
    /* Of a cluster of so many boxes, by its number: the sum of choose[i][number of box i's square], boxes
     * from 1 on by ascending squares. NULL: no table. */
    uint16_t *kind[SOKOBAN_CLUSTER_MOST + 1];
    /* Of so many boxes, from one on, by their number: the set of squares' numbers below theirs that make a
     * cluster with a kind, or a part of one. NULL: there is no table of one box more. */
    uint64_t *more[SOKOBAN_CLUSTER_MOST + 1];
    unsigned words; /* of such a set */
    struct state_table
        rows; /* of a kind: the excess by the player's square, 0 where its parts have as much */
};

/* Returns the tables of pairs, which the first call makes; NULL without memory, and if this thread's work is
 * no longer wanted (space/guard.h). Any thread. */
const struct sokoban_clusters *sokoban_pairs(const struct sokoban *sokoban);
/* Returns true for a level of Sokoban with more than two boxes, in either metric. */
bool sokoban_clusters_help(const struct pz_space *space);
/* Makes the tables of a level: of two boxes, and of three and four where there are not too many sets of so
 * many squares and the budget has room. It takes seconds, or a minute. Returns NULL as above. The space
 * outlives them. */
struct sokoban_clusters *sokoban_clusters_new(const struct pz_space *space, struct budget *budget);
void sokoban_clusters_free(struct sokoban_clusters *clusters); /* NULL is fine */

/* ---- sokoban_excess.c ---- */

#define SOKOBAN_BOX(i) (UINT64_C(1) << (i))

/* Fills more, which is zeros, from the kinds. Returns false if this thread's work is no longer wanted. */
bool sokoban_clusters_link(const struct sokoban_clusters *clusters);
/* Returns the pushes that clusters of boxes, NULL for the pairs, need beyond the matching, which is not
 * hopeless; SOKOBAN_HOPELESS if some can never come to goals all. */
unsigned sokoban_excess(const struct sokoban *sokoban, const struct sokoban_clusters *clusters,
                        const uint8_t *state);
/* A solve_bound's of, with clusters as its context. Any thread. */
unsigned sokoban_clusters_bound(const void *context, const void *state);

/* Moves box i of a state to a square and keeps the boxes in order. */
static inline void sokoban_put_box(uint8_t *state, unsigned boxes, unsigned i, unsigned square)
{
    for (; i < boxes && state[i + 1] < square; i++)
        state[i] = state[i + 1];
    for (; i > 1 && state[i - 1] > square; i--)
        state[i] = state[i - 1];
    state[i] = (uint8_t)square;
}

#endif
