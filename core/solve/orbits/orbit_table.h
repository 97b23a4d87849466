/* SPDX-License-Identifier: MIT */
/*
 * The table of an abstraction by orbits: two bits a key, as the ranked engine stores them (ranked_table.h):
 * the distance modulo 3. Neighbours' distances differ by one at most, so a search that knows a state's knows
 * that of the next one; a first one is found by walking down.
 */
#ifndef ORBITS_ORBIT_TABLE_H
#define ORBITS_ORBIT_TABLE_H

#include "base/budget.h"
#include "explore/control.h"
#include "solve/solve_request.h"
#include "space/text/abstract/orbits.h"

enum { ORBIT_NONE = 3, ORBIT_FARTHEST = 250 };
#define ORBIT_KEYS_MAX    (UINT64_C(1) << 36)  /* 16 GiB */
#define ORBIT_KEYS_CHOSEN (UINT64_C(10) << 30) /* 2.5 GiB; a larger one takes many minutes: it is named */

enum { ORBIT_TABLES_MAX = 4 /* of a search */ };

struct orbit_table {
    struct orbit_walk *walk;
    const uint8_t *bytes;
    bool fresh; /* was made for this question, whose checkpoint is of the table, if there is one */
};

static inline uint64_t orbit_table_bytes(uint64_t keys)
{
    return (keys + 31) / 32 * sizeof(uint64_t);
}

/* Explores the abstraction; checkpoint NULL: begins anew if it was cut off. PZ_TOO_LARGE if the budget is too
 * small, PZ_MEMORY, PZ_CANCELLED, PZ_LIMIT. */
enum pz_status orbit_table_fill(const struct abstraction *abstraction, unsigned threads,
                                struct budget *budget, const struct explore_checkpoint *checkpoint,
                                struct control *control, uint8_t *bytes, struct pz_error *error);

/* Reads what stands at a key; ORBIT_NONE for a state that reaches no goal. */
typedef enum pz_status orbit_read(void *context, uint64_t key, unsigned *residue, struct pz_error *error);
/* Finds the greatest answer to the questions, PZ_HOPELESS where no goal is reached. */
enum pz_status orbit_table_bound(const struct orbit_walk *walk, const void *state, orbit_read *read,
                                 void *context, unsigned *bound, struct pz_error *error);
/* Finds the distance of one question's values; PZ_HOPELESS where no goal is reached. */
enum pz_status orbit_table_distance(const struct orbit_walk *walk, const uint32_t values[TWIST_PARTS_MAX],
                                    orbit_read *read, void *context, unsigned *distance,
                                    struct pz_error *error);

/* ---- the search by such tables: orbit_search.c ---- */

/* A row of solve_run's table, with tables of the request's space: of their bounds the greatest counts.
 * result->partition names them. */
enum pz_status orbit_search_run(const struct solve_request *request, const struct orbit_table *tables,
                                unsigned count, struct control *control, struct solve_result *result,
                                struct pz_error *error);

#endif
