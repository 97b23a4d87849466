/* SPDX-License-Identifier: MIT */
#include "explore/dense/grouped.h"

#include "explore/dense/pull.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW_BYTES = CODEC_MOST + CODEC_PAD, NO_GROUP = -1 };

/* Owned by one thread. */
struct member {
    _Alignas(64) uint8_t window[WINDOW_BYTES];
    uint8_t scratch[2 * CODEC_ROOM];
};

/* The padding keeps the counter off the lines that every member reads. */
/* NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding) */
struct grouped {
    _Alignas(64) _Atomic uint32_t next_task; /* taken by every member */
    _Alignas(64) _Atomic int failure;        /* an enum pz_status; set by any member */
    struct grouped_parts parts;
    struct planes *planes; /* of the group at hand */
    struct planes_windows windows;
    struct level_runner *runner;
    struct borders *borders;
    struct member *members;
    uint32_t level;       /* that is known */
    unsigned colour;      /* of its places */
    uint64_t *states_now; /* by group */
    uint64_t *states_next;
    uint32_t group;     /* at hand */
    uint32_t receiving; /* tasks of the group at hand */
    int64_t sending;    /* the group whose packets are still to be sent, or NO_GROUP */
    level_tick *tick;
    void *tick_context;
};

struct pieces_size grouped_pieces(const struct plan *plan, const struct grouping *grouping)
{
    uint32_t blocks = (uint32_t)(grouping->classes / plan->block);
    return (struct pieces_size){.groups = grouping->groups,
                                .chunks = (blocks + plan->range_blocks - 1) / plan->range_blocks,
                                .chunk_bytes = plan->range_blocks + plan->range_blocks * plan->block};
}

uint64_t grouped_bytes(const struct dense_geometry *geometry, const struct grouping *grouping,
                       unsigned threads)
{
    uint64_t blocks = grouping->classes / plan_block_classes(geometry);
    return sizeof(struct grouped) + level_runner_bytes(threads) + borders_bytes(grouping) +
           threads * (sizeof(struct member) + 2 * DENSE_EDGES_MAX * PULL_CROSSED) + grouping->classes +
           2 * blocks * (2 + sizeof(uint32_t)) + PLAN_BLOCK_MAX + 2 * sizeof(uint64_t) * grouping->groups;
}

static void fail(struct grouped *grouped, enum pz_status status)
{
    atomic_store_explicit(&grouped->failure, (int)status, memory_order_relaxed);
}

/* ---- chunks: the ranges of a group ---- */

static uint32_t chunk_blocks(const struct grouped *grouped, uint32_t chunk)
{
    const struct planes *planes = grouped->planes;
    return planes_range_end(planes, chunk) - chunk * planes->range_blocks;
}

/* Decodes a chunk into out, and its any bytes. Returns its states; UINT64_MAX when that failed. */
static uint64_t load_chunk(struct grouped *grouped, enum piece_age age, uint32_t chunk, uint8_t *scratch,
                           uint8_t *any, uint8_t *out)
{
    struct pieces *pieces = grouped->parts.pieces;
    struct piece_chunk found;
    uint32_t blocks = chunk_blocks(grouped, chunk);
    enum pz_status status = pieces->ops->chunk(pieces, age, chunk, scratch, &found);
    if (status == PZ_OK && found.states == 0) {
        memset(any, 0, blocks);
        return 0;
    }
    if (status == PZ_OK &&
        (found.length < blocks || !codec_decode(found.code, found.bytes + blocks, found.length - blocks, out,
                                                (size_t)blocks * grouped->planes->block)))
        status = PZ_STORAGE;
    if (status != PZ_OK) {
        fail(grouped, status);
        return UINT64_MAX;
    }
    memcpy(any, found.bytes, blocks);
    return found.states;
}

/* Codes a window and keeps it; what leaves it over the borders is taken first. NULL for an empty one. */
static bool save_chunk(struct grouped *grouped, unsigned colour, uint32_t chunk, uint8_t *window,
                       uint8_t *scratch)
{
    const struct planes *planes = grouped->planes;
    struct pieces *pieces = grouped->parts.pieces;
    uint32_t first = chunk * planes->range_blocks;
    uint32_t blocks = chunk_blocks(grouped, chunk);
    size_t bytes = (size_t)blocks * planes->block;
    struct piece_chunk kept = {.code = CODE_MASK, .bytes = scratch};
    for (uint32_t i = 0; window != NULL && i < blocks; i++) {
        kept.states += planes->count[colour][first + i];
        if (planes->any[colour][first + i] == 0)
            memset(window + (size_t)i * planes->block, 0, planes->block);
    }
    borders_pack(grouped->borders, (uint64_t)first * planes->block, bytes, window);
    if (kept.states > 0) {
        memcpy(scratch, planes->any[colour] + first, blocks);
        kept.length = blocks + (uint32_t)codec_encode(&kept.code, window, bytes, scratch + blocks);
    }
    enum pz_status status = pieces->ops->put(pieces, chunk, &kept);
    if (status != PZ_OK)
        fail(grouped, status);
    return status == PZ_OK;
}

