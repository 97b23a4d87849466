/* SPDX-License-Identifier: MIT */
/* Plain C for any processor; the loops over words are left to the compiler's vectoriser. */
#include "explore/dense/staged.h"

static bool runs_here(void)
{
    return true;
}

static inline void permute_bytes(uint8_t *out, const uint8_t *in, const uint8_t lane[64], uint32_t unit)
{
    for (uint32_t i = 0; i < unit; i++)
        out[i] = in[lane[i]];
}

static void advance(const struct plan *plan, const struct plan_way *way, const struct kernel_block *block,
                    struct kernel_scratch *scratch, struct kernel_tally *tally)
{
    staged_advance(plan, way, block, scratch, tally, permute_bytes);
}

const struct kernel kernel_portable = {.name = "portable", .runs_here = runs_here, .advance = advance};
