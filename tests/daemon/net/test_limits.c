/* SPDX-License-Identifier: MIT */
/* Limits of a client, also over several connections; a client that joins a job gets its result. */
#include "harness.h"

#include <signal.h>

#define LONG "EXPLORE 5x5 keep=levels engine=striped"

static void restart_on(struct daemon *daemon, const char *threads, const char *memory, const char *limits)
{
    const char *config = text_of("[daemon]\nlisten = 127.0.0.1:0\n[limits]\nthreads = %s\nmemory = %s\n%s\n",
                                 threads, memory, limits);
    daemon->own_limits = true;
    daemon_restart_with(daemon, config);
}

static void restart_with(struct daemon *daemon, const char *limits)
{
    restart_on(daemon, "2", "1G", limits);
}

static struct client *client_with(struct daemon *daemon, const char *limits)
{
    restart_with(daemon, limits);
    return client_new(daemon);
}

/* The tests run as the daemon's own user; a client over TCP is another user. */
struct users {
    struct client *own, *other;
};

static struct users users_with(struct daemon *daemon, const char *limits)
{
    struct users user;
    restart_with(daemon, limits);
    user.own = client_new(daemon);
    user.other = client_new_tcp(daemon, "127.0.0.1");
    return user;
}

static bool is_refused(struct client *client)
{
    bool refused = strncmp(client_ask(client, "PING"), "ERR limit", 9) == 0;
    client_free(client);
    return refused;
}

/* Each connection makes one request: with an allowance of its own none would be refused. */
enum { CONNECTIONS = 200 };

SPECIFICATION(another_connection_does_not_pass_the_limit_of_requests)
{
    struct daemon *daemon = *state;
    bool refused = false;
    restart_with(daemon, "requests-per-second = 1");
    for (unsigned i = 0; i < CONNECTIONS && !refused; i++)
        refused = is_refused(client_new(daemon));
    assert_true(refused);
}

SPECIFICATION(another_address_of_a_network_does_not_pass_the_limit_of_requests)
{
    struct daemon *daemon = *state;
    bool refused = false;
    restart_with(daemon, "requests-per-second = 1");
    for (unsigned i = 0; i < CONNECTIONS && !refused; i++)
        refused = is_refused(client_new_tcp(daemon, text_of("127.0.%u.%u", i % 7, i + 1)));
    assert_true(refused);
}

SPECIFICATION(another_address_or_a_restart_does_not_pass_the_limit_of_jobs)
{
    struct daemon *daemon = *state;
    restart_with(daemon, "queued-jobs-per-client = 2");
    struct client *one = client_new_tcp(daemon, "127.0.0.1");
    struct client *two = client_new_tcp(daemon, "127.0.0.2");
    (void)client_submit(one, LONG);
    (void)client_submit(one, LONG " depth=101");
    (void)client_submit(two, LONG " depth=102");
    client_expect(two, LONG " depth=103", "ERR limit");
    client_free(one);
    client_free(two);
    restart_with(daemon, "queued-jobs-per-client = 2");
    one = client_new_tcp(daemon, "127.0.0.3");
    client_expect(one, LONG " depth=103", "ERR limit");
}

SPECIFICATION(a_byte_now_and_then_does_not_keep_a_connection)
{
    struct client *client = client_with(*state, "idle-timeout = 1s");
    for (unsigned i = 0; i < 100 && client_is_silent(client, 200); i++)
        client_send_bytes(client, "x", 1);
    assert_false(client_is_silent(client, 0));
    assert_null(client_line(client));
}

/* ---- joining ---- */

SPECIFICATION(who_asks_without_limits_does_not_join_a_job_that_has_some)
{
    struct client *client = client_new(*state);
    assert_int_equal(client_submit(client, LONG " time=1h memory=64M"), 1);
    client_expect_fields(client, LONG " memory=64M", "cached=no job=2");
    client_expect_fields(client, LONG, "job=3");
    client_expect_fields(client, LONG " time=1h", "cached=yes job=3");
}

SPECIFICATION(who_joins_a_job_raises_its_priority)
{
    struct client *client = client_new(*state);
    assert_int_equal(client_submit(client, LONG), 1);
    assert_int_equal(client_submit(client, LONG " depth=101"), 2);
    assert_int_equal(client_submit(client, LONG " depth=102"), 3);
    client_expect(client, LONG " depth=102 priority=10", "OK job=3 state=queued cached=yes");
    client_expect_fields(client, "STATUS 3", "priority=10");
    client_expect(client, "CANCEL 1", "OK");
    client_await_state(client, 3, "running");
    client_expect_fields(client, "STATUS 2", "state=queued");
}

