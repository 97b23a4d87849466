/* SPDX-License-Identifier: MIT */
/*
 * The scheduling priority of the calling thread; on Linux each thread has its own. Right answers need none of
 * these calls. Where the system refuses one, nothing happens.
 */
#ifndef BASE_PRIORITY_H
#define BASE_PRIORITY_H

/* Runs the thread behind all others of the process, in long turns: for searches and other work that nobody
 * waits for. */
void priority_lower(void);

/* Runs the thread in short turns, and so at once when it wakes: for threads that work for microseconds while
 * somebody waits. Since Linux 6.12 a thread can choose the length of its turn. A thread that wakes with a
 * shorter turn than the running thread's preempts it; otherwise it waits for the rest of that turn, some
 * milliseconds. Threads that it starts inherit this. */
void priority_prompt(void);

#endif
