/* SPDX-License-Identifier: MIT */
/* Words as people type them: notations, keys, mistakes and the hints that they get. */
#include "client_run.h"

#include "board/board.h"
#include "client/show/sliding.h"

#include <string.h>

TEST(what_people_type_is_understood)
{
    static const char *const done = "OK moves=5 solvable=yes\n";
    check_once("distance [[4,1,2],[5,0,3]]", "DISTANCE 2x3 [[4,1,2],[5,0,3]]", done, 0, "5\n");
    check_once("distance 23415x768", "DISTANCE 3x3 23415x768", done, 0, "5\n");
    check_once("distance 8,6,7/2,5,4/3,0,1", "DISTANCE 3x3 8,6,7/2,5,4/3,0,1", done, 0, "5\n");
    check_once("distance 8,6,7,2,5,4,3,0,1", "DISTANCE 3x3 8,6,7,2,5,4,3,0,1", done, 0, "5\n");
    check_once("distance 3x3 １，２，３/4,5,6/7,8,0", "DISTANCE 3x3 1,2,3/4,5,6/7,8,0", done, 0, "5\n");
    check_once("solve 华容道：横刀立马 --detach", "SOLVE klotski:横刀立马", "OK job=1 state=queued\n", 0,
               "job 1 queued\n");
    check_once("solve 華容道:横刀立马 --detach", "SOLVE klotski:横刀立马", "OK job=1 state=queued\n", 0,
               "job 1 queued\n");
    check_once("explore 3×4 --detach", "EXPLORE 3x4", "OK job=1 state=queued\n", 0, "job 1 queued\n");
    check_once("explore 数字华容道:3x3 --detach", "EXPLORE slide:3x3", "OK job=1 state=queued\n", 0,
               "job 1 queued\n");
    check_once("distance FE169B4C0A73D852", "DISTANCE 4x4 FE169B4C0A73D852", done, 0, "5\n");
    check_once("distance fe169b4cxa73d852", "DISTANCE 4x4 fe169b4cxa73d852", done, 0, "5\n");
    check_once("distance slide 23415x768", "DISTANCE 3x3 23415x768", done, 0, "5\n");
    check_once("distance 数字华容道 23415x768", "DISTANCE 3x3 23415x768", done, 0, "5\n");
    static const struct fake_step none[] = {
        {.request = "JOBS before=9223372036854775807", .reply = "OK count=0\nEND\n"},
        {.request = "JOBS tools=yes before=9223372036854775807", .reply = "OK count=0\nEND\n"}};
    check_says(CLIENT_RUN(none, "result 华容道"), 2, "no job is of such a puzzle");
    struct client_run run = client_run_alone("distance FE169B4C0A73D855"); /* 5 twice */
    assert_int_equal(run.code, 2);
    client_run_clear(&run);
    check_says(client_run_alone("distance 2x13"), 2, "missing argument: distance PUZZLE START|-");
    check_says(client_run_alone("explore 3x3 4x4"), 2, "unexpected argument '4x4'\n");
    check_says(client_run_alone("solve 3x3 1 2 3"), 2,
               "unexpected argument '2' (a board with spaces needs quotes)");
    check_says(client_run_alone("define hanoi.psvn strict=yes"), 2,
               "unexpected 'strict=yes': define takes no keys, only options");
    check_says(client_run_alone("random 3x3 goal=1"), 2,
               "unexpected 'goal=1': random takes no keys, only options");
    check_says(client_run_alone("make 3x3 metric=multi"), 2, "make takes no keys, only options");
    check_says(client_run_alone("3x"), 2,
               "unknown command '3x', and no puzzle or board: 3x3 and 8,6,7/2,5,4/3,0,1 are some\n");
    check_says(client_run_alone("export 3x3 table"), 2, "end it with .npy, .csv or .bin, or give --format");
    check_says(client_run_once("sample 3x3 99", "SAMPLE 3x3 depth=99", "OK count=0 depth=99\nEND\n"), 1,
               "no board there; how many are where: puzzlectl levels 3x3\n");
}

/* A request is refused, and the list of puzzles asked for, which the hint is made of. */
static void check_hint(const char *line, const char *request, const char *refusal, const char *puzzles,
                       const char *hint)
{
    const struct fake_step steps[] = {{.request = request, .reply = refusal},
                                      {.request = "PUZZLES", .reply = puzzles}};
    check_says(CLIENT_RUN(steps, line), 4, hint);
}

