/* SPDX-License-Identifier: MIT */
/* Levels made group by group, for the files grouped*.c alone: grouped_begin.c calls grouped.c; both and
 * grouped_states.c call grouped_ranks.c, and all of them grouped_chunks.c. */
#ifndef EXPLORE_DENSE_GROUPED_INTERNAL_H
#define EXPLORE_DENSE_GROUPED_INTERNAL_H

#include "explore/dense/group/grouped_setup.h"
#include "explore/dense/level/examples.h"
#include "explore/dense/level/orbits.h"
#include "explore/dense/level/pull.h"
#include "explore/exchange/mailbox.h"

#include <stdatomic.h>

enum { WINDOW_BYTES = CODEC_MOST + CODEC_PAD, NO_GROUP = -1, NOT_HERE = UINT8_MAX };

/* Owned by one thread. */
struct group_worker {
    _Alignas(64) uint8_t window[WINDOW_BYTES];
    uint8_t scratch[2 * CODEC_ROOM];
};

/* The padding keeps the counter off the lines that every worker reads. */
/* NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding) */
struct grouped {
    _Alignas(64) _Atomic uint32_t next_task; /* taken by every worker */
    _Alignas(64) _Atomic int failure;        /* an enum pz_status; set by any worker */
    struct grouped_setup setup;
    struct planes *planes; /* of the current group */
    struct planes_windows windows;
    struct level_runner *runner; /* NULL by orbits */
    struct orbits *orbits;       /* else NULL */
    struct borders
        *borders[2]; /* by orbits both ways, in the order of enum borders_way; else the first one */
    unsigned ways;
    struct mailbox *mailbox; /* NULL without other ranks */
    struct group_worker *workers;
    uint32_t level;        /* the known one */
    unsigned colour;       /* of its places; by orbits 0 */
    uint32_t done;         /* groups of the next level that were there when the search resumed */
    uint32_t group;        /* the current one */
    bool sparse;           /* few of its classes have a state of the known level */
    enum piece_age age;    /* while packets are sent again: the age of the pieces that hold their states */
    uint32_t receiving[2]; /* tasks of the current group, by way */
    bool loading;          /* its chunks and packets, too; else only what is sent */
    int64_t sending;       /* the group whose packets are still to be sent, or NO_GROUP */
    uint8_t *marks;        /* of a colour, while grouped_marks collects them */
    level_tick *tick;
    void *tick_context;
};

/* Records the failure of a worker, for the owner to read after the team's run. Does nothing for PZ_OK. */
void grouped_fail(struct grouped *grouped, enum pz_status status);
/* Returns the status that was noted, with its text. */
enum pz_status grouped_failed(struct grouped *grouped, struct pz_error *error);

/* ---- levels ---- */

/* Begins to receive what was sent from the level before this one. */
void grouped_begin_borders(struct grouped *grouped, uint32_t level);
/* Sends the packets of the group that was made last. */
void grouped_send_rest(struct grouped *grouped);
/* Ends a level whose groups were made with that status. The new level becomes the known one if all went well
 * here, even if another rank has failed. */
enum pz_status grouped_end_level(struct grouped *grouped, enum pz_status status, struct pz_error *error);

/* ---- chunks: the ranges of a group ---- */

/* Returns a chunk's classes if the piece of that age is plain, else NULL. */
uint8_t *grouped_plain(struct grouped *grouped, enum piece_age age, uint32_t chunk);
/* Decodes a chunk into out, and the bits that its blocks have into present. The bytes of blocks with
 * present[] 0 are undefined. Returns how many states it has; UINT64_MAX on failure. */
uint64_t grouped_load(struct grouped *grouped, enum piece_age age, uint32_t chunk, uint8_t *scratch,
                      uint8_t *present, uint8_t *out);
/* Does the same; the bytes of blocks with present[] 0 become zeros. A chunk without states is left out. */
uint64_t grouped_load_whole(struct grouped *grouped, enum piece_age age, uint32_t chunk, uint8_t *scratch,
                            uint8_t *present, uint8_t *out);
/* Takes the next chunk of the group's piece that no worker has taken, and loads it whole into the worker's
 * window. Returns false if none is left, or after a failure. */
struct whole_chunk {
    uint64_t first; /* class */
    uint64_t bytes;
    uint64_t states; /* 0: the window is not filled */
};
bool grouped_next_whole(struct grouped *grouped, enum piece_age age, struct group_worker *worker,
                        struct whole_chunk *chunk);
/* Extracts the bits that cross to other groups from a window, then codes the window and stores it. The
 * window's content is lost. window NULL: it is empty. The window of a plain piece is at the address that
 * grouped_plain returns. */
bool grouped_save(struct grouped *grouped, unsigned colour, uint32_t chunk, uint8_t *window,
                  uint8_t *scratch);

/* ---- ranks ---- */

/* Returns true if this process makes the group. */
bool grouped_is_own(const struct grouped *grouped, uint32_t group);
/* Returns how far it is to the next group that this process makes. */
uint32_t grouped_stride(const struct grouped *grouped);
/* Makes mailbox, if there are other ranks. */
enum pz_status grouped_open_post(struct grouped *grouped, struct pz_error *error);
/* Sends the packets of a group whose targets are groups of other ranks. */
void grouped_forward(struct grouped *grouped, uint32_t group);
/* Ends the sending of a level that ended with this status here. Waits for the packets of all ranks, and
 * returns the status that all agree on. */
enum pz_status grouped_meet(struct grouped *grouped, enum pz_status status, struct pz_error *error);
/* Fetches the numbers of states that the groups of other ranks have in the known level. known: this rank has
 * made its part; else the numbers stay as they are. */
void grouped_share_states(struct grouped *grouped, bool known);
/* Fetches the chosen states that other ranks have found: here their place is NOT_HERE. */
void grouped_share_chosen(struct grouped *grouped, struct examples *examples);

#endif
