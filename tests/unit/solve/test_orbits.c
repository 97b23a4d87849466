/* SPDX-License-Identifier: MIT */
/* Abstractions of twisty puzzles by orbits: their tables, questions and searches. */
#include "plain_search.h"
#include "solve_support.h"
#include "tws_text.h"

#include "checkpoint_disk.h"
#include "solve/abstraction/abstractions.h"
#include "solve/orbits/orbit_table.h"
#include "space/guard.h"
#include "space/text/tws/tws_space.h"
#include "space/twist/twist_symmetry.h"

static void walk_randomly(const struct pz_space *space, unsigned moves, struct random *random, void *state)
{
    uint8_t successors[TWIST_MOVES_MAX * PZ_STATE_MAX], tokens[TWIST_MOVES_MAX], last = PZ_NO_TOKEN;
    space->puzzle->goal(space, state);
    for (unsigned i = 0; i < moves; i++) {
        const unsigned count = space->puzzle->expand(space, state, last, successors, tokens);
        const unsigned at = (unsigned)random_below(random, count);
        memcpy(state, successors + (size_t)at * space->state_bytes, space->state_bytes);
        last = tokens[at];
    }
}

struct found {
    int64_t moves;
    uint64_t generated;
};

static struct found search_by(const struct pz_space *space, const void *start, enum method method,
                              const char *partition, const struct pattern_archive *archive)
{
    const struct solve_request request = {.space = space,
                                          .start = start,
                                          .method = method,
                                          .threads = 2,
                                          .partition = partition,
                                          .archive = archive};
    struct solve_result result = solved_within(request, 1 << 30);
    if (partition != NULL)
        assert_string_equal(result.partition, partition);
    assert_described_path(space, start, &result);
    solve_result_free(&result);
    return (struct found){result.moves, result.generated};
}

static int64_t length_by(const struct pz_space *space, const void *start, enum method method,
                         const char *partition, const struct pattern_archive *archive)
{
    return search_by(space, start, method, partition, archive).moves;
}

TEST(orbits_prove_the_lengths_that_a_search_from_both_sides_finds)
{
    static const struct {
        const char *file, *partition;
        unsigned moves, boards, tables;
    } trials[] = {{"cube3", "orbits/U2,R,F2,D2,L/EDGE,turns", 7, 6, 1},
                  {"cube2", "orbits/U,R2,F2,D,L2,B2", 6, 6, 1},
                  {"pyraminx", "orbits/U,r+orbits/L,R/TIP", 7, 6, 2},
                  {"skewb", "orbits/UFR,UBL/CENTER,pieces", 7, 4, 1}};
    for (unsigned i = 0; i < sizeof trials / sizeof *trials; i++) {
        struct memory_archive memory;
        struct random random = {.state = i + 1};
        struct pz_space *space = open_twisty(trials[i].file);
        memory_archive_init(&memory);
        for (unsigned k = 0; k < trials[i].boards / (SANITIZED ? 3 : 1); k++) {
            uint64_t board[PZ_STATE_MAX / 8] = {0};
            walk_randomly(space, trials[i].moves, &random, board);
            assert_int_equal(length_by(space, board, METHOD_IDASTAR, trials[i].partition, &memory.archive),
                             length_by(space, board, METHOD_BIDIRECTIONAL, NULL, NULL));
        }
        assert_int_equal(memory.saves, trials[i].tables);
        memory_archive_clear(&memory);
        space_close(space);
    }
}

/* A ring turned by half: the abstraction, which sees one piece, is at its goal long before, and no iteration
 * leaves a state out. */
TEST(states_that_only_look_like_the_goal_do_not_end_a_search)
{
    static const struct {
        const char *text, *partition;
        unsigned turns;
    } rows[] = {{"Set P 10 1\nMove A\nP\n2 3 4 5 6 7 8 9 10 1\nEnd\n", "orbits/A2", 5},
                {"Set P 12 1\nMove A\nP\n2 3 4 5 6 7 8 9 10 11 12 1\nEnd\n", "orbits/A3", 6}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct memory_archive memory;
        struct pz_space *space = open_text(rows[i].text, "quarter");
        uint64_t state[PZ_STATE_MAX / 8] = {0};
        memory_archive_init(&memory);
        for (unsigned turns = 1; turns <= rows[i].turns; turns++) {
            parse_state(space, text_of("A%u", turns), state);
            assert_int_equal(length_by(space, state, METHOD_IDASTAR, rows[i].partition, &memory.archive),
                             turns);
        }
        memory_archive_clear(&memory);
        space_close(space);
    }
}

