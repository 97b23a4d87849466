/* SPDX-License-Identifier: MIT */
/* Jobs on disk whose daemon is killed again and again: after a checkpoint, and before the next one. */
#include "harness.h"
#include "resume.h"

#ifdef PUZZLED_SANITIZED
#define DENSE_DISK   "EXPLORE 3x4 keep=levels planes=disk depth=26"
#define STRIPED_DISK "EXPLORE 3x4 engine=striped keep=levels planes=disk memory=100M depth=24"
#define RANKED_DISK  "EXPLORE pancake:10 engine=ranked keep=levels planes=disk"
enum { DENSE_LEVEL = 26, STRIPED_LEVEL = 24, RANKED_LEVEL = 11 };
#else
#define DENSE_DISK   "EXPLORE 3x4 keep=levels planes=disk"
#define STRIPED_DISK "EXPLORE 3x4 engine=striped keep=levels planes=disk memory=100M depth=26"
#define RANKED_DISK  "EXPLORE pancake:11 engine=ranked keep=levels planes=disk"
enum { DENSE_LEVEL = 53, STRIPED_LEVEL = 26, RANKED_LEVEL = 13 };
#endif

/* Each life but the last is killed: every other one as soon as it has left a checkpoint, the others at once.
 */
enum { LIVES = 6 };

static bool is_over(const struct daemon *daemon)
{
    return logged(daemon, "event=job-ended") > 0;
}

/* Waits until the job tells how far it is: then its start is counted. Returns false if it has ended. */
static bool await_start(struct daemon *daemon)
{
    struct client *client = client_new(daemon);
    bool goes_on = true;
    bool started = false;
    for (struct patience patience = {0}; goes_on && !started; pause_for(&patience, "the start")) {
        const char *line = client_ask(client, "STATUS 1");
        goes_on =
            strcmp(value_of(line, "state"), "running") == 0 || strcmp(value_of(line, "state"), "queued") == 0;
        started = *value_of(line, "phase") != '\0';
    }
    client_free(client);
    return goes_on;
}

static bool kill_again_and_again(struct daemon *daemon, const void *job)
{
    const struct exploration *exploration = job;
    daemon_stop(daemon);
    start_with(daemon, "100ms");
    submit(daemon, exploration->line);
    for (unsigned life = 1; life < LIVES; life++) {
        const unsigned saved = logged(daemon, "event=checkpoint-saved");
        const bool goes_on = life % 2 == 1 ? await_another_save(daemon, saved) : await_start(daemon);
        daemon_kill(daemon);
        assert_int_equal(logged(daemon, "event=job-given-up"), 0);
        if (!goes_on || is_over(daemon))
            return false;
        start_with(daemon, "100ms");
    }
    struct client *client = client_new(daemon);
    await_end(client, 1);
    assert_int_equal(number_of(client_result(client, 1), "depth"), exploration->depth);
    expect_fields(client->line, "planes=disk");
    client_free(client);
    assert_int_equal(logged(daemon, "event=ended-while-running"), LIVES - 1);
    assert_int_equal(logged(daemon, "event=checkpoint-refused"), 0);
    return true;
}

SPECIFICATION(a_dense_job_on_disk_that_gets_further_at_every_other_kill_goes_on)
{
    play(state, kill_again_and_again, &(const struct exploration){DENSE_DISK, DENSE_LEVEL});
}

SPECIFICATION(a_striped_job_on_disk_that_gets_further_at_every_other_kill_goes_on)
{
    play(state, kill_again_and_again, &(const struct exploration){STRIPED_DISK, STRIPED_LEVEL});
}

SPECIFICATION(a_ranked_job_on_disk_that_gets_further_at_every_other_kill_goes_on)
{
    play(state, kill_again_and_again, &(const struct exploration){RANKED_DISK, RANKED_LEVEL});
}