TEST(a_refusal_is_followed_by_what_to_write)
{
    check_hint("explore sokobn", "EXPLORE sokobn", "ERR bad-puzzle fatal no puzzle 'sokobn'\n",
               "OK count=2\npuzzle=slide\npuzzle=sokoban\nEND\n", "did you mean 'sokoban'?");
    check_hint("puzzles kotski", "PUZZLES kotski", "ERR bad-puzzle fatal no puzzle 'kotski'\n",
               "OK count=2\npuzzle=slide\npuzzle=klotski\nEND\n", "did you mean 'klotski'?");
    static const struct fake_step folder[] = {
        {.request = "EXPLORE /tmp", .reply = "ERR bad-puzzle fatal no puzzle '/tmp'\n"},
        {.request = "PUZZLES", .reply = "OK count=1\npuzzle=slide\nEND\n"}};
    struct client_run none = CLIENT_RUN(folder, "explore /tmp");
    assert_null(strstr(none.err, "boards in a file"));
    client_run_clear(&none);
    static const struct fake_step sizes[] = {
        {.request = "EXPLORE sokoban:3", .reply = "ERR bad-puzzle fatal '3' is no level\n"},
        {.request = "PUZZLES", .reply = "OK count=1\npuzzle=sokoban\nEND\n"}};
    struct client_run run = CLIENT_RUN(sizes, "explore sokoban:3");
    assert_null(strstr(run.err, "did you mean"));
    assert_null(strstr(run.err, "plugins"));
    client_run_clear(&run);
    static const struct fake_step text[] = {
        {.request = "EXPLORE tws:12ab",
         .reply = "ERR bad-puzzle fatal no tws definition '12ab'; DEFINITIONS lists them\n"},
        {.request = "PUZZLES", .reply = "OK count=1\npuzzle=slide\nEND\n"}};
    run = CLIENT_RUN(text, "explore tws:12ab");
    assert_null(strstr(run.err, "plugins"));
    client_run_clear(&run);
    check_hint("explore megaminx", "EXPLORE megaminx",
               "ERR bad-puzzle fatal no puzzle 'megaminx'; there are: slide\n",
               "OK count=1\npuzzle=slide\nEND\n",
               " topspin9\n  others are plugins: the daemon loads them from its --plugin-directory\n");
    check_hint("solve cub5", "SOLVE cub5", "ERR bad-puzzle fatal no puzzle 'cub5'; there are: slide\n",
               "OK count=1\npuzzle=slide\nEND\n", "did you mean 'cube5'?");
    check_hint("solve /dev/null", "SOLVE /dev/null", "ERR bad-puzzle fatal no puzzle '/dev/null'\n",
               "OK count=1\npuzzle=slide\nEND\n", "boards in a file are read so: PUZZLE - < /dev/null\n");
    check_says(
        client_run_once("solve 4x4", "SOLVE 4x4",
                        "ERR bad-request fatal missing=start SOLVE needs start=BOARD\n"),
        4,
        "SOLVE needs --start BOARD\n  the board goes behind its puzzle; - reads boards from the standard "
        "input, --random makes one,\n  and so does --scramble");
    check_says(client_run_once("grade 4x4", "GRADE 4x4 tool=grade",
                               "ERR bad-request fatal missing=start GRADE needs start=BOARD\n"),
               4, "GRADE needs start=BOARD\n"); /* it has no option for it */
    static const struct fake_step file[] = {
        {.request = "SOLVE 3x3 start=/dev/null", .reply = "ERR bad-board fatal '/' is no tile\n"}};
    check_says(CLIENT_RUN(file, "solve 3x3 /dev/null"), 4, "boards in a file are read so: - < /dev/null\n");
    check_says(client_run_once("distance 3x3 /dev/null", "DISTANCE 3x3 /dev/null",
                               "ERR bad-board fatal '/' is no tile\n"),
               4, "boards in a file are read so: - < /dev/null\n");
    check_says(client_run_once("distance sokoban no-file.xsb", "DISTANCE sokoban no-file.xsb",
                               "ERR bad-board fatal byte 0x6E is no sign\n"),
               4, "if it is a file: there is no no-file.xsb here; boards in one are read so: - < FILE\n");
    check_hint("solve [[4,1,2],[5,0]]", "SOLVE [[4,1,2],[5,0]]",
               "ERR bad-puzzle fatal no puzzle '[[4,1,2],[5,0]]'\n", "OK count=1\npuzzle=slide\nEND\n",
               "a board alone has rows of one length, as 8,6,7/2,5,4/3,0,1");
}

TEST(keys_of_a_puzzle_are_passed_through)
{
    check_once("solve linkup start=BA.B/AABB from=0,0 to=1,1 border=yes --detach",
               "SOLVE linkup start=BA.B/AABB from=0,0 to=1,1 border=yes", "OK job=5 state=queued\n", 0,
               "job 5 queued\n");
    check_once("solve klotski:横刀立马 metric=move --detach", "SOLVE klotski:横刀立马 metric=move",
               "OK job=6 state=queued\n", 0, "job 6 queued\n");
    check_once("solve sokoban --detach -- '-#@ $.#'", "SOLVE sokoban start=\"-#@ $.#\"",
               "OK job=7 state=queued\n", 0, "job 7 queued\n");
    check_once("pdb 4x4 --partition 7-8 --detach", "PDB 4x4 partition=7-8", "OK job=8 state=queued\n", 0,
               "job 8 queued\n");
}

