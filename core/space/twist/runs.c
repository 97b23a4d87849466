/* SPDX-License-Identifier: MIT */
/* The runs of twist_numbers.h: how moves carry them. */
#include "space/twist/alignment.h"
#include "space/twist/numbers_own.h"
#include "space/twist/twist_numbers.h"

#include <assert.h>
#include <stdlib.h>

struct twist_runs {
    struct pz_runs base; /* first: a twist_runs is a pz_runs */
    const struct twist_numbers *numbers;
    uint32_t *rows[TWIST_MOVES_MAX];    /* NULL: as they are */
    uint16_t *columns[TWIST_MOVES_MAX]; /* NULL: as they are, or by the cut */
    struct cut_tables cut;
    struct alignment alignment;
};

/* Returns what a move makes of a number within a part. */
static uint64_t step_part(const struct twist_numbers *numbers, enum part part, unsigned move, uint64_t number)
{
    uint64_t then = 0;
    assert(move < numbers->twist->moves);
    for (unsigned i = 0; i < numbers->coordinates; i++) {
        const struct coordinate *coordinate = &numbers->coordinate[i];
        if (numbers->part[i] != part)
            continue;
        const uint64_t value = number / numbers->weight[i] % coordinate->count;
        then += (uint64_t)coordinate->next[(size_t)move * coordinate->count + value] * numbers->weight[i];
    }
    return then;
}

static void edge_by_number(const struct pz_runs *base, unsigned move, uint64_t outer, struct pz_edge *edge)
{
    const struct twist_runs *runs = (const struct twist_runs *)base;
    const struct twist_numbers *numbers = runs->numbers;
    *edge = (struct pz_edge){.outer = step_part(numbers, PART_OUTER, move, outer),
                             .rows = runs->rows[move],
                             .columns = runs->columns[move]};
    if (numbers->has_cut) {
        const struct coordinate *shown = &numbers->cut.shown;
        const size_t at = (size_t)move * shown->count + outer / numbers->shown_weight;
        edge->outer += shown->next[at] * numbers->shown_weight;
        edge->columns = runs->cut.of[at] != 0 ? runs->cut.tables[runs->cut.of[at] - 1] : NULL;
    }
}

static void twist_edge(const struct pz_runs *base, unsigned move, uint64_t outer, struct pz_edge *edge)
{
    const struct alignment *alignment = &((const struct twist_runs *)base)->alignment;
    edge_by_number(base, move, outer, edge);
    if (alignment->weight == 0)
        return;
    const size_t at = (size_t)move * alignment->values + alignment_value(alignment, outer);
    edge->rows = alignment->step[at].rows;
    edge->columns = alignment->step[at].columns;
}

static unsigned twist_inverse(const struct pz_runs *base, unsigned move)
{
    return ((const struct twist_runs *)base)->numbers->twist->inverse[move];
}

static void twist_runs_close(struct pz_runs *base)
{
    struct twist_runs *runs = (struct twist_runs *)base;
    if (runs == NULL)
        return;
    for (unsigned move = 0; move < TWIST_MOVES_MAX; move++) {
        free(runs->rows[move]);
        free(runs->columns[move]);
    }
    alignment_clear(&runs->alignment);
    cut_tables_clear(&runs->cut);
    free(runs);
}

/* Fills the table of a move's rows; none where they stay as they are. */
static bool fill_rows(struct twist_runs *runs, unsigned move)
{
    const struct twist_numbers *numbers = runs->numbers;
    const uint32_t positions = pz_row_positions(numbers->columns);
    bool changed = false;
    uint32_t *table = malloc(numbers->rows * sizeof *table);
    for (uint32_t row = 0; table != NULL && row < numbers->rows; row++) {
        const uint32_t then = (uint32_t)step_part(numbers, PART_ROW, move, row);
        changed = changed || then != row;
        table[row] = then * positions;
    }
    runs->rows[move] = changed ? table : NULL;
    if (table != NULL && !changed)
        free(table);
    return table != NULL;
}

static bool fill_columns(struct twist_runs *runs, unsigned move)
{
    const struct twist_numbers *numbers = runs->numbers;
    bool changed = false;
    uint16_t *table = malloc(numbers->columns * sizeof *table);
    for (uint32_t column = 0; table != NULL && column < numbers->columns; column++) {
        table[column] = (uint16_t)step_part(numbers, PART_COLUMN, move, column);
        changed = changed || table[column] != column;
    }
    runs->columns[move] = changed ? table : NULL;
    if (table != NULL && !changed)
        free(table);
    return table != NULL;
}

