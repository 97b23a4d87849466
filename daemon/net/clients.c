/* SPDX-License-Identifier: MIT */
#include "daemon/net/clients.h"

#include "base/clock.h"

#include <assert.h>
#include <event2/util.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Seconds for which a client without holders is remembered: by then its allowance is full again. */
static const double memory_of_clients = 2;

enum { GROUPS_MAX = 1024 };

/* ---- who it is ---- */

/* Names the network: all of loopback, or 256 addresses of IPv4. A single address would be too easy to
 * change. */
static void name_ipv4(const struct in_addr *address, char *name, size_t size)
{
    char text[INET_ADDRSTRLEN] = "";
    const uint32_t host = ntohl(address->s_addr);
    const bool loopback = host >> 24 == 127;
    const struct in_addr network = {.s_addr = htonl(loopback ? 127U << 24 : host & ~0xFFU)};
    (void)evutil_inet_ntop(AF_INET, &network, text, sizeof text);
    (void)snprintf(name, size, "tcp:%s/%d", text, loopback ? 8 : 24);
}

static void name_ipv6(const struct in6_addr *address, char *name, size_t size)
{
    enum { PREFIX_BYTES = 8 };
    char text[INET6_ADDRSTRLEN] = "";
    struct in6_addr network = {0};
    if (IN6_IS_ADDR_V4MAPPED(address)) {
        struct in_addr inner;
        memcpy(&inner, address->s6_addr + 12, sizeof inner);
        name_ipv4(&inner, name, size);
        return;
    }
    memcpy(&network, address, PREFIX_BYTES);
    (void)evutil_inet_ntop(AF_INET6, &network, text, sizeof text);
    (void)snprintf(name, size, "tcp:%s/%d", text, PREFIX_BYTES * 8);
}

static bool is_in_group(int socket, gid_t primary, gid_t wanted)
{
    gid_t groups[GROUPS_MAX];
    socklen_t length = sizeof groups;
    if (primary == wanted)
        return true;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups, &length) != 0)
        return false;
    for (size_t i = 0; i < length / sizeof groups[0]; i++)
        if (groups[i] == wanted)
            return true;
    return false;
}

static void identify(int socket, struct client *who)
{
    struct sockaddr_storage address = {0};
    socklen_t length = sizeof address;
    struct ucred peer;
    socklen_t peer_length = sizeof peer;
    *who = (struct client){.name = "unknown"};
    if (getpeername(socket, (struct sockaddr *)&address, &length) != 0)
        return;
    if (address.ss_family == AF_INET) {
        name_ipv4(&((const struct sockaddr_in *)&address)->sin_addr, who->name, sizeof who->name);
    } else if (address.ss_family == AF_INET6) {
        name_ipv6(&((const struct sockaddr_in6 *)&address)->sin6_addr, who->name, sizeof who->name);
    } else if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &peer_length) == 0) {
        (void)snprintf(who->name, sizeof who->name, "uid:%u", (unsigned)peer.uid);
        who->is_root = peer.uid == 0 || peer.uid == geteuid();
        who->is_member = is_in_group(socket, peer.gid, getegid());
    }
}

/* ---- all of them ---- */

static void drop_old(struct clients *clients)
{
    const double now = clock_seconds();
    for (struct client **link = &clients->first; *link != NULL;) {
        struct client *client = *link;
        if (client->holders > 0 || now - client->left < memory_of_clients) {
            link = &client->next;
        } else {
            assert(client->queued_jobs == 0 && client->drafts_bytes == 0); /* each of them would hold it */
            *link = client->next;
            free(client);
        }
    }
}

struct client *clients_named(struct clients *clients, const char *name)
{
    drop_old(clients);
    for (struct client *client = clients->first; client != NULL; client = client->next)
        if (strcmp(client->name, name) == 0)
            return client_hold(client);
    struct client *client = calloc(1, sizeof *client);
    if (client == NULL)
        return NULL;
    (void)snprintf(client->name, sizeof client->name, "%s", name);
    client->next = clients->first;
    clients->first = client;
    return client_hold(client);
}

struct client *clients_join(struct clients *clients, int socket)
{
    struct client who;
    identify(socket, &who);
    struct client *client = clients_named(clients, who.name);
    if (client != NULL) {
        client->is_root = who.is_root;
        client->is_member = who.is_member;
    }
    return client;
}

struct client *client_hold(struct client *client)
{
    assert(client != NULL);
    client->holders++;
    return client;
}

void client_release(struct client *client)
{
    assert(client == NULL || client->holders > 0);
    if (client != NULL && --client->holders == 0)
        client->left = clock_seconds();
}

void clients_free(struct clients *clients)
{
    for (struct client *client = clients->first, *next = NULL; client != NULL; client = next) {
        next = client->next;
        assert(client->holders == 0);
        free(client);
    }
    clients->first = NULL;
}

bool client_may_request(struct client *client, uint64_t per_second)
{
    if (per_second == 0)
        return true;
    double now = clock_seconds();
    double most = (double)per_second;
    client->allowance += (now - client->refilled) * most;
    client->refilled = now;
    if (client->allowance > most)
        client->allowance = most;
    if (client->allowance < 1)
        return false;
    client->allowance -= 1;
    return true;
}
