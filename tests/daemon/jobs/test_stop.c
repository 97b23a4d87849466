/* SPDX-License-Identifier: MIT */
/* Jobs whose daemon was told to stop leave a checkpoint if they may; cancelled jobs leave none. */
#include "harness.h"
#include "resume.h"

/* No checkpoint falls due before the stop, so the one that is there was written at the stop. */
static bool stop_once(struct daemon *daemon, const char *line, uint32_t depth)
{
    daemon_stop(daemon);
    start_with(daemon, "1h");
    submit(daemon, line);
    bool goes_on = await_level(daemon, MIDDLE, false);
    daemon_stop(daemon);
    if (!goes_on || too_late(daemon))
        return false;
    assert_true(logged_level(daemon, "event=checkpoint-saved") >= MIDDLE);
    start_with(daemon, "1h");
    check_end(daemon, depth);
    assert_true(logged_level(daemon, "event=job-resumed") >= MIDDLE);
    return true;
}

static bool stop_dense(struct daemon *daemon)
{
    return stop_once(daemon, DENSE, DENSE_DEPTH);
}

static bool stop_striped(struct daemon *daemon)
{
    return stop_once(daemon, STRIPED, STRIPED_DEPTH);
}

SPECIFICATION(a_dense_exploration_that_was_told_to_stop_goes_on)
{
    play(state, stop_dense);
}

SPECIFICATION(a_striped_exploration_that_was_told_to_stop_goes_on)
{
    play(state, stop_striped);
}

static bool stop_without_waiting(struct daemon *daemon)
{
    daemon_stop(daemon);
    start_with_both(daemon, "1h", "0");
    submit(daemon, DENSE);
    bool goes_on = await_level(daemon, MIDDLE, false);
    daemon_stop(daemon);
    if (!goes_on || too_late(daemon))
        return false;
    assert_int_equal(logged_level(daemon, "event=checkpoint-saved"), -1);
    assert_true(logged_level(daemon, "event=checkpoint-failed") >= 0);
    start_with(daemon, "1h");
    check_end(daemon, DENSE_DEPTH);
    assert_int_equal(logged_level(daemon, "event=job-resumed"), -1);
    return true;
}

SPECIFICATION(a_stop_that_may_not_wait_leaves_no_checkpoint)
{
    play(state, stop_without_waiting);
}

static bool cancel(struct daemon *daemon)
{
    daemon_stop(daemon);
    start_with(daemon, "20ms");
    submit(daemon, DENSE);
    if (!await_level(daemon, 10, true))
        return false;
    struct client *client = client_new(daemon);
    const char *reply = client_ask(client, "CANCEL 1");
    bool cancelled = strcmp(reply, "OK job=1 state=cancelled") == 0;
    assert_true(cancelled || strcmp(reply, "OK job=1 state=done") == 0);
    client_free(client);
    check_removed(daemon);
    return cancelled;
}

SPECIFICATION(a_cancelled_job_takes_its_checkpoint_along)
{
    play(state, cancel);
}

static bool stop_without_an_interval(struct daemon *daemon)
{
    daemon_stop(daemon);
    start_with(daemon, "0");
    submit(daemon, DENSE);
    bool goes_on = await_level(daemon, MIDDLE, false);
    daemon_stop(daemon);
    if (!goes_on || too_late(daemon))
        return false;
    assert_int_equal(logged_level(daemon, "event=checkpoint-"), -1);
    start_with(daemon, "0");
    check_end(daemon, DENSE_DEPTH);
    assert_int_equal(logged_level(daemon, "event=job-resumed"), -1);
    return true;
}

SPECIFICATION(without_an_interval_there_are_no_checkpoints)
{
    play(state, stop_without_an_interval);
}
