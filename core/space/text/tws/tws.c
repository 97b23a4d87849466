/* SPDX-License-Identifier: MIT */
#include "space/text/tws/tws.h"

enum pz_status tws_compile(const char *text, size_t length, struct definition_meaning **out,
                           struct pz_error *error)
{
    (void)text;
    (void)length;
    (void)out;
    return pz_fail(error, PZ_UNSUPPORTED, "definitions in the format tws: not built");
}

static enum pz_status tws_open(const struct pz_setup *setup, struct pz_space **out, struct pz_error *error)
{
    return definition_open_as(DEFINITION_TWS, setup, out, error);
}

const struct pz_puzzle tws_puzzle = {
    .abi = PZ_SPACE_ABI,
    .name = "tws",
    .summary = "permutation puzzles by definition",
    .example = "tws:NAME",
    .open = tws_open,
};
