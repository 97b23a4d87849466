/* SPDX-License-Identifier: MIT */
#include "explore/snapshot.h"

#include "base/clock.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WAIT_MS = 50 };

struct snapshot {
    struct snapshot_planes planes;
    struct checkpointer *checkpointer;
    unsigned threads;
    /* By plane and piece, whether it is still to be put. Set by the owner while nobody overwrites that plane, cleared by
     * the thread beside (release) and looked at by every member (acquire). */
    _Atomic uint8_t *wanted[2];
    _Atomic uint64_t waited_ns; /* of all members together; each adds */
    _Atomic bool wants_moment;  /* set by the thread beside, cleared by the owner */

    pthread_mutex_t
        lock; /* guards ending and the moment, and the clearing of pieces against a wait for them */
    pthread_cond_t moved; /* a piece was cleared, the moment was chosen, or ending was set */
    bool ending;
    bool chosen;
    unsigned plane; /* that is streamed out first; the owner's, before the thread starts */
    uint8_t place[SNAPSHOT_PLACE_MAX];
    size_t place_length;
    uint32_t first;
};

static void want(struct snapshot *snapshot, unsigned plane)
{
    for (uint32_t piece = 0; piece < snapshot->planes.pieces; piece++)
        atomic_store_explicit(&snapshot->wanted[plane][piece], 1, memory_order_relaxed);
}

/* ---- the stream ---- */

/* Where the level goes on, and on which plane it is. */
struct picture {
    uint32_t plane, first;
};

static void put_picture(struct checkpointer *checkpointer, unsigned plane, uint32_t first, const void *place,
                        size_t length)
{
    const struct picture picture = {plane, first};
    checkpointer_put(checkpointer, &picture, sizeof picture);
    checkpointer_put(checkpointer, place, length);
}

void snapshot_save(const struct snapshot_planes *planes, struct checkpointer *checkpointer, unsigned plane,
                   const void *place, size_t length, uint32_t first)
{
    const uint32_t begins = plane;
    checkpointer_put(checkpointer, &begins, sizeof begins);
    for (uint32_t piece = 0; piece < planes->pieces; piece++)
        planes->put(planes->context, plane, piece, checkpointer);
    put_picture(checkpointer, plane, first, place, length);
    for (uint32_t i = 0; i < planes->pieces; i++)
        planes->put(planes->context, 1 - plane, (first + i) % planes->pieces, checkpointer);
}

bool snapshot_load(const struct snapshot_planes *planes, struct checkpointer *checkpointer, void *place,
                   size_t length)
{
    uint32_t plane = 0;
    struct picture picture;
    if (!checkpointer_get(checkpointer, &plane, sizeof plane) || plane > 1)
        return false;
    for (uint32_t piece = 0; piece < planes->pieces; piece++)
        if (!planes->get(planes->context, plane, piece, checkpointer))
            return false;
    if (!checkpointer_get(checkpointer, &picture, sizeof picture) ||
        !checkpointer_get(checkpointer, place, length))
        return false;
    for (uint32_t i = 0; i < planes->pieces; i++)
        if (!planes->get(planes->context, 1 - plane, (picture.first + i) % planes->pieces, checkpointer))
            return false;
    return true;
}

/* ---- the thread beside ---- */

/* All pieces are cleared, whatever happens to the checkpoint: members wait for them. */
static void stream_plane(struct snapshot *snapshot, unsigned plane, uint32_t first)
{
    const struct snapshot_planes *planes = &snapshot->planes;
    for (uint32_t i = 0; i < planes->pieces; i++) {
        uint32_t piece = (first + i) % planes->pieces;
        if (checkpointer_sound(snapshot->checkpointer))
            planes->put(planes->context, plane, piece, snapshot->checkpointer);
        atomic_store_explicit(&snapshot->wanted[plane][piece], 0, memory_order_release);
        /* Who waits has looked at the piece with the lock held. */
        (void)pthread_mutex_lock(&snapshot->lock);
        (void)pthread_cond_broadcast(&snapshot->moved);
        (void)pthread_mutex_unlock(&snapshot->lock);
    }
}

/* Waits for the moment; false when there will be none. */
static bool await_moment(struct snapshot *snapshot)
{
    atomic_store_explicit(&snapshot->wants_moment, true, memory_order_relaxed);
    (void)pthread_mutex_lock(&snapshot->lock);
    while (!snapshot->chosen && !snapshot->ending)
        (void)pthread_cond_wait(&snapshot->moved, &snapshot->lock);
    bool chosen = snapshot->chosen;
    (void)pthread_mutex_unlock(&snapshot->lock);
    return chosen;
}

static void write_beside(void *context, struct checkpointer *checkpointer)
{
    struct snapshot *snapshot = context;
    const uint32_t begins = snapshot->plane;
    checkpointer_put(checkpointer, &begins, sizeof begins);
    stream_plane(snapshot, snapshot->plane, 0);
    if (!await_moment(snapshot)) {
        checkpointer_fail(checkpointer, "the search has ended");
        return;
    }
    /* What the owner wrote before it chose is visible, and it does not write again before this thread has ended. */
    put_picture(checkpointer, snapshot->plane, snapshot->first, snapshot->place, snapshot->place_length);
    stream_plane(snapshot, 1 - snapshot->plane, snapshot->first);
}

/* ---- the owner ---- */

