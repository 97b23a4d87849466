/* SPDX-License-Identifier: MIT */
/* The subcommand graph: a small state space as a file for Graphviz, Gephi or networkx. */
#include "client/session/command.h"
#include "client/show/svg_pieces.h"

#include <stdlib.h>
#include <string.h>

/* If moves can be undone, the graph has each edge once, from the lower number. */
struct graph_format {
    void (*begin)(FILE *out, const char *title, bool reversible);
    void (*node)(FILE *out, const struct reply *node);
    void (*edge)(FILE *out, const char *from, const char *to, const char *step, bool reversible);
    void (*end)(FILE *out, const struct records *nodes);
};

/* ---- dot ---- */

/* Prints a label in quotes; each row of the board is a line of the label. */
static void print_label(FILE *out, const char *text)
{
    (void)fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            (void)fputc('\\', out);
        if (*text == '/')
            (void)fputs("\\n", out);
        else
            (void)fputc(*text, out);
    }
    (void)fputc('"', out);
}

static void begin_dot(FILE *out, const char *title, bool reversible)
{
    (void)fputs(reversible ? "graph " : "digraph ", out);
    print_label(out, title);
    (void)fputs(" {\n  node [shape=box, fontname=\"monospace\"];\n", out);
}

static void node_dot(FILE *out, const struct reply *node)
{
    (void)fprintf(out, "  n%s [label=", reply_text(node, "node"));
    print_label(out, reply_text(node, "board"));
    (void)fputs(reply_is(node, "solved", "yes") ? ", peripheries=2];\n" : "];\n", out);
}

static void edge_dot(FILE *out, const char *from, const char *to, const char *step, bool reversible)
{
    (void)fprintf(out, "  n%s %s n%s [label=", from, reversible ? "--" : "->", to);
    print_label(out, step);
    (void)fputs("];\n", out);
}

/* Nodes come level by level: each level is a rank. */
static void end_dot(FILE *out, const struct records *nodes)
{
    for (size_t i = 0; i < nodes->count; i++) {
        const char *level = reply_text(&nodes->records[i], "level");
        if (i == 0 || !reply_is(&nodes->records[i - 1], "level", level))
            (void)fputs(i == 0 ? "  { rank=same;" : " }\n  { rank=same;", out);
        (void)fprintf(out, " n%s;", reply_text(&nodes->records[i], "node"));
    }
    (void)fputs(nodes->count > 0 ? " }\n}\n" : "}\n", out);
}

/* ---- graphml ---- */

static void print_escaped(FILE *out, const char *text)
{
    struct text escaped = {0};
    svg_escape(text, strlen(text), &escaped);
    (void)fputs(text_string(&escaped), out);
    text_free(&escaped);
}

static void begin_graphml(FILE *out, const char *title, bool reversible)
{
    (void)fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
                "<key id=\"board\" for=\"node\" attr.name=\"board\" attr.type=\"string\"/>\n"
                "<key id=\"level\" for=\"node\" attr.name=\"level\" attr.type=\"int\"/>\n"
                "<key id=\"solved\" for=\"node\" attr.name=\"solved\" attr.type=\"boolean\"/>\n"
                "<key id=\"move\" for=\"edge\" attr.name=\"move\" attr.type=\"string\"/>\n<graph id=\"",
                out);
    print_escaped(out, title);
    (void)fprintf(out, "\" edgedefault=\"%s\">\n", reversible ? "undirected" : "directed");
}

static void node_graphml(FILE *out, const struct reply *node)
{
    (void)fprintf(out, "<node id=\"n%s\"><data key=\"board\">", reply_text(node, "node"));
    print_escaped(out, reply_text(node, "board"));
    (void)fprintf(out, "</data><data key=\"level\">%s</data><data key=\"solved\">%s</data></node>\n",
                  reply_text(node, "level"), reply_is(node, "solved", "yes") ? "true" : "false");
}

