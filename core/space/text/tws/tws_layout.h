/* SPDX-License-Identifier: MIT */
/*
 * The layout of the places' codes in a state: a byte for each of up to 64, as they are. Of more pieces each
 * takes as many bits as its set has codes, and lies in one word.
 */
#ifndef TWS_LAYOUT_H
#define TWS_LAYOUT_H

#include "puzzled/space.h"
#include "space/twist/twist.h"

#include <string.h>

struct tws_layout {
    bool packed;
    unsigned state_bytes; /* 8, 16, 32 or 64 */
    struct {
        uint8_t word, shift, width;
    } field[TWIST_PLACES_MAX]; /* where packed */
};

/* Returns PZ_BAD_PUZZLE if a state would take more than 512 bits. */
enum pz_status tws_layout_make(const struct twist *twist, struct tws_layout *layout, struct pz_error *error);
void tws_layout_unpack(const struct tws_layout *layout, unsigned places, const void *state, uint8_t *codes);
void tws_layout_pack(const struct tws_layout *layout, unsigned places, const uint8_t *codes, void *state);

/* Returns the codes of a state: itself, or unpacked into room. */
static inline const uint8_t *tws_layout_codes(const struct tws_layout *layout, unsigned places,
                                              const void *state, uint8_t room[TWIST_PLACES_MAX])
{
    if (!layout->packed)
        return state;
    tws_layout_unpack(layout, places, state, room);
    return room;
}

#endif
