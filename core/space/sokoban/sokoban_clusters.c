/* SPDX-License-Identifier: MIT */
/*
 * The pushes that a few boxes, alone on the floor, need beyond what each would need alone. A push counts what
 * it falls short of bringing its box a push nearer to a goal, of the goal for which that is least. So goals
 * need not be told apart, and one search back from all sets of goals, by these costs (Dijkstra 1959), finds
 * the least of every cluster and region of the player. Whatever goals a solution brings the boxes to, it
 * makes as many pushes beyond the matching; clusters without a common box add up.
 *
 * A table has a *kind* for each cluster: a row of excesses by the player's square, of which there are few.
 * A cluster that needs no more than its parts has none.
 */
#include "space/sokoban/sokoban.h"

#include "base/table/cost_queue.h"
#include "space/guard.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    PAIR = 2,                    /* boxes of the smallest clusters */
    CLUSTERS_MAX = 16000000,     /* of one size: a minute or two */
    PAIRS_BYTES = 1 << 26,       /* the table of pairs takes a tenth of it at the most */
    KINDS_MAX = 1 << 16,         /* those beyond count as nothing */
    SIDES = 4,                   /* of a box, by direction */
    DEAD = SOKOBAN_CLUSTER_DEAD, /* an excess: the boxes never come to goals all */
    ASK = 1 << 10                /* looked at before it asks if the tables are still wanted */
};

/* Of a state, in the search: MOST less its excess, which is the least once it is settled; 0: not seen. So new
 * memory needs no filling, which takes a third of a second for the largest table. */
enum { MOST = 0x7F, SETTLED = 0x80 };

/* Some boxes on the floor: the numbers of their squares, ascending. */
struct cluster {
    unsigned boxes;
    uint8_t number[SOKOBAN_CLUSTER_MOST];
};

/* A state is a cluster and a side of one of its boxes that the player is on: box * SIDES + direction. Those
 * in one region of the player are settled together. */
struct cluster_making {
    struct sokoban_clusters *clusters;
    unsigned boxes;
    uint8_t *below; /* of a state: MOST less its excess */
    struct cost_queue queue;
    uint8_t push[SOKOBAN_SQUARES_MAX][SIDES]; /* costs: of a box, in a direction */
    unsigned asked;
    bool failed; /* no memory, or no longer wanted */
};

/* ---- numbers of clusters ---- */

static size_t cluster_count(const struct sokoban_clusters *clusters, unsigned boxes)
{
    return clusters->choose[boxes][clusters->sokoban->alive];
}

static uint32_t rank_cluster(const struct sokoban_clusters *clusters, const struct cluster *cluster)
{
    uint32_t rank = 0;
    for (unsigned i = 0; i < cluster->boxes; i++)
        rank += clusters->choose[i + 1][cluster->number[i]];
    return rank;
}

static struct cluster unrank_cluster(const struct sokoban_clusters *clusters, uint32_t rank, unsigned boxes)
{
    struct cluster cluster = {.boxes = boxes};
    for (unsigned i = boxes, number = clusters->sokoban->alive; i-- > 0;) {
        do
            number--;
        while (clusters->choose[i + 1][number] > rank);
        rank -= clusters->choose[i + 1][number];
        cluster.number[i] = (uint8_t)number;
    }
    return cluster;
}

/* The first of so many numbers, and the next in the order of ranks. */
static struct cluster first_cluster(unsigned boxes)
{
    struct cluster cluster = {.boxes = boxes};
    for (unsigned i = 0; i < boxes; i++)
        cluster.number[i] = (uint8_t)i;
    return cluster;
}

static bool next_cluster(struct cluster *cluster, unsigned numbers)
{
    uint8_t *number = cluster->number;
    for (unsigned i = 0; i < cluster->boxes; i++) {
        if (number[i] + 1u < (i + 1 < cluster->boxes ? number[i + 1] : numbers)) {
            number[i]++;
            return true;
        }
        number[i] = (uint8_t)i;
    }
    return false;
}

/* ---- the player among a few boxes ---- */

enum { BOX = 0xFF }; /* a mark of a square: else 0 for floor not seen yet, then the region, from 1 on */

static void lay_floor(const struct sokoban *sokoban, const struct cluster *cluster, uint8_t *floor)
{
    memset(floor, 0, sokoban->squares);
    for (unsigned i = 0; i < cluster->boxes; i++)
        floor[sokoban->alive_square[cluster->number[i]]] = BOX;
}

