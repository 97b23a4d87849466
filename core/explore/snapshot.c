/* SPDX-License-Identifier: MIT */
#include "explore/snapshot.h"

#include "base/clock.h"
#include "explore/copies.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WAIT_MS = 50 };

enum piece_state {
    PIECE_FREE,    /* nobody wants it (any more) */
    PIECE_WANTED,  /* it is to be put as it is */
    PIECE_PUT,     /* the thread beside has it */
    PIECE_COPYING, /* a member is copying it */
    PIECE_COPIED   /* the copy is to be put */
};

/* Free and wanted are set by the owner while nobody overwrites the plane. From wanted it is taken by the
 * thread beside (put, then free) or by the member that is to overwrite it (copying, then copied, or wanted
 * again), whoever is first; from copied to free by the thread beside. Whoever changes it back or on releases,
 * whoever looks acquires. */
struct piece {
    _Atomic uint8_t state; /* enum piece_state */
    uint8_t *copy;         /* of who has the piece */
    size_t length;
};

struct snapshot {
    struct snapshot_planes planes;
    struct checkpointer *checkpointer;
    unsigned threads;
    struct piece *piece[2]; /* by plane and piece */
    struct copies copies;
    _Atomic uint64_t waited_ns; /* of all members together, copying included; each adds */
    _Atomic bool wants_moment;  /* set by the thread beside, cleared by the owner */

    pthread_mutex_t lock; /* guards ending and the moment, and changes of pieces against a wait for them */
    pthread_cond_t moved; /* a piece has changed, the moment was chosen, or ending was set */
    bool ending;
    bool chosen;
    unsigned plane; /* that is streamed out first; the owner's, before the thread starts */
    uint8_t place[SNAPSHOT_PLACE_MAX];
    size_t place_length;
    uint32_t first;
};

static enum piece_state state_of(const struct piece *piece)
{
    return (enum piece_state)atomic_load_explicit(&piece->state, memory_order_acquire);
}

/* Takes a wanted piece; false when somebody else has it. */
static bool take(struct piece *piece, enum piece_state state)
{
    uint8_t wanted = PIECE_WANTED;
    return atomic_compare_exchange_strong_explicit(&piece->state, &wanted, (uint8_t)state,
                                                   memory_order_acquire, memory_order_acquire);
}

/* Who waits for it has looked with the lock held. */
static void leave(struct snapshot *snapshot, struct piece *piece, enum piece_state state)
{
    atomic_store_explicit(&piece->state, (uint8_t)state, memory_order_release);
    (void)pthread_mutex_lock(&snapshot->lock);
    (void)pthread_cond_broadcast(&snapshot->moved);
    (void)pthread_mutex_unlock(&snapshot->lock);
}

static void set_all(struct snapshot *snapshot, unsigned plane, enum piece_state state)
{
    for (uint32_t piece = 0; piece < snapshot->planes.pieces; piece++)
        atomic_store_explicit(&snapshot->piece[plane][piece].state, (uint8_t)state, memory_order_relaxed);
}

/* ---- sinks ---- */

struct snapshot_sink {
    struct checkpointer *checkpointer; /* NULL: into bytes */
    uint8_t *bytes;
    size_t length;
};

void snapshot_put(struct snapshot_sink *sink, const void *bytes, size_t length)
{
    if (sink->checkpointer != NULL)
        checkpointer_put(sink->checkpointer, bytes, length);
    else
        memcpy(sink->bytes + sink->length, bytes, length);
    sink->length += length;
}

static void put_piece(const struct snapshot_planes *planes, unsigned plane, uint32_t number,
                      struct checkpointer *checkpointer)
{
    struct snapshot_sink sink = {.checkpointer = checkpointer};
    planes->put(planes->context, plane, number, &sink);
}

/* ---- copies ---- */

/* The bytes of a piece in a copy; NULL when there is no room. */
static uint8_t *make_copy(struct snapshot *snapshot, unsigned plane, uint32_t number, size_t *length)
{
    const struct snapshot_planes *planes = &snapshot->planes;
    struct snapshot_sink sink = {.bytes = copies_take(&snapshot->copies)};
    if (sink.bytes != NULL)
        planes->put(planes->context, plane, number, &sink);
    *length = sink.length;
    return sink.bytes;
}

