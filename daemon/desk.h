/* SPDX-License-Identifier: MIT */
/*
 * What a desk thread has: an answerer over the store, and the puzzles that it opened lately. One for each
 * thread; used by that thread only.
 */
#ifndef DAEMON_DESK_H
#define DAEMON_DESK_H

#include "answer/answer.h"
#include "metrics.h"
#include "protocol/request.h"
#include "protocol/text.h"

struct desk;

struct desk_options {
    struct store *store;
    struct metrics *metrics;
};

/* As crew_options wants them; context is a struct desk_options that lives as long as the desk. */
void *desk_new(void *context, struct pz_error *error);
void desk_free(void *context); /* the desk */

struct store *desk_store(struct desk *desk);
struct answers *desk_answers(struct desk *desk);

/*
 * Opens the puzzle of a lookup (argument 0, goal=, and the keys that are not in keys, which is written as in
 * struct command) and reads its start (argument 1, when there is one) into *state. The space stays the
 * desk's, and good until the next call.
 */
enum pz_status desk_open(struct desk *desk, const struct request *request, const char *keys,
                         const struct pz_space **space, void *state, struct pz_error *error);

/* Carries out one request line on a desk thread and appends its whole reply. */
void desk_run(struct desk *desk, const char *line, size_t length, struct text *out);

#endif
