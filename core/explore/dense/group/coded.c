/* SPDX-License-Identifier: MIT */
#include "explore/dense/level/dense_levels.h"

#include "base/budget.h"
#include "explore/dense/group/coded_cost.h"
#include "explore/dense/group/grouped.h"
#include "explore/dense/table/dense_table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { CODED_DISK_THREADS = 6, NARROW_SHARE = 512, NARROW_MOST = 1 << 20 };

/* ---- the table ---- */

static bool is_marked(uint32_t level)
{
    return level % 4 >= 2;
}

static enum pz_status mark_group(struct grouped *grouped, uint64_t group, struct pz_error *error)
{
    assert(group < grouped->grouping.groups);
    for (unsigned colour = 0; colour < 2 && grouped->marks[colour] == NULL; colour++)
        grouped->marks[colour] = memory_map(grouped->grouping.classes, MEMORY_HUGE_PAGES);
    if (grouped->marks[0] == NULL || grouped->marks[1] == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for the table of a group");
    grouped->marked = group;
    return grouped_mark(grouped, (uint32_t)group, error);
}

/* A chunk may lie in two groups, or more. */
static enum pz_status coded_chunk(struct explorer *explorer, uint64_t number, uint8_t *bytes, size_t *length,
                                  struct pz_error *error)
{
    struct grouped *grouped = grouped_of(explorer);
    uint64_t first = number * (DENSE_CHUNK_BYTES / 2);
    uint64_t end = first + DENSE_CHUNK_BYTES / 2;
    if (end > grouped->base.geometry.classes)
        end = grouped->base.geometry.classes;
    enum pz_status status = PZ_OK;
    *length = 2 * (size_t)(end - first);
    while (first < end) {
        uint64_t group = first / grouped->grouping.classes;
        uint64_t at = first % grouped->grouping.classes;
        uint64_t left = grouped->grouping.classes - at;
        uint64_t here = left < end - first ? left : end - first;
        assert(here > 0 && group < grouped->grouping.groups);
        if (grouped->marked != group)
            status = mark_group(grouped, group, error);
        if (status != PZ_OK)
            return status;
        dense_table_join(grouped->marks[0] + at, grouped->marks[1] + at, (size_t)here, bytes);
        bytes += 2 * here;
        first += here;
    }
    return PZ_OK;
}

/* ---- checkpoints: the place; the pieces are on the disk already ---- */

/* No checkpoint is made while the levels are narrow and not yet safe on the disk. */
static uint64_t coded_save_bytes(const struct explorer *explorer, uint64_t states)
{
    const struct grouped *grouped = (const struct grouped *)explorer;
    const uint64_t bytes =
        sizeof(struct levels_place) + (grouped->base.geometry.orbits ? ORBIT_SAVED_MOST : 0);
    return grouped->pieces->lasting || states == UINT64_MAX ? bytes : 0;
}

static void coded_save(struct explorer *explorer, struct checkpointer *checkpointer)
{
    const struct grouped *grouped = grouped_of(explorer);
    const struct levels_place place = {.level = explorer->level,
                                       .colour = levels_colour(&grouped->base, explorer->level),
                                       .width = explorer->width};
    const struct orbit_examples *examples = grouped_orbit_examples(grouped);
    if (checkpointer_put(checkpointer, &place, sizeof place) && examples != NULL)
        orbit_examples_save(examples, place.level, checkpointer);
}

static bool coded_load(struct explorer *explorer, struct checkpointer *checkpointer)
{
    struct grouped *grouped = grouped_of(explorer);
    struct levels_place place;
    struct pz_error error = {0};
    struct orbit_examples *examples = grouped_orbit_examples(grouped);
    if (!checkpointer_get(checkpointer, &place, sizeof place) ||
        place.level != checkpointer_levels(checkpointer) ||
        (examples != NULL && !orbit_examples_load(examples, place.level, checkpointer)))
        return false;
    if (grouped_go_on(grouped, place.level, &error) != PZ_OK) {
        checkpointer_fail(checkpointer, error.text);
        return false;
    }
    uint64_t states = 0;
    for (uint32_t group = 0; group < grouped->grouping.groups; group++)
        states += grouped->pieces->states[PIECE_NOW][group];
    explorer->level = place.level;
    explorer->width = place.width;
    return examples != NULL ? grouped->pieces->tally[PIECE_NOW].fresh <= place.width : states == place.width;
}

static void coded_figures(const struct explorer *explorer, struct explorer_figures *out)
{
    const struct grouped *grouped = (const struct grouped *)explorer;
    out->planes = grouped->base.options.planes;
    explorer_scratch(&grouped->scratch, out);
    out->waited = grouped->pieces->waited;
    out->group = grouped->group;
    out->groups = grouped->grouping.groups;
}

/* ---- life ---- */

static void coded_free(struct explorer *explorer)
{
    struct grouped *grouped = grouped_of(explorer);
    grouped_clear(grouped);
    memory_unmap(grouped->marks[0], grouped->grouping.classes);
    memory_unmap(grouped->marks[1], grouped->grouping.classes);
    if (grouped->pieces != NULL)
        grouped->pieces->ops->free(grouped->pieces);
    spill_free(grouped->spill);
    scratch_store_close(&grouped->scratch);
    arena_free(grouped->arena);
    grouping_clear(&grouped->grouping);
    levels_clear(&grouped->base);
    free(grouped);
}

static const struct explorer_ops memory_ops = {.begin = grouped_begin,
                                               .next = grouped_next,
                                               .choose = levels_choose,
                                               .figures = coded_figures,
                                               .free = coded_free};
static const struct explorer_ops disk_ops = {.begin = grouped_begin,
                                             .next = grouped_next,
                                             .choose = levels_choose,
                                             .chunk = coded_chunk,
                                             .every_level = true,
                                             .save_bytes = coded_save_bytes,
                                             .save = coded_save,
                                             .load = coded_load,
                                             .figures = coded_figures,
                                             .free = coded_free};

/* Returns the largest level that is faster to make again than to make safe on a busy disk. 0 on ranks: they
 * must agree, so they make all levels safe. */
static uint64_t narrow_level(const struct grouped *grouped)
{
    const uint64_t some = grouped->base.geometry.classes / NARROW_SHARE;
    return grouped->base.options.request->exchange != NULL ? 0 : some < NARROW_MOST ? some : NARROW_MOST;
}

static enum pz_status make_pieces(struct grouped *grouped, struct pz_error *error)
{
    const struct levels_options *options = &grouped->base.options;
    const struct explore_request *request = options->request;
    struct pieces_size size = coded_pieces_size(&grouped->grouping);
    uint64_t most = coded_arena_most(&grouped->grouping, options->planes, request->depth);
    const struct spare spare = {.budget = request->budget,
                                .fill = request->dense.fill,
                                .reserve = CODED_ARENA_STEP + most / CODED_GROWTH};
    if (options->planes == PLANES_CODED)
        return pieces_memory_new(&size, grouped->arena, &spare, &grouped->pieces, error);
    enum pz_status status =
        scratch_store_open(&grouped->scratch, request->scratch, request->disk, CODED_DISK_THREADS, error);
    if (status == PZ_OK)
        status = spill_new(&grouped->scratch, &grouped->spill, error);
    if (status != PZ_OK)
        return status;
    const struct pieces_disk disk = {.store = &grouped->scratch,
                                     .ahead = CODED_PIECES_AHEAD,
                                     .behind = CODED_PIECES_BEHIND,
                                     .spare = spare,
                                     .file_bytes = options->file_bytes,
                                     .narrow = narrow_level(grouped),
                                     .keeps = request->keep == KEEP_TABLE ? is_marked : NULL};
    return pieces_disk_new(&size, &disk, &grouped->pieces, error);
}

static enum pz_status coded_make(struct grouped *grouped, struct pz_error *error)
{
    struct dense_levels *base = &grouped->base;
    const struct levels_options *options = &base->options;
    const struct explore_request *request = options->request;
    const unsigned digits = options->digits > 0 ? options->digits : group_digits(&base->geometry);
    grouped->marked = UINT64_MAX;
    grouped->scratch = scratch_closed;
    grouped->exchange = request->exchange;
    enum pz_status status = grouping_init(&base->geometry, digits, &grouped->grouping, error);
    if (status == PZ_OK)
        status = levels_init(base, coded_own_bytes(&grouped->grouping, options->planes, request), error);
    if (status == PZ_OK)
        status = arena_new(request->budget, budget_free(request->budget),
                           options->planes == PLANES_CODED ? CODED_CHUNK_BLOCK : CODED_PACKET_BLOCK,
                           &grouped->arena, error);
    if (status == PZ_OK)
        status = make_pieces(grouped, error);
    return status == PZ_OK ? grouped_make(grouped, error) : status;
}

enum pz_status coded_open(const struct levels_options *options, struct explorer **out, struct pz_error *error)
{
    struct grouped *grouped = aligned_alloc(64, sizeof *grouped);
    if (grouped == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for planes in groups");
    memset(grouped, 0, sizeof *grouped);
    levels_describe(&grouped->base, options);
    grouped->base.geometry.orbits = grouped->base.geometry.multi;
    grouped->base.base.ops = options->planes == PLANES_DISK ? &disk_ops : &memory_ops;
    grouped->base.choose_places = grouped_examples;
    enum pz_status status = coded_make(grouped, error);
    if (status != PZ_OK) {
        coded_free(&grouped->base.base);
        return status;
    }
    *out = &grouped->base.base;
    return PZ_OK;
}
