/* SPDX-License-Identifier: MIT */
#include "space/text/library.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

/* Guarded by the lock; in the order of the names. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const struct definition *shelf[LIBRARY_MAX];
static unsigned shelf_count;
static size_t shelf_bytes;
static unsigned changes;

/* Returns where a name is or would be. */
static unsigned shelf_place(const char *name, bool *found)
{
    unsigned low = 0, high = shelf_count;
    *found = false;
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        const int order = strcmp(shelf[middle]->name, name);
        if (order == 0)
            *found = true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static size_t bytes_of(const struct definition *definition)
{
    return definition->length + definition->meaning->bytes + definition->meaning->canonical_length;
}

/* Says why a definition may not come in. The lock is held. */
static enum pz_status check_room(const struct definition *definition, struct pz_error *error)
{
    if (shelf_count == LIBRARY_MAX)
        return pz_fail(error, PZ_LIMIT, "there are %d definitions already; UNDEFINE one", LIBRARY_MAX);
    if (shelf_bytes + bytes_of(definition) > LIBRARY_BYTES)
        return pz_fail(error, PZ_LIMIT, "all definitions would take more than %d MiB; UNDEFINE one",
                       LIBRARY_BYTES >> 20);
    return PZ_OK;
}

enum pz_status library_add(const struct definition *definition, bool *known, struct pz_error *error)
{
    enum pz_status status = PZ_OK;
    bool found;
    (void)pthread_mutex_lock(&lock);
    const unsigned at = shelf_place(definition->name, &found);
    if (known != NULL)
        *known = found;
    if (found && strcmp(shelf[at]->id, definition->id) != 0)
        status = pz_fail(error, PZ_BAD_REQUEST,
                         "'%s' is defined, with another meaning: UNDEFINE it first, or take another name",
                         definition->name);
    else if (!found)
        status = check_room(definition, error);
    if (status == PZ_OK && !found) {
        memmove(&shelf[at + 1], &shelf[at], (shelf_count++ - at) * sizeof(struct definition *));
        shelf[at] = definition_retain(definition);
        shelf_bytes += bytes_of(definition);
        changes++;
    }
    (void)pthread_mutex_unlock(&lock);
    return status;
}

bool library_remove(const char *name)
{
    const struct definition *removed = NULL;
    bool found;
    (void)pthread_mutex_lock(&lock);
    const unsigned at = shelf_place(name, &found);
    if (found) {
        removed = shelf[at];
        shelf_bytes -= bytes_of(removed);
        changes++;
        memmove(&shelf[at], &shelf[at + 1], (--shelf_count - at) * sizeof(struct definition *));
    }
    (void)pthread_mutex_unlock(&lock);
    definition_release(removed);
    return found;
}

static bool is_text(const char *text, const char *key, size_t length)
{
    return strlen(text) == length && memcmp(text, key, length) == 0;
}

const struct definition *library_find(enum definition_format format, const char *key, size_t length)
{
    const struct definition *found = NULL;
    (void)pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < shelf_count && found == NULL; i++)
        if ((format == DEFINITION_FORMATS || shelf[i]->format == format) &&
            (is_text(shelf[i]->name, key, length) || is_text(shelf[i]->id, key, length)))
            found = definition_retain(shelf[i]);
    (void)pthread_mutex_unlock(&lock);
    return found;
}

const struct definition *library_of_space(const struct pz_space *space)
{
    enum definition_format format;
    return definition_format_find(space->puzzle->name, &format)
               ? library_find(format, space->size, strcspn(space->size, ","))
               : NULL;
}

const struct definition *library_at(unsigned number)
{
    (void)pthread_mutex_lock(&lock);
    const struct definition *found = number < shelf_count ? definition_retain(shelf[number]) : NULL;
    (void)pthread_mutex_unlock(&lock);
    return found;
}

enum pz_status library_open(enum definition_format format, const struct pz_setup *setup,
                            struct pz_space **out, struct pz_error *error)
{
    const size_t length = strcspn(setup->size, ",");
    const struct definition *definition = library_find(format, setup->size, length);
    if (definition == NULL)
        return pz_fail(error, PZ_BAD_PUZZLE, "no %s definition '%.*s'; DEFINITIONS lists them",
                       definition_format_word(format), (int)(length < 60 ? length : 60), setup->size);
    enum pz_status status = definition_open(definition, setup, out, error);
    definition_release(definition);
    return status;
}

unsigned library_changes(void)
{
    (void)pthread_mutex_lock(&lock);
    const unsigned now = changes;
    (void)pthread_mutex_unlock(&lock);
    return now;
}

/* Finds the definition of a puzzle's text, "psvn:KEY…" or "KEY…"; *rest is what stands behind the key. */
static const struct definition *find_in_text(const char *puzzle, const char **rest)
{
    enum definition_format format = 0;
    const char *key = puzzle;
    while (format < DEFINITION_FORMATS) {
        const size_t length = strlen(definition_format_word(format));
        if (strncmp(puzzle, definition_format_word(format), length) == 0 && puzzle[length] == ':') {
            key = puzzle + length + 1;
            break;
        }
        format++;
    }
    *rest = key + strcspn(key, ",:");
    return library_find(format, key, (size_t)(*rest - key));
}

bool library_lasting_text(const char *puzzle, char out[PZ_SIZE_MAX + 64])
{
    const char *rest;
    const struct definition *definition = find_in_text(puzzle, &rest);
    if (definition == NULL)
        return false;
    const int length = snprintf(out, PZ_SIZE_MAX + 64, "%s:%s%s", definition_format_word(definition->format),
                                definition->id, rest);
    definition_release(definition);
    return length < PZ_SIZE_MAX + 64;
}

bool library_name_of(const char *puzzle, char out[DEFINITION_NAME_MAX])
{
    const char *rest;
    enum definition_format format;
    char word[8];
    (void)snprintf(word, sizeof word, "%.*s", (int)strcspn(puzzle, ":"), puzzle);
    if (!definition_format_find(word, &format))
        return false;
    const struct definition *definition = find_in_text(puzzle, &rest);
    if (definition != NULL)
        (void)snprintf(out, DEFINITION_NAME_MAX, "%s", definition->name);
    definition_release(definition);
    return definition != NULL;
}
