/* SPDX-License-Identifier: MIT */
#include "protocol/address.h"

#include "protocol/limits.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool address_socket(struct address *address, const char *path, struct pz_error *error)
{
    *address = (struct address){0};
    if (*path == '\0' || strlen(path) >= sizeof address->path) {
        (void)pz_fail(error, PZ_BAD_REQUEST, "a socket's path has 1 to %zu bytes, this one %zu",
                      sizeof address->path - 1, strlen(path));
        return false;
    }
    (void)snprintf(address->path, sizeof address->path, "%s", path);
    (void)snprintf(address->name, sizeof address->name, "%s", path);
    return true;
}

bool address_default(struct address *address, struct pz_error *error)
{
    const char *named = getenv("PUZZLED_SOCKET");
    if (named != NULL && *named != '\0')
        return address_socket(address, named, error);
    if (geteuid() == 0)
        return address_socket(address, PROTOCOL_SYSTEM_SOCKET, error);
    char path[4096];
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    if (runtime != NULL && *runtime == '/')
        (void)snprintf(path, sizeof path, "%s/" PROTOCOL_SOCKET_NAME, runtime);
    else
        (void)snprintf(path, sizeof path, "/tmp/puzzled-%u/" PROTOCOL_SOCKET_NAME, (unsigned)geteuid());
    if (access(path, F_OK) != 0 && access(PROTOCOL_SYSTEM_SOCKET, F_OK) == 0)
        return address_socket(address, PROTOCOL_SYSTEM_SOCKET, error);
    return address_socket(address, path, error);
}

static bool is_port(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    long port = strtol(text, NULL, 10);
    return digits > 0 && digits <= 5 && text[digits] == '\0' && port > 0 && port <= 65535;
}

bool address_host(struct address *address, const char *text, struct pz_error *error)
{
    *address = (struct address){0};
    const char *colon = strrchr(text, ':');
    bool bracketed = *text == '[';
    const char *host = bracketed ? text + 1 : text;
    const char *end = colon;
    if (bracketed && colon != NULL)
        end = colon > text && colon[-1] == ']' ? colon - 1 : NULL;
    if (end == NULL || end <= host || (size_t)(end - host) >= sizeof address->host || !is_port(colon + 1)) {
        (void)pz_fail(error, PZ_BAD_REQUEST,
                      "--host wants HOST:PORT, such as 127.0.0.1:7845 or [::1]:7845, not %s", text);
        return false;
    }
    (void)snprintf(address->host, sizeof address->host, "%.*s", (int)(end - host), host);
    (void)snprintf(address->port, sizeof address->port, "%s", colon + 1);
    (void)snprintf(address->name, sizeof address->name, "%s", text);
    return true;
}
