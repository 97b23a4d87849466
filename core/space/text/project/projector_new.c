/* SPDX-License-Identifier: MIT */
#include "space/text/project/projection.h"

#include "space/text/formats.h"
#include "space/text/project/projectors.h"

static projector_maker *const makers[DEFINITION_FORMATS] = {
    [DEFINITION_PSVN] = psvn_projector_new, [DEFINITION_TWS] = tws_projector_new};

/* Returns DEFINITION_FORMATS for a space of no text. */
static enum definition_format format_of(const struct pz_space *space)
{
    enum definition_format format = 0;
    while (format < DEFINITION_FORMATS && definition_puzzle(format) != space->puzzle)
        format++;
    return format;
}

enum pz_status projector_new(const struct pz_space *space, struct projector **out, struct pz_error *error)
{
    const enum definition_format format = format_of(space);
    if (format == DEFINITION_FORMATS)
        return pz_fail(error, PZ_UNSUPPORTED, "%s is no text", space->puzzle->name);
    if ((space->flags & PZ_NO_GOAL) != 0)
        return pz_fail(error, PZ_UNSUPPORTED, "this text has no goal");
    return makers[format](space, out, error);
}

void projector_free(struct projector *projector)
{
    if (projector != NULL)
        projector->ops->free(projector);
}

enum pz_status projection_open(const struct projector *projector, uint64_t atoms, struct projection **out,
                               struct pz_error *error)
{
    return projector->ops->project(projector, atoms, out, error);
}

void projection_close(struct projection *projection)
{
    if (projection != NULL)
        projection->ops->close(projection);
}
