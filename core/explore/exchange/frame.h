/* SPDX-License-Identifier: MIT */
/*
 * Ranks check what they receive from each other before they use it. Every message, and every rank's part of
 * a gathering, begins with a frame: its kind, sender, round, length and checksum. A rank that receives
 * anything else ends the whole exploration with one line, because the result could no longer be trusted.
 */
#ifndef EXPLORE_FRAME_H
#define EXPLORE_FRAME_H

#include "explore/exchange/exchange.h"
#include "puzzled/status.h"

#include <stdint.h>

/* The kind of a message. It shows when ranks have lost step with each other. */
enum frame_kind {
    FRAME_NONE,
    /* messages of a round (mailbox.h) */
    FRAME_SUCCESSORS, /* striped: states of the next level */
    FRAME_BEYOND,     /* striped: states that may lie beyond the last level */
    FRAME_PACKETS,    /* dense: bits that cross between groups */
    FRAME_BLOCKS,     /* ranked: states of the last level */
    /* gatherings */
    FRAME_STATUS,
    FRAME_LEVEL,
    FRAME_SAMPLE,
    FRAME_GROUPS,
    FRAME_CHOSEN,
    FRAME_DEFINITION,
    FRAME_QUESTION,
    FRAME_PLACE,
    FRAME_FIGURES,
    FRAME_KINDS
};

/* Before the bytes. All ranks have one byte order: MPI's own would refuse another one. */
struct frame {
    uint64_t hash; /* XXH3 of all that follows, the bytes included */
    uint32_t kind; /* enum frame_kind */
    uint32_t from; /* rank */
    uint32_t round;
    uint32_t length; /* of the bytes */
};

/* Completes the frame that stands before the bytes: length and hash. */
void frame_seal(struct frame *frame, size_t length);
/* Returns NULL if what came is whole, and is of the expected kind, sender and round; else what is wrong.
 * bytes: as many as came, the frame included. */
const char *frame_fault(const struct frame *frame, size_t bytes, const struct frame *expected);

/* exchange->gather, with frames. Does not return if a rank's part is not sound. */
const void *frame_gather(const struct exchange *exchange, enum frame_kind kind, const void *own,
                         size_t bytes);

/* Ends all ranks because rank `from` sent something wrong. */
__attribute__((noreturn)) void frame_fail(const struct exchange *exchange, unsigned from, const char *fault);

/* ---- agreements ---- */

/* Returns PZ_OK if that is every rank's status; else the status and the text of the first rank that failed,
 * with its number. *least becomes the least value of all ranks; may be NULL. Without ranks (exchange is NULL)
 * it returns status. */
enum pz_status agree_status(const struct exchange *exchange, enum pz_status status, uint64_t *least,
                            struct pz_error *error);

#endif
