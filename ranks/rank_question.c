/* SPDX-License-Identifier: MIT */
#include "rank_question.h"

#include "explore/disk/scratch_store.h"
#include "explore/exchange/frame.h"
#include "space/plugin.h"
#include "space/registry.h"
#include "space/text/formats.h"
#include "space/text/library.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- opening ---- */

/* Refuses keys that only a daemon offers, unless a daemon started the ranks. */
static enum pz_status check_rank_keys(const struct request *request, struct pz_error *error)
{
    static const enum key offered[] = {KEY_ROOT,    KEY_START,  KEY_GOAL,   KEY_DEPTH,
                                       KEY_THREADS, KEY_MEMORY, KEY_ENGINE, KEYS_TAKEN /* the puzzle's */};
    for (unsigned i = 0; i < request->key_count; i++) {
        const enum key key = key_taken(request->verb, request->key[i].key);
        unsigned at = 0;
        while (at < sizeof offered / sizeof *offered && offered[at] != key)
            at++;
        if (at == sizeof offered / sizeof *offered)
            return pz_fail(
                error, PZ_BAD_REQUEST,
                "%s= is for a daemon: use root, start, goal, depth, threads, memory, engine and those "
                "of the puzzle",
                request->key[i].key);
    }
    return PZ_OK;
}

static enum pz_status read_request(const struct options *options, struct request *request,
                                   struct pz_error *error)
{
    enum pz_status status = request_parse(request, options->request, strlen(options->request), error);
    if (status == PZ_OK)
        status = request_understand(request, error);
    if (status == PZ_OK && request->verb != VERB_EXPLORE)
        return pz_fail(error, PZ_BAD_REQUEST, "--request needs EXPLORE");
    return status == PZ_OK && !options->daemon ? check_rank_keys(request, error) : status;
}

static enum pz_status rank_open_space(struct rank_question *question, struct pz_error *error)
{
    const struct request *request = &question->request;
    const char *start = NULL;
    assert(question->space == NULL && request->argument_count == 1);
    enum pz_status status = request_start(request, &start, error);
    const struct pz_setup setup = request_setup(request, start);
    const char *name = request->argument[0];
    struct pz_error own = {0};
    if (status != PZ_OK)
        return status;
    status = space_open(name, &setup, &question->space, &own);
    if (status != PZ_OK) /* a size is not a name */
        return pz_fail(error, status, "%.400s%s", own.text,
                       isdigit((unsigned char)*name) || registry_find(name, strcspn(name, ":")) != NULL
                           ? ""
                           : "; a text is --define NAME.tws and its bare NAME, a plugin is in --plugins DIR");
    const struct pz_puzzle *puzzle = question->space->puzzle;
    return start != NULL ? puzzle->parse(question->space, start, question->root, error)
                         : puzzle->root(question->space, question->root, error);
}

/* An administrator wrote the options of the command line: the request may ask for less memory, not for
 * more. */
