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
    CLUSTER_MOST = 4,       /* boxes */
    CLUSTERS_MAX = 4000000, /* of one size: a minute or two */
    KINDS_MAX = 1 << 16,    /* those beyond count as nothing */
    NO_NUMBER = 0xFF,
    DEAD = 0xFF,          /* an excess: the boxes never come to goals all */
    CLUSTER_ASK = 1 << 12 /* looked at before it asks if the tables are still wanted */
};

struct sokoban_clusters {
    const struct sokoban *sokoban;
    struct budget *budget;
    unsigned numbers;
    uint8_t number[SOKOBAN_SQUARES_MAX]; /* of a square from which a box comes to a goal */
    uint8_t square[SOKOBAN_SQUARES_MAX]; /* of a number */
    uint32_t choose[CLUSTER_MOST + 1][SOKOBAN_SQUARES_MAX + 1]; /* sets of so many of so many */
    uint16_t *kind[CLUSTER_MOST + 1];                           /* by the number of boxes; NULL: no table */
    struct state_table rows;                                    /* of a kind: an excess a square */
};

/* Some boxes on the floor, in the order of their numbers. */
struct cluster {
    unsigned boxes;
    uint8_t number[CLUSTER_MOST], square[CLUSTER_MOST];
    uint8_t region[SOKOBAN_SQUARES_MAX]; /* of the player, by square */
};

/* A state is a cluster and a region of the player. */
struct cluster_making {
    struct sokoban_clusters *clusters;
    unsigned boxes;
    uint8_t *excess[CLUSTER_MOST + 1]; /* of a state, by the number of boxes */
    struct cost_queue queue;
    uint8_t push[SOKOBAN_SQUARES_MAX][4]; /* costs: of a box, in a direction */
    unsigned asked;
    bool failed; /* no memory, or no longer wanted */
};

/* How many regions a few boxes can make of the floor: each parts at most four. */
static uint32_t regions_most(unsigned boxes)
{
    return 3 * boxes + 1;
}

/* ---- numbers of clusters ---- */

static size_t cluster_count(const struct sokoban_clusters *clusters, unsigned boxes)
{
    return clusters->choose[boxes][clusters->numbers];
}

static uint32_t rank_cluster(const struct sokoban_clusters *clusters, const struct cluster *cluster)
{
    uint32_t rank = 0;
    for (unsigned i = 0; i < cluster->boxes; i++)
        rank += clusters->choose[i + 1][cluster->number[i]];
    return rank;
}

/* Puts the boxes into order and finds the regions. Returns the cluster's rank. */
static uint32_t place_cluster(const struct sokoban_clusters *clusters, struct cluster *cluster)
{
    for (unsigned i = 1; i < cluster->boxes; i++) {
        const uint8_t number = cluster->number[i];
        unsigned at = i;
        for (; at > 0 && cluster->number[at - 1] > number; at--)
            cluster->number[at] = cluster->number[at - 1];
        cluster->number[at] = number;
    }
    for (unsigned i = 0; i < cluster->boxes; i++)
        cluster->square[i] = clusters->square[cluster->number[i]];
    (void)sokoban_find_regions(clusters->sokoban, cluster->square, cluster->boxes, cluster->region);
    return rank_cluster(clusters, cluster);
}

static void unrank_cluster(const struct sokoban_clusters *clusters, uint32_t rank, unsigned boxes,
                           struct cluster *cluster)
{
    cluster->boxes = boxes;
    for (unsigned i = boxes, number = clusters->numbers; i-- > 0;) {
        do
            number--;
        while (clusters->choose[i + 1][number] > rank);
        rank -= clusters->choose[i + 1][number];
        cluster->number[i] = (uint8_t)number;
    }
    (void)place_cluster(clusters, cluster);
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
        for (unsigned direction = 0; direction < 4; direction++)
            making->push[from][direction] = push_cost(sokoban, from, direction);
}

static void offer_cluster(struct cluster_making *making, uint32_t rank, unsigned region, unsigned excess)
{
    const uint32_t state = rank * regions_most(making->boxes) + region;
    assert(rank < cluster_count(making->clusters, making->boxes) && region < regions_most(making->boxes));
    uint8_t *known = &making->excess[making->boxes][state];
    if (excess >= DEAD)
        excess = DEAD - 1; /* less than it needs is a bound, too */
    if (excess >= *known)
        return;
    *known = (uint8_t)excess;
    making->failed = making->failed || !cost_queue_push(&making->queue, state, excess);
}

