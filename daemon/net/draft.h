/* SPDX-License-Identifier: MIT */
/* A long text that a client sends in several requests, kept with its connection until the last one. Each
 * part says at which byte it begins, so that a refused part cannot go unnoticed. A client's texts have a
 * share of the room, and where room is short those that stand still are dropped. Loop thread. */
#ifndef DAEMON_DRAFT_H
#define DAEMON_DRAFT_H

#include "protocol/text/text.h"
#include "puzzled/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

enum {
    DRAFTS_BYTES = 64 << 20,          /* of all connections together */
    DRAFTS_OF_CLIENT_BYTES = 4 << 20, /* of one client's */
    DRAFT_SECONDS = 30                /* after its last part a text may be dropped where room is short */
};

struct draft;

/* All drafts that have begun. */
struct drafts {
    TAILQ_HEAD(draft_list, draft) list; /* by their last parts, the oldest first */
    size_t bytes;
};

struct draft {
    struct drafts *all;
    size_t *of_client; /* bytes of all drafts of its client */
    struct text text;
    double continued; /* clock_seconds() of its last part */
    TAILQ_ENTRY(draft) link;
    bool listed; /* in all, while it has a text */
};

/* Appends a part of the text. at: 0 starts over; else it must be the length of the text so far. now is
 * clock_seconds(). Fails for a text of more than most bytes, and where drafts take too much memory; the text
 * so far is dropped then. */
enum pz_status draft_add(struct draft *draft, double now, uint64_t at, const char *bytes, size_t length,
                         size_t most, struct pz_error *error);
/* Hands the text over, NUL-ended, to the caller, who frees it; NULL if there is none. */
char *draft_take(struct draft *draft, size_t *length);
void draft_drop(struct draft *draft);

#endif
