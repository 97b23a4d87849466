/* SPDX-License-Identifier: MIT */
/* The plan of a question: its space, engine, memory and scratch space in a place. */
#include "test_support.h"

#include "explore/question_plan.h"
#include "space/registry.h"

#define MIB (UINT64_C(1) << 20)

/* One exploration may have three quarters of the memory. */
static const struct plan_offer place = {
    .threads = 4, .memory = 400 * MIB, .share = 300 * MIB, .disk = UINT64_C(1) << 40};

struct asked {
    struct pz_space *space;
    uint64_t root[PZ_STATE_MAX / 8];
    struct explore_request request;
    struct question_plan plan;
    struct pz_error error;
};

static void ask(struct asked *asked, const char *puzzle, const char *root)
{
    const struct pz_setup setup = {0};
    *asked = (struct asked){0};
    assert_ok(space_open(puzzle, &setup, &asked->space, &asked->error), asked->error);
    const struct pz_puzzle *its = asked->space->puzzle;
    assert_ok(root != NULL ? its->parse(asked->space, root, asked->root, &asked->error)
                           : its->root(asked->space, asked->root, &asked->error),
              asked->error);
    asked->request = (struct explore_request){
        .space = asked->space, .root = asked->root, .depth = EXPLORE_NO_LIMIT, .scratch = ""};
}

static void make(struct asked *asked, uint64_t memory, const struct plan_offer *offer)
{
    question_plan_clear(&asked->plan);
    assert_ok(question_plan_init(&asked->plan, &asked->request, memory, offer, &asked->error), asked->error);
}

static void forget(struct asked *asked)
{
    question_plan_clear(&asked->plan);
    space_close(asked->space);
}

TEST(auto_is_the_engine_of_the_place_and_then_of_the_space)
{
    struct asked asked;
    struct plan_offer striped = place;
    striped.engine = ENGINE_STRIPED;
    ask(&asked, "3x3", NULL);
    make(&asked, 0, &place);
    assert_int_equal(asked.plan.request.engine, ENGINE_DENSE);
    make(&asked, 0, &striped);
    assert_int_equal(asked.plan.request.engine, ENGINE_STRIPED);
    asked.request.engine = ENGINE_DENSE;
    make(&asked, 0, &striped);
    assert_int_equal(asked.plan.request.engine, ENGINE_DENSE);
    forget(&asked);
    ask(&asked, "3x3,metric:multi", NULL);
    make(&asked, 0, &place);
    assert_int_equal(asked.plan.request.engine, ENGINE_DENSE);
    asked.request.planes = PLANES_DISK; /* the dense engine has planes of this metric in memory only */
    make(&asked, 0, &place);
    assert_int_equal(asked.plan.request.engine, ENGINE_STRIPED);
    forget(&asked);
    ask(&asked, "pancake:6", NULL);
    make(&asked, 0, &place);
    assert_int_equal(asked.plan.request.engine, ENGINE_RANKED);
    forget(&asked);
}

/* They have no ranked engine. */
TEST(ranks_take_an_engine_that_they_have_and_no_memory_here)
{
    struct asked asked;
    struct plan_offer ranked = place;
    ranked.engine = ENGINE_RANKED;
    ask(&asked, "pancake:6", NULL);
    asked.request.cluster = true;
    make(&asked, 5 * MIB << 20, &ranked);
    assert_int_equal(asked.plan.request.engine, ENGINE_STRIPED);
    assert_int_equal(asked.plan.request.threads, 1);
    assert_int_equal(asked.plan.memory, PLAN_RANKS_BYTES);
    assert_int_equal(asked.plan.reserve, PLAN_RANKS_BYTES);
    forget(&asked);
}

