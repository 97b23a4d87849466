/* SPDX-License-Identifier: MIT */
#include "protocol/listen_address.h"

#include "protocol/text/quantity.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

static bool parse_host(const char *host, uint16_t port, struct listen_address *out)
{
    struct sockaddr_in *v4 = (struct sockaddr_in *)&out->storage;
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&out->storage;
    if (inet_pton(AF_INET, host, &v4->sin_addr) == 1) {
        v4->sin_family = AF_INET;
        v4->sin_port = htons(port);
        out->length = sizeof *v4;
        return true;
    }
    size_t length = strlen(host);
    char inner[64];
    if (length < 4 || length >= sizeof inner || host[0] != '[' || host[length - 1] != ']')
        return false;
    (void)snprintf(inner, sizeof inner, "%.*s", (int)length - 2, host + 1);
    if (inet_pton(AF_INET6, inner, &v6->sin6_addr) != 1)
        return false;
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(port);
    out->length = sizeof *v6;
    return true;
}

enum pz_status address_parse(const char *text, struct listen_address *out, struct pz_error *error)
{
    const char *colon = strrchr(text, ':');
    char host[80];
    uint64_t port = 0;
    *out = (struct listen_address){0};
    if (colon != NULL && (size_t)(colon - text) < sizeof host &&
        quantity_count(colon + 1, 0, UINT16_MAX, &port, NULL) == PZ_OK) {
        (void)snprintf(host, sizeof host, "%.*s", (int)(colon - text), text);
        if (parse_host(host, (uint16_t)port, out))
            return PZ_OK;
    }
    return pz_fail(error, PZ_BAD_REQUEST, "'%.80s' is no address: write 127.0.0.1:PORT or [::1]:PORT", text);
}

bool address_is_loopback(const struct listen_address *address)
{
    if (address->storage.ss_family == AF_INET)
        return ntohl(((const struct sockaddr_in *)&address->storage)->sin_addr.s_addr) >> 24 == 127;
    return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)&address->storage)->sin6_addr);
}

unsigned address_port(const struct sockaddr_storage *storage)
{
    if (storage->ss_family == AF_INET)
        return ntohs(((const struct sockaddr_in *)storage)->sin_port);
    return storage->ss_family == AF_INET6 ? ntohs(((const struct sockaddr_in6 *)storage)->sin6_port) : 0;
}
