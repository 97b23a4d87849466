/* SPDX-License-Identifier: MIT */
/* Which tables are evicted if room is short, and which jobs are forgotten if there are too many. */
#include "slow_disk.h"

#include <signal.h>

static void explore(struct client *client, const char *puzzle)
{
    client_done(client, text_of("EXPLORE %s", puzzle));
}

static size_t tables(struct client *client)
{
    client_expect(client, "TABLES", "OK count=");
    return client_skip_list(client);
}

SPECIFICATION(an_exploration_that_cannot_fit_evicts_nothing)
{
    static const char *const puzzles[] = {"2x2", "2x3", "2x4", "3x3"};
    daemon_restart_with(*state, "[store]\nsize = 30M\n");
    struct client *client = client_new(*state);
    for (size_t i = 0; i < sizeof puzzles / sizeof puzzles[0]; i++)
        explore(client, puzzles[i]);
    client_expect_end(client, "EXPLORE 3x4", "state=failed error=storage-full");
    assert_int_equal(tables(client), sizeof puzzles / sizeof puzzles[0]);
}

/* Asks again until the reply begins so: jobs are forgotten in the background. */
static void expect_soon(struct client *client, const char *line, const char *begin)
{
    for (struct patience patience = {0}; strncmp(client_ask(client, line), begin, strlen(begin)) != 0;)
        pause_for(&patience, begin);
}

SPECIFICATION(the_oldest_ended_jobs_are_forgotten)
{
    daemon_restart_with(*state, "[limits]\nkept-jobs = 2\n");
    struct client *client = client_new(*state);
    client_expect(client, "SOLVE 3x3 start=123456708", "OK job=1 state=done");
    client_expect(client, "SOLVE 3x3 start=123450786", "OK job=2 state=done");
    client_expect(client, "SOLVE 3x3 start=123456078", "OK job=3 state=done");
    expect_soon(client, "RESULT 1", "ERR no-such-job fatal");
    client_expect(client, "RESULT 2", "OK job=2 ");
    client_expect(client, "RESULT 3", "OK job=3 ");
}

SPECIFICATION(the_newest_search_outlives_older_explorations)
{
    daemon_restart_with(*state, "[limits]\nkept-jobs = 2\n");
    struct client *client = client_new(*state);
    explore(client, "2x2");
    explore(client, "2x3");
    client_expect(client, "SOLVE 2x3 start=0,1,2/3,4,5", "OK job=3 state=done");
    expect_soon(client, "RESULT 1", "ERR no-such-job fatal");
    client_expect(client, "RESULT 2", "OK job=2 ");
    client_expect(client, "RESULT 3", "OK job=3 ");
}

SPECIFICATION(an_exploration_outlives_newer_searches)
{
    daemon_restart_with(*state, "[limits]\nkept-jobs = 2\n");
    struct client *client = client_new(*state);
    explore(client, "2x3");
    client_expect(client, "SOLVE 3x3 start=123456708", "OK job=2 state=done");
    client_expect(client, "SOLVE 3x3 start=123450786", "OK job=3 state=done");
    client_expect(client, "SOLVE 3x3 start=123456078", "OK job=4 state=done");
    expect_soon(client, "RESULT 3", "ERR no-such-job fatal");
    client_expect(client, "RESULT 1", "OK job=1 ");
    client_expect(client, "RESULT 4", "OK job=4 ");
}

/* The table of 3x3, by its name. */
static void pin(struct client *client, const char *verb)
{
    client_expect(client, text_of("%s \"slide:3x3 root=1,2,3/4,5,6/7,8,0\"", verb), "OK table=");
}

SPECIFICATION(a_pinned_table_keeps_its_job)
{
    static const char *const puzzles[] = {"2x2", "2x3", "2x4", "2x5"};
    daemon_restart_with(*state, "[limits]\nkept-jobs = 2\n");
    struct client *client = client_new(*state);
    explore(client, "3x3");
    pin(client, "PIN");
    for (size_t i = 0; i < sizeof puzzles / sizeof puzzles[0]; i++)
        explore(client, puzzles[i]);
    expect_soon(client, "RESULT 3", "ERR no-such-job fatal");
    client_expect(client, "RESULT 1", "OK job=1 kind=explore puzzle=slide:3x3 state=done");
    client_expect(client, "RESULT 4", "OK job=4 ");
    client_expect(client, "DISTANCE 3x3 867254301", "OK moves=31");
    client_expect(client, "DEEPEST 3x3", "OK count=2");
    (void)client_skip_list(client);
    pin(client, "UNPIN");
    explore(client, "2x2");
    expect_soon(client, "RESULT 1", "ERR no-such-job fatal");
}

