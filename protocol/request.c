/* SPDX-License-Identifier: MIT */
#include "protocol/request.h"

#include "protocol/lexer.h"
#include "protocol/limits.h"
#include "protocol/text/utf8.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

static void change_case(char *word, int (*change)(int))
{
    for (; *word != '\0'; word++)
        *word = (char)change((unsigned char)*word);
}

static enum pz_status add_tag(struct request *request, const char *value, struct pz_error *error)
{
    if (*value == '\0' || strlen(value) > PROTOCOL_TAG_MAX || strpbrk(value, " \"\\") != NULL)
        return pz_fail(error, PZ_BAD_REQUEST,
                       "a tag has 1 to %d bytes without spaces, quotes and backslashes", PROTOCOL_TAG_MAX);
    request->tag = value;
    return PZ_OK;
}

static bool request_has_key(const struct request *request, const char *key)
{
    for (unsigned i = 0; i < request->key_count; i++)
        if (strcmp(request->key[i].key, key) == 0)
            return true;
    return false;
}

static enum pz_status request_add_key(struct request *request, struct word word, struct pz_error *error)
{
    change_case(word.key, tolower);
    bool is_tag = strcmp(word.key, "tag") == 0;
    if (is_tag ? request->tag != NULL : request_has_key(request, word.key))
        return pz_fail(error, PZ_BAD_REQUEST, "%.40s= is given twice", word.key);
    if (is_tag)
        return add_tag(request, word.value, error);
    if (request->key_count == PROTOCOL_KEYS_MAX)
        return pz_fail(error, PZ_BAD_REQUEST, "more than %d key=value words", PROTOCOL_KEYS_MAX);
    request->key[request->key_count++] = (struct pz_key){word.key, word.value};
    return PZ_OK;
}

static enum pz_status request_add_argument(struct request *request, const char *word, struct pz_error *error)
{
    if (request->argument_count == PROTOCOL_ARGUMENTS_MAX)
        return pz_fail(error, PZ_BAD_REQUEST,
                       "more than %d arguments; a board with spaces stands in double quotes",
                       PROTOCOL_ARGUMENTS_MAX);
    request->argument[request->argument_count++] = word;
    return PZ_OK;
}

/* Reads every word, even after a wrong one: the error needs the request's tag. */
static enum pz_status read_request_words(struct request *request, struct lexer *lexer, struct pz_error *error)
{
    enum pz_status status = PZ_OK;
    char *verb = NULL;
    struct word word;
    enum lexed lexed = lexer_plain(lexer, &verb);
    if (lexed == LEXED_WORD) {
        change_case(verb, toupper);
        request->word = verb;
    }
    while (lexed == LEXED_WORD && (lexed = lexer_next(lexer, &word)) == LEXED_WORD) {
        struct pz_error own;
        enum pz_status added = word.key != NULL ? request_add_key(request, word, &own)
                                                : request_add_argument(request, word.value, &own);
        if (added != PZ_OK && status == PZ_OK)
            status = pz_fail(error, added, "%s", own.text);
    }
    if (lexed == LEXED_OPEN_QUOTE)
        return pz_fail(error, PZ_BAD_REQUEST, "a double quote is left open");
    return status;
}

static void clear_words(struct request *request, const char *word)
{
    request->word = word;
    request->argument_count = 0;
    request->key_count = 0;
    request->tag = NULL;
    request->verb = VERB_COUNT;
    request->used = 0;
}

enum pz_status request_parse(struct request *request, const char *line, size_t length, struct pz_error *error)
{
    size_t at = 0;
    clear_words(request, "");
    if (length > PROTOCOL_LINE_MAX)
        return pz_fail(error, PZ_BAD_REQUEST, "the line is longer than %d bytes", PROTOCOL_LINE_MAX);
    if (!utf8_is_clean(line, length, &at))
        return pz_fail(error, PZ_BAD_REQUEST,
                       "byte 0x%02X at position %zu: a request is UTF-8 text without control characters",
                       (unsigned char)line[at], at + 1);
    struct lexer lexer = {line, line + length, request->words};
    assert(length < sizeof request->words);
    return read_request_words(request, &lexer, error);
}

void request_begin(struct request *request, enum verb verb)
{
    assert(verb < VERB_COUNT);
    clear_words(request, verb_row(verb)->word);
}

/* Returns a copy of a word in the request's memory; NULL if it is full. */
static char *copy_word(struct request *request, const char *word)
{
    const size_t bytes = strlen(word) + 1;
    if (bytes > sizeof request->words - request->used)
        return NULL;
    char *copy = memcpy(request->words + request->used, word, bytes);
    request->used += bytes;
    return copy;
}

bool request_add(struct request *request, const char *key, const char *value)
{
    if (value == NULL)
        return true;
    const struct word word = {key != NULL ? copy_word(request, key) : NULL, copy_word(request, value)};
    if (word.value == NULL || (key != NULL && word.key == NULL))
        return false;
    return (key != NULL ? request_add_key(request, word, NULL)
                        : request_add_argument(request, word.value, NULL)) == PZ_OK;
}

enum pz_status request_start(const struct request *request, const char **start, struct pz_error *error)
{
    const char *root = request_text(request, KEY_ROOT);
    *start = request_text(request, KEY_START);
    if (*start != NULL && root != NULL)
        return pz_fail(error, PZ_BAD_REQUEST, "root= and start= mean the same: give one of them");
    if (*start == NULL)
        *start = root;
    return PZ_OK;
}

struct pz_setup request_setup(const struct request *request, const char *start)
{
    return (struct pz_setup){.start = start,
                             .goal = request_text(request, KEY_GOAL),
                             .keys = request->puzzle_key,
                             .key_count = request->puzzle_key_count};
}

const char *request_text(const struct request *request, enum key key)
{
    assert(request->verb < VERB_COUNT && key < KEYS_TAKEN); /* it was understood */
    return request->value[key].text;
}

int64_t request_number(const struct request *request, enum key key, int64_t otherwise)
{
    return request->value[key].text != NULL ? request->value[key].number : otherwise;
}

double request_seconds(const struct request *request, enum key key, double otherwise)
{
    return request->value[key].text != NULL ? request->value[key].seconds : otherwise;
}

/* ---- lines as clients write them ---- */

void compose_begin(struct text *request, const char *verb)
{
    assert(*verb != '\0' && strpbrk(verb, " \"\n") == NULL);
    text_clear(request);
    text_add(request, verb);
}

void compose_word(struct text *request, const char *word)
{
    text_char(request, ' ');
    if (*word == '\0' || strpbrk(word, " \"\\=\t") != NULL)
        text_quoted(request, word);
    else
        text_add(request, word);
}

void compose_number(struct text *request, long long number)
{
    text_format(request, " %lld", number);
}

bool compose_end(struct text *request, struct pz_error *error)
{
    for (size_t i = 0; i < request->length; i++) {
        unsigned char c = (unsigned char)request->data[i];
        if (c < 0x20 || c == 0x7F) {
            (void)pz_fail(error, PZ_BAD_REQUEST, "an argument has a control character (byte %u) in it", c);
            return false;
        }
    }
    if (request->length > PROTOCOL_LINE_MAX) {
        (void)pz_fail(error, PZ_BAD_REQUEST, "the request has %zu bytes, at most %d are allowed",
                      request->length, PROTOCOL_LINE_MAX);
        return false;
    }
    text_char(request, '\n');
    if (request->failed) {
        (void)pz_fail(error, PZ_MEMORY, "no memory for the request");
        return false;
    }
    return true;
}
