/* SPDX-License-Identifier: MIT */
#include "protocol/text/nearest.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

enum { LETTERS_MAX = 32 };

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Returns the optimal string alignment distance of words of at most LETTERS_MAX bytes. */
static unsigned distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned rows[3][LETTERS_MAX + 1];
    assert(a_length <= LETTERS_MAX && b_length <= LETTERS_MAX);
    for (unsigned j = 0; j <= b_length; j++)
        rows[0][j] = j;
    for (unsigned i = 1; i <= a_length; i++) {
        unsigned *row = rows[i % 3];
        const unsigned *above = rows[(i + 2) % 3];
        const unsigned *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (unsigned j = 1; j <= b_length; j++) {
            row[j] = above[j - 1] + !same(a[i - 1], b[j - 1]);
            row[j] = least(row[j], least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                row[j] = least(row[j], two_above[j - 2] + 1);
        }
    }
    return rows[a_length % 3][b_length];
}

void nearest_offer(struct nearest *nearest, const char *word)
{
    size_t written = strlen(nearest->written);
    size_t offered = strlen(word);
    if (written > LETTERS_MAX || offered > LETTERS_MAX || written < 2)
        return;
    unsigned errors = distance(nearest->written, written, word, offered);
    unsigned most = written < 5 ? 1 : written < 9 ? 2 : 3;
    bool begins = written >= 3 && offered > written && strncmp(nearest->written, word, written) == 0;
    if (begins)
        errors = 1;
    if (errors > most || (nearest->best != NULL && errors >= nearest->errors))
        return;
    nearest->best = word;
    nearest->errors = errors;
}

void nearest_say(const struct nearest *nearest, struct text *out)
{
    if (nearest->best != NULL)
        text_format(out, "; did you mean '%s'?", nearest->best);
}
