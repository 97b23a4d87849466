/* SPDX-License-Identifier: MIT */
#include "batch.h"

#include "batch_print.h"
#include "command.h"
#include "infer.h"
#include "lines.h"
#include "result.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

enum { LOOKUP_WINDOW = 1024, SOLVE_WINDOW = 64, RETRY_MS = 100 };

/* Where a board stands. The moves: READY → ASKED → ANSWERED; for solving READY → ASKED → SUBMITTED → ENDED →
 * ANSWERED, where SUBMITTED is left out when the job is done at once; a refusal that may be repeated leads
 * back to READY, any other to ANSWERED. */
enum phase { PHASE_READY, PHASE_ASKED, PHASE_SUBMITTED, PHASE_ENDED, PHASE_ANSWERED };

struct item {
    enum phase phase;
    char *board;
    long long job;
    struct reply answer;
};

struct batch {
    struct session *session;
    const struct arguments *arguments;
    const char *verb;
    bool solve;
    struct lines lines;
    bool ended; /* no more input */
    size_t window;
    size_t first, count;
    struct item *items; /* a ring of window items */
    enum exit_code worst;
    enum batch_format format;
    struct batch_progress progress;
};

static struct item *item_at(const struct batch *batch, size_t number)
{
    return &batch->items[(batch->first + number) % batch->window];
}

/* ---- requests ---- */

/* Answers a board that cannot even be asked as the daemon would. */
static void refuse_here(struct item *item, const char *text)
{
    char line[600];
    (void)snprintf(line, sizeof line, "ERR bad-request fatal %s", text);
    (void)reply_parse(&item->answer, line, strlen(line), NULL);
    item->phase = PHASE_ANSWERED;
}

static enum exit_code ask_item(struct batch *batch, struct item *item)
{
    struct text request = {0};
    struct pz_error error;
    char size[INFER_SIZE_MAX];
    enum exit_code code = EXIT_FOUND;
    const char *puzzle = batch->arguments->words[0];
    if (*puzzle == '\0' && !infer_size(item->board, size)) {
        refuse_here(item, "the board does not tell its size: name the puzzle");
        return EXIT_FOUND;
    }
    compose_begin(&request, batch->verb);
    compose_word(&request, *puzzle != '\0' ? puzzle : size);
    if (batch->solve)
        text_key(&request, "start", item->board);
    else
        compose_word(&request, item->board);
    command_pairs(&request, batch->arguments);
    if (batch->solve && arguments_pair(batch->arguments, "threads") == NULL)
        text_key(&request, "threads", "1");
    item->phase = PHASE_ASKED;
    if (!compose_end(&request, &error))
        refuse_here(item, error.text);
    else if (!connection_send(batch->session->connection, request.data, request.length))
        code = session_fail(batch->session, EXIT_TROUBLE, "memory", "no memory for the request");
    text_free(&request);
    return code;
}

static void take_answer(struct batch *batch, struct item *item)
{
    const struct reply *answer = &item->answer;
    int64_t job = 0;
    bool again = answer->kind == REPLY_ERR && answer->retry &&
                 (strcmp(answer->code, "busy") == 0 || strcmp(answer->code, "limit") == 0);
    item->phase = again ? PHASE_READY : PHASE_ANSWERED;
    if (again || answer->kind == REPLY_ERR || !batch->solve)
        return;
    item->phase = result_is_end(reply_text(answer, "state")) ? PHASE_ENDED : PHASE_SUBMITTED;
    if (reply_integer(answer, "job", &job))
        item->job = (long long)job;
}

static enum exit_code read_item(struct batch *batch, struct item *item)
{
    reply_clear(&item->answer);
    enum exit_code code = session_read(batch->session, &item->answer);
    if (code == EXIT_FOUND && item->answer.kind != REPLY_OK && item->answer.kind != REPLY_ERR)
        code = session_lost(batch->session, "a line that is neither OK nor ERR where a reply begins");
    return code;
}

/* Sends whatever is ready, then reads all the replies. */
static enum exit_code ask_ready(struct batch *batch)
{
    enum exit_code code = session_connect(batch->session);
    for (size_t i = 0; i < batch->count && code == EXIT_FOUND; i++)
        if (item_at(batch, i)->phase == PHASE_READY)
            code = ask_item(batch, item_at(batch, i));
    for (size_t i = 0; i < batch->count && code == EXIT_FOUND; i++) {
        struct item *item = item_at(batch, i);
        if (item->phase != PHASE_ASKED)
            continue;
        code = read_item(batch, item);
        if (code == EXIT_FOUND)
            take_answer(batch, item);
    }
    return code;
}

static enum exit_code send_about(struct batch *batch, const char *verb, long long job)
{
    struct text request = {0};
    compose_begin(&request, verb);
    compose_number(&request, job);
    enum exit_code code = session_send(batch->session, &request);
    text_free(&request);
    return code;
}

/* The results of all jobs that are known to have ended. */
static enum exit_code fetch_results(struct batch *batch)
{
    enum exit_code code = EXIT_FOUND;
    for (size_t i = 0; i < batch->count && code == EXIT_FOUND; i++)
        if (item_at(batch, i)->phase == PHASE_ENDED)
            code = send_about(batch, "RESULT", item_at(batch, i)->job);
    for (size_t i = 0; i < batch->count && code == EXIT_FOUND; i++) {
        struct item *item = item_at(batch, i);
        if (item->phase != PHASE_ENDED)
            continue;
        code = read_item(batch, item);
        item->phase = PHASE_ANSWERED;
    }
    return code;
}

