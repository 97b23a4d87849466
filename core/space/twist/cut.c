/* SPDX-License-Identifier: MIT */
#include "space/twist/cut.h"

#include "base/random.h"

#include <stdlib.h>
#include <string.h>

/* ---- which places can be cut ---- */

enum { GIANT_TRIES = 400 };

static bool is_prime(unsigned number)
{
    for (unsigned i = 2; i * i <= number; i++)
        if (number % i == 0)
            return false;
    return number > 1;
}

/* Returns true if a cycle's length shows that a transitive group has all even permutations: a prime p with
 * n/2 < p < n - 2 (Jordan). The other cycles are shorter, so a power of the permutation has only this one. */
static bool has_telling_cycle(const uint8_t *to, const uint8_t *places, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        unsigned length = 1;
        for (unsigned at = to[places[i]]; at != places[i]; at = to[at])
            length++;
        if (2 * length > count && length + 2 < count && is_prime(length))
            return true;
    }
    return false;
}

bool cut_is_giant(const struct twist *twist, const uint8_t *places, unsigned count)
{
    uint8_t to[TWIST_PLACES_MAX], then[TWIST_PLACES_MAX];
    struct random random = {.state = count};
    for (unsigned i = 0; i < twist->places; i++)
        to[i] = (uint8_t)i;
    for (unsigned tries = 0; tries < GIANT_TRIES && twist->moves > 0; tries++) {
        const struct twist_move *move = &twist->move[random_below(&random, twist->moves)];
        for (unsigned i = 0; i < twist->places; i++)
            then[i] = to[move->from[i]];
        memcpy(to, then, twist->places);
        if (has_telling_cycle(to, places, count))
            return true;
    }
    return false;
}

/* Returns the arrangements of so many pieces of each kind; UINT64_MAX for too many. */
static uint64_t arrangements_of(const uint8_t *count, unsigned kinds)
{
    __extension__ typedef unsigned __int128 wide;
    uint64_t ways = 1;
    unsigned pieces = 0;
    for (unsigned kind = 0; kind < kinds; kind++) {
        for (unsigned i = 1; i <= count[kind]; i++) { /* ways × binomial(pieces + i, i), step by step */
            const wide next = (wide)ways * ++pieces / i;
            if (next >> 56 != 0)
                return UINT64_MAX;
            ways = (uint64_t)next;
        }
    }
    return ways;
}

static unsigned turns_of(const struct twist *twist, const uint8_t *places)
{
    return twist->set[twist->set_of[places[0]]].turns;
}

/* Counts the pieces of each kind; returns the number of kinds up to the last one. */
static unsigned count_cut_kinds(const struct twist *twist, const uint8_t *places, unsigned count,
                                uint8_t number[TWIST_CODES])
{
    unsigned kinds = 0;
    memset(number, 0, TWIST_CODES);
    for (unsigned i = 0; i < count; i++) {
        const unsigned kind = twist->solved[places[i]] / turns_of(twist, places);
        number[kind]++;
        if (kind >= kinds)
            kinds = kind + 1;
    }
    return kinds;
}

uint64_t cut_arrangements(const struct twist *twist, const uint8_t *places, unsigned count)
{
    uint8_t number[TWIST_CODES];
    const unsigned kinds = count_cut_kinds(twist, places, count, number);
    return arrangements_of(number, kinds);
}

/* ---- parity ---- */

static uint8_t inversions(const uint8_t *values, unsigned count)
{
    unsigned odd = 0;
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = i + 1; k < count; k++)
            odd ^= values[i] > values[k];
    return (uint8_t)odd;
}

static bool all_moves_even(const struct twist *twist, const uint8_t *places, unsigned count)
{
    for (unsigned move = 0; move < twist->moves; move++) {
        uint8_t from[TWIST_PLACES_MAX];
        for (unsigned i = 0; i < count; i++)
            from[i] = twist->move[move].from[places[i]];
        if (inversions(from, count) != 0)
            return false;
    }
    return true;
}

static const uint8_t *shown_view(const struct cut *cut, uint32_t shown)
{
    return state_table_at(&cut->shown.values, shown);
}

/* Returns the parity of the orders that are reached with a shown value. */
static uint8_t cut_order_parity(const struct cut *cut, uint32_t shown)
{
    uint8_t kinds[TWIST_PLACES_MAX];
    unsigned next = cut->first_hidden;
    const uint8_t *view = shown_view(cut, shown);
    for (unsigned i = 0; i < cut->shown.view.columns; i++)
        kinds[i] = (uint8_t)(view[i] < cut->first_hidden ? view[i] : next++);
    return inversions(kinds, cut->shown.view.columns) ^ cut->parity;
}

