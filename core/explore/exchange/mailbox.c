/* SPDX-License-Identifier: MIT */
#include "explore/exchange/mailbox.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A message is a head, then strings, each with its length as a uint32_t before it. */
struct message_head {
    struct frame frame;
    uint32_t messages; /* in the last one of a round: how many there were, this one included; else 0 */
    uint32_t reason;   /* for which the sender gives the round up; 0: it does not */
};

_Static_assert(sizeof(struct message_head) + sizeof(uint32_t) <= MAILBOX_HEAD,
               "a message holds the longest string");

/* The message that is being written to a rank. */
struct outbox {
    uint8_t *bytes; /* in mailbox.bytes */
    size_t length;
    uint32_t messages; /* sent in this round */
};

/* The messages that came from a rank in this round. */
struct mailbox_sender {
    uint32_t received; /* messages */
    uint32_t expected; /* how many there are; 0 before its last one */
};

struct mailbox {
    struct mailbox_options options;
    uint32_t round;
    struct outbox *outboxes;        /* for each rank */
    struct mailbox_sender *senders; /* as above */
    uint8_t *bytes;                 /* of the outboxes; not touched before something is sent to a rank */
    unsigned complete;              /* ranks of which all messages have come */
    uint32_t given_up;              /* the reason, by another rank */
};

uint64_t mailbox_bytes(const struct exchange *exchange, size_t message)
{
    return sizeof(struct mailbox) +
           exchange->ranks * (sizeof(struct outbox) + sizeof(struct mailbox_sender) + message);
}

static void begin_round(struct mailbox *mailbox)
{
    for (unsigned i = 0; i < mailbox->options.exchange->ranks; i++) {
        mailbox->outboxes[i].length = sizeof(struct message_head);
        mailbox->outboxes[i].messages = 0;
        mailbox->senders[i] = (struct mailbox_sender){0};
    }
    mailbox->complete = 0;
    mailbox->given_up = 0;
    mailbox->round++;
}

enum pz_status mailbox_new(const struct mailbox_options *options, struct mailbox **out,
                           struct pz_error *error)
{
    const unsigned ranks = options->exchange->ranks;
    struct mailbox *mailbox = calloc(1, sizeof *mailbox);
    assert(options->message >= MAILBOX_HEAD && options->message <= EXCHANGE_MESSAGE &&
           options->message % 8 == 0);
    if (mailbox != NULL) {
        mailbox->options = *options;
        mailbox->outboxes = calloc(ranks, sizeof *mailbox->outboxes);
        mailbox->senders = calloc(ranks, sizeof *mailbox->senders);
        mailbox->bytes = calloc(ranks, options->message);
    }
    if (mailbox == NULL || mailbox->outboxes == NULL || mailbox->senders == NULL || mailbox->bytes == NULL) {
        mailbox_free(mailbox);
        return pz_fail(error, PZ_MEMORY, "no memory for messages to other ranks");
    }
    for (unsigned i = 0; i < ranks; i++)
        mailbox->outboxes[i].bytes = mailbox->bytes + i * options->message;
    begin_round(mailbox);
    *out = mailbox;
    return PZ_OK;
}

void mailbox_free(struct mailbox *mailbox)
{
    if (mailbox == NULL)
        return;
    free(mailbox->outboxes);
    free(mailbox->senders);
    free(mailbox->bytes);
    free(mailbox);
}

/* ---- receiving ---- */

/* Counts a message. Refuses more messages than their sender announced. */
static const char *note_message(struct mailbox *mailbox, const struct message_head *head)
{
    assert(head->frame.from < mailbox->options.exchange->ranks);
    struct mailbox_sender *sender = &mailbox->senders[head->frame.from];
    if (head->reason > mailbox->options.reasons)
        return "an unknown reason to give up";
    if (head->messages > 0 && sender->expected > 0)
        return "a second last message of a round";
    if (head->messages > 0)
        sender->expected = head->messages;
    sender->received++;
    if (sender->expected > 0 && sender->received > sender->expected)
        return "more messages than it announced";
    mailbox->complete += sender->received == sender->expected;
    if (mailbox->given_up == 0)
        mailbox->given_up = head->reason;
    return NULL;
}

