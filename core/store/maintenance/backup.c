/* SPDX-License-Identifier: MIT */
#include "store/maintenance/backup.h"

#include "base/clock.h"
#include "base/own_files.h"
#include "base/status_word.h"
#include "store/engine/store_internal.h"
#include "store/lmdb/lmdb_page.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum { COPY_BYTES = 1 << 20, PROGRESS_NS = 200000000 };

static uint64_t file_bytes(int file)
{
    struct stat status;
    return fstat(file, &status) == 0 ? (uint64_t)status.st_size : 0;
}

/* ---- the seal of a copy ----
 *
 * LMDB's file has bytes that hold nothing and that no value's seal covers: half of a small file. So a copy
 * has one seal for all its bytes, where its first page is empty. The seal ends with the first commit to the
 * file, which LMDB gives another number. A copy of data.mdb that was made otherwise has zeros there. */

struct copy_seal {
    char magic[8];
    uint64_t hash; /* XXH3-64 of what follows, its seed that of what comes before */
};
enum { COPY_SEAL_AT = 256, COPY_SEAL_END = COPY_SEAL_AT + (int)sizeof(struct copy_seal) };
static const char copy_magic[8] = "pzcopy1";

static uint64_t copy_hash(const uint8_t *map, uint64_t bytes)
{
    return XXH3_64bits_withSeed(map + COPY_SEAL_END, bytes - COPY_SEAL_END,
                                XXH3_64bits(map, COPY_SEAL_END - sizeof(uint64_t)));
}

/* Returns NULL with errno, for a file too short for a seal as well. */
static uint8_t *map_copy(int file, uint64_t bytes)
{
    errno = EINVAL;
    void *map = bytes < COPY_SEAL_END ? MAP_FAILED : mmap(NULL, bytes, PROT_READ, MAP_SHARED, file, 0);
    return map == MAP_FAILED ? NULL : map;
}

/* Returns an errno value. */
static int seal_copy(int file)
{
    const uint64_t bytes = file_bytes(file);
    if (pwrite(file, copy_magic, sizeof copy_magic, COPY_SEAL_AT) != sizeof copy_magic)
        return errno;
    uint8_t *map = map_copy(file, bytes);
    if (map == NULL)
        return errno;
    const uint64_t hash = copy_hash(map, bytes);
    (void)munmap(map, bytes);
    const bool written = pwrite(file, &hash, sizeof hash, COPY_SEAL_END - sizeof hash) == sizeof hash;
    return written && fsync(file) == 0 ? 0 : errno;
}

/* Returns true if nobody has written to the file since LMDB copied it. Damage that hides this makes the file
 * no database, which is found later. */
static bool is_as_copied(const uint8_t *map, uint64_t bytes)
{
    const uint64_t page_bytes = u32_at(map + PAGE_HEAD + META_TREES);
    const uint64_t number = PAGE_HEAD + META_LAST + 8; /* of the commit */
    return page_bytes + number + 8 <= bytes && u64_at(map + number) == 0 &&
           u64_at(map + page_bytes + number) == 1;
}

static bool seal_is_good(const uint8_t *map, uint64_t bytes)
{
    static const struct copy_seal none;
    struct copy_seal seal;
    memcpy(&seal, map + COPY_SEAL_AT, sizeof seal);
    return memcmp(&seal, &none, sizeof seal) == 0 || seal.hash == copy_hash(map, bytes);
}

static enum pz_status check_seal(const char *path, struct pz_error *error)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return status_from_errno(error, errno, path);
    const uint64_t bytes = file_bytes(file);
    uint8_t *map = map_copy(file, bytes);
    const bool good = map == NULL || !is_as_copied(map, bytes) || seal_is_good(map, bytes);
    if (map != NULL)
        (void)munmap(map, bytes);
    (void)close(file);
    if (bytes == 0)
        return pz_fail(error, PZ_STORAGE, "%.400s is empty", path);
    return good ? PZ_OK
                : pz_fail(error, PZ_STORAGE, "%.400s was changed since it was copied: a bit of it is wrong",
                          path);
}

/* ---- checking a copy ---- */

static enum pz_status check_copy(const char *path, const struct backup_calls *calls,
                                 struct backup_result *result, struct pz_error *error)
{
    const struct store_options options = {.read_only = true, .is_file = true};
    struct store *store;
    struct store_check check;
    calls->progress(calls->context, BACKUP_CHECK, 0, result->bytes);
    enum pz_status status = check_seal(path, error);
    if (status != PZ_OK)
        return status;
    status = store_open(path, &options, &store, error);
    if (status != PZ_OK)
        return status;
    status = store_fsck(store, calls->fault, calls->context, &check, error);
    store_close(store);
    result->values = check.values;
    calls->progress(calls->context, BACKUP_CHECK, result->bytes, result->bytes);
    if (status == PZ_OK && check.faults > 0)
        return pz_fail(error, PZ_STORAGE, "the copy has %" PRIu64 " faults", check.faults);
    return status;
}

