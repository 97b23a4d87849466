/* SPDX-License-Identifier: MIT */
#include "daemon/define/definitions.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/status_word.h"
#include "space/registry.h"
#include "space/text/definition_file.h"
#include "space/text/formats.h"
#include "space/text/library.h"
#include "store/record/definition_record.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- one definition ---- */

static enum pz_status check_free_name(const char *name, struct pz_error *error)
{
    const struct pz_puzzle *puzzle = NULL;
    enum definition_format format;
    bool taken = definition_format_find(name, &format);
    for (unsigned i = 0; !taken && (puzzle = registry_puzzle(i)) != NULL; i++)
        taken = strcmp(puzzle->name, name) == 0;
    return taken ? pz_fail(error, PZ_BAD_REQUEST, "'%s' is a puzzle already: take another name", name)
                 : PZ_OK;
}

/* Adds a definition to the library, and releases it unless out takes it. */
static enum pz_status add_made(struct definition *made, const struct definition **out, bool *known,
                               struct pz_error *error)
{
    enum pz_status status = library_add(made, known, error);
    if (status == PZ_OK && out != NULL)
        *out = made;
    else
        definition_release(made);
    return status;
}

/* Compiles a definition and adds it to the library. */
static enum pz_status add_definition(enum definition_format format, const char *name, const char *owner,
                                     uint64_t created_ms, const char *text, size_t length,
                                     const struct definition **out, bool *known, struct pz_error *error)
{
    struct definition *made = NULL;
    enum pz_status status = check_free_name(name, error);
    if (status == PZ_OK)
        status = definition_compile(format, name, text, length, &made, error);
    if (status != PZ_OK)
        return status;
    (void)snprintf(made->owner, sizeof made->owner, "%s", owner);
    made->created_ms = created_ms;
    return add_made(made, out, known, error);
}

static enum pz_status store_one(struct store *store, const struct definition *definition,
                                struct pz_error *error)
{
    struct definition_record record = {.format = (char *)definition_format_word(definition->format),
                                       .id = (char *)definition->id,
                                       .owner = (char *)definition->owner,
                                       .text = definition->text,
                                       .created_ms = definition->created_ms};
    (void)snprintf(record.name, sizeof record.name, "%s", definition->name);
    return store_definition_put(store, &record, error);
}

/* ---- define ---- */

static enum pz_status check_owner_room(const char *owner, size_t length, struct pz_error *error)
{
    size_t count = 0, bytes = length;
    const struct definition *definition = NULL;
    for (unsigned i = 0; (definition = library_at(i)) != NULL; i++) {
        if (strcmp(definition->owner, owner) == 0) {
            count++;
            bytes += definition->meaning->bytes + definition->length;
        }
        definition_release(definition);
    }
    if (count >= DEFINITIONS_OF_OWNER)
        return pz_fail(error, PZ_LIMIT, "a client has at most %d definitions: UNDEFINE one",
                       DEFINITIONS_OF_OWNER);
    if (bytes > DEFINITIONS_OF_OWNER_BYTES)
        return pz_fail(error, PZ_LIMIT, "a client's definitions take at most %d MiB: UNDEFINE one",
                       DEFINITIONS_OF_OWNER_BYTES >> 20);
    return PZ_OK;
}

enum pz_status definitions_define(struct store *store, enum definition_format format, const char *name,
                                  const char *owner, const char *text, size_t length,
                                  const struct definition **out, bool *known, struct pz_error *error)
{
    enum pz_status status = check_owner_room(owner, length, error);
    if (status == PZ_OK)
        status = add_definition(format, name, owner, clock_wall_ms(), text, length, out, known, error);
    if (status != PZ_OK || *known)
        return status;
    status = store_one(store, *out, error);
    if (status == PZ_OK)
        return PZ_OK;
    (void)library_remove(name);
    definition_release(*out);
    return status;
}

/* ---- undefine ---- */

struct pinned_search {
    char prefix[DEFINITION_ID_BYTES + 16]; /* "psvn:ID" */
    char table[STORE_NAME_MAX];            /* found */
};

static bool find_pinned(void *context, const struct table_record *table)
{
    struct pinned_search *search = context;
    if (!table->pinned || strncmp(table->name, search->prefix, strlen(search->prefix)) != 0)
        return true;
    (void)snprintf(search->table, sizeof search->table, "%s", table->name);
    return false;
}

static bool has_other_name(const struct definition *definition)
{
    const struct definition *other = NULL;
    bool found = false;
    for (unsigned i = 0; !found && (other = library_at(i)) != NULL; i++) {
        found = strcmp(other->id, definition->id) == 0 && strcmp(other->name, definition->name) != 0;
        definition_release(other);
    }
    return found;
}

static enum pz_status check_unpinned(struct store *store, const struct definition *definition,
                                     struct pz_error *error)
{
    struct pinned_search search = {.table = ""};
    if (has_other_name(definition))
        return PZ_OK;
    (void)snprintf(search.prefix, sizeof search.prefix, "%s:%s", definition_format_word(definition->format),
                   definition->id);
    enum pz_status status = store_tables(store, find_pinned, &search, error);
    if (status == PZ_OK && search.table[0] != '\0')
        return pz_fail(error, PZ_BUSY, "its table %.300s is pinned: UNPIN it first", search.table);
    return status;
}

