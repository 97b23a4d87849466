/* SPDX-License-Identifier: MIT */
/* Conversations with a daemon, and what is left of them when the loop ends in their midst. */
#include "specification.h"

#include "web/api/ask.h"

#include <event2/event.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { ASKS = 57, PASSES_MAX = 1000 };

/* Ends the loop, as a signal does, while the callbacks of the others are due. */
static void on_reply(void *user, const struct reply *reply)
{
    (void)event_base_loopbreak(user);
}

static void on_broken(void *user, const struct refusal *refusal)
{
}

/* Listens at a path of its own. */
static int listen_anywhere(struct address *address)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    memset(address, 0, sizeof *address);
    (void)snprintf(name.sun_path, sizeof name.sun_path, "/tmp/puzzled-test-ask-%d", (int)getpid());
    (void)snprintf(address->path, sizeof address->path, "%s", name.sun_path);
    (void)unlink(name.sun_path);
    assert_int_equal(bind(listener, (struct sockaddr *)&name, sizeof name), 0);
    assert_int_equal(listen(listener, ASKS), 0);
    return listener;
}

/* LeakSanitizer tells if a connection was not freed. */
TEST(conversations_that_end_with_callbacks_due_are_freed)
{
    struct address address;
    struct ask *asks[ASKS];
    int peers[ASKS];
    struct refusal refusal;
    const int listener = listen_anywhere(&address);
    struct event_base *base = event_base_new();
    const struct ask_user user = {.reply = on_reply, .broken = on_broken, .user = base};
    for (unsigned i = 0; i < ASKS; i++) {
        asks[i] = ask_new(base, &address, "PING\n", 5, user, &refusal);
        assert_non_null(asks[i]);
        peers[i] = accept(listener, NULL, NULL);
        assert_true(peers[i] >= 0);
    }
    for (unsigned pass = 0; pass < PASSES_MAX && event_base_get_num_events(base, EVENT_BASE_COUNT_ACTIVE) > 0;
         pass++)
        (void)event_base_loop(base, EVLOOP_NONBLOCK);
    for (unsigned i = 0; i < ASKS; i++)
        assert_int_equal(send(peers[i], "OK pong=yes\n", 12, 0), 12);
    (void)event_base_dispatch(base);
    for (unsigned i = 0; i < ASKS; i++) {
        ask_free(asks[i]);
        (void)close(peers[i]);
    }
    ask_settle(base);
    assert_int_equal(event_base_get_num_events(base, EVENT_BASE_COUNT_ACTIVE | EVENT_BASE_COUNT_ADDED), 0);
    event_base_free(base);
    (void)close(listener);
    (void)unlink(address.path);
}
