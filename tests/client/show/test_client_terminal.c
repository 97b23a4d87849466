/* SPDX-License-Identifier: MIT */
/* The real puzzlectl in a pseudo-terminal: its prompt, the game, and a line of progress. */
#include "client_run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { PATIENCE_MS = 20000 };

struct pseudo {
    pid_t child;
    int fd;
    char seen[65536]; /* all output so far */
    size_t length;
    size_t used; /* what was waited for already */
};

static void start(struct pseudo *pseudo, const char *const *arguments)
{
    struct winsize size = {.ws_row = 24, .ws_col = 80};
    *pseudo = (struct pseudo){0};
    pseudo->child = forkpty(&pseudo->fd, NULL, NULL, &size);
    assert_true(pseudo->child >= 0);
    if (pseudo->child > 0)
        return;
    (void)setenv("PUZZLED_SOCKET", "/nonexistent/puzzled.sock", 1);
    (void)setenv("TERM", "xterm", 1);
    (void)setenv("LC_ALL", "C", 1);
    (void)unsetenv("HOME");
    (void)execv(PUZZLECTL, (char *const *)arguments);
    _exit(127);
}

/* Waits until the output has a text behind the last one that was waited for. */
static void expect(struct pseudo *pseudo, const char *text)
{
    for (;;) {
        struct pollfd ready = {.fd = pseudo->fd, .events = POLLIN};
        char *at = strstr(pseudo->seen + pseudo->used, text);
        if (at != NULL) {
            pseudo->used = (size_t)(at - pseudo->seen) + strlen(text);
            return;
        }
        ssize_t got = -1;
        if (pseudo->length < sizeof pseudo->seen - 1 && poll(&ready, 1, PATIENCE_MS) == 1)
            got = read(pseudo->fd, pseudo->seen + pseudo->length, sizeof pseudo->seen - 1 - pseudo->length);
        if (got <= 0)
            fail_msg("'%s' does not come; there was: %s", text, pseudo->seen + pseudo->used);
        pseudo->length += (size_t)got;
    }
}

/* Types once the program takes single keys. A prompt is shown before that, and what comes in between means
 * something else: a Ctrl-D would be a zero byte. */
static void type(struct pseudo *pseudo, const char *keys)
{
    struct termios settings;
    for (int waited_ms = 0;; waited_ms++) {
        assert_int_equal(tcgetattr(pseudo->fd, &settings), 0);
        if ((settings.c_lflag & ICANON) == 0)
            break;
        assert_true(waited_ms < PATIENCE_MS);
        (void)poll(NULL, 0, 1);
    }
    assert_int_equal(write(pseudo->fd, keys, strlen(keys)), (ssize_t)strlen(keys));
}

/* Waits for each text and types what stands beside it, if anything does. */
static void converse(struct pseudo *pseudo, const char *const rows[][2], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        expect(pseudo, rows[i][0]);
        if (rows[i][1] != NULL)
            type(pseudo, rows[i][1]);
    }
}
#define CONVERSE(pseudo, ...)                                                                                \
    converse(pseudo, (const char *const[][2]){__VA_ARGS__},                                                  \
             sizeof((const char *const[][2]){__VA_ARGS__}) / sizeof(const char *[2]))

/* Reads what else comes until the program has closed its terminal. Returns its exit status. */
static int end(struct pseudo *pseudo)
{
    int status = 0;
    char rest[4096];
    struct pollfd ready = {.fd = pseudo->fd, .events = POLLIN};
    do
        assert_int_equal(poll(&ready, 1, PATIENCE_MS), 1);
    while (read(pseudo->fd, rest, sizeof rest) > 0);
    assert_int_equal(waitpid(pseudo->child, &status, 0), pseudo->child);
    (void)close(pseudo->fd);
    return WEXITSTATUS(status);
}

