/* SPDX-License-Identifier: MIT */
#include "explore/advice.h"

#include "base/size_text.h"
#include "explore/graph.h"
#include "explore/ranked/ranked.h"
#include "explore/striped/striped.h"
#include "space/registry.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SEEN_STATES = 20000, SEEN_LEVELS_MAX = 1 << 14 };
/* In less memory than this, what is partly filled takes as much as what is full. */
enum { PARTLY_FULL = 32 << 20 };

/* ---- the depth that fits ---- */

/* Returns the states of a level. */
static double width_of(const struct graph *graph, uint32_t level)
{
    double width = 0;
    for (uint32_t i = 0; i < graph->count; i++)
        width += graph->levels[i] == level;
    return width;
}

/* The first levels, as far as a short search saw them. Later levels are assumed to grow as the last seen
 * ones do; in truth the growth slowly falls. */
struct first_levels {
    uint32_t depth; /* EXPLORE_NO_LIMIT: all levels were seen */
    double states;
    double last[3]; /* widths of the last levels */
    double growth;  /* of two levels, as many spaces alternate; 0: not known */
};

static void note_seen(const struct graph *graph, struct first_levels *seen)
{
    *seen = (struct first_levels){.depth = graph->complete ? EXPLORE_NO_LIMIT : graph->depth,
                                  .states = graph->count};
    if (graph->complete || graph->depth < 2)
        return;
    for (uint32_t i = 0; i < 3; i++)
        seen->last[i] = width_of(graph, graph->depth - 2 + i);
    seen->growth = seen->last[2] / seen->last[0];
}

/* Sees as many levels as have at most `most` states in all: doubles the depth, then halves the interval.
 */
static void see(const struct explore_request *request, uint32_t most, struct first_levels *seen)
{
    uint32_t within = 0, beyond = SEEN_LEVELS_MAX, depth = 0;
    enum pz_status status = PZ_OK;
    *seen = (struct first_levels){0};
    if (most == 0)
        return;
    while ((status == PZ_OK || status == PZ_TOO_LARGE) && beyond - within > 1) {
        struct graph graph;
        status = graph_init(&graph, request->space, request->root, depth, most, NULL, NULL);
        if (status == PZ_OK) {
            note_seen(&graph, seen);
            graph_clear(&graph);
            within = depth;
        } else {
            beyond = depth;
        }
        if (seen->depth == EXPLORE_NO_LIMIT)
            return;
        depth = beyond < SEEN_LEVELS_MAX ? within + (beyond - within) / 2 : within > 0 ? 2 * within : 1;
    }
}

/* Goes on to the next level; returns its states. */
static double add_level(struct first_levels *seen)
{
    const double next = seen->last[1] * seen->growth;
    memmove(seen->last, seen->last + 1, 2 * sizeof *seen->last);
    seen->last[2] = next;
    return next;
}

/* Returns the deepest level that a search reaches if it can hold so many states: of all levels, or of
 * three. */
static uint32_t deepest_within(struct first_levels seen, double most, bool all)
{
    for (; seen.growth > 1 && seen.depth < EXPLORE_LEVEL_MAX; seen.depth++) {
        const double next = seen.last[1] * seen.growth;
        const double held = all ? seen.states + next : seen.last[1] + seen.last[2] + next;
        if (held > most)
            break;
        seen.states += add_level(&seen);
    }
    return seen.depth;
}

/* Returns how many states a search in so much memory holds. */
static double states_in_memory(const struct explore_request *request, uint64_t memory)
{
    const uint64_t least = striped_least_bytes(request);
    const uint64_t rest = memory > least ? memory - least : 0;
    return (double)(rest < PARTLY_FULL ? rest / 2 : rest) / striped_state_bytes(request->space);
}

/* Returns 0 if a search in so much memory cannot go on in scratch space. */
static uint32_t depth_on_disk(const struct explore_request *request, const struct first_levels *seen,
                              uint64_t memory, uint64_t room)
{
    if (room == 0 || !striped_disk_follows(request, memory))
        return 0;
    return deepest_within(*seen, (double)room / striped_disk_state_bytes(request), true);
}

uint64_t advice_states_within(const struct explore_request *request)
{
    struct first_levels seen;
    struct graph graph = {0};
    if (graph_init(&graph, request->space, request->root, request->depth, SEEN_STATES, NULL, NULL) == PZ_OK) {
        const uint64_t states = graph.count;
        graph_clear(&graph);
        return states;
    }
    see(request, SEEN_STATES, &seen);
    for (; seen.depth < request->depth && seen.depth < EXPLORE_LEVEL_MAX && seen.states < 0x1p63;
         seen.depth++)
        seen.states += add_level(&seen);
    return told_bytes(seen.states);
}

