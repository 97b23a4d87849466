/* SPDX-License-Identifier: MIT */
#include "json.h"

#include <stdlib.h>
#include <string.h>

enum type { TYPE_INTEGER, TYPE_REAL, TYPE_BOOLEAN };

/* docs/json.md holds the same list for readers. */
static const struct {
    enum type type;
    const char *keys; /* between spaces */
} types[] = {
    {TYPE_INTEGER,
     " beyond built_bytes bytes cache_hits cells connections count created_ms damaged database_bytes "
     "database_free "
     "depth expanded finished_ms frontier generated job jobs_cancelled jobs_done jobs_failed "
     "jobs_queued jobs_running jobs_stopped level levels_only_bytes memory_limit memory_used moves n "
     "passes peak_bytes priority protocol requests seq started_ms states states_explored "
     "submitted_ms table_bytes tables threads total turns used_ms values "},
    {TYPE_REAL, " checkpoint_age done rate seconds store_seconds uptime "},
    {TYPE_BOOLEAN, " bye cached complete forgotten more pinned pong uniform "},
};

static bool lists(const char *keys, const char *key)
{
    size_t length = strlen(key);
    for (const char *at = strstr(keys, key); length > 0 && at != NULL; at = strstr(at + 1, key))
        if (at[-1] == ' ' && at[length] == ' ')
            return true;
    return false;
}

static json_t *typed(const struct reply *reply, const struct field *field, enum type type)
{
    int64_t integer = 0;
    double real = 0.0;
    switch (type) {
    case TYPE_INTEGER:
        return reply_integer(reply, field->key, &integer) ? json_integer(integer) : NULL;
    case TYPE_REAL:
        return reply_real(reply, field->key, &real) ? json_real(real) : NULL;
    case TYPE_BOOLEAN:
        if (strcmp(field->value, "yes") == 0)
            return json_true();
        return strcmp(field->value, "no") == 0 ? json_false() : NULL;
    }
    return NULL;
}

static json_t *json_of_field(const struct reply *reply, const struct field *field)
{
    json_t *value = NULL;
    for (size_t i = 0; i < sizeof types / sizeof *types && value == NULL; i++)
        if (lists(types[i].keys, field->key))
            value = typed(reply, field, types[i].type);
    if (value == NULL)
        value = json_string(field->value);
    /* What is not UTF-8 is not JSON: shown as far as it goes is better than hidden. */
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

json_t *json_of_records(const struct reply *records, size_t count)
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

json_t *json_of_error(const char *code, bool retry, const char *text)
{
    json_t *error = json_pack("{s:s, s:b, s:s+}", "code", code, "retry", (int)retry, "text", text, "");
    return error == NULL ? NULL : json_pack("{s:o}", "error", error);
}
