/* SPDX-License-Identifier: MIT */
/* One life of the daemon: it starts, clients do what the seed says, and it ends. */
#ifndef SIM_LIFE_H
#define SIM_LIFE_H

enum life_end { LIFE_KILLED, LIFE_POWER_LOST, LIFE_STOPPED, LIFE_ENDS };
#include <stdbool.h>

/* What all lives of a seed share. */
struct life_settings {
    unsigned threads, queued_per_client, lives;
    unsigned checkpoint_ms;
    bool disk_fails, small_store, clock_jumps;
    unsigned visitors_share; /* of ten steps, how many are the clients' */
};

/* Draws them from the seed. */
void life_draw(struct life_settings *settings);
/* Runs a life in a process of its own, and never returns; world says how it went. */
__attribute__((noreturn)) void life_run(const struct life_settings *settings, enum life_end end);

#endif
