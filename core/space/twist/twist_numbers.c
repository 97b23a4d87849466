/* SPDX-License-Identifier: MIT */
#include "space/twist/twist_numbers.h"
#include "space/twist/numbers_own.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TESTED_MAX = 1 << 16 };

/* ---- coordinates ---- */

static uint32_t most_values(const struct twist *twist)
{
    return TWIST_LISTED_STEPS_MAX / (twist->moves + 1);
}

static enum listing add_coordinate(struct twist_numbers *numbers, const struct coordinate_view *view)
{
    struct coordinate *next = &numbers->coordinate[numbers->coordinates];
    if (numbers->coordinates == COORDINATES_MAX)
        return LISTING_TOO_LARGE;
    enum listing listing = coordinate_list(numbers->twist, view, most_values(numbers->twist), next);
    if (listing != LISTED)
        return listing;
    if (next->count > 1) {
        numbers->coordinates++;
        return LISTED;
    }
    coordinate_clear(next); /* nothing moves */
    memcpy(&numbers->untold.column[numbers->untold.columns], view->column,
           view->columns * sizeof view->column[0]);
    numbers->untold.columns += view->columns;
    assert(numbers->untold.columns <= VIEW_COLUMNS_MAX);
    return LISTED;
}

static enum listing add_view(struct twist_numbers *numbers, const uint8_t *places, unsigned count,
                             enum twist_sight sight)
{
    struct coordinate_view view = {.columns = count};
    for (unsigned i = 0; i < count; i++)
        view.column[i] = (struct view_column){.place = places[i], .sight = (uint8_t)sight};
    return add_coordinate(numbers, &view);
}

static enum listing add_kinds(struct twist_numbers *numbers, const uint8_t *places, unsigned count)
{
    const struct twist *twist = numbers->twist;
    const bool cut = !numbers->has_cut && cut_arrangements(twist, places, count) > CUT_ORDERS_MAX &&
                     cut_is_giant(twist, places, count);
    if (!cut)
        return add_view(numbers, places, count, SEE_KIND);
    enum listing listing = cut_init(&numbers->cut, twist, places, count, most_values(twist));
    numbers->has_cut = listing == LISTED;
    return listing;
}

static enum listing add_orbit(struct twist_numbers *numbers, const uint8_t *places, unsigned count)
{
    const struct twist_set *set = &numbers->twist->set[numbers->twist->set_of[places[0]]];
    for (unsigned kind = 0; kind < set->kinds; kind++)
        if (set->blind[kind] && set->turns > 1)
            return add_view(numbers, places, count, SEE_BOTH);
    enum listing listing = add_kinds(numbers, places, count);
    return listing == LISTED && set->turns > 1 ? add_view(numbers, places, count, SEE_TURN) : listing;
}

/* Writes the places that the moves carry to each other, ascending, from one on that is not done yet. */
static unsigned find_orbit(const struct twist *twist, unsigned first, bool *done, uint8_t *places)
{
    bool in[TWIST_PLACES_MAX] = {false};
    unsigned count = 0;
    in[first] = true;
    for (bool grown = true; grown;) {
        grown = false;
        for (unsigned move = 0; move < twist->moves; move++) {
            for (unsigned i = 0; i < twist->places; i++) {
                if (in[i] != in[twist->move[move].from[i]]) {
                    in[i] = in[twist->move[move].from[i]] = true;
                    grown = true;
                }
            }
        }
    }
    for (unsigned i = 0; i < twist->places; i++) {
        if (in[i]) {
            assert(!done[i]); /* orbits are disjoint */
            done[i] = true;
            places[count++] = (uint8_t)i;
        }
    }
    return count;
}

static enum listing add_all(struct twist_numbers *numbers)
{
    bool done[TWIST_PLACES_MAX] = {false};
    enum listing listing = LISTED;
    for (unsigned i = 0; listing == LISTED && i < numbers->twist->places; i++) {
        uint8_t places[TWIST_PLACES_MAX];
        if (done[i])
            continue;
        const unsigned count = find_orbit(numbers->twist, i, done, places);
        listing = add_orbit(numbers, places, count);
    }
    return listing;
}

/* ---- joining ---- */

static bool joined_view(const struct coordinate *a, const struct coordinate *b, struct coordinate_view *view)
{
    *view = a->view;
    if (a->view.columns + b->view.columns > VIEW_COLUMNS_MAX)
        return false;
    memcpy(&view->column[view->columns], b->view.column, b->view.columns * sizeof b->view.column[0]);
    view->columns += b->view.columns;
    return true;
}

