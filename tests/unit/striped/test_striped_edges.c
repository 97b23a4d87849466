/* SPDX-License-Identifier: MIT */
/* The moves that an exploration with edges=yes counts, against published numbers and the graph of the space.
 */
#include "explore_trial.h"
#include "plain_search.h"

#include "explore/graph.h"

enum { MOVES_MAX = 64 };

/* Everything that the sink of an exploration was given. */
struct told {
    uint64_t edges, of_level[PLAIN_LEVELS_MAX], states[MOVES_MAX];
    uint32_t levels;
    unsigned most, calls;
};

static enum pz_status tell(void *context, const struct explore_edges *edges, struct pz_error *error)
{
    struct told *told = context;
    assert_true(edges->levels <= PLAIN_LEVELS_MAX && edges->most < MOVES_MAX);
    told->edges = edges->count;
    told->levels = edges->levels;
    told->most = edges->most;
    memcpy(told->of_level, edges->of_level, edges->levels * sizeof *edges->of_level);
    memcpy(told->states, edges->states, (edges->most + 1) * sizeof *edges->states);
    told->calls++;
    return PZ_OK;
}

/* Explores from the space's own root. Fields that are 0 in how: no depth limit, two threads. */
static void explore(const struct pz_space *space, struct explore_request how, struct told *told)
{
    const struct explore_sink sink = {.context = told, .edges = tell};
    how.striped.edges = true;
    struct trial *trial = trial_in(space, how);
    *told = (struct told){0};
    assert_ok(explore_run(&trial->request, &trial->control, &sink, &trial->result, &trial->error),
              trial->error);
    trial_free(trial);
    assert_int_equal(told->calls, 1);
}

/* Counts these numbers in the graph, which has each move once and none that leads back to its own state. */
static void count_by_graph(const struct pz_space *space, struct told *told)
{
    uint64_t root[PZ_STATE_MAX / 8] = {0};
    struct graph graph;
    struct pz_error error = {0};
    *told = (struct told){0};
    assert_ok(space->puzzle->root(space, root, &error), error);
    assert_ok(graph_init(&graph, space, root, EXPLORE_NO_LIMIT, 1u << 18, NULL, &error), error);
    for (uint32_t n = 0; n < graph.count; n++) {
        const unsigned moves = (unsigned)(graph.first[n + 1] - graph.first[n]);
        assert_true(moves < MOVES_MAX && graph.levels[n] < PLAIN_LEVELS_MAX);
        told->of_level[graph.levels[n]] += moves;
        told->states[moves]++;
        told->most = moves > told->most ? moves : told->most;
    }
    told->edges = graph.edges;
    told->levels = graph.depth + 1;
    graph_clear(&graph);
}

TEST(each_level_has_the_moves_of_the_graph_with_any_number_of_threads)
{
    static const char *const puzzles[] = {
        "3x3",         "klotski:横刀立马", "klotski:aabe/cd@@/ffgh,metric:step",
        "jugs:3,5",    "jugs:4,6,tap:yes", "sokoban:#######/#@-$.-#/#--$--#/#---.-#/#######,metric:move",
        "topspin:7,4", "hanoi:4,4"};
    for (unsigned i = 0; i < sizeof puzzles / sizeof *puzzles; i++) {
        struct told expected, told;
        struct pz_space *space = plain_open(puzzles[i], NULL, NULL, NULL, NULL);
        count_by_graph(space, &expected);
        for (unsigned threads = 1; threads <= 8; threads = threads == 1 ? 2 : threads * 4) {
            explore(space, (struct explore_request){.threads = threads, .keep = KEEP_LEVELS}, &told);
            assert_int_equal(told.levels, expected.levels);
            assert_memory_equal(told.of_level, expected.of_level, sizeof told.of_level);
            assert_memory_equal(told.states, expected.states, sizeof told.states);
            assert_int_equal(told.edges, expected.edges);
            assert_int_equal(told.most, expected.most);
        }
        space_close(space);
    }
}

/* The graph of n discs on p pegs has p(p − 1)/4 × (p^n − (p − 2)^n) edges (Hinz, Klavžar and Petr, The Tower
 * of Hanoi, 2018); each is a move in two directions. */