/* The checkerboard, two opposite faces turned, one face turned, four spots, and a walk of no symmetry. After
 * the checkerboard's first moves there are fewer second ones, too: 32,000 nodes, and 130,000 with all of
 * them. */
TEST(symmetric_states_begin_with_few_moves)
{
    static const struct {
        const char *scramble;
        unsigned firsts, moves, most;
    } rows[] = {{"R2 L2 U2 D2 F2 B2", 2, 6, 40000},
                {"U2 D2", 4, 2, 1000},
                {"U", 9, 1, 100},
                {"R2 L2 U D' F2 B2 U D'", 0, 8, 2000000},
                {"R U F", 0, 3, 10000}};
    static const char partition[] = "orbits/U2,R,F2,D2,L/EDGE,turns";
    struct memory_archive memory;
    struct pz_space *space = open_twisty("cube3");
    struct pz_error error = {0};
    struct abstractor *abstractor = NULL;
    struct abstraction *abstraction = NULL;
    struct orbit_walk *walk = NULL;
    memory_archive_init(&memory);
    assert_ok(abstractor_new(space, &abstractor, &error), error);
    assert_ok(orbits_open(abstractor, partition, &abstraction, &error), error);
    assert_ok(orbit_walk_new(abstraction, &walk, &error), error);
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t board[PZ_STATE_MAX / 8] = {0};
        bool first[TWIST_MOVES_MAX];
        unsigned firsts = 0;
        parse_state(space, rows[i].scramble, board);
        orbit_walk_firsts(walk, board, first);
        for (unsigned m = 0; m < walk->moves; m++)
            firsts += first[m];
        if (rows[i].firsts > 0)
            assert_int_equal(firsts, rows[i].firsts);
        const struct found found = search_by(space, board, METHOD_IDASTAR, partition, &memory.archive);
        assert_int_equal(found.moves, rows[i].moves);
        assert_true(found.generated < rows[i].most);
    }
    orbit_walk_free(walk);
    abstraction_close(abstraction);
    abstractor_free(abstractor);
    memory_archive_clear(&memory);
    space_close(space);
}

/* ---- what is chosen ---- */

/* Levels of the abstraction that is chosen for the cube are too many to make here: its first ones are. */
TEST(the_cube_has_three_questions_of_one_table)
{
    struct pz_space *space = open_twisty("cube3");
    struct abstractor *abstractor = NULL;
    struct abstraction *abstraction = NULL;
    struct orbit_walk *walk = NULL;
    struct pz_error error = {0};
    char text[ORBITS_TEXT_MAX];
    assert_ok(abstractor_new(space, &abstractor, &error), error);
    assert_ok(orbits_choose(abstractor, 3e9, text, &error), error);
    assert_ok(orbits_open(abstractor, text, &abstraction, &error), error);
    assert_ok(orbit_walk_new(abstraction, &walk, &error), error);
    assert_true(abstraction->keys == UINT64_C(2217093120));
    assert_int_equal(walk->questions, 3);
    unsigned kept = 0, pairs = 0;
    for (unsigned m = 0; m < walk->moves; m++) {
        assert_true(walk->keepers[m] != 0);
        kept += walk->keepers[m] & 1;
        for (unsigned next = 0; next < walk->moves; next++)
            pairs += walk->follows[m][next];
    }
    assert_int_equal(kept, 10);
    assert_int_equal(pairs, 243); /* as level 2 of the cube */
    orbit_walk_free(walk);
    abstraction_close(abstraction);
    abstractor_free(abstractor);
    space_close(space);
}

/* A third of 8 GB holds four times as many states, whose questions distinguish one edge of the slice, too. */
TEST(eight_gigabytes_choose_a_table_four_times_as_large)
{
    const uint64_t held = (UINT64_C(8) << 30) / 3 * 4;
    struct pz_space *space = open_twisty("cube3");
    struct abstractor *abstractor = NULL;
    struct pz_error error = {0};
    char text[ORBITS_TEXT_MAX];
    assert_ok(abstractor_new(space, &abstractor, &error), error);
    const double keys = (double)(held < ORBIT_KEYS_CHOSEN ? held : ORBIT_KEYS_CHOSEN);
    assert_ok(orbits_choose(abstractor, keys, text, &error), error);
    assert_string_equal(text, "orbits/U,R2,F2,D");
    abstractor_free(abstractor);
    space_close(space);
}

