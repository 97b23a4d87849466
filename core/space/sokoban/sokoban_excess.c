/* SPDX-License-Identifier: MIT */
/*
 * Adds up what clusters of boxes (sokoban_clusters.c) need beyond the matching: those without a common box,
 * the best first. Of a thousand clusters of a state one has a kind; so the tables say of some boxes which
 * one before them leads on to such a cluster (a trie of their numbers, descending).
 */
#include "space/sokoban/sokoban.h"

#include "space/guard.h"

#include <assert.h>
#include <string.h>

/* Returns the number of the first cluster of some boxes, whose numbers descend, and one before them. */
static uint32_t first_of(const struct sokoban_clusters *clusters, const uint8_t *number, unsigned boxes)
{
    uint32_t first = 0;
    for (unsigned i = 0; i < boxes; i++)
        first += clusters->choose[boxes + 1 - i][number[i]];
    return first;
}

/* ---- which clusters have a kind ---- */

/* Notes what leads on from some boxes. Returns true if anything does, or if they have a kind. */
static bool link_below(const struct sokoban_clusters *clusters, uint8_t number[SOKOBAN_CLUSTER_MOST],
                       unsigned boxes, uint32_t rank)
{
    bool any = boxes > 1 && clusters->kind[boxes][rank] != 0;
    if (boxes == SOKOBAN_CLUSTER_MOST || clusters->more[boxes] == NULL)
        return any;
    uint64_t *more = clusters->more[boxes] + (size_t)rank * clusters->words;
    const uint32_t first = first_of(clusters, number, boxes);
    for (unsigned before = 0; before < number[boxes - 1]; before++) {
        number[boxes] = (uint8_t)before;
        if (link_below(clusters, number, boxes + 1, first + before)) {
            more[before / 64] |= UINT64_C(1) << before % 64;
            any = true;
        }
    }
    return any;
}

bool sokoban_clusters_link(const struct sokoban_clusters *clusters)
{
    for (unsigned i = 0; i < clusters->sokoban->alive; i++) {
        uint8_t number[SOKOBAN_CLUSTER_MOST] = {(uint8_t)i};
        if (!wanted_still())
            return false;
        (void)link_below(clusters, number, 1, i);
    }
    return true;
}

/* ---- the excess ---- */

enum { HINDRANCES_MAX = 2048 }; /* those beyond count as nothing */

/* Boxes that hinder each other: their excess, and which they are. */
struct hindrance {
    uint8_t excess;
    uint16_t worth; /* the order: excess a box, in twelfths; of as much that of fewer boxes first */
    sokoban_boxes boxes;
};

struct look {
    const struct sokoban_clusters *clusters;
    unsigned player;                        /* its square */
    uint64_t there[SOKOBAN_NUMBERS_WORDS];  /* numbers of the boxes' squares */
    uint8_t box[SOKOBAN_SQUARES_MAX];       /* on a number that is there */
    unsigned count;                         /* of those found */
    struct hindrance found[HINDRANCES_MAX]; /* those first that are worth most */
};

static void note_hindrance(struct look *look, uint8_t excess, sokoban_boxes boxes)
{
    const unsigned size = (unsigned)__builtin_popcountll(boxes);
    const unsigned worth = excess * 12u / size * (SOKOBAN_CLUSTER_MOST + 1) + SOKOBAN_CLUSTER_MOST - size;
    struct hindrance *found = look->found;
    if (look->count == HINDRANCES_MAX)
        return;
    unsigned at = look->count++;
    for (; at > 0 && found[at - 1].worth < worth; at--)
        found[at] = found[at - 1];
    found[at] = (struct hindrance){excess, (uint16_t)worth, boxes};
}

/* Notes a cluster of that kind. Returns false if it never comes to goals whole. */
static bool look_at(struct look *look, unsigned kind, sokoban_boxes boxes)
{
    const uint8_t *row = state_table_at(&look->clusters->rows, kind);
    if (row[look->player] == SOKOBAN_CLUSTER_DEAD)
        return false;
    if (row[look->player] > 0)
        note_hindrance(look, row[look->player], boxes);
    return true;
}

/* Looks at all clusters of some boxes and more before them. Returns false if some never come to goals all. */
static bool look_below(struct look *look, uint8_t number[SOKOBAN_CLUSTER_MOST], unsigned boxes, uint32_t rank,
                       sokoban_boxes others)
{
    const struct sokoban_clusters *clusters = look->clusters;
    const uint64_t *more = clusters->more[boxes] + (size_t)rank * clusters->words;
    const uint32_t first = first_of(clusters, number, boxes);
    for (unsigned word = 0; word < clusters->words; word++) {
        for (uint64_t left = more[word] & look->there[word]; left != 0; left &= left - 1) {
            number[boxes] = (uint8_t)(64 * word + (unsigned)__builtin_ctzll(left));
            const uint32_t next = first + number[boxes];
            const sokoban_boxes all = others | SOKOBAN_BOX(look->box[number[boxes]]);
            const unsigned kind = clusters->kind[boxes + 1][next];
            if ((kind != 0 && !look_at(look, kind, all)) ||
                (boxes + 1 < SOKOBAN_CLUSTER_MOST && clusters->more[boxes + 1] != NULL &&
                 !look_below(look, number, boxes + 1, next, all)))
                return false;
        }
    }
    return true;
}

unsigned sokoban_excess(const struct sokoban *sokoban, const struct sokoban_clusters *clusters,
                        const uint8_t *state)
{
    struct look look;
    sokoban_boxes used = 0;
    unsigned sum = 0;
    if (clusters == NULL && (sokoban->boxes == 1 || (clusters = sokoban_pairs(sokoban)) == NULL))
        return 0;
    look.clusters = clusters;
    look.player = state[0];
    look.count = 0;
    memset(look.there, 0, sizeof look.there);
    for (unsigned i = 1; i <= sokoban->boxes; i++) {
        const uint8_t number = sokoban->alive_number[state[i]];
        assert(number < sokoban->alive); /* the matching is not hopeless */
        look.there[number / 64] |= UINT64_C(1) << number % 64;
        look.box[number] = (uint8_t)i;
    }
    for (unsigned i = 1; i <= sokoban->boxes; i++) {
        uint8_t number[SOKOBAN_CLUSTER_MOST] = {sokoban->alive_number[state[i]]};
        if (!look_below(&look, number, 1, number[0], SOKOBAN_BOX(i)))
            return SOKOBAN_HOPELESS;
    }
    for (unsigned i = 0; i < look.count; i++) {
        if ((used & look.found[i].boxes) != 0)
            continue;
        used |= look.found[i].boxes;
        sum += look.found[i].excess;
    }
    return sum;
}

unsigned sokoban_clusters_bound(const void *context, const void *state)
{
    const struct sokoban_clusters *clusters = context;
    return sokoban_bound(clusters->sokoban, clusters, state);
}
