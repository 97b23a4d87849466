/* SPDX-License-Identifier: MIT */
#include "daemon/pool/fair_queue.h"

#include <assert.h>
#include <stddef.h>

/* Sorts the entry by priority among its owner's entries: it takes the place and turn of the first one with
 * lower priority, that one takes the next one's, which is not older, and so on. Returns the last displaced
 * entry, which needs a new place. */
static struct fair_entry *displace(struct fair_queue *queue, struct fair_entry *entry)
{
    bool older = false;
    entry->turn = queue->turn + (entry->owner == queue->latest);
    for (struct fair_entry **link = &queue->first; *link != NULL; link = &(*link)->next) {
        struct fair_entry *other = *link;
        if (other->owner != entry->owner)
            continue;
        if (other->priority < entry->priority + older) {
            older = true;
            entry->next = other->next;
            entry->turn = other->turn;
            *link = entry;
            entry = other;
        }
        entry->turn = (*link)->turn + 1;
    }
    return entry;
}

void fair_queue_push(struct fair_queue *queue, struct fair_entry *entry)
{
    struct fair_entry *left = displace(queue, entry);
    struct fair_entry **link = &queue->first;
    while (*link != NULL && (*link)->turn <= left->turn)
        link = &(*link)->next;
    left->next = *link;
    *link = left;
}

bool fair_queue_remove(struct fair_queue *queue, struct fair_entry *entry)
{
    struct fair_entry **link = &queue->first;
    while (*link != NULL && *link != entry)
        link = &(*link)->next;
    if (*link == NULL)
        return false;
    *link = entry->next;
    return true;
}

struct fair_entry *fair_queue_pop(struct fair_queue *queue)
{
    struct fair_entry *entry = queue->first;
    if (entry != NULL) {
        assert(entry->turn >= queue->turn); /* turns never go back */
        queue->first = entry->next;
        queue->turn = entry->turn;
        queue->latest = entry->owner;
    }
    return entry;
}
