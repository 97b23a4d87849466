/* SPDX-License-Identifier: MIT */
/* Jobs whose daemon was told to stop leave a checkpoint if they may; cancelled jobs leave none. */
#include "harness.h"
#include "resume.h"

/* No checkpoint falls due before the stop, so the one that is there was written at the stop. */
static bool stop_once(struct daemon *daemon, const void *job)
{
    const struct exploration *exploration = job;
    daemon_stop(daemon);
    start_with(daemon, "1h");
    submit(daemon, exploration->line);
    bool goes_on = await_level(daemon, MIDDLE, false);
    daemon_stop(daemon);
    if (!goes_on || too_late(daemon))
        return false;
    assert_true(logged_level(daemon, "event=checkpoint-saved") >= MIDDLE);
    start_with(daemon, "1h");
    check_end(daemon, exploration->depth);
    assert_true(logged_level(daemon, "event=job-resumed") >= MIDDLE);
    return true;
}

SPECIFICATION(a_dense_exploration_that_was_told_to_stop_goes_on)
{
    play(state, stop_once, &(const struct exploration){DENSE, DENSE_DEPTH});
}

SPECIFICATION(a_striped_exploration_that_was_told_to_stop_goes_on)
{
    play(state, stop_once, &(const struct exploration){STRIPED, STRIPED_DEPTH});
}

/* Settings by which a stop leaves no checkpoint, and an event of the log; NULL: none of checkpoints. */
struct settings {
    const char *interval, *at_stop, *event;
};

static bool stop_without_a_checkpoint(struct daemon *daemon, const void *job)
{
    const struct settings *settings = job;
    daemon_stop(daemon);
    start_with_both(daemon, settings->interval, settings->at_stop);
    submit(daemon, DENSE);
    bool goes_on = await_level(daemon, MIDDLE, false);
    daemon_stop(daemon);
    if (!goes_on || too_late(daemon))
        return false;
    assert_int_equal(logged_level(daemon, "event=checkpoint-saved"), -1);
    assert_int_equal(logged_level(daemon, "event=checkpoint-") >= 0, settings->event != NULL);
    assert_true(settings->event == NULL || logged_level(daemon, settings->event) >= 0);
    start_with(daemon, settings->interval);
    check_end(daemon, DENSE_DEPTH);
    assert_int_equal(logged_level(daemon, "event=job-resumed"), -1);
    return true;
}

SPECIFICATION(a_stop_that_may_not_wait_leaves_no_checkpoint)
{
    play(state, stop_without_a_checkpoint, &(const struct settings){"1h", "0", "event=checkpoint-failed"});
}

SPECIFICATION(without_an_interval_there_are_no_checkpoints)
{
    play(state, stop_without_a_checkpoint, &(const struct settings){"0", "100s", NULL});
}

static bool cancel(struct daemon *daemon, const void *job)
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
    play(state, cancel, NULL);
}
