/* SPDX-License-Identifier: MIT */
#include "rank_question.h"

#include "explore/exchange/frame.h"
#include "space/plugin.h"
#include "space/registry.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

/* ---- opening ---- */

/* Refuses keys that only a daemon offers, unless a daemon started the ranks. */
static enum pz_status check_keys(const struct request *request, struct pz_error *error)
{
    static const enum key offered[] = {KEY_ROOT,    KEY_START,  KEY_GOAL,  KEY_DEPTH,
                                       KEY_THREADS, KEY_MEMORY, KEY_ENGINE};
    unsigned known = request->puzzle_key_count;
    for (unsigned i = 0; i < sizeof offered / sizeof *offered; i++)
        known += request_text(request, offered[i]) != NULL;
    if (known == request->key_count)
        return PZ_OK;
    return pz_fail(
        error, PZ_BAD_REQUEST,
        "a key that is for a daemon: use root, start, goal, depth, threads, memory, engine and those of the "
        "puzzle");
}

static enum pz_status read_request(const struct options *options, struct request *request,
                                   struct pz_error *error)
{
    enum pz_status status = request_parse(request, options->request, strlen(options->request), error);
    if (status == PZ_OK)
        status = request_understand(request, error);
    if (status == PZ_OK && request->verb != VERB_EXPLORE)
        return pz_fail(error, PZ_BAD_REQUEST, "--request needs EXPLORE");
    return status == PZ_OK && !options->daemon ? check_keys(request, error) : status;
}

static enum pz_status open_space(struct rank_question *question, struct pz_error *error)
{
    const struct request *request = &question->request;
    const char *root = request_text(request, KEY_ROOT);
    assert(question->space == NULL && request->argument_count == 1);
    const char *start = request_text(request, KEY_START);
    if (start != NULL && root != NULL)
        return pz_fail(error, PZ_BAD_REQUEST, "root= and start= mean the same: give one of them");
    const struct pz_setup setup = {.start = start != NULL ? start : root,
                                   .goal = request_text(request, KEY_GOAL),
                                   .keys = request->puzzle_key,
                                   .key_count = request->puzzle_key_count};
    enum pz_status status = space_open(request->argument[0], &setup, &question->space, error);
    if (status != PZ_OK)
        return status;
    const struct pz_puzzle *puzzle = question->space->puzzle;
    return setup.start != NULL ? puzzle->parse(question->space, setup.start, question->root, error)
                               : puzzle->root(question->space, question->root, error);
}

/* An administrator wrote the options of the command line: the request may ask for less memory, not for
 * more. */
static enum pz_status set_memory(const struct options *options, struct rank_question *question,
                                 struct pz_error *error)
{
    const uint64_t asked = (uint64_t)request_number(&question->request, KEY_MEMORY, 0);
    question->memory = asked > 0 ? asked : options->memory;
    if (options->memory == 0 || asked <= options->memory)
        return PZ_OK;
    return pz_fail(error, PZ_TOO_LARGE,
                   "memory=: %" PRIu64 "M for a rank, and --memory allows it %" PRIu64 "M", asked >> 20,
                   options->memory >> 20);
}

static enum pz_status make_plan(const struct options *options, struct rank_question *question,
                                struct pz_error *error)
{
    const struct request *request = &question->request;
    const enum engine engine = (enum engine)request_number(request, KEY_ENGINE, ENGINE_AUTO);
    struct explore_request asked = {.space = question->space,
                                    .root = question->root,
                                    .depth = (uint32_t)request_number(request, KEY_DEPTH, EXPLORE_NO_LIMIT),
                                    .threads = (unsigned)request_number(request, KEY_THREADS, 0),
                                    .engine = options->engine != ENGINE_AUTO ? options->engine : engine,
                                    .keep = KEEP_LEVELS,
                                    .from = (enum explore_from)request_number(request, KEY_FROM, FROM_ROOT),
                                    .scratch = "",
                                    .cluster = true};
    return question_plan_init(&question->plan, &asked, 0, &plan_offer_any, error);
}

enum pz_status question_open(const struct options *options, struct rank_question *question,
                             struct pz_error *error)
{
    *question = (struct rank_question){.space = NULL};
    enum pz_status status = read_request(options, &question->request, error);
    if (status == PZ_OK)
        status = set_memory(options, question, error);
    if (status == PZ_OK && options->plugins != NULL)
        status = plugins_load(options->plugins, NULL, NULL, error);
    if (status == PZ_OK)
        status = open_space(question, error);
    return status == PZ_OK ? make_plan(options, question, error) : status;
}

void question_clear(struct rank_question *question)
{
    question_plan_clear(&question->plan);
    space_close(question->space);
    *question = (struct rank_question){.space = NULL};
}

/* ---- agreeing ---- */

/* Ranks of different versions exchange these two: they may grow, but must neither change nor move. */
struct greeting {
    char version[32];
};

enum pz_status question_agree_version(const struct exchange *exchange, const char *version,
                                      struct pz_error *error)
{
    struct greeting own = {0};
    (void)snprintf(own.version, sizeof own.version, "%s", version);
    const struct greeting *all = exchange->gather(exchange->context, &own, sizeof own);
    for (unsigned i = 1; i < exchange->ranks; i++)
        if (strncmp(all[i].version, all[0].version, sizeof own.version) != 0)
            return pz_fail(error, PZ_UNSUPPORTED, "rank %u runs version %.31s, rank 0 %.31s", i,
                           all[i].version, all[0].version);
    return PZ_OK;
}

struct summary {
    char name[PZ_SIZE_MAX + 64];
    uint64_t root[PZ_STATE_MAX / 8];
    uint64_t depth, seed, engine;
    uint64_t scratch, daemon; /* given or not */
};

enum pz_status question_agree(const struct exchange *exchange, const struct rank_question *question,
                              const struct options *options, struct pz_error *error)
{
    const struct explore_request *request = &question->plan.request;
    struct summary own = {.depth = request->depth,
                          .seed = options->seed,
                          .engine = request->engine,
                          .scratch = options->scratch != NULL,
                          .daemon = options->daemon};
    (void)space_name(request->space, own.name);
    memcpy(own.root, question->plan.root, sizeof own.root);
    const struct summary *all = frame_gather(exchange, FRAME_QUESTION, &own, sizeof own);
    for (unsigned i = 0; i < exchange->ranks; i++)
        if (memchr(all[i].name, '\0', sizeof own.name) == NULL)
            frame_fail(exchange, i, "a question that is cut");
    for (unsigned i = 1; i < exchange->ranks; i++) {
        if (strcmp(all[i].name, all[0].name) != 0)
            return pz_fail(error, PZ_BAD_REQUEST, "rank %u explores %.180s, rank 0 %.180s", i, all[i].name,
                           all[0].name);
        if (memcmp(&all[i], &all[0], sizeof own) != 0)
            return pz_fail(error, PZ_BAD_REQUEST,
                           "rank %u has another root, depth, seed, --engine or --scratch than rank 0", i);
    }
    return PZ_OK;
}
