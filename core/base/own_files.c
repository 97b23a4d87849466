/* SPDX-License-Identifier: MIT */
#include "base/own_files.h"

#include "base/status_word.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

enum pz_status own_check(const struct stat *about, const char *name, unsigned flags, struct pz_error *error)
{
    const uid_t self = geteuid();
    const bool or_root = (flags & OWN_OR_ROOT) != 0;
    if (about->st_uid != self && !(or_root && about->st_uid == 0))
        return pz_fail(error, PZ_UNSUPPORTED, "%.200s belongs to user %u: it must belong to %suser %u", name,
                       (unsigned)about->st_uid, or_root ? "root or to " : "", (unsigned)self);
    if ((about->st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return pz_fail(error, PZ_UNSUPPORTED, "%.200s may be written by others (mode %04o): chmod go-w it",
                       name, (unsigned)(about->st_mode & 07777));
    return PZ_OK;
}

enum pz_status own_directory_open(const char *path, unsigned flags, int *out, struct pz_error *error)
{
    struct stat about;
    enum pz_status status = PZ_OK;
    *out = -1;
    const int follow = (flags & OWN_BY_LINK) != 0 ? 0 : O_NOFOLLOW;
    const int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | follow);
    if (directory < 0)
        return status_from_errno(error, errno, path);
    if (fstat(directory, &about) != 0)
        status = status_from_errno(error, errno, path);
    else
        status = own_check(&about, path, flags, error);
    if (status == PZ_OK)
        *out = directory;
    else
        (void)close(directory);
    return status;
}

DIR *own_directory_read(const char *path, unsigned flags, struct pz_error *error)
{
    int directory = -1;
    if (own_directory_open(path, flags, &directory, error) != PZ_OK)
        return NULL;
    DIR *entries = fdopendir(directory);
    if (entries == NULL) {
        (void)status_from_errno(error, errno, path);
        (void)close(directory);
    }
    return entries;
}

void own_directory_remove(const char *path)
{
    DIR *entries = own_directory_read(path, 0, NULL);
    const struct dirent *entry;
    while (entries != NULL && (entry = readdir(entries)) != NULL)
        (void)unlinkat(dirfd(entries), entry->d_name, 0);
    if (entries != NULL)
        (void)closedir(entries);
    else
        (void)unlink(path);
    (void)rmdir(path);
}

/* Returns 0, or an errno for what is no regular file with one name. */
static int plain_file(int file)
{
    struct stat about;
    if (fstat(file, &about) != 0)
        return errno;
    if (S_ISDIR(about.st_mode))
        return EISDIR;
    return S_ISREG(about.st_mode) && about.st_nlink == 1 ? 0 : EPERM;
}

int own_file_open(int directory, const char *name, int flags)
{
    assert(name[0] != '/');
    /* Nothing is cut short, and no pipe waited for, before it is known what it is. */
    const int file = openat(directory, name, (flags & ~O_TRUNC) | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    if (file < 0)
        return -1;
    int failure = plain_file(file);
    if (failure == 0 && (flags & O_TRUNC) != 0 && ftruncate(file, 0) != 0)
        failure = errno;
    if (failure == 0)
        return file;
    (void)close(file);
    errno = failure;
    return -1;
}

int directory_sync(const char *path)
{
    char copy[PATH_MAX];
    if (snprintf(copy, sizeof copy, "%s", path) >= (int)sizeof copy)
        return ENAMETOOLONG;
    const int directory = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0)
        return errno;
    const int code = fsync(directory) == 0 ? 0 : errno;
    (void)close(directory);
    return code;
}

void descriptors_raise(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}
