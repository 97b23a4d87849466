/* SPDX-License-Identifier: MIT */
/* The dense table: its lookups against a plain breadth-first search. */
#include "board_equal.h"
#include "dense_fixture.h"
#include "plain_search.h"
#include "test_support.h"

#include "base/random.h"
#include "explore/dense/table/walk.h"

/* A finished run with its table's reader. */
struct fixture {
    struct run *run;
    struct dense_table *table;
    struct dense_geometry geometry;
};

/* size has rows <= columns, so that the space's orientation is the table's. */
static void open_fixture(struct fixture *fixture, const char *size, unsigned blank)
{
    struct run *run = run_new(size, blank);
    run->request.keep = KEEP_TABLE;
    run->request.threads = 2;
    assert_ok(run_go(run), run->error);
    assert_int_equal(run->plan.table, TABLE_DENSE);
    assert_int_equal(run->table_bytes, run->plan.table_bytes);
    assert_false(run->out_of_order);
    fixture->table = run_table_of(run);
    dense_geometry_init(&fixture->geometry, slide_permutation(run->space), blank);
    fixture->geometry.multi = slide_is_multi(run->space);
    fixture->run = run;
}

static void close_fixture(struct fixture *fixture)
{
    dense_table_free(fixture->table);
    run_free(fixture->run);
}

/* Finds all states by a plain search from the root. */
static void search_plainly(const struct fixture *fixture, struct plain_search *search)
{
    plain_explore(search, fixture->run->space, fixture->run->root, false);
    assert_int_equal(search->count, fixture->geometry.classes * fixture->geometry.places);
}

static void check_board(struct fixture *fixture, const struct plain_search *search, size_t number)
{
    struct board board;
    uint32_t distance = 0;
    slide_board(fixture->run->space, plain_state(search, number), &board);
    assert_ok(board_distance(fixture->table, &board, &distance, &fixture->run->error), fixture->run->error);
    assert_int_equal(distance, search->depths[number]);
}

/* Every state of the path is a neighbour of the one before; the last one is the root. */
static void check_path(struct fixture *fixture, const struct plain_search *search, size_t number)
{
    const struct pz_space *space = fixture->run->space;
    struct board board;
    struct board root;
    struct table_path path;
    uint64_t state[PZ_STATE_MAX / 8] = {0};
    memcpy(state, plain_state(search, number), space->state_bytes);
    slide_board(space, state, &board);
    slide_board(space, fixture->run->root, &root);
    fixture->table->base.about.space = space;
    assert_ok(table_reader_path(&fixture->table->base, state, &path, &fixture->run->error),
              fixture->run->error);
    assert_int_equal(path.moves, search->depths[number]);
    for (uint32_t i = 0; i <= path.moves; i++) {
        struct board next;
        slide_board(space, path.states + (size_t)i * space->state_bytes, &next);
        unsigned moves = i == 0;
        for (unsigned direction = 0; i > 0 && direction < DIRECTION_COUNT; direction++) {
            struct board moved = board;
            bool goes = true;
            while (goes && board_move(&fixture->geometry.grid, &moved, (enum direction)direction)) {
                goes = fixture->geometry.multi;
                moves += board_equal(&moved, &next);
            }
        }
        assert_int_equal(moves, 1);
        board = next;
    }
    assert_true(board_equal(&board, &root));
    free(path.states);
}

static void check_every_board(const char *size, unsigned blank)
{
    struct fixture fixture;
    open_fixture(&fixture, size, blank);
    struct plain_search search;
    search_plainly(&fixture, &search);
    for (size_t number = 0; number < search.count; number++) {
        check_board(&fixture, &search, number);
        if (number % 64 == 0)
            check_path(&fixture, &search, number);
    }
    plain_free(&search);
    close_fixture(&fixture);
}

TEST(every_board_of_small_puzzles_has_its_distance)
{
    check_every_board("2x2", 3);
    check_every_board("2x3", 5);
    check_every_board("2x3", 4);
    check_every_board("2x4", 7);
    check_every_board("2x4", 6);
}

TEST(every_board_of_3x3_has_its_distance)
{
    check_every_board("3x3", 8);
    if (is_brief())
        return;
    check_every_board("3x3", 7);
    check_every_board("3x3", 4);
}

TEST(every_board_has_its_distance_by_moves_of_several_tiles)
{
    check_every_board("2x4,metric:multi", 7);
    check_every_board("2x4,metric:multi", 6);
    check_every_board("2x2,metric:multi", 3);
    check_every_board("2x3,metric:multi", 4);
    check_every_board("3x3,metric:multi", 8);
    if (is_brief())
        return;
    check_every_board("3x3,metric:multi", 7);
    check_every_board("3x3,metric:multi", 4);
    check_every_board("2x5,metric:multi", 9);
    check_every_board("2x5,metric:multi", 8);
    check_every_board("2x5,metric:multi", 7);
}

TEST(random_boards_of_2x5_have_their_distance_and_a_path)
{
    struct fixture fixture;
#ifdef PUZZLED_SANITIZED
    unsigned boards = 5000;
    open_fixture(&fixture, "2x4", 7);
#else
    unsigned boards = is_brief() ? 10000 : 100000;
    open_fixture(&fixture, "2x5", 9);
#endif
    struct plain_search search;
    search_plainly(&fixture, &search);
    struct random random = {.state = 5};
    for (unsigned i = 0; i < boards; i++) {
        const size_t number = (size_t)random_below(&random, search.count);
        check_board(&fixture, &search, number);
        check_path(&fixture, &search, number);
    }
    plain_free(&search);
    close_fixture(&fixture);
}

