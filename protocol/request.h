/* SPDX-License-Identifier: MIT */
/*
 * One request line, taken apart: VERB argument … key=value …
 *
 * Words are parted by spaces. A value or an argument with spaces stands in double quotes, in which \" and \\
 * mean the character itself. A word in quotes from its first character on is an argument, whatever it holds.
 */
#ifndef PROTOCOL_REQUEST_H
#define PROTOCOL_REQUEST_H

#include "protocol/limits.h"
#include "puzzled/space.h"

struct request {
    const char *verb; /* upper case; "" when the line had none */
    unsigned argument_count;
    const char *argument[PROTOCOL_ARGUMENTS_MAX];
    unsigned key_count;
    struct pz_key key[PROTOCOL_KEYS_MAX]; /* in the order of the line, keys in lower case, tag= left out */
    const char *tag;                      /* NULL when there is none */
    const char *line;                     /* as it was given; good as long as the caller keeps it */
    size_t length;
    char words[PROTOCOL_LINE_MAX + 2]; /* what the pointers above point into */
};

/*
 * Takes a line apart, without its line end. PZ_BAD_REQUEST with the reason for control bytes, broken UTF-8,
 * an open quote, a key twice, too many words; verb and tag are then filled as far as they were read.
 */
enum pz_status request_parse(struct request *request, const char *line, size_t length,
                             struct pz_error *error);

/* The value of a key, or NULL. */
const char *request_key(const struct request *request, const char *key);

#endif
