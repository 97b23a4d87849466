/* SPDX-License-Identifier: MIT */
#include "explore/striped/disk/partition_file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME_BYTES = 32 };

static const char endings[2][8] = {".succ", ".level"};

enum pz_status partition_store_clear(struct partition_store *store, struct pz_error *error)
{
    return scratch_store_each(&store->disk, endings, scratch_remove, NULL, error);
}

/* ---- a file ---- */

static void name_partition_file(const struct partition_file *file, char name[NAME_BYTES])
{
    (void)snprintf(name, NAME_BYTES, "%05u%s", file->level, endings[file->sorted]);
}

struct partition_file *partition_file_new(struct partition_store *store, uint32_t level, bool sorted)
{
    struct partition_file *file = calloc(1, sizeof *file);
    if (file == NULL)
        return NULL;
    file->store = store;
    file->level = level;
    file->sorted = sorted;
    file->descriptor = -1;
    (void)pthread_mutex_init(&file->lock, NULL);
    return file;
}

static void give_kept(struct partition_file *file, struct partition_place *place)
{
    const uint64_t bytes = (uint64_t)place->count * file->store->words * sizeof(uint64_t);
    if (place->kept == NULL)
        return;
    free(place->kept);
    budget_give(file->store->budget, bytes);
    atomic_fetch_sub_explicit(&file->store->kept, bytes, memory_order_relaxed);
}

void partition_file_free(struct partition_file *file, bool removes)
{
    char name[NAME_BYTES];
    if (file == NULL)
        return;
    name_partition_file(file, name);
    for (uint32_t i = 0; i < file->count; i++)
        give_kept(file, &file->places[i]);
    budget_give(file->store->budget, file->room * sizeof *file->places);
    free(file->places);
    if (file->descriptor >= 0) {
        (void)close(file->descriptor);
        if (removes)
            (void)scratch_remove(&file->store->disk, name, NULL);
        scratch_give(&file->store->disk, file->bytes);
    }
    (void)pthread_mutex_destroy(&file->lock);
    free(file);
}

/* ---- places ---- */

bool partition_file_add(struct partition_file *file, const struct partition_place *place)
{
    assert(file->count <= file->room && place->count > 0 && place->partition < DISK_PARTITIONS);
    assert(place->kept != NULL || place->offset < file->bytes);
    if (file->count == file->room) {
        const uint32_t room = file->room == 0 ? 16 : 2 * file->room;
        struct partition_place *places = budget_realloc(file->store->budget, file->places,
                                                        file->room * sizeof *place, room * sizeof *place);
        if (places == NULL)
            return false;
        file->places = places;
        file->room = room;
    }
    file->places[file->count++] = *place;
    file->entries += place->count;
    return true;
}

bool partition_file_order(struct partition_file *file)
{
    uint32_t at[DISK_PARTITIONS + 1] = {0};
    struct partition_place *ordered = malloc((file->count + 1) * sizeof *ordered);
    if (ordered == NULL)
        return false;
    memset(file->of_partition, 0, sizeof file->of_partition);
    for (uint32_t i = 0; i < file->count; i++) {
        at[file->places[i].partition + 1]++;
        file->of_partition[file->places[i].partition] += file->places[i].count;
    }
    for (uint32_t partition = 0; partition < DISK_PARTITIONS; partition++)
        at[partition + 1] += at[partition];
    memcpy(file->first, at, sizeof at);
    for (uint32_t i = 0; i < file->count; i++)
        ordered[at[file->places[i].partition]++] = file->places[i];
    if (file->count > 0)
        memcpy(file->places, ordered, file->count * sizeof *ordered);
    free(ordered);
    assert(file->first[0] == 0 && file->first[DISK_PARTITIONS] == file->count);
    return true;
}

