/* SPDX-License-Identifier: MIT */
#include "solve/orbits/orbit_search.h"

#include "base/clock.h"
#include "base/team.h"
#include "explore/run/monitor.h"
#include "solve/ending.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    SEARCH_DEPTH_MAX = 120, /* of an iteration */
    BRANCHES_MAX = 1 << 15,
    BRANCHES_LIKED = 1 << 11,
    POLL_NODES = 1 << 12,
    VALUES_MAX = ORBITS_QUESTIONS_MAX * TWIST_PARTS_MAX
};

/* A question to one of the tables. */
struct orbit_question {
    const struct orbit_walk *walk;
    const uint8_t *bytes;
    unsigned own;            /* its number in the walk */
    unsigned at;             /* of its values in a node */
    uint32_t *const *scaled; /* by part: by value, then by move: the next value times the weight */
};

struct orbit_node {
    uint32_t value[VALUES_MAX]; /* by question, then by part */
    uint8_t bound[ORBITS_QUESTIONS_MAX];
};

/* The successors of a node that are left. */
struct orbit_frame {
    struct orbit_node node;
    unsigned count;
    uint8_t move[TWIST_MOVES_MAX];
    uint32_t key[TWIST_MOVES_MAX];
    uint8_t bound[TWIST_MOVES_MAX][ORBITS_QUESTIONS_MAX];
};

struct orbit_branch {
    uint8_t move[SEARCH_DEPTH_MAX / 4];
    unsigned near; /* the sum of its bounds */
    uint32_t number;
};

struct orbit_search {
    const struct solve_request *request;
    const struct orbit_table *tables;
    unsigned table_count;
    struct monitor monitor;
    struct orbit_question question[ORBITS_QUESTIONS_MAX];
    unsigned questions, moves;
    uint32_t *scaled[ORBIT_TABLES_MAX][TWIST_PARTS_MAX];
    uint8_t follow[TWIST_MOVES_MAX + 1][TWIST_MOVES_MAX];
    unsigned followers[TWIST_MOVES_MAX + 1];
    uint8_t next_bound[256][4]; /* by a bound and the next residue; UINT8_MAX for no way */
    bool *covers;               /* by a set of questions: each move keeps the goal of one of them */
    struct orbit_member *members;
    struct orbit_node root;
    unsigned bound;
    struct orbit_branch *branches;
    uint32_t branch_count;
    unsigned branch_depth;
    _Atomic uint32_t taken, done; /* branches of this iteration */
    _Atomic uint32_t found;       /* the first branch with a solution; UINT32_MAX */
    _Atomic bool halt;
    enum pz_status ended; /* why */
};

struct orbit_member {
    struct orbit_search *search;
    struct orbit_frame *frames; /* SEARCH_DEPTH_MAX + 1 */
    uint8_t path[SEARCH_DEPTH_MAX];
    uint8_t solution[SEARCH_DEPTH_MAX];
    uint32_t branch, found;
    unsigned beyond; /* the least value above the bound that it met */
    uint64_t generated, expanded;
    _Atomic uint64_t shown; /* generated, for the owner while others walk */
    bool owner;
};

/* ---- one node ---- */

/* Computes what a question will look up for each successor, and begins to fetch it. */
static void ask_question(const struct orbit_search *search, struct orbit_frame *frame, unsigned number)
{
    const struct orbit_question *question = &search->question[number];
    const uint32_t *value = &frame->node.value[question->at];
    const uint8_t *move = question->walk->move[question->own];
    const unsigned parts = question->walk->parts;
    const uint32_t *row[TWIST_PARTS_MAX];
    for (unsigned i = 0; i < parts; i++)
        row[i] = question->scaled[i] + (size_t)value[i] * search->moves;
    for (unsigned k = 0; k < frame->count; k++) {
        const unsigned m = move[frame->move[k]];
        uint32_t key = row[0][m];
        for (unsigned i = 1; i < parts; i++)
            key += row[i][m];
        frame->key[k] = key;
        __builtin_prefetch(question->bytes + key / 4);
    }
}

