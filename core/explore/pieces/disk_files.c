/* SPDX-License-Identifier: MIT */
#include "explore/pieces/disk_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME_MAX_BYTES = 48 };

enum pz_status disk_failed(int failure, const char *what, struct pz_error *error)
{
    enum pz_status status = failure == ENOSPC || failure == EDQUOT ? PZ_STORAGE_FULL : PZ_STORAGE;
    return pz_fail(error, status, "scratch space: cannot %s: %s", what, strerrordesc_np(failure));
}

static void name_open(const struct disk_file *file, char name[NAME_MAX_BYTES])
{
    (void)snprintf(name, NAME_MAX_BYTES, "%03u-%08u.part", file->level, file->first);
}

static void name_whole(const struct disk_file *file, char name[NAME_MAX_BYTES])
{
    (void)snprintf(name, NAME_MAX_BYTES, "%03u-%08u-%08u.pieces", file->level, file->first, file->end);
}

static int open_direct(int directory, const char *name)
{
    int flags = O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC;
    int file = openat(directory, name, flags | O_DIRECT, 0600);
    return file < 0 && errno == EINVAL ? openat(directory, name, flags, 0600) : file;
}

struct disk_file *disk_file_new(struct disk_files *files, uint32_t level, uint32_t first)
{
    char name[NAME_MAX_BYTES];
    struct disk_file *file = calloc(1, sizeof *file);
    if (file == NULL) {
        errno = ENOMEM;
        return NULL;
    }
    file->files = files;
    file->level = level;
    file->first = first;
    name_open(file, name);
    file->descriptor = open_direct(files->directory, name);
    if (file->descriptor >= 0)
        return file;
    int failure = errno;
    free(file);
    errno = failure;
    return NULL;
}

void disk_file_free(struct disk_file *file)
{
    while (file != NULL) {
        struct disk_file *next = file->next;
        disk_file_free(file->replaced);
        (void)close(file->descriptor);
        free(file);
        file = next;
    }
}

/* On a thread of the queue, when all that was written before is written. */
static int seal_file(void *context)
{
    struct disk_file *file = context;
    struct disk_files *files = file->files;
    char old_name[NAME_MAX_BYTES];
    char new_name[NAME_MAX_BYTES];
    name_open(file, old_name);
    name_whole(file, new_name);
    int failure = 0;
    if (fdatasync(file->descriptor) != 0 ||
        renameat(files->directory, old_name, files->directory, new_name) != 0 || fsync(files->directory) != 0)
        failure = errno;
    for (struct disk_file *gone = file->replaced; gone != NULL && failure == 0; gone = gone->next) {
        name_whole(gone, old_name);
        if (unlinkat(files->directory, old_name, 0) != 0)
            failure = errno;
        atomic_fetch_sub_explicit(&files->live, gone->bytes, memory_order_relaxed);
    }
    disk_file_free(file->replaced);
    file->replaced = NULL;
    if (failure != 0)
        atomic_store_explicit(&files->failed, failure, memory_order_relaxed);
    return failure;
}

static bool is_ours(const char *name)
{
    const char *end = strrchr(name, '.');
    return end != NULL && (strcmp(end, ".part") == 0 || strcmp(end, ".pieces") == 0);
}

enum pz_status disk_files_open(struct disk_files *files, const char *directory, struct pz_error *error)
{
    files->directory = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = files->directory >= 0 ? opendir(directory) : NULL;
    if (entries == NULL)
        return disk_failed(errno, "open the directory", error);
    const struct dirent *entry;
    while ((entry = readdir(entries)) != NULL)
        if (is_ours(entry->d_name))
            (void)unlinkat(files->directory, entry->d_name, 0);
    (void)closedir(entries);
    return PZ_OK;
}

void disk_file_close(struct disk_file *file, uint32_t end, struct disk_file *replaced)
{
    file->end = end;
    file->replaced = replaced;
    file->seal = (struct disk_request){.kind = DISK_CALL, .call = seal_file, .context = file};
    disk_queue_submit(file->files->queue, &file->seal);
}
