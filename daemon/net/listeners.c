/* SPDX-License-Identifier: MIT */
#include "daemon/net/listeners.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/own_files.h"
#include "base/status_word.h"
#include "daemon/host/service.h"
#include "daemon/net/activation.h"
#include "protocol/limits.h"
#include "protocol/listen_address.h"

#include <errno.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <fcntl.h>
#include <grp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    LISTENERS_MAX = 8,
    BACKLOG = 1024,
    ACCEPTS_IN_A_ROW = 16,      /* then the other connections get their turn */
    PAUSE_AFTER_ERROR_MS = 100, /* without descriptors the socket stays readable: the loop would spin */
    WELL_AFTER_SECONDS = 2      /* until then one who leaves lets the next in, and accept fails again */
};

struct listeners {
    struct evconnlistener *listener[LISTENERS_MAX];
    unsigned count;
    struct event *resume; /* ends a pause */
    unsigned accepts_in_a_row;
    double failed_at; /* when accept failed last; 0 if that is over */
    struct listeners_handler handler;
    char *made_path; /* the Unix socket to remove at the end; NULL if it is not ours */
    char path[sizeof((struct sockaddr_un *)0)->sun_path + 1]; /* of the first Unix socket; "" for none */
    unsigned port;
};

static int fail_errno(struct pz_error *error, int socket, const char *what)
{
    int number = errno;
    (void)status_from_errno(error, number, what);
    if (socket >= 0)
        (void)close(socket);
    return -1;
}

/* ---- Unix ---- */

static bool somebody_answers(const struct sockaddr_un *address)
{
    int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool answers = probe >= 0 && connect(probe, (const struct sockaddr *)address, sizeof *address) == 0;
    if (probe >= 0)
        (void)close(probe);
    return answers;
}

/* Makes the directory of a default socket. Any other directory was chosen by somebody and must exist. */
static int make_directory(const char *path, struct pz_error *error)
{
    char own[64];
    char directory[sizeof((struct sockaddr_un *)0)->sun_path];
    (void)snprintf(own, sizeof own, "/tmp/puzzled-%u/%s", (unsigned)geteuid(), PROTOCOL_SOCKET_NAME);
    bool private = strcmp(path, own) == 0;
    if (!private && strcmp(path, PROTOCOL_SYSTEM_SOCKET) != 0)
        return 0;
    (void)snprintf(directory, sizeof directory, "%.*s", (int)(strrchr(path, '/') - path), path);
    if (mkdir(directory, private ? 0700 : 0755) != 0 && errno != EEXIST)
        return fail_errno(error, -1, directory);
    int own_directory = -1;
    if (private && own_directory_open(directory, 0, &own_directory, error) != PZ_OK)
        return -1;
    if (own_directory >= 0)
        (void)close(own_directory);
    return 0;
}

static int clear_path(const struct sockaddr_un *address, struct pz_error *error)
{
    struct stat about;
    if (lstat(address->sun_path, &about) != 0)
        return make_directory(address->sun_path, error);
    if (!S_ISSOCK(about.st_mode)) {
        (void)pz_fail(error, PZ_STORAGE, "%s is there and is no socket", address->sun_path);
        return -1;
    }
    if (somebody_answers(address)) {
        (void)pz_fail(error, PZ_BUSY, "another daemon answers on %s", address->sun_path);
        return -1;
    }
    return unlink(address->sun_path) == 0 ? 0 : fail_errno(error, -1, address->sun_path);
}

static int give_to_group(const char *path, const char *group, struct pz_error *error)
{
    if (group == NULL || *group == '\0')
        return 0;
    const struct group *found = getgrnam(group); /* no other thread runs yet */
    if (found == NULL) {
        (void)pz_fail(error, PZ_BAD_REQUEST, "[daemon] socket-group: there is no group '%.60s'", group);
        return -1;
    }
    if (lchown(path, (uid_t)-1, found->gr_gid) == 0)
        return 0;
    if (errno != EPERM)
        return fail_errno(error, -1, path);
    (void)pz_fail(error, PZ_DENIED, "[daemon] socket-group: user %u is no member of '%.60s'",
                  (unsigned)geteuid(), group);
    return -1;
}

