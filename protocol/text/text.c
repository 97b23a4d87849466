/* SPDX-License-Identifier: MIT */
#include "protocol/text/text.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 256 };

/* Returns true if text.h's promises hold, of a text that was zeroed and then only changed by these functions.
 */
__attribute__((unused)) static bool text_is_sound(const struct text *text)
{
    if (text->data == NULL)
        return text->length == 0 && text->capacity == 0;
    return text->length < text->capacity && text->data[text->length] == '\0';
}

void text_free(struct text *text)
{
    free(text->data);
    *text = (struct text){0};
}

void text_cut(struct text *text, size_t length)
{
    assert(length <= text->length && text_is_sound(text));
    text->length = length;
    if (text->data != NULL)
        text->data[length] = '\0';
}

void text_clear(struct text *text)
{
    text_cut(text, 0);
    text->failed = false;
}

static bool text_reserve(struct text *text, size_t more)
{
    assert(text_is_sound(text));
    size_t needed = text->length + more + 1;
    if (text->data != NULL && needed <= text->capacity)
        return true;
    size_t capacity = text->capacity > 0 ? text->capacity : FIRST_CAPACITY;
    while (capacity < needed)
        capacity *= 2;
    char *data = realloc(text->data, capacity);
    if (data == NULL) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

void text_append(struct text *text, const char *bytes, size_t length)
{
    assert(bytes != NULL);
    if (!text_reserve(text, length))
        return;
    memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
    assert(text_is_sound(text));
}

void text_add(struct text *text, const char *string)
{
    text_append(text, string, strlen(string));
}

void text_char(struct text *text, char c)
{
    text_append(text, &c, 1);
}

void text_join(struct text *text, const struct text *other)
{
    assert(text != other);
    if (other->length > 0)
        text_append(text, other->data, other->length);
    text->failed |= other->failed;
}

void text_format(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    if (length >= 0 && text_reserve(text, (size_t)length)) {
        (void)vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
        assert(text_is_sound(text));
    }
    text->failed |= length < 0;
    va_end(again);
    va_end(arguments);
}

static bool value_is_bare(const char *value)
{
    return *value != '\0' && value[strcspn(value, " \"\\\n\t")] == '\0';
}

void text_quoted(struct text *text, const char *value)
{
    text_append(text, "\"", 1);
    for (const char *c = value; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\')
            text_append(text, "\\", 1);
        text_append(text, *c == '\n' || *c == '\t' ? " " : c, 1);
    }
    text_append(text, "\"", 1);
}

void text_key(struct text *text, const char *key, const char *value)
{
    if (value == NULL)
        return;
    text_append(text, " ", 1);
    text_add(text, key);
    text_append(text, "=", 1);
    if (value_is_bare(value))
        text_add(text, value);
    else
        text_quoted(text, value);
}

void text_drop(struct text *text, size_t length)
{
    assert(length <= text->length && text_is_sound(text));
    if (length == 0)
        return;
    memmove(text->data, text->data + length, text->length - length + 1);
    text->length -= length;
}

const char *text_string(const struct text *text)
{
    return text->data != NULL ? text->data : "";
}

char *text_take(struct text *text)
{
    if (text->data == NULL && !text->failed)
        text_append(text, "", 0);
    char *data = text->failed ? NULL : text->data;
    if (text->failed)
        free(text->data);
    *text = (struct text){0};
    return data;
}
