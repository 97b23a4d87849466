/* SPDX-License-Identifier: MIT */
#include "solve/solutions.h"

#include "base/clock.h"
#include "base/table/state_table.h"
#include "explore/run/monitor.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    POLL_STATES = 1024,      /* expanded between two polls */
    LISTED_BYTES = 16 << 20, /* of paths; one is listed in any case */
};

struct counting {
    const struct solutions_request *request;
    const struct pz_space *space;
    size_t size; /* bytes of a state */
    struct monitor monitor;
    struct state_table
        table;       /* level by level; of own: the shortest ways to a goal, and what the bound keeps */
    uint32_t *begin; /* of each level: the number of its first state */
    uint8_t *successors, *tokens;
    uint32_t *onward; /* numbers of successors in the next level */
};

/* ---- states ---- */

static const uint8_t *counted_state(const struct counting *counting, uint32_t number)
{
    return state_table_at(&counting->table, number);
}

static uint64_t *ways_of(const struct counting *counting, uint32_t number)
{
    return (uint64_t *)(void *)(counting->table.own + number * counting->table.own_bytes);
}

static uint8_t *carried_at(const struct counting *counting, uint32_t number)
{
    return (uint8_t *)(ways_of(counting, number) + 1);
}

/* Adds a state, if it is not there yet. PZ_OK, PZ_MEMORY, or why the control ends the search. */
static enum pz_status layer_add(struct counting *counting, const void *state, const uint8_t *carried)
{
    const uint32_t before = counting->table.count;
    const uint32_t number = state_table_add(&counting->table, state);
    if (number == STATE_TABLE_NONE) {
        const enum pz_status status = monitor_poll(&counting->monitor);
        return status != PZ_OK ? status : PZ_MEMORY;
    }
    if (number == before)
        memcpy(carried_at(counting, number), carried, counting->request->carried);
    return PZ_OK;
}

/* ---- from the start ---- */

static unsigned expand_layer(const struct counting *counting, uint32_t number)
{
    return counting->space->puzzle->expand(counting->space, counted_state(counting, number), PZ_NO_TOKEN,
                                           counting->successors, counting->tokens);
}

/* Returns true if a state may lie on a shortest solution, with so many moves left to the goal. */
static bool may_lead(const struct counting *counting, const struct solutions_step *step, int64_t left)
{
    const struct solutions_request *request = counting->request;
    if (left == 0)
        return counting->space->puzzle->is_goal(counting->space, step->state);
    return request->bound == NULL || (int64_t)request->bound(request->context, step) <= left;
}

static enum pz_status poll(struct counting *counting, uint32_t number)
{
    if (number % POLL_STATES != 0)
        return PZ_OK;
    counting->monitor.progress.states = counting->table.count;
    return monitor_poll(&counting->monitor);
}

static enum pz_status make_solution_level(struct counting *counting, int64_t level)
{
    enum pz_status status = PZ_OK;
    uint8_t carried[SOLUTIONS_CARRIED_MAX] = {0};
    counting->monitor.progress.level = (uint32_t)level;
    assert(counting->begin[level - 1] <= counting->table.count);
    counting->begin[level] = counting->table.count;
    for (uint32_t from = counting->begin[level - 1]; from < counting->begin[level]; from++) {
        unsigned count = expand_layer(counting, from);
        status = poll(counting, from);
        for (unsigned i = 0; i < count && status == PZ_OK; i++) {
            const uint8_t *successor = counting->successors + i * counting->size;
            const struct solutions_step step = {counted_state(counting, from), successor,
                                                carried_at(counting, from), carried};
            if (may_lead(counting, &step, counting->request->moves - level))
                status = layer_add(counting, successor, carried);
        }
        if (status != PZ_OK)
            return status;
    }
    return PZ_OK;
}

/* ---- back from the goals ---- */

/* Finds the successors that lie in the next level, each once; returns their number. */
static unsigned find_onward(const struct counting *counting, uint32_t number, int64_t level)
{
    unsigned found = 0;
    unsigned count = expand_layer(counting, number);
    for (unsigned i = 0; i < count; i++) {
        const uint32_t there = state_table_find(&counting->table, counting->successors + i * counting->size);
        if (there < counting->begin[level + 1] || there >= counting->begin[level + 2])
            continue; /* as is STATE_TABLE_NONE */
        unsigned same = 0;
        while (same < found && counting->onward[same] != there)
            same++;
        counting->onward[same] = there;
        found += same == found;
    }
    assert(found <= counting->space->max_successors);
    return found;
}

static uint64_t sum_of(uint64_t a, uint64_t b)
{
    return b > SOLUTIONS_MAX - a ? SOLUTIONS_MAX : a + b;
}

static enum pz_status solutions_count_level(struct counting *counting, int64_t level)
{
    counting->monitor.progress.level = (uint32_t)level;
    for (uint32_t number = counting->begin[level]; number < counting->begin[level + 1]; number++) {
        unsigned count = find_onward(counting, number, level);
        uint64_t ways = 0;
        for (unsigned i = 0; i < count; i++)
            ways = sum_of(ways, *ways_of(counting, counting->onward[i]));
        *ways_of(counting, number) = ways;
        enum pz_status status = poll(counting, number);
        if (status != PZ_OK)
            return status;
    }
    return PZ_OK;
}

