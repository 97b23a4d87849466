/* SPDX-License-Identifier: MIT */
#include "explore/striped/state_walk.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void state_walk_begin(struct state_walk *walk, const struct walked *walked)
{
    assert((walked->search != NULL) + (walked->graph != NULL) + (walked->disk != NULL) == 1);
    walk->walked = *walked;
    walk->at = walk->passed = 0;
    walk->ahead = walk->more = false;
    memset(walk->next_key, 0, sizeof walk->next_key);
    if (walked->search != NULL)
        cursor_begin(&walk->cursor, walked->search, 0, walked->depth);
    if (walked->disk != NULL)
        disk_walk_begin(&walk->partitions, walked->disk, walked->depth);
}

/* Moves to the next state of a graph; with complete also to dead ones. */
static bool next_of_graph(struct state_walk *walk, uint64_t *key, uint32_t *distance)
{
    const struct move_graph *graph = walk->walked.graph;
    const uint32_t depth = walk->walked.depth;
    assert(depth <= EXPLORE_COST_MAX && walk->at <= graph->count);
    while (walk->at < graph->count) {
        const uint64_t at = walk->at++;
        *distance = graph->distances[at] == COST_UNREACHED ? depth + 1 : graph->distances[at];
        if (*distance > depth && !walk->walked.complete)
            continue;
        memcpy(key, graph->keys + at * graph->words, graph->words * sizeof *key);
        return true;
    }
    return false;
}

static bool next_found(struct state_walk *walk, uint64_t *key, uint32_t *level)
{
    const struct walked *walked = &walk->walked;
    if (walked->disk != NULL)
        return disk_walk_next(&walk->partitions, key, level);
    return walked->graph != NULL ? next_of_graph(walk, key, level) : cursor_next(&walk->cursor, key, level);
}

/* Merges the dead states with the others. */
static bool next_of_both(struct state_walk *walk, uint64_t *key, uint32_t *level)
{
    const struct key_list *dead = walk->walked.dead;
    if (!walk->ahead)
        walk->more = next_found(walk, walk->next_key, &walk->next_level);
    walk->ahead = true;
    const uint64_t *next = walk->passed < dead->count ? dead->keys[walk->passed] : NULL;
    if (next != NULL && (!walk->more || key_list_compare(next, walk->next_key) < 0)) {
        memcpy(key, next, walk->walked.words * sizeof *key);
        *level = walk->walked.depth + 1;
        walk->passed++;
        return true;
    }
    if (!walk->more)
        return false;
    memcpy(key, walk->next_key, walk->walked.words * sizeof *key);
    *level = walk->next_level;
    walk->ahead = false;
    return true;
}

bool state_walk_next(struct state_walk *walk, uint64_t *key, uint32_t *level)
{
    return walk->walked.dead != NULL ? next_of_both(walk, key, level) : next_found(walk, key, level);
}

enum pz_status state_walk_status(const struct state_walk *walk, const char *what, struct pz_error *error)
{
    if (walk->walked.disk != NULL && walk->partitions.status != PZ_OK) {
        if (error != NULL)
            *error = walk->partitions.error;
        return walk->partitions.status;
    }
    return walk->walked.search != NULL && walk->cursor.failed
               ? pz_fail(error, PZ_MEMORY, "no memory to %s", what)
               : PZ_OK;
}

void state_walk_end(struct state_walk *walk)
{
    if (walk->walked.search != NULL)
        cursor_end(&walk->cursor);
    if (walk->walked.disk != NULL)
        disk_walk_end(&walk->partitions);
}

/* ---- runs of the table ---- */

static bool begin_runs(struct table_runs *runs, const struct walked *walked)
{
    runs->keys = malloc((size_t)TABLE_RUN_KEYS * runs->words * sizeof *runs->keys);
    if (runs->keys == NULL)
        return false;
    state_walk_begin(&runs->walk, walked);
    runs->begun = true;
    return true;
}

enum pz_status table_runs_next(struct table_runs *runs, const struct walked *walked, struct explore_run *out,
                               struct pz_error *error)
{
    uint32_t level;
    size_t count = 0;
    if (!runs->begun && !begin_runs(runs, walked))
        return pz_fail(error, PZ_MEMORY, "no memory to write the table");
    while (count < TABLE_RUN_KEYS && state_walk_next(&runs->walk, runs->keys + count * runs->words, &level)) {
        assert(level <= EXPLORE_COST_MAX + 1);
        runs->distances[count++] = level;
    }
    const enum pz_status status = state_walk_status(&runs->walk, "write the table", error);
    if (status != PZ_OK)
        return status;
    *out = (struct explore_run){
        .keys = runs->keys, .distances = runs->distances, .count = count, .key_words = runs->words};
    return PZ_OK;
}

void table_runs_clear(struct table_runs *runs)
{
    if (runs->begun)
        state_walk_end(&runs->walk);
    free(runs->keys);
}

/* ---- examples ---- */

enum pz_status walk_sample(const struct search *search, uint32_t level, uint64_t seed,
                           struct monitor *monitor, struct bottom_k *sample, struct pz_error *error)
{
    const unsigned words = search_words(search);
    struct search_cursor cursor;
    uint64_t key[KEY_WORDS_MAX];
    uint32_t found;
    enum pz_status status = PZ_OK;
    cursor_begin(&cursor, search, level, level);
    for (uint64_t passed = 1; status == PZ_OK && cursor_next(&cursor, key, &found); passed++) {
        assert(found == level);
        bottom_k_offer(sample, bottom_k_hash(key, seed, words), key, words);
        if (passed % WALK_LOOK_STATES != 0)
            continue;
        if (control_poll(monitor->control) == PZ_CANCELLED)
            status = pz_fail(error, PZ_CANCELLED, "cancelled while the last level was looked through");
        monitor_tell(monitor, "examples", (double)passed / (double)search_states(search));
    }
    cursor_end(&cursor);
    return status;
}
