/* SPDX-License-Identifier: MIT */
#include "space/options.h"

#include <assert.h>
#include <string.h>

static bool is_option_key(const char *word, size_t length, const char *const *keys)
{
    if (length == strlen("goal") && strncmp(word, "goal", length) == 0)
        return true;
    for (; *keys != NULL; keys++)
        if (strlen(*keys) == length && strncmp(word, *keys, length) == 0)
            return true;
    return false;
}

static enum pz_status options_add(struct space_options *options, const char *key, const char *value,
                                  struct pz_error *error)
{
    unsigned i = 0;
    while (i < options->count && strcmp(options->given[i].key, key) != 0)
        i++;
    if (i == SPACE_OPTIONS_MAX)
        return pz_fail(error, PZ_BAD_PUZZLE, "more than %d options", SPACE_OPTIONS_MAX);
    options->given[i] = (struct pz_key){key, value};
    options->count += i == options->count;
    assert(options->count <= SPACE_OPTIONS_MAX);
    return PZ_OK;
}

/* Cuts ",key:value,key:value" off the head. An option begins at a comma before a known key and a colon. */
static enum pz_status split_options(struct space_options *options, const char *const *keys,
                                    struct pz_error *error)
{
    char *field = options->text;
    while (field != NULL) {
        size_t length = strcspn(field, ":,");
        bool is_option = field[length] == ':' && is_option_key(field, length, keys);
        if (is_option) {
            field[length] = '\0';
            if (field > options->text)
                field[-1] = '\0';
            else
                options->head = "";
            enum pz_status status = options_add(options, field, field + length + 1, error);
            if (status != PZ_OK)
                return status;
            field += length + 1;
        }
        field = strchr(field, ',');
        field = field != NULL ? field + 1 : NULL;
    }
    return PZ_OK;
}

enum pz_status space_options_read(struct space_options *options, const struct pz_setup *setup,
                                  const char *const *keys, struct pz_error *error)
{
    size_t length = strlen(setup->size);
    if (length >= sizeof options->text)
        return pz_fail(error, PZ_TOO_LARGE, "the puzzle's text has %zu bytes, at most %zu fit", length,
                       sizeof options->text - 1);
    options->count = 0;
    options->head = options->text;
    memcpy(options->text, setup->size, length + 1);
    enum pz_status status = split_options(options, keys, error);
    for (size_t i = 0; i < setup->key_count && status == PZ_OK; i++)
        status = options_add(options, setup->keys[i].key, setup->keys[i].value, error);
    if (status == PZ_OK && setup->goal != NULL)
        status = options_add(options, "goal", setup->goal, error);
    return status;
}

const char *space_option(const struct space_options *options, const char *key)
{
    for (unsigned i = 0; i < options->count; i++)
        if (strcmp(options->given[i].key, key) == 0)
            return options->given[i].value;
    return NULL;
}

enum pz_status space_option_either(const struct space_options *options, const char *key, const char *first,
                                   const char *second, bool *is_second, struct pz_error *error)
{
    const char *value = space_option(options, key);
    *is_second = value != NULL && strcmp(value, second) == 0;
    if (value == NULL || *is_second || strcmp(value, first) == 0)
        return PZ_OK;
    return pz_fail(error, PZ_BAD_REQUEST, "%s=%.40s: it is %s or %s", key, value, first, second);
}

enum pz_status space_size_add(char size[PZ_SIZE_MAX], const char *key, const char *value,
                              struct pz_error *error)
{
    size_t used = strlen(size);
    assert(used < PZ_SIZE_MAX);
    int added = snprintf(size + used, PZ_SIZE_MAX - used, "%s%s:%s", used > 0 ? "," : "", key, value);
    if (added < 0 || (size_t)added >= PZ_SIZE_MAX - used)
        return pz_fail(error, PZ_TOO_LARGE, "%s=: with it the puzzle's name would have more than %d bytes",
                       key, PZ_SIZE_MAX - 1);
    for (char *c = size + used + (used > 0); *c != '\0'; c++)
        if (*c == ',')
            *c = ':';
    return PZ_OK;
}

int64_t space_read_number(const char **text)
{
    static const char separators[] = ",:/ ";
    const char *at = *text;
    int64_t number = 0;
    size_t length = strcspn(at, separators);
    if (length == 1 && (*at == '_' || *at == '*')) {
        number = SPACE_NUMBER_ANY;
    } else if (length < 1 || length > 18 || strspn(at, "0123456789") < length) {
        number = SPACE_NUMBER_BAD;
    } else {
        for (size_t i = 0; i < length; i++)
            number = number * 10 + (at[i] - '0');
    }
    bool more = at[length] != '\0' && at[length + 1] != '\0';
    *text = at + length + more; /* a separator at the end stays: the next read finds no number */
    return number;
}

bool space_read_cell(const char *text, unsigned *row, unsigned *column)
{
    int64_t r = space_read_number(&text);
    bool more = *text != '\0';
    int64_t c = more ? space_read_number(&text) : SPACE_NUMBER_BAD;
    if (r < 0 || c < 0 || r > UINT8_MAX * 16 || c > UINT8_MAX * 16 || *text != '\0')
        return false;
    *row = (unsigned)r;
    *column = (unsigned)c;
    return true;
}
