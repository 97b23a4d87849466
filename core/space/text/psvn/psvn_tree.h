/* SPDX-License-Identifier: MIT */
/* The moves of a kernel, and the tree that leads to them: shared by the files of the kernel only. */
#ifndef TEXT_PSVN_TREE_H
#define TEXT_PSVN_TREE_H

#include "puzzled/space.h"
#include "space/text/psvn/psvn_space.h"

enum { PSVN_MOVES_MAX = 65536 };

/* Places that are compared or copied together: those of one word whose partners are equally far away. */
struct psvn_shift {
    uint64_t mask;          /* of the places in the word that they are read from */
    uint8_t from, to, turn; /* words; bits to rotate to the left */
};

/* The fields that each expansion reads stand first. */
struct psvn_move {
    uint32_t copy, copy_end; /* in the kernel's list */
    uint32_t rule;
    uint32_t undone_by; /* a move; PSVN_NO_MOVE */
    bool compares;      /* places with each other */
    uint64_t keep[PSVN_STATE_WORDS], set[PSVN_STATE_WORDS];
    struct psvn_pattern left;
};
#define PSVN_NO_MOVE UINT32_MAX

/* A list that grows. */
struct psvn_shifts {
    struct psvn_shift *item;
    uint32_t count, room;
};

/* A node asks for a field of the state, and its child is `first` plus its value; a leaf has mask 0 and the
 * moves of the leaf number `first`. */
struct psvn_node {
    uint64_t mask;
    uint8_t word, shift;
    uint32_t first;
};

/* The moves of a leaf in the order of the text; what they test lies side by side. */
struct psvn_leaf {
    uint32_t first, count;
};

struct psvn_tree {
    struct psvn_node *nodes;
    struct psvn_leaf *leaves;
    uint32_t *moves;        /* of all leaves */
    uint64_t *mask, *value; /* words arrays of entry_count each */
    uint32_t node_count, leaf_count, entry_count;
    uint32_t most; /* moves of one leaf */
};

/* rules: of the model, which say what a move tests. */
enum pz_status psvn_tree_make(const struct psvn_model *model, const struct psvn_layout *layout,
                              const struct psvn_move *moves, uint32_t move_count, struct psvn_tree *out,
                              struct pz_error *error);
void psvn_tree_clear(struct psvn_tree *tree);

struct psvn_kernel {
    unsigned words;
    struct psvn_move *moves;
    uint32_t move_count;
    struct psvn_shifts same, copy;
    struct psvn_pattern *goals;
    uint32_t goal_count;
    bool has_tokens; /* a token is the number of a move */
    struct psvn_tree tree;
};

#endif