/* ---- turns ---- */

SPECIFICATION(users_take_turns)
{
    const struct users user = users_with(*state, "");
    assert_int_equal(client_submit(user.own, LONG), 1);
    assert_int_equal(client_submit(user.own, LONG " depth=102 priority=19"), 2);
    assert_int_equal(client_submit(user.other, LONG " depth=103"), 3);
    client_expect(user.own, "CANCEL 1", "OK");
    client_await_state(user.own, 3, "running");
    client_expect_fields(user.own, "STATUS 2", "state=queued");
}

SPECIFICATION(a_small_exploration_does_not_wait_for_another_users_long_one)
{
    const struct users user = users_with(*state, "");
    assert_int_equal(client_submit(user.own, LONG), 1);
    client_await_state(user.own, 1, "running");
    assert_int_equal(client_submit(user.other, "EXPLORE 3x3"), 2);
    assert_string_equal(client_wait(user.other, 2), "done");
    client_expect_fields(user.own, "STATUS 1", "state=running");
}

#define HARD "SOLVE 5x5 method=idastar start=24,23,22,21,20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,5"

SPECIFICATION(a_solve_does_not_wait_for_another_users_long_ones)
{
    const struct users user = users_with(*state, "solves = 1");
    assert_int_equal(client_submit(user.own, HARD ",4,3,2,1,0"), 1);
    assert_int_equal(client_submit(user.own, HARD ",2,4,3,1,0"), 2);
    client_await_state(user.own, 1, "running");
    client_expect_fields(user.other, "SOLVE 2x6 method=bfs start=1,2,3,4,5,6,7,8,9,10,0,11", "job=3");
    assert_string_equal(client_wait(user.other, 3), "done");
    client_expect_fields(user.own, "STATUS 2", "state=queued");
}

/* ---- what the jobs of one client take together ---- */

static void expect_too_large(struct client *client, const char *line, const char *words)
{
    client_expect(client, line, "ERR too-large fatal");
    if (strstr(client->line, words) == NULL)
        fail_msg("%s: no '%s' in %s", line, words, client->line);
}

/* Takes 103 MB for hours. */
#define LASTING "EXPLORE hanoi:3,18 engine=ranked keep=levels threads=1"
/* Takes 3 GB of scratch space in the end. */
#define ON_DISK "EXPLORE 2x7 keep=levels planes=disk memory=700M threads=1"

/* Submits two lasting jobs and a short one. Only the limit of one client holds the second up, and it alone.
 */
static void check_second_waits(struct client *client, const char *first, const char *second)
{
    assert_int_equal(client_submit(client, first), 1);
    client_await_state(client, 1, "running");
    assert_int_equal(client_submit(client, second), 2);
    assert_int_equal(client_submit(client, "EXPLORE 3x3 threads=1"), 3);
    assert_string_equal(client_wait(client, 3), "done");
    client_expect_fields(client, "STATUS 2", "state=queued");
    client_expect_fields(client, "STATUS 1", "state=running");
}

/* Three quarters of the limit are for explorations. */
SPECIFICATION(an_exploration_waits_until_those_of_its_client_leave_memory)
{
    struct daemon *daemon = *state;
    restart_on(daemon, "8", "4G", "memory-per-client = 256M");
    struct client *first = client_new(daemon);
    struct client *second = client_new_tcp(daemon, "127.0.0.1");
    check_second_waits(first, LASTING, LASTING " depth=100000");
    assert_int_equal(client_submit(second, LASTING " depth=100001"), 4);
    client_await_state(second, 4, "running");
    client_expect(first, "CANCEL 1", "OK job=1 state=cancelled");
    client_await_state(first, 2, "running");
}

/* Has the daemon read other limits, and make the plans of waiting jobs again. */
static void reload_limits(const struct daemon *daemon, struct client *client, const char *limits)
{
    const unsigned before = logged(daemon, "event=reloaded");
    daemon_write_config(daemon, text_of("[limits]\n%s", limits));
    assert_int_equal(kill(daemon->pid, SIGHUP), 0);
    for (struct patience patience = {0}; logged(daemon, "event=reloaded") == before;)
        pause_for(&patience, "the reload");
    client_expect(client, "EXPLORE 4x4 estimate=yes", "OK "); /* behind those plans */
}