/* Joins two coordinates if they depend on each other and the joint one is small enough. LISTING_TOO_LARGE:
 * they stay apart. */
static enum listing try_to_join(struct twist_numbers *numbers, unsigned i, unsigned k)
{
    struct coordinate *all = numbers->coordinate;
    const bool first_larger = all[i].count >= all[k].count;
    const struct coordinate *larger = &all[first_larger ? i : k], *smaller = &all[first_larger ? k : i];
    struct coordinate_view view;
    struct coordinate joint;
    if (smaller->count > TESTED_MAX)
        return LISTING_TOO_LARGE;
    const uint32_t free_values = coordinate_free_values(numbers->twist, larger, smaller);
    if (free_values == 0)
        return LISTING_NO_MEMORY;
    if (free_values == smaller->count ||
        (uint64_t)free_values * larger->count > most_values(numbers->twist) ||
        !joined_view(larger, smaller, &view))
        return LISTING_TOO_LARGE;
    const enum listing listing = coordinate_list(numbers->twist, &view, most_values(numbers->twist), &joint);
    if (listing != LISTED)
        return listing;
    coordinate_clear(&all[i]);
    coordinate_clear(&all[k]);
    all[i] = joint;
    all[k] = all[--numbers->coordinates];
    return LISTED;
}

/* Without memory it fails: states have the same numbers each time that they are numbered. */
static enum listing join_all(struct twist_numbers *numbers)
{
    for (unsigned i = 0; i < numbers->coordinates; i++) {
        for (unsigned k = i + 1; k < numbers->coordinates; k++) {
            const enum listing listing = try_to_join(numbers, i, k);
            if (listing == LISTING_NO_MEMORY)
                return listing;
            if (listing == LISTED) {
                i = 0; /* the joint one is new to all others */
                k = 0;
            }
        }
    }
    return LISTED;
}

/* ---- which coordinates become the outer number, the rows and the columns ---- */

enum { RUN_POSITIONS_MAX = 1 << 18, TRIED_MAX = 10 /* coordinates: 3^10 ways */ };

struct numbers_choice {
    const struct twist_numbers *numbers;
    bool moves_it[COORDINATES_MAX][TWIST_MOVES_MAX]; /* which move changes which coordinate */
};

static void note_moves(struct numbers_choice *choice)
{
    const struct twist_numbers *numbers = choice->numbers;
    for (unsigned i = 0; i < numbers->coordinates; i++) {
        const struct coordinate *coordinate = &numbers->coordinate[i];
        for (unsigned move = 0; move < numbers->twist->moves; move++) {
            const uint32_t *next = coordinate->next + (size_t)move * coordinate->count;
            uint32_t value = 0;
            while (value < coordinate->count && next[value] == value)
                value++;
            choice->moves_it[i][move] = value < coordinate->count;
        }
    }
}

/* Returns about how long a state takes, relative to a move that carries each state of a run by itself. */
static double cost(const struct numbers_choice *choice, const uint8_t *part, double rows, double columns)
{
    const struct twist_numbers *numbers = choice->numbers;
    const unsigned moves = numbers->twist->moves;
    double sum = moves * (100.0 / (rows * columns) + 8.0 / columns);
    for (unsigned move = 0; move < moves; move++) {
        bool changed = numbers->has_cut;
        for (unsigned i = 0; i < numbers->coordinates; i++)
            changed = changed || (part[i] == PART_COLUMN && choice->moves_it[i][move]);
        sum += changed ? 1 : 0.05;
    }
    return sum * (1 + 32.0 / columns); /* memory, of which rows leave some unused */
}

/* Tries one way, whose digits to the base three are the parts. Returns false if it is too large. */
static bool try_division(const struct numbers_choice *choice, unsigned division, uint8_t *part, double *worth)
{
    const struct twist_numbers *numbers = choice->numbers;
    double size[3] = {1, 1, numbers->has_cut ? numbers->cut.orders : 1};
    for (unsigned i = 0; i < numbers->coordinates; i++, division /= 3) {
        part[i] = i < TRIED_MAX ? (uint8_t)(division % 3) : PART_OUTER;
        size[part[i]] *= numbers->coordinate[i].count;
    }
    if (size[PART_COLUMN] > CUT_ORDERS_MAX || (numbers->has_cut && size[PART_COLUMN] > numbers->cut.orders) ||
        size[PART_ROW] * pz_row_positions((uint32_t)size[PART_COLUMN]) > RUN_POSITIONS_MAX)
        return false;
    *worth = cost(choice, part, size[PART_ROW], size[PART_COLUMN]);
    return true;
}

