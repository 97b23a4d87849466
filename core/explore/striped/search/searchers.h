/* SPDX-License-Identifier: MIT */
/*
 * The threads of a search and what each of them owns: an open chunk for every partition, a store of empty
 * chunks, room for the successors of one state, and a part of the frontier being made. Two searches that
 * take turns (bidirectional) share one set of searchers. Threads are started when a level is first wide
 * enough for them.
 */
#ifndef STRIPED_SEARCHERS_H
#define STRIPED_SEARCHERS_H

#include "base/team.h"
#include "explore/key/chunk.h"
#include "explore/key/radix.h"
#include "explore/sample/bottom_k.h"
#include "explore/striped/visited/set.h"
#include "puzzled/space.h"

#include <stdalign.h>
#include <stdatomic.h>

enum { EXPAND_TOGETHER = 64 };

/* A list of chunks, each with at least one state. */
struct frontier {
    struct chunk *chunks;
    struct chunk *last;
    uint64_t states;
};

/* A worker's open bucket for a partition: where its next key goes in the chunk being filled, and where the
 * room for keys ends; NULL without a chunk. */
struct bucket {
    uint64_t *next, *end;
};

struct searcher {
    alignas(64) struct searchers *searchers;
    struct bucket *buckets; /* for each partition; owner only */
    struct chunk *spare;    /* empty chunks */
    unsigned spare_count;
    uint64_t *successors; /* max_successors of each state expanded together */
    uint8_t *tokens;
    struct sorter sorter;      /* of keys, for a hash set */
    struct radix radix;        /* of entries, for layers */
    struct frontier next;      /* what this worker adds to the new level: full chunks */
    struct chunk *open;        /* and the one being filled */
    uint64_t generated;        /* successors, in this level */
    struct bottom_k examples;  /* of the level being expanded */
    _Atomic uint64_t found;    /* new states in this level: written by the worker, read by the reporter */
    _Atomic uint64_t expanded; /* states expanded in this level, by the same */
    _Atomic uint64_t merged;   /* partitions merged at the end of the level, by the same */
};

struct searchers {
    const struct pz_space *space;
    unsigned threads; /* the owner among them */
    unsigned words;
    unsigned together;   /* states that a worker expands at a time; 1 if the space has no expand_many */
    bool alone;          /* the system refused threads: the owner does all the work */
    unsigned partitions; /* that the buckets are for; 0 before searchers_prepare */
    struct team *team;   /* NULL until searchers_team() */
    struct budget *budget;
    struct pool pool;
    struct searcher *workers;
};

/* Returns the bytes of the threads' work space. */
uint64_t searchers_bytes(const struct pz_space *space, unsigned threads);
/* Starts no thread. The searchers must not move afterwards. Returns PZ_TOO_LARGE if the budget is too small,
 * PZ_MEMORY if the system has no memory. */
enum pz_status searchers_init(struct searchers *searchers, const struct pz_space *space, unsigned threads,
                              struct budget *budget, size_t chunk_bytes, struct pz_error *error);
void searchers_clear(struct searchers *searchers);
/* Makes the buckets for that many partitions. No bucket may be open. Returns false without memory. */
bool searchers_prepare(struct searchers *searchers, unsigned partitions);
/* Returns the team and starts it at the first call. Returns NULL if the system refuses threads: the owner
 * then works alone. */
struct team *searchers_team(struct searchers *searchers);

/* Makes every worker keep that many examples of the level being expanded. Returns false without memory. */
bool searchers_keep_examples(struct searchers *searchers, unsigned examples);

/* Returns true if a key that comes from outside may be a state's. If only a state's text shows it, that is
 * looked at with `texts` alone: it takes ten times as long as searching the state. */
bool searchers_know(const struct searchers *searchers, const uint64_t *key, bool texts);

/* Empties the counters and the examples of all workers. Called by the owner, before a level. */
void searchers_begin_level(struct searchers *searchers);

/* Collects the examples of all workers into an empty sample. Called by the owner, between levels. */
void searchers_examples(const struct searchers *searchers, struct bottom_k *sample);

/* ---- by the worker itself ---- */

/* Returns an empty chunk, or NULL if memory is spent. */
struct chunk *worker_take(struct searcher *worker);
/* Opens the bucket with a new chunk, which has room for that many words of keys. Returns false if memory is
 * spent. */
bool bucket_open(struct searcher *worker, struct bucket *bucket, size_t room);
/* Closes an open bucket and returns its chunk, with its count set. room: as given to bucket_open; words: of
 * one key. */
struct chunk *bucket_close(struct bucket *bucket, size_t room, unsigned words);
void worker_give(struct searcher *worker, struct chunk *chunk);
/* Adds the entries of a chunk to the worker's part of the new frontier, and takes the chunk. Returns false
 * if memory is spent. */
bool worker_append(struct searcher *worker, struct chunk *chunk);
/* Adds one entry without a token. Returns false if memory is spent. */
bool worker_add(struct searcher *worker, const uint64_t *key);
/* Moves the worker's part to a frontier. Called by the owner, between levels. */
void worker_collect(struct searcher *worker, struct frontier *frontier);

/* Offers a state of the level being expanded as an example, and unmixes it. */
__attribute__((always_inline)) static inline void worker_unmix(struct searcher *worker, const uint64_t *key,
                                                               uint64_t seed, uint64_t *state, unsigned words)
{
    bottom_k_offer(&worker->examples, bottom_k_hash(key, seed, words), key, words);
    unmix_state(key, state, words);
}

/* Expands up to searchers->together states into `successors` and `tokens`. Returns the successors' number. */
static inline unsigned worker_expand(struct searcher *worker, const uint64_t *states, const uint8_t *tokens,
                                     unsigned count)
{
    const struct pz_space *space = worker->searchers->space;
    const unsigned made =
        worker->searchers->together == 1
            ? space->puzzle->expand(space, states, tokens[0], worker->successors, worker->tokens)
            : space->puzzle->expand_many(space, states, tokens, count, worker->successors, worker->tokens);
    worker->generated += made;
    return made;
}

/* Adds to a counter. A worker's counters have one writer. */
static inline void worker_count(_Atomic uint64_t *counter, uint64_t more)
{
    uint64_t sum = atomic_load_explicit(counter, memory_order_relaxed) + more;
    atomic_store_explicit(counter, sum, memory_order_relaxed);
}

#endif
