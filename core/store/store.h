/* SPDX-License-Identifier: MIT */
/*
 * The store: one LMDB environment in one directory, owned by one process; a lock file ensures that.
 *
 * Any thread may call any function that does not say otherwise. Reading never waits for writing. A value with
 * a wrong checksum is never returned: the call fails with PZ_STORAGE and a text that names it.
 * docs/storage.md describes every key and value, and how a format is changed.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "explore/explore.h"
#include "store/job_facts.h"

struct store;

struct store_options {
    uint64_t size_limit; /* bytes of database; 0 for what the disk holds */
    bool read_only;      /* only look: no lock is taken, nothing is written */
    bool is_file;        /* the path names the database file itself, a backup; with read_only */
    uint64_t map_bytes;  /* address space to begin with; 0 for plenty. It grows by itself */
};

/* Opens the directory's database; creates it if there is none. Refuses, with the reason, a directory that
 * cannot be written or that another process owns (PZ_BUSY), and a format other than this program's
 * (PZ_UNSUPPORTED). */
enum pz_status store_open(const char *directory, const struct store_options *options, struct store **out,
                          struct pz_error *error);
/* Makes durable what was written behind, then closes. No view may be held. NULL is fine. */
void store_close(struct store *store);
/* Returns when everything written so far is durable, but for writes behind that failed and are tried again.
 */
enum pz_status store_flush(struct store *store, struct pz_error *error);

/*
 * The acknowledgement of the _async forms: if the call returned PZ_OK, done is called once, on the store's
 * writer thread, after the sync or the failure. It must not call a function of the store that waits. With
 * NULL instead, the write is durable within a second, and there is no acknowledgement. Readers see both at
 * once.
 *
 * A thread that holds a view must not call a function that waits for a commit.
 */
struct store_ack {
    void (*done)(void *context, enum pz_status status, const struct pz_error *error);
    void *context;
};

/* ---- jobs ---- */

/* A job as it is kept. The texts are malloc'd and owned by the record; NULL reads as "". */
struct job_record {
    uint64_t id;
    enum job_kind kind;
    enum job_state state;
    int priority;
    uint64_t submitted_ms, started_ms, finished_ms; /* wall clock; 0 for not yet */
    char *puzzle;                                   /* canonical puzzle text, as RESULT prints it */
    char *request;   /* the request's own arguments as one protocol line, enough to run the job again */
    char *question;  /* canonical question, the cache's key */
    char *table;     /* explore: the name of the table that it asks for */
    char *result;    /* key=value fields for RESULT that only clients read */
    char *failure;   /* why it failed, for people */
    char *submitter; /* who asked for it, "uid:1000"; "" where that was not noted */
    enum explore_from from; /* explore: which distances */
    bool of_tool;           /* a tool asked for it on its way */
    bool cluster;           /* explore: for the ranks of a cluster; then */
    uint64_t rank_memory;   /* bytes that each of them is asked to take, 0 if that is left open */
    struct job_facts facts; /* the fields for RESULT that the daemon reads, too */
    /* of runs in a row that made no progress and did not end in order; 0 after an end in order */
    uint32_t starts;
};
void job_record_clear(struct job_record *job);

/* Gives the job the next number and maps its question to it. Durable when it returns. */
enum pz_status store_job_add(struct store *store, struct job_record *job, struct pz_error *error);
/* Adds a job without waiting; job->id is set when it returns. The number may be reported to others once ack
 * has come, or at once if it was reserved. */
enum pz_status store_job_add_async(struct store *store, struct job_record *job, const struct store_ack *ack,
                                   struct pz_error *error);
/* Returns true if the next job's number is durably reserved: no crash lets it be given out again. A block of
 * numbers is reserved with the first job and renewed ahead of need. For the one thread that adds jobs. */
bool store_number_is_reserved(struct store *store);
/* Reserves a block before the first job, which then need not wait for the disk. Returns before that is
 * durable. If it fails, the first job reserves. Any thread. */
