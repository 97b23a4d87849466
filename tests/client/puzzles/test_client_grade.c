/* SPDX-License-Identifier: MIT */
/* The subcommand grade: what it asks of the daemon, and what it makes of the answers. */
#include "client_run.h"

#include <string.h>
#include <unistd.h>

#define SOKOBAN "sokoban:####/#@$.#/####,metric:push"

/* A board of one piece, of one move in either metric. Moves cannot be undone: the positions are explored. */
static const struct fake_step solved[] = {
    {.request = "SOLVE sokoban start=####/#@$.#/#### all=yes", .reply = "OK job=1 state=done cached=no\n"},
    {.request = "RESULT 1",
     .reply = "OK job=1 kind=solve puzzle=" SOKOBAN " state=done solvable=yes moves=1 path=1.2:R "
              "solutions=2 start=####/#@$.#/####\n"},
    {.request = "SOLVE " SOKOBAN " start=####/#@$.#/#### metric=move",
     .reply = "OK job=2 state=done cached=yes\n"},
    {.request = "RESULT 2", .reply = "OK job=2 state=done solvable=yes moves=3\n"},
    {.request = "DRAW " SOKOBAN " ####/#@$.#/#### path=1.2:R",
     .reply = "OK count=2\nframe=0 board=A drawing=A\nframe=1 move=1.2:R board=B drawing=B\nEND\n"},
    {.request = "GRAPH " SOKOBAN " root=A depth=1",
     .reply =
         "OK count=3 depth=1 edges=2 complete=no reversible=no\n"
         "node=0 level=0 board=A next=\"1 2\" steps=\"a b\"\nnode=1 level=1 board=C next=\"\" steps=\"\"\n"
         "node=2 level=1 board=B next=\"\" steps=\"\"\nEND\n"},
    {.request = "EXPLORE " SOKOBAN " start=####/#@$.#/#### from=goals keep=levels time=10s",
     .reply = "OK job=3 state=done cached=no\n"},
    {.request = "RESULT 3", .reply = "OK job=3 state=done complete=yes states=3 dead=1 to=goal\n"},
};

static void a_grade_is_put_together_from_answers(void **state)
{
    static const char line[] = "grade sokoban - --csv";
    const struct client_setting setting = {.input = "####\n#@$.#\n####\n"};
    (void)state;
    struct client_run run = client_run_with(&setting, solved, sizeof solved / sizeof *solved, line);
    assert_string_equal(
        run.out,
        "title,board,solvable,pushes,moves,solutions,branching,positions,dead,pieces,must_move,box_changes\n"
        "\"\",\"####/#@$.#/####\",yes,1,3,2,2.0000,4,0.2500,1,1,0\n");
    assert_int_equal(run.code, 0);
    client_run_clear(&run);
    run = client_run_with(&setting, solved, sizeof solved / sizeof *solved, "grade sokoban - --json");
    assert_string_equal(run.out,
                        "{\"board\":\"####/#@$.#/####\",\"title\":\"\",\"solvable\":\"yes\",\"pushes\":1,"
                        "\"moves\":3,\"solutions\":2,\"branching\":2.0,\"positions\":4,\"dead\":0.25,"
                        "\"pieces\":1,\"must_move\":1,\"box_changes\":0}\n");
    client_run_clear(&run);
}

static void on_a_terminal_a_grade_is_a_line_a_figure(void **state)
{
    const struct client_setting setting = {.input = "####\n#@$.#\n####\n", .terminal = 1};
    (void)state;
    struct client_run run =
        client_run_with(&setting, solved, sizeof solved / sizeof *solved, "grade sokoban - --quiet");
    check_contains(run.out, "####/#@$.#/####\n"
                            "  solvable     yes\n"
                            "  pushes       1\n"
                            "  moves        3\n"
                            "  solutions    2\n"
                            "  branching    2.00 moves a position on the way\n"
                            "  positions    4\n"
                            "  dead ends    25.0% of the positions\n"
                            "  must move    1 of 1 pieces\n"
                            "  box changes  0\n");
    client_run_clear(&run);
}

