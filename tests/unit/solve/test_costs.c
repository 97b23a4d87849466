/* SPDX-License-Identifier: MIT */
/* Costs of moves up to the end of their range: by engine=costs from the root and from the goals, and by A*.
 */
#include "plain_search.h"
#include "solve_support.h"

#include "base/random.h"
#include "explore/explore.h"
#include "explore/key/mix.h"
#include "solve/abstraction/abstractions.h"

#include <inttypes.h>

enum { LEVELS_MOST = 512, PLACES = 64 };

static struct pz_space *open_costs(const char *text)
{
    return open_defined(DEFINITION_PSVN, "costs", text, NULL);
}

/* What an exploration tells; the table by the number of the place that a state prints. */
struct told {
    const struct pz_space *space;
    struct explore_result result;
    unsigned levels;
    uint32_t level[LEVELS_MOST];
    uint64_t states[LEVELS_MOST];
    unsigned examples[LEVELS_MOST];
    uint32_t distance[PLACES]; /* UINT32_MAX: not in the table */
};

static enum pz_status take_level(void *context, uint32_t level, uint64_t states, struct pz_error *error)
{
    struct told *told = context;
    assert_true(told->levels < LEVELS_MOST);
    assert_true(told->levels == 0 ? level == 0 : level > told->level[told->levels - 1] && states > 0);
    told->level[told->levels] = level;
    told->states[told->levels++] = states;
    return PZ_OK;
}

static enum pz_status take_examples(void *context, uint32_t level, const void *states, unsigned count,
                                    struct pz_error *error)
{
    struct told *told = context;
    assert_int_equal(told->level[told->levels - 1], level);
    told->examples[told->levels - 1] = count;
    return PZ_OK;
}

static enum pz_status take_run(void *context, const struct explore_run *run, struct pz_error *error)
{
    struct told *told = context;
    for (size_t i = 0; i < run->count; i++) {
        uint64_t state[PZ_STATE_MAX / 8];
        char text[PZ_TEXT_MAX];
        unmix_bytes(run->keys + i * run->key_words, told->space->state_bytes, state);
        (void)told->space->puzzle->print(told->space, state, text);
        const unsigned long place = strtoul(text, NULL, 10);
        assert_true(place < PLACES);
        told->distance[place] = run->distances[i];
    }
    return PZ_OK;
}

static void place_state(const struct pz_space *space, unsigned place, void *state)
{
    parse_state(space, text_of("%u", place), state);
}

static struct told tell(const struct pz_space *space, enum explore_from from, uint32_t depth,
                        unsigned threads)
{
    struct told told = {.space = space};
    struct budget budget;
    struct control control = {0};
    struct pz_error error = {0};
    uint64_t root[PZ_STATE_MAX / 8] = {0};
    budget_init(&budget, NULL, 64 << 20);
    place_state(space, 0, root);
    memset(told.distance, 0xFF, sizeof told.distance);
    const struct explore_request request = {.space = space,
                                            .root = root,
                                            .depth = depth,
                                            .threads = threads,
                                            .budget = &budget,
                                            .keep = KEEP_TABLE,
                                            .from = from,
                                            .seed = 1};
    const struct explore_sink sink = {
        .context = &told, .level = take_level, .examples = take_examples, .run = take_run};
    assert_ok(explore_run(&request, &control, &sink, &told.result, &error), error);
    assert_int_equal(atomic_load(&budget.used), 0);
    return told;
}

static struct solve_result solve(const struct pz_space *space, unsigned place)
{
    uint64_t start[PZ_STATE_MAX / 8] = {0};
    place_state(space, place, start);
    const struct solve_request request = {.space = space, .start = start, .threads = 1};
    return solved_within(request, 64 << 20);
}