bool partition_file_keep(struct partition_file *file, const struct partition_place *place,
                         const uint64_t *entries, bool tail)
{
    struct partition_store *store = file->store;
    const uint64_t bytes = (uint64_t)place->count * store->words * sizeof *entries;
    assert(place->count > 0 && bytes <= store->piece_bytes);
    if (!(file->narrow || (tail && !file->sorted)) ||
        atomic_load_explicit(&store->kept, memory_order_relaxed) + bytes > store->kept_most ||
        !budget_take(store->budget, bytes))
        return false;
    const struct partition_place own = {
        .kept = malloc(bytes), .count = place->count, .partition = place->partition};
    bool added = own.kept != NULL;
    if (added) {
        memcpy(own.kept, entries, bytes);
        (void)pthread_mutex_lock(&file->lock);
        added = partition_file_add(file, &own);
        (void)pthread_mutex_unlock(&file->lock);
    }
    if (!added) {
        free(own.kept);
        budget_give(store->budget, bytes);
        return false;
    }
    atomic_fetch_add_explicit(&store->kept, bytes, memory_order_relaxed);
    return true;
}

/* ---- pieces on the disk ---- */

static uint64_t piece_hash(const struct partition_store *store, const struct partition_piece *piece)
{
    return disk_hash(&piece->mark, sizeof *piece - sizeof piece->hash +
                                       (size_t)piece->count * store->words * sizeof(uint64_t));
}

/* Returns an errno. Under the lock. */
static int open_partition_file(struct partition_file *file, int flags)
{
    char name[NAME_BYTES];
    if (file->descriptor >= 0)
        return 0;
    name_partition_file(file, name);
    file->descriptor = scratch_file(&file->store->disk, name, flags, true);
    return file->descriptor < 0 ? errno : 0;
}

int partition_file_reopen(struct partition_file *file)
{
    assert(file->descriptor < 0 && file->count == 0);
    const int failure = file->bytes > 0 ? open_partition_file(file, 0) : 0;
    if (failure != 0 || file->bytes == 0)
        return failure;
    (void)scratch_take(&file->store->disk, file->bytes);
    const off_t end = lseek(file->descriptor, 0, SEEK_END);
    return end < 0 || (uint64_t)end < file->bytes ? ENODATA : 0;
}

int partition_file_place(struct partition_file *file, struct partition_piece *piece, size_t *length)
{
    struct partition_store *store = file->store;
    assert(piece->count > 0 && piece->partition < DISK_PARTITIONS);
    *length = partition_piece_bytes(store, piece->count);
    (void)pthread_mutex_lock(&file->lock);
    int failure = open_partition_file(file, O_CREAT | O_TRUNC);
    if (failure == 0) {
        const struct partition_place place = {
            .offset = file->bytes, .count = piece->count, .partition = piece->partition};
        piece->offset = file->bytes;
        file->bytes += *length;
        failure = scratch_take(&store->disk, *length);
        scratch_count(&store->disk.written, *length);
        if (failure == 0 && !partition_file_add(file, &place))
            failure = ENOMEM;
    }
    (void)pthread_mutex_unlock(&file->lock);
    piece->mark = store->mark;
    piece->version = PIECE_VERSION;
    piece->level = file->level;
    const size_t end = sizeof *piece + (size_t)piece->count * store->words * sizeof(uint64_t);
    memset((uint8_t *)piece + end, 0, *length - end);
    piece->hash = piece_hash(store, piece);
    return failure;
}

bool partition_piece_is_sound(const struct partition_file *file, const struct partition_place *place,
                              const struct partition_piece *piece)
{
    return piece->mark == file->store->mark && piece->version == PIECE_VERSION &&
           piece->offset == place->offset && piece->level == file->level &&
           piece->partition == place->partition && piece->count == place->count &&
           piece->hash == piece_hash(file->store, piece);
}

int partition_file_sync(const struct partition_file *file)
{
    if (file->descriptor < 0)
        return 0;
    return fdatasync(file->descriptor) != 0 || fsync(file->store->disk.directory) != 0 ? errno : 0;
}
