/* SPDX-License-Identifier: MIT */
#include "daemon/define/definitions.h"

#include "base/log.h"
#include "base/status_word.h"
#include "space/plugin.h"
#include "space/registry.h"
#include "space/text/formats.h"
#include "space/text/library.h"
#include "store/record/definition_record.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- one definition ---- */

enum pz_status definitions_compile(enum definition_format format, const char *name, const char *owner,
                                   uint64_t created_ms, const char *text, size_t length,
                                   struct definition **out, struct pz_error *error)
{
    enum pz_status status = definition_compile(format, name, text, length, out, error);
    if (status != PZ_OK)
        return status;
    (void)snprintf((*out)->owner, sizeof(*out)->owner, "%s", owner);
    (*out)->created_ms = created_ms;
    return PZ_OK;
}

/* A name of a puzzle or a format cannot be a definition's. */
static enum pz_status check_free_name(const char *name, struct pz_error *error)
{
    return registry_find(name, strlen(name)) != NULL
               ? pz_fail(error, PZ_BAD_REQUEST, "'%s' is a puzzle already: take another name", name)
               : PZ_OK;
}

/* The store copies what the record points to. */
static struct definition_record record_of(const struct definition *definition)
{
    struct definition_record record = {.format = (char *)definition_format_word(definition->format),
                                       .id = (char *)definition->id,
                                       .owner = (char *)definition->owner,
                                       .text = definition->text,
                                       .created_ms = definition->created_ms};
    (void)snprintf(record.name, sizeof record.name, "%s", definition->name);
    return record;
}

/* ---- define ---- */

/* Counts also the definition that has just come in. */
static enum pz_status check_owner_room(const char *owner, struct pz_error *error)
{
    size_t bytes;
    const unsigned count = library_of_owner(owner, &bytes);
    if (count > DEFINITIONS_OF_OWNER)
        return pz_fail(error, PZ_LIMIT, "a client has at most %d definitions: UNDEFINE one",
                       DEFINITIONS_OF_OWNER);
    if (bytes > DEFINITIONS_OF_OWNER_BYTES)
        return pz_fail(error, PZ_LIMIT, "a client's definitions take at most %d MiB: UNDEFINE one",
                       DEFINITIONS_OF_OWNER_BYTES >> 20);
    return PZ_OK;
}

enum pz_status definitions_begin(struct store *store, const struct definition *definition,
                                 const struct store_ack *ack, enum library_state *was, struct pz_error *error)
{
    const struct definition_record record = record_of(definition);
    enum pz_status status = check_free_name(definition->name, error);
    if (status == PZ_OK)
        status = library_enter(definition, LIBRARY_COMING, was, error);
    if (status != PZ_OK || *was == LIBRARY_COMING || *was == LIBRARY_THERE)
        return status;
    if (*was == LIBRARY_GOING)
        return pz_fail(error, PZ_BUSY, "'%s' is being removed at this moment", definition->name);
    status = check_owner_room(definition->owner, error);
    if (status == PZ_OK)
        status = store_definition_put_async(store, &record, ack, error);
    if (status != PZ_OK)
        library_move(definition->name, LIBRARY_ABSENT);
    return status;
}

/* ---- undefine ---- */

static enum pz_status may_remove(const struct definition *definition, const char *owner, bool any_owner,
                                 struct pz_error *error)
{
    if (definition->fixed)
        return pz_fail(error, PZ_DENIED, "%s is from the administrator's directory", definition->name);
    if (!any_owner && strcmp(definition->owner, owner) != 0)
        return pz_fail(error, PZ_DENIED, "%s is the definition of %s", definition->name,
                       definition->owner[0] != '\0' ? definition->owner : "the administrator");
    return PZ_OK;
}

enum pz_status definitions_find(const char *name, const char *owner, bool any_owner,
                                const struct definition **out, struct pz_error *error)
{
    enum library_state state;
    const struct definition *definition = library_named(name, &state);
    enum pz_status status = PZ_OK;
    if (definition == NULL)
        return pz_fail(error, PZ_BAD_PUZZLE, "no definition is named '%.60s'; DEFINITIONS lists them", name);
    if (state != LIBRARY_THERE)
        status = pz_fail(error, PZ_BUSY, "'%s' is being defined or removed at this moment", name);
    else
        status = may_remove(definition, owner, any_owner, error);
    if (status == PZ_OK)
        *out = definition;
    else
        definition_release(definition);
    return status;
}

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

enum pz_status definitions_check_unpinned(struct store *store, const struct definition *definition,
                                          struct pz_error *error)
{
    struct pinned_search search = {.table = ""};
    if (library_has_other_name(definition))
        return PZ_OK;
    (void)snprintf(search.prefix, sizeof search.prefix, "%s:%s", definition_format_word(definition->format),
                   definition->id);
    enum pz_status status = store_tables(store, find_pinned, &search, NULL, error);
    if (status == PZ_OK && search.table[0] != '\0')
        return pz_fail(error, PZ_BUSY, "its table %.300s is pinned: UNPIN it first", search.table);
    return status;
}

