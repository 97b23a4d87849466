/* SPDX-License-Identifier: MIT */
/* Boards of one space that are as far from the goal as wanted. */
#include "client/many/make_search.h"

#include "client/jobs/follow.h"
#include "client/show/sliding.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { IN_VAIN = 1000 /* boards in a row that were there, or too easy or too hard */ };

struct sampler {
    struct make_search *search;
    const char *puzzle;
    json_t *seen; /* a member for each board */
    uint64_t found;
};

static uint64_t draw_moves(struct sampler *sampler, uint64_t most)
{
    const uint64_t least = sampler->search->least;
    return least + sliding_below(&sampler->search->plan.seed, (unsigned)(most - least + 1));
}

/* Begins a request about the puzzle, with more keys. */
static struct text *sampler_request(const struct sampler *sampler, const char *verb, const char *keys)
{
    struct text *request = session_request(sampler->search->session, verb, sampler->puzzle);
    text_add(request, keys);
    return request;
}

static enum exit_code sampler_take_new(struct sampler *sampler, const char *board, uint64_t moves,
                                       unsigned *in_vain)
{
    const struct made_board made = {sampler->puzzle, board, moves};
    ++*in_vain;
    if (json_object_get(sampler->seen, board) != NULL)
        return EXIT_FOUND;
    (void)json_object_set_new(sampler->seen, board, json_true());
    sampler->found++;
    *in_vain = 0;
    return sampler->search->take(sampler->search->context, &made);
}

/* ---- from a table ---- */

static enum exit_code sample_one(struct sampler *sampler, const char *from, uint64_t most, unsigned *in_vain)
{
    struct text keys = {0};
    struct records boards = {0};
    const uint64_t moves = draw_moves(sampler, most);
    text_format(&keys, "%s depth=%" PRIu64 " seed=%u", from, moves,
                sliding_below(&sampler->search->plan.seed, UINT32_MAX));
    enum exit_code code = session_list(sampler->search->session,
                                       sampler_request(sampler, "SAMPLE", text_string(&keys)), &boards);
    if (code == EXIT_FOUND && boards.count == 0)
        ++*in_vain;
    else if (code == EXIT_FOUND)
        code = sampler_take_new(sampler, reply_text(&boards.records[0], "board"), moves, in_vain);
    records_clear(&boards);
    text_free(&keys);
    return code;
}

/* ---- by walks ---- */

/* Goes to a random neighbour of *board, but not back to *before; both are malloc'd, NULL at first. */
static enum exit_code walk_step(struct sampler *sampler, char **board, char **before)
{
    struct text keys = {0};
    struct records nodes = {0};
    if (*board != NULL)
        text_key(&keys, "root", *board);
    text_add(&keys, " depth=1");
    const enum exit_code code =
        session_list(sampler->search->session, sampler_request(sampler, "GRAPH", text_string(&keys)), &nodes);
    text_free(&keys);
    if (code != EXIT_FOUND || nodes.count < 2) {
        records_clear(&nodes);
        return code;
    }
    const char *next = NULL;
    for (unsigned tries = 0; tries < 100; tries++) {
        next = reply_text(
            &nodes.records[1 + sliding_below(&sampler->search->plan.seed, (unsigned)nodes.count - 1)],
            "board");
        if (*before == NULL || strcmp(next, *before) != 0)
            break;
    }
    free(*before);
    *before = *board != NULL ? *board : strdup(reply_text(&nodes.records[0], "board"));
    *board = strdup(next);
    records_clear(&nodes);
    return EXIT_FOUND;
}

static enum exit_code solve_walked(struct sampler *sampler, const char *board, unsigned *in_vain)
{
    struct text *request = session_request(sampler->search->session, "SOLVE", sampler->puzzle);
    struct reply result = {0};
    int64_t moves = -1;
    text_key(request, "start", board);
    text_add(request, " tool=make");
    enum exit_code code = finished_ask(sampler->search->session, request, &result);
    if (code == EXIT_FOUND && reply_integer(&result, "moves", &moves) && moves >= 0 &&
        (uint64_t)moves >= sampler->search->least && (uint64_t)moves <= sampler->search->plan.most)
        code = sampler_take_new(sampler, board, (uint64_t)moves, in_vain);
    else
        ++*in_vain;
    reply_clear(&result);
    return code;
}

/* Walks are up to twice as long as the moves that are wanted: some lead back. */
static enum exit_code walk_one(struct sampler *sampler, unsigned *in_vain)
{
    enum exit_code code = EXIT_FOUND;
    char *board = NULL, *before = NULL;
    const uint64_t least = sampler->search->least, most = sampler->search->plan.most;
    const uint64_t wanted = draw_moves(sampler, most < least + 40 ? most : least + 40);
    const uint64_t length = wanted + sliding_below(&sampler->search->plan.seed, (unsigned)wanted + 1);
    for (uint64_t i = 0; i < length && code == EXIT_FOUND; i++)
        code = walk_step(sampler, &board, &before);
    if (code == EXIT_FOUND && board != NULL)
        code = solve_walked(sampler, board, in_vain);
    free(board);
    free(before);
    return code;
}

/* ---- both ---- */

/* Finds the farthest boards of the table. *from: the key of the table of distances to the goal. Returns
 * EXIT_REFUSED where there is no table, or only one that ends before the most moves that are wanted. */
static enum exit_code deepest_of(const struct sampler *sampler, const char **from, uint64_t *deepest)
{
    struct records records = {0};
    static const char *const tables[] = {" from=goals", ""};
    enum exit_code code = EXIT_REFUSED;
    for (unsigned i = 0; i < 2 && code == EXIT_REFUSED; i++) {
        *from = tables[i];
        code = session_try_list(sampler->search->session, sampler_request(sampler, "DEEPEST", tables[i]),
                                &records);
        if (code == EXIT_FOUND)
            *deepest = strtoull(reply_text(&records.head, "depth"), NULL, 10);
        if (code == EXIT_FOUND && reply_is(&records.head, "complete", "no") &&
            *deepest < sampler->search->plan.most)
            code = EXIT_REFUSED;
        records_clear(&records);
    }
    return code;
}

static enum exit_code sample_all(struct sampler *sampler)
{
    struct make_search *search = sampler->search;
    const char *from = "";
    uint64_t deepest = 0;
    unsigned in_vain = 0;
    enum exit_code code = deepest_of(sampler, &from, &deepest);
    const bool known = code == EXIT_FOUND;
    if (code != EXIT_FOUND && code != EXIT_REFUSED)
        return code;
    deepest = known && deepest < search->plan.most ? deepest : search->plan.most;
    if (known && deepest < search->least)
        return EXIT_FOUND;
    code = EXIT_FOUND;
    for (uint64_t i = 0; i < search->tries && sampler->found < search->count && in_vain < IN_VAIN; i++) {
        code = known ? sample_one(sampler, from, deepest, &in_vain) : walk_one(sampler, &in_vain);
        if (code != EXIT_FOUND)
            break;
        search->judged(search->context);
    }
    return code;
}

enum exit_code make_sample(struct make_search *search, const char *puzzle, uint64_t *found)
{
    struct sampler sampler = {.search = search, .puzzle = puzzle, .seen = json_object()};
    const enum exit_code code = sample_all(&sampler);
    json_decref(sampler.seen);
    *found = sampler.found;
    return code == EXIT_FOUND && sampler.found < search->count ? EXIT_NO_ANSWER : code;
}
