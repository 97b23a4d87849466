/* SPDX-License-Identifier: MIT */
#include "client/many/batch.h"

#include "client/jobs/job_result.h"
#include "client/jobs/progress.h"
#include "client/many/batch_print.h"
#include "client/session/command.h"
#include "client/session/suggest.h"

#include <assert.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

/* The longest that an unordered batch waits for one job before it looks at the others. */
#define WAIT_MOMENT " timeout=100ms"

/* SOLVE_WINDOW: twice the submissions that the daemon begins ahead of their replies, so that it never waits
 * for more. OLDEST: jobs that may have ended by the time that the first of them has. */
enum { LOOKUP_WINDOW = 1024, SOLVE_WINDOW = 128, OLDEST = 16, RETRY_MS = 100 };

/* The state of a board. A lookup, or a board that is solved at once: READY → ASKED → ANSWERED. A job that
 * runs: READY → ASKED → SUBMITTED → ENDED → ANSWERED. A refusal that may be repeated leads back to READY, any
 * other to ANSWERED. A board that was printed out of order stays PRINTED until it is the first. */
enum phase { PHASE_READY, PHASE_ASKED, PHASE_SUBMITTED, PHASE_ENDED, PHASE_ANSWERED, PHASE_PRINTED };

struct item {
    enum phase phase;
    struct board_text text;
    long long job;
    struct reply answer;
};

struct batch {
    struct session *session;
    const struct arguments *arguments;
    const char *verb;
    bool solve;
    struct board_input input;
    bool ended; /* no more input */
    size_t window;
    size_t first, count;
    struct item *items;  /* a ring of `window` items */
    struct item **asked; /* a ring as large: those that wait for their replies, in the order of asking */
    size_t asked_first, asked_count;
    enum exit_code worst;
    bool unordered; /* answers are printed as they come */
    struct list_progress progress;
};

/* Moves a board to its next state. */
static void item_move(struct item *item, enum phase phase)
{
    static const unsigned next[] = {
        [PHASE_READY] = 1u << PHASE_ASKED | 1u << PHASE_ANSWERED, /* one that cannot be sent */
        [PHASE_ASKED] = 1u << PHASE_READY | 1u << PHASE_SUBMITTED | 1u << PHASE_ENDED | 1u << PHASE_ANSWERED,
        [PHASE_SUBMITTED] = 1u << PHASE_ENDED | 1u << PHASE_ANSWERED,
        [PHASE_ENDED] = 1u << PHASE_ANSWERED,
        [PHASE_ANSWERED] = 1u << PHASE_PRINTED,
        [PHASE_PRINTED] = 0,
    };
    const bool legal = (next[item->phase] >> phase & 1) != 0;
    assert(legal);
    (void)legal;
    item->phase = phase;
}

static struct item *item_at(const struct batch *batch, size_t number)
{
    assert(batch->first < batch->window && number < batch->window);
    return &batch->items[(batch->first + number) % batch->window];
}

/* ---- requests ---- */

static enum exit_code refuse_here(struct item *item, const char *code, const char *text)
{
    board_input_refuse(code, text, &item->answer);
    item_move(item, PHASE_ANSWERED);
    return EXIT_FOUND;
}

static enum exit_code ask_item(struct batch *batch, struct item *item)
{
    struct pz_error error;
    char size[INFER_SIZE_MAX];
    const char *puzzle = batch->arguments->words[0];
    if (item->text.wrong != NULL)
        return refuse_here(item, "bad-board", item->text.wrong);
    if (*puzzle == '\0' && !infer_size(item->text.board, size))
        return refuse_here(item, "bad-request", "the board does not show its size: name the puzzle");
    struct text *request = session_request(batch->session, batch->verb, *puzzle != '\0' ? puzzle : size);
    if (batch->solve)
        text_key(request, "start", item->text.board);
    else
        compose_word(request, item->text.board);
    board_input_pairs(request, batch->arguments, item->text.goal);
    if (batch->solve && arguments_pair(batch->arguments, "threads") == NULL)
        text_key(request, "threads", "1");
    if (!compose_end(request, &error))
        return refuse_here(item, "bad-request", error.text);
    if (!connection_send(batch->session->connection, request->data, request->length))
        return session_fail(batch->session, EXIT_TROUBLE, "memory", "no memory for the request");
    assert(batch->asked_count < batch->window);
    item_move(item, PHASE_ASKED);
    batch->asked[(batch->asked_first + batch->asked_count++) % batch->window] = item;
    return EXIT_FOUND;
}

