/* SPDX-License-Identifier: MIT */
#include "explore/dense/dense.h"

#include "base/clock.h"
#include "explore/dense/estimate.h"
#include "explore/dense/exploration.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define YOUNG_SECONDS 2.0

/* ---- checkpoints ---- */

/* Returns how many bytes a checkpoint takes at most. */
static uint64_t save_bytes(const struct exploration *exploration)
{
    const struct levels *levels = exploration->levels;
    return levels->ops->save_bytes(levels, exploration->result->states + levels->width);
}

/* Leaves a checkpoint while nobody works: at a pause of a level or between two. */
static void save(struct exploration *exploration)
{
    struct levels *levels = exploration->levels;
    if (!checkpointer_begin(exploration->checkpointer, levels->level, save_bytes(exploration)))
        return;
    levels->ops->save(levels, exploration->checkpointer);
    exploration->saved = true;
    checkpointer_end(exploration->checkpointer);
}

/* Returns true for a young run: it loses little, and a level takes less time than its checkpoint would. */
static bool is_young(const struct exploration *exploration)
{
    double interval = exploration->request->checkpoint->interval;
    double age = clock_seconds() - exploration->started;
    return !exploration->saved && age < YOUNG_SECONDS && age < interval;
}

/* Saves between two levels, if that is due. */
static void save_level(struct exploration *exploration)
{
    const struct levels_ops *ops = exploration->levels->ops;
    if (ops->save == NULL || exploration->request->checkpoint == NULL ||
        exploration->levels->level < exploration->told)
        return;
    bool young = exploration->request->exchange == NULL && is_young(exploration); /* ranks do it together */
    if (ops->every_level ? !young : checkpointer_due(exploration->checkpointer, save_bytes(exploration)))
        save(exploration);
}

/* Returns true if the level must pause for a checkpoint. Called in the middle of a level. */
static bool tick(void *context, double done)
{
    const struct exploration *exploration = context;
    const struct levels_ops *ops = exploration->levels->ops;
    exploration_report(context, "search", done);
    return ops->save != NULL && !ops->every_level &&
           checkpointer_due(exploration->checkpointer, save_bytes(exploration));
}

/* ---- before ---- */

static enum pz_status open_levels(struct exploration *exploration)
{
    const struct levels_options options = {.request = exploration->request,
                                           .geometry = &exploration->geometry,
                                           .planes = exploration->result->planes,
                                           .control = exploration->control};
    return levels_open(&options, &exploration->levels, exploration->error);
}

static enum pz_status open_anew(struct exploration *exploration)
{
    levels_free(exploration->levels);
    exploration->levels = NULL;
    return open_levels(exploration);
}

/* Takes the place that a checkpoint has kept, if there is one. */
static enum pz_status load(struct exploration *exploration)
{
    struct levels *levels = exploration->levels;
    struct control *control = exploration->control;
    if (levels->ops->load == NULL || !checkpointer_open(exploration->checkpointer))
        return PZ_OK;
    bool sound = levels->ops->load(levels, exploration->checkpointer);
    sound = exploration_agree(exploration, sound ? PZ_OK : PZ_STORAGE) == PZ_OK;
    exploration->resumed = checkpointer_close(exploration->checkpointer, sound);
    if (exploration->resumed)
        return PZ_OK;
    /* The files are still of use to the next run. */
    if (control != NULL && control_stopped(control))
        return pz_fail(exploration->error, PZ_CANCELLED, "cancelled while a checkpoint was read");
    return open_anew(exploration);
}

static enum pz_status prepare(struct exploration *exploration)
{
    const struct explore_request *request = exploration->request;
    const struct kernel *kernel = NULL;
    enum pz_status status = dense_can(request, exploration->error);
    if (status == PZ_OK)
        status = kernel_find(request->kernel, &kernel, exploration->error);
    if (status != PZ_OK)
        return status;
    dense_geometry_of(request, &exploration->geometry, &exploration->view);
    uint64_t limit = budget_free(request->budget);
    exploration->result->planes = dense_planes(&exploration->geometry, request, limit);
    if (exploration->result->planes == PLANES_AUTO)
        return dense_check_memory(request, limit, exploration->error);
    return open_levels(exploration);
}

