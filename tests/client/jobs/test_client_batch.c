/* SPDX-License-Identifier: MIT */
/* Boards from standard input: pipelined requests, answers in the order of the input. */
#include "client_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void check_batch(const struct fake_step *steps, size_t count, const char *input, const char *line,
                        int code, const char *out)
{
    const struct client_setting setting = {.input = input};
    check_run(client_run_with(&setting, steps, count, line), code, out);
}

TEST(distances_come_in_the_order_of_the_boards)
{
    static const struct fake_step steps[] = {
        {.request = "DISTANCE 3x3 867254301", .reply = "OK moves=31 solvable=yes\n"},
        {.request = "DISTANCE 3x3 \"1 2 3 4 5 6 7 8 0\"", .reply = "OK moves=0 solvable=yes\n"}};
    check_batch(steps, 2, "867254301\n\n  1 2 3 4 5 6 7 8 0\t\r\n", "distance 3x3 -", 0,
                "867254301\t31\n1 2 3 4 5 6 7 8 0\t0\n");
}

TEST(the_last_line_needs_no_line_end)
{
    static const struct fake_step steps[] = {
        {.request = "PATH 2x2 a goal=b", .reply = "OK moves=1 solvable=yes path=R\n"}};
    check_batch(steps, 1, "a", "path 2x2 - --goal b", 0, "a\t1\tR\n");
}

TEST(a_byte_order_mark_is_no_part_of_the_first_board)
{
    static const struct fake_step steps[] = {
        {.request = "DISTANCE 3x3 867254301", .reply = "OK moves=31 solvable=yes\n"}};
    check_batch(steps, 1,
                "\xEF\xBB\xBF"
                "867254301\n",
                "distance 3x3 -", 0, "867254301\t31\n");
}

TEST(boards_that_cannot_be_read_are_no_empty_list)
{
    check_says(client_run_alone("grade 3x3 /"), 7, "the boards cannot be read: Is a directory");
}

TEST(a_zero_byte_is_no_end_of_a_board)
{
    static const char utf16[] = "8\0006\000\n";
    char path[] = "/tmp/puzzlectl-boards-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, utf16, sizeof utf16), sizeof utf16);
    (void)close(file);
    check_says(client_run_alone(text_of("grade 3x3 %s", path)), 7,
               "the boards cannot be read: there is a zero byte in them; text must be in UTF-8");
    (void)unlink(path);
}

