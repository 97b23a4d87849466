/* SPDX-License-Identifier: MIT */
/* How solutions are shown, and why there is none. */
#include "client_run.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TEST(a_solution_is_printed_with_its_path)
{
    static const struct fake_step steps[] = {
        {.request = "SOLVE 2x3 start=1,2,3/4,0,5",
         .reply = "OK job=3 state=done cached=no solvable=yes moves=1\n"},
        {.request = "RESULT 3",
         .reply = "OK job=3 kind=solve puzzle=slide:2x3 state=done solvable=yes moves=1 path=R "
                  "method=bidirectional "
                  "seconds=0.002 start=1,2,3/4,0,5\n"},
        {.request = "DRAW slide:2x3 1,2,3/4,0,5 path=R",
         .reply = "OK count=2\nframe=0 board=1,2,3/4,0,5 drawing=\" 1 2 3| 4 . 5\"\n"
                  "frame=1 move=R board=1,2,3/4,5,0 drawing=\" 1 2 3| 4 5 .\"\nEND\n"}};
    check_run(CLIENT_RUN(steps, "solve 2x3 1,2,3/4,0,5 --show"), 0,
              "slide:2x3  job 3 done\n"
              "1 move  R\n"
              "method      bidirectional\n"
              "searched    2.0 ms\n\n"
              "start         1 right\n"
              " 1 2 3         1 2 3\n"
              " 4 . 5         4 5 .\n\n");
    struct client_run run = CLIENT_RUN(steps, "--json solve 2x3 1,2,3/4,0,5 --show");
    assert_string_equal(
        run.out,
        "{\"job\":3,\"kind\":\"solve\",\"puzzle\":\"slide:2x3\",\"state\":\"done\",\"solvable\":"
        "\"yes\",\"moves\":1,\"path\":\"R\",\"method\":\"bidirectional\",\"seconds\":0.002,"
        "\"start\":\"1,2,3/4,0,5\",\"frames\":[{\"caption\":\"start\",\"board\":\"1,2,3/"
        "4,0,5\",\"drawing\":\" 1 2 3\\n 4 . 5\\n\"},"
        "{\"caption\":\"1 right\",\"board\":\"1,2,3/4,5,0\",\"drawing\":\" 1 2 3\\n 4 5 .\\n\"}]}\n");
    client_run_clear(&run);
}

TEST(the_moves_are_listed_where_the_daemon_draws_no_boards)
{
    static const struct fake_step steps[] = {
        {.request = "RESULT 5",
         .reply = "OK job=5 kind=solve puzzle=jugs:3,5,goal:4 state=done solvable=yes moves=1 path=fill:2 "
                  "start=0,0\n"},
        {.request = "DRAW jugs:3,5,goal:4 0,0 path=fill:2",
         .reply = "OK count=2\nframe=0 board=0,0 drawing=\"1 [..] 0/3|2 [...] 0/5\"\n"
                  "frame=1 move=fill:2 board=0,5 drawing=\"1 [..] 0/3|2 [###] 5/5\"\nEND\n"}};
    check_run(CLIENT_RUN(steps, "result 5 --show"), 0,
              "jugs:3,5,goal:4  job 5 done\n1 move  fill:2\n\n"
              "start          1 fill:2\n1 [..] 0/3     1 [..] 0/3\n"
              "2 [...] 0/5    2 [###] 5/5\n\n");
    check_shows(CLIENT_RUN(steps, "result 5 --frames"), 0, "start\n1 [..] 0/3\n2 [...] 0/5\n\n1 fill:2\n");
    static const struct fake_step refused[] = {
        {.request = "RESULT 5",
         .reply = "OK job=5 kind=solve puzzle=jugs:3,5,goal:4 state=done solvable=yes moves=1 path=fill:2 "
                  "start=0,0\n"},
        {.request = "DRAW jugs:3,5,goal:4 0,0 path=fill:2", .reply = "ERR unsupported fatal no\n"}};
    struct client_run run = CLIENT_RUN(refused, "result 5 --show");
    check_contains(run.out, "\n    1  fill:2\n");
    assert_string_equal(run.err, "");
    client_run_clear(&run);
    check_once(
        "result 6 --show", "RESULT 6",
        "OK job=6 kind=solve puzzle=linkup state=done solvable=yes turns=1 path=x drawing=\"A-./..A\"\n", 0,
        "linkup  job 6 done\njoined  x\nturns       1\n\nA-.\n..A\n\n");
}