static bool twist_prepare(struct pz_runs *base)
{
    struct twist_runs *runs = (struct twist_runs *)base;
    const struct twist_numbers *numbers = runs->numbers;
    bool made = !numbers->has_cut || cut_tables_init(&runs->cut, &numbers->cut);
    for (unsigned move = 0; made && move < numbers->twist->moves; move++)
        made = fill_rows(runs, move) && (numbers->has_cut || fill_columns(runs, move));
    return made;
}

/* ---- aligned ---- */

/* Returns how many coordinates the runs may be aligned by: with a cut, whose shown value changes columns, it
 * is this value alone. */
static unsigned count_choices(const struct twist_numbers *numbers)
{
    return numbers->has_cut ? 1 : numbers->coordinates;
}

/* Describes the moves for one of them. values: 0 if it is not in the outer number. */
static struct alignment_moves twist_moves_by(const struct twist_runs *runs, unsigned choice)
{
    const struct twist_numbers *numbers = runs->numbers;
    struct alignment_moves moves = {.twist = numbers->twist,
                                    .runs = &runs->base,
                                    .edge = edge_by_number,
                                    .weight = numbers->shown_weight};
    if (numbers->has_cut) {
        moves.values = numbers->cut.shown.count;
    } else if (numbers->part[choice] == PART_OUTER) {
        moves.weight = numbers->weight[choice];
        moves.values = numbers->coordinate[choice].count;
    }
    return moves;
}

static void twist_to_numbers(const struct pz_runs *base, uint64_t outer, struct pz_edge *edge)
{
    const struct alignment *alignment = &((const struct twist_runs *)base)->alignment;
    assert(alignment->weight > 0 && outer < base->outers);
    const struct alignment_step *way = &alignment->way[alignment_value(alignment, outer)];
    *edge = (struct pz_edge){.outer = outer, .rows = way->rows, .columns = way->columns};
}

static bool twist_align(struct pz_runs *base)
{
    struct twist_runs *runs = (struct twist_runs *)base;
    bool made = true;
    for (unsigned i = 0; made && i < count_choices(runs->numbers); i++) {
        const struct alignment_moves moves = twist_moves_by(runs, i);
        made = alignment_try(&runs->alignment, &moves);
    }
    base->to_numbers = runs->alignment.weight > 0 ? twist_to_numbers : NULL;
    return made;
}

static uint64_t align_bytes_of(const struct twist_runs *runs)
{
    uint64_t most = 0;
    for (unsigned i = 0; i < count_choices(runs->numbers); i++) {
        const struct alignment_moves moves = twist_moves_by(runs, i);
        const uint64_t bytes = alignment_bytes(&moves);
        most = bytes > most ? bytes : most;
    }
    return most;
}

/* Of a cut it is a guess: how many tables there are is known when they are made. */
static uint64_t run_bytes(const struct twist_numbers *numbers)
{
    const uint64_t tables =
        numbers->twist->moves * (numbers->has_cut ? 2 * (uint64_t)numbers->cut.hidden : 1);
    const uint64_t shown = numbers->has_cut ? numbers->cut.shown.count : 0;
    return tables * numbers->columns * sizeof(uint16_t) +
           numbers->twist->moves * (numbers->rows + shown) * sizeof(uint32_t);
}

struct pz_runs *twist_runs_new(const struct twist_numbers *numbers)
{
    struct twist_runs *runs = calloc(1, sizeof *runs);
    if (runs == NULL)
        return NULL;
    assert(numbers->columns > 0 && numbers->rows > 0 && numbers->columns <= UINT16_MAX + 1u);
    runs->numbers = numbers;
    runs->base = (struct pz_runs){.outers = numbers->outers,
                                  .rows = numbers->rows,
                                  .columns = numbers->columns,
                                  .moves = numbers->twist->moves,
                                  .bytes = run_bytes(numbers),
                                  .prepare = twist_prepare,
                                  .edge = twist_edge,
                                  .inverse = twist_inverse,
                                  .align = twist_align,
                                  .close = twist_runs_close};
    runs->base.align_bytes = align_bytes_of(runs);
    return &runs->base;
}
