/* SPDX-License-Identifier: MIT */
#include "solve/pdb/rank.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BINOMIAL_CELLS = GRID_CELLS_MAX + RANK_CHUNKS }; /* chunks of equal size may reach beyond the grid */

static uint64_t binomial(unsigned n, unsigned k)
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
    return binomial(cells, tiles) * factorial(tiles);
}

uint32_t rank_order(const uint8_t *ordinal, unsigned tiles)
{
    assert(tiles <= PDB_TILES_MAX);
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

/* Exchanging neighbours turns their Lehmer digits (a, b) into (b, a−1) when a > b and into (b+1, a)
 * otherwise, and leaves all others. So no order is ever written out. */
static void exchange_orders(uint8_t *digit)
{
    const uint8_t a = digit[0];
    const uint8_t b = digit[1];
    digit[0] = (uint8_t)(a > b ? b : b + 1);
    digit[1] = (uint8_t)(a > b ? a - 1 : a);
}

/* Returns the digits between two indices, which are one number, after a tile went from one to the other. */
static uint32_t turn_digits(unsigned tiles, unsigned from, unsigned to, uint32_t digits)
{
    const unsigned first = from < to ? from : to;
    const unsigned last = from < to ? to : from;
    uint8_t digit[PDB_TILES_MAX];
    for (unsigned i = last + 1; i-- > first; digits /= tiles - i)
        digit[i] = (uint8_t)(digits % (tiles - i));
    for (unsigned i = from; i < to; i++)
        exchange_orders(&digit[i]);
    for (unsigned i = from; i > to; i--)
        exchange_orders(&digit[i - 1]);
    for (unsigned i = first; i <= last; i++)
        digits = digits * (tiles - i) + digit[i];
    return digits;
}

static uint64_t reciprocal(uint32_t divisor)
{
    return (((uint64_t)1 << 32) + divisor - 1) / divisor;
}

/* Makes the turn from one index to another. Returns false without memory. */
static bool make_turn(unsigned tiles, unsigned from, unsigned to, struct turn *turn)
{
    const unsigned first = from < to ? from : to;
    const unsigned last = from < to ? to : from;
    const uint32_t low = factorial(tiles - 1 - last);
    turn->count = factorial(tiles - first) / low;
    turn->by_low = reciprocal(low);
    turn->by_count = reciprocal(turn->count);
    uint16_t *change = malloc(turn->count * sizeof *change);
    turn->change = change;
    for (uint32_t digits = 0; change != NULL && digits < turn->count; digits++)
        change[digits] = (uint16_t)((turn_digits(tiles, from, to, digits) - digits) * low);
    return change != NULL;
}

static void turns_free(struct order_turns *turns)
{
    for (unsigned i = 0; i < PDB_TILES_MAX * PDB_TILES_MAX; i++)
        free((void *)turns->one[i].change);
    free(turns);
}

static struct order_turns *make_turns(unsigned tiles, unsigned reach)
{
    struct order_turns *turns = calloc(1, sizeof *turns);
    bool whole = turns != NULL;
    if (whole)
        turns->orders = factorial(tiles);
    for (unsigned from = 0; from < tiles && whole; from++)
        for (unsigned to = from > reach ? from - reach : 0; to < tiles && to <= from + reach && whole; to++)
            whole = make_turn(tiles, from, to, &turns->one[from * PDB_TILES_MAX + to]);
    if (whole || turns == NULL)
        return turns;
    turns_free(turns);
    return NULL;
}

/* Returns the turns over at most `reach` indices, which is less than tiles; NULL without memory. They are
 * made at the first call. */
static const struct order_turns *order_turns_of(unsigned tiles, unsigned reach)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct order_turns *made[PDB_TILES_MAX + 1][PDB_TILES_MAX]; /* under the lock */
    (void)pthread_mutex_lock(&lock);
    if (made[tiles][reach] == NULL)
        made[tiles][reach] = make_turns(tiles, reach);
    const struct order_turns *turns = made[tiles][reach];
    (void)pthread_mutex_unlock(&lock);
    return turns;
}

uint16_t *rank_turn_table(const struct rank *rank)
{
    const size_t orders = rank->turns->orders;
    uint16_t *table = calloc(rank->tiles * rank->tiles * orders, sizeof *table);
    for (unsigned from = 0; table != NULL && from < rank->tiles; from++)
        for (unsigned to = 0; to < rank->tiles; to++)
            for (uint32_t order = 0; rank_has_turn(rank, from, to) && order < orders; order++)
                table[(from * rank->tiles + to) * orders + order] =
                    (uint16_t)rank_turned(rank, order, from, to);
    return table;
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

enum pz_status rank_init(struct rank *rank, unsigned rows, unsigned columns, unsigned tiles,
                         struct pz_error *error)
{
    assert(tiles >= 1 && tiles <= PDB_TILES_MAX && tiles < rows * columns);
    struct binomials binomials;
    const unsigned cells = rows * columns;
    memset(rank, 0, sizeof *rank);
    rank->cells = cells;
    rank->tiles = tiles;
    rank->chunk_bits =
        cells <= RANK_SMALL_CELLS ? RANK_SMALL_CELLS / 2 : (cells + RANK_CHUNKS - 1) / RANK_CHUNKS;
    rank->sets = (uint32_t)binomial(cells, tiles);
    rank->turns = order_turns_of(tiles, columns < tiles ? columns - 1 : tiles - 1);
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
