/* SPDX-License-Identifier: MIT */
/* A script stands in for mpiexec and the ranks: it prints what they would. */
#ifndef TESTS_CLUSTER_RANKS_H
#define TESTS_CLUSTER_RANKS_H

#include "harness.h"

/* Returns the path of a file in the daemon's directory. */
static inline const char *path_of(const struct daemon *daemon, const char *name)
{
    return text_of("%s/%s", daemon->directory, name);
}

static inline void write_file(const struct daemon *daemon, const char *name, const char *text)
{
    write_text(path_of(daemon, name), text);
}

/* A daemon whose cluster is the script "ranks" in its directory, and has scratch space by its words. */
static inline int cluster_setup(void **state)
{
    if (daemon_setup(state) != 0)
        return -1;
    struct daemon *daemon = *state;
    daemon_restart_with(daemon, text_of("[cluster]\nlaunch = /bin/sh %s/ranks {program} --scratch /nowhere\n",
                                        daemon->directory));
    return 0;
}

/* The ranks print this after their greeting. The words of each call are kept in a file. */
static inline void ranks_say(struct client *client, const struct daemon *daemon, const char *rest)
{
    const char *version = value_of(client_ask(client, "VERSION"), "version");
    write_file(daemon, "ranks",
               text_of("case $2 in clear) echo \"$*\" >%s/new; mv %s/new %s/cleared; exit 0;; esac\n"
                       "echo \"$*\" >%s/words\necho OK version=%s ranks=3 threads=2 memory=1000000\n%s",
                       daemon->directory, daemon->directory, daemon->directory, daemon->directory, version,
                       rest));
}

/* Reads the one line of a file. Returns false if it is not there. */
static inline bool read_line(const struct daemon *daemon, const char *name, char line[512])
{
    FILE *file = fopen(path_of(daemon, name), "r");
    if (file == NULL)
        return false;
    assert_non_null(fgets(line, 512, file));
    (void)fclose(file);
    return true;
}

static inline bool is_there(const struct daemon *daemon, const char *name)
{
    return access(path_of(daemon, name), F_OK) == 0;
}

/* Returns the number that the ranks were told: they keep what they make under it. */
static inline unsigned long long seed_told(const struct daemon *daemon, const char *name)
{
    char line[512];
    assert_true(read_line(daemon, name, line));
    const char *seed = strstr(line, "--seed=");
    assert_non_null(seed);
    return strtoull(seed + 7, NULL, 10);
}

/* 2x2 from its goal: the first three levels, the states of which are not looked at. */
#define THREE_LEVELS                                                                                         \
    "echo level=0 states=1\necho level=0 example=0000000000003210\n"                                         \
    "echo level=1 states=2\necho level=1 example=0000000000003120,0000000000002310\n"                        \
    "echo level=2 states=2\necho level=2 example=0000000000001320,0000000000002130\n"
#define END_AT_TWO                                                                                           \
    "echo OK complete=no reason=depth states=5 depth=2 engine=striped planes=auto seconds=0.5 generated=9 "  \
    "peak_bytes=77\n"

#define WITH_CLUSTER(test) TEST_WITH(test, cluster_setup, daemon_teardown)

#endif
