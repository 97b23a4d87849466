/* SPDX-License-Identifier: MIT */
#include "space/check/plugin_check.h"

#include "base/random.h"
#include "space/check/check_state.h"
#include "space/guard.h"
#include "space/registry.h"

#include <stdlib.h>
#include <string.h>

enum { WALKS = 64, WALK_STEPS = 64, NUMBERS = 1000 };

/* ---- the space ---- */

/* The canonical size opens the same space. */
static void check_size(struct check *check)
{
    const struct pz_setup setup = {.size = check->space->size};
    struct pz_space *again = NULL;
    struct pz_error error = {0};
    check_calling(check, "open");
    if (guard_open(check->puzzle, &setup, &again, &error) != PZ_OK) {
        check_broken(check, PROMISE_HEAD, NULL, "open refuses the size '%.200s' that it wrote itself: %.200s",
                     check->space->size, error.text);
        return;
    }
    if (strcmp(again->size, check->space->size) != 0 || again->state_bytes != check->space->state_bytes ||
        again->flags != check->space->flags)
        check_broken(check, PROMISE_HEAD, NULL,
                     "open makes another space from the size '%.200s' that it wrote itself",
                     check->space->size);
    check_calling(check, "close");
    check->puzzle->close(again);
}

/* ---- samples ---- */

/* Leaves in `at` a state of its successors; stays where there is none. */
static void walk_on(struct check *check, struct random *random, uint64_t *at)
{
    const struct checked_successors *successors = check->successors[0];
    if (check_expand(check, at, PZ_NO_TOKEN, check->successors[0]) && successors->count > 0)
        memcpy(at, check_successor(check, successors, (unsigned)random_below(random, successors->count)),
               check->space->state_bytes);
}

static bool check_walks(struct check *check, struct random *random, const uint64_t *root)
{
    uint64_t at[PZ_STATE_MAX / 8];
    for (unsigned walk = 0; walk < check_share(check, WALKS); walk++) {
        memcpy(at, root, sizeof at);
        for (unsigned step = 0; step < WALK_STEPS; step++) {
            if (!check_state(check, at))
                return false;
            walk_on(check, random, at);
        }
    }
    return true;
}

static void check_numbers(struct check *check, struct random *random)
{
    check_calling(check, "count");
    const uint64_t count = check->puzzle->count != NULL ? check->puzzle->count(check->space) : 0;
    for (unsigned i = 0; count > 0 && i < NUMBERS; i++) {
        const uint64_t number = random_below(random, count);
        uint64_t state[PZ_STATE_MAX / 8] = {0};
        check_calling(check, "unrank");
        check->puzzle->unrank(check->space, number, state);
        check_calling(check, "rank");
        if (check->puzzle->rank(check->space, state) != number)
            check_broken(check, PROMISE_UNRANK, state, "rank does not give the number that unrank was given");
    }
}

static void check_samples(struct check *check)
{
    struct random random = {check->options->seed};
    uint64_t root[PZ_STATE_MAX / 8] = {0};
    struct pz_error error = {0};
    check_calling(check, "root");
    if (check->puzzle->root(check->space, root, &error) != PZ_OK) {
        check_broken(check, PROMISE_HEAD, NULL, "root: %.300s", error.text);
        return;
    }
    if (!check_walks(check, &random, root))
        return;
    check_numbers(check, &random);
    check_region(check, root);
}

/* ---- the whole ---- */

static bool make_successors(struct check *check)
{
    for (unsigned i = 0; i < 3; i++)
        check->successors[i] = calloc(1, sizeof *check->successors[i]);
    return check->successors[0] != NULL && check->successors[1] != NULL && check->successors[2] != NULL;
}

/* Returns what follows the colon of the puzzle's example. */
static const char *size_of_example(const struct pz_puzzle *puzzle)
{
    const char *colon = strchr(puzzle->example, ':');
    return colon != NULL ? colon + 1 : "";
}

static void check_space(struct check *check)
{
    (void)space_name(check->space, check->result->name);
    check_size(check);
    if (check->puzzle->expand != NULL)
        check_samples(check);
}

enum pz_status plugin_check(const struct plugin_check_options *options, struct plugin_check_result *result,
                            struct pz_error *error)
{
    struct pz_space *space = NULL;
    const char *size = options->size != NULL ? options->size : size_of_example(options->puzzle);
    const struct pz_setup setup = {.size = size};
    struct check check = {.options = options, .puzzle = options->puzzle, .result = result};
    *result = (struct plugin_check_result){0};
    check_calling(&check, "open");
    enum pz_status status = guard_open(options->puzzle, &setup, &space, error);
    if (status != PZ_OK)
        return status;
    check.space = space;
    if (make_successors(&check))
        check_space(&check);
    else
        status = pz_fail(error, PZ_MEMORY, "no memory for the check");
    for (unsigned i = 0; i < 3; i++)
        free(check.successors[i]);
    check_calling(&check, "close");
    options->puzzle->close(space);
    return status;
}
