/* SPDX-License-Identifier: MIT */
#include "solve/abstraction/abstractions.h"

#include "base/budget.h"
#include "solve/pdb/build.h"
#include "space/guard.h"
#include "space/registry.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COLLECTION_BYTES_MAX = 256 << 20 };
/* A puzzle of fewer states is solved in less time than a table by orbits takes. */
#define ORBITS_FROM_STATES (UINT64_C(1) << 33)
enum { NAME_MAX_BYTES = PZ_SIZE_MAX + 64 + SOLVE_PARTITION_MAX + 32 };

/* One database. */
struct database {
    struct abstraction *abstraction;
    struct orbit_walk *walk; /* NULL but of an abstraction by orbits: then all are */
    const uint8_t *bytes;    /* NULL while it is only named */
    uint8_t *built;          /* the same when they are mapped here, NULL when they are the archive's */
    char name[NAME_MAX_BYTES];
};

struct abstractions {
    const struct pz_space *space;
    struct abstractor *abstractor;
    struct pattern_collection collection;
    struct database database[COLLECTION_MAX];
    const struct pattern_archive *archive;
    struct budget *budget;
    uint64_t built_bytes;
};

/* ---- names ---- */

static void name_table(const struct pz_space *space, const char *collection, unsigned number,
                       char name[NAME_MAX_BYTES])
{
    char puzzle[PZ_SIZE_MAX + 64];
    (void)space_name(space, puzzle);
    (void)snprintf(name, NAME_MAX_BYTES, "pdb:%s:%s:%u", puzzle, collection, number + 1);
}

bool abstractions_name_partition(const char *name, const struct pz_space *space,
                                 char partition[SOLVE_PARTITION_MAX])
{
    char begin[NAME_MAX_BYTES];
    name_table(space, "", 0, begin);
    const size_t length = strlen(begin) - strlen(":1");
    if (strncmp(name, begin, length) != 0)
        return false;
    const char *end = strchr(name + length, ':');
    if (end == NULL || (size_t)(end - name) - length >= SOLVE_PARTITION_MAX)
        return false;
    memcpy(partition, name + length, (size_t)(end - name) - length);
    partition[(size_t)(end - name) - length] = '\0';
    return true;
}

/* ---- tables ---- */

/* Stored tables are whole words. */
static uint64_t database_bytes(const struct database *database)
{
    const struct abstraction *abstraction = database->abstraction;
    if (database->walk != NULL)
        return orbit_table_bytes(abstraction->keys);
    return (abstraction->keys + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
}

/* An archive_fits. */
static bool database_fits(const void *database, const uint8_t *bytes, size_t length)
{
    (void)bytes;
    return length == database_bytes(database);
}

static enum pz_status load_all(struct abstractions *abstractions, struct pz_error *error)
{
    enum pz_status all = PZ_OK;
    for (unsigned i = 0; i < abstractions->collection.count && all != PZ_CANCELLED; i++) {
        struct database *database = &abstractions->database[i];
        size_t length;
        const enum pz_status status = archive_load_fitting(
            abstractions->archive, database->name, database_fits, database, &database->bytes, &length, error);
        all = status == PZ_OK ? all : status;
    }
    return all;
}

static enum pz_status build_database(struct abstractions *abstractions, struct database *database,
                                     const struct abstractions_request *request, struct pz_error *error)
{
    const uint64_t bytes = database_bytes(database);
    if (!budget_take(abstractions->budget, bytes))
        return pz_fail(error, PZ_TOO_LARGE, "the budget has no %" PRIu64 " bytes for a pattern database",
                       bytes);
    database->built = memory_map(bytes, MEMORY_HUGE_PAGES);
    if (database->built == NULL) {
        budget_give(abstractions->budget, bytes);
        return pz_fail(error, PZ_MEMORY, "no memory for a pattern database of %" PRIu64 " bytes", bytes);
    }
    const enum pz_status status =
        database->walk != NULL
            ? orbit_table_fill(database->abstraction, request->threads, abstractions->budget,
                               request->checkpoint, request->control, database->built, error)
            : abstraction_table_fill(database->abstraction, request->threads, abstractions->budget,
                                     request->control, database->built, error);
    if (status != PZ_OK)
        return status;
    database->bytes = database->built;
    abstractions->built_bytes += bytes;
    return archive_save_built(abstractions->archive, database->name, database->bytes, bytes, error);
}

static enum pz_status build_missing_databases(struct abstractions *abstractions,
                                              const struct abstractions_request *request,
                                              struct pz_error *error)
{
    enum pz_status status = build_turn_take(request->control, error);
    if (status != PZ_OK)
        return status;
    status = load_all(abstractions, error); /* another search may have made them meanwhile */
    if (status == PZ_NO_TABLE)
        status = PZ_OK;
    for (unsigned i = 0; i < abstractions->collection.count && status == PZ_OK; i++)
        if (abstractions->database[i].bytes == NULL)
            status = build_database(abstractions, &abstractions->database[i], request, error);
    build_turn_give();
    return status;
}

/* ---- open and close ---- */

static void close_databases(struct abstractions *abstractions, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        struct database *database = &abstractions->database[i];
        if (database->built != NULL)
            budget_unmap(abstractions->budget, database->built, database_bytes(database));
        else if (database->bytes != NULL)
            abstractions->archive->release(abstractions->archive->context, database->bytes);
        orbit_walk_free(database->walk);
        abstraction_close(database->abstraction);
        *database = (struct database){0};
    }
}

