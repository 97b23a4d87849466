/* SPDX-License-Identifier: MIT */
/*
 * The runs of a ranked search in scratch space, for when memory cannot hold them. For each run the file
 * holds the two bits of its states and the active bits of the level that changed it last, with an XXH3 of
 * both.
 *
 * A run has two places in the file. A level writes the run to the place that is not current; the two are
 * exchanged when the level is done. So the file always has the last whole level, and a checkpoint records
 * only which places are current and which level wrote them. A run without a place has no reached state. Runs
 * are numbered here by their places in a rank's share (run_share.h).
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
struct scratch_store;

/* The directory exists, and is this search's alone; what an earlier one left there stays. disk: bytes that
 * the file may hold; 0 for no limit. words: of a run, with its active bits. */
enum pz_status run_file_new(const char *directory, uint64_t disk, uint64_t runs, size_t words,
                            struct run_file **out, struct pz_error *error);
void run_file_free(struct run_file *file); /* NULL is fine */
/* Returns the bytes of memory that it takes, and those of scratch space at most. */
uint64_t run_file_memory(uint64_t runs);
uint64_t run_file_disk(uint64_t runs, size_t words);

/* Reads a run. After a failure its states are unreached and have no active bits: see run_file_failed. levels:
 * how many of the words are states. */
void run_file_get(struct run_file *file, uint64_t run, uint64_t *words, size_t levels);
/* Reads a run that the level being made has written. */
void run_file_get_made(struct run_file *file, uint64_t run, uint32_t level, uint64_t *words, size_t levels);
/* Writes a run as a level has made it; a second call replaces it. words has room for one more word, here and
 * above.
 */
void run_file_put(struct run_file *file, uint64_t run, uint32_t level, uint64_t *words);
/* Announces that a run will be read soon. */
void run_file_ahead(struct run_file *file, uint64_t run);
/* Returns PZ_OK, or the status and text of the first failed get or put. */
enum pz_status run_file_failed(const struct run_file *file, struct pz_error *error);

/* Ends a level: the places that were written become current. */
void run_file_end_level(struct run_file *file, uint32_t level);
/* Makes the current places safe on the disk. Returns false if that fails. */
bool run_file_sync(struct run_file *file);
/* Returns the table of the runs' places; run_file_places_bytes is its size. A checkpoint saves it, also
 * within a level. To resume, it overwrites the table and then calls run_file_take_places. */
void *run_file_places(struct run_file *file);
uint64_t run_file_places_bytes(uint64_t runs);
void run_file_take_places(struct run_file *file);
/* Returns the store, for its figures. */
const struct scratch_store *run_file_store(const struct run_file *file);

#endif
