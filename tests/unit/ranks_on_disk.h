/* SPDX-License-Identifier: MIT */
/* Folders of ranks that keep what they have on disk. */
#ifndef RANKS_ON_DISK_H
#define RANKS_ON_DISK_H

#include "ranks_trial.h"
#include "remove_directory.h"

#include <stdlib.h>
#include <unistd.h>

typedef char path_text[32];

static inline void use_disk(struct trial *trial, path_text *directories)
{
    for (unsigned i = 0; i < trial->hub->count; i++) {
        (void)snprintf(directories[i], sizeof directories[i], "/tmp/test_ranks.XXXXXX");
        assert_non_null(mkdtemp(directories[i]));
        trial->runs[i].scratch = directories[i];
        trial->runs[i].planes = PLANES_DISK;
    }
}

#endif
