/* SPDX-License-Identifier: MIT */
#include "store/lmdb/environment.h"

#include "base/status_word.h"
#include "store/lmdb/lmdb_page.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* The address space asked for first, and the least that will do. */
static const uint64_t map_first = UINT64_C(1) << 40;
static const uint64_t map_least = UINT64_C(1) << 24;
/* The bytes beyond the size limit that are reserved for small writes and removals. */
static const uint64_t spare_bytes = UINT64_C(16) << 20;

enum pz_status store_fault(struct pz_error *error, int code, const char *what)
{
    switch (code) {
    case MDB_MAP_FULL:
        return pz_fail(
            error, PZ_STORAGE_FULL,
            "%s: the database can grow no more, by [store] size or by the address space of the process",
            what);
    case MDB_READERS_FULL:
        return pz_fail(error, PZ_BUSY, "%s: more than %d lookups at once", what, READERS_MAX);
    case MDB_NOTFOUND:
    case MDB_PAGE_NOTFOUND:
    case MDB_CORRUPTED:
    case MDB_INVALID:
    case MDB_BAD_VALSIZE:
        return pz_fail(error, PZ_STORAGE, "%s: the database is damaged (%s)", what, mdb_strerror(code));
    case MDB_PANIC:
        return pz_fail(
            error, PZ_STORAGE,
            "%s: an earlier write failed half-way, so nothing is read or written any more: restart puzzled, "
            "which recovers",
            what);
    case MDB_VERSION_MISMATCH:
        return pz_fail(error, PZ_UNSUPPORTED, "%s: written by another version of LMDB than %s", what,
                       MDB_VERSION_STRING);
    case ESTALE:
        return pz_fail(error, PZ_STORAGE,
                       "%s: the database file was removed or replaced while it was open, so nothing is "
                       "written any more: stop puzzled, put the state directory back, and start again",
                       what);
    default:
        if (code > 0)
            return status_from_errno(error, code, what);
        return pz_fail(error, PZ_STORAGE, "%s: %s", what, mdb_strerror(code));
    }
}

/* Notes which file is open. Returns an errno value. */
static int note_open_file(struct environment *environment)
{
    mdb_filehandle_t file;
    struct stat status;
    int code = mdb_env_get_fd(environment->env, &file);
    if (code == 0 && fstat(file, &status) != 0)
        code = errno;
    if (code != 0)
        return code;
    environment->file_device = status.st_dev;
    environment->file_inode = status.st_ino;
    return 0;
}

static void data_path(const struct environment *environment, char path[4096])
{
    const char *file = environment->is_file ? "" : "/data.mdb";
    (void)snprintf(path, 4096, "%s%s", environment->directory, file);
}

int environment_check_place(const struct environment *environment)
{
    char path[4096];
    struct stat status;
    data_path(environment, path);
    if (stat(path, &status) != 0)
        return errno == ENOENT || errno == ENOTDIR ? ESTALE : 0; /* other failures show in the write itself */
    return status.st_dev == environment->file_device && status.st_ino == environment->file_inode ? 0 : ESTALE;
}

/* Returns the flags to open LMDB with. Without lock.mdb no process has the database open. A reader does not
 * make that file: it may be another user. */
static unsigned open_flags(const struct environment *environment)
{
    char lock[4096];
    unsigned flags = MDB_NOTLS;
    (void)snprintf(lock, sizeof lock, "%s/lock.mdb", environment->directory);
    if (environment->read_only)
        flags |= (unsigned)MDB_RDONLY;
    if (environment->is_file)
        flags |= (unsigned)MDB_NOSUBDIR;
    if (environment->read_only && (environment->is_file || access(lock, F_OK) != 0))
        flags |= (unsigned)MDB_NOLOCK;
    return flags;
}

/* Halves the map until the system agrees: address space may be short (a limit, a sanitizer; valgrind says
 * EINVAL). */
