/* SPDX-License-Identifier: MIT */
#include "explore/exchange/post.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A message is a head, then strings, each with its length as a uint32_t before it. */
struct message_head {
    struct frame frame;
    uint32_t messages; /* in the last one of a round: how many there were, this one included; else 0 */
    uint32_t reason;   /* for which the sender gives the round up; 0: it does not */
};

_Static_assert(sizeof(struct message_head) + sizeof(uint32_t) <= POST_HEAD,
               "a message holds the longest string");

/* The message that is being written to a rank. */
struct letter {
    uint8_t *bytes; /* in post.bytes */
    size_t length;
    uint32_t messages; /* sent in this round */
};

/* What came from a rank in this round. */
struct post_sender {
    uint32_t received; /* messages */
    uint32_t told;     /* how many there are; 0 before its last one */
};

struct post {
    struct post_options options;
    uint32_t round;
    struct letter *letters;      /* for each rank */
    struct post_sender *senders; /* as above */
    uint8_t *bytes;              /* of the letters; not touched before something is sent to a rank */
    unsigned complete;           /* ranks of which all messages have come */
    uint32_t given_up;           /* the reason, by another rank */
};

uint64_t post_bytes(const struct exchange *exchange, size_t message)
{
    return sizeof(struct post) +
           exchange->ranks * (sizeof(struct letter) + sizeof(struct post_sender) + message);
}

static void begin_round(struct post *post)
{
    for (unsigned i = 0; i < post->options.exchange->ranks; i++) {
        post->letters[i].length = sizeof(struct message_head);
        post->letters[i].messages = 0;
        post->senders[i] = (struct post_sender){0};
    }
    post->complete = 0;
    post->given_up = 0;
    post->round++;
}

enum pz_status post_new(const struct post_options *options, struct post **out, struct pz_error *error)
{
    const unsigned ranks = options->exchange->ranks;
    struct post *post = calloc(1, sizeof *post);
    assert(options->message >= POST_HEAD && options->message <= EXCHANGE_MESSAGE &&
           options->message % 8 == 0);
    if (post != NULL) {
        post->options = *options;
        post->letters = calloc(ranks, sizeof *post->letters);
        post->senders = calloc(ranks, sizeof *post->senders);
        post->bytes = calloc(ranks, options->message);
    }
    if (post == NULL || post->letters == NULL || post->senders == NULL || post->bytes == NULL) {
        post_free(post);
        return pz_fail(error, PZ_MEMORY, "no memory for messages to other ranks");
    }
    for (unsigned i = 0; i < ranks; i++)
        post->letters[i].bytes = post->bytes + i * options->message;
    begin_round(post);
    *out = post;
    return PZ_OK;
}

void post_free(struct post *post)
{
    if (post == NULL)
        return;
    free(post->letters);
    free(post->senders);
    free(post->bytes);
    free(post);
}

/* ---- receiving ---- */

/* Notes a message, of which there may be no more than its sender tells. */
static const char *note_message(struct post *post, const struct message_head *head)
{
    struct post_sender *sender = &post->senders[head->frame.from];
    if (head->reason > post->options.reasons)
        return "an unknown reason to give up";
    if (head->messages > 0 && sender->told > 0)
        return "a second last message of a round";
    if (head->messages > 0)
        sender->told = head->messages;
    sender->received++;
    if (sender->told > 0 && sender->received > sender->told)
        return "more messages than it told of";
    post->complete += sender->received == sender->told;
    if (post->given_up == 0)
        post->given_up = head->reason;
    return NULL;
}

static const char *deliver_strings(const struct post *post, unsigned from, const uint8_t *message,
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
        fault = post->options.deliver(post->options.context, from, message + at, length);
        at += length;
    }
    return fault;
}

static void open_message(struct post *post, unsigned from, const uint8_t *message, size_t bytes)
{
    const struct frame expected = {.kind = post->options.kind, .from = from, .round = post->round};
    const char *fault = frame_fault((const void *)message, bytes, &expected);
    struct message_head head = {.messages = 0};
    if (fault == NULL && bytes < sizeof head)
        fault = "a message that is cut";
    if (fault == NULL) {
        memcpy(&head, message, sizeof head);
        fault = note_message(post, &head);
    }
    if (fault == NULL)
        fault = deliver_strings(post, from, message, bytes);
    if (fault != NULL)
        frame_fail(post->options.exchange, from, fault);
}

bool post_receive(struct post *post)
{
    const struct exchange *exchange = post->options.exchange;
    size_t bytes = 0;
    unsigned from = 0;
    bool any = false;
    const uint8_t *message;
    while ((message = exchange->receive(exchange->context, &from, &bytes)) != NULL) {
        open_message(post, from, message, bytes);
        any = true;
    }
    return any;
}

void post_receive_or_rest(struct post *post)
{
    if (!post_receive(post))
        post->options.exchange->rest(post->options.exchange->context);
}

uint32_t post_given_up(const struct post *post)
{
    return post->given_up;
}

/* ---- sending ---- */

static bool parcel_fits(const struct post *post, unsigned to, size_t length)
{
    return post->letters[to].length + sizeof(uint32_t) + length <= post->options.message;
}

bool post_has_room(const struct post *post, unsigned to, size_t length)
{
    const struct exchange *exchange = post->options.exchange;
    return parcel_fits(post, to, length) || exchange->room(exchange->context) != NULL;
}

/* Takes messages while it waits, so that no two ranks wait for each other. */
static void send_letter(struct post *post, unsigned to, uint32_t messages, uint32_t reason)
{
    const struct exchange *exchange = post->options.exchange;
    struct letter *letter = &post->letters[to];
    struct message_head *head = (void *)letter->bytes;
    uint8_t *room;
    while ((room = exchange->room(exchange->context)) == NULL)
        post_receive_or_rest(post);
    letter->messages++;
    *head = (struct message_head){
        .frame = {.kind = post->options.kind, .from = exchange->rank, .round = post->round},
        .messages = messages,
        .reason = reason};
    frame_seal(&head->frame, letter->length - sizeof head->frame);
    memcpy(room, letter->bytes, letter->length);
    exchange->send(exchange->context, to, letter->length);
    letter->length = sizeof *head;
}

uint8_t *post_send(struct post *post, unsigned to, size_t length)
{
    struct letter *letter = &post->letters[to];
    const uint32_t whole = (uint32_t)length;
    assert(to != post->options.exchange->rank && POST_HEAD + length <= post->options.message);
    if (!parcel_fits(post, to, length))
        send_letter(post, to, 0, 0);
    uint8_t *at = letter->bytes + letter->length;
    memcpy(at, &whole, sizeof whole);
    letter->length += sizeof whole + whole;
    return at + sizeof whole;
}

void post_end(struct post *post, uint32_t reason)
{
    const struct exchange *exchange = post->options.exchange;
    for (unsigned i = 1; i < exchange->ranks; i++) {
        unsigned to = (exchange->rank + i) % exchange->ranks;
        send_letter(post, to, post->letters[to].messages + 1, reason);
    }
    while (post->complete + 1 < exchange->ranks)
        post_receive_or_rest(post);
    begin_round(post);
}
