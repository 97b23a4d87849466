/* SPDX-License-Identifier: MIT */
#include "explore/exchange/frame.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static uint64_t frame_hash(const struct frame *frame, const void *bytes)
{
    const uint64_t head = XXH3_64bits(&frame->kind, sizeof *frame - offsetof(struct frame, kind));
    return XXH3_64bits_withSeed(bytes, frame->length, head);
}

void frame_seal(struct frame *frame, size_t length)
{
    assert(length <= EXCHANGE_MESSAGE);
    frame->length = (uint32_t)length;
    frame->hash = frame_hash(frame, frame + 1);
}

/* Checks the fields of a frame that say what it is. */
static const char *head_fault(const struct frame *frame, const struct frame *expected)
{
    if (frame->kind != expected->kind)
        return "a message of another kind than is due";
    if (frame->from != expected->from)
        return "a message in the name of another rank";
    return frame->round != expected->round ? "a message of another round" : NULL;
}

const char *frame_fault(const struct frame *frame, size_t bytes, const struct frame *expected)
{
    if (bytes < sizeof *frame || frame->length != bytes - sizeof *frame)
        return "a message that is cut";
    if (frame->hash != frame_hash(frame, frame + 1))
        return "a message with a wrong checksum";
    return head_fault(frame, expected);
}

/* ---- gatherings ---- */

/* Checks a rank's part, frame and bytes. Returns the address of the bytes. */
static const unsigned char *open_frame(const struct exchange *exchange, const struct frame *expected,
                                       const unsigned char *part)
{
    struct frame frame;
    memcpy(&frame, part, sizeof frame);
    const unsigned char *bytes = part + sizeof frame;
    const char *fault = head_fault(&frame, expected);
    if (fault == NULL && frame.length != expected->length)
        fault = "a message of another length than is due";
    if (fault == NULL && frame.hash != frame_hash(&frame, bytes))
        fault = "a message with a wrong checksum";
    if (fault != NULL)
        frame_fail(exchange, expected->from, fault);
    return bytes;
}

const void *frame_gather(const struct exchange *exchange, enum frame_kind kind, const void *own, size_t bytes)
{
    assert(kind > FRAME_NONE && kind < FRAME_KINDS && bytes <= UINT32_MAX);
    const size_t whole = sizeof(struct frame) + bytes;
    struct frame frame = {.kind = kind, .from = exchange->rank, .length = (uint32_t)bytes};
    unsigned char *sent = malloc(whole);
    if (sent == NULL)
        exchange->fail(exchange->context, "no memory for what the ranks send each other");
    frame.hash = frame_hash(&frame, own);
    memcpy(sent, &frame, sizeof frame);
    memcpy(sent + sizeof frame, own, bytes);
    unsigned char *all = exchange->gather(exchange->context, sent, whole);
    free(sent);
    for (unsigned i = 0; i < exchange->ranks; i++) {
        frame.from = i;
        memmove(all + i * bytes, open_frame(exchange, &frame, all + i * whole), bytes);
    }
    return all;
}

void frame_fail(const struct exchange *exchange, unsigned from, const char *fault)
{
    assert(from < exchange->ranks);
    char text[160];
    (void)snprintf(text, sizeof text, "rank %u sent %s", from, fault);
    exchange->fail(exchange->context, text);
}

/* ---- agreements ---- */

/* A rank's status, as it is sent. */
struct opinion {
    uint64_t status, least;
    char text[sizeof((struct pz_error *)NULL)->text];
};

/* Returns true if all ranks have agreed on this already: all have the same status and text, which names a
 * rank. */
static bool is_agreed(const struct opinion *opinions, unsigned ranks)
{
    for (unsigned i = 1; i < ranks; i++)
        if (opinions[i].status != opinions[0].status || strcmp(opinions[i].text, opinions[0].text) != 0)
            return false;
    return strncmp(opinions[0].text, "rank ", strlen("rank ")) == 0;
}

enum pz_status agree_status(const struct exchange *exchange, enum pz_status status, uint64_t *least,
                            struct pz_error *error)
{
    assert(status < PZ_STATUS_COUNT);
    if (exchange == NULL)
        return status;
    struct opinion own = {.status = status, .least = least != NULL ? *least : 0};
    if (status != PZ_OK && error != NULL)
        memcpy(own.text, error->text, sizeof own.text);
    const struct opinion *opinions = frame_gather(exchange, FRAME_STATUS, &own, sizeof own);
    for (unsigned i = 0; i < exchange->ranks; i++)
        if (opinions[i].status >= PZ_STATUS_COUNT || memchr(opinions[i].text, '\0', sizeof own.text) == NULL)
            frame_fail(exchange, i, "an unknown status");
    if (status != PZ_OK && is_agreed(opinions, exchange->ranks))
        return status;
    for (unsigned i = 0; i < exchange->ranks; i++) {
        if (opinions[i].status != PZ_OK)
            return pz_fail(error, (enum pz_status)opinions[i].status, "rank %u: %s", i, opinions[i].text);
        if (least != NULL && opinions[i].least < *least)
            *least = opinions[i].least;
    }
    return PZ_OK;
}