static enum pz_status rank_set_memory(const struct options *options, struct rank_question *question,
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

static enum pz_status rank_make_plan(const struct options *options, struct rank_question *question,
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

/* Ranks may have plugins of one name whose moves differ: what they found together would be neither's. */
static enum pz_status hash_moves(struct rank_question *question, struct pz_error *error)
{
    const struct pz_space *space = question->plan.request.space;
    uint8_t tokens[PZ_SUCCESSORS_MAX];
    uint64_t *states = calloc(space->max_successors, space->state_bytes);
    if (states == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a state's moves");
    const size_t count = space->puzzle->expand(space, question->plan.root, PZ_NO_TOKEN, states, tokens);
    assert(count <= space->max_successors);
    question->moves = disk_hash(states, count * space->state_bytes);
    free(states);
    return PZ_OK;
}

enum pz_status question_open(const struct options *options, struct rank_question *question,
                             struct pz_error *error)
{
    *question = (struct rank_question){.space = NULL};
    enum pz_status status = read_request(options, &question->request, error);
    if (status == PZ_OK)
        status = rank_set_memory(options, question, error);
    if (status == PZ_OK && options->plugins != NULL)
        status = plugins_load(options->plugins, NULL, NULL, error);
    if (status == PZ_OK)
        status = rank_open_space(question, error);
    if (status == PZ_OK)
        status = rank_make_plan(options, question, error);
    return status == PZ_OK ? hash_moves(question, error) : status;
}

void rank_question_clear(struct rank_question *question)
{
    question_plan_clear(&question->plan);
    space_close(question->space);
    *question = (struct rank_question){.space = NULL};
}

/* ---- agreeing ---- */

/* Ranks of different versions exchange this: it must not change. */
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
    uint64_t moves, depth, seed, engine;
    uint64_t scratch, daemon; /* given or not */
};

enum pz_status question_agree(const struct exchange *exchange, const struct rank_question *question,
                              const struct options *options, struct pz_error *error)
{
    const struct explore_request *request = &question->plan.request;
    struct summary own = {.moves = question->moves,
                          .depth = request->depth,
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
        if (memcmp(all[i].root, all[0].root, sizeof own.root) == 0 && all[i].moves != all[0].moves)
            return pz_fail(error, PZ_UNSUPPORTED, "rank %u has another plugin of %.180s than rank 0", i,
                           all[0].name);
        if (memcmp(&all[i], &all[0], sizeof own) != 0)
            return pz_fail(error, PZ_BAD_REQUEST,
                           "rank %u has another root, depth, seed, --engine or --scratch than rank 0", i);
    }
    return PZ_OK;
}

/* ---- definitions ---- */

enum { PIECE = 16 << 10 }; /* bytes at a time, as a gathering has as many of every rank */

/* Precedes the text. Rank 0's counts; those of the others are zeros. */
struct heading {
    uint64_t format;
    uint64_t length;
    char name[DEFINITION_NAME_MAX]; /* empty if there is no definition */
};

/* Fills *file as rank 0 has it, but for the text. */
static void share_heading(const struct exchange *exchange, struct definition_file *file)
{
    assert(file->length <= DEFINITION_TEXT_MAX + 1);
    struct heading own = {.format = file->format, .length = file->length};
    memcpy(own.name, file->name, sizeof own.name);
    const struct heading *first = frame_gather(exchange, FRAME_DEFINITION, &own, sizeof own);
    if (first->format >= DEFINITION_FORMATS || first->length > DEFINITION_TEXT_MAX + 1 ||
        memchr(first->name, '\0', sizeof first->name) == NULL)
        frame_fail(exchange, 0, "no heading of a definition");
    file->format = (enum definition_format)first->format;
    file->length = first->length;
    memcpy(file->name, first->name, sizeof file->name);
}

static void share_text(const struct exchange *exchange, struct definition_file *file)
{
    for (size_t at = 0; at < file->length; at += PIECE) {
        assert(file->text != NULL && file->name[0] != '\0'); /* only a definition has a text */
        char own[PIECE] = {0};
        const size_t bytes = file->length - at < PIECE ? file->length - at : PIECE;
        if (exchange->rank == 0)
            memcpy(own, file->text + at, bytes);
        memcpy(file->text + at, frame_gather(exchange, FRAME_DEFINITION, own, bytes), bytes);
    }
}

static enum pz_status learn(const struct definition_file *file, struct pz_error *error)
{
    struct definition *definition = NULL;
    struct pz_error own;
    enum pz_status status =
        definition_compile(file->format, file->name, file->text, file->length, &definition, &own);
    if (status == PZ_OK)
        status = library_add(definition, NULL, &own);
    definition_release(definition);
    return status == PZ_OK ? PZ_OK : pz_fail(error, status, "--define: %s", own.text);
}

enum pz_status definition_share(const struct exchange *exchange, const char *path, struct pz_error *error)
{
    struct definition_file file = {.text = NULL};
    struct pz_error own;
    enum pz_status status = PZ_OK;
    if (exchange->rank == 0 && path != NULL && (status = definition_file_read(path, &file, &own)) != PZ_OK)
        (void)pz_fail(error, status, "--define: %s", own.text);
    if (status == PZ_OK && file.text == NULL && (file.text = malloc(DEFINITION_TEXT_MAX + 1)) == NULL)
        status = pz_fail(error, PZ_MEMORY, "no memory for a definition");
    status = agree_status(exchange, status, NULL, error);
    if (status == PZ_OK && file.text != NULL) {
        share_heading(exchange, &file);
        share_text(exchange, &file);
        if (file.name[0] != '\0')
            status = learn(&file, error);
        status = agree_status(exchange, status, NULL, error);
    }
    free(file.text);
    return status;
}
