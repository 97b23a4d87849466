/* SPDX-License-Identifier: MIT */
/*
 * Reads a stored table: the distances of a space from one root, or to the nearest goal. Each format is a
 * table of functions (struct table_format) beside its encoder; the record of a table names its format. All
 * formats share the walk: from a state move by move nearer, to the root or a goal.
 *
 * A reader is for one thread at a time. Every function returns the source's status if that failed, and
 * PZ_STORAGE if the table contradicts itself.
 */
#ifndef EXPLORE_TABLE_READER_H
#define EXPLORE_TABLE_READER_H

#include "explore/explore.h"
#include "puzzled/space.h"

#include <string.h>

struct random;
struct ranking_cursor;

/* The source of a table's pieces. Chunks must stay valid until table_reader_renew or _close. */
struct table_source {
    void *context;
    enum pz_status (*chunk)(void *context, uint64_t number, const uint8_t **bytes, size_t *length,
                            struct pz_error *error);
    /* Finds the distance of a mixed key; PZ_NO_TABLE if the table does not hold it. */
    enum pz_status (*key)(void *context, const uint64_t *key, unsigned key_words, uint32_t *distance,
                          struct pz_error *error);
    /* Calls visit with the states at a distance, run by run in ascending order, until it returns false. The
     * first run is the one that answers for the mixed key `from`. */
    enum pz_status (*level)(void *context, const uint64_t *from, uint32_t distance,
                            bool (*visit)(void *visitor, const struct explore_run *run), void *visitor,
                            struct pz_error *error);
};

/* Describes a table: its record, and the space and root that it belongs to. */
struct table_about {
    const char *name;
    const struct pz_space *space; /* of its states */
    const void *root;             /* one of them, or the first of several */
    unsigned roots;               /* at least 1 */
    enum explore_from from;
    uint32_t depth; /* the last level; dead states are at depth + 1 */
    uint64_t states;
    uint64_t table_bytes; /* of all chunks */
};

struct table_reader {
    const struct table_format *format;
    struct table_about about;
    struct table_source source;
    bool is_home; /* the walk is at the root or a goal: set by start and nearer */
};

/* A path: moves + 1 states, from the start to the root or the nearest goal; malloc'd. */
struct table_path {
    uint8_t *states;
    uint32_t moves;
};

/* States at exactly one distance. */
struct table_sample {
    /* in */
    uint32_t depth;
    unsigned count; /* at least 1 */
    uint64_t seed;
    uint64_t level_states; /* at that distance; 0 if not known */
    /* out */
    uint8_t *states; /* malloc'd; different from each other */
    unsigned found;  /* fewer if the level has no more, or is too narrow to be hit by chance */
    uint64_t total;  /* dead states, or states of the level where level_states is 0; 0 if not known */
    bool skewed;     /* not every state of the level was equally likely */
};

/* A connected part of the space. */
struct table_part {
    uint64_t states;
    uint32_t depth;                   /* of its farthest state, if it is not dead */
    bool dead;                        /* no goal is in it, or the root does not reach it */
    uint64_t state[PZ_STATE_MAX / 8]; /* a farthest state, or any of a dead part */
};

enum { TABLE_BOARD_FAR = 0xFF };

struct table_format {
    /* Returns PZ_STORAGE if such a record cannot be. Called before each open and renew. */
    enum pz_status (*check)(const struct table_about *about, struct pz_error *error);
    /* Makes a reader; its head is filled in by the caller. */
    enum pz_status (*open)(const struct table_about *about, struct table_reader **out,
                           struct pz_error *error);
    void (*close)(struct table_reader *reader);
    void (*renew)(struct table_reader *reader); /* NULL: nothing is to be forgotten */

    /* ---- the walk: a reader stands at one state ---- */

    /* Goes to a state. *distance is its own if the format knows it without a walk, else TABLE_WALK. Returns
     * PZ_NO_TABLE if the table does not hold it. */
    enum pz_status (*start)(struct table_reader *reader, const void *state, uint32_t *distance,
                            struct pz_error *error);
    /* Goes one move nearer. Not at home. */
    enum pz_status (*nearer)(struct table_reader *reader, struct pz_error *error);
    /* Returns in *moves how far home is; the reader may go there. NULL where start knows the distance. */
    enum pz_status (*home)(struct table_reader *reader, uint32_t *moves, struct pz_error *error);
    void (*here)(const struct table_reader *reader, void *state);

