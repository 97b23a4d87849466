/* SPDX-License-Identifier: MIT */
/* Shared by all users of scratch space: opens files, computes seals, translates failures. */
#ifndef EXPLORE_DISK_FILE_CALLS_H
#define EXPLORE_DISK_FILE_CALLS_H

#include "puzzled/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DISK_ALIGN = 4096 /* of offsets, lengths and addresses past the page cache */ };

/* Opens a file of an own directory (base/own_files.h) for reading and writing, past the page cache where the
 * file system can do that. Returns -1 with errno. */
int disk_open_direct(int directory, const char *name, int flags);
/* Reads or writes all the bytes at an offset. Returns an errno: ENODATA where the file is too short. */
int disk_transfer(bool writes, int file, void *bytes, size_t length, uint64_t offset);
/* Returns the XXH3-64 of the bytes. */
uint64_t disk_hash(const void *bytes, size_t length);
/* Translates the errno of a failed call into a status; the text says what was tried. */
enum pz_status disk_failed(int failure, const char *what, struct pz_error *error);

static inline size_t disk_aligned(size_t bytes)
{
    return (bytes + DISK_ALIGN - 1) / DISK_ALIGN * DISK_ALIGN;
}

#endif
