/* SPDX-License-Identifier: MIT */
#include "runner_bound.h"

#include "base/clock.h"
#include "base/log.h"
#include "store/store.h"

#include <inttypes.h>
#include <string.h>

/* Of the one part: a native uint32_t. Another layout needs another number. */
enum { BOUND_VERSION = 0x42000001 };

static const double save_every = 5; /* seconds: a commit takes about a hundredth of one */

void runner_bound_open(struct runner_bound *bound, struct store *store, uint64_t job)
{
    struct checkpoint_reader *reader = NULL;
    struct checkpoint_info info;
    const uint8_t *bytes = NULL;
    size_t length = 0;
    *bound = (struct runner_bound){.store = store, .job = job, .saved_at = clock_seconds()};
    if (checkpoint_open(store, job, &reader, &info, NULL) != PZ_OK)
        return;
    if (info.version == BOUND_VERSION && checkpoint_read(reader, 0, &bytes, &length, NULL) == PZ_OK &&
        length == sizeof bound->saved)
        memcpy(&bound->saved, bytes, sizeof bound->saved);
    checkpoint_close(reader);
    if (bound->saved > 0) {
        bound->made_ms = info.created_ms;
        log_event(LOG_LEVEL_INFO, job, "event=job-resumed bound=%" PRIu32, bound->saved);
    }
}

static enum pz_status save(const struct runner_bound *bound, uint32_t level, struct pz_error *error)
{
    struct checkpoint_writer *writer = NULL;
    enum pz_status status = checkpoint_begin(bound->store, bound->job, BOUND_VERSION, &writer, error);
    if (status != PZ_OK)
        return status;
    status = checkpoint_part(writer, &level, sizeof level, error);
    if (status == PZ_OK)
        return checkpoint_commit(writer, error);
    checkpoint_abort(writer);
    return status;
}

void runner_bound_note(struct runner_bound *bound, const struct progress *progress)
{
    struct pz_error error = {0};
    double now = clock_seconds();
    /* Other phases count other levels. */
    if (bound->store == NULL || strcmp(progress->phase, "search") != 0 || progress->level <= bound->saved ||
        now - bound->saved_at < save_every)
        return;
    bound->saved_at = now;
    if (save(bound, progress->level, &error) != PZ_OK) {
        log_event(LOG_LEVEL_WARNING, bound->job, "event=checkpoint-failed reason=\"%s\"", error.text);
        return;
    }
    bound->saved = progress->level;
    bound->made_ms = clock_wall_ms();
}
