/* SPDX-License-Identifier: MIT */
#include "explore/dense/pieces/disk/disk_files.h"

#include "base/own_files.h"
#include "explore/disk/disk_file_calls.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_MAX_BYTES = 48, SPARES_MAX = 4 };

static void name_open(const struct disk_file *file, char name[NAME_MAX_BYTES])
{
    (void)snprintf(name, NAME_MAX_BYTES, "%03u-%08u.part", file->level, file->first);
}

static void name_whole(const struct disk_file *file, char name[NAME_MAX_BYTES])
{
    (void)snprintf(name, NAME_MAX_BYTES, "%03u-%08u-%08u.pieces", file->level, file->first, file->end);
}

/* Writes the name of a spare. A search that finds such a file removes it. */
static void name_spare(const struct disk_file *file, char name[NAME_MAX_BYTES])
{
    (void)snprintf(name, NAME_MAX_BYTES, "spare-%03u-%08u.part", file->level, file->first);
}

/* Opens the file of that name. Returns NULL when that fails; errno says why. */
static struct disk_file *open_file(struct disk_files *files, const struct disk_file *file, const char *name,
                                   int flags)
{
    struct disk_file *own = malloc(sizeof *own);
    if (own == NULL)
        return NULL;
    *own = *file;
    own->files = files;
    own->descriptor = disk_open_direct(files->directory, name, flags);
    if (own->descriptor >= 0)
        return own;
    int failure = errno;
    free(own);
    errno = failure;
    return NULL;
}

/* ---- spares ---- */

static struct disk_file *take_spare(struct disk_files *files)
{
    (void)pthread_mutex_lock(&files->lock);
    struct disk_file *spare = files->spare;
    if (spare != NULL) {
        files->spare = spare->next;
        files->spares--;
        spare->next = NULL;
    }
    (void)pthread_mutex_unlock(&files->lock);
    return spare;
}

/* Makes the spare the file of that name; NULL if that fails. */
static struct disk_file *use_spare(struct disk_files *files, const struct disk_file *file, const char *name)
{
    struct disk_file *spare = take_spare(files);
    char old_name[NAME_MAX_BYTES];
    if (spare == NULL)
        return NULL;
    name_spare(spare, old_name);
    atomic_fetch_sub_explicit(&files->live, spare->bytes, memory_order_relaxed);
    if (renameat(files->directory, old_name, files->directory, name) != 0) {
        disk_file_free(spare);
        return NULL;
    }
    struct disk_file own = *file;
    own.files = files;
    own.descriptor = spare->descriptor;
    own.held = spare->bytes;
    *spare = own;
    return spare;
}

/* Makes a spare of a whole file, or removes it. Returns an errno. */
static int set_aside(struct disk_file *file)
{
    struct disk_files *files = file->files;
    char old_name[NAME_MAX_BYTES];
    char new_name[NAME_MAX_BYTES];
    name_whole(file, old_name);
    name_spare(file, new_name);
    (void)pthread_mutex_lock(&files->lock);
    bool wanted =
        files->spares < SPARES_MAX && renameat(files->directory, old_name, files->directory, new_name) == 0;
    if (wanted) {
        file->next = files->spare;
        files->spare = file;
        files->spares++;
    }
    (void)pthread_mutex_unlock(&files->lock);
    return wanted ? 0 : disk_file_remove(file);
}

void disk_files_drop_spares(struct disk_files *files)
{
    struct disk_file *spare;
    char name[NAME_MAX_BYTES];
    while ((spare = take_spare(files)) != NULL) {
        name_spare(spare, name);
        (void)unlinkat(files->directory, name, 0);
        atomic_fetch_sub_explicit(&files->live, spare->bytes, memory_order_relaxed);
        disk_file_free(spare);
    }
}

/* ---- one file ---- */

