/* SPDX-License-Identifier: MIT */
#include "explore/run/report.h"

#include "base/clock.h"
#include "space/guard.h"

#include <assert.h>
#include <stdio.h>

#define FRESH_SECONDS 2.0

/* ---- checkpoints ---- */

static uint64_t bytes_to_save(const struct exploration *run)
{
    const struct explorer *explorer = run->explorer;
    return explorer->ops->save_bytes(explorer, run->result->states + explorer->width);
}

/* Writes a checkpoint while nobody works: at a pause within a level or between two levels. */
static void save_checkpoint(struct exploration *run)
{
    assert(run->explorer->ops->save != NULL && run->explorer->level >= run->level);
    struct explorer *explorer = run->explorer;
    const uint64_t bytes = bytes_to_save(run);
    if (bytes == 0 || !checkpointer_begin(run->checkpointer, explorer->level, bytes))
        return;
    explorer->ops->save(explorer, run->checkpointer);
    run->saved = true;
    run->saved_level = explorer->level;
    checkpointer_end(run->checkpointer);
}

/* Returns true for a run that has just begun: it would lose little, and a level takes less time than its
 * checkpoint. */
static bool is_fresh(const struct exploration *run)
{
    const double interval = run->request->checkpoint->interval;
    const double age = clock_seconds() - run->monitor.began;
    return !run->saved && age < FRESH_SECONDS && age < interval;
}

/* Returns true if the last checkpoint is worth nothing once the next level has been made. */
static bool must_save(const struct explorer *explorer)
{
    const struct explorer_ops *ops = explorer->ops;
    return ops->every_level && (ops->outdates == NULL || ops->outdates(explorer));
}

/* Returns false while a restarted run makes levels again that the sink has. Checkpoints of these could not be
 * resumed: the replay log is longer. */
static bool is_ahead(const struct exploration *run)
{
    return run->explorer->level >= run->counted;
}

/* Saves between two levels, if a checkpoint is due and another level is wanted. */
static void save_level(struct exploration *run)
{
    const struct explorer *explorer = run->explorer;
    if (explorer->ops->save == NULL || run->request->checkpoint == NULL || !is_ahead(run) ||
        explorer->level == run->request->depth)
        return;
    const bool fresh = run->request->exchange == NULL && is_fresh(run); /* ranks do it together */
    if (must_save(explorer) ? !fresh : checkpointer_due(run->checkpointer, bytes_to_save(run)))
        save_checkpoint(run);
}

static bool has_pauses(const struct exploration *run)
{
    const struct explorer_ops *ops = run->explorer->ops;
    return ops->save != NULL && (!ops->every_level || ops->in_levels) && is_ahead(run);
}

/* Returns true if the newest level can be saved and is not. */
static bool waits_to_save(const struct exploration *run)
{
    const struct explorer *explorer = run->explorer;
    return explorer->ops->outdates != NULL && is_ahead(run) &&
           !(run->saved && run->saved_level == explorer->level);
}

/* Returns true if the level must pause for a checkpoint. Called in the middle of a level. */
static bool pause_level(void *context, double done)
{
    struct exploration *run = context;
    report_progress(run, done);
    return has_pauses(run) && checkpointer_due(run->checkpointer, bytes_to_save(run));
}

/* ---- before the first level ---- */

/* Makes an explorer, and frees the one before it. */
static enum pz_status open_explorer(struct exploration *run)
{
    const struct explorer_setup setup = {.request = run->request,
                                         .monitor = &run->monitor,
                                         .result = run->result,
                                         .examples = run->sink->examples != NULL};
    explorer_free(run->explorer);
    run->explorer = NULL;
    return all_agree(run, run->open(&setup, &run->explorer, run->error));
}

/* Makes an explorer of the same request in scratch space. */
static enum pz_status open_on_disk(struct exploration *run)
{
    run->on_disk = *run->request;
    run->on_disk.planes = PLANES_DISK;
    run->request = &run->on_disk;
    return open_explorer(run);
}

/* Returns PZ_OK if the run may start over without its checkpoint, which failed so on some rank. That of a
 * stopped run, and the scratch files that it names, are still useful for the next run. */
