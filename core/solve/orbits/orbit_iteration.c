/* SPDX-License-Identifier: MIT */
#include "solve/orbits/orbit_iteration.h"

#include "explore/checkpoint/checkpointer.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { POLL_NODES = 1 << 12 };

/* ---- a window of nodes ---- */

/* Computes what a question will look up for each successor, and begins to fetch it. */
static void ask_question(const struct orbit_search *search, struct orbit_frame *frame, unsigned number)
{
    const struct orbit_question *question = &search->question[number];
    const uint32_t *value = &frame->node->value[question->at];
    const uint8_t *move = question->walk->move[question->own];
    const unsigned parts = question->walk->parts;
    const uint32_t *row[TWIST_PARTS_MAX];
    for (unsigned i = 0; i < parts; i++)
        row[i] = question->next[i] + (size_t)value[i] * search->moves;
    for (unsigned k = 0; k < frame->count; k++) {
        const unsigned m = move[frame->move[k]];
        uint64_t key = 0;
        for (unsigned i = 0; i < parts; i++)
            key += row[i][m] * question->walk->part[i].weight;
        frame->key[k] = key;
        __builtin_prefetch(question->bytes + key / 4);
    }
}

static inline void keep_successor(struct orbit_frame *frame, unsigned k, unsigned as)
{
    if (as == k)
        return;
    frame->move[as] = frame->move[k];
    memcpy(frame->bound[as], frame->bound[k], sizeof frame->bound[k]);
}

/* Looks up, and leaves out the successors that are too far from the goal. */
static void hear_answers(const struct orbit_search *search, struct orbit_frame *frame, unsigned question,
                         unsigned most, unsigned *least_over)
{
    const uint8_t *next_bound = search->next_bound[frame->node->bound[question]];
    const uint8_t *bytes = search->question[question].bytes;
    unsigned left = 0;
    for (unsigned k = 0; k < frame->count; k++) {
        const uint64_t key = frame->key[k];
        const unsigned bound = next_bound[bytes[key / 4] >> key % 4 * 2 & 3];
        if (bound > most) {
            *least_over = bound < *least_over ? bound : *least_over;
            continue;
        }
        keep_successor(frame, k, left);
        frame->bound[left++][question] = (uint8_t)bound;
    }
    frame->count = left;
}

/* Leaves out successors all of whose bounds are those of one set of questions, where each move is free for
 * one of them: then the last move would have been, too. */
static void drop_covered(const struct orbit_search *search, struct orbit_frame *frame, unsigned most)
{
    unsigned left = 0;
    for (unsigned k = 0; k < frame->count; k++) {
        unsigned set = 0;
        for (unsigned q = 0; q < search->questions; q++)
            set |= (unsigned)(frame->bound[k][q] == most) << q;
        if (search->covers[set])
            continue;
        keep_successor(frame, k, left++);
    }
    frame->count = left;
}

/* Begins with all moves that may follow the last one. */
static void begin_frame(struct orbit_worker *worker, struct orbit_frame *frame)
{
    const struct orbit_search *search = worker->search;
    const struct orbit_node *node = frame->node;
    const unsigned last = node->depth > 0 ? node->path[node->depth - 1] : search->moves;
    frame->count = search->followers[last];
    memcpy(frame->move, search->follow[last], frame->count);
    for (unsigned q = 0; q < search->questions; q++) {
        unsigned at = q;
        for (; at > 0 && node->bound[frame->order[at - 1]] < node->bound[q]; at--)
            frame->order[at] = frame->order[at - 1];
        frame->order[at] = (uint8_t)q;
    }
    worker->expanded++;
    worker->generated += frame->count;
}

/* Finds the successors of the first `count` frames' nodes from which the bound may be kept. All lookups of
 * one turn are under way at once. */
