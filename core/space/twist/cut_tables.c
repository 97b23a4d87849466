/* SPDX-License-Identifier: MIT */
/* The tables of a cut: one for each different permutation of the hidden pieces. */
#include "space/twist/cut.h"

#include <stdlib.h>
#include <string.h>

/* A move's reordering of the hidden pieces: number i afterwards was number from[i] before. */
struct reorder {
    uint8_t from[TWIST_PLACES_MAX];
    uint8_t parity; /* of the orders before */
};

struct maker {
    const struct cut *cut;
    struct cut_tables *tables;
    struct reorder *reorders; /* of each table */
    uint32_t *slots;          /* hash table: table + 1, or 0 */
    uint32_t mask;
    uint8_t *orders[2]; /* all orders by parity, hidden bytes each; [1] only where halved */
    uint8_t *parity;    /* by shown value */
    uint8_t column_of[TWIST_PLACES_MAX];
};

static void find_reorder(const struct maker *maker, unsigned move, uint32_t shown, struct reorder *out)
{
    const struct cut *cut = maker->cut;
    const struct coordinate *all = &cut->shown;
    const uint32_t after = all->next[(size_t)move * all->count + shown];
    const uint8_t *before = all->values + (size_t)shown * all->length;
    const uint8_t *then = all->values + (size_t)after * all->length;
    uint8_t number[TWIST_PLACES_MAX];
    unsigned count = 0;
    memset(out, 0, sizeof *out);
    for (unsigned i = 0; i < all->view.columns; i++)
        if (before[i] == cut->first_hidden)
            number[i] = (uint8_t)count++;
    count = 0;
    for (unsigned i = 0; i < all->view.columns; i++) {
        const unsigned from = cut->twist->move[move].from[all->view.column[i].place];
        if (then[i] == cut->first_hidden)
            out->from[count++] = number[maker->column_of[from]];
    }
    out->parity = maker->parity[shown];
}

static bool keeps_orders(const struct cut *cut, const struct reorder *reorder)
{
    for (unsigned i = 0; i < cut->hidden; i++)
        if (reorder->from[i] != i)
            return false;
    return true;
}

static uint32_t *reorder_slot(const struct maker *maker, const struct reorder *reorder)
{
    uint64_t hash = reorder->parity;
    for (unsigned i = 0; i < maker->cut->hidden; i++)
        hash = (hash ^ reorder->from[i]) * UINT64_C(0x100000001B3);
    hash ^= hash >> 29;
    for (;; hash++) {
        uint32_t *slot = &maker->slots[hash & maker->mask];
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): grow_tables has made them */
        if (*slot == 0 || memcmp(&maker->reorders[*slot - 1], reorder, sizeof *reorder) == 0)
            return slot;
    }
}

static bool grow_tables(struct maker *maker)
{
    struct cut_tables *tables = maker->tables;
    const uint32_t room = tables->room == 0 ? 256 : 2 * tables->room;
    uint16_t **all = realloc(tables->tables, room * sizeof *all);
    if (all != NULL)
        tables->tables = all;
    struct reorder *reorders = realloc(maker->reorders, room * sizeof *reorders);
    if (reorders != NULL)
        maker->reorders = reorders;
    uint32_t *slots = calloc(2 * (size_t)room, sizeof *slots);
    if (all == NULL || reorders == NULL || slots == NULL) {
        free(slots);
        return false;
    }
    free(maker->slots);
    maker->slots = slots;
    maker->mask = 2 * room - 1;
    tables->room = room;
    for (uint32_t i = 0; i < tables->count; i++)
        *reorder_slot(maker, &maker->reorders[i]) = i + 1;
    return true;
}

static void fill_table(const struct maker *maker, const struct reorder *reorder, uint16_t *table)
{
    const struct cut *cut = maker->cut;
    const uint8_t *order = maker->orders[reorder->parity];
    uint8_t then[TWIST_PLACES_MAX];
    for (uint32_t i = 0; i < cut->orders; i++, order += cut->hidden) {
        for (unsigned k = 0; k < cut->hidden; k++)
            then[k] = order[reorder->from[k]];
        table[i] = (uint16_t)cut_rank_order(cut, then);
    }
}

/* Returns the table of a reorder + 1; 0 without memory. */
static uint32_t take_table(struct maker *maker, const struct reorder *reorder)
{
    struct cut_tables *tables = maker->tables;
    const uint64_t bytes = maker->cut->orders * sizeof(uint16_t);
    if (tables->count == tables->room && !grow_tables(maker))
        return 0;
    uint32_t *slot = reorder_slot(maker, reorder);
    if (*slot != 0)
        return *slot;
    uint16_t *table = tables->bytes + bytes <= CUT_TABLES_BYTES_MAX ? malloc(bytes + 1) : NULL;
    if (table == NULL)
        return 0;
    fill_table(maker, reorder, table);
    tables->bytes += bytes;
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): grow_tables has made room */
    maker->reorders[tables->count] = *reorder;
    tables->tables[tables->count] = table;
    *slot = ++tables->count;
    return *slot;
}

static bool take_all_tables(struct maker *maker)
{
    const struct cut *cut = maker->cut;
    for (unsigned move = 0; move < cut->twist->moves; move++) {
        for (uint32_t shown = 0; shown < cut->shown.count; shown++) {
            struct reorder reorder;
            find_reorder(maker, move, shown, &reorder);
            uint32_t *of = &maker->tables->of[(size_t)move * cut->shown.count + shown];
            *of = 0;
            if (!keeps_orders(cut, &reorder) && (*of = take_table(maker, &reorder)) == 0)
                return false;
        }
    }
    return true;
}

static bool maker_init(struct maker *maker)
{
    const struct cut *cut = maker->cut;
    const size_t bytes = (size_t)cut->orders * cut->hidden;
    for (unsigned i = 0; i < cut->shown.view.columns; i++)
        maker->column_of[cut->shown.view.column[i].place] = (uint8_t)i;
    maker->parity = calloc(cut->shown.count, 1);
    for (unsigned parity = 0; parity <= (unsigned)cut->halved; parity++)
        if ((maker->orders[parity] = malloc(bytes)) == NULL)
            return false;
    if (maker->parity == NULL)
        return false;
    for (unsigned parity = 0; parity <= (unsigned)cut->halved; parity++)
        for (uint32_t i = 0; i < cut->orders; i++)
            cut_unrank_order(cut, i, (uint8_t)parity, maker->orders[parity] + (size_t)i * cut->hidden);
    for (uint32_t shown = 0; cut->halved && shown < cut->shown.count; shown++)
        maker->parity[shown] = cut_order_parity(cut, shown);
    return true;
}

bool cut_tables_init(struct cut_tables *tables, const struct cut *cut)
{
    struct maker maker = {.cut = cut, .tables = tables};
    *tables = (struct cut_tables){0};
    tables->of = malloc((size_t)cut->twist->moves * cut->shown.count * sizeof *tables->of);
    const bool made = tables->of != NULL && maker_init(&maker) && take_all_tables(&maker);
    free(maker.reorders);
    free(maker.slots);
    free(maker.orders[0]);
    free(maker.orders[1]);
    free(maker.parity);
    if (!made)
        cut_tables_clear(tables);
    return made;
}

void cut_tables_clear(struct cut_tables *tables)
{
    for (uint32_t i = 0; i < tables->count; i++)
        free(tables->tables[i]);
    free(tables->tables);
    free(tables->of);
    *tables = (struct cut_tables){0};
}