static bool never_wanted(void *context)
{
    (void)context;
    return false;
}

TEST(a_choice_ends_when_it_is_not_wanted_and_is_not_remembered)
{
    const struct wanted never = {never_wanted, NULL};
    struct pz_space *space = open_twisty("skewb");
    struct abstractor *abstractor = NULL;
    struct pz_error error = {0};
    char text[ORBITS_TEXT_MAX];
    assert_ok(abstractor_new(space, &abstractor, &error), error);
    (void)wanted_set(&never);
    assert_int_equal(orbits_choose(abstractor, 1e8, text, &error), PZ_CANCELLED);
    (void)wanted_set(NULL);
    assert_ok(orbits_choose(abstractor, 1e8, text, &error), error);
    abstractor_free(abstractor);
    space_close(space);
}

/* Distances of the second are greater in the mean, 6.8 and 6.5. But the two questions of the first leave
 * fewer states near the goal than its one. */
TEST(the_abstraction_that_leaves_fewest_nodes_is_chosen)
{
    static const char *const partitions[] = {"orbits//CORNER,turns", "orbits//CORNER,pieces/OTHER,pieces"};
    struct pz_space *space = open_twisty("skewb");
    struct abstractor *abstractor = NULL;
    struct pz_error error = {0};
    struct memory_archive memory;
    char text[ORBITS_TEXT_MAX];
    uint64_t nodes[2] = {0};
    assert_ok(abstractor_new(space, &abstractor, &error), error);
    assert_ok(orbits_choose(abstractor, 1e8, text, &error), error);
    assert_string_equal(text, partitions[0]);
    memory_archive_init(&memory);
    for (unsigned i = 0; i < 4; i++)
        for (unsigned k = 0; k < 2; k++) {
            struct random random = {.state = i};
            uint64_t board[PZ_STATE_MAX / 8] = {0};
            walk_randomly(space, 8, &random, board);
            nodes[k] += search_by(space, board, METHOD_IDASTAR, partitions[k], &memory.archive).generated;
        }
    assert_true(2 * nodes[0] <= nodes[1]);
    memory_archive_clear(&memory);
    abstractor_free(abstractor);
    space_close(space);
}

TEST(the_cube_has_48_symmetries_that_keep_distances)
{
    struct pz_space *space = open_twisty("cube3");
    static struct twist_symmetry symmetry[64];
    const struct twist *twist = tws_twist(space);
    uint8_t at[TWIST_PLACES_MAX], image[TWIST_PLACES_MAX];
    assert_int_equal(twist_symmetries(twist, symmetry, 64), 48);
    for (unsigned i = 0; i < 48; i++) {
        struct random random = {.state = i};
        memcpy(at, twist->solved, twist->places);
        memcpy(image, twist->solved, twist->places);
        for (unsigned k = 0; k < 20; k++) {
            uint8_t next[TWIST_PLACES_MAX], next_image[TWIST_PLACES_MAX], seen[TWIST_PLACES_MAX];
            const unsigned move = (unsigned)random_below(&random, twist->moves);
            twist_apply(twist, move, at, next);
            twist_apply(twist, symmetry[i].move[move], image, next_image);
            twist_symmetry_apply(twist, &symmetry[i], next, seen);
            assert_memory_equal(seen, next_image, twist->places);
            memcpy(at, next, twist->places);
            memcpy(image, next_image, twist->places);
        }
    }
    space_close(space);
}