static void take_answer(struct batch *batch, struct item *item)
{
    const struct reply *answer = &item->answer;
    int64_t job = 0;
    bool again = answer->kind == REPLY_ERR && answer->retry &&
                 (strcmp(answer->code, "busy") == 0 || strcmp(answer->code, "limit") == 0);
    if (again || answer->kind == REPLY_ERR || !batch->solve) {
        item_move(item, again ? PHASE_READY : PHASE_ANSWERED);
        return;
    }
    if (reply_get(answer, "kind") != NULL) /* all that RESULT would say; not of a long result */
        item_move(item, PHASE_ANSWERED);
    else
        item_move(item, result_is_end(reply_text(answer, "state")) ? PHASE_ENDED : PHASE_SUBMITTED);
    if (reply_integer(answer, "job", &job))
        item->job = (long long)job;
}

static enum exit_code read_item(struct batch *batch, struct item *item)
{
    reply_clear(&item->answer);
    batch->session->place = item->text.place;
    enum exit_code code = session_read(batch->session, &item->answer);
    batch->session->place = NULL;
    if (code == EXIT_FOUND && item->answer.kind != REPLY_OK && item->answer.kind != REPLY_ERR)
        code = session_lost(batch->session, "a line that is neither OK nor ERR where a reply begins");
    return code;
}

static enum exit_code ask_ready(struct batch *batch)
{
    enum exit_code code = session_connect(batch->session);
    for (size_t i = 0; i < batch->count && code == EXIT_FOUND; i++)
        if (item_at(batch, i)->phase == PHASE_READY)
            code = ask_item(batch, item_at(batch, i));
    return code;
}

/* Reads replies until only half a window waits for theirs, or none if no more than that did. Reads all when
 * the daemon asks to try later. */
static enum exit_code read_asked(struct batch *batch)
{
    size_t leave = batch->asked_count > batch->window / 2 ? batch->window / 2 : 0;
    enum exit_code code = EXIT_FOUND;
    while (batch->asked_count > leave && code == EXIT_FOUND) {
        struct item *item = batch->asked[batch->asked_first];
        batch->asked_first = (batch->asked_first + 1) % batch->window;
        batch->asked_count--;
        assert(item->phase == PHASE_ASKED);
        code = read_item(batch, item);
        if (code == EXIT_FOUND)
            take_answer(batch, item);
        if (item->phase == PHASE_READY)
            leave = 0;
    }
    return code;
}

/* keys: what stands behind the job, "" for nothing. */
static enum exit_code send_about(struct batch *batch, const char *verb, long long job, const char *keys)
{
    struct text *request = session_request_job(batch->session, verb, job);
    text_add(request, keys);
    return session_send(batch->session, request);
}

/* Fetches the results of all jobs that are known to have ended. */
static enum exit_code fetch_results(struct batch *batch)
{
    enum exit_code code = EXIT_FOUND;
    for (size_t i = 0; i < batch->count && code == EXIT_FOUND; i++)
        if (item_at(batch, i)->phase == PHASE_ENDED)
            code = send_about(batch, "RESULT", item_at(batch, i)->job, "");
    for (size_t i = 0; i < batch->count && code == EXIT_FOUND; i++) {
        struct item *item = item_at(batch, i);
        if (item->phase != PHASE_ENDED)
            continue;
        code = read_item(batch, item);
        item_move(item, PHASE_ANSWERED);
    }
    return code;
}

/* Waits for the oldest job; the jobs after it run meanwhile. Asks for the results of the next ones with its
 * own, and leaves those that have not ended as they are. */
