/* SPDX-License-Identifier: MIT */
#include "solve/pdb/rank.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BINOMIAL_CELLS = GRID_CELLS_MAX + RANK_CHUNKS }; /* chunks of equal size may reach beyond the grid */

static uint64_t choose(unsigned n, unsigned k)
{
    uint64_t result = 1;
    for (unsigned i = 0; i < k; i++)
        result = n > i ? result * (n - i) / (i + 1) : 0;
    return result;
}

static uint32_t factorial(unsigned n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}

uint64_t rank_count(unsigned cells, unsigned tiles)
{
    return choose(cells, tiles) * factorial(tiles);
}

uint32_t rank_order(const uint8_t *ordinal, unsigned tiles)
{
    uint32_t rank = 0;
    for (unsigned i = 0; i < tiles; i++) {
        unsigned smaller = 0;
        for (unsigned j = i + 1; j < tiles; j++)
            smaller += ordinal[j] < ordinal[i];
        rank = rank * (tiles - i) + smaller;
    }
    return rank;
}

/* ---- turns ---- */

/*
 * Exchanging the neighbours at i and i+1 turns their Lehmer digits (a, b) into (b, a−1) when a > b and into
 * (b+1, a) otherwise, and leaves all others. So no order is ever written out.
 */
static void exchange_neighbours(unsigned tiles, unsigned i, uint16_t *table)
{
    uint32_t low = factorial(tiles - 2 - i);
    uint32_t high = factorial(tiles - 1 - i);
    uint32_t orders = factorial(tiles);
    for (uint32_t rank = 0; rank < orders; rank++) {
        uint32_t a = rank / high % (tiles - i);
        uint32_t b = rank / low % (tiles - 1 - i);
        uint32_t base = rank - a * high - b * low;
        table[rank] = (uint16_t)(a > b ? base + b * high + (a - 1) * low : base + (b + 1) * high + a * low);
    }
}

static void compose(uint32_t orders, const uint16_t *first, const uint16_t *second, uint16_t *out)
{
    for (uint32_t rank = 0; rank < orders; rank++)
        out[rank] = second[first[rank]];
}

static void identity(uint32_t orders, uint16_t *out)
{
    for (uint32_t rank = 0; rank < orders; rank++)
        out[rank] = (uint16_t)rank;
}

/* Composes long ways from shorter ones, with one more exchange of neighbours each time. */
static void fill_turns(struct turns *turns, uint16_t *memory, unsigned tiles)
{
    uint16_t *own[PDB_TILES_MAX][PDB_TILES_MAX];
    for (unsigned from = 0; from < tiles; from++) {
        for (unsigned to = 0; to < tiles; to++) {
            own[from][to] = memory + (size_t)(from * tiles + to) * turns->orders;
            turns->table[from * PDB_TILES_MAX + to] = own[from][to];
        }
    }
    for (unsigned i = 0; i < tiles; i++)
        identity(turns->orders, own[i][i]);
    for (unsigned i = 0; i + 1 < tiles; i++) {
        exchange_neighbours(tiles, i, own[i][i + 1]);
        memcpy(own[i + 1][i], own[i][i + 1], turns->orders * sizeof *memory);
    }
    for (unsigned way = 2; way < tiles; way++) {
        for (unsigned i = 0; i + way < tiles; i++) {
            unsigned j = i + way;
            compose(turns->orders, own[i][j - 1], own[j - 1][j], own[i][j]);
            compose(turns->orders, own[j][i + 1], own[i + 1][i], own[j][i]);
        }
    }
}

static uint64_t reciprocal(uint32_t divisor)
{
    return (((uint64_t)1 << 32) + divisor - 1) / divisor;
}

/* Fills in the changes by the digits from index i to index j. They are read off where all others are 0. */
static void fill_turn(struct turns *turns, unsigned tiles, unsigned from, unsigned to, uint16_t *change)
{
    unsigned i = from < to ? from : to;
    unsigned j = from < to ? to : from;
    uint32_t low = factorial(tiles - 1 - j);
    struct turn *turn = &turns->one[from * PDB_TILES_MAX + to];
    const uint16_t *table = turns->table[from * PDB_TILES_MAX + to];
    turn->count = factorial(tiles - i) / low;
    turn->by_low = reciprocal(low);
    turn->by_count = reciprocal(turn->count);
    turn->change = change;
    for (uint32_t digits = 0; digits < turn->count; digits++)
        change[digits] = (uint16_t)(table[digits * low] - digits * low);
}

static uint32_t turn_count(unsigned tiles, unsigned from, unsigned to)
{
    unsigned i = from < to ? from : to;
    unsigned j = from < to ? to : from;
    return factorial(tiles - i) / factorial(tiles - 1 - j);
}