TEST(costs_of_six_digits_have_levels_of_their_own)
{
    struct pz_space *space = open_costs("1 4 0 => 1 COST 65534 1 => 2 COST 1 1 => 3 COST 999999 GOAL 3");
    const struct told told = tell(space, FROM_ROOT, EXPLORE_NO_LIMIT, 1);
    const uint32_t levels[] = {0, 65534, 65535, 65534 + 999999};
    assert_true(told.result.complete);
    assert_int_equal(told.result.states, 4);
    assert_int_equal(told.result.depth, levels[3]);
    assert_int_equal(told.levels, 4);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(told.level[i], levels[i]);
        assert_int_equal(told.states[i], 1);
        assert_int_equal(told.examples[i], 1);
        assert_int_equal(told.distance[i], levels[i]);
    }
    struct solve_result result = solve(space, 0);
    assert_int_equal(result.solvable, PZ_YES);
    assert_int_equal(result.cost, levels[3]);
    solve_result_free(&result);
    space_close(space);
}

TEST(from_the_goals_they_lie_as_far_apart)
{
    struct pz_space *space = open_costs("1 4 0 => 1 COST 65534 1 => 2 COST 1 1 => 3 COST 999999 GOAL 3");
    const struct told told = tell(space, FROM_GOALS, EXPLORE_NO_LIMIT, 1);
    assert_true(told.result.complete);
    assert_int_equal(told.result.states, 3);
    assert_int_equal(told.result.dead, 1); /* 2 */
    assert_int_equal(told.distance[0], 65534 + 999999);
    assert_int_equal(told.distance[1], 999999);
    assert_int_equal(told.distance[2], told.result.depth + 1);
    assert_int_equal(told.distance[3], 0);
    space_close(space);
}

/* The last level is 4,294,967,292. */
#define FOUR_STEPS "0 => 1 COST 999999999 1 => 2 COST 999999999 2 => 3 COST 999999999 3 => 4 COST 999999999 "

TEST(the_last_level_of_costs_is_explored)
{
    struct pz_space *space = open_costs("1 6 " FOUR_STEPS "4 => 5 COST 294967296 GOAL 5");
    for (enum explore_from from = FROM_ROOT; from <= FROM_GOALS; from++) {
        const struct told told = tell(space, from, EXPLORE_NO_LIMIT, 1);
        assert_true(told.result.complete);
        assert_int_equal(told.result.states, 6);
        assert_int_equal(told.result.depth, EXPLORE_COST_MAX);
        assert_int_equal(told.distance[from == FROM_GOALS ? 0 : 5], EXPLORE_COST_MAX);
    }
    struct solve_result result = solve(space, 0);
    assert_int_equal(result.cost, EXPLORE_COST_MAX);
    solve_result_free(&result);
    space_close(space);
}

TEST(the_end_of_costs_is_told_where_it_is_met)
{
    struct pz_space *space = open_costs("1 6 " FOUR_STEPS "4 => 5 COST 294967297 GOAL 5");
    for (enum explore_from from = FROM_ROOT; from <= FROM_GOALS; from++) {
        const struct told told = tell(space, from, EXPLORE_NO_LIMIT, 1);
        assert_false(told.result.complete);
        assert_int_equal(told.result.reason, STOP_LEVELS);
        assert_int_equal(told.result.states, 5);
        assert_int_equal(told.result.dead, 0); /* from 0 the goal can be reached */
        assert_int_equal(told.distance[from == FROM_GOALS ? 0 : 5], UINT32_MAX);
    }
    struct solve_result result = solve(space, 0);
    assert_int_equal(result.solvable, PZ_UNKNOWN);
    assert_int_equal(result.reason, STOP_LEVELS);
    solve_result_free(&result);
    space_close(space);
}

/* A bound that lacks states would call them dead. */
TEST(no_bound_is_made_of_a_part)
{
    static const char *const last[] = {"294967297", "294967200"};
    for (unsigned i = 0; i < 2; i++) {
        struct abstractions *abstractions = NULL;
        struct budget budget;
        struct control control = {0};
        struct pz_error error = {0};
        struct pz_space *space = open_costs(text_of("1 6 " FOUR_STEPS "4 => 5 COST %s GOAL 5", last[i]));
        budget_init(&budget, NULL, 64 << 20);
        const struct abstractions_request request = {
            .space = space, .partition = "1", .threads = 1, .budget = &budget, .control = &control};
        const enum pz_status status = abstractions_open(&request, &abstractions, &error);
        assert_int_equal(status, i == 0 ? PZ_TOO_LARGE : PZ_OK);
        assert_true(i > 0 || strncmp(error.text, "costs beyond 4294967292", 23) == 0);
        abstractions_close(abstractions);
        space_close(space);
    }
}

