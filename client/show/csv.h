/* SPDX-License-Identifier: MIT */
#ifndef CSV_H
#define CSV_H

#include <stdio.h>

/* Prints a field, in quotes where it needs them. */
void csv_field(const char *text, FILE *out);
/* Prints a field in quotes, as RFC 4180 defines them. */
void csv_quoted(const char *text, FILE *out);

#endif
