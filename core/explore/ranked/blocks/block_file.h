/* SPDX-License-Identifier: MIT */
/*
 * The blocks of a ranked search in scratch space, for when memory cannot hold them. For each block the file
 * holds the two bits of its states and the active bits of the level that changed it last, with an XXH3 of
 * both.
 *
 * A block has two places in the file. A level writes the block to the place that is not current; the two are
 * exchanged when the level is done. So the file always has the last whole level, and a checkpoint records
 * only which places are current and which level wrote them. A block without a place has no reached state.
 * Blocks are numbered here by their places in a rank's share (block_kernel.h).
 *
 * Blocks go through the page cache: the system keeps those it has memory for, writes behind, and reads ahead
 * when told to.
 *
 * get, put and ahead may be called from any thread, put by the one that makes the block. All else is called
 * by the owner while no one else works.
 */
#ifndef EXPLORE_RANKED_BLOCK_FILE_H
#define EXPLORE_RANKED_BLOCK_FILE_H

#include "puzzled/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct block_file;
struct scratch_store;

/* The directory exists, and is this search's alone; what an earlier one left there stays. disk: bytes that
 * the file may hold; 0 for no limit. words: of a block, with its active bits. */
enum pz_status block_file_new(const char *directory, uint64_t disk, uint64_t blocks, size_t words,
                              struct block_file **out, struct pz_error *error);
void block_file_free(struct block_file *file); /* NULL is fine */
/* Returns the bytes of memory that it takes, and those of scratch space at most. */
uint64_t block_file_memory(uint64_t blocks);
uint64_t block_file_disk(uint64_t blocks, size_t words);

/* Reads a block. After a failure its states are unreached and have no active bits: see block_file_failed.
 * levels: how many of the words are states. */
void block_file_get(struct block_file *file, uint64_t block, uint64_t *words, size_t levels);
/* Reads a block that the level being made has written. */
void block_file_get_made(struct block_file *file, uint64_t block, uint32_t level, uint64_t *words,
                         size_t levels);
/* Writes a block as a level has made it; a second call replaces it. words has room for one more word, here
 * and above.
 */
void block_file_put(struct block_file *file, uint64_t block, uint32_t level, uint64_t *words);
/* Announces that a block will be read soon. */
void block_file_ahead(struct block_file *file, uint64_t block);
/* Returns PZ_OK, or the status and text of the first failed get or put. */
enum pz_status block_file_failed(const struct block_file *file, struct pz_error *error);

/* Ends a level: the places that were written become current. */
void block_file_end_level(struct block_file *file, uint32_t level);
/* Makes the current places safe on the disk. Returns false if that fails. */
bool block_file_sync(struct block_file *file);
/* Returns the table of the blocks' places; block_file_places_bytes is its size. A checkpoint saves it, also
 * within a level. To resume, it overwrites the table and then calls block_file_take_places. */
void *block_file_places(struct block_file *file);
uint64_t block_file_places_bytes(uint64_t blocks);
void block_file_take_places(struct block_file *file);
/* Returns the store, for its figures. */
const struct scratch_store *block_file_store(const struct block_file *file);

#endif
