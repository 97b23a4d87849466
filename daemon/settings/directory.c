/* SPDX-License-Identifier: MIT */
#include "daemon/settings/directory.h"

#include "base/status_word.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

static enum pz_status make_one(const char *path, unsigned mode, struct pz_error *error)
{
    if (mkdir(path, mode) == 0 || errno == EEXIST)
        return PZ_OK;
    int number = errno;
    if (number == ENOENT)
        return pz_fail(error, PZ_STORAGE,
                       "%.200s: the directory above it is not there: mount its disk, or make it", path);
    return status_from_errno(error, number, path);
}

enum pz_status directory_make(const char *path, unsigned mode, bool above, struct pz_error *error)
{
    char part[PATH_MAX];
    enum pz_status status = PZ_OK;
    if (strlen(path) >= sizeof part)
        return pz_fail(error, PZ_STORAGE, "the path is too long: %.200s", path);
    for (const char *slash = strchr(path + 1, '/'); above && slash != NULL && status == PZ_OK;
         slash = strchr(slash + 1, '/')) {
        (void)snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        status = make_one(part, mode, error);
    }
    return status == PZ_OK ? make_one(path, mode, error) : status;
}