/* ---- backup ---- */

struct copying {
    MDB_env *env;
    int file;
    pthread_mutex_t lock; /* guards done and code */
    pthread_cond_t ended;
    bool done;
    int code;
};

static void *copy_main(void *context)
{
    struct copying *copying = context;
    int code = mdb_env_copyfd2(copying->env, copying->file, MDB_CP_COMPACT);
    (void)pthread_mutex_lock(&copying->lock);
    copying->done = true;
    copying->code = code;
    (void)pthread_cond_signal(&copying->ended);
    (void)pthread_mutex_unlock(&copying->lock);
    return NULL;
}

static void report_until_copied(struct copying *copying, uint64_t total, const struct backup_calls *calls)
{
    (void)pthread_mutex_lock(&copying->lock);
    while (!copying->done) {
        clock_wait(&copying->ended, &copying->lock, PROGRESS_NS);
        calls->progress(calls->context, BACKUP_COPY, file_bytes(copying->file), total);
    }
    (void)pthread_mutex_unlock(&copying->lock);
}

/* Lets LMDB copy on another thread; this one reports the progress. */
static enum pz_status copy_environment(struct store *store, int file, const struct backup_calls *calls,
                                       struct pz_error *error)
{
    struct store_stats stats;
    struct copying copying = {.env = store->environment.env, .file = file};
    pthread_t thread;
    enum pz_status status = store_stats(store, &stats, error);
    if (status != PZ_OK)
        return status;
    (void)pthread_mutex_init(&copying.lock, NULL);
    (void)pthread_cond_init(&copying.ended, NULL);
    int code = pthread_create(&thread, NULL, copy_main, &copying);
    if (code == 0) {
        report_until_copied(&copying, stats.bytes_file, calls);
        (void)pthread_join(thread, NULL);
        code = copying.code;
    }
    (void)pthread_cond_destroy(&copying.ended);
    (void)pthread_mutex_destroy(&copying.lock);
    if (code == 0)
        code = seal_copy(file);
    if (code == MDB_INCOMPATIBLE) /* its heads led LMDB to other pages than the trees have */
        return pz_fail(error, PZ_STORAGE,
                       "a table is damaged: FSCK (puzzlectl fsck) says which job to forget");
    return code == 0 ? PZ_OK : store_fault(error, code, "copying the database");
}

/* Makes a file that was not there. What an earlier copy left of that name goes: nobody else has a file open
 * that this process writes. Returns -1 with errno. */