/* ---- making one ---- */

static void note_parity(struct cut *cut, const uint8_t *places, unsigned count)
{
    uint8_t kinds[TWIST_PLACES_MAX];
    bool distinct = true;
    for (unsigned i = 0; i < count; i++)
        kinds[i] = cut->twist->solved[places[i]] / (uint8_t)cut->turns;
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = i + 1; k < count; k++)
            distinct = distinct && kinds[i] != kinds[k];
    cut->halved = distinct && all_moves_even(cut->twist, places, count);
    cut->parity = inversions(kinds, count);
}

/* Hides so many of the last kinds that there are at most so many orders. */
static void hide(struct cut *cut, const uint8_t *number, unsigned kinds, uint64_t orders)
{
    cut->first_hidden = 0;
    while (arrangements_of(number + cut->first_hidden, kinds - cut->first_hidden) > orders)
        cut->first_hidden++;
    cut->hidden_kinds = kinds - cut->first_hidden;
    memcpy(cut->count, number + cut->first_hidden, cut->hidden_kinds);
    cut->hidden = 0;
    for (unsigned i = 0; i < cut->hidden_kinds; i++)
        cut->hidden += cut->count[i];
}

enum listing cut_init(struct cut *cut, const struct twist *twist, const uint8_t *places, unsigned count,
                      uint32_t most)
{
    uint8_t number[TWIST_CODES];
    const unsigned kinds = count_cut_kinds(twist, places, count, number);
    *cut = (struct cut){.twist = twist, .turns = turns_of(twist, places)};
    note_parity(cut, places, count);
    hide(cut, number, kinds, cut->halved ? CUT_ORDERS_MAX : CUT_ORDERS_LIKED);
    const uint64_t all = arrangements_of(number, kinds);
    if (all / arrangements_of(cut->count, cut->hidden_kinds) > most)
        hide(cut, number, kinds, CUT_ORDERS_MAX);
    cut->orders = (uint32_t)arrangements_of(cut->count, cut->hidden_kinds) >> cut->halved;
    if (cut->hidden < 2 || (all / cut->orders) >> cut->halved > most)
        return LISTING_TOO_LARGE;
    struct coordinate_view view = {.columns = count};
    for (unsigned i = 0; i < count; i++)
        view.column[i] = (struct view_column){
            .place = places[i], .sight = SEE_SHOWN, .hidden = (uint8_t)cut->first_hidden};
    return coordinate_list(twist, &view, most, &cut->shown);
}

/* ---- numbers of orders ---- */

/* Numbers an order of hidden kinds, counted from 0, in lexicographic order. */
static uint32_t cut_rank_order(const struct cut *cut, const uint8_t *order)
{
    uint8_t left[TWIST_CODES] = {0};
    uint32_t ways = cut->orders << cut->halved, number = 0;
    memcpy(left, cut->count, cut->hidden_kinds);
    for (unsigned i = 0; i < cut->hidden; i++) {
        unsigned smaller = 0;
        /* An order has as many kinds as are hidden. */
        /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
        for (unsigned kind = 0; kind < order[i]; kind++)
            smaller += left[kind];
        number += (uint32_t)((uint64_t)ways * smaller / (cut->hidden - i));
        ways = (uint32_t)((uint64_t)ways * left[order[i]]-- / (cut->hidden - i));
    }
    return number >> cut->halved;
}

static void cut_unrank_order(const struct cut *cut, uint32_t number, uint8_t parity, uint8_t *order)
{
    uint8_t left[TWIST_CODES] = {0};
    uint32_t ways = cut->orders << cut->halved;
    number <<= cut->halved;
    memcpy(left, cut->count, cut->hidden_kinds);
    for (unsigned i = 0; i < cut->hidden; i++) {
        unsigned kind = 0;
        uint32_t of_kind = 0;
        for (;; number -= of_kind, kind++) {
            of_kind = (uint32_t)((uint64_t)ways * left[kind] / (cut->hidden - i));
            if (number < of_kind)
                break;
        }
        order[i] = (uint8_t)kind;
        left[kind]--;
        ways = of_kind;
    }
    if (cut->halved && inversions(order, cut->hidden) != parity) {
        /* Two kinds at the least are hidden where numbers are halved. */
        const uint8_t last = order[cut->hidden - 1]; /* NOLINT(clang-analyzer-core.uninitialized.Assign) */
        /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign) */
        order[cut->hidden - 1] = order[cut->hidden - 2];
        order[cut->hidden - 2] = last;
    }
}

