/* SPDX-License-Identifier: MIT */
#include "client/session/interrupt.h"

#include <signal.h>
#include <time.h>

static volatile sig_atomic_t came; /* written by the handler, read by the one thread that waits */
static bool watching;
static sigset_t usual_mask;
static struct sigaction usual_action;

static void on_interrupt(int signal)
{
    (void)signal;
    came = 1;
}

void interrupt_begin(void)
{
    if (watching)
        return;
    struct sigaction action = {.sa_handler = on_interrupt};
    sigset_t block;
    sigemptyset(&action.sa_mask);
    sigemptyset(&block);
    sigaddset(&block, SIGINT);
    came = 0;
    (void)pthread_sigmask(SIG_BLOCK, &block, &usual_mask);
    (void)sigaction(SIGINT, &action, &usual_action);
    watching = true;
}

void interrupt_end(void)
{
    if (!watching)
        return;
    (void)sigaction(SIGINT, &usual_action, NULL);
    (void)pthread_sigmask(SIG_SETMASK, &usual_mask, NULL);
    watching = false;
}

bool interrupt_came(void)
{
    sigset_t pending;
    /* Handles a pending signal first: otherwise data that is ready would win. */
    if (watching && sigpending(&pending) == 0 && sigismember(&pending, SIGINT) == 1)
        (void)sigsuspend(&usual_mask);
    bool yes = came != 0;
    came = 0;
    return yes;
}

int interrupt_poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
    struct timespec timeout = {.tv_sec = timeout_ms / 1000, .tv_nsec = (long)(timeout_ms % 1000) * 1000000};
    return ppoll(fds, count, timeout_ms < 0 ? NULL : &timeout, watching ? &usual_mask : NULL);
}
