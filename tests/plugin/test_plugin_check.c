/* SPDX-License-Identifier: MIT */
/* puzzled --check-plugin finds what a plugin does wrong, survives it, and finds nothing in what is right. */
#include "plain_search.h"

#include "space/check/plugin_check.h"
#include "space/registry.h"

#include <sys/wait.h>
#include <unistd.h>

/* Returns the exit status; what was printed is in output. */
static int run_check(const char *file, const char *size, char output[4096])
{
    const char *command = text_of("FAULTY_GATE=/ %s --check-plugin %s %s 2>&1", PUZZLED_PROGRAM, file, size);
    FILE *pipe = popen(command, "re"); /* NOLINT(cert-env33-c): paths of our own making */
    assert_non_null(pipe);
    output[fread(output, 1, 4095, pipe)] = '\0';
    const int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void expect_found(const char *size, const char *words)
{
    char output[4096];
    const int status = run_check(TEST_FAULTY, size, output);
    if (status != 1 || strstr(output, words) == NULL)
        fail_msg("%s: status %d: %s", size, status, output);
}

TEST(each_fault_is_found_and_named_with_a_state)
{
    expect_found("many", "expand gave 3 successors, and max_successors is 2, at the state 100\n");
    expect_found("rank", "rank gave the number 612, and count is 512, at the state 100\n");
    expect_found("same", "rank does not give the number that unrank was given, at the state 100\n");
    expect_found("unrank", "unrank gives another state for the number 0 that rank gave, at the state 0\n");
    expect_found("count", "512 states can be reached, and count is 511\n");
    expect_found("text", "parse reads another state from what print writes, at the state 1\n");
    expect_found("oneway",
                 "PZ_REVERSIBLE: a move that led to it cannot be undone by one move, at the state 100\n");
    expect_found("bound", "heuristic is 101, and the goal is 100 moves away, at the state 100\n");
    expect_found("jumps", "heuristic is 99, and 50 at a successor: it is not consistent, at the state 99\n");
    expect_found(
        "pieces",
        "pieces puts one whose kind or id is empty, or has a blank or colon in it, at the state 100\n");
    expect_found("words",
                 "describe writes 'R' for two moves that lead to different states, at the state 100\n");
    expect_found("joined",
                 "describe writes '10', and there is no separator: paths cannot be read, at the state 9\n");
    expect_found("length", "draw returned 100000000, which is not the length of its text, at the state 0\n");
    expect_found("goal", "PZ_UNIQUE_GOAL: is_goal does not agree with goal, at the state 100\n");
    expect_found("bytes", "plugin faulty: state_bytes is 12; 8, 16, 32 and 64 are possible\n");
    expect_found("costs", "plugin faulty: PZ_COSTS: plugins are not asked for costs yet\n");
    expect_found("blank", "plugin faulty: size has a blank or control character, or no end\n");
    expect_found("silent", "open failed, and wrote no reason\n");
    expect_found("nonsense", "no fault 'nonsense'\n");
}

TEST(a_plugin_that_ends_the_process_is_told_with_the_function)
{
    expect_found("kills",
                 "the process was ended by signal 9 (Killed); the function called last was expand\n");
    expect_found("leaves", "it ended the process with status 0; the function called last was expand\n");
}

TEST(nothing_is_found_in_a_plugin_without_a_fault)
{
    char output[4096];
    assert_int_equal(run_check(TEST_FAULTY, "", output), 0);
    assert_non_null(
        strstr(output, ": faulty, 4608 states looked at, all 512 found around the root: nothing wrong"));
}

/* Its 262,000 moves, each undone among 511 others, took the better part of an hour. */
TEST(a_plugin_with_many_moves_is_checked_in_seconds)
{
    char output[4096];
    assert_int_equal(run_check(TEST_FAULTY, "wide", output), 0);
    assert_non_null(strstr(output, "all 512 found around the root: nothing wrong"));
}

TEST(a_file_that_is_no_plugin_is_refused)
{
    char output[4096];
    assert_int_equal(run_check("/nonexistent/x.so", "", output), 1);
    assert_non_null(strstr(output, "/nonexistent/: No such file or directory"));
    assert_int_equal(run_check("/dev/null", "", output), 1);
    assert_non_null(strstr(output, "no regular file"));
}

static void print_line(void *context, const char *line)
{
    print_message("%s: %s\n", (const char *)context, line);
}

static void ignore_call(void *context, const char *function)
{
}

static void expect_sound(const char *text)
{
    struct pz_error error = {0};
    struct pz_space *space = NULL;
    struct plugin_check_result result;
    if (space_open(text, &(struct pz_setup){0}, &space, &error) != PZ_OK)
        fail_msg("%s: %s", text, error.text);
    /* Sokoban has a table of functions for each metric, and the registry knows one. */
    const struct plugin_check_options options = {.puzzle = space->puzzle,
                                                 .size = strchr(text, ':') + 1,
                                                 .seed = 7,
                                                 .broken = print_line,
                                                 .calling = ignore_call,
                                                 .context = strdupa(text)};
    if (plugin_check(&options, &result, &error) != PZ_OK)
        fail_msg("%s: %s", text, error.text);
    assert_int_equal(result.broken, 0);
    space_close(space);
}

/* Without a false alarm: they are tested in many other ways. */
TEST(nothing_is_found_in_the_built_in_puzzles)
{
    const struct pz_puzzle *puzzle;
    for (unsigned i = 0; (puzzle = registry_puzzle(i)) != NULL; i++)
        expect_sound(puzzle->example);
    expect_sound("sokoban:#######/#.@ # #/#$* $ #/#   $ #/# ..  #/#  *  #/#######");
    expect_sound("sokoban:#######/#.@ # #/#$* $ #/#   $ #/# ..  #/#  *  #/#######,metric:move");
}