static bool fill_changes(struct turns *turns, unsigned tiles)
{
    size_t total = 0;
    for (unsigned from = 0; from < tiles; from++)
        for (unsigned to = 0; to < tiles; to++)
            total += turn_count(tiles, from, to);
    uint16_t *change = malloc(total * sizeof *change);
    if (change == NULL)
        return false;
    for (unsigned from = 0; from < tiles; from++) {
        for (unsigned to = 0; to < tiles; to++) {
            fill_turn(turns, tiles, from, to, change);
            change += turn_count(tiles, from, to);
        }
    }
    return true;
}

static struct turns *make_turns(unsigned tiles)
{
    struct turns *turns = calloc(1, sizeof *turns);
    if (turns == NULL)
        return NULL;
    turns->orders = factorial(tiles);
    uint16_t *memory = malloc((size_t)tiles * tiles * turns->orders * sizeof *memory);
    if (memory == NULL) {
        free(turns);
        return NULL;
    }
    fill_turns(turns, memory, tiles);
    if (fill_changes(turns, tiles))
        return turns;
    free(memory);
    free(turns);
    return NULL;
}

const struct turns *turns_of(unsigned tiles)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct turns *made[PDB_TILES_MAX + 1]; /* under the lock */
    (void)pthread_mutex_lock(&lock);
    if (made[tiles] == NULL)
        made[tiles] = make_turns(tiles);
    const struct turns *turns = made[tiles];
    (void)pthread_mutex_unlock(&lock);
    return turns;
}

/* ---- sets ---- */

/* C(cell, places). */
struct binomials {
    uint32_t of[BINOMIAL_CELLS][PDB_TILES_MAX + 1];
};

static void fill_binomials(struct binomials *binomials)
{
    memset(binomials, 0, sizeof *binomials);
    for (unsigned cell = 0; cell < BINOMIAL_CELLS; cell++) {
        binomials->of[cell][0] = 1;
        for (unsigned places = 1; cell > 0 && places <= PDB_TILES_MAX; places++)
            binomials->of[cell][places] =
                binomials->of[cell - 1][places - 1] + binomials->of[cell - 1][places];
    }
}

/* Fills in the sum of C(cell, place in the reading) for each set of cells in the chunk, after each number of
 * cells before it. A set adds its last cell to the sum of the set without that cell. */
static void fill_chunk(struct rank *rank, unsigned number, const struct binomials *binomials)
{
    uint32_t size = 1u << rank->chunk_bits;
    unsigned most_before = number == 0 ? 0 : rank->tiles;
    for (unsigned before = 0; before <= most_before; before++) {
        uint32_t *share = rank->chunk[number] + (size_t)before * size;
        for (uint32_t chunk = 1; chunk < size; chunk++) {
            unsigned last = 31u - (unsigned)__builtin_clz(chunk);
            unsigned places = before + (unsigned)__builtin_popcount(chunk);
            if (places <= rank->tiles)
                share[chunk] =
                    share[chunk ^ 1u << last] + binomials->of[number * rank->chunk_bits + last][places];
        }
    }
}

enum pz_status rank_init(struct rank *rank, unsigned cells, unsigned tiles, struct pz_error *error)
{
    struct binomials binomials;
    memset(rank, 0, sizeof *rank);
    rank->cells = cells;
    rank->tiles = tiles;
    rank->chunk_bits =
        cells <= RANK_SMALL_CELLS ? RANK_SMALL_CELLS / 2 : (cells + RANK_CHUNKS - 1) / RANK_CHUNKS;
    rank->sets = (uint32_t)choose(cells, tiles);
    rank->turns = turns_of(tiles);
    size_t size = (size_t)1 << rank->chunk_bits;
    uint32_t *memory = calloc((1 + 2 * ((size_t)tiles + 1)) * size, sizeof *memory);
    if (memory == NULL || rank->turns == NULL) {
        free(memory);
        return pz_fail(error, PZ_MEMORY, "no memory to number the placements of %u tiles", tiles);
    }
    rank->chunk[0] = memory;
    rank->chunk[1] = memory + size;
    rank->chunk[2] = memory + size * (tiles + 2);
    fill_binomials(&binomials);
    for (unsigned number = 0; number < RANK_CHUNKS && number * rank->chunk_bits < cells; number++)
        fill_chunk(rank, number, &binomials);
    return PZ_OK;
}

void rank_clear(struct rank *rank)
{
    free(rank->chunk[0]);
    memset(rank, 0, sizeof *rank);
}