TEST(the_prompt_runs_commands_and_remembers_the_puzzle)
{
    static const char *const arguments[] = {"puzzlectl", NULL};
    static struct pseudo pseudo;
    start(&pseudo, arguments);
    CONVERSE(&pseudo, {"'exit' leaves"}, {"puzzlectl> ", "random 2x2 --seed 1\r"}, {"/"},
             {"puzzlectl> ", "random --count 1 --seed 1\r"}, {"seed 1\r\n"}, {"/"},
             {"puzzlectl> ", "random 3×2 --seed 1\r"}, {"seed 1\r\n"}, {"/"},
             {"puzzlectl> ", "random 8-puzzle --seed 1\r"}, {"seed 1\r\n"}, {"/"}, {"puzzlectl> ", "hlep\r"},
             {"did you mean 'help'?"}, {"puzzlectl> ", "frobnicate\r"}, {"unknown command 'frobnicate'"},
             {"puzzlectl> ", "exit\r"});
    assert_int_equal(end(&pseudo), 0);
    assert_null(strstr(pseudo.seen, "unexpected"));
}

TEST(the_prompt_takes_names_in_utf_8_and_remembers_the_job_not_just_its_puzzle)
{
    static const char done[] =
        "OK job=7 state=done cached=yes puzzle=jugs:3,5 solvable=yes moves=1 path=fill:1\n";
    static const struct fake_step steps[] = {
        {.request = "EXPLORE jugs:3,5", .reply = "OK job=5 state=done cached=yes\n"},
        {.request = "RESULT 5", .reply = "OK job=5 kind=explore puzzle=jugs:3,5 state=done\n"},
        {.request = "SOLVE jugs:3,5 goal=4", .reply = done},
        {.request = "RESULT 7", .reply = done},
        {.request = "RESULT 7", .reply = done},
        {.request = "LEVELS 5", .reply = "OK count=1 from=root\nlevel=0 states=1\nEND\n"}};
    static struct pseudo pseudo;
    struct fake_server *server = fake_server_start(steps, sizeof steps / sizeof *steps, 0);
    const char *const arguments[] = {"puzzlectl", "--socket", fake_server_name(server), NULL};
    start(&pseudo, arguments);
    CONVERSE(&pseudo, {"puzzlectl> ", "explore 倒水:3,5\r"}, {"job 5"}, {"puzzlectl> ", "solve goal=4\r"},
             {"move  fill:1"}, {"puzzlectl> ", "result\r"}, {"move  fill:1"}, {"puzzlectl> ", "levels\r"},
             {"(moves from the root)"}, {"puzzlectl> ", "exit\r"});
    assert_int_equal(end(&pseudo), 0);
    assert_null(fake_server_stop(server));
}

TEST(ctrl_c_drops_the_line_and_not_the_prompt)
{
    static const char *const arguments[] = {"puzzlectl", NULL};
    static struct pseudo pseudo;
    start(&pseudo, arguments);
    CONVERSE(&pseudo, {"puzzlectl> ", "frobni"}, {"frobni", "\003"},
             {"puzzlectl> ", "puzzlectl random 2x2 --seed 1\r"}, {"seed 1\r\n"}, {"/"},
             {"puzzlectl> ", "\004"});
    assert_int_equal(end(&pseudo), 0);
    assert_null(strstr(pseudo.seen, "unknown"));
}

TEST(a_game_is_played_with_the_arrows)
{
    static const char *const arguments[] = {"puzzlectl", "play", "2x2", "1,2/0,3", NULL};
    static struct pseudo pseudo;
    start(&pseudo, arguments);
    CONVERSE(&pseudo, {"move 0"}, {"q leaves", "\033[D"}, {"the blank cannot go there"},
             {"q leaves", "\033[C"}, {"move 1"}, {"solved!"}, {"q leaves", "q"});
    assert_int_equal(end(&pseudo), 0);
}

TEST(a_new_board_is_another_one)
{
    static const char *const arguments[] = {"puzzlectl", "play", "6x7", NULL};
    static struct pseudo pseudo;
    start(&pseudo, arguments);
    CONVERSE(&pseudo, {"q leaves", "n"}, {"q leaves", "q"});
    assert_int_equal(end(&pseudo), 1);
    const char *first = strstr(pseudo.seen, "6x7\r\n");
    const char *second = strstr(first + 1, "6x7\r\n");
    assert_int_not_equal(strncmp(first, second, (size_t)(strstr(first, "move") - first)), 0);
}

