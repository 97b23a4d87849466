/* SPDX-License-Identifier: MIT */
#include "explore/exchange/agree.h"

#include "explore/exchange/frame.h"

#include <string.h>

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