TEST(all_orientations_of_a_question_have_one_space_and_root)
{
    struct asked asked;
    struct asked turned;
    ask(&asked, "2x3", "1,2,3/4,5,0");
    ask(&turned, "3x2", "0,1/2,3/4,5");
    make(&asked, 0, &place);
    make(&turned, 0, &place);
    assert_non_null(turned.plan.canonical);
    assert_ptr_equal(turned.plan.request.space, turned.plan.canonical);
    assert_string_equal(asked.plan.request.space->size, turned.plan.request.space->size);
    assert_memory_equal(asked.plan.root, turned.plan.root, sizeof asked.plan.root);
    forget(&asked);
    forget(&turned);
}

TEST(from_all_goals_of_which_there_is_one_is_from_that_goal)
{
    struct asked asked;
    uint64_t goal[PZ_STATE_MAX / 8] = {0};
    ask(&asked, "pancake:5", "5,4,3,2,1");
    asked.request.from = FROM_GOALS;
    asked.space->puzzle->goal(asked.space, goal);
    make(&asked, 0, &place);
    assert_int_equal(asked.plan.request.from, FROM_ROOT);
    assert_memory_equal(asked.plan.root, goal, asked.space->state_bytes);
    forget(&asked);
}

/* 3x3 is known to need less than it may have; how many states klotski has is not known. */
TEST(what_is_not_asked_for_is_the_part_of_its_threads)
{
    struct asked asked;
    ask(&asked, "3x3", NULL);
    make(&asked, 0, &place);
    assert_int_equal(asked.plan.request.threads, 4);
    assert_int_equal(asked.plan.memory, 300 * MIB);
    asked.request.threads = 2;
    make(&asked, 0, &place);
    assert_int_equal(asked.plan.memory, 200 * MIB);
    assert_int_equal(asked.plan.reserve, asked.plan.need);
    assert_in_range(asked.plan.need, 1, 10 * MIB);
    make(&asked, 250 * MIB, &place);
    assert_int_equal(asked.plan.memory, 250 * MIB);
    forget(&asked);
    ask(&asked, "klotski:横刀立马", NULL);
    asked.request.threads = 9;
    make(&asked, 0, &place);
    assert_int_equal(asked.plan.request.threads, 4);
    assert_int_equal(asked.plan.need, 0);
    assert_int_equal(asked.plan.reserve, asked.plan.memory);
    forget(&asked);
}

TEST(planes_on_disk_are_given_all_of_their_memory_and_room)
{
    struct asked asked;
    ask(&asked, "2x7", NULL);
    asked.request.keep = KEEP_LEVELS;
    asked.request.planes = PLANES_DISK;
    asked.request.disk = UINT64_C(100) << 30;
    make(&asked, 700 * MIB, &place);
    assert_int_equal(asked.plan.reserve, 700 * MIB);
    assert_in_range(asked.plan.disk, UINT64_C(1) << 30, UINT64_C(10) << 30);
    assert_int_equal(asked.plan.room, asked.request.disk);
    assert_ok(question_plan_check(&asked.plan, &asked.error), asked.error);
    make(&asked, 1 * MIB, &place);
    assert_int_equal(question_plan_check(&asked.plan, &asked.error), PZ_TOO_LARGE);
    forget(&asked);
}

static const char *refused(struct asked *asked, uint64_t memory, uint64_t room)
{
    struct plan_offer small = place;
    small.disk = room;
    make(asked, memory, &small);
    assert_int_equal(question_plan_check(&asked->plan, &asked->error), PZ_TOO_LARGE);
    return asked->error.text;
}

/* What is advised is taken by the same check. */
TEST(advice_fits_where_it_is_given)
{
    struct asked asked;
    ask(&asked, "4x4", NULL);
    const char *text = refused(&asked, 200 * MIB, UINT64_C(1) << 30);
    assert_null(strstr(text, "planes=disk;"));
    assert_null(strstr(text, "keep=levels"));
    const char *depth = strstr(text, "; depth=");
    assert_non_null(depth);
    asked.request.depth = (uint32_t)strtoul(depth + 8, NULL, 10);
    make(&asked, 200 * MIB, &place);
    assert_ok(question_plan_check(&asked.plan, &asked.error), asked.error);
    forget(&asked);
    ask(&asked, "2x7", NULL);
    assert_non_null(strstr(refused(&asked, UINT64_C(8) << 30, UINT64_C(1) << 30), "; keep=levels takes 5."));
    asked.request.keep = KEEP_LEVELS;
    make(&asked, UINT64_C(8) << 30, &place);
    assert_ok(question_plan_check(&asked.plan, &asked.error), asked.error);
    forget(&asked);
}

