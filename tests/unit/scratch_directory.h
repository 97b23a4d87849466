/* SPDX-License-Identifier: MIT */
/* The scratch directory of a program, and what may happen to its files. */
#ifndef SCRATCH_DIRECTORY_H
#define SCRATCH_DIRECTORY_H

#include "test_support.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

static char scratch[] = "/tmp/test_scratch.XXXXXX";

static inline int make_scratch(void **state)
{
    (void)state;
    return mkdtemp(scratch) != NULL ? 0 : -1;
}

/* Does something, unless act is NULL, to every file whose name has that in it; returns how many there are. */
static inline unsigned each_scratch_file(const char *part, void (*act)(int directory, const char *name))
{
    unsigned count = 0;
    DIR *directory = opendir(scratch);
    const struct dirent *entry;
    assert_non_null(directory);
    while ((entry = readdir(directory)) != NULL) {
        if (entry->d_name[0] == '.' || strstr(entry->d_name, part) == NULL)
            continue;
        if (act != NULL)
            act(dirfd(directory), entry->d_name);
        count++;
    }
    (void)closedir(directory);
    return count;
}

static inline void remove_file(int directory, const char *name)
{
    (void)unlinkat(directory, name, 0);
}

static inline void flip_bit(int directory, const char *name)
{
    uint8_t byte = 0;
    const int file = openat(directory, name, O_RDWR);
    assert_true(file >= 0);
    if (pread(file, &byte, 1, 300) == 1) { /* a level without states has an empty file */
        byte ^= 16;
        assert_int_equal(pwrite(file, &byte, 1, 300), 1);
    }
    (void)close(file);
}

static inline void clear_scratch(void)
{
    (void)each_scratch_file("", remove_file);
}

static inline int remove_scratch(void **state)
{
    (void)state;
    clear_scratch();
    return rmdir(scratch);
}

#endif
