/* SPDX-License-Identifier: MIT */
/* Runs that are aligned (space/twist/alignment.h): edges lead where moves do, and more of them keep columns.
 */
#include "spinner.h"
#include "test_support.h"

#include "base/random.h"
#include "space/text/tws/tws_rules.h"
#include "space/twist/twist_numbers.h"

#include <string.h>

enum { PROBES = 4000 };

static struct tws_file file;
static struct tws_rules rules;

static struct twist_numbers *numbers_of(const char *text, enum tws_metric metric)
{
    struct twist_numbers *numbers = NULL;
    struct pz_error error = {0};
    assert_ok(tws_read(text, strlen(text), &file, &error), error);
    assert_ok(tws_rules_make(&file, metric, &rules, &error), error);
    assert_true(twist_numbers_new(&rules.twist, &numbers));
    assert_non_null(numbers);
    return numbers;
}

/* A row and a column of a run. */
struct spot {
    uint64_t outer, row, column;
};

static struct spot follow(const struct pz_runs *runs, const struct pz_edge *edge, struct spot spot)
{
    return (struct spot){
        edge->outer,
        edge->rows != NULL ? edge->rows[spot.row] / pz_row_positions(runs->columns) : spot.row,
        edge->columns != NULL ? edge->columns[spot.column] : spot.column,
    };
}

static uint64_t number_at(const struct pz_runs *runs, struct spot spot)
{
    struct pz_edge to_number = {.outer = spot.outer};
    if (runs->to_numbers != NULL)
        runs->to_numbers(runs, spot.outer, &to_number);
    spot = follow(runs, &to_number, spot);
    return (spot.outer * runs->rows + spot.row) * runs->columns + spot.column;
}

/* Returns how many of so many random edges keep the columns. */
static unsigned check_edges(const struct twist_numbers *numbers, bool align)
{
    struct random random = {.state = 2};
    struct pz_runs *runs = twist_runs_new(numbers);
    unsigned kept = 0;
    assert_true(runs->prepare(runs) && (!align || runs->align(runs)));
    for (unsigned i = 0; i < PROBES; i++) {
        uint8_t state[TWIST_PLACES_MAX] = {0}, moved[TWIST_PLACES_MAX] = {0};
        const unsigned move = (unsigned)random_below(&random, rules.twist.moves);
        const struct spot spot = {random_below(&random, runs->outers), random_below(&random, runs->rows),
                                  random_below(&random, runs->columns)};
        struct pz_edge edge, back;
        runs->edge(runs, move, spot.outer, &edge);
        runs->edge(runs, runs->inverse(runs, move), edge.outer, &back);
        twist_numbers_unrank(numbers, number_at(runs, spot), state);
        twist_apply(&rules.twist, move, state, moved);
        const struct spot then = follow(runs, &edge, spot), again = follow(runs, &back, then);
        assert_int_equal(number_at(runs, then), twist_numbers_rank(numbers, moved));
        assert_memory_equal(&again, &spot, sizeof spot);
        kept += edge.columns == NULL;
    }
    runs->close(runs);
    return kept;
}

/* Four of five moves are powers of one; by quarter turns two of three, which join three of the five runs of
 * an orbit by two edges. */
TEST(powers_of_one_move_keep_the_columns)
{
    static const struct {
        const char *text;
        enum tws_metric metric;
        uint64_t states;
        unsigned percent; /* of the edges */
    } rows[] = {{spinner, TWS_TURN, 311850, 80},
                {spinner, TWS_QUARTER, 311850, 40},
                {spinner_with_cut, TWS_TURN, 83160, 80}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct twist_numbers *numbers = numbers_of(rows[i].text, rows[i].metric);
        assert_int_equal(twist_numbers_count(numbers), rows[i].states);
        assert_in_range(check_edges(numbers, false), 0, 3 * PROBES / 100);
        assert_in_range(check_edges(numbers, true), (rows[i].percent - 3) * PROBES / 100,
                        (rows[i].percent + 3) * PROBES / 100);
        twist_numbers_free(numbers);
    }
}