/* False when the thread beside has the piece, or there is no room. */
static bool copy_piece(struct snapshot *snapshot, unsigned plane, uint32_t number)
{
    struct piece *piece = &snapshot->piece[plane][number];
    if (!take(piece, PIECE_COPYING))
        return false;
    piece->copy = make_copy(snapshot, plane, number, &piece->length);
    bool copied = piece->copy != NULL;
    leave(snapshot, piece, copied ? PIECE_COPIED : PIECE_WANTED);
    return copied;
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
        put_piece(planes, plane, piece, checkpointer);
    put_picture(checkpointer, plane, first, place, length);
    for (uint32_t i = 0; i < planes->pieces; i++)
        put_piece(planes, 1 - plane, (first + i) % planes->pieces, checkpointer);
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

/* Takes the piece as it is, or waits until it is copied: true for the former. */
static bool take_or_await(struct snapshot *snapshot, struct piece *piece)
{
    while (!take(piece, PIECE_PUT)) {
        if (state_of(piece) == PIECE_COPIED)
            return false;
        (void)pthread_mutex_lock(&snapshot->lock);
        while (state_of(piece) == PIECE_COPYING)
            (void)pthread_cond_wait(&snapshot->moved, &snapshot->lock);
        (void)pthread_mutex_unlock(&snapshot->lock);
    }
    return true;
}

/* Into its own hands first, where there is room: the disk may take long, and a search that came to this piece
 * would wait, and then for the next, and never be ahead. */
static void put_as_it_is(struct snapshot *snapshot, unsigned plane, uint32_t number)
{
    const struct snapshot_planes *planes = &snapshot->planes;
    struct piece *piece = &snapshot->piece[plane][number];
    bool sound = checkpointer_sound(snapshot->checkpointer);
    size_t length = 0;
    uint8_t *copy = sound ? make_copy(snapshot, plane, number, &length) : NULL;
    if (sound && copy == NULL)
        put_piece(planes, plane, number, snapshot->checkpointer);
    leave(snapshot, piece, PIECE_FREE);
    if (copy == NULL)
        return;
    checkpointer_put(snapshot->checkpointer, copy, length);
    copies_give(&snapshot->copies, copy);
}

/* All pieces are freed, whatever happens to the checkpoint: members wait for them. */
static void stream_plane(struct snapshot *snapshot, unsigned plane, uint32_t first)
{
    uint32_t pieces = snapshot->planes.pieces;
    for (uint32_t i = 0; i < pieces; i++) {
        uint32_t number = (first + i) % pieces;
        struct piece *piece = &snapshot->piece[plane][number];
        if (take_or_await(snapshot, piece)) {
            put_as_it_is(snapshot, plane, number);
            continue;
        }
        checkpointer_put(snapshot->checkpointer, piece->copy, piece->length);
        copies_give(&snapshot->copies, piece->copy);
        leave(snapshot, piece, PIECE_FREE);
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
        copies_drop(&snapshot->copies);
        return;
    }
    /* What the owner wrote before it chose is visible, and it does not write again before this thread has
     * ended. */
    put_picture(checkpointer, snapshot->plane, snapshot->first, snapshot->place, snapshot->place_length);
    stream_plane(snapshot, 1 - snapshot->plane, snapshot->first);
    copies_drop(&snapshot->copies); /* none is made any more: all pieces are free */
}

/* ---- the owner ---- */

enum pz_status snapshot_new(const struct snapshot_planes *planes, struct checkpointer *checkpointer,
                            unsigned threads, struct snapshot **out, struct pz_error *error)
{
    struct snapshot *snapshot = calloc(1, sizeof *snapshot);
    struct piece *pieces = calloc(2 * (size_t)planes->pieces, sizeof *pieces);
    if (snapshot == NULL || pieces == NULL) {
        free(snapshot);
        free(pieces);
        return pz_fail(error, PZ_MEMORY, "no memory for checkpoints");
    }
    snapshot->planes = *planes;
    snapshot->checkpointer = checkpointer;
    snapshot->threads = threads;
    copies_init(&snapshot->copies, planes->budget, planes->piece_bytes);
    snapshot->piece[0] = pieces;
    snapshot->piece[1] = pieces + planes->pieces;
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
    copies_clear(&snapshot->copies);
    free(snapshot->piece[0]);
    free(snapshot);
}

void snapshot_begin(struct snapshot *snapshot, uint64_t bytes, unsigned plane)
{
    snapshot->ending = snapshot->chosen = false;
    snapshot->plane = plane;
    atomic_store_explicit(&snapshot->wants_moment, false, memory_order_relaxed);
    atomic_store_explicit(&snapshot->waited_ns, 0, memory_order_relaxed);
    set_all(snapshot, plane, PIECE_WANTED);
    if (!checkpointer_beside(snapshot->checkpointer, bytes, write_beside, snapshot))
        set_all(snapshot, plane, PIECE_FREE);
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
    set_all(snapshot, 1 - snapshot->plane, PIECE_WANTED);
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

static bool may_overwrite(const struct piece *piece)
{
    enum piece_state state = state_of(piece);
    return state == PIECE_FREE || state == PIECE_COPIED;
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

static void wait_for(struct snapshot *snapshot, const struct piece *piece, bool owner)
{
    bool wanted = true;
    while (wanted) {
        (void)pthread_mutex_lock(&snapshot->lock);
        if (!may_overwrite(piece))
            wait_a_moment(snapshot);
        wanted = !may_overwrite(piece);
        (void)pthread_mutex_unlock(&snapshot->lock);
        if (owner && wanted && snapshot->planes.waiting != NULL)
            snapshot->planes.waiting(snapshot->planes.waiting_context);
    }
}

void snapshot_guard(struct snapshot *snapshot, unsigned plane, uint32_t piece, bool owner)
{
    if (may_overwrite(&snapshot->piece[plane][piece]))
        return;
    double began = clock_seconds();
    if (!copy_piece(snapshot, plane, piece))
        wait_for(snapshot, &snapshot->piece[plane][piece], owner);
    uint64_t waited = (uint64_t)((clock_seconds() - began) * 1e9);
    atomic_fetch_add_explicit(&snapshot->waited_ns, waited, memory_order_relaxed);
}
