/* SPDX-License-Identifier: MIT */
#include "client/show/drawn_pieces.h"

#include <stdlib.h>
#include <string.h>

bool pieces_size(const char **pieces, double *columns, double *rows)
{
    char *end = NULL;
    *columns = strtod(*pieces, &end);
    if (*end != 'x')
        return false;
    *rows = strtod(end + 1, &end);
    *pieces = end;
    return *columns > 0 && *columns < 1000 && *rows > 0 && *rows < 1000;
}

/* Reads "x,y" or "x,y,width,height" and returns what follows; NULL if there is neither. */
static const char *read_rectangle(const char *text, struct piece_rectangle *out)
{
    double number[4] = {0, 0, 1, 1};
    unsigned count = 0;
    do {
        char *end = NULL;
        if (count == 4)
            return NULL;
        number[count++] = strtod(text, &end);
        if (end == text)
            return NULL;
        text = end;
    } while (*text++ == ',');
    *out = (struct piece_rectangle){number[0], number[1], number[2], number[3]};
    return count % 2 == 0 ? text - 1 : NULL;
}

/* Reads "x,y,width,height;…" and returns what follows; NULL if the text is malformed, or without memory. */
static const char *read_rectangles(const char *at, struct piece *out)
{
    size_t room = 0;
    for (const char *next = at;; next++) {
        if (out->count == room) {
            struct piece_rectangle *grown = realloc(out->rectangles, (room = 2 * room + 4) * sizeof *grown);
            if (grown == NULL)
                return NULL;
            out->rectangles = grown;
        }
        next = read_rectangle(next, &out->rectangles[out->count++]);
        if (next == NULL || *next != ';')
            return next;
    }
}

const char *piece_next(const char *at, struct piece *out)
{
    *out = (struct piece){0};
    if (at == NULL || *at != ' ')
        return NULL;
    const char *word = at + 1;
    const char *end = word + strcspn(word, " ");
    *out = (struct piece){.kind = word, .kind_length = strcspn(word, ": ")};
    if (word[out->kind_length] != ':')
        return NULL;
    out->id = word + out->kind_length + 1;
    out->id_length = strcspn(out->id, ": ");
    if (out->id[out->id_length] != ':')
        return NULL;
    at = read_rectangles(out->id + out->id_length + 1, out);
    if (at == NULL || (at < end && *at != ':'))
        return NULL;
    out->text = at < end ? at + 1 : end;
    out->text_length = (size_t)(end - out->text);
    return end;
}

bool piece_is(const struct piece *piece, const char *word)
{
    const size_t length = strlen(word);
    for (size_t i = 0; i + length <= piece->kind_length; i++)
        if ((i == 0 || piece->kind[i - 1] == '-') && memcmp(piece->kind + i, word, length) == 0 &&
            (i + length == piece->kind_length || piece->kind[i + length] == '-'))
            return true;
    return false;
}

bool piece_is_block(const struct piece *piece)
{
    const bool block = piece->kind_length >= 5 &&
                       (memcmp(piece->kind, "block", 5) == 0 || memcmp(piece->kind, "chief", 5) == 0);
    return block && piece->id_length == 1 && piece->text_length == 0;
}
