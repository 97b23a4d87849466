/* SPDX-License-Identifier: MIT */
#include "store/table/table.h"

#include <assert.h>
#include <stdlib.h>

struct table_checks {
    struct table_checks *next;
    uint64_t table;
    unsigned holders;          /* guarded by store->checks_lock */
    bool forgotten;            /* guarded by the same: it is off the list, and the last holder frees it */
    _Atomic uint64_t used_ms;  /* written by every view that is opened */
    _Atomic uint64_t noted_ms; /* of the last use that went to the disk; 0 before the first */
    uint64_t pieces;
    _Atomic uint64_t verified[]; /* a bit a piece; set by whoever verified it, read by every view */
};

static struct table_checks *find_checks(const struct store *store, uint64_t table)
{
    struct table_checks *checks = store->checks;
    while (checks != NULL && checks->table != table)
        checks = checks->next;
    return checks;
}

struct table_checks *checks_hold(struct store *store, uint64_t table, uint64_t pieces)
{
    (void)pthread_mutex_lock(&store->checks_lock);
    struct table_checks *checks = find_checks(store, table);
    if (checks == NULL) {
        checks = calloc(1, sizeof *checks + (size_t)(pieces / 64 + 1) * sizeof checks->verified[0]);
        if (checks != NULL) {
            checks->table = table;
            checks->pieces = pieces;
            checks->next = store->checks;
            store->checks = checks;
        }
    }
    if (checks != NULL) {
        assert(checks->pieces == pieces && !checks->forgotten); /* a table's number is never used again */
        checks->holders++;
    }
    (void)pthread_mutex_unlock(&store->checks_lock);
    return checks;
}

void checks_release(struct store *store, struct table_checks *checks)
{
    if (checks == NULL)
        return;
    (void)pthread_mutex_lock(&store->checks_lock);
    assert(checks->holders > 0);
    bool last = --checks->holders == 0 && checks->forgotten;
    (void)pthread_mutex_unlock(&store->checks_lock);
    if (last)
        free(checks);
}

void checks_forget(struct store *store, uint64_t table)
{
    (void)pthread_mutex_lock(&store->checks_lock);
    struct table_checks **link = &store->checks;
    while (*link != NULL && (*link)->table != table)
        link = &(*link)->next;
    struct table_checks *checks = *link;
    bool last = false;
    if (checks != NULL) {
        *link = checks->next;
        checks->forgotten = true;
        last = checks->holders == 0;
    }
    (void)pthread_mutex_unlock(&store->checks_lock);
    if (last)
        free(checks);
}

/* Relaxed: a bit publishes nothing, since a table's pages never change. */
bool checks_verified(const struct table_checks *checks, uint64_t piece)
{
    if (checks == NULL || piece >= checks->pieces)
        return false;
    uint64_t word = atomic_load_explicit(&checks->verified[piece / 64], memory_order_relaxed);
    return (word >> (piece % 64) & 1) != 0;
}

void checks_set_verified(struct table_checks *checks, uint64_t piece)
{
    if (checks != NULL && piece < checks->pieces)
        atomic_fetch_or_explicit(&checks->verified[piece / 64], UINT64_C(1) << (piece % 64),
                                 memory_order_relaxed);
}

uint64_t checks_used_ms(struct store *store, uint64_t table)
{
    (void)pthread_mutex_lock(&store->checks_lock);
    const struct table_checks *checks = find_checks(store, table);
    uint64_t used = checks == NULL ? 0 : atomic_load_explicit(&checks->used_ms, memory_order_relaxed);
    (void)pthread_mutex_unlock(&store->checks_lock);
    return used;
}

bool checks_use(struct table_checks *checks, uint64_t now_ms, uint64_t stored_ms)
{
    if (checks == NULL)
        return false;
    atomic_store_explicit(&checks->used_ms, now_ms, memory_order_relaxed);
    uint64_t noted = atomic_load_explicit(&checks->noted_ms, memory_order_relaxed);
    return now_ms > (noted > stored_ms ? noted : stored_ms) + TABLE_TOUCH_MS &&
           atomic_compare_exchange_strong_explicit(&checks->noted_ms, &noted, now_ms, memory_order_relaxed,
                                                   memory_order_relaxed);
}

void checks_free_all(struct store *store)
{
    while (store->checks != NULL) {
        struct table_checks *checks = store->checks;
        assert(checks->holders == 0); /* all views are closed */
        store->checks = checks->next;
        free(checks);
    }
}
