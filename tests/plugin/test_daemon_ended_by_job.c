/* SPDX-License-Identifier: MIT */
/* A job that ends the daemon whenever it runs, and innocent jobs beside it. */
#include "harness.h"

#include <fcntl.h>

/* Runs until it is told to stop, and leaves no checkpoint. */
#define LONG "EXPLORE faulty:slow threads=1"

struct killer {
    struct daemon *daemon;
    char gate[96];
};

/* Starts the daemon with the plugin, which does its harm once the gate is there. */
static void start_with_plugin(struct killer *killer)
{
    const char *const words[] = {"--config", killer->daemon->config, NULL};
    daemon_start(killer->daemon, words);
}

static int killer_setup(void **state)
{
    static struct killer killer;
    if (daemon_setup(state) != 0)
        return -1;
    killer.daemon = *state;
    *state = &killer;
    daemon_stop(killer.daemon);
    (void)snprintf(killer.gate, sizeof killer.gate, "%s/gate", killer.daemon->directory);
    (void)setenv("FAULTY_GATE", killer.gate, 1);
    run_command(text_of("install -D -m 644 %s %s/plugins/faulty.so", TEST_FAULTY, killer.daemon->directory));
    daemon_write_config(killer.daemon,
                        text_of("[daemon]\nplugin-directory = %s/plugins\n[store]\ncheckpoint-interval = 0\n",
                                killer.daemon->directory));
    start_with_plugin(&killer);
    return 0;
}

static int killer_teardown(void **state)
{
    struct killer *killer = *state;
    void *daemon = killer->daemon;
    return daemon_teardown(&daemon);
}

/* Waits until a job tells how far it is: it runs, and the count of its starts is stored. A job is told as
 * running a moment before. */
static void await_progress(struct client *client, unsigned long job)
{
    for (struct patience patience = {0}; *value_of(client_about(client, "STATUS", job), "phase") == '\0';)
        pause_for(&patience, "phase=");
}

/* Lets the plugin kill the daemon. */
static void let_it_happen(const struct killer *killer, struct client *client)
{
    int gate = open(killer->gate, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    assert_true(gate >= 0);
    assert_null(client_line(client));
    daemon_kill(killer->daemon); /* it is dead already */
    assert_int_equal(close(gate), 0);
    assert_int_equal(unlink(killer->gate), 0);
    client_free(client);
}

#define WITH_KILLER(name) TEST_WITH(name, killer_setup, killer_teardown)

WITH_KILLER(a_job_that_ends_the_daemon_twice_has_failed_and_its_plugin_is_named)
{
    struct killer *killer = *state;
    struct client *client = client_new(killer->daemon);
    unsigned long job = client_submit(client, "EXPLORE faulty:kills");
    client_await_state(client, job, "running");
    let_it_happen(killer, client);
    start_with_plugin(killer);
    client = client_new(killer->daemon);
    client_await_state(client, job, "running");
    let_it_happen(killer, client);
    start_with_plugin(killer);
    client = client_new(killer->daemon);
    assert_string_equal(client_wait(client, job), "failed");
    assert_non_null(strstr(client_result(client, job),
                           "error=internal text=\"the daemon ended twice while it ran; plugin faulty\""));
    client_expect(client, "EXPLORE faulty", "OK ");
}

WITH_KILLER(pieces_without_a_kind_are_drawn_in_words_that_can_be_read)
{
    const struct killer *killer = *state;
    struct client *client = client_new(killer->daemon);
    assert_string_equal(value_of(client_only_record(client, "DRAW faulty:pieces 100 pieces=yes"), "pieces"),
                        "512x1 :a_b:100,0");
}

WITH_KILLER(jobs_that_ran_at_the_end_begin_again_one_at_a_time_so_that_only_one_is_blamed)
{
    struct killer *killer = *state;
    struct client *client = client_new(killer->daemon);
    unsigned long bad = client_submit(client, "EXPLORE faulty:kills threads=1");
    unsigned long innocent = client_submit(client, LONG);
    client_await_state(client, bad, "running");
    await_progress(client, innocent);
    let_it_happen(killer, client);
    start_with_plugin(killer);
    client = client_new(killer->daemon);
    client_await_state(client, bad, "running");
    client_done(client, "EXPLORE 3x3 threads=1"); /* a new job waits for none of them */
    expect_fields(client_about(client, "STATUS", innocent), "state=queued");
    let_it_happen(killer, client);
    start_with_plugin(killer);
    client = client_new(killer->daemon);
    assert_string_equal(client_wait(client, bad), "failed");
    client_await_state(client, innocent, "running");
}

WITH_KILLER(a_job_may_run_while_the_daemon_is_stopped_as_often_as_one_likes)
{
    struct killer *killer = *state;
    struct client *client = client_new(killer->daemon);
    unsigned long job = client_submit(client, LONG);
    for (int stop = 0; stop < 3; stop++) {
        client_await_state(client, job, "running");
        client_free(client);
        daemon_stop(killer->daemon);
        start_with_plugin(killer);
        client = client_new(killer->daemon);
    }
    client_await_state(client, job, "running");
}