enum pz_status definitions_undefine(struct store *store, const char *name, const char *owner, bool any_owner,
                                    struct pz_error *error)
{
    const struct definition *definition = library_find(DEFINITION_FORMATS, name, strlen(name));
    if (definition == NULL || strcmp(definition->name, name) != 0) {
        definition_release(definition);
        return pz_fail(error, PZ_BAD_PUZZLE, "no definition is named '%.60s'; DEFINITIONS lists them", name);
    }
    enum pz_status status = PZ_OK;
    if (definition->fixed)
        status = pz_fail(error, PZ_DENIED, "%s is from the administrator's directory", name);
    else if (!any_owner && strcmp(definition->owner, owner) != 0)
        status = pz_fail(error, PZ_DENIED, "%s is the definition of %s", name,
                         definition->owner[0] != '\0' ? definition->owner : "the administrator");
    else
        status = check_unpinned(store, definition, error);
    definition_release(definition);
    if (status == PZ_OK)
        status = store_definition_remove(store, name, error);
    if (status == PZ_OK)
        (void)library_remove(name);
    return status;
}

/* ---- what is there at the start ---- */

static void log_refused(const char *name, const struct pz_error *error)
{
    log_event(LOG_LEVEL_ERROR, 0, "event=definition-refused name=%s error=\"%s\"", name, error->text);
}

static bool load_stored(void *context, const struct definition_record *record)
{
    struct pz_error error;
    enum definition_format format = DEFINITION_FORMATS;
    (void)context;
    enum pz_status status = definition_format_find(record->format, &format)
                                ? PZ_OK
                                : pz_fail(&error, PZ_UNSUPPORTED, "its format is not known");
    if (status == PZ_OK)
        status = add_definition(format, record->name, record->owner, record->created_ms, record->text,
                                strlen(record->text), NULL, NULL, &error);
    if (status != PZ_OK)
        log_refused(record->name, &error);
    return true;
}

/* Reads a file of the directory whose name ends in a format. */
static enum pz_status load_definition_file(const char *directory, const char *file, struct pz_error *error)
{
    char path[4096];
    struct definition *made = NULL;
    if (snprintf(path, sizeof path, "%s/%s", directory, file) >= (int)sizeof path)
        return pz_fail(error, PZ_BAD_REQUEST, "its name is too long");
    enum pz_status status = definition_file_compile(path, &made, error);
    if (status != PZ_OK)
        return status;
    made->fixed = true;
    status = check_free_name(made->name, error);
    if (status == PZ_OK)
        return add_made(made, NULL, NULL, error);
    definition_release(made);
    return status;
}

static int is_definition(const struct dirent *entry)
{
    enum definition_format format;
    const char *dot = strrchr(entry->d_name, '.');
    return dot != NULL && dot != entry->d_name && definition_format_find(dot + 1, &format);
}

static enum pz_status load_directory(const char *directory, struct pz_error *error)
{
    struct dirent **files = NULL;
    const int count = scandir(directory, &files, is_definition, alphasort);
    if (count < 0)
        return status_from_errno(error, errno, directory);
    for (int i = 0; i < count; i++) {
        struct pz_error own;
        if (load_definition_file(directory, files[i]->d_name, &own) != PZ_OK)
            log_refused(files[i]->d_name, &own);
        free(files[i]);
    }
    free(files);
    return PZ_OK;
}

enum pz_status definitions_load(const struct config *config, struct store *store, struct pz_error *error)
{
    struct pz_error own;
    if (*config->definition_directory != '\0') {
        enum pz_status status = load_directory(config->definition_directory, &own);
        if (status != PZ_OK)
            return pz_fail(error, status, "[daemon] definition-directory: %s", own.text);
    }
    if (store_definitions(store, load_stored, NULL, &own) != PZ_OK)
        log_refused("?", &own);
    return PZ_OK;
}

struct name_search {
    const char *name;
    bool found;
};

static bool find_name(void *context, const struct definition_record *record)
{
    struct name_search *search = context;
    search->found = strcmp(record->name, search->name) == 0;
    return !search->found;
}

/* Stores a definition unless the store has that name. A stored definition of that name is the same one,
 * though its owner may differ. */
static enum pz_status store_if_new(struct store *store, const struct definition *definition,
                                   struct pz_error *error)
{
    struct name_search search = {.name = definition->name};
    enum pz_status status = store_definitions(store, find_name, &search, error);
    return status == PZ_OK && !search.found ? store_one(store, definition, error) : status;
}

enum pz_status definitions_import(struct store *store, const struct definition_record *record,
                                  struct pz_error *error)
{
    char name[DEFINITION_NAME_MAX];
    const struct definition *made = NULL;
    enum definition_format format;
    bool known = false;
    if (!definition_format_find(record->format, &format))
        return pz_fail(error, PZ_UNSUPPORTED, "definition %s is of a format that is not known", record->name);
    enum pz_status status = add_definition(format, record->name, "", record->created_ms, record->text,
                                           strlen(record->text), &made, &known, error);
    (void)snprintf(name, sizeof name, "d%.16s", record->id);
    if (status != PZ_OK)
        status = add_definition(format, name, "", record->created_ms, record->text, strlen(record->text),
                                &made, &known, error);
    if (status != PZ_OK)
        return status;
    if (strcmp(made->id, record->id) != 0)
        status = pz_fail(error, PZ_STORAGE, "definition %s has the id %s, not %.20s", made->name, made->id,
                         record->id);
    else
        status = store_if_new(store, made, error);
    definition_release(made);
    return status;
}

void definitions_close(void)
{
    const struct definition *definition = NULL;
    while ((definition = library_at(0)) != NULL) {
        (void)library_remove(definition->name);
        definition_release(definition);
    }
}
