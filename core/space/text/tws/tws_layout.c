/* SPDX-License-Identifier: MIT */
#include "space/text/tws/tws_layout.h"

#include <assert.h>

static unsigned code_width(unsigned codes)
{
    unsigned width = 0;
    while (1u << width < codes)
        width++;
    return width;
}

static unsigned round_bytes(unsigned bytes)
{
    return bytes <= 8 ? 8 : bytes <= 16 ? 16 : bytes <= 32 ? 32 : PZ_STATE_MAX;
}

enum pz_status tws_layout_make(const struct twist *twist, struct tws_layout *layout, struct pz_error *error)
{
    unsigned bits = 0;
    *layout = (struct tws_layout){.packed = twist->places > PZ_STATE_MAX,
                                  .state_bytes = round_bytes(twist->places)};
    if (!layout->packed)
        return PZ_OK;
    for (unsigned i = 0; i < twist->places; i++) {
        const struct twist_set *set = &twist->set[twist->set_of[i]];
        const unsigned width = code_width((unsigned)set->kinds * set->turns);
        if (bits / 64 != (bits + width - (width > 0)) / 64)
            bits = (bits + 63) / 64 * 64;
        if (bits + width > PZ_STATE_MAX * 8)
            return pz_fail(
                error, PZ_BAD_PUZZLE,
                "line 1, column 1: with its pieces up to number %u a state takes more than %d bits", i + 1,
                PZ_STATE_MAX * 8);
        layout->field[i].word = (uint8_t)(width > 0 ? bits / 64 : 0); /* the words before may be full */
        layout->field[i].shift = (uint8_t)(bits % 64);
        layout->field[i].width = (uint8_t)width;
        bits += width;
    }
    layout->state_bytes = round_bytes((bits + 7) / 8);
    return PZ_OK;
}

void tws_layout_unpack(const struct tws_layout *layout, unsigned places, const void *state, uint8_t *codes)
{
    uint64_t words[PZ_STATE_MAX / 8];
    assert(layout->packed);
    memcpy(words, state, layout->state_bytes);
    for (unsigned i = 0; i < places; i++)
        codes[i] = (uint8_t)(words[layout->field[i].word] >> layout->field[i].shift &
                             ((UINT64_C(1) << layout->field[i].width) - 1));
}

void tws_layout_pack(const struct tws_layout *layout, unsigned places, const uint8_t *codes, void *state)
{
    uint64_t words[PZ_STATE_MAX / 8] = {0};
    if (!layout->packed) {
        memset(state, 0, layout->state_bytes);
        memcpy(state, codes, places);
        return;
    }
    for (unsigned i = 0; i < places; i++)
        words[layout->field[i].word] |= (uint64_t)codes[i] << layout->field[i].shift;
    memcpy(state, words, layout->state_bytes);
}
