/* SPDX-License-Identifier: MIT */
#include "web/http/web_limits.h"

#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

enum { BURST_SECONDS = 3 };

/* Writes the bytes of an IPv6 address that identify a client: the network's, or all of the IPv4 address that
 * it stands for. */
static size_t identity_of_six(const struct in6_addr *six, unsigned char out[static 16])
{
    const bool is_four = IN6_IS_ADDR_V4MAPPED(six);
    const size_t length = is_four ? 4 : 8;
    memcpy(out, six->s6_addr + (is_four ? 12 : 0), length);
    return length;
}

/* Writes the bytes that identify a client. Returns how many they are. */
static size_t identity(const struct sockaddr *address, unsigned char out[static 16])
{
    if (address->sa_family == AF_INET) {
        const struct sockaddr_in *four = (const struct sockaddr_in *)address;
        memcpy(out, &four->sin_addr, sizeof four->sin_addr);
        return sizeof four->sin_addr;
    }
    if (address->sa_family == AF_INET6) {
        const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;
        return identity_of_six(&six->sin6_addr, out);
    }
    return 0;
}

/* Uses the last entry of the header: the one that our own proxy added. Returns 0 if it is not an address. */
static size_t forwarded_identity(const char *header, unsigned char out[static 16])
{
    char text[INET6_ADDRSTRLEN];
    struct in6_addr six;
    const char *last = strrchr(header, ',');
    last = last == NULL ? header : last + 1;
    last += strspn(last, " \t");
    size_t length = strcspn(last, " \t");
    if (length >= sizeof text)
        return 0;
    memcpy(text, last, length);
    text[length] = '\0';
    if (inet_pton(AF_INET, text, out) == 1)
        return 4;
    return inet_pton(AF_INET6, text, &six) == 1 ? identity_of_six(&six, out) : 0;
}

static struct visitor visitor_of(struct limits *limits, const unsigned char *bytes, size_t length)
{
    uint64_t hash = limits->seed ^ 0xCBF29CE484222325U;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ bytes[i]) * 0x100000001B3U;
    return (struct visitor){hash, &limits->slots[(hash ^ (hash >> 32)) % LIMITS_SLOTS]};
}

struct visitor limits_client(struct limits *limits, const struct sockaddr *address, const char *forwarded)
{
    unsigned char bytes[16] = {0};
    size_t length = forwarded != NULL ? forwarded_identity(forwarded, bytes) : 0;
    if (length == 0)
        length = identity(address, bytes);
    return visitor_of(limits, bytes, length);
}

struct visitor limits_visitor(struct limits *limits, const char *cookie)
{
    return visitor_of(limits, (const unsigned char *)cookie, strlen(cookie));
}

bool limits_request(const struct limits *limits, struct limits_slot *slot, uint64_t now_ms,
                    struct refusal *refusal)
{
    if (limits->rate == 0)
        return true;
    double most = (double)limits->rate * BURST_SECONDS;
    double more = (double)(now_ms - slot->filled_ms) * (double)limits->rate / 1000.0;
    slot->tokens = slot->filled_ms == 0 || slot->tokens + more > most ? most : slot->tokens + more;
    slot->filled_ms = now_ms;
    if (slot->tokens < 1.0)
        return refuse(refusal, "limit", "more than %u requests a second", limits->rate);
    slot->tokens -= 1.0;
    assert(slot->tokens >= 0 && slot->tokens < most);
    return true;
}

bool limits_ask(const struct limits *limits, struct limits_slot *slot, struct refusal *refusal)
{
    if (slot->asks >= limits->asks)
        return refuse(refusal, "limit", "more than %u requests at a time", limits->asks);
    slot->asks++;
    return true;
}

bool limits_stream(const struct limits *limits, struct limits_slot *slot, struct refusal *refusal)
{
    if (slot->streams >= limits->streams)
        return refuse(refusal, "limit", "more than %u streams of events at a time", limits->streams);
    slot->streams++;
    return true;
}

bool limits_hold(struct limits *limits, struct limits_slot *slot, size_t bytes, struct refusal *refusal)
{
    if (slot->held + bytes > LIMITS_HELD_PER_CLIENT)
        return refuse(refusal, "busy",
                      "your answers that are not read yet hold %d MiB: read them, then ask again",
                      LIMITS_HELD_PER_CLIENT >> 20);
    if (limits->held + bytes > LIMITS_HELD_MAX)
        return refuse(refusal, "busy", "the answers that are not read yet hold %d MiB: try again later",
                      LIMITS_HELD_MAX >> 20);
    limits->held += bytes;
    slot->held += bytes;
    assert(slot->held <= limits->held && slot->held <= LIMITS_HELD_PER_CLIENT);
    return true;
}

void limits_release(struct limits *limits, struct limits_slot *slot, size_t bytes)
{
    assert(limits->held >= bytes && slot->held >= bytes);
    limits->held -= bytes;
    slot->held -= bytes;
}
