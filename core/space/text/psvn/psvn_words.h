/* SPDX-License-Identifier: MIT */
/* Cuts a PSVN text into words: white space between them, comments left out, the place of each for errors. */
#ifndef TEXT_PSVN_WORDS_H
#define TEXT_PSVN_WORDS_H

#include "puzzled/status.h"

#include <stddef.h>
#include <stdint.h>

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

#endif
