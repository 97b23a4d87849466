/* SPDX-License-Identifier: MIT */
/*
 * The pushes that a few boxes, alone on the floor, need beyond what each would need alone. A push counts what
 * it falls short of bringing its box a push nearer to a goal, of the goal for which that is least. So goals
 * need not be told apart, and one search back from all sets of goals, by these costs (Dijkstra 1959), finds
 * the least of every cluster and region of the player. Whatever goals a solution brings the boxes to, it
 * makes as many pushes beyond the matching; clusters without a common box add up.
 *
 * A table has a *kind* for each cluster: a row of excesses by the player's square, of which there are few.
 * A cluster that needs no more than its parts, by pairs (sokoban_pairs.c) and by three, has none.
 */
#include "space/sokoban/sokoban_clusters.h"

#include "base/table/cost_queue.h"
#include "base/table/state_table.h"
#include "space/guard.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    CLUSTER_LEAST = 3,
    CLUSTER_MOST = 4,        /* boxes */
    CLUSTERS_MAX = 16000000, /* of one size: a minute or two */
    KINDS_MAX = 1 << 16,     /* those beyond count as nothing */
    SIDES = 4,               /* of a box, by direction */
    DEAD = 0xFF,             /* an excess: the boxes never come to goals all */
    CLUSTER_ASK = 1 << 12    /* looked at before it asks if the tables are still wanted */
};

/* Of a state, in the search: its excess, which is the least once it is settled. */
enum { UNSEEN = 0x7F, SETTLED = 0x80 };

struct sokoban_clusters {
    const struct sokoban *sokoban;
    struct budget *budget;
    uint32_t choose[CLUSTER_MOST + 1][SOKOBAN_SQUARES_MAX + 1]; /* sets of so many of so many */
    uint16_t *kind[CLUSTER_MOST + 1];                           /* by the number of boxes; NULL: no table */
    struct state_table rows;                                    /* of a kind: an excess a square */
};

/* Some boxes on the floor: the numbers of their squares, ascending. */
struct cluster {
    unsigned boxes;
    uint8_t number[CLUSTER_MOST];
};

/* A state is a cluster and a side of one of its boxes that the player is on: box * SIDES + direction. Those
 * in one region of the player are settled together. */
