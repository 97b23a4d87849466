/* SPDX-License-Identifier: MIT */
/*
 * Distances of boards by the million. The bits of a class show how the distances of its places differ, so
 * the distance of place 0 gives all of them. The walk for an unknown class also gives the distances of all
 * classes on its path.
 */
#include "explore/dense/table/walk.h"

#include <string.h>

enum { BATCH = 256 };

/* Maps boards with the blank in one cell to classes. */
struct numbering {
    unsigned place;                        /* of the blank */
    uint8_t cell[DENSE_PLACES_MAX];        /* by index in the sequence: a cell of the question's grid */
    uint8_t shift[DENSE_PLACES_MAX];       /* by tile of the question: 4 × its label */
    const struct dense_geometry *geometry; /* span[] */
};

static void numbering_init(struct numbering *numbering, const struct dense_geometry *geometry,
                           const struct board_view *view, unsigned blank)
{
    uint8_t cell_from[DENSE_PLACES_MAX] = {0};
    memset(numbering, 0, sizeof *numbering);
    numbering->geometry = geometry;
    numbering->place = geometry->place_of[view->cell_to[blank]];
    for (unsigned cell = 0; cell < geometry->places; cell++)
        cell_from[view->cell_to[cell]] = (uint8_t)cell;
    for (unsigned place = 0, index = 0; place < geometry->places; place++)
        if (place != numbering->place)
            numbering->cell[index++] = cell_from[geometry->cell_of[place]];
    for (unsigned tile = 1; tile < geometry->places; tile++)
        numbering->shift[tile] = (uint8_t)(4 * geometry->label_of[view->tile_to[tile]]);
}

/* Returns the class of a board. Digit l of `smaller` is how many of the labels still to come are smaller than
 * l. */
static uint64_t class_of(const struct numbering *numbering, const struct board *board)
{
    uint64_t smaller = UINT64_C(0xFEDCBA9876543210);
    uint64_t number = 0;
    for (unsigned k = 0; k + 2 < numbering->geometry->tiles; k++) {
        unsigned shift = numbering->shift[board->tile[numbering->cell[k]]];
        number += (smaller >> shift & 15u) * numbering->geometry->span[k + 1];
        smaller -= UINT64_C(0x1111111111111110) << shift;
    }
    return number;
}

/* ---- within a class ---- */

/* Puts bit i of a byte into bit 2i. */
static inline unsigned spread_row(unsigned byte)
{
    byte = (byte | byte << 4) & 0x0F0Fu;
    byte = (byte | byte << 2) & 0x3333u;
    return (byte | byte << 1) & 0x5555u;
}

/* By metric:multi a step along the path leads nearer, farther or neither: the distances modulo 4 tell which.
 */
static int beyond_by_steps(const uint8_t *pair, unsigned place)
{
    const unsigned bit1 = spread_row(pair[0]) | spread_row(pair[1]) << 1;
    const unsigned bit0 = spread_row(pair[2]) | spread_row(pair[3]) << 1;
    const unsigned same = ~(bit0 ^ bit0 >> 1);
    const unsigned farther = ~same & (bit1 ^ bit1 >> 1 ^ ~bit0);
    const unsigned steps = (1u << place) - 1;
    return 2 * __builtin_popcount(farther & steps) - __builtin_popcount(~same & steps);
}

/* Finds how much farther from the root a place is than place 0 of the same class. A step along the path
 * leads farther if bit 1 of the distance stays and bit 0 was 0, or if bit 1 changes and bit 0 was 1. */
static enum pz_status beyond_first(struct dense_table *table, uint64_t number, unsigned place, int *beyond,
                                   struct pz_error *error)
{
    enum pz_status status = PZ_OK;
    const uint8_t *pair = walk_pair(table, number, &status, error);
    if (pair == NULL)
        return status;
    if (table->geometry.multi) {
        *beyond = beyond_by_steps(pair, place);
        return PZ_OK;
    }
    unsigned bit1 = spread_row(pair[0]) | spread_row(pair[1]) << 1;
    unsigned bit0 = table->geometry.root_place % 2 == 0 ? 0xAAAAu : 0x5555u;
    unsigned farther = ~(bit1 ^ bit1 >> 1 ^ bit0) & ((1u << place) - 1);
    *beyond = 2 * __builtin_popcount(farther) - (int)place;
    return PZ_OK;
}

/* Records the distance of one place of a class. */
static enum pz_status note_distance(const struct dense_ranking *ranking, uint64_t number, unsigned place,
                                    uint32_t distance, struct pz_error *error)
{
    int beyond = 0;
    enum pz_status status = beyond_first(ranking->table, number, place, &beyond, error);
    if (status != PZ_OK)
        return status;
    if ((int)distance < beyond)
        return pz_fail(error, PZ_STORAGE, "the table contradicts itself: a negative distance");
    ranking->memo[number] = (uint8_t)((int)distance - beyond);
    return PZ_OK;
}