static void edge_graphml(FILE *out, const char *from, const char *to, const char *step, bool reversible)
{
    (void)reversible;
    (void)fprintf(out, "<edge source=\"n%s\" target=\"n%s\"><data key=\"move\">", from, to);
    print_escaped(out, step);
    (void)fputs("</data></edge>\n", out);
}

static void end_graphml(FILE *out, const struct records *nodes)
{
    (void)nodes;
    (void)fputs("</graph>\n</graphml>\n", out);
}

/* ---- the command ---- */

static const struct option_row graph_options[] = {
    {"format", 'f', "dot|graphml", "dot (Graphviz; the default) or graphml (Gephi, networkx, yEd)", NULL},
    {0},
};

/* In the order of the option's words. */
static const struct graph_format formats[] = {
    {begin_dot, node_dot, edge_dot, end_dot},
    {begin_graphml, node_graphml, edge_graphml, end_graphml},
};

/* Writes the edges of one node: next="1 2" and steps="U L" go in parallel. */
static void print_edges(FILE *out, const struct graph_format *format, const struct reply *node,
                        bool reversible)
{
    const char *from = reply_text(node, "node");
    const char *next = reply_text(node, "next");
    const char *steps = reply_text(node, "steps");
    while (*next != '\0' && *steps != '\0') {
        char to[24];
        char step[256];
        size_t next_length = strcspn(next, " ");
        size_t step_length = strcspn(steps, " ");
        (void)snprintf(to, sizeof to, "%.*s", (int)next_length, next);
        (void)snprintf(step, sizeof step, "%.*s", (int)step_length, steps);
        if (!reversible || strtoul(from, NULL, 10) < strtoul(to, NULL, 10))
            format->edge(out, from, to, step, reversible);
        next += next_length + (next[next_length] != '\0');
        steps += step_length + (steps[step_length] != '\0');
    }
}

static void print_graph(struct session *session, const struct arguments *arguments,
                        const struct graph_format *format, const struct records *nodes)
{
    FILE *out = session->terminal->out;
    bool reversible = reply_is(&nodes->head, "reversible", "yes");
    format->begin(out, arguments->words[0], reversible);
    for (size_t i = 0; i < nodes->count; i++)
        format->node(out, &nodes->records[i]);
    for (size_t i = 0; i < nodes->count; i++)
        print_edges(out, format, &nodes->records[i], reversible);
    format->end(out, nodes);
    if (reply_is(&nodes->head, "complete", "no") && !session->quiet)
        (void)fprintf(session->terminal->err, "(%zu states within %s moves; more lie beyond)\n", nodes->count,
                      reply_text(&nodes->head, "depth"));
}

static enum exit_code run_graph(struct session *session, const struct arguments *arguments)
{
    struct records nodes;
    const char *format = arguments_option(arguments, "format");
    int choice = format == NULL ? 0 : command_choice(session, graph_options, format);
    if (choice < 0)
        return EXIT_USAGE;
    struct text *request = command_request(session, "GRAPH", arguments->words[0], arguments);
    enum exit_code code = session_list(session, request, &nodes);
    if (code != EXIT_FOUND)
        return code;
    if (session->json)
        code = session_json_list(session, &nodes, "nodes");
    else
        print_graph(session, arguments, &formats[choice], &nodes);
    records_clear(&nodes);
    return code;
}

const struct command command_graph = {
    .name = "graph",
    .verb = VERB_GRAPH,
    .takes = {"PUZZLE", 1, 1, WORD_PUZZLE},
    .summary = "Write the states and moves of a small space as a graph",
    .help =
        "The nearest states first; dot puts each level on a rank of its own, and a double line around "
        "goals. A space\n"
        "of more than 5,000 states is refused: bound it with --depth, or allow up to 50,000 with --most.\n",
    .example = "  $ puzzlectl graph 2x2 | dot -Tsvg > 2x2.svg\n"
               "  $ puzzlectl graph jugs:3,5 goal=4 --depth 3\n"
               "  $ puzzlectl graph klotski:横刀立马 --most 30000 --format graphml > klotski.graphml\n",
    .options = graph_options,
    .run = run_graph,
};