static int listen_on_path(const char *path, unsigned mode, const char *group, struct pz_error *error)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        (void)pz_fail(error, PZ_BAD_REQUEST, "the socket's path is longer than %zu bytes: %.120s",
                      sizeof address.sun_path - 1, path);
        return -1;
    }
    (void)snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    if (clear_path(&address, error) != 0)
        return -1;
    int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (made < 0)
        return fail_errno(error, -1, "socket");
    /* The socket has its mode from the beginning, as chmod() would follow a link that came in its place.
     * Nobody can connect before listen(). */
    mode_t before = umask(~mode & 0777);
    int bound = bind(made, (const struct sockaddr *)&address, sizeof address);
    (void)umask(before);
    if (bound != 0)
        return fail_errno(error, made, path);
    if (give_to_group(path, group, error) != 0) {
        (void)unlink(path);
        (void)close(made);
        return -1;
    }
    if (listen(made, BACKLOG) != 0) {
        int failure = fail_errno(error, made, path);
        (void)unlink(path);
        return failure;
    }
    return made;
}

/* ---- TCP ---- */

/* Makes a socket for a setting's address. Returns it, or -1. */
static int tcp_socket(const struct config *config, const char *setting, const char *text,
                      struct listen_address *address, struct pz_error *error)
{
    if (address_parse(text, address, error) != PZ_OK)
        return -1;
    int made = socket(address->storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (made < 0 && errno == EAFNOSUPPORT) {
        (void)config_fail(config, "daemon", setting, error,
                          "cannot listen on %.80s: TCP is forbidden here, by the service's unit in "
                          "most cases; puzzled(8) has the drop-in that allows it",
                          text);
        return -1;
    }
    return made < 0 ? fail_errno(error, -1, "socket") : made;
}

static int listen_on_address(const struct config *config, const char *setting, const char *text,
                             struct pz_error *error)
{
    struct listen_address address;
    int one = 1;
    int made = tcp_socket(config, setting, text, &address, error);
    if (made < 0)
        return -1;
    (void)setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(made, (struct sockaddr *)&address.storage, address.length) != 0 || listen(made, BACKLOG) != 0)
        return fail_errno(error, made, text);
    return made;
}

static enum pz_status check_setting(const struct config *config, const char *setting, const char *text,
                                    struct pz_error *error)
{
    struct listen_address address;
    if (*text == '\0' || *text == '/')
        return PZ_OK;
    int made = tcp_socket(config, setting, text, &address, error);
    if (made < 0)
        return error->code;
    (void)close(made);
    return PZ_OK;
}

static enum pz_status check_socket(const struct config *config, const char *setting, const char *path,
                                   struct pz_error *error)
{
    struct stat about;
    if (*path == '/' && lstat(path, &about) == 0 && !S_ISSOCK(about.st_mode))
        return config_fail(config, "daemon", setting, error, "%.120s is there and is no socket", path);
    return PZ_OK;
}

/* Any free port, ":0", is another one each time. */
static enum pz_status check_twice(const struct config *config, struct pz_error *error)
{
    const char *where = config->metrics_listen;
    const char *port = strrchr(where, ':');
    const bool is_any = port != NULL && strcmp(port, ":0") == 0;
    if (*where != '\0' && !is_any &&
        (strcmp(where, config->listen) == 0 || strcmp(where, config->socket) == 0))
        return config_fail(config, "daemon", "metrics-listen", error,
                           "clients come to %.120s already: choose another place for scrapes", where);
    return PZ_OK;
}

