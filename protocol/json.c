/* SPDX-License-Identifier: MIT */
#include "protocol/json.h"

#include "protocol/text/utf8.h"
#include "protocol/vocabulary.h"

#include <stdlib.h>
#include <string.h>

/* Returns a whole number; beyond 63 bits, which JSON libraries have no integer for, one in floating point. */
static json_t *whole(const struct reply *reply, const struct field *field)
{
    int64_t integer = 0;
    double real = 0.0;
    if (reply_integer(reply, field->key, &integer))
        return json_integer(integer);
    const char *digits = field->value + (*field->value == '-');
    const bool is_large = *digits != '\0' && digits[strspn(digits, "0123456789")] == '\0';
    return is_large && reply_real(reply, field->key, &real) ? json_real(real) : NULL;
}

/* Returns NULL if the value does not have the type of its key. */
static json_t *typed(const struct reply *reply, const struct field *field, enum value_type type)
{
    double real = 0.0;
    switch (type) {
    case VALUE_NUMBER:
    case VALUE_COUNT:
    case VALUE_COUNTED:
    case VALUE_BYTES:
    case VALUE_TIME:
        return whole(reply, field);
    case VALUE_DURATION:
    case VALUE_RATE:
    case VALUE_SHARE:
    case VALUE_REAL:
        return reply_real(reply, field->key, &real) ? json_real(real) : NULL;
    case VALUE_FLAG:
        if (strcmp(field->value, "yes") == 0)
            return json_true();
        return strcmp(field->value, "no") == 0 ? json_false() : NULL;
    case VALUE_WANTED:
    case VALUE_TEXT:
    case VALUE_BOARD:
    case VALUE_WORD:
        break;
    }
    return NULL;
}

static json_t *json_of_field(const struct reply *reply, const struct field *field)
{
    const struct key_row *row = key_find(field->key);
    json_t *value = row != NULL ? typed(reply, field, row->type) : NULL;
    if (value == NULL)
        value = json_string(field->value);
    /* A value that is not UTF-8 cannot be JSON, but its key still appears. */
    return value == NULL ? json_string("(not UTF-8)") : value;
}

json_t *json_of_reply(const struct reply *reply)
{
    json_t *object = json_object();
    for (size_t i = 0; i < reply->count && object != NULL; i++) {
        if (json_object_get(object, reply->fields[i].key) == NULL)
            (void)json_object_set_new(object, reply->fields[i].key, json_of_field(reply, &reply->fields[i]));
    }
    return object;
}

static json_t *json_of_records(const struct reply *records, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count && array != NULL; i++)
        (void)json_array_append_new(array, json_of_reply(&records[i]));
    return array;
}

json_t *json_of_list(const struct reply *head, const char *name, const struct reply *records, size_t count)
{
    json_t *object = json_of_reply(head);
    if (object != NULL)
        (void)json_object_set_new(object, name, json_of_records(records, count));
    return object;
}

bool json_write(json_t *value, FILE *out)
{
    bool written = value != NULL && json_dumpf(value, out, JSON_COMPACT | JSON_REAL_PRECISION(12)) == 0;
    json_decref(value);
    return written && fputc('\n', out) != EOF;
}

/* Makes a string of a text that may have bytes of a file's name, which need not be UTF-8. */
static json_t *json_of_words(const char *text)
{
    json_t *string = json_string(text);
    char *clean = string == NULL ? strdup(text) : NULL;
    if (clean != NULL) {
        utf8_scrub(clean, strlen(clean));
        string = json_string(clean);
    }
    free(clean);
    return string;
}

json_t *json_of_error(const char *code, bool retry, const char *text)
{
    json_t *error =
        json_pack("{s:s, s:b, s:o}", "code", code, "retry", (int)retry, "text", json_of_words(text));
    return error == NULL ? NULL : json_pack("{s:o}", "error", error);
}

json_t *json_of_refusal(const struct reply *reply)
{
    json_t *object = json_of_error(reply->code, reply->retry, reply->text);
    json_t *fields = json_of_reply(reply);
    (void)json_object_update_missing(json_object_get(object, "error"), fields);
    json_decref(fields);
    return object;
}
