/* SPDX-License-Identifier: MIT */
/* Kinds and states of jobs, with their words. Stored as numbers: append only. protocol/ uses them, too. */
#ifndef STORE_STORE_WORDS_H
#define STORE_STORE_WORDS_H

enum job_kind { JOB_EXPLORE, JOB_SOLVE, JOB_PDB, JOB_KIND_COUNT };
#define JOB_KIND_WORDS "explore", "solve", "pdb"

enum job_state { JOB_QUEUED, JOB_RUNNING, JOB_DONE, JOB_STOPPED, JOB_FAILED, JOB_CANCELLED, JOB_STATE_COUNT };
#define JOB_STATE_WORDS "queued", "running", "done", "stopped", "failed", "cancelled"

#endif
