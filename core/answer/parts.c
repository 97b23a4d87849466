/* SPDX-License-Identifier: MIT */
/* The connected components of a space, from a table whose format has them. */
#include "answer/answer.h"

#include <assert.h>
#include <stdlib.h>

static enum pz_status read_parts(struct table_reader *reader, uint64_t after, struct answer_parts *out,
                                 struct pz_error *error)
{
    enum pz_status status = PZ_OK;
    for (unsigned i = 0; i < out->count && status == PZ_OK; i++)
        status = reader->format->part(reader, after + i, &out->parts[i], error);
    return status;
}

enum pz_status answer_parts(struct answers *answers, const struct pz_space *space, enum answer_from from,
                            uint64_t after, unsigned count, struct answer_parts *out, struct pz_error *error)
{
    struct table_match *match;
    *out = (struct answer_parts){0};
    enum pz_status status = answers_choose(answers, space, from, &match, error);
    if (status != PZ_OK)
        return answers_ended(answers, status);
    struct table_reader *reader = match->reader;
    out->to_goal = answers_to_goal(match, space);
    if (reader->format->part_count != NULL)
        out->total = reader->format->part_count(reader);
    if (out->total == 0)
        return answers_ended(
            answers, pz_fail(error, PZ_NO_TABLE, "no table has the parts: EXPLORE it with parts=yes"));
    const uint64_t left = after < out->total ? out->total - after : 0;
    out->count = left < count ? (unsigned)left : count;
    assert(reader->format->part != NULL);
    out->parts = calloc(out->count + 1, sizeof *out->parts);
    status = out->parts != NULL ? read_parts(reader, after, out, error)
                                : pz_fail(error, PZ_MEMORY, "no memory for the parts");
    if (status != PZ_OK) {
        free(out->parts);
        out->parts = NULL;
    }
    return answers_ended(answers, status);
}