/* Returns the square on that side of a box; SOKOBAN_NO_SQUARE where no player can be. */
static unsigned side_square(const struct sokoban *sokoban, const struct cluster *cluster,
                            const uint8_t *floor, unsigned side)
{
    const unsigned square = sokoban->alive_square[cluster->number[side / SIDES]];
    const unsigned at = sokoban->neighbour[square][side % SIDES];
    return at == SOKOBAN_NO_SQUARE || floor[at] == BOX ? SOKOBAN_NO_SQUARE : at;
}

/* ---- the search back ---- */

static bool making_goes_on(struct cluster_making *making)
{
    if (making->asked++ % ASK == 0)
        making->failed = making->failed || !wanted_still();
    return !making->failed;
}

/* Returns what a push falls short of one push nearer to a goal, the least of all goals; DEAD for none. */
static uint8_t push_cost(const struct sokoban *sokoban, unsigned from, unsigned direction)
{
    const unsigned to = sokoban->neighbour[from][direction];
    const unsigned player = sokoban->neighbour[from][direction ^ 1u];
    unsigned least = DEAD;
    if (to == SOKOBAN_NO_SQUARE || player == SOKOBAN_NO_SQUARE)
        return DEAD;
    const uint16_t *before = sokoban->route[from][sokoban->side[from][player]].to_goal;
    const uint16_t *after = sokoban->route[to][sokoban->side[to][from]].to_goal;
    for (unsigned goal = 0; goal < sokoban->boxes; goal++) {
        if (before[goal] == SOKOBAN_DEAD || after[goal] == SOKOBAN_DEAD)
            continue;
        assert(before[goal] <= after[goal] + 1u);
        const unsigned cost = after[goal] + 1u - before[goal];
        const unsigned noted = cost < DEAD ? cost : DEAD - 1; /* less than it falls short is a bound, too */
        least = noted < least ? noted : least;
    }
    return (uint8_t)least;
}

static void fill_push_costs(struct cluster_making *making)
{
    const struct sokoban *sokoban = making->clusters->sokoban;
    for (unsigned from = 0; from < sokoban->squares; from++)
        for (unsigned direction = 0; direction < SIDES; direction++)
            making->push[from][direction] = push_cost(sokoban, from, direction);
}

static void offer_state(struct cluster_making *making, uint32_t state, unsigned excess)
{
    uint8_t *known = &making->below[state];
    assert(state < cluster_count(making->clusters, making->boxes) * making->boxes * SIDES);
    if (excess >= MOST)
        excess = MOST - 1; /* less than it needs is a bound, too */
    if (*known >= MOST - excess)
        return;
    *known = (uint8_t)(MOST - excess);
    making->failed = making->failed || !cost_queue_push(&making->queue, state, excess);
}

/* Pulls a box to the side that the player is on, who steps back. */
static void pull_box(struct cluster_making *making, const struct cluster *cluster, const uint8_t *floor,
                     unsigned side, unsigned excess)
{
    const struct sokoban *sokoban = making->clusters->sokoban;
    const unsigned direction = side % SIDES;
    const unsigned to = side_square(sokoban, cluster, floor, side);
    const unsigned player = sokoban->neighbour[to][direction], number = sokoban->alive_number[to];
    const unsigned cost = making->push[to][direction ^ 1u];
    if (player == SOKOBAN_NO_SQUARE || floor[player] == BOX || cost == DEAD)
        return;
    assert(number < sokoban->alive);
    struct cluster before = *cluster;
    unsigned box = side / SIDES;
    for (; box > 0 && before.number[box - 1] > number; box--)
        before.number[box] = before.number[box - 1];
    for (; box + 1 < before.boxes && before.number[box + 1] < number; box++)
        before.number[box] = before.number[box + 1];
    before.number[box] = (uint8_t)number;
    const uint32_t rank = rank_cluster(making->clusters, &before);
    offer_state(making, (rank * before.boxes + box) * SIDES + direction, excess + cost);
}