void store_reserve_numbers(struct store *store);
/* Replaces the record. Durable when it returns. */
enum pz_status store_job_put(struct store *store, const struct job_record *job, struct pz_error *error);
enum pz_status store_job_put_async(struct store *store, const struct job_record *job,
                                   const struct store_ack *ack, struct pz_error *error);
/* Fills *job, which the caller clears. PZ_NO_SUCH_JOB. */
enum pz_status store_job_get(struct store *store, uint64_t id, struct job_record *job,
                             struct pz_error *error);
/* Removes the job, its question, levels, examples and tables without waiting for the commit. Reads a few
 * small records; the writer removes the rest. heir: a job that keeps the same table, by its result. It
 * becomes the table's owner if its levels are those of the table; 0 for none. unless_pinned: PZ_BUSY if a
 * table that would go is pinned. */
enum pz_status store_job_forget_async(struct store *store, uint64_t id, uint64_t heir, bool unless_pinned,
                                      const struct store_ack *ack, struct pz_error *error);
/* Replaces *id by the next greater number of a job, whose record may be damaged. Returns false if there is
 * none. */
bool store_job_next(struct store *store, uint64_t *id);
/* Calls visit for jobs with id > after in ascending order until it returns false. Nothing is locked during a
 * call. A damaged record is left out; after the rest PZ_STORAGE names the first one. */
enum pz_status store_jobs(struct store *store, uint64_t after,
                          bool (*visit)(void *context, const struct job_record *job), void *context,
                          struct pz_error *error);
/* Returns the number of the last job that was added with a question, or 0. */
uint64_t store_question(struct store *store, const char *question);

/* ---- levels and examples, by job: written behind, and durable at the latest with the job's next durable
 * write ---- */

/* Stores a level, and removes in the same commit later levels, which an earlier run of the job has left. */
enum pz_status store_level_put(struct store *store, uint64_t job, uint32_t level, uint64_t states,
                               struct pz_error *error);
/* Finds the levels of a job, ascending, malloc'd if levels is not NULL, and their number. Only costs leave
 * levels out: those without a state. */
struct store_level {
    uint32_t level;
    uint64_t states;
};
enum pz_status store_levels(struct store *store, uint64_t job, struct store_level **levels, uint32_t *count,
                            struct pz_error *error);
/* Returns true if a level of a job is not durable yet; after a flush, that it could not be written. */
bool store_levels_wait(struct store *store, uint64_t job);
/* Returns why the last write behind that failed did, and fills *error; PZ_OK if none has failed, or one has
 * been made after all. */
enum pz_status store_last_failure(struct store *store, struct pz_error *error);
enum pz_status store_examples_put(struct store *store, uint64_t job, uint32_t level, const void *states,
                                  unsigned count, unsigned state_bytes, struct pz_error *error);
struct store_examples {
    void *states; /* malloc'd; NULL if there are none */
    unsigned count, state_bytes;
};
/* Finds the examples of a level; count is 0 if there are none. The caller frees the states. */
enum pz_status store_examples(struct store *store, uint64_t job, uint32_t level, struct store_examples *out,
                              struct pz_error *error);

/* ---- tables: the complete distances of one space from one root ---- */

enum { STORE_NAME_MAX = 1400 };

struct table_record {
    char name[STORE_NAME_MAX]; /* "slide:3x4 root=1,2,…" or "pdb:4x4:7-8:…" */
    uint64_t id;               /* the store's number for it */
    uint64_t job;              /* that made it */
    enum table_kind kind;      /* its format; TABLE_NONE is a checkpoint */
    uint32_t state_bytes;      /* 0 for a pattern database */
    uint32_t depth;            /* last complete level */
    bool complete;             /* every reachable state is in it */
    bool finished;             /* all of it is there; only such tables are ever listed or read */
    uint64_t states;
    uint64_t bytes;       /* in the database */
    uint64_t table_bytes; /* of all chunks */
    uint32_t chunk_bytes;
    uint64_t created_ms, used_ms;
    bool pinned;
};

/*
 * Writes a table piece by piece. There may be any number of writers; each belongs to one thread. Pieces are
 * committed as they come, under a number that nothing reads. table_writer_finish makes the table visible in
 * one commit, in place of an older one of the same name. An unfinished table is removed by table_writer_abort
 * or, after a crash, by the next store_open.
 */