TEST(any_puzzle_is_played_by_the_keys_of_its_moves)
{
    static const struct fake_step steps[] = {
        {.request = "GRAPH jugs:1 depth=1 goal=1",
         .reply = "OK count=2\nnode=0 board=0 next=1 steps=fill:1\nnode=1 board=1 solved=yes\nEND\n"},
        {.request = "GRAPH jugs:1 root=0 depth=1 goal=1",
         .reply = "OK count=2\nnode=0 board=0 next=1 steps=fill:1\nnode=1 board=1 solved=yes\nEND\n"},
        {.request = "DRAW jugs:1 0 goal=1",
         .reply = "OK count=1\nframe=0 board=0 drawing=\"[ ]|empty\"\nEND\n"},
        {.request = "DISTANCE jugs:1 0 goal=1", .reply = "OK solvable=yes moves=1\n"},
        {.request = "GRAPH jugs:1 root=1 depth=1 goal=1",
         .reply = "OK count=2\nnode=0 board=1 solved=yes next=1 steps=empty:1\nnode=1 board=0\nEND\n"},
        {.request = "DRAW jugs:1 1 goal=1", .reply = "ERR unsupported fatal no\n"},
        {.request = "DISTANCE jugs:1 1 goal=1", .reply = "ERR no-table fatal none\n"},
        {.request = "GRAPH jugs:1 root=0 depth=1 goal=1",
         .reply = "OK count=2\nnode=0 board=0 next=1 steps=fill:1\nnode=1 board=1 solved=yes\nEND\n"},
        {.request = "DRAW jugs:1 0 goal=1",
         .reply = "OK count=1\nframe=0 board=0 drawing=\"[ ]|empty\"\nEND\n"},
        {.request = "DISTANCE jugs:1 0 goal=1", .reply = "ERR no-table fatal none\n"}};
    static struct pseudo pseudo;
    struct fake_server *server = fake_server_start(steps, sizeof steps / sizeof *steps, 0);
    const char *const arguments[] = {"puzzlectl", "--socket", fake_server_name(server), "play", "jugs:1",
                                     "goal=1",    NULL};
    start(&pseudo, arguments);
    CONVERSE(&pseudo, {"[ ]\r\nempty\r\nmove 0  1 to go"}, {"1  fill:1"}, {"q leaves", "1"}, {"move 1"},
             {"solved!"}, {"q leaves", "u"}, {"move 0"}, {"q leaves", "q"});
    assert_int_equal(end(&pseudo), 1);
    assert_null(fake_server_stop(server));
}

#define GRAPH_STEP                                                                                           \
    {                                                                                                        \
        .request = "GRAPH jugs:1 root=0 depth=1", .reply = "OK count=1\nnode=0 board=0\nEND\n"               \
    }
#define DRAW_STEP                                                                                            \
    {                                                                                                        \
        .request = "DRAW jugs:1 0", .reply = "ERR unsupported fatal no\n"                                    \
    }

TEST(a_hint_is_one_move_and_only_a_distance_to_a_goal_is_to_go)
{
    static const struct fake_step steps[] = {
        GRAPH_STEP,
        GRAPH_STEP,
        DRAW_STEP,
        {.request = "DISTANCE jugs:1 0", .reply = "OK moves=2 solvable=yes from=root\n"},
        {.request = "PATH jugs:1 0", .reply = "ERR unsupported fatal no path leads to the root\n"},
        {.request = "DISTANCE jugs:1 0", .reply = "OK moves=2 solvable=yes from=root\n"},
        GRAPH_STEP,
        DRAW_STEP,
        {.request = "DISTANCE jugs:1 0", .reply = "OK cost=9 solvable=yes to=goal\n"},
        {.request = "PATH jugs:1 0", .reply = "OK moves=2 solvable=yes to=goal path=DL\n"},
        GRAPH_STEP,
        DRAW_STEP,
        {.request = "DISTANCE jugs:1 0", .reply = "OK moves=2 solvable=yes to=goal\n"}};
    static struct pseudo pseudo;
    struct fake_server *server = fake_server_start(steps, sizeof steps / sizeof *steps, 0);
    const char *const arguments[] = {"puzzlectl", "--socket", fake_server_name(server), "play", "jugs:1",
                                     "start=0",   NULL};
    start(&pseudo, arguments);
    CONVERSE(&pseudo, {"move 0\r\n"}, {"q leaves", "h"},
             {"a cost of 9 to go\r\nno path leads to the root\r\n"}, {"q leaves", "h"},
             {"move 0  2 to go\r\nbest: D\r\n"}, {"q leaves", "q"});
    assert_int_equal(end(&pseudo), 1);
    assert_null(fake_server_stop(server));
}