TEST(a_solution_becomes_a_strip_and_a_page)
{
    char svg[] = "/tmp/puzzlectl-test-XXXXXX";
    char content[8192] = "";
    int fd = mkstemp(svg);
    assert_true(fd >= 0);
    (void)close(fd);
    static const struct fake_step steps[] = {
        {.request = "PATH jugs:3,5 0,0", .reply = "OK moves=1 solvable=yes path=fill:2\n"},
        {.request = "DRAW jugs:3,5 0,0 path=fill:2 pieces=yes",
         .reply = "OK count=2\nframe=0 board=0,0 drawing=A pieces=\"2x4.6 jug:jug0:0,1.6,1,2.4\"\n"
                  "frame=1 move=fill:2 board=0,5 drawing=B pieces=\"2x4.6 water:w:1,0,1,4\"\nEND\n"}};
    check_run(CLIENT_RUN(steps, text_of("path jugs:3,5 0,0 --svg %s", svg)), 0, "1  fill:2\n");
    fd = open(svg, O_RDONLY | O_CLOEXEC);
    assert_true(read(fd, content, sizeof content - 1) > 0);
    check_contains(content, "<svg xmlns=");
    check_contains(content,
                   "class=\"piece jug\"><path class=\"shape\" d=\"M0.4 16.4L0.4 39.6L9.6 39.6L9.6 16.4\"");
    check_contains(content, ">1 fill:2</text>");
    (void)close(fd);
    (void)unlink(svg);
}

TEST(boards_are_told_and_the_files_written_too)
{
    static const char *const frames =
        "\"frames\":[{\"caption\":\"start\",\"board\":\"1,2/0,3\",\"drawing\":\" 1 2\\n . 3\\n\"},"
        "{\"caption\":\"1 right\",\"board\":\"1,2/3,0\",\"drawing\":\" 1 2\\n 3 .\\n\"}]}\n";
    static const char *const error =
        "{\"error\":{\"code\":\"output\",\"retry\":false,\"text\":\"/nowhere/x.svg "
        "cannot be written: No such file or directory\"}}\n";
    const char *wanted = text_of("{\"moves\":1,\"solvable\":\"yes\",\"path\":\"R\",%s%s", frames, error);
    static const struct fake_step path[] = {
        {.request = "PATH 2x2 1,2/0,3", .reply = "OK moves=1 solvable=yes path=R\n"},
        {.request = "DRAW 2x2 1,2/0,3 path=R pieces=yes",
         .reply = "OK count=2\nframe=0 board=1,2/0,3 drawing=\" 1 2| . 3\" pieces=\"2x2 tile:1-1:0,0:1\"\n"
                  "frame=1 move=R board=1,2/3,0 drawing=\" 1 2| 3 .\" pieces=\"2x2 tile:1-1:0,0:1\"\nEND\n"}};
    check_run(CLIENT_RUN(path, "path 2x2 1,2/0,3 --json --svg /nowhere/x.svg"), 7, wanted);
    wanted = text_of("{\"count\":1,\"boards\":[{\"board\":\"1,2/0,3\"}]}\n%s", error);
    static const struct fake_step deepest[] = {
        {.request = "DEEPEST 2x2", .reply = "OK count=1\nboard=1,2/0,3\nEND\n"},
        {.request = "DRAW 2x2 1,2/0,3 pieces=yes",
         .reply = "OK count=1\nframe=0 board=1,2/0,3 drawing=A\nEND\n"}};
    check_run(CLIENT_RUN(deepest, "deepest 2x2 --json --svg /nowhere/x.svg"), 7, wanted);
    check_run(CLIENT_RUN(deepest, "deepest 2x2 --svg /nowhere/x.svg"), 7, "1,2/0,3\n");
}

TEST(path_prints_the_way_and_draws_it_when_asked)
{
    check_once("path 2x3 412503", "PATH 2x3 412503", "OK moves=5 solvable=yes path=LURRD\n", 0, "5  LURRD\n");
    static const struct fake_step steps[] = {
        {.request = "PATH 2x2 1,2/0,3", .reply = "OK moves=1 solvable=yes path=R\n"},
        {.request = "DRAW 2x2 1,2/0,3 path=R",
         .reply = "OK count=2\nframe=0 board=1,2/0,3 drawing=\" 1 2| . 3\"\n"
                  "frame=1 move=R board=1,2/3,0 drawing=\" 1 2| 3 .\"\nEND\n"}};
    check_run(CLIENT_RUN(steps, "path 2x2 1,2/0,3 --show"), 0,
              "1  R\n\nstart         1 right\n 1 2           1 2\n . 3           3 .\n\n");
}

