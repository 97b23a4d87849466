/* SPDX-License-Identifier: MIT */
/* The command line of [cluster] launch, with the program and a job's question in the place of {program}. */
#ifndef DAEMON_CLUSTER_COMMAND_H
#define DAEMON_CLUSTER_COMMAND_H

#include "task.h"

enum { CLUSTER_WORDS_MAX = 512 };

/* The words of the command; they are in own and in launch. */
struct cluster_command {
    char *words[CLUSTER_WORDS_MAX + 1];
    unsigned count;
    char *own[CLUSTER_WORDS_MAX]; /* malloc'd */
    unsigned owned;
    char *launch;
    bool failed;
};

/* Returns PZ_UNSUPPORTED if launch cannot be one: it is empty, or no word in it is {program}. */
enum pz_status cluster_command_check(const char *launch, struct pz_error *error);

/* Makes the words that ask for the exploration of a task; the last is NULL. Returns PZ_UNSUPPORTED for a
 * quote that is never closed. The caller clears the command, also after a failure. */
enum pz_status cluster_command_make(const char *launch, const struct task *task, uint64_t seed,
                                    struct cluster_command *line, struct pz_error *error);
void cluster_command_clear(struct cluster_command *line);

#endif
