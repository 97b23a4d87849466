/* SPDX-License-Identifier: MIT */
#include "solve/solver.h"

#include "base/clock.h"
#include "explore/run/monitor.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { POLL_NODES = 4096 };
#define BOUND_NONE UINT_MAX /* no path leads on */

/* The successors of one state of the path. Those before `next` have been looked at. */
struct bound_frame {
    uint8_t *successors; /* malloc'd, the tokens behind them */
    unsigned count, next;
};

struct descent {
    const struct solve_request *request;
    const struct pz_space *space;
    struct monitor monitor;
    struct bound_frame *frames;
    unsigned frame_count;
    unsigned bound;  /* of this iteration */
    unsigned beyond; /* the least value above the bound that it met; BOUND_NONE */
    uint64_t expanded, generated;
};

static size_t frame_bytes(const struct pz_space *space)
{
    return (size_t)space->max_successors * (space->state_bytes + 1);
}

/* Makes frames for paths up to the bound. */
static enum pz_status take_frames(struct descent *descent)
{
    while (descent->frame_count <= descent->bound) {
        const size_t bytes = sizeof(struct bound_frame) + frame_bytes(descent->space);
        struct bound_frame *frames =
            realloc(descent->frames, (descent->frame_count + 1) * sizeof *descent->frames);
        if (frames == NULL)
            return PZ_MEMORY;
        descent->frames = frames;
        if (!budget_take(descent->request->budget, bytes))
            return PZ_MEMORY;
        struct bound_frame *frame = &frames[descent->frame_count++];
        *frame = (struct bound_frame){.successors = malloc(frame_bytes(descent->space))};
        if (frame->successors == NULL)
            return PZ_MEMORY;
    }
    return PZ_OK;
}

static void expand_frame(struct descent *descent, unsigned depth, const void *state, uint8_t token)
{
    const struct pz_space *space = descent->space;
    struct bound_frame *frame = &descent->frames[depth];
    frame->count =
        space->puzzle->expand(space, state, token, frame->successors,
                              frame->successors + (size_t)space->max_successors * space->state_bytes);
    assert(frame->count <= space->max_successors);
    frame->next = 0;
    descent->expanded++;
    descent->generated += frame->count;
}

/* Looks at the next successor of the path's last state. Returns true at a goal; may change the depth. */
static bool look_at_successor(struct descent *descent, unsigned *depth)
{
    const struct pz_space *space = descent->space;
    struct bound_frame *frame = &descent->frames[*depth];
    assert(*depth <= descent->bound && descent->bound < descent->frame_count && frame->next < frame->count);
    const unsigned number = frame->next++;
    const uint8_t *state = frame->successors + (size_t)number * space->state_bytes;
    const unsigned h = bound_of(descent->request->bound, space, state);
    const unsigned f =
        h < PZ_HOPELESS ? (unsigned)bound_weighted(descent->request, *depth + 1, h) : BOUND_NONE;
    if (f > descent->bound) {
        descent->beyond = f < descent->beyond ? f : descent->beyond;
        return false;
    }
    if (h == 0 && space->puzzle->is_goal(space, state))
        return true;
    expand_frame(descent, ++*depth, state,
                 frame->successors[(size_t)space->max_successors * space->state_bytes + number]);
    return false;
}

/* Walks all paths within the bound. If a goal is found, *depth is the depth of its parent. */
static enum pz_status walk_descent(struct descent *descent, unsigned *depth, bool *found)
{
    *depth = 0;
    *found = false;
    expand_frame(descent, 0, descent->request->start, PZ_NO_TOKEN);
    for (uint64_t looked = 1;; looked++) {
        if (looked % POLL_NODES == 0) {
            descent->monitor.progress.level = descent->bound;
            descent->monitor.progress.states = descent->generated;
            enum pz_status status = monitor_poll(&descent->monitor);
            if (status != PZ_OK)
                return status;
        }
        while (descent->frames[*depth].next == descent->frames[*depth].count) {
            if (*depth == 0)
                return PZ_OK;
            --*depth;
        }
        if (look_at_successor(descent, depth)) {
            *found = true;
            return PZ_OK;
        }
    }
}

/* Returns a number than which no solution has fewer moves, since none is within a bound below this one. */
static unsigned descent_proven(const struct descent *descent)
{
    const double weight = descent->request->weight > 1 ? descent->request->weight : 1;
    const unsigned h = bound_of(descent->request->bound, descent->space, descent->request->start);
    unsigned proven = (unsigned)(descent->bound / weight);
    proven += proven * weight < descent->bound;
    return proven > h ? proven : h;
}

static enum pz_status deepen_own_bound(struct descent *descent, struct iterations *iterations,
                                       unsigned *depth, bool *found)
{
    enum pz_status status = PZ_OK;
    *found = false;
    const unsigned first = bound_of(descent->request->bound, descent->space, descent->request->start);
    descent->bound = first < PZ_HOPELESS ? (unsigned)bound_weighted(descent->request, 0, first) : BOUND_NONE;
    while (status == PZ_OK && descent->bound != BOUND_NONE) {
        descent->beyond = BOUND_NONE;
        const double began = clock_seconds();
        const uint64_t before = descent->generated;
        status = take_frames(descent);
        if (status == PZ_OK)
            status = walk_descent(descent, depth, found);
        iterations_note(iterations, descent->bound, descent->generated - before, clock_seconds() - began);
        if (status != PZ_OK || *found)
            break;
        assert(descent->beyond > descent->bound);
        descent->bound = descent->beyond; /* BOUND_NONE: there is no solution */
    }
    return status;
}

static enum pz_status own_bound_path(const struct descent *descent, unsigned depth,
                                     struct solve_result *result, struct pz_error *error)
{
    const size_t bytes = descent->space->state_bytes;
    uint8_t *path = malloc((depth + 2) * bytes);
    if (path == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a path of %u moves", depth + 1);
    memcpy(path, descent->request->start, bytes);
    for (unsigned i = 0; i <= depth; i++)
        memcpy(path + (i + 1) * bytes, descent->frames[i].successors + (descent->frames[i].next - 1) * bytes,
               bytes);
    ending_solved(result, depth + 1, path);
    return PZ_OK;
}

enum pz_status own_bound_run(const struct solve_request *request, struct control *control,
                             struct solve_result *result, struct pz_error *error)
{
    assert(request->budget != NULL && request->space->puzzle->is_goal != NULL);
    struct descent descent = {.request = request, .space = request->space};
    unsigned depth = 0;
    bool found = false;
    result->method = METHOD_IDASTAR;
    result->alone = true;
    monitor_init(&descent.monitor, control, request->budget, "search");
    enum pz_status status = deepen_own_bound(&descent, &result->iterations, &depth, &found);
    result->expanded = descent.expanded;
    result->generated = descent.generated;
    if (status == PZ_OK && found)
        status = own_bound_path(&descent, depth, result, error);
    else if (status == PZ_OK)
        status = ending_without(HALT_NONE, 0, result, error);
    else if (status == PZ_CANCELLED)
        status = ending_cancelled(result, descent_proven(&descent), error);
    else
        status =
            ending_stopped(result, status == PZ_LIMIT ? STOP_TIME : STOP_MEMORY, descent_proven(&descent));
    if (status == PZ_OK && found)
        bound_note_proven(request, result->moves, descent_proven(&descent), result);
    for (unsigned i = 0; i < descent.frame_count; i++)
        free(descent.frames[i].successors);
    budget_give(request->budget,
                descent.frame_count * (sizeof(struct bound_frame) + frame_bytes(request->space)));
    free(descent.frames);
    return status;
}
