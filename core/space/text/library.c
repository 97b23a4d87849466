/* SPDX-License-Identifier: MIT */
#include "space/text/library.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

struct shelved {
    const struct definition *definition;
    enum library_state state;
};

/* Guarded by the lock; in the order of the names. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct shelved shelf[LIBRARY_MAX];
static unsigned shelf_count;
static size_t shelf_bytes;
static unsigned changes;

#define TO(state) (1U << (state))

/* The states that a definition may go to from each. */
static const unsigned next_states[LIBRARY_STATES] = {
    [LIBRARY_ABSENT] = TO(LIBRARY_COMING) | TO(LIBRARY_THERE),
    [LIBRARY_COMING] = TO(LIBRARY_THERE) | TO(LIBRARY_ABSENT),
    [LIBRARY_THERE] = TO(LIBRARY_GOING) | TO(LIBRARY_ABSENT),
    [LIBRARY_GOING] = TO(LIBRARY_THERE) | TO(LIBRARY_ABSENT),
};

static void check_move(enum library_state from, enum library_state to)
{
    const bool legal = from < LIBRARY_STATES && (next_states[from] & TO(to)) != 0;
    assert(legal);
    (void)legal;
}

/* Returns where a name is or would be. */
static unsigned shelf_place(const char *name, bool *found)
{
    unsigned low = 0, high = shelf_count;
    *found = false;
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        const int order = strcmp(shelf[middle].definition->name, name);
        if (order == 0)
            *found = true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static size_t definition_bytes(const struct definition *definition)
{
    return definition->length + definition->meaning->bytes + definition->meaning->canonical_length;
}

static bool same_puzzle(const struct definition *a, const struct definition *b)
{
    return strcmp(a->id, b->id) == 0;
}

/* Says why a definition may not come in. The lock is held. */
static enum pz_status check_room(const struct definition *definition, struct pz_error *error)
{
    if (shelf_count == LIBRARY_MAX)
        return pz_fail(error, PZ_LIMIT, "there are %d definitions already; UNDEFINE one", LIBRARY_MAX);
    if (shelf_bytes + definition_bytes(definition) > LIBRARY_BYTES)
        return pz_fail(error, PZ_LIMIT, "all definitions would take more than %d MiB; UNDEFINE one",
                       LIBRARY_BYTES >> 20);
    return PZ_OK;
}

/* Says why a definition may not have the name of another one. */
static enum pz_status name_is_taken(const struct shelved *by, struct pz_error *error)
{
    const char *name = by->definition->name;
    if (by->state == LIBRARY_THERE)
        return pz_fail(error, PZ_BAD_REQUEST,
                       "'%s' is defined, with another meaning: UNDEFINE it first, or take another name",
                       name);
    return pz_fail(error, PZ_BUSY, "'%s' is being defined or removed at this moment", name);
}

/* Adds a definition at its place in the shelf. The lock is held. */
static enum pz_status shelve(const struct definition *definition, unsigned at, enum library_state state,
                             struct pz_error *error)
{
    enum pz_status status = check_room(definition, error);
    if (status != PZ_OK)
        return status;
    check_move(LIBRARY_ABSENT, state);
    memmove(&shelf[at + 1], &shelf[at], (shelf_count++ - at) * sizeof *shelf);
    shelf[at] = (struct shelved){definition_retain(definition), state};
    shelf_bytes += definition_bytes(definition);
    changes++;
    return PZ_OK;
}

enum pz_status library_enter(const struct definition *definition, enum library_state state,
                             enum library_state *was, struct pz_error *error)
{
    enum pz_status status = PZ_OK;
    bool found;
    (void)pthread_mutex_lock(&lock);
    const unsigned at = shelf_place(definition->name, &found);
    *was = found ? shelf[at].state : LIBRARY_ABSENT;
    if (!found)
        status = shelve(definition, at, state, error);
    else if (!same_puzzle(shelf[at].definition, definition))
        status = name_is_taken(&shelf[at], error);
    (void)pthread_mutex_unlock(&lock);
    return status;
}

enum pz_status library_add(const struct definition *definition, bool *known, struct pz_error *error)
{
    enum library_state was;
    enum pz_status status = library_enter(definition, LIBRARY_THERE, &was, error);
    if (known != NULL)
        *known = was != LIBRARY_ABSENT;
    return status;
}

/* Moves the definition of a name; returns false if there is none. */
static bool move_named(const char *name, enum library_state state)
{
    const struct definition *removed = NULL;
    bool found;
    (void)pthread_mutex_lock(&lock);
    const unsigned at = shelf_place(name, &found);
    if (found) {
        check_move(shelf[at].state, state);
        shelf[at].state = state;
        changes++;
    }
    if (found && state == LIBRARY_ABSENT) {
        removed = shelf[at].definition;
        shelf_bytes -= definition_bytes(removed);
        memmove(&shelf[at], &shelf[at + 1], (--shelf_count - at) * sizeof *shelf);
    }
    (void)pthread_mutex_unlock(&lock);
    definition_release(removed);
    return found;
}

void library_move(const char *name, enum library_state state)
{
    const bool found = move_named(name, state);
    assert(found);
    (void)found;
}

bool library_remove(const char *name)
{
    return move_named(name, LIBRARY_ABSENT);
}

static bool is_text(const char *text, const char *key, size_t length)
{
    return strlen(text) == length && memcmp(text, key, length) == 0;
}

const struct definition *library_find(enum definition_format format, const char *key, size_t length)
{
    const struct definition *found = NULL;
    (void)pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < shelf_count && found == NULL; i++) {
        const struct definition *definition = shelf[i].definition;
        if (shelf[i].state != LIBRARY_COMING &&
            (format == DEFINITION_FORMATS || definition->format == format) &&
            (is_text(definition->name, key, length) || is_text(definition->id, key, length)))
            found = definition_retain(definition);
    }
    (void)pthread_mutex_unlock(&lock);
    return found;
}

