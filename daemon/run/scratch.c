/* SPDX-License-Identifier: MIT */
#include "daemon/run/scratch.h"

#include "base/own_files.h"
#include "base/status_word.h"
#include "daemon/settings/places.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static bool write_scratch_path(const char *base, uint64_t job, char path[SCRATCH_PATH_MAX])
{
    return snprintf(path, SCRATCH_PATH_MAX, "%s/job-%" PRIu64, base, job) < SCRATCH_PATH_MAX;
}

enum pz_status scratch_open(const char *base, int *lock, struct pz_error *error)
{
    enum pz_status status = directory_make(base, 0700, false, error);
    if (status != PZ_OK)
        return status;
    int directory = -1;
    struct pz_error own;
    status = own_directory_open(base, OWN_BY_LINK, &directory, &own);
    if (status != PZ_OK)
        return pz_fail(error, status, "[store] scratch-directory: %.400s", own.text);
    if (flock(directory, LOCK_EX | LOCK_NB) != 0) {
        const int number = errno;
        (void)close(directory);
        if (number != EWOULDBLOCK)
            return status_from_errno(error, number, base);
        return pz_fail(error, PZ_BUSY,
                       "[store] scratch-directory: another puzzled uses %.200s; each needs one of its own",
                       base);
    }
    *lock = directory;
    return PZ_OK;
}

void scratch_end(const char *base, uint64_t job)
{
    char path[SCRATCH_PATH_MAX];
    if (write_scratch_path(base, job, path))
        own_directory_remove(path);
}

void scratch_sweep(const char *base, bool (*will_run)(const void *context, uint64_t job), const void *context)
{
    DIR *directory = opendir(base);
    const struct dirent *entry;
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        char *end = NULL;
        if (strncmp(entry->d_name, "job-", 4) != 0)
            continue;
        uint64_t job = strtoull(entry->d_name + 4, &end, 10);
        if (*end == '\0' && !will_run(context, job))
            scratch_end(base, job);
    }
    if (directory != NULL)
        (void)closedir(directory);
}

/* Bytes of the files in a directory. */
static uint64_t bytes_in(DIR *directory)
{
    uint64_t bytes = 0;
    const struct dirent *entry;
    struct stat about;
    while ((entry = readdir(directory)) != NULL)
        if (entry->d_name[0] != '.' &&
            fstatat(dirfd(directory), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) == 0)
            bytes += (uint64_t)about.st_size;
    return bytes;
}

uint64_t scratch_room(const char *base, uint64_t limit)
{
    struct statvfs disk;
    if (statvfs(base, &disk) != 0)
        return 0;
    return limit > 0 ? limit : (uint64_t)disk.f_bavail * disk.f_frsize / 10 * 9;
}

enum pz_status scratch_begin(const char *base, uint64_t job, uint64_t limit, char path[SCRATCH_PATH_MAX],
                             uint64_t *held, uint64_t *room, struct pz_error *error)
{
    *held = *room = 0;
    if (!write_scratch_path(base, job, path))
        return pz_fail(error, PZ_STORAGE, "the path of scratch space is too long");
    DIR *directory = own_directory_read(path, 0, NULL);
    if (directory == NULL) {
        (void)unlink(path); /* anything else of that name, such as a link; a directory stays */
        if (mkdir(path, 0700) != 0 && errno != EEXIST)
            return status_from_errno(error, errno, path);
        directory = own_directory_read(path, 0, error);
    }
    if (directory == NULL)
        return error->code;
    *held = bytes_in(directory);
    *room = scratch_room(path, limit) + (limit == 0 ? *held : 0);
    (void)closedir(directory);
    return *room > 0 ? PZ_OK : pz_fail(error, PZ_STORAGE_FULL, "%.200s: no space is left", path);
}
