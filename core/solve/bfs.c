/* SPDX-License-Identifier: MIT */
#include "solve/bfs.h"

#include "explore/striped/search/search.h"
#include "solve/ending.h"
#include "solve/path.h"

#include <stdlib.h>

static enum pz_status take_path(const struct solve_request *request, struct control *control,
                                const struct search *search, const uint64_t *found,
                                struct solve_result *result, struct pz_error *error)
{
    uint32_t moves = search_level(search) + 1;
    uint8_t *path = malloc((moves + 1) * (size_t)request->space->state_bytes);
    if (path == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a path of %u moves", moves);
    const struct path_request trace = {
        .search = search, .space = request->space, .key = found, .level = moves, .control = control};
    enum pz_status status = path_trace(&trace, path, error);
    if (status != PZ_OK) {
        free(path);
        return status == PZ_LIMIT ? ending_stopped(result, STOP_TIME, moves) : status;
    }
    ending_solved(result, moves, path);
    return PZ_OK;
}

static enum pz_status bfs_levels(const struct solve_request *request, struct control *control,
                                 struct search *search, struct solve_result *result, struct pz_error *error)
{
    const struct pz_space *space = request->space;
    uint64_t goal[KEY_WORDS_MAX];
    uint64_t found[KEY_WORDS_MAX];
    struct search_step step = {.any_goal = (space->flags & PZ_UNIQUE_GOAL) == 0};
    if (!step.any_goal) {
        space->puzzle->goal(space, goal);
        mix_bytes(goal, space->state_bytes, goal);
        step.goal = goal;
    }
    struct monitor monitor;
    enum halt halt = HALT_NONE;
    monitor_init(&monitor, control, request->budget, "search");
    while (halt == HALT_NONE && search_frontier(search) > 0)
        halt = search_advance(search, &monitor, &step, found);
    result->expanded = search_expanded(search);
    result->generated = search_generated(search);
    if (halt == HALT_FOUND)
        return take_path(request, control, search, found, result, error);
    return ending_without(halt, (int64_t)search_level(search) + 1, result, error);
}

enum pz_status bfs_run(const struct solve_request *request, struct control *control,
                       struct solve_result *result, struct pz_error *error)
{
    struct searchers searchers;
    struct search *search = NULL;
    struct search_options options = {.root = request->start, .keep_all = true};
    enum pz_status status = searchers_init(&searchers, request->space, request->threads, request->budget,
                                           search_chunk_bytes(request->space), error);
    if (status != PZ_OK)
        return status;
    status = search_new(&searchers, &options, &search, error);
    if (status == PZ_OK)
        status = bfs_levels(request, control, search, result, error);
    search_free(search);
    searchers_clear(&searchers);
    return status;
}
