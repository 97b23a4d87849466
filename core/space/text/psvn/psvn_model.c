/* SPDX-License-Identifier: MIT */
#include "space/text/psvn/psvn_model.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

void psvn_model_free(struct psvn_model *model)
{
    if (model == NULL)
        return;
    for (uint32_t i = 0; i < model->domain_count; i++)
        free(model->domains[i].values);
    free(model->domains);
    free(model->domain_of);
    free(model->rules);
    free(model->cells);
    free(model->goals);
    free(model->remarks);
    free(model->text);
    free(model);
}

size_t psvn_model_bytes(const struct psvn_model *model)
{
    const size_t cells = 2 * (size_t)model->rule_count + model->goal_count;
    return PSVN_DOMAINS_MAX * sizeof *model->domains + model->rule_count * sizeof *model->rules +
           cells * model->places * sizeof *model->cells;
}

psvn_cell psvn_value_find(const struct psvn_domain *domain, const struct psvn_word *word)
{
    if (domain->values == NULL) {
        const bool plain = word->length == 1 || (word->length > 0 && word->text[0] != '0');
        const int64_t number = psvn_word_number(word, PSVN_NUMBERS_MAX);
        return plain && number >= domain->first && number < (int64_t)domain->first + domain->size
                   ? (psvn_cell)(number - domain->first)
                   : -1;
    }
    for (uint32_t i = 0; i < domain->size; i++)
        if (psvn_words_equal(&domain->values[i], word))
            return (psvn_cell)i;
    return -1;
}

size_t psvn_value_print(const struct psvn_domain *domain, uint32_t value, char out[PSVN_VALUE_TEXT])
{
    if (domain->values == NULL)
        return (size_t)snprintf(out, PSVN_VALUE_TEXT, "%u", value + domain->first);
    return (size_t)snprintf(out, PSVN_VALUE_TEXT, "%.*s", PSVN_SHOW(&domain->values[value]));
}

size_t psvn_label_print(const struct psvn_rule *rule, char out[PSVN_LABEL_TEXT])
{
    if (rule->label.length == 0)
        return (size_t)snprintf(out, PSVN_LABEL_TEXT, "rule_%u", rule->number);
    return (size_t)snprintf(out, PSVN_LABEL_TEXT, "%.*s", PSVN_SHOW(&rule->label));
}

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
