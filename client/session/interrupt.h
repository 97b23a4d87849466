/* SPDX-License-Identifier: MIT */
/* Ctrl-C while puzzlectl waits. Outside interrupt_begin … interrupt_end the signal ends the process as
 * usual. Between them it is blocked except inside interrupt_poll. So it is never lost, and comes at no
 * other point. */
#ifndef INTERRUPT_H
#define INTERRUPT_H

#include <poll.h>
#include <stdbool.h>

void interrupt_begin(void);
void interrupt_end(void);
/* Returns true if Ctrl-C came since the last call. */
bool interrupt_came(void);
/* Calls poll(2), which Ctrl-C ends with EINTR. */
int interrupt_poll(struct pollfd *fds, nfds_t count, int timeout_ms);

#endif