TEST(towers_of_hanoi_have_the_published_number_of_edges)
{
    for (unsigned pegs = 3; pegs <= 5; pegs++) {
        for (unsigned discs = 1; discs <= 5; discs++) {
            struct told told;
            uint64_t all = 1, fewer = 1;
            for (unsigned i = 0; i < discs; i++) {
                all *= pegs;
                fewer *= pegs - 2;
            }
            struct pz_space *space = plain_open(text_of("hanoi:%u,%u", pegs, discs), NULL, NULL, NULL, NULL);
            explore(space, (struct explore_request){0}, &told);
            assert_int_equal(told.edges, 2 * pegs * (pegs - 1) * (all - fewer) / 4);
            space_close(space);
        }
    }
}

/* The 8-puzzle: 9 places of the blank share 181,440 boards equally; corners have 2 moves, edges 3, the middle
 * 4. */
TEST(the_8_puzzle_has_as_many_boards_of_each_number_of_moves_as_places_of_the_blank_tell)
{
    struct told told;
    struct pz_space *space = plain_open("3x3", NULL, NULL, NULL, NULL);
    explore(space, (struct explore_request){.threads = 2}, &told);
    assert_int_equal(told.edges, 483840);
    assert_int_equal(told.most, 4);
    assert_int_equal(told.states[2], 4 * 20160);
    assert_int_equal(told.states[3], 4 * 20160);
    assert_int_equal(told.states[4], 20160);
    space_close(space);
}

/* A bounded exploration counts the moves of its last level, too; from the goals dead states count as well. */
TEST(bounded_ones_and_those_from_the_goals_count_the_same_moves)
{
    static const char *const puzzles[] = {"3x3", "jugs:4,6,goal:5", "jugs:3,5,goal:4",
                                          "sokoban:#######/#@-$.-#/#--$--#/#---.-#/#######"};
    for (unsigned i = 0; i < sizeof puzzles / sizeof *puzzles; i++) {
        struct told whole, told;
        struct pz_space *space = plain_open(puzzles[i], NULL, NULL, NULL, NULL);
        explore(space, (struct explore_request){0}, &whole);
        explore(space, (struct explore_request){.depth = 3}, &told);
        assert_int_equal(told.levels, 4);
        assert_memory_equal(told.of_level, whole.of_level, 4 * sizeof *told.of_level);
        explore(space, (struct explore_request){.from = FROM_GOALS, .threads = 2}, &told);
        assert_int_equal(told.edges, whole.edges);
        assert_memory_equal(told.states, whole.states, sizeof told.states);
        space_close(space);
    }
}

static int compare_words(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left;
    const uint64_t b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* All boards of 3×4 cells, with any blocks: one number each. */
TEST(a_family_from_its_goals_counts_the_moves_of_all_its_boards)
{
    struct told told, expected = {0};
    struct pz_space *space = plain_open("klotski:family,rows:3", NULL, NULL, NULL, NULL);
    uint64_t *next = calloc(space->max_successors, sizeof *next);
    uint8_t *tokens = calloc(space->max_successors, 1);
    assert_int_equal(space->state_bytes, sizeof *next);
    assert_true(next != NULL && tokens != NULL);
    for (uint64_t number = 0; number < space_count(space); number++) {
        uint64_t board;
        unsigned moves = 0;
        space->puzzle->unrank(space, number, &board);
        const unsigned count = space->puzzle->expand(space, &board, PZ_NO_TOKEN, next, tokens);
        qsort(next, count, sizeof *next, compare_words);
        for (unsigned i = 0; i < count; i++)
            moves += next[i] != board && (i == 0 || next[i] != next[i - 1]);
        assert_true(moves < MOVES_MAX);
        expected.states[moves]++;
        expected.edges += moves;
    }
    free(next);
    free(tokens);
    explore(space, (struct explore_request){.from = FROM_GOALS, .threads = 2}, &told);
    assert_int_equal(told.edges, expected.edges);
    assert_memory_equal(told.states, expected.states, sizeof told.states);
    space_close(space);
}

TEST(engines_that_cannot_count_refuse)
{
    uint64_t root[PZ_STATE_MAX / 8] = {0};
    struct explore_estimate estimate;
    struct pz_error error = {0};
    struct pz_space *space = plain_open("3x3", NULL, NULL, NULL, NULL);
    assert_ok(space->puzzle->root(space, root, &error), error);
    const struct explore_request request = {.space = space,
                                            .root = root,
                                            .depth = EXPLORE_NO_LIMIT,
                                            .threads = 1,
                                            .striped.edges = true,
                                            .engine = ENGINE_DENSE};
    assert_int_equal(explore_plan_ahead(&request, &estimate, &error), PZ_UNSUPPORTED);
    assert_non_null(strstr(error.text, "edges=yes is for engine=striped"));
    space_close(space);
}
