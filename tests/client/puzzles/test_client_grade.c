/* SPDX-License-Identifier: MIT */
/* The subcommand grade: how it prints what GRADE tells. */
#include "client_run.h"

#define GRADED                                                                                               \
    "OK job=1 kind=solve puzzle=sokoban:####/#@$.#/####,metric:push state=done solvable=yes moves=1 "        \
    "path=1.2:R solutions=2 start=####/#@$.#/#### other_metric=move other_moves=3 branching=2.0000 "         \
    "wrong_turns=1 dead_turns=1 counterintuitive=0 positions=4 dead=1 piece_count=1 must_move=1 "            \
    "box_changes=0 "                                                                                         \
    "decomposition=0 rating=2 difficulty=easy\n"

static const struct fake_step solved[] = {
    {.request = "GRADE sokoban start=####/#@$.#/#### tool=grade", .reply = "OK job=1 state=done cached=no\n"},
    {.request = "RESULT 1", .reply = GRADED},
};

TEST(a_grade_is_a_line_of_columns_or_an_object)
{
    static const char line[] = "grade sokoban - --csv";
    const struct client_setting setting = {.input = "####\n#@$.#\n####\n"};
    check_run(
        CLIENT_RUN_IN(&setting, solved, line), 0,
        "title,board,solvable,pushes,moves,solutions,branching,wrong_turns,dead_turns,"
        "counterintuitive,positions,dead,piece_count,must_move,box_changes,decomposition,rating,difficulty\n"
        "\"\",\"####/#@$.#/####\",yes,1,3,2,2.0000,1,1,0,4,0.2500,1,1,0,0,2,easy\n");
    check_run(CLIENT_RUN_IN(&setting, solved, "grade sokoban - --json"), 0,
              "{\"board\":\"####/#@$.#/####\",\"solvable\":\"yes\",\"pushes\":1,"
              "\"moves\":3,\"solutions\":2,\"branching\":2.0,\"wrong_turns\":1,\"dead_turns\":1,"
              "\"counterintuitive\":0,\"positions\":4,\"dead\":0.25,\"piece_count\":1,\"must_move\":1,"
              "\"box_changes\":0,\"decomposition\":0,\"rating\":2,\"difficulty\":\"easy\"}\n");
}

TEST(a_grade_is_a_line_a_figure_in_a_pipe_too)
{
    const struct client_setting setting = {.input = "####\n#@$.#\n####\n"};
    check_run(CLIENT_RUN_IN(&setting, solved, "grade sokoban -"), 0,
              "####/#@$.#/####\n"
              "  solvable          yes\n"
              "  pushes            1\n"
              "  moves             3\n"
              "  solutions         2\n"
              "  branching         2.0000 moves a position on the way\n"
              "  wrong turns       1\n"
              "  dead turns        1\n"
              "  counterintuitive  0\n"
              "  positions         4\n"
              "  dead ends         25.0% of the positions\n"
              "  must move         1 of 1 pieces\n"
              "  box changes       0\n"
              "  decomposition     0\n"
              "  rating            2 of 100: easy\n");
}

/* Asked by the second metric, the columns keep their order. Moves can be undone: no share of unknown many. */
TEST(both_metrics_have_their_columns_whichever_is_asked_for)
{
    static const struct fake_step steps[] = {
        {.request = "GRADE klotski:a@/bc metric=step tool=grade", .reply = "OK job=1 state=done cached=no\n"},
        {.request = "RESULT 1",
         .reply = "OK job=1 kind=solve puzzle=klotski:A@/BC,metric:step,goal:A:0:1 state=done solvable=yes "
                  "moves=2 path=0.0:R solutions=1 start=A@/BC other_metric=move other_moves=1 "
                  "branching=1.5000 wrong_turns=2 dead_turns=0 dead=0 piece_count=3\n"}};
    check_run(CLIENT_RUN(steps, "grade klotski:a@/bc metric=step --json"), 0,
              "{\"board\":\"A@/BC\",\"solvable\":\"yes\",\"moves\":1,\"steps\":2,\"solutions\":1,"
              "\"branching\":1.5,\"wrong_turns\":2,\"dead_turns\":0,\"dead\":0.0,\"piece_count\":3}\n");
}

TEST(a_refused_board_has_a_line_and_does_not_end_the_list)
{
    static const struct fake_step steps[] = {
        {.request = "GRADE 3x3 start=1,1,1 tool=grade", .reply = "ERR bad-board fatal 3 cells given\n"},
        {.request = "GRADE 3x3 start=1,2,3/4,5,6/8,7,0 tool=grade",
         .reply = "OK job=1 state=done cached=no\n"},
        {.request = "RESULT 1",
         .reply = "OK job=1 kind=solve puzzle=slide:3x3 state=done solvable=no moves=-1 solutions=0\n"}};
    const struct client_setting setting = {.input = "1,1,1\n1,2,3/4,5,6/8,7,0\n"};
    check_run(CLIENT_RUN_IN(&setting, steps, "grade 3x3 - --csv"), 4,
              "title,board,solvable,moves,multi_moves,solutions,branching,wrong_turns,dead_turns,"
              "counterintuitive,positions,dead,piece_count,must_move,rating,difficulty\n"
              "\"\",\"1,1,1\",\"error bad-board: line 1: 3 cells given\",,,,,,,,,,,,,\n"
              "\"\",\"1,2,3/4,5,6/8,7,0\",no,,,0,,,,,,,,,,\n");
}

TEST(a_puzzle_that_is_refused_is_an_error)
{
    static const struct fake_step steps[] = {
        {.request = "GRADE slid tool=grade", .reply = "ERR bad-puzzle fatal no puzzle 'slid'\n"}};
    check_run(client_run_with(&(struct client_setting){0}, steps, 1, "grade slid"), 4, "");
}

TEST(a_stopped_board_does_not_hide_a_refused_one)
{
    static const struct fake_step steps[] = {
        {.request = "GRADE 3x3 start=1,1,1 tool=grade", .reply = "ERR bad-board fatal 3 cells given\n"},
        {.request = "GRADE 3x3 start=1,2,3/4,5,6/8,7,0 tool=grade",
         .reply = "OK job=1 state=done cached=no\n"},
        {.request = "RESULT 1",
         .reply = "OK job=1 kind=solve puzzle=slide:3x3 state=stopped solvable=unknown reason=time\n"}};
    const struct client_setting setting = {.input = "1,1,1\n1,2,3/4,5,6/8,7,0\n"};
    check_says(CLIENT_RUN_IN(&setting, steps, "grade 3x3 - --csv"), 4, "");
}

TEST(a_file_that_is_not_there_is_named)
{
    check_says(client_run_alone("grade 3x3 /nowhere/boards.txt"), 2, "/nowhere/boards.txt");
}

TEST(a_file_without_a_board_is_told)
{
    static const char *const lines[] = {"grade sokoban -", "solve sokoban -", "distance klotski -"};
    const struct client_setting setting = {.input = "; a remark\n\nTitle: of nothing\n"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        check_says(client_run_with(&setting, NULL, 0, lines[i]), 2, "there is no board in the input");
    }
}