TEST(the_hint_of_a_missing_table_makes_that_table)
{
    static const char *const cases[][4] = {
        {"distance 2x2 1,2/0,3", "DISTANCE 2x2 1,2/0,3",
         "ERR no-table fatal table_from=root no table covers this: it takes EXPLORE slide:2x2 root=1,2/3,0\n",
         "puzzlectl explore 2x2\n"},
        {"distance jugs:3,5 0,0 --goal 4", "DISTANCE jugs:3,5 0,0 goal=4",
         "ERR no-table fatal states=24 table_from=goals no table covers this: it takes EXPLORE "
         "jugs:3,5,goal:4\n",
         "puzzlectl explore jugs:3,5 goal=4 --from goals\n"},
        {"path klotski:x @ metric=step", "PATH klotski:x @ metric=step",
         "ERR no-table fatal table_from=goals no table covers this: it takes EXPLORE klotski:x,metric:step "
         "root=@\n",
         "puzzlectl explore klotski:x metric=step --from goals\n"},
        {"distance klotski @ metric=step", "DISTANCE klotski @ metric=step",
         "ERR no-table fatal table_root=start table_from=goals no table covers this: it takes EXPLORE "
         "klotski:@ "
         "root=@\n",
         "puzzlectl explore klotski metric=step --root BOARD --from goals\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct fake_step step = {.request = cases[i][1], .reply = cases[i][2]};
        check_says(client_run_with(NULL, &step, 1, cases[i][0]), 4, cases[i][3]);
        check_says(client_run_with(NULL, &step, 1, cases[i][0]), 4,
                   "one board is solved without it: puzzlectl solve ");
    }
    struct client_run run =
        client_run_once("distance 2x2 1,2/0,3 root=0,1/3,2", "DISTANCE 2x2 1,2/0,3 root=0,1/3,2",
                        "ERR no-table fatal table_from=root no table covers this\n");
    check_contains(run.err, "puzzlectl explore 2x2 root=0,1/3,2\n");
    assert_null(strstr(run.err, "puzzlectl solve")); /* which would go to the goal */
    client_run_clear(&run);
    run = client_run_once("distance spun U symmetry=yes", "DISTANCE spun U symmetry=yes",
                          "ERR no-table fatal table_from=root no table covers this\n");
    check_contains(run.err, "puzzlectl explore spun symmetry=yes\n");
    assert_null(strstr(run.err, "puzzlectl solve")); /* which refuses classes */
    client_run_clear(&run);
}

TEST(a_mistyped_key_is_recognized)
{
    static const struct fake_step right[] = {
        {.request = "SOLVE linkup turns=x", .reply = "ERR bad-request fatal turns=: 'x' is no number\n"},
        {.request = "PUZZLES", .reply = "OK count=1\npuzzle=linkup keys=\"from to border turns\"\nEND\n"}};
    check_hint("solve 3x3 metod=bfs", "SOLVE 3x3 metod=bfs",
               "ERR bad-request fatal unknown key 'metod' for puzzle slide\n",
               "OK count=1\npuzzle=slide keys=\"\"\nEND\n", "did you mean 'method'?");
    check_hint("solve linkup bordr=yes", "SOLVE linkup bordr=yes",
               "ERR bad-request fatal unknown key 'bordr' for puzzle linkup\n",
               "OK count=1\npuzzle=linkup keys=\"from to border turns\"\nEND\n", "did you mean 'border'?");
    struct client_run run = CLIENT_RUN(right, "solve linkup turns=x");
    assert_null(strstr(run.err, "did you mean"));
    client_run_clear(&run);
}

TEST(random_boards_are_solvable_and_repeatable)
{
    struct client_run first = client_run_alone("random 3x3 -n 200 --seed 7");
    struct client_run again = client_run_alone("random 3x3 -n 200 --seed 7");
    assert_int_equal(first.code, 0);
    assert_string_equal(first.out, again.out);
    struct grid grid;
    struct board board;
    struct board goal;
    struct pz_error error;
    unsigned count = 0;
    assert_int_equal(grid_parse(&grid, "3x3", &error), PZ_OK);
    board_default_goal(&grid, &goal);
    for (char *rest = again.out, *line = NULL; (line = strsep(&rest, "\n")) != NULL && *line != '\0';
         count++) {
        assert_int_equal(board_parse(&grid, line, &board, &error), PZ_OK);
        assert_int_equal(board_reach(&grid, &board, &goal), BOARD_REACHED);
    }
    assert_int_equal(count, 200);
    client_run_clear(&first);
    client_run_clear(&again);
    /* Two runs in one second give other boards. */
    first = client_run_alone("random 4x4 -n 3");
    again = client_run_alone("random 4x4 -n 3");
    assert_string_not_equal(first.out, again.out);
    client_run_clear(&first);
    client_run_clear(&again);
    check_says(client_run_alone("random 9x9"), 2, "up to 42 cells");
    check_says(client_run_alone("random klotski"), 2, "");
}
