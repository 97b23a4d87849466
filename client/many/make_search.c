/* SPDX-License-Identifier: MIT */
#include "client/many/make_search.h"

#include "client/show/sliding.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHAINS = 16,
    HALF = CHAINS / 2, /* of them are explored while the others are judged */
    PATIENCE = 60,     /* changes that were not kept, after which a chain begins anew */
    APART = 3,         /* changes that were kept between two boards of one chain */
    RARE = 64,         /* sets a board, from which on chains go on from hard sets */
    RETRY_MS = 50
};

struct chain {
    struct make_field best, now;
    int64_t reached;     /* moves of the hardest board of best; -1 for a set without one */
    unsigned in_vain;    /* changes since that were not kept */
    unsigned kept;       /* changes since a board was taken; APART at the beginning */
    struct text name;    /* of the puzzle of now */
    long long job, done; /* its job; the one before, which is to be forgotten; 0 for none */
    bool asked, own;     /* to be submitted; its job was not there before */
    bool drawn;          /* to be judged */
    struct reply result; /* of the job; empty for a set that is no board */
};

struct chains {
    struct make_search *search;
    json_t *seen; /* a member for each space: its numbers of states, or a set's name */
    struct chain chain[CHAINS];
    uint64_t drawn, found;
};

/* ---- asking about half of the chains at once ---- */

static enum exit_code send_set(const struct chains *chains, const struct chain *chain)
{
    const bool explored = make_explored(&chains->search->plan);
    struct text *request =
        session_request(chains->search->session, explored ? "EXPLORE" : "SOLVE", text_string(&chain->name));
    text_add(request, explored ? " from=goals keep=levels planes=memory" : "");
    text_format(request, " threads=1 memory=%s tool=make", make_memory(&chains->search->plan));
    return session_send(chains->search->session, request);
}

static enum exit_code send_verb(const struct chains *chains, const char *verb, long long job)
{
    struct session *session = chains->search->session;
    return session_send(session, session_request_job(session, verb, job));
}

/* Reads the reply to a set of pieces. One that is no board has no job; *later: the daemon asks to try again.
 */
static enum exit_code chain_read_job(const struct chains *chains, struct chain *chain, bool *later)
{
    struct reply reply = {0};
    int64_t job = 0;
    const enum exit_code code = session_read(chains->search->session, &reply);
    chain->asked = code == EXIT_FOUND && reply.kind == REPLY_ERR && reply.retry;
    *later |= chain->asked;
    if (code == EXIT_FOUND && reply_integer(&reply, "job", &job)) {
        chain->job = (long long)job;
        chain->own = !reply_is(&reply, "cached", "yes");
    }
    reply_clear(&reply);
    return code;
}

/* Submits the sets that were drawn, again while the daemon asks to try later. half: its first chain. */
static enum exit_code submit_sets(const struct chains *chains, struct chain *half)
{
    enum exit_code code = EXIT_FOUND;
    for (bool later = true; later && code == EXIT_FOUND;) {
        later = false;
        for (unsigned i = 0; i < HALF && code == EXIT_FOUND; i++)
            code = half[i].asked ? send_set(chains, &half[i]) : EXIT_FOUND;
        for (unsigned i = 0; i < HALF && code == EXIT_FOUND; i++)
            code = half[i].asked ? chain_read_job(chains, &half[i], &later) : EXIT_FOUND;
        if (later)
            (void)poll(NULL, 0, RETRY_MS);
    }
    return code;
}

static enum exit_code read_and_drop(const struct chains *chains)
{
    struct reply reply = {0};
    const enum exit_code code = session_read(chains->search->session, &reply);
    reply_clear(&reply);
    return code;
}

/* Forgets the jobs that were judged, while others run; one that is asked about again is kept until later. */
static enum exit_code forget_judged(struct chains *chains)
{
    enum exit_code code = EXIT_FOUND;
    unsigned sent = 0;
    for (unsigned i = 0; i < CHAINS && code == EXIT_FOUND; i++) {
        const long long job = chains->chain[i].done;
        unsigned again = 0;
        while (again < CHAINS && (job == 0 || chains->chain[again].job != job))
            again++;
        if (again < CHAINS)
            chains->chain[again].own = true;
        else if (job != 0 && (code = send_verb(chains, "FORGET", job)) == EXIT_FOUND)
            sent++;
        chains->chain[i].done = 0;
    }
    for (; sent > 0 && code == EXIT_FOUND; sent--)
        code = read_and_drop(chains);
    return code;
}

