/* SPDX-License-Identifier: MIT */
#include "protocol/text/nearest.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
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

/* ---- names of puzzles as people write them ---- */

/* Finds the ASCII character for U+00D7 (the times sign), U+FF01 … U+FF5E, U+3000 and U+3001. Returns the
 * number of bytes that it stands for, 0 for other characters. plain may be where c is. */
static size_t narrow_letter(const unsigned char *c, char *plain)
{
    const size_t length = c[0] == 0xC3 ? 2 : 3;
    if (c[0] == 0xC3 && c[1] == 0x97)
        *plain = 'x';
    else if (c[0] == 0xEF && c[1] == 0xBC && c[2] >= 0x81 && c[2] <= 0xBF)
        *plain = (char)(c[2] - 0x81 + 0x21);
    else if (c[0] == 0xEF && c[1] == 0xBD && c[2] >= 0x80 && c[2] <= 0x9E)
        *plain = (char)(c[2] - 0x80 + 0x60);
    else if (c[0] == 0xE3 && c[1] == 0x80 && c[2] == 0x80)
        *plain = ' ';
    else if (c[0] == 0xE3 && c[1] == 0x80 && c[2] == 0x81)
        *plain = ',';
    else
        return 0;
    return length;
}

void infer_narrow(char *text)
{
    char *out = text;
    for (char *c = text; *c != '\0'; out++) {
        size_t length = narrow_letter((const unsigned char *)c, out);
        if (length == 0)
            *out = *c;
        c += length == 0 ? 1 : length;
    }
    *out = '\0';
}

const char *infer_name(const char *text, const char **rest)
{
    static const char *const names[][2] = {
        {"数字华容道", "slide"}, {"华容道", "klotski"},   {"推箱子", "sokoban"},
        {"连连看", "linkup"},    {"塞车", "rushhour"},    {"塞車", "rushhour"},
        {"倒水", "jugs"},        {"數字華容道", "slide"}, {"華容道", "klotski"},
        {"連連看", "linkup"},    {"汉诺塔", "hanoi"},     {"漢諾塔", "hanoi"},
        {"河内塔", "hanoi"},     {"煎饼", "pancake"},     {"煎餅", "pancake"},
        {"魔方", "cube3"},       {"三阶魔方", "cube3"},   {"三階魔方", "cube3"},
        {"二阶魔方", "cube2"},   {"二階魔方", "cube2"},   {"金字塔魔方", "pyraminx"},
        {"斜转魔方", "skewb"},   {"斜轉魔方", "skewb"},   {"恐龙魔方", "dino"},
        {"恐龍魔方", "dino"},    {"煎饼排序", "pancake"}, {"煎餅排序", "pancake"},
        {"水壶", "jugs"},        {"水壺", "jugs"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i][0]);
        if (strncmp(text, names[i][0], length) == 0 && strchr(":", text[length]) != NULL) {
            *rest = text + length;
            return names[i][1];
        }
    }
    return NULL;
}

bool infer_puzzle_name(const char *text, char *out, size_t room)
{
    const char *rest = NULL;
    if (strlen(text) >= room)
        return false;
    char *narrowed = strdup(text);
    if (narrowed == NULL)
        return false;
    infer_narrow(narrowed);
    const char *name = infer_name(narrowed, &rest);
    int length = snprintf(out, room, "%s%s", name != NULL ? name : "", name != NULL ? rest : narrowed);
    free(narrowed);
    return length > 0 && (size_t)length < room && strcmp(out, text) != 0;
}
