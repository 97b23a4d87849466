/* SPDX-License-Identifier: MIT */
/* Kinds and states of jobs, with their words, and what the daemon itself asks of a job that has ended. Stored
 * as numbers: append only. protocol/ uses them, too. */
#ifndef STORE_JOB_FACTS_H
#define STORE_JOB_FACTS_H

#include "explore/explore.h"
#include "solve/solve_words.h"

enum job_kind { JOB_EXPLORE, JOB_SOLVE, JOB_PDB, JOB_KIND_COUNT };
#define JOB_KIND_WORDS "explore", "solve", "pdb"

enum job_state { JOB_QUEUED, JOB_RUNNING, JOB_DONE, JOB_STOPPED, JOB_FAILED, JOB_CANCELLED, JOB_STATE_COUNT };
#define JOB_STATE_WORDS "queued", "running", "done", "stopped", "failed", "cancelled"

const char *job_kind_word(enum job_kind kind);
const char *job_state_word(enum job_state state);
static inline bool job_state_ended(enum job_state state)
{
    return state >= JOB_DONE;
}

/* A job's result: each field that the daemon itself reads. Later requests of the same question are compared
 * with them, estimates are made from them, JOBS and RESULT report them. All 0 until the job has ended. */
struct job_facts {
    uint64_t memory_limit;   /* bytes that a stopped job had, or a grade that lacks figures; else 0 */
    double time_limit;       /* seconds that such a job had; 0 for no limit */
    uint32_t table_levels;   /* levels in the table that it made or found; 0 for no table */
    bool evicted;            /* that table was removed to make room */
    bool elsewhere;          /* it ran on another machine, and came with a dump */
    double seconds;          /* of the search */
    enum stop_reason reason; /* STOP_NONE for a search that was not cut off */
    enum pz_status failure;  /* why it failed; PZ_OK for another end */
    /* Of an exploration, as in struct explore_result: */
    uint32_t levels; /* 0 … depth */
    uint64_t states;
    enum explore_planes planes;
    unsigned ranks;
    /* Of a search for a solution, as in struct solve_result: */
    enum method method; /* METHOD_AUTO: there is no answer, not even that it is unknown */
    enum pz_answer solvable;
    int64_t moves;
};

/* Fills in what an exploration found. */
static inline void job_facts_note(struct job_facts *facts, const struct explore_result *found)
{
    facts->levels = found->states > 0 ? found->depth + 1 : 0;
    facts->states = found->states;
    facts->seconds = found->search_seconds;
    facts->reason = found->complete ? STOP_NONE : found->reason;
    facts->planes = found->planes;
    facts->ranks = found->ranks;
}

#endif
