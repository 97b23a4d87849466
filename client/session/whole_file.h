/* SPDX-License-Identifier: MIT */
/* A file that is written as a whole or not at all: a failure, or Ctrl-C, leaves what was there before. */
#ifndef WHOLE_FILE_H
#define WHOLE_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

struct whole_file {
    FILE *file;
    const char *path;
    char part[PATH_MAX]; /* PATH.part, which gets the name at the end; "" where the path itself is written */
};

/* Opens a file for writing: a pipe, a device or a link as it is, else under another name. Returns false, with
 * errno, if that cannot be. The path must stay. */
bool whole_file_open(struct whole_file *file, const char *path);
/* Closes it. If all was written it gets its name, else it is removed. Returns false, with errno, if it is not
 * there then. */
bool whole_file_end(struct whole_file *file, bool written);

#endif