/* Pulls one box of a cluster against a direction, which the player must be able to do. */
static void pull_box(struct cluster_making *making, const struct cluster *cluster, unsigned region,
                     unsigned box, unsigned direction, unsigned excess)
{
    const struct sokoban_clusters *clusters = making->clusters;
    const struct sokoban *sokoban = clusters->sokoban;
    const unsigned to = sokoban->neighbour[cluster->square[box]][direction];
    if (to == SOKOBAN_NO_SQUARE || cluster->region[to] != region || clusters->number[to] == NO_NUMBER)
        return;
    const unsigned player = sokoban->neighbour[to][direction];
    if (player == SOKOBAN_NO_SQUARE || cluster->region[player] == SOKOBAN_NO_SQUARE)
        return;
    const unsigned cost = making->push[to][direction ^ 1u];
    if (cost == DEAD)
        return;
    struct cluster before = *cluster;
    before.number[box] = clusters->number[to];
    const uint32_t rank = place_cluster(clusters, &before);
    offer_cluster(making, rank, before.region[player], excess + cost);
}

/* Begins at each set of goals, wherever the player is. */
static void offer_goals(struct cluster_making *making)
{
    const struct sokoban_clusters *clusters = making->clusters;
    const struct sokoban *sokoban = clusters->sokoban;
    struct cluster cluster;
    for (uint32_t rank = 0; rank < cluster_count(clusters, making->boxes) && making_goes_on(making); rank++) {
        unsigned home = 0;
        unrank_cluster(clusters, rank, making->boxes, &cluster);
        for (unsigned i = 0; i < cluster.boxes; i++)
            home += sokoban->goal[cluster.square[i]];
        for (unsigned i = 0; home == cluster.boxes && i < sokoban->squares; i++)
            if (cluster.region[i] != SOKOBAN_NO_SQUARE)
                offer_cluster(making, rank, cluster.region[i], 0);
    }
}

static void find_excesses(struct cluster_making *making)
{
    const uint32_t regions = regions_most(making->boxes);
    struct cluster cluster;
    uint32_t excess;
    offer_goals(making);
    while (making_goes_on(making) && cost_queue_lowest(&making->queue, &excess)) {
        const uint32_t state = cost_queue_pop(&making->queue, excess);
        if (making->excess[making->boxes][state] != excess)
            continue; /* found at less since */
        unrank_cluster(making->clusters, state / regions, making->boxes, &cluster);
        for (unsigned box = 0; box < cluster.boxes; box++)
            for (unsigned direction = 0; direction < 4; direction++)
                pull_box(making, &cluster, state % regions, box, direction, excess);
    }
}

/* ---- the table ---- */

/* Raises the excesses of what a cluster's parts need to those of all but one of its boxes. */
static void note_part(const struct cluster_making *making, const struct cluster *cluster, unsigned without,
                      unsigned least[SOKOBAN_SQUARES_MAX])
{
    struct cluster part = {.boxes = cluster->boxes - 1};
    const uint8_t *excess = making->excess[part.boxes];
    for (unsigned i = 0, at = 0; i < cluster->boxes; i++)
        if (i != without)
            part.number[at++] = cluster->number[i];
    const uint32_t first = place_cluster(making->clusters, &part) * regions_most(part.boxes);
    for (unsigned i = 0; i < making->clusters->sokoban->squares; i++)
        if (cluster->region[i] != SOKOBAN_NO_SQUARE && excess[first + part.region[i]] > least[i])
            least[i] = excess[first + part.region[i]];
}

/* Does so by pairs: of three boxes one, of four two. */
static void note_pairs(const struct cluster_making *making, const struct cluster *cluster,
                       unsigned least[SOKOBAN_SQUARES_MAX])
{
    const struct sokoban *sokoban = making->clusters->sokoban;
    const uint8_t *square = cluster->square;
    static const uint8_t parted[3][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {1, 2, 0, 3}};
    for (unsigned i = 0; i < sokoban->squares; i++)
        for (unsigned way = 0; way < 3 && cluster->region[i] != SOKOBAN_NO_SQUARE; way++) {
            const uint8_t *box = parted[way];
            unsigned sum = sokoban_pair_excess(sokoban, square[box[0]], square[box[1]], i);
            if (cluster->boxes == CLUSTER_MOST) /* DEAD or more together: the four are dead */
                sum += sokoban_pair_excess(sokoban, square[box[2]], square[box[3]], i);
            least[i] = sum > least[i] ? sum : least[i];
        }
}

/* Writes a cluster's excesses by the player's square, 0 where its parts need as much. Returns false if that
 * is so everywhere. */