/* Says which coordinate belongs to which part. Returns false if there is no good way. */
static bool choose_parts(struct twist_numbers *numbers)
{
    struct numbers_choice choice = {.numbers = numbers};
    uint8_t part[COORDINATES_MAX] = {0};
    unsigned divisions = 1;
    double best = 0;
    bool found = false;
    note_moves(&choice);
    for (unsigned i = 0; i < numbers->coordinates && i < TRIED_MAX; i++)
        divisions *= 3;
    for (unsigned division = 0; division < divisions; division++) {
        double worth = 0;
        if (!try_division(&choice, division, part, &worth) || (found && worth >= best))
            continue;
        found = true;
        best = worth;
        for (unsigned i = 0; i < numbers->coordinates; i++)
            numbers->part[i] = part[i];
    }
    return found;
}

/* ---- making them ---- */

static void weigh(struct twist_numbers *numbers)
{
    uint64_t size[3] = {1, 1, 1};
    for (unsigned i = 0; i < numbers->coordinates; i++) {
        numbers->weight[i] = size[numbers->part[i]];
        size[numbers->part[i]] *= numbers->coordinate[i].count;
    }
    numbers->shown_weight = size[PART_OUTER];
    numbers->outers = size[PART_OUTER] * (numbers->has_cut ? numbers->cut.shown.count : 1);
    numbers->rows = (uint32_t)size[PART_ROW];
    numbers->columns = numbers->has_cut ? numbers->cut.orders : (uint32_t)size[PART_COLUMN];
}

/* Notes the codes that no coordinate has: the first value of each is the solved one. */
static void note_still(struct twist_numbers *numbers)
{
    uint8_t placed[TWIST_PLACES_MAX] = {0};
    for (unsigned i = 0; i < numbers->coordinates; i++)
        coordinate_put(numbers->twist, &numbers->coordinate[i], 0, placed);
    if (numbers->has_cut)
        cut_put(&numbers->cut, 0, cut_order(&numbers->cut, 0, numbers->twist->solved), placed);
    for (unsigned i = 0; i < numbers->twist->places; i++)
        numbers->still[i] = (uint8_t)(numbers->twist->solved[i] - placed[i]);
}

/* Numbers have at most 48 bits. */
static bool has_too_many(const struct twist_numbers *numbers)
{
    double count = numbers->has_cut ? (double)numbers->cut.orders * numbers->cut.shown.count : 1;
    for (unsigned i = 0; i < numbers->coordinates; i++)
        count *= numbers->coordinate[i].count;
    return count > (double)(UINT64_C(1) << 48);
}

bool twist_numbers_new(const struct twist *twist, struct twist_numbers **out)
{
    struct twist_numbers *numbers = calloc(1, sizeof *numbers);
    *out = numbers;
    if (numbers == NULL)
        return false;
    numbers->twist = twist;
    enum listing listing = add_all(numbers);
    if (listing == LISTED)
        listing = join_all(numbers);
    if (listing == LISTED && !has_too_many(numbers) && choose_parts(numbers)) {
        weigh(numbers);
        note_still(numbers);
        return true;
    }
    twist_numbers_free(numbers);
    *out = NULL;
    return listing != LISTING_NO_MEMORY;
}

void twist_numbers_free(struct twist_numbers *numbers)
{
    if (numbers == NULL)
        return;
    for (unsigned i = 0; i < numbers->coordinates; i++)
        coordinate_clear(&numbers->coordinate[i]);
    coordinate_clear(&numbers->cut.shown);
    free(numbers);
}

uint64_t twist_numbers_count(const struct twist_numbers *numbers)
{
    return numbers->outers * numbers->rows * numbers->columns;
}