static void expand_window(struct orbit_worker *worker, unsigned count)
{
    const struct orbit_search *search = worker->search;
    unsigned over[WINDOW_MAX];
    for (unsigned i = 0; i < count; i++) {
        begin_frame(worker, &worker->frames[i]);
        over[i] = UINT8_MAX;
    }
    for (unsigned q = 0; q < search->questions; q++) {
        for (unsigned i = 0; i < count; i++)
            ask_question(search, &worker->frames[i], worker->frames[i].order[q]);
        for (unsigned i = 0; i < count; i++)
            hear_answers(search, &worker->frames[i], worker->frames[i].order[q],
                         search->bound - worker->frames[i].node->depth - 1, &over[i]);
    }
    for (unsigned i = 0; i < count; i++) {
        struct orbit_frame *frame = &worker->frames[i];
        const unsigned before = frame->count, least = frame->node->depth + 1u, most = search->bound - least;
        if (most > 0)
            drop_covered(search, frame, most);
        over[i] = frame->count < before ? most + 1 : over[i];
        if (over[i] < UINT8_MAX && least + over[i] < worker->beyond)
            worker->beyond = least + over[i];
    }
}

/* Makes the node of a successor. */
static void enter_successor(const struct orbit_search *search, const struct orbit_frame *frame, unsigned k,
                            struct orbit_node *out)
{
    const struct orbit_node *node = frame->node;
    *out = *node;
    out->path[out->depth++] = frame->move[k];
    for (unsigned q = 0; q < search->questions; q++) {
        const struct orbit_question *question = &search->question[q];
        const size_t m = question->walk->move[question->own][frame->move[k]];
        for (unsigned i = 0, at = question->at; i < question->walk->parts; i++, at++)
            out->value[at] = question->next[i][(size_t)node->value[at] * search->moves + m];
    }
    memcpy(out->bound, frame->bound[k], sizeof out->bound);
}

/* Writes the state at the end of a path. */
static void state_after(const struct orbit_search *search, const uint8_t *path, unsigned moves,
                        uint64_t state[PZ_STATE_MAX / 8])
{
    const size_t bytes = search->request->space->state_bytes;
    uint64_t next[PZ_STATE_MAX / 8] = {0};
    memcpy(state, search->request->start, bytes);
    for (unsigned i = 0; i < moves; i++) {
        orbit_walk_step(search->tables[0].walk, state, path[i], next);
        memcpy(state, next, bytes);
    }
}

/* Returns true if a path, of as many moves as the bound, leads to the goal. */
static bool is_solution(const struct orbit_search *search, const uint8_t *path)
{
    const struct pz_space *space = search->request->space;
    uint64_t state[PZ_STATE_MAX / 8] = {0};
    state_after(search, path, search->bound, state);
    return space->puzzle->is_goal(space, state);
}

/* ---- checkpoints ---- */

/* A byte for each branch follows: whether it is walked. The branches follow from the bound. */
struct orbit_place {
    uint32_t bound, branches;
    uint64_t generated, expanded;
};

void orbit_iteration_save(struct orbit_search *search)
{
    struct orbit_place place = {.bound = search->bound, .branches = search->branch_count};
    if (!checkpointer_begin(search->checkpointer, search->bound, sizeof place + search->branch_count))
        return;
    place.generated = search->generated_before;
    place.expanded = search->expanded_before;
    for (unsigned i = 0; i < search->request->threads; i++) {
        place.generated += atomic_load_explicit(&search->workers[i].shown, memory_order_relaxed);
        place.expanded += atomic_load_explicit(&search->workers[i].shown_expanded, memory_order_relaxed);
    }
    checkpointer_put(search->checkpointer, &place, sizeof place);
    for (uint32_t i = 0; i < search->branch_count; i++) {
        const uint8_t walked = atomic_load_explicit(&search->walked[i], memory_order_relaxed);
        checkpointer_put(search->checkpointer, &walked, 1);
    }
    checkpointer_end(search->checkpointer);
}

/* ---- a branch ---- */

static bool must_end(struct orbit_worker *worker)
{
    struct orbit_search *search = worker->search;
    atomic_store_explicit(&worker->shown, worker->generated, memory_order_relaxed);
    atomic_store_explicit(&worker->shown_expanded, worker->expanded, memory_order_relaxed);
    if (worker->owner) {
        search->monitor.progress.level = search->bound;
        search->monitor.progress.states = 0;
        for (unsigned i = 0; i < search->request->threads; i++)
            search->monitor.progress.states +=
                atomic_load_explicit(&search->workers[i].shown, memory_order_relaxed);
        search->monitor.progress.done =
            (double)atomic_load_explicit(&search->done, memory_order_relaxed) / (search->branch_count + 1);
        search->ended = monitor_poll(&search->monitor);
        if (search->checkpointer != NULL && checkpointer_due(search->checkpointer, search->branch_count))
            orbit_iteration_save(search);
    }
    /* All look for themselves: the owner may have no branch left. */
    if ((worker->owner ? search->ended : control_poll(search->monitor.control)) != PZ_OK)
        atomic_store_explicit(&search->halt, true, memory_order_relaxed);
    return atomic_load_explicit(&search->halt, memory_order_relaxed) ||
           atomic_load_explicit(&search->found, memory_order_relaxed) < worker->branch;
}

