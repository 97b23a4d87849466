/* SPDX-License-Identifier: MIT */
/* One request line, parsed and understood by the vocabulary: VERB argument … key=value … */
#ifndef PROTOCOL_REQUEST_H
#define PROTOCOL_REQUEST_H

#include "protocol/limits.h"
#include "protocol/text/text.h"
#include "protocol/vocabulary.h"
#include "puzzled/space.h"
#include "puzzled/status.h"

/* The value of a key that the verb takes. */
struct request_value {
    const char *text; /* NULL if it was not given */
    union {
        int64_t number; /* of counts, numbers, bytes and flags; of a word its place in key_row.words */
        double seconds;
    };
};

struct request {
    /* By request_parse. */
    const char *word; /* the verb in upper case; "" if the line had none */
    unsigned argument_count;
    const char *argument[PROTOCOL_ARGUMENTS_MAX];
    unsigned key_count;
    struct pz_key key[PROTOCOL_KEYS_MAX]; /* in the order of the line, keys in lower case, tag= left out */
    const char *tag;                      /* NULL if there is none */
    /* Filled by request_understand. */
    enum verb verb;
    struct request_value value[KEYS_TAKEN];
    unsigned puzzle_key_count;
    struct pz_key puzzle_key[PROTOCOL_KEYS_MAX]; /* those that the verb does not know */

    char puzzle[PZ_SIZE_MAX];          /* the first argument, where it was written in another way */
    char words[PROTOCOL_LINE_MAX + 2]; /* the memory for the pointers above */
    size_t used;                       /* bytes of words, by request_add */
};

/* Parses a line, without its line end. Returns PZ_BAD_REQUEST with the reason for control bytes, invalid
 * UTF-8, an open quote, a key twice, too many words. word and tag are then filled as far as they were
 * read. */
enum pz_status request_parse(struct request *request, const char *line, size_t length,
                             struct pz_error *error);

/* Begins a request of the daemon's own, which never was a line. */
void request_begin(struct request *request, enum verb verb);
/* Adds a copy of an argument (key NULL), or of a key's value; nothing for the value NULL. Returns false if
 * the request would not fit a line, or has the key already. After the last one, call request_understand. */
bool request_add(struct request *request, const char *key, const char *value);

/* Finds the verb and reads the values of the keys that it takes, and boards in several lines as a file's.
 * Returns PZ_BAD_REQUEST with the reason if there is no such verb (verb is VERB_COUNT then), or if its
 * arguments, keys or values do not fit it, PZ_BAD_BOARD for lines that are no board. */
enum pz_status request_understand(struct request *request, struct pz_error *error);

/* Finds where the request begins, by start= or root=; NULL: it does not say. Returns PZ_BAD_REQUEST for both.
 */
enum pz_status request_start(const struct request *request, const char **start, struct pz_error *error);
/* Returns how to open the puzzle of a request for a board, NULL for none. */
struct pz_setup request_setup(const struct request *request, const char *start);
/* Returns the text of a key's value, NULL if it was not given. */
const char *request_text(const struct request *request, enum key key);
/* Returns the number of a key's value, or otherwise if it was not given. */
int64_t request_number(const struct request *request, enum key key, int64_t otherwise);
double request_seconds(const struct request *request, enum key key, double otherwise);

/* Builds a request line of words and key=value, with quotes where needed. text_key() adds a pair. */

void compose_begin(struct text *request, const char *verb);
void compose_word(struct text *request, const char *word);
void compose_number(struct text *request, long long number);
/* Ends the line with its LF. Returns false, with the reason, if the daemon could not take it: too long, or
 * with a control byte (which could smuggle in a second request). */
bool compose_end(struct text *request, struct pz_error *error);

#endif
