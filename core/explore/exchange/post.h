/* SPDX-License-Identifier: MIT */
/*
 * Sends byte strings to other ranks (exchange.h), several in a message. It goes in rounds: every rank sends,
 * and at the end of the round all wait until everything has come. Between two rounds the ranks must gather
 * once, so that no string comes too early.
 *
 * All functions are called by the owner of the search.
 */
#ifndef EXPLORE_POST_H
#define EXPLORE_POST_H

#include "explore/exchange/exchange.h"
#include "puzzled/status.h"

#include <stdint.h>

enum { POST_MOST = EXCHANGE_MESSAGE - 16 }; /* bytes of a string */

/* Takes a string that came in. */
typedef void post_deliver(void *context, const uint8_t *bytes, size_t length);

struct post;

/* The exchange must outlive it. Returns PZ_MEMORY without memory. */
enum pz_status post_new(const struct exchange *exchange, post_deliver *deliver, void *context,
                        struct post **out, struct pz_error *error);
void post_free(struct post *post); /* NULL is fine */
/* Returns the bytes that post_new allocates. */
uint64_t post_bytes(const struct exchange *exchange);

/* Sends a string, of two parts. While too much is on the way it waits, and delivers what comes in. */
void post_send(struct post *post, unsigned to, const void *head, size_t head_bytes, const void *bytes,
               size_t length);
/* Delivers what came in. Returns true once another rank has given the round up. */
bool post_work(struct post *post);
/* Ends the round: sends what is left, and waits until all that the other ranks sent is delivered. gives_up:
 * tells them not to go on with it. */
void post_end(struct post *post, bool gives_up);

#endif