TEST(a_puzzle_without_a_board_is_played_from_its_example)
{
    static const struct fake_step steps[] = {
        {.request = "PUZZLES",
         .reply = "OK count=2\npuzzle=slide example=slide:3x4\npuzzle=jugs example=jugs:1\nEND\n"},
        {.request = "GRAPH jugs:1 depth=1", .reply = "OK count=1\nnode=0 board=0\nEND\n"},
        {.request = "GRAPH jugs:1 root=0 depth=1", .reply = "OK count=1\nnode=0 board=0\nEND\n"},
        {.request = "DRAW jugs:1 0", .reply = "OK count=1\nframe=0 board=0 drawing=\"[ ]|empty\"\nEND\n"},
        {.request = "DISTANCE jugs:1 0", .reply = "ERR no-table fatal none\n"}};
    static struct pseudo pseudo;
    struct fake_server *server = fake_server_start(steps, sizeof steps / sizeof *steps, 0);
    const char *const arguments[] = {"puzzlectl", "--socket", fake_server_name(server), "play", "jugs", NULL};
    start(&pseudo, arguments);
    CONVERSE(&pseudo, {"[ ]\r\nempty\r\nmove 0"}, {"q leaves", "q"});
    assert_int_equal(end(&pseudo), 1);
    assert_null(fake_server_stop(server));
}

TEST(a_board_behind_a_key_is_played_and_moves_beyond_the_keys_are_counted)
{
    static const char many[] =
        "OK count=1\nnode=0 board=0 next=\"\" steps=\"a a a a a a a a a a a a a a a a a a a "
        "a a a a a a a a a a a a z z\"\nEND\n";
    static const struct fake_step steps[] = {
        {.request = "GRAPH jugs:1 root=0 depth=1 goal=1", .reply = many},
        {.request = "GRAPH jugs:1 root=0 depth=1 goal=1", .reply = many},
        {.request = "DRAW jugs:1 0 goal=1", .reply = "ERR unsupported fatal no\n"},
        {.request = "DISTANCE jugs:1 0 goal=1", .reply = "ERR no-table fatal none\n"}};
    static struct pseudo pseudo;
    struct fake_server *server = fake_server_start(steps, sizeof steps / sizeof *steps, 0);
    const char *const arguments[] = {
        "puzzlectl", "--socket", fake_server_name(server), "play", "jugs:1", "start=0", "goal=1", NULL};
    start(&pseudo, arguments);
    CONVERSE(&pseudo, {"z  a\r\n(2 more have no key)"}, {"q leaves", "q"});
    assert_int_equal(end(&pseudo), 1);
    assert_null(fake_server_stop(server));
}

static bool echoes(const struct pseudo *pseudo)
{
    struct termios now;
    assert_int_equal(tcgetattr(pseudo->fd, &now), 0);
    return (now.c_lflag & ECHO) != 0;
}

TEST(ctrl_c_leaves_the_game_and_the_terminal_is_as_before)
{
    static const char *const arguments[] = {"puzzlectl", NULL};
    static struct pseudo pseudo;
    start(&pseudo, arguments);
    CONVERSE(&pseudo, {"puzzlectl> ", "play 2,1/3,0\r"}, {"this board has no solution"}, {"q leaves"});
    assert_false(echoes(&pseudo));
    type(&pseudo, "\003");
    expect(&pseudo, "puzzlectl> ");
    type(&pseudo, "exit\r");
    assert_int_equal(end(&pseudo), 0);
}

TEST(a_game_left_by_ctrl_c_ends_with_an_answer_not_found)
{
    static const char *const arguments[] = {"puzzlectl", "play", "2x2", "1,2/0,3", NULL};
    static struct pseudo pseudo;
    start(&pseudo, arguments);
    expect(&pseudo, "q leaves");
    type(&pseudo, "\033x"); /* a key with no meaning, and not Escape alone */
    expect(&pseudo, "q leaves");
    type(&pseudo, "\003");
    assert_int_equal(end(&pseudo), 1);
}

