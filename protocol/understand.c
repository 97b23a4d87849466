/* SPDX-License-Identifier: MIT */
/* Finds the meaning of a request: its verb, and its values as numbers. */
#include "protocol/request.h"
#include "protocol/text/boards.h"
#include "protocol/text/nearest.h"
#include "protocol/text/quantity.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

static enum pz_status no_such_verb(const struct request *request, struct pz_error *error)
{
    struct text text = {0};
    struct nearest nearest = {.written = request->word};
    for (unsigned verb = 0; verb < VERB_COUNT; verb++)
        nearest_offer(&nearest, verb_row((enum verb)verb)->word);
    nearest_say(&nearest, &text);
    text_add(&text, "; there are:");
    for (unsigned verb = 0; verb < VERB_COUNT; verb++)
        text_format(&text, " %s", verb_row((enum verb)verb)->word);
    enum pz_status status =
        *request->word == '\0'
            ? pz_fail(error, PZ_BAD_REQUEST, "an empty line%s", text_string(&text))
            : pz_fail(error, PZ_BAD_REQUEST, "no verb '%.40s'%s", request->word, text_string(&text));
    text_free(&text);
    return status;
}

static enum pz_status wrong_arguments(const struct request *request, struct pz_error *error)
{
    struct text usage = {0};
    const unsigned count = request->argument_count;
    const bool board = count > 1 && (key_row(KEY_START)->taken & VERB_BIT(request->verb)) != 0;
    verb_usage(request->verb, &usage);
    enum pz_status status =
        pz_fail(error, PZ_BAD_REQUEST, "%u argument%s given%s; write: %s%s%s", count, count == 1 ? "" : "s",
                board ? ": a board goes with start=" : "", verb_row(request->verb)->word,
                usage.length > 0 ? " " : "", text_string(&usage));
    text_free(&usage);
    return status;
}

static enum pz_status unknown_key(const struct request *request, const char *word, struct pz_error *error)
{
    struct text text = {0};
    struct nearest nearest = {.written = word};
    const char *verb = verb_row(request->verb)->word;
    bool takes_any = false;
    for (unsigned key = 0; key < KEYS_TAKEN; key++)
        if ((key_row(key)->taken & VERB_BIT(request->verb)) != 0)
            nearest_offer(&nearest, key_row(key)->word);
    nearest_say(&nearest, &text);
    text_format(&text, "; %s takes", verb);
    for (unsigned key = 0; key < KEYS_TAKEN; key++) {
        if ((key_row(key)->taken & VERB_BIT(request->verb)) == 0)
            continue;
        text_format(&text, " %s", key_row(key)->word);
        takes_any = true;
    }
    enum pz_status status = pz_fail(error, PZ_BAD_REQUEST, "unknown key '%.40s='%s%s", word,
                                    text_string(&text), takes_any ? "" : " no keys");
    text_free(&text);
    return status;
}

static enum pz_status understand_word(const struct key_row *key, const char *text, int64_t *out,
                                      struct pz_error *error)
{
    for (unsigned i = 0; i < key->word_count; i++) {
        if (strcasecmp(text, key->words[i]) == 0) {
            *out = i;
            return PZ_OK;
        }
    }
    struct text words = {0};
    struct nearest nearest = {.written = text};
    key_words(key, ", ", &words);
    for (unsigned i = 0; i < key->word_count; i++)
        nearest_offer(&nearest, key->words[i]);
    nearest_say(&nearest, &words);
    enum pz_status status =
        pz_fail(error, PZ_BAD_REQUEST, "'%.40s' is not one of %s", text, text_string(&words));
    text_free(&words);
    return status;
}

/* Reads a whole number; one without an upper bound may use all 64 bits. */
static enum pz_status understand_whole(const struct key_row *key, const char *text, int64_t *out,
                                       struct pz_error *error)
{
    uint64_t number = 0;
    bool minus = *text == '-' && key->least < 0;
    uint64_t most = minus ? (uint64_t)-key->least : key->most != 0 ? (uint64_t)key->most : UINT64_MAX;
    uint64_t least = key->least > 0 ? (uint64_t)key->least : 0;
    enum pz_status status = quantity_count(text + minus, least, most, &number, error);
    if (status != PZ_OK && key->least < 0)
        return pz_fail(error, PZ_BAD_REQUEST, "'%.40s' is not a whole number from %" PRId64 " to %" PRId64,
                       text, key->least, key->most);
    *out = minus ? -(int64_t)number : (int64_t)number;
    return status;
}

static enum pz_status read_bytes(const struct key_row *key, const char *text, int64_t *out,
                                 struct pz_error *error)
{
    uint64_t bytes = 0;
    enum pz_status status = quantity_bytes(text, &bytes, error);
    if (status != PZ_OK)
        return status;
    *out = bytes > INT64_MAX ? INT64_MAX : (int64_t)bytes;
    return *out >= key->least ? PZ_OK : pz_fail(error, PZ_BAD_REQUEST, "%s is too little", text);
}

static enum pz_status read_flag(const char *text, int64_t *out, struct pz_error *error)
{
    bool flag = false;
    enum pz_status status = quantity_flag(text, &flag, error);
    *out = flag;
    return status;
}

