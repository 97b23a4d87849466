/* SPDX-License-Identifier: MIT */
/*
 * Communication between the ranks of one exploration, as an engine sees it. Ranks are processes on one or
 * many machines; each owns a part of the partitions (striped), of the groups (dense) or of the runs (ranked).
 * ranks/ implements it with MPI.
 *
 * Whatever is received must be checked before it is used: frame.h.
 *
 * All functions are called by the thread that called explore_run, and by no other. A rank that waits for
 * others does not look at the control's stop. To end a process while it waits, send it a signal: the others
 * then end with it, and the exploration can resume from its checkpoints.
 */
#ifndef EXPLORE_EXCHANGE_H
#define EXPLORE_EXCHANGE_H

#include <stddef.h>

enum { EXCHANGE_MESSAGE = 320 << 10 }; /* bytes of the longest message */

struct exchange {
    void *context;
    unsigned rank, ranks; /* this one's number, from 0; how many there are */
    /* Returns room for EXCHANGE_MESSAGE bytes, or NULL while all messages are still on their way. */
    void *(*room)(void *context);
    /* Sends what was written to the room that room() returned last. */
    void (*send)(void *context, unsigned to, size_t bytes);
    /* Returns a message that came in, and the rank that sent it, or NULL. It is valid until the next call.
     * Messages of one rank may overtake each other. */
    const void *(*receive)(void *context, unsigned *from, size_t *bytes);
    /* Waits a moment. Called when there was nothing to send and nothing came in. */
    void (*rest)(void *context);
    /* Gives `bytes` bytes to all ranks, waits until every rank has called it with as many, and returns the
     * bytes of all, in the order of the ranks. The caller may overwrite them. They are valid until the next
     * call. */
    void *(*gather)(void *context, const void *own, size_t bytes);
    /* Says what is wrong and ends all ranks, as they are. Does not return. */
    __attribute__((noreturn)) void (*fail)(void *context, const char *text);
};

#endif
