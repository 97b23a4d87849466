/* SPDX-License-Identifier: MIT */
/* Lookups that no table answers, about spaces that are small enough to be explored at once. */
#include "slow_disk.h"

#include <signal.h>

static const char *const words[] = {"--threads", "2", "--memory", "1G", "--listen", "127.0.0.1:0", NULL};

/* Starts the daemon again, with the limits that it is shipped with. */
static void start_explorer(struct daemon *daemon)
{
    daemon_stop(daemon);
    daemon->own_limits = true;
    daemon_start(daemon, words);
}

static int explorer_setup(void **state)
{
    if (daemon_setup(state) != 0)
        return -1;
    start_explorer(*state);
    return 0;
}

TEST_WITH(a_small_space_is_explored_stored_and_answered, explorer_setup, daemon_teardown)
{
    struct client *client = client_new(*state);
    client_expect(client, "DISTANCE 3x3 867254301", "OK moves=31 solvable=yes job=1 to=goal explored=now");
    client_expect(client, "DISTANCE 3x3 867254301", "OK moves=31 solvable=yes job=1 to=goal");
    assert_null(
        strstr(client_ask(client, "DISTANCE 3x3 123456708"), "explored=")); /* only the first one says so */
    client_expect(client, "STATUS 1", "OK job=1 kind=explore");
}

TEST_WITH(every_lookup_of_every_kind_of_space_explores, explorer_setup, daemon_teardown)
{
    static const struct {
        const char *request, *reply;
    } asked[] = {
        {"DISTANCE klotski:AA@/AA@,goal:A:0:1 AA@/AA@", "OK moves=1 solvable=yes"}, /* size not known ahead */
        {"PATH jugs:3,5,goal:4 0,0", "OK moves=6 solvable=yes"},
        {"DISTANCE pancake:7 7,6,5,4,3,2,1", "OK moves=1 solvable=yes"}, /* ranked */
        {"DISTANCE hanoi:3,5 1,1,1,1,1", "OK moves=31 solvable=yes"},
    };
    struct client *client = client_new(*state);
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        const char *reply = client_ask(client, asked[i].request);
        if (strncmp(reply, asked[i].reply, strlen(asked[i].reply)) != 0 ||
            strstr(reply, " explored=now") == NULL)
            fail_msg("%s: %s", asked[i].request, reply);
    }
}

TEST_WITH(boards_of_lists_come_after_the_note, explorer_setup, daemon_teardown)
{
    struct client *client = client_new(*state);
    const char *head = client_ask(client, "DEEPEST 2x3");
    assert_non_null(strstr(head, "total=1"));
    assert_non_null(strstr(head, " explored=now"));
    assert_string_equal(client_line(client), "board=4,5,0/1,2,3");
    assert_string_equal(client_line(client), "END");
}

TEST_WITH(what_is_too_large_is_refused_and_leaves_no_job, explorer_setup, daemon_teardown)
{
    struct client *client = client_new(*state);
    client_expect(client, "DISTANCE 3x4 0,8,6,9/11,7,10,1/4,3,2,5",
                  "ERR no-table fatal states=239500800 needs_bytes=");
    client_expect(client, "DISTANCE 3x4 0,8,6,9/11,7,10,1/4,3,2,5 tag=a",
                  "ERR no-table fatal tag=a states=239500800 needs_bytes=");
    /* Its size is not known ahead: two seconds are tried, once. */
    for (int i = 0; i < 2; i++)
        client_expect(
            client,
            "DISTANCE slide:5x5,goal:1:1:2:3:4/5:6:7:8:9/10:11:12:13:14/15:16:17:18:19/20:21:22:23:0 "
            "1,1,2,3,4/5,6,7,8,9/10,11,12,13,14/15,16,17,18,19/20,21,22,0,23",
            "ERR no-table");
    assert_non_null(strstr(client_ask(client, "JOBS"), "count=0"));
    assert_string_equal(client_line(client), "END");
}

/* Replaces a stored table by the deeper one of a lookup that was tried. */
SPECIFICATION(a_search_that_does_not_suffice_takes_nobody_s_table_away)
{
#define EQUAL_TILES "slide:4x5,goal:1:1:2:3:4/5:6:7:8:9/10:11:12:13:14/15:16:17:18:0 from=root "
    struct daemon *daemon = *state;
    daemon->own_limits = true;
    daemon_restart_with(daemon, "[limits]\ndisk = 1M\n");
    struct client *client = client_new(daemon);
    client_done(client, "EXPLORE " EQUAL_TILES "depth=3");
    client_expect(client, "SAMPLE " EQUAL_TILES "depth=90", "ERR no-table");
    client_expect(client, "DISTANCE " EQUAL_TILES "1,1,2,3,4/5,6,7,8,9/10,11,12,13,14/15,16,17,0,18",
                  "OK moves=1 ");
}