/* Finds the distance of a place of a known class. */
static enum pz_status known(const struct dense_ranking *ranking, uint64_t number, unsigned place,
                            uint32_t *distance, struct pz_error *error)
{
    int beyond = 0;
    enum pz_status status = beyond_first(ranking->table, number, place, &beyond, error);
    if (status != PZ_OK)
        return status;
    int sum = ranking->memo[number] + beyond;
    if (sum < 0 || sum > DENSE_DEPTH_MAX)
        return pz_fail(error, PZ_STORAGE, "the table contradicts itself: a distance of %d", sum);
    *distance = (uint32_t)sum;
    return PZ_OK;
}

/* ---- from class to class ---- */

/* Walks towards the root until it meets a known class, and records the distances of all classes on the
 * path. */
static enum pz_status find_class(const struct dense_ranking *ranking, uint64_t number, unsigned place,
                                 struct pz_error *error)
{
    struct dense_table *table = ranking->table;
    struct dense_position at;
    uint64_t met_number[DENSE_DEPTH_MAX];
    uint8_t met_place[DENSE_DEPTH_MAX];
    uint32_t steps = 0;
    unsigned mod4 = 0;
    dense_position_unrank(&table->geometry, number, place, &at);
    enum pz_status status = walk_mod4(table, number, place, &mod4, error);
    while (status == PZ_OK && ranking->memo[at.number] == DENSE_UNKNOWN) {
        struct walk_steps nearer;
        status = walk_find(table, &at, mod4, true, &nearer, error);
        if (status == PZ_OK && (nearer.count == 0 || steps == DENSE_DEPTH_MAX))
            status = pz_fail(error, PZ_STORAGE, "the table leads nowhere: no way home after %u moves", steps);
        if (status != PZ_OK)
            return status;
        met_number[steps] = at.number;
        met_place[steps++] = at.place;
        walk_take(table, &at, nearer.step[nearer.count - 1]);
        mod4 = (mod4 - 1) & 3u;
    }
    uint32_t distance = 0;
    if (status == PZ_OK)
        status = known(ranking, at.number, at.place, &distance, error);
    while (status == PZ_OK && steps-- > 0)
        status = note_distance(ranking, met_number[steps], met_place[steps], ++distance, error);
    return status;
}

/* ---- in the order of board/pack.h ---- */

static void look_ahead(const struct dense_ranking *ranking, uint64_t number)
{
    const uint64_t byte = number * ranking->table->layout.class_bytes;
    const uint8_t *chunk = ranking->table->chunk[byte / DENSE_CHUNK_BYTES];
    __builtin_prefetch(ranking->memo + number);
    if (chunk != NULL)
        __builtin_prefetch(chunk + byte % DENSE_CHUNK_BYTES);
}

/* All boards have the blank in the same cell. */
static enum pz_status fill_row(const struct dense_ranking *ranking, const struct numbering *numbering,
                               struct ranking_cursor *cursor, size_t count, uint8_t *distances,
                               struct pz_error *error)
{
    uint64_t number[BATCH];
    enum pz_status status = PZ_OK;
    for (size_t i = 0; i < count; i++) {
        number[i] = class_of(numbering, &cursor->board);
        look_ahead(ranking, number[i]);
        ranking_next(cursor);
    }
    for (size_t i = 0; i < count && status == PZ_OK; i++) {
        uint32_t distance = 0;
        if (ranking->memo[number[i]] == DENSE_UNKNOWN)
            status = find_class(ranking, number[i], numbering->place, error);
        if (status == PZ_OK)
            status = known(ranking, number[i], numbering->place, &distance, error);
        distances[i] = (uint8_t)distance;
    }
    return status;
}

enum pz_status dense_table_ranking(const struct dense_ranking *ranking, struct ranking_cursor *cursor,
                                   size_t count, uint8_t *distances, struct pz_error *error)
{
    const struct dense_geometry *geometry = &ranking->table->geometry;
    enum pz_status status = PZ_OK;
    if (ranking->memo[0] == DENSE_UNKNOWN) /* the root's class */
        status = note_distance(ranking, 0, geometry->root_place, 0, error);
    while (status == PZ_OK && count > 0) {
        struct numbering numbering;
        size_t batch = count < BATCH ? count : BATCH;
        if (batch > cursor->left + 1)
            batch = (size_t)cursor->left + 1;
        numbering_init(&numbering, geometry, ranking->view, board_blank(&cursor->board));
        status = fill_row(ranking, &numbering, cursor, batch, distances, error);
        distances += batch;
        count -= batch;
    }
    return status;
}