/* Settles all sides in the player's region, and pulls to each. */
static void settle_region(struct cluster_making *making, uint32_t state, unsigned excess)
{
    const struct sokoban *sokoban = making->clusters->sokoban;
    const uint32_t sides = making->boxes * SIDES, first = state - state % sides;
    const struct cluster cluster = unrank_cluster(making->clusters, state / sides, making->boxes);
    uint8_t floor[SOKOBAN_SQUARES_MAX];
    lay_floor(sokoban, &cluster, floor);
    sokoban_flood(sokoban, side_square(sokoban, &cluster, floor, state - first), 0, 1, floor);
    for (unsigned side = 0; side < sides; side++) {
        const unsigned at = side_square(sokoban, &cluster, floor, side);
        if (at == SOKOBAN_NO_SQUARE || floor[at] != 1)
            continue;
        making->below[first + side] = (uint8_t)(SETTLED | (MOST - excess));
        pull_box(making, &cluster, floor, side, excess);
    }
}

/* Begins at each set of goals, wherever the player is. */
static void offer_goals(struct cluster_making *making)
{
    const struct sokoban *sokoban = making->clusters->sokoban;
    uint8_t goal[SOKOBAN_BOXES_MAX] = {0};
    unsigned goals = 0;
    for (unsigned i = 0; i < sokoban->alive; i++)
        if (sokoban->goal[sokoban->alive_square[i]])
            goal[goals++] = (uint8_t)i;
    struct cluster chosen = first_cluster(making->boxes);
    do {
        struct cluster cluster = chosen;
        uint8_t floor[SOKOBAN_SQUARES_MAX];
        for (unsigned i = 0; i < cluster.boxes; i++)
            cluster.number[i] = goal[chosen.number[i]];
        lay_floor(sokoban, &cluster, floor);
        const uint32_t first = rank_cluster(making->clusters, &cluster) * cluster.boxes * SIDES;
        for (unsigned side = 0; side < cluster.boxes * SIDES; side++)
            if (side_square(sokoban, &cluster, floor, side) != SOKOBAN_NO_SQUARE)
                offer_state(making, first + side, 0);
    } while (next_cluster(&chosen, goals) && making_goes_on(making));
}

static void find_excesses(struct cluster_making *making)
{
    uint32_t excess;
    offer_goals(making);
    while (making_goes_on(making) && cost_queue_lowest(&making->queue, &excess)) {
        const uint32_t state = cost_queue_pop(&making->queue, excess);
        if (making->below[state] == MOST - excess)
            settle_region(making, state, excess);
    }
}

/* ---- the table ---- */

/* Writes the excesses of a cluster by the player's square, 0 for a box's. Returns false if all are 0. */
static bool read_excesses(const struct cluster_making *making, const struct cluster *cluster, uint32_t rank,
                          uint8_t row[SOKOBAN_SQUARES_MAX + 1])
{
    const struct sokoban *sokoban = making->clusters->sokoban;
    const uint8_t *below = making->below + (size_t)rank * cluster->boxes * SIDES;
    uint8_t floor[SOKOBAN_SQUARES_MAX];
    uint8_t of_region[SOKOBAN_CLUSTER_MOST * SIDES + 1] = {0};
    unsigned regions = 0;
    bool any = false;
    lay_floor(sokoban, cluster, floor);
    for (unsigned side = 0; side < cluster->boxes * SIDES; side++)
        any |= below[side] != (SETTLED | MOST) &&
               side_square(sokoban, cluster, floor, side) != SOKOBAN_NO_SQUARE;
    for (unsigned side = 0; any && side < cluster->boxes * SIDES; side++) {
        const unsigned at = side_square(sokoban, cluster, floor, side);
        if (at == SOKOBAN_NO_SQUARE || floor[at] != 0)
            continue;
        of_region[++regions] = below[side] < SETTLED ? DEAD : (uint8_t)(MOST - (below[side] & MOST));
        sokoban_flood(sokoban, at, 0, (uint8_t)regions, floor);
    }
    for (unsigned i = 0; any && i < sokoban->squares; i++)
        row[i] = floor[i] == BOX ? 0 : of_region[floor[i]];
    return any;
}

static const uint8_t *row_of(const struct sokoban_clusters *clusters, const struct cluster *cluster)
{
    return state_table_at(&clusters->rows, clusters->kind[cluster->boxes][rank_cluster(clusters, cluster)]);
}

