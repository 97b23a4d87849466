/* SPDX-License-Identifier: MIT */
/* Sokoban's searches on the 155 levels of Microban, and on small rooms. */
#include "plain_search.h"
#include "sokoban_room.h"
#include "solve_support.h"

enum { LEVELS = 155, LEVEL_MAX = 1024 };

struct level {
    char text[LEVEL_MAX]; /* rows parted by '|' */
    long pushes, moves;   /* -1: not known */
};

/* Rows that begin with a wall, after spaces, belong to a level; others end it. */
static void read_levels(struct level *levels)
{
    char line[512];
    unsigned count = 0;
    bool inside = false;
    FILE *file = test_data("microban.xsb");
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        const bool is_row = line[strspn(line, " ")] == '#';
        count += is_row && !inside;
        assert_true(count <= LEVELS);
        if (is_row) {
            char *text = levels[count - 1].text;
            const size_t length = strlen(text);
            (void)snprintf(text + length, LEVEL_MAX - length, "%s%s", length > 0 ? "|" : "", line);
        }
        inside = is_row;
    }
    (void)fclose(file);
    assert_int_equal(count, LEVELS);
}

static void read_answers(struct level *levels)
{
    struct test_rows rows;
    test_rows_open(&rows, "microban.csv", "level,pushes,moves");
    while (test_rows_next(&rows, 3)) {
        assert_int_equal(test_number(rows.field[0]), rows.count);
        assert_true(rows.count <= LEVELS);
        levels[rows.count - 1].pushes = test_number(rows.field[1]);
        levels[rows.count - 1].moves = test_number(rows.field[2]);
    }
    test_rows_close(&rows, LEVELS);
}

/* Returns the fewest pushes or moves, -1 if the memory does not suffice to find them. */
static long solve_within(const char *level, const char *metric, enum method method, uint64_t bytes)
{
    struct pz_error error = {0};
    uint64_t start[PZ_STATE_MAX / 8];
    struct pz_space *space = plain_open("sokoban", level, NULL, "metric", metric);
    assert_ok(space->puzzle->root(space, start, &error), error);
    const struct solve_request request = {.space = space, .start = start, .method = method, .threads = 1};
    struct solve_result result = solved_within(request, bytes);
    const long moves = (long)result.moves;
    assert_true(result.solvable != PZ_UNKNOWN || result.reason == STOP_MEMORY);
    if (moves >= 0)
        assert_path(space, start, &result);
    solve_result_free(&result);
    space_close(space);
    return moves;
}

/* Solves each level that a little memory suffices for, and returns how many that are. */
static unsigned check_levels(const char *metric, uint64_t bytes, unsigned count)
{
    static struct level levels[LEVELS];
    unsigned solved = 0;
    memset(levels, 0, sizeof levels);
    read_levels(levels);
    read_answers(levels);
    for (unsigned i = 0; i < count; i++) {
        const long expected = *metric == 'p' ? levels[i].pushes : levels[i].moves;
        const long found = solve_within(levels[i].text, metric, METHOD_ASTAR, bytes);
        solved += found >= 0;
        if (found >= 0 && found != expected)
            fail_msg("level %u: %ld, not %ld by %s", i + 1, found, expected, metric);
    }
    return solved;
}

#ifdef PUZZLED_SANITIZED
enum { COUNT = 30, SOLVED_BY_PUSHES = 30, SOLVED_BY_MOVES = 30 };
#else
enum { COUNT = LEVELS, SOLVED_BY_PUSHES = 143, SOLVED_BY_MOVES = 120 };
#endif

TEST(levels_have_their_fewest_pushes)
{
    assert_true(check_levels("push", UINT64_C(2) << 20, COUNT) >= SOLVED_BY_PUSHES);
}

TEST(levels_have_their_fewest_moves)
{
    assert_true(check_levels("move", UINT64_C(2) << 20, COUNT) >= SOLVED_BY_MOVES);
}

/* A* goes from push to push, breadth-first search step by step. */
TEST(rooms_have_the_same_fewest_moves_from_push_to_push_as_step_by_step)
{
    struct random random = {77};
    unsigned rooms = 0, solved = 0;
    const unsigned wanted = SANITIZED ? 20 : 200;
    while (rooms < wanted) {
        char level[ROOM_TEXT];
        struct pz_space *space = NULL;
        struct pz_error error = {0};
        make_room(&random, level);
        /* A box or a goal that is walled in is refused, not unsolvable. */
        if (plain_try_open(&space, "sokoban", level, NULL, NULL, NULL, &error) != PZ_OK)
            continue;
        space_close(space);
        const long moves = solve_within(level, "move", METHOD_BFS, UINT64_C(256) << 20);
        if (solve_within(level, "move", METHOD_ASTAR, UINT64_C(256) << 20) != moves)
            fail_msg("%s", level);
        solved += moves >= 0;
        rooms++;
    }
    assert_in_range(solved, wanted / 10, wanted);
}
