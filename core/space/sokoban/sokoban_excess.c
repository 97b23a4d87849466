/* SPDX-License-Identifier: MIT */
/* Adds up what clusters of boxes (sokoban_clusters.c) need beyond the matching: those without a common box,
 * the best first. */
#include "space/sokoban/sokoban.h"

#include <assert.h>

enum { HINDRANCES_MAX = 2048 }; /* those beyond count as nothing */

/* Boxes that hinder each other: their excess, and which they are. */
struct hindrance {
    uint8_t excess;
    uint16_t worth; /* excess a box, in twelfths */
    sokoban_boxes boxes;
};

struct look {
    const struct sokoban_clusters *clusters;
    unsigned player;                        /* its square */
    uint8_t number[SOKOBAN_BOXES_MAX + 1];  /* of a box's square */
    unsigned count;                         /* of those found */
    struct hindrance found[HINDRANCES_MAX]; /* those first that are worth most */
};

static void note_hindrance(struct look *look, uint8_t excess, sokoban_boxes boxes)
{
    const unsigned worth = excess * 12u / (unsigned)__builtin_popcountll(boxes);
    struct hindrance *found = look->found;
    if (look->count == HINDRANCES_MAX)
        return;
    unsigned at = look->count++;
    for (; at > 0 && found[at - 1].worth < worth; at--)
        found[at] = found[at - 1];
    found[at] = (struct hindrance){excess, (uint16_t)worth, boxes};
}

/* Looks at all clusters of some boxes and one more before them; kind: of the first number. Returns false if
 * some never come to goals all. */
static bool look_at_row(struct look *look, const uint16_t *kind, unsigned before, sokoban_boxes others)
{
    for (unsigned i = 1; i < before; i++) {
        if (kind[look->number[i]] == 0)
            continue;
        const uint8_t *row = state_table_at(&look->clusters->rows, kind[look->number[i]]);
        if (row[look->player] == SOKOBAN_CLUSTER_DEAD)
            return false;
        if (row[look->player] > 0)
            note_hindrance(look, row[look->player], SOKOBAN_BOX(i) | others);
    }
    return true;
}

/* That, of some boxes and so many more before them. */
static bool look_at_clusters(struct look *look, const uint16_t *kind, unsigned boxes, unsigned before,
                             sokoban_boxes others)
{
    bool good = true;
    if (boxes == 1)
        return look_at_row(look, kind, before, others);
    for (unsigned i = boxes; i < before && good; i++)
        good = look_at_clusters(look, kind + look->clusters->choose[boxes][look->number[i]], boxes - 1, i,
                                SOKOBAN_BOX(i) | others);
    return good;
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
    for (unsigned i = 1; i <= sokoban->boxes; i++) {
        look.number[i] = sokoban->alive_number[state[i]];
        assert(look.number[i] < sokoban->alive); /* the matching is not hopeless */
    }
    for (unsigned boxes = 2; boxes <= SOKOBAN_CLUSTER_MOST && clusters->kind[boxes] != NULL; boxes++)
        if (!look_at_clusters(&look, clusters->kind[boxes], boxes, sokoban->boxes + 1, 0))
            return SOKOBAN_HOPELESS;
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
