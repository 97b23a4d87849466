/* SPDX-License-Identifier: MIT */
#include "client/show/csv.h"

#include <string.h>

void csv_quoted(const char *text, FILE *out)
{
    (void)fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            (void)fputc('"', out);
        (void)fputc(*text, out);
    }
    (void)fputc('"', out);
}

void csv_field(const char *text, FILE *out)
{
    if (strpbrk(text, ",\"\n\r") != NULL)
        csv_quoted(text, out);
    else
        (void)fputs(text, out);
}
