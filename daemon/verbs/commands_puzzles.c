/* SPDX-License-Identifier: MIT */
/* PUZZLES: all puzzles, or one with its named layouts. */
#include "answer/answer.h"
#include "daemon/lookup/lookup_worker.h"
#include "daemon/net/pending_reply.h"
#include "daemon/verbs/verb_commands.h"
#include "space/klotski/klotski.h"
#include "space/registry.h"
#include "space/text/formats.h"
#include "space/text/library.h"

#include <inttypes.h>
#include <string.h>

static void list_puzzle(struct reply_records *listing, const struct pz_puzzle *puzzle, const char *name,
                        const char *example)
{
    struct text keys = {0};
    for (const char *const *key = puzzle->keys; key != NULL && *key != NULL; key++)
        text_format(&keys, "%s%s", keys.length > 0 ? " " : "", *key);
    text_format(&listing->lines, "puzzle=%s", name);
    text_key(&listing->lines, "example", example);
    text_key(&listing->lines, "does", puzzle->summary);
    text_key(&listing->lines, "keys", text_string(&keys));
    reply_record_end(listing);
    listing->lines.failed |= keys.failed;
    text_free(&keys);
}

static void list_puzzles(struct reply_records *listing)
{
    const struct pz_puzzle *puzzle = NULL;
    for (unsigned i = 0; (puzzle = registry_puzzle(i)) != NULL; i++)
        list_puzzle(listing, puzzle, puzzle->name, puzzle->example);
}

/* A definition is listed under its name. */
static void list_definitions(struct reply_records *listing)
{
    const struct definition *definition = NULL;
    while ((definition = library_next(definition)) != NULL)
        list_puzzle(listing, definition_puzzle(definition->format), definition->name, definition->name);
}

/* Lists the named layouts; only Klotski has them. */
static void list_layouts(const struct pz_puzzle *puzzle, struct reply_records *listing)
{
    const struct klotski_layout *layout = NULL;
    if (strcmp(puzzle->name, "klotski") != 0)
        return;
    for (unsigned i = 0; (layout = klotski_layout_at(i)) != NULL; i++) {
        const char *simplified = layout->simplified != NULL ? layout->simplified : layout->traditional;
        text_format(&listing->lines, "layout=%s:%s", puzzle->name, simplified);
        text_key(&listing->lines, "traditional", layout->traditional);
        text_key(&listing->lines, "board", layout->board);
        text_format(&listing->lines, " moves=%d single_steps=%d", layout->moves, layout->steps);
        reply_record_end(listing);
    }
}

static enum pz_status list_layouts_of(const char *name, struct reply_records *listing, struct pz_error *error)
{
    const struct pz_puzzle *puzzle = NULL;
    for (unsigned i = 0; (puzzle = registry_puzzle(i)) != NULL; i++)
        if (strcmp(puzzle->name, name) == 0)
            break;
    enum library_state state;
    const struct definition *text = puzzle == NULL ? library_named(name, &state) : NULL;
    definition_release(text);
    if (puzzle == NULL && text == NULL)
        return pz_fail(error, PZ_BAD_PUZZLE, "no puzzle is named '%.60s'; PUZZLES lists them", name);
    if (puzzle != NULL)
        list_layouts(puzzle, listing);
    return PZ_OK;
}

enum pz_status command_puzzles(struct lookup_worker *worker, const struct request *request, struct text *out,
                               struct pz_error *error)
{
    struct reply_records listing = {0};
    enum pz_status status = PZ_OK;
    (void)worker;
    if (request->argument_count > 0) {
        status = list_layouts_of(request->argument[0], &listing, error);
    } else {
        list_puzzles(&listing);
        list_definitions(&listing);
    }
    if (status != PZ_OK)
        return status;
    reply_list(out, request->tag, listing.count);
    reply_records_write(&listing, out);
    return PZ_OK;
}

/* HEURISTIC, on a worker thread. */

static void add_bound(void *context, const char *heuristic, int64_t at_least)
{
    struct reply_records *bounds = context;
    text_add(&bounds->lines, "heuristic=");
    text_add(&bounds->lines, heuristic);
    if (at_least >= 0)
        text_format(&bounds->lines, " at_least=%" PRId64, at_least);
    else
        text_add(&bounds->lines, " at_least=unknown");
    reply_record_end(bounds);
}

enum pz_status command_heuristic(struct lookup_worker *worker, const struct request *request,
                                 struct text *out, struct pz_error *error)
{
    const struct pz_space *space = NULL;
    uint64_t state[PZ_STATE_MAX / 8];
    struct reply_records bounds = {0};
    enum pz_status status = lookup_worker_open(worker, request, &space, state, error);
    if (status == PZ_OK)
        status = heuristics_each(lookup_worker_store(worker), space, state, add_bound, &bounds, error);
    if (status == PZ_OK) {
        reply_list(out, request->tag, bounds.count);
        reply_records_write(&bounds, out);
    }
    text_free(&bounds.lines);
    return status;
}
