/* SPDX-License-Identifier: MIT */
/*
 * The daemon's threads, one at a time: each has a stack of its own and runs until it waits, or until the seed
 * says that another goes on. pthread.c and system.c put these in the place of the C library's.
 */
#ifndef SIM_THREADS_H
#define SIM_THREADS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>

#define NEVER UINT64_MAX /* a deadline */

/* Starts a thread; returns its number, from 1, or 0 if there are too many. */
unsigned threads_start(void *(*function)(void *), void *argument);
bool threads_ended(unsigned number);
/* Waits for its end and returns its result. The number may be used again. */
void *threads_join(unsigned number);
/* The number of the thread that runs; 0 for the simulator itself. */
unsigned threads_self(void);

/* ---- called by a thread ---- */

/* Lets others go on, perhaps. */
void threads_pause(void);
/* Waits until somebody wakes this address. Returns false at the deadline. */
bool threads_wait(const void *on, uint64_t deadline);
/* Wakes those who wait for the address; one of them by lot, or all. */
void threads_wake(const void *on, bool all);
/* Waits for events of an epoll descriptor; returns how many. */
int threads_poll(int epoll, struct epoll_event *events, int most, uint64_t deadline);

/* ---- called by the simulator ---- */

/* Runs one thread that can go on, chosen by lot, until it waits. Returns false if there is none. */
bool threads_step(void);
/* Something happened that a thread may see at a descriptor. */
void threads_stir(void);
/* The earliest deadline of all threads; NEVER if none has one. */
uint64_t threads_deadline(void);
/* Draws again how often each thread has its turn: some are slow for a while. */
void threads_shuffle(void);

#endif