static enum pz_status may_start_over(struct exploration *run, enum pz_status failed)
{
    if (control_poll(run->monitor.control) == PZ_CANCELLED)
        return pz_fail(run->error, PZ_CANCELLED, "cancelled before the first level was known");
    if (!checkpointer_ends_run(run->checkpointer))
        return PZ_OK;
    return failed != PZ_OK ? failed : checkpointer_refuse(run->checkpointer, run->error);
}

/* Resumes from a checkpoint, if there is one. Either all ranks load theirs, or none does. */
static enum pz_status load_checkpoint(struct exploration *run)
{
    enum pz_status status = PZ_OK;
    if (run->explorer->ops->load == NULL)
        return PZ_OK;
    if (!checkpointer_open(run->checkpointer))
        return may_start_over(run, PZ_OK);
    bool sound = run->explorer->ops->load(run->explorer, run->checkpointer);
    if (!sound &&
        run->explorer->kept_disk) { /* the run had moved to scratch space when its memory was full */
        status = open_on_disk(run);
        if (!checkpointer_open_again(run->checkpointer))
            return status;
        sound = status == PZ_OK && run->explorer->ops->load(run->explorer, run->checkpointer);
        if (status != PZ_OK) { /* opening failed: there is no explorer */
            run->on_disk.planes = PLANES_AUTO;
            status = PZ_OK;
        }
    }
    const enum pz_status agreed =
        all_agree(run, sound ? PZ_OK : checkpointer_refuse(run->checkpointer, run->error));
    run->resumed = checkpointer_close(run->checkpointer, agreed == PZ_OK);
    if (run->resumed)
        return PZ_OK;
    const enum pz_status over = may_start_over(run, agreed);
    return over != PZ_OK ? over : status == PZ_OK ? open_explorer(run) : status;
}

/* Makes level 0, unless the explorer has resumed from a checkpoint. A full disk is a limit like others. */
static enum pz_status make_root(struct exploration *run)
{
    struct explorer *explorer = run->explorer;
    if (explorer->ops->save != NULL)
        checkpointer_expect(run->checkpointer, explorer->ops->save_bytes(explorer, UINT64_MAX));
    const enum pz_status status =
        all_agree(run, run->resumed ? PZ_OK : explorer->ops->begin(explorer, run->error));
    if (status != PZ_STORAGE_FULL)
        return status;
    explorer->limit = STOP_DISK;
    return PZ_LIMIT;
}

static enum pz_status begin_search(struct exploration *run)
{
    enum pz_status status = make_root(run);
    run->damaged = status == PZ_STORAGE;
    if (status == PZ_OK)
        status = all_agree(run, report_plan(run));
    if (status != PZ_OK || !run->resumed)
        return status;
    run->saved = true;
    run->result->states = run->monitor.states = checkpointer_states(run->checkpointer);
    run->sink_levels = run->counted = checkpointer_levels(run->checkpointer);
    run->sum = run->result->states;
    return all_agree(run, checkpointer_replay(run->checkpointer, run->error));
}

/* ---- the search ---- */

static void note_limit(struct exploration *run, enum stop_reason reason)
{
    assert(reason != STOP_NONE);
    run->result->outcome = OUTCOME_STOPPED;
    run->result->reason = reason;
}

static void note_text(struct exploration *run)
{
    (void)snprintf(run->result->disk_text, sizeof run->result->disk_text, "%.190s", run->error->text);
}

/* Ends a restarted search before the last level that the sink has. */
static enum pz_status end_behind(struct exploration *run, enum stop_reason reason)
{
    assert(run->counted >= run->sink_levels);
    run->result->depth = run->counted > 0 ? run->counted - 1 : 0;
    run->result->states = run->sum;
    run->result->levels_only = true;
    note_limit(run, reason);
    return PZ_OK;
}

/* Ends a search that met a limit before it had level 0. */
static enum pz_status end_before_root(struct exploration *run)
{
    if (run->explorer->limit == STOP_DISK)
        note_text(run);
    return end_behind(run, run->explorer->limit);
}