/* Takes what is left of a frame: solutions, or nodes that wait. Returns true if there is a solution. */
static bool take_successors(struct orbit_worker *worker, const struct orbit_frame *frame)
{
    const struct orbit_search *search = worker->search;
    const unsigned depth = frame->node->depth;
    for (unsigned k = 0; k < frame->count; k++) {
        if (depth + 1 < search->bound) {
            enter_successor(search, frame, k, orbit_node_at(search, worker->stack, worker->waiting++));
            continue;
        }
        memcpy(worker->solution, frame->node->path, depth);
        worker->solution[depth] = frame->move[k];
        if (is_solution(search, worker->solution)) {
            worker->found = worker->branch;
            return true;
        }
        worker->beyond = search->bound + 1; /* the questions do not tell it from the goal */
    }
    return false;
}

/* Walks what is below the node that waits. Returns true when it shall end: with a solution, or because it
 * must. A window takes the deepest nodes, so no more than a window's successors wait of each depth. */
static bool walk_below(struct orbit_worker *worker)
{
    const struct orbit_search *search = worker->search;
    for (uint64_t looked = worker->expanded; worker->waiting > 0;) {
        const unsigned count = worker->waiting < search->window ? (unsigned)worker->waiting : search->window;
        worker->waiting -= count;
        memcpy(worker->nodes, orbit_node_at(search, worker->stack, worker->waiting),
               count * search->node_bytes);
        expand_window(worker, count);
        for (unsigned i = 0; i < count; i++)
            if (take_successors(worker, &worker->frames[i]))
                return true;
        if (worker->expanded - looked < POLL_NODES)
            continue;
        looked = worker->expanded;
        if (must_end(worker))
            return true;
    }
    return false;
}

/* Goes to the root of a branch, in the first frame. Its moves were successors before. */
static void enter_branch(struct orbit_worker *worker, const uint8_t *move, unsigned depth)
{
    const struct orbit_search *search = worker->search;
    struct orbit_frame *frame = &worker->frames[0];
    memcpy(frame->node, search->root, search->node_bytes);
    for (unsigned i = 0; i < depth; i++) {
        struct orbit_node *next = orbit_node_at(search, worker->stack, 0);
        unsigned k = 0;
        expand_window(worker, 1);
        while (frame->move[k] != move[i])
            k++;
        enter_successor(search, frame, k, next);
        memcpy(frame->node, next, search->node_bytes);
    }
}

static void walk_branches(void *context, unsigned number)
{
    struct orbit_search *search = context;
    struct orbit_worker *worker = &search->workers[number];
    for (;;) {
        worker->branch = atomic_fetch_add_explicit(&search->taken, 1, memory_order_relaxed);
        if (worker->branch >= search->branch_count || must_end(worker))
            return;
        if (atomic_load_explicit(&search->walked[worker->branch], memory_order_relaxed) != 0)
            continue;
        const struct orbit_branch *branch = &search->branches[worker->branch];
        enter_branch(worker, branch->move, search->branch_depth);
        memcpy(worker->stack, worker->frames[0].node, search->node_bytes);
        worker->waiting = 1;
        if (walk_below(worker)) {
            uint32_t first = atomic_load_explicit(&search->found, memory_order_relaxed);
            while (worker->found < first &&
                   !atomic_compare_exchange_weak_explicit(&search->found, &first, worker->found,
                                                          memory_order_relaxed, memory_order_relaxed))
                ;
            return;
        }
        atomic_store_explicit(&search->walked[worker->branch], 1, memory_order_relaxed);
        (void)atomic_fetch_add_explicit(&search->done, 1, memory_order_relaxed);
    }
}

/* ---- an iteration ---- */

