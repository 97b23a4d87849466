/* SPDX-License-Identifier: MIT */
#include "space/text/abstract/abstraction.h"

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

static abstractor_maker *const makers[DEFINITION_FORMATS] = {
    [DEFINITION_PSVN] = psvn_abstractor_new, [DEFINITION_TWS] = tws_abstractor_new};

/* Returns DEFINITION_FORMATS for a space of no text. */
static enum definition_format format_of(const struct pz_space *space)
{
    enum definition_format format = 0;
    while (format < DEFINITION_FORMATS && definition_puzzle(format) != space->puzzle)
        format++;
    return format;
}

enum pz_status abstractor_new(const struct pz_space *space, struct abstractor **out, struct pz_error *error)
{
    const enum definition_format format = format_of(space);
    if (format == DEFINITION_FORMATS)
        return pz_fail(error, PZ_UNSUPPORTED, "%s is no text", space->puzzle->name);
    if ((space->flags & PZ_NO_GOAL) != 0)
        return pz_fail(error, PZ_UNSUPPORTED, "this text has no goal");
    return makers[format](space, out, error);
}

void abstractor_free(struct abstractor *abstractor)
{
    if (abstractor != NULL)
        abstractor->ops->free(abstractor);
}

void abstraction_close(struct abstraction *abstraction)
{
    if (abstraction != NULL && abstraction->space != NULL)
        abstraction->space->puzzle->close(abstraction->space);
    free(abstraction);
}