/* Counts the moves from the states of the path that begin a shortest way from there. */
static uint64_t count_onward(const struct counting *counting)
{
    uint64_t onward = 0;
    for (int64_t level = 0; level < counting->request->moves; level++) {
        const uint32_t there =
            state_table_find(&counting->table, counting->request->path + (size_t)level * counting->size);
        const unsigned count = there != STATE_TABLE_NONE ? find_onward(counting, there, level) : 0;
        for (unsigned i = 0; i < count; i++)
            onward += *ways_of(counting, counting->onward[i]) > 0;
    }
    return onward;
}

/* ---- the whole ---- */

/* Writes solution number `before`, counted from 0. */
static enum pz_status write_solution_path(struct counting *counting, uint64_t before, uint8_t *path)
{
    enum pz_status status = PZ_OK;
    uint32_t number = 0;
    memcpy(path, counted_state(counting, number), counting->size);
    for (int64_t level = 0; level < counting->request->moves && status == PZ_OK; level++) {
        unsigned next = 0;
        const unsigned found = find_onward(counting, number, level);
        while (before >= *ways_of(counting, counting->onward[next]))
            before -= *ways_of(counting, counting->onward[next++]);
        assert(next < found); /* before is less than the ways from here */
        (void)found;
        number = counting->onward[next];
        path += counting->size;
        memcpy(path, counted_state(counting, number), counting->size);
        status = poll(counting, (uint32_t)level);
    }
    return status;
}

static enum pz_status solutions_list(struct counting *counting, struct solutions *out)
{
    const size_t bytes = ((size_t)counting->request->moves + 1) * counting->size;
    const uint64_t most = bytes < LISTED_BYTES ? LISTED_BYTES / bytes : 1;
    uint64_t listed = out->count < counting->request->list ? out->count : counting->request->list;
    enum pz_status status = PZ_OK;
    listed = listed < most ? listed : most;
    if (listed == 0)
        return PZ_OK;
    out->paths = malloc(listed * bytes);
    if (out->paths == NULL)
        return PZ_MEMORY;
    budget_note_beside(counting->request->budget, listed * bytes);
    for (; out->listed < listed && status == PZ_OK; out->listed += status == PZ_OK)
        status = write_solution_path(counting, out->listed, out->paths + out->listed * bytes);
    return status;
}

static enum pz_status solutions_count(struct counting *counting, struct solutions *out)
{
    int64_t moves = counting->request->moves;
    const struct solutions_request *request = counting->request;
    uint8_t carried[SOLUTIONS_CARRIED_MAX] = {0};
    const struct solutions_step first = {.state = request->start, .carried = carried};
    if (request->carried > 0)
        (void)request->bound(request->context, &first);
    enum pz_status status = layer_add(counting, request->start, carried);
    for (int64_t level = 1; level <= moves && status == PZ_OK; level++)
        status = make_solution_level(counting, level);
    if (status != PZ_OK)
        return status;
    counting->begin[moves + 1] = counting->table.count;
    for (uint32_t goal = counting->begin[moves]; goal < counting->table.count; goal++)
        *ways_of(counting, goal) = 1;
    for (int64_t level = moves; level-- > 0 && status == PZ_OK;)
        status = solutions_count_level(counting, level);
    if (status != PZ_OK)
        return status;
    out->count = *ways_of(counting, 0);
    if (request->path != NULL)
        out->onward = count_onward(counting);
    status = solutions_list(counting, out);
    out->known = status == PZ_OK;
    return status;
}

static bool solutions_make_room(struct counting *counting)
{
    unsigned successors = counting->space->max_successors;
    counting->begin = calloc((size_t)counting->request->moves + 2, sizeof *counting->begin);
    counting->successors = malloc(successors * counting->size);
    counting->tokens = malloc(successors);
    counting->onward = malloc(successors * sizeof *counting->onward);
    counting->table.halts = monitor_halts;
    counting->table.context = &counting->monitor;
    return counting->begin != NULL && counting->successors != NULL && counting->tokens != NULL &&
           counting->onward != NULL;
}

enum pz_status solutions_find(const struct solutions_request *request, struct control *control,
                              struct solutions *out, struct pz_error *error)
{
    assert(request->moves >= 0 && request->carried <= SOLUTIONS_CARRIED_MAX && request->budget != NULL);
    struct counting counting = {
        .request = request, .space = request->space, .size = request->space->state_bytes};
    *out = (struct solutions){0};
    monitor_init(&counting.monitor, control, request->budget, "count");
    const size_t own = (sizeof(uint64_t) + request->carried + 7) / 8 * 8;
    const bool room = state_table_init(&counting.table, request->budget, counting.size, own) &&
                      solutions_make_room(&counting);
    const enum pz_status status = room ? solutions_count(&counting, out) : PZ_MEMORY;
    out->seconds = clock_seconds() - counting.monitor.began;
    state_table_clear(&counting.table);
    free(counting.begin);
    free(counting.successors);
    free(counting.tokens);
    free(counting.onward);
    return status == PZ_OK ? PZ_OK : pz_fail(error, status, "the shortest solutions were not counted");
}

enum pz_status solutions_of_result(const struct solutions_request *request, struct control *control,
                                   struct solve_result *result, struct pz_error *error)
{
    struct solutions_request along = *request;
    along.path = result->path;
    enum pz_status status = solutions_find(&along, control, &result->solutions, error);
    if (status == PZ_OK)
        return PZ_OK;
    result->at_least = result->moves;
    if (status != PZ_MEMORY && status != PZ_LIMIT)
        return status;
    result->outcome = OUTCOME_STOPPED;
    result->reason = status == PZ_MEMORY ? STOP_MEMORY : STOP_TIME;
    return PZ_OK;
}
