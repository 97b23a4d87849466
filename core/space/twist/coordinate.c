/* SPDX-License-Identifier: MIT */
#include "space/twist/coordinate.h"

#include "base/random.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = sizeof(uint64_t) };

/* ---- views ---- */

static uint8_t view_code(const struct twist *twist, const struct view_column *column, const uint8_t *state)
{
    const unsigned turns = twist->set[twist->set_of[column->place]].turns;
    const unsigned code = state[column->place];
    switch ((enum twist_sight)column->sight) {
    case SEE_KIND:
        return (uint8_t)(code / turns);
    case SEE_TURN:
        return (uint8_t)(code % turns);
    case SEE_SHOWN:
        return (uint8_t)(code / turns < column->hidden ? code / turns : column->hidden);
    case SEE_BOTH:
        break;
    }
    return (uint8_t)code;
}

static void look_at_all(const struct twist *twist, const struct coordinate *coordinate, const uint8_t *state,
                        uint8_t *view)
{
    memset(view, 0, coordinate->values.state_bytes);
    for (unsigned i = 0; i < coordinate->view.columns; i++)
        view[i] = view_code(twist, &coordinate->view.column[i], state);
}

bool coordinate_view_same(const struct twist *twist, const struct coordinate_view *view, const uint8_t *a,
                          const uint8_t *b)
{
    for (unsigned i = 0; i < view->columns; i++)
        if (view_code(twist, &view->column[i], a) != view_code(twist, &view->column[i], b))
            return false;
    return true;
}

/* One move's change of a view: column i becomes map[i][column from[i]]. */
struct view_move {
    uint8_t from[VIEW_COLUMNS_MAX];
    const uint8_t *map[VIEW_COLUMNS_MAX]; /* NULL: as it is */
    unsigned turn[VIEW_COLUMNS_MAX], turns[VIEW_COLUMNS_MAX];
};

static unsigned column_of(const struct coordinate_view *view, unsigned place, unsigned sight)
{
    unsigned i = 0;
    while (view->column[i].place != place || view->column[i].sight != sight)
        i++;
    return i;
}

static void view_move_init(const struct twist *twist, const struct coordinate_view *view, unsigned move,
                           struct view_move *out)
{
    const struct twist_move *permutation = &twist->move[move];
    for (unsigned i = 0; i < view->columns; i++) {
        const struct view_column *column = &view->column[i];
        const unsigned set = twist->set_of[column->place];
        const unsigned turn = permutation->turn[column->place];
        out->from[i] = (uint8_t)column_of(view, permutation->from[column->place], column->sight);
        out->map[i] = column->sight == SEE_BOTH ? twist->turned[set][turn] : NULL;
        out->turn[i] = column->sight == SEE_TURN ? turn : 0;
        out->turns[i] = twist->set[set].turns;
    }
}

static void view_move_apply(const struct view_move *move, unsigned columns, const uint8_t *view, uint8_t *out)
{
    for (unsigned i = 0; i < columns; i++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.ArraySubscript): all columns are filled */
        const uint8_t was = view[move->from[i]];
        if (move->map[i] != NULL)
            /* A view has a byte for each of its columns. */
            /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.ArraySubscript) */
            out[i] = move->map[i][was];
        else if (move->turn[i] == 0)
            out[i] = was;
        else
            out[i] =
                (uint8_t)(was + move->turn[i] - (was + move->turn[i] >= move->turns[i] ? move->turns[i] : 0));
    }
}

/* ---- the list ---- */

static const uint8_t *value_view(const struct coordinate *coordinate, uint32_t value)
{
    return state_table_at(&coordinate->values, value);
}

/* Lists a view if it is new. */
static enum listing take_view(struct coordinate *coordinate, const uint8_t *view, unsigned move,
                              uint32_t most)
{
    const uint32_t value = state_table_add(&coordinate->values, view);
    if (value == STATE_TABLE_NONE)
        return coordinate->count == most ? LISTING_TOO_LARGE : LISTING_NO_MEMORY;
    if (value == coordinate->count)
        coordinate->values.own[coordinate->count++] = (uint8_t)move;
    return LISTED;
}

/* Fills the table of one move for the values from first on, and lists the new ones. */
static enum listing step_values(struct coordinate *coordinate, const struct view_move *moves, unsigned count,
                                uint32_t most)
{
    uint8_t view[VIEW_COLUMNS_MAX] = {0};
    for (uint32_t value = 0; value < coordinate->count; value++) {
        for (unsigned move = 0; move < count; move++) {
            view_move_apply(&moves[move], coordinate->view.columns, value_view(coordinate, value), view);
            const enum listing listing = take_view(coordinate, view, move, most);
            if (listing != LISTED)
                return listing;
        }
    }
    return LISTED;
}