static enum exit_code wait_for_oldest(struct batch *batch)
{
    const size_t most = batch->count < OLDEST ? batch->count : OLDEST;
    struct reply waited = {0};
    enum exit_code code = send_about(batch, "WAIT", item_at(batch, 0)->job, "");
    for (size_t i = 0; i < most && code == EXIT_FOUND; i++)
        if (item_at(batch, i)->phase == PHASE_SUBMITTED)
            code = send_about(batch, "RESULT", item_at(batch, i)->job, "");
    if (code == EXIT_FOUND)
        code = session_read(batch->session, &waited); /* RESULT says what is wrong, if anything is */
    reply_clear(&waited);
    for (size_t i = 0; i < most && code == EXIT_FOUND; i++) {
        struct item *item = item_at(batch, i);
        if (item->phase != PHASE_SUBMITTED)
            continue;
        code = read_item(batch, item);
        if (item->answer.kind != REPLY_ERR || strcmp(item->answer.code, "not-finished") != 0)
            item_move(item, PHASE_ANSWERED);
    }
    return code;
}

/* Waits for the oldest job only for a moment, and then looks at all the others. */
static enum exit_code wait_for_any(struct batch *batch)
{
    const struct item *first = item_at(batch, 0);
    enum exit_code code = send_about(batch, "WAIT", first->job, WAIT_MOMENT);
    for (size_t i = 1; i < batch->count && code == EXIT_FOUND; i++)
        if (item_at(batch, i)->phase == PHASE_SUBMITTED)
            code = send_about(batch, "WAIT", item_at(batch, i)->job, " timeout=0ms");
    for (size_t i = 0; i < batch->count && code == EXIT_FOUND; i++) {
        struct item *item = item_at(batch, i);
        if (item->phase != PHASE_SUBMITTED)
            continue;
        code = read_item(batch, item);
        if (item->answer.kind == REPLY_ERR)
            item_move(item, PHASE_ANSWERED);
        else if (result_is_end(reply_text(&item->answer, "state")))
            item_move(item, PHASE_ENDED);
    }
    return code;
}

enum exit_code batch_worse(enum exit_code worst, enum exit_code code)
{
    static const enum exit_code ranks[] = {EXIT_REFUSED, EXIT_ENDED, EXIT_DETACHED, EXIT_NO_ANSWER,
                                           EXIT_FOUND};
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++)
        if (ranks[i] == worst || ranks[i] == code)
            return ranks[i];
    return worst;
}

static enum exit_code exit_of(const struct batch *batch, const struct reply *answer)
{
    if (answer->kind == REPLY_ERR)
        return EXIT_REFUSED;
    if (batch->solve)
        return result_exit(answer);
    return reply_is(answer, "solvable", "yes") ? EXIT_FOUND : EXIT_NO_ANSWER;
}

/* Returns the answered share of the input; 0 if the size of the input is not known. */
static double share_of(const struct batch *batch)
{
    const double answered = (double)batch->progress.done / (double)(batch->progress.done + batch->count);
    return board_input_share(&batch->input) * answered;
}

static enum exit_code print_item(struct batch *batch, struct item *item)
{
    batch->worst = batch_worse(batch->worst, exit_of(batch, &item->answer));
    const struct batch_line line = {item->text.board, batch->arguments->words[0],
                                    arguments_pair(batch->arguments, "metric"), item->text.title,
                                    &item->answer};
    bool written = batch_print(batch->session, &line);
    batch->progress.share = share_of(batch);
    list_progress_step(&batch->progress, 1);
    item_move(item, PHASE_PRINTED);
    return written ? EXIT_FOUND : EXIT_TROUBLE;
}

static void item_clear(struct item *item)
{
    board_text_clear(&item->text);
    reply_clear(&item->answer);
    *item = (struct item){0};
}

/* Prints the boards whose turn it is and makes room in the ring. */
static enum exit_code print_answered(struct batch *batch)
{
    enum exit_code code = EXIT_FOUND;
    for (size_t i = 0; i < batch->count && code == EXIT_FOUND; i++) {
        struct item *item = item_at(batch, i);
        if (item->phase == PHASE_ANSWERED)
            code = print_item(batch, item);
        if (item->phase != PHASE_PRINTED && !batch->unordered)
            break;
    }
    while (batch->count > 0 && item_at(batch, 0)->phase == PHASE_PRINTED) {
        item_clear(item_at(batch, 0));
        batch->first = (batch->first + 1) % batch->window;
        batch->count--;
    }
    return code;
}