/* The first answer forgets the job that the others wait for, too. They see its table, or see that it is gone.
 */
TEST_WITH(clients_that_share_a_search_which_does_not_suffice_are_all_answered, explorer_setup,
          daemon_teardown)
{
    static const char line[] = "DISTANCE slide:4x5,goal:1:1:2:3:4/5:6:7:8:9/10:11:12:13:14/15:16:17:18:0 "
                               "1,1,2,3,4/5,6,7,8,9/10,11,12,13,14/15,16,17,0,18";
    struct client *clients[4];
    for (size_t i = 0; i < 4; i++) {
        clients[i] = client_new(*state);
        client_send(clients[i], line);
    }
    for (size_t i = 0; i < 4; i++) {
        const char *reply = client_line(clients[i]);
        if (strncmp(reply, "OK moves=1 ", 11) != 0 && strncmp(reply, "ERR no-table ", 13) != 0)
            fail_msg("%s", reply);
        client_free(clients[i]);
    }
}

TEST_WITH(replies_of_a_batch_keep_their_order, explorer_setup, daemon_teardown)
{
    struct client *client = client_new(*state);
    client_send(client, "DISTANCE 2x3 123450 tag=a\nDISTANCE 3x4 0,8,6,9/11,7,10,1/4,3,2,5 tag=b\nDISTANCE "
                        "2x4 12345607 tag=c\n"
                        "DISTANCE 2x3 123405 tag=d\nPING tag=e");
    static const char *const begins[] = {"OK tag=a moves=0", "ERR no-table fatal tag=b", "OK tag=c moves=1",
                                         "OK tag=d moves=1", "OK tag=e"};
    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++)
        client_expect_next(client, begins[i]);
}

TEST_WITH(each_lookup_of_a_batch_explores_as_one_alone_does, explorer_setup, daemon_teardown)
{
    enum { PUZZLES = 40 };
    char lines[PUZZLES * 40] = "";
    struct client *client = client_new(*state);
    for (int i = 0; i < PUZZLES; i++)
        (void)sprintf(lines + strlen(lines), "DISTANCE jugs:1,%d,goal:1 0,0\n", i + 2);
    client_send(client, text_of("%sPING", lines));
    for (int i = 0; i < PUZZLES; i++)
        client_expect_next(client, "OK moves=1 ");
    client_expect_next(client, "OK pong=yes");
}

TEST_WITH(a_client_that_leaves_meanwhile_harms_nobody, explorer_setup, daemon_teardown)
{
    for (int i = 0; i < 10; i++) {
        struct client *leaver = client_new(*state);
        client_send(leaver, "DISTANCE pancake:7 7,6,5,4,3,2,1");
        client_free(leaver);
    }
    struct client *client = client_new(*state);
    assert_non_null(strstr(client_ask(client, "DISTANCE pancake:7 7,6,5,4,3,2,1"), "OK moves=1"));
}

/* No exploration makes the table that these name. The daemon's memory has no old requests whose words an
 * absent argument could stand for. */
SPECIFICATION(only_lookups_about_a_puzzle_explore)
{
    (void)setenv("MALLOC_PERTURB_", "165", 1);
    assert_int_equal(daemon_teardown(state), 0);
    assert_int_equal(explorer_setup(state), 0);
    (void)unsetenv("MALLOC_PERTURB_");
    static const char *const rows[][2] = {
        {"TABLES table=x", "ERR no-table fatal"},    {"TABLES table=x histogram=yes", "ERR no-table fatal"},
        {"TABLES table=\"\"", "ERR no-table fatal"}, {"PIN 3x3", "ERR no-table fatal"},
        {"UNPIN 3x3", "ERR no-table fatal"},         {"PARTS hanoi:3,3", "ERR no-table fatal"},
        {"EXPORT 2x3", "ERR no-table fatal"}};
    struct client *client = client_new(*state);
    CLIENT_EXPECT_ROWS(client, rows);
    client_expect_list(client, "JOBS", "OK count=0", 0);
}

/* On disk, since ten seconds fill the memory. */
#define LONG_JOB "EXPLORE 4x4 keep=levels threads=2 planes=disk memory=330M"

/* Takes both threads until it is cancelled. Returns its number. */
static unsigned long begin_long_job(struct client *client, const char *line)
{
    const unsigned long job = client_submit(client, line);
    client_await_state(client, job, "running");
    return job;
}

enum { BUSY = 2 };

/* Two clients' jobs take the threads, and as many that lookups may have beside: jobs 1 and BUSY. */
static void keep_busy(const struct daemon *daemon)
{
    struct client *one = client_new(daemon), *other = client_new_tcp(daemon, "127.0.0.1");
    assert_int_equal(begin_long_job(one, LONG_JOB), 1);
    assert_int_equal(begin_long_job(other, LONG_JOB " depth=70"), BUSY);
    client_free(one);
    client_free(other);
}

