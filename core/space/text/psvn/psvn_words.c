/* SPDX-License-Identifier: MIT */
#include "space/text/psvn/psvn_words.h"

#include <string.h>
#include <strings.h>

enum pz_status psvn_fail_at(struct pz_error *error, const struct psvn_word *word, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return pz_fail(error, PZ_BAD_PUZZLE, "line %u, column %u: %s", word->line, word->column, text);
}

static bool is_space(char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* Goes over white space and comments. */
static void skip_blanks(struct psvn_words *words)
{
    while (words->at < words->end) {
        if (*words->at == '#' || *words->at == ';') {
            const char *newline = memchr(words->at, '\n', (size_t)(words->end - words->at));
            words->at = newline != NULL ? newline : words->end;
            continue;
        }
        if (!is_space(*words->at))
            return;
        if (*words->at++ == '\n') {
            words->line++;
            words->line_start = words->at;
        }
    }
}

/* These stand for other things in the texts of states, moves and requests. */
static bool may_stand_in_word(char byte)
{
    return byte > ' ' && byte < 127 && strchr(",:\"\\", byte) == NULL;
}

enum pz_status psvn_words_next(struct psvn_words *words, struct pz_error *error)
{
    struct psvn_word *word = &words->word;
    skip_blanks(words);
    *word = (struct psvn_word){
        .text = words->at, .line = words->line, .column = (uint32_t)(words->at - words->line_start) + 1};
    for (; words->at < words->end && !is_space(*words->at); words->at++) {
        if (!may_stand_in_word(*words->at)) {
            word->column += word->length;
            return psvn_fail_at(error, word,
                                "byte 0x%02X in a word; words are of ASCII without , : \" and backslash",
                                (unsigned char)*words->at);
        }
        if (++word->length > PSVN_WORD_MAX)
            return psvn_fail_at(error, word, "'%.20s…' is too long for a word; %d bytes at most", word->text,
                                PSVN_WORD_MAX);
    }
    return PZ_OK;
}

enum pz_status psvn_words_begin(struct psvn_words *words, const char *text, size_t length,
                                struct pz_error *error)
{
    *words = (struct psvn_words){.at = text, .end = text + length, .line = 1, .line_start = text};
    return psvn_words_next(words, error);
}

bool psvn_word_is(const struct psvn_word *word, const char *text)
{
    return strlen(text) == word->length && strncasecmp(word->text, text, word->length) == 0;
}

bool psvn_words_equal(const struct psvn_word *a, const struct psvn_word *b)
{
    return a->length == b->length && strncasecmp(a->text, b->text, a->length) == 0;
}

int64_t psvn_word_number(const struct psvn_word *word, int64_t most)
{
    int64_t number = 0;
    for (uint32_t i = 0; i < word->length; i++) {
        if (word->text[i] < '0' || word->text[i] > '9')
            return -1;
        number = number * 10 + (word->text[i] - '0');
        if (number > most)
            return -1;
    }
    return word->length > 0 ? number : -1;
}
