/* SPDX-License-Identifier: MIT */
/* Counts the moves: of all states, of each level, and how many states have 0, 1, … moves. */
#include "explore/key/mix.h"
#include "explore/striped/state_walk.h"
#include "explore/striped/visited/segment.h"

#include <assert.h>
#include <stdlib.h>

/* Returns the number of different states among the successors, the state itself left out. */
static unsigned count_different(const uint64_t *state, const uint64_t *successors, unsigned count,
                                unsigned words)
{
    unsigned different = 0;
    for (unsigned i = 0; i < count; i++) {
        const uint64_t *successor = successors + (size_t)i * words;
        bool is_new = !key_equal(successor, state, words);
        for (unsigned k = 0; k < i && is_new; k++)
            is_new = !key_equal(successor, successors + (size_t)k * words, words);
        different += is_new;
    }
    return different;
}

struct edge_count {
    const struct searchers *searchers; /* of whose first worker the work space is used */
    struct monitor *monitor;
    uint64_t all;       /* states */
    uint64_t *of_level; /* moves of levels 0 … depth, and of dead states behind them */
    uint64_t *states;   /* by their number of moves */
};

static enum pz_status look_at_edges(const struct edge_count *edges, uint64_t passed, struct pz_error *error)
{
    monitor_tell(edges->monitor, "edges", (double)passed / (double)edges->all);
    return control_poll(edges->monitor->control) == PZ_CANCELLED
               ? pz_fail(error, PZ_CANCELLED, "cancelled while the edges were counted")
               : PZ_OK;
}

static enum pz_status count_edges(const struct edge_count *edges, const struct walked *walked,
                                  struct pz_error *error)
{
    const struct pz_space *space = edges->searchers->space;
    const struct searcher *worker = &edges->searchers->workers[0];
    struct state_walk walk;
    uint64_t key[KEY_WORDS_MAX], state[KEY_WORDS_MAX];
    uint32_t level;
    enum pz_status status = PZ_OK;
    state_walk_begin(&walk, walked);
    for (uint64_t passed = 1; status == PZ_OK && state_walk_next(&walk, key, &level); passed++) {
        unmix_bytes(key, space->state_bytes, state);
        unsigned count = space->puzzle->expand(space, state, PZ_NO_TOKEN, worker->successors, worker->tokens);
        assert(count <= space->max_successors && level <= walked->depth + 1);
        count = count_different(state, worker->successors, count, space->state_bytes / 8);
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): both are there before any move is counted */
        edges->of_level[level] += count;
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
        edges->states[count]++;
        if (passed % WALK_LOOK_STATES == 0)
            status = look_at_edges(edges, passed, error);
    }
    if (status == PZ_OK)
        status = state_walk_status(&walk, "count the edges", error);
    state_walk_end(&walk);
    return status;
}

static enum pz_status give_edges(const struct edge_count *counted, uint32_t depth,
                                 const struct explore_sink *sink, struct pz_error *error)
{
    struct explore_edges edges = {.levels = depth + 1,
                                  .of_level = counted->of_level,
                                  .most = counted->searchers->space->max_successors,
                                  .states = counted->states};
    assert(edges.most > 0);
    while (edges.most > 0 && edges.states[edges.most] == 0)
        edges.most--;
    for (unsigned moves = 1; moves <= edges.most; moves++)
        edges.count += moves * edges.states[moves];
    return sink->edges(sink->context, &edges, error);
}

enum pz_status edges_count(const struct walked *walked, const struct searchers *searchers, uint64_t states,
                           struct monitor *monitor, const struct explore_sink *sink, struct pz_error *error)
{
    const struct edge_count edges = {
        .searchers = searchers,
        .monitor = monitor,
        .all = states,
        .of_level = calloc((size_t)walked->depth + 2, sizeof *edges.of_level),
        .states = calloc((size_t)searchers->space->max_successors + 1, sizeof *edges.states)};
    if (edges.of_level == NULL || edges.states == NULL) {
        free(edges.of_level);
        free(edges.states);
        return pz_fail(error, PZ_MEMORY, "no memory to count the edges");
    }
    enum pz_status status = count_edges(&edges, walked, error);
    if (status == PZ_OK)
        status = give_edges(&edges, walked->depth, sink, error);
    free(edges.of_level);
    free(edges.states);
    return status;
}
