/* SPDX-License-Identifier: MIT */
#include "space/text/psvn/psvn_tree.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A leaf of so few moves is not divided, nor one where a question would spare fewer. */
enum { LEAF_MOVES = 8, SPARED = 6, DEPTH_MAX = 8, NODES_MAX = 65536, CHILDREN_MAX = 256 };

/* A node that is still to be made. */
struct task_node {
    uint32_t node, depth;
    uint32_t *moves;
    uint32_t count;
    uint64_t asked[PSVN_PLACES_MAX / 64]; /* places */
};

struct planter {
    const struct psvn_model *model;
    const struct psvn_layout *layout;
    const struct psvn_move *all;
    struct psvn_tree *tree;
    struct task_node *stack; /* a node and its siblings on each depth */
    uint32_t waiting;
    uint64_t entries, entries_most; /* in leaves and waiting nodes */
    uint32_t leaf_room;
};

static psvn_cell test_of(const struct planter *planter, uint32_t move, uint32_t place)
{
    const psvn_cell cell = planter->model->rules[planter->all[move].rule].left[place];
    return cell >= 0 && cell < PSVN_NAME ? cell : PSVN_OPEN;
}

/* Returns how many entries all children have if the place is asked for. */
static uint64_t entries_by(const struct planter *planter, const struct task_node *task, uint32_t place)
{
    const uint32_t size = psvn_domain_of(planter->model, place)->size;
    uint64_t tested = 0;
    for (uint32_t i = 0; i < task->count; i++)
        tested += test_of(planter, task->moves[i], place) != PSVN_OPEN;
    return tested + (task->count - tested) * size;
}

/* Returns the place whose value leaves the fewest moves on average; places if it does not pay. */
static uint32_t choose_place(const struct planter *planter, const struct task_node *task)
{
    const uint32_t places = planter->model->places;
    uint32_t best = places;
    double best_mean = (double)task->count - SPARED;
    for (uint32_t i = 0; i < places; i++) {
        const uint32_t size = psvn_domain_of(planter->model, i)->size;
        if ((task->asked[i / 64] >> i % 64 & 1) != 0 || size > CHILDREN_MAX ||
            planter->tree->node_count + size > NODES_MAX)
            continue;
        const uint64_t entries = entries_by(planter, task, i);
        if ((double)entries / size < best_mean && planter->entries + entries <= planter->entries_most) {
            best = i;
            best_mean = (double)entries / size;
        }
    }
    return best;
}

static bool make_leaf(struct planter *planter, const struct task_node *task)
{
    struct psvn_tree *tree = planter->tree;
    const uint32_t first = tree->entry_count;
    assert(first + task->count <= planter->entries_most);
    if (tree->leaf_count == planter->leaf_room) {
        const uint32_t room = 2 * planter->leaf_room + 64;
        struct psvn_leaf *leaves = realloc(tree->leaves, room * sizeof *leaves);
        if (leaves == NULL)
            return false;
        tree->leaves = leaves;
        planter->leaf_room = room;
    }
    memcpy(tree->moves + first, task->moves, task->count * sizeof *tree->moves);
    tree->entry_count += task->count;
    tree->nodes[task->node] = (struct psvn_node){.first = tree->leaf_count};
    tree->leaves[tree->leaf_count++] = (struct psvn_leaf){.first = first, .count = task->count};
    tree->most = task->count > tree->most ? task->count : tree->most;
    return true;
}

/* Pushes the child for a value of the place. */
static bool push_child(struct planter *planter, const struct task_node *task, uint32_t place, uint32_t value)
{
    struct task_node *child = &planter->stack[planter->waiting];
    *child = *task;
    child->node = planter->tree->node_count + value;
    child->depth = task->depth + 1;
    child->asked[place / 64] |= 1ull << place % 64;
    child->count = 0;
    child->moves = malloc((task->count + 1) * sizeof *child->moves);
    if (child->moves == NULL)
        return false;
    planter->waiting++;
    for (uint32_t i = 0; i < task->count; i++) {
        const psvn_cell test = test_of(planter, task->moves[i], place);
        if (test == PSVN_OPEN || test == (psvn_cell)value)
            child->moves[child->count++] = task->moves[i];
    }
    planter->entries += child->count;
    return true;
}

