/* SPDX-License-Identifier: MIT */
#include "web/http/visitors.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/socket.h>

void visitors_init(struct visitors *visitors, unsigned most)
{
    *visitors = (struct visitors){.most = most};
    TAILQ_INIT(&visitors->owing);
    TAILQ_INIT(&visitors->busy);
}

/* Closes a connection. It counts until the HTTP library notices and tells us. */
static void hang_up(struct visitors *visitors, struct visitor *visitor)
{
    (void)shutdown(visitor->fd, SHUT_RDWR);
    visitors_set_busy(visitors, visitor, true, 0);
}

struct visitor *visitors_add(struct visitors *visitors, int fd, uint64_t now_ms)
{
    struct visitor *visitor = calloc(1, sizeof *visitor);
    if (visitor == NULL)
        return NULL;
    *visitor = (struct visitor){.fd = fd, .since_ms = now_ms};
    struct visitor *longest = TAILQ_FIRST(&visitors->owing);
    if (visitors->count >= visitors->most && longest != NULL)
        hang_up(visitors, longest);
    TAILQ_INSERT_TAIL(&visitors->owing, visitor, link);
    visitors->count++;
    return visitor;
}

static struct visitor_list *list_of(struct visitors *visitors, const struct visitor *visitor)
{
    return visitor->busy ? &visitors->busy : &visitors->owing;
}

void visitors_remove(struct visitors *visitors, struct visitor *visitor)
{
    if (visitor == NULL)
        return;
    assert(visitors->count > 0);
    TAILQ_REMOVE(list_of(visitors, visitor), visitor, link);
    visitors->count--;
    free(visitor);
}

void visitors_set_busy(struct visitors *visitors, struct visitor *visitor, bool busy, uint64_t now_ms)
{
    TAILQ_REMOVE(list_of(visitors, visitor), visitor, link);
    visitor->busy = busy;
    visitor->since_ms = now_ms;
    TAILQ_INSERT_TAIL(list_of(visitors, visitor), visitor, link);
}

void visitors_sweep(struct visitors *visitors, uint64_t now_ms)
{
    struct visitor *visitor = NULL;
    while ((visitor = TAILQ_FIRST(&visitors->owing)) != NULL &&
           now_ms - visitor->since_ms > VISITORS_PATIENCE_MS)
        hang_up(visitors, visitor);
}
