/* SPDX-License-Identifier: MIT */
#include "explore/dense/exploration.h"

#include "base/clock.h"
#include "explore/dense/table/table.h"
#include "explore/exchange/agree.h"
#include "space/slide/slide.h"

#include <stdlib.h>

#define REPORT_SECONDS 0.1

/* Updates the rates, as they were since the last time. */
static void measure(struct exploration *exploration, const struct levels_figures *figures, uint64_t states,
                    double now)
{
    double since = now - exploration->lately_seconds;
    if (states <= exploration->lately_states || since <= 2 * REPORT_SECONDS)
        return;
    exploration->rate = (double)(states - exploration->lately_states) / since;
    exploration->write_rate = (double)(figures->written - exploration->lately_written) / since;
    exploration->read_rate = (double)(figures->read - exploration->lately_read) / since;
    exploration->lately_states = states;
    exploration->lately_written = figures->written;
    exploration->lately_read = figures->read;
    exploration->lately_seconds = now;
}

void exploration_report(struct exploration *exploration, const char *phase, double done)
{
    struct control *control = exploration->control;
    double now = clock_seconds();
    double since = now - exploration->reported;
    if (control == NULL || control->report == NULL || since < REPORT_SECONDS)
        return;
    exploration->reported = now;
    uint64_t states = exploration->result->states + (uint64_t)(done * (double)exploration->width);
    struct levels_figures figures;
    exploration->levels->ops->figures(exploration->levels, &figures);
    measure(exploration, &figures, states, now);
    struct progress progress = {.phase = phase,
                                .level = exploration->level,
                                .frontier = exploration->width,
                                .states = states,
                                .rate = exploration->rate,
                                .bytes = figures.memory,
                                .done = done < 1 ? done : 1,
                                .seconds = now - exploration->started,
                                .waiting = figures.waited - exploration->waited > since / 2 ? "disk" : NULL,
                                .disk = figures.disk_bytes,
                                .written = figures.written,
                                .read = figures.read,
                                .write_rate = exploration->write_rate,
                                .read_rate = exploration->read_rate,
                                .group = figures.group,
                                .groups = figures.groups};
    exploration->waited = figures.waited;
    control->report(control->context, &progress);
}

enum pz_status exploration_tell_plan(struct exploration *exploration)
{
    if (exploration->sink->begin == NULL)
        return PZ_OK;
    struct dense_layout layout = dense_table_layout(&exploration->geometry);
    struct explore_plan plan = {.table = exploration->table ? TABLE_DENSE : TABLE_NONE,
                                .engine = explore_engine_name(ENGINE_DENSE),
                                .state_bytes = exploration->request->space->state_bytes,
                                .table_bytes = exploration->table ? layout.bytes : 0,
                                .chunk_bytes = DENSE_CHUNK_BYTES};
    return exploration->sink->begin(exploration->sink->context, &plan, exploration->error);
}

enum pz_status exploration_agree(struct exploration *exploration, enum pz_status status)
{
    return agree_status(exploration->request->exchange, status, NULL, exploration->error);
}

/* Returns the state of the space, in its own orientation. */
static void write_state(const struct exploration *exploration, const struct examples_place *place,
                        uint8_t *state)
{
    struct dense_position position;
    struct board canonical;
    struct board board;
    dense_position_unrank(&exploration->geometry, place->number, place->place, &position);
    dense_board_of(&exploration->geometry, &position, &canonical);
    view_out(&exploration->view, &canonical, &board);
    slide_state(exploration->request->space, &board, state);
}

/* Chooses examples of the level and makes states of them, which the caller frees. All ranks choose the same.
 */
static enum pz_status choose_states(struct exploration *exploration, unsigned most, uint8_t **out,
                                    unsigned *count)
{
    struct levels *levels = exploration->levels;
    uint32_t state_bytes = exploration->request->space->state_bytes;
    struct examples examples = {.states = exploration->width,
                                .most = most,
                                .seed = exploration->request->seed + exploration->level,
                                .chosen = exploration->chosen};
    uint8_t *states = malloc((size_t)most * state_bytes);
    enum pz_status status = levels->ops->choose(levels, exploration->level, &examples, exploration->error);
    if (states == NULL)
        status = pz_fail(exploration->error, PZ_MEMORY, "no memory for %u examples", most);
    status = exploration_agree(exploration, status);
    exploration->damaged = status == PZ_STORAGE;
    if (status != PZ_OK) {
        free(states);
        return status;
    }
    for (unsigned i = 0; i < examples.count; i++)
        write_state(exploration, &examples.chosen[i], states + (size_t)i * state_bytes);
    *out = states;
    *count = examples.count;
    return PZ_OK;
}

/* Examples are chosen first: where that fails, the sink knows nothing of the level yet. */
enum pz_status exploration_tell_level(struct exploration *exploration, bool last)
{
    const struct explore_sink *sink = exploration->sink;
    uint32_t level = exploration->level;
    uint8_t *states = NULL;
    unsigned count = 0;
    enum pz_status status = PZ_OK;
    if (level >= exploration->told && sink->examples != NULL)
        status = choose_states(exploration, last ? EXPLORE_DEEPEST_MAX : EXPLORE_EXAMPLES, &states, &count);
    if (status != PZ_OK)
        return status;
    exploration->result->depth = level;
    exploration->result->states += exploration->width;
    if (level >= exploration->told && sink->level != NULL)
        status = sink->level(sink->context, level, exploration->width, exploration->error);
    if (status == PZ_OK && states != NULL)
        status = sink->examples(sink->context, level, states, count, exploration->error);
    free(states);
    if (level >= exploration->told)
        exploration->told = level + 1;
    return exploration_agree(exploration, status);
}

static enum pz_status tell_chunks(struct exploration *exploration)
{
    const struct explore_sink *sink = exploration->sink;
    struct levels *levels = exploration->levels;
    struct dense_layout layout = dense_table_layout(&exploration->geometry);
    uint8_t *chunk = malloc(DENSE_CHUNK_BYTES);
    if (chunk == NULL)
        return pz_fail(exploration->error, PZ_MEMORY, "no memory for a chunk of the table");
    enum pz_status status = PZ_OK;
    while (exploration->chunks < layout.chunks && status == PZ_OK) {
        uint64_t number = exploration->chunks;
        size_t length = 0;
        if (exploration->control != NULL && control_stopped(exploration->control))
            status = pz_fail(exploration->error, PZ_CANCELLED, "cancelled");
        if (status == PZ_OK)
            status = levels->ops->chunk(levels, number, chunk, &length, exploration->error);
        exploration->damaged = status == PZ_STORAGE;
        if (status == PZ_OK)
            status = sink->chunk(sink->context, number, chunk, length, exploration->error);
        exploration->chunks += status == PZ_OK;
        exploration_report(exploration, "store", (double)(number + 1) / (double)layout.chunks);
    }
    free(chunk);
    return status;
}

enum pz_status exploration_tell_table(struct exploration *exploration)
{
    if (!exploration->table || !exploration->result->complete || exploration->sink->chunk == NULL)
        return PZ_OK;
    double began = clock_seconds();
    enum pz_status status = tell_chunks(exploration);
    exploration->result->store_seconds = clock_seconds() - began;
    return status;
}