static void end_busy(struct client *client)
{
    (void)client_about(client, "CANCEL", 1);
    (void)client_about(client, "CANCEL", BUSY);
}

TEST_WITH(a_lookup_need_not_wait_for_a_long_job, explorer_setup, daemon_teardown)
{
    struct client *client = client_new(*state);
    const unsigned long busy = begin_long_job(client, LONG_JOB);
    client_expect(client, "DISTANCE 3x3 867254301", "OK moves=31 solvable=yes job=2 to=goal explored=now");
    expect_fields(client_about(client, "STATUS", busy), "state=running");
    (void)client_about(client, "CANCEL", busy);
}

/* Waits until somebody's lookup has submitted its exploration. Returns its number. */
static unsigned long await_exploration(struct client *client, unsigned long after)
{
    for (struct patience patience = {0}; strncmp(client_about(client, "STATUS", after + 1), "OK ", 3) != 0;)
        pause_for(&patience, "the exploration of a lookup");
    return after + 1;
}

TEST_WITH(an_exploration_that_is_cancelled_fails_its_own_lookup_only, explorer_setup, daemon_teardown)
{
    struct client *client = client_new(*state);
    struct client *lookup = client_new(*state);
    keep_busy(*state);
    client_send(lookup, "DISTANCE 3x3 867254301");
    client_expect(client, "PING", "OK");
    const unsigned long job = await_exploration(client, BUSY);
    assert_non_null(strstr(client_about(client, "CANCEL", job), "state=cancelled"));
    assert_string_equal(client_next(lookup), "ERR cancelled fatal job 3, which explored it, was cancelled");
    end_busy(client);
    client_expect(lookup, "DISTANCE 3x3 867254301", "OK moves=31 solvable=yes job=4 to=goal explored=now");
}

/* A full queue is no matter of the space: the client hears of it, and asks again. */
TEST_WITH(a_full_queue_is_no_reason_to_say_that_there_is_no_table, explorer_setup, daemon_teardown)
{
    struct daemon *daemon = *state;
    daemon_restart_with(daemon, "[limits]\nthreads = 2\nmemory = 1G\nqueued-jobs-per-client = 1\n");
    struct client *client = client_new(daemon);
    const unsigned long busy = begin_long_job(client, LONG_JOB);
    const unsigned long waits = client_submit(client, "EXPLORE 4x4 depth=9 keep=levels");
    client_expect(client, "DISTANCE 3x3 867254301", "ERR limit retry your queue is full");
    (void)client_about(client, "CANCEL", waits);
    (void)client_about(client, "CANCEL", busy);
    client_expect(client, "DISTANCE 3x3 867254301", "OK moves=31 solvable=yes job=3 to=goal explored=now");
}

#define UNSOLVED "slide:5x5,goal:1:1:2:3:4/5:6:7:8:9/10:11:12:13:14/15:16:17:18:19/20:21:22:23:0"

TEST_WITH(a_job_that_somebody_else_has_asked_for_is_not_forgotten, explorer_setup, daemon_teardown)
{
    struct client *client = client_new(*state);
    struct client *lookup = client_new(*state);
    keep_busy(*state);
    client_send(lookup,
                "DISTANCE " UNSOLVED " 1,1,2,3,4/5,6,7,8,9/10,11,12,13,14/15,16,17,18,19/20,21,22,0,23");
    const unsigned long job = await_exploration(client, BUSY);
    assert_int_equal(
        client_submit(client, text_of("%s", value_of(client_about(client, "STATUS", job), "request"))), job);
    end_busy(client);
    (void)client_next(lookup); /* by a part of a table, or none */
    client_await_state(client, job, "stopped");
    expect_fields(client_result(client, job), "reason=time complete=no");
}

TEST_WITH(a_lookup_waits_ten_seconds_for_somebodys_exploration, explorer_setup, daemon_teardown)
{
    struct client *client = client_new(*state);
    struct client *lookup = client_new(*state);
    client_await_state(client, client_submit(client, "EXPLORE " UNSOLVED), "running");
    client_expect(lookup,
                  "DISTANCE " UNSOLVED " 1,1,2,3,4/5,6,7,8,9/10,11,12,13,14/15,16,17,18,19/20,21,22,0,23",
                  "ERR not-finished retry job 1, which explores it, is running: ask again later");
    client_expect(client, "CANCEL 1", "OK");
}

