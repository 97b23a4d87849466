/* SPDX-License-Identifier: MIT */
/* puzzled --backup and --dump beside a running daemon, --restore and --import. */
#include "harness.h"

#include <sys/stat.h>

static int run(const struct daemon *daemon, const char *flag)
{
    return daemon_run_on(daemon, "state", flag, NULL);
}

SPECIFICATION(what_was_backed_up_beside_the_daemon_comes_back)
{
    struct daemon *daemon = *state;
    struct client *client = client_new(daemon);
    client_done(client, "EXPLORE 3x3");
    assert_int_equal(run(daemon, "--backup"), 0);
    assert_int_equal(run(daemon, "--backup"), 1); /* the file is there */
    client_expect(client, "FORGET 1", "OK job=1 forgotten=yes");
    client_expect(client, "DISTANCE 3x3 867254301", "ERR no-table");
    assert_int_equal(run(daemon, "--restore"), 1); /* the daemon owns the database */
    client_free(client);
    daemon_stop(daemon);
    assert_int_equal(run(daemon, "--restore"), 0);
    daemon_start(daemon, NULL);
    client = client_new(daemon);
    client_expect(client, "RESULT 1", "OK job=1 kind=explore puzzle=slide:3x3 state=done");
    client_expect(client, "DISTANCE 3x3 867254301", "OK moves=31");
}

/* Each may be as large as the database. */
SPECIFICATION(a_start_removes_what_a_killed_restore_or_import_left)
{
    static const char *const names[] = {"data.mdb.part", "import/data.mdb", "import/owner"};
    struct daemon *daemon = *state;
    daemon_stop(daemon);
    assert_int_equal(mkdir(text_of("%s/state/import", daemon->directory), 0700), 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        write_text(text_of("%s/state/%s", daemon->directory, names[i]), "");
    daemon_start(daemon, NULL);
    assert_int_equal(access(text_of("%s/state/import", daemon->directory), F_OK), -1);
    assert_int_equal(access(text_of("%s/state/data.mdb.part", daemon->directory), F_OK), -1);
}

/* Puts a wrong byte into the file, or takes it back. */
static void flip_byte(const struct daemon *daemon, long at)
{
    FILE *stream = fopen(text_of("%s/dump", daemon->directory), "r+");
    assert_non_null(stream);
    assert_int_equal(fseek(stream, at, SEEK_SET), 0);
    int byte = fgetc(stream);
    assert_int_equal(fseek(stream, at, SEEK_SET), 0);
    assert_true(fputc(byte ^ 1, stream) != EOF);
    assert_int_equal(fclose(stream), 0);
}

static void expect_dumped_once(const struct daemon *daemon)
{
    char told[512];
    const char *command = text_of("%s --state-dir %s/state --dump %s/twice 2 2", PUZZLED_PROGRAM,
                                  daemon->directory, daemon->directory);
    FILE *pipe = popen(command, "re"); /* NOLINT(cert-env33-c): paths of our own making */
    assert_non_null(pipe);
    told[fread(told, 1, sizeof told - 1, pipe)] = '\0';
    assert_int_equal(pclose(pipe), 0);
    assert_non_null(strstr(told, "/twice: 1 jobs, 1 tables"));
}

SPECIFICATION(one_job_goes_to_another_database_and_is_checked_before_it_is_served)
{
    struct daemon *daemon = *state;
    struct client *client = client_new(daemon);
    client_done(client, "EXPLORE jugs:3,5");
    client_done(client, "EXPLORE 3x3");
    assert_int_equal(daemon_run_on(daemon, "state", "--dump", "9"), 1);
    assert_int_equal(daemon_run_on(daemon, "state", "--dump", NULL),
                     2); /* which is no question for a database */
    assert_int_equal(daemon_run_on(daemon, "state", "--dump", "two"), 2);
    assert_int_equal(daemon_run_on(daemon, "state", "--dump", "2"), 0);
    assert_int_equal(daemon_run_on(daemon, "state", "--dump", "2"), 1); /* the file is there */
    expect_dumped_once(daemon);
    client_expect(client, "FORGET 2", "OK job=2 forgotten=yes");
    assert_int_equal(run(daemon, "--import"), 1); /* the daemon owns the database */
    client_free(client);
    daemon_stop(daemon);
    flip_byte(daemon, 5000);
    assert_int_equal(run(daemon, "--import"), 1);
    daemon_start(daemon, NULL);
    client = client_new(daemon);
    client_expect(client, "DISTANCE 3x3 867254301", "ERR no-table");
    client_free(client);
    daemon_stop(daemon);
    flip_byte(daemon, 5000);
    assert_int_equal(run(daemon, "--import"), 0);
    daemon_start(daemon, NULL);
    client = client_new(daemon);
    client_expect(client, "DISTANCE 3x3 867254301", "OK moves=31");
    client_expect(client, "EXPLORE 3x3", "OK job=3 state=done cached=yes");
}

/* ---- what a search leaves that memory or scratch space has stopped ---- */

/* Checks that a stopped job's result is told of the levels that are kept, that its table has the same, and
 * that the job goes to another database. Then forgets it. */
static void check_stopped(const struct daemon *daemon, struct client *client, const char *line)
{
    const unsigned long job = client_end_in(client, "stopped", line);
    const char *result = client_result(client, job);
    const unsigned long depth = number_of(result, "depth");
    const bool none = strcmp(value_of(result, "states"), "0") == 0;
    (void)client_about(client, "LEVELS", job);
    assert_int_equal(client_skip_list(client), none ? 0 : depth + 1);
    client_expect_list(client, "FSCK", "OK count=0 ", 0);
    assert_int_equal(daemon_run_on(daemon, "state", "--dump", text_of("%lu", job)), 0);
    assert_int_equal(daemon_run_on(daemon, "other", "--import", NULL), 0);
    assert_int_equal(unlink(text_of("%s/dump", daemon->directory)), 0);
    expect_fields(client_about(client, "FORGET", job), "forgotten=yes");
}

/* Where memory is full before the time is over, it ends the search on disk before, near or after the levels
 * that memory held. */
SPECIFICATION(a_stopped_search_is_kept_as_it_is_told)
{
    static const char *const keeps[] = {"keep=table", "keep=levels", "edges=yes"};
    struct daemon *daemon = *state;
    struct client *client = client_new(daemon);
    check_stopped(daemon, client, "EXPLORE 4x4 engine=striped memory=6M disk=1M threads=1");
    check_stopped(daemon, client, "EXPLORE jugs:97,89,83 goal=50,0,0 from=goals memory=600K threads=1");
    for (unsigned i = 0; i < sizeof keeps / sizeof *keeps; i++)
        for (unsigned time = 60; time <= 240; time *= 4)
            check_stopped(
                daemon, client,
                text_of("EXPLORE 4x4 engine=striped memory=20M threads=1 time=%ums %s", time, keeps[i]));
}

/* Scratch space that does not help now does not the next time. */
SPECIFICATION(what_little_scratch_space_does_not_help_is_answered_once)
{
    struct client *client = client_new(*state);
    const unsigned long job =
        client_end_in(client, "stopped", "EXPLORE 4x4 engine=striped memory=6M disk=1M threads=1");
    expect_fields(client_result(client, job), "reason=memory");
    client_expect(client, "EXPLORE 4x4 engine=striped memory=6M disk=1M threads=1",
                  "OK job=1 state=stopped cached=yes");
    client_expect(client, "EXPLORE 4x4 engine=striped memory=6M disk=16M threads=1", "OK job=2 ");
    assert_string_equal(client_wait(client, 2), "stopped");
    expect_fields(client_result(client, 2), "planes=disk");
}
