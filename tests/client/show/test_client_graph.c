/* SPDX-License-Identifier: MIT */
/* Files for other programs: graph, and pictures that cannot be drawn. */
#include "client_run.h"

TEST(a_small_space_is_written_as_a_graph)
{
    static const char reply[] = "OK count=2 depth=1 edges=2 complete=no reversible=yes\n"
                                "node=0 level=0 board=1,2/3,0 solved=yes next=1 steps=U\n"
                                "node=1 level=1 board=1,0/3,2 solved=no next=0 steps=D\nEND\n";
    check_once("graph 2x2 --depth 1", "GRAPH 2x2 depth=1", reply, 0,
               "graph \"2x2\" {\n  node [shape=box, fontname=\"monospace\"];\n"
               "  n0 [label=\"1,2\\n3,0\", peripheries=2];\n  n1 [label=\"1,0\\n3,2\"];\n"
               "  n0 -- n1 [label=\"U\"];\n  { rank=same; n0; }\n  { rank=same; n1; }\n}\n");
    check_once("graph jugs:1,2 --format graphml", "GRAPH jugs:1,2",
               "OK count=1 depth=0 edges=0 complete=yes reversible=no\n"
               "node=0 level=0 board=<0> solved=no next=\"\" steps=\"\"\nEND\n",
               0,
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
               "<key id=\"board\" for=\"node\" attr.name=\"board\" attr.type=\"string\"/>\n"
               "<key id=\"level\" for=\"node\" attr.name=\"level\" attr.type=\"int\"/>\n"
               "<key id=\"solved\" for=\"node\" attr.name=\"solved\" attr.type=\"boolean\"/>\n"
               "<key id=\"move\" for=\"edge\" attr.name=\"move\" attr.type=\"string\"/>\n"
               "<graph id=\"jugs:1,2\" edgedefault=\"directed\">\n"
               "<node id=\"n0\"><data key=\"board\">&lt;0&gt;</data><data key=\"level\">0</data>"
               "<data key=\"solved\">false</data></node>\n</graph>\n</graphml>\n");
}

TEST(the_refusal_of_a_large_space_names_the_options)
{
    const struct fake_step step = {
        .request = "GRAPH 3x3",
        .reply =
            "ERR too-large fatal more than 5000 states: it takes a smaller depth= or puzzle, or a larger "
            "most=\n"};
    check_says(client_run_with(NULL, &step, 1, "graph 3x3"), 4,
               "a smaller --depth or puzzle, or a larger --most\n");
}

TEST(a_mistyped_format_is_a_usage_error_with_all_formats)
{
    static const char *const lines[][2] = {
        {"graph 2x2 --format grphml", "'grphml' is not one of dot, graphml; did you mean 'graphml'?"},
        {"export 2x2 - --format npz", "'npz' is not one of npy, csv, bin; did you mean 'npy'?"},
        {"export 2x2 distances.txt", "'txt' is not one of npy, csv, bin"},
        {"levels 2x2 --format tex",
         "'tex' is not one of text, plain, csv, md, json, svg, png; did you mean 'text'?"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        check_says(client_run_alone(lines[i][0]), 2, lines[i][1]);
    }
}

TEST(a_picture_that_is_not_drawn_is_reported_behind_the_answer)
{
    static const struct fake_step steps[] = {
        {.request = "PATH jugs:1 0", .reply = "OK moves=1 solvable=yes path=fill:1\n"},
        {.request = "DRAW jugs:1 0 path=fill:1 pieces=yes", .reply = "ERR limit fatal path=: too long\n"}};
    struct client_run run = CLIENT_RUN(steps, "path jugs:1 0 --svg /nonexistent/x.svg");
    assert_int_equal(run.code, 7);
    check_contains(run.out, "fill:1");
    check_contains(run.err, "no picture was written: path=: too long");
    client_run_clear(&run);
}

TEST(keys_of_the_puzzle_leave_the_boards_on_the_way_to_the_daemon)
{
    static const struct fake_step steps[] = {
        {.request = "PATH 2x2 1,2/0,3 wrap=yes", .reply = "OK moves=1 solvable=yes path=L\n"},
        {.request = "DRAW 2x2 1,2/0,3 wrap=yes path=L",
         .reply = "OK count=2\nframe=0 board=1,2/0,3 drawing=\"1 2|. 3\"\n"
                  "frame=1 move=L board=1,2/3,0 drawing=\"1 2|3 .\"\nEND\n"}};
    check_shows(CLIENT_RUN(steps, "path 2x2 1,2/0,3 wrap=yes --frames"), 0, "1 left\n1 2\n3 .\n");
}
