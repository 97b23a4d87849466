/* SPDX-License-Identifier: MIT */
/* HEURISTIC, on a worker thread. */
#include "answer/heuristics.h"
#include "daemon/lookup/lookup_worker.h"
#include "daemon/net/send_reply.h"
#include "daemon/verbs/verb_commands.h"

#include <inttypes.h>

struct bounds {
    struct text lines;
    size_t count;
};

static void add_bound(void *context, const char *heuristic, int64_t at_least)
{
    struct bounds *bounds = context;
    text_add(&bounds->lines, "heuristic=");
    text_add(&bounds->lines, heuristic);
    if (at_least >= 0)
        text_format(&bounds->lines, " at_least=%" PRId64, at_least);
    else
        text_add(&bounds->lines, " at_least=unknown");
    reply_line_end(&bounds->lines);
    bounds->count++;
}

enum pz_status command_heuristic(struct lookup_worker *worker, const struct request *request,
                                 struct text *out, struct pz_error *error)
{
    const struct pz_space *space = NULL;
    uint64_t state[PZ_STATE_MAX / 8];
    struct bounds bounds = {0};
    enum pz_status status = lookup_worker_open(worker, request, &space, state, error);
    if (status == PZ_OK)
        status = heuristics_each(lookup_worker_store(worker), space, state, add_bound, &bounds, error);
    if (status == PZ_OK) {
        reply_list(out, request->tag, bounds.count);
        reply_line_end(out);
        text_join(out, &bounds.lines);
        reply_list_end(out);
    }
    text_free(&bounds.lines);
    return status;
}