WITH_SLOW_DISK(a_job_whose_table_is_pinned_while_it_is_to_go_is_there_again)
{
    daemon_restart_with(*state, "[limits]\nkept-jobs = 2\n");
    struct client *client = client_new(*state);
    struct client *other = client_new(*state);
    explore(client, "3x3");
    explore(client, "2x2");
    disk_stops();
    client_waits(other, "PIN \"slide:3x3 root=1,2,3/4,5,6/7,8,0\"");
    client_expect(client, "SOLVE 2x3 start=0,1,2/3,4,5", "OK job=3 state=done");
    expect_soon(client, "RESULT 1", "ERR no-such-job fatal");
    disk_goes_on();
    expect_fields(client_next(other), "pinned=yes");
    expect_soon(client, "RESULT 1", "OK job=1 kind=explore puzzle=slide:3x3 state=done");
    client_expect(client, "FORGET 1", "OK job=1 forgotten=yes");
    assert_int_equal(tables(client), 1);
}

SPECIFICATION(a_job_with_several_pinned_tables_is_one_job)
{
    char names[2][128];
    daemon_restart_with(*state, "[limits]\nkept-jobs = 2\n");
    struct client *client = client_new(*state);
    client_done(client, "PDB 3x3 partition=5-3");
    client_expect(client, "TABLES", "OK count=2");
    for (unsigned i = 0; i < 2; i++)
        (void)snprintf(names[i], sizeof names[i], "%s", value_of(client_next(client), "table"));
    (void)client_skip_list(client);
    for (unsigned i = 0; i < 2; i++)
        client_expect(client, text_of("PIN %s", names[i]), "OK table=");
    explore(client, "2x2");
    explore(client, "2x3");
    explore(client, "2x4");
    expect_soon(client, "RESULT 2", "ERR no-such-job fatal");
    client_expect(client, "RESULT 1", "OK job=1 kind=pdb");
}

SPECIFICATION(a_reload_with_fewer_kept_jobs_forgets_the_others)
{
    enum { JOBS = 300 };
    struct daemon *daemon = *state;
    daemon_restart_with(daemon, "[limits]\nkept-jobs = 1000\n");
    struct client *client = client_new(daemon);
    for (unsigned i = 0; i < JOBS; i++) {
        (void)client_submit(client, text_of("SOLVE jugs:%u,%u goal=1", 3 + i, 5 + i));
        (void)client_about(client, "WAIT", i + 1); /* on a busy machine some are queued */
    }
    client_expect(client, "JOBS limit=1000", "OK count=300 ");
    (void)client_skip_list(client);
    daemon_write_config(daemon, "[limits]\nkept-jobs = 10\n");
    assert_int_equal(kill(daemon->pid, SIGHUP), 0);
    expect_soon(client, "RESULT 290", "ERR no-such-job");
    client_expect(client, "RESULT 291", "OK job=291 ");
}

/* Takes 4 MB in the database. */
#define LARGE       "2x5 engine=striped depth=31"
#define LARGE_OTHER LARGE " root=1,0,2,3,4/5,6,7,8,9"
#define LARGE_THIRD LARGE " root=1,2,3,4,5/6,7,0,8,9"

/* The second large table needs the room of the first. 2x4 was used since. */
SPECIFICATION(a_job_whose_table_was_evicted_says_so)
{
    daemon_restart_with(*state, "[store]\nsize = 7M\n");
    struct client *client = client_new(*state);
    explore(client, "2x4");
    explore(client, LARGE);
    expect_fields(client_result(client, 2), "table=");
    client_expect(client, "DISTANCE 2x4 1,2,3,4/5,6,0,7", "OK moves=1 ");
    explore(client, LARGE_OTHER);
    for (int round = 0; round < 2; round++) {
        expect_soon(client, "RESULT 2", "OK job=2 ");
        expect_fields(client_result(client, 2), "table=evicted");
        expect_fields(client_result(client, 1), "table=");
        client_expect(client, "DISTANCE 2x4 1,2,3,4/5,6,0,7", "OK moves=1 ");
        client_free(client);
        daemon_restart(*state, NULL);
        client = client_new(*state);
    }
    client_expect_fields(client, "EXPLORE " LARGE, "cached=no");
}

SPECIFICATION(so_does_one_that_had_found_the_table_stored)
{
    daemon_restart_with(*state, "[store]\nsize = 7M\n");
    struct client *client = client_new(*state);
    explore(client, LARGE);
    explore(client, "2x5 engine=striped depth=20");
    explore(client, LARGE_OTHER);
    expect_soon(client, "RESULT 1", "OK job=1 ");
    expect_fields(client_result(client, 1), "table=evicted");
    expect_fields(client_result(client, 2), "table=evicted");
    expect_fields(client_result(client, 3), "table=");
}

/* The table of pancake:10 takes 908K. That of pancake:9 alone went, which left room for it and not for what
 * commits need beside it: the writing failed. */