static enum pz_status open_map(struct environment *environment, uint64_t map_bytes, struct pz_error *error)
{
    const unsigned flags = open_flags(environment);
    for (;;) {
        int code = mdb_env_create(&environment->env);
        if (code == 0)
            code = mdb_env_set_maxdbs(environment->env, DATABASE_COUNT);
        if (code == 0)
            code = mdb_env_set_maxreaders(environment->env, READERS_MAX);
        if (code == 0)
            code = mdb_env_set_mapsize(environment->env, map_bytes);
        if (code == 0)
            code = mdb_env_open(environment->env, environment->directory, flags, 0600);
        if (code == 0)
            break;
        mdb_env_close(environment->env);
        environment->env = NULL;
        if ((code != ENOMEM && code != EINVAL) || map_bytes <= map_least)
            return store_fault(error, environment_commit_code(environment, code), environment->directory);
        map_bytes /= 2;
    }
    int code = note_open_file(environment);
    if (code != 0)
        return store_fault(error, code, environment->directory);
    MDB_envinfo info;
    (void)mdb_env_info(environment->env, &info);
    environment->map_bytes = info.me_mapsize;
    environment->map_limit = environment->size_limit;
    if (environment->size_limit != 0 && info.me_mapsize > environment->size_limit)
        environment->map_limit = info.me_mapsize; /* removing must be possible, which needs pages */
    MDB_stat page;
    (void)mdb_env_stat(environment->env, &page);
    environment->page_bytes = page.ms_psize;
    return PZ_OK;
}

/* Checks the pages before LMDB opens the file; one that it had only begun is emptied, so that it begins
 * again. For a reader of a directory check_pages_read does it. */
static enum pz_status check_pages_first(const struct environment *environment, struct pz_error *error)
{
    char path[4096];
    data_path(environment, path);
    const int access_mode = environment->read_only ? O_RDONLY : O_RDWR;
    int file = environment->read_only && !environment->is_file ? -1 : open(path, access_mode | O_CLOEXEC);
    if (file < 0)
        return PZ_OK; /* there is no file yet, or LMDB will say what is wrong with it */
    enum pz_status status = PZ_OK;
    if (environment->read_only || !pages_uncommitted(file))
        status = pages_check(file, path, !environment->is_file, error);
    else if (ftruncate(file, 0) != 0)
        status = status_from_errno(error, errno, path);
    (void)close(file);
    return status;
}

/* Checks the pages of a directory that is only read. A transaction keeps another process from writing over
 * them; of what it commits meanwhile nothing can be concluded, but it has checked that itself. */
static enum pz_status check_pages_read(const struct environment *environment, struct pz_error *error)
{
    char path[4096];
    mdb_filehandle_t file;
    MDB_txn *txn;
    MDB_envinfo info = {0};
    if (!environment->read_only || environment->is_file)
        return PZ_OK;
    const int code = mdb_txn_begin(environment->env, NULL, MDB_RDONLY, &txn);
    if (code != 0)
        return store_fault(error, code, "reading the database");
    data_path(environment, path);
    (void)mdb_env_get_fd(environment->env, &file);
    const enum pz_status status = pages_check(file, path, true, error);
    (void)mdb_env_info(environment->env, &info);
    const bool stayed = info.me_last_txnid == mdb_txn_id(txn);
    mdb_txn_abort(txn);
    return stayed ? status : PZ_OK;
}

static enum pz_status judge_format(const struct environment *environment, const MDB_val *value,
                                   const struct key *key, struct pz_error *error)
{
    const uint8_t *bytes = value->mv_data;
    if (!seal_good_of_any_format(bytes, value->mv_size, DATABASE_META, key))
        return pz_fail(error, PZ_STORAGE, "%s: the format record is damaged", environment->directory);
    struct decoder decoder = decoder_of(bytes, value->mv_size);
    uint32_t format = decode_u32(&decoder);
    if (format == STORE_FORMAT)
        return PZ_OK;
    /* From the first release on, the place to bring the format before up to date; see docs/storage.md. */
    return pz_fail(error, PZ_UNSUPPORTED,
                   "%s has database format %" PRIu32 ", this puzzled reads format %d: choose another state "
                   "directory, and export what matters (puzzlectl export, levels, result) with the puzzled "
                   "that wrote this one; nothing was changed",
                   environment->directory, format, STORE_FORMAT);
}

/* Checks the format before anything is written. Returns PZ_NO_TABLE for a fresh database, which has none. */
static enum pz_status check_format(struct environment *environment, struct pz_error *error)
{
    MDB_txn *txn;
    int code = mdb_txn_begin(environment->env, NULL, MDB_RDONLY, &txn);
    if (code != 0)
        return store_fault(error, code, environment->directory);
    MDB_dbi meta;
    MDB_val value;
    struct key key = {0};
    key_add_bytes(&key, "format", 6);
    MDB_val name = mdb_key(&key);
    enum pz_status status = PZ_OK;
    code = mdb_dbi_open(txn, database_name(DATABASE_META), 0, &meta);
    if (code == 0)
        code = mdb_get(txn, meta, &name, &value);
    if (code == MDB_NOTFOUND)
        status = PZ_NO_TABLE;
    else if (code != 0)
        status = store_fault(error, code, environment->directory);
    else
        status = judge_format(environment, &value, &key, error);
    mdb_txn_abort(txn);
    return status;
}