struct table_writer;
/* The most bytes of a batch of pieces. */
enum { TABLE_BATCH_BYTES = 16 << 20 };
enum pz_status table_writer_new(struct store *store, const struct table_record *about,
                                struct table_writer **out, struct pz_error *error);
enum pz_status table_writer_run(struct table_writer *writer, const struct explore_run *run,
                                struct pz_error *error);
enum pz_status table_writer_chunk(struct table_writer *writer, uint64_t number, const void *bytes,
                                  size_t length, struct pz_error *error);
/* Returns the bytes that the writer has in memory: the batch being filled, the batch that waits for its
 * commit, and the pages that LMDB makes of the latter. */
uint64_t table_writer_memory(const struct table_writer *writer);
/* Takes depth, complete and states from *about. Frees the writer, also on failure. */
enum pz_status table_writer_finish(struct table_writer *writer, const struct table_record *about,
                                   struct pz_error *error);
/* Finishes the table unless the name now belongs to a table that says as much: one that is complete, or as
 * deep as an incomplete new one, and that has the components if the new one has them. Then the older table
 * stays and the new one is removed. */
enum pz_status table_writer_finish_if_better(struct table_writer *writer, const struct table_record *about,
                                             struct pz_error *error);
void table_writer_abort(struct table_writer *writer); /* frees it; NULL is fine */

/* PZ_NO_TABLE if there is none of that name. */
enum pz_status store_table_find(struct store *store, const char *name, struct table_record *table,
                                struct pz_error *error);
/* Calls visit for each finished table until it returns false. The records are those of one moment: visit may
 * change the tables. Damaged records are left out, and counted; NULL is fine. store_fsck names them. */
enum pz_status store_tables(struct store *store,
                            bool (*visit)(void *context, const struct table_record *table), void *context,
                            unsigned *damaged, struct pz_error *error);
/* Pins or unpins a table. A pinned one is never evicted. */
enum pz_status store_table_pin(struct store *store, const char *name, bool pinned, struct pz_error *error);

/*
 * A consistent view of one table for a batch of lookups: a read transaction. Keep it short: a view held open
 * lets the file grow. Only one thread uses it, and must not wait for a commit meanwhile. Chunk pointers are
 * good until table_view_close; each chunk's checksum is verified once in the process's life.
 */
struct table_view;
enum pz_status table_view_open(struct store *store, const char *name, struct table_view **out,
                               struct pz_error *error);
/* Opens a view without noting a use of the table. */
enum pz_status table_view_peek(struct store *store, const char *name, struct table_view **out,
                               struct pz_error *error);
void table_view_close(struct table_view *view); /* NULL is fine */
const struct table_record *table_view_record(const struct table_view *view);
enum pz_status table_view_chunk(struct table_view *view, uint64_t number, const uint8_t **bytes,
                                size_t *length, struct pz_error *error);
/* Calls visit with the first `bytes` bytes of a table of chunks, in order, until it fails. PZ_STORAGE for a
 * chunk that is empty or goes beyond the table's end. It renews the transaction now and then, so no pointer
 * to a chunk is good after it, and PZ_NO_TABLE says that the table is gone; so do the visits of runs below.
 */
struct table_chunk {
    uint64_t number, at; /* at: of its first byte in the table */
    const uint8_t *bytes;
    size_t length;
};
enum pz_status table_view_chunks(struct table_view *view, uint64_t bytes,
                                 enum pz_status (*visit)(void *context, const struct table_chunk *chunk,
                                                         struct pz_error *error),
                                 void *context, struct pz_error *error);
/* Finds the distance of one mixed key; PZ_NO_TABLE if the table does not hold it. */
enum pz_status table_view_key(struct table_view *view, const uint64_t *key, unsigned key_words,
                              uint32_t *distance, struct pz_error *error);
/* Calls visit for every run in ascending order until it returns false. */
enum pz_status table_view_runs(struct table_view *view,
                               bool (*visit)(void *context, const struct explore_run *run), void *context,
                               struct pz_error *error);
