/* SPDX-License-Identifier: MIT */
/*
 * Sends the last level's states of this rank's runs, and holds those that come from other ranks. A run goes
 * once to each rank to whose runs some move leads from it. That rank carries its states itself.
 *
 * It works in rounds, as mailbox.h does. Every rank sends as many of its runs as the others have room for,
 * ends the round, uses what came, and makes room for the next round. So memory never needs to hold more than
 * a part of the last level.
 *
 * It checks each run that it receives: its owner, that a move leads from it to a run of this rank, that it
 * comes once in a round, and that its states are places in the run. Anything else ends all ranks.
 *
 * The owner of the search sends and receives while no one else works. found and source may be called from any
 * thread between foreign_runs_end and foreign_runs_empty.
 */
#ifndef EXPLORE_RANKED_FOREIGN_RUNS_H
#define EXPLORE_RANKED_FOREIGN_RUNS_H

#include "explore/exchange/exchange.h"
#include "explore/ranked/runs/run_kernel.h"
#include "explore/ranked/runs/run_share.h"
#include "puzzled/status.h"

struct foreign_runs;

#define FOREIGN_RUNS_MOST UINT32_MAX /* most runs that ranks can share */

/* runs: at most FOREIGN_RUNS_MOST, prepared; they outlive these, as the exchange does. */
enum pz_status foreign_runs_new(const struct exchange *exchange, const struct pz_runs *runs,
                                struct foreign_runs **out, struct pz_error *error);
void foreign_runs_free(struct foreign_runs *foreign); /* NULL is fine */
/* Returns the bytes that foreign_runs_new allocates. */
uint64_t foreign_runs_bytes(const struct exchange *exchange, const struct pz_runs *runs);

/* ---- sending ---- */

/* Returns true if all ranks to which this rank's run must go have room for it in this round. */
bool foreign_runs_has_room(struct foreign_runs *foreign, uint64_t run);
/* Sends the states of that run, a set with at least one state, to those ranks. While it waits, it delivers
 * what comes in.
 */
void foreign_runs_send(struct foreign_runs *foreign, uint64_t run, const uint64_t *set);
/* Ends the round: waits until all that the others sent is there. */
void foreign_runs_end(struct foreign_runs *foreign);
/* Makes room for another round. The ranks must gather between the two. */
void foreign_runs_empty(struct foreign_runs *foreign);

/* ---- what came ---- */

/* Returns how many states of another rank's run came in this round. */
uint32_t foreign_runs_found(const struct foreign_runs *foreign, uint64_t run);
/* Returns a run of another rank, of which at least one state came. */
struct run_source foreign_runs_source(const struct foreign_runs *foreign, uint64_t run);

#endif