static enum pz_status understand_value(const struct key_row *key, struct request_value *value,
                                       struct pz_error *error)
{
    switch (key->type) {
    case VALUE_WORD:
        return understand_word(key, value->text, &value->number, error);
    case VALUE_FLAG:
    case VALUE_COUNTED:
    case VALUE_WANTED:
        return read_flag(value->text, &value->number, error);
    case VALUE_NUMBER:
    case VALUE_COUNT:
        return understand_whole(key, value->text, &value->number, error);
    case VALUE_BYTES:
        return read_bytes(key, value->text, &value->number, error);
    case VALUE_DURATION:
        return quantity_seconds(value->text, &value->seconds, error);
    case VALUE_TEXT:
    case VALUE_BOARD:
    case VALUE_TIME:
    case VALUE_RATE:
    case VALUE_SHARE:
    case VALUE_REAL:
        break;
    }
    return PZ_OK;
}

static enum pz_status understand_key(struct request *request, const struct pz_key *given,
                                     struct pz_error *error)
{
    enum key key = key_taken(request->verb, given->key);
    struct pz_error own;
    if (key == KEYS_TAKEN && !verb_row(request->verb)->takes_puzzle)
        return unknown_key(request, given->key, error);
    if (key == KEYS_TAKEN) {
        assert(request->puzzle_key_count < request->key_count);
        request->puzzle_key[request->puzzle_key_count++] = *given;
        return PZ_OK;
    }
    request->value[key].text = given->value;
    if (understand_value(key_row(key), &request->value[key], &own) == PZ_OK)
        return PZ_OK;
    return pz_fail(error, PZ_BAD_REQUEST, "%s=: %s", given->key, own.text);
}

static enum pz_status check_needed(const struct request *request, struct pz_error *error)
{
    for (unsigned key = 0; key < KEYS_TAKEN; key++) {
        const struct key_row *row = key_row(key);
        if ((row->needed & VERB_BIT(request->verb)) != 0 && request->value[key].text == NULL)
            return pz_fail(error, PZ_BAD_REQUEST, "missing=%s %s needs %s=%s", row->word,
                           verb_row(request->verb)->word, row->word, key_value_name(row));
    }
    return PZ_OK;
}

/* Returns true if the verb's first argument is a puzzle. */
static bool names_puzzle(const struct verb_row *row)
{
    const char *arguments = row->arguments + (*row->arguments == '[');
    return strncmp(arguments, "puzzle", strlen("puzzle")) == 0;
}

/* ---- boards in several lines ---- */

#define LINE_END "%0A" /* between the lines of a board */

/* Reads a board in lines as one of a file is, in its place. */
static enum pz_status join_board(struct request *request, const char *board, struct pz_error *error)
{
    struct text lines = {0}, joined = {0}, wrong = {0};
    enum pz_status status = PZ_OK;
    const size_t length = strlen(board);
    for (const char *at = board; *at != '\0';) {
        const bool end = strncmp(at, LINE_END, strlen(LINE_END)) == 0;
        text_char(&lines, (char)(end ? '\n' : *at));
        at += end ? strlen(LINE_END) : 1;
    }
    if (!boards_one(request->argument[0], text_string(&lines), request->value[KEY_GOAL].text != NULL, &joined,
                    &wrong))
        status = wrong.length > 0 ? pz_fail(error, PZ_BAD_BOARD, "%s", text_string(&wrong))
                                  : pz_fail(error, PZ_MEMORY, "no memory for a board");
    else if (joined.length > length)
        status = pz_fail(error, PZ_BAD_BOARD, "the rows of the board are of too many lengths");
    else
        memcpy(request->words + (board - request->words), text_string(&joined), joined.length + 1);
    text_free(&lines);
    text_free(&joined);
    text_free(&wrong);
    return status;
}

/* Reads those boards of a request that are in several lines. */
static enum pz_status join_boards(struct request *request, struct pz_error *error)
{
    enum pz_status status = PZ_OK;
    if (request->argument_count > 1 && strstr(request->argument[1], LINE_END) != NULL)
        status = join_board(request, request->argument[1], error);
    for (unsigned key = 0; key < KEYS_TAKEN && status == PZ_OK; key++)
        if (key_row(key)->type == VALUE_BOARD && request->value[key].text != NULL &&
            strstr(request->value[key].text, LINE_END) != NULL)
            status = join_board(request, request->value[key].text, error);
    return status;
}

enum pz_status request_understand(struct request *request, struct pz_error *error)
{
    enum pz_status status = PZ_OK;
    memset(request->value, 0, sizeof request->value);
    request->puzzle_key_count = 0;
    request->verb = verb_find(request->word, strlen(request->word));
    const struct verb_row *row = verb_row(request->verb);
    if (row == NULL)
        return no_such_verb(request, error);
    if (request->argument_count < row->least || request->argument_count > row->most)
        return wrong_arguments(request, error);
    if (request->argument_count > 0 && names_puzzle(row) &&
        infer_puzzle_name(request->argument[0], request->puzzle, sizeof request->puzzle))
        request->argument[0] = request->puzzle;
    for (unsigned i = 0; i < request->key_count && status == PZ_OK; i++)
        status = understand_key(request, &request->key[i], error);
    if (status == PZ_OK)
        status = check_needed(request, error);
    return status == PZ_OK && request->argument_count > 0 && names_puzzle(row) ? join_boards(request, error)
                                                                               : status;
}