enum pz_status listeners_check(const struct config *config, struct pz_error *error)
{
    enum pz_status status = check_setting(config, "listen", config->listen, error);
    if (status == PZ_OK)
        status = check_setting(config, "metrics-listen", config->metrics_listen, error);
    if (status == PZ_OK)
        status = check_socket(config, "socket", config->socket, error);
    if (status == PZ_OK)
        status = check_socket(config, "metrics-listen", config->metrics_listen, error);
    return status == PZ_OK ? check_twice(config, error) : status;
}

/* Notes where a socket listens. */
static void note_place(struct listeners *listeners, int socket)
{
    struct sockaddr_storage storage = {0};
    socklen_t length = sizeof storage;
    if (getsockname(socket, (struct sockaddr *)&storage, &length) != 0)
        return;
    const unsigned port = address_port(&storage);
    if (port != 0)
        listeners->port = port;
    if (storage.ss_family == AF_UNIX && listeners->path[0] == '\0')
        (void)snprintf(listeners->path, sizeof listeners->path, "%.*s",
                       (int)sizeof((struct sockaddr_un *)0)->sun_path,
                       ((const struct sockaddr_un *)&storage)->sun_path);
}

/* ---- all ---- */

/* Pauses accepting. libevent accepts until no client waits, which may never happen under load. Without
 * memory for the timer there is no pause. */
static void pause_accepting(struct listeners *listeners, long milliseconds)
{
    struct timeval delay = {.tv_sec = 0, .tv_usec = milliseconds * 1000};
    if (event_add(listeners->resume, &delay) != 0)
        return;
    for (unsigned i = 0; i < listeners->count; i++)
        (void)evconnlistener_disable(listeners->listener[i]);
}

static void on_resume(evutil_socket_t socket, short what, void *context)
{
    struct listeners *listeners = context;
    (void)socket;
    (void)what;
    listeners->accepts_in_a_row = 0;
    bool enabled = true;
    for (unsigned i = 0; i < listeners->count; i++)
        enabled = evconnlistener_enable(listeners->listener[i]) == 0 && enabled;
    if (!enabled)
        pause_accepting(listeners, PAUSE_AFTER_ERROR_MS); /* then try again */
}

static void listener_on_accept(struct evconnlistener *listener, evutil_socket_t socket,
                               struct sockaddr *address, int length, void *context)
{
    struct listeners *listeners = context;
    (void)listener;
    (void)address;
    (void)length;
    if (listeners->failed_at != 0 && clock_seconds() - listeners->failed_at > WELL_AFTER_SECONDS) {
        log_event(LOG_LEVEL_INFO, 0, "event=accepting-again");
        listeners->failed_at = 0;
    }
    if (++listeners->accepts_in_a_row == ACCEPTS_IN_A_ROW)
        pause_accepting(listeners, 0);
    listeners->handler.accepted(listeners->handler.context, socket);
}

static void on_accept_error(struct evconnlistener *listener, void *context)
{
    int number = errno;
    struct listeners *listeners = context;
    (void)listener;
    if (listeners->failed_at == 0) /* logged once, though accept is tried ten times a second */
        log_event(LOG_LEVEL_WARNING, 0, "event=accept-failed reason=\"%s\"", strerrordesc_np(number));
    listeners->failed_at = clock_seconds();
    pause_accepting(context, PAUSE_AFTER_ERROR_MS);
}

static enum pz_status add_listener(struct listeners *listeners, struct event_base *base, int socket,
                                   struct pz_error *error)
{
    if (socket < 0)
        return error->code;
    const unsigned flags = LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC | LEV_OPT_DISABLED;
    struct evconnlistener *listener = NULL;
    if (listeners->count < LISTENERS_MAX && evutil_make_socket_nonblocking(socket) == 0)
        listener = evconnlistener_new(base, listener_on_accept, listeners, flags, 0, socket);
    if (listener == NULL)
        (void)close(socket);
    else if (evconnlistener_enable(listener) != 0) { /* evconnlistener_new would hide this failure */
        evconnlistener_free(listener);
        listener = NULL;
    }
    if (listener == NULL)
        return pz_fail(error, PZ_MEMORY, "cannot listen on one more socket");
    evconnlistener_set_error_cb(listener, on_accept_error);
    listeners->listener[listeners->count++] = listener;
    note_place(listeners, socket);
    return PZ_OK;
}

