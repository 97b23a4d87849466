/* SPDX-License-Identifier: MIT */
#include "solve/idastar/deepening.h"

#include "board/board.h"
#include "solve/idastar/walk/idastar_kernel.h"

#include <assert.h>
#include <string.h>

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

const struct move_order move_order_usual = {{0, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0}};

static void fill_move_order(struct move_order *order, const uint8_t sequence[DIRECTION_COUNT])
{
    order->first[0] = 0;
    for (unsigned set = 1; set < 1u << DIRECTION_COUNT; set++)
        for (unsigned i = DIRECTION_COUNT; i-- > 0;)
            if ((set >> sequence[i] & 1) != 0)
                order->first[set] = sequence[i];
}

enum pz_status move_order_parse(const char *text, struct move_order *order, struct pz_error *error)
{
    uint8_t sequence[DIRECTION_COUNT];
    unsigned given = 0;
    for (unsigned i = 0; i < DIRECTION_COUNT && text[i] != '\0'; i++)
        for (unsigned d = 0; d < DIRECTION_COUNT; d++)
            if (text[i] == direction_letter((enum direction)d)) {
                given |= 1u << d;
                sequence[i] = (uint8_t)d;
            }
    if (given != (1u << DIRECTION_COUNT) - 1 || strlen(text) != DIRECTION_COUNT)
        return pz_fail(error, PZ_BAD_REQUEST,
                       "order=%.40s does not have each of U, D, L and R, the blank's moves, once", text);
    if (order != NULL)
        fill_move_order(order, sequence);
    return PZ_OK;
}

/* Returns the direction on the view's grid in which the blank goes there when it goes that way here. */
static uint8_t direction_there(const struct grid *grid, const struct grid *there,
                               const struct board_view *view, unsigned d)
{
    for (unsigned cell = 0; cell < grid->cells; cell++)
        for (unsigned e = 0; e < DIRECTION_COUNT && grid->neighbour[cell][d] != GRID_NO_CELL; e++)
            if (there->neighbour[view->cell_to[cell]][e] == view->cell_to[grid->neighbour[cell][d]])
                return (uint8_t)e;
    return DIRECTION_COUNT; /* a single row has no way up */
}

void move_order_view(const struct grid *grid, const struct board_view *view, struct move_order *order)
{
    struct grid there;
    uint8_t sequence[DIRECTION_COUNT];
    unsigned set = (1u << DIRECTION_COUNT) - 1, used = 0;
    const enum pz_status status = grid_init(&there, view->rows, view->columns, NULL);
    assert(status == PZ_OK);
    (void)status;
    for (unsigned i = 0; i < DIRECTION_COUNT; i++) {
        sequence[i] = direction_there(grid, &there, view, order->first[set]);
        used |= sequence[i] < DIRECTION_COUNT ? 1u << sequence[i] : 0;
        set &= ~(1u << order->first[set]);
    }
    for (unsigned i = 0; i < DIRECTION_COUNT; i++) { /* those that no cell has, in any order */
        if (sequence[i] < DIRECTION_COUNT)
            continue;
        sequence[i] = move_order_usual.first[~used & ((1u << DIRECTION_COUNT) - 1)];
        used |= 1u << sequence[i];
    }
    fill_move_order(order, sequence);
}

/* Returns how many moves of a set come after that one. */
static unsigned moves_after(const struct move_order *order, unsigned set, unsigned move)
{
    while (order->first[set] != move)
        set &= ~(1u << order->first[set]);
    return (unsigned)__builtin_popcount(set) - 1;
}

uint64_t move_order_later(const struct move_order *order, const struct grid *grid, const struct board *start,
                          const uint8_t *move, unsigned moves)
{
    assert(start->cells == grid->cells && (move != NULL || moves == 0));
    struct board board = *start;
    uint64_t later = 0;
    for (unsigned i = 0; i < moves; i++) {
        unsigned open = 0;
        for (unsigned d = 0; d < DIRECTION_COUNT; d++)
            if (grid->neighbour[board_blank(&board)][d] != GRID_NO_CELL)
                open |= 1u << d;
        later += moves_after(order, walk_ways(open, i, move), move[i]);
        (void)board_move(grid, &board, (enum direction)move[i]);
    }
    return later;
}
