/* SPDX-License-Identifier: MIT */
/*
 * What ranks tell each other of the last level: the states of a run go once to each rank to whose runs some
 * move leads from it. That rank carries them itself.
 *
 * It goes in rounds, as in mailbox.h: every rank sends so many of its runs as the others have room for, ends
 * the round, and makes what came; then it makes room for the next round. So memory holds a part of the last
 * level, however wide that is.
 *
 * What comes is checked: whose run it is, that a move leads from it to a run of this rank, that it comes once
 * in a round, and that its states are places in the run. Something else ends all ranks.
 *
 * The owner of the search sends and receives while no one else works. found and source may be called from any
 * thread between run_post_end and run_post_empty.
 */
#ifndef EXPLORE_RANKED_RUN_POST_H
#define EXPLORE_RANKED_RUN_POST_H

#include "explore/exchange/exchange.h"
#include "explore/ranked/runs/run_kernel.h"
#include "explore/ranked/runs/run_share.h"
#include "puzzled/status.h"

struct run_post;

#define RUN_POST_RUNS UINT32_MAX /* most runs that ranks can share */

/* runs: at most RUN_POST_RUNS, prepared; they outlive the post, as the exchange does. */
enum pz_status run_post_new(const struct exchange *exchange, const struct pz_runs *runs,
                            struct run_post **out, struct pz_error *error);
void run_post_free(struct run_post *post); /* NULL is fine */
/* Returns for how many runs of one other rank there is room in a round. All ranks have the same: it depends
 * on the runs and on how many ranks there are. */
uint64_t run_post_rooms(const struct exchange *exchange, const struct pz_runs *runs);
/* Returns the bytes that run_post_new allocates. */
uint64_t run_post_bytes(const struct exchange *exchange, const struct pz_runs *runs);

/* ---- sending ---- */

/* Returns true if all ranks to which this rank's run must go have room for it in this round. */
bool run_post_has_room(struct run_post *post, uint64_t run);
/* Sends the states of that run to them; a set with at least one. Delivers what comes in, where it must wait.
 */
void run_post_send(struct run_post *post, uint64_t run, const uint64_t *set);
/* Ends the round: waits until all that the others sent is there. */
void run_post_end(struct run_post *post);
/* Makes room for another round. The ranks must gather between the two. */
void run_post_empty(struct run_post *post);

/* ---- what came ---- */

/* Returns how many states of another rank's run came in this round. */
uint32_t run_post_found(const struct run_post *post, uint64_t run);
/* Returns such a run, of which some came. */
struct run_source run_post_source(const struct run_post *post, uint64_t run);

#endif
