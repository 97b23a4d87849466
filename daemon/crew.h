/* SPDX-License-Identifier: MIT */
/*
 * A few threads that run errands for the loop thread: whatever may block or take long. An errand is worked
 * on by one of them, then comes back as a letter. A crew of one keeps the order of its errands.
 */
#ifndef DAEMON_CREW_H
#define DAEMON_CREW_H

#include "mailbox.h"

#include <stdbool.h>
#include <stddef.h>

struct crew;

struct errand {
    struct letter letter; /* first; its deliver() runs on the loop thread when the work is done */
    struct errand *next;  /* the crew's, while queued */
    void (*work)(struct errand *errand, void *member);
    bool again; /* set by work that is not done: it goes on behind the others that wait */
};

struct crew_options {
    const char *name; /* of the threads, at most 15 bytes */
    unsigned size;
    bool background; /* of lower priority than the loop and the other crews */
    struct mailbox *mailbox;
    /* What each thread brings along, made and freed on the thread that calls crew_new and crew_free; may be
     * NULL. member_new returns NULL when it failed, with the reason. */
    void *(*member_new)(void *context, struct pz_error *error);
    void (*member_free)(void *member);
    void *context;
};

enum pz_status crew_new(const struct crew_options *options, struct crew **out, struct pz_error *error);
/* Whether nothing is queued or being worked on. Any thread. */
bool crew_is_idle(struct crew *crew);
/* Lets the threads finish what is queued, joins them. NULL is fine. */
void crew_free(struct crew *crew);
/* Any thread. The errand belongs to the crew until it is delivered. */
void crew_submit(struct crew *crew, struct errand *errand);
/* Errands queued and not begun. Any thread. */
size_t crew_backlog(struct crew *crew);

#endif