/* Returns true if the hidden kinds are those of the solved state, as many of each. */
static bool has_hidden_kinds(const struct cut *cut, const uint8_t *kinds)
{
    uint8_t left[TWIST_CODES] = {0};
    memcpy(left, cut->count, cut->hidden_kinds);
    for (unsigned i = 0; i < cut->shown.view.columns; i++)
        if (kinds[i] >= cut->first_hidden && left[kinds[i] - cut->first_hidden]-- == 0)
            return false;
    return true;
}

bool cut_reaches(const struct cut *cut, const uint8_t *state)
{
    uint8_t kinds[TWIST_PLACES_MAX];
    for (unsigned i = 0; i < cut->shown.view.columns; i++)
        kinds[i] = state[cut->shown.view.column[i].place] / (uint8_t)cut->turns;
    return has_hidden_kinds(cut, kinds) &&
           (!cut->halved || inversions(kinds, cut->shown.view.columns) == cut->parity);
}

uint32_t cut_order(const struct cut *cut, uint32_t shown, const uint8_t *state)
{
    uint8_t order[TWIST_PLACES_MAX];
    const uint8_t *view = shown_view(cut, shown);
    unsigned count = 0;
    for (unsigned i = 0; i < cut->shown.view.columns; i++)
        if (view[i] == cut->first_hidden)
            order[count++] =
                (uint8_t)(state[cut->shown.view.column[i].place] / cut->turns - cut->first_hidden);
    return cut_rank_order(cut, order);
}

void cut_put(const struct cut *cut, uint32_t shown, uint32_t order, uint8_t *state)
{
    uint8_t hidden[TWIST_PLACES_MAX] = {0};
    const uint8_t *view = shown_view(cut, shown);
    unsigned next = 0;
    cut_unrank_order(cut, order, cut->halved ? cut_order_parity(cut, shown) : 0, hidden);
    for (unsigned i = 0; i < cut->shown.view.columns; i++) {
        const unsigned kind = view[i] < cut->first_hidden ? view[i] : cut->first_hidden + hidden[next++];
        uint8_t *code = &state[cut->shown.view.column[i].place];
        *code = (uint8_t)(*code + kind * cut->turns);
    }
}

/* ---- tables: one for each different permutation of the hidden pieces ---- */

/* A move's reordering of the hidden pieces: number i afterwards was number from[i] before. */
struct reorder {
    uint8_t from[TWIST_PLACES_MAX];
    uint64_t parity; /* of the orders before */
};

struct maker {
    const struct cut *cut;
    struct cut_tables *tables;
    struct state_table reorders; /* of each table */
    uint8_t *orders[2];          /* all orders by parity, hidden bytes each; [1] only where halved */
    uint8_t *parity;             /* by shown value */
    uint8_t column_of[TWIST_PLACES_MAX];
};

static void find_reorder(const struct maker *maker, unsigned move, uint32_t shown, struct reorder *out)
{
    const struct cut *cut = maker->cut;
    const struct coordinate *all = &cut->shown;
    const uint32_t after = all->next[(size_t)move * all->count + shown];
    const uint8_t *before = state_table_at(&all->values, shown);
    const uint8_t *then = state_table_at(&all->values, after);
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

/* Returns the table of a reorder + 1; 0 without memory, or where there would be too many. */
static uint32_t take_table(struct maker *maker, const struct reorder *reorder)
{
    struct cut_tables *tables = maker->tables;
    const uint64_t bytes = maker->cut->orders * sizeof(uint16_t);
    const uint32_t number = state_table_add(&maker->reorders, reorder);
    if (number == STATE_TABLE_NONE || number < tables->count)
        return number + 1;
    uint16_t *table = malloc(bytes + 1);
    if (table == NULL)
        return 0;
    fill_table(maker, reorder, table);
    tables->bytes += bytes;
    tables->tables[number] = table;
    return ++tables->count;
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
    const size_t steps = (size_t)cut->twist->moves * cut->shown.count;
    const size_t fit = CUT_TABLES_BYTES_MAX / (cut->orders * sizeof(uint16_t));
    const size_t most = steps < fit ? steps : fit;
    *tables = (struct cut_tables){0};
    tables->of = malloc(steps * sizeof *tables->of);
    tables->tables = malloc(most * sizeof *tables->tables);
    const bool made = tables->of != NULL && tables->tables != NULL &&
                      state_table_init_alone(&maker.reorders, (uint32_t)most, sizeof(struct reorder), 1) &&
                      maker_init(&maker) && take_all_tables(&maker);
    state_table_clear(&maker.reorders);
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
