/* SPDX-License-Identifier: MIT */
#include "clients.h"

#include "base/clock.h"

#include <event2/util.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static void name_client(int socket, char *name, size_t size)
{
    struct sockaddr_storage address = {0};
    socklen_t length = sizeof address;
    struct ucred peer;
    socklen_t peer_length = sizeof peer;
    (void)snprintf(name, size, "unknown");
    if (getpeername(socket, (struct sockaddr *)&address, &length) != 0)
        return;
    if (address.ss_family == AF_INET)
        (void)evutil_inet_ntop(AF_INET, &((struct sockaddr_in *)&address)->sin_addr, name, size);
    else if (address.ss_family == AF_INET6)
        (void)evutil_inet_ntop(AF_INET6, &((struct sockaddr_in6 *)&address)->sin6_addr, name, size);
    else if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &peer_length) == 0)
        (void)snprintf(name, size, "uid:%u", (unsigned)peer.uid);
}

struct client *client_hold(struct client *client)
{
    client->holders++;
    return client;
}

struct client *clients_join(struct clients *clients, int socket)
{
    char name[sizeof((struct client *)0)->name];
    name_client(socket, name, sizeof name);
    for (struct client *client = clients->first; client != NULL; client = client->next)
        if (strcmp(client->name, name) == 0)
            return client_hold(client);
    struct client *client = calloc(1, sizeof *client);
    if (client == NULL)
        return NULL;
    (void)snprintf(client->name, sizeof client->name, "%s", name);
    client->holders = 1;
    client->next = clients->first;
    clients->first = client;
    return client;
}

void clients_release(struct clients *clients, struct client *client)
{
    if (client == NULL || --client->holders > 0)
        return;
    struct client **link = &clients->first;
    while (*link != client)
        link = &(*link)->next;
    *link = client->next;
    free(client);
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
