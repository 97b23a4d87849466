/* SPDX-License-Identifier: MIT */
/*
 * A library to preload into puzzled: fails one kind of call, the Nth time and perhaps ever after.
 *
 *   FAULT_CALL=malloc|write|…   the kind, one of kind_words ("" counts only)
 *   FAULT_AT=N           fail the Nth call of that kind, from 1
 *   FAULT_FOREVER=1      and every one after it
 *   FAULT_KILL=1         kill the process instead
 *   FAULT_COUNT=FILE     at exit, write "kind count" lines there
 *   FAULT_TRACE=1        tell on stderr who made the call that failed
 *   FAULT_CONTROL=FILE   struct control, which the test changes while puzzled runs
 *
 * The environment is read once, before main.
 */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum kind {
    KIND_MALLOC,
    KIND_WRITE,
    KIND_SYNC,
    KIND_MMAP,
    KIND_THREAD,
    KIND_ACCEPT,
    KIND_OPEN,
    KIND_READ,
    KIND_LENGTH,
    KIND_NAME,
    KIND_COUNT
};
static const char *const kind_words[KIND_COUNT] = {"malloc", "write", "sync", "mmap",   "thread",
                                                   "accept", "open",  "read", "length", "name"};

/* Of two 64-bit numbers in the machine's order. The test writes, every thread reads. */
struct control {
    _Atomic int64_t wall_seconds; /* how far the wall clock is off */
    _Atomic int64_t failing;      /* a bit for each kind that fails now */
};

/* Written before main, by the constructor; read by every thread. */
static const struct control *control;
static int failing_kind = -1;
static unsigned long failing_at;
static bool failing_forever;
static bool killing;
static const char *count_path;
static bool armed;
static bool tracing;
/* Every thread counts. */
static _Atomic unsigned long counts[KIND_COUNT];

static void map_control(const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    void *map = mmap(NULL, sizeof *control, PROT_READ, MAP_SHARED, file, 0);
    if (map == MAP_FAILED) {
        (void)fprintf(stderr, "libfaults cannot map %s\n", path);
        _exit(EXIT_FAILURE);
    }
    control = map;
    (void)close(file);
}

__attribute__((constructor)) static void read_environment(void)
{
    const char *kind = getenv("FAULT_CALL");
    const char *at = getenv("FAULT_AT");
    for (int i = 0; i < KIND_COUNT; i++)
        if (kind != NULL && strcmp(kind, kind_words[i]) == 0)
            failing_kind = i;
    failing_at = at != NULL ? strtoul(at, NULL, 10) : 0;
    failing_forever = getenv("FAULT_FOREVER") != NULL;
    killing = getenv("FAULT_KILL") != NULL;
    count_path = getenv("FAULT_COUNT");
    tracing = getenv("FAULT_TRACE") != NULL;
    if (tracing) {
        void *frame;
        (void)backtrace(&frame, 1); /* it allocates at its first call */
    }
    if (getenv("FAULT_CONTROL") != NULL)
        map_control(getenv("FAULT_CONTROL"));
    armed = true;
}

__attribute__((destructor)) static void write_counts(void)
{
    armed = false;
    if (count_path == NULL)
        return;
    FILE *file = fopen(count_path, "w");
    if (file == NULL)
        return;
    for (int i = 0; i < KIND_COUNT; i++)
        (void)fprintf(file, "%s %lu\n", kind_words[i], atomic_load(&counts[i]));
    (void)fclose(file);
}

static void trace(void)
{
    void *frames[24];
    if (tracing)
        backtrace_symbols_fd(frames, backtrace(frames, 24), STDERR_FILENO);
}

/* Counts the call and says whether it is to fail. */
static bool fails(enum kind kind, int error)
{
    if (!armed)
        return false;
    unsigned long number = atomic_fetch_add(&counts[kind], 1) + 1;
    if (control != NULL && (atomic_load(&control->failing) >> kind & 1) != 0) {
        errno = error;
        return true;
    }
    if ((int)kind != failing_kind || number < failing_at || (number > failing_at && !failing_forever))
        return false;
    trace();
    if (killing)
        (void)raise(SIGKILL);
    errno = error;
    return true;
}

/* Finds the next definition of a function. Copies the pointer, since ISO C has no cast for it. */
#define NEXT(pointer, name)                                                                                  \
    do {                                                                                                     \
        void *found = dlsym(RTLD_NEXT, name);                                                                \
        memcpy(&(pointer), &found, sizeof(pointer));                                                         \
    } while (0)

/* The C library's reserved names for parameters cannot be taken over. */
/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name,bugprone-reserved-identifier) */