/* Looks up, and leaves out the successors that are too far from the goal. */
static void hear_answers(const struct orbit_search *search, struct orbit_frame *frame, unsigned question,
                         unsigned most, unsigned *least_over)
{
    const uint8_t *next_bound = search->next_bound[frame->node.bound[question]];
    const uint8_t *bytes = search->question[question].bytes;
    unsigned left = 0;
    for (unsigned k = 0; k < frame->count; k++) {
        const uint32_t key = frame->key[k];
        const unsigned bound = next_bound[bytes[key / 4] >> key % 4 * 2 & 3];
        if (bound > most) {
            *least_over = bound < *least_over ? bound : *least_over;
            continue;
        }
        if (left != k) {
            frame->move[left] = frame->move[k];
            memcpy(frame->bound[left], frame->bound[k], sizeof frame->bound[k]);
        }
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
        if (left != k) {
            frame->move[left] = frame->move[k];
            memcpy(frame->bound[left], frame->bound[k], sizeof frame->bound[k]);
        }
        left++;
    }
    frame->count = left;
}

/* Finds the successors of a frame's node from which a goal may be `most` moves away. */
static void expand_node(struct orbit_member *member, struct orbit_frame *frame, unsigned depth, unsigned last)
{
    const struct orbit_search *search = member->search;
    const unsigned questions = search->questions, most = search->bound - depth - 1;
    uint8_t order[ORBITS_QUESTIONS_MAX];
    unsigned over = UINT8_MAX;
    frame->count = search->followers[last];
    memcpy(frame->move, search->follow[last], frame->count);
    for (unsigned q = 0; q < questions; q++) { /* the greatest first: it leaves least */
        unsigned at = q;
        for (; at > 0 && frame->node.bound[order[at - 1]] < frame->node.bound[q]; at--)
            order[at] = order[at - 1];
        order[at] = (uint8_t)q;
    }
    member->expanded++;
    member->generated += frame->count;
    for (unsigned i = 0; i < questions && frame->count > 0; i++) {
        ask_question(search, frame, order[i]);
        hear_answers(search, frame, order[i], most, &over);
    }
    const unsigned before = frame->count;
    if (most > 0)
        drop_covered(search, frame, most);
    over = frame->count < before ? most + 1 : over;
    if (over < UINT8_MAX && depth + 1 + over < member->beyond)
        member->beyond = depth + 1 + over;
}

/* Makes the node of a successor. */
static void enter_successor(const struct orbit_search *search, const struct orbit_frame *frame, unsigned k,
                            struct orbit_node *out)
{
    for (unsigned q = 0; q < search->questions; q++) {
        const struct orbit_question *question = &search->question[q];
        const size_t m = question->walk->move[question->own][frame->move[k]];
        for (unsigned i = 0, at = question->at; i < question->walk->parts; i++, at++)
            out->value[at] =
                question->walk->part[i].next[m * question->walk->part[i].count + frame->node.value[at]];
    }
    memcpy(out->bound, frame->bound[k], search->questions);
}

/* Returns true if the path, of as many moves as the bound, leads to the goal. */
static bool is_solution(const struct orbit_member *member)
{
    const struct orbit_search *search = member->search;
    const struct pz_space *space = search->request->space;
    uint64_t state[PZ_STATE_MAX / 8] = {0}, next[PZ_STATE_MAX / 8] = {0};
    memcpy(state, search->request->start, space->state_bytes);
    for (unsigned i = 0; i < search->bound; i++) {
        orbit_walk_step(search->tables[0].walk, state, member->path[i], next);
        memcpy(state, next, space->state_bytes);
    }
    return space->puzzle->is_goal(space, state);
}

/* ---- a branch ---- */

static bool must_end(struct orbit_member *member)
{
    struct orbit_search *search = member->search;
    atomic_store_explicit(&member->shown, member->generated, memory_order_relaxed);
    if (member->owner) {
        search->monitor.progress.level = search->bound;
        search->monitor.progress.states = 0;
        for (unsigned i = 0; i < search->request->threads; i++)
            search->monitor.progress.states +=
                atomic_load_explicit(&search->members[i].shown, memory_order_relaxed);
        search->monitor.progress.done =
            (double)atomic_load_explicit(&search->done, memory_order_relaxed) / (search->branch_count + 1);
        search->ended = monitor_poll(&search->monitor);
        if (search->ended != PZ_OK)
            atomic_store_explicit(&search->halt, true, memory_order_relaxed);
    }
    return atomic_load_explicit(&search->halt, memory_order_relaxed) ||
           atomic_load_explicit(&search->found, memory_order_relaxed) < member->branch;
}

