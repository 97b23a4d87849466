/* SPDX-License-Identifier: MIT */
/* The hot path: from a state to its successors. */
#include "space/text/psvn/psvn_kernel.h"

#include "space/text/psvn/psvn_moves.h"

#include <stdlib.h>

/* Word counts are constants where these are called, so that the loops over words vanish. */
#define PSVN_INLINE __attribute__((always_inline)) static inline

static uint64_t turned(uint64_t word, unsigned turn)
{
    return word << turn | word >> (-turn & 63);
}

static bool all_same(const struct psvn_kernel *kernel, const struct psvn_pattern *pattern,
                     const uint64_t *state)
{
    uint64_t differ = 0;
    for (uint32_t i = pattern->same; i < pattern->same_end; i++) {
        const struct psvn_shift *same = &kernel->same.item[i];
        differ |= turned(state[same->from] & same->mask, same->turn) ^
                  (state[same->to] & turned(same->mask, same->turn));
    }
    return differ == 0;
}

static const struct psvn_leaf *find_leaf(const struct psvn_tree *tree, const uint64_t *state)
{
    const struct psvn_node *node = tree->nodes;
    while (node->mask != 0)
        node = &tree->nodes[node->first + (state[node->word] >> node->shift & node->mask)];
    return &tree->leaves[node->first];
}

/* Writes the moves of a leaf whose values match; returns their number. Writes without asking, as no processor
 * foretells which moves match. */
PSVN_INLINE unsigned find_hits(const struct psvn_tree *tree, const struct psvn_leaf *leaf,
                               const uint64_t *state, uint32_t *hits, unsigned words)
{
    const uint64_t *mask = tree->mask + leaf->first;
    const uint64_t *value = tree->value + leaf->first;
    const uint32_t *moves = tree->moves + leaf->first;
    unsigned count = 0;
    for (uint32_t i = 0; i < leaf->count; i++) {
        uint64_t differ = (state[0] & mask[i]) ^ value[i];
        for (unsigned word = 1; word < words; word++)
            differ |=
                (state[word] & mask[word * tree->entry_count + i]) ^ value[word * tree->entry_count + i];
        hits[count] = moves[i];
        count += differ == 0;
    }
    return count;
}

/* Writes the successor by a move; returns false where it is the state itself. */
PSVN_INLINE bool make_move(const struct psvn_kernel *kernel, const struct psvn_move *move,
                           const uint64_t *state, uint64_t *out, unsigned words)
{
    uint64_t made[PSVN_STATE_WORDS], changed = 0;
    for (unsigned word = 0; word < words; word++)
        made[word] = (state[word] & move->keep[word]) | move->set[word];
    for (uint32_t i = move->copy; i < move->copy_end; i++) {
        const struct psvn_shift *copy = &kernel->copy.item[i];
        made[words == 1 ? 0 : copy->to] |=
            turned(state[words == 1 ? 0 : copy->from] & copy->mask, copy->turn);
    }
    for (unsigned word = 0; word < words; word++) {
        changed |= made[word] ^ state[word];
        out[word] = made[word];
    }
    return changed != 0;
}

PSVN_INLINE unsigned expand_vector(const struct psvn_kernel *kernel, const uint64_t *state, uint8_t came_by,
                                   uint64_t *out, uint8_t *tokens, uint32_t *rules, unsigned words)
{
    uint32_t hits[PZ_SUCCESSORS_MAX + 1];
    const unsigned found = find_hits(&kernel->tree, find_leaf(&kernel->tree, state), state, hits, words);
    const uint32_t back = came_by != PZ_NO_TOKEN ? kernel->moves[came_by].undone_by : PSVN_NO_MOVE;
    unsigned count = 0;
    for (unsigned i = 0; i < found; i++) {
        const struct psvn_move *move = &kernel->moves[hits[i]];
        if (hits[i] == back || (move->compares && !all_same(kernel, &move->left, state)) ||
            !make_move(kernel, move, state, out + (size_t)count * words, words))
            continue;
        tokens[count] = kernel->has_tokens ? (uint8_t)hits[i] : PZ_NO_TOKEN;
        if (rules != NULL)
            rules[count] = move->rule;
        count++;
    }
    return count;
}

unsigned psvn_kernel_expand(const struct psvn_kernel *kernel, const uint64_t *state, uint8_t came_by,
                            uint64_t *successors, uint8_t *tokens, uint32_t *rules)
{
    if (kernel->words == 1)
        return expand_vector(kernel, state, came_by, successors, tokens, rules, 1);
    if (kernel->words == 2)
        return expand_vector(kernel, state, came_by, successors, tokens, rules, 2);
    if (kernel->words == 4)
        return expand_vector(kernel, state, came_by, successors, tokens, rules, 4);
    return expand_vector(kernel, state, came_by, successors, tokens, rules, 8);
}

bool psvn_kernel_is_goal(const struct psvn_kernel *kernel, const uint64_t *state)
{
    for (uint32_t i = 0; i < kernel->goal_count; i++) {
        const struct psvn_pattern *goal = &kernel->goals[i];
        uint64_t differ = 0;
        for (unsigned word = 0; word < kernel->words; word++)
            differ |= (state[word] & goal->mask[word]) ^ goal->value[word];
        if (differ == 0 && all_same(kernel, goal, state))
            return true;
    }
    return false;
}

enum pz_status psvn_kernel_new(const struct psvn_model *model, const struct psvn_layout *layout,
                               const uint32_t *undo, struct psvn_kernel **out, struct pz_error *error)
{
    struct psvn_kernel *kernel = calloc(1, sizeof *kernel);
    if (kernel == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for the rules");
    enum pz_status status = psvn_moves_make(kernel, model, layout, undo, error);
    *out = status == PZ_OK ? kernel : NULL;
    if (status != PZ_OK)
        psvn_kernel_free(kernel);
    return status;
}

void psvn_kernel_free(struct psvn_kernel *kernel)
{
    if (kernel == NULL)
        return;
    psvn_moves_clear(kernel);
    free(kernel);
}

size_t psvn_kernel_bytes(const struct psvn_kernel *kernel)
{
    const struct psvn_tree *tree = &kernel->tree;
    const size_t entry = sizeof *tree->moves + kernel->words * (sizeof *tree->mask + sizeof *tree->value);
    return kernel->move_count * sizeof *kernel->moves + tree->entry_count * entry +
           tree->node_count * sizeof *tree->nodes + tree->leaf_count * sizeof *tree->leaves +
           (kernel->same.room + kernel->copy.room) * sizeof *kernel->copy.item;
}

uint32_t psvn_kernel_most(const struct psvn_kernel *kernel)
{
    return kernel->tree.most;
}
