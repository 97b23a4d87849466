/* SPDX-License-Identifier: MIT */
/*
 * IDA* on coordinates, for permutation puzzles with an abstraction by orbits: a state is what the questions
 * see of it, moves are tables, and the lookups of all successors are under way at once. Of ways that do the
 * same only one is walked. Threads share an iteration by its branches; the one found is the first in their
 * order, whatever their number.
 */
#include "base/clock.h"
#include "explore/checkpoint/checkpointer.h"
#include "solve/orbits/orbit_iteration.h"
#include "solve/solver.h"
#include "space/registry.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static enum pz_status open_orbit_checkpoint(struct orbit_search *search, const char *partition,
                                            struct pz_error *error)
{
    const struct solve_request *request = search->request;
    char name[PZ_SIZE_MAX + 64], state[2 * PZ_STATE_MAX + 1] = "", identity[CHECKPOINT_IDENTITY_MAX];
    (void)space_name(request->space, name);
    for (unsigned i = 0; i < request->space->state_bytes; i++)
        (void)snprintf(state + 2 * i, 3, "%02x", ((const uint8_t *)request->start)[i]);
    (void)snprintf(identity, sizeof identity, "orbits %s %s %s", name, partition, state);
    const struct checkpointer_options options = {
        .calls = request->checkpoint, .identity = identity, .monitor = &search->monitor};
    return request->checkpoint != NULL ? checkpointer_new(&options, &search->checkpointer, error) : PZ_OK;
}

/* ---- iterations ---- */

static uint64_t count_nodes(const struct orbit_search *search, uint64_t *expanded)
{
    uint64_t generated = search->generated_before;
    *expanded = search->expanded_before;
    for (unsigned i = 0; i < search->request->threads; i++) {
        generated += search->workers[i].generated;
        *expanded += search->workers[i].expanded;
    }
    return generated;
}

/* A search without a time limit is given up when an iteration was long, and the one that solves most states
 * would take years. */
static enum pz_status weigh_effort(const struct orbit_search *search, uint64_t nodes, struct pz_error *error)
{
    static const double long_nodes = 8e9, years = 15; /* some minutes; a power of ten */
    const double effort = orbit_walk_effort(search->tables[0].walk, search->bound, (double)nodes);
    const struct control *control = search->monitor.control;
    if ((control != NULL && control->deadline > 0) || (double)nodes < long_nodes || effort < years)
        return PZ_OK;
    return pz_fail(error, PZ_TOO_LARGE,
                   "more than %u moves are needed, and most positions would take about 10^%.0f nodes: no "
                   "abstraction that fits the memory is near enough; time= searches on for so long",
                   search->bound, effort);
}

static bool goes_on(struct orbit_search *search)
{
    bool fresh = false;
    for (unsigned i = 0; i < search->table_count; i++)
        fresh |= search->tables[i].fresh;
    return !fresh && orbit_iteration_load(search);
}

/* Runs iterations until there is a solution; search->bound is then its length. UINT_MAX: there is none. */
static enum pz_status deepen_search(struct orbit_search *search, struct team *team,
                                    struct solve_result *result, struct pz_error *error)
{
    bool resumed = goes_on(search);
    while (search->ended == PZ_OK && search->bound <= SEARCH_DEPTH_MAX) {
        const double began = clock_seconds();
        const uint64_t before = count_nodes(search, &result->expanded);
        unsigned beyond = resumed ? search->bound + 1 : UINT_MAX; /* what walked branches met is not known */
        if (!resumed)
            orbit_iteration_divide(search);
        orbit_iteration_run(search, team);
        result->generated = count_nodes(search, &result->expanded);
        if (!resumed)
            iterations_note(&result->iterations, search->bound, result->generated - before,
                            clock_seconds() - began);
        resumed = false;
        if (search->ended == PZ_CANCELLED && search->checkpointer != NULL &&
            checkpointer_wanted(search->checkpointer))
            orbit_iteration_save(search);
        if (search->ended != PZ_OK || search->found != UINT32_MAX)
            return search->ended;
        for (unsigned i = 0; i < search->request->threads; i++)
            beyond = search->workers[i].beyond < beyond ? search->workers[i].beyond : beyond;
        assert(beyond > search->bound);
        const enum pz_status status = weigh_effort(search, result->generated - before, error);
        if (status != PZ_OK)
            return status;
        search->bound = beyond;
    }
    return search->bound == UINT_MAX ? PZ_OK : PZ_TOO_LARGE;
}

/* ---- before and after ---- */

/* Makes the tables of moves, all successors of a value beside each other. */
static bool make_next(struct orbit_search *search, unsigned table)
{
    const struct orbit_walk *walk = search->tables[table].walk;
    for (unsigned i = 0; i < walk->parts; i++) {
        const struct twist_part *part = &walk->part[i];
        uint32_t *next = malloc((size_t)part->count * walk->moves * sizeof *next);
        search->next[table][i] = next;
        if (next == NULL)
            return false;
        for (size_t value = 0; value < part->count; value++)
            for (size_t m = 0; m < walk->moves; m++)
                next[value * walk->moves + m] = part->next[m * part->count + value];
    }
    return true;
}

