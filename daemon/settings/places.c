/* SPDX-License-Identifier: MIT */
#include "daemon/settings/places.h"

#include "base/own_files.h"
#include "base/status_word.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Cuts a path down to its nearest directory that exists. */
static void cut_to_existing(char *path)
{
    char *slash;
    while (access(path, F_OK) != 0 && errno == ENOENT && (slash = strrchr(path, '/')) != NULL)
        slash[slash == path ? 1 : 0] = '\0';
}

static enum pz_status check_place(const struct config *config, const char *section, const char *key,
                                  const char *path, struct pz_error *error)
{
    char there[PATH_MAX];
    if (*path != '/' || snprintf(there, sizeof there, "%s", path) >= (int)sizeof there)
        return PZ_OK; /* the start will say what is wrong */
    cut_to_existing(there);
    if (access(there, W_OK | X_OK) == 0)
        return PZ_OK;
    if (errno == EROFS)
        return config_fail(config, section, key, error,
                           "%.200s is read-only here, by the service's unit in most cases; a drop-in with "
                           "ReadWritePaths=%.200s allows it, see puzzled(8)",
                           there, path);
    return config_fail(config, section, key, error,
                       "user %u may not write to %.200s: %s; it must belong to that user, and lie where the "
                       "service's unit allows it, see puzzled(8)",
                       (unsigned)geteuid(), there, strerrordesc_np(errno));
}

/* A directory that this user may not look for is left to the start. */
static enum pz_status check_exists(const struct config *config, const char *key, const char *path,
                                   struct pz_error *error)
{
    struct stat about;
    if (*path == '\0')
        return PZ_OK;
    int failure = stat(path, &about) == 0 ? 0 : errno;
    if (failure == EACCES)
        return PZ_OK;
    if (failure != 0)
        return config_fail(config, "daemon", key, error, "%.200s: %s", path, strerrordesc_np(failure));
    if (!S_ISDIR(about.st_mode))
        return config_fail(config, "daemon", key, error, "%.200s is no directory", path);
    return PZ_OK;
}

enum pz_status places_check(const struct config *config, struct pz_error *error)
{
    enum pz_status status = check_exists(config, "plugin-directory", config->plugin_directory, error);
    if (status == PZ_OK)
        status = check_exists(config, "definition-directory", config->definition_directory, error);
    if (status != PZ_OK || getenv("STATE_DIRECTORY") == NULL)
        return status;
    status = check_place(config, "daemon", "state-directory", config->state_directory, error);
    if (status == PZ_OK)
        status = check_place(config, "store", "scratch-directory", config->scratch_directory, error);
    return status;
}

/* Only a missing default has its parents made, too: so that a disk that is not mounted is noticed. */
static enum pz_status check_above(const struct config *config, const char *section, const char *key,
                                  const char *path, struct pz_error *error)
{
    char above[PATH_MAX];
    struct stat about;
    if (snprintf(above, sizeof above, "%s", path) >= (int)sizeof above)
        return config_fail(config, section, key, error, "the path is too long: %.200s", path);
    if (*path == '\0' || (stat(dirname(above), &about) != 0 && errno != EACCES))
        return config_fail(config, section, key, error,
                           "%.200s: the directory above it is not there: mount its disk, or make it", path);
    return PZ_OK;
}

static enum pz_status check_own(const struct config *config, const char *section, const char *key,
                                const char *path, unsigned flags, struct pz_error *error)
{
    struct pz_error own;
    struct stat about;
    const int failure = stat(path, &about) == 0 ? 0 : errno;
    if (failure == EACCES)
        return PZ_OK; /* as above */
    if (failure == ENOENT)
        return check_above(config, section, key, path, error);
    if (failure != 0)
        return config_fail(config, section, key, error, "%.200s: %s", path, strerrordesc_np(failure));
    if (!S_ISDIR(about.st_mode))
        return config_fail(config, section, key, error, "%.200s is no directory", path);
    if (getenv("STATE_DIRECTORY") == NULL)
        about.st_uid = geteuid(); /* who checks a file need not be the daemon's user */
    if (own_check(&about, path, flags, &own) != PZ_OK)
        return config_fail(config, section, key, error, "%s", own.text);
    return PZ_OK;
}

enum pz_status places_check_start(const struct config *config, struct pz_error *error)
{
    enum pz_status status = PZ_OK;
    if (*config->plugin_directory != '\0')
        status =
            check_own(config, "daemon", "plugin-directory", config->plugin_directory, OWN_OR_ROOT, error);
    const bool is_made = config_state_is_default(config) && access(config->state_directory, F_OK) != 0;
    if (status == PZ_OK && !is_made)
        status = check_own(config, "daemon", "state-directory", config->state_directory, 0, error);
    if (status == PZ_OK && *config->scratch_directory != '\0')
        status = check_own(config, "store", "scratch-directory", config->scratch_directory, 0, error);
    return status;
}

void place_write(const char *directory, char out[PLACE_TEXT])
{
    char near[PATH_MAX], disk[PATH_MAX], above[PATH_MAX];
    struct stat here, up;
    struct statvfs room = {0};
    (void)snprintf(near, sizeof near, "%s%s", *directory == '/' ? "" : "./", directory);
    cut_to_existing(near);
    if (realpath(near, disk) == NULL)
        memcpy(disk, near, sizeof disk);
    (void)statvfs(disk, &room);
    while (strcmp(disk, "/") != 0 && stat(disk, &here) == 0 &&
           stat(dirname(memcpy(above, disk, sizeof above)), &up) == 0 && here.st_dev == up.st_dev)
        (void)dirname(disk);
    (void)snprintf(out, PLACE_TEXT, "%s, on the disk at %s, %.1fG free", directory, disk,
                   (double)room.f_bavail * (double)room.f_frsize / (1 << 30));
}

enum pz_status places_make_state(const struct config *config, struct pz_error *error)
{
    struct pz_error own;
    const char *path = config->state_directory;
    const bool is_default = config_state_is_default(config);
    const enum pz_status status = directory_make(path, 0700, is_default, is_default ? &own : error);
    if (status == PZ_OK || !is_default)
        return status;
    return pz_fail(error, status, "the database would be in %.200s: %s; --state-dir DIR puts it elsewhere",
                   path, own.text);
}

enum pz_status places_own_state(const struct config *config, struct pz_error *error)
{
    struct pz_error own;
    int directory = -1;
    const enum pz_status status = own_directory_open(config->state_directory, OWN_BY_LINK, &directory, &own);
    if (status != PZ_OK)
        return pz_fail(error, status, "[daemon] state-directory: %.400s", own.text);
    (void)close(directory);
    return PZ_OK;
}

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
