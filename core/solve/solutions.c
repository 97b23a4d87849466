/* SPDX-License-Identifier: MIT */
#include "solve/solutions.h"

#include "base/clock.h"
#include "explore/key/mix.h"
#include "explore/run/monitor.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_ROOM = 1024,
    ROOM_MAX = 1 << 30,  /* states: their numbers are 32 bits */
    POLL_STATES = 1024,  /* expanded between two polls */
    POLL_SLOTS = 1 << 16 /* moved to larger arrays between two polls: milliseconds */
};

struct counting {
    const struct solutions_request *request;
    const struct pz_space *space;
    size_t size; /* bytes of a state */
    struct monitor monitor;
    uint8_t *states;  /* level by level */
    uint8_t *carried; /* of each state: what the bound keeps */
    uint64_t *ways;   /* of each state: shortest ways to a goal */
    uint32_t *slots;  /* open addressing: 1 + number of a state, 0 for none; twice as many as room */
    uint32_t *begin;  /* of each level: the number of its first state */
    uint32_t used, room;
    uint8_t *successors, *tokens;
    uint32_t *onward; /* numbers of successors in the next level */
};

/* ---- states ---- */

static uint64_t room_bytes(const struct counting *counting, uint32_t room)
{
    return room * (counting->size + counting->request->carried + sizeof *counting->ways +
                   2 * sizeof *counting->slots);
}

static const uint8_t *state_at(const struct counting *counting, uint32_t number)
{
    return counting->states + number * counting->size;
}

static uint8_t *carried_at(const struct counting *counting, uint32_t number)
{
    return counting->carried + (size_t)number * counting->request->carried;
}

/* Returns the slot of a state, or the free slot where it would go. */
static uint32_t *slot_of(const struct counting *counting, const void *state)
{
    uint64_t key[KEY_WORDS_MAX];
    uint32_t last = 2 * counting->room - 1;
    mix_bytes(state, counting->size, key);
    uint32_t at = (uint32_t)key[0] & last;
    while (counting->slots[at] != 0 &&
           memcmp(state_at(counting, counting->slots[at] - 1), state, counting->size) != 0)
        at = (at + 1) & last;
    return &counting->slots[at];
}

/* Makes larger arrays. PZ_OK, PZ_MEMORY, or why the control ends the search. */
static enum pz_status replace_arrays(struct counting *counting, uint32_t room)
{
    uint8_t *states = realloc(counting->states, room * counting->size);
    counting->states = states != NULL ? states : counting->states;
    uint64_t *ways = realloc(counting->ways, room * sizeof *ways);
    counting->ways = ways != NULL ? ways : counting->ways;
    uint8_t *carried = realloc(counting->carried, (size_t)room * counting->request->carried + 1);
    counting->carried = carried != NULL ? carried : counting->carried;
    uint32_t *slots = calloc((size_t)room * 2, sizeof *slots);
    if (states == NULL || ways == NULL || carried == NULL || slots == NULL) {
        free(slots);
        budget_starve(counting->request->budget);
        return PZ_MEMORY;
    }
    free(counting->slots);
    counting->slots = slots;
    counting->room = room;
    enum pz_status status = PZ_OK;
    for (uint32_t i = 0; i < counting->used && status == PZ_OK; i++) {
        *slot_of(counting, state_at(counting, i)) = i + 1;
        if (i % POLL_SLOTS == POLL_SLOTS - 1)
            status = monitor_poll(&counting->monitor);
    }
    return status;
}

static enum pz_status grow_solutions(struct counting *counting)
{
    uint32_t room = counting->room == 0 ? FIRST_ROOM : counting->room * 2;
    struct budget *budget = counting->request->budget;
    uint64_t before = room_bytes(counting, counting->room);
    if (room > ROOM_MAX || !budget_take(budget, room_bytes(counting, room)))
        return PZ_MEMORY;
    enum pz_status status = replace_arrays(counting, room);
    budget_give(budget, status == PZ_MEMORY ? room_bytes(counting, room) : before);
    return status;
}