static bool psvn_tree_divide(struct planter *planter, const struct task_node *task, uint32_t place)
{
    struct psvn_tree *tree = planter->tree;
    const struct psvn_field *field = &planter->layout->field[place];
    const uint32_t size = psvn_domain_of(planter->model, place)->size;
    tree->nodes[task->node] = (struct psvn_node){
        .mask = field->mask, .word = field->word, .shift = field->shift, .first = tree->node_count};
    bool fine = true;
    for (uint32_t value = 0; value < size && fine; value++)
        fine = push_child(planter, task, place, value);
    tree->node_count += size;
    return fine;
}

static bool grow_tree(struct planter *planter)
{
    bool fine = true;
    while (planter->waiting > 0 && fine) {
        struct task_node task = planter->stack[--planter->waiting];
        const bool small = task.count <= LEAF_MOVES || task.depth == DEPTH_MAX;
        planter->entries -= task.count;
        const uint32_t place = small ? planter->model->places : choose_place(planter, &task);
        if (place < planter->model->places) {
            fine = psvn_tree_divide(planter, &task, place);
        } else {
            planter->entries += task.count;
            fine = make_leaf(planter, &task);
        }
        free(task.moves);
    }
    while (planter->waiting > 0)
        free(planter->stack[--planter->waiting].moves);
    return fine;
}

/* Lays what the moves of all leaves test side by side. */
static bool lay_out(struct psvn_tree *tree, const struct psvn_layout *layout, const struct psvn_move *moves)
{
    const size_t count = tree->entry_count;
    tree->mask = malloc((count * layout->words + 1) * sizeof *tree->mask);
    tree->value = malloc((count * layout->words + 1) * sizeof *tree->value);
    if (tree->mask == NULL || tree->value == NULL)
        return false;
    for (size_t word = 0; word < layout->words; word++) {
        for (size_t i = 0; i < count; i++) {
            tree->mask[word * count + i] = moves[tree->moves[i]].left.mask[word];
            tree->value[word * count + i] = moves[tree->moves[i]].left.value[word];
        }
    }
    return true;
}

/* Pushes the root, which has all moves. */
static bool seed(struct planter *planter, uint32_t move_count)
{
    struct task_node *root = &planter->stack[0];
    root->moves = malloc(move_count * sizeof *root->moves);
    if (root->moves == NULL)
        return false;
    for (uint32_t i = 0; i < move_count; i++)
        root->moves[i] = i;
    root->count = move_count;
    planter->entries = move_count;
    planter->waiting = 1;
    planter->tree->node_count = 1;
    return true;
}

/* Returns the memory with the given size; as it was if that cannot be done. */
static void *shrunk(void *memory, size_t size)
{
    void *less = realloc(memory, size);
    if (less == NULL)
        return memory;
    return less;
}

static void give_back_room(struct psvn_tree *tree)
{
    tree->nodes = shrunk(tree->nodes, tree->node_count * sizeof *tree->nodes);
    tree->moves = shrunk(tree->moves, (tree->entry_count + 1) * sizeof *tree->moves);
}

enum pz_status psvn_tree_make(const struct psvn_model *model, const struct psvn_layout *layout,
                              const struct psvn_move *moves, uint32_t move_count, struct psvn_tree *out,
                              struct pz_error *error)
{
    struct planter planter = {.model = model,
                              .layout = layout,
                              .all = moves,
                              .tree = out,
                              .entries_most = 4 * (uint64_t)move_count + 65536};
    *out = (struct psvn_tree){.nodes = malloc(NODES_MAX * sizeof *out->nodes),
                              .moves = malloc(planter.entries_most * sizeof *out->moves)};
    planter.stack = calloc(DEPTH_MAX * CHILDREN_MAX + 1, sizeof *planter.stack);
    const bool fine = out->nodes != NULL && out->moves != NULL && planter.stack != NULL &&
                      seed(&planter, move_count) && grow_tree(&planter) && lay_out(out, layout, moves);
    free(planter.stack);
    if (fine) {
        give_back_room(out);
        return PZ_OK;
    }
    psvn_tree_clear(out);
    return pz_fail(error, PZ_MEMORY, "no memory for the rules");
}

void psvn_tree_clear(struct psvn_tree *tree)
{
    free(tree->nodes);
    free(tree->leaves);
    free(tree->moves);
    free(tree->mask);
    free(tree->value);
    *tree = (struct psvn_tree){0};
}