const struct definition *library_named(const char *name, enum library_state *state)
{
    bool found;
    (void)pthread_mutex_lock(&lock);
    const unsigned at = shelf_place(name, &found);
    *state = found ? shelf[at].state : LIBRARY_ABSENT;
    const struct definition *definition = found ? definition_retain(shelf[at].definition) : NULL;
    (void)pthread_mutex_unlock(&lock);
    return definition;
}

/* Returns what stands behind "psvn:", and the format; NULL and DEFINITION_FORMATS if no format begins it. */
static const char *behind_format(const char *puzzle, enum definition_format *format)
{
    for (*format = 0; *format < DEFINITION_FORMATS; ++*format) {
        const size_t length = strlen(definition_format_word(*format));
        if (strncmp(puzzle, definition_format_word(*format), length) == 0 && puzzle[length] == ':')
            return puzzle + length + 1;
    }
    return NULL;
}

enum library_state library_standing(const char *puzzle)
{
    enum definition_format format;
    enum library_state best = LIBRARY_ABSENT;
    const char *id = behind_format(puzzle, &format);
    if (id == NULL)
        return LIBRARY_THERE;
    const size_t length = strcspn(id, ", ");
    (void)pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < shelf_count && best != LIBRARY_THERE; i++)
        if (shelf[i].state >= LIBRARY_THERE && is_text(shelf[i].definition->id, id, length))
            best = shelf[i].state;
    (void)pthread_mutex_unlock(&lock);
    return best;
}

bool library_has_other_name(const struct definition *definition)
{
    bool found = false;
    (void)pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < shelf_count && !found; i++)
        found = shelf[i].state == LIBRARY_THERE && same_puzzle(shelf[i].definition, definition) &&
                strcmp(shelf[i].definition->name, definition->name) != 0;
    (void)pthread_mutex_unlock(&lock);
    return found;
}

unsigned library_of_owner(const char *owner, size_t *bytes)
{
    unsigned count = 0;
    *bytes = 0;
    (void)pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < shelf_count; i++) {
        if (strcmp(shelf[i].definition->owner, owner) == 0) {
            count++;
            *bytes += definition_bytes(shelf[i].definition);
        }
    }
    (void)pthread_mutex_unlock(&lock);
    return count;
}

const struct definition *library_of_space(const struct pz_space *space)
{
    enum definition_format format;
    return definition_format_find(space->puzzle->name, &format)
               ? library_find(format, space->size, strcspn(space->size, ","))
               : NULL;
}

const struct definition *library_next(const struct definition *previous)
{
    const struct definition *next = NULL;
    bool found = false;
    (void)pthread_mutex_lock(&lock);
    unsigned at = previous != NULL ? shelf_place(previous->name, &found) : 0;
    for (at += found; at < shelf_count && next == NULL; at++)
        if (shelf[at].state != LIBRARY_COMING)
            next = definition_retain(shelf[at].definition);
    (void)pthread_mutex_unlock(&lock);
    definition_release(previous);
    return next;
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
    enum definition_format format;
    const char *behind = behind_format(puzzle, &format), *key = behind != NULL ? behind : puzzle;
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
    const struct definition *definition =
        behind_format(puzzle, &format) != NULL ? find_in_text(puzzle, &rest) : NULL;
    if (definition != NULL)
        (void)snprintf(out, DEFINITION_NAME_MAX, "%s", definition->name);
    definition_release(definition);
    return definition != NULL;
}