/* Towers are numbered, and their states do not come in runs: only the striped engine has them on disk. */
TEST(what_the_ranked_engine_keeps_in_memory_only_is_led_to_scratch_space)
{
    struct asked asked;
    ask(&asked, "hanoi:4,13", NULL);
    assert_null(strstr(refused(&asked, 8 * MIB, 100 * MIB), "planes=disk"));
    assert_non_null(strstr(refused(&asked, 8 * MIB, UINT64_C(64) << 30), "; planes=disk takes 819.2M of"));
    asked.request.planes = PLANES_DISK;
    make(&asked, 8 * MIB, &place);
    assert_ok(question_plan_check(&asked.plan, &asked.error), asked.error);
    assert_int_equal(asked.plan.request.engine, ENGINE_STRIPED);
    forget(&asked);
}

/* The depth that is advised is that which the published levels allow, or one or two less. */
TEST(the_depth_that_fits_follows_the_published_levels)
{
    static const char *const sizes[] = {"4x4", "5x5"};
    for (unsigned i = 0; i < 2; i++) {
        struct asked asked;
        uint64_t levels[128];
        const unsigned count = test_data_levels(text_of("%s-first-levels", sizes[i]), levels, 128);
        ask(&asked, sizes[i], NULL);
        const char *depth = strstr(refused(&asked, 64 * MIB, 0), "; depth=");
        assert_non_null(depth);
        const unsigned told = (unsigned)strtoul(depth + 8, NULL, 10);
        uint64_t states = 0;
        unsigned most = 0;
        const double bytes = asked.space->state_bytes * 1.1;
        while (most < count && (double)(states + levels[most]) * bytes <= 64.0 * MIB)
            states += levels[most++];
        assert_true(most < count);
        assert_in_range(told, most - 3, most - 1);
        forget(&asked);
    }
}

/* Who names the engine wants as much as there is memory for. */
TEST(a_space_that_cannot_fit_is_refused_unless_its_engine_is_named)
{
    struct asked asked;
    ask(&asked, "5x5", NULL);
    assert_non_null(strstr(refused(&asked, 64 * MIB, 0), "more than 2^64 states, limit 64.0M; depth="));
    asked.request.engine = ENGINE_STRIPED;
    make(&asked, 64 * MIB, &place);
    assert_ok(question_plan_check(&asked.plan, &asked.error), asked.error);
    asked.request.engine = ENGINE_AUTO;
    asked.request.depth = 30;
    make(&asked, 64 * MIB, &place);
    assert_ok(question_plan_check(&asked.plan, &asked.error), asked.error);
    forget(&asked);
}

/* The first asks for a table in named scratch space, the others for all of a space that neither holds. */
TEST(a_whole_that_scratch_space_cannot_hold_is_refused_with_what_it_needs)
{
    static const struct {
        const char *puzzle;
        enum explore_planes planes;
        enum keep keep;
        const char *needs;
    } rows[] = {{"4x4", PLANES_DISK, KEEP_TABLE,
                 "T of scratch space, limit 64.0G; engine=striped planes=auto depth="},
                {"3x6", PLANES_DISK, KEEP_TABLE,
                 "P of scratch space, limit 32.0G; engine=striped planes=auto depth="},
                {"3x6", PLANES_DISK, KEEP_LEVELS,
                 "P of scratch space, limit 64.0G; engine=striped planes=auto depth="},
                {"3x6", PLANES_AUTO, KEEP_LEVELS, "P, limit 500.0M, or 16."},
                {"3x6", PLANES_MEMORY, KEEP_LEVELS, "P, limit 500.0M; "}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct asked asked;
        ask(&asked, rows[i].puzzle, NULL);
        asked.request.planes = rows[i].planes;
        asked.request.keep = rows[i].keep;
        const char *text = refused(&asked, 500 * MIB, UINT64_C(64) << 30);
        assert_non_null(strstr(text, rows[i].needs));
        assert_non_null(strstr(text, " fits scratch space"));
        forget(&asked);
    }
}