/* glibc's own names, so that finding them needs no allocation. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

void *malloc(size_t size)
{
    return fails(KIND_MALLOC, ENOMEM) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails(KIND_MALLOC, ENOMEM) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return fails(KIND_MALLOC, ENOMEM) ? NULL : __libc_realloc(old, size);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset)
{
    static ssize_t (*next)(int, const void *, size_t, off_t);
    NEXT(next, "pwrite");
    return fails(KIND_WRITE, ENOSPC) ? -1 : next(file, bytes, size, offset);
}

ssize_t pwritev(int file, const struct iovec *parts, int count, off_t offset)
{
    static ssize_t (*next)(int, const struct iovec *, int, off_t);
    NEXT(next, "pwritev");
    return fails(KIND_WRITE, ENOSPC) ? -1 : next(file, parts, count, offset);
}

ssize_t pread(int file, void *bytes, size_t size, off_t offset)
{
    static ssize_t (*next)(int, void *, size_t, off_t);
    NEXT(next, "pread");
    return fails(KIND_READ, EIO) ? -1 : next(file, bytes, size, offset);
}

ssize_t preadv(int file, const struct iovec *parts, int count, off_t offset)
{
    static ssize_t (*next)(int, const struct iovec *, int, off_t);
    NEXT(next, "preadv");
    return fails(KIND_READ, EIO) ? -1 : next(file, parts, count, offset);
}

/* ---- files ---- */

/* A mode that is not there is not looked at. */
static mode_t mode_of(va_list arguments)
{
    return (mode_t)va_arg(arguments, unsigned);
}

int openat(int directory, const char *path, int flags, ...)
{
    static int (*next)(int, const char *, int, ...);
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = mode_of(arguments);
    va_end(arguments);
    NEXT(next, "openat");
    return fails(KIND_OPEN, EMFILE) ? -1 : next(directory, path, flags, mode);
}

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = mode_of(arguments);
    va_end(arguments);
    return openat(AT_FDCWD, path, flags, mode);
}

int ftruncate(int file, off_t length)
{
    static int (*next)(int, off_t);
    NEXT(next, "ftruncate");
    return fails(KIND_LENGTH, ENOSPC) ? -1 : next(file, length);
}

int fallocate(int file, int mode, off_t offset, off_t length)
{
    static int (*next)(int, int, off_t, off_t);
    NEXT(next, "fallocate");
    return fails(KIND_LENGTH, ENOSPC) ? -1 : next(file, mode, offset, length);
}

int renameat(int from, const char *old, int to, const char *path)
{
    static int (*next)(int, const char *, int, const char *);
    NEXT(next, "renameat");
    return fails(KIND_NAME, EIO) ? -1 : next(from, old, to, path);
}

int rename(const char *old, const char *path)
{
    return renameat(AT_FDCWD, old, AT_FDCWD, path);
}

int unlinkat(int directory, const char *path, int flags)
{
    static int (*next)(int, const char *, int);
    NEXT(next, "unlinkat");
    return fails(KIND_NAME, EIO) ? -1 : next(directory, path, flags);
}

int unlink(const char *path)
{
    return unlinkat(AT_FDCWD, path, 0);
}

int mkdir(const char *path, mode_t mode)
{
    static int (*next)(const char *, mode_t);
    NEXT(next, "mkdir");
    return fails(KIND_NAME, EIO) ? -1 : next(path, mode);
}

/* ---- the disk ---- */

int fsync(int file)
{
    static int (*next)(int);
    NEXT(next, "fsync");
    return fails(KIND_SYNC, EIO) ? -1 : next(file);
}

int fdatasync(int file)
{
    static int (*next)(int);
    NEXT(next, "fdatasync");
    return fails(KIND_SYNC, EIO) ? -1 : next(file);
}

int msync(void *base, size_t size, int flags)
{
    static int (*next)(void *, size_t, int);
    NEXT(next, "msync");
    return fails(KIND_SYNC, EIO) ? -1 : next(base, size, flags);
}

void *mmap(void *base, size_t size, int protection, int flags, int file, off_t offset)
{
    static void *(*next)(void *, size_t, int, int, int, off_t);
    NEXT(next, "mmap");
    return fails(KIND_MMAP, ENOMEM) ? MAP_FAILED : next(base, size, protection, flags, file, offset);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *),
                   void *argument)
{
    static int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    NEXT(next, "pthread_create");
    return fails(KIND_THREAD, EAGAIN) ? EAGAIN : next(thread, attributes, function, argument);
}

/* <sys/socket.h> declares it with a transparent union, which ISO C cannot define. */
struct sockaddr;
int accept4(int file, struct sockaddr *address, socklen_t *length, int flags);
int accept4(int file, struct sockaddr *address, socklen_t *length, int flags)
{
    static int (*next)(int, struct sockaddr *, socklen_t *, int);
    NEXT(next, "accept4");
    return fails(KIND_ACCEPT, EMFILE) ? -1 : next(file, address, length, flags);
}

/* ---- the wall clock ---- */

static int64_t wall_seconds(void)
{
    return control != NULL ? atomic_load(&control->wall_seconds) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    static int (*next)(clockid_t, struct timespec *);
    NEXT(next, "clock_gettime");
    int code = next(clock, now);
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)
        now->tv_sec += wall_seconds();
    return code;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec precise;
    (void)clock_gettime(CLOCK_REALTIME, &precise);
    *now = (struct timeval){.tv_sec = precise.tv_sec, .tv_usec = precise.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *now)
{
    struct timespec precise;
    (void)clock_gettime(CLOCK_REALTIME, &precise);
    if (now != NULL)
        *now = precise.tv_sec;
    return precise.tv_sec;
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name,bugprone-reserved-identifier) */