static enum pz_status begin_levels(struct exploration *exploration)
{
    struct levels *levels = exploration->levels;
    return exploration_agree(exploration, levels->ops->begin(levels, exploration->error));
}

static enum pz_status begin(struct exploration *exploration)
{
    struct levels *levels = exploration->levels;
    double now = clock_seconds();
    exploration->started = now - checkpointer_seconds(exploration->checkpointer);
    exploration->reported = exploration->lately_seconds = now;
    if (levels->ops->save != NULL)
        checkpointer_expect(exploration->checkpointer, levels->ops->save_bytes(levels, UINT64_MAX));
    if (!exploration->resumed) {
        enum pz_status status = begin_levels(exploration);
        exploration->damaged = status == PZ_STORAGE;
        return status;
    }
    exploration->saved = true;
    exploration->result->states = exploration->lately_states = checkpointer_states(exploration->checkpointer);
    exploration->told = checkpointer_levels(exploration->checkpointer);
    return exploration_agree(exploration, checkpointer_replay(exploration->checkpointer, exploration->error));
}

/* ---- the search ---- */

static enum pz_status end_at_limit(struct exploration *exploration, enum stop_reason reason)
{
    const struct dense_geometry *geometry = &exploration->geometry;
    enum pz_status status = exploration_tell_level(exploration, false);
    if (status != PZ_OK)
        return status;
    exploration->result->complete = exploration->result->states == geometry->classes * geometry->places;
    if (!exploration->result->complete) {
        exploration->result->outcome = OUTCOME_STOPPED;
        exploration->result->reason = reason;
    }
    return PZ_OK;
}

/* Makes the next level. Leaves a checkpoint at each pause, and where the run stops within the level. */
static enum pz_status make_level(struct exploration *exploration)
{
    struct levels *levels = exploration->levels;
    bool pauses = levels->ops->save != NULL && !levels->ops->every_level;
    enum pz_status status = PZ_BUSY;
    while (status == PZ_BUSY) {
        status = levels_next(levels, tick, exploration, exploration->error);
        if (pauses &&
            (status == PZ_BUSY || (status == PZ_CANCELLED && checkpointer_wanted(exploration->checkpointer))))
            save(exploration);
    }
    return status;
}

/* Fails if there are more states than the puzzle has. Wrong bits in the planes make levels that may never
 * end; they can only come from a checkpoint whose seal is right and whose planes are not. */
static enum pz_status check_sum(const struct exploration *exploration)
{
    const struct dense_geometry *geometry = &exploration->geometry;
    uint64_t all = geometry->classes * geometry->places;
    if (exploration->result->states + exploration->width + exploration->levels->width <= all)
        return PZ_OK;
    return pz_fail(
        exploration->error, PZ_STORAGE,
        "more states up to level %u than the puzzle has: the checkpoint that the search went on from "
        "was damaged",
        exploration->level + 1);
}

/* Handles a level that could not be made because of a limit or an error. */
static enum pz_status end_early(struct exploration *exploration, enum pz_status status)
{
    switch (status) {
    case PZ_CANCELLED:
        return pz_fail(exploration->error, PZ_CANCELLED, "cancelled at level %u", exploration->level);
    case PZ_LIMIT:
        return end_at_limit(exploration, STOP_TIME);
    case PZ_MEMORY:
        return end_at_limit(exploration, STOP_MEMORY);
    case PZ_STORAGE_FULL:
        (void)snprintf(exploration->result->disk_text, sizeof exploration->result->disk_text, "%.190s",
                       exploration->error->text);
        return end_at_limit(exploration, STOP_DISK);
    default:
        return status;
    }
}