/* Walks what is below a node. Returns true when it shall end: with a solution, or because it must. */
static bool walk_below(struct orbit_member *member, unsigned depth, unsigned last)
{
    const struct orbit_search *search = member->search;
    struct orbit_frame *frame = &member->frames[depth];
    if (member->expanded % POLL_NODES == 0 && must_end(member))
        return true;
    expand_node(member, frame, depth, last);
    for (unsigned k = 0; k < frame->count; k++) {
        member->path[depth] = frame->move[k];
        if (depth + 1 == search->bound) {
            if (is_solution(member)) {
                member->found = member->branch;
                memcpy(member->solution, member->path, sizeof member->path);
                return true;
            }
            continue;
        }
        enter_successor(search, frame, k, &member->frames[depth + 1].node);
        if (walk_below(member, depth + 1, frame->move[k]))
            return true;
    }
    return false;
}

/* Goes to the root of a branch. Its moves were successors before. */
static void enter_branch(struct orbit_member *member, const uint8_t *move, unsigned depth)
{
    const struct orbit_search *search = member->search;
    unsigned last = search->moves;
    member->frames[0].node = search->root;
    for (unsigned i = 0; i < depth; i++) {
        struct orbit_frame *frame = &member->frames[i];
        unsigned k = 0;
        expand_node(member, frame, i, last);
        while (frame->move[k] != move[i])
            k++;
        enter_successor(search, frame, k, &member->frames[i + 1].node);
        last = member->path[i] = move[i];
    }
}

