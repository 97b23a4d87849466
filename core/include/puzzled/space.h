/* SPDX-License-Identifier: MIT */
/*
 * The state-space interface: what a puzzle offers so that puzzled can explore it.
 *
 * A *puzzle* (struct pz_puzzle) is a family of rules with a name, such as "slide"; it is a constant
 * table of functions. A *space* (struct pz_space) is one instance of it, such as slide:3x4 with one
 * goal, made by open() and immutable from then on: every function that takes a const space may be
 * called from any number of threads at once.
 *
 * A *state* is a value of state_bytes bytes (8, 16 or 32), compared bytewise: two equal positions must
 * have equal bytes, so a puzzle with interchangeable pieces packs them in a canonical order. States
 * that the engine hands out are aligned to 8 bytes.
 *
 * All moves cost one. A puzzle that counts otherwise (Klotski's move metric) makes one successor of
 * whatever one move may do.
 *
 * This header is installed, and is all that a plugin needs; see examples/ for a complete one.
 */
#ifndef PUZZLED_SPACE_H
#define PUZZLED_SPACE_H

#include "puzzled/status.h"

#include <stddef.h>
#include <stdint.h>

/* Raised whenever anything below changes in layout or meaning. Plugins of the versions from the oldest on are
 * taken; the members that came later are not looked at in theirs. */
#define PZ_SPACE_ABI        2u
#define PZ_SPACE_ABI_OLDEST 1u

enum {
    PZ_STATE_MAX = 32,       /* bytes */
    PZ_SIZE_MAX = 1024,      /* bytes of a size text, with its NUL */
    PZ_TEXT_MAX = 4096,      /* bytes of a printed or drawn state or move, with its NUL */
    PZ_SUCCESSORS_MAX = 4096 /* of one state */
};

/* No token: the state is a root, or the space does not use tokens. */
#define PZ_NO_TOKEN 0xFFu

enum pz_space_flags {
    PZ_REVERSIBLE = 1u << 0,  /* every move can be undone by one move: distances are symmetric */
    PZ_UNIQUE_GOAL = 1u << 1, /* goal() gives the one goal state; needed to search from both sides */
    PZ_BIPARTITE = 1u << 2,   /* every move changes the parity of the distance to any fixed state */
    /* Tokens are sets of bits, seven at most: expanding a state with the bits of all tokens that it was
     * generated with by the states of the level before leaves out every successor that lies in that level or
     * in its own. */
    PZ_JOINED_TOKENS = 1u << 4,
    PZ_NO_GOAL = 1u << 3,    /* none was given and the puzzle has no default: only exploring makes sense */
    PZ_OWN_START = 1u << 5,  /* root() is where a question without start= begins, also where it is a goal */
    PZ_WEAK_BOUND = 1u << 6, /* heuristic() saves less than a search from both sides does */
    /* heuristic() is so near the distance that IDA* needs no memory of what it saw. Every state has a
     * solution, or solvable() says so. */
    PZ_STRONG_BOUND = 1u << 7
};

enum pz_answer { PZ_NO = 0, PZ_YES = 1, PZ_UNKNOWN = 2 };

/* One key=value of the request that the puzzle itself may know (goal=, metric=, border=, …). */
struct pz_key {
    const char *key; /* lower case */
    const char *value;
};

/* Everything that a space is made from. The texts live only during open(). */
struct pz_setup {
    const char *size;  /* what follows the colon in slide:3x4; "" when there is none */
    const char *start; /* text of the position the question begins with, or NULL */
    const char *goal;  /* text of goal=, or NULL for the puzzle's default goal */
    const struct pz_key *keys;
    size_t key_count;
};

struct pz_puzzle;

/* The visible head of every space; a puzzle embeds it as the first member of its own struct. */
struct pz_space {
    const struct pz_puzzle *puzzle;
    uint32_t state_bytes;    /* 8, 16 or 32 */
    uint32_t max_successors; /* at most PZ_SUCCESSORS_MAX */
    uint32_t flags;          /* enum pz_space_flags */
    char size[PZ_SIZE_MAX];  /* canonical text after the colon: with the puzzle's name and the
                              * options it names the state space, and is stored */
};

/* A question in its canonical orientation; made by canon(), opaque to callers. */
struct pz_canon {
    char size[PZ_SIZE_MAX];          /* of the canonical space, which open() accepts */
    uint64_t root[PZ_STATE_MAX / 8]; /* the root as a state of that space */
    uint8_t map[256];                /* how states are mapped: the puzzle's own */
};

