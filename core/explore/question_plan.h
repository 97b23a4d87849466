/* SPDX-License-Identifier: MIT */
/*
 * The plan of an exploration: which space, engine, memory and cost a question gets. It is decided once, and
 * then never changed. The queue, the run, the estimate and the ranks of a cluster all read it, so a question
 * means the same everywhere. Any thread may make a plan, but opening a space may take long.
 */
#ifndef EXPLORE_QUESTION_PLAN_H
#define EXPLORE_QUESTION_PLAN_H

#include "explore/explore.h"

/* The means that a daemon or a rank offers to explorations. */
struct plan_offer {
    enum engine engine; /* what ENGINE_AUTO means there; on ranks RANKED, which takes few spaces, is AUTO */
    unsigned threads;   /* most that one may take, at least 1 */
    uint64_t memory;    /* bytes for all of them together */
    uint64_t share;     /* most of these that one may take */
    uint64_t disk;      /* most bytes of scratch space that one may take; 0: not known */
};

/* For a plan that is never run. */
extern const struct plan_offer plan_offer_any;

struct question_plan {
    struct pz_space *canonical;       /* owned; NULL where the question's own space is searched */
    uint64_t root[PZ_STATE_MAX / 8];  /* of the searched space; of several, which request.root has, one */
    struct explore_request request;   /* engine is never AUTO. A run adds its budget, seed, scratch, … */
    struct explore_estimate estimate; /* of that request */
    enum engine wanted;               /* by its name; AUTO if none was asked for */
    uint64_t memory;                  /* bytes that it may take */
    uint64_t need;                    /* bytes that suffice for it; 0: not known */
    uint64_t reserve;                 /* bytes to set aside for it while it runs */
    uint64_t room;                    /* bytes of scratch space that it may take; 0: not known */
    /* Bytes of scratch space that it will take; its room if that is not known; 0 for none. */
    uint64_t disk;
};

enum { PLAN_RANKS_BYTES = 16 << 20 }; /* memory that a job takes here while the ranks of a cluster search */

/* Returns the threads that a job may take; asked 0: all. */
unsigned plan_threads(const struct plan_offer *offer, unsigned asked);
/* Returns the bytes of memory that a job may take; asked 0: a share in proportion to its threads. */
uint64_t plan_memory(const struct plan_offer *offer, uint64_t asked, unsigned threads);
/* Returns how many of `disk` bytes of scratch space a request of a known engine may take; 0: not known. A
 * table that grows with the search needs about as much room in the database, which usually is on the same
 * disk. Such a search takes half, unless the request says how much it may take.
 */
uint64_t plan_room(const struct explore_request *request, uint64_t disk);
/*
 * Makes the plan of a question. asked->space and asked->root are the question's own, and the space must
 * outlive the plan; asked->threads is 0 if it leaves them open. With asked->cluster the ranks search; memory
 * and threads are those of this process, which only listens. memory: as plan_memory's asked. Fails as
 * explore_check_memory does if no engine can do it, but not for lack of memory; after a failure there is
 * nothing to clear.
 */
enum pz_status question_plan_init(struct question_plan *plan, const struct explore_request *asked,
                                  uint64_t memory, const struct plan_offer *offer, struct pz_error *error);
/* For a plan that is never run: the estimate of a request with a depth becomes one of the levels up to it.
 * Expands some tens of thousands of states. */
void question_plan_estimate_depth(struct question_plan *plan);
void question_plan_clear(struct question_plan *plan); /* zeroed memory is fine */
/*
 * Returns PZ_TOO_LARGE if the exploration cannot begin within the plan's memory, or if its table would need
 * more scratch space than its room. Also if the request asks for all states, names no engine, and the number
 * of states is known to be more than memory and scratch space hold. The text says what would fit (advice.h).
 * For ranks only more than 2^64 states are refused, because their memory is not known here.
 */
enum pz_status question_plan_check(const struct question_plan *plan, struct pz_error *error);
/* Adds to a refusal what would fit so much memory and scratch space (0: not known). */
void question_plan_advise(const struct question_plan *plan, uint64_t memory, uint64_t room,
                          struct pz_error *error);

#endif