static enum exit_code read_results(const struct chains *chains, struct chain *half)
{
    enum exit_code code = EXIT_FOUND;
    for (unsigned i = 0; i < HALF && code == EXIT_FOUND; i++) {
        if (half[i].job == 0)
            continue;
        code = send_verb(chains, "WAIT", half[i].job);
        if (code == EXIT_FOUND)
            code = send_verb(chains, "RESULT", half[i].job);
    }
    for (unsigned i = 0; i < HALF && code == EXIT_FOUND; i++) {
        if (half[i].job == 0)
            continue;
        code = read_and_drop(chains);
        if (code == EXIT_FOUND)
            code = session_read(chains->search->session, &half[i].result);
    }
    return code;
}

/* ---- judging one ---- */

/* Returns the first board of a level by its text: the same in every run. NULL if not all boards are told. */
static char *first_example(const struct reply *level)
{
    const char *rest = reply_text(level, "example"), *first = rest;
    uint64_t told = 0;
    for (; *rest != '\0'; told++) {
        first = strcmp(rest, first) < 0 ? rest : first;
        rest += strcspn(rest, " ");
        rest += strspn(rest, " ");
    }
    return told > 0 && told == strtoull(reply_text(level, "states"), NULL, 10)
               ? strndup(first, strcspn(first, " "))
               : NULL;
}

/* Takes the hardest narrow level within the wanted moves, and a board of it, NULL for none. Writes the
 * space's numbers of states into *shape: mirror images have the same. */
static enum exit_code take_hardest(const struct chains *chains, const struct chain *chain, char **board,
                                   uint64_t *moves, struct text *shape)
{
    const struct make_search *search = chains->search;
    struct text *request = session_request_job(search->session, "LEVELS", chain->job);
    struct records levels = {0};
    text_add(request, " examples=16");
    const enum exit_code code = session_list(search->session, request, &levels);
    *board = NULL;
    for (size_t i = 0; code == EXIT_FOUND && i < levels.count; i++) {
        const uint64_t level = strtoull(reply_text(&levels.records[i], "level"), NULL, 10);
        text_format(shape, "%s ", reply_text(&levels.records[i], "states"));
        char *first =
            level >= search->least && level <= search->plan.most ? first_example(&levels.records[i]) : NULL;
        if (first == NULL)
            continue;
        free(*board);
        *board = first;
        *moves = level;
    }
    records_clear(&levels);
    return code;
}

/* Takes a board of a set that is hard enough, if its space was not seen yet. */
static enum exit_code take_board(struct chains *chains, struct chain *chain)
{
    struct make_search *search = chains->search;
    struct text shape = {0};
    char *board = NULL;
    uint64_t moves = (uint64_t)chain->reached;
    enum exit_code code = EXIT_FOUND;
    if (make_explored(&search->plan))
        code = take_hardest(chains, chain, &board, &moves, &shape);
    else
        text_join(&shape, &chain->name);
    const bool wanted = !make_explored(&search->plan) ? moves <= search->plan.most : board != NULL;
    if (code == EXIT_FOUND && wanted && json_object_get(chains->seen, text_string(&shape)) == NULL &&
        chains->found < search->count) {
        const struct made_board made = {text_string(&chain->name), board != NULL ? board : "", moves};
        (void)json_object_set_new(chains->seen, text_string(&shape), json_true());
        chains->found++;
        code = search->take(search->context, &made);
    }
    text_free(&shape);
    free(board);
    return code;
}

/* Returns the moves of the hardest board of a set's space, or of the set itself; -1 without one. */
static int64_t chain_moves(const struct chain *chain)
{
    int64_t moves = -1;
    if (reply_is(&chain->result, "complete", "yes"))
        (void)reply_integer(&chain->result, "depth", &moves);
    else if (reply_is(&chain->result, "solvable", "yes"))
        (void)reply_integer(&chain->result, "moves", &moves);
    return moves;
}

/* Returns the moves from which on a set is a hard one, worth to go on from: three quarters of those wanted.
 */
static int64_t hard_moves(const struct chains *chains)
{
    const bool rare = chains->drawn > RARE * (chains->found + 1);
    return rare ? (int64_t)(chains->search->least - chains->search->least / 4) : INT64_MAX;
}

