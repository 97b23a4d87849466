/* SPDX-License-Identifier: MIT */
#include "scratch.h"

#include "directory.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

void scratch_end(const char *path)
{
    DIR *directory = opendir(path);
    const struct dirent *entry;
    while (directory != NULL && (entry = readdir(directory)) != NULL)
        if (entry->d_name[0] != '.')
            (void)unlinkat(dirfd(directory), entry->d_name, 0);
    if (directory != NULL)
        (void)closedir(directory);
    (void)rmdir(path);
}

enum pz_status scratch_open(const char *base, struct pz_error *error)
{
    char path[SCRATCH_PATH_MAX];
    enum pz_status status = directory_make(base, 0700, false, error);
    DIR *directory = status == PZ_OK ? opendir(base) : NULL;
    const struct dirent *entry;
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        if (strncmp(entry->d_name, "job-", 4) != 0)
            continue;
        if (snprintf(path, sizeof path, "%s/%s", base, entry->d_name) < SCRATCH_PATH_MAX)
            scratch_end(path);
    }
    if (directory != NULL)
        (void)closedir(directory);
    return status;
}

uint64_t scratch_begin(const char *base, uint64_t job, uint64_t limit, char path[SCRATCH_PATH_MAX])
{
    struct statvfs disk;
    if (snprintf(path, SCRATCH_PATH_MAX, "%s/job-%" PRIu64, base, job) >= SCRATCH_PATH_MAX)
        return 0;
    scratch_end(path);
    if (mkdir(path, 0700) != 0 || statvfs(path, &disk) != 0)
        return 0;
    uint64_t free_bytes = (uint64_t)disk.f_bavail * disk.f_frsize;
    return limit > 0 ? limit : free_bytes / 10 * 9;
}
