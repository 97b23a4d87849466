/* SPDX-License-Identifier: MIT */
/* A space as a graph, held against published counts and against plain rules. */
#include "test_support.h"

#include "explore/graph.h"
#include "space/registry.h"

/* Opens a puzzle and makes its graph. */
static struct pz_space *make(const char *puzzle, uint32_t depth, uint32_t most, struct graph *graph)
{
    const struct pz_setup setup = {0};
    struct pz_space *space = NULL;
    struct pz_error error;
    uint64_t root[PZ_STATE_MAX / 8] = {0};
    assert_int_equal(space_open(puzzle, &setup, &space, &error), PZ_OK);
    assert_int_equal(space->puzzle->root(space, root, &error), PZ_OK);
    assert_int_equal(graph_init(graph, space, root, depth, most, NULL, &error), PZ_OK);
    return space;
}

static void clear(struct graph *graph, struct pz_space *space)
{
    graph_clear(graph);
    space_close(space);
}

/* 2x3 has 360 states in 22 levels, and 2 × 7 edges for every 6 places of the blank. */
TEST(the_2x3_puzzle_has_its_known_states_levels_and_edges)
{
    static const uint32_t published[] = {1,  2,  3,  5,  6,  7,  10, 12, 12, 16, 23,
                                         25, 28, 39, 44, 40, 29, 21, 18, 12, 6,  1};
    struct graph graph;
    uint32_t counts[64] = {0};
    struct pz_space *space = make("2x3", EXPLORE_NO_LIMIT, 360, &graph);
    assert_int_equal(graph.count, 360);
    assert_int_equal(graph.depth, 21);
    assert_int_equal(graph.edges, 360 / 6 * 2 * 7);
    assert_true(graph.complete);
    for (uint32_t n = 0; n < graph.count; n++)
        counts[graph.levels[n]]++;
    for (unsigned level = 0; level < sizeof published / sizeof *published; level++)
        assert_int_equal(counts[level], published[level]);
    clear(&graph, space);
}

static bool leads_to(const struct graph *graph, uint32_t from, uint32_t to)
{
    for (size_t i = graph->first[from]; i < graph->first[from + 1]; i++)
        if (graph->targets[i] == to)
            return true;
    return false;
}

TEST(each_move_of_a_sliding_puzzle_leads_back_and_to_a_neighbouring_level)
{
    struct graph graph;
    struct pz_space *space = make("2x3", EXPLORE_NO_LIMIT, 1000, &graph);
    for (uint32_t n = 0; n < graph.count; n++) {
        for (size_t i = graph.first[n]; i < graph.first[n + 1]; i++) {
            uint32_t next = graph.targets[i];
            assert_true(leads_to(&graph, next, n));
            assert_int_equal(abs((int)graph.levels[next] - (int)graph.levels[n]), 1);
        }
    }
    clear(&graph, space);
}

/* Both jugs filled, emptied, poured: of the 16 states many moves change nothing or have the same end. */
TEST(moves_that_change_nothing_or_come_twice_are_left_out)
{
    struct graph graph;
    struct pz_space *space = make("jugs:3,5", EXPLORE_NO_LIMIT, 16, &graph);
    assert_int_equal(graph.count, 16);
    for (uint32_t n = 0; n < graph.count; n++) {
        assert_false(leads_to(&graph, n, n));
        for (size_t i = graph.first[n]; i < graph.first[n + 1]; i++)
            for (size_t j = i + 1; j < graph.first[n + 1]; j++)
                assert_int_not_equal(graph.targets[i], graph.targets[j]);
    }
    clear(&graph, space);
}

TEST(a_bounded_graph_ends_at_its_level_and_says_that_more_is_there)
{
    struct graph graph;
    struct pz_space *space = make("3x3", 4, 100, &graph);
    assert_int_equal(graph.count, 1 + 2 + 4 + 8 + 16);
    assert_int_equal(graph.depth, 4);
    assert_int_equal(graph.edges, 2 * 30);
    assert_false(graph.complete);
    clear(&graph, space);
}

TEST(one_state_too_many_is_refused)
{
    const struct pz_setup setup = {0};
    struct pz_space *space = NULL;
    struct pz_error error;
    struct graph graph;
    uint64_t root[PZ_STATE_MAX / 8] = {0};
    assert_int_equal(space_open("2x3", &setup, &space, &error), PZ_OK);
    assert_int_equal(space->puzzle->root(space, root, &error), PZ_OK);
    assert_int_equal(graph_init(&graph, space, root, EXPLORE_NO_LIMIT, 359, NULL, &error), PZ_TOO_LARGE);
    assert_non_null(strstr(error.text, "more than 359 states"));
    assert_null(graph.levels);
    /* What it holds is the budget's, and is given back. */
    struct budget budget;
    budget_init(&budget, NULL, 16 << 20);
    assert_int_equal(graph_init(&graph, space, root, EXPLORE_NO_LIMIT, 360, &budget, &error), PZ_OK);
    assert_true(atomic_load(&budget.used) >= graph.edges * sizeof *graph.targets + 361 * sizeof *graph.first);
    graph_clear(&graph);
    assert_int_equal(atomic_load(&budget.used), 0);
    budget_init(&budget, NULL, 4096);
    assert_int_equal(graph_init(&graph, space, root, EXPLORE_NO_LIMIT, 360, &budget, &error), PZ_MEMORY);
    assert_int_equal(atomic_load(&budget.used), 0);
    space_close(space);
}
