/* SPDX-License-Identifier: MIT */
/*
 * The files of a scratch directory. Each holds the pieces of some groups of a level. A file that is whole
 * and safe on the disk is renamed to its level, its first group and the group after its last one. Only then
 * are the files that it replaces removed. So at any time the files with such names show how far the search
 * has come. A few replaced files are kept as spares and overwritten: that is faster than freeing their
 * blocks and allocating others. All functions are called by the owner; the queue's threads seal and remove
 * files.
 */
#ifndef EXPLORE_PIECES_DISK_FILES_H
#define EXPLORE_PIECES_DISK_FILES_H

#include "explore/disk/scratch_store.h"

#include <pthread.h>

struct disk_files {
    struct scratch_store *store; /* its failure is that of a file that could not be made safe */
    pthread_mutex_t lock;        /* guards the spares */
    struct disk_file *spare;
    unsigned spares;
};

struct disk_file {
    struct disk_files *files;
    int descriptor;
    uint32_t level;
    uint32_t first, end; /* groups; end is set when it is closed */
    uint64_t bytes;
    uint64_t held;              /* bytes that it had before as a spare */
    struct disk_file *next;     /* of the level, ascending */
    struct disk_file *replaced; /* files to be removed when this one is safe */
    struct disk_request seal;
    bool lasting; /* it is made safe when it is closed */
};

/* The files in the store's directory stay. */
void disk_files_open(struct disk_files *files, struct scratch_store *store);
/* Removes the spares. */
void disk_files_close(struct disk_files *files);
/* Removes the files of an earlier search. */
enum pz_status disk_files_clear(struct disk_files *files, struct pz_error *error);
/* Opens the whole files that an earlier search left and removes the others. *out is a list in ascending order
 * of levels and groups. */
enum pz_status disk_files_find(struct disk_files *files, struct disk_file **out, struct pz_error *error);

/* Removes the spares. */
void disk_files_drop_spares(struct disk_files *files);

/* Makes a file for reading and writing, past the page cache if possible, or takes a spare. Returns NULL on
 * failure; errno says why. */
struct disk_file *disk_file_new(struct disk_files *files, uint32_t level, uint32_t first);
/* When all that was submitted is written: makes a file safe if it is lasting, names it, and removes those
 * it replaces or makes spares of them. */
void disk_file_close(struct disk_file *file, uint32_t end, struct disk_file *replaced, bool lasting);
/* Makes the bytes of a list of whole files safe on the disk, before any file that is closed later. Their
 * names become safe together with the name of that file. */
void disk_file_make_safe(struct disk_file *file);
/* Removes a whole file from the disk, and frees it. Returns an errno. */
int disk_file_remove(struct disk_file *file);
/* Closes the whole list and leaves it on the disk. */
void disk_file_free(struct disk_file *file);

#endif
