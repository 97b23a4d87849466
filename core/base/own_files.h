/* SPDX-License-Identifier: MIT */
/*
 * Directories and files that nobody else may change. Where others may write to a directory, any name in it
 * can become a link to somebody's file between two calls, and what was written can be exchanged. So whoever
 * keeps files asks once whether the directory is its own, and opens them by own_file_open, which follows no
 * link.
 */
#ifndef BASE_OWN_FILES_H
#define BASE_OWN_FILES_H

#include "puzzled/status.h"

#include <dirent.h>
#include <sys/stat.h>

enum own_flag {
    OWN_OR_ROOT = 1, /* what belongs to root is fine, too */
    OWN_BY_LINK = 2  /* somebody who may do so chose the path: a link is followed to the directory */
};

/* Refuses what belongs to another user, or what others may write to. flags: of enum own_flag. */
enum pz_status own_check(const struct stat *about, const char *name, unsigned flags, struct pz_error *error);
/* Opens a directory that passes own_check. The caller closes *out, which is -1 after a failure. */
enum pz_status own_directory_open(const char *path, unsigned flags, int *out, struct pz_error *error);
/* Opens such a directory to read its entries, which closedir ends. Returns NULL if it is none. */
DIR *own_directory_read(const char *path, unsigned flags, struct pz_error *error);
/* Removes such a directory with its files. Anything else of that name is removed, too, but for a directory.
 */
void own_directory_remove(const char *path);
/* Opens a regular file in such a directory, by openat's flags; a new one has mode 0600. Returns -1 with errno
 * for a failure and for all that is no regular file of one name: a link, a directory, a device, a pipe. */
int own_file_open(int directory, const char *name, int flags);

/* Makes the names in the directory of a path durable. Returns an errno value. */
int directory_sync(const char *path);

/* Raises this process's limit of open files as far as the system allows: connections, and files of scratch
 * space, have limits of their own. To be called before threads start. */
void descriptors_raise(void);

#endif