SPECIFICATION(what_is_evicted_is_enough_for_the_commits_too)
{
    daemon_restart_with(*state, "[store]\nsize = 1900K\n");
    struct client *client = client_new(*state);
    explore(client, "3x3");
    explore(client, "pancake:9");
    explore(client, "pancake:10");
    explore(client, "pancake:10 root=2,1,3,4,5,6,7,8,9,10");
}

/* The table takes 26 MB. A file that is larger than its limit and the reserve beyond that has no page
 * for what removes something. */
SPECIFICATION(a_size_far_below_that_of_the_file_leaves_room_to_remove_and_to_evict)
{
    struct client *client = client_new(*state);
    explore(client, "3x4 engine=striped depth=24");
    explore(client, "3x3");
    client_free(client);
    daemon_restart_with(*state, "[store]\nsize = 1M\n");
    client = client_new(*state);
    client_expect(client, "FORGET 2", "OK job=2 forgotten=yes");
    explore(client, "2x4");
    expect_soon(client, "RESULT 1", "OK job=1 ");
    expect_fields(client_result(client, 1), "table=evicted");
    client_expect(client, "FORGET 1", "OK job=1 forgotten=yes");
    client_expect_list(client, "FSCK", "OK count=0 ", 0);
}

/* A client over TCP is another user. */
SPECIFICATION(beyond_a_clients_share_their_own_longest_unused_table_goes)
{
    struct daemon *daemon = *state;
    daemon_restart_with(daemon, "[limits]\ntables-per-client = 6M\n[daemon]\nlisten = 127.0.0.1:0\n");
    struct client *other = client_new_tcp(daemon, "127.0.0.1");
    struct client *client = client_new(daemon);
    explore(other, LARGE);
    explore(client, "2x4");
    explore(client, LARGE_OTHER);
    explore(client, LARGE_THIRD);
    expect_soon(client, "RESULT 3", "OK job=3 ");
    expect_fields(client_result(client, 3), "table=evicted");
    expect_fields(client_result(client, 1), "table=");
    assert_int_equal(tables(client), 3);
    client_expect(client, "PIN \"slide:2x5 root=1,2,3,4,5/6,7,0,8,9\"", "OK table=");
    client_expect_end(client, "EXPLORE " LARGE_OTHER, "state=failed error=storage-full");
    assert_non_null(
        strstr(client_result(client, 5), "by [limits] tables-per-client your tables may take 6.0M together"));
    assert_int_equal(tables(client), 3);
}

/* It was told as none: "may take 0M together". */
SPECIFICATION(a_share_below_a_megabyte_is_told_as_it_is)
{
    daemon_restart_with(*state, "[limits]\ntables-per-client = 10K\n");
    struct client *client = client_new(*state);
    client_expect_end(client, "EXPLORE 3x3", "state=failed error=storage-full");
    assert_non_null(strstr(client->line, "your tables may take 10.0K together: this one takes "));
}

/* ---- pattern databases ---- */

SPECIFICATION(a_build_whose_databases_cannot_be_kept_has_failed)
{
    daemon_restart_with(*state, "[store]\nsize = 1M\n");
    struct client *client = client_new(*state);
    client_expect_end(client, "PDB 4x4 partition=6-6-3", "state=failed error=storage-full");
}

/* The three take 3.2 MB together, the table 4 MB. */
#define DATABASES "PDB 4x4 partition=6-6-3"

SPECIFICATION(a_build_evicts_what_nobody_used_since_it_began)
{
    daemon_restart_with(*state, "[store]\nsize = 7M\n");
    struct client *client = client_new(*state);
    explore(client, LARGE);
    client_done(client, DATABASES);
    expect_soon(client, "RESULT 1", "OK job=1 ");
    expect_fields(client_result(client, 1), "table=evicted");
    assert_int_equal(tables(client), 3);
}

SPECIFICATION(a_build_that_cannot_fit_does_not_evict_its_own_databases)
{
    daemon_restart_with(*state, "[store]\nsize = 2500K\n");
    struct client *client = client_new(*state);
    for (unsigned round = 0; round < 2; round++) {
        client_expect_end(client, DATABASES, "state=failed error=storage-full");
        assert_int_equal(tables(client), 2);
    }
}

SPECIFICATION(databases_are_not_counted_in_their_clients_share)
{
    daemon_restart_with(*state, "[limits]\ntables-per-client = 6M\n");
    struct client *client = client_new(*state);
    client_done(client, DATABASES);
    explore(client, LARGE);
    explore(client, LARGE_OTHER);
    expect_soon(client, "RESULT 2", "OK job=2 ");
    expect_fields(client_result(client, 2), "table=evicted");
    expect_fields(client_result(client, 1), "table=");
    assert_int_equal(tables(client), 4);
}
