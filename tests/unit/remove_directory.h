/* SPDX-License-Identifier: MIT */
/* Removes a directory that has files only. */
#ifndef REMOVE_DIRECTORY_H
#define REMOVE_DIRECTORY_H

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

/* Returns 0, or -1 if it is still there. */
static inline int remove_directory(const char *path)
{
    DIR *directory = opendir(path);
    const struct dirent *entry;
    while (directory != NULL && (entry = readdir(directory)) != NULL)
        (void)unlinkat(dirfd(directory), entry->d_name, 0);
    if (directory != NULL)
        (void)closedir(directory);
    return rmdir(path);
}

#endif