static int by_nearness(const void *a, const void *b)
{
    const struct orbit_branch *one = a, *other = b;
    if (one->near != other->near)
        return one->near < other->near ? -1 : 1;
    return (one->number > other->number) - (one->number < other->number);
}

/* Replaces the branches by those one move deeper, without the moves that a symmetry of a branch's state
 * carries to an earlier one: so the first of the shortest solutions, in the order of moves, is left. Returns
 * false if there is no room. */
static bool deepen_branches(struct orbit_search *search, struct orbit_branch *next)
{
    struct orbit_worker *worker = &search->workers[0];
    const unsigned depth = search->branch_depth;
    uint32_t count = 0;
    for (uint32_t i = 0; i < search->branch_count; i++) {
        const struct orbit_branch *branch = &search->branches[i];
        const struct orbit_frame *frame = &worker->frames[0];
        uint64_t state[PZ_STATE_MAX / 8] = {0};
        bool first[TWIST_MOVES_MAX];
        state_after(search, branch->move, depth, state);
        orbit_walk_firsts(search->tables[0].walk, state, first);
        enter_branch(worker, branch->move, depth);
        expand_window(worker, 1);
        for (unsigned k = 0; k < frame->count; k++) {
            if (!first[frame->move[k]])
                continue;
            if (count == BRANCHES_MAX)
                return false;
            struct orbit_branch *one = &next[count];
            *one = (struct orbit_branch){.number = count};
            memcpy(one->move, branch->move, depth);
            one->move[depth] = frame->move[k];
            for (unsigned q = 0; q < search->questions; q++)
                one->near += frame->bound[k][q];
            count++;
        }
    }
    memcpy(search->branches, next, count * sizeof *next);
    search->branch_count = count;
    search->branch_depth++;
    return true;
}

void orbit_iteration_divide(struct orbit_search *search)
{
    struct orbit_branch *next = search->branches + BRANCHES_MAX;
    for (unsigned i = 0; i < search->request->threads; i++)
        search->workers[i].beyond = UINT_MAX;
    search->branches[0] = (struct orbit_branch){.number = 0};
    search->branch_count = 1;
    search->branch_depth = 0;
    while (search->branch_count > 0 && search->branch_count < BRANCHES_LIKED &&
           search->branch_depth + 1 < search->bound && search->branch_depth < sizeof next->move &&
           deepen_branches(search, next))
        ;
    qsort(search->branches, search->branch_count, sizeof *search->branches, by_nearness);
    for (uint32_t i = 0; i < search->branch_count; i++)
        atomic_init(&search->walked[i], 0);
}

void orbit_iteration_run(struct orbit_search *search, struct team *team)
{
    for (unsigned i = 0; i < search->request->threads; i++)
        search->workers[i].found = UINT32_MAX;
    atomic_store(&search->taken, 0);
    atomic_store(&search->done, 0);
    atomic_store(&search->found, UINT32_MAX);
    if (team != NULL)
        team_run(team, walk_branches, search);
    else
        walk_branches(search, 0);
    if (search->ended == PZ_OK && atomic_load_explicit(&search->halt, memory_order_relaxed))
        search->ended = monitor_poll(&search->monitor);
}

/* Takes up the iteration of a checkpoint. */
static bool get_place(struct orbit_search *search)
{
    const unsigned first = search->bound;
    struct orbit_place place;
    if (!checkpointer_get(search->checkpointer, &place, sizeof place) || place.bound < first ||
        place.bound > SEARCH_DEPTH_MAX)
        return false;
    search->bound = place.bound;
    orbit_iteration_divide(search);
    bool sound = place.branches == search->branch_count;
    for (uint32_t i = 0; i < search->branch_count && sound; i++) {
        uint8_t walked = 0;
        sound = checkpointer_get(search->checkpointer, &walked, 1) && walked <= 1;
        atomic_init(&search->walked[i], walked);
    }
    search->generated_before = place.generated;
    search->expanded_before = place.expanded;
    return sound;
}

bool orbit_iteration_load(struct orbit_search *search)
{
    const unsigned first = search->bound;
    if (search->checkpointer == NULL || first > SEARCH_DEPTH_MAX || !checkpointer_open(search->checkpointer))
        return false;
    if (checkpointer_close(search->checkpointer, get_place(search)))
        return true;
    search->bound = first;
    search->generated_before = search->expanded_before = 0;
    return false;
}
