/* SPDX-License-Identifier: MIT */
#include "solve/idastar/branches.h"

/* The mean of fewer nodes than this tells little. */
static const double expanded_least = 100;

/* A branch and its root on the list. */
struct ranked_branch {
    struct subtree *root;
    double nearness; /* of a node on average, in the iteration before */
    uint32_t number; /* in the order of the walk */
};

uint64_t branches_bytes(unsigned cells)
{
    enum { SUBTREE_BYTES = 48 }; /* as malloc has them */
    return (uint64_t)branches_most(cells) *
           (2 * sizeof(struct branch) + sizeof(struct ranked_branch) + SUBTREE_BYTES);
}

static int by_path(const void *a, const void *b)
{
    const struct branch *left = a;
    const struct branch *right = b;
    return (left->path > right->path) - (left->path < right->path);
}

/* The nearest one first; among equals, the walk's order. */
static int by_branch_nearness(const void *a, const void *b)
{
    const struct ranked_branch *left = a;
    const struct ranked_branch *right = b;
    if (left->nearness != right->nearness)
        return left->nearness > right->nearness ? -1 : 1;
    return (left->number > right->number) - (left->number < right->number);
}

static uint64_t path_of(const uint8_t *move)
{
    uint64_t path = 0;
    for (unsigned i = 0; i < BRANCH_DEPTH; i++)
        path = path << 2 | move[i];
    return path;
}

struct branch *branches_find(const struct branches *branches, const uint8_t *move, unsigned depth)
{
    if (depth < BRANCH_DEPTH || branches->count == 0)
        return NULL;
    const struct branch key = {.path = path_of(move)};
    return bsearch(&key, branches->branch, branches->count, sizeof key, by_path);
}

static double nearness_of(const struct branches *branches, const struct subtree *root)
{
    const struct branch *branch = branches_find(branches, root->move, root->depth);
    return branch == NULL ? 0 : (double)branch->near / ((double)branch->expanded + expanded_least);
}

/* Links the roots in the order of the array. */
static struct subtree *link_roots(const struct ranked_branch *ranked, uint32_t count)
{
    struct subtree *list = NULL;
    for (uint32_t i = count; i-- > 0;) {
        ranked[i].root->next = list;
        list = ranked[i].root;
    }
    return list;
}

bool branches_begin(struct branches *branches, struct subtree **list)
{
    uint32_t count = 0;
    for (const struct subtree *root = *list; root != NULL; root = root->next)
        count++;
    struct ranked_branch *ranked = calloc(count + 1, sizeof *ranked);
    struct branch *fresh = calloc(count + 1, sizeof *fresh);
    if (ranked == NULL || fresh == NULL) {
        free(ranked);
        free(fresh);
        return false;
    }
    uint32_t number = 0;
    for (struct subtree *root = *list; root != NULL; root = root->next, number++) {
        assert(root->depth >= BRANCH_DEPTH);
        ranked[number] = (struct ranked_branch){root, nearness_of(branches, root), number};
        fresh[number].path = path_of(root->move);
    }
    qsort(ranked, count, sizeof *ranked, by_branch_nearness);
    qsort(fresh, count, sizeof *fresh, by_path);
    *list = link_roots(ranked, count);
    free(ranked);
    branches_free(branches);
    *branches = (struct branches){fresh, count};
    return true;
}

void branches_free(struct branches *branches)
{
    free(branches->branch);
    *branches = (struct branches){0};
}