static bool write_row(const struct cluster_making *making, uint32_t rank,
                      uint8_t row[SOKOBAN_SQUARES_MAX + 1])
{
    const uint8_t *excess = making->excess[making->boxes] + rank * regions_most(making->boxes);
    unsigned least[SOKOBAN_SQUARES_MAX] = {0};
    struct cluster cluster;
    bool more = false;
    unrank_cluster(making->clusters, rank, making->boxes, &cluster);
    for (unsigned i = 0; i < making->clusters->sokoban->squares; i++)
        more |= cluster.region[i] != SOKOBAN_NO_SQUARE && excess[cluster.region[i]] > 0;
    if (!more)
        return false;
    note_pairs(making, &cluster, least);
    for (unsigned i = 0; making->boxes > CLUSTER_LEAST && i < cluster.boxes; i++)
        note_part(making, &cluster, i, least);
    more = false;
    memset(row, 0, SOKOBAN_SQUARES_MAX + 1);
    for (unsigned i = 0; i < making->clusters->sokoban->squares; i++)
        if (cluster.region[i] != SOKOBAN_NO_SQUARE && excess[cluster.region[i]] > least[i]) {
            row[i] = excess[cluster.region[i]];
            more = true;
        }
    return more;
}

static void note_kinds(struct cluster_making *making)
{
    struct sokoban_clusters *clusters = making->clusters;
    uint8_t row[SOKOBAN_SQUARES_MAX + 1];
    for (uint32_t rank = 0; rank < cluster_count(clusters, making->boxes) && making_goes_on(making); rank++) {
        if (!write_row(making, rank, row))
            continue;
        const uint32_t kind = clusters->rows.count < KINDS_MAX ? state_table_add(&clusters->rows, row)
                                                               : state_table_find(&clusters->rows, row);
        making->failed |= kind == STATE_TABLE_NONE && clusters->rows.count < KINDS_MAX;
        clusters->kind[making->boxes][rank] = (uint16_t)(kind == STATE_TABLE_NONE ? 0 : kind);
    }
}

static size_t kinds_bytes(const struct sokoban_clusters *clusters, unsigned boxes)
{
    return cluster_count(clusters, boxes) * sizeof *clusters->kind[boxes];
}

static size_t excesses_bytes(const struct sokoban_clusters *clusters, unsigned boxes)
{
    return cluster_count(clusters, boxes) * regions_most(boxes);
}

/* Makes the table of so many boxes. Returns false, and leaves none, without memory or if it is not wanted. */
static bool make_table(struct cluster_making *making, unsigned boxes)
{
    struct sokoban_clusters *clusters = making->clusters;
    making->boxes = boxes;
    making->queue = (struct cost_queue){0};
    clusters->kind[boxes] = budget_map(clusters->budget, kinds_bytes(clusters, boxes));
    making->excess[boxes] = budget_map(clusters->budget, excesses_bytes(clusters, boxes));
    making->failed = clusters->kind[boxes] == NULL || making->excess[boxes] == NULL ||
                     !cost_queue_init(&making->queue, clusters->budget);
    if (!making->failed) {
        memset(making->excess[boxes], DEAD, excesses_bytes(clusters, boxes));
        find_excesses(making);
        note_kinds(making);
    }
    cost_queue_clear(&making->queue);
    if (!making->failed)
        return true;
    budget_unmap(clusters->budget, clusters->kind[boxes], kinds_bytes(clusters, boxes));
    clusters->kind[boxes] = NULL;
    return false;
}

static void number_squares(struct sokoban_clusters *clusters)
{
    const struct sokoban *sokoban = clusters->sokoban;
    for (unsigned i = 0; i < sokoban->squares; i++) {
        const bool is_dead = sokoban->distance[i] == SOKOBAN_DEAD;
        clusters->number[i] = is_dead ? NO_NUMBER : (uint8_t)clusters->numbers;
        if (!is_dead)
            clusters->square[clusters->numbers++] = (uint8_t)i;
    }
    for (unsigned n = 0; n <= clusters->numbers; n++) {
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
    for (unsigned boxes = CLUSTER_LEAST; boxes <= CLUSTER_MOST; boxes++)
        budget_unmap(clusters->budget, making->excess[boxes], excesses_bytes(clusters, boxes));
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
    number_squares(clusters);
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
        number[i] = clusters->number[state[i]];
    return find_threes(clusters, number, state[0], found) &&
           (clusters->kind[4] == NULL || find_fours(clusters, number, state[0], found));
}

unsigned sokoban_clusters_bound(const void *context, const void *state)
{
    const struct sokoban_clusters *clusters = context;
    return sokoban_bound(clusters->sokoban, clusters, state);
}
