/* SPDX-License-Identifier: MIT */
/*
 * Lower bounds of texts, made by the daemon: pattern databases by abstraction (space/text/abstract). A
 * *collection* is a choice of abstractions. Where a move may count in two of them, only the greater of their
 * distances is taken; groups that no move counts in twice are added up. So the bound is consistent.
 *
 * A database is an array of bytes, one for each key of its abstraction: the distance, cut at a most one, or a
 * mark for states that reach no goal. A collection is written as the numbers of its atoms, from 1:
 * "1-4+5-8|9.11" adds the first pattern to the greater one of the others.
 */
#ifndef ABSTRACTION_ABSTRACTIONS_H
#define ABSTRACTION_ABSTRACTIONS_H

#include "base/budget.h"
#include "explore/control.h"
#include "puzzled/space.h"
#include "solve/orbits/orbit_table.h"
#include "solve/solver.h"
#include "space/text/abstract/abstraction.h"

/* The partition text that asks for no databases. */
#define ABSTRACTIONS_NONE "none"

struct abstractions;

struct abstractions_request {
    const struct pz_space *space; /* must outlive the databases */
    const char *partition;        /* NULL: the best collection that the budget's limits hold */
    bool stored_orbits;           /* only an abstraction by orbits that is in the archive: else PZ_NO_TABLE */
    unsigned threads;
    struct budget *budget;
    const struct explore_checkpoint *checkpoint; /* of an abstraction by orbits that is built; or NULL */
    const struct pattern_archive *archive;       /* NULL, or outlives the databases */
    struct control *control;
};

struct abstractions_figures {
    char partition[SOLVE_PARTITION_MAX];
    unsigned tables;
    uint64_t bytes, built_bytes; /* of all; of those that were not in the archive */
};

/*
 * Loads the databases from the archive, and builds and saves those that it lacks. PZ_UNSUPPORTED for a space
 * of no text, or one that no abstraction fits, PZ_BAD_REQUEST (no collection of this text), PZ_TOO_LARGE,
 * PZ_MEMORY, PZ_CANCELLED, PZ_LIMIT (deadline).
 */
enum pz_status abstractions_open(const struct abstractions_request *request, struct abstractions **out,
                                 struct pz_error *error);
void abstractions_close(struct abstractions *abstractions); /* the thread that opened it; NULL is fine */
void abstractions_figures(const struct abstractions *abstractions, struct abstractions_figures *out);
/* Writes the tables of abstractions by orbits, which live as long as the databases are open. Returns how
 * many; 0 if the abstractions are others. */
unsigned abstractions_orbits(const struct abstractions *abstractions,
                             struct orbit_table out[ORBIT_TABLES_MAX]);
/* Returns a lower bound of the moves, or costs, from a state to a goal: struct solve_bound's function, whose
 * context is a struct abstractions. Any thread. */
unsigned abstractions_bound(const void *context, const void *state);

/* Checks, without building anything, that the space has abstractions, and that the text is a collection. */
enum pz_status abstractions_check(const struct pz_space *space, const char *partition,
                                  struct pz_error *error);
/* Finds the collection that a stored table of that name belongs to; false if it is of another space. */
bool abstractions_name_partition(const char *name, const struct pz_space *space,
                                 char partition[SOLVE_PARTITION_MAX]);
/* Finds the bound of one state without any table in memory. read: see pdb_read_function; its errors are
 * returned. The request needs its space and partition only. */
typedef enum pz_status abstractions_read(void *context, const char *table, uint64_t at, uint64_t *word,
                                         struct pz_error *error);
enum pz_status abstractions_look_up(const struct abstractions_request *request, const void *state,
                                    abstractions_read *read, void *context, unsigned *value,
                                    struct pz_error *error);

/* ---- for the files of this room: a collection of abstractions, and its text ---- */

enum { COLLECTION_MAX = 16 };

struct pattern_collection {
    unsigned count;
    uint64_t atoms[COLLECTION_MAX];
    uint8_t group[COLLECTION_MAX]; /* ascending. Groups are added up, in one the greatest counts */
    char text[SOLVE_PARTITION_MAX];
};

/* Cuts the atoms, in their order, into patterns as large as so many bytes for all of them allow. Returns
 * false if there is none. */
bool collection_choose(const struct abstractor *abstractor, uint64_t bytes,
                       struct pattern_collection *collection);
/* Leaves out a pattern; there must be another one. The others come in groups of their own, in another order.
 */
void collection_drop(const struct abstractor *abstractor, struct pattern_collection *collection,
                     unsigned number);
/* Reads the text of a collection, in which '+' and '|' are the same: abstractions decide which it is. */
enum pz_status collection_parse(const struct abstractor *abstractor, const char *text,
                                struct pattern_collection *collection, struct pz_error *error);

/* ---- for the files of this room: the database of an abstraction ---- */

enum {
    TABLE_FARTHEST = 254, /* distances beyond are cut */
    TABLE_DEAD = 255      /* no goal can be reached */
};

/* Fills a byte for each key. PZ_OK, PZ_TOO_LARGE if the budget is too small, PZ_MEMORY, PZ_CANCELLED,
 * PZ_LIMIT (deadline). */
enum pz_status abstraction_table_fill(const struct abstraction *abstraction, unsigned threads,
                                      struct budget *budget, struct control *control, uint8_t *bytes,
                                      struct pz_error *error);

#endif
