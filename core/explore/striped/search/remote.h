/* SPDX-License-Identifier: MIT */
/*
 * The partitions of other ranks. All ranks number the partitions alike. Each owns as many as the others, in
 * one row, so that the ranks' keys are in order, too. Successors for a partition of another rank wait in that
 * rank's inbox here until they fill a message. Successors that come in go into the buckets of the owner of
 * the search, as if the owner had made them. A level is a round of exchange/mailbox.h.
 */
#ifndef STRIPED_REMOTE_H
#define STRIPED_REMOTE_H

#include "explore/striped/search/search_step.h"

struct remote;
struct rank_level;

/* exchange may be NULL. Returns false without memory. */
bool remote_init(struct search *search, const struct exchange *exchange, unsigned partitions);
void remote_clear(struct remote *remote); /* all zeros is fine */

/* Returns the rank that has the partition of a key. */
unsigned remote_rank(const struct remote *remote, const uint64_t *key);

/* ---- a level of a search that has other ranks ---- */

void remote_begin(struct search *search);
/* Takes a chunk for a partition of another rank. Waits while too much is to be sent. Called by any worker. */
void remote_push(struct search *search, struct searcher *worker, unsigned partition, struct chunk *chunk);
/* Sends full messages and takes those that came in. Returns false if there were none. Called by the owner. */
bool remote_work(struct search *search);
/* Waits until every rank's successors for this one have come. Called by every worker, after it has pushed all
 * that it has for other ranks. What came in last still lies in the owner's buckets. */
void remote_meet(struct search *search, struct searcher *worker);
/* Reports to all ranks how the level went here, and learns how it went there. Returns the halt of the first
 * rank that halted. Called by the owner. */
enum halt remote_settle(struct search *search, const struct rank_level *own);

#endif
