/* SPDX-License-Identifier: MIT */
#include "space/text/psvn/psvn_layout.h"

static uint8_t width_of(uint32_t size)
{
    uint8_t width = 0;
    while (size > 1u << width)
        width++;
    return width;
}

/* Variables lie in the order of the text; none lies in two words. */
enum pz_status psvn_layout_make(const struct psvn_model *model, struct psvn_layout *out,
                                struct pz_error *error)
{
    unsigned word = 0, used = 0, bits = 0;
    for (uint32_t i = 0; i < model->places; i++) {
        const uint8_t width = width_of(psvn_domain_of(model, i)->size);
        bits += width;
        if (used + width > 64) {
            word++;
            used = 0;
        }
        if (word == PSVN_STATE_WORDS)
            return pz_fail(
                error, PZ_TOO_LARGE,
                "variable %u makes it %u bits a state; %d at most, and a variable lies in one word "
                "of 64",
                i + 1, bits, PSVN_BITS_MAX);
        out->field[i] = (struct psvn_field){.mask = (1ull << width) - 1,
                                            .word = (uint8_t)word,
                                            .shift = (uint8_t)(used < 64 ? used : 0),
                                            .width = width};
        used += width;
    }
    out->words = word == 0 ? 1 : word == 1 ? 2 : word < 4 ? 4 : 8;
    return PZ_OK;
}
