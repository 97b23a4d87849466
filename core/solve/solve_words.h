/* SPDX-License-Identifier: MIT */
/* The methods of solving with their words. protocol/ uses them, too. */
#ifndef SOLVE_SOLVE_WORDS_H
#define SOLVE_SOLVE_WORDS_H

enum method {
    METHOD_AUTO,
    METHOD_TABLE, /* looked up by the caller, who has the tables; solve_run refuses it */
    METHOD_BFS,
    METHOD_BIDIRECTIONAL,
    METHOD_ASTAR,
    METHOD_IDASTAR,
    METHOD_PARITY, /* reported only, like those below: known without search */
    METHOD_DIRECT, /* the puzzle solved itself */
    METHOD_COUNT
};
enum { METHODS_TO_ASK_FOR = METHOD_PARITY };
#define METHOD_WORDS "auto", "table", "bfs", "bidirectional", "astar", "idastar", "parity", "direct"

#endif