/* Calls visit likewise, with the states at one distance only, from the run on that answers for a key
 * (table_record.state_bytes / 8 words). */
enum pz_status table_view_level(struct table_view *view, const uint64_t *from, uint32_t distance,
                                bool (*visit)(void *context, const struct explore_run *run), void *context,
                                struct pz_error *error);

/* Removes unpinned tables, the longest unused first, until at least this many bytes are free, and no more
 * tables than that needs. submitter: only tables that explorations of this one made; NULL: all. unused_ms:
 * only tables not used since; UINT64_MAX: all. Calls evicted after each removal. Returns PZ_STORAGE_FULL and
 * removes none if all of them would not suffice. Waits for commits. */
enum pz_status store_evict(struct store *store, const char *submitter, uint64_t unused_ms, uint64_t bytes,
                           void (*evicted)(void *context, const struct table_record *table), void *context,
                           struct pz_error *error);

/* Sums up the tables, or those that explorations of this submitter made. */
struct store_taken {
    uint64_t bytes, evictable; /* of all, of those that are not pinned */
};
enum pz_status store_taken(struct store *store, const char *submitter, struct store_taken *taken,
                           struct pz_error *error);

/*
 * ---- checkpoints: one for a job, in parts numbered from 0; the last whole one survives ----
 *
 * Parts are written beside other writes, like the pieces of a table. One commit makes them the job's
 * checkpoint, in place of the one before. Each writer belongs to one thread. The caller decides what is in a
 * part and names the layout by a version; every part has a checksum. To forget the job removes the
 * checkpoint, too. run: a number of the run that makes it, which checkpoint_info returns.
 */
enum { CHECKPOINT_PART_MAX = (1 << 20) - 32 }; /* bytes; fills its pages exactly */
/* table_writer_abort gives it up. */
enum pz_status checkpoint_begin(struct store *store, uint64_t job, uint32_t version, uint64_t run,
                                struct table_writer **out, struct pz_error *error);
/* Copies the bytes. Waits for the disk only if the disk falls behind. */
enum pz_status checkpoint_part(struct table_writer *writer, const void *bytes, size_t length,
                               struct pz_error *error);
/* Durable when it returns PZ_OK. Frees the writer, also on failure; the checkpoint before is then still
 * there. */
enum pz_status checkpoint_commit(struct table_writer *writer, struct pz_error *error);

/* Reports a job's checkpoint without reading it. */
struct checkpoint_info {
    uint32_t version;
    uint64_t parts;
    uint64_t bytes; /* in the database */
    uint64_t created_ms;
    uint64_t run;
};
/* Opens a job's last whole checkpoint for reading: table_view_chunk finds its parts. PZ_NO_TABLE when there
 * is none. */
enum pz_status checkpoint_open(struct store *store, uint64_t job, struct table_view **out,
                               struct checkpoint_info *info, struct pz_error *error);
/* Removes a job's checkpoint, if there is one, without waiting: durable within a second, after what was
 * written behind before it. */
enum pz_status checkpoint_remove_async(struct store *store, uint64_t job, struct pz_error *error);

/* ---- the whole ---- */

struct store_stats {
    uint64_t jobs, tables;
    uint64_t bytes_used;  /* in pages that hold something */
    uint64_t bytes_file;  /* of the file; it never shrinks, freed pages are used again */
    uint64_t bytes_limit; /* 0 for none */
    uint64_t
        bytes_room;   /* that can still be written, by the limit and the disk; removed tables count as gone */
    uint64_t commits; /* since store_open */
};
enum pz_status store_stats(struct store *store, struct store_stats *stats, struct pz_error *error);

/* Checks every value, and that they fit together. Calls report for each fault, with one line without an LF.
 * PZ_OK if everything could be read, whatever was found; otherwise the error that ended the check. */
struct store_check {
    uint64_t values, bytes, faults;
};
enum pz_status store_fsck(struct store *store, void (*report)(void *context, const char *fault),
                          void *context, struct store_check *check, struct pz_error *error);

#endif
