/* SPDX-License-Identifier: MIT */
#include "space/text/library.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

/* Guarded by the lock; in the order of the names. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const struct definition *shelf[LIBRARY_MAX];
static unsigned shelf_count;

/* Returns where a name is or would be. */
static unsigned place_of(const char *name, bool *found)
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

static bool same_meaning(const struct definition *a, const struct definition *b)
{
    return a->format == b->format && a->meaning->canonical_length == b->meaning->canonical_length &&
           memcmp(a->meaning->canonical, b->meaning->canonical, a->meaning->canonical_length) == 0;
}

/* Returns the definition whose id is the same by chance or malice. */
static const struct definition *find_clash(const struct definition *definition)
{
    for (unsigned i = 0; i < shelf_count; i++)
        if (strcmp(shelf[i]->id, definition->id) == 0 && !same_meaning(shelf[i], definition))
            return shelf[i];
    return NULL;
}

/* Puts a definition on the shelf. Returns the one it replaces. */
static const struct definition *place(const struct definition *definition)
{
    bool found;
    const unsigned at = place_of(definition->name, &found);
    const struct definition *replaced = found ? shelf[at] : NULL;
    if (!found)
        memmove(&shelf[at + 1], &shelf[at], (shelf_count++ - at) * sizeof *shelf);
    shelf[at] = definition;
    return replaced;
}

enum pz_status library_add(const struct definition *definition, struct pz_error *error)
{
    const struct definition *replaced = NULL;
    enum pz_status status = PZ_OK;
    (void)pthread_mutex_lock(&lock);
    if (find_clash(definition) != NULL)
        status = pz_fail(error, PZ_UNSUPPORTED, "another definition has the id %s: change a name in the text",
                         definition->id);
    else if (shelf_count == LIBRARY_MAX)
        status = pz_fail(error, PZ_LIMIT, "there are %d definitions already; UNDEFINE one", LIBRARY_MAX);
    else
        replaced = place(definition_retain(definition));
    (void)pthread_mutex_unlock(&lock);
    definition_release(replaced);
    return status;
}

bool library_remove(const char *name)
{
    const struct definition *removed = NULL;
    bool found;
    (void)pthread_mutex_lock(&lock);
    const unsigned at = place_of(name, &found);
    if (found) {
        removed = shelf[at];
        memmove(&shelf[at], &shelf[at + 1], (--shelf_count - at) * sizeof *shelf);
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

const struct definition *library_at(unsigned number)
{
    (void)pthread_mutex_lock(&lock);
    const struct definition *found = number < shelf_count ? definition_retain(shelf[number]) : NULL;
    (void)pthread_mutex_unlock(&lock);
    return found;
}