/* The first box, the second, and the first again, which stands where it came to: two changes. */
static void pushes_of_another_box_are_counted(void **state)
{
    static const char moves[] = "OK count=1 reversible=yes\nnode=0 board=A next=\"1\" steps=\"a\"\nEND\n";
    static const struct fake_step steps[] = {
        {.request = "SOLVE sokoban start=####/#@$.#/#### all=yes", .reply = "OK job=1 state=done\n"},
        {.request = "RESULT 1",
         .reply =
             "OK job=1 puzzle=" SOKOBAN " state=done solvable=yes moves=4 path=x solutions=1 start=####\n"},
        {.request = "SOLVE " SOKOBAN " start=####/#@$.#/#### metric=move", .reply = "ERR limit fatal no\n"},
        {.request = "DRAW " SOKOBAN " #### path=x",
         .reply = "OK count=5\nboard=$--$-\nboard=-*-$-\nboard=--$$-\nboard=--$-$\nboard=---$$\nEND\n"},
        {.request = "GRAPH " SOKOBAN " root=$--$- depth=1", .reply = moves},
        {.request = "GRAPH " SOKOBAN " root=-*-$- depth=1", .reply = moves},
        {.request = "GRAPH " SOKOBAN " root=--$$- depth=1", .reply = moves},
        {.request = "GRAPH " SOKOBAN " root=--$-$ depth=1", .reply = moves}};
    const struct client_setting setting = {.input = "####\n#@$.#\n####\n"};
    (void)state;
    struct client_run run =
        client_run_with(&setting, steps, sizeof steps / sizeof *steps, "grade sokoban - --json");
    check_contains(run.out, "\"box_changes\":2}");
    client_run_clear(&run);
}

/* A solved board has one position on its way, which tells that moves cannot be undone; no piece must move. */
static void a_solved_board_has_its_dead_positions_and_no_piece_that_must_move(void **state)
{
    static const struct fake_step steps[] = {
        {.request = "SOLVE sokoban start=####/#@*.#/#### all=yes",
         .reply = "OK job=1 state=done cached=no\n"},
        {.request = "RESULT 1",
         .reply = "OK job=1 kind=solve puzzle=" SOKOBAN " state=done solvable=yes moves=0 path=\"\" "
                  "solutions=1 start=####/#@*.#/####\n"},
        {.request = "SOLVE " SOKOBAN " start=####/#@*.#/#### metric=move",
         .reply = "OK job=2 state=done cached=yes\n"},
        {.request = "RESULT 2", .reply = "OK job=2 state=done solvable=yes moves=0\n"},
        {.request = "DRAW " SOKOBAN " ####/#@*.#/#### path=\"\"",
         .reply = "OK count=1\nframe=0 board=A drawing=A\nEND\n"},
        {.request = "GRAPH " SOKOBAN " root=A depth=1",
         .reply = "OK count=1 depth=1 edges=0 complete=no reversible=no\n"
                  "node=0 level=0 board=A next=\"\" steps=\"\"\nEND\n"},
        {.request = "EXPLORE " SOKOBAN " start=####/#@*.#/#### from=goals keep=levels time=10s",
         .reply = "OK job=3 state=done cached=no\n"},
        {.request = "RESULT 3", .reply = "OK job=3 state=done complete=yes states=4 dead=7 to=goal\n"},
    };
    static const char line[] = "grade sokoban - --json";
    const struct client_setting setting = {.input = "####\n#@*.#\n####\n"};
    (void)state;
    struct client_run run = client_run_with(&setting, steps, sizeof steps / sizeof *steps, line);
    assert_string_equal(run.out,
                        "{\"board\":\"####/#@*.#/####\",\"title\":\"\",\"solvable\":\"yes\",\"pushes\":0,"
                        "\"moves\":0,\"solutions\":1,\"positions\":11,\"dead\":0.636363636364,"
                        "\"pieces\":1,\"must_move\":0,\"box_changes\":0}\n");
    client_run_clear(&run);
}

