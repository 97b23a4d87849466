/* SPDX-License-Identifier: MIT */
/*
 * Power loss. Functions in place of the C library's record LMDB's writes and syncs. Then the machine "fails"
 * after each of many moments: everything synced is in the file, and any part of later writes, in any order,
 * whole or in sectors. The store has to open with everything acknowledged by then, and nothing torn.
 */
#include "store_tables.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#ifdef PUZZLED_SANITIZED

static void power_loss_is_tested_without_sanitizers(void **state)
{
    print_message("skipped: the sanitizers stand before the C library themselves\n");
    skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(power_loss_is_tested_without_sanitizers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

enum { SECTOR = 512 };
enum event_kind { EVENT_WRITE, EVENT_SYNC, EVENT_ACKNOWLEDGED };

struct event {
    enum event_kind kind;
    bool synced; /* a write that is on the disk when it returns */
    size_t offset, length;
    uint8_t *bytes;
    uint64_t job; /* acknowledged */
};

/* Written by the store's writer thread and, while that waits for nothing, by main. */
static struct recording {
    pthread_mutex_t lock;
    bool on;
    dev_t device;
    ino_t inode;
    struct event *events;
    size_t count, room;
} recording = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void record(struct event event)
{
    (void)pthread_mutex_lock(&recording.lock);
    if (recording.count == recording.room) {
        recording.room = recording.room * 2 + 1024;
        recording.events = realloc(recording.events, recording.room * sizeof event);
        if (recording.events == NULL)
            abort();
    }
    recording.events[recording.count++] = event;
    (void)pthread_mutex_unlock(&recording.lock);
}

static bool is_recorded(int file)
{
    struct stat status = {0};
    return recording.on && fstat(file, &status) == 0 && status.st_dev == recording.device &&
           status.st_ino == recording.inode;
}

static void record_write(int file, const void *bytes, size_t length, off_t offset)
{
    uint8_t *copy = malloc(length + 1);
    if (copy == NULL)
        abort();
    memcpy(copy, bytes, length);
    bool synced = (fcntl(file, F_GETFL) & O_DSYNC) != 0;
    record((struct event){
        .kind = EVENT_WRITE, .synced = synced, .offset = (size_t)offset, .length = length, .bytes = copy});
}

/* ---- what LMDB calls instead of the C library ---- */

ssize_t pwrite(int fd, const void *buf, size_t n, off_t offset)
{
    if (is_recorded(fd))
        record_write(fd, buf, n, offset);
    return syscall(SYS_pwrite64, fd, buf, n, offset);
}

static void record_parts(int fd, const struct iovec *iovec, int count, off_t offset)
{
    for (int i = 0; i < count; i++) {
        record_write(fd, iovec[i].iov_base, iovec[i].iov_len, offset);
        offset += (off_t)iovec[i].iov_len;
    }
}

ssize_t pwritev(int fd, const struct iovec *iovec, int count, off_t offset)
{
    if (is_recorded(fd))
        record_parts(fd, iovec, count, offset);
    return syscall(SYS_pwritev, fd, iovec, count, offset, 0);
}

ssize_t writev(int fd, const struct iovec *iovec, int count)
{
    if (is_recorded(fd))
        record_parts(fd, iovec, count, lseek(fd, 0, SEEK_CUR));
    return syscall(SYS_writev, fd, iovec, count);
}

int fdatasync(int fildes)
{
    int result = (int)syscall(SYS_fdatasync, fildes);
    if (is_recorded(fildes))
        record((struct event){.kind = EVENT_SYNC});
    return result;
}

/* ---- the work that is recorded ---- */

enum { ROUNDS = 40, TRIALS = 250 };

static void work(struct fixture *fixture)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        struct job_record job = job_of("slide:2x2", "");
        struct small_table small = {.name = i % 2 == 0 ? "even" : "odd", .chunks = 4, .length = 20000};
        small.seed = i;
        fixture_ok(store_job_add(fixture->store, &job, &fixture->error));
        record((struct event){.kind = EVENT_ACKNOWLEDGED, .job = job.id});
        fixture_ok(store_level_put(fixture->store, job.id, 0, i, &fixture->error));
        if (i % 4 == 1)
            small_table_store(fixture, &small);
        if (i % 8 == 7)
            fixture_ok(table_remove(fixture->store, "odd", 0, &fixture->error));
        job_record_clear(&job);
    }
}