enum pz_status snapshot_new(const struct snapshot_planes *planes, struct checkpointer *checkpointer,
                            unsigned threads, struct snapshot **out, struct pz_error *error)
{
    struct snapshot *snapshot = calloc(1, sizeof *snapshot);
    _Atomic uint8_t *wanted = calloc(2, planes->pieces);
    if (snapshot == NULL || wanted == NULL) {
        free(snapshot);
        free((void *)wanted);
        return pz_fail(error, PZ_MEMORY, "no memory for checkpoints");
    }
    snapshot->planes = *planes;
    snapshot->checkpointer = checkpointer;
    snapshot->threads = threads;
    snapshot->wanted[0] = wanted;
    snapshot->wanted[1] = wanted + planes->pieces;
    pthread_condattr_t attributes;
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_mutex_init(&snapshot->lock, NULL);
    (void)pthread_cond_init(&snapshot->moved, &attributes);
    (void)pthread_condattr_destroy(&attributes);
    *out = snapshot;
    return PZ_OK;
}

void snapshot_free(struct snapshot *snapshot)
{
    if (snapshot == NULL)
        return;
    snapshot_end(snapshot, NULL);
    (void)pthread_cond_destroy(&snapshot->moved);
    (void)pthread_mutex_destroy(&snapshot->lock);
    free((void *)snapshot->wanted[0]);
    free(snapshot);
}

void snapshot_begin(struct snapshot *snapshot, uint64_t bytes, unsigned plane)
{
    snapshot->ending = snapshot->chosen = false;
    snapshot->plane = plane;
    atomic_store_explicit(&snapshot->wants_moment, false, memory_order_relaxed);
    atomic_store_explicit(&snapshot->waited_ns, 0, memory_order_relaxed);
    want(snapshot, plane);
    if (!checkpointer_beside(snapshot->checkpointer, bytes, write_beside, snapshot))
        for (uint32_t piece = 0; piece < snapshot->planes.pieces; piece++)
            atomic_store_explicit(&snapshot->wanted[plane][piece], 0, memory_order_relaxed);
}

bool snapshot_writes(struct snapshot *snapshot)
{
    uint64_t waited = atomic_load_explicit(&snapshot->waited_ns, memory_order_relaxed);
    checkpointer_waited(snapshot->checkpointer, (double)waited * 1e-9 / snapshot->threads);
    return checkpointer_writes(snapshot->checkpointer);
}

bool snapshot_is_open(const struct snapshot *snapshot)
{
    return !snapshot->chosen;
}

bool snapshot_wants_moment(const struct snapshot *snapshot)
{
    return atomic_load_explicit(&snapshot->wants_moment, memory_order_relaxed) && !snapshot->chosen;
}

void snapshot_moment(struct snapshot *snapshot, const void *place, size_t length, uint32_t first)
{
    checkpointer_moment(snapshot->checkpointer);
    want(snapshot, 1 - snapshot->plane);
    memcpy(snapshot->place, place, length);
    snapshot->place_length = length;
    snapshot->first = first;
    (void)pthread_mutex_lock(&snapshot->lock);
    snapshot->chosen = true;
    (void)pthread_cond_broadcast(&snapshot->moved);
    (void)pthread_mutex_unlock(&snapshot->lock);
}

void snapshot_save_at_stop(struct snapshot *snapshot, uint64_t bytes, unsigned plane, const void *place,
                           size_t length, uint32_t first)
{
    struct checkpointer *checkpointer = snapshot->checkpointer;
    if (snapshot_writes(snapshot) && checkpointer_can_await(checkpointer)) {
        if (snapshot_is_open(snapshot))
            snapshot_moment(snapshot, place, length, first);
        checkpointer_await(checkpointer);
        return;
    }
    snapshot_end(snapshot, "a stop has no time for so much");
    if (!checkpointer_begin(checkpointer, bytes))
        return;
    snapshot_save(&snapshot->planes, checkpointer, plane, place, length, first);
    checkpointer_end(checkpointer);
}

void snapshot_end(struct snapshot *snapshot, const char *reason)
{
    if (!snapshot_writes(snapshot))
        return;
    (void)pthread_mutex_lock(&snapshot->lock);
    snapshot->ending = true;
    (void)pthread_cond_broadcast(&snapshot->moved);
    (void)pthread_mutex_unlock(&snapshot->lock);
    checkpointer_give_up(snapshot->checkpointer, reason);
}

/* ---- members ---- */

static bool is_wanted(const struct snapshot *snapshot, unsigned plane, uint32_t piece)
{
    return atomic_load_explicit(&snapshot->wanted[plane][piece], memory_order_acquire) != 0;
}

static void wait_a_moment(struct snapshot *snapshot)
{
    struct timespec until;
    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += WAIT_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    (void)pthread_cond_timedwait(&snapshot->moved, &snapshot->lock, &until);
}

static void wait_for(struct snapshot *snapshot, unsigned plane, uint32_t piece, bool owner)
{
    double began = clock_seconds();
    bool wanted = true;
    while (wanted) {
        (void)pthread_mutex_lock(&snapshot->lock);
        if (is_wanted(snapshot, plane, piece))
            wait_a_moment(snapshot);
        wanted = is_wanted(snapshot, plane, piece);
        (void)pthread_mutex_unlock(&snapshot->lock);
        if (owner && wanted && snapshot->planes.waiting != NULL)
            snapshot->planes.waiting(snapshot->planes.waiting_context);
    }
    uint64_t waited = (uint64_t)((clock_seconds() - began) * 1e9);
    atomic_fetch_add_explicit(&snapshot->waited_ns, waited, memory_order_relaxed);
}

void snapshot_guard(struct snapshot *snapshot, unsigned plane, uint32_t piece, bool owner)
{
    if (is_wanted(snapshot, plane, piece))
        wait_for(snapshot, plane, piece, owner);
}