TEST(boards_and_solutions_at_a_terminal_are_asked_for)
{
    static const struct fake_step steps[] = {
        {.request = "DISTANCE 3x3 867254301", .reply = "OK moves=31 solvable=yes\n"}};
    static struct pseudo pseudo;
    struct fake_server *server = fake_server_start(steps, 1, 0);
    const char *const arguments[] = {"puzzlectl", "--socket", fake_server_name(server), "distance", "3x3",
                                     "-",         NULL};
    start(&pseudo, arguments);
    expect(&pseudo, "(boards, one a line; Ctrl-D ends)");
    assert_int_equal(write(pseudo.fd, "867254301\n", 10), 10); /* the terminal gives it line by line */
    expect(&pseudo, "31\r\n");
    assert_int_equal(write(pseudo.fd, "\004", 1), 1);
    assert_int_equal(end(&pseudo), 0);
    assert_null(fake_server_stop(server));
    static const char *const verify[] = {"puzzlectl", "verify", "3x3", "-", NULL};
    start(&pseudo, verify);
    expect(&pseudo, "(solutions, one a line; Ctrl-D ends)");
    assert_int_equal(write(pseudo.fd, "\004", 1), 1);
    assert_int_equal(end(&pseudo), 0);
}

TEST(an_export_shows_how_far_it_is)
{
    static const struct fake_step steps[] = {
        {.request = "EXPORT 2x2",
         .reply = "OK count=1 states=12 goal=1,2/3,0\ndistances=020206010305010503000404\nEND\n"}};
    static struct pseudo pseudo;
    char path[] = "/tmp/puzzlectl-export-XXXXXX";
    unsigned char bytes[13];
    int file = mkstemp(path);
    assert_true(file >= 0);
    (void)close(file);
    struct fake_server *server = fake_server_start(steps, 1, 0);
    const char *const arguments[] = {
        "puzzlectl", "--socket", fake_server_name(server), "export", "2x2", path, "-f", "bin", NULL};
    start(&pseudo, arguments);
    expect(&pseudo, "12 boards  100%");
    assert_int_equal(end(&pseudo), 0);
    assert_null(fake_server_stop(server));
    file = open(path, O_RDONLY | O_CLOEXEC);
    assert_int_equal(read(file, bytes, sizeof bytes), 12);
    assert_memory_equal(bytes, "\2\2\6\1\3\5\1\5\3\0\4\4", 12);
    (void)close(file);
    (void)unlink(path);
}

TEST(an_export_that_fails_leaves_the_old_file_and_no_part)
{
    static const struct fake_step steps[] = {
        {.request = "EXPORT 2x2",
         .reply = "OK count=2 states=12 goal=1,2/3,0\ndistances=0202\ndistances=x\nEND\n"}};
    char path[] = "/tmp/puzzlectl-export-XXXXXX";
    char line[64], part[64], kept[8] = "";
    int file = mkstemp(path);
    assert_int_equal(write(file, "old", 3), 3);
    (void)snprintf(line, sizeof line, "export 2x2 %s -f bin", path);
    (void)snprintf(part, sizeof part, "%s.part", path);
    struct client_run run = client_run_with(NULL, steps, 1, line);
    assert_int_equal(run.code, 3);
    check_contains(run.err, "a record of the export is not understood");
    assert_int_equal(access(part, F_OK), -1);
    assert_int_equal(lseek(file, 0, SEEK_SET), 0);
    assert_int_equal(read(file, kept, sizeof kept - 1), 3);
    assert_string_equal(kept, "old");
    (void)close(file);
    assert_int_equal(unlink(path), 0);
    client_run_clear(&run);
}

TEST(an_export_of_other_puzzles_has_their_boards)
{
    static const struct fake_step steps[] = {
        {.request = "EXPORT pancake:2 boards=yes",
         .reply = "OK count=1 states=2 bytes=2\ndistances=0000ffff boards=\"1,2 2,1\"\nEND\n"}};
    static const struct fake_step numbers[] = {
        {.request = "EXPORT pancake:2", .reply = "OK count=1 states=2 bytes=2\ndistances=00010203\nEND\n"}};
    check_run(client_run_with(NULL, steps, 1, "export pancake:2 - -f csv"), 0,
              "board,moves\n\"1,2\",0\n\"2,1\",\n");
    struct client_run run = client_run_with(NULL, numbers, 1, "export pancake:2 - -f npy");
    check_contains(run.out + 10, "{'descr': '<u2', 'fortran_order': False, 'shape': (2,), }");
    client_run_clear(&run);
}
