/* SPDX-License-Identifier: MIT */
#include "question.h"

#include "explore/exchange/frame.h"
#include "space/plugin.h"
#include "space/registry.h"

#include <string.h>

/* ---- opening ---- */

/* Removes a key that is not the puzzle's own from the list. Returns its value, NULL if it was not given. */
static const char *take_key(struct pz_key *keys, size_t *count, const char *name)
{
    for (size_t i = 0; i < *count; i++) {
        if (strcmp(keys[i].key, name) != 0)
            continue;
        const char *value = keys[i].value;
        memmove(&keys[i], &keys[i + 1], (--*count - i) * sizeof *keys);
        return value;
    }
    return NULL;
}

/* Turns the question into its canonical orientation, in which a daemon keeps the answer. */
static enum pz_status make_canonical(struct question *question, struct pz_error *error)
{
    const struct pz_puzzle *puzzle = question->space->puzzle;
    char text[PZ_SIZE_MAX + 64];
    struct pz_canon canon;
    enum pz_status status = puzzle->canon(question->space, question->root, &canon, error);
    if (status != PZ_OK)
        return status;
    (void)snprintf(text, sizeof text, "%s%s%s", puzzle->name, canon.size[0] != '\0' ? ":" : "", canon.size);
    space_close(question->space);
    question->space = NULL;
    memcpy(question->root, canon.root, sizeof question->root);
    return space_open(text, &(const struct pz_setup){0}, &question->space, error);
}

enum pz_status question_open(const struct options *options, struct question *question, struct pz_error *error)
{
    struct pz_key keys[OPTIONS_KEYS_MAX];
    size_t count = options->key_count;
    *question = (struct question){0};
    memcpy(keys, options->keys, sizeof keys);
    const char *root = take_key(keys, &count, "root");
    struct pz_setup setup = {
        .start = take_key(keys, &count, "start"), .goal = take_key(keys, &count, "goal"), .keys = keys};
    setup.key_count = count;
    enum pz_status status = PZ_OK;
    if (options->plugins != NULL)
        status = plugins_load(options->plugins, NULL, NULL, error);
    if (status == PZ_OK)
        status = space_open(options->puzzle, &setup, &question->space, error);
    if (status != PZ_OK)
        return status;
    const struct pz_space *space = question->space;
    status = root != NULL ? space->puzzle->parse(space, root, question->root, error)
                          : space->puzzle->root(space, question->root, error);
    return status == PZ_OK && space->puzzle->canon != NULL ? make_canonical(question, error) : status;
}

void question_clear(struct question *question)
{
    space_close(question->space);
    *question = (struct question){0};
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

enum pz_status question_agree(const struct exchange *exchange, const struct question *question,
                              const struct options *options, struct pz_error *error)
{
    struct summary own = {.depth = options->depth,
                          .seed = options->seed,
                          .engine = options->engine,
                          .scratch = options->scratch != NULL,
                          .daemon = options->daemon};
    (void)space_name(question->space, own.name);
    memcpy(own.root, question->root, sizeof own.root);
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