/* Of two blocks one stays in some solution. Klotski's moves can be undone: no position is dead. */
static void a_piece_must_move_if_there_is_no_solution_with_it_as_wall(void **state)
{
    static const struct fake_step steps[] = {
        {.request = "SOLVE klotski:a@/bc metric=step all=yes", .reply = "OK job=1 state=done cached=no\n"},
        {.request = "RESULT 1",
         .reply = "OK job=1 kind=solve puzzle=klotski:A@/BC,metric:step,goal:A:0:1 state=done solvable=yes "
                  "moves=1 "
                  "path=0.0:R solutions=1 start=A@/BC\n"},
        {.request = "SOLVE klotski:A@/BC,metric:step,goal:A:0:1 start=A@/BC metric=move",
         .reply = "OK job=2 state=done cached=no\n"},
        {.request = "RESULT 2", .reply = "OK job=2 state=done solvable=yes moves=1\n"},
        {.request = "DRAW klotski:A@/BC,metric:step,goal:A:0:1 A@/BC path=0.0:R",
         .reply =
             "OK count=2\nframe=0 board=A@/BC drawing=A\nframe=1 move=0.0:R board=@A/BC drawing=B\nEND\n"},
        {.request = "GRAPH klotski:A@/BC,metric:step,goal:A:0:1 root=A@/BC depth=1",
         .reply = "OK count=1 depth=1 edges=1 complete=no reversible=yes\n"
                  "node=0 level=0 board=A@/BC next=1 steps=R\nEND\n"},
        {.request = "SOLVE klotski:#@/BC,metric:step,goal:A:0:1 start=#@/BC",
         .reply = "ERR bad-request fatal goal: the board has no block A\n"},
        {.request = "SOLVE klotski:A@/#C,metric:step,goal:A:0:1 start=A@/#C",
         .reply = "OK job=3 state=done cached=no\n"},
        {.request = "RESULT 3", .reply = "OK job=3 state=done solvable=yes moves=1\n"},
        {.request = "SOLVE klotski:A@/B#,metric:step,goal:A:0:1 start=A@/B#",
         .reply = "OK job=4 state=done cached=no\n"},
        {.request = "RESULT 4", .reply = "OK job=4 state=done solvable=no moves=-1\n"},
    };
    (void)state;
    struct client_run run = CLIENT_RUN(steps, "grade klotski:a@/bc metric=step --json");
    assert_string_equal(run.out,
                        "{\"board\":\"A@/BC\",\"solvable\":\"yes\",\"moves\":1,\"steps\":1,\"solutions\":1,"
                        "\"branching\":1.0,\"dead\":0.0,\"pieces\":3,\"must_move\":2}\n");
    assert_int_equal(run.code, 0);
    client_run_clear(&run);
}

static void a_refused_board_has_a_line_and_does_not_end_the_list(void **state)
{
    static const struct fake_step steps[] = {
        {.request = "SOLVE 3x3 start=1,1,1 all=yes", .reply = "ERR bad-board fatal 3 cells given\n"},
        {.request = "SOLVE 3x3 start=1,2,3/4,5,6/8,7,0 all=yes", .reply = "OK job=1 state=done cached=no\n"},
        {.request = "RESULT 1",
         .reply = "OK job=1 kind=solve puzzle=slide:3x3 state=done solvable=no moves=-1 solutions=0\n"}};
    const struct client_setting setting = {.input = "1,1,1\n1,2,3/4,5,6/8,7,0\n"};
    (void)state;
    struct client_run run = client_run_with(&setting, steps, sizeof steps / sizeof *steps, "grade 3x3 -");
    assert_string_equal(
        run.out, "title\tboard\tsolvable\tmoves\tsolutions\tbranching\tpositions\tdead\tpieces\tmust_move\n"
                 "\t1,1,1\terror bad-board: 3 cells given\t\t\t\t\t\t\t\n"
                 "\t1,2,3/4,5,6/8,7,0\tno\t\t0\t\t\t\t\t\n");
    assert_int_equal(run.code, 4);
    client_run_clear(&run);
}

static void a_file_that_is_not_there_is_named(void **state)
{
    (void)state;
    struct client_run run = client_run_alone("grade 3x3 /nowhere/boards.txt");
    assert_int_equal(run.code, 2);
    check_contains(run.err, "/nowhere/boards.txt");
    client_run_clear(&run);
}

static void a_file_without_a_board_is_told(void **state)
{
    static const char *const lines[] = {"grade sokoban -", "solve sokoban -", "distance klotski -"};
    const struct client_setting setting = {.input = "; a remark\n\nTitle: of nothing\n"};
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct client_run run = client_run_with(&setting, NULL, 0, lines[i]);
        assert_int_equal(run.code, 2);
        check_contains(run.err, "there is no board in the input");
        client_run_clear(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_a_terminal_a_grade_is_a_line_a_figure),
        cmocka_unit_test(pushes_of_another_box_are_counted),
        cmocka_unit_test(a_solved_board_has_its_dead_positions_and_no_piece_that_must_move),
        cmocka_unit_test(a_grade_is_put_together_from_answers),
        cmocka_unit_test(a_piece_must_move_if_there_is_no_solution_with_it_as_wall),
        cmocka_unit_test(a_refused_board_has_a_line_and_does_not_end_the_list),
        cmocka_unit_test(a_file_that_is_not_there_is_named),
        cmocka_unit_test(a_file_without_a_board_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
