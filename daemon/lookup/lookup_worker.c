/* SPDX-License-Identifier: MIT */
#include "daemon/lookup/lookup_worker.h"

#include "base/clock.h"
#include "daemon/net/pending_reply.h"
#include "explore/question_plan.h"
#include "space/registry.h"
#include "space/text/library.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { OPEN_MAX = 8 };

/* A puzzle kept open, and the words that it was opened with. */
struct open_space {
    char *words;
    struct pz_space *space;
};

struct lookup_worker {
    struct lookup_worker_options options;
    struct answers *answers;
    struct open_space open[OPEN_MAX]; /* the latest first */
    struct pz_space *single;          /* opened for one request only */
    bool by_board;                    /* that request's board made it: the puzzle's words were not enough */
    struct reply_rest *rest;          /* of the request at work */
};

void *lookup_worker_new(void *context, struct pz_error *error)
{
    struct lookup_worker *worker = calloc(1, sizeof *worker);
    if (worker == NULL) {
        (void)pz_fail(error, PZ_MEMORY, "no memory for a lookup worker");
        return NULL;
    }
    worker->options = *(const struct lookup_worker_options *)context;
    if (answers_new(worker->options.store, &worker->answers, error) != PZ_OK) {
        free(worker);
        return NULL;
    }
    return worker;
}

static void close_open(struct open_space *open)
{
    space_close(open->space);
    free(open->words);
    *open = (struct open_space){0};
}

void lookup_worker_free(void *context)
{
    struct lookup_worker *worker = context;
    if (worker == NULL)
        return;
    for (unsigned i = 0; i < OPEN_MAX; i++)
        close_open(&worker->open[i]);
    space_close(worker->single);
    answers_free(worker->answers);
    free(worker);
}

struct store *lookup_worker_store(struct lookup_worker *worker)
{
    return worker->options.store;
}

struct answers *lookup_worker_answers(struct lookup_worker *worker)
{
    return worker->answers;
}

struct budget *lookup_worker_replies(struct lookup_worker *worker)
{
    return worker->options.replies;
}

/* ---- puzzles kept open ---- */

/* Moves the entry for these words to the front and returns its puzzle; NULL if there is none. */
static struct pz_space *find_open(struct lookup_worker *worker, const char *words)
{
    for (unsigned i = 0; i < OPEN_MAX && worker->open[i].words != NULL; i++) {
        if (strcmp(worker->open[i].words, words) != 0)
            continue;
        struct open_space found = worker->open[i];
        memmove(worker->open + 1, worker->open, i * sizeof found);
        worker->open[0] = found;
        return found.space;
    }
    return NULL;
}

/* Takes fresh over, in place of the puzzle that was used longest ago. */
static void worker_keep_open(struct lookup_worker *worker, struct open_space fresh)
{
    close_open(&worker->open[OPEN_MAX - 1]);
    memmove(worker->open + 1, worker->open, (OPEN_MAX - 1) * sizeof worker->open[0]);
    worker->open[0] = fresh;
}

static enum pz_status open_kept(struct lookup_worker *worker, const struct request *request,
                                const struct pz_setup *setup, const struct pz_space **space,
                                struct pz_error *error)
{
    struct text words = {0};
    text_quoted(&words, request->argument[0]);
    text_key(&words, "goal", setup->goal);
    text_key(&words, "root", setup->start);
    for (size_t i = 0; i < setup->key_count; i++)
        text_key(&words, setup->keys[i].key, setup->keys[i].value);
    text_format(&words, " %u", library_changes()); /* a name may stand for another definition now */
    char *key = text_take(&words);
    if (key == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a lookup");
    struct pz_space *found = find_open(worker, key);
    if (found != NULL) {
        free(key);
    } else {
        enum pz_status status = root_set_open(request->argument[0], setup, &found, error);
        if (status != PZ_OK) {
            free(key);
            return status;
        }
        worker_keep_open(worker, (struct open_space){key, found});
    }
    *space = found;
    return PZ_OK;
}

static enum pz_status open_board(struct lookup_worker *worker, const struct request *request,
                                 const struct pz_space **space, void *state, struct pz_error *error)
{
    /* As EXPLORE opens it: the name of a table may have the root, as of jugs. */
    struct pz_setup setup = request_setup(request, request_text(request, KEY_ROOT));
    const char *start = request->argument_count > 1 ? request->argument[1] : NULL;
    struct pz_error first;
    enum pz_status status = open_kept(worker, request, &setup, space, &first);
    const bool opened = status == PZ_OK; /* else it may be a puzzle that needs a board */
    if (opened && start != NULL)
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): open_kept has set it */
        status = (*space)->puzzle->parse(*space, start, state, &first);
    if (status == PZ_OK)
        return PZ_OK;
    if (start == NULL)
        return pz_fail(error, status, "%s", first.text);
    /* Some boards need a space of their own (walls, equal tiles): open once more with the start known. */
    space_close(worker->single);
    worker->single = NULL;
    setup.start = start;
    enum pz_status again = space_open(request->argument[0], &setup, &worker->single, error);
    if (again == PZ_MEMORY || (again != PZ_OK && !opened))
        return again;
    if (again != PZ_OK)
        return pz_fail(error, status, "%s", first.text);
    *space = worker->single;
    worker->by_board = request_text(request, KEY_ROOT) == NULL;
    return worker->single->puzzle->parse(worker->single, start, state, error);
}