/* The answer of a puzzle that solves itself (link-up). */
struct pz_solution {
    enum pz_answer solvable;
    int64_t moves;          /* the quantity that is minimised first; -1 without a solution */
    char detail[2048];      /* further key=value fields for the reply, "" for none */
    char path[PZ_TEXT_MAX]; /* text of the path, "" for none */
};

struct pz_puzzle {
    uint32_t abi;            /* PZ_SPACE_ABI */
    const char *name;        /* "slide": lower case letters and digits */
    const char *summary;     /* one line for help texts */
    const char *example;     /* a complete puzzle text, "slide:3x4" */
    const char *const *keys; /* the request keys it knows beside start, root and goal; NULL-ended */

    /* Makes a space. On success *out is owned by the caller, who calls close(). */
    enum pz_status (*open)(const struct pz_setup *setup, struct pz_space **out, struct pz_error *error);
    void (*close)(struct pz_space *space); /* NULL is fine */

    /* Reads a position in any of the puzzle's text forms. */
    enum pz_status (*parse)(const struct pz_space *space, const char *text, void *state,
                            struct pz_error *error);
    /* Writes the canonical one-line text (no spaces) of a state; returns its length. */
    size_t (*print)(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX]);
    /* Draws a state for a terminal, in lines that end with LF. NULL: print() is used. */
    size_t (*draw)(const struct pz_space *space, const void *state, char out[PZ_TEXT_MAX]);
    /* Writes the word for the move that leads from one state to its successor ("U", "pour:1>2"),
     * without spaces and commas; returns its length. */
    size_t (*describe)(const struct pz_space *space, const void *from, const void *to, char out[PZ_TEXT_MAX]);
    /* Stands between the words of a path: "" for single letters, "," otherwise. NULL: "". */
    const char *separator;

    /* The state an exploration begins with when root= is not given: the goal where it is unique, the
     * start where there is one. */
    enum pz_status (*root)(const struct pz_space *space, void *state, struct pz_error *error);
    /* The one goal state (PZ_UNIQUE_GOAL). */
    void (*goal)(const struct pz_space *space, void *state);
    bool (*is_goal)(const struct pz_space *space, const void *state);

    /* Writes the successors of a state, max_successors at most, and one token for each. came_by is the
     * token with which the state was generated, or PZ_NO_TOKEN; a reversible space leaves the successor
     * that undoes that move out. Returns their number. The hot path of every search. */
    unsigned (*expand)(const struct pz_space *space, const void *state, uint8_t came_by, void *successors,
                       uint8_t *tokens);

    /* Optional: tells without a search if the goal can be reached from a state. */
    enum pz_answer (*solvable)(const struct pz_space *space, const void *start);
    /* Optional: a consistent lower bound of the moves from a state to the goal, 0 at a goal. */
    unsigned (*heuristic)(const struct pz_space *space, const void *state);

    /* Optional: the canonical form of "explore from this root", and the mapping of states between
     * this space and the canonical one. Questions with equal (size, root) are the same question. */
    enum pz_status (*canon)(const struct pz_space *space, const void *root, struct pz_canon *out,
                            struct pz_error *error);
    void (*canon_in)(const struct pz_space *space, const struct pz_canon *canon, const void *state,
                     void *canonical);
    void (*canon_out)(const struct pz_space *space, const struct pz_canon *canon, const void *canonical,
                      void *state);

    /* Optional: a puzzle that is no unit-cost graph search solves itself. *stop becomes true when
     * the job is cancelled. */
    enum pz_status (*solve)(const struct pz_space *space, const void *start, const _Atomic bool *stop,
                            struct pz_solution *out, struct pz_error *error);

    /* ---- since version 2, all optional ---- */

    /* A numbering of all states from 0 to count − 1, without gaps: then an exploration of the whole needs two
     * bits a state. It may number states that cannot be reached. The three come together; count returns 0 for
     * a space that has no numbering after all. */
    uint64_t (*count)(const struct pz_space *space);
    uint64_t (*rank)(const struct pz_space *space, const void *state);
    void (*unrank)(const struct pz_space *space, uint64_t number, void *state);
    /* With those, where every state has the same max_successors moves: writes the number that move number
     * move makes of each of some numbers, which ascend. Saves the way through the states. */
    void (*step)(const struct pz_space *space, unsigned move, const uint64_t *numbers, unsigned count,
                 uint64_t *out);
};

/* The one symbol a plugin exports. */
#define PZ_PLUGIN_SYMBOL "pz_plugin"
typedef const struct pz_puzzle *pz_plugin_function(void);

#endif