int database_get(const struct environment *environment, MDB_txn *txn, enum database database,
                 const struct key *key, MDB_val *value)
{
    MDB_val name = mdb_key(key);
    assert(txn != NULL && database < DATABASE_COUNT && key->length > 0);
    return mdb_get(txn, environment->databases[database], &name, value);
}

int database_from(const struct environment *environment, MDB_txn *txn, enum database database,
                  struct key *key)
{
    MDB_cursor *cursor;
    MDB_val name = mdb_key(key), value;
    int code = mdb_cursor_open(txn, environment->databases[database], &cursor);
    if (code != 0)
        return code;
    code = mdb_cursor_get(cursor, &name, &value, MDB_SET_RANGE);
    if (code == 0) {
        struct key found = {0};
        key_add_bytes(&found, name.mv_data, name.mv_size < KEY_MAX ? name.mv_size : KEY_MAX);
        *key = found;
    }
    mdb_cursor_close(cursor);
    return code;
}

int database_put(const struct environment *environment, MDB_txn *txn, enum database database,
                 const struct key *key, struct encoder *encoder)
{
    int code = ENOMEM;
    if (!encoder->failed) {
        assert(txn != NULL && database < DATABASE_COUNT && encoder->used >= SEAL_BYTES);
        seal_write(encoder->bytes, encoder->used - SEAL_BYTES, database, key);
        MDB_val name = mdb_key(key);
        MDB_val value = {.mv_size = encoder->used, .mv_data = encoder->bytes};
        code = mdb_put(txn, environment->databases[database], &name, &value, 0);
    }
    encoder_free(encoder);
    return code;
}

static int write_format(struct environment *environment, MDB_txn *txn)
{
    struct key key = {0};
    key_add_bytes(&key, "format", 6);
    struct encoder encoder;
    encoder_begin(&encoder);
    encode_u32(&encoder, STORE_FORMAT);
    return database_put(environment, txn, DATABASE_META, &key, &encoder);
}

static enum pz_status open_all_databases(struct environment *environment, bool fresh, struct pz_error *error)
{
    MDB_txn *txn;
    unsigned read_only = environment->read_only ? (unsigned)MDB_RDONLY : 0u;
    int code = mdb_txn_begin(environment->env, NULL, read_only, &txn);
    if (code != 0)
        return store_fault(error, code, environment->directory);
    unsigned create = environment->read_only ? 0u : (unsigned)MDB_CREATE;
    for (unsigned i = 0; i < DATABASE_COUNT && code == 0; i++)
        code = mdb_dbi_open(txn, database_name((enum database)i), create, &environment->databases[i]);
    if (code == 0 && fresh)
        code = write_format(environment, txn);
    if (code != 0)
        mdb_txn_abort(txn);
    else
        code = environment_commit_code(environment, mdb_txn_commit(txn));
    return code == 0 ? PZ_OK : store_fault(error, code, environment->directory);
}

static enum pz_status environment_open_parts(struct environment *environment,
                                             const struct store_options *options, struct pz_error *error)
{
    uint64_t map_bytes = options->map_bytes != 0 ? options->map_bytes : map_first;
    if (options->size_limit != 0 && map_bytes > options->size_limit)
        map_bytes = options->size_limit;
    enum pz_status status = ownership_take_files(environment, error);
    if (status == PZ_OK)
        status = check_pages_first(environment, error);
    if (status == PZ_OK)
        status = open_map(environment, map_bytes, error);
    if (status == PZ_OK)
        status = check_pages_read(environment, error);
    if (status != PZ_OK)
        return status;
    status = check_format(environment, error);
    bool fresh = status == PZ_NO_TABLE;
    if (fresh && environment->read_only)
        return pz_fail(error, PZ_STORAGE, "%s holds no database of puzzled", environment->directory);
    /* The meta pages reach the disk before the first commit: LMDB syncs them no sooner than with that, and a
     * file with pages and without these would look like a damaged one. */
    const int code = fresh ? mdb_env_sync(environment->env, 1) : 0;
    if (code != 0)
        return store_fault(error, code, environment->directory);
    return status == PZ_OK || fresh ? open_all_databases(environment, fresh, error) : status;
}