enum pz_status lookup_worker_open(struct lookup_worker *worker, const struct request *request,
                                  const struct pz_space **space, void *state, struct pz_error *error)
{
    const char *text = request_text(request, KEY_ROOT);
    struct root_set roots;
    assert(request->verb < VERB_COUNT && verb_row(request->verb)->takes_puzzle &&
           request->argument_count > 0);
    enum pz_status status = open_board(worker, request, space, state, error);
    if (status == PZ_OK && text != NULL)
        status = root_set_read(*space, text, &roots, error);
    if (status == PZ_OK)
        answers_ask_roots(worker->answers, text != NULL ? &roots : NULL);
    return status;
}

/* ---- requests ---- */

void reply_rest_free(struct reply_rest *rest)
{
    if (rest->state != NULL)
        rest->free(rest->state);
    rest->state = NULL;
}

struct reply_rest *lookup_worker_rest(struct lookup_worker *worker)
{
    return worker->rest;
}

/* Ends a failed reply: with an error, or by closing the connection if a piece of the reply has been sent. */
static void fail_reply(const struct request *request, const struct pz_error *error, bool begun,
                       struct reply_rest *rest, struct text *out)
{
    reply_rest_free(rest);
    if (begun)
        out->failed = true;
    else
        reply_error(out, request->tag, error);
}

static void count(struct lookup_worker *worker, const struct request *request, enum pz_status status,
                  double began)
{
    unsigned verb = request->verb < VERB_COUNT ? request->verb : METRICS_NO_VERB;
    metrics_request(worker->options.metrics, verb, status, clock_seconds() - began);
}

/* ---- deferred lookups ---- */

static bool may_be_deferred(enum verb verb)
{
    return verb == VERB_DISTANCE || verb == VERB_PATH || verb == VERB_SAMPLE || verb == VERB_DEEPEST;
}

/* Returns true if the exploration has at most so many states, as far as is known. */
static bool exploration_is_small(const struct pz_space *space, const char *begin, enum explore_from from,
                                 uint64_t most)
{
    struct root_set roots = {.count = 1};
    struct question_plan plan = {0};
    struct pz_error error;
    const enum pz_status begun = begin != NULL ? root_set_read(space, begin, &roots, &error)
                                               : space->puzzle->root(space, roots.states, &error);
    if (begun != PZ_OK)
        return false;
    const struct explore_request asked = {.space = space,
                                          .root = roots.states,
                                          .roots = roots.count,
                                          .from = from,
                                          .depth = EXPLORE_NO_LIMIT,
                                          .keep = KEEP_TABLE};
    const bool possible = question_plan_init(&plan, &asked, 0, &plan_offer_any, &error) == PZ_OK;
    const bool small = possible && plan.estimate.states <= most;
    question_plan_clear(&plan);
    return small;
}

/* Fills in the EXPLORE from a root, with the limits of a space of unknown size, and of a known one at the
 * most. Returns false if it is too long for a request. */