static enum pz_status end_at_limit(struct exploration *run, enum stop_reason reason)
{
    struct explorer *explorer = run->explorer;
    if (run->level + 1 < run->counted)
        return end_behind(run, reason);
    enum pz_status status = report_level(run, true);
    if (status != PZ_OK)
        return status;
    run->result->complete = explorer->all > 0 && run->result->states == explorer->all;
    if ((reason == STOP_DEPTH || reason == STOP_LEVELS) && explorer->ops->exhausted != NULL)
        run->result->complete = explorer->ops->exhausted(explorer);
    if (!run->result->complete)
        note_limit(run, reason);
    return PZ_OK;
}

/* Resets the run to its beginning. The sink keeps what it has. */
static void forget_levels(struct exploration *run)
{
    assert(run->sink_levels <= run->counted);
    run->damaged = run->resumed = false;
    run->result->states = run->width = 0;
    run->level = 0;
}

static enum pz_status make_levels(struct exploration *run);

/* Returns true if memory is full, and the search gets further in scratch space. */
static bool must_move(const struct exploration *run, enum pz_status status)
{
    const struct explorer *explorer = run->explorer;
    const bool full = status == PZ_MEMORY || (status == PZ_LIMIT && explorer->limit == STOP_MEMORY);
    return full && explorer->ops->moves != NULL &&
           explorer->ops->moves(explorer, run->result->states + run->width);
}

/* Ends a search that has filled the memory, and cannot begin in scratch space. */
static enum pz_status end_before_disk(struct exploration *run, enum pz_status status)
{
    if (status == PZ_CANCELLED)
        return status;
    if (status == PZ_LIMIT)
        return end_before_root(run);
    note_text(run);
    return end_behind(run, status == PZ_STORAGE_FULL ? STOP_DISK : STOP_MEMORY);
}

/* Restarts the search in scratch space. */
static enum pz_status move_to_disk(struct exploration *run)
{
    assert(run->request->planes == PLANES_AUTO);
    forget_levels(run);
    enum pz_status status = open_on_disk(run);
    if (status == PZ_OK)
        status = make_root(run);
    if (status != PZ_OK)
        return end_before_disk(run, status);
    status = report_plan(run);
    return status == PZ_OK ? make_levels(run) : status;
}

/* Handles a limit or an error that kept the next level from being made. */
static enum pz_status end_early(struct exploration *run, enum pz_status status)
{
    if (must_move(run, status))
        return move_to_disk(run);
    switch (status) {
    case PZ_CANCELLED:
        return pz_fail(run->error, PZ_CANCELLED, "cancelled in level %u", run->level);
    case PZ_LIMIT:
        return end_at_limit(run, run->explorer->limit != STOP_NONE ? run->explorer->limit : STOP_TIME);
    case PZ_MEMORY:
        return end_at_limit(run, STOP_MEMORY);
    case PZ_STORAGE_FULL:
        note_text(run);
        return end_at_limit(run, STOP_DISK);
    default:
        return status;
    }
}

/* Makes the next level. Writes a checkpoint at each pause, and if the run stops within the level. */
static enum pz_status make_next_level(struct exploration *run)
{
    struct explorer *explorer = run->explorer;
    const bool pauses = has_pauses(run);
    enum pz_status status = PZ_BUSY;
    while (status == PZ_BUSY) {
        status = explorer->ops->next(explorer, pause_level, run, run->error);
        /* A rank returns PZ_BUSY when another rank has given the level up; that rank says why. */
        const enum pz_status agreed = all_agree(run, status == PZ_BUSY ? PZ_OK : status);
        status = status == PZ_BUSY && agreed == PZ_OK ? PZ_BUSY : agreed;
        const bool stopped = status == PZ_CANCELLED && checkpointer_wanted(run->checkpointer);
        if ((pauses && (status == PZ_BUSY || stopped)) || (stopped && waits_to_save(run)))
            save_checkpoint(run);
    }
    run->damaged = status == PZ_STORAGE;
    assert(status != PZ_OK || explorer->level > run->level);
    return status;
}

/* Fails if there are more states than the puzzle has, or a plugin broke another promise. Wrong bits in saved
 * data could make levels without an end. They can only come from a checkpoint with a valid seal and wrong
 * contents. */
