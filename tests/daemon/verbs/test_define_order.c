/* SPDX-License-Identifier: MIT */
/* Definitions are decided, written and then told: while the disk stands still nothing is acknowledged, and
 * what requests at one time decide is what the disk has. */
#include "slow_disk.h"

#define TEXT  "text=\"1 3%0A0 => 1 LABEL up%0A1 => 2 LABEL up%0AGOAL 2%0A\""
#define OTHER "text=\"1 3%0A0 => 2 LABEL up%0AGOAL 2%0A\""

static void define_one(struct client *client)
{
    client_expect(client, "DEFINE name=one format=psvn " TEXT, "OK name=one ");
}

/* Kills the daemon and starts it again: what the disk has is there. */
static struct client *client_after_kill(struct daemon *daemon)
{
    daemon_kill(daemon);
    daemon_start(daemon, NULL);
    return client_new(daemon);
}

WITH_SLOW_DISK(a_definition_is_told_when_it_is_on_the_disk_also_to_those_who_come_later)
{
    struct client *first = client_new(*state);
    struct client *second = client_new(*state);
    disk_stops();
    client_waits(first, "DEFINE name=one format=psvn " TEXT);
    client_waits(second, "DEFINE name=one format=psvn " TEXT);
    disk_goes_on();
    expect_fields(client_next(first), "name=one cached=no");
    expect_fields(client_next(second), "name=one cached=yes");
    client_expect_list(client_after_kill(*state), "DEFINITIONS", "OK count=1", 1);
}

WITH_SLOW_DISK(nobody_finds_a_definition_that_is_not_on_the_disk)
{
    struct client *first = client_new(*state);
    struct client *second = client_new(*state);
    disk_stops();
    client_waits(first, "DEFINE name=one format=psvn " TEXT);
    client_expect(second, "DISTANCE one 0", "ERR bad-puzzle fatal no puzzle 'one'");
    client_expect_list(second, "DEFINITIONS", "OK count=0", 0);
    client_expect(second, "UNDEFINE one", "ERR busy retry 'one' is being defined or removed");
    client_expect(second, "DEFINE name=one format=psvn " OTHER, "ERR busy retry 'one' is being defined");
    kill_and_start(*state);
    client_expect_list(client_new(*state), "DEFINITIONS", "OK count=0", 0);
}

WITH_SLOW_DISK(a_definition_that_cannot_be_written_is_told_to_all_who_wait_and_its_name_is_free)
{
    struct client *first = client_new(*state);
    struct client *second = client_new(*state);
    disk_stops();
    client_send(first, "DEFINE name=one format=psvn " TEXT);
    client_send(second, "DEFINE name=one format=psvn " TEXT);
    assert_true(client_is_silent(first, MOMENT_MS));
    make_file(fail_file);
    disk_goes_on();
    assert_non_null(strstr(client_next(first), "ERR storage"));
    assert_non_null(strstr(client_next(second), "ERR storage"));
    assert_int_equal(unlink(fail_file), 0);
    client_expect(first, "DEFINE name=one format=psvn " OTHER, "OK name=one ");
    client_expect(client_after_kill(*state), "DEFINE name=one format=psvn " OTHER, "OK name=one ");
}

WITH_SLOW_DISK(define_and_undefine_at_once_leave_what_they_told)
{
    struct client *first = client_new(*state);
    struct client *second = client_new(*state);
    define_one(first);
    disk_stops();
    client_waits(first, "UNDEFINE one");
    client_expect(second, "DEFINE name=one format=psvn " TEXT, "ERR busy retry 'one' is being removed");
    client_expect(second, "UNDEFINE one", "ERR busy retry 'one' is being defined or removed");
    disk_goes_on();
    assert_string_equal(client_next(first), "OK name=one forgotten=yes");
    client_expect(second, "DISTANCE one 0", "ERR bad-puzzle fatal no puzzle 'one'");
    define_one(second);
    client_expect_list(client_after_kill(*state), "DEFINITIONS", "OK count=1", 1);
}

