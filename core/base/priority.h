/* SPDX-License-Identifier: MIT */
/*
 * How the calling thread stands against others that want its processor. On Linux a thread has a priority of
 * its own. None of these is needed for right answers, and where the system refuses one nothing is said.
 */
#ifndef BASE_PRIORITY_H
#define BASE_PRIORITY_H

/* Behind everything else of the process, in long turns: for searches and for what nobody waits for. */
void priority_lower(void);

/* In short turns, and so at once when it wakes: for threads that work for microseconds and are waited for.
 * Linux 6.12 lets a thread name the length of its turn; one that wakes with a shorter turn than the running
 * one's comes before it, and else waits for up to the rest of that, some milliseconds. Threads that it makes
 * inherit this. */
void priority_prompt(void);

#endif
