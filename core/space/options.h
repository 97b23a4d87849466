/* SPDX-License-Identifier: MIT */
/*
 * Reads the options of a puzzle: those in its size text, and the keys of the request.
 *
 * A size text is a head and options, "8,5,3,tap:no,goal:4:4:0". The canonical name of a space has everything
 * that defines the space, in a form that open() accepts again. An option in a size is written key:value, with
 * colons where the request's value has commas. A key of the request wins over the same option of the size.
 */
#ifndef SPACE_OPTIONS_H
#define SPACE_OPTIONS_H

#include "puzzled/space.h"

enum { SPACE_OPTIONS_MAX = 8 };

struct space_options {
    char text[PZ_SIZE_MAX]; /* the size, cut at its options by NULs */
    const char *head;       /* what comes before the options, "" for nothing */
    struct pz_key given[SPACE_OPTIONS_MAX];
    unsigned count;
};

/* Takes the size apart and adds the request's keys and its goal (as "goal"). keys: the puzzle's own,
 * NULL-ended; "goal" is always known. The values live as long as setup and *options do. */
enum pz_status space_options_read(struct space_options *options, const struct pz_setup *setup,
                                  const char *const *keys, struct pz_error *error);
/* Returns the value of an option, NULL when it was not given. */
const char *space_option(const struct space_options *options, const char *key);
/* Reads an option that is one of two words, the first when it was not given. */
enum pz_status space_option_either(const struct space_options *options, const char *key, const char *first,
                                   const char *second, bool *is_second, struct pz_error *error);

/* Appends ",key:value" to a size, commas of the value as colons. PZ_TOO_LARGE when it does not fit. */
enum pz_status space_size_add(char size[PZ_SIZE_MAX], const char *key, const char *value,
                              struct pz_error *error);

enum { SPACE_NUMBER_ANY = -1, SPACE_NUMBER_BAD = -2 };

/* Reads a whole number of at most 18 digits that ends at a separator (comma, colon, slash, space) or the end
 * of the text, and moves *text behind the separator, or to it where nothing follows. Returns SPACE_NUMBER_ANY
 * for "_" or "*", SPACE_NUMBER_BAD for anything else. */
int64_t space_read_number(const char **text);
/* Reads "row,column". Returns false when the text is anything else. */
bool space_read_cell(const char *text, unsigned *row, unsigned *column);

#endif
