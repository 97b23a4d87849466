/* SPDX-License-Identifier: MIT */
#include "protocol/compose.h"

#include "protocol/limits.h"

#include <assert.h>
#include <string.h>

void compose_begin(struct text *request, const char *verb)
{
    assert(*verb != '\0' && strpbrk(verb, " \"\n") == NULL);
    text_clear(request);
    text_add(request, verb);
}

void compose_word(struct text *request, const char *word)
{
    text_char(request, ' ');
    if (*word == '\0' || strpbrk(word, " \"\\=\t") != NULL)
        text_quoted(request, word);
    else
        text_add(request, word);
}

void compose_number(struct text *request, long long number)
{
    text_format(request, " %lld", number);
}

bool compose_end(struct text *request, struct pz_error *error)
{
    for (size_t i = 0; i < request->length; i++) {
        unsigned char c = (unsigned char)request->data[i];
        if (c < 0x20 || c == 0x7F) {
            (void)pz_fail(error, PZ_BAD_REQUEST, "an argument has a control character (byte %u) in it", c);
            return false;
        }
    }
    if (request->length > PROTOCOL_LINE_MAX) {
        (void)pz_fail(error, PZ_BAD_REQUEST, "the request has %zu bytes, at most %d are allowed",
                      request->length, PROTOCOL_LINE_MAX);
        return false;
    }
    text_char(request, '\n');
    if (request->failed) {
        (void)pz_fail(error, PZ_MEMORY, "no memory for the request");
        return false;
    }
    return true;
}
