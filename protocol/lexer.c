/* SPDX-License-Identifier: MIT */
#include "protocol/lexer.h"

#include <assert.h>
#include <ctype.h>

/* Returns the length of the key if a raw word reads key=…, else 0. */
static size_t key_length(const struct lexer *lexer)
{
    const char *c = lexer->at;
    if (!isalpha((unsigned char)*c))
        return 0;
    while (c < lexer->end && (isalnum((unsigned char)*c) || *c == '_' || *c == '-'))
        c++;
    return c < lexer->end && *c == '=' ? (size_t)(c - lexer->at) : 0;
}

/* Moves to the next word; returns false at the end of the line. */
static bool skip_spaces(struct lexer *lexer)
{
    while (lexer->at < lexer->end && *lexer->at == ' ')
        lexer->at++;
    return lexer->at < lexer->end;
}

/* Copies the word with its quotes and escapes resolved, and steps over the space after it. */
static enum lexed lex_word(struct lexer *lexer)
{
    const char *const begin = lexer->at;
    char *const copy = lexer->out;
    bool quoted = false;
    const char *c = lexer->at;
    const char *end = lexer->end;
    for (; c < end && (quoted || *c != ' '); c++) {
        if (*c == '"') {
            quoted = !quoted;
            continue;
        }
        if (quoted && *c == '\\' && c + 1 < end && (c[1] == '"' || c[1] == '\\'))
            c++;
        *lexer->out++ = *c;
    }
    lexer->at = c < end ? c + 1 : end;
    *lexer->out++ = '\0';
    /* The copy is never longer than what was read, but for the NUL at the end of the line. */
    assert(lexer->at > begin && lexer->at <= end);
    assert(lexer->out - copy <= lexer->at - begin + (lexer->at == end));
    (void)begin;
    (void)copy;
    return quoted ? LEXED_OPEN_QUOTE : LEXED_WORD;
}

enum lexed lexer_plain(struct lexer *lexer, char **value)
{
    if (!skip_spaces(lexer))
        return LEXED_END;
    *value = lexer->out;
    return lex_word(lexer);
}

enum lexed lexer_next(struct lexer *lexer, struct word *word)
{
    if (!skip_spaces(lexer))
        return LEXED_END;
    size_t key = key_length(lexer);
    char *copy = lexer->out;
    enum lexed lexed = lex_word(lexer);
    *word = (struct word){.value = copy};
    if (key == 0)
        return lexed;
    copy[key] = '\0';
    *word = (struct word){copy, copy + key + 1};
    return lexed;
}
