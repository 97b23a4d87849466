/* SPDX-License-Identifier: MIT */
/* Scratch space is one daemon's, and nothing outside it is touched. */
#include "harness.h"

#include <sys/resource.h>
#include <sys/stat.h>

static const char *below(const struct daemon *daemon, const char *name)
{
    return text_of("%s/%s", daemon->directory, name);
}

SPECIFICATION(two_daemons_do_not_share_a_scratch_directory)
{
    struct daemon *daemon = *state;
    daemon_restart_with(daemon, text_of("[store]\nscratch-directory = %s\n", below(daemon, "scratch")));
    daemon_expect_refusal("[store] scratch-directory: another puzzled uses ",
                          "--config %s --socket %s --state-dir %s", daemon->config,
                          below(daemon, "other.sock"), below(daemon, "other"));
    struct client *client = client_new(daemon);
    client_expect(client, "PING", "OK ");
}

/* Its table does not fit, nor does its search: without the one the other goes on. */
SPECIFICATION(a_search_that_a_full_disk_stopped_goes_on_though_its_table_had_no_room)
{
    static const char line[] = "EXPLORE 2x5 engine=striped planes=disk";
    struct daemon *daemon = *state;
    daemon_restart_with(daemon, "[limits]\nthreads = 2\nmemory = 1G\ntables-per-client = 1M\n");
    struct client *client = client_new(daemon);
    assert_string_equal(client_wait(client, client_submit(client, text_of("%s disk=6M", line))), "stopped");
    expect_fields(client_result(client, 1), "reason=disk table=none");
    client_expect(client, text_of("%s time=100s", line),
                  "ERR bad-request fatal time=: job 1 goes on from its scratch space");
    daemon_restart_with(daemon, "[limits]\nthreads = 2\nmemory = 1G\n");
    client = client_new(daemon);
    client_expect(client, line, "OK job=1 state=queued");
    assert_string_equal(client_wait(client, 1), "done");
    expect_fields(client_result(client, 1), "states=1814400 depth=55 table=");
    client_expect(client, "DISTANCE 2x5 0,2,3,4,5/1,6,7,8,9", "OK moves=");
}

static void write_precious(const struct daemon *daemon)
{
    assert_int_equal(mkdir(below(daemon, "precious"), 0700), 0);
    write_text(below(daemon, "precious/file"), "precious");
}

SPECIFICATION(a_search_that_another_client_lets_go_on_is_that_one_s)
{
#define LINE "EXPLORE 3x4 engine=striped planes=disk keep=levels memory=50M"
    struct daemon *daemon = *state;
    daemon_restart_with(daemon, "[daemon]\nlisten = 127.0.0.1:0\n");
    struct client *other = client_new_tcp(daemon, "127.0.0.1");
    client_expect_fields(other, LINE " disk=3M", "job=1");
    assert_string_equal(client_wait(other, 1), "stopped");
    client_expect_fields(client_new(daemon), LINE, "job=1 state=queued cached=no");
    client_expect(other, "CANCEL 1", "ERR denied fatal job 1 is not yours");
    client_expect_fields(client_new(daemon), "CANCEL 1", "state=cancelled");
}

SPECIFICATION(a_symbolic_link_in_the_place_of_a_job_s_directory_is_not_followed)
{
    struct daemon *daemon = *state;
    struct stat about;
    write_precious(daemon);
    daemon_stop(daemon);
    const char *precious = below(daemon, "precious");
    assert_int_equal(symlink(precious, below(daemon, "state/scratch/job-77")), 0);
    daemon_start(daemon, NULL); /* the directories of jobs that are gone are removed */
    assert_int_equal(symlink(precious, below(daemon, "state/scratch/job-1")), 0);
    struct client *client = client_new(daemon);
    unsigned long job = client_submit(client, "EXPLORE 2x5 keep=levels planes=disk");
    assert_int_equal(job, 1);
    assert_string_equal(client_wait(client, job), "done");
    assert_non_null(strstr(client_result(client, job), " states=1814400 "));
    client_free(client);
    daemon_stop(daemon);
    assert_int_not_equal(lstat(below(daemon, "state/scratch/job-77"), &about), 0);
    assert_int_not_equal(lstat(below(daemon, "state/scratch/job-1"), &about), 0);
    assert_int_equal(stat(below(daemon, "precious/file"), &about), 0);
    daemon_start(daemon, NULL);
}

/* A job that was cut off leaves its directory, in which somebody exchanges a file for a link. */
SPECIFICATION(a_link_in_the_place_of_a_job_s_file_is_not_followed)
{
    struct daemon *daemon = *state;
    struct stat about;
    write_precious(daemon);
    struct client *client = client_new(daemon);
    client_expect(client, "PING", "OK "); /* so it has removed the directories of jobs that are gone */
    assert_int_equal(mkdir(below(daemon, "state/scratch/job-1"), 0700), 0);
    const char *precious = below(daemon, "precious/file");
    assert_int_equal(symlink(precious, below(daemon, "state/scratch/job-1/runs")), 0);
    unsigned long job = client_submit(client, "EXPLORE pancake:10 engine=ranked keep=levels planes=disk");
    assert_int_equal(job, 1);
    assert_string_equal(client_wait(client, job), "failed");
    assert_non_null(strstr(client_result(client, job), "scratch space: cannot create a file"));
    client_free(client);
    assert_int_equal(stat(below(daemon, "precious/file"), &about), 0);
    assert_int_equal(about.st_size, strlen("precious"));
}

SPECIFICATION(directories_that_others_may_write_to_are_refused_at_the_start)
{
    struct daemon *daemon = *state;
    daemon_stop(daemon);
    assert_int_equal(chmod(below(daemon, "state/scratch"), 01777), 0);
    daemon_expect_refusal("may be written by others (mode 1777): chmod go-w it", "--socket %s --state-dir %s",
                          below(daemon, "other.sock"), below(daemon, "state"));
    assert_int_equal(chmod(below(daemon, "state/scratch"), 0700), 0);
    assert_int_equal(chmod(below(daemon, "state"), 0777), 0);
    daemon_expect_refusal("[daemon] state-directory: ", "--socket %s --state-dir %s",
                          below(daemon, "other.sock"), below(daemon, "state"));
    assert_int_equal(chmod(below(daemon, "state"), 0700), 0);
    daemon_start(daemon, NULL);
}

SPECIFICATION(without_descriptors_a_job_says_so)
{
    struct daemon *daemon = *state;
    struct client *client = client_new(daemon);
    struct rlimit usual;
    client_expect(client, "PING", "OK ");
    assert_int_equal(prlimit(daemon->pid, RLIMIT_NOFILE, NULL, &usual), 0);
    const struct rlimit none = {.rlim_cur = 3, .rlim_max = usual.rlim_max};
    assert_int_equal(prlimit(daemon->pid, RLIMIT_NOFILE, &none, NULL), 0);
    const unsigned long job = client_submit(client, "EXPLORE 2x5 keep=levels planes=disk");
    assert_string_equal(client_wait(client, job), "failed");
    const char *result = client_result(client, job);
    assert_string_equal(value_of(result, "error"), "limit");
    assert_non_null(strstr(value_of(result, "text"), "Too many open files"));
    assert_int_equal(prlimit(daemon->pid, RLIMIT_NOFILE, &usual, NULL),
                     0); /* LeakSanitizer opens files at the end */
}
