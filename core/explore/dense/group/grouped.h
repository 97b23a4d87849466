/* SPDX-License-Identifier: MIT */
/*
 * Levels made group by group (explore/dense/group/group.h), for planes that are too large for memory. One
 * group of a level is decoded at a time; the others stay coded in a store of pieces. For each group the team
 * decodes its bytes and the packets that come from other groups. Then it makes the next level range by
 * range: a thread decodes the range's bytes of the level before, makes the new ones and codes them, all in
 * its own cache. The packets that leave a group are coded while the next group is decoded.
 *
 * For the files coded.c and grouped*.c alone: coded.c calls the others, grouped_begin.c calls grouped.c; both
 * and grouped_states.c call grouped_ranks.c, and all of them grouped_chunks.c.
 */
#ifndef EXPLORE_DENSE_GROUPED_H
#define EXPLORE_DENSE_GROUPED_H

#include "explore/dense/group/boundary.h"
#include "explore/dense/level/dense_levels.h"
#include "explore/dense/level/dense_orbits.h"
#include "explore/dense/level/pull.h"
#include "explore/dense/pieces/pieces.h"
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
    struct dense_levels base;                /* its level is the known one */
    _Alignas(64) _Atomic uint32_t next_task; /* taken by every worker */
    _Alignas(64) _Atomic int failure;        /* an enum pz_status; set by any worker */
    struct grouping grouping;
    struct arena *arena;
    struct scratch_store scratch; /* of planes on disk, else closed */
    struct spill *spill;          /* in it, or NULL */
    struct pieces *pieces;
    struct planes *planes; /* of the current group */
    struct planes_windows windows;
    struct level_runner *runner; /* NULL by orbits */
    struct orbits *orbits;       /* else NULL */
    struct boundary
        *boundary[2]; /* by orbits both ways, in the order of enum boundary_way; else the first one */
    unsigned ways;
    /* Other ranks, among which the groups are dealt; NULL for none. Then each rank keeps the pieces of its
     * own groups, and all ranks make each level, go on and choose examples together. A level that another
     * rank gives up ends with PZ_BUSY. */
    const struct exchange *exchange;
    struct mailbox *mailbox; /* NULL without other ranks */
    struct group_worker *workers;
    unsigned colour;       /* of the known level's places; by orbits 0 */
    uint32_t done;         /* groups of the next level that were there when the search resumed */
    uint32_t group;        /* the current one */
    bool sparse;           /* few of its classes have a state of the known level */
    enum piece_age age;    /* while packets are sent again: the age of the pieces that hold their states */
    uint32_t receiving[2]; /* tasks of the current group, by way */
    bool loading;          /* its chunks and packets, too; else only what is sent */
    int64_t sending;       /* the group whose packets are still to be sent, or NO_GROUP */
    level_tick *tick;
    void *tick_context;
    /* While the table is handed over: bit 1 of the distances of one group, by the colour of the places. */
    uint8_t *marks[2];
    uint64_t marked;  /* that group; UINT64_MAX for none */
    uint8_t *marking; /* the marks to which a kept level is added */
};

static inline struct grouped *grouped_of(struct explorer *explorer)
{
    return (struct grouped *)explorer;
}

/* Makes what makes levels; the pieces are there. Returns PZ_MEMORY without memory. */
enum pz_status grouped_make(struct grouped *grouped, struct pz_error *error);
void grouped_clear(struct grouped *grouped);
/* Returns the bytes that grouped_make allocates, and those of a struct grouped. */
uint64_t grouped_bytes(const struct dense_geometry *geometry, const struct grouping *grouping,
                       unsigned threads);

/* Resumes, in place of grouped_begin, a search that was cut off when it knew that level. Returns PZ_STORAGE
 * if its files are incomplete or damaged. */
enum pz_status grouped_go_on(struct grouped *grouped, uint32_t level, struct pz_error *error);

/* By orbits: returns what examples are chosen from; else NULL. */
struct orbit_examples *grouped_orbit_examples(const struct grouped *grouped);

/* After the search: collects the states of a group in the kept levels, by the colour of their places. */
enum pz_status grouped_mark(struct grouped *grouped, uint32_t group, struct pz_error *error);

/* ---- functions of struct explorer_ops, and of struct dense_levels ---- */

enum pz_status grouped_begin(struct explorer *explorer, struct pz_error *error);
/* After a failure the known level can still be read, but no other level can be made. */
enum pz_status grouped_next(struct explorer *explorer, level_tick *tick, void *context,
                            struct pz_error *error);
enum pz_status grouped_examples(struct dense_levels *levels, uint32_t level, struct examples *examples,
                                struct pz_error *error);

/* Records the failure of a worker, for the owner to read after the team's run. Does nothing for PZ_OK. */
void grouped_fail(struct grouped *grouped, enum pz_status status);
/* Returns the status that was noted, with its text. */
enum pz_status grouped_failed(struct grouped *grouped, struct pz_error *error);

/* ---- levels ---- */

/* Begins to receive what was sent from the level before this one. */
void grouped_begin_boundary(struct grouped *grouped, uint32_t level);
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
