/* SPDX-License-Identifier: MIT */
#include "request.h"

#include <string.h>

void request_begin(struct text *request, const char *verb)
{
    text_clear(request);
    text_add_string(request, verb);
}

/* special: what a value must be quoted for. */
static void add_value(struct text *request, const char *value, const char *special)
{
    if (*value != '\0' && strpbrk(value, special) == NULL) {
        text_add_string(request, value);
        return;
    }
    text_add_char(request, '"');
    for (; *value != '\0'; value++) {
        if (*value == '"' || *value == '\\')
            text_add_char(request, '\\');
        text_add_char(request, *value);
    }
    text_add_char(request, '"');
}

void request_word(struct text *request, const char *word)
{
    text_add_char(request, ' ');
    add_value(request, word, " \"=");
}

void request_number(struct text *request, long long number)
{
    text_printf(request, " %lld", number);
}

void request_pair(struct text *request, const char *key, const char *value)
{
    text_printf(request, " %s=", key);
    add_value(request, value, " \"");
}

bool request_end(struct text *request, struct pz_error *error)
{
    for (size_t i = 0; i < request->length; i++) {
        unsigned char c = (unsigned char)request->data[i];
        if (c < 0x20 || c == 0x7F) {
            (void)pz_fail(error, PZ_BAD_REQUEST, "an argument has a control character (byte %u) in it", c);
            return false;
        }
    }
    if (request->length > REQUEST_MAX) {
        (void)pz_fail(error, PZ_BAD_REQUEST, "the request has %zu bytes, at most %d are allowed",
                      request->length, REQUEST_MAX);
        return false;
    }
    text_add_char(request, '\n');
    if (request->failed) {
        (void)pz_fail(error, PZ_MEMORY, "no memory for the request");
        return false;
    }
    return true;
}