/* A hostile server: escape sequences and C1 controls never reach the terminal. */
TEST(control_characters_of_a_server_are_not_printed)
{
    check_once("path 3x3 x", "PATH 3x3 x",
               "OK moves=1 solvable=yes path=\x1b[2JA\xc2\x9b"
               "31mB\n",
               0, "1  ?[2JA??31mB\n");
    check_says(client_run_once("path 3x3 x", "PATH 3x3 x", "ERR bad-board fatal \x1b]0;x\x07\n"), 4,
               "bad-board: ?]0;x?");
}

TEST(unsolvable_is_an_answer_with_status_1)
{
    static const struct fake_step steps[] = {
        {.request = "SOLVE 2x2 start=2,1/3,0 goal=1,2/3,0 method=bfs",
         .reply = "OK job=4 state=done cached=no solvable=no moves=-1\n"},
        {.request = "RESULT 4",
         .reply = "OK job=4 kind=solve puzzle=slide:2x2 state=done solvable=no moves=-1 method=parity\n"}};
    check_run(CLIENT_RUN(steps, "solve 2x2 2,1/3,0 --goal 1,2/3,0 --method bfs"), 1,
              "slide:2x2  job 4 done\nunsolvable\nmethod      parity\n"); /* an older daemon */
}

TEST(unsolvable_is_explained)
{
    check_once("result 4", "RESULT 4",
               "OK job=4 kind=solve puzzle=slide:3x3 state=done solvable=no moves=-1 method=parity "
               "rule=\"tiles \x1b[2Jdo not\"\n",
               1, "slide:3x3  job 4 done\nunsolvable: tiles ?[2Jdo not\nmethod      parity\n");
    check_once(
        "result 4", "RESULT 4",
        "OK job=4 kind=solve puzzle=jugs:2,4 state=done solvable=no moves=-1 expanded=1234 start=0,0\n", 1,
        "jugs:2,4  job 4 done\nunsolvable: all 1,234 states that can be reached from it were searched\n"
        "expanded    1,234\n");
    /* From both ends: the number is not that of the states which the start reaches. */
    check_once(
        "result 4", "RESULT 4",
        "OK job=4 kind=solve puzzle=jugs:2,4 state=done solvable=no moves=-1 method=bidirectional "
        "expanded=473 start=0,0\n",
        1,
        "jugs:2,4  job 4 done\nunsolvable: the searches from both ends met nowhere; they expanded all of one "
        "end's states, 473 of both together\n"
        "method      bidirectional\nexpanded    473\n");
    static const struct {
        const char *result, *printed;
    } known[] = {
        {"puzzle=linkup:ab/ba,turns:2 method=direct reason=different-tiles",
         "linkup:ab/ba,turns:2  job 4 done\nunsolvable: the two tiles differ\nmethod      direct\n"},
        {"puzzle=linkup:ab/ba,turns:2 method=direct",
         "linkup:ab/ba,turns:2  job 4 done\nunsolvable: no line joins the two tiles with turns=2\n"
         "method      direct\n"},
        {"puzzle=jugs:4,6,goal:5:0 method=table", "jugs:4,6,goal:5:0  job 4 done\nunsolvable: in the stored "
                                                  "table of all states none leads from here to "
                                                  "the goal\nmethod      table\n"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        check_once("result 4", "RESULT 4",
                   text_of("OK job=4 kind=solve state=done solvable=no moves=-1 %s\n", known[i].result), 1,
                   known[i].printed);
}

TEST(boards_to_begin_from_may_stand_in_a_file)
{
    char path[] = "/tmp/test-client-roots-XXXXXX", line[128];
    static const char boards[] = "1,2,3/4,5,0\n\n1,2,3/4,0,5\r\n0,2,3/1,4,5";
    const int fd = mkstemp(path);
    assert_true(fd >= 0 && write(fd, boards, strlen(boards)) == (ssize_t)strlen(boards));
    (void)snprintf(line, sizeof line, "distance 2x3 123405 --root @%s", path);
    check_once(line, "DISTANCE 2x3 123405 root=1,2,3/4,5,0+1,2,3/4,0,5+0,2,3/1,4,5",
               "OK moves=0 solvable=yes job=1 from=root\n", 0, "0\n");
    assert_int_equal(ftruncate(fd, 0), 0);
    check_says(client_run_alone(line), 2, "no board in this file");
    (void)unlink(path);
    (void)close(fd);
    check_once("distance klotski:aabe/cd@@/ffgh aabe/cd@@/ffgh --root @@be/aacd/ffgh",
               "DISTANCE klotski:aabe/cd@@/ffgh aabe/cd@@/ffgh root=@@be/aacd/ffgh",
               "OK moves=0 solvable=yes job=1 from=root\n", 0, "0\n");
}