TEST(options_that_would_be_left_out_are_refused)
{
    static const char *const lines[][2] = {
        {"solve 3x3 - --show", "--show is for one board"},
        {"path 3x3 - --svg x.svg", "--svg is for one board"},
        {"solve 3x3 - --detach", "--detach is for one board"},
        {"solve 3x3 867254301 --csv", "--csv is for many boards: - reads them"},
        {"distance 3x3 867254301 --unordered", "--unordered is for many boards"},
        {"levels 3x3 --log", "--log is for --format svg"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        check_says(client_run_alone(lines[i][0]), 2, lines[i][1]);
}

TEST(nothing_in_is_nothing_out)
{
    check_batch(NULL, 0, "\n \n", "distance 3x3 -", 0, "");
}

TEST(boards_without_an_answer_and_refused_ones_get_their_lines)
{
    static const struct fake_step steps[] = {
        {.request = "DISTANCE 3x3 a", .reply = "OK solvable=no moves=-1\n"},
        {.request = "DISTANCE 3x3 b", .reply = "ERR bad-board fatal not one\n"},
        {.request = "DISTANCE 3x3 c", .reply = "OK solvable=unknown beyond=24\n"},
        {.request = "DISTANCE 3x3 d", .reply = "OK moves=2 solvable=yes\n"}};
    check_batch(steps, 4, "a\nb\nc\nd\n", "distance 3x3 -", 4,
                "a\tunsolvable\nb\terror bad-board: line 2: not one\nc\t>24\nd\t2\n");
    check_batch(steps, 1, "a\n", "distance 3x3 -", 1, "a\tunsolvable\n");
    check_batch(steps, 2, "a\nb\n", "distance 3x3 - --json", 4,
                "{\"solvable\":\"no\",\"moves\":-1,\"board\":\"a\"}\n"
                "{\"error\":{\"code\":\"bad-board\",\"retry\":false,\"text\":\"line 2: not "
                "one\"},\"board\":\"b\"}\n");
}

/* As DISTANCE and verify have it; the path has the moves. */
TEST(a_batch_tells_what_solutions_cost_where_moves_have_costs)
{
    static const struct fake_step steps[] = {
        {.request = "PATH costs a", .reply = "OK moves=2 cost=45 solvable=yes path=U,R\n"},
        {.request = "PATH costs b", .reply = "OK moves=0 cost=0 solvable=yes path=\"\"\n"}};
    check_batch(steps, 2, "a\nb\n", "path costs -", 0, "a\t45\tU,R\nb\t0\t\n");
}

TEST(boards_tell_their_size_where_no_puzzle_is_named)
{
    static const struct fake_step steps[] = {
        {.request = "DISTANCE 3x3 867254301", .reply = "OK moves=31 solvable=yes\n"},
        {.request = "DISTANCE 2x3 4,1,2/5,0,3", .reply = "OK moves=5 solvable=yes\n"}};
    check_batch(steps, 2, "867254301\n4,1,2/5,0,3\nnonsense\n", "distance -", 4,
                "867254301\t31\n4,1,2/5,0,3\t5\n"
                "nonsense\terror bad-request: the board does not show its size: name the puzzle\n");
}

TEST(csv_has_titles_and_quotes)
{
    static const struct fake_step steps[] = {
        {.request = "PATH 3x3 1,2,3/4,5,6/7,8,0",
         .reply = "OK moves=0 solvable=yes path=\"\" seconds=0.5 generated=7\n"},
        {.request = "PATH 3x3 x", .reply = "ERR bad-board fatal not \"one\"\n"}};
    check_batch(steps, 2, "1,2,3/4,5,6/7,8,0\nx\n", "path 3x3 - --csv", 4,
                "board,moves,nodes,seconds,path,title,puzzle,metric,optimal,pushes,lurd\n"
                "\"1,2,3/4,5,6/7,8,0\",0,7,0.5,\"\",\"\",3x3,single,yes,,\n"
                "\"x\",\"error bad-board: line 2: not \"\"one\"\"\",,,\"\",\"\",3x3,single,,,\n");
}

/* A collection has rows, a remark before a level or Title: after it, and levels on one line. */
TEST(levels_of_a_collection_are_answered_with_their_titles)
{
    static const struct fake_step steps[] = {
        {.request = "DISTANCE sokoban --###/--#@# goal=x", .reply = "OK moves=1 solvable=yes\n"},
        {.request = "DISTANCE sokoban ####/#--# goal=x", .reply = "OK moves=2 solvable=yes\n"},
        {.request = "DISTANCE sokoban ###/#@# goal=x", .reply = "OK moves=3 solvable=yes\n"}};
    check_batch(steps, 3,
                "; A collection of http://a/b\n; Title: All\n\n; 1 \"First\"\n\n  ###\n  #@#\n\n"
                "####\n#  #\nTitle: Second\nAuthor: me\n\n###/#@#\n",
                "distance sokoban - --goal x", 0,
                "1 \"First\"\t--###/--#@#\t1\nSecond\t####/#--#\t2\n###/#@#\t3\n");
    check_batch(steps, 1, "  ###\n  #@#", "distance sokoban - --goal x --json", 0,
                "{\"moves\":1,\"solvable\":\"yes\",\"board\":\"--###/--#@#\","
                "\"metric\":\"push\",\"optimal\":true}\n");
}

TEST(boards_may_stand_in_rows)
{
    static const struct fake_step steps[] = {
        {.request = "DISTANCE 3x3 \"8 6 7/2 5 4/3 0 1\"", .reply = "OK moves=31 solvable=yes\n"},
        {.request = "DISTANCE 3x3 123/456/780", .reply = "OK moves=0 solvable=yes\n"},
        {.request = "DISTANCE 3x3 123456780", .reply = "OK moves=0 solvable=yes\n"}};
    check_batch(steps, 3, "8 6 7\n2 5 4\n3 0 1\n123\n456\n780\n123456780\n", "distance 3x3 -", 0,
                "8 6 7/2 5 4/3 0 1\t31\n123/456/780\t0\n123456780\t0\n");
    check_batch(steps, 1, "8 6 7\n2 5 4\n3 0 1\n\n", "distance -", 0, "8 6 7/2 5 4/3 0 1\t31\n");
}

TEST(a_line_is_a_board_of_puzzles_without_rows)
{
    static const struct fake_step steps[] = {
        {.request = "DISTANCE pancake:4 2,1,3,4", .reply = "OK moves=1 solvable=yes\n"},
        {.request = "DISTANCE pancake:4 \"1 2 3 4\"", .reply = "OK moves=0 solvable=yes\n"}};
    check_batch(steps, 2, "2,1,3,4\n1 2 3 4\n", "distance pancake:4 -", 0, "2,1,3,4\t1\n1 2 3 4\t0\n");
    static const struct fake_step jugs[] = {
        {.request = "DISTANCE jugs:3,5,goal:4 0,4", .reply = "OK moves=0 solvable=yes\n"},
        {.request = "DISTANCE jugs:3,5,goal:4 0,0", .reply = "OK moves=6 solvable=yes\n"}};
    check_batch(jugs, 2, "0,4\n0,0\n", "distance jugs:3,5,goal:4 -", 0, "0,4\t0\n0,0\t6\n");
}

/* The second board is done before the first. */
TEST(an_unordered_batch_prints_answers_as_they_come)
{
    static const struct fake_step steps[] = {
        {.request = "SOLVE 4x4 start=a threads=1", .reply = "OK job=1 state=queued\n"},
        {.request = "SOLVE 4x4 start=b threads=1", .reply = "OK job=2 state=queued\n"},
        {.request = "WAIT 1 timeout=100ms", .reply = "OK job=1 state=running\n"},
        {.request = "WAIT 2 timeout=0ms", .reply = "OK job=2 state=done\n"},
        {.request = "RESULT 2", .reply = "OK job=2 state=done solvable=yes moves=2 path=UU\n"},
        {.request = "WAIT 1 timeout=100ms", .reply = "OK job=1 state=done\n"},
        {.request = "RESULT 1", .reply = "OK job=1 state=done solvable=yes moves=1 path=U\n"}};
    check_batch(steps, 7, "a\nb\n", "solve 4x4 - --unordered", 0, "b\t2\tUU\na\t1\tU\n");
}

TEST(a_line_that_cannot_be_asked_does_not_end_the_batch)
{
    static const struct fake_step steps[] = {
        {.request = "DISTANCE 3x3 a", .reply = "OK moves=1 solvable=yes\n"},
        {.request = "DISTANCE 3x3 c", .reply = "OK moves=3 solvable=yes\n"}};
    char in[5000], out[5000];
    (void)snprintf(in, sizeof in, "a\n%04096d\nc\n", 0);
    (void)snprintf(out, sizeof out,
                   "a\t1\n%04096d\terror bad-request: the request has 4109 bytes, at most 4096 are allowed\n"
                   "c\t3\n",
                   0);
    check_batch(steps, 2, in, "distance 3x3 -", 4, out);
}

TEST(a_busy_daemon_is_asked_again)
{
    static const struct fake_step steps[] = {
        {.request = "DISTANCE 3x3 a", .reply = "ERR limit retry slowly\n"},
        {.request = "DISTANCE 3x3 b", .reply = "OK moves=2 solvable=yes\n"},
        {.request = "DISTANCE 3x3 a", .reply = "OK moves=1 solvable=yes\n"}};
    check_batch(steps, 3, "a\nb\n", "distance 3x3 -", 0, "a\t1\nb\t2\n");
}

TEST(many_more_boards_than_a_window_are_all_answered)
{
    enum { BOARDS = 5000 };
    struct fake_step *steps = calloc(BOARDS, sizeof *steps);
    char(*texts)[3][48] = calloc(BOARDS, sizeof *texts);
    char *input = calloc(BOARDS, 16);
    char *expected = calloc(BOARDS, 32);
    assert_true(steps != NULL && texts != NULL && input != NULL && expected != NULL);
    size_t input_length = 0;
    size_t expected_length = 0;
    for (int i = 0; i < BOARDS; i++) {
        (void)snprintf(texts[i][0], 48, "DISTANCE 3x3 b%d", i);
        (void)snprintf(texts[i][1], 48, "OK solvable=yes moves=%d\n", i % 32);
        steps[i] = (struct fake_step){.request = texts[i][0], .reply = texts[i][1]};
        input_length += (size_t)sprintf(input + input_length, "b%d\n", i);
        expected_length += (size_t)sprintf(expected + expected_length, "b%d\t%d\n", i, i % 32);
    }
    check_batch(steps, BOARDS, input, "distance 3x3 -", 0, expected);
    free(steps);
    free(texts);
    free(input);
    free(expected);
}

TEST(solving_waits_for_the_oldest_job_only)
{
    static const struct fake_step steps[] = {
        {.request = "SOLVE 4x4 start=a threads=1", .reply = "OK job=1 state=queued cached=no\n"},
        {.request = "SOLVE 4x4 start=b threads=1",
         .reply = "OK job=2 state=done cached=no solvable=no moves=-1\n"},
        {.request = "SOLVE 4x4 start=c threads=1", .reply = "OK job=3 state=running cached=yes\n"},
        {.request = "RESULT 2", .reply = "OK job=2 kind=solve state=done solvable=no moves=-1\n"},
        {.request = "WAIT 1", .reply = "OK job=1 state=done\n"},
        {.request = "RESULT 1", .reply = "OK job=1 kind=solve state=done solvable=yes moves=2 path=UD\n"},
        {.request = "RESULT 3", .reply = "ERR not-finished retry job 3 is running: WAIT for it\n"},
        {.request = "WAIT 3", .reply = "OK job=3 state=stopped\n"},
        {.request = "RESULT 3",
         .reply = "OK job=3 kind=solve state=stopped solvable=unknown reason=memory\n"}};
    check_batch(steps, 9, "a\nb\nc\n", "solve 4x4 -", 5, "a\t2\tUD\nb\tunsolvable\nc\tstopped\n");
}

TEST(jobs_that_ended_with_the_oldest_are_answered_with_it)
{
    static const struct fake_step steps[] = {
        {.request = "SOLVE 4x4 start=a threads=1", .reply = "OK job=1 state=queued cached=no\n"},
        {.request = "SOLVE 4x4 start=b threads=1", .reply = "OK job=2 state=queued cached=no\n"},
        {.request = "SOLVE 4x4 start=c threads=1", .reply = "OK job=3 state=queued cached=no\n"},
        {.request = "WAIT 1", .reply = "OK job=1 state=done\n"},
        {.request = "RESULT 1", .reply = "OK job=1 state=done solvable=yes moves=2 path=UD\n"},
        {.request = "RESULT 2", .reply = "ERR no-such-job fatal there is no job 2\n"},
        {.request = "RESULT 3", .reply = "OK job=3 state=done solvable=yes moves=1 path=U\n"}};
    check_batch(steps, 7, "a\nb\nc\n", "solve 4x4 -", 4,
                "a\t2\tUD\nb\terror no-such-job: there is no job 2\nc\t1\tU\n");
}

TEST(solving_goes_on_when_the_queue_is_full)
{
    static const struct fake_step steps[] = {
        {.request = "SOLVE 4x4 start=a method=idastar threads=2", .reply = "OK job=1 state=queued\n"},
        {.request = "SOLVE 4x4 start=b method=idastar threads=2",
         .reply = "ERR busy retry the queue is full\n"},
        {.request = "WAIT 1", .reply = "OK job=1 state=done\n"},
        {.request = "RESULT 1", .reply = "OK job=1 state=done solvable=yes moves=2 path=UD\n"},
        {.request = "SOLVE 4x4 start=b method=idastar threads=2", .reply = "OK job=2 state=done\n"},
        {.request = "RESULT 2", .reply = "OK job=2 state=done solvable=yes moves=1 path=U\n"}};
    check_batch(steps, 6, "a\nb\n", "solve 4x4 - --method idastar -t 2", 0, "a\t2\tUD\nb\t1\tU\n");
}

TEST(boards_that_are_solved_at_once_need_no_second_request)
{
    static const struct fake_step steps[] = {
        {.request = "SOLVE 4x4 start=a threads=1", .reply = "OK job=1 state=queued cached=no\n"},
        {.request = "SOLVE 4x4 start=b threads=1",
         .reply = "OK job=2 state=done cached=no solvable=yes moves=2 path=UD method=idastar kind=solve\n"},
        {.request = "WAIT 1", .reply = "OK job=1 state=done\n"},
        {.request = "RESULT 1", .reply = "OK job=1 state=done solvable=yes moves=1 path=U\n"}};
    check_batch(steps, 4, "a\nb\n", "solve 4x4 -", 0, "a\t1\tU\nb\t2\tUD\n");
    check_batch(steps + 1, 1, "b\n", "solve 4x4 -", 0, "b\t2\tUD\n");
}

TEST(a_board_whose_result_is_too_long_for_the_first_reply_has_its_path)
{
    static const struct fake_step steps[] = {
        {.request = "SOLVE hanoi:3,10 start=a threads=1",
         .reply = "OK job=1 state=done cached=no solvable=yes moves=2 method=table seconds=0.001\n"},
        {.request = "RESULT 1", .reply = "OK job=1 kind=solve state=done solvable=yes moves=2 path=UD\n"}};
    check_batch(steps, 2, "a\n", "solve hanoi:3,10 -", 0, "a\t2\tUD\n");
}

/* A window of 128 boards, of which the first is asked again after all the others. */
TEST(a_board_to_be_asked_again_holds_up_its_window)
{
    enum { BOARDS = 300, WINDOW = 128 };
    struct fake_step steps[BOARDS + 1];
    static char texts[BOARDS + 1][2][96];
    char input[BOARDS * 6] = "";
    char expected[BOARDS * 12] = "";
    for (int i = 0; i < BOARDS; i++) {
        (void)sprintf(input + strlen(input), "b%d\n", i);
        (void)sprintf(expected + strlen(expected), "b%d\t%d\n", i, i);
    }
    for (int i = 0; i < BOARDS + 1; i++) {
        const int board = i < WINDOW ? i : i == WINDOW ? 0 : i - 1;
        (void)sprintf(texts[i][0], "SOLVE 4x4 start=b%d threads=1", board);
        (void)sprintf(texts[i][1], "OK job=%d state=done solvable=yes moves=%d kind=solve\n", board + 1,
                      board);
        steps[i] = (struct fake_step){.request = texts[i][0], .reply = texts[i][1]};
    }
    steps[0].reply = "ERR limit retry slowly\n";
    check_batch(steps, BOARDS + 1, input, "solve 4x4 -", 0, expected);
}

TEST(a_daemon_that_dies_ends_the_batch_with_status_3)
{
    static const struct fake_step steps[] = {
        {.request = "DISTANCE 3x3 a", .reply = "OK moves=1 solvable=yes\nOK mo", .then = FAKE_HANG_UP}};
    const struct client_setting setting = {.input = "a\nb\nc\n"};
    check_says(client_run_with(&setting, steps, 1, "distance 3x3 -"), 3, "connection-lost");
}
