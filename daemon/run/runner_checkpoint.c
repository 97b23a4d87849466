/* SPDX-License-Identifier: MIT */
#include "daemon/run/runner_checkpoint.h"

#include "base/clock.h"
#include "base/log.h"
#include "explore/checkpoint/checkpoint.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

_Static_assert((int)EXPLORE_PART_MAX <= (int)CHECKPOINT_PART_MAX, "a part fits the store");

struct runner_checkpoint {
    struct explore_checkpoint calls;
    struct store *store;
    uint64_t job, started_ms;
    const struct runner_sink *sink;
    _Atomic uint64_t *made_ms;
    _Atomic bool *saved;
    uint64_t begun_ms;           /* when the run paused for the one being written, by the wall clock */
    struct table_writer *writer; /* while one is written */
    struct table_view *reader;   /* while one is read */
};

/* ---- room ---- */

/* Returns the bytes of the job's table, `unknown` if the number is not known. */
static uint64_t table_bytes(const struct runner_checkpoint *checkpoint, uint64_t unknown)
{
    return checkpoint->sink != NULL ? runner_sink_table_bytes(checkpoint->sink, unknown) : unknown;
}

/* Fails unless the database has room for that many bytes of checkpoints and for the job's table; a search for
 * a solution has none. */
static enum pz_status checkpoint_has_room(const struct runner_checkpoint *checkpoint, uint64_t bytes,
                                          uint64_t table, struct pz_error *error)
{
    struct store_stats stats = {0};
    enum pz_status status = store_stats(checkpoint->store, &stats, error);
    if (status != PZ_OK || stats.bytes_room >= bytes + table)
        return status;
    return pz_fail(
        error, PZ_STORAGE_FULL,
        "a checkpoint needs %" PRIu64 " bytes beside %s of %" PRIu64 ", the database has room for %" PRIu64,
        bytes, checkpoint->sink != NULL ? "the job's table" : "the one to come", table, stats.bytes_room);
}

static enum pz_status on_expect(void *context, uint64_t bytes, struct pz_error *error)
{
    const struct runner_checkpoint *checkpoint = context;
    return checkpoint_has_room(checkpoint, 2 * bytes,
                               table_bytes(checkpoint, checkpoint->sink != NULL ? 2 * bytes : bytes), error);
}

/* ---- writing ---- */

static enum pz_status checkpoint_on_begin(void *context, uint64_t bytes, struct pz_error *error)
{
    struct runner_checkpoint *checkpoint = context;
    enum pz_status status = checkpoint_has_room(checkpoint, bytes, table_bytes(checkpoint, bytes), error);
    if (status != PZ_OK)
        return status;
    assert(checkpoint->writer == NULL);
    checkpoint->begun_ms = clock_wall_ms();
    return checkpoint_begin(checkpoint->store, checkpoint->job, EXPLORE_CHECKPOINT_VERSION,
                            checkpoint->started_ms, &checkpoint->writer, error);
}

static enum pz_status on_part(void *context, const void *bytes, size_t length, struct pz_error *error)
{
    struct runner_checkpoint *checkpoint = context;
    assert(checkpoint->writer != NULL);
    return checkpoint_part(checkpoint->writer, bytes, length, error);
}

static enum pz_status on_commit(void *context, struct pz_error *error)
{
    struct runner_checkpoint *checkpoint = context;
    struct table_writer *writer = checkpoint->writer;
    checkpoint->writer = NULL;
    return checkpoint_commit(writer, error);
}

static void on_abort(void *context)
{
    struct runner_checkpoint *checkpoint = context;
    table_writer_abort(checkpoint->writer);
    checkpoint->writer = NULL;
}

/* ---- reading ---- */

static enum pz_status on_open(void *context, uint64_t *parts, struct pz_error *error)
{
    struct runner_checkpoint *checkpoint = context;
    struct checkpoint_info info = {0};
    assert(checkpoint->reader == NULL && checkpoint->writer == NULL);
    enum pz_status status =
        checkpoint_open(checkpoint->store, checkpoint->job, &checkpoint->reader, &info, error);
    if (status != PZ_OK)
        return status;
    if (info.version != EXPLORE_CHECKPOINT_VERSION) {
        table_view_close(checkpoint->reader);
        checkpoint->reader = NULL;
        return pz_fail(error, PZ_UNSUPPORTED, "its version is %" PRIu32 ", not %d", info.version,
                       EXPLORE_CHECKPOINT_VERSION);
    }
    *parts = info.parts;
    atomic_store_explicit(checkpoint->made_ms, info.created_ms, memory_order_relaxed);
    return PZ_OK;
}