    /* sample->states has room; the rest of what goes out is zero. */
    enum pz_status (*sample)(struct table_reader *reader, struct table_sample *sample,
                             struct pz_error *error);

    /* ---- NULL where the format has none ---- */

    uint64_t (*part_count)(const struct table_reader *reader);
    enum pz_status (*part)(struct table_reader *reader, uint64_t number, struct table_part *part,
                           struct pz_error *error);
    /* Writes the distances of count boards, those of the cursor and after it, and moves the cursor on. memo:
     * ranking_row bytes, all TABLE_BOARD_FAR at first, in which the calls for one goal remember what they
     * find. */
    enum pz_status (*boards)(struct table_reader *reader, struct ranking_cursor *cursor, uint8_t *memo,
                             size_t count, uint8_t *distances, struct pz_error *error);
};
#define TABLE_WALK UINT32_MAX

/* Makes a reader of that format. What about points to must outlive it, but for the space: that may be set
 * again. */
enum pz_status table_reader_open(const struct table_format *format, const struct table_about *about,
                                 const struct table_source *source, struct table_reader **out,
                                 struct pz_error *error);
/* Makes the reader read another table of this format and question, or the same table from another source.
 * Cheap. */
enum pz_status table_reader_renew(struct table_reader *reader, const struct table_about *about,
                                  const struct table_source *source, struct pz_error *error);
void table_reader_close(struct table_reader *reader); /* NULL is fine */

/* Finds the distance of a state: depth + 1 for a dead one. PZ_NO_TABLE if the table does not hold it. */
enum pz_status table_reader_distance(struct table_reader *reader, const void *state, uint32_t *distance,
                                     struct pz_error *error);
/* Finds a shortest path. PZ_NO_TABLE if the table does not hold the state, or if it is dead. */
enum pz_status table_reader_path(struct table_reader *reader, const void *state, struct table_path *path,
                                 struct pz_error *error);
/* Fills in what was found; states is NULL after a status other than PZ_OK. */
enum pz_status table_reader_sample(struct table_reader *reader, struct table_sample *sample,
                                   struct pz_error *error);

/* ---- for formats ---- */

/* Returns true if the state, of that many bytes, is among those found. */
static inline bool table_sample_has(const struct table_sample *sample, const void *state, size_t bytes)
{
    for (unsigned i = 0; i < sample->found; i++)
        if (memcmp(sample->states + i * bytes, state, bytes) == 0)
            return true;
    return false;
}

/* Goes home, or fails with table_reader_too_long: for formats without a faster walk of their own. */
enum pz_status table_reader_home(struct table_reader *reader, uint32_t *moves, struct pz_error *error);
/* Fails: the walk was longer than the table is deep. */
enum pz_status table_reader_too_long(const struct table_reader *reader, struct pz_error *error);

/* ---- readers that walk by expanding the state where they stand ---- */

struct table_walker {
    struct table_reader base;
    uint64_t at[PZ_STATE_MAX / 8];
    uint32_t distance;            /* of that state, or what the format knows of it */
    uint8_t *successors, *tokens; /* of one state, in one malloc'd block */
};

static inline struct table_walker *table_walker_of(struct table_reader *reader)
{
    return (struct table_walker *)reader;
}

/* open, close and here of struct table_format. */
enum pz_status table_walker_open(const struct table_about *about, struct table_reader **out,
                                 struct pz_error *error);
void table_walker_close(struct table_reader *reader);
void table_walker_here(const struct table_reader *reader, void *state);
/* Makes the successors of a state. Returns their number. */
static inline unsigned table_walker_expand(const struct table_walker *walker, const void *state)
{
    const struct pz_space *space = walker->base.about.space;
    return space->puzzle->expand(space, state, PZ_NO_TOKEN, walker->successors, walker->tokens);
}

static inline const uint8_t *table_walker_successor(const struct table_walker *walker, unsigned number)
{
    return walker->successors + (size_t)number * walker->base.about.space->state_bytes;
}

/* Returns where the n-th state of a reservoir goes, n = *seen + 1, which it counts: NULL for nowhere. In the
 * end each state that was seen had the same chance (Vitter 1985, algorithm R). */
uint8_t *table_sample_slot(struct table_sample *sample, uint32_t state_bytes, struct random *random,
                           uint64_t *seen);

/* ---- runs_reader.c: mixed states in order, each with its distance; the store reads them by key ---- */

extern const struct table_format runs_format;

#endif
