/* SPDX-License-Identifier: MIT */
/*
 * The LMDB environment and its rules, which LMDB itself does not check:
 *
 *   one process       a flock on the file "owner" in the directory; the pid in it is for people
 *   one opening       within the process too: a second mdb_env_open would break the first one's locking
 *   growing           mdb_env_set_mapsize works only while no transaction is open in the process
 *   one file          data.mdb in the directory is the file that is open; checked before each commit
 *
 * A read transaction holds map_lock shared, growing holds it exclusively. Only the writer thread (writer.h)
 * has write transactions, and only it grows the map.
 *
 * The map takes address space, not disk: it is large from the start, so that growing is rare.
 */
#ifndef STORE_ENVIRONMENT_H
#define STORE_ENVIRONMENT_H

#include "store/lmdb/value_codec.h"
#include "store/store.h"

#include <lmdb.h>
#include <pthread.h>
#include <sys/types.h>

struct environment {
    MDB_env *env;
    MDB_dbi databases[DATABASE_COUNT];
    bool read_only;
    bool is_file;              /* directory names the database file itself */
    uint64_t size_limit;       /* 0 for none */
    uint64_t map_limit;        /* the same, or the file's size where it was larger when it was opened */
    pthread_rwlock_t map_lock; /* shared: a read transaction is open; exclusive: the map is changed */
    uint64_t map_bytes;        /* the writer thread's */
    unsigned page_bytes;
    char *directory;
    int owner;    /* the lock file, -1 when read-only */
    dev_t device; /* of the directory, to recognize it */
    ino_t inode;
    dev_t file_device; /* of data.mdb */
    ino_t file_inode;
    struct environment *next; /* in the process's list of open environments */
};

enum pz_status environment_open(struct environment *environment, const char *directory,
                                const struct store_options *options, struct pz_error *error);
/* Takes ownership of a directory, as environment_open does, and opens nothing. PZ_BUSY if another process
 * owns it. Ended by environment_close. */
enum pz_status environment_own(struct environment *environment, const char *directory,
                               struct pz_error *error);
/* No transaction may be open. Does nothing after a failed environment_open. */
void environment_close(struct environment *environment);

/* Makes this process the owner of the environment's directory, which it opens once. ownership.c */
enum pz_status ownership_begin(struct environment *environment, struct pz_error *error);
void ownership_end(const struct environment *environment);
/* Refuses files that may not be written to, and has the disk keep room for the table of readers. */
enum pz_status ownership_take_files(const struct environment *environment, struct pz_error *error);
enum { READERS_MAX = 512, READER_BYTES = 64 };

/* Begins a read transaction, for one lookup or one view, never longer. The thread that began it ends it. */
enum pz_status environment_read(struct environment *environment, MDB_txn **out, struct pz_error *error);
void environment_read_end(struct environment *environment, MDB_txn *txn);
/* Renews a read transaction: it then sees what is there now. The map may have grown in between. */
enum pz_status environment_read_again(struct environment *environment, MDB_txn *txn, struct pz_error *error);

static inline MDB_val mdb_key(const struct key *key)
{
    return (MDB_val){.mv_size = key->length, .mv_data = (void *)key->bytes};
}
/* Finds a value as a transaction sees it, without a look at its seal. Returns LMDB's code. */
int database_get(const struct environment *environment, MDB_txn *txn, enum database database,
                 const struct key *key, MDB_val *value);
/* Replaces *key by the first key that is not below it, cut where it is too long. Returns LMDB's code. */
int database_from(const struct environment *environment, MDB_txn *txn, enum database database,
                  struct key *key);
/* Seals what the encoder holds, writes it in a transaction, and frees the encoder. Returns LMDB's code, or
 * ENOMEM. */
int database_put(const struct environment *environment, MDB_txn *txn, enum database database,
                 const struct key *key, struct encoder *encoder);

/* Grows the map after MDB_MAP_FULL; returns false if it may not grow. Writer thread, without a transaction.
 * spare: the write may use a reserve beyond the size limit. Only small writes and removals do, so that a
 * full database can still be emptied and can still record its jobs. */
bool environment_grow(struct environment *environment, bool spare);
/* Takes the reserve away before a large write. */
void environment_drop_spare(struct environment *environment);

/* Returns 0, or ESTALE if the directory's data.mdb is not the open file: somebody has removed or replaced
 * it, and writes would be lost. */
int environment_check_place(const struct environment *environment);

/* Returns the code that a failed commit stands for: LMDB says EIO when the file system took only a part of a
 * write because it is full. */
int environment_commit_code(const struct environment *environment, int code);

/* Translates LMDB's errors, errno values included; the only place that does. */
enum pz_status store_fault(struct pz_error *error, int code, const char *what);

#endif
