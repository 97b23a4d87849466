/* SPDX-License-Identifier: MIT */
#include "explore/advice.h"

#include "explore/dense/estimate.h"
#include "explore/graph.h"
#include "explore/striped/striped.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SEEN_STATES = 20000, SEEN_LEVELS_MAX = 1 << 14 };

/* ---- the depth that fits ---- */

/* Returns the deepest levels of no more than SEEN_STATES states: the first ones by one, then nearer. */
static enum pz_status see_levels(const struct explore_request *request, struct graph *graph)
{
    uint32_t within = 0;
    uint32_t beyond = SEEN_LEVELS_MAX;
    enum pz_status status = graph_init(graph, request->space, request->root, 0, SEEN_STATES, NULL);
    for (uint32_t depth = 1; status == PZ_OK && !graph->complete && beyond - within > 1;) {
        struct graph deeper = {0};
        status = graph_init(&deeper, request->space, request->root, depth, SEEN_STATES, NULL);
        if (status == PZ_OK) {
            graph_clear(graph);
            *graph = deeper;
            within = depth;
        } else if (status == PZ_TOO_LARGE) {
            beyond = depth;
            status = PZ_OK;
        }
        depth = beyond == SEEN_LEVELS_MAX ? 2 * within : within + (beyond - within) / 2;
    }
    return status;
}

/* Returns the states of a level. */
static double width_of(const struct graph *graph, uint32_t level)
{
    double width = 0;
    for (uint32_t i = 0; i < graph->count; i++)
        width += graph->levels[i] == level;
    return width;
}

uint32_t advice_depth(const struct explore_request *request, uint64_t memory)
{
    struct graph graph = {0};
    if (see_levels(request, &graph) != PZ_OK || graph.complete || graph.depth < 2) {
        const uint32_t depth = graph.complete ? EXPLORE_NO_LIMIT : graph.depth;
        graph_clear(&graph);
        return depth;
    }
    const bool all = striped_keeps_all(request) || (request->space->flags & PZ_REVERSIBLE) == 0;
    const double most = (double)memory / striped_state_bytes(request->space);
    uint32_t depth = graph.depth;
    double last[3] = {width_of(&graph, depth - 2), width_of(&graph, depth - 1), width_of(&graph, depth)};
    const double growth = last[2] / last[0]; /* of two levels: many spaces alternate */
    double states = graph.count;
    graph_clear(&graph);
    for (; growth > 1; depth++) {
        const double next = last[1] * growth;
        const double held = all ? states + next : last[1] + last[2] + next;
        if (held > most || depth == EXPLORE_LEVEL_MAX)
            break;
        states += next;
        memmove(last, last + 1, 2 * sizeof *last);
        last[2] = next;
    }
    return depth;
}

/* ---- what fits ---- */

/* Appends to the text. */
static void add_advice(char text[ADVICE_TEXT], const char *what)
{
    const size_t used = strlen(text);
    (void)snprintf(text + used, ADVICE_TEXT - used, "%s%s", used > 0 ? "; " : "", what);
}

/* Tries a request for the whole. Appends what it takes, if it fits. */
static bool try_whole(const struct explore_request *request, const char *words, uint64_t memory,
                      uint64_t room, char text[ADVICE_TEXT])
{
    struct explore_estimate estimate;
    char need[DENSE_SIZE_TEXT];
    char disk[DENSE_SIZE_TEXT];
    char line[ADVICE_TEXT];
    if (explore_plan_ahead(request, &estimate, NULL) != PZ_OK)
        return false;
    const uint64_t bytes = request->keep == KEEP_LEVELS ? estimate.bytes_levels_only : estimate.bytes;
    const enum explore_planes planes = explore_planes_within(&estimate, memory, room > 0 ? room : UINT64_MAX);
    const struct explore_cost *cost = &estimate.cost[planes];
    if (planes == PLANES_DISK)
        (void)snprintf(line, sizeof line, "%s takes %s and %s of scratch space", words,
                       dense_size_text(cost->memory < memory ? cost->memory : memory, need),
                       dense_size_text(explore_disk_within(cost, memory), disk));
    else if (planes != PLANES_AUTO)
        (void)snprintf(line, sizeof line, "%s takes %s", words, dense_size_text(cost->memory, need));
    else if (estimate.engine != ENGINE_DENSE && estimate.states > 0 && bytes <= memory)
        (void)snprintf(line, sizeof line, "%s takes %s", words, dense_size_text(bytes, need));
    else
        return false;
    add_advice(text, line);
    return true;
}

static void try_depth(const struct explore_request *request, uint64_t memory, char text[ADVICE_TEXT])
{
    struct explore_request bounded = *request;
    char line[ADVICE_TEXT];
    bounded.engine = ENGINE_STRIPED;
    bounded.planes = PLANES_AUTO;
    bounded.depth = advice_depth(&bounded, memory);
    if (bounded.depth == 0 || bounded.depth == EXPLORE_NO_LIMIT ||
        explore_check_memory(&bounded, memory, NULL) != PZ_OK)
        return;
    const bool other =
        request->engine == ENGINE_DENSE || request->engine == ENGINE_RANKED || request->planes != PLANES_AUTO;
    (void)snprintf(line, sizeof line, "%sdepth=%" PRIu32 " fits", other ? "engine=striped " : "",
                   bounded.depth);
    add_advice(text, line);
}

void advice_write(const struct explore_request *request, uint64_t memory, uint64_t room,
                  char text[ADVICE_TEXT])
{
    struct explore_request other = *request;
    *text = '\0';
    bool found = false;
    other.planes = PLANES_AUTO;
    if (request->planes != PLANES_AUTO)
        found = try_whole(&other, "planes=auto", memory, room, text);
    other.keep = KEEP_LEVELS;
    if (request->keep == KEEP_TABLE && !found)
        (void)try_whole(&other, request->planes == PLANES_AUTO ? "keep=levels" : "keep=levels planes=auto",
                        memory, room, text);
    if (!request->parts)
        try_depth(request, memory, text);
}
