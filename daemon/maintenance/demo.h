/* SPDX-License-Identifier: MIT */
/* puzzled --demo: a daemon to try, with its page, in a temporary directory. Nothing of it stays. */
#ifndef DEMO_H
#define DEMO_H

#include "puzzled/status.h"

#include <signal.h>
#include <sys/types.h>

struct demo {
    char directory[128]; /* "" unless this is a demo */
    char socket[160], state[160];
    sigset_t before; /* the signals that were blocked */
    pid_t daemon, page;
};

/* Forks, before there is any thread. Returns -1 in the child, which becomes the daemon of demo_option's
 * places. In the parent: starts the page, says what to type, waits for Ctrl-C, SIGTERM, the end of the
 * terminal or of a child, ends both, removes the directory, and returns the exit status. */
int demo_run(struct demo *demo);

/* Returns the value of an option in a demo; given (NULL: it was not) where the demo leaves it alone. */
const char *demo_option(const struct demo *demo, const char *name, const char *given);

#endif
