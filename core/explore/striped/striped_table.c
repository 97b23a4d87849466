/* SPDX-License-Identifier: MIT */
/* The table of a striped run: sorted runs of keys with their distances. */
#include "base/clock.h"
#include "explore/striped/striped_parts.h"

#include <stdlib.h>

enum { RUN_KEYS = 4096 };

void state_walk_begin(struct state_walk *walk, const struct striped *striped)
{
    walk->striped = striped;
    walk->at = 0;
    if (striped->search != NULL)
        cursor_begin(&walk->cursor, striped->search, 0, striped->result->depth);
}

bool state_walk_next(struct state_walk *walk, uint64_t *key, uint32_t *level)
{
    return walk->striped->graph != NULL ? graph_next(walk->striped, &walk->at, key, level)
                                        : cursor_next(&walk->cursor, key, level);
}

bool state_walk_end(struct state_walk *walk)
{
    if (walk->striped->search == NULL)
        return true;
    const bool whole = !walk->cursor.failed;
    cursor_end(&walk->cursor);
    return whole;
}

struct run_writer {
    uint64_t *keys;
    uint16_t *distances;
    size_t count;
    unsigned words;
    uint64_t given;
};

static enum pz_status give_run(struct striped *striped, struct run_writer *writer, struct pz_error *error)
{
    if (control_stopped(striped->control))
        return pz_fail(error, PZ_CANCELLED, "cancelled while the table was stored");
    struct explore_run run = {.keys = writer->keys,
                              .distances = writer->distances,
                              .count = writer->count,
                              .key_words = writer->words};
    writer->given += writer->count;
    writer->count = 0;
    enum pz_status status = striped->sink->run(striped->sink->context, &run, error);
    striped_report_pass(striped, "store", writer->given);
    return status;
}

static enum pz_status walk_runs(struct striped *striped, struct run_writer *writer, struct pz_error *error)
{
    struct state_walk walk;
    enum pz_status status = PZ_OK;
    uint32_t level;
    state_walk_begin(&walk, striped);
    while (status == PZ_OK && state_walk_next(&walk, writer->keys + writer->count * writer->words, &level)) {
        writer->distances[writer->count] = (uint16_t)level;
        if (++writer->count == RUN_KEYS)
            status = give_run(striped, writer, error);
    }
    if (!state_walk_end(&walk) && status == PZ_OK)
        status = pz_fail(error, PZ_MEMORY, "no memory to write the table");
    if (status == PZ_OK && writer->count > 0)
        status = give_run(striped, writer, error);
    return status;
}

enum pz_status striped_store_table(struct striped *striped, struct pz_error *error)
{
    if (striped->request->keep != KEEP_TABLE || striped->sink->run == NULL)
        return PZ_OK;
    double began = clock_seconds();
    struct run_writer writer = {.words = striped->request->space->state_bytes / 8};
    enum pz_status status = PZ_MEMORY;
    writer.keys = malloc((size_t)RUN_KEYS * writer.words * sizeof(uint64_t));
    writer.distances = malloc(RUN_KEYS * sizeof(uint16_t));
    if (writer.keys != NULL && writer.distances != NULL)
        status = walk_runs(striped, &writer, error);
    else
        (void)pz_fail(error, PZ_MEMORY, "no memory to write the table");
    free(writer.keys);
    free(writer.distances);
    striped->result->store_seconds = clock_seconds() - began;
    return status;
}