static enum pz_status explore(struct exploration *exploration)
{
    const struct levels *levels = exploration->levels;
    for (;;) {
        exploration->level = levels->level;
        exploration->width = levels->width;
        exploration_report(exploration, "search", 0);
        if (exploration->level == exploration->request->depth)
            return end_at_limit(exploration, STOP_DEPTH);
        enum pz_status status = make_level(exploration);
        exploration->damaged = status == PZ_STORAGE;
        if (status == PZ_OK)
            status = check_sum(exploration);
        if (status != PZ_OK)
            return end_early(exploration, status);
        status = exploration_tell_level(exploration, levels->width == 0);
        if (status != PZ_OK || levels->width == 0) {
            exploration->result->complete = status == PZ_OK;
            return status;
        }
        save_level(exploration);
    }
}

/* Begins anew after something that was kept is damaged. The sink gets only what it does not have yet. Called
 * once: a disk that is broken is so the second time, too. */
static enum pz_status explore_anew(struct exploration *exploration)
{
    exploration->anew = true;
    checkpointer_note_damage(exploration->checkpointer, exploration->error->text);
    exploration->result->states = exploration->lately_states = 0;
    exploration->lately_written = exploration->lately_read = 0;
    exploration->damaged = false;
    enum pz_status status = exploration_agree(exploration, open_anew(exploration));
    if (status == PZ_OK)
        status = begin_levels(exploration);
    return status == PZ_OK ? explore(exploration) : status;
}

static enum pz_status work(struct exploration *exploration)
{
    enum pz_status status = exploration_agree(exploration, prepare(exploration));
    if (status != PZ_OK)
        return status; /* ranks load together, or not at all */
    status = load(exploration);
    if (status == PZ_OK)
        status = exploration_tell_plan(exploration);
    status = exploration_agree(exploration, status);
    if (status != PZ_OK)
        return status;
    double began = clock_seconds();
    status = begin(exploration);
    if (status == PZ_OK)
        status = explore(exploration);
    if (exploration->damaged)
        status = explore_anew(exploration);
    exploration->result->search_seconds =
        clock_seconds() - began + checkpointer_seconds(exploration->checkpointer);
    if (status == PZ_OK)
        status = exploration_tell_table(exploration);
    if (exploration->damaged && !exploration->anew) {
        status = explore_anew(exploration);
        if (status == PZ_OK)
            status = exploration_tell_table(exploration);
    }
    return status;
}

static void note_figures(struct exploration *exploration)
{
    struct explore_result *result = exploration->result;
    struct levels_figures figures;
    if (exploration->levels == NULL)
        return;
    exploration->levels->ops->figures(exploration->levels, &figures);
    result->disk_bytes = figures.disk_peak;
    result->disk_written_bytes = figures.written;
    result->disk_read_bytes = figures.read;
}

enum pz_status dense_run(const struct explore_request *request, struct control *control,
                         const struct explore_sink *sink, struct explore_result *result,
                         struct pz_error *error)
{
    *result = (struct explore_result){.engine = explore_engine_name(ENGINE_DENSE)};
    struct exploration *exploration = calloc(1, sizeof *exploration);
    if (exploration == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a search");
    exploration->request = request;
    exploration->control = control;
    exploration->result = result;
    exploration->error = error;
    exploration->table = request->keep == KEEP_TABLE;
    enum pz_status status =
        checkpointer_of_run(request, result->engine, control, sink, &exploration->checkpointer, error);
    if (status == PZ_OK) {
        exploration->sink = checkpointer_sink(exploration->checkpointer);
        status = work(exploration);
        note_figures(exploration);
    }
    levels_free(exploration->levels);
    result->peak_bytes = atomic_load_explicit(&request->budget->peak, memory_order_relaxed);
    checkpointer_free(exploration->checkpointer);
    free(exploration);
    return status;
}