/* Raises what a cluster's parts need to that of all boxes but one. */
static void note_part(const struct sokoban_clusters *clusters, const struct cluster *cluster,
                      unsigned without, unsigned least[SOKOBAN_SQUARES_MAX])
{
    struct cluster part = {.boxes = cluster->boxes - 1};
    for (unsigned i = 0; i < part.boxes; i++)
        part.number[i] = cluster->number[i + (i >= without)];
    const uint8_t *row = row_of(clusters, &part);
    for (unsigned i = 0; i < clusters->sokoban->squares; i++)
        least[i] = row[i] > least[i] ? row[i] : least[i];
}

/* Does so by the pairs of four boxes. */
static void note_pairs(const struct sokoban_clusters *clusters, const struct cluster *cluster,
                       unsigned least[SOKOBAN_SQUARES_MAX])
{
    static const uint8_t parted[3][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}};
    const uint8_t *number = cluster->number;
    for (unsigned way = 0; way < 3; way++) {
        const uint8_t *box = parted[way];
        const struct cluster one = {PAIR, {number[box[0]], number[box[1]]}};
        const struct cluster other = {PAIR, {number[box[2]], number[box[3]]}};
        const uint8_t *row = row_of(clusters, &one), *another = row_of(clusters, &other);
        for (unsigned i = 0; i < clusters->sokoban->squares; i++) {
            const unsigned sum = row[i] + another[i]; /* DEAD or more: the four are dead */
            least[i] = sum > least[i] ? sum : least[i];
        }
    }
}

/* Writes a cluster's excesses by the player's square, 0 where its parts need as much. Returns false if that
 * is so everywhere. */
static bool write_row(const struct cluster_making *making, const struct cluster *cluster, uint32_t rank,
                      uint8_t row[SOKOBAN_SQUARES_MAX + 1])
{
    const struct sokoban *sokoban = making->clusters->sokoban;
    unsigned least[SOKOBAN_SQUARES_MAX] = {0};
    bool more = false;
    memset(row, 0, SOKOBAN_SQUARES_MAX + 1);
    if (!read_excesses(making, cluster, rank, row))
        return false;
    for (unsigned i = 0; cluster->boxes > PAIR && i < cluster->boxes; i++)
        note_part(making->clusters, cluster, i, least);
    if (cluster->boxes == 2 * PAIR)
        note_pairs(making->clusters, cluster, least);
    for (unsigned i = 0; i < sokoban->squares; i++) {
        row[i] = row[i] > least[i] ? row[i] : 0;
        more |= row[i] > 0;
    }
    return more;
}

static void note_kinds(struct cluster_making *making)
{
    struct sokoban_clusters *clusters = making->clusters;
    struct cluster cluster = first_cluster(making->boxes);
    uint8_t row[SOKOBAN_SQUARES_MAX + 1];
    uint32_t rank = 0;
    do {
        assert(rank == rank_cluster(clusters, &cluster));
        if (!write_row(making, &cluster, rank, row))
            continue;
        const uint32_t kind = clusters->rows.count < KINDS_MAX ? state_table_add(&clusters->rows, row)
                                                               : state_table_find(&clusters->rows, row);
        making->failed |= kind == STATE_TABLE_NONE && clusters->rows.count < KINDS_MAX;
        clusters->kind[making->boxes][rank] = (uint16_t)(kind == STATE_TABLE_NONE ? 0 : kind);
    } while (rank++, next_cluster(&cluster, clusters->sokoban->alive) && making_goes_on(making));
}

static size_t kinds_bytes(const struct sokoban_clusters *clusters, unsigned boxes)
{
    return cluster_count(clusters, boxes) * sizeof *clusters->kind[boxes];
}

static size_t more_bytes(const struct sokoban_clusters *clusters, unsigned boxes)
{
    return cluster_count(clusters, boxes) * clusters->words * sizeof *clusters->more[boxes];
}

static void free_table(struct sokoban_clusters *clusters, unsigned boxes)
{
    budget_unmap(&clusters->budget, clusters->kind[boxes], kinds_bytes(clusters, boxes));
    budget_unmap(&clusters->budget, clusters->more[boxes - 1], more_bytes(clusters, boxes - 1));
    clusters->kind[boxes] = NULL;
    clusters->more[boxes - 1] = NULL;
}

