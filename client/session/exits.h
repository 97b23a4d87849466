/* SPDX-License-Identifier: MIT */
/* puzzlectl's exit status; documented in puzzlectl(1) and docs/json.md. */
#ifndef EXITS_H
#define EXITS_H

enum exit_code {
    EXIT_FOUND = 0,     /* there is an answer, and it was printed */
    EXIT_NO_ANSWER = 1, /* no solution, distance or board: unsolvable, or farther than was explored */
    EXIT_USAGE = 2,
    EXIT_UNREACHABLE = 3, /* no daemon, or the connection broke, or something else answered */
    EXIT_REFUSED = 4,     /* the daemon answered ERR */
    EXIT_ENDED = 5,       /* the job ended without its result: failed, stopped, cancelled */
    EXIT_DETACHED = 6,    /* the job goes on without us */
    EXIT_TROUBLE = 7      /* a failure of puzzlectl: no memory, a file that cannot be read or written */
};

#endif
