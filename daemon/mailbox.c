/* SPDX-License-Identifier: MIT */
#include "mailbox.h"

#include "base/status.h"

#include <errno.h>
#include <event2/event.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct mailbox {
    pthread_mutex_t lock; /* guards the two below */
    struct letter *first;
    struct letter *last;
    int wakeup; /* eventfd */
    struct event *event;
};

static struct letter *mailbox_take_all(struct mailbox *mailbox)
{
    (void)pthread_mutex_lock(&mailbox->lock);
    struct letter *first = mailbox->first;
    mailbox->first = NULL;
    mailbox->last = NULL;
    (void)pthread_mutex_unlock(&mailbox->lock);
    return first;
}

void mailbox_deliver(struct mailbox *mailbox)
{
    struct letter *letter = mailbox_take_all(mailbox);
    while (letter != NULL) {
        struct letter *next = letter->next;
        letter->next = NULL;
        letter->deliver(letter); /* may free it or post it again */
        letter = next;
    }
}

static void mailbox_woken(evutil_socket_t wakeup, short what, void *context)
{
    uint64_t count = 0;
    (void)what;
    (void)!read(wakeup, &count, sizeof count);
    mailbox_deliver(context);
}

enum pz_status mailbox_new(struct event_base *base, struct mailbox **out, struct pz_error *error)
{
    struct mailbox *mailbox = calloc(1, sizeof *mailbox);
    if (mailbox == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for the mailbox");
    (void)pthread_mutex_init(&mailbox->lock, NULL);
    mailbox->wakeup = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (mailbox->wakeup < 0) {
        enum pz_status status = status_from_errno(error, errno, "eventfd");
        mailbox_free(mailbox);
        return status;
    }
    mailbox->event = event_new(base, mailbox->wakeup, EV_READ | EV_PERSIST, mailbox_woken, mailbox);
    if (mailbox->event == NULL || event_add(mailbox->event, NULL) != 0) {
        mailbox_free(mailbox);
        return pz_fail(error, PZ_MEMORY, "no memory for the mailbox's event");
    }
    *out = mailbox;
    return PZ_OK;
}

void mailbox_free(struct mailbox *mailbox)
{
    if (mailbox == NULL)
        return;
    while (mailbox->first != NULL)
        mailbox_deliver(mailbox);
    if (mailbox->event != NULL)
        event_free(mailbox->event);
    if (mailbox->wakeup >= 0)
        (void)close(mailbox->wakeup);
    (void)pthread_mutex_destroy(&mailbox->lock);
    free(mailbox);
}

void mailbox_post(struct mailbox *mailbox, struct letter *letter)
{
    letter->next = NULL;
    (void)pthread_mutex_lock(&mailbox->lock);
    bool was_empty = mailbox->first == NULL;
    if (was_empty)
        mailbox->first = letter;
    else
        mailbox->last->next = letter;
    mailbox->last = letter;
    (void)pthread_mutex_unlock(&mailbox->lock);
    uint64_t one = 1;
    if (was_empty)
        (void)!write(mailbox->wakeup, &one, sizeof one);
}
