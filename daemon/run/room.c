/* SPDX-License-Identifier: MIT */
#include "daemon/run/room.h"

#include "base/log.h"
#include "base/size_text.h"

#include <inttypes.h>

/* Room for what commits need beside a table's bytes: copies of the pages that lead to what changes, and of
 * LMDB's list of free pages. Without it tables would be evicted for one that is then given up. */
enum { ROOM_TO_COMMIT = 128 << 10 };

static void room_on_evicted(void *context, const struct table_record *table)
{
    const struct runner_options *options = *(const struct runner_options *const *)context;
    struct log_quote name;
    log_event(LOG_LEVEL_WARNING, options->job, "event=table-evicted table=\"%s\" bytes=%" PRIu64,
              log_quote(&name, table->name), table->bytes);
    if (table->job != 0 && options->evicted != NULL)
        options->evicted(options->context, table->job);
}

/* A build spares what was used since it began: its own databases, which would each evict the one before. */
static enum pz_status room_evict(const struct runner_options *options, const char *submitter, uint64_t bytes,
                                 struct pz_error *error)
{
    const uint64_t unused_ms = options->task->kind == JOB_PDB ? options->started_ms : UINT64_MAX;
    return store_evict(options->store, submitter, unused_ms, bytes, room_on_evicted, &options, error);
}

/* Fails if the bytes would not fit into the submitter's share even if every unpinned table of theirs were
 * evicted. Sets *excess to how many bytes of them must go. */
static enum pz_status room_check_share(const struct runner_options *options, uint64_t bytes, uint64_t *excess,
                                       struct pz_error *error)
{
    struct store_taken taken;
    char most[SIZE_TEXT], needed[SIZE_TEXT], pinned[SIZE_TEXT];
    *excess = 0;
    if (options->tables == 0 || store_taken(options->store, options->submitter, &taken, NULL) != PZ_OK ||
        taken.bytes + bytes <= options->tables)
        return PZ_OK;
    *excess = taken.bytes + bytes - options->tables;
    if (*excess <= taken.evictable)
        return PZ_OK;
    return pz_fail(error, PZ_STORAGE_FULL,
                   "by [limits] tables-per-client your tables may take %s together: this one takes %s, those "
                   "that you have pinned %s",
                   size_text(options->tables, most), size_text(bytes, needed),
                   size_text(taken.bytes - taken.evictable, pinned));
}

enum pz_status room_check(const struct runner_options *options, uint64_t bytes, struct pz_error *error)
{
    struct store_stats stats = {0};
    struct store_taken all;
    char needed[SIZE_TEXT], room[SIZE_TEXT], freed[SIZE_TEXT];
    uint64_t excess;
    enum pz_status status = bytes == 0 ? PZ_OK : room_check_share(options, bytes, &excess, error);
    if (status != PZ_OK)
        return status;
    if (bytes == 0 || store_stats(options->store, &stats, NULL) != PZ_OK || stats.bytes_room >= bytes ||
        store_taken(options->store, NULL, &all, NULL) != PZ_OK ||
        all.evictable >= bytes + ROOM_TO_COMMIT - stats.bytes_room)
        return PZ_OK;
    return pz_fail(error, PZ_STORAGE_FULL,
                   "the table needs %s in the database; %s are free, and evicting every table that is not "
                   "pinned would free %s",
                   size_text(bytes, needed), size_text(stats.bytes_room, room),
                   size_text(all.evictable, freed));
}

enum pz_status room_make(const struct runner_options *options, uint64_t bytes, uint64_t spare,
                         struct pz_error *error)
{
    struct store_stats stats = {0};
    if (bytes == 0 || store_stats(options->store, &stats, NULL) != PZ_OK || stats.bytes_room >= bytes + spare)
        return PZ_OK;
    const enum pz_status status = room_evict(options, NULL, bytes + spare - stats.bytes_room, error);
    return status == PZ_STORAGE_FULL && stats.bytes_room >= bytes ? PZ_OK : status;
}

enum pz_status room_for_all(const struct runner_options *options, uint64_t bytes, struct pz_error *error)
{
    uint64_t excess = 0;
    enum pz_status status =
        options->task->kind == JOB_EXPLORE ? room_check_share(options, bytes, &excess, error) : PZ_OK;
    if (status == PZ_OK && excess > 0)
        status = room_evict(options, options->submitter, excess, error);
    return status != PZ_OK ? status : room_make(options, bytes, ROOM_TO_COMMIT, error);
}
