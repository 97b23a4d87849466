/* SPDX-License-Identifier: MIT */
/* The messages between the daemon and a service manager. */
#include "harness.h"

#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

enum { PATIENCE_MS = 30000 * PUZZLED_TEST_PATIENCE };

static int bind_unix(const char *path, int kind)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int made = socket(AF_UNIX, kind | SOCK_CLOEXEC, 0);
    assert_true(made >= 0);
    (void)snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    assert_int_equal(bind(made, (const struct sockaddr *)&address, sizeof address), 0);
    return made;
}

/* Waits for a message that has this line. */
static void expect_message(int manager, const char *line)
{
    enum { MESSAGES_MAX = 1000 }; /* the manager is told several times a second that all is well */
    char message[1024];
    for (unsigned i = 0; i < MESSAGES_MAX; i++) {
        struct pollfd poll_of = {.fd = manager, .events = POLLIN};
        if (poll(&poll_of, 1, PATIENCE_MS) <= 0)
            fail_msg("no %s within %d ms", line, PATIENCE_MS);
        ssize_t length = recv(manager, message, sizeof message - 1, 0);
        assert_true(length > 0);
        message[length] = '\0';
        if (strstr(message, line) != NULL)
            return;
    }
    fail_msg("no %s among %d messages", line, MESSAGES_MAX);
}

/* Returns the socket of a manager that watches the daemon, which starts anew for it. */
static int restart_watched(struct daemon *daemon)
{
    daemon_stop(daemon);
    const char *path = text_of("%s/notify", daemon->directory);
    const int manager = bind_unix(path, SOCK_DGRAM);
    (void)setenv("NOTIFY_SOCKET", path, 1);
    (void)setenv("WATCHDOG_USEC", "300000", 1);
    daemon_start(daemon, NULL);
    (void)unsetenv("NOTIFY_SOCKET");
    (void)unsetenv("WATCHDOG_USEC");
    return manager;
}

SPECIFICATION(it_tells_the_manager_how_it_stands)
{
    struct daemon *daemon = *state;
    const int manager = restart_watched(daemon);
    expect_message(manager, "READY=1");
    expect_message(manager, "WATCHDOG=1");
    struct client *client = client_new(daemon);
    (void)client_submit(client, "EXPLORE 5x5 keep=levels engine=striped");
    expect_message(manager, "STATUS=1 jobs running, 0 queued");
    assert_int_equal(kill(daemon->pid, SIGHUP), 0);
    expect_message(manager, "RELOADING=1");
    expect_message(manager, "READY=1");
    client_free(client);
    daemon_stop(daemon);
    expect_message(manager, "STOPPING=1");
    /* checkpoint-at-stop and what the rest of a stop may take; then the store is closed */
    expect_message(manager, "EXTEND_TIMEOUT_USEC=15500000");
    expect_message(manager, "EXTEND_TIMEOUT_USEC=60000000");
    (void)close(manager);
}

/* Forgets what the manager was told so far. */
static void forget_messages(int manager)
{
    char message[1024];
    while (recv(manager, message, sizeof message, MSG_DONTWAIT) > 0)
        ;
}

SPECIFICATION(it_tells_the_watchdog_that_it_is_well_though_descriptors_have_run_out)
{
    struct daemon *daemon = *state;
    const int manager = restart_watched(daemon);
    forget_messages(manager); /* with a full queue the next one waits, its socket open */
    expect_message(manager, "WATCHDOG=1");
    (void)usleep(30000); /* that one's socket is closed */
    struct rlimit all;
    assert_int_equal(prlimit(daemon->pid, RLIMIT_NOFILE, NULL, &all), 0);
    struct rlimit used = {.rlim_max = all.rlim_max};
    while (access(text_of("/proc/%d/fd/%d", (int)daemon->pid, (int)used.rlim_cur), F_OK) == 0)
        used.rlim_cur++;
    assert_int_equal(prlimit(daemon->pid, RLIMIT_NOFILE, &used, NULL), 0);
    forget_messages(manager);
    expect_message(manager, "WATCHDOG=1");
    expect_message(manager, "WATCHDOG=1"); /* the one before may have been on its way */
    assert_int_equal(prlimit(daemon->pid, RLIMIT_NOFILE, &all, NULL), 0);
    (void)close(manager);
}

SPECIFICATION(it_takes_over_the_socket_that_systemd_made)
{
    struct daemon *daemon = *state;
    daemon_stop(daemon);
    int listening = bind_unix(daemon->socket, SOCK_STREAM);
    assert_int_equal(listen(listening, 16), 0);
    daemon->activation = listening;
    daemon_start(daemon, NULL);
    struct client *client = client_new(daemon);
    client_expect(client, "PING", "OK pong=yes");
    client_free(client);
    daemon_stop(daemon);
    const char *const elsewhere[] = {"--socket", "/nowhere/socket", NULL};
    daemon_start(daemon, elsewhere);
    client = client_new(daemon);
    client_expect(client, "PING", "OK pong=yes");
    client_free(client);
    assert_int_equal(logged(daemon, " socket=/nowhere/socket port="), 0);
    daemon_stop(daemon);
    assert_int_equal(access(daemon->socket, F_OK), 0); /* it is not the daemon's to remove */
    daemon_start(daemon, NULL);
    client = client_new(daemon);
    client_expect(client, "PING", "OK pong=yes");
    client_free(client);
    (void)close(listening);
}

/* Starts a daemon that cannot start, with a client waiting at the socket that it is handed. */
static void expect_refused_start(struct daemon *daemon, const char *const *words, const char *why)
{
    const unsigned lines = logged(daemon, "");
    int status = 0;
    struct client *client = client_new(daemon);
    client_send(client, "PING");
    daemon_start(daemon, words);
    assert_non_null(strstr(client_next(client), "ERR busy retry puzzled cannot start: "));
    if (strstr(client->line, why) == NULL)
        fail_msg("no '%s' in: %s", why, client->line);
    assert_null(client_line(client));
    client_free(client);
    assert_int_equal(waitpid(daemon->pid, &status, 0), daemon->pid);
    daemon->pid = 0;
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 2); /* RestartPreventExitStatus= of the unit */
    assert_int_equal(logged(daemon, ""), lines + 1);
}

SPECIFICATION(a_start_that_no_restart_mends_ends_with_2_and_tells_each_client_and_one_line_of_the_log)
{
    struct daemon *daemon = *state;
    int taken = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    daemon_stop(daemon);
    int listening = bind_unix(daemon->socket, SOCK_STREAM);
    assert_int_equal(listen(listening, 16), 0);
    daemon->activation = listening;
    /* the last thing that is opened */
    assert_int_equal(bind(taken, (struct sockaddr *)&address, length), 0);
    assert_int_equal(listen(taken, 1), 0);
    assert_int_equal(getsockname(taken, (struct sockaddr *)&address, &length), 0);
    const char *port = text_of("127.0.0.1:%u", (unsigned)ntohs(address.sin_port));
    const char *const listens[] = {"--listen", port, NULL};
    for (int i = 0; i < 2; i++)
        expect_refused_start(daemon, listens, port);
    /* the first */
    assert_int_equal(truncate(text_of("%s/state/data.mdb", daemon->directory), 100), 0);
    expect_refused_start(daemon, NULL, "data.mdb");
    (void)close(taken);
    (void)close(listening);
}

SPECIFICATION(its_own_socket_is_gone_when_it_is)
{
    struct daemon *daemon = *state;
    daemon_stop(daemon);
    assert_int_not_equal(access(daemon->socket, F_OK), 0);
}