/* A cube of 18 turns takes some 4 thousand million nodes, its iteration of 17 turns a thirteenth of that. */
TEST(the_effort_for_most_positions_is_estimated)
{
    static const struct {
        const char *file, *partition;
        unsigned bound;
        double nodes, least, most;
    } rows[] = {{"cube3", "orbits/U2,R,F2,D2,L/EDGE,turns", 17, 3e8, 9, 10},
                {"cube3", "orbits/U2,R,F2,D2,L/EDGE,turns", 19, 1e11, 11, 11},
                {"cube5", "orbits//EDGE/WING/X/T", 12, 1e10, 60, 120}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct pz_space *space = open_twisty(rows[i].file);
        struct abstractor *abstractor = NULL;
        struct abstraction *abstraction = NULL;
        struct orbit_walk *walk = NULL;
        struct pz_error error = {0};
        assert_ok(abstractor_new(space, &abstractor, &error), error);
        assert_ok(orbits_open(abstractor, rows[i].partition, &abstraction, &error), error);
        assert_ok(orbit_walk_new(abstraction, &walk, &error), error);
        const double effort = orbit_walk_effort(walk, rows[i].bound, rows[i].nodes);
        if (effort < rows[i].least - 1e-9 || effort > rows[i].most + 1e-9)
            fail_msg("%s: %f", rows[i].file, effort);
        orbit_walk_free(walk);
        abstraction_close(abstraction);
        abstractor_free(abstractor);
        space_close(space);
    }
}

/* ---- the store, requests ---- */

static enum pz_status read_archive(void *context, const char *table, uint64_t at, uint64_t *word,
                                   struct pz_error *error)
{
    struct memory_archive *memory = context;
    assert_string_equal(memory->name[0], table);
    assert_true((at + 1) * sizeof *word <= memory->length[0]);
    memcpy(word, memory->bytes[0] + at * sizeof *word, sizeof *word);
    return PZ_OK;
}

TEST(a_stored_table_says_the_bound_without_being_loaded)
{
    struct memory_archive memory;
    struct pz_error error = {0};
    struct budget budget;
    struct control control = {0};
    struct abstractions *abstractions = NULL;
    uint64_t board[PZ_STATE_MAX / 8] = {0};
    char partition[SOLVE_PARTITION_MAX];
    unsigned value = 0;
    struct pz_space *space = open_twisty("pyraminx");
    budget_init(&budget, NULL, 1 << 28);
    memory_archive_init(&memory);
    const struct abstractions_request request = {.space = space,
                                                 .partition = "orbits/U/TIP/AXIAL",
                                                 .threads = 1,
                                                 .budget = &budget,
                                                 .archive = &memory.archive,
                                                 .control = &control};
    assert_ok(abstractions_open(&request, &abstractions, &error), error);
    assert_int_equal(memory.saves, 1);
    assert_true(abstractions_name_partition(memory.name[0], space, partition));
    assert_string_equal(partition, request.partition);
    const struct abstractions_request look = {.space = space, .partition = partition};
    struct random random = {.state = 1};
    for (unsigned i = 0; i < 20; i++) {
        walk_randomly(space, i, &random, board);
        assert_ok(abstractions_look_up(&look, board, read_archive, &memory, &value, &error), error);
        assert_int_equal(value, abstractions_bound(abstractions, board));
        assert_true(value <= i);
    }
    abstractions_close(abstractions);
    memory_archive_clear(&memory);
    space_close(space);
}

TEST(what_is_no_choice_of_orbits_is_refused)
{
    static const char *const wrong[] = {"orbits/Q",
                                        "orbits/U4",
                                        "orbits/U,",
                                        "orbits/U//",
                                        "orbits/U/EDG",
                                        "orbits/U/EDGE,",
                                        "orbits/U/EDGE,twists",
                                        "orbits/U0/EDGE",
                                        "orbits/U+",
                                        "orbits/U+orbits/Q",
                                        "orbits/U2'"};
    struct pz_space *space = open_twisty("cube3");
    struct pz_error error = {0};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (abstractions_check(space, wrong[i], &error) != PZ_BAD_REQUEST)
            fail_msg("%s", wrong[i]);
    assert_int_equal(abstractions_check(space, "orbits/U2,R/CORNER/EDGE,turns", &error), PZ_OK);
    space_close(space);
}

