/* SPDX-License-Identifier: MIT */
/*
 * The plan of an exploration: what a question comes to in a place, decided once, before it waits, runs, is
 * only estimated, or goes to the ranks of a cluster. All of these read it, and nobody changes it: the same
 * question has the same space, engine, memory and cost everywhere. Any thread may make one, but opening a
 * space may take long.
 */
#ifndef EXPLORE_QUESTION_PLAN_H
#define EXPLORE_QUESTION_PLAN_H

#include "explore/explore.h"

/* What a place offers to explorations. */
struct plan_offer {
    enum engine engine; /* what ENGINE_AUTO means there; on ranks RANKED, which takes few spaces, is AUTO */
    unsigned threads;   /* most that one may take, at least 1 */
    uint64_t memory;    /* bytes for all of them together */
    uint64_t share;     /* most of these that one may take */
    uint64_t disk;      /* most bytes of scratch space that one may take; 0: not known */
};

/* For a plan that is only read, and never run. */
extern const struct plan_offer plan_offer_any;

struct question_plan {
    struct pz_space *canonical;       /* owned; NULL where the question's own space is searched */
    uint64_t root[PZ_STATE_MAX / 8];  /* of the searched space */
    struct explore_request request;   /* engine is never AUTO. A run adds its budget, seed, scratch, … */
    struct explore_estimate estimate; /* of that request */
    enum engine wanted;               /* by its name; AUTO if none was asked for */
    uint64_t memory;                  /* bytes that it may take */
    uint64_t need;                    /* bytes that suffice for it; 0: not known */
    uint64_t reserve;                 /* bytes to set aside for it while it runs */
    uint64_t room;                    /* bytes of scratch space that it may take; 0: not known */
    /* Bytes of scratch space that it will come to take, its room where nobody knows; 0 for none. */
    uint64_t disk;
};

enum { PLAN_RANKS_BYTES = 16 << 20 }; /* that a job takes here whose search is on the ranks of a cluster */

/* Returns the threads that a job may take; asked 0: all. */
unsigned plan_threads(const struct plan_offer *offer, unsigned asked);
/* Returns the bytes that it may take; asked 0: its part of the memory, that of its threads. */
uint64_t plan_memory(const struct plan_offer *offer, uint64_t asked, unsigned threads);
/* Returns the bytes of scratch space that a request of a known engine may take, where there are so many for
 * it; 0: not known. A table that grows with the search needs about as much room in the database, which
 * usually lies on the same disk: such a search leaves one half, unless the request says how much it may take.
 */
uint64_t plan_room(const struct explore_request *request, uint64_t disk);
/*
 * Makes the plan of a question. asked->space and asked->root are the question's own, and the space must
 * outlive the plan; asked->threads is 0 if it leaves them open; asked->cluster: ranks search, and memory and
 * threads are those of this place, which only listens. memory: as plan_memory's
 * asked. Fails as explore_check_memory does if no engine can do it, but for want of
 * memory; then nothing is left to clear.
 */
enum pz_status question_plan_init(struct question_plan *plan, const struct explore_request *asked,
                                  uint64_t memory, const struct plan_offer *offer, struct pz_error *error);
void question_plan_clear(struct question_plan *plan); /* zeroed memory is fine */
/*
 * Returns PZ_TOO_LARGE if the exploration cannot begin within the plan's memory, if it would make a table in
 * more scratch space than its room, or if all states are asked for, by no engine's name, and are known to be
 * more than the memory, and the scratch space where that is used, hold. The text says what fits (advice.h).
 * Of ranks only more than 2^64 states are refused: what they hold is not known here.
 */
enum pz_status question_plan_check(const struct question_plan *plan, struct pz_error *error);

#endif