/* Makes the abstractions of the collection. Those that break a bound of their format are left out of one that
 * was chosen here. */
static enum pz_status open_collection(struct abstractions *abstractions, bool chosen, struct pz_error *error)
{
    struct pattern_collection *collection = &abstractions->collection;
    enum pz_status status = PZ_OK;
    for (unsigned i = 0; i < collection->count && status == PZ_OK;) {
        if (!wanted_still())
            return pz_fail(error, PZ_CANCELLED, "stopped while abstractions were chosen");
        status = abstraction_open(abstractions->abstractor, collection->atoms[i],
                                  &abstractions->database[i].abstraction, error);
        if (status == PZ_OK) {
            i++;
        } else if (chosen && collection->count > 1 && (status == PZ_TOO_LARGE || status == PZ_BAD_PUZZLE)) {
            close_databases(abstractions, i);
            collection_drop(abstractions->abstractor, collection, i);
            status = PZ_OK;
            i = 0;
        }
    }
    return status;
}

/* Returns the bytes of a collection that is chosen. Where memory is not short they are always as many, so
 * that a search finds the databases that were built ahead. */
static uint64_t room_of(const struct budget *budget)
{
    const uint64_t third = budget_most(budget) / 3;
    return third < COLLECTION_BYTES_MAX ? third : COLLECTION_BYTES_MAX;
}

/* Makes one abstraction by orbits, and adds its name to the collection's. */
static enum pz_status add_orbits(struct abstractions *abstractions, const char *text, struct pz_error *error)
{
    struct pattern_collection *collection = &abstractions->collection;
    struct database *database = &abstractions->database[collection->count];
    char own[ORBITS_TEXT_MAX];
    const size_t length = strlen(collection->text);
    enum pz_status status = orbits_check(abstractions->abstractor, text, own, error);
    if (status == PZ_OK && (collection->count == ORBIT_TABLES_MAX ||
                            length + strlen(own) + sizeof ORBITS_AND > sizeof collection->text))
        status = pz_fail(error, PZ_BAD_REQUEST, "more than %d abstractions, or a name that is too long",
                         ORBIT_TABLES_MAX);
    if (status == PZ_OK)
        status = orbits_open(abstractions->abstractor, text, &database->abstraction, error);
    if (status != PZ_OK)
        return status;
    (void)snprintf(collection->text + length, sizeof collection->text - length, "%s%s",
                   length > 0 ? ORBITS_AND : "", own);
    name_table(abstractions->space, own, 0, database->name);
    collection->count++;
    if (database->abstraction->keys > ORBIT_KEYS_MAX)
        return pz_fail(error, PZ_TOO_LARGE, "%.100s has %" PRIu64 " states: %" PRIu64 " are the most", own,
                       database->abstraction->keys, ORBIT_KEYS_MAX);
    return orbit_walk_new(database->abstraction, &database->walk, error);
}

/* Takes the next of "orbits/…+orbits/…"; *at is NULL after the last. Returns false when there is none. */
static bool next_orbits(const char **at, char one[SOLVE_PARTITION_MAX])
{
    if (*at == NULL)
        return false;
    const char *end = orbits_end(*at);
    (void)snprintf(one, SOLVE_PARTITION_MAX, "%.*s", (int)(end - *at), *at);
    *at = *end != '\0' ? end + 1 : NULL;
    return true;
}

static enum pz_status open_orbits(struct abstractions *abstractions, const char *text, struct pz_error *error)
{
    enum pz_status status = PZ_OK;
    char one[SOLVE_PARTITION_MAX];
    while (status == PZ_OK && next_orbits(&text, one))
        status = add_orbits(abstractions, one, error);
    return status;
}

