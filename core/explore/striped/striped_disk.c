/* SPDX-License-Identifier: MIT */
/* The striped engine's explorer with its levels in scratch space (disk_search.h). From goals it searches
 * twice, unless their ranks tell them. */
#include "explore/striped/disk/disk_search.h"
#include "explore/striped/striped_own.h"

#include <assert.h>
#include <stdlib.h>

/* ---- level 0 ---- */

enum pz_status striped_make_disk(struct striped *striped, bool looks_for_goals, struct pz_error *error)
{
    const struct explore_request *request = striped->setup.request;
    const struct disk_search_options options = {
        .directory = request->scratch,
        .disk = request->disk,
        .keep_all = (request->keep == KEEP_TABLE || request->striped.edges) && !looks_for_goals,
        .syncs = request->checkpoint != NULL && !looks_for_goals,
        .goals = looks_for_goals,
        .spread = (request->from == FROM_GOALS && !looks_for_goals) || request->roots > 1,
        .examples = striped->setup.examples,
        .seed = request->seed};
    if (striped->disk != NULL)
        disk_search_figures(striped->disk, &striped->before);
    disk_search_free(striped->disk, false);
    striped->disk = NULL;
    return disk_search_new(&striped->searchers, striped->setup.monitor, &options, &striped->disk, error);
}

static enum pz_status striped_disk_begin_at_root(struct striped *striped, struct pz_error *error)
{
    struct key_list roots = {0};
    enum pz_status status = striped_roots(striped->setup.request, &roots, error);
    if (status == PZ_OK)
        status = disk_search_begin(striped->disk, &roots, error);
    key_list_clear(&roots, striped->setup.request->budget);
    return status;
}

/* Visits all states that the root reaches, keeps no levels, and collects the goals among them. */
static enum pz_status striped_disk_find_goals(struct striped *striped, struct key_list *goals,
                                              struct pz_error *error)
{
    struct monitor *monitor = striped->setup.monitor;
    enum pz_status status = striped_make_disk(striped, true, error);
    if (status == PZ_OK)
        status = striped_disk_begin_at_root(striped, error);
    while (status == PZ_OK && striped->disk->frontier_states > 0) {
        monitor->progress.level = striped->disk->level;
        monitor->progress.frontier = striped->disk->frontier_states;
        status = disk_search_advance(striped->disk, false, monitor_tick, monitor, error);
    }
    if (status == PZ_CANCELLED)
        return pz_fail(error, status, "cancelled before the goals were known");
    for (unsigned i = 0; status == PZ_OK && i < striped->searchers.threads; i++)
        if (!key_list_join(goals, striped->searchers.budget, &striped->disk->workers[i].goals))
            status = pz_fail(error, PZ_MEMORY, "no memory for the goals");
    key_list_sort(goals);
    return status;
}

static enum pz_status striped_disk_begin_at_goals(struct striped *striped, struct pz_error *error)
{
    const struct explore_request *request = striped->setup.request;
    struct key_list goals = {0};
    enum pz_status status = numbered_suits(request)
                                ? numbered_goals(request, striped->setup.monitor, &goals, error)
                                : striped_disk_find_goals(striped, &goals, error);
    if (status == PZ_OK && goals.count == 0)
        status = pz_fail(error, PZ_UNSUPPORTED,
                         "from=goals: the root reaches none; planes=memory says how many states these are");
    if (status == PZ_OK)
        status = striped_make_disk(striped, false, error);
    if (status == PZ_OK)
        status = disk_search_begin(striped->disk, &goals, error);
    key_list_clear(&goals, request->budget);
    striped->base.limit = status == PZ_MEMORY ? STOP_MEMORY : status == PZ_LIMIT ? STOP_TIME : STOP_NONE;
    return striped->base.limit != STOP_NONE ? PZ_LIMIT : status;
}

/* ---- levels ---- */