static enum pz_status add_path(struct listeners *listeners, struct event_base *base, const char *path,
                               const struct config *config, struct pz_error *error)
{
    int made = listen_on_path(path, config->socket_mode, config->socket_group, error);
    if (made >= 0) /* else the file is not ours, and stays */
        listeners->made_path = strdup(path);
    return add_listener(listeners, base, made, error);
}

/* Copies a socket that was handed over: if the start fails, its clients must still get an error. */
static int own_copy(int socket, struct pz_error *error)
{
    int copy = fcntl(socket, F_DUPFD_CLOEXEC, 0);
    return copy >= 0 ? copy : fail_errno(error, -1, "a socket that was handed over");
}

/* Returns listeners without a socket yet; NULL without memory. */
static struct listeners *create(struct event_base *base, const struct listeners_handler *handler,
                                struct pz_error *error)
{
    struct listeners *listeners = calloc(1, sizeof *listeners);
    if (listeners != NULL) {
        listeners->handler = *handler;
        listeners->resume = evtimer_new(base, on_resume, listeners);
    }
    if (listeners == NULL || listeners->resume == NULL) {
        listeners_free(listeners);
        (void)pz_fail(error, PZ_MEMORY, "no memory for the listeners");
        return NULL;
    }
    return listeners;
}

/* Hands the listeners over if all went well; else frees them. */
static enum pz_status finished(struct listeners *listeners, enum pz_status status, struct listeners **out)
{
    if (status == PZ_OK)
        *out = listeners;
    else
        listeners_free(listeners);
    return status;
}

enum pz_status listeners_new(struct event_base *base, const struct config *config,
                             const struct listeners_handler *handler, struct listeners **out,
                             struct pz_error *error)
{
    struct listeners *listeners = create(base, handler, error);
    if (listeners == NULL)
        return PZ_MEMORY;
    int first = -1;
    int handed_over = service_sockets(&first);
    enum pz_status status = PZ_OK;
    for (int i = 0; i < handed_over && status == PZ_OK; i++)
        status = add_listener(listeners, base, own_copy(first + i, error), error);
    if (status == PZ_OK && handed_over == 0)
        status = add_path(listeners, base, config->socket, config, error);
    if (status == PZ_OK && *config->listen != '\0' && !activation_listens_on(config->listen))
        status =
            add_listener(listeners, base, listen_on_address(config, "listen", config->listen, error), error);
    if (status == PZ_OK && handed_over > 0)
        activation_report(config);
    return finished(listeners, status, out);
}

enum pz_status listeners_new_for_metrics(struct event_base *base, const struct config *config,
                                         const struct listeners_handler *handler, struct listeners **out,
                                         struct pz_error *error)
{
    const char *where = config->metrics_listen;
    struct listeners *listeners = create(base, handler, error);
    if (listeners == NULL)
        return PZ_MEMORY;
    enum pz_status status =
        *where == '/'
            ? add_path(listeners, base, where, config, error)
            : add_listener(listeners, base, listen_on_address(config, "metrics-listen", where, error), error);
    return finished(listeners, status, out);
}

void listeners_free(struct listeners *listeners)
{
    if (listeners == NULL)
        return;
    for (unsigned i = 0; i < listeners->count; i++)
        evconnlistener_free(listeners->listener[i]);
    if (listeners->resume != NULL)
        event_free(listeners->resume);
    if (listeners->made_path != NULL)
        (void)unlink(listeners->made_path);
    free(listeners->made_path);
    free(listeners);
}

const char *listeners_path(const struct listeners *listeners)
{
    return listeners->path[0] != '\0' ? listeners->path : "none";
}

unsigned listeners_port(const struct listeners *listeners)
{
    return listeners->port;
}