/* In memory, or on disk, or in neither; nobody knows ahead of klotski. */
TEST(a_striped_search_goes_where_it_is_known_to_fit)
{
    static const struct {
        uint64_t memory, room;
        enum explore_planes planes;
    } rows[] = {{3000 * MIB, UINT64_C(1) << 40, PLANES_MEMORY},
                {300 * MIB, UINT64_C(5) << 30, PLANES_DISK},
                {300 * MIB, UINT64_C(3) << 30, PLANES_AUTO}};
    struct asked asked;
    ask(&asked, "3x4", NULL);
    asked.request.engine = ENGINE_STRIPED;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct plan_offer offer = place;
        offer.disk = rows[i].room;
        make(&asked, rows[i].memory, &offer);
        const struct question_plan *plan = &asked.plan;
        assert_int_equal(explore_planes_within(&plan->estimate, plan->memory, plan->room), rows[i].planes);
        assert_int_equal(plan->room, rows[i].room / 2); /* the table needs as much */
        assert_true(plan->disk <= plan->room);
        assert_true((plan->disk > 0) == (i > 0));
        assert_ok(question_plan_check(plan, &asked.error), asked.error);
    }
    forget(&asked);
    ask(&asked, "klotski:横刀立马", NULL);
    make(&asked, 0, &place);
    assert_true(explore_moves_to_disk(&asked.plan.estimate, asked.plan.memory));
    assert_false(explore_moves_to_disk(&asked.plan.estimate, 1 * MIB));
    forget(&asked);
}

/* What may go to scratch space counts with all that it may take there, unless it is known to need none. */
TEST(a_search_that_may_move_counts_with_its_room)
{
    static const struct {
        const char *puzzle;
        enum explore_planes planes;
        uint64_t memory, disk, counts;
    } rows[] = {{"klotski:横刀立马", PLANES_AUTO, 100 * MIB, 0, 500 * MIB},
                {"klotski:横刀立马", PLANES_AUTO, 100 * MIB, 30 * MIB, 30 * MIB},
                {"klotski:横刀立马", PLANES_DISK, 100 * MIB, 0, 500 * MIB},
                {"klotski:横刀立马", PLANES_MEMORY, 100 * MIB, 0, 0},
                {"klotski:横刀立马", PLANES_AUTO, 1 * MIB, 0, 0},
                {"3x3", PLANES_AUTO, 100 * MIB, 0, 0}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct asked asked;
        struct plan_offer offer = place;
        offer.disk = 1000 * MIB;
        ask(&asked, rows[i].puzzle, NULL);
        asked.request.engine = ENGINE_STRIPED;
        asked.request.planes = rows[i].planes;
        asked.request.disk = rows[i].disk;
        make(&asked, rows[i].memory, &offer);
        assert_int_equal(asked.plan.disk, rows[i].counts); /* half of 1000M is left to the table */
        forget(&asked);
    }
}

TEST(what_no_engine_can_do_has_no_plan)
{
    struct asked asked;
    ask(&asked, "3x3", NULL);
    asked.request.engine = ENGINE_DENSE;
    asked.request.striped.edges = true;
    assert_int_equal(question_plan_init(&asked.plan, &asked.request, 0, &place, &asked.error),
                     PZ_UNSUPPORTED);
    assert_null(asked.plan.canonical);
    forget(&asked);
}
