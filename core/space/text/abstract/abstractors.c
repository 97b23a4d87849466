/* SPDX-License-Identifier: MIT */
#include "space/text/abstract/abstractors.h"

#include "space/text/formats.h"

#include <stdlib.h>

enum pz_status abstraction_compile(const struct abstractor *abstractor, char *text, size_t length,
                                   const struct pz_key *keys, size_t key_count, struct pz_space **out,
                                   struct pz_error *error)
{
    struct definition *definition = NULL;
    if (text == NULL)
        return pz_fail(error, PZ_TOO_LARGE, "the text of an abstraction is too long");
    enum pz_status status =
        definition_compile(abstractor->format, "abstraction", text, length, &definition, error);
    free(text);
    if (status != PZ_OK)
        return status;
    const struct pz_setup setup = {.size = definition->id, .keys = keys, .key_count = key_count};
    status = definition_open(definition, &setup, out, error);
    definition_release(definition);
    return status;
}

double abstractor_arrangements(const unsigned *count, unsigned kinds)
{
    double ways = 1;
    unsigned all = 0;
    for (unsigned kind = 0; kind < kinds; kind++)
        for (unsigned i = 1; i <= count[kind]; i++)
            ways = ways * ++all / i;
    return ways;
}
