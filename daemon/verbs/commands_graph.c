/* SPDX-License-Identifier: MIT */
/* GRAPH: the states of a small space and the moves between them. */
#include "daemon/lookup/lookup_worker.h"
#include "daemon/net/pending_reply.h"
#include "daemon/verbs/verb_commands.h"
#include "explore/graph.h"
#include "space/registry.h"

#include <inttypes.h>
#include <stdlib.h>

/* A reply that is written in pieces. */
struct graph_reply {
    struct pz_space *space;
    struct graph graph;
    uint32_t next;
    char text[PZ_TEXT_MAX];
};

static void graph_reply_free(void *context)
{
    struct graph_reply *reply = context;
    if (reply == NULL)
        return;
    graph_clear(&reply->graph);
    space_close(reply->space);
    free(reply);
}

/* Opens the puzzle and finds the state that the graph begins with. */
static enum pz_status open_root(struct graph_reply *reply, const struct request *request, void *root,
                                struct pz_error *error)
{
    const char *start = NULL;
    enum pz_status status = request_start(request, &start, error);
    const struct pz_setup setup = request_setup(request, start);
    if (status == PZ_OK)
        status = space_open(request->argument[0], &setup, &reply->space, error);
    if (status != PZ_OK)
        return status;
    const struct pz_puzzle *puzzle = reply->space->puzzle;
    return start != NULL ? puzzle->parse(reply->space, start, root, error)
                         : puzzle->root(reply->space, root, error);
}

static enum pz_status make_graph(struct graph_reply *reply, const struct request *request,
                                 struct budget *budget, struct pz_error *error)
{
    uint64_t root[PZ_STATE_MAX / 8] = {0};
    enum pz_status status = open_root(reply, request, root, error);
    if (status != PZ_OK)
        return status;
    return graph_init(&reply->graph, reply->space, root,
                      (uint32_t)request_number(request, KEY_DEPTH, EXPLORE_NO_LIMIT),
                      (uint32_t)request_number(request, KEY_MOST, PROTOCOL_GRAPH_USUAL), budget, error);
}

static void write_graph_head(const struct graph_reply *reply, const char *tag, struct text *out)
{
    const struct graph *graph = &reply->graph;
    reply_list(out, tag, graph->count);
    text_format(out, " depth=%" PRIu32 " edges=%zu", graph->depth, graph->edges);
    text_key(out, "complete", graph->complete ? "yes" : "no");
    text_key(out, "reversible", (reply->space->flags & PZ_REVERSIBLE) != 0 ? "yes" : "no");
    reply_line_end(out);
}

/* Adds the numbers of the successors, and the words of the moves that lead there. */
static void write_edges(struct graph_reply *reply, struct text *out)
{
    const struct graph *graph = &reply->graph;
    struct text next = {0};
    struct text steps = {0};
    for (size_t i = graph->first[reply->next]; i < graph->first[reply->next + 1]; i++) {
        const char *space = next.length > 0 ? " " : "";
        (void)reply->space->puzzle->describe(reply->space, graph_state(graph, reply->next),
                                             graph_state(graph, graph->targets[i]), reply->text);
        text_format(&next, "%s%" PRIu32, space, graph->targets[i]);
        text_format(&steps, "%s%s", space, reply->text);
    }
    text_key(out, "next", text_string(&next));
    text_key(out, "steps", text_string(&steps));
    out->failed |= next.failed || steps.failed;
    text_free(&next);
    text_free(&steps);
}

static void write_node(struct graph_reply *reply, struct text *out)
{
    const struct pz_space *space = reply->space;
    const void *state = graph_state(&reply->graph, reply->next);
    text_format(out, "node=%" PRIu32 " level=%" PRIu32, reply->next, reply->graph.levels[reply->next]);
    (void)space->puzzle->print(space, state, reply->text);
    text_key(out, "board", reply->text);
    bool solved = (space->flags & PZ_NO_GOAL) == 0 && space->puzzle->is_goal(space, state);
    text_key(out, "solved", solved ? "yes" : "no");
    write_edges(reply, out);
    reply_line_end(out);
}

enum pz_status command_graph(struct lookup_worker *worker, const struct request *request, struct text *out,
                             struct pz_error *error)
{
    struct reply_rest *rest = lookup_worker_rest(worker);
    if (rest->state == NULL) {
        struct graph_reply *fresh = calloc(1, sizeof *fresh);
        if (fresh == NULL)
            return pz_fail(error, PZ_MEMORY, "no memory for a graph");
        enum pz_status status = make_graph(fresh, request, lookup_worker_replies(worker), error);
        if (status != PZ_OK) {
            graph_reply_free(fresh);
            return status;
        }
        *rest = (struct reply_rest){fresh, graph_reply_free};
        write_graph_head(fresh, request->tag, out);
    }
    struct graph_reply *reply = rest->state;
    for (; reply->next < reply->graph.count && out->length < REPLY_PIECE; reply->next++)
        write_node(reply, out);
    if (reply->next == reply->graph.count) {
        reply_list_end(out);
        reply_rest_free(rest);
    }
    return PZ_OK;
}