static enum pz_status checkpoint_on_read(void *context, uint64_t number, const void **bytes, size_t *length,
                                         struct pz_error *error)
{
    struct runner_checkpoint *checkpoint = context;
    const uint8_t *part = NULL;
    enum pz_status status = table_view_chunk(checkpoint->reader, number, &part, length, error);
    *bytes = part;
    return status;
}

static void on_close(void *context)
{
    struct runner_checkpoint *checkpoint = context;
    table_view_close(checkpoint->reader);
    checkpoint->reader = NULL;
}

/* ---- reports ---- */

static void on_note(void *context, const struct explore_checkpoint_news *news)
{
    struct runner_checkpoint *checkpoint = context;
    struct log_quote reason;
    switch (news->event) {
    case CHECKPOINT_SAVED: /* logged first: a client that sees its age in STATUS may look for the line */
        log_event(LOG_LEVEL_INFO, checkpoint->job,
                  "event=checkpoint-saved level=%" PRIu32 " bytes=%" PRIu64 " seconds=%.3f", news->level,
                  news->bytes, news->seconds);
        atomic_store_explicit(checkpoint->made_ms, checkpoint->begun_ms, memory_order_relaxed);
        atomic_store_explicit(checkpoint->saved, true, memory_order_relaxed);
        break;
    case CHECKPOINT_RESUMED:
        log_event(LOG_LEVEL_INFO, checkpoint->job, "event=job-resumed level=%" PRIu32, news->level);
        break;
    case CHECKPOINT_REFUSED:
        atomic_store_explicit(checkpoint->made_ms, 0, memory_order_relaxed);
        log_event_text(LOG_LEVEL_WARNING, checkpoint->job, "event=checkpoint-refused reason", news->reason);
        break;
    case CHECKPOINT_SHORT:
        log_event(LOG_LEVEL_WARNING, checkpoint->job,
                  "event=checkpoint-room-short bytes=%" PRIu64 " reason=\"%s\"", news->bytes,
                  log_quote(&reason, news->reason));
        break;
    case CHECKPOINT_FAILED:
        log_event(LOG_LEVEL_WARNING, checkpoint->job,
                  "event=checkpoint-failed level=%" PRIu32 " bytes=%" PRIu64 " reason=\"%s\"", news->level,
                  news->bytes, log_quote(&reason, news->reason));
        break;
    }
}

/* ---- life ---- */

struct runner_checkpoint *runner_checkpoint_new(const struct runner_options *options,
                                                const struct runner_sink *sink, _Atomic uint64_t *made_ms,
                                                _Atomic bool *saved)
{
    struct runner_checkpoint *checkpoint = calloc(1, sizeof *checkpoint);
    if (checkpoint == NULL)
        return NULL;
    checkpoint->store = options->store;
    checkpoint->job = options->job;
    checkpoint->sink = sink;
    checkpoint->started_ms = options->started_ms;
    checkpoint->made_ms = made_ms;
    checkpoint->saved = saved;
    checkpoint->calls = (struct explore_checkpoint){.context = checkpoint,
                                                    .interval = options->checkpoint_interval,
                                                    .share = options->checkpoint_share,
                                                    .grace = options->checkpoint_at_stop,
                                                    .expect = on_expect,
                                                    .begin = checkpoint_on_begin,
                                                    .part = on_part,
                                                    .commit = on_commit,
                                                    .abort = on_abort,
                                                    .open = on_open,
                                                    .read = checkpoint_on_read,
                                                    .close = on_close,
                                                    .note = on_note};
    return checkpoint;
}

void runner_checkpoint_free(struct runner_checkpoint *checkpoint)
{
    assert(checkpoint == NULL || (checkpoint->reader == NULL && checkpoint->writer == NULL));
    free(checkpoint);
}

const struct explore_checkpoint *runner_checkpoint_calls(const struct runner_checkpoint *checkpoint)
{
    return checkpoint != NULL ? &checkpoint->calls : NULL;
}
