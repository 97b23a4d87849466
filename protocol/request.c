/* SPDX-License-Identifier: MIT */
#include "protocol/request.h"

#include "protocol/utf8.h"

#include <ctype.h>
#include <string.h>

/* Moves the word at *in to *out, quotes and escapes resolved. Returns false at an open quote. */
static bool copy_word(const char **in, const char *end, char **out)
{
    bool quoted = false;
    const char *c = *in;
    for (; c < end && (quoted || *c != ' '); c++) {
        if (*c == '"') {
            quoted = !quoted;
            continue;
        }
        if (quoted && *c == '\\' && c + 1 < end && (c[1] == '"' || c[1] == '\\'))
            c++;
        *(*out)++ = *c;
    }
    *(*out)++ = '\0';
    *in = c;
    return !quoted;
}

/* The length of the key when a raw word reads key=…, else 0. */
static size_t key_length(const char *word, const char *end)
{
    const char *c = word;
    while (c < end && (isalnum((unsigned char)*c) || *c == '_' || *c == '-'))
        c++;
    bool is_key = c > word && c < end && *c == '=' && isalpha((unsigned char)*word);
    return is_key ? (size_t)(c - word) : 0;
}

static void change_case(char *word, int (*change)(int))
{
    for (; *word != '\0'; word++)
        *word = (char)change((unsigned char)*word);
}

static enum pz_status add_tag(struct request *request, const char *value, struct pz_error *error)
{
    if (*value == '\0' || strlen(value) > PROTOCOL_TAG_MAX || strpbrk(value, " \"\\") != NULL)
        return pz_fail(error, PZ_BAD_REQUEST,
                       "tag= takes 1 to %d characters without spaces, quotes and backslashes",
                       PROTOCOL_TAG_MAX);
    request->tag = value;
    return PZ_OK;
}

static enum pz_status add_key(struct request *request, char *word, size_t length, struct pz_error *error)
{
    word[length] = '\0';
    change_case(word, tolower);
    const char *value = word + length + 1;
    bool is_tag = strcmp(word, "tag") == 0;
    if (is_tag ? request->tag != NULL : request_key(request, word) != NULL)
        return pz_fail(error, PZ_BAD_REQUEST, "%.40s= is given twice", word);
    if (is_tag)
        return add_tag(request, value, error);
    if (request->key_count == PROTOCOL_KEYS_MAX)
        return pz_fail(error, PZ_BAD_REQUEST, "more than %d key=value words", PROTOCOL_KEYS_MAX);
    request->key[request->key_count++] = (struct pz_key){word, value};
    return PZ_OK;
}

static enum pz_status add_argument(struct request *request, const char *word, struct pz_error *error)
{
    if (request->argument_count == PROTOCOL_ARGUMENTS_MAX)
        return pz_fail(error, PZ_BAD_REQUEST,
                       "more than %d arguments; a board with spaces stands in double quotes",
                       PROTOCOL_ARGUMENTS_MAX);
    request->argument[request->argument_count++] = word;
    return PZ_OK;
}

static enum pz_status add_word(struct request *request, char *word, bool is_verb, size_t key,
                               struct pz_error *error)
{
    if (is_verb) {
        change_case(word, toupper);
        request->verb = word;
        return PZ_OK;
    }
    return key > 0 ? add_key(request, word, key, error) : add_argument(request, word, error);
}

/* Reads every word, also after a wrong one, since the tag of a wrong request is still echoed. */
static enum pz_status read_words(struct request *request, const char *line, const char *end,
                                 struct pz_error *error)
{
    enum pz_status status = PZ_OK;
    char *out = request->words;
    bool is_verb = true;
    for (const char *c = line;;) {
        while (c < end && *c == ' ')
            c++;
        if (c == end)
            return status;
        size_t key = is_verb ? 0 : key_length(c, end);
        char *word = out;
        if (!copy_word(&c, end, &out))
            return pz_fail(error, PZ_BAD_REQUEST, "a double quote is left open");
        struct pz_error own;
        enum pz_status added = add_word(request, word, is_verb, key, &own);
        if (added != PZ_OK && status == PZ_OK)
            status = pz_fail(error, added, "%s", own.text);
        is_verb = false;
    }
}

enum pz_status request_parse(struct request *request, const char *line, size_t length, struct pz_error *error)
{
    size_t at = 0;
    request->verb = "";
    request->argument_count = 0;
    request->key_count = 0;
    request->tag = NULL;
    request->line = line;
    request->length = length;
    if (length > PROTOCOL_LINE_MAX)
        return pz_fail(error, PZ_BAD_REQUEST, "the line is longer than %d bytes", PROTOCOL_LINE_MAX);
    if (!utf8_is_clean(line, length, &at))
        return pz_fail(error, PZ_BAD_REQUEST,
                       "byte 0x%02X at position %zu: a request is UTF-8 text without control characters",
                       (unsigned char)line[at], at + 1);
    return read_words(request, line, line + length, error);
}

const char *request_key(const struct request *request, const char *key)
{
    for (unsigned i = 0; i < request->key_count; i++)
        if (strcmp(request->key[i].key, key) == 0)
            return request->key[i].value;
    return NULL;
}