/* ---- what fits ---- */

/* Appends to the text. */
static void add_advice(char text[ADVICE_TEXT], const char *what)
{
    assert(strlen(text) < ADVICE_TEXT);
    const size_t used = strlen(text);
    (void)snprintf(text + used, ADVICE_TEXT - used, "%s%s", used > 0 ? "; " : "", what);
}

/* Tries a request for the whole space. Appends its cost if it fits. */
static bool try_whole(const struct explore_request *request, const char *words, uint64_t memory,
                      uint64_t room, char text[ADVICE_TEXT])
{
    struct explore_estimate estimate;
    char need[SIZE_TEXT];
    char disk[SIZE_TEXT];
    char line[ADVICE_TEXT];
    if (explore_plan_ahead(request, &estimate, NULL) != PZ_OK)
        return false;
    const uint64_t bytes = request->keep == KEEP_LEVELS ? estimate.bytes_levels_only : estimate.bytes;
    const enum explore_planes planes = explore_planes_within(&estimate, memory, room > 0 ? room : UINT64_MAX);
    const struct explore_cost *cost = &estimate.cost[planes];
    if (planes == PLANES_DISK)
        (void)snprintf(line, sizeof line, "%s takes %s and %s of scratch space", words,
                       size_text(cost->memory < memory ? cost->memory : memory, need),
                       size_text(explore_disk_within(cost, memory), disk));
    else if (planes != PLANES_AUTO)
        (void)snprintf(line, sizeof line, "%s takes %s", words, size_text(cost->memory, need));
    else if (estimate.engine != ENGINE_DENSE && estimate.states > 0 && bytes <= memory)
        (void)snprintf(line, sizeof line, "%s takes %s", words, size_text(bytes, need));
    else
        return false;
    add_advice(text, line);
    return true;
}

/* Tries the striped engine in scratch space, for all states of a space that the ranked engine keeps in
 * memory only. Appends its cost if it fits. */
static bool try_striped_on_disk(const struct explore_request *request, uint64_t memory, uint64_t room,
                                char text[ADVICE_TEXT])
{
    char disk[SIZE_TEXT];
    char line[ADVICE_TEXT];
    const uint64_t bytes =
        told_bytes((double)space_count(request->space) * striped_disk_state_bytes(request));
    if (!ranked_takes(request) || ranked_has_disk(request) || room < bytes ||
        !striped_disk_follows(request, memory))
        return false;
    (void)snprintf(line, sizeof line, "%splanes=disk takes %s of scratch space",
                   request->engine == ENGINE_RANKED ? "engine=striped " : "", size_text(bytes, disk));
    add_advice(text, line);
    return true;
}

static void try_depth(const struct explore_request *request, uint64_t memory, uint64_t room,
                      char text[ADVICE_TEXT])
{
    struct explore_request bounded = *request;
    struct first_levels seen;
    char line[ADVICE_TEXT];
    bounded.engine = ENGINE_STRIPED;
    bounded.planes = PLANES_AUTO;
    const double most = states_in_memory(&bounded, memory);
    const bool all = striped_keeps_all(&bounded) || (bounded.space->flags & PZ_REVERSIBLE) == 0;
    see(&bounded, most < SEEN_STATES ? (uint32_t)most : SEEN_STATES, &seen);
    bounded.depth = deepest_within(seen, most, all);
    if (bounded.depth == 0 || bounded.depth == EXPLORE_NO_LIMIT ||
        explore_check_memory(&bounded, memory, NULL) != PZ_OK)
        return;
    const bool other =
        request->engine == ENGINE_DENSE || request->engine == ENGINE_RANKED || request->planes != PLANES_AUTO;
    (void)snprintf(line, sizeof line, "%s%sdepth=%" PRIu32 " fits", other ? "engine=striped " : "",
                   request->planes == PLANES_DISK ? "planes=auto " : "", bounded.depth);
    add_advice(text, line);
    const uint32_t deeper = depth_on_disk(&bounded, &seen, memory, room);
    if (deeper <= bounded.depth || deeper == EXPLORE_NO_LIMIT)
        return;
    (void)snprintf(line, sizeof line, "depth=%" PRIu32 " fits scratch space", deeper);
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
    if (!request->ranked.parts && !try_striped_on_disk(request, memory, room, text))
        try_depth(request, memory, room, text);
}