/* Chooses an abstraction by orbits for a puzzle that is large enough. Fails as orbits_choose. */
static enum pz_status choose_orbits(struct abstractions *abstractions, struct pz_error *error)
{
    char text[ORBITS_TEXT_MAX];
    const uint64_t states = space_count(abstractions->space),
                   third = budget_most(abstractions->budget) / 3 * 4;
    if (states > 0 && states < ORBITS_FROM_STATES)
        return PZ_UNSUPPORTED;
    const double keys = (double)(third < ORBIT_KEYS_CHOSEN ? third : ORBIT_KEYS_CHOSEN);
    enum pz_status status = orbits_choose(abstractions->abstractor, keys, text, error);
    return status == PZ_OK ? open_orbits(abstractions, text, error) : status;
}

/* Chooses the collection, and makes its abstractions without their tables. PZ_CANCELLED if they are not
 * wanted any more. */
static enum pz_status open_abstractions(struct abstractions *abstractions, const char *partition,
                                        bool only_orbits, struct pz_error *error)
{
    struct pattern_collection *collection = &abstractions->collection;
    enum pz_status status = abstractor_new(abstractions->space, &abstractions->abstractor, error);
    if (status != PZ_OK)
        return status;
    if (partition != NULL && orbits_is(partition))
        return open_orbits(abstractions, partition, error);
    if (partition == NULL) {
        status = choose_orbits(abstractions, error);
        if (status == PZ_OK || status == PZ_CANCELLED)
            return status;
        close_databases(abstractions, collection->count); /* what was chosen by orbits in part */
        collection->count = 0;
    }
    if (only_orbits)
        return PZ_NO_TABLE;
    if (partition != NULL)
        status = collection_parse(abstractions->abstractor, partition, collection, error);
    else if (collection_choose(abstractions->abstractor, room_of(abstractions->budget), collection))
        status = PZ_OK;
    else
        status = pz_fail(error, PZ_UNSUPPORTED, "no abstraction of this text is small enough");
    if (status == PZ_OK)
        status = open_collection(abstractions, partition == NULL, error);
    for (unsigned i = 0; i < collection->count && status == PZ_OK; i++)
        name_table(abstractions->space, collection->text, i, abstractions->database[i].name);
    return status;
}

static bool is_still_wanted(void *control)
{
    return control_poll(control) == PZ_OK;
}