/* Restarts the daemon with one thread, which a job that lasts takes. */
static struct client *beside_lasting(struct daemon *daemon, const char *memory)
{
    restart_on(daemon, "1", memory, "");
    struct client *client = client_new(daemon);
    assert_int_equal(client_submit(client, LASTING), 1);
    client_await_state(client, 1, "running");
    return client;
}

/* With one thread the second may take all that is left for explorations, and waits; with four it gets a
 * quarter. */
SPECIFICATION(a_job_that_waits_gets_the_limits_of_a_reload)
{
    struct daemon *daemon = *state;
    struct client *client = beside_lasting(daemon, "256M");
    assert_int_equal(client_submit(client, "EXPLORE klotski:横刀立马 engine=striped threads=1"), 2);
    client_expect_fields(client, "STATUS 2", "state=queued");
    reload_limits(daemon, client, "threads = 4\nmemory = 256M\n");
    assert_string_equal(client_wait(client, 2), "done");
    client_expect_fields(client, "STATUS 1", "state=running");
}

/* It began with the plan of the little memory, since its new plan came a moment later, and failed. */
SPECIFICATION(a_job_that_a_reload_lets_begin_has_the_limits_of_that_reload)
{
    struct daemon *daemon = *state;
    struct client *client = beside_lasting(daemon, "256M");
    for (struct patience patience = {0}; number_of(client_ask(client, "STATUS 1"), "states") < 9;)
        pause_for(&patience, "the first levels");
    assert_int_equal(client_submit(client, LASTING " depth=10"), 2);
    reload_limits(daemon, client, "threads = 1\nmemory = 64M\n");
    client_expect_fields(client, "STATUS 2", "state=queued");
    reload_limits(daemon, client, "threads = 2\nmemory = 1G\n");
    (void)client_wait(client, 2);
    expect_fields(client_result(client, 2), "state=done");
}

/* The first whose new plan had come began. */
SPECIFICATION(jobs_that_a_reload_lets_begin_do_so_in_their_turn)
{
    struct daemon *daemon = *state;
    struct client *client = beside_lasting(daemon, "1G");
    assert_int_equal(client_submit(client, LASTING " depth=100000"), 2);
    assert_int_equal(client_submit(client, LASTING " depth=100001 priority=5"), 3);
    reload_limits(daemon, client, "threads = 2\nmemory = 1G\n");
    client_await_state(client, 3, "running");
    client_expect_fields(client, "STATUS 2", "state=queued");
}

/* Three quarters of the memory are for explorations. An eighth of these is left to small ones. */
SPECIFICATION(planes_on_disk_take_the_memory_that_was_given_to_them)
{
    const struct users user = users_with(*state, "");
    assert_int_equal(client_submit(user.own, "EXPLORE 2x7 keep=levels planes=disk memory=768M threads=1"), 1);
    client_await_state(user.own, 1, "running");
    assert_int_equal(client_submit(user.other, LASTING), 2);
    assert_int_equal(client_submit(user.other, "EXPLORE 3x3 threads=1"), 3);
    assert_string_equal(client_wait(user.other, 3), "done");
    client_expect_fields(user.other, "STATUS 2", "state=queued");
    client_expect(user.own, "CANCEL 1", "OK job=1 state=cancelled");
    client_await_state(user.other, 2, "running");
}

SPECIFICATION(an_exploration_waits_until_those_of_its_client_leave_disk)
{
    struct daemon *daemon = *state;
    restart_on(daemon, "8", "4G", "disk-per-client = 4G");
    struct client *client = client_new(daemon);
    check_second_waits(client, ON_DISK " disk=3G", ON_DISK " disk=2G depth=99");
    client_expect(client, "CANCEL 1", "OK job=1 state=cancelled");
    client_await_state(client, 2, "running");
}

/* It counts from the start with what it may take once its memory is full. */
SPECIFICATION(an_exploration_that_may_go_to_disk_waits_for_room_there)
{
    struct daemon *daemon = *state;
    restart_on(daemon, "8", "4G", "disk-per-client = 4G");
    struct client *client = client_new(daemon);
    check_second_waits(client, LONG " memory=500M threads=1 disk=3G",
                       LONG " memory=500M threads=1 disk=2G depth=99");
    assert_int_equal(client_submit(client, LONG " memory=500M threads=1 planes=memory depth=98"), 4);
    client_await_state(client, 4, "running");
    client_expect(client, "CANCEL 1", "OK job=1 state=cancelled");
    client_await_state(client, 2, "running");
}

