/* SPDX-License-Identifier: MIT */
#include "text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_clear(struct text *text)
{
    free(text->data);
    *text = (struct text){0};
}

static bool text_reserve(struct text *text, size_t more)
{
    if (text->failed || more > SIZE_MAX / 4 - text->length)
        return !(text->failed = true);
    size_t needed = text->length + more + 1;
    if (needed <= text->capacity)
        return true;
    size_t capacity = needed < 64 ? 64 : needed * 2;
    char *data = realloc(text->data, capacity);
    if (data == NULL)
        return !(text->failed = true);
    text->data = data;
    text->capacity = capacity;
    return true;
}

void text_add(struct text *text, const char *bytes, size_t length)
{
    if (!text_reserve(text, length))
        return;
    memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void text_add_string(struct text *text, const char *string)
{
    text_add(text, string, strlen(string));
}

void text_add_char(struct text *text, char c)
{
    text_add(text, &c, 1);
}

void text_printf(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_list again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    bool reserved = length >= 0 && text_reserve(text, (size_t)length);
    if (reserved)
        (void)vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    if (reserved)
        text->length += (size_t)length;
}

void text_drop(struct text *text, size_t length)
{
    if (length == 0)
        return;
    memmove(text->data, text->data + length, text->length - length + 1);
    text->length -= length;
}

const char *text_string(const struct text *text)
{
    return text->data == NULL ? "" : text->data;
}
