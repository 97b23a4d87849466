/* SPDX-License-Identifier: MIT */
#include "folders.h"

#include "base/own_files.h"
#include "base/status_word.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { CLEAR_TRIES = 600 /* ranks that were killed may write to a slow disk for long */ };
static const struct timespec moment = {.tv_nsec = 100000000};

enum pz_status folders_name(const char *directory, uint64_t job, char path[PATH_MAX], struct pz_error *error)
{
    char folder[32] = "";
    if (job > 0)
        (void)snprintf(folder, sizeof folder, "/job-%" PRIu64, job);
    if (strlen(directory) + sizeof folder + FOLDERS_ROOM >= PATH_MAX)
        return pz_fail(error, PZ_BAD_REQUEST, "--scratch: the path is too long");
    (void)snprintf(path, PATH_MAX - FOLDERS_ROOM, "%s%s", directory, folder);
    return PZ_OK;
}

enum pz_status folders_check(const char *directory, struct pz_error *error)
{
    int folder = -1;
    const enum pz_status status = own_directory_open(directory, OWN_BY_LINK, &folder, error);
    if (status != PZ_OK)
        return status;
    (void)close(folder);
    return PZ_OK;
}

enum pz_status folders_make(const char *path, struct pz_error *error)
{
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return status_from_errno(error, errno, path);
    return PZ_OK;
}

/* ---- locks ---- */

/* *lock becomes the file that holds the lock; -1 after a failure, and with *taken if another run has it. On a
 * file system without locks nobody has it. */
static enum pz_status try_lock(const char *path, int *lock, bool *taken, struct pz_error *error)
{
    const enum pz_status status = own_directory_open(path, 0, lock, error);
    *taken = status == PZ_OK && flock(*lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (*taken) {
        (void)close(*lock);
        *lock = -1;
    }
    return status;
}

/* Returns false if the folder was removed before it was locked, and perhaps made again. */
static bool is_at(const char *path, int file)
{
    struct stat there;
    struct stat locked;
    return lstat(path, &there) == 0 && fstat(file, &locked) == 0 && there.st_ino == locked.st_ino;
}

enum pz_status folders_lock(const char *path, bool may_vanish, int *lock, struct pz_error *error)
{
    bool taken = false;
    enum pz_status status = PZ_OK;
    *lock = -1;
    if (mkdir(path, 0700) == 0 || errno == EEXIST)
        status = try_lock(path, lock, &taken, error);
    else if (errno != ENOENT || !may_vanish)
        return status_from_errno(error, errno, path);
    if (*lock >= 0 && is_at(path, *lock))
        return PZ_OK;
    if (status != PZ_OK && access(path, F_OK) == 0)
        return status;
    if (*lock >= 0)
        (void)close(*lock);
    *lock = -1;
    return pz_fail(error, PZ_BUSY, "%s: another exploration uses it", path);
}

/* ---- the end ---- */

bool folders_remove_ranks(const char *path)
{
    char rank[PATH_MAX];
    const struct dirent *entry;
    bool all = true;
    DIR *folder = own_directory_read(path, OWN_BY_LINK, NULL);
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        bool taken = false;
        int lock = -1;
        if (strncmp(entry->d_name, "rank-", 5) != 0)
            continue;
        (void)snprintf(rank, sizeof rank, "%.*s/%.20s", PATH_MAX - FOLDERS_ROOM, path, entry->d_name);
        (void)try_lock(rank, &lock, &taken, NULL);
        if (!taken)
            own_directory_remove(rank);
        if (lock >= 0)
            (void)close(lock);
        all = all && !taken;
    }
    if (folder != NULL)
        (void)closedir(folder);
    return all;
}

void folders_clear(const char *directory, uint64_t job)
{
    char path[PATH_MAX];
    if (folders_name(directory, job, path, NULL) != PZ_OK)
        return;
    for (unsigned i = 0; i < CLEAR_TRIES; i++) {
        if (folders_remove_ranks(path)) {
            own_directory_remove(path); /* with the place */
            return;
        }
        (void)nanosleep(&moment, NULL); /* others may be clearing, too */
    }
}