/* Keeps a set that is no easier than the one before, or still hard. */
static void keep_set(const struct chains *chains, struct chain *chain, int64_t moves)
{
    const int64_t hard = hard_moves(chains);
    if (moves < (chain->reached < hard ? chain->reached : hard)) {
        chain->in_vain++;
        return;
    }
    chain->in_vain = moves > chain->reached || moves >= hard ? 0 : chain->in_vain + 1;
    chain->kept++;
    chain->reached = moves;
    chain->best = chain->now;
}

static enum exit_code judge_set(struct chains *chains, struct chain *chain)
{
    const int64_t moves = chain_moves(chain);
    enum exit_code code = EXIT_FOUND;
    keep_set(chains, chain, moves);
    if (moves >= 0 && (uint64_t)moves >= chains->search->least && chain->kept >= APART) {
        code = take_board(chains, chain);
        chain->kept = 0;
        if (moves < hard_moves(chains))
            chain->reached = -1;
    }
    if (chain->in_vain > PATIENCE)
        chain->reached = -1;
    reply_clear(&chain->result);
    chain->done = chain->own ? chain->job : 0;
    chain->job = 0;
    if (chains->search->judged != NULL)
        chains->search->judged(chains->search->context);
    return code;
}

/* ---- the rounds ---- */

/* Begins a chain anew: by a change of another chain's hard set, or by a set of its own. */
static void begin_chain(struct chains *chains, struct chain *chain)
{
    struct make_plan *plan = &chains->search->plan;
    const struct chain *other = &chains->chain[sliding_below(&plan->seed, CHAINS)];
    chain->in_vain = 0;
    if (other->reached >= hard_moves(chains)) {
        chain->kept = 0;
        chain->reached = other->reached;
        chain->best = other->best;
        chain->now = other->best;
        make_field_change(plan, &chain->now);
    } else {
        chain->kept = APART;
        make_field_throw(plan, &chain->now);
    }
}

static void draw_sets(struct chains *chains, struct chain *half)
{
    struct make_search *search = chains->search;
    for (unsigned i = 0; i < HALF && chains->drawn < search->tries; i++, chains->drawn++) {
        struct chain *chain = &half[i];
        if (chain->reached < 0) {
            begin_chain(chains, chain);
        } else {
            chain->now = chain->best;
            make_field_change(&search->plan, &chain->now);
        }
        text_clear(&chain->name);
        make_field_name(&search->plan, &chain->now, &chain->name);
        chain->asked = chain->drawn = true;
    }
}

static enum exit_code begin_half(struct chains *chains, struct chain *half)
{
    draw_sets(chains, half);
    const enum exit_code code = submit_sets(chains, half);
    return code == EXIT_FOUND ? forget_judged(chains) : code;
}

static enum exit_code judge_half(struct chains *chains, struct chain *half)
{
    enum exit_code code = read_results(chains, half);
    for (unsigned i = 0; i < HALF && code == EXIT_FOUND; i++) {
        code = half[i].drawn ? judge_set(chains, &half[i]) : EXIT_FOUND;
        half[i].drawn = false;
    }
    return code;
}

/* The daemon explores one half while the other is judged, changed and submitted. */
static enum exit_code search_halves(struct chains *chains)
{
    const struct make_search *search = chains->search;
    struct chain *half = chains->chain, *other = half + HALF;
    enum exit_code code = begin_half(chains, half);
    while (code == EXIT_FOUND && chains->found < search->count && chains->drawn < search->tries) {
        struct chain *const judged = half;
        code = begin_half(chains, other);
        if (code == EXIT_FOUND)
            code = judge_half(chains, judged);
        half = other;
        other = judged;
    }
    if (code == EXIT_FOUND)
        code = judge_half(chains, half);
    return code == EXIT_FOUND ? forget_judged(chains) : code;
}

enum exit_code make_search(struct make_search *search, uint64_t *found)
{
    struct chains *chains = calloc(1, sizeof *chains);
    if (chains == NULL)
        return session_fail(search->session, EXIT_TROUBLE, "memory", "no memory to make boards");
    chains->search = search;
    chains->seen = json_object();
    for (unsigned i = 0; i < CHAINS; i++)
        chains->chain[i].reached = -1;
    const enum exit_code code = search_halves(chains);
    *found = chains->found;
    for (unsigned i = 0; i < CHAINS; i++) {
        reply_clear(&chains->chain[i].result);
        text_free(&chains->chain[i].name);
    }
    json_decref(chains->seen);
    free(chains);
    return code == EXIT_FOUND && *found < search->count ? EXIT_NO_ANSWER : code;
}
