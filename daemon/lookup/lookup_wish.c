/* SPDX-License-Identifier: MIT */
#include "daemon/lookup/lookup_wish.h"

#include "explore/question_plan.h"
#include "space/registry.h"

#include <assert.h>
#include <stdlib.h>
#include <xxhash.h>

/* Limits of the exploration of a space of unknown size, and of a known one at the most. */
#define LIMITS " keep=table time=2s memory=64M"

bool lookup_wish_waits(enum verb verb)
{
    return verb == VERB_DISTANCE || verb == VERB_PATH || verb == VERB_SAMPLE || verb == VERB_DEEPEST;
}

/* Returns true if the exploration has at most so many states, as far as is known. */
static bool wish_is_small(const struct pz_space *space, const char *begin, enum explore_from from,
                          uint64_t most)
{
    uint64_t root[PZ_STATE_MAX / 8] = {0};
    struct question_plan plan = {0};
    struct pz_error error;
    const enum pz_status begun = begin != NULL ? space->puzzle->parse(space, begin, root, &error)
                                               : space->puzzle->root(space, root, &error);
    if (begun != PZ_OK)
        return false;
    const struct explore_request asked = {
        .space = space, .root = root, .from = from, .depth = EXPLORE_NO_LIMIT, .keep = KEEP_TABLE};
    const bool possible = question_plan_init(&plan, &asked, 0, &plan_offer_any, &error) == PZ_OK;
    const bool small = possible && plan.estimate.states <= most;
    question_plan_clear(&plan);
    return small;
}

static void write_exploration(const struct request *request, const char *root, bool to_goal, struct text *out)
{
    text_add(out, "EXPLORE ");
    text_quoted(out, request->argument[0]);
    text_key(out, "goal", request_text(request, KEY_GOAL));
    for (size_t i = 0; i < request->puzzle_key_count; i++)
        text_key(out, request->puzzle_key[i].key, request->puzzle_key[i].value);
    text_key(out, "root", root);
    text_add(out, to_goal ? " from=goals" LIMITS : LIMITS);
}

void lookup_wish_make(const struct request *request, const struct pz_space *space, const char *start,
                      struct explore_wish *wish)
{
    const char *begin = request_text(request, KEY_ROOT);
    const int64_t usual = begin != NULL && space_has_one_end(space) ? FROM_ROOT : FROM_GOALS;
    const bool to_goal =
        (space->flags & PZ_NO_GOAL) == 0 && request_number(request, KEY_FROM, usual) == FROM_GOALS;
    struct text line = {0};
    struct pz_error error;
    assert(wish->most > 0 && wish->request == NULL && lookup_wish_waits(request->verb));
    if (!wish_is_small(space, begin, to_goal ? FROM_GOALS : FROM_ROOT, wish->most))
        return;
    write_exploration(request, begin != NULL ? begin : start, to_goal, &line);
    struct request *made = line.failed ? NULL : malloc(sizeof *made);
    if (made != NULL && request_parse(made, line.data, line.length, &error) == PZ_OK &&
        request_understand(made, &error) == PZ_OK) {
        wish->hash = XXH3_64bits(line.data, line.length);
        wish->request = made;
    } else {
        free(made); /* the line may be too long */
    }
    text_free(&line);
}