static void striped_disk_take_level(struct striped *striped)
{
    assert(striped->search == NULL && striped->graph == NULL);
    striped->base.level = striped->disk->level;
    striped->base.width = striped->disk->frontier_states;
}

static enum pz_status striped_disk_begin(struct explorer *explorer, struct pz_error *error)
{
    struct striped *striped = striped_of(explorer);
    const bool goals = striped->setup.request->from == FROM_GOALS;
    const enum pz_status status =
        goals ? striped_disk_begin_at_goals(striped, error) : striped_disk_begin_at_root(striped, error);
    if (status == PZ_OK)
        striped_disk_take_level(striped);
    return status;
}

static enum pz_status striped_disk_next(struct explorer *explorer, level_tick *tick, void *context,
                                        struct pz_error *error)
{
    struct striped *striped = striped_of(explorer);
    const struct explore_request *request = striped->setup.request;
    if (striped->disk->keep_all && explorer->level == EXPLORE_LEVEL_MAX) {
        explorer->limit = STOP_LEVELS;
        return PZ_LIMIT;
    }
    const enum pz_status status =
        disk_search_advance(striped->disk, explorer->level + 1 == request->depth, tick, context, error);
    if (status == PZ_OK)
        striped_disk_take_level(striped);
    return status;
}

static bool striped_disk_exhausted(struct explorer *explorer)
{
    return disk_search_exhausted(striped_of(explorer)->disk) == PZ_OK;
}

/* Examples of a level are kept while it is expanded, but not as many as of the last one. */
static enum pz_status striped_disk_choose(struct explorer *explorer, uint32_t level, unsigned most,
                                          uint8_t *states, unsigned *count, struct pz_error *error)
{
    struct striped *striped = striped_of(explorer);
    enum pz_status status = PZ_OK;
    bottom_k_begin(&striped->sample, most);
    if (most > EXPLORE_EXAMPLES)
        status = disk_search_look(striped->disk, level, &striped->sample, error);
    else
        searchers_examples(&striped->searchers, &striped->sample);
    *count = bottom_k_states(&striped->sample, striped->setup.request->space->state_bytes, states);
    return status;
}

/* ---- the checkpoint: the indices of the levels, and the states that are kept in memory. The states in
 * scratch space stay where they are; each level is safe there before a checkpoint names it ---- */

enum { PLACES_MOST = 1 << 28, PIECE_ENTRIES_MOST = PIECE_MOST / 8 };

struct disk_head {
    uint64_t magic;
    uint32_t version; /* PIECE_VERSION */
    uint32_t words, files;
    uint32_t level;
    uint64_t mark;
    uint64_t frontier_states, states, generated;
};

struct file_head {
    uint32_t level, places;
    uint64_t bytes;
};

/* Followed by the entries, if these are kept in memory. */
struct saved_place {
    uint64_t offset;
    uint32_t count;
    uint16_t partition, kept;
};

static size_t entry_bytes(const struct disk_search *search, uint32_t count)
{
    return (size_t)count * search->words * sizeof(uint64_t);
}

/* Returns the file of a level if it is needed to go on; else NULL. */
static const struct partition_file *file_at(const struct disk_search *search, uint32_t level)
{
    const bool there = level < search->level_room && level <= search->level;
    return there && disk_search_needs(search, level) ? search->levels[level] : NULL;
}

/* The number of pieces is not known ahead. */
static uint64_t striped_disk_save_bytes(const struct explorer *explorer, uint64_t states)
{
    const struct disk_search *search = ((const struct striped *)explorer)->disk;
    if (states == UINT64_MAX)
        return 0;
    uint64_t bytes =
        sizeof(struct disk_head) + atomic_load_explicit(&search->store.kept, memory_order_relaxed);
    for (uint32_t level = 0; level <= search->level; level++) {
        const struct partition_file *file = file_at(search, level);
        bytes += file != NULL ? sizeof(struct file_head) + file->count * sizeof(struct saved_place) : 0;
    }
    return bytes;
}

