/* SPDX-License-Identifier: MIT */
#include "explore/striped/striped.h"

#include "explore/key/mix.h"
#include "explore/striped/disk/disk_search.h"
#include "explore/striped/state_walk.h"
#include "explore/striped/striped_own.h"
#include "explore/striped/visited/segment.h"

#include <assert.h>
#include <stdlib.h>

/* ---- moves: of all states, of each level, and how many states have 0, 1, … moves ---- */

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

/* ---- after the last level ---- */

static enum pz_status striped_walked(struct striped *striped, struct walked *walked, struct pz_error *error)
{
    const struct explore_result *result = striped->setup.result;
    *walked = (struct walked){.search = striped->search,
                              .graph = striped->graph,
                              .disk = striped->disk,
                              .words = striped->searchers.words,
                              .depth = result->depth,
                              .complete = result->complete};
    return numbered_walk(&striped->numbered, striped->setup.request, striped->setup.monitor, walked, error);
}

enum pz_status striped_edges(struct explorer *explorer, const struct explore_sink *sink,
                             struct pz_error *error)
{
    struct striped *striped = striped_of(explorer);
    struct walked walked;
    enum pz_status status = striped_walked(striped, &walked, error);
    if (status != PZ_OK)
        return status;
    const size_t most = striped->searchers.space->max_successors;
    const struct edge_count edges = {.searchers = &striped->searchers,
                                     .monitor = striped->setup.monitor,
                                     .all = striped->setup.result->states,
                                     .of_level = calloc((size_t)walked.depth + 2, sizeof *edges.of_level),
                                     .states = calloc(most + 1, sizeof *edges.states)};
    if (edges.of_level != NULL && edges.states != NULL) {
        status = count_edges(&edges, &walked, error);
        if (status == PZ_OK)
            status = give_edges(&edges, walked.depth, sink, error);
    } else {
        status = pz_fail(error, PZ_MEMORY, "no memory to count the edges");
    }
    free(edges.of_level);
    free(edges.states);
    return status;
}

enum pz_status striped_run(struct explorer *explorer, struct explore_run *out, struct pz_error *error)
{
    struct striped *striped = striped_of(explorer);
    struct walked walked;
    const enum pz_status status = striped_walked(striped, &walked, error);
    striped->runs.words = walked.words;
    return status == PZ_OK ? table_runs_next(&striped->runs, &walked, out, error) : status;
}

/* ---- life ---- */

void striped_free(struct explorer *explorer)
{
    struct striped *striped = striped_of(explorer);
    table_runs_clear(&striped->runs);
    key_list_clear(&striped->numbered.dead, striped->setup.request->budget);
    search_free(striped->search);
    move_graph_free(striped->graph);
    disk_search_free(striped->disk, striped->setup.request->checkpoint != NULL);
    searchers_clear(&striped->searchers);
    bottom_k_clear(&striped->sample);
    free(striped);
}

enum pz_status striped_make_searchers(struct striped *striped, struct pz_error *error)
{
    const struct explore_request *request = striped->setup.request;
    enum pz_status status = searchers_init(&striped->searchers, request->space, request->threads,
                                           request->budget, search_chunk_bytes(request->space), error);
    if (status == PZ_OK && striped->setup.examples &&
        !searchers_keep_examples(&striped->searchers, EXPLORE_EXAMPLES))
        status = pz_fail(error, PZ_MEMORY, "no memory for the examples of a level");
    return status;
}

/* Makes the workers and what the examples need; in scratch space the search, too. */
static enum pz_status striped_make(struct striped *striped, struct pz_error *error)
{
    enum pz_status status = striped_make_searchers(striped, error);
    if (status == PZ_OK && striped->setup.examples && !bottom_k_init(&striped->sample, EXPLORE_DEEPEST_MAX))
        status = pz_fail(error, PZ_MEMORY, "no memory for the examples of a level");
    return status == PZ_OK && striped->setup.request->planes == PLANES_DISK
               ? striped_make_disk(striped, false, error)
               : status;
}

enum pz_status striped_open(const struct explorer_setup *setup, struct explorer **out, struct pz_error *error)
{
    enum pz_status status = striped_check(setup->request, UINT64_MAX, error);
    struct striped *striped = status == PZ_OK ? calloc(1, sizeof *striped) : NULL;
    if (striped == NULL)
        return status != PZ_OK ? status : pz_fail(error, PZ_MEMORY, "no memory for a search");
    striped->setup = *setup;
    striped->base.ops = setup->request->planes == PLANES_DISK ? &striped_disk_ops
                        : striped_has_costs(striped)          ? &striped_graph_ops
                                                              : &striped_memory_ops;
    striped->memory = budget_free(setup->request->budget);
    striped->base.plan.table = setup->request->keep == KEEP_TABLE ? TABLE_RUNS : TABLE_NONE;
    status = striped_make(striped, error);
    if (status != PZ_OK) {
        striped_free(&striped->base);
        return status;
    }
    *out = &striped->base;
    return PZ_OK;
}