static bool make_questions(struct orbit_search *search)
{
    unsigned at = 0;
    for (unsigned table = 0; table < search->table_count; table++) {
        const struct orbit_walk *walk = search->tables[table].walk;
        if (!make_next(search, table))
            return false;
        for (unsigned q = 0; q < walk->questions && search->questions < ORBITS_QUESTIONS_MAX; q++) {
            search->question[search->questions++] =
                (struct orbit_question){walk, search->tables[table].bytes, q, at, search->next[table]};
            at += walk->parts;
        }
    }
    const size_t align = _Alignof(struct orbit_node);
    search->node_bytes =
        (sizeof *search->root + at * sizeof *search->root->value + align - 1) / align * align;
    search->root = calloc(1, search->node_bytes);
    return search->root != NULL;
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

static bool make_worker(struct orbit_search *search, struct orbit_worker *worker)
{
    const size_t waiting = (size_t)SEARCH_DEPTH_MAX * search->window * search->moves;
    worker->search = search;
    worker->frames = calloc(search->window, sizeof *worker->frames);
    worker->nodes = malloc(search->window * search->node_bytes);
    worker->stack = malloc(waiting * search->node_bytes); /* of which little is ever touched */
    if (worker->frames == NULL || worker->nodes == NULL || worker->stack == NULL)
        return false;
    for (unsigned i = 0; i < search->window; i++)
        worker->frames[i].node = orbit_node_at(search, worker->nodes, i);
    return true;
}

static bool make_workers(struct orbit_search *search)
{
    const unsigned threads = search->request->threads;
    search->window = WINDOW_LOOKUPS / search->moves;
    search->window = search->window > WINDOW_MAX ? WINDOW_MAX : search->window;
    search->workers = calloc(threads, sizeof *search->workers);
    for (unsigned i = 0; search->workers != NULL && i < threads; i++)
        if (!make_worker(search, &search->workers[i]))
            return false;
    search->branches = malloc(2 * BRANCHES_MAX * sizeof *search->branches);
    search->walked = malloc(BRANCHES_MAX * sizeof *search->walked);
    if (search->workers == NULL || search->branches == NULL || search->walked == NULL)
        return false;
    search->workers[0].owner = true;
    return true;
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
    return make_questions(search) && make_covers(search) && make_workers(search);
}

/* An orbit_read of a table in memory. */
static enum pz_status read_orbit_table(void *context, uint64_t key, unsigned *residue, struct pz_error *error)
{
    const uint8_t *bytes = context;
    (void)error;
    *residue = bytes[key / 4] >> key % 4 * 2 & 3;
    return PZ_OK;
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
            status = orbit_table_distance(question->walk, values, read_orbit_table, (void *)question->bytes,
                                          &distance, error);
        memcpy(&search->root->value[question->at], values, question->walk->parts * sizeof *values);
        search->root->bound[q] = (uint8_t)distance;
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
            free(search->next[table][i]);
    for (unsigned i = 0; search->workers != NULL && i < search->request->threads; i++) {
        free(search->workers[i].frames);
        free(search->workers[i].nodes);
        free(search->workers[i].stack);
    }
    free(search->workers);
    free(search->root);
    free(search->branches);
    free((void *)search->walked);
    free(search->covers);
    checkpointer_free(search->checkpointer);
}

static enum pz_status orbit_path(const struct orbit_search *search, struct solve_result *result,
                                 struct pz_error *error)
{
    const size_t bytes = search->request->space->state_bytes;
    uint8_t *path = malloc((search->bound + 1) * bytes);
    const struct orbit_worker *worker = search->workers;
    while (worker->found != search->found)
        worker++;
    if (path == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a path of %u moves", search->bound);
    memcpy(path, search->request->start, bytes);
    for (unsigned i = 0; i < search->bound; i++) {
        uint64_t from[PZ_STATE_MAX / 8] = {0}, to[PZ_STATE_MAX / 8];
        memcpy(from, path + i * bytes, bytes);
        orbit_walk_step(search->tables[0].walk, from, worker->solution[i], to);
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
    if (status == PZ_OK)
        status = open_orbit_checkpoint(search, result->partition, error);
    if (status == PZ_OK && request->threads > 1)
        status = team_new(request->threads, &team, error);
    if (status == PZ_OK && search->bound >= PZ_HOPELESS)
        status = ending_without(HALT_NONE, 0, result, error);
    else if (status == PZ_OK && (status = deepen_search(search, team, result, error)) == PZ_OK)
        status = search->bound == UINT_MAX ? ending_without(HALT_NONE, 0, result, error)
                                           : orbit_path(search, result, error);
    else if (status == PZ_CANCELLED)
        status = ending_cancelled(result, search->bound, error);
    else if (status == PZ_LIMIT || (status == PZ_TOO_LARGE && search->bound > SEARCH_DEPTH_MAX))
        status = ending_stopped(result, status == PZ_LIMIT ? STOP_TIME : STOP_LEVELS, search->bound);
    if (search->checkpointer != NULL)
        result->seconds += checkpointer_seconds(search->checkpointer);
    team_free(team);
    free_search(search);
    free(search);
    return status;
}
