/* SPDX-License-Identifier: MIT */
#include "reply.h"

#include <stdlib.h>
#include <string.h>

/* Returns where the value of a key begins; NULL without it. Keys stand after a space and outside of quotes.
 */
static const char *find_value(const char *line, const char *key)
{
    const size_t length = strlen(key);
    bool quoted = false;
    for (const char *at = line; *at != '\0'; at++) {
        if (*at == '\\' && at[1] != '\0')
            at++;
        else if (*at == '"')
            quoted = !quoted;
        else if (!quoted && (at == line || at[-1] == ' ') && strncmp(at, key, length) == 0 &&
                 at[length] == '=')
            return at + length + 1;
    }
    return NULL;
}

bool reply_value(const char *line, const char *key, char *value, size_t size)
{
    const char *at = find_value(line, key);
    if (at == NULL)
        return false;
    const bool quoted = *at == '"';
    at += quoted ? 1 : 0;
    const size_t length = strcspn(at, quoted ? "\"\n" : " \n");
    if (length >= size)
        return false;
    memcpy(value, at, length);
    value[length] = '\0';
    return true;
}

bool reply_has(const char *line, const char *key, const char *value)
{
    char there[512];
    return reply_value(line, key, there, sizeof there) && strcmp(there, value) == 0;
}

bool reply_number(const char *line, const char *key, int64_t *number)
{
    char there[32];
    char *end;
    if (!reply_value(line, key, there, sizeof there) || there[0] == '\0')
        return false;
    *number = strtoll(there, &end, 10);
    return *end == '\0';
}

bool reply_failed(const char *line, const char *code)
{
    const size_t length = strlen(code);
    return strncmp(line, "ERR ", 4) == 0 && strncmp(line + 4, code, length) == 0 && line[4 + length] == ' ';
}