struct cluster_making {
    struct sokoban_clusters *clusters;
    unsigned boxes;
    uint8_t *excess; /* of a state */
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

/* Marks by square: 0 for floor not seen yet, then the region, from 1 on; DEAD for a box. */
struct floor {
    uint8_t mark[SOKOBAN_SQUARES_MAX];
};

static void lay_floor(const struct sokoban *sokoban, const struct cluster *cluster, struct floor *floor)
{
    memset(floor->mark, 0, sokoban->squares);
    for (unsigned i = 0; i < cluster->boxes; i++)
        floor->mark[sokoban->alive_square[cluster->number[i]]] = DEAD;
}

/* Returns the square on that side of a box; SOKOBAN_NO_SQUARE where no player can be. */
static unsigned side_square(const struct sokoban *sokoban, const struct cluster *cluster,
                            const struct floor *floor, unsigned side)
{
    const unsigned square = sokoban->alive_square[cluster->number[side / SIDES]];
    const unsigned at = sokoban->neighbour[square][side % SIDES];
    return at == SOKOBAN_NO_SQUARE || floor->mark[at] == DEAD ? SOKOBAN_NO_SQUARE : at;
}

/* ---- the search back ---- */

static bool making_goes_on(struct cluster_making *making)
{
    if (making->asked++ % CLUSTER_ASK == 0)
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
    uint8_t *known = &making->excess[state];
    if (excess >= UNSEEN)
        excess = UNSEEN - 1; /* less than it needs is a bound, too */
    if (*known >= SETTLED || excess >= *known)
        return;
    *known = (uint8_t)excess;
    making->failed = making->failed || !cost_queue_push(&making->queue, state, excess);
}

/* Pulls a box to the side that the player is on, who steps back. */
static void pull_box(struct cluster_making *making, const struct cluster *cluster, const struct floor *floor,
                     unsigned side, unsigned excess)
{
    const struct sokoban *sokoban = making->clusters->sokoban;
    const unsigned direction = side % SIDES;
    const unsigned to = side_square(sokoban, cluster, floor, side);
    const unsigned player = sokoban->neighbour[to][direction], number = sokoban->alive_number[to];
    const unsigned cost = making->push[to][direction ^ 1u];
    if (player == SOKOBAN_NO_SQUARE || floor->mark[player] == DEAD || cost == DEAD)
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
    struct floor floor;
    lay_floor(sokoban, &cluster, &floor);
    sokoban_flood(sokoban, side_square(sokoban, &cluster, &floor, state - first), 0, 1, floor.mark);
    for (unsigned side = 0; side < sides; side++) {
        const unsigned at = side_square(sokoban, &cluster, &floor, side);
        if (at == SOKOBAN_NO_SQUARE || floor.mark[at] != 1)
            continue;
        making->excess[first + side] = (uint8_t)(SETTLED | excess);
        pull_box(making, &cluster, &floor, side, excess);
    }
}

/* Begins at each set of goals, wherever the player is. */
static void offer_goals(struct cluster_making *making)
{
    const struct sokoban *sokoban = making->clusters->sokoban;
    uint8_t goal[SOKOBAN_BOXES_MAX];
    unsigned goals = 0;
    for (unsigned i = 0; i < sokoban->alive; i++)
        if (sokoban->goal[sokoban->alive_square[i]])
            goal[goals++] = (uint8_t)i;
    struct cluster chosen = first_cluster(making->boxes);
    do {
        struct cluster cluster = chosen;
        struct floor floor;
        for (unsigned i = 0; i < cluster.boxes; i++)
            cluster.number[i] = goal[chosen.number[i]];
        lay_floor(sokoban, &cluster, &floor);
        const uint32_t first = rank_cluster(making->clusters, &cluster) * cluster.boxes * SIDES;
        for (unsigned side = 0; side < cluster.boxes * SIDES; side++)
            if (side_square(sokoban, &cluster, &floor, side) != SOKOBAN_NO_SQUARE)
                offer_state(making, first + side, 0);
    } while (next_cluster(&chosen, goals) && making_goes_on(making));
}

static void find_excesses(struct cluster_making *making)
{
    uint32_t excess;
    offer_goals(making);
    while (making_goes_on(making) && cost_queue_lowest(&making->queue, &excess)) {
        const uint32_t state = cost_queue_pop(&making->queue, excess);
        if (making->excess[state] == excess)
            settle_region(making, state, excess);
    }
}

/* ---- the table ---- */

/* Writes the excesses of a cluster by the player's square, 0 for a box's. Returns false if all are 0. */
static bool read_excesses(const struct cluster_making *making, const struct cluster *cluster, uint32_t rank,
                          uint8_t row[SOKOBAN_SQUARES_MAX + 1])
{
    const struct sokoban *sokoban = making->clusters->sokoban;
    const uint8_t *excess = making->excess + (size_t)rank * cluster->boxes * SIDES;
    struct floor floor;
    uint8_t of_region[CLUSTER_MOST * SIDES + 1] = {0};
    unsigned regions = 0;
    bool any = false;
    lay_floor(sokoban, cluster, &floor);
    for (unsigned side = 0; side < cluster->boxes * SIDES; side++)
        any |= excess[side] != SETTLED && side_square(sokoban, cluster, &floor, side) != SOKOBAN_NO_SQUARE;
    for (unsigned side = 0; any && side < cluster->boxes * SIDES; side++) {
        const unsigned at = side_square(sokoban, cluster, &floor, side);
        if (at == SOKOBAN_NO_SQUARE || floor.mark[at] != 0)
            continue;
        of_region[++regions] = excess[side] < SETTLED ? DEAD : excess[side] & UNSEEN;
        sokoban_flood(sokoban, at, 0, (uint8_t)regions, floor.mark);
    }
    for (unsigned i = 0; any && i < sokoban->squares; i++)
        row[i] = floor.mark[i] == DEAD ? 0 : of_region[floor.mark[i]];
    return any;
}

/* Raises what a cluster's parts need to that of three boxes of four. */
static void note_threes(const struct sokoban_clusters *clusters, const struct cluster *cluster,
                        unsigned least[SOKOBAN_SQUARES_MAX])
{
    for (unsigned without = 0; without < cluster->boxes; without++) {
        struct cluster part = {.boxes = cluster->boxes - 1};
        for (unsigned i = 0; i < part.boxes; i++)
            part.number[i] = cluster->number[i + (i >= without)];
        const uint16_t kind = clusters->kind[part.boxes][rank_cluster(clusters, &part)];
        const uint8_t *row = state_table_at(&clusters->rows, kind);
        for (unsigned i = 0; kind != 0 && i < clusters->sokoban->squares; i++)
            least[i] = row[i] > least[i] ? row[i] : least[i];
    }
}

/* Does so by pairs: of three boxes one, of four two. */
static void note_pairs(const struct sokoban *sokoban, const struct cluster *cluster,
                       unsigned least[SOKOBAN_SQUARES_MAX])
{
    static const uint8_t parted[3][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {1, 2, 0, 3}};
    uint8_t square[CLUSTER_MOST];
    for (unsigned i = 0; i < cluster->boxes; i++)
        square[i] = sokoban->alive_square[cluster->number[i]];
    for (unsigned way = 0; way < 3; way++) {
        const uint8_t *box = parted[way];
        for (unsigned i = 0; i < sokoban->squares; i++) {
            unsigned sum = sokoban_pair_excess(sokoban, square[box[0]], square[box[1]], i);
            if (cluster->boxes == CLUSTER_MOST) /* DEAD or more together: the four are dead */
                sum += sokoban_pair_excess(sokoban, square[box[2]], square[box[3]], i);
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
    note_pairs(sokoban, cluster, least);
    if (cluster->boxes > CLUSTER_LEAST)
        note_threes(making->clusters, cluster, least);
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

/* Makes the table of so many boxes. Returns false, and leaves none, without memory or if it is not wanted. */
static bool make_table(struct cluster_making *making, unsigned boxes)
{
    struct sokoban_clusters *clusters = making->clusters;
    const size_t states = cluster_count(clusters, boxes) * boxes * SIDES;
    making->boxes = boxes;
    making->queue = (struct cost_queue){0};
    clusters->kind[boxes] = budget_map(clusters->budget, kinds_bytes(clusters, boxes));
    making->excess = budget_map(clusters->budget, states);
    making->failed = clusters->kind[boxes] == NULL || making->excess == NULL ||
                     !cost_queue_init(&making->queue, clusters->budget);
    if (!making->failed) {
        memset(making->excess, UNSEEN, states);
        find_excesses(making);
        note_kinds(making);
    }
    cost_queue_clear(&making->queue);
    budget_unmap(clusters->budget, making->excess, states);
    if (!making->failed)
        return true;
    budget_unmap(clusters->budget, clusters->kind[boxes], kinds_bytes(clusters, boxes));
    clusters->kind[boxes] = NULL;
    return false;
}

static void fill_choose(struct sokoban_clusters *clusters)
{
    for (unsigned n = 0; n <= clusters->sokoban->alive; n++) {
        clusters->choose[0][n] = 1;
        for (unsigned k = 1; k <= CLUSTER_MOST && n > 0; k++)
            clusters->choose[k][n] = clusters->choose[k][n - 1] + clusters->choose[k - 1][n - 1];
    }
}

bool sokoban_clusters_take(const struct pz_space *space)
{
    return strcmp(space->puzzle->name, sokoban_puzzle.name) == 0 && sokoban_of(space)->boxes >= CLUSTER_LEAST;
}

/* Makes the tables. Returns false if there is none of three boxes. */
static bool make_tables(struct cluster_making *making)
{
    struct sokoban_clusters *clusters = making->clusters;
    bool made = true;
    for (unsigned boxes = CLUSTER_LEAST; made && boxes <= CLUSTER_MOST; boxes++) {
        const bool few = boxes <= clusters->sokoban->boxes && cluster_count(clusters, boxes) <= CLUSTERS_MAX;
        if (!few || !make_table(making, boxes))
            made = boxes > CLUSTER_LEAST && wanted_still(); /* those of three do alone */
    }
    return made;
}

struct sokoban_clusters *sokoban_clusters_new(const struct pz_space *space, struct budget *budget)
{
    static const uint8_t nothing[SOKOBAN_SQUARES_MAX + 1] = {0};
    struct sokoban_clusters *clusters = calloc(1, sizeof *clusters);
    if (clusters == NULL)
        return NULL;
    struct cluster_making making = {.clusters = clusters};
    clusters->sokoban = sokoban_of(space);
    clusters->budget = budget;
    fill_choose(clusters);
    fill_push_costs(&making);
    if (state_table_init(&clusters->rows, budget, sizeof nothing, 1) &&
        state_table_add(&clusters->rows, nothing) == 0 && make_tables(&making))
        return clusters;
    sokoban_clusters_free(clusters);
    return NULL;
}

void sokoban_clusters_free(struct sokoban_clusters *clusters)
{
    if (clusters == NULL)
        return;
    for (unsigned boxes = CLUSTER_LEAST; boxes <= CLUSTER_MOST; boxes++)
        budget_unmap(clusters->budget, clusters->kind[boxes], kinds_bytes(clusters, boxes));
    state_table_clear(&clusters->rows);
    free(clusters);
}

/* ---- the bound ---- */

/* Looks at the clusters of the others and one box before them; kind: of the first number. Returns false if
 * some boxes never come to goals all. */
static bool find_with(const struct sokoban_clusters *clusters, const uint16_t *kind, const uint8_t *number,
                      unsigned player, unsigned before, sokoban_boxes others,
                      struct sokoban_hindrances *found)
{
    for (unsigned a = 1; a < before; a++) {
        if (kind[number[a]] == 0)
            continue;
        const uint8_t *row = state_table_at(&clusters->rows, kind[number[a]]);
        if (row[player] == DEAD)
            return false;
        if (row[player] > 0)
            sokoban_hindrance_add(found, row[player], SOKOBAN_BOX(a) | others);
    }
    return true;
}

static bool find_threes(const struct sokoban_clusters *clusters, const uint8_t *number, unsigned player,
                        struct sokoban_hindrances *found)
{
    bool good = true;
    for (unsigned c = 3; c <= clusters->sokoban->boxes; c++)
        for (unsigned b = 2; b < c && good; b++)
            good = find_with(
                clusters, clusters->kind[3] + clusters->choose[3][number[c]] + clusters->choose[2][number[b]],
                number, player, b, SOKOBAN_BOX(b) | SOKOBAN_BOX(c), found);
    return good;
}

static bool find_fours(const struct sokoban_clusters *clusters, const uint8_t *number, unsigned player,
                       struct sokoban_hindrances *found)
{
    bool good = true;
    for (unsigned d = 4; d <= clusters->sokoban->boxes; d++)
        for (unsigned c = 3; c < d; c++)
            for (unsigned b = 2; b < c && good; b++)
                good = find_with(clusters,
                                 clusters->kind[4] + clusters->choose[4][number[d]] +
                                     clusters->choose[3][number[c]] + clusters->choose[2][number[b]],
                                 number, player, b, SOKOBAN_BOX(b) | SOKOBAN_BOX(c) | SOKOBAN_BOX(d), found);
    return good;
}

bool sokoban_clusters_find(const struct sokoban_clusters *clusters, const uint8_t *state,
                           struct sokoban_hindrances *found)
{
    const unsigned boxes = clusters->sokoban->boxes;
    uint8_t number[SOKOBAN_BOXES_MAX + 1];
    for (unsigned i = 1; i <= boxes; i++)
        number[i] = clusters->sokoban->alive_number[state[i]];
    return find_threes(clusters, number, state[0], found) &&
           (clusters->kind[4] == NULL || find_fours(clusters, number, state[0], found));
}

unsigned sokoban_clusters_bound(const void *context, const void *state)
{
    const struct sokoban_clusters *clusters = context;
    return sokoban_bound(clusters->sokoban, clusters, state);
}
