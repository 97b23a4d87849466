/* SPDX-License-Identifier: MIT */
/*
 * The machine under the daemon, in the place of the C library's: who connects (system.c), and the disk under
 * the database (disk.c). What LMDB writes is in the file at once, and on the disk once it is synced. Writes
 * and syncs take their time, during which others go on, and fail when the world says so.
 */
#ifndef SIM_MACHINE_H
#define SIM_MACHINE_H

/* The users of the simulation; the first one is the administrator. */
enum { SIM_ROOT = 0, SIM_USERS = 3, SIM_FIRST_USER = 1001 };

/* The next connection that is made is this user's. */
void system_will_connect(unsigned user);

/* Maps what all lives share. Call it once. */
void disk_begin(void);
/* A new disk, on which everything is kept. */
void disk_clear(void);
/* The power fails: of each write that was not synced, all, nothing or some sectors stay. The daemon has
 * ended. */
void disk_lose_power(void);

#endif
