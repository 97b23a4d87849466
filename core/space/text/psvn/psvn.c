/* SPDX-License-Identifier: MIT */
#include "space/text/psvn/psvn.h"

enum pz_status psvn_compile(const char *text, size_t length, struct definition_meaning **out,
                            struct pz_error *error)
{
    (void)text;
    (void)length;
    (void)out;
    return pz_fail(error, PZ_UNSUPPORTED, "definitions in the format psvn: not built");
}

static enum pz_status psvn_open(const struct pz_setup *setup, struct pz_space **out, struct pz_error *error)
{
    return definition_open_as(DEFINITION_PSVN, setup, out, error);
}

const struct pz_puzzle psvn_puzzle = {
    .abi = PZ_SPACE_ABI,
    .name = "psvn",
    .summary = "vectors of variables with rules, by definition",
    .example = "psvn:NAME",
    .open = psvn_open,
};