TEST(a_board_of_the_wrong_parity_is_no_board_of_the_table)
{
    struct fixture fixture;
    open_fixture(&fixture, "2x3", 5);
    struct board board;
    uint32_t distance = 0;
    board_ordered(&fixture.geometry.grid, 5, &board);
    board.tile[0] = 2;
    board.tile[1] = 1;
    assert_int_equal(board_distance(fixture.table, &board, &distance, &fixture.run->error), PZ_BAD_BOARD);
    close_fixture(&fixture);
}

/* Checks that all boards are at that distance and no two are equal. */
static void check_sample(struct fixture *fixture, const struct board *boards, unsigned count, uint32_t depth)
{
    for (unsigned i = 0; i < count; i++) {
        uint32_t distance = 0;
        assert_ok(board_distance(fixture->table, &boards[i], &distance, &fixture->run->error),
                  fixture->run->error);
        assert_int_equal(distance, depth);
        for (unsigned k = 0; k < i; k++)
            assert_false(board_equal(&boards[i], &boards[k]));
    }
}

TEST(a_sample_holds_different_boards_at_exactly_that_distance)
{
    static const char *const sizes[] = {"2x5", "2x5,metric:multi"};
    for (unsigned i = 0; i < 2; i++) {
        struct fixture fixture;
        open_fixture(&fixture, sizes[i], 9);
        for (uint32_t depth = 0; depth < fixture.run->levels; depth++) {
            struct board boards[20];
            uint64_t there = fixture.run->states[depth];
            struct dense_sample sample = {
                .depth = depth, .level_states = there, .wanted = 20, .seed = depth, .boards = boards};
            assert_ok(dense_table_sample(fixture.table, &sample, &fixture.run->error), fixture.run->error);
            assert_true(sample.uniform);
            assert_int_equal(sample.found, there < 20 ? there : 20);
            check_sample(&fixture, boards, sample.found, depth);
        }
        close_fixture(&fixture);
    }
}

/* Draws 400 times as often as 2x3 has boards at depth 3: each must come up about as often. */
TEST(a_sample_is_uniform)
{
    struct fixture fixture;
    open_fixture(&fixture, "2x3", 4);
    uint32_t depth = 3;
    uint64_t there = fixture.run->states[depth];
    struct board kinds[64];
    unsigned hits[64] = {0};
    unsigned kind_count = 0;
    unsigned draws = 400 * (unsigned)there;
    for (unsigned i = 0; i < draws; i++) {
        struct board board;
        struct dense_sample sample = {
            .depth = depth, .level_states = there, .wanted = 1, .seed = i, .boards = &board};
        assert_ok(dense_table_sample(fixture.table, &sample, &fixture.run->error), fixture.run->error);
        assert_int_equal(sample.found, 1);
        unsigned kind = 0;
        while (kind < kind_count && !board_equal(&kinds[kind], &board))
            kind++;
        if (kind == kind_count)
            kinds[kind_count++] = board;
        hits[kind]++;
    }
    assert_int_equal(kind_count, there);
    for (unsigned kind = 0; kind < kind_count; kind++)
        assert_in_range(hits[kind], 300, 500); /* five standard deviations */
    close_fixture(&fixture);
}

TEST(walks_find_boards_at_exactly_that_distance)
{
    struct fixture fixture;
    open_fixture(&fixture, "2x5", 9);
    uint32_t last = fixture.run->levels - 1;
    for (uint32_t depth = 0; depth <= last; depth += 5) {
        struct board boards[30];
        struct dense_sample sample = {
            .depth = depth, .wanted = 30, .seed = 7, .walk = true, .boards = boards};
        assert_ok(dense_table_sample(fixture.table, &sample, &fixture.run->error), fixture.run->error);
        assert_in_range(sample.found, depth < last ? 1 : 0, fixture.run->states[depth]);
        if (fixture.run->states[depth] > 10000)
            assert_int_equal(sample.found, 30);
        check_sample(&fixture, boards, sample.found, depth);
    }
    close_fixture(&fixture);
}

TEST(damage_is_an_error_and_not_an_endless_walk)
{
    struct fixture fixture;
    open_fixture(&fixture, "2x4", 7);
    memset(fixture.run->table, 0, fixture.run->table_bytes);
    struct dense_position position;
    struct board board;
    uint32_t distance = 0;
    unsigned refused = 0;
    for (uint64_t number = 1; number < 200; number++) {
        dense_position_unrank(&fixture.geometry, number, 3, &position);
        dense_board_of(&fixture.geometry, &position, &board);
        refused += board_distance(fixture.table, &board, &distance, &fixture.run->error) == PZ_STORAGE;
    }
    assert_true(refused > 0);
    close_fixture(&fixture);
}

TEST(a_chunk_that_cannot_be_had_is_reported_and_asked_for_again)
{
    struct fixture fixture;
    open_fixture(&fixture, "2x5", 9);
    struct table_source source = {.context = fixture.run, .chunk = run_source};
    uint64_t bytes = fixture.run->table_bytes;
    struct board board;
    uint32_t distance = 0;
    board_ordered(&fixture.geometry.grid, 4, &board);
    if (!dense_position_of(&fixture.geometry, &board, &(struct dense_position){0})) {
        board.tile[0] = 2;
        board.tile[1] = 1;
    }
    fixture.run->table_bytes = 0;
    const struct table_about about = {.space = fixture.run->space, .depth = DENSE_DEPTH_MAX};
    assert_ok(table_reader_renew(&fixture.table->base, &about, &source, &fixture.run->error),
              fixture.run->error);
    assert_int_equal(board_distance(fixture.table, &board, &distance, &fixture.run->error), PZ_STORAGE);
    fixture.run->table_bytes = bytes;
    assert_int_equal(board_distance(fixture.table, &board, &distance, &fixture.run->error), PZ_OK);
    close_fixture(&fixture);
}