static int make_part(const char *path)
{
    (void)unlink(path);
    return open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

static enum pz_status back_up_to(const char *directory, const char *path, const struct backup_calls *calls,
                                 struct backup_result *result, struct pz_error *error)
{
    const struct store_options options = {.read_only = true};
    struct store *store;
    enum pz_status status = store_open(directory, &options, &store, error);
    if (status != PZ_OK)
        return status;
    int file = make_part(path);
    if (file < 0) {
        status = status_from_errno(error, errno, path);
    } else {
        status = copy_environment(store, file, calls, error);
        result->bytes = file_bytes(file);
        (void)close(file);
    }
    store_close(store);
    return status == PZ_OK ? check_copy(path, calls, result, error) : status;
}

/* Makes the name of a finished file durable. */
static enum pz_status sync_name(const char *path, struct pz_error *error)
{
    const int code = directory_sync(path);
    return code == 0
               ? PZ_OK
               : pz_fail(error, PZ_STORAGE,
                         "%.400s is whole and in its place, but its directory cannot be synced (%s): a power "
                         "failure may take it away again",
                         path, strerrordesc_np(code));
}

/* Gives the finished file its name, durably; fails if the name is taken. */
static enum pz_status give_name(const char *part, const char *file, struct pz_error *error)
{
    int code = renameat2(AT_FDCWD, part, AT_FDCWD, file, RENAME_NOREPLACE) == 0 ? 0 : errno;
    if (code == EINVAL || code == ENOSYS) /* some file systems have links only, others neither */
        code = link(part, file) == 0 ? 0 : errno;
    if (code == EEXIST)
        return pz_fail(error, PZ_STORAGE, "%.400s is there already: choose another name", file);
    return code == 0 ? sync_name(file, error) : status_from_errno(error, code, file);
}

enum pz_status store_backup(const char *directory, const char *file, const struct backup_calls *calls,
                            struct backup_result *result, struct pz_error *error)
{
    assert(calls->progress != NULL && calls->fault != NULL);
    char part[PATH_MAX];
    *result = (struct backup_result){0};
    if (snprintf(part, sizeof part, "%s.part", file) >= (int)sizeof part)
        return pz_fail(error, PZ_STORAGE, "the path is too long: %.200s", file);
    if (access(file, F_OK) == 0)
        return pz_fail(error, PZ_STORAGE, "%.400s is there already: choose another name", file);
    enum pz_status status = back_up_to(directory, part, calls, result, error);
    if (status == PZ_OK)
        status = give_name(part, file, error);
    (void)unlink(part);
    return status;
}

/* ---- restore ---- */

/* Copies bytes, with progress. Returns an errno value. *reading: whether it is of the file that was read. */
static int copy_bytes(int from, int to, const struct backup_calls *calls, struct backup_result *result,
                      bool *reading)
{
    const uint64_t total = file_bytes(from);
    uint8_t *bytes = malloc(COPY_BYTES);
    int code = bytes == NULL ? ENOMEM : 0;
    for (ssize_t got = 1; code == 0 && got > 0;) {
        got = read(from, bytes, COPY_BYTES);
        code = got < 0 ? errno : 0;
        *reading = got < 0;
        for (ssize_t done = 0, put; code == 0 && done < got; done += put) {
            put = write(to, bytes + done, (size_t)(got - done));
            code = put < 0 ? errno : 0;
        }
        result->bytes += got > 0 ? (uint64_t)got : 0;
        calls->progress(calls->context, BACKUP_COPY, result->bytes, total);
    }
    free(bytes);
    return code;
}

static enum pz_status copy_file(const char *file, const char *path, const struct backup_calls *calls,
                                struct backup_result *result, struct pz_error *error)
{
    struct stat about;
    if (stat(file, &about) == 0 && (S_ISCHR(about.st_mode) || S_ISBLK(about.st_mode))) /* some never end */
        return pz_fail(error, PZ_BAD_REQUEST, "%.400s is a device: --restore takes what --backup wrote",
                       file);
    int from = open(file, O_RDONLY | O_CLOEXEC);
    if (from < 0)
        return status_from_errno(error, errno, file);
    int to = make_part(path);
    bool reading = false;
    int code = to < 0 ? errno : copy_bytes(from, to, calls, result, &reading);
    if (code == 0 && fsync(to) != 0)
        code = errno;
    if (to >= 0)
        (void)close(to);
    (void)close(from);
    return code == 0 ? PZ_OK : status_from_errno(error, code, reading ? file : path);
}

/* Gives a file, as root, to the owner of the directory. */
static int give_to_owner(const char *directory, const char *path)
{
    struct stat status;
    if (geteuid() != 0)
        return 0;
    if (stat(directory, &status) != 0 || lchown(path, status.st_uid, status.st_gid) != 0)
        return errno;
    return 0;
}

/* Puts the checked copy in place. Removes an old lock.mdb: its readers belong to the old file. */
static enum pz_status put_in_place(const char *directory, const char *part, struct pz_error *error)
{
    char data[PATH_MAX], lock[PATH_MAX], owner[PATH_MAX];
    (void)snprintf(data, sizeof data, "%s/data.mdb", directory);
    (void)snprintf(lock, sizeof lock, "%s/lock.mdb", directory);
    (void)snprintf(owner, sizeof owner, "%s/owner", directory);
    int code = give_to_owner(directory, part);
    if (code == 0)
        code = give_to_owner(directory, owner);
    if (code == 0 && unlink(lock) != 0 && errno != ENOENT)
        code = errno;
    if (code == 0 && rename(part, data) != 0)
        code = errno;
    return code == 0 ? sync_name(data, error) : status_from_errno(error, code, data);
}

/* Checks what was copied. An error names the file that it came from: the copy goes. */
static enum pz_status check_part(const char *part, const char *file, const struct backup_calls *calls,
                                 struct backup_result *result, struct pz_error *error)
{
    struct pz_error own;
    const size_t length = strlen(part);
    enum pz_status status = check_copy(part, calls, result, &own);
    if (status == PZ_OK)
        return PZ_OK;
    const bool named = strncmp(own.text, part, length) == 0;
    return pz_fail(error, status, "%.200s%s%s", file,
                   named ? "" : " cannot be used: ", own.text + (named ? length : 0));
}

enum pz_status store_restore(const char *file, const char *directory, const struct backup_calls *calls,
                             struct backup_result *result, struct pz_error *error)
{
    assert(calls->progress != NULL && calls->fault != NULL);
    char part[PATH_MAX];
    struct environment environment;
    *result = (struct backup_result){0};
    if (snprintf(part, sizeof part, "%s/data.mdb.part", directory) >= (int)sizeof part)
        return pz_fail(error, PZ_STORAGE, "the path is too long: %.200s", directory);
    enum pz_status status = environment_own(&environment, directory, error);
    if (status != PZ_OK)
        return status;
    status = copy_file(file, part, calls, result, error);
    if (status == PZ_OK)
        status = check_part(part, file, calls, result, error);
    if (status == PZ_OK)
        status = put_in_place(directory, part, error);
    if (status != PZ_OK)
        (void)unlink(part);
    environment_close(&environment);
    return status;
}