static void save_level_file(const struct disk_search *search, const struct partition_file *file,
                            struct checkpointer *checkpointer)
{
    const struct file_head head = {.level = file->level, .places = file->count, .bytes = file->bytes};
    bool put = checkpointer_put(checkpointer, &head, sizeof head);
    for (uint32_t i = 0; put && i < file->count; i++) {
        const struct partition_place *place = &file->places[i];
        const struct saved_place saved = {.offset = place->offset,
                                          .count = place->count,
                                          .partition = (uint16_t)place->partition,
                                          .kept = place->kept != NULL};
        put = checkpointer_put(checkpointer, &saved, sizeof saved);
        if (put && place->kept != NULL)
            put = checkpointer_put(checkpointer, place->kept, entry_bytes(search, place->count));
    }
}

/* Returns true if the next level removes files that the last checkpoint needs, or if the frontier is wide, so
 * that it took long. A narrow level is made faster than a checkpoint is written. */
static bool striped_disk_outdates(const struct explorer *explorer)
{
    const struct disk_search *search = ((const struct striped *)explorer)->disk;
    if (search->keep_all)
        return search->frontier_states > DISK_NARROW_LEVEL;
    for (uint32_t level = search->level > 0 ? search->level - 1 : 0; level <= search->level; level++) {
        const struct partition_file *file = file_at(search, level);
        if (file != NULL && file->descriptor >= 0)
            return true;
    }
    return search->saved_files;
}

static void striped_disk_save(struct explorer *explorer, struct checkpointer *checkpointer)
{
    struct disk_search *search = striped_of(explorer)->disk;
    assert(file_at(search, search->level) != NULL);
    search->saved_files = false;
    struct disk_head head = {.magic = DISK_CHECKPOINT_MAGIC,
                             .version = PIECE_VERSION,
                             .words = search->words,
                             .level = search->level,
                             .mark = search->store.mark,
                             .frontier_states = search->frontier_states,
                             .states = search->states,
                             .generated = search->generated};
    for (uint32_t level = 0; level <= search->level; level++)
        head.files += file_at(search, level) != NULL;
    (void)checkpointer_put(checkpointer, &head, sizeof head);
    for (uint32_t level = 0; level <= search->level; level++) {
        const struct partition_file *file = file_at(search, level);
        if (file == NULL)
            continue;
        save_level_file(search, file, checkpointer);
        search->saved_files |= file->descriptor >= 0;
    }
}

/* Gets the entries of a place that are kept in memory. Returns false if one of them is no state's. */
static bool get_kept(const struct searchers *searchers, const struct partition_place *place, size_t bytes,
                     struct checkpointer *checkpointer)
{
    const unsigned words = searchers->words;
    bool known = checkpointer_get(checkpointer, place->kept, bytes);
    for (uint32_t i = 0; known && i < place->count; i++) {
        uint64_t key[KEY_WORDS_MAX];
        entry_key(place->kept + (size_t)i * words, partition_top(place->partition), key, words);
        known = searchers_know(searchers, key, i == 0);
    }
    return known;
}

/* Loads the entries that follow into memory. */
static bool load_kept(const struct searchers *searchers, struct partition_file *file,
                      struct partition_place *place, struct checkpointer *checkpointer)
{
    const size_t bytes = (size_t)place->count * file->store->words * sizeof(uint64_t);
    if (!budget_take(file->store->budget, bytes))
        return false;
    place->kept = malloc(bytes);
    if (place->kept != NULL && get_kept(searchers, place, bytes, checkpointer) &&
        partition_file_add(file, place)) {
        atomic_fetch_add_explicit(&file->store->kept, bytes, memory_order_relaxed);
        return true;
    }
    free(place->kept);
    budget_give(file->store->budget, bytes);
    return false;
}