/* One edge flipped, one corner turned, two edges swapped; and two edges with two corners, which can be. */
TEST(a_cube_put_together_wrongly_is_seen_at_once)
{
    static const char *const cubes[] = {
        "1,2,3,4,5,6,7,8.0,0,0,0,0,0,0,0/1,2,3,4,5,6,7,8,9,10,11,12.1,0,0,0,0,0,0,0,0,0,0,0",
        "1,2,3,4,5,6,7,8.0,0,0,2,0,0,0,0/1,2,3,4,5,6,7,8,9,10,11,12.0,0,0,0,0,0,0,0,0,0,0,0",
        "1,2,3,4,5,6,7,8.0,0,0,0,0,0,0,0/2,1,3,4,5,6,7,8,9,10,11,12.0,0,0,0,0,0,0,0,0,0,0,0",
        "2,1,3,4,5,6,7,8.0,0,0,0,0,0,0,0/2,1,3,4,5,6,7,8,9,10,11,12.0,0,0,0,0,0,0,0,0,0,0,0"};
    struct pz_space *space = open_twisty("cube3");
    for (unsigned i = 0; i < 4; i++) {
        uint64_t board[PZ_STATE_MAX / 8] = {0};
        parse_state(space, cubes[i], board);
        assert_int_equal(space->puzzle->solvable(space, board), i < 3 ? PZ_NO : PZ_UNKNOWN);
    }
    space_close(space);
}

/* ---- checkpoints ---- */

/* Ten moves by a weak table, some lives: each ends when it has left a checkpoint. */
TEST(a_search_that_is_cut_off_goes_on)
{
    static const char partition[] = "orbits/U2,R,F2,D2,L/EDGE,turns";
    struct memory_archive memory;
    struct disk disk;
    struct budget budget;
    struct control control = {0};
    struct solve_result result;
    struct pz_error error = {0};
    uint64_t board[PZ_STATE_MAX / 8] = {0};
    struct pz_space *space = open_twisty("cube3");
    enum pz_status status = PZ_CANCELLED;
    memory_archive_init(&memory);
    budget_init(&budget, NULL, 1 << 30);
    disk_init(&disk);
    disk.control = &control;
    parse_state(space, "R U F L D B R U F L", board);
    const int64_t moves = length_by(space, board, METHOD_IDASTAR, partition, &memory.archive);
    for (unsigned lives = 0; status == PZ_CANCELLED; lives++) {
        const struct solve_request request = {.space = space,
                                              .start = board,
                                              .method = METHOD_IDASTAR,
                                              .threads = 1 + lives % 2,
                                              .budget = &budget,
                                              .partition = partition,
                                              .archive = &memory.archive,
                                              .checkpoint = &disk.calls};
        disk.kill_after = 1;
        atomic_store(&control.stop, false);
        atomic_store(&control.keep, false);
        status = solve_run(&request, &control, &result, &error);
    }
    assert_ok(status, error);
    assert_int_equal(result.moves, moves);
    assert_true(disk.resumed > 0);
    assert_int_equal(disk.refused + disk.failed, 0);
    solve_result_free(&result);
    disk_clear(&disk);
    memory_archive_clear(&memory);
    space_close(space);
}

/* Its building ends after each of the first three checkpoints. */
TEST(a_table_whose_building_is_cut_off_goes_on)
{
    static const char partition[] = "orbits/U/TIP";
    struct memory_archive memory;
    struct disk disk;
    struct budget budget;
    struct control control = {0};
    struct solve_result result;
    struct pz_error error = {0};
    uint64_t board[PZ_STATE_MAX / 8] = {0};
    struct pz_space *space = open_twisty("pyraminx");
    enum pz_status status = PZ_CANCELLED;
    unsigned lives = 0;
    memory_archive_init(&memory);
    budget_init(&budget, NULL, 1 << 28);
    disk_init(&disk);
    disk.control = &control;
    parse_state(space, "R U L B R", board);
    for (; status == PZ_CANCELLED; lives++) {
        const struct solve_request request = {.space = space,
                                              .start = board,
                                              .method = METHOD_IDASTAR,
                                              .threads = 1 + lives % 2,
                                              .budget = &budget,
                                              .partition = partition,
                                              .archive = &memory.archive,
                                              .checkpoint = &disk.calls};
        disk.kill_after = lives < 3;
        atomic_store(&control.stop, false);
        atomic_store(&control.keep, false);
        status = solve_run(&request, &control, &result, &error);
        assert_int_equal(memory.saves, status == PZ_OK);
    }
    assert_ok(status, error);
    assert_int_equal(lives, 4);
    assert_int_equal(disk.resumed, 3);
    assert_int_equal(disk.refused + disk.failed, 0);
    assert_int_equal(result.moves, length_by(space, board, METHOD_BIDIRECTIONAL, NULL, NULL));
    solve_result_free(&result);
    disk_clear(&disk);
    memory_archive_clear(&memory);
    space_close(space);
}