enum pz_status definitions_remove(struct store *store, const char *name, const struct store_ack *ack,
                                  struct pz_error *error)
{
    return store_definition_remove_async(store, name, ack, error);
}

/* ---- what is there at the start ---- */

static void log_refused(const char *name, const struct pz_error *error)
{
    struct log_quote file, reason;
    log_event(LOG_LEVEL_ERROR, 0, "event=definition-refused name=%s error=\"%s\"", log_quote(&file, name),
              log_quote(&reason, error->text));
}

/* Compiles a stored definition. */
static enum pz_status compile_stored(const struct definition_record *record, const char *owner,
                                     struct definition **out, struct pz_error *error)
{
    enum definition_format format = DEFINITION_FORMATS;
    if (!definition_format_find(record->format, &format)) {
        (void)pz_fail(error, PZ_UNSUPPORTED, "definition %s is of a format that is not known", record->name);
        return PZ_UNSUPPORTED;
    }
    return definitions_compile(format, record->name, owner, record->created_ms, record->text,
                               strlen(record->text), out, error);
}

/* Adds a definition, and if its name stands for something else, calls it "d" and what fits of its id: jobs
 * and tables go by the id. */
static enum pz_status add_under_some_name(struct definition *made, bool *known, struct pz_error *error)
{
    enum pz_status status = check_free_name(made->name, error);
    if (status == PZ_OK)
        status = library_add(made, known, error);
    if (status != PZ_BAD_REQUEST)
        return status;
    (void)snprintf(made->name, sizeof made->name, "d%.*s", (int)sizeof made->name - 2, made->id);
    return library_add(made, known, error);
}

static enum pz_status load_one(struct store *store, const struct definition_record *record,
                               struct pz_error *error)
{
    struct definition *made = NULL;
    bool known = false;
    enum pz_status status = compile_stored(record, record->owner, &made, error);
    if (status != PZ_OK)
        return status;
    status = add_under_some_name(made, &known, error);
    if (status == PZ_OK && !known && strcmp(made->name, record->name) != 0) {
        const struct definition_record renamed = record_of(made);
        status = store_definition_put(store, &renamed, record->name, error);
        if (status == PZ_OK)
            log_event(LOG_LEVEL_WARNING, 0, "event=definition-renamed name=%s to=%s submitter=%s",
                      record->name, made->name, record->owner);
        else
            library_move(made->name, LIBRARY_ABSENT);
    }
    definition_release(made);
    return status;
}

static bool load_stored(void *context, const struct definition_record *record)
{
    struct pz_error error;
    if (load_one(context, record, &error) != PZ_OK)
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
        status = library_add(made, NULL, error);
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
    if (store_definitions(store, load_stored, store, &own) != PZ_OK)
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
    const struct definition_record record = record_of(definition);
    enum pz_status status = store_definitions(store, find_name, &search, error);
    return status == PZ_OK && !search.found ? store_definition_put(store, &record, NULL, error) : status;
}

enum pz_status definitions_import(struct store *store, const struct definition_record *record,
                                  struct pz_error *error)
{
    struct definition *made = NULL;
    enum pz_status status = compile_stored(record, "", &made, error);
    if (status != PZ_OK)
        return status;
    if (strcmp(made->id, record->id) != 0)
        status = pz_fail(error, PZ_STORAGE, "definition %s has the id %s, not %.40s", made->name, made->id,
                         record->id);
    if (status == PZ_OK)
        status = add_under_some_name(made, NULL, error);
    if (status == PZ_OK)
        status = store_if_new(store, made, error);
    definition_release(made);
    return status;
}

void definitions_close(void)
{
    const struct definition *definition = NULL;
    while ((definition = library_next(NULL)) != NULL) {
        (void)library_remove(definition->name);
        definition_release(definition);
    }
}

/* ---- plugins ---- */

static void log_plugin(void *context, const char *file, const struct pz_puzzle *puzzle,
                       const struct pz_error *error)
{
    struct log_quote name, reason;
    (void)context;
    if (puzzle != NULL)
        log_event(LOG_LEVEL_INFO, 0, "event=plugin-loaded file=%s puzzle=%s", file, puzzle->name);
    else
        log_event(LOG_LEVEL_ERROR, 0, "event=plugin-refused file=%s error=\"%s\"", log_quote(&name, file),
                  log_quote(&reason, error->text));
}

enum pz_status plugins_of_config(const struct config *config, struct pz_error *error)
{
    struct pz_error own;
    if (*config->plugin_directory == '\0')
        return PZ_OK;
    enum pz_status status = plugins_load(config->plugin_directory, log_plugin, NULL, &own);
    return status == PZ_OK ? PZ_OK : pz_fail(error, status, "[daemon] plugin-directory: %s", own.text);
}
