/* SPDX-License-Identifier: MIT */
/* Who owns a directory: one process, which opens it once. */
#include "store/lmdb/environment.h"

#include "base/own_files.h"
#include "base/status_word.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Every environment that this process has open; guarded by opened_lock. */
static struct environment *opened;
static pthread_mutex_t opened_lock = PTHREAD_MUTEX_INITIALIZER;

static bool opened_add(struct environment *environment)
{
    bool twice = false;
    (void)pthread_mutex_lock(&opened_lock);
    for (struct environment *other = opened; other != NULL; other = other->next)
        twice |= other->device == environment->device && other->inode == environment->inode;
    if (!twice) {
        environment->next = opened;
        opened = environment;
    }
    (void)pthread_mutex_unlock(&opened_lock);
    return !twice;
}

void ownership_end(const struct environment *environment)
{
    (void)pthread_mutex_lock(&opened_lock);
    struct environment **link = &opened;
    while (*link != NULL && *link != environment)
        link = &(*link)->next;
    if (*link != NULL)
        *link = environment->next;
    (void)pthread_mutex_unlock(&opened_lock);
    if (environment->owner >= 0)
        (void)close(environment->owner);
}

static enum pz_status busy(struct pz_error *error, int owner, const char *directory)
{
    char pid[24] = "";
    ssize_t length = pread(owner, pid, sizeof pid - 1, 0);
    pid[length > 0 ? strcspn(pid, "\n") : 0] = '\0';
    return pz_fail(error, PZ_BUSY, "%s is in use by process %s; stop it, or choose another state directory",
                   directory, pid[0] == '\0' ? "?" : pid);
}

/* LMDB opens its files by name and follows links. Whoever may write to the directory, where that is another
 * user, must not lead a process of root to other files. */
static enum pz_status check_links(const struct environment *environment, int directory,
                                  struct pz_error *error)
{
    static const char *const names[] = {"owner", "data.mdb", "lock.mdb"};
    struct stat about;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (fstatat(directory, names[i], &about, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISREG(about.st_mode))
            return pz_fail(error, PZ_STORAGE, "%s/%s must be a file, and no link to one",
                           environment->directory, names[i]);
    return PZ_OK;
}

/* Takes the flock that makes this process the owner. The text in the file is only for people. */
static enum pz_status take_ownership(struct environment *environment, int directory, struct pz_error *error)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/owner", environment->directory);
    environment->owner = own_file_open(directory, "owner", O_RDWR | O_CREAT);
    if (environment->owner < 0)
        return status_from_errno(error, errno, path);
    if (flock(environment->owner, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK)
            return busy(error, environment->owner, environment->directory);
        return status_from_errno(error, errno, path);
    }
    char pid[24];
    int length = snprintf(pid, sizeof pid, "%ld\n", (long)getpid());
    if (ftruncate(environment->owner, 0) != 0 || pwrite(environment->owner, pid, (size_t)length, 0) != length)
        return status_from_errno(error, errno, path);
    return PZ_OK;
}

enum pz_status ownership_begin(struct environment *environment, struct pz_error *error)
{
    struct stat about;
    if (stat(environment->directory, &about) != 0)
        return status_from_errno(error, errno, environment->directory);
    environment->device = about.st_dev;
    environment->inode = about.st_ino;
    if (!opened_add(environment))
        return pz_fail(error, PZ_BUSY, "%s is in use by process %ld (this one); a store is opened once",
                       environment->directory, (long)getpid());
    if (environment->is_file)
        return PZ_OK;
    const int directory = open(environment->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0)
        return status_from_errno(error, errno, environment->directory);
    enum pz_status status = check_links(environment, directory, error);
    if (status == PZ_OK && !environment->read_only)
        status = take_ownership(environment, directory, error);
    (void)close(directory);
    return status;
}

/* LMDB names no file that may not be written to, such as a copy that root has put there. It writes the table
 * of readers through a map, where a full disk would end the process by SIGBUS: the disk keeps room for it. A
 * file system that cannot do this is left alone. */
enum pz_status ownership_take_files(const struct environment *environment, struct pz_error *error)
{
    static const char *const names[] = {"data.mdb", "lock.mdb"};
    char path[4096];
    if (environment->read_only)
        return PZ_OK;
    for (unsigned i = 0; i < 2; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", environment->directory, names[i]);
        if (faccessat(AT_FDCWD, path, R_OK | W_OK, AT_EACCESS) != 0 && errno != ENOENT)
            return status_from_errno(error, errno, path);
    }
    const int file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return status_from_errno(error, errno, path);
    const int code = fallocate(file, 0, 0, (off_t)READERS_MAX * READER_BYTES) == 0 ? 0 : errno;
    (void)close(file);
    return code == ENOSPC || code == EDQUOT ? status_from_errno(error, code, path) : PZ_OK;
}