/* Takes the directory's lock. */
static enum pz_status environment_begin(struct environment *environment, const char *directory,
                                        struct pz_error *error)
{
    environment->owner = -1;
    environment->directory = strdup(directory);
    if (environment->directory == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for the store");
    (void)pthread_rwlock_init(&environment->map_lock, NULL);
    return ownership_begin(environment, error);
}

enum pz_status environment_open(struct environment *environment, const char *directory,
                                const struct store_options *options, struct pz_error *error)
{
    *environment = (struct environment){
        .read_only = options->read_only, .is_file = options->is_file, .size_limit = options->size_limit};
    enum pz_status status = environment_begin(environment, directory, error);
    if (status == PZ_OK)
        status = environment_open_parts(environment, options, error);
    if (status != PZ_OK)
        environment_close(environment);
    return status;
}

enum pz_status environment_own(struct environment *environment, const char *directory, struct pz_error *error)
{
    *environment = (struct environment){0};
    enum pz_status status = environment_begin(environment, directory, error);
    if (status != PZ_OK)
        environment_close(environment);
    return status;
}

void environment_close(struct environment *environment)
{
    if (environment->directory == NULL)
        return;
    mdb_env_close(environment->env);
    ownership_end(environment);
    (void)pthread_rwlock_destroy(&environment->map_lock);
    free(environment->directory);
    *environment = (struct environment){.owner = -1};
}

enum pz_status environment_read(struct environment *environment, MDB_txn **out, struct pz_error *error)
{
    assert(environment->env != NULL);
    (void)pthread_rwlock_rdlock(&environment->map_lock);
    int code = mdb_txn_begin(environment->env, NULL, MDB_RDONLY, out);
    if (code == 0)
        return PZ_OK;
    (void)pthread_rwlock_unlock(&environment->map_lock);
    return store_fault(error, code, "reading the database");
}

void environment_read_end(struct environment *environment, MDB_txn *txn)
{
    assert(txn != NULL);
    mdb_txn_abort(txn);
    (void)pthread_rwlock_unlock(&environment->map_lock);
}

enum pz_status environment_read_again(struct environment *environment, MDB_txn *txn, struct pz_error *error)
{
    mdb_txn_reset(txn);
    /* A map that is to grow need not wait for the whole read. */
    (void)pthread_rwlock_unlock(&environment->map_lock);
    (void)pthread_rwlock_rdlock(&environment->map_lock);
    int code = mdb_txn_renew(txn);
    return code == 0 ? PZ_OK : store_fault(error, code, "reading the database");
}

static bool set_map(struct environment *environment, uint64_t bytes)
{
    (void)pthread_rwlock_wrlock(&environment->map_lock);
    int code = mdb_env_set_mapsize(environment->env, bytes);
    (void)pthread_rwlock_unlock(&environment->map_lock);
    if (code != 0)
        return false;
    environment->map_bytes = bytes;
    return true;
}

/* Returns true if there is address space for so many more bytes of map: LMDB gives up the one it has before
 * it asks for a larger one. */
static bool is_granted(uint64_t bytes)
{
    void *probe = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return probe != MAP_FAILED && munmap(probe, bytes) == 0;
}

bool environment_grow(struct environment *environment, bool spare)
{
    uint64_t most = environment->map_limit == 0 ? UINT64_MAX / 4 : environment->map_limit;
    if (spare && environment->map_limit != 0)
        most += spare_bytes;
    if (environment->map_bytes >= most)
        return false;
    uint64_t bytes = environment->map_bytes > most / 2 ? most : environment->map_bytes * 2;
    assert(!environment->read_only && bytes > environment->map_bytes && bytes <= most);
    return is_granted(bytes - environment->map_bytes) && set_map(environment, bytes);
}

void environment_drop_spare(struct environment *environment)
{
    if (environment->map_limit != 0 && environment->map_bytes > environment->map_limit)
        (void)set_map(environment, environment->map_limit);
}

int environment_commit_code(const struct environment *environment, int code)
{
    struct statvfs disk;
    if (code != EIO || statvfs(environment->directory, &disk) != 0)
        return code;
    return disk.f_bavail * disk.f_frsize < environment->page_bytes * 16u ? ENOSPC : code;
}
