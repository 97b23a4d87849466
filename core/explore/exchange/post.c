/* SPDX-License-Identifier: MIT */
#include "explore/exchange/post.h"

#include <stdlib.h>
#include <string.h>

/* A message is a head, then strings, each with its length as a uint32_t before it. */
struct head {
    uint32_t messages; /* in the last one of a round: how many there were, this one included; else 0 */
    uint32_t gives_up;
};

_Static_assert(sizeof(struct head) + sizeof(uint32_t) + POST_MOST <= EXCHANGE_MESSAGE,
               "a message holds the longest string");

/* The message that is being written to a rank. */
struct letter {
    uint8_t bytes[EXCHANGE_MESSAGE];
    size_t length;
    uint32_t messages; /* sent in this round */
};

struct post {
    const struct exchange *exchange;
    post_deliver *deliver;
    void *context;
    struct letter *letters;      /* for each rank; not touched before something is sent to it */
    unsigned ended;              /* ranks that send no more in this round */
    uint64_t received, expected; /* messages */
    bool given_up;               /* by another rank */
};

uint64_t post_bytes(const struct exchange *exchange)
{
    return sizeof(struct post) + exchange->ranks * sizeof(struct letter);
}

static void begin_round(struct post *post)
{
    for (unsigned i = 0; i < post->exchange->ranks; i++) {
        post->letters[i].length = sizeof(struct head);
        post->letters[i].messages = 0;
    }
    post->ended = 0;
    post->received = post->expected = 0;
    post->given_up = false;
}

enum pz_status post_new(const struct exchange *exchange, post_deliver *deliver, void *context,
                        struct post **out, struct pz_error *error)
{
    struct post *post = malloc(sizeof *post);
    struct letter *letters = calloc(exchange->ranks, sizeof *letters);
    if (post == NULL || letters == NULL) {
        free(post);
        free(letters);
        return pz_fail(error, PZ_MEMORY, "no memory for messages to other ranks");
    }
    *post = (struct post){.exchange = exchange, .deliver = deliver, .context = context, .letters = letters};
    begin_round(post);
    *out = post;
    return PZ_OK;
}

void post_free(struct post *post)
{
    if (post == NULL)
        return;
    free(post->letters);
    free(post);
}

/* ---- receiving ---- */

static void open_message(struct post *post, const uint8_t *message, size_t bytes)
{
    struct head head;
    uint32_t length;
    memcpy(&head, message, sizeof head);
    post->received++;
    post->expected += head.messages;
    post->ended += head.messages > 0;
    post->given_up = post->given_up || head.gives_up != 0;
    for (size_t at = sizeof head; at < bytes; at += sizeof length + length) {
        memcpy(&length, message + at, sizeof length);
        post->deliver(post->context, message + at + sizeof length, length);
    }
}

/* Returns false if nothing came in. */
static bool receive(struct post *post)
{
    size_t bytes = 0;
    bool any = false;
    const uint8_t *message;
    while ((message = post->exchange->receive(post->exchange->context, &bytes)) != NULL) {
        open_message(post, message, bytes);
        any = true;
    }
    return any;
}

static void receive_or_rest(struct post *post)
{
    if (!receive(post))
        post->exchange->rest(post->exchange->context);
}

bool post_work(struct post *post)
{
    (void)receive(post);
    return post->given_up;
}

/* ---- sending ---- */

/* Takes messages while it waits, so that no two ranks wait for each other. */
static void send_letter(struct post *post, unsigned to, struct head head)
{
    const struct exchange *exchange = post->exchange;
    struct letter *letter = &post->letters[to];
    uint8_t *room;
    while ((room = exchange->room(exchange->context)) == NULL)
        receive_or_rest(post);
    letter->messages++;
    memcpy(letter->bytes, &head, sizeof head);
    memcpy(room, letter->bytes, letter->length);
    exchange->send(exchange->context, to, letter->length);
    letter->length = sizeof head;
}

void post_send(struct post *post, unsigned to, const void *head, size_t head_bytes, const void *bytes,
               size_t length)
{
    struct letter *letter = &post->letters[to];
    const uint32_t whole = (uint32_t)(head_bytes + length);
    if (letter->length + sizeof whole + whole > sizeof letter->bytes)
        send_letter(post, to, (struct head){0});
    uint8_t *at = letter->bytes + letter->length;
    memcpy(at, &whole, sizeof whole);
    memcpy(at + sizeof whole, head, head_bytes);
    memcpy(at + sizeof whole + head_bytes, bytes, length);
    letter->length += sizeof whole + whole;
}

void post_end(struct post *post, bool gives_up)
{
    const struct exchange *exchange = post->exchange;
    for (unsigned i = 1; i < exchange->ranks; i++) {
        unsigned to = (exchange->rank + i) % exchange->ranks;
        const struct head last = {.messages = post->letters[to].messages + 1, .gives_up = gives_up};
        send_letter(post, to, last);
    }
    while (post->ended + 1 < exchange->ranks || post->received < post->expected)
        receive_or_rest(post);
    begin_round(post);
}
