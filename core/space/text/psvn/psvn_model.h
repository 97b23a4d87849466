/* SPDX-License-Identifier: MIT */
/*
 * The content of a PSVN text: domains, variables of the state, rules and goals, with every word resolved. The
 * reader makes it; the kernel and the space are made from it.
 */
#ifndef TEXT_PSVN_MODEL_H
#define TEXT_PSVN_MODEL_H

#include "puzzled/status.h"

#include <stddef.h>
#include <stdint.h>

/* Cuts a PSVN text into words: white space between them, comments left out, the place of each for errors. */

enum { PSVN_WORD_MAX = 64 }; /* bytes of a word */

/* A word, as it lies in the text. */
struct psvn_word {
    const char *text;
    uint32_t length;
    uint32_t line, column; /* from 1 */
};

struct psvn_words {
    const char *at, *end;
    uint32_t line;
    const char *line_start;
    struct psvn_word word; /* the present one; length 0 at the end of the text */
};

/* Goes to the first word. */
enum pz_status psvn_words_begin(struct psvn_words *words, const char *text, size_t length,
                                struct pz_error *error);
/* Goes to the next word. Refuses one that is too long or has a byte that a reply could not show. */
enum pz_status psvn_words_next(struct psvn_words *words, struct pz_error *error);

/* Compares without regard to case, as the tools of PSVN do. */
bool psvn_word_is(const struct psvn_word *word, const char *text);
bool psvn_words_equal(const struct psvn_word *a, const struct psvn_word *b);
/* Returns the number that the word is, at most the given one; −1 for anything else. */
int64_t psvn_word_number(const struct psvn_word *word, int64_t most);

/* Fails with "line 3, column 7: " and the rest, which is a format. */
__attribute__((format(printf, 3, 4))) enum pz_status
psvn_fail_at(struct pz_error *error, const struct psvn_word *word, const char *format, ...);

/* For a format "%.*s". */
#define PSVN_SHOW(word) (int)((word)->length), (word)->text

enum {
    PSVN_DOMAINS_MAX = 256,
    PSVN_PLACES_MAX = 256,    /* variables of a state */
    PSVN_NAMED_MAX = 256,     /* values of a domain that are named */
    PSVN_NUMBERS_MAX = 65536, /* values of a domain of numbers */
    PSVN_RULES_MAX = 32768,
    PSVN_GOALS_MAX = 1024,
    PSVN_COST_MAX = 999999999, /* of a rule */
    PSVN_BITS_MAX = 512,       /* of a state */
    PSVN_PRINTED_MAX = 1200    /* bytes of a state's text */
};

struct psvn_domain {
    struct psvn_word name;
    struct psvn_word *values; /* NULL: numbers */
    uint32_t size;
    uint32_t first; /* of numbers: 0 or 1 */
};

/*
 * The content of a place of a rule or a goal: PSVN_OPEN ("-"), a value from 0, or PSVN_NAME plus the number
 * of a name within the rule. A name that the left side does not bind has a number from the rule's `bound` on.
 */
typedef int32_t psvn_cell;
enum { PSVN_OPEN = -1, PSVN_NAME = 1 << 20 };

struct psvn_rule {
    psvn_cell *left, *right; /* a cell for each place; in the model's one array */
    uint32_t bound, names;   /* names that the left side binds; all names */
    struct psvn_word label;  /* length 0: none */
    uint32_t number;         /* of the rule in the text, from 1 */
    uint32_t line;
    uint32_t cost;
};

struct psvn_model {
    char *text; /* a copy that the words lie in */
    struct psvn_domain *domains;
    uint32_t domain_count;
    uint16_t *domain_of; /* of each place */
    uint32_t places;
    struct psvn_rule *rules;
    uint32_t rule_count;
    psvn_cell *goals; /* places of them each */
    uint32_t goal_count;
    psvn_cell *cells; /* of all rules */
    char *remarks;    /* see psvn_remarks.h; NULL for none */
};

static inline const struct psvn_domain *psvn_domain_of(const struct psvn_model *model, uint32_t place)
{
    return &model->domains[model->domain_of[place]];
}

/* Reads a text. On success the caller owns *out. */
enum pz_status psvn_read(const char *text, size_t length, struct psvn_model **out, struct pz_error *error);
void psvn_model_free(struct psvn_model *model); /* NULL is fine */
/* Returns the bytes of memory that a model takes, about. */
size_t psvn_model_bytes(const struct psvn_model *model);

/* Returns the value that a word is in a domain, −1 for none. */
psvn_cell psvn_value_find(const struct psvn_domain *domain, const struct psvn_word *word);
enum { PSVN_VALUE_TEXT = PSVN_WORD_MAX + 1 };
/* Writes the value's name; returns its length. */
size_t psvn_value_print(const struct psvn_domain *domain, uint32_t value, char out[PSVN_VALUE_TEXT]);
enum { PSVN_LABEL_TEXT = PSVN_WORD_MAX + 1 };
size_t psvn_label_print(const struct psvn_rule *rule, char out[PSVN_LABEL_TEXT]);

#endif
