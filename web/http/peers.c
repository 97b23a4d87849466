/* SPDX-License-Identifier: MIT */
#include "web/http/peers.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/socket.h>

void peers_init(struct peers *peers, unsigned most)
{
    *peers = (struct peers){.most = most};
    TAILQ_INIT(&peers->owing);
    TAILQ_INIT(&peers->busy);
}

/* Closes a connection. It counts until the HTTP library notices and calls us. */
static void hang_up(struct peers *peers, struct peer *peer)
{
    (void)shutdown(peer->fd, SHUT_RDWR);
    peers_set_busy(peers, peer, true, 0);
}

struct peer *peers_add(struct peers *peers, int fd, uint64_t now_ms)
{
    struct peer *peer = calloc(1, sizeof *peer);
    if (peer == NULL)
        return NULL;
    *peer = (struct peer){.fd = fd, .since_ms = now_ms};
    struct peer *longest = TAILQ_FIRST(&peers->owing);
    if (peers->count >= peers->most && longest != NULL)
        hang_up(peers, longest);
    TAILQ_INSERT_TAIL(&peers->owing, peer, link);
    peers->count++;
    return peer;
}

static struct peer_list *peers_list_of(struct peers *peers, const struct peer *peer)
{
    return peer->busy ? &peers->busy : &peers->owing;
}

void peers_remove(struct peers *peers, struct peer *peer)
{
    if (peer == NULL)
        return;
    assert(peers->count > 0);
    TAILQ_REMOVE(peers_list_of(peers, peer), peer, link);
    peers->count--;
    free(peer);
}

void peers_set_busy(struct peers *peers, struct peer *peer, bool busy, uint64_t now_ms)
{
    TAILQ_REMOVE(peers_list_of(peers, peer), peer, link);
    peer->busy = busy;
    peer->since_ms = now_ms;
    TAILQ_INSERT_TAIL(peers_list_of(peers, peer), peer, link);
}

void peers_sweep(struct peers *peers, uint64_t now_ms)
{
    struct peer *peer = NULL;
    while ((peer = TAILQ_FIRST(&peers->owing)) != NULL && now_ms - peer->since_ms > PEERS_PATIENCE_MS)
        hang_up(peers, peer);
}