static enum pz_status check_sum(const struct exploration *run)
{
    const struct explorer *explorer = run->explorer;
    const uint64_t sum = run->result->states + run->width + explorer->width;
    if (explorer->all == 0 || sum <= explorer->all)
        return guard_verdict(run->request->space, sum, run->error);
    return pz_fail(run->error, PZ_STORAGE,
                   "more states up to level %u than the puzzle has: the checkpoint that the search went on "
                   "from was damaged",
                   run->level + 1);
}

static void take_newest(struct exploration *run)
{
    struct progress *progress = &run->monitor.progress;
    run->level = run->explorer->level;
    run->width = run->explorer->width;
    assert(run->level <= run->request->depth);
    progress->level = run->level;
    progress->frontier = run->width;
    report_progress(run, 0);
}

/* Returns true if no state is left for another level. */
static bool has_all(const struct exploration *run)
{
    return run->explorer->all > 0 && run->result->states + run->width == run->explorer->all;
}

static enum pz_status make_levels(struct exploration *run)
{
    const struct explorer *explorer = run->explorer;
    for (;;) {
        take_newest(run);
        if (run->level == run->request->depth || has_all(run))
            return end_at_limit(run, STOP_DEPTH);
        enum pz_status status = make_next_level(run);
        if (status == PZ_OK)
            status = all_agree(run, check_sum(run));
        if (status != PZ_OK)
            return end_early(run, status);
        const bool last = explorer->width == 0;
        status = report_level(run, last);
        if (status != PZ_OK || last) {
            run->result->complete = status == PZ_OK;
            return status;
        }
        save_level(run);
    }
}

static enum pz_status search_levels(struct exploration *run)
{
    enum pz_status status = begin_search(run);
    if (status == PZ_OK)
        return make_levels(run);
    if (must_move(run, status))
        return move_to_disk(run);
    return status == PZ_LIMIT ? end_before_root(run) : status;
}

/* Restarts the search because saved data is damaged, if it may. Called at most once: a broken disk would fail
 * again. */
static enum pz_status restart_search(struct exploration *run)
{
    run->repeated = true;
    if (checkpointer_note_damage(run->checkpointer, run->resumed, run->error) != PZ_OK)
        return PZ_STORAGE;
    forget_levels(run);
    enum pz_status status = open_explorer(run);
    return status == PZ_OK ? search_levels(run) : status;
}

/* ---- the whole ---- */

static bool must_repeat(const struct exploration *run)
{
    return run->damaged && !run->repeated;
}

/* Searches, then hands over the edges and the table. A search that met a limit before its first level has
 * nothing to report, nor has a restarted search that ended before the last level that the sink has. */
static enum pz_status search_and_report(struct exploration *run)
{
    enum pz_status status = run->damaged ? restart_search(run) : search_levels(run);
    if (must_repeat(run))
        status = restart_search(run);
    run->result->search_seconds = clock_seconds() - run->monitor.began;
    if (status != PZ_OK || run->result->levels_only)
        return status;
    return report_found(run);
}

static enum pz_status run_all(struct exploration *run)
{
    enum pz_status status = open_explorer(run);
    if (status == PZ_OK)
        status = load_checkpoint(run);
    status = all_agree(run, status);
    if (status == PZ_OK)
        status = search_and_report(run);
    if (must_repeat(run))
        status = search_and_report(run);
    report_figures(run);
    return status;
}

enum pz_status exploration_run(explorer_open *open, const struct explore_request *request,
                               struct control *control, const struct explore_sink *sink,
                               struct explore_result *result, struct pz_error *error)
{
    struct exploration run = {.request = request, .open = open, .result = result, .error = error};
    monitor_init(&run.monitor, control, request->budget, "search");
    enum pz_status status =
        checkpointer_of_run(request, result->engine, &run.monitor, sink, &run.checkpointer, error);
    if (status != PZ_OK)
        return status;
    run.sink = sink;
    status = run_all(&run);
    explorer_free(run.explorer);
    checkpointer_free(run.checkpointer);
    result->peak_bytes = atomic_load_explicit(&request->budget->peak, memory_order_relaxed);
    return status;
}