/* A byte holds no distance beyond 254: such a value is cut, and still a lower bound. */
TEST(a_database_of_longer_ways_than_a_byte_holds_is_cut)
{
    enum { LAST = 300 };
    char text[8 * 1024] = "";
    size_t length = (size_t)snprintf(text, sizeof text, "1 %d ", LAST + 1);
    for (unsigned i = 0; i < LAST; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%u => %u ", i, i + 1);
    (void)snprintf(text + length, sizeof text - length, "GOAL %d", LAST);
    struct pz_space *space = open_costs(text);
    struct abstractions *abstractions = NULL;
    struct budget budget;
    struct control control = {0};
    struct pz_error error = {0};
    uint64_t at[PZ_STATE_MAX / 8] = {0};
    budget_init(&budget, NULL, 64 << 20);
    const struct abstractions_request request = {
        .space = space, .partition = "1", .threads = 1, .budget = &budget, .control = &control};
    assert_ok(abstractions_open(&request, &abstractions, &error), error);
    place_state(space, 0, at);
    assert_int_equal(abstractions_bound(abstractions, at), 254);
    place_state(space, LAST - 200, at);
    assert_int_equal(abstractions_bound(abstractions, at), 200);
    abstractions_close(abstractions);
    space_close(space);
}

TEST(a_state_that_a_cheap_path_reaches_too_is_not_beyond_the_end)
{
    struct pz_space *space =
        open_costs("1 8 " FOUR_STEPS "4 => 5 COST 1 4 => 6 COST 999999999 5 => 6 COST 1 GOAL 6");
    const struct told told = tell(space, FROM_ROOT, EXPLORE_NO_LIMIT, 1);
    assert_true(told.result.complete);
    assert_int_equal(told.result.states, 7);
    struct solve_result result = solve(space, 0);
    assert_int_equal(result.cost, UINT32_C(3999999998));
    solve_result_free(&result);
    space_close(space);
}

TEST(a_depth_between_two_levels_ends_at_the_one_before)
{
    struct pz_space *space = open_costs("1 3 0 => 1 COST 7 1 => 2 COST 8 GOAL 2");
    const struct told told = tell(space, FROM_ROOT, 10, 1);
    assert_false(told.result.complete);
    assert_int_equal(told.result.reason, STOP_DEPTH);
    assert_int_equal(told.result.depth, 7);
    assert_int_equal(told.result.states, 2);
    assert_true(tell(space, FROM_ROOT, 20, 1).result.complete);
    space_close(space);
}

TEST(without_a_goal_all_states_are_dead)
{
    struct pz_space *space = open_costs("1 4 0 => 1 COST 7 1 => 2 COST 8 GOAL 3");
    const struct told told = tell(space, FROM_GOALS, EXPLORE_NO_LIMIT, 1);
    assert_true(told.result.complete);
    assert_int_equal(told.result.dead, 3);
    assert_int_equal(told.levels, 1);
    assert_int_equal(told.states[0], 0);
    space_close(space);
}

/* ---- random costs, against Bellman and Ford ---- */

struct edges {
    unsigned count;
    unsigned from[4 * PLACES], to[4 * PLACES];
    uint64_t cost[4 * PLACES];
};

/* undone: from most places one move ahead and one back, which costs as much. */
static struct pz_space *random_costs(struct random *random, bool undone, struct edges *edges)
{
    char text[1 << 14];
    size_t at = (size_t)snprintf(text, sizeof text, "1 %d", PLACES);
    edges->count = undone ? 3 * PLACES / 2 : 4 * PLACES;
    for (unsigned i = 0; i < edges->count; i++) {
        edges->from[i] = undone ? i / 2 : i / 4;
        const unsigned most = undone ? PLACES - 1 - edges->from[i] : PLACES - 1;
        edges->to[i] = (edges->from[i] + 1 + (unsigned)random_below(random, most)) % PLACES;
        edges->cost[i] = random_below(random, random_below(random, 2) == 0 ? 3 : 1000000);
        if (undone && i % 2 == 1) {
            edges->from[i] = edges->to[i - 1];
            edges->to[i] = edges->from[i - 1];
            edges->cost[i] = edges->cost[i - 1];
        }
        at += (size_t)snprintf(text + at, sizeof text - at, " %u => %u COST %" PRIu64, edges->from[i],
                               edges->to[i], edges->cost[i]);
    }
    (void)snprintf(text + at, sizeof text - at, " GOAL %d", PLACES - 1);
    return open_costs(text);
}

/* From 0, or back from the goal; UINT32_MAX for none. */
static void relax_all(const struct edges *edges, bool back, uint64_t distance[PLACES])
{
    for (unsigned i = 0; i < PLACES; i++)
        distance[i] = UINT32_MAX;
    distance[back ? PLACES - 1 : 0] = 0;
    for (unsigned round = 0; round < PLACES; round++)
        for (unsigned i = 0; i < edges->count; i++) {
            const unsigned from = back ? edges->to[i] : edges->from[i];
            const unsigned to = back ? edges->from[i] : edges->to[i];
            const uint64_t through = distance[from] + edges->cost[i];
            distance[to] = through < distance[to] ? through : distance[to];
        }
}

TEST(random_costs_are_those_of_a_plain_search)
{
    struct random random = {.state = 54};
    for (unsigned trial = 0; trial < 20; trial++) {
        struct edges edges;
        struct pz_space *space = random_costs(&random, false, &edges);
        for (unsigned threads = 1; threads <= 8; threads += threads == 1 ? 1 : 6)
            for (enum explore_from from = FROM_ROOT; from <= FROM_GOALS; from++) {
                uint64_t distance[PLACES], reached[PLACES];
                const struct told told = tell(space, from, EXPLORE_NO_LIMIT, threads);
                relax_all(&edges, from == FROM_GOALS, distance);
                relax_all(&edges, false, reached);
                for (unsigned i = 0; i < PLACES; i++) {
                    const uint64_t dead = from == FROM_GOALS ? told.result.depth + 1 : UINT32_MAX;
                    const uint64_t expected = distance[i] != UINT32_MAX ? distance[i] : dead;
                    assert_int_equal(told.distance[i], reached[i] != UINT32_MAX ? expected : UINT32_MAX);
                }
                if (from == FROM_GOALS && distance[0] != UINT32_MAX) {
                    struct solve_result result = solve(space, 0);
                    assert_int_equal(result.cost, distance[0]);
                    solve_result_free(&result);
                }
            }
        space_close(space);
    }
}

/* Then all that have a rank are explored from the goals, not only what the root reaches. */
TEST(moves_that_can_be_undone_are_followed_from_all_goals)
{
    struct random random = {.state = 7};
    for (unsigned trial = 0; trial < 30; trial++) {
        struct edges edges;
        uint64_t distance[PLACES];
        struct pz_space *space = random_costs(&random, true, &edges);
        assert_int_equal(space->flags & (PZ_REVERSIBLE | PZ_COSTS), PZ_REVERSIBLE | PZ_COSTS);
        relax_all(&edges, true, distance);
        for (unsigned threads = 1; threads <= 8; threads += threads == 1 ? 1 : 6) {
            const struct told told = tell(space, FROM_GOALS, EXPLORE_NO_LIMIT, threads);
            assert_int_equal(told.result.states + told.result.dead, PLACES);
            for (unsigned i = 0; i < PLACES; i++)
                assert_int_equal(told.distance[i],
                                 distance[i] != UINT32_MAX ? distance[i] : told.result.depth + 1);
        }
        space_close(space);
    }
}

/* ---- a counter: one way of 131,071 moves ---- */

enum { BITS = 17, NUMBERS = 1 << BITS };

/* Counts up: the move that sets bit n costs n + 1, and with `undone` can be taken back. */
static struct pz_space *open_counter(bool undone)
{
    char text[1 << 14];
    size_t length = (size_t)snprintf(text, sizeof text, "%d", BITS);
    for (unsigned bit = 0; bit < BITS; bit++)
        length += (size_t)snprintf(text + length, sizeof text - length, " 2");
    for (unsigned bit = 0; bit < BITS; bit++)
        for (unsigned back = 0; back <= (undone ? 1u : 0u); back++) {
            for (unsigned side = 0; side < 2; side++) {
                const bool set = side != back;
                for (unsigned place = BITS; place-- > 0;)
                    length += place > bit
                                  ? (size_t)snprintf(text + length, sizeof text - length, " X%u", place)
                                  : (size_t)snprintf(text + length, sizeof text - length, " %d",
                                                     (place == bit) == set);
                length += (size_t)snprintf(text + length, sizeof text - length,
                                           side == 0 ? " =>" : " COST %u", back == 0 ? bit + 1 : 2);
            }
        }
    length += (size_t)snprintf(text + length, sizeof text - length, " GOAL");
    for (unsigned bit = 0; bit < BITS; bit++)
        length += (size_t)snprintf(text + length, sizeof text - length, " 1");
    assert_true(length < sizeof text);
    return open_costs(text);
}

struct counted {
    const struct pz_space *space;
    uint32_t distance[NUMBERS];
    uint64_t states;
    struct explore_result result;
};

static enum pz_status count_run(void *context, const struct explore_run *run, struct pz_error *error)
{
    struct counted *counted = context;
    for (size_t i = 0; i < run->count; i++) {
        uint64_t state[PZ_STATE_MAX / 8];
        char text[PZ_TEXT_MAX];
        unsigned number = 0;
        unmix_bytes(run->keys + i * run->key_words, counted->space->state_bytes, state);
        (void)counted->space->puzzle->print(counted->space, state, text);
        for (const char *at = text; *at != '\0'; at++)
            number = *at == '0' || *at == '1' ? 2 * number + (*at == '1') : number;
        assert_true(number < NUMBERS);
        counted->distance[number] = run->distances[i];
        counted->states++;
    }
    return PZ_OK;
}

/* Explores the counter from its goal. */
static void count(const struct pz_space *space, unsigned threads, uint64_t bytes, struct counted *counted)
{
    static const char root_text[] = "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0";
    struct budget budget;
    struct control control = {0};
    struct pz_error error = {0};
    uint64_t root[PZ_STATE_MAX / 8] = {0};
    budget_init(&budget, NULL, bytes);
    counted->space = space;
    counted->states = 0;
    parse_state(space, root_text, root);
    const struct explore_request request = {.space = space,
                                            .root = root,
                                            .depth = EXPLORE_NO_LIMIT,
                                            .threads = threads,
                                            .budget = &budget,
                                            .keep = KEEP_TABLE,
                                            .from = FROM_GOALS};
    const struct explore_sink sink = {.context = counted, .run = count_run};
    assert_ok(explore_run(&request, &control, &sink, &counted->result, &error), error);
    assert_int_equal(atomic_load(&budget.used), 0);
}

TEST(a_longer_way_than_levels_are_kept_for_is_followed_back_from_the_goal)
{
    static struct counted counted;
    for (unsigned undone = 0; undone < 2; undone++) {
        struct pz_space *space = open_counter(undone);
        for (unsigned threads = 1; threads <= 8; threads += threads == 1 ? 1 : 6) {
            uint32_t expected = 0;
            count(space, threads, 64 << 20, &counted);
            assert_true(counted.result.complete);
            assert_int_equal(counted.states, NUMBERS);
            for (unsigned number = NUMBERS - 1; number-- > 0;) {
                expected += (unsigned)__builtin_ctz(number + 1) + 1;
                assert_int_equal(counted.distance[number], expected);
            }
            assert_int_equal(counted.result.depth, expected);
        }
        space_close(space);
    }
}

/* Whatever does not fit, the end is told as one. */
TEST(from_the_goals_any_memory_that_is_too_little_ends_the_levels)
{
    static struct counted counted;
    struct pz_space *space = open_counter(false);
    unsigned ended = 0;
    for (uint64_t bytes = 3 << 20; !counted.result.complete; bytes += 512 << 10) {
        count(space, 2, bytes, &counted);
        ended += counted.result.reason == STOP_MEMORY;
        assert_true(counted.result.complete || counted.result.reason == STOP_MEMORY);
    }
    assert_true(ended > 4);
    space_close(space);
}