static bool fill_next(struct coordinate *coordinate, const struct view_move *moves, unsigned count)
{
    uint8_t view[VIEW_COLUMNS_MAX] = {0};
    coordinate->next = malloc(((size_t)count * coordinate->count + 1) * sizeof *coordinate->next);
    for (unsigned move = 0; coordinate->next != NULL && move < count; move++) {
        for (uint32_t value = 0; value < coordinate->count; value++) {
            view_move_apply(&moves[move], coordinate->view.columns, value_view(coordinate, value), view);
            coordinate->next[(size_t)move * coordinate->count + value] =
                state_table_find(&coordinate->values, view);
        }
    }
    return coordinate->next != NULL;
}

enum listing coordinate_list(const struct twist *twist, const struct coordinate_view *view, uint32_t most,
                             struct coordinate *out)
{
    uint8_t solved[VIEW_COLUMNS_MAX];
    struct view_move *moves = calloc(twist->moves + 1, sizeof *moves);
    enum listing listing = LISTING_NO_MEMORY;
    *out = (struct coordinate){.view = *view};
    if (state_table_init_alone(&out->values, most, (view->columns + WORD - 1) / WORD * WORD, 1) &&
        moves != NULL) {
        for (unsigned move = 0; move < twist->moves; move++)
            view_move_init(twist, view, move, &moves[move]);
        look_at_all(twist, out, twist->solved, solved);
        listing = take_view(out, solved, 0, most);
    }
    if (listing == LISTED)
        listing = step_values(out, moves, twist->moves, most);
    if (listing == LISTED && !fill_next(out, moves, twist->moves))
        listing = LISTING_NO_MEMORY;
    if (listing != LISTED)
        coordinate_clear(out);
    free(moves);
    return listing;
}

void coordinate_clear(struct coordinate *coordinate)
{
    state_table_clear(&coordinate->values);
    free(coordinate->next);
    *coordinate = (struct coordinate){0};
}

uint32_t coordinate_of(const struct twist *twist, const struct coordinate *coordinate, const uint8_t *state)
{
    uint8_t view[VIEW_COLUMNS_MAX];
    look_at_all(twist, coordinate, state, view);
    const uint32_t value = state_table_find(&coordinate->values, view);
    return value != STATE_TABLE_NONE ? value : coordinate->count;
}

void coordinate_put(const struct twist *twist, const struct coordinate *coordinate, uint32_t value,
                    uint8_t *state)
{
    const uint8_t *view = value_view(coordinate, value);
    bool seen[TWIST_PLACES_MAX][2] = {{false}}; /* kind, turn: joined views may show a thing twice */
    for (unsigned i = 0; i < coordinate->view.columns; i++) {
        const struct view_column *column = &coordinate->view.column[i];
        const unsigned turns = twist->set[twist->set_of[column->place]].turns;
        bool *known = &seen[column->place][column->sight == SEE_TURN];
        if (column->sight == SEE_SHOWN || *known)
            continue;
        *known = true;
        state[column->place] =
            (uint8_t)(state[column->place] + view[i] * (column->sight == SEE_KIND ? turns : 1));
    }
}

/* ---- do two coordinates depend on each other? ---- */

/* Moves of b that leave a's first value where it is are random words of moves, followed by the way back of a.
 * Where they take all values of b to each other, every pair of values is reached. */
enum { RANDOM_WORDS = 24, WORD_MOVES = 40 };

static void step_all(const struct coordinate *b, unsigned move, uint32_t *places)
{
    const uint32_t *next = b->next + (size_t)move * b->count;
    for (uint32_t value = 0; value < b->count; value++)
        places[value] = next[places[value]];
}

static void random_return(const struct twist *twist, const struct coordinate *a, const struct coordinate *b,
                          struct random *random, uint32_t *places)
{
    uint32_t at = 0;
    for (uint32_t value = 0; value < b->count; value++)
        places[value] = value;
    for (unsigned i = 0; i < WORD_MOVES; i++) {
        const unsigned move = (unsigned)random_below(random, twist->moves);
        at = a->next[(size_t)move * a->count + at];
        step_all(b, move, places);
    }
    while (at != 0) {
        const unsigned move = twist->inverse[a->values.own[at]];
        at = a->next[(size_t)move * a->count + at];
        step_all(b, move, places);
    }
}

static uint32_t root_of(uint32_t *forest, uint32_t value)
{
    while (forest[value] != value)
        value = forest[value] = forest[forest[value]];
    return value;
}

uint32_t coordinate_free_values(const struct twist *twist, const struct coordinate *a,
                                const struct coordinate *b)
{
    uint32_t *places = malloc(2 * (size_t)b->count * sizeof *places);
    struct random random = {.state = 1};
    uint32_t with_first = 0;
    if (places == NULL)
        return 0;
    uint32_t *forest = places + b->count;
    for (uint32_t value = 0; value < b->count; value++)
        forest[value] = value;
    for (unsigned word = 0; word < RANDOM_WORDS && with_first < b->count; word++) {
        random_return(twist, a, b, &random, places);
        for (uint32_t value = 0; value < b->count; value++)
            forest[root_of(forest, value)] = root_of(forest, places[value]);
        with_first = 0;
        for (uint32_t value = 0; value < b->count; value++)
            with_first += root_of(forest, value) == root_of(forest, 0);
    }
    free(places);
    return with_first;
}