enum pz_status abstractions_open(const struct abstractions_request *request, struct abstractions **out,
                                 struct pz_error *error)
{
    assert(request->space != NULL && request->budget != NULL);
    struct abstractions *abstractions = calloc(1, sizeof *abstractions);
    if (abstractions == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for pattern databases");
    abstractions->space = request->space;
    abstractions->budget = request->budget;
    abstractions->archive = request->archive;
    const struct wanted wanted = {is_still_wanted, request->control};
    const struct wanted *before = wanted_set(&wanted);
    enum pz_status status =
        open_abstractions(abstractions, request->partition, request->stored_orbits, error);
    (void)wanted_set(before);
    if (status == PZ_CANCELLED && control_poll(request->control) == PZ_LIMIT)
        status = PZ_LIMIT;
    if (status == PZ_OK)
        status = load_all(abstractions, error);
    if (status == PZ_NO_TABLE && !request->stored_orbits)
        status = build_missing_databases(abstractions, request, error);
    if (status == PZ_OK)
        *out = abstractions;
    else
        abstractions_close(abstractions);
    return status;
}

void abstractions_close(struct abstractions *abstractions)
{
    if (abstractions == NULL)
        return;
    close_databases(abstractions, abstractions->collection.count);
    abstractor_free(abstractions->abstractor);
    free(abstractions);
}

unsigned abstractions_orbits(const struct abstractions *abstractions,
                             struct orbit_table out[ORBIT_TABLES_MAX])
{
    unsigned count = 0;
    for (; count < abstractions->collection.count && abstractions->database[count].walk != NULL; count++)
        out[count] =
            (struct orbit_table){abstractions->database[count].walk, abstractions->database[count].bytes,
                                 abstractions->database[count].built != NULL};
    return count;
}

void abstractions_figures(const struct abstractions *abstractions, struct abstractions_figures *out)
{
    *out = (struct abstractions_figures){.tables = abstractions->collection.count,
                                         .built_bytes = abstractions->built_bytes};
    memcpy(out->partition, abstractions->collection.text, sizeof out->partition);
    for (unsigned i = 0; i < abstractions->collection.count; i++)
        out->bytes += database_bytes(&abstractions->database[i]);
}

/* ---- bounds ---- */

/* Adds the groups up. value: of each pattern, TABLE_DEAD for no way to a goal. */
static unsigned add_up(const struct pattern_collection *collection, const uint8_t *value)
{
    unsigned sum = 0, greatest = 0;
    for (unsigned i = 0; i < collection->count; i++) {
        if (value[i] == TABLE_DEAD)
            return PZ_HOPELESS;
        if (i > 0 && collection->group[i] != collection->group[i - 1]) {
            sum += greatest;
            greatest = 0;
        }
        greatest = value[i] > greatest ? value[i] : greatest;
    }
    return sum + greatest;
}

/* Reads a database: where it lies in memory, or by a lookup's read function. */
struct database_reader {
    const struct database *database;
    abstractions_read *read;
    void *context;
};

static enum pz_status read_database_byte(const struct database_reader *reader, uint64_t at, uint8_t *byte,
                                         struct pz_error *error)
{
    const struct database *database = reader->database;
    uint64_t word = 0; /* its bytes as they are stored */
    if (database->bytes != NULL) {
        *byte = database->bytes[at];
        return PZ_OK;
    }
    const enum pz_status status =
        reader->read(reader->context, database->name, at / sizeof word, &word, error);
    *byte = ((const uint8_t *)&word)[at % sizeof word];
    return status;
}

static enum pz_status read_database_value(const struct database_reader *reader, const void *state,
                                          uint8_t *value, struct pz_error *error)
{
    const struct abstraction *abstraction = reader->database->abstraction;
    const uint64_t key = abstraction_key(abstraction, state);
    *value = TABLE_DEAD;
    return key < abstraction->keys ? read_database_byte(reader, key, value, error) : PZ_OK;
}

/* An orbit_read. */
static enum pz_status read_residue(void *context, uint64_t key, unsigned *residue, struct pz_error *error)
{
    uint8_t byte;
    const enum pz_status status = read_database_byte(context, key / 4, &byte, error);
    *residue = byte >> key % 4 * 2 & 3;
    return status;
}

static enum pz_status find_bound(const struct abstractions *abstractions, const void *state,
                                 abstractions_read *read, void *context, unsigned *bound,
                                 struct pz_error *error)
{
    uint8_t values[COLLECTION_MAX] = {0};
    enum pz_status status = PZ_OK;
    *bound = 0;
    for (unsigned i = 0; i < abstractions->collection.count && status == PZ_OK; i++) {
        struct database_reader reader = {&abstractions->database[i], read, context};
        const struct orbit_walk *walk = reader.database->walk;
        unsigned own = 0;
        status = walk != NULL ? orbit_table_bound(walk, state, read_residue, &reader, &own, error)
                              : read_database_value(&reader, state, &values[i], error);
        *bound = own > *bound ? own : *bound;
    }
    if (abstractions->database[0].walk == NULL)
        *bound = add_up(&abstractions->collection, values);
    return status;
}

unsigned abstractions_bound(const void *context, const void *state)
{
    unsigned bound;
    (void)find_bound(context, state, NULL, NULL, &bound, NULL); /* all are in memory */
    return bound;
}

enum pz_status abstractions_look_up(const struct abstractions_request *request, const void *state,
                                    abstractions_read *read, void *context, unsigned *value,
                                    struct pz_error *error)
{
    struct abstractions *abstractions = calloc(1, sizeof *abstractions);
    if (abstractions == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a lookup");
    abstractions->space = request->space;
    enum pz_status status = open_abstractions(abstractions, request->partition, false, error);
    if (status == PZ_OK)
        status = find_bound(abstractions, state, read, context, value, error);
    abstractions_close(abstractions);
    return status;
}

enum pz_status abstractions_check(const struct pz_space *space, const char *partition, struct pz_error *error)
{
    struct abstractor *abstractor = NULL;
    struct pattern_collection collection;
    char one[SOLVE_PARTITION_MAX];
    enum pz_status status = abstractor_new(space, &abstractor, error);
    if (status == PZ_OK && partition != NULL && !orbits_is(partition))
        status = collection_parse(abstractor, partition, &collection, error);
    else
        while (status == PZ_OK && next_orbits(&partition, one))
            status = orbits_check(abstractor, one, NULL, error);
    abstractor_free(abstractor);
    return status;
}
