/* SPDX-License-Identifier: MIT */
#ifndef CSV_H
#define CSV_H

#include <stdio.h>

/* Prints a field in quotes, as RFC 4180 defines them. */
void csv_quoted(const char *text, FILE *out);

#endif
