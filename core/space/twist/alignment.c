/* SPDX-License-Identifier: MIT */
#include "space/twist/alignment.h"

#include "base/table/state_table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    POWERS_MAX = 64,
    MOVES_A_POWER = 5,     /* of so many moves at least one is a power */
    STEPS_MAX = 1 << 20,   /* moves × values */
    MADE_MAX = 1 << 11,    /* steps that are made, */
    ENTRIES_MAX = 1 << 20, /* and entries of their tables */
    COLUMNS_WEIGH = 20     /* times as much as rows, whose words are carried whole */
};
static const double SHARE_MAX = 0.8; /* less gain is not worth it */

/* ---- powers ---- */

/* Notes which moves are powers of one. Returns how many. */
static unsigned find_powers(const struct twist *twist, unsigned move, uint8_t powers[POWERS_MAX])
{
    struct twist_move power = twist->move[move], next;
    unsigned count = 0;
    for (unsigned i = 0; i < POWERS_MAX; i++) {
        unsigned same = 0;
        while (same < twist->moves && !twist_same_move(twist, &twist->move[same], &power))
            same++;
        if (same < twist->moves)
            powers[count++] = (uint8_t)same;
        twist_compose(twist, &power, &twist->move[move], &next);
        power = next;
        if (twist_same_move(twist, &power, &twist->move[move]))
            break;
    }
    return count;
}

/* Notes the powers of the move that has most of them. Returns how many; 0 for too few. */
static unsigned find_most_powers(const struct twist *twist, uint8_t most[POWERS_MAX])
{
    unsigned count = 0;
    for (unsigned move = 0; move < twist->moves; move++) {
        uint8_t powers[POWERS_MAX];
        const unsigned found = find_powers(twist, move, powers);
        if (found <= count)
            continue;
        count = found;
        memcpy(most, powers, found);
    }
    return count * MOVES_A_POWER >= twist->moves ? count : 0;
}

/* ---- steps of three ---- */

/* The way of a run, a move, and the way of the run it leads to, which is gone back. */
struct three_steps {
    struct alignment_step way, move, other;
};

/* Makes each step once. */
struct composer {
    const struct pz_runs *runs;
    struct alignment_step *made;
    uint32_t count, most;
    bool is_full;
    uint32_t *back, *then;   /* scratch: an entry for each row or column */
    struct state_table keys; /* struct three_steps: of what is made */
};

static uint32_t goes(const struct pz_runs *runs, const struct alignment_step *step, bool column, uint32_t at)
{
    if (column)
        return step->columns != NULL ? step->columns[at] : at;
    return step->rows != NULL ? step->rows[at] / pz_row_positions(runs->columns) : at;
}

/* Fills in what becomes of each row, or of each column. Returns true if any changes. */
static bool fill_then(const struct composer *composer, const struct three_steps *key, bool column)
{
    const struct pz_runs *runs = composer->runs;
    const uint32_t size = column ? runs->columns : runs->rows;
    bool changes = false;
    for (uint32_t i = 0; i < size; i++) {
        assert(goes(runs, &key->other, column, i) < size && goes(runs, &key->way, column, i) < size);
        composer->back[goes(runs, &key->other, column, i)] = i;
    }
    for (uint32_t i = 0; i < size; i++) {
        const uint32_t number = goes(runs, &key->way, column, i);
        assert(goes(runs, &key->move, column, number) < size);
        composer->then[i] = composer->back[goes(runs, &key->move, column, number)];
        changes = changes || composer->then[i] != i;
    }
    return changes;
}

static bool make_step(const struct composer *composer, const struct three_steps *key,
                      struct alignment_step *out)
{
    const struct pz_runs *runs = composer->runs;
    uint32_t *rows = NULL;
    uint16_t *columns = NULL;
    const bool rows_change = fill_then(composer, key, false);
    if (rows_change)
        rows = malloc(runs->rows * sizeof *rows);
    for (uint32_t i = 0; rows != NULL && i < runs->rows; i++)
        rows[i] = composer->then[i] * pz_row_positions(runs->columns);
    const bool columns_change = fill_then(composer, key, true);
    if (columns_change)
        columns = malloc(runs->columns * sizeof *columns);
    for (uint32_t i = 0; columns != NULL && i < runs->columns; i++)
        columns[i] = (uint16_t)composer->then[i];
    *out = (struct alignment_step){rows, columns};
    return (!rows_change || rows != NULL) && (!columns_change || columns != NULL);
}

/* Finds the step made of three, or makes it. Returns false without memory, and if there are too many. */
static bool take_step(struct composer *composer, const struct three_steps *key, struct alignment_step *out)
{
    const uint32_t number = state_table_add(&composer->keys, key);
    composer->is_full = number == STATE_TABLE_NONE && composer->count == composer->most;
    if (number == STATE_TABLE_NONE ||
        (number == composer->count && !make_step(composer, key, &composer->made[composer->count++])))
        return false;
    *out = composer->made[number];
    return true;
}

static uint32_t most_made(const struct pz_runs *runs)
{
    const uint32_t most = ENTRIES_MAX / (runs->rows + runs->columns);
    return most < MADE_MAX ? most : MADE_MAX;
}