/* Waits for the oldest job only: what stands behind it runs meanwhile. */
static enum exit_code wait_for(struct batch *batch, struct item *item)
{
    enum exit_code code = send_about(batch, "WAIT", item->job);
    if (code == EXIT_FOUND)
        code = read_item(batch, item);
    if (code == EXIT_FOUND)
        item->phase = item->answer.kind == REPLY_ERR ? PHASE_ANSWERED : PHASE_ENDED;
    return code;
}

static void remember(struct batch *batch, enum exit_code code)
{
    static const enum exit_code ranks[] = {EXIT_REFUSED, EXIT_ENDED, EXIT_DETACHED, EXIT_NO_ANSWER,
                                           EXIT_FOUND};
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++) {
        if (ranks[i] == batch->worst)
            return;
        if (ranks[i] == code) {
            batch->worst = code;
            return;
        }
    }
}

static enum exit_code exit_of(const struct batch *batch, const struct reply *answer)
{
    if (answer->kind == REPLY_ERR)
        return EXIT_REFUSED;
    if (batch->solve)
        return result_exit(answer);
    return reply_is(answer, "solvable", "yes") ? EXIT_FOUND : EXIT_NO_ANSWER;
}

static enum exit_code print_first(struct batch *batch)
{
    struct item *item = item_at(batch, 0);
    FILE *out = batch->session->terminal->out;
    remember(batch, exit_of(batch, &item->answer));
    bool written = batch_print(batch->format, item->board, &item->answer, out);
    batch_progress_step(&batch->progress);
    free(item->board);
    reply_clear(&item->answer);
    *item = (struct item){0};
    batch->first = (batch->first + 1) % batch->window;
    batch->count--;
    return written ? EXIT_FOUND : EXIT_TROUBLE;
}

/* ---- the loop ---- */

static enum exit_code fill(struct batch *batch)
{
    while (!batch->ended && batch->count < batch->window) {
        char *board = NULL;
        switch (lines_next(&batch->lines, batch->count == 0, &board)) {
        case LINES_LINE:
            infer_narrow(board);
            *item_at(batch, batch->count) = (struct item){.board = board};
            batch->count++;
            break;
        case LINES_NOT_YET:
            return EXIT_FOUND;
        case LINES_END:
            batch->ended = true;
            break;
        case LINES_NO_MEMORY:
            return session_fail(batch->session, EXIT_TROUBLE, "memory", "no memory for the input");
        }
    }
    return EXIT_FOUND;
}

/* Brings the oldest board one step on when it holds up the rest. */
static enum exit_code push_first(struct batch *batch)
{
    struct item *item = item_at(batch, 0);
    if (item->phase == PHASE_SUBMITTED) {
        (void)fflush(batch->session->terminal->out);
        return wait_for(batch, item);
    }
    if (item->phase == PHASE_READY)
        (void)poll(NULL, 0, RETRY_MS); /* the daemon asked for patience */
    return EXIT_FOUND;
}

static enum exit_code run(struct batch *batch)
{
    for (;;) {
        enum exit_code code = fill(batch);
        if (code == EXIT_FOUND && batch->count == 0)
            return batch->worst;
        if (code == EXIT_FOUND)
            code = ask_ready(batch);
        if (code == EXIT_FOUND)
            code = fetch_results(batch);
        while (code == EXIT_FOUND && batch->count > 0 && item_at(batch, 0)->phase == PHASE_ANSWERED)
            code = print_first(batch);
        if (code == EXIT_FOUND && batch->count > 0)
            code = push_first(batch);
        if (code == EXIT_FOUND && batch->count == 0)
            (void)fflush(batch->session->terminal->out);
        if (code != EXIT_FOUND)
            return code;
    }
}

static enum exit_code begin(struct batch *batch)
{
    batch->items = calloc(batch->window, sizeof *batch->items);
    if (batch->items == NULL)
        return session_fail(batch->session, EXIT_TROUBLE, "memory", "no memory for a batch");
    batch->lines.fd = fileno(batch->session->terminal->in);
    batch->progress =
        (struct batch_progress){.terminal = batch->session->terminal, .quiet = batch->session->quiet};
    batch->format = batch->session->json                                ? BATCH_JSON
                    : arguments_option(batch->arguments, "csv") != NULL ? BATCH_CSV
                                                                        : BATCH_TABS;
    enum exit_code code =
        batch_print_titles(batch->format, batch->session->terminal->out) ? run(batch) : EXIT_TROUBLE;
    batch_progress_end(&batch->progress);
    for (size_t i = 0; i < batch->count; i++) {
        free(item_at(batch, i)->board);
        reply_clear(&item_at(batch, i)->answer);
    }
    free(batch->items);
    lines_clear(&batch->lines);
    return code;
}

enum exit_code batch_lookup(struct session *session, const char *verb, const struct arguments *arguments)
{
    struct batch batch = {.session = session, .arguments = arguments, .verb = verb, .window = LOOKUP_WINDOW};
    return begin(&batch);
}

enum exit_code batch_solve(struct session *session, const struct arguments *arguments)
{
    struct batch batch = {
        .session = session, .arguments = arguments, .verb = "SOLVE", .solve = true, .window = SOLVE_WINDOW};
    return begin(&batch);
}
