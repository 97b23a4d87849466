/* SPDX-License-Identifier: MIT */
/*
 * The calls of an exploration's sink: the plan, each level once and in order, the moves, the table. In a run
 * that was restarted or resumed from a checkpoint, the sink gets only what it does not have yet. All
 * functions return what the sink returned, or a status of the explorer's. exploration.c drives the run.
 */
#ifndef EXPLORE_RUN_REPORT_H
#define EXPLORE_RUN_REPORT_H

#include "explore/exchange/frame.h"
#include "explore/run/explorer.h"

/* The parts of one run. */
struct exploration {
    const struct explore_request *request;
    struct explore_request on_disk; /* what request becomes once memory is full */
    explorer_open *open;
    const struct explore_sink *sink;
    struct checkpointer *checkpointer;
    struct explore_result *result;
    struct pz_error *error;
    struct monitor monitor;
    struct explorer *explorer;
    bool begun;           /* the sink knows the plan */
    bool resumed;         /* from a checkpoint */
    bool saved;           /* there is a checkpoint */
    uint32_t saved_level; /* its level */
    bool damaged;         /* something that the explorer had kept */
    bool repeated;        /* the search was begun once more because of it */
    bool edges_given;     /* the sink has them */
    uint64_t chunks;      /* of the table that the sink has */
    uint64_t given;       /* states in the runs that the sink has */
    /* levels that the sink has: a restarted run makes them again without reporting them */
    uint32_t sink_levels;
    uint32_t counted; /* as sink_levels; one more while only the examples are missing */
    uint64_t sum;     /* states in the levels below counted */
    uint32_t level;   /* whose successors are being made */
    uint64_t width;   /* states in it */
};

/* Returns the status of all ranks: the first failure there is. All ranks call it together. */
static inline enum pz_status all_agree(struct exploration *run, enum pz_status status)
{
    return agree_status(run->request->exchange, status, NULL, run->error);
}

enum pz_status report_plan(struct exploration *run);
/* Counts the level, and hands it over with its examples if the sink does not have it yet. last: no other
 * level will be reported. */
enum pz_status report_level(struct exploration *run, bool last);
/* Hands over the numbers of moves, if they are asked for, and the rest of the table, from where the sink has
 * it. */
enum pz_status report_found(struct exploration *run);
/* Tells the monitor how far the search is, once it is due. done: the part of the newest level, from 0 to 1.
 */
void report_progress(struct exploration *run, double done);
/* Writes the explorer's figures into the result. */
void report_figures(const struct exploration *run);

#endif
