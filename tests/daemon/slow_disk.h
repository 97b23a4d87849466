/* SPDX-License-Identifier: MIT */
/* A daemon over a disk that can stand still or fail (slow_disk.c). */
#ifndef TESTS_DAEMON_SLOW_DISK_H
#define TESTS_DAEMON_SLOW_DISK_H

#include "harness.h"

#include <fcntl.h>

/* Long enough to answer a request that does not wait for the disk. */
enum { MOMENT_MS = 300 };

static char stop_file[128];
static char fail_file[128];

static inline int slow_disk_setup(void **state)
{
    if (daemon_setup(state) != 0)
        return -1;
    struct daemon *daemon = *state;
    daemon_stop(daemon);
    daemon->program = PUZZLED_SLOW_DISK;
    (void)snprintf(stop_file, sizeof stop_file, "%s/stop", daemon->directory);
    (void)snprintf(fail_file, sizeof fail_file, "%s/fail", daemon->directory);
    (void)setenv("PUZZLED_TEST_DISK_STOP", stop_file, 1);
    (void)setenv("PUZZLED_TEST_DISK_FAIL", fail_file, 1);
    daemon_start(daemon, NULL);
    return 0;
}

static inline int slow_disk_teardown(void **state)
{
    (void)unlink(stop_file);
    (void)unlink(fail_file);
    return daemon_teardown(state);
}

static inline void make_file(const char *name)
{
    int made = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_true(made >= 0);
    (void)close(made);
}

static inline void disk_is_full(void)
{
    const char *full = text_of("%s.full", fail_file);
    make_file(full);
    assert_int_equal(truncate(full, 1), 0);
    assert_int_equal(rename(full, fail_file), 0);
}

static inline void disk_stops(void)
{
    make_file(stop_file);
}

static inline void disk_goes_on(void)
{
    assert_int_equal(unlink(stop_file), 0);
}

/* client_send, and no reply comes while the disk stands still. */
static inline void client_waits(struct client *client, const char *line)
{
    client_send(client, line);
    assert_true(client_is_silent(client, MOMENT_MS));
}

static inline void kill_and_start(struct daemon *daemon)
{
    daemon_kill(daemon);
    disk_goes_on();
    daemon_start(daemon, NULL);
}

#define WITH_SLOW_DISK(name) TEST_WITH(name, slow_disk_setup, slow_disk_teardown)

#endif
