/* SPDX-License-Identifier: MIT */
/*
 * The processors and the memory that this process may use: those of the machine, less what its processor
 * affinity and its control groups (v2, or v1 where mounted) take away. Any thread.
 */
#ifndef BASE_MACHINE_H
#define BASE_MACHINE_H

#include <stdint.h>

struct machine {
    uint64_t processors; /* at least 1; a share of one counts as one */
    uint64_t memory;     /* in bytes */
};

struct machine machine_usable(void);

/* Lowers the figures to the limits of the control groups that the file at memberships (/proc/self/cgroup)
 * names, and of the groups around them, below the mount point root (/sys/fs/cgroup). Groups that cannot be
 * read limit nothing. */
void machine_limit(struct machine *machine, const char *memberships, const char *root);

#endif
