/* SPDX-License-Identifier: MIT */
#include "solve/idastar/branches.h"

#include "solve/idastar/subtree.h"

#include <assert.h>
#include <stdlib.h>

/* Shares of fewer nodes than this tell little. */
static const double expanded_least = 100;

uint64_t branches_bytes(unsigned cells)
{
    enum { SMALL_CELLS = 16, SMALL_BYTES = 1 << 18, LARGE_BYTES = 1 << 20 };
    return cells <= SMALL_CELLS ? SMALL_BYTES : LARGE_BYTES;
}

/* Counts the paths that go on from the cell in `depth` moves; writes them down where there is room. */
static void divide(struct branches *branches, const struct grid *grid, unsigned cell, unsigned depth,
                   uint32_t path)
{
    if (depth == 0) {
        if (branches->branch != NULL)
            branches->branch[branches->count] = (struct branch){.path = path};
        branches->count++;
        return;
    }
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        const bool back = depth < BRANCH_DEPTH && d == ((path & 3u) ^ 1u);
        if (grid->neighbour[cell][d] != GRID_NO_CELL && !back)
            divide(branches, grid, grid->neighbour[cell][d], depth - 1, path << 2 | d);
    }
}

bool branches_make(struct branches *branches, const struct grid *grid, unsigned blank)
{
    assert(branches->count == 0 && blank < grid->cells);
    divide(branches, grid, blank, BRANCH_DEPTH, 0);
    branches->branch = calloc(branches->count, sizeof *branches->branch);
    branches->count = 0;
    if (branches->branch == NULL)
        return false;
    divide(branches, grid, blank, BRANCH_DEPTH, 0);
    return true;
}

void branches_free(struct branches *branches)
{
    free(branches->branch);
    *branches = (struct branches){0};
}

static int by_path(const void *a, const void *b)
{
    const struct branch *left = a;
    const struct branch *right = b;
    return (left->path > right->path) - (left->path < right->path);
}

struct branch *branches_find(const struct branches *branches, const uint8_t *move, unsigned depth)
{
    struct branch key = {0};
    if (depth < BRANCH_DEPTH || branches->count == 0)
        return NULL;
    for (unsigned i = 0; i < BRANCH_DEPTH; i++)
        key.path = key.path << 2 | move[i];
    return bsearch(&key, branches->branch, branches->count, sizeof key, by_path);
}

/* A branch in the order of the list. */
struct ranked_branch {
    double share; /* of its nodes that came near */
    uint32_t number;
};

/* The worst one first, since a list is made from its end. */
static int by_share(const void *a, const void *b)
{
    const struct ranked_branch *left = a;
    const struct ranked_branch *right = b;
    if (left->share != right->share)
        return left->share < right->share ? -1 : 1;
    return (left->number < right->number) - (left->number > right->number);
}

static struct subtree *name_branch(const struct branch *branch)
{
    uint8_t move[BRANCH_DEPTH];
    for (unsigned i = 0; i < BRANCH_DEPTH; i++)
        move[i] = branch->path >> 2 * (BRANCH_DEPTH - 1 - i) & 3u;
    return subtree_new(move, BRANCH_DEPTH);
}

struct subtree *branches_list(struct branches *branches)
{
    struct subtree *list = NULL;
    struct ranked_branch *order = calloc(branches->count, sizeof *order);
    if (order == NULL)
        return NULL;
    for (uint32_t i = 0; i < branches->count; i++) {
        struct branch *branch = &branches->branch[i];
        order[i] = (struct ranked_branch){
            .share = (double)branch->near / ((double)branch->expanded + expanded_least), .number = i};
        branch->expanded = branch->near = 0;
    }
    qsort(order, branches->count, sizeof *order, by_share);
    for (uint32_t i = 0; i < branches->count; i++) {
        struct subtree *subtree = name_branch(&branches->branch[order[i].number]);
        if (subtree == NULL) {
            subtree_free_all(list);
            list = NULL;
            break;
        }
        subtree->next = list;
        list = subtree;
    }
    free(order);
    return list;
}