/* Adds a state that is not there yet. */
static enum pz_status layer_add(struct counting *counting, const void *state, const uint8_t *carried)
{
    uint32_t *slot = slot_of(counting, state);
    if (*slot != 0)
        return PZ_OK;
    if (counting->used == counting->room) {
        enum pz_status status = grow_solutions(counting);
        if (status != PZ_OK)
            return status;
        slot = slot_of(counting, state);
    }
    memcpy(counting->states + counting->used * counting->size, state, counting->size);
    memcpy(carried_at(counting, counting->used), carried, counting->request->carried);
    assert(counting->used < counting->room);
    *slot = ++counting->used;
    return PZ_OK;
}

/* ---- from the start ---- */

static unsigned expand_layer(const struct counting *counting, uint32_t number)
{
    return counting->space->puzzle->expand(counting->space, state_at(counting, number), PZ_NO_TOKEN,
                                           counting->successors, counting->tokens);
}

static bool is_goal(const struct pz_space *space, const void *state)
{
    uint64_t goal[PZ_STATE_MAX / 8];
    if ((space->flags & PZ_UNIQUE_GOAL) == 0)
        return space->puzzle->is_goal(space, state);
    space->puzzle->goal(space, goal);
    return memcmp(goal, state, space->state_bytes) == 0;
}

/* Returns true if a state may lie on a shortest solution, with so many moves left to the goal. */
static bool may_lead(const struct counting *counting, const struct solutions_step *step, int64_t left)
{
    const struct solutions_request *request = counting->request;
    if (left == 0)
        return is_goal(counting->space, step->state);
    return request->bound == NULL || (int64_t)request->bound(request->context, step) <= left;
}

static enum pz_status poll(struct counting *counting, uint32_t number)
{
    if (number % POLL_STATES != 0)
        return PZ_OK;
    counting->monitor.progress.states = counting->used;
    return monitor_poll(&counting->monitor);
}

