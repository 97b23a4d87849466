/* SPDX-License-Identifier: MIT */
#include "explore/run/monitor.h"

#include "base/clock.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#define REPORT_SECONDS  0.1
#define MEASURE_SECONDS 0.2 /* rates of less time jump */

void monitor_init(struct monitor *monitor, struct control *control, const struct budget *budget,
                  const char *phase)
{
    assert(phase != NULL);
    const double now = clock_seconds();
    *monitor = (struct monitor){.control = control,
                                .budget = budget,
                                .progress = {.phase = phase},
                                .began = now,
                                .reported = now,
                                .measured = now};
}

static void begin_measuring(struct monitor *monitor, double now)
{
    monitor->measured = now;
    monitor->states = monitor->progress.states;
    monitor->written = monitor->progress.written;
    monitor->read = monitor->progress.read;
}

static void measure_rate(struct monitor *monitor, double now)
{
    struct progress *progress = &monitor->progress;
    const double since = now - monitor->measured;
    /* A phase that counts from 0 again has no rate yet. */
    if (progress->states < monitor->states || progress->written < monitor->written ||
        progress->read < monitor->read)
        begin_measuring(monitor, now);
    const bool early = since <= 0 || (progress->rate > 0 && since < MEASURE_SECONDS);
    if (early || progress->states == monitor->states)
        return;
    progress->rate = (double)(progress->states - monitor->states) / since;
    progress->write_rate = (double)(progress->written - monitor->written) / since;
    progress->read_rate = (double)(progress->read - monitor->read) / since;
    begin_measuring(monitor, now);
}

bool monitor_due(const struct monitor *monitor)
{
    const struct control *control = monitor->control;
    return control != NULL && control->report != NULL &&
           clock_seconds() - monitor->reported >= REPORT_SECONDS;
}

/* Reports at once. */
static void monitor_report(struct monitor *monitor)
{
    struct progress *progress = &monitor->progress;
    const double now = clock_seconds();
    assert(progress->phase != NULL);
    measure_rate(monitor, now);
    progress->waiting =
        monitor->waited - monitor->waited_before > (now - monitor->reported) / 2 ? "disk" : NULL;
    progress->done = progress->done < 1 ? progress->done : 1;
    progress->seconds = now - monitor->began;
    if (monitor->budget != NULL)
        progress->bytes = atomic_load_explicit(&monitor->budget->used, memory_order_relaxed);
    monitor->waited_before = monitor->waited;
    monitor->reported = now;
    monitor->control->report(monitor->control->context, progress);
}

/* A new phase is news at once. */
static bool is_news(const struct monitor *monitor, const char *phase)
{
    return monitor->control != NULL && monitor->control->report != NULL &&
           strcmp(monitor->progress.phase, phase) != 0;
}

void monitor_tell(struct monitor *monitor, const char *phase, double done)
{
    assert(phase != NULL && done >= 0);
    if (!is_news(monitor, phase) && !monitor_due(monitor))
        return;
    monitor->progress.phase = phase;
    monitor->progress.done = done;
    monitor_report(monitor);
}

enum pz_status monitor_poll(struct monitor *monitor)
{
    const enum pz_status status = control_poll_busy(monitor->control);
    if (status == PZ_OK && monitor_due(monitor))
        monitor_report(monitor);
    return status;
}

/* ---- the control ---- */

enum pz_status control_poll(const struct control *control)
{
    if (control == NULL)
        return PZ_OK;
    if (control_stopped(control))
        return PZ_CANCELLED;
    return control->deadline > 0 && clock_seconds() >= control->deadline ? PZ_LIMIT : PZ_OK;
}

enum pz_status control_poll_busy(const struct control *control)
{
    const enum pz_status status = control_poll(control);
    return status == PZ_LIMIT && clock_thread_seconds() < control->busy_until ? PZ_OK : status;
}