/* ---- after the failure ---- */

struct image {
    uint8_t *bytes;
    size_t length, room;
};

static void image_put(struct image *image, const struct event *event, size_t from, size_t to)
{
    size_t end = event->offset + to;
    if (image->bytes == NULL || end > image->room) {
        size_t room = end * 2 + SECTOR;
        image->bytes = realloc(image->bytes, room);
        if (image->bytes == NULL)
            abort();
        memset(image->bytes + image->room, 0, room - image->room);
        image->room = room;
    }
    memcpy(image->bytes + event->offset + from, event->bytes + from, to - from);
    image->length = end > image->length ? end : image->length;
}

/* Of a write that was not synced: all, nothing, or some of its sectors. */
static void image_put_some(struct image *image, const struct event *event, struct random *random)
{
    uint64_t fate = random_below(random, 3);
    if (fate == 0)
        image_put(image, event, 0, event->length);
    for (size_t at = 0; fate == 1 && at < event->length; at += SECTOR)
        if (random_below(random, 2) == 0)
            image_put(image, event, at, at + SECTOR < event->length ? at + SECTOR : event->length);
}

static size_t last_sync(size_t cut)
{
    while (cut > 0 && recording.events[cut - 1].kind != EVENT_SYNC)
        cut--;
    return cut;
}

static uint64_t fail_after(size_t cut, const struct image *base, struct image *image, uint64_t seed)
{
    struct random random = {seed};
    uint64_t acknowledged = 0;
    size_t synced = last_sync(cut);
    image->length = 0;
    struct event whole = {.length = base->length, .bytes = base->bytes};
    image_put(image, &whole, 0, base->length);
    for (size_t i = 0; i < cut; i++) {
        const struct event *event = &recording.events[i];
        if (event->kind == EVENT_ACKNOWLEDGED)
            acknowledged = event->job;
        else if (event->kind == EVENT_WRITE && (i < synced || event->synced))
            image_put(image, event, 0, event->length);
        else if (event->kind == EVENT_WRITE)
            image_put_some(image, event, &random);
    }
    return acknowledged;
}

static void open_and_look(struct fixture *fixture, const char *path, const struct image *image,
                          uint64_t acknowledged)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(file >= 0);
    assert_int_equal(write(file, image->bytes, image->length), image->length);
    (void)close(file);
    fixture_open(fixture);
    for (uint64_t id = 1; id <= acknowledged; id++) {
        struct job_record read;
        fixture_ok(store_job_get(fixture->store, id, &read, &fixture->error));
        job_record_clear(&read);
    }
    assert_string_equal(fixture_faults(fixture), "");
    fixture_close(fixture);
}

static void read_base(const char *path, struct image *base)
{
    struct stat status = {0};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(file >= 0 && fstat(file, &status) == 0);
    recording.device = status.st_dev;
    recording.inode = status.st_ino;
    base->length = (size_t)status.st_size;
    base->bytes = malloc(base->length + 1);
    assert_non_null(base->bytes);
    assert_int_equal(read(file, base->bytes, base->length), base->length);
    (void)close(file);
}

static void power_loss_at_any_moment_loses_nothing_that_was_acknowledged(void **state)
{
    struct fixture *fixture = *state;
    char path[128];
    struct image base = {0}, image = {0};
    (void)snprintf(path, sizeof path, "%s/data.mdb", fixture->directory);
    read_base(path, &base);
    recording.on = true;
    work(fixture);
    fixture_close(fixture);
    recording.on = false;
    struct random random = {5};
    size_t syncs = 0;
    for (size_t i = 0; i < recording.count; i++)
        syncs += recording.events[i].kind == EVENT_SYNC ? 1 : 0;
    assert_true(syncs > ROUNDS);
    uint64_t seen = 0;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        size_t cut = (size_t)random_below(&random, recording.count + 1);
        uint64_t acknowledged = fail_after(cut, &base, &image, trial);
        open_and_look(fixture, path, &image, acknowledged);
        seen = acknowledged > seen ? acknowledged : seen;
    }
    assert_true(seen > ROUNDS / 2);
    for (size_t i = 0; i < recording.count; i++)
        free(recording.events[i].bytes);
    free(recording.events);
    free(base.bytes);
    free(image.bytes);
    fixture_open(fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(power_loss_at_any_moment_loses_nothing_that_was_acknowledged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