static uint8_t *open_window(void *context, unsigned number, uint32_t range)
{
    struct grouped *grouped = context;
    struct member *member = &grouped->members[number];
    uint8_t *any = grouped->planes->any[1 - grouped->colour] + range * grouped->planes->range_blocks;
    uint64_t states = load_chunk(grouped, PIECE_BEFORE, range, member->scratch, any, member->window);
    return states != UINT64_MAX ? member->window : NULL;
}

static bool close_window(void *context, unsigned number, uint32_t range, uint8_t *window)
{
    struct grouped *grouped = context;
    return save_chunk(grouped, 1 - grouped->colour, range, window, grouped->members[number].scratch);
}

/* ---- life ---- */

enum pz_status grouped_new(const struct grouped_parts *parts, struct grouped **out, struct pz_error *error)
{
    struct grouped *grouped = aligned_alloc(64, sizeof *grouped);
    if (grouped == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for levels in groups");
    memset(grouped, 0, sizeof *grouped);
    grouped->parts = *parts;
    grouped->sending = NO_GROUP;
    grouped->windows = (struct planes_windows){grouped, open_window, close_window};
    grouped->members = aligned_alloc(64, team_size(parts->team) * sizeof(struct member));
    grouped->states_now = calloc(parts->grouping->groups, sizeof(uint64_t));
    grouped->states_next = calloc(parts->grouping->groups, sizeof(uint64_t));
    enum pz_status status = PZ_OK;
    if (grouped->members == NULL || grouped->states_now == NULL || grouped->states_next == NULL)
        status = pz_fail(error, PZ_MEMORY, "no memory for levels in groups");
    if (status == PZ_OK)
        status = planes_new_group(parts->plan, parts->grouping->digits, &grouped->planes, error);
    if (status == PZ_OK) {
        grouped->planes->windows = &grouped->windows;
        status = level_runner_new(&(const struct level_parts){.plan = parts->plan,
                                                              .planes = grouped->planes,
                                                              .kernel = parts->kernel,
                                                              .team = parts->team,
                                                              .control = parts->control},
                                  &grouped->runner, error);
    }
    if (status == PZ_OK)
        status = borders_new(parts->grouping, parts->arena, &grouped->borders, error);
    if (status != PZ_OK) {
        grouped_free(grouped);
        return status;
    }
    *out = grouped;
    return PZ_OK;
}

void grouped_free(struct grouped *grouped)
{
    if (grouped == NULL)
        return;
    borders_free(grouped->borders);
    level_runner_free(grouped->runner);
    planes_free(grouped->planes);
    free(grouped->members);
    free(grouped->states_now);
    free(grouped->states_next);
    free(grouped);
}

/* ---- one group ---- */

static void load_now(struct grouped *grouped, uint32_t chunk, struct member *member)
{
    struct planes *planes = grouped->planes;
    uint32_t first = chunk * planes->range_blocks;
    uint64_t states =
        load_chunk(grouped, PIECE_NOW, chunk, member->scratch, planes->any[grouped->colour] + first,
                   planes->bytes[grouped->colour] + (uint64_t)first * planes->block);
    planes->busy[grouped->colour][chunk] = states > 0;
}

/* Loads the chunks and packets of the group at hand, and sends the packets of the one before. */
static void member_prepare(void *context, unsigned number)
{
    struct grouped *grouped = context;
    struct member *member = &grouped->members[number];
    uint32_t chunks = grouped->receiving != UINT32_MAX ? grouped->planes->ranges : 0;
    uint32_t receiving = grouped->receiving != UINT32_MAX ? grouped->receiving : 0;
    uint32_t sending = grouped->sending != NO_GROUP ? borders_packets(grouped->borders) : 0;
    for (;;) {
        uint32_t task = atomic_fetch_add_explicit(&grouped->next_task, 1, memory_order_relaxed);
        if (task < chunks)
            load_now(grouped, task, member);
        else if (task - chunks < receiving) {
            if (!borders_receive(grouped->borders, task - chunks, member->scratch))
                fail(grouped, PZ_STORAGE);
        } else if (task - chunks - receiving < sending) {
            if (!borders_send(grouped->borders, (uint32_t)grouped->sending, task - chunks - receiving,
                              member->scratch))
                fail(grouped, PZ_MEMORY);
        } else
            return;
    }
}

static void run_prepare(struct grouped *grouped)
{
    atomic_store_explicit(&grouped->next_task, 0, memory_order_relaxed);
    team_run(grouped->parts.team, member_prepare, grouped);
    grouped->sending = NO_GROUP;
}

static void send_rest(struct grouped *grouped)
{
    grouped->receiving = UINT32_MAX;
    if (grouped->sending != NO_GROUP)
        run_prepare(grouped);
}

/* Hands the borders of the group at hand to the run edges that cross. */
static void set_borders(struct grouped *grouped)
{
    const struct plan_way *way = &grouped->parts.plan->way[1 - grouped->colour];
    for (unsigned i = 0; i < way->run_edges; i++) {
        grouped->planes->border[i] = NULL;
        for (unsigned j = 0; j < grouped->parts.grouping->crossings; j++)
            if (grouped->parts.grouping->crossing[j].edge.low == way->run_edge[i].edge.low)
                grouped->planes->border[i] = borders_incoming(grouped->borders, j);
    }
}

static bool tick(void *context, double done)
{
    struct grouped *grouped = context;
    double groups = grouped->parts.grouping->groups;
    return grouped->tick != NULL && grouped->tick(grouped->tick_context, (grouped->group + done) / groups);
}

static enum pz_status failed(struct grouped *grouped, struct pz_error *error)
{
    enum pz_status status = (enum pz_status)atomic_load_explicit(&grouped->failure, memory_order_relaxed);
    if (status == PZ_STORAGE)
        return pz_fail(error, status, "a piece of group %u is damaged", grouped->group);
    if (status == PZ_MEMORY)
        return pz_fail(error, status, "no memory for the pieces of group %u", grouped->group);
    return status;
}

static enum pz_status make_group(struct grouped *grouped, uint32_t group, struct pz_error *error)
{
    struct pieces *pieces = grouped->parts.pieces;
    uint64_t states = 0;
    grouped->group = group;
    grouped->planes->first_block = group * grouped->planes->blocks;
    enum pz_status status = pieces->ops->enter(pieces, group, error);
    if (status != PZ_OK)
        return status;
    run_prepare(grouped);
    set_borders(grouped);
    status = failed(grouped, error);
    if (status != PZ_OK)
        return status;
    const struct level_task task = {
        .target = 1 - grouped->colour, .width = UINT64_MAX, .tick = tick, .context = grouped};
    status = level_run(grouped->runner, &task, &states);
    if (failed(grouped, error) != PZ_OK)
        return failed(grouped, error);
    if (status != PZ_OK)
        return status;
    grouped->states_next[group] = states;
    if (states > 0)
        grouped->sending = group;
    return pieces->ops->leave(pieces, error);
}

/* ---- one level ---- */

static enum pz_status turn(struct grouped *grouped, struct pz_error *error)
{
    send_rest(grouped);
    enum pz_status status = failed(grouped, error);
    if (status == PZ_OK)
        status = grouped->parts.pieces->ops->turn(grouped->parts.pieces, error);
    uint64_t *states = grouped->states_now;
    grouped->states_now = grouped->states_next;
    grouped->states_next = states;
    grouped->colour = 1 - grouped->colour;
    grouped->level++;
    return status;
}

enum pz_status grouped_level(struct grouped *grouped, level_tick *tick_function, void *context,
                             uint64_t *states, struct pz_error *error)
{
    struct pieces *pieces = grouped->parts.pieces;
    uint8_t **bytes = grouped->planes->bytes;
    uint8_t *plane = bytes[0] != NULL ? bytes[0] : bytes[1];
    bytes[grouped->colour] = plane;
    bytes[1 - grouped->colour] = NULL;
    grouped->tick = tick_function;
    grouped->tick_context = context;
    borders_turn(grouped->borders, 1 - grouped->colour);
    enum pz_status status = PZ_OK;
    *states = 0;
    for (uint32_t group = 0; group < grouped->parts.grouping->groups && status == PZ_OK; group++) {
        grouped->states_next[group] = 0;
        grouped->receiving = borders_expect(grouped->borders, group);
        if (grouped->receiving == 0 && grouped->states_now[group] == 0)
            status = pieces->ops->skip(pieces, group, error);
        else
            status = make_group(grouped, group, error);
        *states += grouped->states_next[group];
    }
    return status == PZ_OK ? turn(grouped, error) : status;
}

/* Level 0 is made of nothing: its one state is put where the kernel would have left it. */
static bool put_root(struct grouped *grouped, unsigned place)
{
    struct planes *planes = grouped->planes;
    struct member *member = &grouped->members[0];
    uint8_t bit = (uint8_t)(1u << (place / 2));
    memset(planes->any[place % 2], 0, planes->blocks);
    memset(planes->count[place % 2], 0, planes->blocks * sizeof *planes->count[0]);
    planes->any[place % 2][0] = bit;
    planes->count[place % 2][0] = 1;
    memset(member->window, 0, sizeof member->window);
    member->window[0] = bit;
    bool kept = true;
    for (uint32_t chunk = 0; chunk < planes->ranges && kept; chunk++)
        kept = save_chunk(grouped, place % 2, chunk, chunk == 0 ? member->window : NULL, member->scratch);
    return kept;
}

enum pz_status grouped_begin(struct grouped *grouped, struct pz_error *error)
{
    struct pieces *pieces = grouped->parts.pieces;
    unsigned place = grouped->parts.plan->geometry->root_place;
    grouped->colour = 1 - place % 2; /* the level before, which is empty */
    borders_turn(grouped->borders, place % 2);
    enum pz_status status = pieces->ops->enter(pieces, 0, error);
    if (status == PZ_OK)
        status = put_root(grouped, place) ? pieces->ops->leave(pieces, error) : failed(grouped, error);
    for (uint32_t group = 1; group < grouped->parts.grouping->groups && status == PZ_OK; group++)
        status = pieces->ops->skip(pieces, group, error);
    grouped->states_next[0] = 1;
    grouped->level = UINT32_MAX; /* turn counts on */
    grouped->sending = 0;
    return status == PZ_OK ? turn(grouped, error) : status;
}

/* ---- examples ---- */

/* Finds the state that has rank others before it in its group. */
static enum pz_status find_state(struct grouped *grouped, enum piece_age age, uint32_t group, uint64_t rank,
                                 struct examples_place *out, struct pz_error *error)
{
    struct planes *planes = grouped->planes;
    struct member *member = &grouped->members[0];
    struct pieces *pieces = grouped->parts.pieces;
    grouped->group = group;
    for (uint32_t chunk = 0; chunk < planes->ranges; chunk++) {
        struct piece_chunk found;
        if (pieces->ops->chunk(pieces, age, chunk, member->scratch, &found) != PZ_OK)
            return pz_fail(error, PZ_STORAGE, "a piece of group %u is damaged", group);
        if (rank >= found.states) {
            rank -= found.states;
            continue;
        }
        uint32_t first = chunk * planes->range_blocks;
        if (load_chunk(grouped, age, chunk, member->scratch, planes->any[grouped->colour], member->window) ==
            UINT64_MAX)
            return failed(grouped, error);
        *out = examples_find(member->window, rank, age == PIECE_NOW ? grouped->colour : 1 - grouped->colour);
        out->number += group * grouped->parts.grouping->classes + (uint64_t)first * planes->block;
        return PZ_OK;
    }
    return pz_fail(error, PZ_STORAGE, "the pieces of group %u hold fewer states than were counted", group);
}

enum pz_status grouped_examples(struct grouped *grouped, uint32_t level, struct examples *examples,
                                struct pz_error *error)
{
    struct pieces *pieces = grouped->parts.pieces;
    enum piece_age age = level == grouped->level ? PIECE_NOW : PIECE_BEFORE;
    const uint64_t *held = age == PIECE_NOW ? grouped->states_now : grouped->states_next;
    struct examples_place *chosen = examples->chosen;
    uint64_t before = 0; /* states in the groups before this one */
    unsigned done = 0;
    enum pz_status status = PZ_OK;
    examples_draw(examples);
    for (uint32_t group = 0; done < examples->count && group < grouped->parts.grouping->groups; group++) {
        uint64_t here = held[group];
        if (chosen[done].number < before + here)
            status = pieces->ops->look(pieces, age, group, error);
        for (; status == PZ_OK && done < examples->count && chosen[done].number < before + here; done++)
            status = find_state(grouped, age, group, chosen[done].number - before, &chosen[done], error);
        if (status != PZ_OK)
            return status;
        before += here;
    }
    return status;
}