/* Makes the table of so many boxes. Returns false, and leaves none, without memory or if it is not wanted. */
static bool make_table(struct cluster_making *making, unsigned boxes)
{
    struct sokoban_clusters *clusters = making->clusters;
    const size_t states = cluster_count(clusters, boxes) * boxes * SIDES;
    making->boxes = boxes;
    making->queue = (struct cost_queue){0};
    clusters->kind[boxes] = budget_map(&clusters->budget, kinds_bytes(clusters, boxes));
    clusters->more[boxes - 1] = budget_map(&clusters->budget, more_bytes(clusters, boxes - 1));
    making->below = budget_map(&clusters->budget, states);
    making->failed = clusters->kind[boxes] == NULL || clusters->more[boxes - 1] == NULL ||
                     making->below == NULL || !cost_queue_init(&making->queue, &clusters->budget);
    if (!making->failed) {
        find_excesses(making);
        note_kinds(making);
    }
    cost_queue_clear(&making->queue);
    budget_unmap(&clusters->budget, making->below, states);
    if (making->failed)
        free_table(clusters, boxes);
    return !making->failed;
}

static void fill_choose(struct sokoban_clusters *clusters)
{
    for (unsigned n = 0; n <= clusters->sokoban->alive; n++) {
        clusters->choose[0][n] = 1;
        for (unsigned k = 1; k <= SOKOBAN_CLUSTER_MOST && n > 0; k++)
            clusters->choose[k][n] = clusters->choose[k][n - 1] + clusters->choose[k - 1][n - 1];
    }
}

/* Makes the tables up to so many boxes, of which the greatest may have to be left out. Returns false if it is
 * that of pairs. */
static bool make_tables(struct cluster_making *making, unsigned most)
{
    const struct sokoban_clusters *clusters = making->clusters;
    for (unsigned boxes = PAIR; boxes <= most && boxes <= clusters->sokoban->boxes; boxes++)
        if (cluster_count(clusters, boxes) > CLUSTERS_MAX || !make_table(making, boxes))
            return boxes > PAIR && wanted_still();
    return true;
}

static struct sokoban_clusters *clusters_new(const struct sokoban *sokoban, struct budget *budget,
                                             uint64_t bytes, unsigned most)
{
    static const uint8_t nothing[SOKOBAN_SQUARES_MAX + 1] = {0};
    struct sokoban_clusters *clusters = calloc(1, sizeof *clusters);
    if (clusters == NULL)
        return NULL;
    struct cluster_making making = {.clusters = clusters};
    clusters->sokoban = sokoban;
    clusters->words = (sokoban->alive + 63) / 64;
    budget_init(&clusters->budget, budget, bytes);
    fill_choose(clusters);
    fill_push_costs(&making);
    if (state_table_init(&clusters->rows, &clusters->budget, sizeof nothing, 1) &&
        state_table_add(&clusters->rows, nothing) == 0 && make_tables(&making, most) &&
        sokoban_clusters_link(clusters))
        return clusters;
    sokoban_clusters_free(clusters);
    return NULL;
}

bool sokoban_clusters_help(const struct pz_space *space)
{
    return strcmp(space->puzzle->name, sokoban_puzzle.name) == 0 && sokoban_of(space)->boxes > PAIR;
}

struct sokoban_clusters *sokoban_clusters_new(const struct pz_space *space, struct budget *budget)
{
    return clusters_new(sokoban_of(space), budget, budget_most(budget), SOKOBAN_CLUSTER_MOST);
}

const struct sokoban_clusters *sokoban_pairs(const struct sokoban *sokoban)
{
    struct sokoban_clusters *pairs = atomic_load_explicit(sokoban->pairs, memory_order_acquire);
    struct sokoban_clusters *none = NULL;
    if (pairs != NULL || !wanted_still())
        return pairs;
    pairs = clusters_new(sokoban, NULL, PAIRS_BYTES, PAIR);
    if (pairs == NULL || atomic_compare_exchange_strong(sokoban->pairs, &none, pairs))
        return pairs;
    sokoban_clusters_free(pairs);
    return none;
}

void sokoban_clusters_free(struct sokoban_clusters *clusters)
{
    if (clusters == NULL)
        return;
    for (unsigned boxes = PAIR; boxes <= SOKOBAN_CLUSTER_MOST; boxes++)
        free_table(clusters, boxes);
    state_table_clear(&clusters->rows);
    free(clusters);
}
