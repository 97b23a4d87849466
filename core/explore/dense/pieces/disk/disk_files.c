/* SPDX-License-Identifier: MIT */
#include "explore/dense/pieces/disk/disk_files.h"

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
    own->descriptor = scratch_file(files->store, name, flags, true);
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
    scratch_give(files->store, spare->bytes);
    if (renameat(files->store->directory, old_name, files->store->directory, name) != 0) {
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
    bool wanted = files->spares < SPARES_MAX &&
                  renameat(files->store->directory, old_name, files->store->directory, new_name) == 0;
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
        (void)scratch_remove(files->store, name, NULL);
        scratch_give(files->store, spare->bytes);
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
    const int failure = scratch_remove(files->store, name, NULL);
    scratch_give(files->store, file->bytes);
    file->next = NULL;
    disk_file_free(file);
    return failure;
}

/* Runs on a thread of the queue, as seal_file does. */
static int sync_file(void *context)
{
    struct disk_file *file = context;
    return scratch_note(file->files->store, fdatasync(file->descriptor) != 0 ? errno : 0);
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
        renameat(files->store->directory, old_name, files->store->directory, new_name) != 0 ||
        (lasting && fsync(files->store->directory) != 0))
        return errno;
    return 0;
}

/* Runs on a thread of the queue, after all earlier writes. */
static int seal_file(void *context)
{
    struct disk_file *file = context;
    struct disk_files *files = file->files;
    int failure = scratch_noted(files->store);
    if (failure == 0 && file->held > file->bytes && ftruncate(file->descriptor, (off_t)file->bytes) != 0)
        failure = errno;
    if (failure == 0)
        failure = name_file(file, file->lasting);
    while (file->replaced != NULL && failure == 0) {
        struct disk_file *gone = file->replaced;
        file->replaced = gone->next;
        failure = set_aside(gone);
    }
    return scratch_note(files->store, failure);
}

/* ---- what an earlier search left ---- */

static const char endings[2][8] = {".part", ".pieces"};

void disk_files_open(struct disk_files *files, struct scratch_store *store)
{
    files->store = store;
    (void)pthread_mutex_init(&files->lock, NULL);
}

void disk_files_close(struct disk_files *files)
{
    disk_files_drop_spares(files);
    (void)pthread_mutex_destroy(&files->lock);
}

enum pz_status disk_files_clear(struct disk_files *files, struct pz_error *error)
{
    return scratch_store_each(files->store, endings, scratch_remove, NULL, error);
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

struct finding {
    struct disk_files *files;
    struct disk_file *first;
};

static int take_file(struct scratch_store *store, const char *name, void *context)
{
    struct finding *finding = context;
    struct disk_file file = {.descriptor = -1};
    struct stat about;
    int length = 0;
    /* NOLINTNEXTLINE(cert-err34-c): the name was written by name_whole, or is removed */
    if (sscanf(name, "%u-%u-%u.pieces%n", &file.level, &file.first, &file.end, &length) != 3 ||
        length != (int)strlen(name))
        return scratch_remove(store, name, NULL);
    struct disk_file *own = open_file(finding->files, &file, name, 0);
    if (own == NULL)
        return errno;
    if (fstat(own->descriptor, &about) == 0)
        own->bytes = (uint64_t)about.st_size;
    (void)scratch_take(store, own->bytes);
    insert(&finding->first, own);
    return 0;
}

enum pz_status disk_files_find(struct disk_files *files, struct disk_file **out, struct pz_error *error)
{
    struct finding finding = {.files = files};
    const enum pz_status status = scratch_store_each(files->store, endings, take_file, &finding, error);
    *out = finding.first;
    if (status != PZ_OK) {
        disk_file_free(*out);
        *out = NULL;
    }
    return status;
}

void disk_file_close(struct disk_file *file, uint32_t end, struct disk_file *replaced, bool lasting)
{
    file->end = end;
    file->replaced = replaced;
    file->lasting = lasting;
    file->seal = (struct disk_request){.kind = DISK_CALL, .call = seal_file, .context = file};
    disk_queue_submit(file->files->store->queue, &file->seal);
}

void disk_file_make_safe(struct disk_file *file)
{
    for (; file != NULL; file = file->next) {
        file->seal = (struct disk_request){.kind = DISK_CALL, .call = sync_file, .context = file};
        disk_queue_submit(file->files->store->queue, &file->seal);
    }
}