static const char *deliver_strings(const struct mailbox *mailbox, unsigned from, const uint8_t *message,
                                   size_t bytes)
{
    const char *fault = NULL;
    for (size_t at = sizeof(struct message_head); at < bytes && fault == NULL;) {
        uint32_t length = 0;
        if (bytes - at < sizeof length)
            return "a string that is cut";
        memcpy(&length, message + at, sizeof length);
        at += sizeof length;
        if (length > bytes - at)
            return "a string that is cut";
        fault = mailbox->options.deliver(mailbox->options.context, from, message + at, length);
        at += length;
    }
    return fault;
}

static void open_message(struct mailbox *mailbox, unsigned from, const uint8_t *message, size_t bytes)
{
    const struct frame expected = {.kind = mailbox->options.kind, .from = from, .round = mailbox->round};
    const char *fault = frame_fault((const void *)message, bytes, &expected);
    struct message_head head = {.messages = 0};
    if (fault == NULL && bytes < sizeof head)
        fault = "a message that is cut";
    if (fault == NULL) {
        memcpy(&head, message, sizeof head);
        fault = note_message(mailbox, &head);
    }
    if (fault == NULL)
        fault = deliver_strings(mailbox, from, message, bytes);
    if (fault != NULL)
        frame_fail(mailbox->options.exchange, from, fault);
}

bool mailbox_receive(struct mailbox *mailbox)
{
    const struct exchange *exchange = mailbox->options.exchange;
    size_t bytes = 0;
    unsigned from = 0;
    bool any = false;
    const uint8_t *message;
    while ((message = exchange->receive(exchange->context, &from, &bytes)) != NULL) {
        open_message(mailbox, from, message, bytes);
        any = true;
    }
    return any;
}

/* Delivers what came in, or waits a moment. */
static void mailbox_receive_or_rest(struct mailbox *mailbox)
{
    if (!mailbox_receive(mailbox))
        mailbox->options.exchange->rest(mailbox->options.exchange->context);
}

uint32_t mailbox_given_up(const struct mailbox *mailbox)
{
    return mailbox->given_up;
}

/* ---- sending ---- */

static bool parcel_fits(const struct mailbox *mailbox, unsigned to, size_t length)
{
    return mailbox->outboxes[to].length + sizeof(uint32_t) + length <= mailbox->options.message;
}

bool mailbox_has_room(const struct mailbox *mailbox, unsigned to, size_t length)
{
    assert(to < mailbox->options.exchange->ranks && to != mailbox->options.exchange->rank);
    const struct exchange *exchange = mailbox->options.exchange;
    return parcel_fits(mailbox, to, length) || exchange->room(exchange->context) != NULL;
}

/* Takes messages while it waits, so that no two ranks wait for each other. */
static void send_outbox(struct mailbox *mailbox, unsigned to, uint32_t messages, uint32_t reason)
{
    const struct exchange *exchange = mailbox->options.exchange;
    struct outbox *outbox = &mailbox->outboxes[to];
    struct message_head *head = (void *)outbox->bytes;
    uint8_t *room;
    while ((room = exchange->room(exchange->context)) == NULL)
        mailbox_receive_or_rest(mailbox);
    outbox->messages++;
    *head = (struct message_head){
        .frame = {.kind = mailbox->options.kind, .from = exchange->rank, .round = mailbox->round},
        .messages = messages,
        .reason = reason};
    frame_seal(&head->frame, outbox->length - sizeof head->frame);
    memcpy(room, outbox->bytes, outbox->length);
    exchange->send(exchange->context, to, outbox->length);
    outbox->length = sizeof *head;
}

uint8_t *mailbox_send(struct mailbox *mailbox, unsigned to, size_t length)
{
    struct outbox *outbox = &mailbox->outboxes[to];
    const uint32_t whole = (uint32_t)length;
    assert(to != mailbox->options.exchange->rank && MAILBOX_HEAD + length <= mailbox->options.message);
    if (!parcel_fits(mailbox, to, length))
        send_outbox(mailbox, to, 0, 0);
    uint8_t *at = outbox->bytes + outbox->length;
    memcpy(at, &whole, sizeof whole);
    outbox->length += sizeof whole + whole;
    return at + sizeof whole;
}

void mailbox_end(struct mailbox *mailbox, uint32_t reason)
{
    assert(reason <= mailbox->options.reasons);
    const struct exchange *exchange = mailbox->options.exchange;
    for (unsigned i = 1; i < exchange->ranks; i++) {
        unsigned to = (exchange->rank + i) % exchange->ranks;
        send_outbox(mailbox, to, mailbox->outboxes[to].messages + 1, reason);
    }
    while (mailbox->complete + 1 < exchange->ranks)
        mailbox_receive_or_rest(mailbox);
    begin_round(mailbox);
}