static void walk_branches(void *context, unsigned number)
{
    struct orbit_search *search = context;
    struct orbit_member *member = &search->members[number];
    for (;;) {
        member->branch = atomic_fetch_add_explicit(&search->taken, 1, memory_order_relaxed);
        if (member->branch >= search->branch_count || must_end(member))
            return;
        const struct orbit_branch *branch = &search->branches[member->branch];
        enter_branch(member, branch->move, search->branch_depth);
        const unsigned depth = search->branch_depth;
        if (walk_below(member, depth, depth > 0 ? branch->move[depth - 1] : search->moves)) {
            uint32_t first = atomic_load_explicit(&search->found, memory_order_relaxed);
            while (member->found < first &&
                   !atomic_compare_exchange_weak_explicit(&search->found, &first, member->found,
                                                          memory_order_relaxed, memory_order_relaxed))
                ;
            return;
        }
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

/* Replaces the branches by those one move deeper. Returns false if there is no room. */
static bool deepen_branches(struct orbit_search *search, struct orbit_branch *next)
{
    struct orbit_member *member = &search->members[0];
    const unsigned depth = search->branch_depth;
    uint32_t count = 0;
    for (uint32_t i = 0; i < search->branch_count; i++) {
        const struct orbit_branch *branch = &search->branches[i];
        struct orbit_frame *frame = &member->frames[depth];
        enter_branch(member, branch->move, depth);
        expand_node(member, frame, depth, depth > 0 ? branch->move[depth - 1] : search->moves);
        for (unsigned k = 0; k < frame->count; k++) {
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

/* Divides an iteration into branches, the nearest to the goal first. */
static void make_branches(struct orbit_search *search)
{
    struct orbit_branch *next = search->branches + BRANCHES_MAX;
    search->branches[0] = (struct orbit_branch){.number = 0};
    search->branch_count = 1;
    search->branch_depth = 0;
    while (search->branch_count > 0 && search->branch_count < BRANCHES_LIKED &&
           search->branch_depth + 1 < search->bound && search->branch_depth < sizeof next->move &&
           deepen_branches(search, next))
        ;
    qsort(search->branches, search->branch_count, sizeof *search->branches, by_nearness);
}

/* Walks all paths of as many moves as the bound. */
static void run_iteration(struct orbit_search *search, struct team *team)
{
    for (unsigned i = 0; i < search->request->threads; i++) {
        search->members[i].beyond = UINT_MAX;
        search->members[i].found = UINT32_MAX;
    }
    atomic_store(&search->taken, 0);
    atomic_store(&search->done, 0);
    atomic_store(&search->found, UINT32_MAX);
    make_branches(search);
    if (team != NULL)
        team_run(team, walk_branches, search);
    else
        walk_branches(search, 0);
}

static uint64_t count_nodes(const struct orbit_search *search, uint64_t *expanded)
{
    uint64_t generated = 0;
    *expanded = 0;
    for (unsigned i = 0; i < search->request->threads; i++) {
        generated += search->members[i].generated;
        *expanded += search->members[i].expanded;
    }
    return generated;
}

/* Runs iterations until there is a solution; search->bound is then its length. UINT_MAX: there is none. */
static enum pz_status deepen_search(struct orbit_search *search, struct team *team,
                                    struct solve_result *result)
{
    while (search->ended == PZ_OK && search->bound <= SEARCH_DEPTH_MAX) {
        const double began = clock_seconds();
        const uint64_t before = count_nodes(search, &result->expanded);
        unsigned beyond = UINT_MAX;
        run_iteration(search, team);
        result->generated = count_nodes(search, &result->expanded);
        iterations_note(&result->iterations, search->bound, result->generated - before,
                        clock_seconds() - began);
        if (search->ended != PZ_OK || search->found != UINT32_MAX)
            return search->ended;
        for (unsigned i = 0; i < search->request->threads; i++)
            beyond = search->members[i].beyond < beyond ? search->members[i].beyond : beyond;
        assert(beyond > search->bound);
        search->bound = beyond;
    }
    return search->bound == UINT_MAX ? PZ_OK : PZ_TOO_LARGE;
}

/* ---- before and after ---- */

static bool make_scaled(struct orbit_search *search, unsigned table)
{
    const struct orbit_walk *walk = search->tables[table].walk;
    for (unsigned i = 0; i < walk->parts; i++) {
        const struct twist_part *part = &walk->part[i];
        uint32_t *scaled = malloc((size_t)part->count * walk->moves * sizeof *scaled);
        search->scaled[table][i] = scaled;
        if (scaled == NULL)
            return false;
        for (size_t value = 0; value < part->count; value++)
            for (size_t m = 0; m < walk->moves; m++)
                scaled[value * walk->moves + m] =
                    (uint32_t)(part->next[m * part->count + value] * part->weight);
    }
    return true;
}

static bool make_questions(struct orbit_search *search)
{
    unsigned at = 0;
    for (unsigned table = 0; table < search->table_count; table++) {
        const struct orbit_walk *walk = search->tables[table].walk;
        if (!make_scaled(search, table))
            return false;
        for (unsigned q = 0; q < walk->questions && search->questions < ORBITS_QUESTIONS_MAX; q++) {
            search->question[search->questions++] =
                (struct orbit_question){walk, search->tables[table].bytes, q, at, search->scaled[table]};
            at += walk->parts;
        }
    }
    return true;
}

static bool set_covers(const struct orbit_search *search, uint32_t set)
{
    for (unsigned m = 0; m < search->moves; m++) {
        bool kept = false;
        for (unsigned q = 0; q < search->questions; q++)
            kept |= (set >> q & 1) != 0 &&
                    (search->question[q].walk->keepers[m] >> search->question[q].own & 1) != 0;
        if (!kept)
            return false;
    }
    return true;
}

static bool make_covers(struct orbit_search *search)
{
    search->covers = calloc((size_t)1 << search->questions, sizeof *search->covers);
    for (uint32_t set = 1; search->covers != NULL && set < UINT32_C(1) << search->questions; set++)
        search->covers[set] = set_covers(search, set);
    return search->covers != NULL;
}

static bool make_members(struct orbit_search *search)
{
    const unsigned threads = search->request->threads;
    search->members = calloc(threads, sizeof *search->members);
    for (unsigned i = 0; search->members != NULL && i < threads; i++) {
        search->members[i].search = search;
        search->members[i].owner = i == 0;
        search->members[i].frames = calloc(SEARCH_DEPTH_MAX + 1, sizeof *search->members[i].frames);
        if (search->members[i].frames == NULL)
            return false;
    }
    search->branches = malloc(2 * BRANCHES_MAX * sizeof *search->branches);
    return search->members != NULL && search->branches != NULL;
}

static bool make_search(struct orbit_search *search)
{
    const struct orbit_walk *walk = search->tables[0].walk;
    search->moves = walk->moves;
    for (unsigned last = 0; last <= walk->moves; last++)
        for (unsigned m = 0; m < walk->moves; m++)
            if (walk->follows[last][m])
                search->follow[last][search->followers[last]++] = (uint8_t)m;
    for (unsigned bound = 0; bound < 256; bound++) {
        memset(search->next_bound[bound], UINT8_MAX, sizeof search->next_bound[bound]);
        for (unsigned next = bound > 0 ? bound - 1 : 0; next <= bound + 1 && next < UINT8_MAX; next++)
            search->next_bound[bound][next % 3] = (uint8_t)next;
    }
    return make_questions(search) && make_covers(search) && make_members(search);
}

/* Asks the questions about the start. Returns PZ_OK with a bound, PZ_HOPELESS or more where there is none. */
static enum pz_status ask_start(struct orbit_search *search, struct pz_error *error)
{
    enum pz_status status = PZ_OK;
    unsigned set = 0;
    for (unsigned q = 0; q < search->questions && status == PZ_OK; q++) {
        const struct orbit_question *question = &search->question[q];
        unsigned distance = PZ_HOPELESS;
        uint32_t values[TWIST_PARTS_MAX] = {0};
        if (orbit_walk_begin(question->walk, question->own, search->request->start, values))
            status = orbit_table_distance(question->walk, values, orbit_table_read,
                                          (void *)(uintptr_t)question->bytes, &distance, error);
        memcpy(&search->root.value[question->at], values, question->walk->parts * sizeof *values);
        search->root.bound[q] = (uint8_t)distance;
        set = distance > search->bound ? 0 : set;
        set |= (unsigned)(distance >= search->bound) << q;
        search->bound = distance > search->bound ? distance : search->bound;
    }
    if (search->bound < PZ_HOPELESS && (search->bound == 0 || search->covers[set]))
        search->bound++; /* the start is no goal */
    return status;
}

static void free_search(struct orbit_search *search)
{
    for (unsigned table = 0; table < search->table_count; table++)
        for (unsigned i = 0; i < search->tables[table].walk->parts; i++)
            free(search->scaled[table][i]);
    for (unsigned i = 0; search->members != NULL && i < search->request->threads; i++)
        free(search->members[i].frames);
    free(search->members);
    free(search->branches);
    free(search->covers);
}

static enum pz_status orbit_path(const struct orbit_search *search, struct solve_result *result,
                                 struct pz_error *error)
{
    const size_t bytes = search->request->space->state_bytes;
    uint8_t *path = malloc((search->bound + 1) * bytes);
    const struct orbit_member *member = search->members;
    while (member->found != search->found)
        member++;
    if (path == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a path of %u moves", search->bound);
    memcpy(path, search->request->start, bytes);
    for (unsigned i = 0; i < search->bound; i++) {
        uint64_t from[PZ_STATE_MAX / 8] = {0}, to[PZ_STATE_MAX / 8];
        memcpy(from, path + i * bytes, bytes);
        orbit_walk_step(search->tables[0].walk, from, member->solution[i], to);
        memcpy(path + (i + 1) * bytes, to, bytes);
    }
    ending_solved(result, search->bound, path);
    return PZ_OK;
}

enum pz_status orbit_search_run(const struct solve_request *request, const struct orbit_table *tables,
                                unsigned count, struct control *control, struct solve_result *result,
                                struct pz_error *error)
{
    struct orbit_search *search = calloc(1, sizeof *search);
    struct team *team = NULL;
    if (search == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a search");
    search->request = request;
    search->tables = tables;
    search->table_count = count;
    search->found = UINT32_MAX;
    result->method = METHOD_IDASTAR;
    monitor_init(&search->monitor, control, request->budget, "search");
    enum pz_status status =
        make_search(search) ? ask_start(search, error) : pz_fail(error, PZ_MEMORY, "no memory for a search");
    if (status == PZ_OK && request->threads > 1)
        status = team_new(request->threads, &team, error);
    if (status == PZ_OK && search->bound >= PZ_HOPELESS)
        status = ending_without(HALT_NONE, 0, result, error);
    else if (status == PZ_OK && (status = deepen_search(search, team, result)) == PZ_OK)
        status = search->bound == UINT_MAX ? ending_without(HALT_NONE, 0, result, error)
                                           : orbit_path(search, result, error);
    else if (status == PZ_CANCELLED)
        status = ending_cancelled(result, search->bound, error);
    else if (status == PZ_LIMIT || status == PZ_TOO_LARGE)
        status = ending_stopped(result, status == PZ_LIMIT ? STOP_TIME : STOP_LEVELS, search->bound);
    team_free(team);
    free_search(search);
    free(search);
    return status;
}