static bool load_place(const struct searchers *searchers, struct partition_file *file,
                       struct checkpointer *checkpointer)
{
    struct saved_place saved;
    if (!checkpointer_get(checkpointer, &saved, sizeof saved) || saved.partition >= DISK_PARTITIONS ||
        saved.count == 0 || saved.count > PIECE_ENTRIES_MOST)
        return false;
    struct partition_place place = {
        .offset = saved.offset, .count = saved.count, .partition = saved.partition};
    if (saved.kept != 0)
        return load_kept(searchers, file, &place, checkpointer);
    return partition_piece_bytes(file->store, place.count) <= file->store->piece_bytes &&
           place.offset % DISK_ALIGN == 0 && place.offset < file->bytes && partition_file_add(file, &place);
}

static bool load_level_file(struct disk_search *search, struct checkpointer *checkpointer)
{
    struct file_head head;
    if (!checkpointer_get(checkpointer, &head, sizeof head) || head.level > search->level ||
        head.places > PLACES_MOST)
        return false;
    struct partition_file *file = partition_file_new(&search->store, head.level, true);
    if (file == NULL)
        return false;
    file->bytes = head.bytes;
    search->saved_files |= head.bytes > 0;
    bool whole = partition_file_reopen(file) == 0;
    for (uint32_t i = 0; whole && i < head.places; i++)
        whole = load_place(search->searchers, file, checkpointer);
    whole = whole && partition_file_order(file) &&
            (head.level >= search->level_room || search->levels[head.level] == NULL) &&
            disk_search_put_level(search, file);
    if (!whole)
        partition_file_free(file, false);
    return whole;
}

/* Returns false if the saved place is damaged, of another version or store, or if files are missing. */
static bool striped_disk_load(struct explorer *explorer, struct checkpointer *checkpointer)
{
    struct striped *striped = striped_of(explorer);
    struct disk_search *search = striped->disk;
    assert(search->states == 0);
    struct disk_head head;
    if (!checkpointer_get(checkpointer, &head, sizeof head) || head.magic != DISK_CHECKPOINT_MAGIC ||
        head.version != PIECE_VERSION || head.words != search->words ||
        head.level != checkpointer_levels(checkpointer))
        return false;
    search->store.mark = head.mark;
    search->level = head.level;
    search->frontier_states = head.frontier_states;
    search->states = head.states;
    search->generated = head.generated;
    for (uint32_t i = 0; i < head.files; i++)
        if (!load_level_file(search, checkpointer))
            return false;
    for (uint32_t level = 0; level <= search->level; level++)
        if (disk_search_needs(search, level) && file_at(search, level) == NULL)
            return false;
    if (search->levels[search->level]->entries != search->frontier_states)
        return false;
    striped_disk_take_level(striped);
    return true;
}

static void striped_disk_figures(const struct explorer *explorer, struct explorer_figures *out)
{
    const struct striped *striped = (const struct striped *)explorer;
    const struct explorer_figures *before = &striped->before;
    out->planes = PLANES_DISK;
    if (striped->disk == NULL)
        return;
    disk_search_figures(striped->disk, out);
    if (striped->setup.result->complete)
        out->dead = numbered_dead(striped->setup.request, striped->disk->states);
    out->generated += before->generated;
    out->written += before->written;
    out->read += before->read;
    if (out->disk_peak < before->disk_peak)
        out->disk_peak = before->disk_peak;
}

const struct explorer_ops striped_disk_ops = {.begin = striped_disk_begin,
                                              .next = striped_disk_next,
                                              .choose = striped_disk_choose,
                                              .exhausted = striped_disk_exhausted,
                                              .edges = striped_edges,
                                              .run = striped_run,
                                              .every_level = true,
                                              .outdates = striped_disk_outdates,
                                              .save_bytes = striped_disk_save_bytes,
                                              .save = striped_disk_save,
                                              .load = striped_disk_load,
                                              .figures = striped_disk_figures,
                                              .free = striped_free};