/* Returns false without memory. It is cleared also then. */
static bool composer_init(struct composer *composer, const struct pz_runs *runs, struct alignment_step *made)
{
    const uint32_t size = runs->rows > runs->columns ? runs->rows : runs->columns;
    *composer = (struct composer){.runs = runs, .made = made, .most = most_made(runs)};
    composer->back = calloc(size, sizeof *composer->back);
    composer->then = calloc(size, sizeof *composer->then);
    return state_table_init_alone(&composer->keys, composer->most, sizeof(struct three_steps), 1) &&
           composer->back != NULL && composer->then != NULL;
}

static void composer_clear(struct composer *composer)
{
    free(composer->back);
    free(composer->then);
    state_table_clear(&composer->keys);
}

/* ---- aligning ---- */

static uint32_t find_aligned_edge(const struct alignment_moves *moves, unsigned move, uint32_t value,
                                  struct alignment_step *step)
{
    struct pz_edge edge;
    moves->edge(moves->runs, move, value * moves->weight, &edge);
    assert(edge.outer < moves->runs->outers); /* each move takes each run somewhere, and each column */
    *step = (struct alignment_step){edge.rows, edge.columns};
    return (uint32_t)(edge.outer / moves->weight % moves->values);
}

/* Finds the ways; those of the bases change nothing. */
static void find_ways(struct alignment *alignment, const struct alignment_moves *moves, const uint8_t *powers,
                      unsigned count, bool *has_way)
{
    for (uint32_t base = 0; base < moves->values; base++) {
        if (has_way[base])
            continue;
        has_way[base] = true;
        for (unsigned i = 0; i < count; i++) {
            struct alignment_step step;
            const uint32_t value = find_aligned_edge(moves, powers[i], base, &step);
            if (!has_way[value])
                alignment->way[value] = step;
            has_way[value] = true;
        }
    }
}

static uint64_t work_of(const struct alignment_step *step)
{
    return step->columns != NULL ? COLUMNS_WEIGH : step->rows != NULL;
}

static bool make_steps(struct alignment *alignment, const struct alignment_moves *moves,
                       struct composer *composer)
{
    uint64_t by_number = 0, aligned = 0;
    for (unsigned move = 0; move < moves->runs->moves; move++) {
        for (uint32_t value = 0; value < moves->values; value++) {
            struct alignment_step *out = &alignment->step[(size_t)move * moves->values + value];
            struct three_steps key = {.way = alignment->way[value]};
            key.other = alignment->way[find_aligned_edge(moves, move, value, &key.move)];
            const bool taken = take_step(composer, &key, out);
            alignment->count = composer->count;
            if (!taken)
                return false;
            by_number += work_of(&key.move);
            aligned += work_of(out);
        }
    }
    alignment->share = by_number > 0 ? (double)aligned / (double)by_number : 1;
    return true;
}

uint64_t alignment_bytes(const struct alignment_moves *moves)
{
    const struct pz_runs *runs = moves->runs;
    const uint64_t steps = (uint64_t)runs->moves * moves->values;
    uint8_t powers[POWERS_MAX];
    if (steps == 0 || steps > STEPS_MAX || find_most_powers(moves->twist, powers) == 0)
        return 0;
    const uint64_t made = steps < most_made(runs) ? steps : most_made(runs);
    return (steps + moves->values + most_made(runs)) * sizeof(struct alignment_step) +
           made * (runs->rows * sizeof(uint32_t) + runs->columns * sizeof(uint16_t));
}

bool alignment_try(struct alignment *alignment, const struct alignment_moves *moves)
{
    uint8_t powers[POWERS_MAX];
    const unsigned count = find_most_powers(moves->twist, powers);
    if (alignment_bytes(moves) == 0)
        return true;
    struct alignment next = {.weight = moves->weight, .values = moves->values};
    next.way = calloc(moves->values, sizeof *next.way);
    next.step = calloc((size_t)moves->runs->moves * moves->values, sizeof *next.step);
    next.made = calloc(most_made(moves->runs), sizeof *next.made);
    bool *has_way = calloc(moves->values, sizeof *has_way);
    struct composer composer;
    bool made = composer_init(&composer, moves->runs, next.made) && next.way != NULL && next.step != NULL &&
                next.made != NULL && has_way != NULL;
    if (made) {
        find_ways(&next, moves, powers, count, has_way);
        made = make_steps(&next, moves, &composer);
        if (made && next.share < (alignment->weight > 0 ? alignment->share : SHARE_MAX)) {
            const struct alignment last = *alignment;
            *alignment = next;
            next = last;
        }
        made = made || composer.is_full;
    }
    free(has_way);
    composer_clear(&composer);
    alignment_clear(&next);
    return made;
}

void alignment_clear(struct alignment *alignment)
{
    for (uint32_t i = 0; i < alignment->count; i++) {
        free((void *)alignment->made[i].rows);
        free((void *)alignment->made[i].columns);
    }
    free(alignment->made);
    free(alignment->way);
    free(alignment->step);
    *alignment = (struct alignment){0};
}
