/* SPDX-License-Identifier: MIT */
#include "daemon/net/activation.h"

#include "base/log.h"
#include "base/status_word.h"
#include "daemon/host/service.h"
#include "protocol/listen_address.h"

#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    REFUSALS_MAX = 4096,  /* more clients than that start the daemon again */
    REQUEST_WAIT_MS = 100 /* a client whose request was not read may lose the reply */
};

/* Appends the names of the settings that differ from this Unix socket's. */
static void compare_sockets(const struct config *config, const char *path, char *names, size_t size)
{
    struct stat about;
    bool known = stat(path, &about) == 0;
    const struct group *group = *config->socket_group != '\0' ? getgrnam(config->socket_group) : NULL;
    if (strcmp(path, config->socket) != 0)
        (void)strncat(names, " socket", size - strlen(names) - 1);
    if (known && (about.st_mode & 0777) != config->socket_mode)
        (void)strncat(names, " socket-mode", size - strlen(names) - 1);
    if (*config->socket_group != '\0' && (group == NULL || !known || about.st_gid != group->gr_gid))
        (void)strncat(names, " socket-group", size - strlen(names) - 1);
}

void activation_report(const struct config *config)
{
    int first = -1;
    int count = service_sockets(&first);
    for (int i = 0; i < count; i++) {
        struct sockaddr_un address = {0};
        socklen_t length = sizeof address;
        char names[64] = "", path[sizeof address.sun_path + 1];
        if (getsockname(first + i, (struct sockaddr *)&address, &length) != 0 ||
            address.sun_family != AF_UNIX)
            continue;
        (void)snprintf(path, sizeof path, "%.*s", (int)sizeof address.sun_path, address.sun_path);
        compare_sockets(config, path, names, sizeof names);
        if (*names != '\0')
            log_event(LOG_LEVEL_WARNING, 0,
                      "event=settings-without-effect settings=\"%s\" socket=%s "
                      "reason=\"the socket unit decides: systemctl edit puzzled.socket\"",
                      names + 1, path);
    }
}

bool activation_listens_on(const char *address)
{
    struct listen_address wanted;
    struct pz_error error;
    int first = -1;
    int count = service_sockets(&first);
    if (address_parse(address, &wanted, &error) != PZ_OK)
        return false;
    for (int i = 0; i < count; i++) {
        struct sockaddr_storage bound = {0};
        socklen_t length = sizeof bound;
        if (getsockname(first + i, (struct sockaddr *)&bound, &length) == 0 && length == wanted.length &&
            memcmp(&bound, &wanted.storage, length) == 0)
            return true;
    }
    return false;
}

static void refuse_one(int client, const struct pz_error *error)
{
    char text[sizeof error->text + 64];
    struct pollfd request = {.fd = client, .events = POLLIN};
    int length = snprintf(text, sizeof text, "ERR %s retry puzzled cannot start: %s\n", status_word(PZ_BUSY),
                          error->text);
    if (poll(&request, 1, REQUEST_WAIT_MS) > 0) {
        char unread[4096];
        (void)recv(client, unread, sizeof unread, MSG_DONTWAIT);
    }
    if (length > 0)
        (void)send(client, text, (size_t)length, MSG_NOSIGNAL | MSG_DONTWAIT);
    (void)close(client);
}

void activation_refuse(const struct pz_error *error)
{
    int first = -1;
    int count = service_sockets(&first);
    for (int i = 0; i < count; i++) {
        int flags = fcntl(first + i, F_GETFL);
        (void)fcntl(first + i, F_SETFL, flags | O_NONBLOCK);
        for (unsigned refused = 0; refused < REFUSALS_MAX; refused++) {
            int client = accept4(first + i, NULL, NULL, SOCK_CLOEXEC);
            if (client < 0)
                break;
            refuse_one(client, error);
        }
    }
}
