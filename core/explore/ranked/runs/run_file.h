/* SPDX-License-Identifier: MIT */
/*
 * The runs of a ranked search in scratch space, where memory does not hold them. Of each run the file has the
 * two bits of its states and the marks of the level that changed it last, with an XXH3 of both.
 *
 * A run has two places in the file. What a level makes of it goes to the one that is not current; the two are
 * exchanged when the level is done. So the file always has the last whole level, and a checkpoint needs only
 * to know which places are current, and which level put them. Of a run without a place no state is reached.
 * Runs are numbered here by their places in a rank's share (run_share.h).
 *
 * Runs go through the page cache: the system keeps those it has memory for, writes behind, and reads ahead
 * when told to.
 *
 * get, put and ahead may be called from any thread, put by the one that makes the run. All else is called by
 * the owner while no one else works.
 */
#ifndef EXPLORE_RANKED_RUN_FILE_H
#define EXPLORE_RANKED_RUN_FILE_H

#include "puzzled/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct run_file;

struct run_file_figures {
    uint64_t bytes; /* of places that were written */
    uint64_t written, read;
};

/* The directory exists, and is this search's alone; what an earlier one left there stays. limit: bytes that
 * the file may hold; UINT64_MAX for no limit. words: of a run, with its marks. */
enum pz_status run_file_new(const char *directory, uint64_t limit, uint64_t runs, size_t words,
                            struct run_file **out, struct pz_error *error);
void run_file_free(struct run_file *file); /* NULL is fine */
/* Returns the bytes of memory that it takes, and those of scratch space at most. */
uint64_t run_file_memory(uint64_t runs);
uint64_t run_file_disk(uint64_t runs, size_t words);

/* Reads a run. After a failure its states are unreached and have no marks: see run_file_failed. levels: how
 * many of the words are states. */
void run_file_get(struct run_file *file, uint64_t run, uint64_t *words, size_t levels);
/* Reads what the level that is being made has put. */
void run_file_get_made(struct run_file *file, uint64_t run, uint32_t level, uint64_t *words, size_t levels);
/* Writes what a level made of a run; once more replaces it. The words have room for one more, here and above.
 */
void run_file_put(struct run_file *file, uint64_t run, uint32_t level, uint64_t *words);
/* Says that a run will be read soon. */
void run_file_ahead(struct run_file *file, uint64_t run);
/* Returns PZ_OK, or what a get or put has met since the file was made, with its text. */
enum pz_status run_file_failed(const struct run_file *file, struct pz_error *error);

/* Ends a level: what was put is current. */
void run_file_turn(struct run_file *file, uint32_t level);
/* Makes what is current safe on the disk. Returns false if that fails. */
bool run_file_sync(struct run_file *file);
/* Returns what is known of the runs' places, so many bytes. A checkpoint keeps them, within a level too, or
 * sets them and then calls take_places. */
void *run_file_places(struct run_file *file);
uint64_t run_file_places_bytes(uint64_t runs);
void run_file_take_places(struct run_file *file);
void run_file_figures(const struct run_file *file, struct run_file_figures *out);

#endif
