/* SPDX-License-Identifier: MIT */
#include "protocol/vocabulary.h"

#include "explore/explore_words.h"
#include "protocol/limits.h"
#include "solve/solve_words.h"
#include "store/job_facts.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

static const struct verb_row verbs[VERB_COUNT] = {
#define VERB(name, ...) [VERB_##name] = {#name, __VA_ARGS__},
#include "protocol/vocabulary.inc"
#undef VERB
};

static const char *const engines[] = {ENGINE_WORDS};
static const char *const keeps[] = {KEEP_WORDS};
static const char *const planes[] = {PLANES_WORDS};
static const char *const froms[] = {FROM_WORDS};
static const char *const methods[] = {METHOD_WORDS};
static const char *const states[] = {JOB_STATE_WORDS};
static const char *const formats[] = {"psvn", "tws"}; /* enum definition_format */
static const char *const answers[] = {"no", "yes", "unknown"};
_Static_assert(sizeof engines / sizeof *engines == ENGINE_COUNT, "a word for each engine");
_Static_assert(sizeof keeps / sizeof *keeps == KEEP_COUNT, "a word for each way to keep");
_Static_assert(sizeof planes / sizeof *planes == PLANES_COUNT, "a word for each kind of planes");
_Static_assert(sizeof methods / sizeof *methods == METHOD_COUNT, "a word for each method");
_Static_assert(sizeof states / sizeof *states == JOB_STATE_COUNT, "a word for each state");

#define WORDS(list, number) .type = VALUE_WORD, .words = (list), .word_count = (number)

static const struct key_row keys[] = {
#define KEY(name, ...) [KEY_##name] = {__VA_ARGS__},
#define REPLY_KEY(...) {__VA_ARGS__},
#include "protocol/vocabulary.inc"
#undef KEY
#undef REPLY_KEY
};

enum { KEYS = sizeof keys / sizeof *keys };

const struct verb_row *verb_row(enum verb verb)
{
    return (unsigned)verb < VERB_COUNT ? &verbs[verb] : NULL;
}

enum verb verb_find(const char *word, size_t length)
{
    unsigned verb = 0;
    while (verb < VERB_COUNT &&
           (strlen(verbs[verb].word) != length || strncasecmp(verbs[verb].word, word, length) != 0))
        verb++;
    return (enum verb)verb;
}

const struct key_row *key_row(unsigned number)
{
    return number < KEYS ? &keys[number] : NULL;
}

const struct key_row *key_find(const char *word)
{
    for (size_t i = 0; i < KEYS; i++)
        if (strcmp(keys[i].word, word) == 0)
            return &keys[i];
    return NULL;
}

enum key key_taken(enum verb verb, const char *word)
{
    unsigned key = 0;
    while (key < KEYS_TAKEN && ((keys[key].taken & VERB_BIT(verb)) == 0 || strcmp(keys[key].word, word) != 0))
        key++;
    return (enum key)key;
}

const char *key_help(const struct key_row *key, enum verb verb)
{
    return (key->other & VERB_BIT(verb)) != 0 ? key->other_help : key->help;
}

bool key_is_flag(const struct key_row *key)
{
    return key->type == VALUE_FLAG || key->type == VALUE_COUNTED || key->type == VALUE_WANTED;
}

const char *key_value_name(const struct key_row *key)
{
    static const char *const names[] = {
        [VALUE_TEXT] = "NAME",         [VALUE_BOARD] = "BOARD", [VALUE_WORD] = "WORD",
        [VALUE_FLAG] = "yes",          [VALUE_NUMBER] = "N",    [VALUE_COUNT] = "N",
        [VALUE_BYTES] = "SIZE",        [VALUE_TIME] = "TIME",   [VALUE_RATE] = "RATE",
        [VALUE_DURATION] = "DURATION", [VALUE_SHARE] = "SHARE", [VALUE_REAL] = "N",
        [VALUE_COUNTED] = "yes",       [VALUE_WANTED] = "yes"};
    assert(key >= keys && key < keys + KEYS && (size_t)key->type < sizeof names / sizeof *names);
    return key == &keys[KEY_TEXT] ? "TEXT" : names[key->type];
}

void key_words(const struct key_row *key, const char *separator, struct text *out)
{
    for (unsigned i = 0; i < key->word_count; i++)
        text_format(out, "%s%s", i > 0 ? separator : "", key->words[i]);
}

void verb_usage(enum verb verb, struct text *out)
{
    assert(verb < VERB_COUNT);
    const char *before = "";
    if (*verbs[verb].arguments != '\0') {
        text_add(out, verbs[verb].arguments);
        before = " ";
    }
    for (const struct key_row *key = keys; key < keys + KEYS_TAKEN; key++) {
        if ((key->taken & VERB_BIT(verb)) == 0)
            continue;
        bool needed = (key->needed & VERB_BIT(verb)) != 0;
        text_format(out, "%s%s%s=", before, needed ? "" : "[", key->word);
        if (key->type == VALUE_WORD)
            key_words(key, "|", out);
        else
            text_add(out, key_value_name(key));
        text_add(out, needed ? "" : "]");
        before = " ";
    }
}