SPECIFICATION(what_no_client_may_have_is_refused_with_the_limits_name)
{
    struct client *client = client_with(*state, "memory-per-client = 256M\ndisk-per-client = 1G");
    expect_too_large(client, LONG " memory=193M", "memory-per-client your explorations may have 192.0M");
    expect_too_large(client, "SOLVE 4x4 method=bfs start=0,12,9,13,15,11,10,14,3,7,2,5,4,8,6,1 memory=65M",
                     "memory-per-client your searches may have 64.0M");
    expect_too_large(client, "EXPLORE 2x7 planes=memory", "memory-per-client: needs");
    expect_too_large(client, "EXPLORE 2x6 keep=levels planes=disk disk=2G",
                     "disk-per-client your explorations");
    client_expect(client, "EXPLORE 3x3 memory=192M disk=1G", "OK job=1");
}

SPECIFICATION(a_search_takes_no_more_than_its_clients_share)
{
    struct client *client = client_with(*state, "memory-per-client = 64M");
    client_expect_end(client, "SOLVE 4x4 method=bfs start=0,12,9,13,15,11,10,14,3,7,2,5,4,8,6,1",
                      "state=stopped reason=memory memory_limit=16777216");
}

/* ---- whose jobs ---- */

SPECIFICATION(a_user_ends_only_their_own_jobs)
{
    const struct users user = users_with(*state, "");
    assert_int_equal(client_submit(user.own, LONG), 1);
    assert_int_equal(client_submit(user.other, LONG " depth=101"), 2);
    assert_int_equal(client_submit(user.other, LONG " depth=102"), 3);
    client_expect(user.other, "CANCEL 1", /* it says who may, not a key of the configuration */
                  text_of("ERR denied fatal job 1 is not yours but uid:%u's: only they and root may end it",
                          (unsigned)getuid()));
    client_expect(user.other, "CANCEL 2", "OK job=2 state=cancelled");
    client_expect(user.other, "FORGET 2", "OK job=2");
    client_expect(user.own, "CANCEL 1", "OK job=1 state=cancelled");
    client_expect(user.other, "FORGET 1", "ERR denied fatal");
    client_expect(user.own, "CANCEL 3", "OK job=3 state=cancelled");
    client_expect_list(user.own, "JOBS", "OK count=2", 2); /* also those that found nothing */
}

SPECIFICATION(the_configuration_lets_all_end_all)
{
    const struct users user = users_with(*state, "cancel-others = yes");
    assert_int_equal(client_submit(user.own, LONG), 1);
    client_expect(user.other, "CANCEL 1", "OK job=1 state=cancelled");
}

SPECIFICATION(jobs_and_the_log_say_who_asked_for_what)
{
    struct daemon *daemon = *state;
    struct users user = users_with(daemon, "");
    const char *submitter = text_of("uid:%u", (unsigned)getuid());
    assert_int_equal(client_submit(user.own, "EXPLORE 3x3 keep=levels"), 1);
    assert_int_equal(client_submit(user.other, "SOLVE 3x3 start=867254301"), 2);
    assert_string_equal(value_of(client_ask(user.own, "STATUS 1"), "submitter"), submitter);
    assert_string_equal(value_of(client_ask(user.own, "STATUS 1"), "request"), "EXPLORE 3x3 keep=levels");
    client_expect_fields(user.own, "STATUS 2", "submitter=tcp:127.0.0.0/8");
    assert_string_equal(client_wait(user.own, 1), "done");
    client_expect(user.own, "FORGET 1", "OK job=1");
    client_free(user.own);
    client_free(user.other);
    daemon_restart(daemon, NULL);
    user.own = client_new(daemon);
    client_expect_fields(user.own, "STATUS 2", "submitter=tcp:127.0.0.0/8");
    client_free(user.own);
    assert_int_equal(logged(daemon, text_of("event=request verb=FORGET argument=\"1\" client=%s", submitter)),
                     1);
    assert_int_equal(logged(daemon, text_of("client=%s request=\"EXPLORE 3x3 keep=levels\"", submitter)), 1);
}

/* The line was cut before them. */
SPECIFICATION(no_argument_is_too_long_for_the_names_behind_it_in_the_log)
{
    struct client *client = client_new(*state);
    client_expect(client, text_of("UNDEFINE \"%01400d\"", 0), "ERR ");
    client_done(client, text_of("EXPLORE 3x3 keep=levels visitor=%0400d", 0));
    assert_int_equal(logged(*state, text_of("0\" client=uid:%u", getuid())), 1);
    assert_int_equal(logged(*state, "0\" job=1"), 1);
}
