/* SPDX-License-Identifier: MIT */
/* The subcommand verify, and what puzzlectl makes of a puzzle or a board alone. */
#include "client_run.h"

#include <stdio.h>

#define BOARD  "1,2,3/4,5,6/7,0,8"
#define SOLVED "1,2,3/4,5,6/7,8,0"

static const struct fake_step steps[] = {
    {.request = "DRAW 3x3 " BOARD " path=R",
     .reply =
         "OK count=2\nframe=0 board=" BOARD " solved=no\nframe=1 move=R board=" SOLVED " solved=yes\nEND\n"},
    {.request = "SOLVE 3x3 start=" BOARD " time=9s tool=verify", .reply = "OK job=1 state=done\n"},
    {.request = "RESULT 1", .reply = "OK job=1 state=done solvable=yes moves=1\n"},
    {.request = "DRAW 3x3 " BOARD " path=RLR",
     .reply = "OK count=4\nframe=0 board=a\nframe=1 board=b\nframe=2 board=a\nframe=3 board=" SOLVED
              " solved=yes\nEND\n"},
    {.request = "SOLVE 3x3 start=" BOARD " time=9s tool=verify", .reply = "OK job=1 state=done\n"},
    {.request = "RESULT 1", .reply = "OK job=1 state=done solvable=yes moves=1\n"},
    {.request = "DRAW 3x3 " BOARD " path=U",
     .reply = "OK count=2\nframe=0 board=a\nframe=1 board=b solved=no\nEND\n"},
    {.request = "DRAW 3x3 " BOARD " path=D",
     .reply = "ERR bad-request fatal path=: move 1, 'D', cannot be made\n"},
    {.request = "DRAW 3x3 " BOARD " path=RR",
     .reply = "OK count=3\nframe=0 board=a\nframe=1 board=b\nframe=2 board=" SOLVED " solved=yes\nEND\n"},
    {.request = "SOLVE 3x3 start=" BOARD " time=9s tool=verify", .reply = "OK job=2 state=stopped\n"},
    {.request = "RESULT 2", .reply = "OK job=2 state=stopped solvable=unknown at_least=1\n"},
};
static const struct client_setting input = {.input = "# mine\n" BOARD "\tR\n"
                                                     "a title\t" BOARD "\t3\tRLR\n"
                                                     "\n" BOARD " U\n" BOARD " D\n123\n" BOARD " RR\n"};

TEST(solutions_are_optimal_too_long_valid_or_wrong)
{
    check_run(CLIENT_RUN_IN(&input, steps, "verify 3x3 - --time 9s"), 4,
              BOARD "\t1\toptimal\n" BOARD "\t3\ttoo long by 2\n" BOARD
                    "\t1\twrong: it ends at b, which is no goal\n" BOARD
                    "\t\twrong: path=: move 1, 'D', cannot be made\n"
                    "123\t\tunreadable: no path: a line is a board, a tab or a blank, and its moves\n" BOARD
                    "\t2\tvalid\n");
    struct client_run run = CLIENT_RUN_IN(&input, steps, "verify 3x3 - --time 9s --csv");
    assert_memory_equal(run.out,
                        "board,moves,optimum,verdict,text\n\"" BOARD "\",1,1,optimal,\"\"\n\"" BOARD
                        "\",3,1,too long,\"\"\n",
                        100);
    client_run_clear(&run);
}

TEST(a_refusal_that_is_not_of_the_solution_ends_the_command)
{
    static const struct client_setting two = {.input = BOARD "\tR\n" BOARD "\tR\n"};
    static const struct fake_step busy[] = {
        {.request = "DRAW 3x3 " BOARD " path=R",
         .reply = "OK count=2\nframe=0 board=" BOARD " solved=no\nframe=1 move=R board=" SOLVED
                  " solved=yes\nEND\n"},
        {.request = "SOLVE 3x3 start=" BOARD " tool=verify", .reply = "ERR busy retry the queue is full\n"}};
    static const struct fake_step key = {.request = "DRAW 3x3 " BOARD " path=R foo=1",
                                         .reply = "ERR bad-request fatal unknown key 'foo'\n"};
    check_run(client_run_with(&two, busy, 2, "verify 3x3 -"), 4, "");
    check_says(client_run_with(&two, &key, 1, "verify 3x3 - foo=1"), 4, "bad-request: unknown key 'foo'");
}

TEST(a_file_of_optimal_solutions_is_status_0)
{
    static const struct client_setting one = {.input = BOARD "\tR\n"};
    check_run(client_run_with(&one, steps, 3, "verify 3x3 - time=9s --json"), 0,
              "{\"board\":\"" BOARD "\",\"verdict\":\"optimal\",\"moves\":1,\"optimum\":1}\n");
}

TEST(lines_of_link_up_are_not_verified)
{
    check_says(client_run_alone("verify linkup -"), 2, "one move");
}

TEST(a_board_alone_is_solved)
{
    static const struct fake_step solve[] = {
        {.request = "SOLVE 3x3 start=867254301", .reply = "OK job=1 state=done cached=yes\n"},
        {.request = "RESULT 1", .reply = "OK job=1 state=done solvable=yes moves=31 path=U\n"}};
    check_shows(CLIENT_RUN(solve, "867254301 --json"), 0, "\"moves\":31");
    static const struct fake_step rows[] = {
        {.request = "SOLVE 2x3 start=1x2/453", .reply = "OK job=1 state=done cached=yes\n"},
        {.request = "RESULT 1", .reply = "OK job=1 state=done solvable=yes moves=9 path=U\n"}};
    check_shows(CLIENT_RUN(rows, "1x2/453 --json"), 0, "\"moves\":9");
}

TEST(a_puzzle_alone_tells_what_is_known_of_it)
{
    static const char *const names[] = {"3x3", "3*3", "8-puzzle", "3×3", "八数码", "8数码", "about 3X3"};
    static const struct fake_step known[] = {
        {.request = "JOBS before=9223372036854775807",
         .reply = "OK count=1\njob=4 kind=explore puzzle=slide:3x3\nEND\n"},
        {.request = "RESULT 4", .reply = "OK puzzle=slide:3x3 states=181440 depth=31 complete=yes\n"}};
    static const struct fake_step unknown[] = {
        {.request = "JOBS before=9223372036854775807", .reply = "OK count=0\nEND\n"},
        {.request = "JOBS tools=yes before=9223372036854775807", .reply = "OK count=0\nEND\n"},
        {.request = "EXPLORE 4x4 estimate=yes", .reply = "OK engine=dense states=100\n"}};
    for (size_t i = 0; i < sizeof names / sizeof *names - 1; i++) {
        check_shows(CLIENT_RUN(known, names[i]), 0, "puzzle    slide:3x3\nstates    181,440\ndepth     31\n");
    }
    check_shows(CLIENT_RUN(unknown, "15-puzzle"), 0,
                "4x4 was not explored yet; an exploration takes:\nstates  100\n");
    check_says(client_run_alone("14-puzzle"), 2, "");
}