static bool make_exploration(struct request *made, const struct request *asked, const char *root,
                             bool to_goal)
{
    request_begin(made, VERB_EXPLORE);
    bool fits = request_add(made, NULL, asked->argument[0]) &&
                request_add(made, "goal", request_text(asked, KEY_GOAL)) && request_add(made, "root", root) &&
                request_add(made, "from", to_goal ? "goals" : NULL) && request_add(made, "keep", "table") &&
                request_add(made, "time", "2s") && request_add(made, "memory", "64M");
    for (size_t i = 0; i < asked->puzzle_key_count && fits; i++)
        fits = request_add(made, asked->puzzle_key[i].key, asked->puzzle_key[i].value);
    return fits && request_understand(made, NULL) == PZ_OK;
}

/* Notes the exploration that a refused lookup would need, if it may be made and has not too many states. */
static void defer(struct lookup_worker *worker, const struct request *request, struct deferral *deferral)
{
    const struct pz_space *space = NULL;
    uint64_t state[PZ_STATE_MAX / 8];
    struct pz_error error;
    if (deferral->most == 0 || deferral->made || !may_be_deferred(request->verb) ||
        lookup_worker_open(worker, request, &space, state, &error) != PZ_OK)
        return;
    const char *root = request_text(request, KEY_ROOT);
    const int64_t usual = root != NULL && space_has_one_end(space) ? FROM_ROOT : FROM_GOALS;
    const bool to_goal =
        (space->flags & PZ_NO_GOAL) == 0 && request_number(request, KEY_FROM, usual) == FROM_GOALS;
    if (!exploration_is_small(space, root, to_goal ? FROM_GOALS : FROM_ROOT, deferral->most))
        return;
    if (worker->by_board)
        root = request->argument[1];
    struct request *made = malloc(sizeof *made);
    if (made == NULL || !make_exploration(made, request, root, to_goal)) {
        free(made);
        return;
    }
    deferral->hash = XXH3_64bits(made->words, made->used);
    deferral->request = made;
}

/* Says that the exploration which is missing begins at the board that was asked about. */
static void tell_root(struct pz_error *error)
{
    const struct pz_error told = *error;
    (void)pz_fail(error, told.code, "table_root=start %s", told.text);
}

/* ---- one request ---- */

/* Adds "explored=now" to the first line of a reply. */
static void add_explored_now(struct text *out, size_t before)
{
    struct text rest = {0};
    const size_t first = before + strcspn(out->data + before, "\n");
    text_append(&rest, out->data + first, out->length - first);
    text_cut(out, first);
    text_key(out, "explored", "now");
    text_join(out, &rest);
    text_free(&rest);
}

void lookup_worker_run(struct lookup_worker *worker, const struct request *request, struct deferral *deferral,
                       struct reply_rest *rest, struct text *out)
{
    struct pz_error error;
    const size_t before = out->length;
    const double began = clock_seconds();
    const bool begun = rest->state != NULL;
    worker->rest = rest;
    worker->by_board = false;
    answers_ask_roots(worker->answers, NULL);
    enum pz_status status = worker->options.function(request->verb)(worker, request, out, &error);
    if (status != PZ_OK)
        text_cut(out, before);
    if (status == PZ_NO_TABLE)
        defer(worker, request, deferral);
    if (deferral->request != NULL)
        return;
    if (status == PZ_NO_TABLE && worker->by_board)
        tell_root(&error);
    if (status == PZ_NO_TABLE && deferral->made && deferral->refused.code != PZ_OK) {
        error = deferral->refused;
        status = error.code;
    }
    if (status != PZ_OK) {
        error.code = status;
        fail_reply(request, &error, begun, rest, out);
    } else if (deferral->made && out->length > before) {
        add_explored_now(out, before);
    }
    deferral->made = false;
    if (rest->state == NULL)
        count(worker, request, status, began);
}

void lookup_worker_run_line(struct lookup_worker *worker, const char *line, size_t length,
                            struct deferral *deferral, struct text *out)
{
    struct request request;
    struct pz_error error;
    struct reply_rest rest = {0};
    enum pz_status status = request_parse(&request, line, length, &error);
    if (status == PZ_OK)
        status = request_understand(&request, &error);
    if (status == PZ_OK) {
        lookup_worker_run(worker, &request, deferral, &rest, out);
        return;
    }
    reply_error(out, request.tag, &error);
    count(worker, &request, status, clock_seconds());
}
