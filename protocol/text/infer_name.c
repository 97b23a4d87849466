/* SPDX-License-Identifier: MIT */
#include "protocol/text/infer_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Finds the ASCII character for U+00D7 (the times sign), U+FF01 … U+FF5E, U+3000 and U+3001. Returns the
 * number of bytes that it stands for, 0 for other characters. plain may be where c is. */
static size_t narrow(const unsigned char *c, char *plain)
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
        size_t length = narrow((const unsigned char *)c, out);
        if (length == 0)
            *out = *c;
        c += length == 0 ? 1 : length;
    }
    *out = '\0';
}

const char *infer_name(const char *text, const char **rest)
{
    static const char *const names[][2] = {
        {"数字华容道", "slide"}, {"华容道", "klotski"}, {"推箱子", "sokoban"}, {"连连看", "linkup"},
        {"塞车", "rushhour"},    {"塞車", "rushhour"},  {"倒水", "jugs"},      {"數字華容道", "slide"},
        {"華容道", "klotski"},   {"連連看", "linkup"},  {"汉诺塔", "hanoi"},   {"漢諾塔", "hanoi"},
        {"河内塔", "hanoi"},     {"煎饼", "pancake"},   {"煎餅", "pancake"}};
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