static enum pz_status make_level(struct counting *counting, int64_t level)
{
    enum pz_status status = PZ_OK;
    uint8_t carried[SOLUTIONS_CARRIED_MAX] = {0};
    counting->monitor.progress.level = (uint32_t)level;
    assert(counting->begin[level - 1] <= counting->used);
    counting->begin[level] = counting->used;
    for (uint32_t from = counting->begin[level - 1]; from < counting->begin[level]; from++) {
        unsigned count = expand_layer(counting, from);
        status = poll(counting, from);
        for (unsigned i = 0; i < count && status == PZ_OK; i++) {
            const uint8_t *successor = counting->successors + i * counting->size;
            const struct solutions_step step = {state_at(counting, from), successor,
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
        uint32_t there = *slot_of(counting, counting->successors + i * counting->size);
        if (there == 0 || there - 1 < counting->begin[level + 1] || there - 1 >= counting->begin[level + 2])
            continue;
        unsigned same = 0;
        while (same < found && counting->onward[same] != there - 1)
            same++;
        counting->onward[same] = there - 1;
        found += same == found;
    }
    assert(found <= counting->space->max_successors);
    return found;
}

static uint64_t sum_of(uint64_t a, uint64_t b)
{
    return b > SOLUTIONS_MAX - a ? SOLUTIONS_MAX : a + b;
}

static enum pz_status count_level(struct counting *counting, int64_t level)
{
    counting->monitor.progress.level = (uint32_t)level;
    for (uint32_t number = counting->begin[level]; number < counting->begin[level + 1]; number++) {
        unsigned count = find_onward(counting, number, level);
        uint64_t ways = 0;
        for (unsigned i = 0; i < count; i++)
            ways = sum_of(ways, counting->ways[counting->onward[i]]);
        counting->ways[number] = ways;
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
        const uint32_t there = *slot_of(counting, counting->request->path + (size_t)level * counting->size);
        const unsigned count = there > 0 ? find_onward(counting, there - 1, level) : 0;
        for (unsigned i = 0; i < count; i++)
            onward += counting->ways[counting->onward[i]] > 0;
    }
    return onward;
}

/* ---- the whole ---- */

/* Writes solution number `before`, counted from 0. */
static void write_solution_path(const struct counting *counting, uint64_t before, uint8_t *path)
{
    uint32_t number = 0;
    memcpy(path, state_at(counting, number), counting->size);
    for (int64_t level = 0; level < counting->request->moves; level++) {
        unsigned next = 0;
        const unsigned found = find_onward(counting, number, level);
        while (before >= counting->ways[counting->onward[next]])
            before -= counting->ways[counting->onward[next++]];
        assert(next < found); /* before is less than the ways from here */
        (void)found;
        number = counting->onward[next];
        path += counting->size;
        memcpy(path, state_at(counting, number), counting->size);
    }
}

static enum pz_status list(const struct counting *counting, struct solutions *out)
{
    size_t bytes = ((size_t)counting->request->moves + 1) * counting->size;
    uint64_t listed = out->count < counting->request->list ? out->count : counting->request->list;
    if (listed == 0)
        return PZ_OK;
    out->paths = malloc(listed * bytes);
    if (out->paths == NULL)
        return PZ_MEMORY;
    out->listed = (unsigned)listed;
    for (unsigned i = 0; i < out->listed; i++)
        write_solution_path(counting, i, out->paths + i * bytes);
    return PZ_OK;
}

static enum pz_status count(struct counting *counting, struct solutions *out)
{
    int64_t moves = counting->request->moves;
    const struct solutions_request *request = counting->request;
    uint8_t carried[SOLUTIONS_CARRIED_MAX] = {0};
    enum pz_status status = grow_solutions(counting);
    const struct solutions_step first = {.state = request->start, .carried = carried};
    if (request->carried > 0)
        (void)request->bound(request->context, &first);
    if (status == PZ_OK)
        status = layer_add(counting, request->start, carried);
    for (int64_t level = 1; level <= moves && status == PZ_OK; level++)
        status = make_level(counting, level);
    if (status != PZ_OK)
        return status;
    counting->begin[moves + 1] = counting->used;
    for (uint32_t goal = counting->begin[moves]; goal < counting->used; goal++)
        counting->ways[goal] = 1;
    for (int64_t level = moves; level-- > 0 && status == PZ_OK;)
        status = count_level(counting, level);
    if (status != PZ_OK)
        return status;
    out->known = true;
    out->count = counting->ways[0];
    if (request->path != NULL)
        out->onward = count_onward(counting);
    return list(counting, out);
}

static bool solutions_make_room(struct counting *counting)
{
    unsigned successors = counting->space->max_successors;
    counting->begin = calloc((size_t)counting->request->moves + 2, sizeof *counting->begin);
    counting->successors = malloc(successors * counting->size);
    counting->tokens = malloc(successors);
    counting->onward = malloc(successors * sizeof *counting->onward);
    return counting->begin != NULL && counting->successors != NULL && counting->tokens != NULL &&
           counting->onward != NULL;
}

enum pz_status solutions_find(const struct solutions_request *request, struct control *control,
                              struct solutions *out, struct pz_error *error)
{
    struct counting counting = {
        .request = request, .space = request->space, .size = request->space->state_bytes};
    *out = (struct solutions){0};
    monitor_init(&counting.monitor, control, request->budget, "count");
    enum pz_status status = solutions_make_room(&counting) ? count(&counting, out) : PZ_MEMORY;
    out->seconds = clock_seconds() - counting.monitor.began;
    budget_give(request->budget, room_bytes(&counting, counting.room));
    free(counting.states);
    free(counting.carried);
    free(counting.ways);
    free(counting.slots);
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
    if (status != PZ_MEMORY && status != PZ_LIMIT)
        return status;
    result->outcome = OUTCOME_STOPPED;
    result->reason = status == PZ_MEMORY ? STOP_MEMORY : STOP_TIME;
    result->at_least = result->moves;
    return PZ_OK;
}