/* ---- the loop ---- */

static enum exit_code batch_fill(struct batch *batch)
{
    while (!batch->ended && batch->count < batch->window) {
        struct board_text board;
        switch (board_input_next(&batch->input, batch->count == 0, &board)) {
        case LINES_LINE:
            *item_at(batch, batch->count++) = (struct item){.text = board};
            break;
        case LINES_NOT_YET:
            return EXIT_FOUND;
        case LINES_END:
            batch->ended = true;
            break;
        case LINES_NO_MEMORY:
        case LINES_FAILED:
            return board_input_failed(batch->session, &batch->input);
        }
    }
    return EXIT_FOUND;
}

/* Advances the oldest board if it holds up the rest. */
static enum exit_code push_first(struct batch *batch)
{
    struct item *item = item_at(batch, 0);
    assert(item->phase != PHASE_PRINTED); /* print_answered has removed those */
    if (item->phase == PHASE_SUBMITTED) {
        (void)fflush(batch->session->terminal->out);
        return batch->unordered ? wait_for_any(batch) : wait_for_oldest(batch);
    }
    if (item->phase == PHASE_READY)
        (void)poll(NULL, 0, RETRY_MS); /* the daemon asked to try later */
    return EXIT_FOUND;
}

/* Asks and reads what the ring has room for. Other requests than those for boards only go out when no board
 * waits for its reply, which would come first. */
static enum exit_code step(struct batch *batch)
{
    enum exit_code code = ask_ready(batch);
    if (code == EXIT_FOUND)
        code = read_asked(batch);
    if (code == EXIT_FOUND && batch->asked_count == 0)
        code = fetch_results(batch);
    if (code == EXIT_FOUND)
        code = print_answered(batch);
    if (code == EXIT_FOUND && batch->asked_count == 0 && batch->count > 0)
        code = push_first(batch);
    if (code == EXIT_FOUND && batch->count == 0)
        (void)fflush(batch->session->terminal->out);
    return code;
}

static enum exit_code run_boards(struct batch *batch)
{
    for (;;) {
        enum exit_code code = batch_fill(batch);
        if (code == EXIT_FOUND && batch->count == 0)
            return batch->worst;
        if (code == EXIT_FOUND)
            code = step(batch);
        if (code != EXIT_FOUND)
            return code;
    }
}

static enum exit_code run_input(struct batch *batch)
{
    const struct terminal *terminal = batch->session->terminal;
    board_input_invite(batch->session, "boards");
    board_input_begin(&batch->input, fileno(terminal->in), NULL, batch->arguments->words[0]);
    batch->unordered = arguments_option(batch->arguments, "unordered") != NULL;
    list_progress_begin(&batch->progress, terminal, !terminal->out_tty && !batch->session->quiet, "boards");
    enum exit_code code = batch_print_titles(batch->session) ? run_boards(batch) : EXIT_TROUBLE;
    list_progress_end(&batch->progress);
    for (size_t i = 0; i < batch->count; i++)
        item_clear(item_at(batch, i));
    board_input_clear(&batch->input);
    return code;
}

enum exit_code batch_run(struct session *session, const struct arguments *arguments)
{
    const bool solve = session->verb == VERB_SOLVE;
    struct batch batch = {.session = session,
                          .arguments = arguments,
                          .verb = verb_row(session->verb)->word,
                          .solve = solve,
                          .window = solve ? SOLVE_WINDOW : LOOKUP_WINDOW};
    batch.items = calloc(batch.window, sizeof *batch.items);
    batch.asked = calloc(batch.window, sizeof(struct item *));
    enum exit_code code = EXIT_TROUBLE;
    if (batch.items != NULL && batch.asked != NULL)
        code = run_input(&batch);
    else
        (void)session_fail(session, code, "memory", "no memory for a batch");
    free(batch.items);
    free(batch.asked);
    return code;
}