WITH_SLOW_DISK(no_job_is_accepted_whose_definition_is_being_removed)
{
    struct client *first = client_new(*state);
    struct client *second = client_new(*state);
    define_one(first);
    disk_stops();
    client_waits(first, "UNDEFINE one");
    client_expect(second, "EXPLORE one root=0", "ERR busy retry the definition of psvn:");
    client_expect(second, "JOBS", "OK count=0");
    assert_string_equal(client_next(second), "END");
    disk_goes_on();
    assert_string_equal(client_next(first), "OK name=one forgotten=yes");
    client_expect(second, "EXPLORE one root=0", "ERR bad-puzzle fatal no puzzle 'one'");
}

/* UNDEFINE has found no pinned table, and its removal is being written. */
WITH_SLOW_DISK(no_table_is_pinned_whose_definition_is_being_removed)
{
    struct client *first = client_new(*state);
    struct client *second = client_new(*state);
    define_one(first);
    client_expect_end(first, "EXPLORE one", "state=done");
    const char *line = text_of("PIN \"%s\"", value_of(client_only_record(first, "TABLES"), "table"));
    client_expect(first, line, "OK table=");
    client_expect(first, text_of("UN%s", line), "OK table=");
    disk_stops();
    client_waits(first, "UNDEFINE one");
    client_waits(second, line);
    disk_goes_on();
    expect_fields(client_next(first), "name=one forgotten=yes");
    assert_non_null(strstr(client_next(second), "the definition of its puzzle is removed"));
    client_expect(second, "TABLES", "OK count=1");
    expect_fields(client_next(second), "pinned=no");
}

WITH_SLOW_DISK(a_definition_whose_removal_cannot_be_written_stays)
{
    struct client *first = client_new(*state);
    define_one(first);
    disk_stops();
    client_waits(first, "UNDEFINE one");
    make_file(fail_file);
    disk_goes_on();
    assert_non_null(strstr(client_next(first), "ERR storage"));
    assert_int_equal(unlink(fail_file), 0);
    client_expect_end(first, "EXPLORE one root=0", "state=done states=3");
    client_expect_list(client_after_kill(*state), "DEFINITIONS", "OK count=1", 1);
}

WITH_SLOW_DISK(a_definition_whose_job_waits_stays_unless_another_name_stands_for_it)
{
    struct client *first = client_new(*state);
    struct client *second = client_new(*state);
    define_one(first);
    disk_stops();
    client_waits(second, "EXPLORE one root=0");
    client_expect(first, "UNDEFINE one", "ERR busy retry job 1 works on it");
    disk_goes_on();
    expect_fields(client_next(second), "job=1");
    client_expect(first, "DEFINE name=two format=psvn " TEXT, "OK name=two ");
    client_expect(first, "UNDEFINE one", "OK name=one forgotten=yes");
    assert_string_equal(client_wait(first, 1), "done");
}

/* Defines 1,048,576 states: switches that stay on. */
static void define_switches(struct client *client)
{
    enum { SWITCHES = 20 };
    char line[4096] = "DEFINE name=many format=psvn text=\"20 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2";
    char *at = line + strlen(line);
    for (unsigned rule = 0; rule < 2 * SWITCHES; rule++) {
        for (unsigned i = 0; i < SWITCHES; i++)
            at += sprintf(at, " %c", i != rule / 2 ? '-' : rule % 2 == 0 ? '0' : '1');
        at += sprintf(at, rule % 2 == 0 ? " =>" : "");
    }
    (void)strcpy(at, " GOAL 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\"");
    client_expect(client, line, "OK name=many ");
}

WITH_SLOW_DISK(a_definition_whose_stopped_job_is_asked_again_stays)
{
    const char *line = "EXPLORE many root=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 planes=disk keep=levels";
    struct client *first = client_new(*state);
    struct client *second = client_new(*state);
    define_switches(first);
    assert_int_equal(client_end_in(first, "stopped", text_of("%s disk=100K", line)), 1);
    disk_stops();
    client_waits(first, line);
    client_expect(second, "UNDEFINE many", "ERR busy retry job 1 works on it");
    disk_goes_on();
    expect_fields(client_next(first), "job=1 state=queued");
    assert_string_equal(client_wait(first, 1), "done");
}