uint64_t twist_numbers_rank(const struct twist_numbers *numbers, const uint8_t *state)
{
    uint64_t number[3] = {0, 0, 0};
    if (!coordinate_view_same(numbers->twist, &numbers->untold, state, numbers->twist->solved))
        return UINT64_MAX;
    for (unsigned i = 0; i < numbers->coordinates; i++) {
        const struct coordinate *coordinate = &numbers->coordinate[i];
        const uint32_t value = coordinate_of(numbers->twist, coordinate, state);
        if (value == coordinate->count)
            return UINT64_MAX;
        number[numbers->part[i]] += (uint64_t)value * numbers->weight[i];
    }
    if (numbers->has_cut) {
        const struct cut *cut = &numbers->cut;
        const uint32_t shown = coordinate_of(numbers->twist, &cut->shown, state);
        if (shown == cut->shown.count || !cut_reaches(cut, state))
            return UINT64_MAX;
        number[PART_OUTER] += shown * numbers->shown_weight;
        number[PART_COLUMN] = cut_order(cut, shown, state);
    }
    return (number[PART_OUTER] * numbers->rows + number[PART_ROW]) * numbers->columns + number[PART_COLUMN];
}

void twist_numbers_unrank(const struct twist_numbers *numbers, uint64_t number, uint8_t *state)
{
    assert(number < twist_numbers_count(numbers));
    const uint64_t run = number / numbers->columns;
    const uint64_t of_part[3] = {run / numbers->rows, run % numbers->rows, number % numbers->columns};
    /* Places that nothing moves are in no coordinate. */
    memcpy(state, numbers->still, numbers->twist->places);
    for (unsigned i = 0; i < numbers->coordinates; i++) {
        const struct coordinate *coordinate = &numbers->coordinate[i];
        const uint64_t value = of_part[numbers->part[i]] / numbers->weight[i] % coordinate->count;
        coordinate_put(numbers->twist, coordinate, (uint32_t)value, state);
    }
    if (numbers->has_cut)
        cut_put(&numbers->cut, (uint32_t)(of_part[PART_OUTER] / numbers->shown_weight),
                (uint32_t)of_part[PART_COLUMN], state);
}

unsigned twist_numbers_parts(const struct twist_numbers *numbers, struct twist_part out[TWIST_PARTS_MAX])
{
    const uint64_t within[3] = {(uint64_t)numbers->rows * numbers->columns, numbers->columns, 1};
    _Static_assert((int)COORDINATES_MAX <= (int)TWIST_PARTS_MAX, "all have room");
    for (unsigned i = 0; i < numbers->coordinates && !numbers->has_cut; i++)
        out[i] = (struct twist_part){.next = numbers->coordinate[i].next,
                                     .count = numbers->coordinate[i].count,
                                     .weight = numbers->weight[i] * within[numbers->part[i]]};
    return numbers->has_cut ? 0 : numbers->coordinates;
}

/* ---- made when they are first asked for ---- */

struct twist_lazy {
    twist_describe *describe;
    const void *context;
    pthread_mutex_t lock; /* of those below until they are made */
    bool made;
    struct twist *twist;
    struct twist_numbers *numbers;
};

struct twist_lazy *twist_lazy_new(twist_describe *describe, const void *context)
{
    struct twist_lazy *lazy = calloc(1, sizeof *lazy);
    if (lazy == NULL)
        return NULL;
    lazy->describe = describe;
    lazy->context = context;
    (void)pthread_mutex_init(&lazy->lock, NULL);
    return lazy;
}

void twist_lazy_free(struct twist_lazy *lazy)
{
    if (lazy == NULL)
        return;
    twist_numbers_free(lazy->numbers);
    free(lazy->twist);
    (void)pthread_mutex_destroy(&lazy->lock);
    free(lazy);
}

/* Returns false without memory: the next one who asks tries again. */
static bool make_numbers(struct twist_lazy *lazy)
{
    struct twist *twist = calloc(1, sizeof *twist);
    if (twist == NULL)
        return false;
    lazy->describe(lazy->context, twist);
    if (!twist_numbers_new(twist, &lazy->numbers)) {
        free(twist);
        return false;
    }
    lazy->twist = twist;
    return true;
}

const struct twist_numbers *twist_lazy_numbers(struct twist_lazy *lazy)
{
    (void)pthread_mutex_lock(&lazy->lock);
    if (!lazy->made)
        lazy->made = make_numbers(lazy);
    const struct twist_numbers *numbers = lazy->numbers;
    (void)pthread_mutex_unlock(&lazy->lock);
    return numbers;
}

uint64_t twist_lazy_count(struct twist_lazy *lazy)
{
    const struct twist_numbers *numbers = twist_lazy_numbers(lazy);
    return numbers != NULL ? twist_numbers_count(numbers) : 0;
}

struct pz_runs *twist_lazy_runs(struct twist_lazy *lazy)
{
    return twist_runs_new(twist_lazy_numbers(lazy));
}
