/* SPDX-License-Identifier: MIT */
#include "directory.h"

#include "base/status.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum pz_status directory_make(const char *path, unsigned mode, struct pz_error *error)
{
    char part[PATH_MAX];
    if (strlen(path) >= sizeof part)
        return pz_fail(error, PZ_STORAGE, "the path is too long: %.200s", path);
    for (const char *slash = path; slash != NULL;) {
        slash = strchr(slash + 1, '/');
        (void)snprintf(part, sizeof part, "%.*s",
                       (int)(slash != NULL ? slash - path : (ptrdiff_t)strlen(path)), path);
        if (mkdir(part, mode) != 0 && errno != EEXIST) {
            int number = errno;
            return status_from_errno(error, number, part);
        }
    }
    return PZ_OK;
}

enum pz_status directory_is_own(const char *path, struct pz_error *error)
{
    struct stat about;
    if (lstat(path, &about) != 0) {
        int number = errno;
        return status_from_errno(error, number, path);
    }
    if (!S_ISDIR(about.st_mode) || about.st_uid != geteuid())
        return pz_fail(error, PZ_STORAGE, "%.200s is not a directory of your own: choose another place",
                       path);
    return PZ_OK;
}
