/* SPDX-License-Identifier: MIT */
/*
 * The only table of the protocol's verbs and keys. The daemon reads requests by it and answers HELP from it.
 * puzzlectl takes its options, its completion and the types of its JSON from it. A test compares
 * docs/protocol.md and docs/json.md with it.
 *
 * To add a verb or a key, add a row in vocabulary.inc.
 */
#ifndef PROTOCOL_VOCABULARY_H
#define PROTOCOL_VOCABULARY_H

#include "protocol/text/text.h"

#include <stdint.h>

enum verb {
#define VERB(name, ...) VERB_##name,
#include "protocol/vocabulary.inc"
#undef VERB
    VERB_COUNT /* also means: no verb at all */
};

struct verb_row {
    const char *word;      /* upper case */
    const char *arguments; /* the words before the keys, "puzzle start" */
    unsigned least, most;  /* how many arguments */
    bool takes_puzzle;     /* argument 0 is a puzzle: keys that the verb does not know are the puzzle's */
    const char *records;   /* of a list reply: the records' name in JSON; NULL otherwise */
    const char *summary;   /* one line for people */
};

/* The form in which a value is written and read. In replies a duration is seconds with a fraction. */
enum value_type {
    VALUE_TEXT,
    VALUE_BOARD,
    VALUE_WORD,     /* one of key_row.words */
    VALUE_FLAG,     /* yes or no */
    VALUE_NUMBER,   /* a whole number such as a job, a level or moves, also 0 */
    VALUE_COUNT,    /* how many there are */
    VALUE_COUNTED,  /* yes or no in requests, how many there are in replies */
    VALUE_WANTED,   /* yes or no in requests, a text in replies */
    VALUE_BYTES,    /* 4096, 512K, 8G */
    VALUE_DURATION, /* 500ms, 30s, 5m */
    VALUE_TIME,     /* milliseconds since 1970; replies only, like those below */
    VALUE_RATE,     /* a second */
    VALUE_SHARE,    /* 0 … 1 */
    VALUE_REAL
};

/* The keys that requests take. Keys that only replies carry have rows after these, without a number. */
enum key {
#define KEY(name, ...) KEY_##name,
#include "protocol/vocabulary.inc"
#undef KEY
    KEYS_TAKEN
};

/* A set of verbs; ERR, EVENT and LOST lines carry keys, too. */
#define VERB_BIT(verb) (UINT64_C(1) << (verb))
#define LINE_ERR       (UINT64_C(1) << 61)
#define LINE_EVENT     (UINT64_C(1) << 62)
#define LINE_LOST      (UINT64_C(1) << 63)

struct key_row {
    const char *word;
    enum value_type type;
    char letter;              /* of the option in puzzlectl, 0 for none */
    const char *const *words; /* VALUE_WORD: the words, word_count of them */
    unsigned word_count;
    int64_t least, most; /* VALUE_NUMBER and VALUE_COUNT in requests; most 0 for no bound */
    uint64_t taken;      /* the verbs whose requests take it */
    uint64_t needed;     /* those of them that must have it */
    uint64_t carried;    /* the verbs whose replies carry it */
    const char *help;    /* of those that requests take */
    uint64_t other;      /* the verbs for which it means something else: */
    const char *other_help;
};

/* Returns the row of a verb, NULL from VERB_COUNT on. */
const struct verb_row *verb_row(enum verb verb);
/* Returns the verb of a word in any case; VERB_COUNT if there is none. */
enum verb verb_find(const char *word, size_t length);
/* Appends what may follow a verb: "puzzle [root=BOARD] [depth=N] …". */
void verb_usage(enum verb verb, struct text *out);

/* Returns the row of a number, also beyond KEYS_TAKEN; NULL after the last. */
const struct key_row *key_row(unsigned number);
/* Returns the row of a word in lower case; NULL if there is none. */
const struct key_row *key_find(const char *word);
/* Returns the number of the key that a request with this verb takes under a word; KEYS_TAKEN if it takes
 * none. */
enum key key_taken(enum verb verb, const char *word);
/* Returns what the key means to a verb. */
const char *key_help(const struct key_row *key, enum verb verb);
/* Returns true for a key whose value is yes or no in requests. */
bool key_is_flag(const struct key_row *key);
/* Returns the name of the key's value in help texts: BOARD, N, SIZE, … */
const char *key_value_name(const struct key_row *key);
/* Appends the words of a VALUE_WORD with a separator between them. */
void key_words(const struct key_row *key, const char *separator, struct text *out);

#endif
