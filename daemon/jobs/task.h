/* SPDX-License-Identifier: MIT */
/*
 * The work of a job: an EXPLORE, SOLVE, GRADE or PDB request after it is parsed, with its puzzle open and its
 * canonical question. Made on a worker thread, since a puzzle's open() is the puzzle's own code. Immutable
 * afterwards.
 */
#ifndef DAEMON_TASK_H
#define DAEMON_TASK_H

#include "explore/question_plan.h"
#include "protocol/request.h"
#include "protocol/text/text.h"
#include "solve/solve.h"
#include "space/reason.h"
#include "space/root_set.h"
#include "store/store.h"

struct task {
    enum job_kind kind;
    struct pz_space *space;           /* as the request has it */
    uint64_t state[PZ_STATE_MAX / 8]; /* the root or the start, in that space */
    char *start;                      /* its text; NULL for the puzzle's own */
    char written[SPACE_WRITTEN_MAX];  /* " leaves=X": of that text, of a SOLVE */
    void *roots;                      /* explore from several: their states; else NULL */
    struct pz_space *other;           /* GRADE: the same by the puzzle's other metric; NULL for none */
    uint64_t other_state[PZ_STATE_MAX / 8];
    struct question_plan plan; /* explore: all of it; other kinds: only threads, memory and reserve */
    bool any_threads;          /* the request leaves the number of threads open */
    uint64_t memory;           /* bytes, 0 if the request does not say */
    double time;               /* seconds, 0 if it does not say */
    int priority;
    bool estimate;
    bool of_tool;               /* the request has tool= */
    char *visitor;              /* for whom the request asks (visitor=); NULL for nobody else */
    struct solve_request solve; /* solve: the question, to which a run adds budget, archive, … */
    bool grade;                 /* solve: a GRADE, with solve.all */
    char *partition;            /* of pattern databases, NULL for the default */
    char *order;                /* of moves, NULL for the usual */
    double made;                /* clock_seconds() */
    int64_t covered; /* explore: the depth that a stored table of this name covers now, -1 without one */
    char *puzzle;    /* canonical puzzle text */
    char *request;   /* the request line, without its tag: enough to make the task again */
    char *question;  /* canonical question: equal texts are the same question */
    char *table;     /* explore: the name of its table */
};

/* The result of a job. */
struct job_answer {
    struct job_facts facts;
    struct text rest;      /* " key=value …" for RESULT, of which the daemon reads nothing */
    struct pz_error error; /* of a job that failed */
};

/* Makes a task from a parsed request whose verb submits a job. offer: what the daemon has for jobs
 * of this kind; its disk is the limit of one job, 0 for none. scratch: the directory of all jobs' scratch
 * space; NULL for none. */
enum pz_status task_new(const struct request *request, const struct plan_offer *offer, const char *scratch,
                        struct task **out, struct pz_error *error);
void task_free(struct task *task); /* NULL is fine */
/* Returns the kind of job that a verb makes. */
enum job_kind task_kind(enum verb verb);
/* Returns the space that an exploration searches. */
const struct pz_space *task_space(const struct task *task);
/* " solutions=…" of a SOLVE with all=yes, or a GRADE, and the paths that it lists. */
void task_write_solutions(const struct task *task, const struct solutions *solutions, int64_t moves,
                          struct text *out);
/* Writes " path=… lurd=…" of a SOLVE or a PATH. start: a board's text, NULL for the space's own. */
void task_write_path(const struct pz_space *space, const char *start, const char *path, struct text *out);
/* " leaves=… start=… goal=…" of a SOLVE; no goal where there is not one single goal state. */
void task_write_ends(const struct task *task, struct text *out);
/* " rule=…" of a SOLVE without a solution, where the puzzle itself can say why. */
void task_write_rule(const struct task *task, struct text *out);
/* Returns how many seconds a search that may be tiny is tried before it becomes a job; 0 for other tasks. */
double task_tiny_seconds(const struct task *task);

#endif