struct disk_file *disk_file_new(struct disk_files *files, uint32_t level, uint32_t first)
{
    char name[NAME_MAX_BYTES];
    const struct disk_file file = {.level = level, .first = first};
    name_open(&file, name);
    struct disk_file *spare = use_spare(files, &file, name);
    return spare != NULL ? spare : open_file(files, &file, name, O_CREAT | O_TRUNC);
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

int disk_file_remove(struct disk_file *file)
{
    struct disk_files *files = file->files;
    char name[NAME_MAX_BYTES];
    name_whole(file, name);
    int failure = unlinkat(files->directory, name, 0) != 0 ? errno : 0;
    atomic_fetch_sub_explicit(&files->live, file->bytes, memory_order_relaxed);
    file->next = NULL;
    disk_file_free(file);
    return failure;
}

/* Runs on a thread of the queue, as seal_file does. */
static int sync_file(void *context)
{
    struct disk_file *file = context;
    const int failure = fdatasync(file->descriptor) != 0 ? errno : 0;
    if (failure != 0)
        atomic_store_explicit(&file->files->failed, failure, memory_order_relaxed);
    return failure;
}

/* Gives a file its whole name; lasting: once it is safe. Returns an errno. */
static int name_file(struct disk_file *file, bool lasting)
{
    const struct disk_files *files = file->files;
    char old_name[NAME_MAX_BYTES];
    char new_name[NAME_MAX_BYTES];
    name_open(file, old_name);
    name_whole(file, new_name);
    if ((lasting && fdatasync(file->descriptor) != 0) ||
        renameat(files->directory, old_name, files->directory, new_name) != 0 ||
        (lasting && fsync(files->directory) != 0))
        return errno;
    return 0;
}

/* Runs on a thread of the queue, after all earlier writes. */
static int seal_file(void *context)
{
    struct disk_file *file = context;
    struct disk_files *files = file->files;
    int failure = atomic_load_explicit(&files->failed, memory_order_relaxed);
    if (failure == 0 && file->held > file->bytes && ftruncate(file->descriptor, (off_t)file->bytes) != 0)
        failure = errno;
    if (failure == 0)
        failure = name_file(file, file->lasting);
    while (file->replaced != NULL && failure == 0) {
        struct disk_file *gone = file->replaced;
        file->replaced = gone->next;
        failure = set_aside(gone);
    }
    if (failure != 0)
        atomic_store_explicit(&files->failed, failure, memory_order_relaxed);
    return failure;
}

/* ---- what an earlier search left ---- */

static bool is_ours(const char *name)
{
    const char *end = strrchr(name, '.');
    return end != NULL && (strcmp(end, ".part") == 0 || strcmp(end, ".pieces") == 0);
}

enum pz_status disk_files_open(struct disk_files *files, const char *directory, struct pz_error *error)
{
    (void)pthread_mutex_init(&files->lock, NULL);
    return own_directory_open(directory, 0, &files->directory, error);
}

void disk_files_close(struct disk_files *files)
{
    disk_files_drop_spares(files);
    if (files->directory >= 0)
        (void)close(files->directory);
    (void)pthread_mutex_destroy(&files->lock);
}

/* Calls visit for each of our files until one call returns an errno. */
static enum pz_status visit_files(struct disk_files *files,
                                  int (*visit)(struct disk_files *, const char *, void *), void *context,
                                  struct pz_error *error)
{
    int copy = openat(files->directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = copy >= 0 ? fdopendir(copy) : NULL;
    if (entries == NULL)
        return disk_failed(errno, "read the directory", error);
    const struct dirent *entry;
    int failure = 0;
    while (failure == 0 && (entry = readdir(entries)) != NULL)
        failure = is_ours(entry->d_name) ? visit(files, entry->d_name, context) : 0;
    (void)closedir(entries);
    return failure == 0 ? PZ_OK : disk_failed(failure, "find the files of an earlier run", error);
}

static int remove_name(struct disk_files *files, const char *name, void *context)
{
    (void)context;
    return unlinkat(files->directory, name, 0) == 0 ? 0 : errno;
}

enum pz_status disk_files_clear(struct disk_files *files, struct pz_error *error)
{
    return visit_files(files, remove_name, NULL, error);
}

/* Puts a file into the list at its place. */
static void insert(struct disk_file **at, struct disk_file *file)
{
    while (*at != NULL &&
           ((*at)->level < file->level || ((*at)->level == file->level && (*at)->first < file->first)))
        at = &(*at)->next;
    file->next = *at;
    *at = file;
}

static int take_file(struct disk_files *files, const char *name, void *context)
{
    struct disk_file file = {.descriptor = -1};
    struct stat about;
    int length = 0;
    /* NOLINTNEXTLINE(cert-err34-c): the name was written by name_whole, or is removed */
    if (sscanf(name, "%u-%u-%u.pieces%n", &file.level, &file.first, &file.end, &length) != 3 ||
        length != (int)strlen(name))
        return remove_name(files, name, NULL);
    struct disk_file *own = open_file(files, &file, name, 0);
    if (own == NULL)
        return errno;
    if (fstat(own->descriptor, &about) == 0)
        own->bytes = (uint64_t)about.st_size;
    atomic_fetch_add_explicit(&files->live, own->bytes, memory_order_relaxed);
    insert(context, own);
    return 0;
}

enum pz_status disk_files_find(struct disk_files *files, struct disk_file **out, struct pz_error *error)
{
    *out = NULL;
    enum pz_status status = visit_files(files, take_file, (void *)out, error);
    if (status != PZ_OK) {
        disk_file_free(*out);
        *out = NULL;
    }
    return status;
}

void disk_file_close(struct disk_file *file, uint32_t end, struct disk_file *replaced)
{
    file->end = end;
    file->replaced = replaced;
    file->lasting = file->files->lasting;
    file->seal = (struct disk_request){.kind = DISK_CALL, .call = seal_file, .context = file};
    disk_queue_submit(file->files->queue, &file->seal);
}

void disk_file_make_safe(struct disk_file *file)
{
    for (; file != NULL; file = file->next) {
        file->seal = (struct disk_request){.kind = DISK_CALL, .call = sync_file, .context = file};
        disk_queue_submit(file->files->queue, &file->seal);
    }
}
