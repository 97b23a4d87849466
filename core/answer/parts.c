/* SPDX-License-Identifier: MIT */
/* The connected parts of a space, from the table of its numbered states. */
#include "answer/answer_table.h"

#include <stdlib.h>

static enum pz_status read_parts(const struct ranked_table *ranked, const struct table_match *match,
                                 uint64_t after, struct answer_parts *out, struct pz_error *error)
{
    const struct pz_space *space = ranked->space;
    const uint64_t bytes = table_view_record(match->view)->table_bytes;
    enum pz_status status = PZ_OK;
    for (unsigned i = 0; i < out->count && status == PZ_OK; i++) {
        struct ranked_part part = {0};
        struct answer_part *to = &out->parts[i];
        status = ranked_table_part(ranked, bytes, after + i, &part, error);
        if (status != PZ_OK)
            break;
        to->states = part.states;
        to->dead = part.depth == RANKED_PART_DEAD;
        to->depth = part.depth;
        space->puzzle->unrank(space, part.deepest, to->state);
    }
    return status;
}

enum pz_status answer_parts(struct answers *answers, const struct pz_space *space, enum answer_from from,
                            uint64_t after, unsigned count, struct answer_parts *out, struct pz_error *error)
{
    struct table_match *match;
    struct ranked_table ranked;
    *out = (struct answer_parts){0};
    enum pz_status status = answers_choose(answers, space, from, &match, error);
    if (status != PZ_OK)
        return answers_ended(answers, status);
    out->to_goal = answers_to_goal(match, space);
    if (table_match_ranked(match, space, &ranked))
        out->total = ranked_table_part_count(&ranked, table_view_record(match->view)->table_bytes);
    if (out->total == 0)
        return answers_ended(
            answers, pz_fail(error, PZ_NO_TABLE, "no table has the parts: EXPLORE it with parts=yes"));
    const uint64_t left = after < out->total ? out->total - after : 0;
    out->count = left < count ? (unsigned)left : count;
    out->parts = calloc(out->count + 1, sizeof *out->parts);
    status = out->parts != NULL ? read_parts(&ranked, match, after, out, error)
                                : pz_fail(error, PZ_MEMORY, "no memory for the parts");
    if (status != PZ_OK) {
        free(out->parts);
        out->parts = NULL;
    }
    return answers_ended(answers, status);
}
