/* SPDX-License-Identifier: MIT */
#include "protocol/reply.h"

#include "protocol/lexer.h"
#include "protocol/vocabulary.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REFUSAL_FIELDS_MAX = 8 };

static bool refuse_reply(struct pz_error *error, const char *what, const char *at)
{
    (void)pz_fail(error, PZ_BAD_REQUEST, "%s at \"%.40s\"", what, at);
    return false;
}

/* A line of many equal signs in few values has more room than fields. */
static void give_back(struct reply *reply)
{
    const size_t kept = reply->count > 0 ? reply->count : 1;
    struct field *fields = realloc(reply->fields, kept * sizeof *fields);
    if (fields != NULL)
        reply->fields = fields;
}

/* Parses the fields in place. */
static bool take_fields(struct reply *reply, char *at, struct pz_error *error)
{
    struct lexer lexer = {at, at + strlen(at), at};
    struct word word;
    size_t most = 1;
    for (const char *c = at; *c != '\0'; c++)
        most += *c == '=';
    reply->fields = calloc(most, sizeof *reply->fields);
    if (reply->fields == NULL) {
        (void)pz_fail(error, PZ_MEMORY, "no memory for a reply");
        return false;
    }
    for (;;) {
        switch (lexer_next(&lexer, &word)) {
        case LEXED_END:
            if (reply->count + 1 < most)
                give_back(reply);
            return true;
        case LEXED_OPEN_QUOTE:
            return refuse_reply(error, "a quote that is never closed", word.value);
        case LEXED_WORD:
            if (word.key == NULL)
                return refuse_reply(error, "no key=value", word.value);
            assert(reply->count < most); /* each field has an equal sign */
            reply->fields[reply->count++] = (struct field){word.key, word.value};
        }
    }
}

/* Cuts the next word off *at. */
static char *reply_take_word(char **at)
{
    char *word = *at + strspn(*at, " ");
    char *end = word + strcspn(word, " ");
    *at = *end == '\0' ? end : end + 1;
    *end = '\0';
    return word;
}

/* Returns true if a refusal's text goes on with a field, and not yet with words for a person, which may begin
 * "engine=: ". */
static bool at_refusal_field(const char *at)
{
    char word[32];
    const size_t length = strcspn(at, "= ");
    (void)snprintf(word, sizeof word, "%.*s", (int)length, at);
    const struct key_row *row = key_find(word);
    const bool known = strcmp(word, "tag") == 0 || (row != NULL && (row->carried & LINE_ERR) != 0);
    return known && at[length] == '=' && at[length + 1] != ':';
}

/* Parses ERR code retry|fatal [key=value …] text… */
static bool reply_take_refusal(struct reply *reply, char *at, struct pz_error *error)
{
    reply->code = reply_take_word(&at);
    const char *retry = reply_take_word(&at);
    reply->retry = strcmp(retry, "retry") == 0;
    reply->fields = calloc(REFUSAL_FIELDS_MAX, sizeof *reply->fields);
    if (reply->fields == NULL) {
        (void)pz_fail(error, PZ_MEMORY, "no memory for a reply");
        return false;
    }
    at += strspn(at, " ");
    while (at_refusal_field(at) && reply->count < REFUSAL_FIELDS_MAX) {
        char *key = reply_take_word(&at);
        char *equal = strchr(key, '=');
        assert(equal != NULL); /* at_refusal_field has seen it */
        *equal = '\0';
        reply->fields[reply->count++] = (struct field){key, equal + 1};
        at += strspn(at, " ");
    }
    reply->text = at;
    if (*reply->code == '\0' || (!reply->retry && strcmp(retry, "fatal") != 0))
        return refuse_reply(error, "ERR without a code and retry or fatal", retry);
    return true;
}

static bool reply_take_line(struct reply *reply, struct pz_error *error)
{
    static const struct {
        const char *word;
        enum reply_kind kind;
    } words[] = {{"OK", REPLY_OK},
                 {"ERR", REPLY_ERR},
                 {"END", REPLY_END},
                 {"EVENT", REPLY_EVENT},
                 {"LOST", REPLY_LOST}};
    char *at = reply->storage;
    size_t length = strcspn(at, " ");
    reply->kind = REPLY_RECORD;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i].word) != length || strncmp(at, words[i].word, length) != 0)
            continue;
        reply->kind = words[i].kind;
        at += length;
        break;
    }
    if (reply->kind == REPLY_ERR)
        return reply_take_refusal(reply, at, error);
    if (reply->kind == REPLY_RECORD && *at == '\0')
        return refuse_reply(error, "an empty line", at);
    return take_fields(reply, at, error);
}

bool reply_parse(struct reply *reply, const char *line, size_t length, struct pz_error *error)
{
    *reply = (struct reply){0};
    if (memchr(line, '\0', length) != NULL) {
        (void)pz_fail(error, PZ_BAD_REQUEST, "a line with a NUL byte in it");
        return false;
    }
    reply->storage = strndup(line, length);
    if (reply->storage == NULL) {
        (void)pz_fail(error, PZ_MEMORY, "no memory for a reply");
        return false;
    }
    if (reply_take_line(reply, error))
        return true;
    reply_clear(reply);
    return false;
}

void reply_clear(struct reply *reply)
{
    free(reply->fields);
    free(reply->storage);
    *reply = (struct reply){0};
}

const char *reply_get(const struct reply *reply, const char *key)
{
    for (size_t i = 0; i < reply->count; i++)
        if (strcmp(reply->fields[i].key, key) == 0)
            return reply->fields[i].value;
    return NULL;
}

const char *reply_text(const struct reply *reply, const char *key)
{
    const char *value = reply_get(reply, key);
    return value == NULL ? "" : value;
}

bool reply_is(const struct reply *reply, const char *key, const char *value)
{
    const char *have = reply_get(reply, key);
    return have != NULL && strcmp(have, value) == 0;
}

bool reply_integer(const struct reply *reply, const char *key, int64_t *out)
{
    const char *value = reply_get(reply, key);
    if (value == NULL || *value == '\0')
        return false;
    char *end = NULL;
    errno = 0;
    long long number = strtoll(value, &end, 10);
    if (errno != 0 || *end != '\0')
        return false;
    *out = number;
    return true;
}

bool reply_real(const struct reply *reply, const char *key, double *out)
{
    const char *value = reply_get(reply, key);
    if (value == NULL || *value == '\0')
        return false;
    char *end = NULL;
    double number = strtod(value, &end);
    if (*end != '\0' || !isfinite(number))
        return false;
    *out = number;
    return true;
}
