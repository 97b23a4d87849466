/* SPDX-License-Identifier: MIT */
#include "space/text/abstract/abstraction.h"

#include "space/text/abstract/abstractors.h"
#include "space/text/formats.h"

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

enum pz_status abstraction_open(const struct abstractor *abstractor, uint64_t atoms, struct abstraction **out,
                                struct pz_error *error)
{
    return abstractor->ops->abstract(abstractor, atoms, out, error);
}

void abstraction_close(struct abstraction *abstraction)
{
    if (abstraction != NULL)
        abstraction->ops->close(abstraction);
}