/* Nobody waits any more when it stops. */
TEST_WITH(an_exploration_of_a_lookup_that_has_left_is_forgotten, explorer_setup, daemon_teardown)
{
    struct client *client = client_new(*state);
    struct client *lookup = client_new(*state);
    keep_busy(*state);
    client_send(lookup,
                "DISTANCE " UNSOLVED " 1,1,2,3,4/5,6,7,8,9/10,11,12,13,14/15,16,17,18,19/20,21,22,0,23");
    const unsigned long job = await_exploration(client, BUSY);
    client_free(lookup);
    end_busy(client);
    for (struct patience patience = {0}; strncmp(client_about(client, "STATUS", job), "OK ", 3) == 0;)
        pause_for(&patience, "the job to be forgotten");
}

/* It stopped since the disk stood still, and somebody keeps it. */
WITH_SLOW_DISK(a_lookup_tries_again_what_stopped_for_somebody_else)
{
    struct daemon *daemon = *state;
    start_explorer(daemon);
    struct client *client = client_new(daemon);
    (void)begin_long_job(client, "EXPLORE 4x4 keep=levels threads=2 engine=striped");
    const unsigned long job = client_submit(client, "EXPLORE 3x3 from=goals keep=table time=2s memory=64M");
    disk_stops();
    client_send(client, "CANCEL 1");
    (void)usleep(2500000); /* its two seconds pass before the disk has its beginning */
    disk_goes_on();
    (void)client_next(client);
    assert_string_equal(client_wait(client, job), "stopped");
    client_expect(client, "DISTANCE 3x3 867254301", "OK moves=31 solvable=yes job=3 to=goal explored=now");
    expect_fields(client_about(client, "STATUS", job), "state=stopped");
}

TEST_WITH(a_lookup_does_not_wait_as_the_same_exploration_does, explorer_setup, daemon_teardown)
{
    struct client *client = client_new(*state);
    (void)begin_long_job(client, LONG_JOB);
    client_expect_fields(client, "EXPLORE 3x3", "job=2 state=queued");
    client_expect(client, "DISTANCE 3x3 867254301", "OK moves=31 solvable=yes job=3 to=goal explored=now");
    client_expect_fields(client, "STATUS 2", "state=queued");
    client_expect(client, "CANCEL 1", "OK");
    assert_string_equal(client_wait(client, 2), "done");
    expect_fields(client_result(client, 2), "complete=yes states=181440 depth=31");
}

/* Lets the disk stand still again and again, until it does so while the end of a job is written. */
static void stop_disk_at_an_end(const struct daemon *daemon)
{
    disk_stops();
    for (struct patience patience = {0}; logged(daemon, "event=job-ended") == 0;) {
        disk_goes_on();
        (void)usleep(1000);
        disk_stops();
        (void)usleep(50000);
        pause_for(&patience, "a job to end");
    }
}

/* Its end is written when the workers that forget jobs are gone. */
WITH_SLOW_DISK(an_exploration_of_a_lookup_that_has_left_may_end_in_a_stop)
{
    struct daemon *daemon = *state;
    start_explorer(daemon);
    const unsigned stops = logged(daemon, "event=stopping");
    struct client *client = client_new(daemon);
    struct client *lookup = client_new(daemon);
    client_send(lookup,
                "DISTANCE " UNSOLVED " 1,1,2,3,4/5,6,7,8,9/10,11,12,13,14/15,16,17,18,19/20,21,22,0,23");
    client_await_state(client, await_exploration(client, 0), "running");
    client_free(lookup);
    client_free(client);
    stop_disk_at_an_end(daemon);
    assert_int_equal(logged(daemon, "event=job-ended state=stopped"), 1);
    assert_int_equal(kill(daemon->pid, SIGTERM), 0);
    for (struct patience patience = {0}; logged(daemon, "event=stopping") == stops;)
        pause_for(&patience, "the daemon to stop");
    (void)usleep(MOMENT_MS * 1000);
    disk_goes_on();
    daemon_stop(daemon);
    daemon_start(daemon, words);
}

WITH_SLOW_DISK(an_exploration_that_the_disk_failed_says_so_and_is_tried_again)
{
    struct daemon *daemon = *state;
    start_explorer(daemon);
    struct client *client = client_new(daemon);
    struct client *lookup = client_new(daemon);
    keep_busy(daemon);
    client_send(lookup, "DISTANCE 3x3 867254301");
    const unsigned long job = await_exploration(client, BUSY);
    make_file(fail_file);
    client_send(client, "CANCEL 1");
    (void)client_next(client);
    client_expect_next(lookup, "ERR storage");
    assert_non_null(strstr(lookup->line, "which explored it, failed: "));
    assert_null(strstr(lookup->line, "failed: no memory")); /* but what the disk says */
    assert_int_equal(unlink(fail_file), 0);
    expect_fields(client_about(client, "STATUS", job), "state=failed");
    client_expect(lookup, "DISTANCE 3x3 867254301", "OK moves=31 solvable=yes job=4 to=goal explored=now");
}
