/* SPDX-License-Identifier: MIT */
/* The command line of [cluster] launch, in which the program and a job's question replace {program}; and
 * what the request and the question of a cluster's job say. */
#ifndef DAEMON_CLUSTER_COMMAND_H
#define DAEMON_CLUSTER_COMMAND_H

#include "daemon/jobs/task.h"
#include "space/text/definition.h"

enum { CLUSTER_WORDS_MAX = 512 };

/* The words of the command; they are in own and in launch. */
struct cluster_command {
    char *words[CLUSTER_WORDS_MAX + 1];
    unsigned count;
    char *own[CLUSTER_WORDS_MAX]; /* malloc'd */
    unsigned owned;
    char *launch;
    const struct definition *definition; /* of the puzzle, retained: rank 0 reads its text; NULL for none */
    bool failed;
};

/* Returns PZ_UNSUPPORTED if launch is empty (config_check has looked at any other), or if the daemon may not
 * use the network. */
enum pz_status cluster_command_check(const char *launch, struct pz_error *error);

/* Makes the words that ask for the exploration of a task, or, with task NULL, that remove what the ranks keep
 * of a question; the last is NULL. number: cluster_number of the question. config_check has found every quote
 * of launch closed. The caller clears the command, also after a failure. */
enum pz_status cluster_command_make(const char *launch, const struct task *task, uint64_t number,
                                    struct cluster_command *line, struct pz_error *error);
void cluster_command_clear(struct cluster_command *line);

/* Returns the number under which the ranks keep their data of a question, so that the same question goes on
 * from there. They also choose examples by it. Never 0. */
uint64_t cluster_number(const char *question);
/* Returns true if both are for a cluster, and the ranks of the first may have less memory than those of the
 * second. How much they have without memory= is not known. */
bool cluster_has_smaller_ranks(const struct task *first, const struct task *second);
/* Returns true if the ranks may get further with a task than they did in a job that stopped, also if it was
 * not memory that stopped it. How much they have without memory= is not known. */
bool cluster_may_get_further(const struct task *task, const struct job_record *stopped);

#endif
