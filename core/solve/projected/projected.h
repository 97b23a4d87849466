/* SPDX-License-Identifier: MIT */
/*
 * Lower bounds of texts, made by the daemon: pattern databases by abstraction (space/text/project). A
 * *collection* is a choice of abstractions. Where a move may count in two of them, only the greater of their
 * distances is taken; groups that no move counts in twice are added up. So the bound is consistent.
 *
 * A database is an array of bytes, one for each key of its abstraction: the distance, cut at a most one, or a
 * mark for states that reach no goal. A collection is written as the numbers of its atoms, from 1:
 * "1-4+5-8|9.11" adds the first pattern to the greater one of the others.
 */
#ifndef PROJECTED_PROJECTED_H
#define PROJECTED_PROJECTED_H

#include "base/budget.h"
#include "explore/control.h"
#include "puzzled/space.h"
#include "solve/orbits/orbit_search.h"
#include "solve/pattern_archive.h"
#include "solve/solve_request.h"

/* The partition text that asks for no databases. */
#define PROJECTED_NONE "none"

struct projected;

struct projected_request {
    const struct pz_space *space; /* must outlive the databases */
    const char *partition;        /* NULL: the best collection that the budget's limits hold */
    bool stored_orbits;           /* only an abstraction by orbits that is in the archive: else PZ_NO_TABLE */
    unsigned threads;
    struct budget *budget;
    const struct pattern_archive *archive; /* NULL, or outlives the databases */
    struct control *control;
};

struct projected_figures {
    char partition[SOLVE_PARTITION_MAX];
    unsigned tables;
    uint64_t bytes, built_bytes; /* of all; of those that were not in the archive */
};

/*
 * Loads the databases from the archive, and builds and saves those that it lacks. PZ_UNSUPPORTED for a space
 * of no text, or one that no abstraction fits, PZ_BAD_REQUEST (no collection of this text), PZ_TOO_LARGE,
 * PZ_MEMORY, PZ_CANCELLED, PZ_LIMIT (deadline).
 */
enum pz_status projected_open(const struct projected_request *request, struct projected **out,
                              struct pz_error *error);
void projected_close(struct projected *projected); /* the thread that opened it; NULL is fine */
void projected_figures(const struct projected *projected, struct projected_figures *out);
/* Writes the tables of abstractions by orbits, which live as long as the databases are open. Returns how
 * many; 0 if the abstractions are others. */
unsigned projected_orbits(const struct projected *projected, struct orbit_table out[ORBIT_TABLES_MAX]);
/* Returns a lower bound of the moves, or costs, from a state to a goal: struct solve_bound's function, whose
 * context is a struct projected. Any thread. */
unsigned projected_bound(const void *context, const void *state);

/* Checks, without building anything, that the space has abstractions, and that the text is a collection. */
enum pz_status projected_check(const struct pz_space *space, const char *partition, struct pz_error *error);
/* Finds the collection that a stored table of that name belongs to; false if it is of another space. */
bool projected_name_partition(const char *name, const struct pz_space *space,
                              char partition[SOLVE_PARTITION_MAX]);
/* Finds the bound of one state without any table in memory. read: see pdb_read_function; its errors are
 * returned. The request needs its space and partition only. */
typedef enum pz_status projected_read(void *context, const char *table, uint64_t at, uint64_t *word,
                                      struct pz_error *error);
enum pz_status projected_look_up(const struct projected_request *request, const void *state,
                                 projected_read *read, void *context, unsigned *value,
                                 struct pz_error *error);

#endif
