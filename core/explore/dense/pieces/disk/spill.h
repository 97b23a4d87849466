/* SPDX-License-Identifier: MIT */
/*
 * Byte strings in scratch space, for when memory is full. There are two sets: one is written while the other
 * is read. A string's pages are given back when it has been read, those of the others when their set is
 * dropped at once. The files have no names, so the end of the process removes them. They go through the page
 * cache: the system writes behind, and reads ahead when told to.
 *
 * put, get and ahead may be called from any thread. All else is called by the owner while no one else works.
 */
#ifndef EXPLORE_PIECES_SPILL_H
#define EXPLORE_PIECES_SPILL_H

#include "puzzled/status.h"

#include <stdint.h>

enum { SPILL_UNIT = 512 /* strings begin at multiples of it */ };

struct spill;

struct scratch_store;

/* The store outlives it, and counts its bytes. */
enum pz_status spill_new(struct scratch_store *store, struct spill **out, struct pz_error *error);
void spill_free(struct spill *spill); /* NULL is fine */

/* Adds a string to a set; *unit says where it lies. Returns an errno; ENOSPC also where units run out. */
int spill_put(struct spill *spill, unsigned set, const void *bytes, uint32_t length, uint32_t *unit);
/* Reads a string back, once: its room is given back. Returns an errno; EBADMSG if it is damaged. */
int spill_get(struct spill *spill, unsigned set, uint32_t unit, uint32_t length, void *bytes);
/* Announces that a string will be read soon. */
void spill_ahead(struct spill *spill, unsigned set, uint32_t unit, uint32_t length);
/* Drops all strings of a set. */
void spill_clear(struct spill *spill, unsigned set);

#endif
